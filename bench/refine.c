/* refine.c - what refining a density gains, for three shapes, 100 to a million rows: the integrated
 * squared error of many releases of the same rows, raw and after refining, against the estimate
 * without privacy and against the truth; and how fast rows are sampled.
 * Usage: bench_refine [releases]
 *
 * Bounds are 0 to 100 and reflect, but for the last shape, whose estimate without privacy loses
 * mass over the edge; the bandwidth is what an owner would take who guesses a spread of 15 and
 * knows the number of rows: 1.06 15 n^(-1/5). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/bench_support.h"
#include "base/math/prng.h"
#include "sfumato/density.h"
#include "sfumato/refine.h"
#include "sfumato/sample.h"

enum { FINE = 2001, BINS = 20000 };

/* A mixture of normals, or of a uniform part. */
typedef struct shape {
  const char *name;
  sfm_boundary boundary;
  size_t parts;
  double weight[4], middle[4], spread[4]; /* spread < 0: uniform, from middle on, -spread wide */
} shape;

static const shape shapes[] = {
    {"normal", SFM_BOUNDARY_REFLECT, 1, {1}, {45}, {12}},
    {"two bumps", SFM_BOUNDARY_REFLECT, 2, {0.7, 0.3}, {35, 72}, {7, 4}},
    {"edge", SFM_BOUNDARY_REFLECT, 1, {1}, {0}, {-60}},
    {"edge, open", SFM_BOUNDARY_OPEN, 1, {1}, {0}, {-60}},
};

static double density(const shape *s, double x) {
  double sum = 0;
  for (size_t p = 0; p < s->parts; p++) {
    const double z = (x - s->middle[p]) / s->spread[p];
    sum += s->weight[p] * (s->spread[p] < 0 ? (z <= 0 && z >= -1 ? -1 / s->spread[p] : 0)
                                            : exp(-z * z / 2) / (sqrt(2 * M_PI) * s->spread[p]));
  }
  return sum;
}

static double draw(const shape *s, sfmi_prng *prng) {
  double u = sfmi_prng_uniform(prng);
  size_t p = 0;
  while (p + 1 < s->parts && u > s->weight[p]) u -= s->weight[p++];
  const double z = s->spread[p] < 0 ? -sfmi_prng_uniform(prng) : sfmi_prng_normal(prng);
  return fmin(fmax(s->middle[p] + s->spread[p] * z, 0), 100);
}

/* The estimate without privacy on the fine grid: rows in narrow bins, linearly, then the kernel,
 * and where bounds reflect the images of the bins. */
static void smooth(double *values, const double *rows, size_t n, double h, bool reflect) {
  double *bins = calloc(BINS + 2, sizeof *bins);
  if (!bins) exit(1);
  for (size_t i = 0; i < n; i++) {
    const double t = rows[i] / 100 * BINS, k = floor(t);
    bins[(size_t)k] += 1 - (t - k);
    bins[(size_t)k + 1] += t - k;
  }
  for (size_t i = 0; i < FINE; i++) {
    const double x = 100 * (double)i / (FINE - 1);
    const long from = (long)floor((x - 8 * h) / 100 * BINS),
               to = (long)ceil((x + 8 * h) / 100 * BINS);
    values[i] = 0;
    for (long k = from; k <= to; k++) {
      const double z = (x - 100 * (double)k / BINS) / h;
      const long at = k < 0 ? -k : k > BINS ? 2 * BINS - k : k;
      if ((reflect || at == k) && at >= 0 && at <= BINS) values[i] += bins[at] * exp(-z * z / 2);
      /* The ends are their own images. */
      if (reflect && (k == 0 || k == BINS)) values[i] += bins[at] * exp(-z * z / 2);
    }
    values[i] /= sqrt(2 * M_PI) * h * (double)n;
  }
  free(bins);
}

static double square(const double *x, const double *y) {
  double sum = 0;
  for (size_t i = 0; i < FINE; i++)
    sum += (x[i] - y[i]) * (x[i] - y[i]) * (i == 0 || i == FINE - 1 ? 0.5 : 1);
  return sum * 100 / (FINE - 1);
}

static void evaluate(double *values, const sfm_release *release) {
  sfm_error error;
  sfm_evaluator *evaluator;
  const size_t counts[] = {FINE};
  bench_check(sfm_evaluator_create(&evaluator, release, 0, &error), &error);
  bench_check(sfm_evaluator_grid(evaluator, values, counts, &error), &error);
  sfm_evaluator_destroy(evaluator);
}

/* Errors of one release: raw, shrunk, projected, all of it. */
enum { RAW, SHRUNK, PROJECTED, ALL, KINDS };

static void measure(double kde[KINDS], double truth[KINDS], const sfm_release *release,
                    const double *exact, const double *true_values) {
  enum { SIZE = sizeof(sfm_refine_settings) };
  static const sfm_refine_settings settings[] = {
      [SHRUNK] = {.size = SIZE, .shrink = true},
      [PROJECTED] = {.size = SIZE, .nonnegative = true, .normalise = true, .allow_missing = true},
      [ALL] = {.size = SIZE,
               .shrink = true,
               .nonnegative = true,
               .normalise = true,
               .allow_missing = true}};
  static double values[FINE];
  sfm_error error;
  for (int k = 0; k < KINDS; k++) {
    sfm_release *refined = NULL;
    if (k != RAW) bench_check(sfm_release_refine(&refined, release, &settings[k], &error), &error);
    evaluate(values, refined ? refined : release);
    kde[k] += square(values, exact);
    truth[k] += square(values, true_values);
    sfm_release_destroy(refined);
  }
}

