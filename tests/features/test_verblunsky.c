/* test_verblunsky.c - canonical parameters and moments: closed forms, both ways, positive Toeplitz
 * matrices up to m = 2000, rounding; the gauge and the sensitivity. */
#include "test_support.h"

#include "lapack_complex.h"
#include "verblunsky_reference.h"

typedef struct vectors {
  double *uniforms;
  double complex *c, *work;
  sfmi_verblunsky *p, *q;
} vectors;

static void vectors_init(vectors *v, size_t m) {
  *v = (vectors){calloc(2 * m, sizeof(double)), calloc(m, sizeof(double complex)),
                 calloc(m, sizeof(double complex)), calloc(m, sizeof(sfmi_verblunsky)),
                 calloc(m, sizeof(sfmi_verblunsky))};
}

static void vectors_clear(vectors *v) {
  free(v->uniforms);
  free(v->c);
  free(v->work);
  free(v->p);
  free(v->q);
}

static void vectors_draw(vectors *v, sfmi_prng *prng, size_t m) {
  for (size_t i = 0; i < 2 * m; i++) v->uniforms[i] = sfmi_prng_uniform(prng);
  sfmi_verblunsky_parameters(v->p, v->uniforms, m);
  sfmi_verblunsky_moments(v->c, v->p, v->work, m);
}

static double gauge_of(const double complex *z, size_t m) {
  const double gauge = verblunsky_reference_gauge(z, m);
  assert_false(isnan(gauge));
  return gauge;
}

/* c_1 = g_1, c_2 = g_1^2 + E_1 g_2, c_3 = g_1 c_2 + E_1 g_2 (g_1 - conj(g_1) g_2) + E_2 g_3. */
static void first_moments_are_their_formulas(void **state) {
  (void)state;
  const double complex g[] = {0.3 - 0.4 * I, -0.2 + 0.6 * I, 0.5 * I};
  sfmi_verblunsky p[3];
  double complex c[3], work[3];
  for (int k = 0; k < 3; k++)
    p[k] = (sfmi_verblunsky){g[k], 1 - creal(g[k]) * creal(g[k]) - cimag(g[k]) * cimag(g[k])};
  sfmi_verblunsky_moments(c, p, work, 3);
  const double E1 = p[0].rest, E2 = E1 * p[1].rest;
  const double complex second = g[0] * g[0] + E1 * g[1];
  assert_true(cabs(c[0] - g[0]) < 1e-15);
  assert_true(cabs(c[1] - second) < 1e-15);
  assert_true(cabs(c[2] - (g[0] * second + E1 * g[1] * (g[0] - conj(g[0]) * g[1]) + E2 * g[2])) <
              1e-15);
}

static void uniforms_become_parameters(void **state) {
  (void)state;
  /* 1 - |g_k|^2 = U^(1/(2(m - k) + 1)): exactly the Beta law's quantiles, also where |g| is all but
   * 1 or 0. */
  const double uniforms[] = {0.5, 0.25, 0x1p-53, 0, 1 - 0x1p-53, 0.5};
  sfmi_verblunsky p[3];
  sfmi_verblunsky_parameters(p, uniforms, 3);
  assert_relative("rest", p[0].rest, pow(0.5, 1.0 / 5), 1e-15);
  assert_true(cabs(p[0].g - I * sqrt(1 - pow(0.5, 1.0 / 5))) < 1e-15);
  assert_relative("near the circle", p[1].rest, pow(0x1p-53, 1.0 / 3), 1e-14);
  assert_relative("near zero", creal(p[2].g), -sqrt(0x1p-53), 1e-14);
}

