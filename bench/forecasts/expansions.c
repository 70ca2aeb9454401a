/* expansions.c - sums of functions: series and mean curves. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math/prng.h"
#include "mechanisms/core/vector_noise.h"
#include "mechanisms/functions/curve_release.h"
#include "mechanisms/functions/series_release.h"
#include "simulation.h"

/* Functions b_j at points, all places of one function after the other. */
static double *tabulate(const sfmi_basis *basis, const double *places, size_t points) {
  const size_t m = basis->count;
  double *row = allocated(m, sizeof *row), *table = allocated(m * points, sizeof *table);
  for (size_t i = 0; i < points; i++) {
    sfmi_basis_at(basis, row, &places[i], 1);
    for (size_t j = 0; j < m; j++) table[j * points + i] = row[j];
  }
  free(row);
  return table;
}

/* out = constant + sum over the first count functions of c_j b_j. */
static void add_up(double *out, double constant, const double *table, const double *c, size_t count,
                   size_t points) {
  for (size_t i = 0; i < points; i++) out[i] = constant;
  for (size_t j = 0; j < count; j++)
    for (size_t i = 0; i < points; i++) out[i] += c[j] * table[j * points + i];
}
/* Noise for sums over rows. */
typedef struct source {
  sfmi_hardener *hardener; /* this, */
  sfmi_stream *stream;     /* or for gamma this */
  double step, scale;
} source;

static void source_end(source *n) {
  sfmi_hardener_destroy(n->hardener);
  sfmi_stream_destroy(n->stream);
}

/* c = (values + noise) step/records. */
static void source_draw(source *n, double *c, const sfmi_i128 *values, size_t count,
                        double records) {
  int64_t *noisy = allocated(count, sizeof *noisy);
  double *theta = allocated(count, sizeof *theta);
  if (n->hardener) sfmi_hardener_add(n->hardener, noisy, values, count);
  for (size_t j = 0; j < count; j++)
    theta[j] = n->step * (double)(n->hardener ? noisy[j] : values[j]);
  if (n->stream)
    sfmi_vector_idealise(c, theta, count, true, n->scale, NULL, n->stream);
  else
    memcpy(c, theta, count * sizeof *c);
  for (size_t j = 0; j < count; j++) c[j] /= records;
  free(noisy);
  free(theta);
}

static source series_source(const sfmi_design_series *series_design, const sfm_series_settings *s) {
  sfm_error error;
  sfmi_hardening hardening;
  source n = {.step = series_design->step,
              .scale = series_design->sensitivity / series_design->rate};
  if (s->noise == SFM_VECTOR_NOISE_GAMMA) {
    must_be_ok(sfmi_stream_create_seeded(&n.stream, s->context.seed, &error), &error);
    return n;
  }
  must_be_ok(sfmi_series_hardening(&hardening, series_design, s, &error), &error);
  must_be_ok(
      sfmi_hardener_create(&n.hardener, &hardening.law, (sfmi_seed){true, s->context.seed}, &error),
      &error);
  return n;
}

static void check_series(const problem *p, const sfm_series_settings *s,
                         const sfm_plan_entry *entry, const double *values, const double *places) {
  sfm_error error;
  sfm_series_choice plan;
  sfm_release *release = NULL;
  sfm_rows *rows = rows_of(p, 0);
  double *librarys = allocated(FINE, sizeof *librarys);
  must_be_ok(sfm_series_release(&release, &plan, rows, s, &error), &error);
  if (number_of(entry, "terms") != (double)plan.terms)
    printf("! %s: planned %g terms, released %zu\n", entry->method, number_of(entry, "terms"),
           plan.terms);
  evaluate_at(librarys, release, places);
  must_agree(values, librarys, FINE);
  free(librarys);
  sfm_release_destroy(release);
  sfm_rows_destroy(rows);
}

