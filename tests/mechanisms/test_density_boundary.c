/* test_density_boundary.c - releases of columns that reflect and wrap, from rows to errors: rows
 * fold, errors are those that were predicted, and fall with the number of rows as they should. */
/* suite: release */
#include "density_fixture.h"

#include "releases/core/release_data.h"
#include "boundary_reference.h"

static const sfm_boundary PERIODIC[] = {SFM_BOUNDARY_PERIODIC, SFM_BOUNDARY_PERIODIC},
                          REFLECT[] = {SFM_BOUNDARY_REFLECT, SFM_BOUNDARY_REFLECT},
                          MIXED[] = {SFM_BOUNDARY_REFLECT, SFM_BOUNDARY_OPEN};

/* Values count modulo the period: the same integers, and a domain of one period. */
static void rows_of_later_periods_fold(void **state) {
  (void)state;
  enum { N = 200 };
  double late[N], early[N], period = 12;
  for (size_t i = 0; i < N; i++) {
    late[i] = (double)(i % 96) / 4;
    early[i] = fmod(late[i], 12);
  }
  late[0] = 24; /* the upper bound is the lower one */
  late[1] = 99; /* clamped to it */
  early[0] = early[1] = 0;
  density_fixture t;
  density_fixture_init(&t, 1, 0, 24, 1, 1, 0);
  t.settings.boundary = PERIODIC;
  t.settings.period = &period;
  t.settings.context.seeded = true;
  sfm_release *one = density_fixture_release(&t, late, N),
              *two = density_fixture_release(&t, early, N);
  double lower, upper;
  sfm_release_bounds(one, &lower, &upper, 0);
  assert_true(lower == 0 && upper == 12);
  assert_int_equal(one->length, two->length);
  for (size_t i = 0; i < one->length; i++)
    assert_near("folded", sfm_release_coefficient(one, i), sfm_release_coefficient(two, i), 1e-4);
  sfm_release_destroy(one);
  sfm_release_destroy(two);
  density_fixture_clear(&t);
}

/* Mean over releases of the integrated squared distance to the estimate with its images. */
static double mean_error(density_fixture *t, const double *rows, size_t n,
                         const sfm_boundary *boundary, size_t releases) {
  enum { GRID = 65 };
  static double values[GRID * GRID], truth[GRID * GRID];
  const size_t d = t->settings.dimension, grid = d == 2 ? GRID * GRID : GRID;
  const size_t counts[] = {GRID, GRID};
  const double lower[] = {0, 0}, upper[] = {1, 1};
  double sum = 0;
  sfm_error error;
  for (size_t i = 0; i < grid; i++) {
    const double q[] = {(double)(d == 2 ? i / GRID : i) / (GRID - 1),
                        (double)(i % GRID) / (GRID - 1)};
    truth[i] = boundary_reference_density(rows, n, d, lower, upper, t->bandwidth, boundary, q);
  }
  t->settings.context.seeded = true;
  for (t->settings.context.seed = 0; t->settings.context.seed < releases;
       t->settings.context.seed++) {
    sfm_evaluator *evaluator;
    sfm_release *release = density_fixture_release(t, rows, n);
    assert_ok(sfm_evaluator_create(&evaluator, release, 0, &error), &error);
    assert_ok(sfm_evaluator_grid(evaluator, values, counts, &error), &error);
    for (size_t i = 0; i < grid; i++) {
      const size_t a = d == 2 ? i / GRID : i, b = i % GRID;
      double weight = (a == 0 || a == GRID - 1 ? 0.5 : 1) / (GRID - 1);
      if (d == 2) weight *= (b == 0 || b == GRID - 1 ? 0.5 : 1) / (GRID - 1);
      sum += weight * (values[i] - truth[i]) * (values[i] - truth[i]);
    }
    sfm_evaluator_destroy(evaluator);
    sfm_release_destroy(release);
  }
  return sum / (double)releases;
}

/* Whole releases; thousands of noises alone are in test_density_errors. */
static void measured_errors_are_as_predicted(void **state) {
  (void)state;
  static double rows[600];
  const struct {
    size_t d;
    double h, delta;
    const sfm_boundary *boundary;
    bool gp;
  } cases[] = {{1, 0.03, 0, REFLECT},       {1, 0.06, 1e-6, REFLECT, true},
               {1, 0.03, 1e-6, PERIODIC},   {1, 0.03, 1e-6, REFLECT},
               {2, 0.2, 0, PERIODIC},       {2, 0.25, 1e-6, REFLECT},
               {2, 0.25, 1e-6, MIXED, true}};
  for (size_t i = 0; i < (test_long() ? sizeof cases / sizeof *cases : 2); i++) {
    density_fixture t;
    sfm_density_choice plan;
    sfm_error error;
    density_fixture_rows(rows, 300, cases[i].d, 0, 1, 51);
    density_fixture_init(&t, cases[i].d, 0, 1, cases[i].h, 0.5, cases[i].delta);
    t.settings.boundary = cases[i].boundary;
    if (cases[i].gp)
      t.settings.method = SFM_DENSITY_GP;
    else
      t.settings.noise = cases[i].delta > 0 ? SFM_DENSITY_NOISE_NORMAL : SFM_DENSITY_NOISE_LAPLACE;
    assert_ok(sfm_density_choose(&plan, &t.settings, 300, &error), &error);
    const double got = mean_error(&t, rows, 300, cases[i].boundary, test_long() ? 400 : 40);
    print_message("d = %zu, boundary %d, delta %g: predicted %.4g and %.4g, measured %.4g (%.3f)\n",
                  cases[i].d, (int)cases[i].boundary[0], cases[i].delta, plan.privacy,
                  plan.aliasing, got, got / plan.privacy);
    assert_relative("error", got, plan.privacy, test_long() ? 0.05 : 0.15);
    density_fixture_clear(&t);
  }
}

