#include "stability_threshold.h"

#include <mpfr.h>

/* Enough for every directed evaluation below; each is a short chain of correctly rounded steps. */
#define PRECISION 256

/* P(Z > t) = r^(t+1)/(1 + r) <= cost for t + 1 >= s ln(1/((1 + r) cost)), r = e^(-1/s). */
int64_t sfmi_stability_threshold(sfm_ratio scale, uint32_t k, double cost) {
  mpfr_t bound, s;
  mpfr_inits2(PRECISION, bound, s, (mpfr_ptr)0);
  mpfr_set_ui(s, scale.denominator, MPFR_RNDN);
  mpfr_div_ui(s, s, scale.numerator, MPFR_RNDU);
  mpfr_neg(s, s, MPFR_RNDN);
  mpfr_exp(bound, s, MPFR_RNDD);
  mpfr_add_ui(bound, bound, 1, MPFR_RNDD);
  mpfr_mul_d(bound, bound, cost, MPFR_RNDD);
  mpfr_log(bound, bound, MPFR_RNDD);
  mpfr_neg(bound, bound, MPFR_RNDN);
  mpfr_set_ui(s, scale.numerator, MPFR_RNDN);
  mpfr_div_ui(s, s, scale.denominator, MPFR_RNDU);
  /* At a cost of 1/2 and more t = 0 will do, and a bound below zero must not grow. */
  if (mpfr_sgn(bound) < 0) mpfr_set_zero(bound, 1);
  mpfr_mul(bound, bound, s, MPFR_RNDU);
  mpfr_ceil(bound, bound);
  const int64_t t = (int64_t)mpfr_get_sj(bound, MPFR_RNDU) - 1;
  mpfr_clears(bound, s, (mpfr_ptr)0);
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
  return (int64_t)k + (t > 0 ? t : 0);
}

double sfmi_stability_share(double delta, uint64_t parts) {
  mpfr_t share;
  mpfr_init2(share, PRECISION);
  mpfr_set_d(share, delta, MPFR_RNDN);
  mpfr_div_ui(share, share, parts, MPFR_RNDD);
  const double result = mpfr_get_d(share, MPFR_RNDD);
  mpfr_clear(share);
  return result;
}

bool sfmi_stability_exempt(uint64_t *s, double gamma, uint64_t n, uint64_t p) {
  mpfr_t bound;
  mpfr_init2(bound, PRECISION);
  mpfr_set_d(bound, gamma, MPFR_RNDN);
  mpfr_mul_ui(bound, bound, n, MPFR_RNDD);
  mpfr_div_ui(bound, bound, p, MPFR_RNDD);
  mpfr_div_2ui(bound, bound, 1, MPFR_RNDD);
  const uint64_t most = (uint64_t)mpfr_get_uj(bound, MPFR_RNDD);
  mpfr_clear(bound);
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
  *s = most ? most - 1 : 0;
  return most > 0;
}
