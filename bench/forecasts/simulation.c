#include "simulation.h"

#include <math.h>
#include <stdlib.h>

#include "base/math/prng.h"

const double DELTA = 1e-6, LOWER = 0, UPPER = 100, EPSILONS[EPSILON_COUNT] = {0.1, 1, 10};
const char *const COLUMNS[2] = {"x", "y"};

/* ---- comparing functions ---- */
void tally_init(tally *t, record *out, size_t points, const double *weights, const double *truth) {
  *t = (tally){.out = out, .points = points, .weights = weights, .truth = truth};
  t->estimate = allocated(points, sizeof(double));
  t->clean = allocated(points, sizeof(double));
  t->first = allocated(points, sizeof(double));
  t->second = allocated(points, sizeof(double));
}

static double distance(const tally *t, const double *a, const double *b) {
  double sum = 0;
  for (size_t i = 0; i < t->points; i++) sum += t->weights[i] * (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

/* The estimate of a new set of rows is there. */
void tally_set(tally *t) {
  t->sets++;
  for (size_t i = 0; i < t->points; i++) {
    t->first[i] += t->estimate[i];
    t->second[i] += t->estimate[i] * t->estimate[i];
  }
}

/* And what would be released of it without noise. */
void tally_clean(tally *t) {
  t->out->parts[MISSED] += distance(t, t->clean, t->estimate);
  t->cleans++;
}

void tally_release(tally *t, const double *values) {
  record *r = t->out;
  r->total[t->done] = distance(t, values, t->truth);
  r->cost[t->done] = distance(t, values, t->estimate);
  r->parts[PRIVACY] += distance(t, values, t->clean);
  t->done++;
}

void tally_end(tally *t) {
  record *r = t->out;
  const double sets = (double)t->sets;
  double bias = 0;
  for (size_t i = 0; i < t->points; i++) {
    const double center = t->first[i] / sets;
    r->parts[SAMPLING] += t->weights[i] * (t->second[i] / sets - center * center);
    bias += t->weights[i] * (center - t->truth[i]) * (center - t->truth[i]);
  }
  r->parts[SAMPLING] *= sets > 1 ? sets / (sets - 1) : NAN;
  r->parts[SMOOTHING] = bias - r->parts[SAMPLING] / sets;
  r->parts[PRIVACY] /= (double)t->done;
  r->parts[MISSED] /= (double)t->cleans;
  must(t->done == r->count, "not all releases were made");
  free(t->estimate);
  free(t->clean);
  free(t->first);
  free(t->second);
}

void evaluate(double *values, const sfm_release *release, const size_t *counts) {
  sfm_error error;
  sfm_evaluator *evaluator = NULL;
  must_be_ok(sfm_evaluator_create(&evaluator, release, 0, &error), &error);
  must_be_ok(sfm_evaluator_grid(evaluator, values, counts, &error), &error);
  sfm_evaluator_destroy(evaluator);
}

/* What repeats the library's steps must make the same of the same seed. */
void must_agree(const double *mine, const double *librarys, size_t count) {
  double largest = 0, apart = 0;
  for (size_t i = 0; i < count; i++) {
    largest = fmax(largest, fabs(librarys[i]));
    apart = fmax(apart, fabs(mine[i] - librarys[i]));
  }
  must(apart <= 1e-9 * largest, "the steps repeated here are not those of the library");
}
/* Midpoints of equal cells: steps between them do no harm. */
void lay_midpoints(double *places, double *weights, double lower, double upper) {
  for (size_t i = 0; i < FINE; i++) {
    places[i] = lower + (upper - lower) * ((double)i + 0.5) / FINE;
    weights[i] = (upper - lower) / FINE;
  }
}

void evaluate_at(double *values, const sfm_release *release, const double *places) {
  sfm_error error;
  sfm_evaluator *evaluator = NULL;
  must_be_ok(sfm_evaluator_create(&evaluator, release, 0, &error), &error);
  must_be_ok(sfm_evaluator_at(evaluator, values, places, FINE, &error), &error);
  sfm_evaluator_destroy(evaluator);
}

/* ---- problems: a shape and rows drawn from it ---- */
sfm_schema *bounded(size_t dimension) {
  sfm_error error;
  sfm_schema *schema = NULL;
  must_be_ok(sfm_schema_create(&schema, &error), &error);
  for (size_t a = 0; a < dimension; a++)
    must_be_ok(sfm_schema_set_bounds(schema, COLUMNS[a], LOWER, UPPER, &error), &error);
  return schema;
}

size_t sets_of(size_t n, size_t releases) {
  const size_t most = n <= 10000 ? releases : n <= 100000 ? 50 : 20;
  return most < releases ? most : releases;
}

problem problem_init(const char *name, const sfm_shape *shape, size_t dimension, size_t n,
                     size_t sets) {
  const double lower[] = {LOWER, LOWER}, upper[] = {UPPER, UPPER};
  problem p = {name, dimension, n, sets, bounded(dimension), shape, NULL, NULL};
  sfm_error error;
  sfmi_prng prng;
  must_be_ok(
      sfmi_shape_model_create(&p.shape_model, shape, COLUMNS, dimension, lower, upper, &error),
      &error);
  p.rows = allocated(sets * n * dimension, sizeof *p.rows);
  sfmi_prng_init(&prng, 1000 * n + dimension);
  sfmi_shape_model_draw(p.shape_model, p.rows, sets * n, &prng);
  return p;
}

void problem_clear(problem *p) {
  sfm_schema_destroy(p->schema);
  sfmi_shape_model_destroy(p->shape_model);
  free(p->rows);
}

sfm_rows *rows_of(const problem *p, size_t set) {
  sfm_error error;
  sfm_rows *rows = NULL;
  must_be_ok(sfm_rows_from_array(&rows, p->rows + set * p->n * p->dimension, p->n, p->dimension,
                                 COLUMNS, &error),
             &error);
  return rows;
}

/* A released density of two bumps. */
static sfm_release *make_pilot(void) {
  sfm_error error;
  sfm_rows *rows = NULL;
  sfm_release *release = NULL;
  sfm_density_settings s = sfm_density_settings_default();
  sfm_schema *schema = bounded(1);
  double x[PILOT], bandwidth = 4;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 7);
  for (size_t i = 0; i < PILOT; i++)
    x[i] = i % 3 ? 30 + 6 * sfmi_prng_normal(&prng) : 68 + 9 * sfmi_prng_normal(&prng);
  s.context.schema = schema;
  s.columns = COLUMNS;
  s.dimension = 1;
  s.bandwidth = &bandwidth;
  s.epsilon = 1;
  s.context.seeded = true;
  s.context.seed = 7;
  must_be_ok(sfm_rows_from_array(&rows, x, PILOT, 1, COLUMNS, &error), &error);
  must_be_ok(sfm_density_release(&release, NULL, rows, &s, &error), &error);
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
  return release;
}

const char *const SHAPE_NAMES[SHAPES] = {"normal", "uniform", "pilot"};

sfm_shape *make_shape(int i) {
  static const char *const words[] = {"normal:40:12", "uniform"};
  sfm_error error;
  sfm_shape *shape = NULL;
  if (i < 2) {
    must_be_ok(sfm_shape_parse(&shape, words[i], 1, &error), &error);
    return shape;
  }
  sfm_release *pilot = make_pilot();
  must_be_ok(sfm_shape_from_release(&shape, pilot, &error), &error);
  sfm_release_destroy(pilot);
  return shape;
}
