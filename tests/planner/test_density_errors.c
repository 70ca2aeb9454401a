/* test_density_errors.c - predicted errors against measured ones. */
/* suite: release */
#include "density_fixture.h"

#include "data/batch/row_batch.h"
#include "releases/core/release_kind.h"
#include "planner/density/density_errors.h"
#include "planner/density/gaussian_process.h"
#include "releases/eval/trig_polynomial.h"

/* Mean over noises of the integrated square of what they add to the density, on a grid of the
 * domain (trapezoid rule). */
static double measured(const sfm_release *release, double n, size_t draws) {
  enum { GRID = 101 };
  const size_t d = release->dimension, grid = d == 2 ? GRID * GRID : GRID, length = release->length;
  const sfm_noise_law law =
      sfmi_release_normal(release) ? SFM_NOISE_LAW_ROUNDED_NORMAL : SFM_NOISE_LAW_DISCRETE_LAPLACE;
  /* The scale in steps, which is a multiple of 2^-20 or so close to one that it does not matter. */
  const sfm_ratio scale = {(uint64_t)ldexp(release->scale / release->step, 8), 256};
  double axis[GRID], *axes[2] = {axis, axis}, sum = 0;
  double *values = calloc(grid, sizeof *values), *noise = calloc(length, sizeof *noise);
  int64_t *integers = calloc(length, sizeof *integers);
  size_t counts[2] = {GRID, GRID};
  sfm_error error;
  sfm_noise *source;
  sfmi_trig_poly *poly;
  for (size_t i = 0; i < GRID; i++) axis[i] = (double)i / (GRID - 1);
  assert_ok(sfm_noise_create_seeded(&source, law, scale, 25, &error), &error);
  assert_ok(sfmi_trig_poly_create(&poly, release, &error), &error);
  for (size_t r = 0; r < draws; r++) {
    sfm_noise_draw(source, integers, length);
    for (size_t i = 0; i < length; i++) noise[i] = (double)integers[i] * release->step;
    sfmi_trig_poly_load(poly, noise, 1 / n);
    assert_ok(sfmi_trig_poly_grid(poly, values, axes, counts, &error), &error);
    for (size_t i = 0; i < grid; i++) {
      size_t a = d == 2 ? i / GRID : i, b = i % GRID;
      double weight = (a == 0 || a == GRID - 1 ? 0.5 : 1) / (GRID - 1);
      if (d == 2) weight *= (b == 0 || b == GRID - 1 ? 0.5 : 1) / (GRID - 1);
      sum += weight * values[i] * values[i];
    }
  }
  sfm_noise_destroy(source);
  sfmi_trig_poly_destroy(poly);
  free(values);
  free(noise);
  free(integers);
  return sum / (double)draws;
}

static void privacy_errors_are_as_predicted(void **state) {
  (void)state;
  const struct {
    size_t d;
    double h, epsilon, delta;
    size_t draws;
  } cases[] = {{1, 0.05, 0.3, 0, 3000},    {1, 0.2, 0.1, 0, 3000},   {1, 1.5, 0.1, 0, 3000},
               {1, 0.08, 0.3, 1e-6, 3000}, {1, 0.004, 0.5, 0, 200}, /* more than 200 cells: edges
                                                                       are neglected */
               {2, 0.2, 0.1, 0, 600},      {2, 0.5, 0.3, 1e-6, 600}, {2, 2, 1, 0, 1000}};
  double rows[400];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    density_fixture t;
    sfm_density_choice plan;
    sfm_error error;
    density_fixture_rows(rows, 200, cases[i].d, 0, 1, 24);
    density_fixture_init(&t, cases[i].d, 0, 1, cases[i].h, cases[i].epsilon, cases[i].delta);
    t.settings.method = cases[i].delta > 0 ? SFM_DENSITY_GP : SFM_DENSITY_LATTICE;
    assert_ok(sfm_density_choose(&plan, &t.settings, 200, &error), &error);
    sfm_release *release = density_fixture_release(&t, rows, 200);
    double got = measured(release, 200, test_repetitions(cases[i].draws, 100));
    print_message("d = %zu, h = %g: predicted %.4g, measured %.4g (%.3f)\n", cases[i].d, cases[i].h,
                  plan.privacy, got, got / plan.privacy);
    assert_relative("privacy error", got, plan.privacy, 0.1 * test_slack(cases[i].draws, 100));
    sfm_release_destroy(release);
    density_fixture_clear(&t);
  }
}

