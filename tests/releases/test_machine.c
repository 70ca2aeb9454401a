/* test_machine.c - values of machines against kernels computed here, and bands against simulated
 * noise. */
#include "base/math/normal_distribution.h"
#include "machine_fixture.h"
#include "releases/core/release_kind.h"
#include "releases/band/laplace_sum.h"

enum { DRAWS = 4000 };

/* The features of a point of columns. */
static void features_of(double *phi, const sfm_release *release, const double *cells) {
  const sfmi_machine_model *model = release->model;
  uint32_t indices[8];
  double u[8];
  const size_t found = sfmi_encoding_row(&model->encoding, indices, u, cells),
               starts[] = {0, found};
  assert_int_not_equal(found, SFMI_NO_ROW);
  sfmi_feature_map_dense(model->map, phi, starts, indices, u, 1);
}

/* A machine whose weights are the features of a place, so that its values are K(., place). */
static sfm_release *kernel_machine(machine_spec plan, const double *place) {
  plan.law = "gamma";
  sfm_release *release = machine_make(&plan);
  features_of(release->reals, release, place);
  return release;
}

/* Scaled to [-1, 1]. */
static void coordinates(double *u, const double *cells) {
  u[0] = (fmin(fmax(cells[0], 0), 10) - 5) / 5;
  u[1] = (fmin(fmax(cells[1], 0), 1) - 0.5) / 0.5;
}

static double inner(const double *x, const double *y) {
  double u[2], v[2];
  coordinates(u, x);
  coordinates(v, y);
  return u[0] * v[0] + u[1] * v[1];
}

static double square_distance(const double *x, const double *y) {
  double u[2], v[2];
  coordinates(u, x);
  coordinates(v, y);
  return pow(u[0] - v[0], 2) + pow(u[1] - v[1], 2);
}

/* Beyond the bounds, too: such cells count as the bounds. */
static const double points[] = {0, 0, 3, 0.25, 10, 1, 7.5, 0.9, -4, 0.5, 12, 7};
enum { POINTS = sizeof points / sizeof points[0] / 2 };

static void values_are_kernels(void **state) {
  (void)state;
  static const double place[] = {2, 0.75};
  double values[POINTS];
  sfm_error error;
  const machine_spec linear = {.constant = 0.5},
                     cubic = {.form = SFMI_FEATURE_MAP_MONOMIALS, .degree = 3, .shift = 1},
                     torus = {.form = SFMI_FEATURE_MAP_TORUS, .bandwidth = 0.6},
                     waves = {
                         .form = SFMI_FEATURE_MAP_RANDOM, .bandwidth = 0.6, .frequencies = 20000};
  const machine_spec plans[] = {linear, cubic, torus, waves};
  for (size_t i = 0; i < 4; i++) {
    sfm_release *made = kernel_machine(plans[i], place), *release = machine_again(made);
    assert_ok(sfm_machine_at(release, values, points, POINTS, &error), &error);
    for (size_t p = 0; p < POINTS; p++) {
      const double *x = points + 2 * p;
      const double wanted = i == 0   ? inner(x, place) + 0.25
                            : i == 1 ? pow(inner(x, place) + 1, 3)
                                     : exp(-square_distance(x, place) / 0.72);
      assert_near("K", values[p], wanted, i == 3 ? 0.05 : 1e-12 * (1 + fabs(wanted)));
    }
    sfm_release_destroy(made);
    sfm_release_destroy(release);
  }
}

static void values_at_places_are_kernels(void **state) {
  (void)state;
  static const double places[] = {-0.5, 0.25, 0.5, -1};
  double values[POINTS], u[2];
  sfm_error error;
  const machine_spec plan = {.form = SFMI_FEATURE_MAP_POINTS,
                             .kernel = SFM_KERNEL_LAPLACIAN,
                             .bandwidth = 0.5,
                             .places = places,
                             .place_count = 2,
                             .law = "normal"};
  sfm_release *release = machine_make(&plan);
  release->reals[0] = 2;
  release->reals[1] = -1;
  assert_ok(sfm_machine_at(release, values, points, POINTS, &error), &error);
  for (size_t p = 0; p < POINTS; p++) {
    coordinates(u, points + 2 * p);
    const double wanted = 2 * exp(-(fabs(u[0] + 0.5) + fabs(u[1] - 0.25)) / 0.5) -
                          exp(-(fabs(u[0] - 0.5) + fabs(u[1] + 1)) / 0.5);
    assert_near("sum of K", values[p], wanted, 1e-13);
  }
  sfm_release_destroy(release);
}

