/* test_density_interval.c - forecasts against releases: the parts of the error within what a
 * simulation can tell, and single releases in the stated intervals 19 times in 20, or nearly so. */
/* suite: release */
#include "density_fixture.h"

#include "mechanisms/functions/density_integers.h"
#include "mechanisms/core/knorm.h"
#include "planner/density/candidate_uncertainty.h"
#include "planner/density/density_template.h"
#include "planner/density/density_settings.h"

enum { GRID = 241, KEPT = 400 };

typedef struct question {
  const char *shape;
  double n, h, epsilon, delta; /* h 0: chosen */
  sfm_boundary boundary;
  sfmi_candidate_kind kind;
} question;

/* A candidate, and the noise of its release. */
typedef struct setup {
  const question *q;
  density_fixture t;
  sfm_shape *shape;
  sfmi_candidates *candidates;
  sfmi_candidate candidate;
  sfmi_design_density design;
  sfm_release *release;
  sfmi_hardening hardening;
  sfmi_hardener *hardener;
  sfmi_knorm *knorm;
  double *rows;
  sfmi_prng prng;
} setup;

static void open_noise(setup *s) {
  sfm_error error;
  const sfmi_seed source = {true, 77};
  const bool body = s->design.method == SFM_DENSITY_CARATHEODORY;
  assert_ok(sfmi_density_hardening(&s->hardening, &s->design, s->q->epsilon, &error), &error);
  const sfmi_steps steps = {s->hardening.step, s->hardening.sensitivity};
  const double scale = body ? s->hardening.sensitivity / s->q->epsilon
                            : sfmi_noise_scale(&s->hardening.law) * s->hardening.step;
  assert_ok(sfmi_density_template_create(&s->release, &s->design, &s->t.settings, (uint64_t)s->q->n,
                                         &steps, scale, &error),
            &error);
  if (body)
    assert_ok(sfmi_knorm_create(&s->knorm, s->design.body, s->design.spectrum.torus[0].terms,
                                source, &error),
              &error);
  else
    assert_ok(sfmi_hardener_create(&s->hardener, &s->hardening.law, source, &error), &error);
}

static void set_up(setup *s, const question *q) {
  sfm_error error;
  bool found;
  *s = (setup){.q = q, .rows = calloc((size_t)q->n, sizeof *s->rows)};
  density_fixture_init(&s->t, 1, 0, 1, q->h > 0 ? q->h : 1, q->epsilon, q->delta);
  if (!(q->h > 0)) s->t.settings.bandwidth = NULL;
  s->t.settings.boundary = &q->boundary;
  assert_ok(sfm_shape_parse(&s->shape, q->shape, 1, &error), &error);
  s->t.settings.shape = s->shape;
  assert_ok(sfmi_density_settings_check(&s->design, &s->t.settings, &error), &error);
  assert_ok(sfmi_candidates_create(&s->candidates, &s->design, &s->t.settings, q->n, false, &error),
            &error);
  assert_ok(
      sfmi_candidates_best(s->candidates, &s->candidate, &found, q->kind, q->n, q->epsilon, &error),
      &error);
  assert_true(found);
  assert_ok(sfmi_candidates_interval(s->candidates, &s->candidate, q->n, &error), &error);
  s->design.rows = (uint64_t)q->n;
  assert_ok(sfmi_design_density_take(&s->design, &s->t.settings, &s->candidate, q->n, &error),
            &error);
  open_noise(s);
  sfmi_prng_init(&s->prng, 31);
}

static void tear_down(setup *s) {
  sfmi_hardener_destroy(s->hardener);
  sfmi_knorm_destroy(s->knorm);
  sfm_release_destroy(s->release);
  sfmi_candidates_destroy(s->candidates);
  sfm_shape_destroy(s->shape);
  free(s->rows);
  density_fixture_clear(&s->t);
}

static void evaluate(const setup *s, double *values) {
  const size_t counts[] = {GRID};
  sfm_evaluator *evaluator;
  sfm_error error;
  assert_ok(sfm_evaluator_create(&evaluator, s->release, 0, &error), &error);
  assert_ok(sfm_evaluator_grid(evaluator, values, counts, &error), &error);
  sfm_evaluator_destroy(evaluator);
}

