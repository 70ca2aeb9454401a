/* test_whitening.c - whitened predictions move by no more than the weights do, also where the
 * matrix is nearly singular, given with errors, or of points that are there twice. */
/* suite: both */
#include "test_support.h"

#include "base/math/linear_algebra.h"
#include "base/math/whitening.h"

enum { POINTS = 30, FEATURES = 12 };

typedef struct cloud {
  double phi[POINTS * FEATURES], gram[POINTS * POINTS];
} cloud;

/* Features that fall off by `decay` one after the other; every third point is there twice. */
static void make_cloud(cloud *c, double decay, uint64_t seed) {
  sfmi_prng prng;
  sfmi_prng_init(&prng, seed);
  for (size_t i = 0; i < POINTS; i++) {
    double square = 0, *phi = c->phi + i * FEATURES;
    for (size_t j = 0; j < FEATURES; j++) {
      phi[j] = sfmi_prng_normal(&prng) * pow(decay, (double)j);
      square += phi[j] * phi[j];
    }
    for (size_t j = 0; j < FEATURES; j++) phi[j] /= sqrt(square) * (1 + 1e-15);
    if (i % 3 == 2) memcpy(phi, phi - FEATURES, FEATURES * sizeof *phi);
  }
  for (size_t i = 0; i < POINTS; i++)
    for (size_t j = 0; j < POINTS; j++) {
      long double sum = 0;
      for (size_t k = 0; k < FEATURES; k++)
        sum += (long double)c->phi[i * FEATURES + k] * c->phi[j * FEATURES + k];
      c->gram[i * POINTS + j] = (double)sum;
    }
}

/* The norm of w -> c, in long doubles, by powers; the map is U V' over the roots. */
static double norm_of(const cloud *c, const sfmi_whitening *w, size_t directions) {
  static long double map[POINTS][FEATURES];
  long double x[FEATURES], y[POINTS], length = 0;
  for (size_t i = 0; i < directions; i++)
    for (size_t k = 0; k < FEATURES; k++) {
      map[i][k] = 0;
      for (size_t j = 0; j < POINTS; j++)
        map[i][k] += (long double)w->vectors[i * POINTS + j] * c->phi[j * FEATURES + k];
      map[i][k] /= w->roots[i];
    }
  for (size_t k = 0; k < FEATURES; k++) x[k] = 1 + 0.1L * (long double)k;
  for (int round = 0; round < 2000; round++) {
    long double square = 0;
    for (size_t k = 0; k < FEATURES; k++) square += x[k] * x[k];
    for (size_t k = 0; k < FEATURES; k++) x[k] /= sqrtl(square);
    length = 0;
    for (size_t i = 0; i < directions; i++) {
      y[i] = 0;
      for (size_t k = 0; k < FEATURES; k++) y[i] += map[i][k] * x[k];
      length += y[i] * y[i];
    }
    for (size_t k = 0; k < FEATURES; k++) {
      x[k] = 0;
      for (size_t i = 0; i < directions; i++) x[k] += map[i][k] * y[i];
    }
  }
  return (double)sqrtl(length);
}

static sfmi_whitening *whiten(const double *gram, size_t count, double entry) {
  sfmi_whitening *w;
  sfm_error error;
  assert_ok(sfmi_whitening_create(&w, gram, count, entry, 0x1p-20, &error), &error);
  return w;
}

/* A lower bound of the least eigenvalue; 0 where the bound is not negative. */
static double least_of(const sfmi_whitening *w) {
  const double least = w->values[w->count - 1] - w->residual;
  return least < 0 ? least / (1 - w->skew) : 0;
}

