/* test_curve_smoother.c - fits of curves against dense normal equations, through holes, at any
 * size, and bit for bit the same whatever came before. */
#include "curve_fixtures.h"

#include "estimators/curves/curve_smoother.h"

/* x := A^-1 x in long double, A of n x n: Gauss with pivots. */
static void dense_solve(long double *A, long double *x, size_t n) {
  for (size_t k = 0; k < n; k++) {
    size_t pivot = k;
    for (size_t i = k; i < n; i++)
      if (fabsl(A[i * n + k]) > fabsl(A[pivot * n + k])) pivot = i;
    for (size_t j = 0; j < n; j++) {
      const long double t = A[k * n + j];
      A[k * n + j] = A[pivot * n + j];
      A[pivot * n + j] = t;
    }
    const long double t = x[k];
    x[k] = x[pivot];
    x[pivot] = t;
    for (size_t i = k + 1; i < n; i++) {
      const long double by = A[i * n + k] / A[k * n + k];
      for (size_t j = k; j < n; j++) A[i * n + j] -= by * A[k * n + j];
      x[i] -= by * x[k];
    }
  }
  for (size_t k = n; k-- > 0;) {
    for (size_t j = k + 1; j < n; j++) x[k] -= A[k * n + j] * x[j];
    x[k] /= A[k * n + k];
  }
}

/* (Phi_S' Phi_S + ridge I) w = Phi_S' y. */
static void normal_equations(double *w, const sfmi_basis *basis, double ridge,
                             const double *values) {
  static long double A[BENT_MAX * BENT_MAX], x[BENT_MAX];
  static double phi[BENT_MAX * BENT_MAX];
  const size_t m = basis->count;
  sfmi_basis_at(basis, phi, basis->points, basis->nodes);
  for (size_t j = 0; j < m; j++) {
    x[j] = 0;
    for (size_t k = 0; k < m; k++) A[j * m + k] = j == k ? ridge : 0;
  }
  for (size_t i = 0; i < basis->nodes; i++) {
    if (!isfinite(values[i])) continue;
    for (size_t j = 0; j < m; j++) {
      x[j] += (long double)phi[i * m + j] * values[i];
      for (size_t k = 0; k < m; k++) A[j * m + k] += (long double)phi[i * m + j] * phi[i * m + k];
    }
  }
  dense_solve(A, x, m);
  for (size_t j = 0; j < m; j++) w[j] = (double)x[j];
}

static void fit(sfmi_smoother *smoother, double *w, const double *values, size_t m) {
  sfm_error error;
  int exponent;
  assert_ok(sfmi_smoother_fit(smoother, w, &exponent, values, &error), &error);
  for (size_t j = 0; j < m; j++) w[j] = ldexp(w[j], exponent);
}

static sfmi_smoother *smoother_of(const sfmi_basis *basis, double ridge) {
  sfm_error error;
  sfmi_smoother *smoother = NULL;
  assert_ok(sfmi_smoother_create(&smoother, basis, ridge, &error), &error);
  return smoother;
}

/* Holes of every kind, by round: none, a few, half of them, nearly all, one long gap, the ends. */
static void punch(double *values, size_t count, int round, sfmi_prng *prng) {
  static const double shares[] = {0, 0.1, 0.5, 0.95, 0, 0};
  bent_curve(values, count, 100, shares[round % 6], prng);
  for (size_t i = 0; i < count; i++)
    if ((round % 6 == 4 && i > count / 4 && i < 2 * count / 3) ||
        (round % 6 == 5 && (i < count / 5 || i > 4 * count / 5)))
      values[i] = NAN;
}

/* Off by rounding times the condition number alone, down to the least ridge there is: the weights
 * in their size, and the fitted function in that of the values. */
