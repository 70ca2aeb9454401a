/* thread_pool.h - threads that stay: a piece of work too short for starting a thread is shared by
 * some that wait for it. */
#ifndef SFMI_THREAD_POOL_H
#define SFMI_THREAD_POOL_H

#include "status.h"

#define SFMI_THREAD_POOL_MAX 8

typedef struct sfmi_thread_pool sfmi_thread_pool;

/* How many threads that many are: 0 stands for as many as there are processors; at most
 * SFMI_THREAD_POOL_MAX. */
size_t sfmi_thread_pool_threads(size_t asked);

/* NULL when memory is short.  Where a thread cannot be started, its share is done by the caller:
 * what is computed does not depend on it. */
sfmi_thread_pool *sfmi_thread_pool_create(size_t threads);
void sfmi_thread_pool_destroy(sfmi_thread_pool *pool);
size_t sfmi_thread_pool_size(const sfmi_thread_pool *pool);

/* Calls body(context, index, size) for every index below the pool's size, each in a thread, and
 * returns when all have returned.  By one thread at a time. */
void sfmi_thread_pool_run(sfmi_thread_pool *pool,
                          void (*body)(void *context, size_t index, size_t size), void *context);

#endif
