/* curves.c - mean curves of real data: the integrated squared error of 200 releases against what
 * the planner said before reading, epsilon from 0.1 to 8.  And how fast curves are read and fitted.
 * Usage: bench_curves FOLDER   where dti_cca.csv and berkeley_growth.csv are
 *
 * Clip, kernel and ridge are what an owner would choose who knows the subject and not the rows; the
 * clip is half as much again as the norm of a flat curve as high as any may get, which is the
 * command's hint.  DTI: fractional anisotropy, in white matter up to about 0.8, at 93 places along
 * a tract; patients come back, four visits' worth each.  Growth: heights from 1 to 18 years, up to
 * 190 cm; and the same after a public line, from 75 cm at 1 to 170 at 18, is taken off every child,
 * which leaves up to 35 cm. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/bench_support.h"
#include "base/math/prng.h"
#include "mechanisms/functions/curve_release.h"

enum { RELEASES = 200, FINE = 1001, POINTS = 200, RECORDS = 500 };

/* Curves in memory: a person's number and the values, record by record. */
typedef struct sample {
  size_t records, points;
  double *values;
} sample;

static sample load(const char *path, const char *person, size_t first, size_t points) {
  sfm_error error;
  sfm_rows *rows;
  sfm_schema *schema;
  const sfmi_batch *batch;
  sample s = {0, points, calloc(RECORDS * (points + 1), sizeof(double))};
  bench_check(sfm_rows_open(&rows, path, &error), &error);
  bench_check(sfm_schema_create(&schema, &error), &error);
  bench_check(sfm_schema_set_person(schema, person, &error), &error);
  const sfmi_curve_selection selection = {schema, NULL, first, points};
  bench_check(sfmi_rows_begin_curves(rows, &selection, &error), &error);
  for (;;) {
    bench_check(sfmi_rows_next(rows, &batch, &error), &error);
    if (!batch || !s.values) break;
    for (size_t r = 0; r < batch->rows && s.records < RECORDS; r++, s.records++) {
      double *record = s.values + s.records * (points + 1);
      record[0] = batch->person[r];
      for (size_t i = 0; i < points; i++) record[1 + i] = batch->values[i * SFMI_BATCH_ROWS + r];
    }
  }
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
  return s;
}

/* One release laid out. */
typedef struct bench {
  sfmi_design_curve curve_design;
  sfmi_hardening hardening;
  sfmi_i128 *sums; /* of all directions */
  double *at;      /* the basis at FINE points */
  size_t records;
} bench;

static void bench_init(bench *b, const sample *s, const sfm_curve_settings *settings) {
  sfm_error error;
  sfm_rows *rows;
  b->records = s->records;
  bench_check(sfmi_design_curve_init(&b->curve_design, settings, s->records, &error), &error);
  bench_check(sfmi_curve_hardening(&b->hardening, &b->curve_design, settings->epsilon, &error),
              &error);
  bench_check(sfm_rows_from_array(&rows, s->values, s->records, s->points + 1, NULL, &error),
              &error);
  const size_t released = b->curve_design.released, m = b->curve_design.basis->count;
  b->curve_design.released = m;
  bench_check(sfmi_curve_integers(&b->sums, &b->curve_design, rows, settings, &error), &error);
  b->curve_design.released = released;
  b->at = malloc(FINE * m * sizeof *b->at);
  const double lower = settings->grid[0], upper = settings->grid[s->points - 1];
  for (size_t i = 0; b->at && i < FINE; i++) {
    const double x = lower + (upper - lower) * ((double)i / (FINE - 1));
    sfmi_basis_at(b->curve_design.basis, b->at + i * m, &x, 1);
  }
  sfm_rows_destroy(rows);
}

static void bench_clear(bench *b) {
  sfmi_design_curve_clear(&b->curve_design);
  free(b->sums);
  free(b->at);
}

/* The integral over the grid's range of the square of sum_j d_j b_j, by Simpson's rule. */
static double integral_square(const bench *b, const double *d, double width) {
  const size_t m = b->curve_design.basis->count;
  double sum = 0;
  for (size_t i = 0; i < FINE; i++) {
    double value = 0;
    for (size_t j = 0; j < m; j++) value += d[j] * b->at[i * m + j];
    sum += (i == 0 || i == FINE - 1 ? 1 : i % 2 ? 4 : 2) * value * value;
  }
  return sum * width / 3 / (FINE - 1);
}