/* The same of rings, and of normal noise on lattices. */
static void privacy_errors_of_rings_are_as_predicted(void **state) {
  (void)state;
  const struct {
    size_t d;
    double h, delta;
    sfm_boundary boundary[2];
    size_t draws;
    bool gp;
  } cases[] = {{1, 0.05, 0, {SFM_BOUNDARY_REFLECT, 0}, 3000},
               {1, 0.3, 0, {SFM_BOUNDARY_REFLECT, 0}, 3000},
               {1, 3, 0, {SFM_BOUNDARY_REFLECT, 0}, 6000},
               {1, 0.05, 0, {SFM_BOUNDARY_PERIODIC, 0}, 3000},
               {1, 0.4, 0, {SFM_BOUNDARY_PERIODIC, 0}, 6000},
               {1, 0.08, 1e-6, {SFM_BOUNDARY_OPEN, 0}, 3000},
               {1, 0.08, 1e-6, {SFM_BOUNDARY_REFLECT, 0}, 3000},
               {2, 0.2, 0, {SFM_BOUNDARY_REFLECT, SFM_BOUNDARY_PERIODIC}, 600},
               {2, 0.2, 1e-6, {SFM_BOUNDARY_PERIODIC, SFM_BOUNDARY_OPEN}, 600},
               {1, 0.08, 1e-6, {SFM_BOUNDARY_REFLECT, 0}, 3000, true},
               {1, 0.6, 1e-6, {SFM_BOUNDARY_REFLECT, 0}, 6000, true},
               {2, 0.2, 1e-6, {SFM_BOUNDARY_REFLECT, SFM_BOUNDARY_OPEN}, 600, true}};
  double rows[400];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    density_fixture t;
    sfm_density_choice plan;
    sfm_error error;
    density_fixture_rows(rows, 200, cases[i].d, 0, 1, 24);
    density_fixture_init(&t, cases[i].d, 0, 1, cases[i].h, 0.3, cases[i].delta);
    t.settings.method = cases[i].gp ? SFM_DENSITY_GP : SFM_DENSITY_LATTICE;
    t.settings.boundary = cases[i].boundary;
    if (!cases[i].gp)
      t.settings.noise = cases[i].delta > 0 ? SFM_DENSITY_NOISE_NORMAL : SFM_DENSITY_NOISE_LAPLACE;
    assert_ok(sfm_density_choose(&plan, &t.settings, 200, &error), &error);
    sfm_release *release = density_fixture_release(&t, rows, 200);
    double got = measured(release, 200, test_repetitions(cases[i].draws, 100));
    print_message("d = %zu, h = %g, boundary %d: predicted %.4g, measured %.4g (%.3f)\n",
                  cases[i].d, cases[i].h, (int)cases[i].boundary[0], plan.privacy, got,
                  got / plan.privacy);
    assert_relative("privacy error", got, plan.privacy, test_sanitized() ? 0.4 : 0.05);
    sfm_release_destroy(release);
    density_fixture_clear(&t);
  }
}

/* The whole of it, through released files: a mean over releases of the squared distance to the
 * density estimate lies between the privacy error and the predicted sum. */
static void whole_errors_are_as_predicted(void **state) {
  (void)state;
  enum { N = 200, RELEASES = 300, GRID = 101 };
  const size_t releases = test_repetitions(RELEASES, 40);
  const double slack = 0.1 * test_slack(RELEASES, 40);
  double rows[N], values[GRID], truth[GRID], sum = 0;
  const size_t counts[] = {GRID};
  density_fixture t;
  sfm_density_choice plan;
  sfm_error error;
  density_fixture_rows(rows, N, 1, 0, 1, 26);
  density_fixture_init(&t, 1, 0, 1, 0.08, 0.5, 0);
  t.settings.context.seeded = true;
  assert_ok(sfm_density_choose(&plan, &t.settings, N, &error), &error);
  for (size_t i = 0; i < GRID; i++) {
    double q = (double)i / (GRID - 1);
    truth[i] = density_fixture_density(rows, N, 1, t.bandwidth, &q);
  }
  for (t.settings.context.seed = 0; t.settings.context.seed < releases; t.settings.context.seed++) {
    sfm_evaluator *evaluator;
    sfm_release *release = density_fixture_release(&t, rows, N);
    assert_ok(sfm_evaluator_create(&evaluator, release, 0, &error), &error);
    assert_ok(sfm_evaluator_grid(evaluator, values, counts, &error), &error);
    for (size_t i = 0; i < GRID; i++)
      sum += (values[i] - truth[i]) * (values[i] - truth[i]) / (GRID - 1) / (double)releases *
             (i == 0 || i == GRID - 1 ? 0.5 : 1);
    sfm_evaluator_destroy(evaluator);
    sfm_release_destroy(release);
  }
  print_message(
      "method %d coefficients %zu: measured %g; predicted privacy %g truncation %g aliasing %g\n",
      plan.method, plan.coefficients, sum, plan.privacy, plan.truncation, plan.aliasing);
  assert_true(sum >= (1 - slack) * plan.privacy &&
              sum <= (1 + slack) * (plan.privacy + plan.aliasing + plan.truncation));
  density_fixture_clear(&t);
}