static void fits_solve_the_normal_equations(void **state) {
  (void)state;
  static const struct {
    sfm_kernel_family family;
    double h, ridge;
  } cases[] = {{SFM_KERNEL_MATERN52, 0.1, 0.01},  {SFM_KERNEL_MATERN12, 0.3, 1e-6},
               {SFM_KERNEL_GAUSSIAN, 0.2, 0.1},   {SFM_KERNEL_GAUSSIAN, 0.2, 1e-4},
               {SFM_KERNEL_GAUSSIAN, 0.2, 31e-6}, {SFM_KERNEL_GAUSSIAN, 1, 31e-10},
               {SFM_KERNEL_MATERN52, 1, 31e-10},  {SFM_KERNEL_CAUCHY, 0.1, 3},
               {SFM_KERNEL_MATERN32, 5, 0.01},    {SFM_KERNEL_MATERN52, 0.3, 31e-6}};
  sfmi_prng prng;
  sfmi_prng_init(&prng, 11);
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    const size_t T = 31;
    const double condition = (double)T / cases[c].ridge;
    sfmi_basis *basis = bent_basis(cases[c].family, cases[c].h, T);
    sfmi_smoother *smoother = smoother_of(basis, cases[c].ridge);
    double phi[BENT_MAX * BENT_MAX];
    sfmi_basis_at(basis, phi, basis->points, T);
    for (int i = 0; i < 60; i++) {
      double values[BENT_MAX], w[BENT_MAX], wanted[BENT_MAX], size = 0;
      punch(values, T, i, &prng);
      fit(smoother, w, values, basis->count);
      normal_equations(wanted, basis, cases[c].ridge, values);
      for (size_t j = 0; j < basis->count; j++) size = fmax(size, fabs(wanted[j]));
      for (size_t j = 0; j < basis->count; j++)
        assert_near("w", w[j], wanted[j], 1e-14 * condition * size + 1e-12 * size);
      for (size_t k = 0; k < T; k++) {
        double off = 0;
        for (size_t j = 0; j < basis->count; j++)
          off += (w[j] - wanted[j]) * phi[k * basis->count + j];
        assert_near("f", off, 0, (1e-9 + 1e-14 * condition) * (isnan(values[k]) ? size : 100));
      }
    }
    sfmi_smoother_destroy(smoother);
    sfmi_basis_destroy(basis);
  }
}

/* As the ridge goes to its floor, fits go through the values that are there. */
static void without_a_ridge_fits_go_through_the_values(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 12);
  for (int i = 0; i < 60; i++) {
    const size_t T = 25;
    sfmi_basis *basis = bent_basis(i % 2 ? SFM_KERNEL_MATERN12 : SFM_KERNEL_MATERN32, 0.1, T);
    double values[BENT_MAX], w[BENT_MAX], phi[BENT_MAX * BENT_MAX], before = INFINITY;
    bent_curve(values, T, 1, i % 3 ? 0.3 : 0, &prng);
    sfmi_basis_at(basis, phi, basis->points, T);
    for (double ridge = 1; ridge > 1e-9; ridge = fmax(ridge / 100, SFMI_RIDGE_FLOOR * (double)T)) {
      sfmi_smoother *smoother = smoother_of(basis, ridge);
      double off = 0;
      fit(smoother, w, values, basis->count);
      for (size_t k = 0; k < T; k++) {
        double value = 0;
        for (size_t j = 0; j < basis->count; j++) value += w[j] * phi[k * basis->count + j];
        if (isfinite(values[k])) off = fmax(off, fabs(value - values[k]));
      }
      assert_true(off < before + 1e-12);
      before = off;
      sfmi_smoother_destroy(smoother);
      if (ridge == SFMI_RIDGE_FLOOR * (double)T) break;
    }
    if (before > 1e-5) fail_msg("off by %g", before);
    sfmi_basis_destroy(basis);
  }
}

/* A single value y gives w = b(t) y/(1 + ridge): the norm of the shortest curve through it. */
static void one_value_is_enough_and_none_is_zero(void **state) {
  (void)state;
  const size_t T = 20;
  sfmi_basis *basis = bent_basis(SFM_KERNEL_MATERN52, 0.2, T);
  sfmi_smoother *smoother = smoother_of(basis, 0.25);
  double values[BENT_MAX], w[BENT_MAX], at[BENT_MAX];
  for (size_t i = 0; i < T; i++) values[i] = NAN;
  fit(smoother, w, values, basis->count);
  for (size_t j = 0; j < basis->count; j++) assert_true(w[j] == 0);
  values[7] = -3;
  fit(smoother, w, values, basis->count);
  sfmi_basis_at(basis, at, &basis->points[7], 1);
  for (size_t j = 0; j < basis->count; j++) assert_near("w", w[j], -3 * at[j] / 1.25, 1e-9);
  values[7] = 0;
  fit(smoother, w, values, basis->count);
  for (size_t j = 0; j < basis->count; j++) assert_true(w[j] == 0);
  sfmi_smoother_destroy(smoother);
  sfmi_basis_destroy(basis);
}

