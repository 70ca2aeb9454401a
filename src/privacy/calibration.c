#include "calibration.h"

#include <assert.h>
#include <float.h>
#include <math.h>

#include <mpfr.h>

#include "base/math/least_double.h"

/* delta(mu, eps) = Phi(a) - e^eps Phi(b),  a = mu/2 - eps/mu,  b = -mu/2 - eps/mu.
 *
 * The two terms agree in nearly all their digits when mu is small (their difference is about
 * mu^2/eps of either), which is why doubles do not suffice: at eps = 1e-6, delta = 1e-300 thirty
 * bits cancel, and for the smallest mu a thousand. */
#define PRECISION_FIRST 128
#define PRECISION_LAST 4096

/* Relative width at which an enclosure of delta is narrow enough to be rounded to a double. */
#define ENCLOSURE_BITS 80

/* A bound of Phi(x) = erfc(-x/sqrt 2)/2: from above if up, else from below.  x is overwritten. */
static void normal_bound(mpfr_t out, mpfr_t x, bool up) {
  mpfr_neg(x, x, MPFR_RNDN);
  bool negative = mpfr_sgn(x) < 0;
  /* |x|/sqrt 2 as sqrt(x^2/2), rounded so that the signed argument of erfc is low for up. */
  mpfr_rnd_t way = negative == up ? MPFR_RNDU : MPFR_RNDD;
  mpfr_sqr(x, x, way);
  mpfr_div_2ui(x, x, 1, way);
  mpfr_sqrt(x, x, way);
  if (negative) mpfr_neg(x, x, MPFR_RNDN);
  mpfr_erfc(out, x, up ? MPFR_RNDU : MPFR_RNDD);
  mpfr_div_2ui(out, out, 1, up ? MPFR_RNDU : MPFR_RNDD);
}

/* One end of an enclosure of delta(mu, eps): from above if up, else from below.  mu > 0. */
static void delta_bound(mpfr_t out, double mu, double epsilon, bool up) {
  mpfr_rnd_t way = up ? MPFR_RNDU : MPFR_RNDD;
  mpfr_rnd_t other = up ? MPFR_RNDD : MPFR_RNDU;
  mpfr_t half, ratio, x, second;
  mpfr_inits2(mpfr_get_prec(out), half, ratio, x, second, (mpfr_ptr)0);
  mpfr_set_d(half, mu, MPFR_RNDN);
  mpfr_d_div(ratio, epsilon, half, other);
  mpfr_div_2ui(half, half, 1, MPFR_RNDN);
  mpfr_sub(x, half, ratio, way);
  normal_bound(out, x, up);

  mpfr_set_d(x, mu, MPFR_RNDN);
  mpfr_d_div(ratio, epsilon, x, way);
  mpfr_add(x, half, ratio, way);
  mpfr_neg(x, x, MPFR_RNDN);
  normal_bound(second, x, !up);
  mpfr_set_d(x, epsilon, MPFR_RNDN);
  mpfr_exp(x, x, other);
  mpfr_mul(second, second, x, other);
  mpfr_sub(out, out, second, way);
  mpfr_clears(half, ratio, x, second, (mpfr_ptr)0);
}

/* Whether it is certain that delta(mu, epsilon) <= delta if at_most, else that it is >= delta. What
 * stays undecided is not.  mu > 0. */
static bool is_certain(double mu, double epsilon, double delta, bool at_most) {
  for (mpfr_prec_t bits = PRECISION_FIRST; bits <= PRECISION_LAST; bits *= 2) {
    mpfr_t bound;
    mpfr_init2(bound, bits);
    delta_bound(bound, mu, epsilon, at_most);
    const bool holds = at_most ? mpfr_cmp_d(bound, delta) <= 0 : mpfr_cmp_d(bound, delta) >= 0;
    if (!holds) delta_bound(bound, mu, epsilon, !at_most);
    const bool fails = at_most ? mpfr_cmp_d(bound, delta) > 0 : mpfr_cmp_d(bound, delta) < 0;
    mpfr_clear(bound);
    if (holds || fails) return holds;
  }
  return false;
}

bool sfmi_gdp_implies(double mu, double epsilon, double delta) {
  assert(mu >= 0 && mu <= SFMI_MU_MAX && epsilon >= 0 && epsilon <= SFMI_CURVE_EPSILON_MAX);
  assert(delta > 0);
  return mu == 0 || is_certain(mu, epsilon, delta, true);
}