/* Regression: middle + half width times <w, phi>; categories are indicators. */
static void linear_values_by_hand(void **state) {
  (void)state;
  const machine_spec plan = {.task = SFM_TASK_REGRESSION, .categories = true, .law = "gamma"};
  static const double cells[] = {7.5, 0.25, 1, 7.5, 0.25, 0, 7.5, NAN, 1, 7.5, 0.25, NAN, 1, 1, 2};
  double values[5];
  sfm_error error;
  sfm_release *release = machine_make(&plan);
  const double w[] = {1, 2, 0.25, -0.5};
  memcpy(release->reals, w, sizeof w);
  assert_ok(sfm_machine_at(release, values, cells, 5, &error), &error);
  assert_near("M", values[0], 20 + 10 * (0.5 - 1 - 0.5), 1e-13);
  assert_near("F", values[1], 20 + 10 * (0.5 - 1 + 0.25), 1e-13);
  for (size_t i = 2; i < 5; i++) assert_true(isnan(values[i]));
  assert_true(sfm_machine_decide(release, values) == SIZE_MAX);
  sfm_release_destroy(release);
}

/* A point's value does not depend on those asked beside it. */
static void batches_change_nothing(void **state) {
  (void)state;
  enum { COUNT = 3000 };
  static double cells[2 * COUNT], values[3 * COUNT];
  sfm_error error;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 3);
  const machine_spec plans[] = {{.form = SFMI_FEATURE_MAP_RANDOM,
                                 .bandwidth = 0.5,
                                 .frequencies = 300,
                                 .task = SFM_TASK_ONE_VS_REST,
                                 .classes = 3},
                                {.form = SFMI_FEATURE_MAP_MONOMIALS, .degree = 4, .shift = 0.5}};
  for (size_t i = 0; i < 2 * COUNT; i++)
    cells[i] = i % 501 == 0 ? NAN : 10 * sfmi_prng_uniform(&prng);
  for (size_t k = 0; k < 2; k++) {
    sfm_release *release = machine_make(&plans[k]);
    const size_t functions = sfmi_machine_model_functions(release->model);
    double alone[3];
    assert_ok(sfm_machine_at(release, values, cells, COUNT, &error), &error);
    for (size_t p = 0; p < COUNT; p += 7) {
      assert_ok(sfm_machine_at(release, alone, cells + 2 * p, 1, &error), &error);
      for (size_t f = 0; f < functions; f++)
        assert_true(values[p * functions + f] == alone[f] ||
                    (isnan(alone[f]) && isnan(values[p * functions + f])));
    }
    sfm_release_destroy(release);
  }
}

static void sparse_rows(void **state) {
  (void)state;
  const machine_spec plan = {.dimension = 6, .law = "gamma"};
  static const size_t starts[] = {0, 2, 2, 4, 5, 7};
  static const uint32_t indices[] = {1, 4, 0, 5, 6, 3, 3};
  static const double numbers[] = {0.5, -2, 1, 0.25, 1, 1, 1};
  double values[5];
  sfm_error error;
  sfm_release *release = machine_make(&plan);
  const double *w = release->reals;
  assert_ok(sfm_machine_at_sparse(release, values, starts, indices, numbers, 5, &error), &error);
  assert_near("clamped", values[0], 0.5 * w[1] - w[4], 1e-15);
  assert_true(values[1] == 0);
  assert_near("inside", values[2], w[0] + 0.25 * w[5], 1e-15);
  assert_true(isnan(values[3])); /* beyond the dimension */
  assert_true(isnan(values[4])); /* an index twice */
  assert_int_equal(sfm_machine_at(release, values, numbers, 1, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "libsvm"));
  sfm_release_destroy(release);
  const machine_spec columns = {0};
  release = machine_make(&columns);
  assert_int_equal(sfm_machine_at_sparse(release, values, starts, indices, numbers, 5, &error),
                   SFM_INVALID);
  sfm_release_destroy(release);
}

