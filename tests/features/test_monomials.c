/* test_monomials.c - monomials are features of the polynomial kernel, numbered as stated, dense and
 * sparse alike. */
#include "kernel_fixtures.h"

#include "features/maps/ball_projection.h"
#include "features/maps/monomials.h"

static sfm_kernel polynomial(size_t dimension, unsigned degree, double constant) {
  return (sfm_kernel){.family = SFM_KERNEL_POLYNOMIAL,
                      .dimension = dimension,
                      .degree = degree,
                      .constant = constant,
                      .radius = 1};
}

static void init(sfmi_monomials *monomials, const sfm_kernel *kernel) {
  sfm_error error;
  assert_ok(sfm_kernel_check(kernel, &error), &error);
  assert_ok(sfmi_monomials_init(monomials, kernel, &error), &error);
}

/* All features of x, as those of a row without zeros. */
static void dense_features(const sfmi_monomials *monomials, double *phi, const double *x) {
  size_t *features = calloc(monomials->count, sizeof *features),
         *indices = calloc(monomials->dimension, sizeof *indices);
  for (size_t a = 0; a < monomials->dimension; a++) indices[a] = a;
  sfmi_monomials_sparse(monomials, features, phi, indices, x, monomials->dimension);
  for (size_t k = 0; k < monomials->count; k++) assert_int_equal(features[k], k);
  free(features);
  free(indices);
}

static void known_features(void **state) {
  (void)state;
  sfmi_monomials monomials;
  const sfm_kernel two = polynomial(2, 2, 3), homogeneous = polynomial(2, 3, 0);
  const double x[2] = {5, 7}, r = sqrt(2), c = sqrt(3), s = sqrt(3);
  double phi[6];
  init(&monomials, &two);
  assert_int_equal(monomials.count, 6); /* 1, x, x^2, y, xy, y^2 */
  dense_features(&monomials, phi, x);
  const double wanted[6] = {3, r * c * 5, 25, r * c * 7, r * 35, 49};
  for (size_t k = 0; k < 6; k++) assert_relative("(<x, y> + 3)^2", phi[k], wanted[k], 1e-15);
  init(&monomials, &homogeneous);
  assert_int_equal(monomials.count, 4); /* x^3, x^2 y, x y^2, y^3 */
  dense_features(&monomials, phi, x);
  const double cubes[4] = {125, s * 175, s * 245, 343};
  for (size_t k = 0; k < 4; k++) assert_relative("<x, y>^3", phi[k], cubes[k], 1e-15);
}

static void numbers_of_features(void **state) {
  (void)state;
  sfmi_monomials monomials;
  const struct {
    size_t dimension;
    unsigned degree;
    double constant;
    size_t count;
  } cases[] = {{1, 1, 0, 1},      {1, 64, 0, 1},
               {1, 64, 1, 65},    {54, 3, 1, 29260}, /* C(57, 3) */
               {54, 3, 0, 27720},                    /* C(56, 3) */
               {8, 5, 1, 1287},   {100000, 3, 0.5, 166676666850001}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const sfm_kernel kernel = polynomial(cases[i].dimension, cases[i].degree, cases[i].constant);
    init(&monomials, &kernel);
    assert_int_equal(monomials.count, cases[i].count);
    assert_int_equal(sfmi_monomials_nonzeros(&monomials, cases[i].dimension), cases[i].count);
  }
}

static double dot(const double *x, const double *y, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += x[i] * y[i];
  return sum;
}

/* <phi(x), phi(y)> = K(x, y) on the unit ball, to 1e-12 of the largest K. */
static void features_reproduce_the_kernel(void **state) {
  (void)state;
  enum { MOST = 6, FEATURES = 800 };
  const double constants[] = {0, 0.5, 2};
  sfmi_prng prng;
  sfmi_prng_init(&prng, 30);
  for (size_t d = 1; d <= MOST; d++)
    for (unsigned degree = 1; degree <= 5; degree++)
      for (size_t c = 0; c < 3; c++) {
        static double phi[2][FEATURES];
        double x[2][MOST];
        sfmi_monomials monomials;
        const sfm_kernel kernel = polynomial(d, degree, constants[c]);
        init(&monomials, &kernel);
        assert_true(monomials.count <= FEATURES);
        for (int i = 0; i < 2; i++) {
          for (size_t a = 0; a < d; a++) x[i][a] = sfmi_prng_normal(&prng);
          sfmi_ball_project(x[i], d, 1);
          dense_features(&monomials, phi[i], x[i]);
        }
        const double tolerance = 1e-12 * sfm_kernel_sup(&kernel);
        assert_near("<phi(x), phi(y)>", dot(phi[0], phi[1], monomials.count),
                    sfm_kernel_at(&kernel, x[0], x[1]), tolerance);
        assert_near("|phi(x)|^2", dot(phi[0], phi[0], monomials.count),
                    sfm_kernel_at(&kernel, x[0], x[0]), tolerance);
      }
}

static void the_linear_kernel_is_x_itself(void **state) {
  (void)state;
  sfmi_monomials monomials;
  const double x[4] = {0.25, -3, 0, 1e-300};
  double phi[4];
  const sfm_kernel linear = {.family = SFM_KERNEL_LINEAR, .dimension = 4, .radius = 5};
  init(&monomials, &linear);
  assert_int_equal(monomials.count, 4);
  dense_features(&monomials, phi, x);
  assert_memory_equal(phi, x, sizeof x);
}

