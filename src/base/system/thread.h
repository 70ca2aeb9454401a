/* thread.h - threads with a stack of our own size, whatever limit the host has set. */
#ifndef SFMI_THREAD_H
#define SFMI_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Starts body(context); false when no thread can be started. */
bool sfmi_thread_start(pthread_t *thread, void *(*body)(void *), void *context);
/* Calls body(context) in such a thread and waits for it; in this thread when none can be started.
 */
void sfmi_thread_call(void *(*body)(void *), void *context);

#endif