static void classes(void **state) {
  (void)state;
  const machine_spec binary = {0}, several = {.task = SFM_TASK_ONE_VS_REST, .classes = 3};
  sfm_release *release = machine_make(&binary);
  const double signs[] = {-1, 0, 1, NAN};
  const size_t wanted[] = {0, 0, 1, SIZE_MAX};
  for (size_t i = 0; i < 4; i++) assert_true(sfm_machine_decide(release, &signs[i]) == wanted[i]);
  sfm_release_destroy(release);
  release = machine_make(&several);
  const double three[] = {-3, 2, 2}, missing[] = {1, 2, NAN};
  assert_int_equal(sfm_machine_decide(release, three), 1);
  assert_true(sfm_machine_decide(release, missing) == SIZE_MAX);
  sfm_release_destroy(release);
}

static void other_kinds_are_none(void **state) {
  (void)state;
  sfm_machine machine;
  double one = 0;
  sfm_error error;
  sfm_release *release = sfmi_release_create(&sfmi_vector_kind);
  release->method = SFMI_LAPLACE;
  assert_false(sfm_release_machine(release, &machine));
  assert_null(sfm_machine_class(release, 0));
  assert_null(sfm_machine_input(release, 0));
  assert_int_equal(sfm_machine_at(release, &one, &one, 1, &error), SFM_INVALID);
  assert_int_equal(sfm_machine_band(release, &one, &one, &one, 1, 0.9, &error), SFM_INVALID);
  sfm_release_destroy(release);
}

/* ---- bands ---- */

static void laplace_sums(void **state) {
  (void)state;
  const double one = 1, two[] = {1, 1};
  double many[400];
  for (size_t i = 0; i < 400; i++) many[i] = 0.05;
  static const double risks[] = {0.3, 0.05, 0.01, 1e-4};
  for (size_t i = 0; i < 4; i++) {
    const double p = risks[i];
    const double x = sfmi_laplace_sum_width(&one, 1, 1, p);
    assert_relative("one: exp(-x)", x, -log(p), 0.004);
    assert_true(exp(-x) <= p * (1 + 1e-12));
    /* power 2, or two of them: (1 + x/2) exp(-x) */
    const double y = sfmi_laplace_sum_width(&one, 1, 2, p),
                 z = sfmi_laplace_sum_width(two, 2, 1, p);
    assert_relative("two", (1 + y / 2) * exp(-y), p, 0.01);
    assert_true((1 + y / 2) * exp(-y) <= p);
    assert_relative("the same", z, y, 1e-5);
    /* of many: nearly normal */
    assert_relative("many", sfmi_laplace_sum_width(many, 400, 1, p),
                    M_SQRT2 * sfmi_normal_tail_inverse(p / 2), 0.03);
    assert_relative("scaled", sfmi_laplace_sum_width(many, 1, 1, p), 0.05 * x, 1e-5);
  }
  assert_true(sfmi_laplace_sum_width(&one, 1, 1, 1e-12) >= 12 * log(10) * (1 - 1e-12));
  const double none = 0;
  assert_true(sfmi_laplace_sum_width(&none, 1, 1, 0.5) == 0);
}

/* No shape of the weights has more than the worst, and a single weight has hardly less. */
static void no_shape_is_worse(void **state) {
  (void)state;
  enum { MOST = 100 };
  static const double risks[] = {0.5, 0.3, 0.1, 0.05, 0.01, 1e-3, 1e-5};
  double a[MOST];
  for (size_t i = 0; i < sizeof risks / sizeof risks[0]; i++) {
    const double p = risks[i], worst = sfmi_laplace_sum_worst_width(p);
    assert_true(worst >= -log(p));
    if (p <= 0.05) assert_true(worst <= -1.06 * log(p));
    for (size_t n = 1; n <= MOST; n = 3 * n / 2 + 1)
      for (int falling = 0; falling < 2; falling++) {
        double square = 0;
        for (size_t k = 0; k < n; k++) {
          a[k] = falling ? pow(0.8, (double)k) : 1;
          square += a[k] * a[k];
        }
        for (size_t k = 0; k < n; k++) a[k] /= sqrt(square);
        assert_true(sfmi_laplace_sum_width(a, n, 1, p) <= worst * 1.01);
      }
  }
}