/* The mean of it over releases, against the mean of the clipped curves. */
static double measure(const bench *b, double width) {
  sfm_error error;
  sfmi_hardener *hardener;
  const size_t m = b->curve_design.basis->count, released = b->curve_design.released;
  const double unit = b->hardening.step / (double)b->records;
  int64_t noisy[POINTS];
  double d[POINTS], sum = 0;
  bench_check(sfmi_hardener_create(&hardener, &b->hardening.law, (sfmi_seed){0}, &error), &error);
  for (int r = 0; r < RELEASES; r++) {
    sfmi_hardener_add(hardener, noisy, b->sums, released);
    for (size_t j = 0; j < m; j++)
      d[j] = unit * (double)((j < released ? noisy[j] : 0) - b->sums[j]);
    sum += integral_square(b, d, width);
  }
  sfmi_hardener_destroy(hardener);
  return sum / RELEASES;
}

/* How far the mean of the clipped curves is from the plain mean, root mean square over the points:
 * what smoothing and clipping cost. */
static double bias(const bench *b, const sample *s) {
  const sfmi_basis *basis = b->curve_design.basis;
  double at[POINTS], square = 0;
  for (size_t i = 0; i < s->points; i++) {
    double value = 0, mean = 0, there = 0;
    sfmi_basis_at(basis, at, &basis->points[i], 1);
    for (size_t j = 0; j < basis->count; j++)
      value += at[j] * (double)b->sums[j] * b->hardening.step / (double)b->records;
    for (size_t r = 0; r < s->records; r++) {
      const double y = s->values[r * (s->points + 1) + 1 + i];
      if (isnan(y)) continue;
      mean += y;
      there++;
    }
    square += pow(value - mean / there, 2);
  }
  return sqrt(square / (double)s->points);
}

static void compare(const char *name, const sample *s, sfm_curve_settings settings) {
  static const double epsilons[] = {0.1, 0.2, 0.5, 1, 2, 4, 8};
  const double width = settings.grid[s->points - 1] - settings.grid[0];
  bench b;
  settings.epsilon = 1;
  settings.delta = 1e-6;
  settings.first = 1;
  settings.count = s->points;
  bench_init(&b, s, &settings);
  printf("%s: %zu curves of %zu points, %s:%g, ridge %g, clip %g, contributions %u%s\n", name,
         s->records, s->points, sfm_kernel_family_name(settings.kernel), settings.bandwidth,
         settings.ridge, settings.clip, (unsigned)sfm_schema_contributions(settings.context.schema),
         sfm_schema_person(settings.context.schema) ? " a person" : "");
  printf("smoothing and clipping move the mean by %.3g (root mean square over the points)\n",
         bias(&b, s));
  bench_clear(&b);
  printf("| epsilon | delta | directions | measured | forecast | ratio | root mean square |\n"
         "|---------|-------|------------|----------|----------|-------|------------------|\n");
  for (int pure = 0; pure < 2; pure++)
    for (size_t e = 0; e < sizeof epsilons / sizeof *epsilons; e++) {
      settings.epsilon = epsilons[e];
      settings.delta = pure ? 0 : 1e-6;
      bench_init(&b, s, &settings);
      const double got = measure(&b, width), wanted = b.curve_design.plan.total;
      printf("| %7g | %5g | %10zu | %8.3g | %8.3g | %5.2f | %16.3g |\n", epsilons[e],
             settings.delta, b.curve_design.released, got, wanted, got / wanted, sqrt(got / width));
      bench_clear(&b);
    }
}

static sfm_schema *schema_of(const char *person, uint32_t contributions) {
  sfm_error error;
  sfm_schema *schema;
  bench_check(sfm_schema_create(&schema, &error), &error);
  if (person) bench_check(sfm_schema_set_person(schema, person, &error), &error);
  bench_check(sfm_schema_set_contributions(schema, contributions, &error), &error);
  return schema;
}

static bool is_there(char *path, size_t size, const char *folder, const char *name) {
  snprintf(path, size, "%s/%s", folder, name);
  if (access(path, R_OK) == 0) return true;
  printf("%s is not there: skipped\n", path);
  return false;
}