static void parameters_come_back(void **state) {
  (void)state;
  static const size_t sizes[] = {1, 2, 5, 30, 200, 2000};
  sfmi_prng prng;
  sfmi_prng_init(&prng, 1);
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    const size_t m = sizes[s];
    vectors v;
    vectors_init(&v, m);
    vectors_draw(&v, &prng, m);
    assert_true(verblunsky_reference_invert(v.q, v.c, m));
    for (size_t k = 0; k < m; k++) {
      assert_true(cabs(v.q[k].g - v.p[k].g) < 1e-10);
      assert_near("rest", v.q[k].rest, v.p[k].rest, 1e-10);
    }
    double complex *again = calloc(m, sizeof *again);
    sfmi_verblunsky_point(again, v.uniforms, v.work, m);
    assert_memory_equal(again, v.c, m * sizeof *again);
    free(again);
    vectors_clear(&v);
  }
}

/* LAPACK's Cholesky factor of I + B(c) exists, and its determinant is prod_k prod_(j<=k)
 * (1-|g_j|^2).
 */
static void assert_positive(const vectors *v, size_t m) {
  const size_t n = m + 1;
  double complex *T = calloc(n * n, sizeof *T);
  double wanted = 0, log_error = 0, got = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t j = i; j < n; j++) T[i * n + j] = i == j ? 1 : v->c[j - i - 1];
  cholesky_of_upper(T, (int)n);
  for (size_t k = 0; k < n; k++) {
    got += 2 * log(creal(T[k * n + k]));
    if (k == 0) continue;
    log_error += log(v->p[k - 1].rest);
    wanted += log_error;
  }
  assert_near("log determinant", got, wanted, 1e-9 * (1 + fabs(wanted)));
  free(T);
}

static void every_draw_is_a_positive_sequence(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 2);
  for (size_t round = 0; round < 300; round++) {
    const size_t m = round < 250   ? 1 + round % 50
                     : round < 298 ? 100
                     : round < 299 ? 700
                                   : SFMI_VERBLUNSKY_MAX;
    vectors v;
    vectors_init(&v, m);
    vectors_draw(&v, &prng, m);
    assert_positive(&v, m);
    vectors_clear(&v);
  }
}

/* sum_k |c_k - exact c_k|, the exact ones by the same recursion in long doubles. */
static double rounding(const vectors *v, size_t m) {
  long double complex *c = calloc(m, sizeof *c), *a = calloc(m, sizeof *a);
  long double E = 1, sum = 0;
  for (size_t k = 1; k <= m; k++) {
    const long double complex g = v->p[k - 1].g;
    for (size_t i = 1; i < k; i++) c[k - 1] -= a[i - 1] * c[k - i - 1];
    c[k - 1] += E * g;
    for (size_t i = 1, j = k - 1; i <= j; i++, j--) {
      const long double complex low = a[i - 1], high = a[j - 1];
      a[i - 1] = low - g * conjl(high);
      a[j - 1] = high - g * conjl(low);
    }
    a[k - 1] = -g;
    E *= v->p[k - 1].rest;
    sum += cabsl(c[k - 1] - v->c[k - 1]);
  }
  free(c);
  free(a);
  return (double)sum;
}

/* What the gauge can be off by (twice this sum, see rounding_is_twice_the_sum) is nothing. */
static void recursion_loses_no_digits(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 3);
  for (size_t round = 0; round < 60; round++) {
    const size_t m = round ? 10 * round : SFMI_VERBLUNSKY_MAX;
    vectors v;
    vectors_init(&v, m);
    vectors_draw(&v, &prng, m);
    assert_true(rounding(&v, m) < 1e-12);
    vectors_clear(&v);
  }
}

/* ---- the gauge ---- */

static void gauge_is_membership(void **state) {
  (void)state;
  enum { M = 7 };
  sfmi_prng prng;
  sfmi_prng_init(&prng, 4);
  sfmi_verblunsky p[M];
  double complex z[M], scaled[M];
  for (int round = 0; round < 500; round++) {
    for (int k = 0; k < M; k++) z[k] = sfmi_prng_normal(&prng) + I * sfmi_prng_normal(&prng);
    const double gauge = gauge_of(z, M);
    assert_true(gauge > 0);
    for (int k = 0; k < M; k++) scaled[k] = z[k] / gauge * (1 - 1e-6);
    assert_true(verblunsky_reference_invert(p, scaled, M));
    for (int k = 0; k < M; k++) scaled[k] = z[k] / gauge * (1 + 1e-6);
    assert_false(verblunsky_reference_invert(p, scaled, M));
  }
}