static void the_map_is_no_longer_than_one_and_nearly_that(void **state) {
  (void)state;
  static const double decays[] = {1, 0.5, 0.1, 0.01};
  cloud c;
  for (size_t k = 0; k < 4; k++) {
    make_cloud(&c, decays[k], 20 + k);
    sfmi_whitening *w = whiten(c.gram, POINTS, 1e-15);
    const double norm = norm_of(&c, w, POINTS);
    print_message("decay %-4g |map| %.12f, residual %.2g, tau %.2g\n", decays[k], norm, w->residual,
                  w->tau);
    assert_true(norm <= 1);
    assert_true(norm > 1 - 1e-4);
    assert_true(norm_of(&c, w, 3) <= 1);
    assert_true(w->residual < 1e-11 && w->tau == 0x1p-20 && w->skew < 1e-11);
    sfmi_whitening_destroy(w);
  }
}

/* Entries off by as much as is said, so that all eigenvalues are too small. */
static void entries_that_are_off_are_covered(void **state) {
  (void)state;
  const double entry = 1e-4;
  cloud c;
  make_cloud(&c, 0.5, 30);
  for (size_t i = 0; i < POINTS * POINTS; i++) c.gram[i] *= 1 - entry;
  sfmi_whitening *w = whiten(c.gram, POINTS, entry), *trusting = whiten(c.gram, POINTS, 0);
  assert_true(norm_of(&c, w, POINTS) <= 1);
  assert_true(norm_of(&c, trusting, POINTS) > 1); /* and not for free */
  sfmi_whitening_destroy(w);
  sfmi_whitening_destroy(trusting);
}

static void the_largest_eigenvalue_is_not_below_the_true_one(void **state) {
  (void)state;
  double ones[25];
  for (int i = 0; i < 25; i++) ones[i] = 1;
  sfmi_whitening *w = whiten(ones, 5, 0);
  assert_true(w->largest >= 5 && w->largest < 5 * (1 + 1e-5));
  assert_true(least_of(w) <= 0 && least_of(w) > -1e-12);
  sfmi_whitening_destroy(w);
}

static void a_matrix_that_is_not_positive_is_told(void **state) {
  (void)state;
  const double matrix[] = {1, 2, 2, 1};
  sfmi_whitening *w = whiten(matrix, 2, 0);
  assert_near("least", least_of(w), -1, 1e-9);
  for (int i = 0; i < 2; i++) assert_true(w->roots[i] > 0);
  sfmi_whitening_destroy(w);
}

static void computed_numbers_are_as_near_as_is_said(void **state) {
  (void)state;
  const double off = 1e-9;
  double p[POINTS], q[POINTS], c[POINTS], weights[FEATURES], length = 0;
  cloud cloud_of;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 40);
  make_cloud(&cloud_of, 0.2, 41);
  sfmi_whitening *w = whiten(cloud_of.gram, POINTS, 1e-15);
  for (size_t k = 0; k < FEATURES; k++) weights[k] = 100 * sfmi_prng_normal(&prng);
  for (size_t j = 0; j < POINTS; j++) {
    p[j] = 0;
    for (size_t k = 0; k < FEATURES; k++) p[j] += weights[k] * cloud_of.phi[j * FEATURES + k];
    length += p[j] * p[j];
  }
  /* along the direction in which it hurts most */
  for (size_t j = 0; j < POINTS; j++)
    q[j] = p[j] + copysign(off, w->vectors[(POINTS - 1) * POINTS + j]);
  sfmi_whitening_apply(w, c, q, POINTS);
  long double square = 0;
  for (size_t i = 0; i < POINTS; i++) {
    long double exact = 0;
    for (size_t j = 0; j < POINTS; j++) exact += (long double)w->vectors[i * POINTS + j] * p[j];
    const long double apart = c[i] - exact / w->roots[i];
    square += apart * apart;
  }
  const double said = sfmi_whitening_off(w, POINTS, off, sqrt(length));
  assert_true(sqrtl(square) <= said);
  assert_true(sqrtl(square) > 0.3 * said);
  sfmi_whitening_destroy(w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_map_is_no_longer_than_one_and_nearly_that),
      cmocka_unit_test(entries_that_are_off_are_covered),
      cmocka_unit_test(the_largest_eigenvalue_is_not_below_the_true_one),
      cmocka_unit_test(a_matrix_that_is_not_positive_is_told),
      cmocka_unit_test(computed_numbers_are_as_near_as_is_said),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
