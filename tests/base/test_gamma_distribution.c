/* test_gamma_distribution.c - the gamma distribution against closed forms: whole shapes are Poisson
 * tails, a half is the square of a normal. */
#include "test_support.h"

#include "base/math/gamma_distribution.h"
#include "base/math/normal_distribution.h"

static void whole_shapes_are_tails_of_poisson(void **state) {
  (void)state;
  for (int a = 1; a <= 300; a += 13)
    for (double x = 0.05; x < 3 * a + 20; x *= 1.7) {
      double term = exp(-x), below = 0;
      for (int k = 0; k < a; k++) {
        below += term;
        term *= x / (k + 1);
      }
      assert_near("below", sfmi_gamma_cdf(a, x), 1 - below, 1e-12);
    }
}

static void a_half_is_the_square_of_a_normal(void **state) {
  (void)state;
  for (double z = 0.01; z < 6; z += 0.17)
    assert_near("below", sfmi_gamma_cdf(0.5, z * z / 2), 1 - 2 * sfmi_normal_tail(z), 1e-13);
}

static void quantiles_turn_it_round(void **state) {
  (void)state;
  const double ps[] = {1e-6, 0.025, 0.3, 0.5, 0.975, 1 - 1e-6};
  for (double a = 0.02; a < 1e5; a *= 2.3)
    for (size_t i = 0; i < sizeof ps / sizeof *ps; i++) {
      const double x = sfmi_gamma_quantile(a, ps[i]);
      if (x == 0) continue;
      assert_near("p", sfmi_gamma_cdf(a, x), ps[i], 1e-9);
    }
  assert_true(sfmi_gamma_quantile(1e-4, 0.025) == 0);
  assert_true(sfmi_gamma_cdf(3, 0) == 0 && sfmi_gamma_cdf(3, -1) == 0);
}

/* Where the approximation takes over, the two agree. */
static void large_shapes_join(void **state) {
  (void)state;
  for (double p = 0.025; p < 1; p += 0.19)
    assert_relative("quantile", sfmi_gamma_quantile(1.000001e4, p), sfmi_gamma_quantile(1e4, p),
                    5e-6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(whole_shapes_are_tails_of_poisson),
      cmocka_unit_test(a_half_is_the_square_of_a_normal),
      cmocka_unit_test(quantiles_turn_it_round),
      cmocka_unit_test(large_shapes_join),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