static void curve_has_gauge_one_and_its_opposite_m(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 5);
  for (size_t m = 1; m <= 40; m++) {
    double complex c[40];
    sfmi_verblunsky_curve(c, sfmi_prng_uniform(&prng), m);
    assert_near("gauge(Psi)", gauge_of(c, m), 1, 1e-12 * (double)m);
    for (size_t k = 0; k < m; k++) c[k] = -c[k];
    assert_near("gauge(-Psi)", gauge_of(c, m), (double)m, 1e-12 * (double)m);
  }
  double complex c[3];
  sfmi_verblunsky_curve(c, 0.125, 3);
  assert_true(cabs(c[0] - (1 + I) / M_SQRT2) < 1e-15 && cabs(c[1] - I) < 1e-15);
}

/* The gauge of a difference is sqrt((m+1)^2 - |u*v|^2) in both orders, and a search over pairs
 * comes up to m + 1 and never passes it.  For m >= 2 that is more than the printed 2. */
static void one_row_moves_the_gauge_by_m_plus_one(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 6);
  static const size_t sizes[] = {1, 2, 3, 5, 10, 24};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    const size_t m = sizes[s];
    const double bound = (double)m + 1;
    double most = 0;
    for (int round = 0; round < 300; round++) {
      const double y = sfmi_prng_uniform(&prng);
      const double t = round % 2 ? sfmi_prng_uniform(&prng) : (1 + round % (int)m) / bound;
      double complex a[24], b[24], back[24];
      sfmi_verblunsky_curve(a, y + t, m);
      sfmi_verblunsky_curve(b, y, m);
      for (size_t k = 0; k < m; k++) {
        a[k] -= b[k];
        back[k] = -a[k];
      }
      const double gauge = gauge_of(a, m);
      assert_near("formula", gauge, verblunsky_reference_distance(t, m), 1e-10 * bound);
      assert_near("both orders", gauge_of(back, m), gauge, 1e-10 * bound);
      most = fmax(most, gauge);
    }
    assert_true(most <= bound * (1 + 1e-12) && most > bound * (1 - 1e-9));
    if (m >= 2) assert_true(most > 2.9);
  }
  assert_near("no distance", verblunsky_reference_distance(0, 5), 0, 0);
  assert_near("a whole turn", verblunsky_reference_distance(1, 5), 0, 1e-6);
}

/* {sum |c_k| <= 1/2} is in K_m, so that rounding e has gauge at most 2 sum |e_k|; no smaller factor
 * does for all m. */
static void rounding_is_twice_the_sum(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 7);
  for (int round = 0; round < 500; round++) {
    const size_t m = 1 + (size_t)round % 30;
    double complex z[30];
    double sum = 0;
    for (size_t k = 0; k < m; k++) {
      z[k] = pow(sfmi_prng_uniform(&prng), 4) * cexp(2 * M_PI * I * sfmi_prng_uniform(&prng));
      sum += cabs(z[k]);
    }
    assert_true(gauge_of(z, m) <= 2 * sum * (1 + 1e-12));
  }
  double complex z[200] = {1};
  assert_near("the first alone", gauge_of(z, 200), 2 * cos(M_PI / 202), 1e-9);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(first_moments_are_their_formulas),
      cmocka_unit_test(uniforms_become_parameters),
      cmocka_unit_test(parameters_come_back),
      cmocka_unit_test(every_draw_is_a_positive_sequence),
      cmocka_unit_test(recursion_loses_no_digits),
      cmocka_unit_test(gauge_is_membership),
      cmocka_unit_test(curve_has_gauge_one_and_its_opposite_m),
      cmocka_unit_test(one_row_moves_the_gauge_by_m_plus_one),
      cmocka_unit_test(rounding_is_twice_the_sum),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