/* What is released of the rows, without noise and with it. */
static void release(setup *s, double *clean, double *noisy) {
  const size_t length = s->release->length, first = sfmi_density_public(&s->design);
  sfm_error error;
  sfm_rows *rows;
  sfmi_i128 *integers;
  assert_ok(
      sfm_rows_from_array(&rows, s->rows, (size_t)s->q->n, 1, density_fixture_columns, &error),
      &error);
  assert_ok(
      sfmi_density_integers(&integers, &s->design, &s->hardening, rows, &s->t.settings, &error),
      &error);
  sfm_rows_destroy(rows);
  for (size_t i = 0; i < length; i++) {
    if (s->knorm)
      s->release->reals[i] = (double)integers[i] * s->hardening.step;
    else
      s->release->integers[i] = (int64_t)integers[i];
  }
  evaluate(s, clean);
  if (s->knorm)
    assert_ok(sfmi_fourier_idealise(s->release, s->knorm, integers, s->hardening.step,
                                    &(sfm_context){0}, &error),
              &error);
  else
    sfmi_hardener_add(s->hardener, s->release->integers + first, integers + first, length - first);
  evaluate(s, noisy);
  free(integers);
}

/* The estimate without privacy, with the kernel's images. */
static void estimate(const setup *s, double *values) {
  const double h = s->candidate.bandwidth[0], unit = sqrt(2 * M_PI) * h * s->q->n;
  const sfm_boundary boundary = s->q->boundary;
  const double ring = boundary == SFM_BOUNDARY_REFLECT ? 2 : 1;
  const int images = boundary == SFM_BOUNDARY_OPEN ? 0 : 2 + (int)(9 * h);
  for (size_t i = 0; i < GRID; i++) {
    const double q = (double)i / (GRID - 1);
    values[i] = 0;
    for (size_t r = 0; r < (size_t)s->q->n; r++)
      for (int k = -images; k <= images; k++) {
        const double z = (q - s->rows[r] + ring * k) / h, m = (q + s->rows[r] + ring * k) / h;
        values[i] += exp(-0.5 * z * z) / unit;
        if (boundary == SFM_BOUNDARY_REFLECT) values[i] += exp(-0.5 * m * m) / unit;
      }
  }
}

/* int (f - g)^2. */
static double apart(const double *f, const double *g) {
  double sum = 0;
  for (size_t i = 0; i < GRID; i++)
    sum += (f[i] - g[i]) * (f[i] - g[i]) * (i == 0 || i == GRID - 1 ? 0.5 : 1) / (GRID - 1);
  return sum;
}

/* A mean of numbers is what was predicted, but for chance and a part of it. */
static void as_predicted(const char *what, const double *numbers, size_t count, double predicted,
                         double part) {
  double mean = 0, square = 0;
  for (size_t i = 0; i < count; i++) mean += numbers[i] / (double)count;
  for (size_t i = 0; i < count; i++) square += (numbers[i] - mean) * (numbers[i] - mean);
  const double error = sqrt(square) / (double)count;
  print_message("    %s: %.4g measured, %.4g predicted (%.3f +- %.3f)\n", what, mean, predicted,
                mean / predicted, error / predicted);
  assert_near(what, mean, predicted, TEST_Z * error + part * predicted);
}

static double mean_of(const double *numbers, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += numbers[i] / (double)count;
  return sum;
}

/* With few frequencies truncation is what they add to the bias, and not the error against the
 * estimate. */
static bool by_frequencies(const setup *s) {
  return sfmi_candidate_kind_frequencies(s->q->kind);
}

static void hold_against(const setup *s, double (*numbers)[KEPT], size_t count) {
  const sfm_forecast *f = &s->candidate.forecast;
  const sfmi_density_errors *e = &s->candidate.errors;
  size_t total = 0, cost = 0;
  const double missed = mean_of(numbers[2], count);
  const double bare = e->cut_bare + e->alias_bare + (e->cut_row + e->alias_row) / s->q->n;
  as_predicted("privacy", numbers[0], count, f->privacy, 0.04);
  if (by_frequencies(s))
    as_predicted("all but privacy", numbers[1], count, f->sampling + f->smoothing + f->truncation,
                 0.02);
  else
    as_predicted("sampling and smoothing", numbers[1], count, f->sampling + f->smoothing, 0.02);
  /* Of what the method leaves out the lattices' is predicted with heaps, which these
   * rows have not. */
  if (bare > 0.02 * f->cost) as_predicted("truncation and aliasing", numbers[2], count, bare, 0.15);
  assert_true(missed <= 1.3 * (f->cost - f->privacy) + 0.01 * f->cost);
  for (size_t i = 0; i < count; i++) {
    total += numbers[3][i] >= f->low && numbers[3][i] <= f->high;
    cost += numbers[4][i] >= f->cost_low && numbers[4][i] <= f->cost_high;
  }
  print_message("    of %zu releases %zu are in [%.3g, %.3g], %zu in [%.3g, %.3g]\n", count, total,
                f->low, f->high, cost, f->cost_low, f->cost_high);
  assert_false(binomial_too_few(total, count, 0.9));
  assert_false(binomial_too_few(cost, count, 0.9));
  const double mean = mean_of(numbers[3], count), dear = mean_of(numbers[4], count);
  assert_true(mean >= f->low && mean <= f->high && dear >= f->cost_low && dear <= f->cost_high);
  /* And they are not so wide as to hold everything. */
  assert_true(f->high < 5 * f->total && f->cost_high < 8 * f->cost);
  if (count == KEPT) assert_true(total < count || cost < count);
}