/* A smooth periodic law, prod (1 + cos(2 pi x_a)/2), by rejection. */
static void draw_rows(double *rows, size_t count, sfmi_prng *prng) {
  for (size_t i = 0; i < count; i++) {
    double x;
    do x = sfmi_prng_uniform(prng);
    while (sfmi_prng_uniform(prng) * 1.5 > 1 + 0.5 * cos(2 * M_PI * x));
    rows[i] = x;
  }
}

/* Integrated squared distance of a release to the law itself. */
static double law_error(const sfm_release *release) {
  enum { GRID = 49 };
  static double values[GRID * GRID];
  const size_t d = release->dimension, grid = d == 2 ? GRID * GRID : GRID, counts[] = {GRID, GRID};
  sfm_evaluator *evaluator;
  sfm_error error;
  double sum = 0;
  assert_ok(sfm_evaluator_create(&evaluator, release, 0, &error), &error);
  assert_ok(sfm_evaluator_grid(evaluator, values, counts, &error), &error);
  for (size_t i = 0; i < grid; i++) {
    const size_t a = d == 2 ? i / GRID : i, b = i % GRID;
    if (a == GRID - 1 || (d == 2 && b == GRID - 1)) continue; /* the lower bounds again */
    double law = 1 + 0.5 * cos(2 * M_PI * (double)a / (GRID - 1));
    if (d == 2) law *= 1 + 0.5 * cos(2 * M_PI * (double)b / (GRID - 1));
    sum += (values[i] - law) * (values[i] - law);
  }
  sfm_evaluator_destroy(evaluator);
  return sum / (d == 2 ? (GRID - 1.0) * (GRID - 1.0) : GRID - 1.0);
}

/* With h ~ n^(-1/(4+d)) the error to the law falls like n^(-4/(4+d)): what privacy adds falls
 * faster.  A rate of n^(-1/2) or n^-1 would be seen. */
static void errors_fall_at_the_rate_of_estimation(void **state) {
  (void)state;
  enum { MOST = 32000 };
  static double rows[2 * MOST];
  sfmi_prng prng;
  sfmi_prng_init(&prng, 52);
  for (size_t d = 1; d <= 2; d++) {
    double errors[2];
    for (int k = 0; k < 2; k++) {
      const size_t n = k ? MOST : 1000, repeats = k ? 8 : 16;
      double sum = 0;
      for (size_t r = 0; r < repeats; r++) {
        density_fixture t;
        draw_rows(rows, n * d, &prng);
        density_fixture_init(&t, d, 0, 1,
                             (d == 1 ? 0.27 : 0.3) * pow((double)n, -1.0 / (4 + (double)d)), 4, 0);
        t.settings.boundary = PERIODIC;
        t.settings.context.seeded = true;
        t.settings.context.seed = r;
        sfm_release *release = density_fixture_release(&t, rows, n);
        sum += law_error(release);
        sfm_release_destroy(release);
        density_fixture_clear(&t);
      }
      errors[k] = log(sum / (double)repeats);
    }
    const double slope = (errors[1] - errors[0]) / log(MOST / 1000.0);
    print_message("d = %zu: errors %.3g and %.3g, slope %.3f, wanted %.3f\n", d, exp(errors[0]),
                  exp(errors[1]), slope, -4.0 / (4 + (double)d));
    assert_near("slope", slope, -4.0 / (4 + (double)d), 0.1);
  }
}

/* Nine and ten columns, whole: rows are read, the band is there, and the mass is one. */
static void many_columns_are_released(void **state) {
  (void)state;
  static double rows[50 * 10];
  for (size_t d = 9; d <= 10; d++) {
    sfm_boundary boundary[10];
    density_fixture t;
    sfm_error error;
    double x[10], value;
    sfm_evaluator *evaluator;
    density_fixture_rows(rows, 50, d, 0, 1, 53);
    for (size_t a = 0; a < d; a++) {
      boundary[a] = a % 2 ? SFM_BOUNDARY_REFLECT : SFM_BOUNDARY_PERIODIC;
      x[a] = 0.5;
    }
    density_fixture_init(&t, d, 0, 1, 0.45, 3, 0);
    t.settings.boundary = boundary;
    t.settings.context.seeded = true;
    sfm_release *release = density_fixture_release(&t, rows, 50);
    assert_true(release->band.half_width > 0);
    assert_ok(sfm_evaluator_create(&evaluator, release, 0, &error), &error);
    assert_ok(sfm_evaluator_at(evaluator, &value, x, 1, &error), &error);
    assert_true(isfinite(value));
    print_message("d = %zu: %zu coefficients, value %.3g, band %.3g\n", d, release->length, value,
                  release->band.half_width);
    sfm_evaluator_destroy(evaluator);
    sfm_release_destroy(release);
    density_fixture_clear(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_of_later_periods_fold),
      cmocka_unit_test(measured_errors_are_as_predicted),
      cmocka_unit_test(errors_fall_at_the_rate_of_estimation),
      cmocka_unit_test(many_columns_are_released),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