bool sfmi_gdp_exceeds(double mu, double epsilon, double delta) {
  assert(mu >= 0 && mu <= SFMI_MU_MAX && epsilon >= 0 && epsilon <= SFMI_CURVE_EPSILON_MAX);
  return mu == 0 ? delta <= 0 : is_certain(mu, epsilon, delta, false);
}

void sfmi_gdp_delta_bounds(double *lower, double *upper, double mu, double epsilon) {
  *lower = 0;
  *upper = mu > 0 ? 1 : 0;
  bool narrow = mu == 0;
  for (mpfr_prec_t bits = PRECISION_FIRST; !narrow && bits <= PRECISION_LAST; bits *= 2) {
    mpfr_t low, high;
    mpfr_inits2(bits, low, high, (mpfr_ptr)0);
    delta_bound(low, mu, epsilon, false);
    delta_bound(high, mu, epsilon, true);
    *lower = fmax(mpfr_get_d(low, MPFR_RNDD), 0);
    *upper = fmin(mpfr_get_d(high, MPFR_RNDU), 1);
    mpfr_sub(low, high, low, MPFR_RNDU);
    mpfr_div_2ui(high, high, ENCLOSURE_BITS, MPFR_RNDD);
    narrow = mpfr_lessequal_p(low, high) || *upper <= DBL_TRUE_MIN;
    mpfr_clears(low, high, (mpfr_ptr)0);
  }
}

sfm_status sfm_gdp_delta(double *delta, double mu, double epsilon, sfm_error *error) {
  if (!(mu >= 0 && mu <= SFMI_MU_MAX))
    return sfmi_fail(error, SFM_INVALID, "mu is %g: write a number from 0 to %g", mu, SFMI_MU_MAX);
  if (!(epsilon >= 0 && epsilon <= SFMI_CURVE_EPSILON_MAX))
    return sfmi_fail(error, SFM_INVALID, "epsilon is %g: write a number from 0 to %g", epsilon,
                     SFMI_CURVE_EPSILON_MAX);
  double lower;
  sfmi_gdp_delta_bounds(&lower, delta, mu, epsilon);
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
  return SFM_OK;
}

static sfm_status check_target(double epsilon, double delta, sfm_error *error) {
  if (!(epsilon > 0 && isfinite(epsilon)))
    return sfmi_fail(
        error, SFM_INVALID,
        "epsilon is %g: it must be a finite number above zero, such as settings.epsilon = 1",
        epsilon);
  if (epsilon < SFMI_EPSILON_MIN || epsilon > SFMI_EPSILON_MAX)
    return sfmi_fail(error, SFM_INVALID,
                     "epsilon is %g: Gaussian noise is calibrated for epsilon from %g to %g",
                     epsilon, SFMI_EPSILON_MIN, SFMI_EPSILON_MAX);
  if (!(delta > 0 && delta < 1))
    return sfmi_fail(error, SFM_INVALID,
                     "delta is %g: Gaussian noise needs a number above 0 and below 1, such as "
                     "settings.delta = 1e-6 (for delta = 0 use Laplace noise)",
                     delta);
  if (delta < SFMI_DELTA_MIN)
    return sfmi_fail(error, SFM_INVALID,
                     "delta is %g: the least delta that Gaussian noise is calibrated for is %g",
                     delta, SFMI_DELTA_MIN);
  return SFM_OK;
}

typedef struct target {
  double epsilon, delta;
} target;

static bool is_not_private(double mu, const void *context) {
  const target *at = context;
  return !sfmi_gdp_implies(mu, at->epsilon, at->delta);
}

/* Newton's method on ln delta against ln mu, kept inside (low, high); d delta/d mu = phi(a).  A
 * guess only: the caller checks. */
static double guess_mu(double low, double high, const target *at) {
  double root = sqrt(-2 * log(at->delta));
  double mu = sqrt(root * root + 2 * at->epsilon) - root;
  mpfr_t bound;
  mpfr_init2(bound, PRECISION_FIRST);
  for (int i = 0; i < 60; i++) {
    if (!(mu > low && mu < high)) mu = sqrt(low * high);
    delta_bound(bound, mu, at->epsilon, true);
    mpfr_div_d(bound, bound, at->delta, MPFR_RNDN);
    mpfr_log(bound, bound, MPFR_RNDN);
    double gap = mpfr_get_d(bound, MPFR_RNDN);
    if (gap > 0) {
      high = mu;
    } else {
      low = mu;
    }
    double a = mu / 2 - at->epsilon / mu;
    double log_density = -a * a / 2 - log(2 * M_PI) / 2;
    double slope = mu * exp(log_density - log(at->delta) - gap);
    double step = gap / slope;
    if (fabs(step) < 0x1p-53) break;
    mu *= exp(-step);
  }
  mpfr_clear(bound);
  return mu >= low && mu <= high ? mu : sqrt(low * high);
}

