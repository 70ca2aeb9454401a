/* test_exp_bound.c - the bound is below e^x and within two units of it, by MPFR with 400 bits. */
/* suite: both */
#include "test_support.h"

#include <mpfr.h>

#include "base/math/exp_bound.h"

enum { BITS = 400 };

/* Whether (mantissa + more)/2^shift <= e^x, for certain. */
static bool at_most(sfm_ratio x, sfmi_dyadic_bound bound, unsigned more) {
  mpfr_t power, side;
  mpfr_inits2(BITS, power, side, (mpfr_ptr)0);
  mpfr_set_ui(power, x.numerator, MPFR_RNDD);
  mpfr_div_ui(power, power, x.denominator, MPFR_RNDD);
  mpfr_exp(power, power, MPFR_RNDD);
  mpfr_set_ui(side, bound.mantissa, MPFR_RNDU);
  mpfr_add_ui(side, side, more, MPFR_RNDU);
  mpfr_div_2ui(side, side, bound.shift, MPFR_RNDU);
  const bool result = mpfr_lessequal_p(side, power);
  mpfr_clears(power, side, (mpfr_ptr)0);
  return result;
}

static void check(sfm_ratio x) {
  const sfmi_dyadic_bound bound = sfmi_exp_lower_bound(x);
  const bool fine = bound.mantissa >> 63 && bound.shift <= 63 && at_most(x, bound, 0);
  if (!fine || at_most(x, bound, 2))
    fail_msg("e^(%lu/%lu) is not between %lu/2^%u and two more", (unsigned long)x.numerator,
             (unsigned long)x.denominator, (unsigned long)bound.mantissa, bound.shift);
}

static void holds_at_the_ends(void **state) {
  (void)state;
  const sfm_ratio ratios[] = {{1, 1},
                              {1, 2},
                              {SFMI_EXP_BOUND_MAX, 1},
                              {1, UINT64_MAX},
                              {UINT64_MAX, UINT64_MAX},
                              {UINT64_MAX - 1, UINT64_MAX},
                              {UINT64_MAX, UINT64_MAX / SFMI_EXP_BOUND_MAX + 1},
                              {1, 1000000},
                              {1, UINT64_C(1) << 63}};
  for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) check(ratios[i]);
  const sfmi_dyadic_bound one = sfmi_exp_lower_bound((sfm_ratio){0, 1});
  assert_true(one.mantissa == UINT64_C(1) << 63 && one.shift == 63); /* e^0 itself */
}

/* Near multiples of ln 2, where the number of doublings changes. */
static void holds_around_powers_of_two(void **state) {
  (void)state;
  for (unsigned k = 1; k <= 63; k++)
    for (int off = -3; off <= 3; off++) {
      const double scale = 0x1p53;
      const uint64_t top = (uint64_t)(k * M_LN2 / 64 * scale) + (uint64_t)off;
      check((sfm_ratio){top, (uint64_t)scale / 64});
    }
}

static void holds_at_random(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 4);
  for (int i = 0; i < 20000; i++) {
    const uint64_t bottom = (sfmi_prng_word(&prng) >> (sfmi_prng_word(&prng) % 64)) | 1;
    const double wanted = (double)bottom * SFMI_EXP_BOUND_MAX * sfmi_prng_uniform(&prng);
    const uint64_t top = wanted < 0x1p63 ? (uint64_t)wanted : bottom / 3;
    check((sfm_ratio){top ? top : 1, bottom});
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(holds_at_the_ends),
      cmocka_unit_test(holds_around_powers_of_two),
      cmocka_unit_test(holds_at_random),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