static void bench_dti(const char *folder) {
  char path[1024];
  double grid[93];
  if (!is_there(path, sizeof path, folder, "dti_cca.csv")) return;
  sample s = load(path, "ID", 7, 93);
  sfm_curve_settings settings = sfm_curve_settings_default();
  for (size_t i = 0; i < 93; i++) grid[i] = (double)i / 92;
  sfm_schema *schema = schema_of("0", 4);
  settings.context.schema = schema;
  settings.grid = grid;
  settings.kernel = SFM_KERNEL_MATERN52;
  settings.bandwidth = 0.2;
  settings.clip = 2;
  compare("DTI", &s, settings);
  sfm_schema_destroy(schema);
  free(s.values);
}

static void bench_growth(const char *folder) {
  static const double ages[] = {1,   1.25, 1.5, 1.75, 2,    3,    4,    5,    6,    7,  8,
                                8.5, 9,    9.5, 10,   10.5, 11,   11.5, 12,   12.5, 13, 13.5,
                                14,  14.5, 15,  15.5, 16,   16.5, 17,   17.5, 18};
  enum { AGES = sizeof ages / sizeof *ages };
  char path[1024];
  if (!is_there(path, sizeof path, folder, "berkeley_growth.csv")) return;
  sample s = load(path, "id", 2, AGES);
  sfm_curve_settings settings = sfm_curve_settings_default();
  sfm_schema *schema = schema_of(NULL, 1);
  settings.context.schema = schema;
  settings.grid = ages;
  settings.kernel = SFM_KERNEL_MATERN52;
  settings.bandwidth = 5;
  settings.clip = 230;
  compare("growth", &s, settings);
  for (size_t r = 0; r < s.records; r++)
    for (size_t i = 0; i < AGES; i++)
      s.values[r * (AGES + 1) + 1 + i] -= 75 + (170 - 75) * (ages[i] - 1) / 17;
  settings.clip = 45;
  compare("growth, less a line", &s, settings);
  sfm_schema_destroy(schema);
  free(s.values);
}

/* Reading, fitting and adding up, from an array. */
static void bench_speed(size_t points, double holes) {
  const size_t records = 4000000 / points;
  double *values = malloc(records * points * sizeof *values), *grid = malloc(points * sizeof *grid);
  sfm_error error;
  sfm_rows *rows;
  sfmi_prng prng;
  sfmi_design_curve curve_design;
  sfmi_i128 *sums;
  if (!values || !grid) exit(1);
  sfmi_prng_init(&prng, 1);
  for (size_t i = 0; i < records * points; i++)
    values[i] = sfmi_prng_uniform(&prng) < holes ? NAN : sfmi_prng_normal(&prng);
  for (size_t i = 0; i < points; i++) grid[i] = (double)i;
  sfm_curve_settings settings = sfm_curve_settings_default();
  sfm_schema *schema = schema_of(NULL, 1);
  settings.context.schema = schema;
  settings.count = points;
  settings.grid = grid;
  settings.bandwidth = (double)points / 10;
  settings.clip = 3;
  settings.epsilon = 1;
  settings.delta = 1e-6;
  bench_check(sfm_rows_from_array(&rows, values, records, points, NULL, &error), &error);
  double start = bench_clock();
  bench_check(sfmi_design_curve_init(&curve_design, &settings, records, &error), &error);
  const double planned = bench_clock() - start;
  start = bench_clock();
  bench_check(sfmi_curve_integers(&sums, &curve_design, rows, &settings, &error), &error);
  const double read = bench_clock() - start;
  printf("%zu curves of %zu points, %.0f %% of them missing: %.3g s to plan, %.3g curves/s\n",
         records, points, 100 * holes, planned, (double)records / read);
  free(sums);
  free(values);
  free(grid);
  sfmi_design_curve_clear(&curve_design);
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
}

int main(int count, char **words) {
  const char *folder = count > 1 ? words[1] : "../shared/data/functional";
  bench_dti(folder);
  bench_growth(folder);
  bench_speed(100, 0);
  bench_speed(100, 0.01);
  bench_speed(1000, 0);
  return 0;
}