/* Zeros left out, the same numbers at the same places, in order. */
static void sparse_features_are_the_dense_ones(void **state) {
  (void)state;
  enum { DIMENSION = 7, FEATURES = 400 };
  static double dense[FEATURES], values[FEATURES];
  static size_t features[FEATURES];
  sfmi_prng prng;
  sfmi_prng_init(&prng, 31);
  for (int i = 0; i < 400; i++) {
    const sfm_kernel kernel = polynomial(DIMENSION, 1 + (unsigned)i % 4, i % 3 ? 0.7 : 0);
    sfmi_monomials monomials;
    double x[DIMENSION] = {0}, nonzeros[DIMENSION];
    size_t indices[DIMENSION], count = 0, met = 0;
    init(&monomials, &kernel);
    assert_true(monomials.count <= FEATURES);
    for (size_t a = 0; a < DIMENSION; a++)
      if (sfmi_prng_uniform(&prng) < 0.1 * (double)(i % 11)) {
        x[a] = nonzeros[count] = sfmi_prng_normal(&prng);
        indices[count++] = a;
      }
    const size_t pairs = sfmi_monomials_nonzeros(&monomials, count);
    dense_features(&monomials, dense, x);
    sfmi_monomials_sparse(&monomials, features, values, indices, nonzeros, count);
    for (size_t k = 0; k < monomials.count; k++) {
      if (met < pairs && features[met] == k)
        assert_true(values[met++] == dense[k]);
      else
        assert_true(dense[k] == 0);
    }
    assert_int_equal(met, pairs);
  }
}

/* A hundred thousand coordinates, five of them nonzero: 56 monomials of 1.7e14. */
static void few_nonzeros_cost_few_monomials(void **state) {
  (void)state;
  enum { NONZEROS = 5, PAIRS = 56 };
  sfmi_monomials monomials;
  const sfm_kernel kernel = polynomial(100000, 3, 0.5);
  const size_t indices[2][NONZEROS] = {{0, 17, 4000, 65537, 99999}, {17, 18, 4000, 70000, 99999}};
  const double x[2][NONZEROS] = {{0.1, 0.5, -0.3, 0.2, 0.4}, {0.3, 0.1, 0.6, -0.2, 0.5}};
  size_t features[2][PAIRS];
  double values[2][PAIRS], sum = 0;
  init(&monomials, &kernel);
  assert_int_equal(sfmi_monomials_nonzeros(&monomials, NONZEROS), PAIRS);
  for (size_t i = 0; i < 2; i++)
    sfmi_monomials_sparse(&monomials, features[i], values[i], indices[i], x[i], NONZEROS);
  assert_int_equal(features[0][PAIRS - 1], monomials.count - 1); /* the cube of the last */
  for (size_t i = 0, j = 0; i < PAIRS && j < PAIRS;) {
    if (features[0][i] == features[1][j]) sum += values[0][i] * values[1][j];
    const bool behind = features[0][i] <= features[1][j];
    if (features[1][j] <= features[0][i]) j++;
    if (behind) i++;
  }
  assert_near("K of the shared coordinates", sum, pow(0.15 - 0.18 + 0.2 + 0.5, 3), 1e-15);
}

/* In one dimension phi_k = sqrt C(p, k) sqrt(c)^(p - k) x^k: the stated error against long double.
 */
static void features_are_as_exact_as_stated(void **state) {
  (void)state;
  for (unsigned p = 1; p <= SFM_MAX_DEGREE; p++)
    for (int i = 1; i <= 40; i++) {
      const double x = 0.037 * i, c = 1.9 / i;
      const sfm_kernel kernel = polynomial(1, p, c);
      sfmi_monomials monomials;
      double phi[SFM_MAX_DEGREE + 1];
      long double binomial = 1;
      init(&monomials, &kernel);
      dense_features(&monomials, phi, &x);
      for (unsigned k = 0; k <= p; binomial = binomial * (p - k) / (k + 1), k++) {
        const long double wanted =
            sqrtl(binomial) * powl(sqrtl((long double)c), p - k) * powl((long double)x, k);
        assert_near("phi_k", (double)((long double)phi[k] / wanted - 1), 0, 5 * p * 0x1p-53);
      }
    }
}

static void what_has_no_monomials_is_refused(void **state) {
  (void)state;
  sfm_error error;
  sfmi_monomials monomials;
  const sfm_kernel gaussian = family_kernel(SFM_KERNEL_GAUSSIAN, 2);
  assert_int_equal(sfmi_monomials_init(&monomials, &gaussian, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "gaussian"));
  const size_t dimensions[] = {100000, 50, SIZE_MAX / 2};
  const unsigned degrees[] = {4, 64, 64};
  for (size_t i = 0; i < 3; i++) {
    const sfm_kernel many = polynomial(dimensions[i], degrees[i], 1);
    assert_int_equal(sfmi_monomials_init(&monomials, &many, &error), SFM_INVALID);
    assert_non_null(strstr(error.message, "write a lower degree"));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_features),
      cmocka_unit_test(numbers_of_features),
      cmocka_unit_test(features_reproduce_the_kernel),
      cmocka_unit_test(the_linear_kernel_is_x_itself),
      cmocka_unit_test(sparse_features_are_the_dense_ones),
      cmocka_unit_test(few_nonzeros_cost_few_monomials),
      cmocka_unit_test(features_are_as_exact_as_stated),
      cmocka_unit_test(what_has_no_monomials_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