/* What the series misses of the shape: shape less sum of its own coefficients. */
static void fill_missed(double *missed, const sfmi_basis *basis, const double *table,
                        const double *weights, const double *truth) {
  double *c = allocated(basis->count, sizeof *c);
  for (size_t j = 0; j < basis->count; j++)
    for (size_t i = 0; i < FINE; i++) c[j] += weights[i] * truth[i] * table[j * FINE + i];
  add_up(missed, basis->constant, table, c, basis->count, FINE);
  for (size_t i = 0; i < FINE; i++) missed[i] = truth[i] - missed[i];
  free(c);
}

/* The estimate without privacy is the series of the rows, and of what it leaves out the shape's. */
static void measure_series(record *out, const problem *p, const sfm_series_settings *s,
                           const sfm_plan_entry *entry) {
  double *all = allocated(5 * FINE, sizeof *all), *places = all, *weights = all + FINE,
         *truth = all + 2 * FINE, *missed = all + 3 * FINE, *values = all + 4 * FINE, rate;
  const double records = (double)p->n;
  sfm_error error;
  sfmi_design_series e = {0};
  tally t;
  lay_midpoints(places, weights, LOWER, UPPER);
  sfmi_shape_model_at(p->shape_model, truth, places, FINE);
  must_be_ok(sfmi_design_series_check(&rate, s, &error), &error);
  must_be_ok(sfmi_design_series_init(&e, s, p->n, rate, &error), &error);
  source n = series_source(&e, s);
  const size_t m = e.basis->count, sets = p->sets < out->count ? p->sets : out->count;
  double *table = tabulate(e.basis, places, FINE), *c = allocated(m, sizeof *c);
  fill_missed(missed, e.basis, table, weights, truth);
  tally_init(&t, out, FINE, weights, truth);
  sfmi_i128 *sums = NULL;
  for (size_t i = 0, last = SIZE_MAX; i < out->count; i++) {
    const size_t set = i * sets / out->count;
    if (set != last) {
      sfm_rows *rows = rows_of(p, set);
      free(sums);
      must_be_ok(sfmi_series_integers(&sums, &e, rows, s, &error), &error);
      sfm_rows_destroy(rows);
      for (size_t j = 0; j < m; j++) c[j] = n.step * (double)sums[j] / records;
      add_up(t.clean, e.basis->constant, table, c, m, FINE);
      for (size_t k = 0; k < FINE; k++) t.estimate[k] = t.clean[k] + missed[k];
      tally_set(&t);
      tally_clean(&t);
      last = set;
    }
    source_draw(&n, c, sums, m, records);
    add_up(values, e.basis->constant, table, c, m, FINE);
    if (i == 0) check_series(p, s, entry, values, places);
    tally_release(&t, values);
  }
  tally_end(&t);
  source_end(&n);
  sfmi_design_series_clear(&e);
  free(sums);
  free(table);
  free(c);
  free(all);
}

static sfm_series_settings narrowed_series(const sfm_series_settings *asked,
                                           const sfm_plan_entry *entry) {
  static const char *const noises[] = {"laplace", "normal", "gamma"};
  sfm_series_settings s = *asked;
  const char *basis = *text_of(entry, "basis") ? text_of(entry, "basis") : entry->method;
  const char *law = *text_of(entry, "noise") ? text_of(entry, "noise") : entry->method;
  bool found = false;
  for (int i = 0; i <= SFM_BASIS_EIGEN; i++)
    if (strcmp(sfm_basis_name((sfm_basis)i), basis) == 0) {
      s.basis = (sfm_basis)i;
      found = true;
    }
  must(found, "a plan has a basis that is not known here");
  for (int i = 0; i < 3; i++)
    if (strcmp(noises[i], law) == 0) s.noise = (sfm_vector_noise)i;
  return s;
}

