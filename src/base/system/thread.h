/* thread.h - threads whose stack does not depend on the limit that the host has set. */
#ifndef SFMI_THREAD_H
#define SFMI_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Starts body(context); false where there are no threads to be had. */
bool sfmi_thread_start(pthread_t *thread, void *(*body)(void *), void *context);
/* body(context) on such a stack, and returns when it has; where there are no threads to be had, on
 * that of the caller. */
void sfmi_thread_call(void *(*body)(void *), void *context);

#endif
