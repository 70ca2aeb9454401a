#include "thread_pool.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "thread.h"

size_t sfmi_thread_count(size_t asked, size_t most) {
  if (asked > 0) return asked < most ? asked : most;
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  const size_t processors = online > 0 ? (size_t)online : 1;
  const size_t usual = processors < SFMI_THREAD_POOL_MAX ? processors : SFMI_THREAD_POOL_MAX;
  return usual < most ? usual : most;
}

/* ---- threads for one call ---- */

typedef struct share_call {
  sfmi_thread_body *body;
  void *context;
  size_t share, shares;
} share_call;

static void *call_share(void *context) {
  const share_call *call = context;
  call->body(call->context, call->share, call->shares);
  return NULL;
}

void sfmi_threads_run(sfmi_thread_body *body, void *context, size_t shares) {
  share_call calls[SFMI_THREADS_MAX];
  pthread_t threads[SFMI_THREADS_MAX];
  bool started[SFMI_THREADS_MAX] = {false};
  assert(shares <= SFMI_THREADS_MAX);
  for (size_t i = 0; i < shares; i++) {
    calls[i] = (share_call){body, context, i, shares};
    if (i > 0) started[i] = sfmi_thread_start(&threads[i], call_share, &calls[i]);
  }
  for (size_t i = 0; i < shares; i++)
    if (!started[i]) (void)call_share(&calls[i]);
  for (size_t i = 1; i < shares; i++)
    if (started[i]) pthread_join(threads[i], NULL);
}

/* ---- threads that stay ---- */

/* How often a thread looks at a counter before it sleeps: some tens of microseconds. */
enum { SPIN_MAX = 1 << 12 };

typedef struct worker {
  sfmi_thread_pool *pool;
  size_t index;
  pthread_t thread;
  bool started;
} worker;

struct sfmi_thread_pool {
  size_t size;
  sfmi_thread_body *body;
  void *context;
  atomic_uint call;      /* counts the calls of sfmi_thread_pool_run */
  atomic_size_t working; /* workers that have not returned yet */
  atomic_bool over;
  pthread_mutex_t mutex; /* guards woken, for the workers that sleep */
  pthread_cond_t woken;
  worker workers[SFMI_THREAD_POOL_MAX];
};

static void pause_briefly(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/* Waits until the number of calls is no longer `last`, and returns it. */
static unsigned next_call(sfmi_thread_pool *pool, unsigned last) {
  for (int i = 0; i < SPIN_MAX; i++) {
    const unsigned call = atomic_load_explicit(&pool->call, memory_order_acquire);
    if (call != last) return call;
    pause_briefly();
  }
  pthread_mutex_lock(&pool->mutex);
  while (atomic_load(&pool->call) == last) pthread_cond_wait(&pool->woken, &pool->mutex);
  pthread_mutex_unlock(&pool->mutex);
  return atomic_load(&pool->call);
}

static void *work(void *context) {
  const worker *self = context;
  sfmi_thread_pool *pool = self->pool;
  for (unsigned call = 0;;) {
    call = next_call(pool, call);
    if (atomic_load(&pool->over)) return NULL;
    pool->body(pool->context, self->index, pool->size);
    atomic_fetch_sub_explicit(&pool->working, 1, memory_order_release);
  }
}

static void wake_all(sfmi_thread_pool *pool) {
  pthread_mutex_lock(&pool->mutex);
  atomic_fetch_add(&pool->call, 1);
  pthread_cond_broadcast(&pool->woken);
  pthread_mutex_unlock(&pool->mutex);
}

sfmi_thread_pool *sfmi_thread_pool_create(size_t threads) {
  sfmi_thread_pool *pool = sfmi_alloc(1, sizeof *pool);
  if (!pool) return NULL;
  pool->size = sfmi_thread_count(threads, SFMI_THREAD_POOL_MAX);
  atomic_init(&pool->call, 0);
  atomic_init(&pool->working, 0);
  atomic_init(&pool->over, false);
  pthread_mutex_init(&pool->mutex, NULL);
  pthread_cond_init(&pool->woken, NULL);
  for (size_t i = 1; i < pool->size; i++) {
    worker *w = &pool->workers[i];
    w->pool = pool;
    w->index = i;
    w->started = sfmi_thread_start(&w->thread, work, w);
  }
  return pool;
}

void sfmi_thread_pool_destroy(sfmi_thread_pool *pool) {
  if (!pool) return;
  atomic_store(&pool->over, true);
  wake_all(pool);
  for (size_t i = 1; i < pool->size; i++)
    if (pool->workers[i].started) pthread_join(pool->workers[i].thread, NULL);
  pthread_cond_destroy(&pool->woken);
  pthread_mutex_destroy(&pool->mutex);
  free(pool);
}

void sfmi_thread_pool_run(sfmi_thread_pool *pool, sfmi_thread_body *body, void *context) {
  size_t started = 0;
  for (size_t i = 1; i < pool->size; i++) started += pool->workers[i].started;
  if (started > 0) {
    pool->body = body;
    pool->context = context;
    atomic_store(&pool->working, started);
    wake_all(pool);
  }
  for (size_t i = 0; i < pool->size; i++)
    if (!pool->workers[i].started) body(context, i, pool->size);
  for (int i = 0; atomic_load_explicit(&pool->working, memory_order_acquire) > 0; i++)
    if (i < SPIN_MAX)
      pause_briefly();
    else
      sched_yield();
}