static void run(const question *q) {
  static double numbers[5][KEPT];
  const size_t count = test_long() ? KEPT : 60;
  double places[GRID], truth[GRID], guess[GRID], clean[GRID], noisy[GRID];
  setup s;
  set_up(&s, q);
  for (size_t i = 0; i < GRID; i++) places[i] = (double)i / (GRID - 1);
  sfmi_shape_model_at(sfmi_candidates_shape(s.candidates), truth, places, GRID);
  print_message("  %s, n = %g, h = %.4g, epsilon = %g, kind %d\n", q->shape, q->n,
                s.candidate.bandwidth[0], q->epsilon, (int)q->kind);
  for (size_t r = 0; r < count; r++) {
    sfmi_shape_model_draw(sfmi_candidates_shape(s.candidates), s.rows, (size_t)q->n, &s.prng);
    estimate(&s, guess);
    release(&s, clean, noisy);
    numbers[0][r] = apart(noisy, clean);
    numbers[1][r] = apart(by_frequencies(&s) ? clean : guess, truth);
    numbers[2][r] = apart(clean, guess);
    numbers[3][r] = apart(noisy, truth);
    numbers[4][r] = apart(noisy, guess);
  }
  hold_against(&s, numbers, count);
  tear_down(&s);
}

static void lattices_are_as_forecast(void **state) {
  (void)state;
  const question questions[] = {
      {"normal:0.4:0.12", 300, 0.05, 1, 0, SFM_BOUNDARY_OPEN, SFMI_CANDIDATE_LAPLACE},
      {"normal:0.4:0.12", 200, 0, 0.2, 0, SFM_BOUNDARY_OPEN, SFMI_CANDIDATE_LAPLACE},
      {"uniform", 300, 0.05, 2, 0, SFM_BOUNDARY_REFLECT, SFMI_CANDIDATE_LAPLACE},
      {"normal:0.1:0.2", 200, 0.1, 5, 1e-6, SFM_BOUNDARY_OPEN, SFMI_CANDIDATE_NORMAL},
      {"normal:0.2:0.05+normal:0.7:0.1", 200, 0, 1, 0, SFM_BOUNDARY_PERIODIC,
       SFMI_CANDIDATE_LAPLACE},
      {"normal:0.5:0.1", 10, 0.2, 100, 0, SFM_BOUNDARY_OPEN, SFMI_CANDIDATE_LAPLACE},
      {"normal:0.5:0.2", 100, 1.2, 1, 0, SFM_BOUNDARY_OPEN, SFMI_CANDIDATE_LAPLACE},
  };
  for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) run(&questions[i]);
}

static void other_methods_are_as_forecast(void **state) {
  (void)state;
  const question questions[] = {
      {"normal:0.4:0.12", 300, 0.05, 1, 1e-6, SFM_BOUNDARY_OPEN, SFMI_CANDIDATE_SPECTRAL},
      {"normal:0.1:0.3", 300, 0.05, 1, 1e-6, SFM_BOUNDARY_REFLECT, SFMI_CANDIDATE_SPECTRAL},
      {"uniform", 300, 0.4, 1, 1e-6, SFM_BOUNDARY_REFLECT, SFMI_CANDIDATE_SPECTRAL},
      {"normal:0.4:0.12", 300, 0.05, 1, 0, SFM_BOUNDARY_OPEN, SFMI_CANDIDATE_FOURIER},
      {"normal:0.4:0.12", 100, 0.3, 0.5, 0, SFM_BOUNDARY_OPEN, SFMI_CANDIDATE_FOURIER},
      {"normal:0.5:0.05", 200, 0.03, 1, 0, SFM_BOUNDARY_PERIODIC, SFMI_CANDIDATE_FOURIER},
      {"normal:0.4:0.12", 300, 0.1, 1, 0, SFM_BOUNDARY_OPEN, SFMI_CANDIDATE_BODY},
  };
  for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) run(&questions[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lattices_are_as_forecast),
      cmocka_unit_test(other_methods_are_as_forecast),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
