#include "base/team.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/thread.h"

/* Looks at a changing number before a thread lies down: some tens of microseconds. */
enum { PATIENCE = 1 << 12 };

typedef struct worker {
  sfmi_team *team;
  size_t index;
  pthread_t thread;
  bool started;
} worker;

struct sfmi_team {
  size_t size;
  void (*body)(void *context, size_t index, size_t size);
  void *context;
  atomic_uint call;      /* counts the calls of sfmi_team_run */
  atomic_size_t working; /* workers that have not returned yet */
  atomic_bool over;
  pthread_mutex_t mutex; /* of those that lay down */
  pthread_cond_t woken;
  worker workers[SFMI_TEAM_MAX];
};

static void pause_briefly(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

size_t sfmi_team_threads(size_t asked) {
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  if (asked == 0) asked = online > 0 ? (size_t)online : 1;
  return asked < SFMI_TEAM_MAX ? asked : SFMI_TEAM_MAX;
}

/* Waits until the call is another one than that; returns which. */
static unsigned next_call(sfmi_team *team, unsigned last) {
  for (int i = 0; i < PATIENCE; i++) {
    const unsigned call = atomic_load_explicit(&team->call, memory_order_acquire);
    if (call != last) return call;
    pause_briefly();
  }
  pthread_mutex_lock(&team->mutex);
  while (atomic_load(&team->call) == last) pthread_cond_wait(&team->woken, &team->mutex);
  pthread_mutex_unlock(&team->mutex);
  return atomic_load(&team->call);
}

static void *work(void *context) {
  const worker *self = context;
  sfmi_team *team = self->team;
  for (unsigned call = 0;;) {
    call = next_call(team, call);
    if (atomic_load(&team->over)) return NULL;
    team->body(team->context, self->index, team->size);
    atomic_fetch_sub_explicit(&team->working, 1, memory_order_release);
  }
}

static void call_all(sfmi_team *team) {
  pthread_mutex_lock(&team->mutex);
  atomic_fetch_add(&team->call, 1);
  pthread_cond_broadcast(&team->woken);
  pthread_mutex_unlock(&team->mutex);
}

sfmi_team *sfmi_team_create(size_t threads) {
  sfmi_team *team = sfmi_alloc(1, sizeof *team);
  if (!team) return NULL;
  team->size = sfmi_team_threads(threads);
  atomic_init(&team->call, 0);
  atomic_init(&team->working, 0);
  atomic_init(&team->over, false);
  pthread_mutex_init(&team->mutex, NULL);
  pthread_cond_init(&team->woken, NULL);
  for (size_t i = 1; i < team->size; i++) {
    worker *w = &team->workers[i];
    w->team = team;
    w->index = i;
    w->started = sfmi_thread_start(&w->thread, work, w);
  }
  return team;
}

void sfmi_team_destroy(sfmi_team *team) {
  if (!team) return;
  atomic_store(&team->over, true);
  call_all(team);
  for (size_t i = 1; i < team->size; i++)
    if (team->workers[i].started) pthread_join(team->workers[i].thread, NULL);
  pthread_cond_destroy(&team->woken);
  pthread_mutex_destroy(&team->mutex);
  free(team);
}

size_t sfmi_team_size(const sfmi_team *team) {
  return team->size;
}

void sfmi_team_run(sfmi_team *team, void (*body)(void *context, size_t index, size_t size),
                   void *context) {
  size_t started = 0;
  for (size_t i = 1; i < team->size; i++) started += team->workers[i].started;
  if (started > 0) {
    team->body = body;
    team->context = context;
    atomic_store(&team->working, started);
    call_all(team);
  }
  for (size_t i = 0; i < team->size; i++)
    if (!team->workers[i].started) body(context, i, team->size);
  for (int i = 0; atomic_load_explicit(&team->working, memory_order_acquire) > 0; i++)
    if (i < PATIENCE)
      pause_briefly();
    else
      sched_yield();
}