static void bench_one(const shape *s, const double *rows, size_t n, double epsilon, int releases) {
  static const char *const columns[] = {"x"};
  static double exact[FINE], true_values[FINE];
  sfm_error error;
  sfm_schema *schema;
  sfm_density_settings settings = sfm_density_settings_default();
  double h = 1.06 * 15 * pow((double)n, -0.2), kde[KINDS] = {0}, truth[KINDS] = {0};
  bench_check(sfm_schema_create(&schema, &error), &error);
  bench_check(sfm_schema_set_bounds(schema, "x", 0, 100, &error), &error);
  settings.context.schema = schema;
  settings.columns = columns;
  settings.dimension = 1;
  settings.bandwidth = &h;
  settings.epsilon = epsilon;
  settings.boundary = &s->boundary;
  settings.context.seeded = true;
  smooth(exact, rows, n, h, s->boundary == SFM_BOUNDARY_REFLECT);
  for (size_t i = 0; i < FINE; i++) true_values[i] = density(s, 100 * (double)i / (FINE - 1));
  for (int r = 0; r < releases; r++) {
    sfm_rows *table;
    sfm_release *release;
    settings.context.seed = (uint64_t)r + 1;
    bench_check(sfm_rows_from_array(&table, rows, n, 1, columns, &error), &error);
    bench_check(sfm_density_release(&release, NULL, table, &settings, &error), &error);
    measure(kde, truth, release, exact, true_values);
    sfm_release_destroy(release);
    sfm_rows_destroy(table);
  }
  printf("| %-10s | %7zu | %7g | %8.2e | %8.2e | %5.2f | %5.2f | %5.2f | %8.2e | %8.2e | %5.2f |\n",
         s->name, n, epsilon, kde[RAW] / releases, kde[ALL] / releases, kde[RAW] / kde[ALL],
         kde[RAW] / kde[SHRUNK], kde[RAW] / kde[PROJECTED], truth[RAW] / releases,
         truth[ALL] / releases, truth[RAW] / truth[ALL]);
  sfm_schema_destroy(schema);
}

/* Refining and sampling one release, timed. */
static void bench_speed(const double *rows, size_t n) {
  static const char *const columns[] = {"x", "y", "z"};
  const size_t many = 1000000;
  double *points = malloc(3 * many * sizeof *points);
  if (!points) exit(1);
  for (size_t d = 1; d <= 3; d++) {
    sfm_error error;
    sfm_schema *schema;
    sfm_rows *table;
    sfm_release *release, *refined;
    sfm_sample *sample;
    const double h[] = {8, 8, 16};
    sfm_density_settings settings = sfm_density_settings_default();
    const sfm_refine_settings all = sfm_refine_settings_default();
    bench_check(sfm_schema_create(&schema, &error), &error);
    for (size_t a = 0; a < d; a++)
      bench_check(sfm_schema_set_bounds(schema, columns[a], 0, 100, &error), &error);
    settings.context.schema = schema;
    settings.columns = columns;
    settings.dimension = d;
    settings.bandwidth = h;
    settings.epsilon = 1;
    settings.context.seeded = true;
    bench_check(sfm_rows_from_array(&table, rows, n / d, d, columns, &error), &error);
    bench_check(sfm_density_release(&release, NULL, table, &settings, &error), &error);
    double start = bench_clock();
    bench_check(sfm_release_refine(&refined, release, &all, &error), &error);
    const double refining = bench_clock() - start;
    start = bench_clock();
    bench_check(sfm_sample_create(&sample, refined, NULL, 0, 1, &error), &error);
    sfm_sample_draw(sample, points, NULL, many);
    printf("%zu column%s: refined to %zu values in %.3g s; a million rows drawn in %.3g s\n", d,
           d == 1 ? "" : "s", sfm_release_length(refined), refining, bench_clock() - start);
    sfm_sample_destroy(sample);
    sfm_release_destroy(refined);
    sfm_release_destroy(release);
    sfm_rows_destroy(table);
    sfm_schema_destroy(schema);
  }
  free(points);
}

int main(int count, char **words) {
  const int releases = count > 1 ? atoi(words[1]) : 100;
  const size_t most = 1000000;
  double *rows = malloc(most * sizeof *rows);
  if (!rows) return 1;
  printf("mean of %d releases; gain: raw over refined\n\n"
         "|            |         |         | against the estimate without privacy                  "
         "| against the truth           |\n"
         "| shape      | rows    | epsilon | raw      | refined  | gain  | shrink| proj. | raw     "
         " | refined  | gain  |\n"
         "|------------|---------|---------|----------|----------|-------|-------|-------|---------"
         "-|----------|-------|\n",
         releases);
  for (int e = 0; e < 2; e++)
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
      for (size_t n = 100; n <= most; n *= 10) {
        sfmi_prng prng;
        sfmi_prng_init(&prng, n);
        for (size_t i = 0; i < n; i++) rows[i] = draw(&shapes[s], &prng);
        bench_one(&shapes[s], rows, n, e ? 0.1 : 1, n > 10000 ? (releases + 4) / 5 : releases);
      }
  bench_speed(rows, 30000);
  free(rows);
  return 0;
}
