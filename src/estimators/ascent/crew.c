#include "crew.h"

#include <stdbool.h>
#include <unistd.h>

#include "base/system/thread.h"

/* Where nothing is asked for. */
enum { USUAL_MAX = 8 };

size_t sfmi_crew_size(size_t threads) {
  if (threads > 0) return threads < SFMI_CREW_MAX ? threads : SFMI_CREW_MAX;
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online < 1 ? 1 : online > USUAL_MAX ? USUAL_MAX : (size_t)online;
}

typedef struct task {
  void (*body)(void *job, size_t share, size_t shares);
  void *job;
  size_t share, shares;
} task;

static void *work(void *context) {
  const task *t = context;
  t->body(t->job, t->share, t->shares);
  return NULL;
}

void sfmi_crew_run(void (*body)(void *job, size_t share, size_t shares), void *job, size_t shares) {
  task tasks[SFMI_CREW_MAX];
  pthread_t running[SFMI_CREW_MAX];
  bool started[SFMI_CREW_MAX] = {false};
  for (size_t i = 0; i < shares; i++) {
    tasks[i] = (task){body, job, i, shares};
    if (i > 0) started[i] = sfmi_thread_start(&running[i], work, &tasks[i]);
  }
  for (size_t i = 0; i < shares; i++)
    if (!started[i]) (void)work(&tasks[i]);
  for (size_t i = 1; i < shares; i++)
    if (started[i]) pthread_join(running[i], NULL);
}