/* Noise of the law of the release, one function after the other. */
static void draw_noise(double *noise, const sfm_release *release, sfmi_prng *prng) {
  const size_t D = release->length;
  double square = 0;
  for (size_t i = 0; i < D; i++) {
    noise[i] = release->law == SFM_NOISE_LAW_DISCRETE_LAPLACE ? sfmi_prng_laplace(prng)
                                                              : sfmi_prng_normal(prng);
    square += noise[i] * noise[i];
  }
  const double radius =
      release->law == SFM_NOISE_LAW_GAMMA ? sfmi_prng_gamma(prng, (double)D) / sqrt(square) : 1;
  for (size_t i = 0; i < D; i++) noise[i] *= radius * release->scale;
}

/* How often noise stays within the bands: pointwise at each point by itself, everywhere at all and
 * for all functions.  The certificate is none here, so that there is noise alone. */
static void check_coverage(machine_spec plan, double confidence) {
  enum { MOST = 2048 };
  static double phi[POINTS][MOST], noise[3 * MOST];
  double pointwise[POINTS], everywhere[POINTS];
  size_t within[POINTS] = {0}, all = 0;
  sfm_error error;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 99);
  sfm_release *release = machine_make(&plan);
  release->model->certificate = 0;
  const size_t F = release->model->map->count,
               functions = sfmi_machine_model_functions(release->model);
  const double factor = plan.task == SFM_TASK_REGRESSION ? 10 : 1;
  for (size_t p = 0; p < POINTS; p++) features_of(phi[p], release, points + 2 * p);
  assert_ok(sfm_machine_band(release, pointwise, everywhere, points, POINTS, confidence, &error),
            &error);
  for (size_t i = 0; i < DRAWS; i++) {
    bool inside = true;
    draw_noise(noise, release, &prng);
    for (size_t p = 0; p < POINTS; p++)
      for (size_t f = 0; f < functions; f++) {
        double value = 0;
        for (size_t k = 0; k < F; k++) value += phi[p][k] * noise[f * F + k];
        if (f == 0) within[p] += fabs(factor * value) <= pointwise[p];
        inside = inside && fabs(factor * value) <= everywhere[p];
      }
    all += inside;
  }
  for (size_t p = 0; p < POINTS; p++) {
    assert_false(binomial_too_few(within[p], DRAWS, confidence));
    /* and no wider than needed */
    assert_near("part within", (double)within[p] / DRAWS, confidence,
                TEST_Z * sqrt(confidence * (1 - confidence) / DRAWS) + 0.002);
    assert_true(pointwise[p] <= everywhere[p]);
    assert_true(pointwise[p] <= release->band.pointwise * 1.0001 || confidence > 0.95);
  }
  assert_false(binomial_too_few(all, DRAWS, confidence));
  sfm_release_destroy(release);
}

static void bands_hold(void **state) {
  (void)state;
  static const char *const laws[] = {"rounded-normal", "discrete-laplace", "gamma"};
  for (size_t i = 0; i < 3; i++) {
    check_coverage((machine_spec){.law = laws[i], .constant = 0.3}, 0.9);
    check_coverage((machine_spec){.law = laws[i],
                                  .form = SFMI_FEATURE_MAP_RANDOM,
                                  .bandwidth = 0.7,
                                  .frequencies = 30,
                                  .task = SFM_TASK_ONE_VS_REST,
                                  .classes = 3},
                   0.95);
    check_coverage((machine_spec){.law = laws[i],
                                  .form = SFMI_FEATURE_MAP_MONOMIALS,
                                  .degree = 2,
                                  .shift = 1,
                                  .task = SFM_TASK_REGRESSION},
                   0.95);
  }
}

