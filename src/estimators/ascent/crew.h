/* crew.h - a few threads that share a job. */
#ifndef SFMI_CREW_H
#define SFMI_CREW_H

#include <stddef.h>

#define SFMI_CREW_MAX 64

/* How many work when `threads` are asked for: 0 means as many as there are processors, up to eight.
 */
size_t sfmi_crew_size(size_t threads);

/* Calls body(job, share, shares) for every share from 0 to shares - 1 <= SFMI_CREW_MAX, in threads
 * of their own as far as they can be started, and returns when all are done.  What is computed must
 * not depend on which thread did it. */
void sfmi_crew_run(void (*body)(void *job, size_t share, size_t shares), void *job, size_t shares);

#endif