/* Any size of values gives the same numbers, in another power of two. */
static void sizes_are_harmless(void **state) {
  (void)state;
  const size_t T = 30;
  sfm_error error;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 13);
  sfmi_basis *basis = bent_basis(SFM_KERNEL_MATERN32, 0.1, T);
  sfmi_smoother *smoother = smoother_of(basis, 0.01);
  for (int i = 0; i < 20; i++) {
    double values[BENT_MAX], scaled[BENT_MAX], w[BENT_MAX], other[BENT_MAX];
    int e, f;
    bent_curve(values, T, 1, i % 2 ? 0.2 : 0, &prng);
    assert_ok(sfmi_smoother_fit(smoother, w, &e, values, &error), &error);
    for (int power = -900; power <= 1000; power += 190) {
      for (size_t k = 0; k < T; k++) scaled[k] = ldexp(values[k], power);
      assert_ok(sfmi_smoother_fit(smoother, other, &f, scaled, &error), &error);
      assert_int_equal(f, e + power);
      assert_memory_equal(w, other, basis->count * sizeof *w);
    }
  }
  double values[BENT_MAX], w[BENT_MAX];
  int e;
  for (size_t k = 0; k < T; k++) values[k] = k % 2 ? 1.7976931348623157e308 : -5e-324;
  assert_ok(sfmi_smoother_fit(smoother, w, &e, values, &error), &error);
  for (size_t j = 0; j < basis->count; j++) assert_true(fabs(w[j]) < 1e3);
  for (size_t k = 0; k < T; k++) values[k] = 5e-324;
  assert_ok(sfmi_smoother_fit(smoother, w, &e, values, &error), &error);
  assert_int_equal(e, -1073);
  sfmi_smoother_destroy(smoother);
  sfmi_basis_destroy(basis);
}

/* More patterns of holes than are remembered, in changing order: each record's numbers are those
 * that a smoother gives which has never seen another. */
static void a_fit_depends_on_its_record_alone(void **state) {
  (void)state;
  enum { RECORDS = 300 };
  const size_t T = 33;
  static double values[RECORDS][BENT_MAX], w[RECORDS][BENT_MAX], again[BENT_MAX];
  sfmi_prng prng;
  sfmi_prng_init(&prng, 14);
  sfmi_basis *basis = bent_basis(SFM_KERNEL_MATERN52, 0.05, T);
  sfmi_smoother *smoother = smoother_of(basis, 0.01);
  for (size_t r = 0; r < RECORDS; r++) {
    bent_curve(values[r], T, 1, r % 5 ? 0.3 : 0, &prng);
    fit(smoother, w[r], values[r], basis->count);
  }
  for (size_t r = RECORDS; r-- > 0;) {
    fit(smoother, again, values[r * 7 % RECORDS], basis->count);
    assert_memory_equal(again, w[r * 7 % RECORDS], basis->count * sizeof *again);
    if (r % 10) continue;
    sfmi_smoother *fresh = smoother_of(basis, 0.01);
    fit(fresh, again, values[r], basis->count);
    assert_memory_equal(again, w[r], basis->count * sizeof *again);
    sfmi_smoother_destroy(fresh);
  }
  sfmi_smoother_destroy(smoother);
  sfmi_basis_destroy(basis);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fits_solve_the_normal_equations),
      cmocka_unit_test(without_a_ridge_fits_go_through_the_values),
      cmocka_unit_test(one_value_is_enough_and_none_is_zero),
      cmocka_unit_test(sizes_are_harmless),
      cmocka_unit_test(a_fit_depends_on_its_record_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