static void bench_series_plan(bench *b, const problem *p, double epsilon, double delta) {
  sfm_error error;
  sfm_plan *plan = NULL;
  cell c = {0};
  char key[KEY];
  sfm_series_settings s = sfm_series_settings_default();
  s.context.schema = p->schema;
  s.column = COLUMNS[0];
  s.kernel = SFM_KERNEL_GAUSSIAN;
  s.bandwidth = 10;
  s.shape = p->shape;
  s.epsilon = epsilon;
  s.delta = delta;
  s.context.seeded = true;
  must_be_ok(sfm_plan_series(&plan, &s, true, true, p->n, &error), &error);
  snprintf(c.group, sizeof c.group, "series %s %zu %g %s", p->name, p->n, epsilon,
           delta > 0 ? "delta" : "pure");
  for (size_t i = 0; i < sfm_plan_length(plan); i++) {
    const sfm_plan_entry *entry = sfm_plan_at(plan, i);
    if (entry->absent) continue;
    sfm_series_settings mine = narrowed_series(&s, entry);
    write_key(key, c.group, entry);
    if (!wanted(b, key)) continue;
    mine.context.seed = seed_of(key);
    plan_cell(&c, plan, i, "series");
    c.measured = find_record(b, key);
    if (!c.measured) {
      record *r = record_create(b, key, b->releases);
      measure_series(r, p, &mine, entry);
      c.measured = keep_record(b, r);
    }
    add_cell(b, &c);
  }
  sfm_plan_destroy(plan);
}

void bench_series(bench *b) {
  static const size_t sizes[] = {100, 10000, 1000000};
  for (int shape = 0; shape < SHAPES; shape++) {
    sfm_shape *guess = make_shape(shape);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
      problem p =
          problem_init(SHAPE_NAMES[shape], guess, 1, sizes[i], sets_of(sizes[i], b->releases));
      for (int e = 0; e < EPSILON_COUNT; e++) {
        bench_series_plan(b, &p, EPSILONS[e], DELTA);
        bench_series_plan(b, &p, EPSILONS[e], 0);
      }
      problem_clear(&p);
    }
    sfm_shape_destroy(guess);
  }
}

/* ---- curves ---- */

/* Records are a mean and a path of the process of the curves' kernel, times SPREAD, at POINTS
 * places from 0 to 1. */
enum { POINTS = 25 };
static const double SPREAD = 1, RIDGE = 0.01, BANDWIDTH = 0.2, CLIP = 30;

typedef struct family {
  const char *name;
  double grid[POINTS], mean[POINTS], factor[POINTS * POINTS]; /* of the kernel's matrix */
  double *truth;                                              /* at FINE places */
  sfm_schema *schema;
} family;

static double bump(double t) {
  const double z = (t - 0.4) / 0.12;
  return 4 + 6 * exp(-0.5 * z * z);
}

/* L with K = L L'. */
static void factorise(double *factor, const double *grid) {
  const sfm_kernel kernel = {
      .family = SFM_KERNEL_MATERN52, .dimension = 1, .bandwidth = &BANDWIDTH};
  for (size_t i = 0; i < POINTS; i++)
    for (size_t j = 0; j <= i; j++) {
      double sum = sfm_kernel_at(&kernel, &grid[i], &grid[j]);
      for (size_t k = 0; k < j; k++) sum -= factor[i * POINTS + k] * factor[j * POINTS + k];
      factor[i * POINTS + j] = i == j ? sqrt(fmax(sum, 0)) : sum / factor[j * POINTS + j];
    }
}

static sfm_rows *draw_curves(const family *f, double *values, size_t n, size_t set) {
  sfm_error error;
  sfm_rows *rows = NULL;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 1000 * n + set);
  for (size_t r = 0; r < n; r++) {
    double z[POINTS];
    for (size_t i = 0; i < POINTS; i++) {
      double path = 0;
      z[i] = sfmi_prng_normal(&prng);
      for (size_t k = 0; k <= i; k++) path += f->factor[i * POINTS + k] * z[k];
      values[r * POINTS + i] = f->mean[i] + SPREAD * path;
    }
  }
  must_be_ok(sfm_rows_from_array(&rows, values, n, POINTS, NULL, &error), &error);
  return rows;
}

