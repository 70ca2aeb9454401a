/* test_double_double.c - sums of two doubles carry about 100 bits, against MPFR. */
/* suite: both */
#include "test_support.h"

#include <mpfr.h>

#include "base/math/double_double.h"

#define BITS 2200 /* enough for any sum or product of two doubles in the range below */

static void set(mpfr_t out, sfmi_dd x) {
  mpfr_set_d(out, x.hi, MPFR_RNDN);
  mpfr_add_d(out, out, x.lo, MPFR_RNDN);
}

/* |got - exact| <= 2^-bits of size. */
static void close_to(sfmi_dd got, mpfr_t exact, double size, long bits) {
  mpfr_t off;
  mpfr_init2(off, BITS);
  set(off, got);
  mpfr_sub(off, off, exact, MPFR_RNDN);
  mpfr_abs(off, off, MPFR_RNDN);
  mpfr_mul_2si(off, off, bits, MPFR_RNDN);
  assert_true(mpfr_cmp_d(off, fabs(size)) <= 0);
  assert_true(fabs(got.lo) <= 0x1p-53 * fabs(got.hi));
  mpfr_clear(off);
}

static double draw(sfmi_prng *prng) {
  double size = exp(40 * (sfmi_prng_uniform(prng) - 0.5));
  return sfmi_prng_uniform(prng) < 0.5 ? size : -size;
}

static void operations_are_right_to_100_bits(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 7);
  mpfr_t exact, other;
  mpfr_inits2(BITS, exact, other, (mpfr_ptr)0);
  for (int i = 0; i < 2000; i++) {
    const double a = draw(&prng), b = draw(&prng), c = draw(&prng);
    const sfmi_dd ab = sfmi_dd_two_product(a, b);
    mpfr_set_d(exact, a, MPFR_RNDN);
    mpfr_mul_d(exact, exact, b, MPFR_RNDN);
    close_to(ab, exact, 0, 0);
    const sfmi_dd sum = sfmi_dd_two_sum(a, c);
    mpfr_set_d(other, a, MPFR_RNDN);
    mpfr_add_d(other, other, c, MPFR_RNDN);
    close_to(sum, other, 0, 0);
    mpfr_add(other, other, exact, MPFR_RNDN);
    close_to(sfmi_dd_add(ab, sum), other, fmax(fabs(ab.hi), fabs(sum.hi)), 100);
    mpfr_mul_d(other, exact, c, MPFR_RNDN);
    close_to(sfmi_dd_scale(ab, c), other, mpfr_get_d(other, MPFR_RNDN), 100);
    mpfr_d_div(other, c, exact, MPFR_RNDN);
    close_to(sfmi_dd_divide(c, ab), other, mpfr_get_d(other, MPFR_RNDN), 100);
  }
  mpfr_clears(exact, other, (mpfr_ptr)0);
  mpfr_free_cache();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(operations_are_right_to_100_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
