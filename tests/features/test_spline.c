/* test_spline.c - integer weights against real B-splines, and the bound on aliases against sums. */
/* suite: both */
#include "test_support.h"

#include <complex.h>

#include "base/math/elementary.h"
#include "features/kernels/spline.h"

/* Weight of neighbour j at t, by the definition of the B-spline of that order. */
static long double real_weight(unsigned order, unsigned j, long double t) {
  /* The cardinal B-spline by Cox and de Boor at x = order - 1 - j + t. */
  long double x = (long double)(order - 1 - j) + t, b[SFMI_SPLINE_MAX];
  for (unsigned i = 0; i < order; i++) {
    /* Half-open cells, but for the right end, which belongs to the last. */
    long double y = x - (long double)i;
    b[i] = y >= 0 && y < 1 ? 1 : 0;
  }
  for (unsigned k = 2; k <= order; k++)
    for (unsigned i = 0; i + k <= order; i++) {
      long double y = x - (long double)i;
      b[i] = (y * b[i] + ((long double)k - y) * b[i + 1]) / (long double)(k - 1);
    }
  return b[0];
}

static const double places[] = {0,        4.9406564584124654e-324,
                                1e-310,   2.2250738585072014e-308,
                                1e-20,    0x1p-53,
                                1e-8,     0.1,
                                0.25,     1.0 / 3,
                                0.5,      2.0 / 3,
                                0.75,     0.9,
                                1 - 1e-8, 1 - 0x1p-53,
                                1};

static void check_at(unsigned order, unsigned bits, double t) {
  static int32_t weights[SFMI_SPLINE_MAX][SFMI_SPLINE_BLOCK];
  int64_t w[SFMI_SPLINE_MAX], sum = 0;
  /* The same t among others, at every place of a vector register. */
  double block[9] = {0.3, 0.9, 0.1, 0.7, 0.2, 1, 0, 0.5, 0.4};
  for (size_t i = 0; i < 9; i++) {
    double other = block[i];
    block[i] = t;
    sfmi_spline_weights(weights, order, bits, block, 9);
    block[i] = other;
    for (unsigned j = 0; j < order; j++) {
      assert_true(i == 0 || w[j] == weights[j][i]);
      w[j] = weights[j][i];
    }
  }
  for (unsigned j = 0; j < order; j++) {
    long double wanted = t < 1 ? real_weight(order, j, (long double)t)
                         : j   ? real_weight(order, j - 1, 0)
                               : 0;
    sum += w[j];
    assert_true(w[j] >= 0);
    assert_near("weight", (double)((long double)w[j] - ldexpl(wanted, (int)bits)), 0,
                0.5 * (order - 1) + 0x1p-20);
  }
  assert_true(sum == (int64_t)1 << bits);
}

static void weights_are_splines_that_sum_exactly(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 6);
  for (unsigned order = SFMI_SPLINE_MIN; order <= SFMI_SPLINE_MAX; order++)
    for (unsigned bits = 4; bits <= 30; bits++) {
      for (size_t i = 0; i < sizeof places / sizeof *places; i++) check_at(order, bits, places[i]);
      for (int i = 0; i < 2000; i++) check_at(order, bits, sfmi_prng_uniform(&prng));
      for (int i = 0; i <= 64; i++) check_at(order, bits, i / 64.0);
    }
}

/* sum over 0 < |l| <= 40000 of |sinc(u+l)/sinc(u)|^(order power). */
static double brute_alias(unsigned order, double u, unsigned power) {
  double sum = 0;
  for (int l = 40000; l >= 1; l--)
    sum += pow(fabs(sfmi_sinc(u + l) / sfmi_sinc(u)), order * power) +
           pow(fabs(sfmi_sinc(u - l) / sfmi_sinc(u)), order * power);
  return sum;
}

static void alias_bounds_the_sum_closely(void **state) {
  (void)state;
  for (unsigned order = 2; order <= SFMI_SPLINE_MAX; order++)
    for (unsigned power = 1; power <= 2; power++)
      for (double u = 0.01; u < 0.51; u += 0.07) {
        double bound = sfmi_spline_alias(order, u, power), sum = brute_alias(order, u, power);
        /* What the brute sum leaves out is below 2 u^2/40000. */
        double rest = order * power == 2 ? 2 * u * u / 40000 : 0;
        assert_true(bound >= sum * (1 - 1e-12));
        assert_true(bound <= (sum + rest) * (1 + 1e-3));
        assert_true(sfmi_spline_alias(order, -u, power) == bound);
      }
  assert_true(sfmi_spline_alias(4, 0, 1) == 0);
}

/* What the bound is for: spreading e^{2 pi i u x} and dividing by sinc^order. */
static void spreading_stays_within_the_alias_bound_and_reaches_it(void **state) {
  (void)state;
  for (unsigned order = 2; order <= SFMI_SPLINE_MAX; order++)
    for (double u = 0.05; u < 0.5; u += 0.05) {
      double worst = 0, bound = sfmi_spline_alias(order, u, 1);
      for (int i = 0; i < 1000; i++) {
        double t = i / 1000.0;
        double complex sum = 0;
        for (unsigned j = 0; j < order; j++)
          sum += (double)real_weight(order, j, t) *
                 cexp(2 * M_PI * I * u * ((double)j + 1 - 0.5 * order - t));
        double off = cabs(sum / pow(sfmi_sinc(u), order) - 1);
        worst = fmax(worst, off);
      }
      assert_true(worst <= bound * (1 + 1e-9));
      /* All aliases of an even order meet in phase at a lattice point; of an odd one, never all. */
      assert_true(worst >= (order % 2 ? 0.8 : 0.999) * bound);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(weights_are_splines_that_sum_exactly),
      cmocka_unit_test(alias_bounds_the_sum_closely),
      cmocka_unit_test(spreading_stays_within_the_alias_bound_and_reaches_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