sfm_status sfm_gdp_calibrate(double *mu, double epsilon, double delta, sfm_error *error) {
  sfm_status status = check_target(epsilon, delta, error);
  if (status) return status;
  /* delta(mu) grows with mu.  Over the whole range of targets mu lies between 2.7e-8 (1e-6, 1e-300)
   * and 54 (1e3, 1 - 2^-53); around a good guess a few bits are left to decide. */
  double low = 0x1p-30, high = 0x1p8;
  const target at = {epsilon, delta};
  const double guess = guess_mu(low, high, &at), near = guess * 0x1p-50;
  if (is_not_private(guess + near, &at)) high = guess + near;
  if (!is_not_private(guess - near, &at)) low = guess - near;
  if (is_not_private(low, &at) || !is_not_private(high, &at)) {
    status = sfmi_fail(error, SFM_INTERNAL, "the Gaussian calibration lost its bracket");
  } else {
    *mu = nextafter(sfmi_least_double(low, high, is_not_private, &at), 0);
  }
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
  return status;
}

/* sqrt(2 ln(2/delta)) rounded as way says; mpfr_div and log are monotone, so each step is. */
static void classical_constant(mpfr_t out, double delta, mpfr_rnd_t way) {
  mpfr_set_ui(out, 2, MPFR_RNDN);
  mpfr_div_d(out, out, delta, way);
  mpfr_log(out, out, way);
  mpfr_mul_2ui(out, out, 1, way);
  mpfr_sqrt(out, out, way);
}

/* ratio: sigma/Delta rounded up; mu: its inverse rounded down. */
static sfm_status classical(double *mu, double *ratio, double epsilon, double delta,
                            sfm_error *error) {
  sfm_status status = check_target(epsilon, delta, error);
  if (status) return status;
  if (epsilon > 1)
    return sfmi_fail(
        error, SFM_INVALID,
        "epsilon is %g: the classical calibration is proved for epsilon up to 1 and fails for "
        "large ones; use settings.calibration = exact, which also adds less noise",
        epsilon);
  mpfr_t c, quotient;
  mpfr_inits2(PRECISION_FIRST, c, quotient, (mpfr_ptr)0);
  classical_constant(c, delta, MPFR_RNDU);
  mpfr_div_d(quotient, c, epsilon, MPFR_RNDU);
  *ratio = mpfr_get_d(quotient, MPFR_RNDU);
  mpfr_d_div(quotient, epsilon, c, MPFR_RNDD);
  *mu = mpfr_get_d(quotient, MPFR_RNDD);
  mpfr_clears(c, quotient, (mpfr_ptr)0);
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
  return SFM_OK;
}

/* 1/x rounded up: the sign of the exact residual r x - 1 says whether r fell short. */
static double inverse_above(double x) {
  double r = 1 / x;
  return fma(r, x, -1) < 0 ? nextafter(r, INFINITY) : r;
}

static sfm_status calibrate(double *mu, double *ratio, double epsilon, double delta,
                            sfm_calibration calibration, sfm_error *error) {
  switch (calibration) {
  case SFM_CALIBRATION_CLASSICAL:
    return classical(mu, ratio, epsilon, delta, error);
  case SFM_CALIBRATION_EXACT:
    break;
  default:
    return sfmi_fail(error, SFM_INVALID, "unknown calibration: use exact or classical");
  }
  sfm_status status = sfm_gdp_calibrate(mu, epsilon, delta, error);
  if (!status) *ratio = inverse_above(*mu);
  return status;
}

sfm_status sfmi_gdp_mu_for(double *mu, double epsilon, double delta, sfm_calibration calibration,
                           sfm_error *error) {
  double ratio;
  return calibrate(mu, &ratio, epsilon, delta, calibration, error);
}

sfm_status sfm_gaussian_ratio(double *ratio, double epsilon, double delta,
                              sfm_calibration calibration, sfm_error *error) {
  double mu;
  return calibrate(&mu, ratio, epsilon, delta, calibration, error);
}

sfm_guarantee sfmi_guarantee_of_noise(double epsilon, double delta, double mu) {
  if (mu > 0)
    return (sfm_guarantee){.kind = SFM_GUARANTEE_GDP, .epsilon = epsilon, .delta = delta, .mu = mu};
  return (sfm_guarantee){.kind = SFM_GUARANTEE_PURE, .epsilon = epsilon};
}