/* Aliasing and truncation: with an epsilon so large that the noise is nothing, rows at one place
 * have the predicted error of the heap on average over places. */
static void aliasing_is_as_predicted(void **state) {
  (void)state;
  density_fixture t;
  sfmi_design_density design;
  sfm_error error;
  density_fixture_init(&t, 1, 0, 1, 0.05, 0.02, 0);
  t.settings.method = SFM_DENSITY_LATTICE;
  assert_ok(sfmi_design_density_init(&design, &t.settings, 1000, &error), &error);
  sfmi_lattice lattice = design.lattice;
  assert_true(lattice.axis[0].spacing > 0.04);
  sfmi_density_errors e;
  sfmi_kde_risk kde_risk;
  sfmi_shape_model *shape_model;
  assert_ok(
      sfmi_shape_model_create(&shape_model, NULL, NULL, 1, design.lower, design.upper, &error),
      &error);
  const sfmi_kde_problem problem = {shape_model, 1, design.lower, design.upper, design.boundary, 0};
  assert_ok(sfmi_kde_risk_init(&kde_risk, &problem, t.bandwidth, &error), &error);
  assert_ok(
      sfmi_density_errors_lattice(&e, &lattice, t.bandwidth, &problem, &kde_risk, true, &error),
      &error);
  sfmi_shape_model_destroy(shape_model);
  /* One row. */
  double predicted = e.alias_law + e.alias_row + e.cut_law + e.cut_row;
  assert_true(predicted > 0);
  double sum = 0;
  enum { PLACES = 40 };
  for (int i = 0; i < PLACES; i++) {
    /* Places over one cell in the middle: the error is then within the domain. */
    double x = 0.5 + lattice.axis[0].spacing * (i + 0.5) / PLACES;
    sfm_release release = {.kind = &sfmi_density_kind,
                           .dimension = 1,
                           .method = SFMI_LATTICE,
                           .function = &(sfmi_function_body){.lattice = lattice},
                           .length = lattice.length};
    release.lower[0] = 0;
    release.upper[0] = 1;
    release.function->bandwidth[0] = 0.05;
    double values[SFMI_BATCH_ROWS] = {x}, *coefficients = calloc(lattice.length, sizeof(double));
    uint8_t keep[1] = {1};
    sfmi_i128 *sums = calloc(lattice.length, sizeof *sums);
    const sfmi_batch batch = {.rows = 1, .columns = 1, .values = values, .keep = keep};
    sfmi_lattice_add(&lattice, sums, &batch, NULL);
    for (size_t k = 0; k < lattice.length; k++)
      coefficients[k] = ldexp((double)sums[k], -(int)lattice.bits);
    sfmi_trig_poly *poly;
    assert_ok(sfmi_trig_poly_create(&poly, &release, &error), &error);
    sfmi_trig_poly_load(poly, coefficients, 1);
    for (int k = 0; k <= 400; k++) {
      double q = k / 400.0,
             off = sfmi_trig_poly_at(poly, &q) - density_fixture_density(&x, 1, 1, t.bandwidth, &q);
      sum += off * off / 400 / PLACES;
    }
    sfmi_trig_poly_destroy(poly);
    free(sums);
    free(coefficients);
  }
  assert_relative("aliasing and truncation", sum, predicted, 0.1);
  density_fixture_clear(&t);
}

/* Nothing but public numbers enters: the same plan whatever the rows, seen in the releases. */
static void plans_do_not_follow_the_rows(void **state) {
  (void)state;
  double even[300], heap[300], nan[300];
  for (size_t i = 0; i < 300; i++) {
    even[i] = (double)i / 299;
    heap[i] = 0.5;
    nan[i] = NAN;
  }
  const double *rows[] = {even, heap, nan};
  for (int gp = 0; gp < 2; gp++) {
    density_fixture t;
    density_fixture_init(&t, 1, 0, 1, 0.05, 1, gp ? 1e-6 : 0);
    t.settings.method = gp ? SFM_DENSITY_GP : SFM_DENSITY_LATTICE;
    sfm_band band = {0};
    size_t length = 0;
    for (int i = 0; i < 3; i++) {
      sfm_release *release = density_fixture_release(&t, rows[i], 300);
      if (i == 0) {
        band = sfm_release_band(release);
        length = sfm_release_length(release);
      }
      assert_int_equal(sfm_release_length(release), length);
      /* The systematic part follows the released function; the noise's does not. */
      sfm_band here = sfm_release_band(release);
      assert_relative("noise width", here.half_width - here.systematic,
                      band.half_width - band.systematic, 1e-9);
      sfm_release_destroy(release);
    }
    density_fixture_clear(&t);
  }
}