static sfm_curve_settings curve_settings(const family *f, double epsilon, double delta) {
  sfm_curve_settings s = sfm_curve_settings_default();
  s.context.schema = f->schema;
  s.count = POINTS;
  s.grid = f->grid;
  s.kernel = SFM_KERNEL_MATERN52;
  s.bandwidth = BANDWIDTH;
  s.ridge = RIDGE;
  s.clip = CLIP;
  s.mean = f->mean;
  s.spread = SPREAD;
  s.epsilon = epsilon;
  s.delta = delta;
  s.context.seeded = true;
  return s;
}

/* A flat mean, a bump, and what was released of curves about the bump. */
static void family_init(family *f, int shape) {
  static const char *const names[] = {"flat", "bump", "pilot"};
  double *all = allocated(2 * FINE, sizeof *all), *places = all, *weights = all + FINE;
  sfm_error error;
  *f = (family){.name = names[shape], .truth = allocated(FINE, sizeof *f->truth)};
  must_be_ok(sfm_schema_create(&f->schema, &error), &error);
  lay_midpoints(places, weights, 0, 1);
  for (size_t i = 0; i < POINTS; i++) {
    f->grid[i] = (double)i / (POINTS - 1);
    f->mean[i] = shape ? bump(f->grid[i]) : 8;
  }
  for (size_t i = 0; i < FINE; i++) f->truth[i] = shape ? bump(places[i]) : 8;
  factorise(f->factor, f->grid);
  if (shape == 2) {
    sfm_release *pilot = NULL;
    sfm_evaluator *evaluator = NULL;
    double *values = allocated(PILOT * POINTS, sizeof *values);
    const sfm_curve_settings s = curve_settings(f, 1, DELTA);
    sfm_rows *rows = draw_curves(f, values, PILOT, 0);
    must_be_ok(sfm_curve_release(&pilot, NULL, rows, &s, &error), &error);
    must_be_ok(sfm_evaluator_create(&evaluator, pilot, 0, &error), &error);
    must_be_ok(sfm_evaluator_at(evaluator, f->mean, f->grid, POINTS, &error), &error);
    must_be_ok(sfm_evaluator_at(evaluator, f->truth, places, FINE, &error), &error);
    sfm_evaluator_destroy(evaluator);
    sfm_release_destroy(pilot);
    sfm_rows_destroy(rows);
    free(values);
  }
  free(all);
}

static void family_clear(family *f) {
  sfm_schema_destroy(f->schema);
  free(f->truth);
}

static void check_curve(sfm_rows *rows, const sfm_curve_settings *s, const sfm_plan_entry *entry,
                        const double *values, const double *places) {
  sfm_error error;
  sfm_curve_choice plan;
  sfm_release *release = NULL;
  double *librarys = allocated(FINE, sizeof *librarys);
  must_be_ok(sfm_curve_release(&release, &plan, rows, s, &error), &error);
  if (parameter(entry, "coefficients") &&
      number_of(entry, "coefficients") != (double)plan.coefficients)
    printf("! %s: planned %g coefficients, released %zu\n", entry->method,
           number_of(entry, "coefficients"), plan.coefficients);
  evaluate_at(librarys, release, places);
  must_agree(values, librarys, FINE);
  free(librarys);
  sfm_release_destroy(release);
}

static size_t curve_sets(size_t n, size_t releases) {
  const size_t most = n <= 1000 ? releases : n <= 10000 ? 20 : n <= 100000 ? 5 : 2;
  return most < releases ? most : releases;
}

