/* bench_sessions FOLDER - answers a second of online sessions on the disk that holds FOLDER, in
 * batches of 1,000: spectral (one dimension, bandwidth = domain/50) and markov (durable), from the
 * thousandth answer to the millionth; and gram, one durable answer at a time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/bench_support.h"
#include "base/math/prng.h"
#include "sfumato/online.h"

enum { BATCH = 1000, MILLION = 1000000, ROWS = 10000, GRAM = 2000 };

static char path[4096], anchor[4096];

static void require(sfm_status status, const sfm_error *error) {
  if (!status) return;
  fprintf(stderr, "%s\n", error->message);
  exit(1);
}

static sfm_online *make(sfm_kernel_family kernel, sfm_engine engine) {
  static const char *const columns[] = {"x"};
  static double values[ROWS];
  const double bandwidth = 2;
  sfm_error error;
  sfm_schema *schema;
  sfm_rows *rows;
  sfm_online *session;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 1);
  for (int i = 0; i < ROWS; i++) values[i] = 100 * sfmi_prng_uniform(&prng);
  unlink(path);
  unlink(anchor);
  require(sfm_schema_create(&schema, &error), &error);
  require(sfm_schema_set_bounds(schema, "x", 0, 100, &error), &error);
  require(sfm_rows_from_array(&rows, values, ROWS, 1, columns, &error), &error);
  sfm_density_settings settings = sfm_density_settings_default();
  settings.context.schema = schema;
  settings.columns = columns;
  settings.dimension = 1;
  settings.bandwidth = &bandwidth;
  settings.epsilon = 1;
  settings.delta = 1e-6;
  settings.method = SFM_DENSITY_GP;
  settings.kernel = kernel;
  settings.engine = engine;
  require(
      sfm_online_create(path, rows, &settings, engine == SFM_ENGINE_GRAM ? anchor : NULL, &error),
      &error);
  require(sfm_online_open(&session, path, &error), &error);
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
  return session;
}

/* Seconds that so many further answers take, in batches; all of them at new points. */
static double ask(sfm_online *session, sfmi_prng *prng, long count) {
  static double points[BATCH], values[BATCH];
  sfm_error error;
  double spent = 0;
  for (long done = 0; done < count; done += BATCH) {
    for (int i = 0; i < BATCH; i++) points[i] = 100 * sfmi_prng_uniform(prng);
    const double start = bench_clock();
    require(sfm_online_ask(session, values, points, BATCH, &error), &error);
    spent += bench_clock() - start;
  }
  return spent;
}

/* The first thousand, the first hundred thousand, and the last hundred thousand of a million. */
static void in_batches(const char *what, sfm_kernel_family kernel, sfm_engine engine,
                       double wanted) {
  sfmi_prng prng;
  sfmi_prng_init(&prng, 2);
  sfm_online *session = make(kernel, engine);
  const double first = BATCH / ask(session, &prng, BATCH);
  const double early = (100000 - BATCH) / ask(session, &prng, 100000 - BATCH);
  const double middle = 800000 / ask(session, &prng, 800000);
  const double late = 100000 / ask(session, &prng, 100000);
  printf("%s: %.3g answers a second at first, %.3g up to the 100,000th, then %.3g, %.3g up to the "
         "millionth: %.2f x as long as early on (wanted %.3g a second, 2 x)\n",
         what, first, early, middle, late, early / late, wanted);
  if (engine == SFM_ENGINE_MARKOV) {
    sfm_error error;
    sfm_online_close(session);
    const double start = bench_clock();
    require(sfm_online_open(&session, path, &error), &error);
    printf("%s: opened again with its million answers in %.3f s\n", what, bench_clock() - start);
  }
  sfm_online_close(session);
}

/* One by one, each durable in the session and then in the anchor. */
static void one_by_one(void) {
  sfmi_prng prng;
  sfm_error error;
  double x, value;
  sfmi_prng_init(&prng, 3);
  sfm_online *session = make(SFM_KERNEL_CAUCHY, SFM_ENGINE_GRAM);
  double start = bench_clock();
  printf("gram, one durable answer at a time with an anchor:");
  for (int i = 1; i <= GRAM; i++) {
    x = 100 * sfmi_prng_uniform(&prng);
    require(sfm_online_ask(session, &value, &x, 1, &error), &error);
    if (i % 500) continue;
    printf(" %.2f ms up to the %dth;", (bench_clock() - start) / 500 * 1e3, i);
    start = bench_clock();
  }
  const sfm_online_facts facts = sfm_online_about(session);
  printf(" the next takes %.3g multiplications and %.3g bytes\n", facts.work, facts.bytes);
  sfm_online_close(session);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  snprintf(path, sizeof path, "%s/bench.sfs", argv[1]);
  snprintf(anchor, sizeof anchor, "%s/bench.anchor", argv[1]);
  in_batches("spectral", SFM_KERNEL_GAUSSIAN, SFM_ENGINE_SPECTRAL, 1e6);
  in_batches("markov, durable", SFM_KERNEL_MATERN32, SFM_ENGINE_MARKOV, 5e4);
  one_by_one();
  unlink(path);
  unlink(anchor);
  return 0;
}