static double smoothing(const char *words, const double *h, const sfm_boundary *boundary,
                        size_t d) {
  const double lower[2] = {0, 0}, upper[2] = {1, 1};
  sfm_error error;
  sfm_shape *shape;
  sfmi_shape_model *shape_model;
  sfmi_kde_risk kde_risk;
  assert_ok(sfm_shape_parse(&shape, words, d, &error), &error);
  assert_ok(sfmi_shape_model_create(&shape_model, shape, NULL, d, lower, upper, &error), &error);
  const sfmi_kde_problem problem = {shape_model, d, lower, upper, boundary, SFM_KERNEL_GAUSSIAN};
  assert_ok(sfmi_kde_risk_init(&kde_risk, &problem, h, &error), &error);
  sfmi_shape_model_destroy(shape_model);
  sfm_shape_destroy(shape);
  return kde_risk.smoothing;
}

/* The smoothing error of an even law: int (K * f - f)^2 over the domain, for h small: 2 edges. */
static void smoothing_is_the_bias_of_an_even_law(void **state) {
  (void)state;
  const double h[2] = {0.01, 0.01};
  const sfm_boundary open[2] = {SFM_BOUNDARY_OPEN, SFM_BOUNDARY_OPEN},
                     mixed[2] = {SFM_BOUNDARY_OPEN, SFM_BOUNDARY_REFLECT};
  /* At one edge int_0^inf P(N > x/h)^2 dx = h (sqrt2 - 1)/(sqrt(2 pi) sqrt2) = 0.1169 h. */
  double edge = 0.01 * (M_SQRT2 - 1) / (sqrt(2 * M_PI) * M_SQRT2);
  assert_relative("one axis", smoothing("uniform", h, open, 1), 2 * edge, 1e-6);
  assert_true(smoothing("uniform", h, open, 2) > 2 * edge);
  assert_relative("one of two", smoothing("uniform", h, mixed, 2), 2 * edge, 1e-6);
}

/* int E (T_n - p)^2 for n records of a normal shape p on [0, 1], T_n their estimate by the kernel
 * up to m frequencies of its torus: int (T p - p)^2 and the variance. */
static double left_of_normal(double mean, double deviation, double h, size_t m, double n) {
  enum { FINE = 1000 };
  const double period = 1 + 16 * h;
  static double p[FINE], kernel[FINE];
  double mass = 0, sum = 0;
  for (size_t i = 0; i < FINE; i++) {
    const double z = (((double)i + 0.5) / FINE - mean) / deviation;
    p[i] = exp(-0.5 * z * z);
    mass += p[i] / FINE;
    kernel[i] = 1 / period;
    for (size_t j = 1; j <= m; j++) {
      const double f = 2 * M_PI * (double)j / period;
      kernel[i] += 2 / period * exp(-0.5 * f * f * h * h) * cos(f * (double)i / FINE);
    }
  }
  for (size_t i = 0; i < FINE; i++) {
    double once = 0, square = 0;
    for (size_t k = 0; k < FINE; k++) {
      const double t = kernel[i > k ? i - k : k - i];
      once += t * p[k] / mass / FINE;
      square += t * t * p[k] / mass / FINE;
    }
    sum += ((once - p[i] / mass) * (once - p[i] / mass) + (square - once * once) / n) / FINE;
  }
  return sum;
}

/* With few frequencies the kernel and the cut take from the same ones, and records vary less; noise
 * there is almost none. */