/* The estimate without privacy is the mean of the fitted and clipped curves, in all directions. */
static void measure_curve(record *out, const family *f, size_t n, const sfm_curve_settings *s,
                          const sfm_plan_entry *entry) {
  double *all = allocated(3 * FINE, sizeof *all), *places = all, *weights = all + FINE,
         *values = all + 2 * FINE, *curves = allocated(n * POINTS, sizeof *curves);
  const size_t sets = curve_sets(n, out->count);
  const double records = (double)n;
  sfm_error error;
  sfmi_design_curve curve_design;
  sfmi_hardening hardening;
  source noise = {0};
  tally t;
  lay_midpoints(places, weights, 0, 1);
  must_be_ok(sfmi_design_curve_init(&curve_design, s, n, &error), &error);
  must_be_ok(sfmi_curve_hardening(&hardening, &curve_design, s->epsilon, &error), &error);
  must_be_ok(sfmi_hardener_create(&noise.hardener, &hardening.law,
                                  (sfmi_seed){true, s->context.seed}, &error),
             &error);
  noise.step = hardening.step;
  const size_t m = curve_design.basis->count, released = curve_design.released;
  double *table = tabulate(curve_design.basis, places, FINE), *c = allocated(m, sizeof *c);
  tally_init(&t, out, FINE, weights, f->truth);
  curve_design.released = m;
  sfmi_i128 *sums = NULL;
  sfm_rows *rows = NULL;
  for (size_t i = 0, last = SIZE_MAX; i < out->count; i++) {
    const size_t set = i * sets / out->count;
    if (set != last) {
      sfm_rows_destroy(rows);
      free(sums);
      rows = draw_curves(f, curves, n, set);
      must_be_ok(sfmi_curve_integers(&sums, &curve_design, rows, s, &error), &error);
      for (size_t j = 0; j < m; j++) c[j] = noise.step * (double)sums[j] / records;
      add_up(t.estimate, 0, table, c, m, FINE);
      add_up(t.clean, 0, table, c, released, FINE);
      tally_set(&t);
      tally_clean(&t);
      last = set;
    }
    source_draw(&noise, c, sums, released, records);
    add_up(values, 0, table, c, released, FINE);
    if (i == 0) check_curve(rows, s, entry, values, places);
    tally_release(&t, values);
  }
  tally_end(&t);
  source_end(&noise);
  sfm_rows_destroy(rows);
  sfmi_design_curve_clear(&curve_design);
  free(sums);
  free(table);
  free(c);
  free(curves);
  free(all);
}

static void bench_curve_plan(bench *b, const family *f, size_t n, double epsilon, double delta) {
  sfm_error error;
  sfm_plan *plan = NULL;
  cell c = {0};
  char key[KEY];
  const sfm_curve_settings s = curve_settings(f, epsilon, delta);
  must_be_ok(sfm_plan_curve(&plan, &s, n, &error), &error);
  snprintf(c.group, sizeof c.group, "curve %s %zu %g %s", f->name, n, epsilon,
           delta > 0 ? "delta" : "pure");
  for (size_t i = 0; i < sfm_plan_length(plan); i++) {
    const sfm_plan_entry *entry = sfm_plan_at(plan, i);
    if (entry->absent) continue;
    sfm_curve_settings mine = s;
    write_key(key, c.group, entry);
    if (!wanted(b, key)) continue;
    mine.context.seed = seed_of(key);
    plan_cell(&c, plan, i, "curve");
    c.measured = find_record(b, key);
    if (!c.measured) {
      record *r = record_create(b, key, b->releases);
      measure_curve(r, f, n, &mine, entry);
      c.measured = keep_record(b, r);
    }
    add_cell(b, &c);
  }
  sfm_plan_destroy(plan);
}

void bench_curves(bench *b) {
  static const size_t sizes[] = {100, 1000, 10000, 100000, 1000000};
  for (int shape = 0; shape < SHAPES; shape++) {
    family f;
    family_init(&f, shape);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
      for (int e = 0; e < EPSILON_COUNT; e++) {
        bench_curve_plan(b, &f, sizes[i], EPSILONS[e], DELTA);
        bench_curve_plan(b, &f, sizes[i], EPSILONS[e], 0);
      }
    family_clear(&f);
  }
}
