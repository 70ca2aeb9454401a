#include "session_speed.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "common/repeated_release.h"
#include "base/math/prng.h"
#include "sfumato/interact.h"

enum { ROWS = 2000, COLUMNS = 10, QUESTIONS = 1000000 };

/* A machine of at most 2,000 features. */
typedef struct machine {
  const char *name;
  sfm_kernel_family kernel;
  double bandwidth;
  unsigned degree;
  sfm_train_method method;
  size_t columns;
} machine;

static const machine MACHINES[] = {
    {"rff:2000 of 10 columns", SFM_KERNEL_GAUSSIAN, 1, 0, SFM_TRAIN_RFF, 10},
    {"gaussian on a torus, 1 column", SFM_KERNEL_GAUSSIAN, 0.2, 0, SFM_TRAIN_FINITE, 1},
    {"polynomial of degree 4, 10 columns", SFM_KERNEL_POLYNOMIAL, 0, 4, SFM_TRAIN_FINITE, 10},
    {"linear, 10 columns", SFM_KERNEL_LINEAR, 0, 0, SFM_TRAIN_FINITE, 10},
};

static const char *const NAMES[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "y"};

static void use_processors(int count) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int i = 0; i < count; i++) CPU_SET(i, &set);
  (void)sched_setaffinity(0, sizeof set, &set);
}

/* A session that never ends an epoch (lasting), or has none left after its first question. */
static sfm_interact_settings wishes_of(sfm_train_settings *t, const machine *m,
                                       const sfm_schema *schema, bool lasting) {
  sfm_interact_settings s = sfm_interact_settings_default();
  *t = sfm_train_settings_default();
  s.train = t;
  t->context.schema = schema;
  t->features = NAMES;
  t->feature_count = m->columns;
  t->label = "y";
  t->kernel = m->kernel;
  t->bandwidth = m->bandwidth;
  t->degree = m->degree;
  t->shift = 1;
  t->method = m->method;
  t->rff_features = m->method == SFM_TRAIN_RFF ? 2000 : 0;
  t->scaling = SFM_SCALING_BALL;
  t->lambda = 1;
  t->epsilon = lasting ? 1e-3 : 1000;
  s.questions = QUESTIONS;
  s.epochs = 1;
  return s;
}

static sfm_interact *open_session(const char *folder, const machine *m, const sfm_schema *schema,
                                  const double *cells, bool lasting) {
  char path[4096], anchor[4096];
  sfm_train_settings train;
  const sfm_interact_settings settings = wishes_of(&train, m, schema, lasting);
  sfm_interact *session;
  sfm_rows *rows;
  sfm_error error;
  const char *names[COLUMNS + 1];
  for (size_t j = 0; j <= m->columns; j++) names[j] = NAMES[j < m->columns ? j : COLUMNS];
  snprintf(path, sizeof path, "%s/speed.sfs", folder);
  snprintf(anchor, sizeof anchor, "%s/speed.anchor", folder);
  unlink(path);
  unlink(anchor);
  double *table = malloc(ROWS * (m->columns + 1) * sizeof *table);
  if (!table) abort();
  for (size_t i = 0; i < ROWS; i++) {
    for (size_t j = 0; j < m->columns; j++)
      table[i * (m->columns + 1) + j] = cells[i * m->columns + j];
    table[i * (m->columns + 1) + m->columns] = i % 4 ? 1 : -1;
  }
  bench_check(sfm_rows_from_array(&rows, table, ROWS, m->columns + 1, names, &error), &error);
  bench_check(sfm_interact_create(path, rows, &settings, anchor, &error), &error);
  bench_check(sfm_interact_open(&session, path, &error), &error);
  sfm_rows_destroy(rows);
  free(table);
  return session;
}

/* Seconds by the clock, and of all processors together. */
typedef struct spell {
  double wall, work;
} spell;

static spell now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (spell){bench_clock(), (double)t.tv_sec + 1e-9 * (double)t.tv_nsec};
}

static spell ask_all(sfm_interact *session, const double *cells, size_t columns, size_t batch,
                     sfm_interact_answer *answers) {
  sfm_error error;
  const spell start = now();
  for (size_t done = 0; done < QUESTIONS; done += batch) {
    const size_t left = QUESTIONS - done;
    bench_check(sfm_interact_ask(session, answers, cells + done * columns,
                                 left < batch ? left : batch, &error),
                &error);
  }
  const spell end = now();
  return (spell){end.wall - start.wall, end.work - start.work};
}

static void measure(const machine *m, const char *folder, const sfm_schema *schema,
                    const double *cells, sfm_interact_answer *answers) {
  static const size_t batches[] = {10000, 65536};
  for (int lasting = 0; lasting < 2; lasting++)
    for (int processors = 1; processors <= 2; processors++) {
      use_processors(processors);
      sfm_interact *session = open_session(folder, m, schema, cells, lasting);
      printf("%s, %zu features, %s, %d processor%s:", m->name, sfm_interact_about(session).features,
             lasting ? "every question compared" : "public model alone", processors,
             processors > 1 ? "s" : "");
      for (size_t b = 0; b < 2; b++) {
        const spell taken = ask_all(session, cells, m->columns, batches[b], answers);
        printf("%s %.3g a second (%.3g a second of processors) in batches of %zu", b ? "," : "",
               QUESTIONS / taken.wall, QUESTIONS / taken.work, batches[b]);
      }
      const sfm_interact_facts facts = sfm_interact_about(session);
      printf(" (%llu released; wanted 1e+05)\n", (unsigned long long)facts.released);
      sfm_error error;
      bench_check(sfm_interact_wipe(session, &error), &error);
      sfm_interact_close(session);
    }
}

void session_speed_measure(const char *folder) {
  sfm_schema *schema;
  sfm_error error;
  sfmi_prng prng;
  cpu_set_t all;
  (void)sched_getaffinity(0, sizeof all, &all);
  double *cells = malloc((size_t)QUESTIONS * COLUMNS * sizeof *cells);
  sfm_interact_answer *answers = malloc((1 << 16) * sizeof *answers);
  if (!cells || !answers) abort();
  sfmi_prng_init(&prng, 4);
  for (size_t i = 0; i < (size_t)QUESTIONS * COLUMNS; i++) cells[i] = sfmi_prng_uniform(&prng);
  bench_check(sfm_schema_create(&schema, &error), &error);
  for (size_t j = 0; j < COLUMNS; j++)
    bench_check(sfm_schema_set_bounds(schema, NAMES[j], 0, 1, &error), &error);
  for (size_t i = 0; i < sizeof MACHINES / sizeof MACHINES[0]; i++)
    measure(&MACHINES[i], folder, schema, cells, answers);
  (void)sched_setaffinity(0, sizeof all, &all);
  sfm_schema_destroy(schema);
  free(cells);
  free(answers);
}