static void what_few_frequencies_lose_is_as_predicted(void **state) {
  (void)state;
  static const char *const columns[] = {"x"};
  static const struct {
    double h;
    size_t terms;
    uint64_t rows;
  } cases[] = {{0.02, 1, 1000000000}, {0.02, 4, 1000000000}, {0.05, 2, 1000000000},
               {0.1, 1, 1000000000},  {0.1, 3, 1000000000},  {0.2, 2, 1000000000},
               {0.2, 8, 1000000000},  {0.03, 9, 3000},       {0.05, 6, 300},
               {0.05, 16, 300},       {0.1, 3, 100},         {0.2, 2, 20}};
  sfm_error error;
  sfm_schema *schema;
  sfm_shape *shape;
  assert_ok(sfm_schema_create(&schema, &error), &error);
  assert_ok(sfm_schema_set_bounds(schema, "x", 0, 1, &error), &error);
  assert_ok(sfm_shape_parse(&shape, "normal:0.4:0.12", 1, &error), &error);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sfm_density_choice plan;
    sfm_density_settings s = sfm_density_settings_default();
    s.context.schema = schema;
    s.columns = columns;
    s.dimension = 1;
    s.bandwidth = &cases[i].h;
    s.shape = shape;
    s.epsilon = 1000;
    s.method = SFM_DENSITY_FOURIER_LAPLACE;
    s.terms = cases[i].terms;
    assert_ok(sfm_density_choose(&plan, &s, cases[i].rows, &error), &error);
    const double left =
        left_of_normal(0.4, 0.12, cases[i].h, cases[i].terms, (double)cases[i].rows);
    print_message("h %g, %zu terms, %g rows: %g, predicted %g\n", cases[i].h, cases[i].terms,
                  (double)cases[i].rows, left, plan.total - plan.privacy);
    assert_relative("lost", plan.total - plan.privacy, left, 0.02);
  }
  sfm_shape_destroy(shape);
  sfm_schema_destroy(schema);
}

/* Along one axis: the mean variance of what the reader makes of exponential noise between places,
 * and the mean square of what it misses of f = 1. */
static void between(double *noise, double *missed, double gamma, double s) {
  enum { FINE = 10000 };
  *noise = *missed = 0;
  for (size_t i = 0; i < FINE; i++) {
    const double t = s * ((double)i + 0.5) / FINE;
    const double a = sinh(gamma * (s - t)) / sinh(gamma * s), b = sinh(gamma * t) / sinh(gamma * s);
    *noise += (a * a + b * b + 2 * a * b * exp(-gamma * s)) / FINE;
    *missed += (1 - a - b) * (1 - a - b) / FINE;
  }
}

static void what_is_seen_between_places_is_as_predicted(void **state) {
  (void)state;
  const double gamma[] = {30, 20};
  sfmi_design_density design = {.dimension = 1, .upper = {1, 1}, .bandwidth = {0.03, 0.05}};
  sfm_density_settings s = sfm_density_settings_default();
  sfm_error error;
  sfmi_gaps gaps;
  double noise, missed, second;
  s.method = SFM_DENSITY_SOBOLEV;
  s.gamma = gamma;
  s.release_grid[0] = s.release_grid[1] = 201;
  assert_ok(sfmi_process_gaps(&gaps, &design, &s, &error), &error);
  between(&noise, &missed, gamma[0], 1.0 / 200);
  assert_relative("noise", gaps.noise, noise, 1e-6);
  assert_relative("missed of 1", gaps.law, missed, 0.01);
  /* Of a row's kernel also what is bent: by its own integrals, 3/4, 1/2 and 1 in bandwidths. */
  const double h = design.bandwidth[0], scale = pow(1.0 / 200, 4) / 120;
  assert_relative("missed of a row", gaps.row,
                  scale * (0.75 / pow(h, 4) + pow(gamma[0], 2) / pow(h, 2) + pow(gamma[0], 4)),
                  1e-9);
  design.dimension = 2;
  assert_ok(sfmi_process_gaps(&gaps, &design, &s, &error), &error);
  between(&second, &missed, gamma[1], 1.0 / 200);
  assert_relative("noise of two", gaps.noise, noise * second, 1e-6);
  /* A list has nothing in between. */
  s.release_grid[0] = 0;
  s.release_points = (const double[]){0.25, 0.5};
  s.release_count = 1;
  assert_ok(sfmi_process_gaps(&gaps, &design, &s, &error), &error);
  assert_true(gaps.noise == 1 && gaps.law == 0 && gaps.row == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(privacy_errors_are_as_predicted),
      cmocka_unit_test(privacy_errors_of_rings_are_as_predicted),
      cmocka_unit_test(whole_errors_are_as_predicted),
      cmocka_unit_test(aliasing_is_as_predicted),
      cmocka_unit_test(plans_do_not_follow_the_rows),
      cmocka_unit_test(smoothing_is_the_bias_of_an_even_law),
      cmocka_unit_test(what_few_frequencies_lose_is_as_predicted),
      cmocka_unit_test(what_is_seen_between_places_is_as_predicted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