/* The length of the noise: what the band everywhere is made of. */
static void lengths_hold(void **state) {
  (void)state;
  static const char *const laws[] = {"rounded-normal", "discrete-laplace", "gamma"};
  static double noise[90];
  for (size_t i = 0; i < 3; i++) {
    const machine_spec plan = {.law = laws[i],
                               .form = SFMI_FEATURE_MAP_RANDOM,
                               .bandwidth = 0.7,
                               .frequencies = 15,
                               .task = SFM_TASK_ONE_VS_REST,
                               .classes = 3};
    sfm_release *release = machine_make(&plan);
    size_t inside = 0;
    sfmi_prng prng;
    sfmi_prng_init(&prng, 1234);
    const double length = release->band.half_width - release->band.systematic;
    for (size_t k = 0; k < DRAWS; k++) {
      double longest = 0;
      draw_noise(noise, release, &prng);
      for (size_t f = 0; f < 3; f++) {
        double square = 0;
        for (size_t j = 0; j < 30; j++) square += noise[30 * f + j] * noise[30 * f + j];
        longest = fmax(longest, sqrt(square));
      }
      inside += longest * release->model->map->kappa <= length;
    }
    assert_false(binomial_too_few(inside, DRAWS, 0.95));
    sfm_release_destroy(release);
  }
}

/* A machine of values at places: what interpolation cannot show is in its band. */
static void places_hold(void **state) {
  (void)state;
  static const double places[] = {-1, -1, -1, 1, 1, -1, 1, 1, 0, 0};
  const double near[] = {5, 0.5}, far[] = {5, 1};
  double at[2], away[2];
  sfm_error error;
  const machine_spec plan = {.form = SFMI_FEATURE_MAP_POINTS,
                             .kernel = SFM_KERNEL_GAUSSIAN,
                             .bandwidth = 0.3,
                             .places = places,
                             .place_count = 5,
                             .law = "normal"};
  sfm_release *release = machine_make(&plan);
  assert_ok(sfm_machine_band(release, &at[0], &at[1], near, 1, 0.95, &error), &error);
  assert_ok(sfm_machine_band(release, &away[0], &away[1], far, 1, 0.95, &error), &error);
  /* At a place: noise and certificate; away from all: the longest machine, 1/sqrt(lambda) = 10. */
  assert_near("at a place", at[0], 0.01 * 1.959964 + 0.002, 0.02);
  assert_relative("away", away[0], 10 + 0.01 * 1.959964 + 0.002, 1e-3);
  sfm_release_destroy(release);
}

static void objective_has_none(void **state) {
  (void)state;
  double pointwise, everywhere;
  sfm_error error;
  const machine_spec plan = {.law = "gamma"};
  sfm_release *release = machine_make(&plan);
  release->method = SFMI_MACHINE_OBJECTIVE;
  assert_ok(sfm_release_band_at(release, &release->band, 0.95, &error), &error);
  assert_true(isinf(release->band.half_width) && isinf(release->band.pointwise));
  assert_ok(sfm_machine_band(release, &pointwise, &everywhere, points, 1, 0.9, &error), &error);
  assert_true(isinf(pointwise) && isinf(everywhere));
  sfm_release *again = machine_again(release);
  assert_true(isinf(sfm_release_band(again).half_width));
  sfm_release_destroy(release);
  sfm_release_destroy(again);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_are_kernels),    cmocka_unit_test(values_at_places_are_kernels),
      cmocka_unit_test(linear_values_by_hand), cmocka_unit_test(batches_change_nothing),
      cmocka_unit_test(sparse_rows),           cmocka_unit_test(classes),
      cmocka_unit_test(other_kinds_are_none),  cmocka_unit_test(laplace_sums),
      cmocka_unit_test(no_shape_is_worse),     cmocka_unit_test(bands_hold),
      cmocka_unit_test(lengths_hold),          cmocka_unit_test(places_hold),
      cmocka_unit_test(objective_has_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
