/* thread_pool.h - work shared by threads.
 *
 * - sfmi_threads_run starts threads for one call, up to SFMI_THREADS_MAX of them.
 * - A pool keeps its threads, up to SFMI_THREAD_POOL_MAX of them: for pieces of work that are too
 *   short to start a thread for.
 *
 * Where a thread cannot be started, the caller does its share.  What is computed must not depend on
 * which thread computes it. */
#ifndef SFMI_THREAD_POOL_H
#define SFMI_THREAD_POOL_H

#include "status.h"

#define SFMI_THREADS_MAX 64
#define SFMI_THREAD_POOL_MAX 8

/* Does share number `share` of the work, 0 <= share < shares. */
typedef void sfmi_thread_body(void *context, size_t share, size_t shares);

/* How many threads work when so many are asked for: at most `most`.  0 asks for one per processor,
 * and then at most SFMI_THREAD_POOL_MAX. */
size_t sfmi_thread_count(size_t asked, size_t most);

/* Calls body for every share, each in a thread started for it, and returns when all have returned.
 * shares <= SFMI_THREADS_MAX. */
void sfmi_threads_run(sfmi_thread_body *body, void *context, size_t shares);

typedef struct sfmi_thread_pool sfmi_thread_pool;

/* A pool of sfmi_thread_count(threads, SFMI_THREAD_POOL_MAX) threads; NULL when memory is short. */
sfmi_thread_pool *sfmi_thread_pool_create(size_t threads);
void sfmi_thread_pool_destroy(sfmi_thread_pool *pool);

/* Calls body for every share, as many as the pool has threads, and returns when all have returned.
 * A pool serves one caller at a time. */
void sfmi_thread_pool_run(sfmi_thread_pool *pool, sfmi_thread_body *body, void *context);

#endif
