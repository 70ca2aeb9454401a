#include "guarantee.h"

#include <math.h>

#include <mpfr.h>

#include "base/text/words.h"
#include "base/math/least_double.h"

/* Enough for every directed evaluation below; each is a short chain of correctly rounded steps. */
#define PRECISION 256

static sfm_status check_parameter(const char *name, double value, double most, sfm_error *error) {
  if (value >= 0 && value <= most) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID, "the guarantee's %s is %g: it must be from 0 to %g", name,
                   value, most);
}

sfm_status sfmi_guarantee_check(const sfm_guarantee *guarantee, sfm_error *error) {
  switch (guarantee->kind) {
  case SFM_GUARANTEE_PURE:
    return check_parameter("epsilon", guarantee->epsilon, SFMI_EPSILON_MAX, error);
  case SFM_GUARANTEE_GDP:
    return check_parameter("mu", guarantee->mu, SFMI_MU_MAX, error);
  case SFM_GUARANTEE_ZCDP:
    return check_parameter("rho", guarantee->rho, SFMI_RHO_MAX, error);
  case SFM_GUARANTEE_APPROXIMATE:
  case SFM_GUARANTEE_RANDOM_DP:
    break;
  }
  return sfmi_fail(error, SFM_INVALID,
                   "a guarantee of kind %s has no curve delta(epsilon) and converts to no other: "
                   "only pure, gdp and zcdp do",
                   sfmi_known(sfm_guarantee_kind_name(guarantee->kind)));
}

/* Pure eps0 at eps < eps0, tight for randomised response:
 * (e^eps0 - e^eps)/(1 + e^eps0) = -expm1(eps - eps0)/(1 + e^-eps0), rounded up. */
static double pure_delta(double epsilon0, double epsilon) {
  if (epsilon >= epsilon0) return 0;
  mpfr_t top, bottom;
  mpfr_inits2(PRECISION, top, bottom, (mpfr_ptr)0);
  mpfr_set_d(top, epsilon, MPFR_RNDN);
  mpfr_sub_d(top, top, epsilon0, MPFR_RNDD);
  mpfr_expm1(top, top, MPFR_RNDD);
  mpfr_neg(top, top, MPFR_RNDN);
  mpfr_set_d(bottom, -epsilon0, MPFR_RNDN);
  mpfr_exp(bottom, bottom, MPFR_RNDD);
  mpfr_add_ui(bottom, bottom, 1, MPFR_RNDD);
  mpfr_div(top, top, bottom, MPFR_RNDU);
  double delta = mpfr_get_d(top, MPFR_RNDU);
  mpfr_clears(top, bottom, (mpfr_ptr)0);
  return fmin(delta, 1);
}

/* rho-zCDP, for every order alpha = 1 + u > 1 (Canonne, Kamath & Steinke 2020, corollary 13):
 *   ln delta(u) = u ((1 + u) rho - eps) - u ln(1 + 1/u) - ln(1 + u),
 * whose derivative in u is the function below, increasing in u. */
typedef struct order_search {
  double rho, epsilon;
} order_search;

static bool slope_is_positive(double u, const void *context) {
  const order_search *at = context;
  return at->rho + 2 * u * at->rho - at->epsilon > log1p(1 / u);
}

/* e^(ln delta(u)) rounded up: a true bound whatever u. */
static double zcdp_delta_at(double rho, double epsilon, double u) {
  mpfr_t sum, term;
  mpfr_inits2(PRECISION, sum, term, (mpfr_ptr)0);
  mpfr_set_d(sum, u, MPFR_RNDN);
  mpfr_add_ui(sum, sum, 1, MPFR_RNDU);
  mpfr_mul_d(sum, sum, rho, MPFR_RNDU);
  mpfr_sub_d(sum, sum, epsilon, MPFR_RNDU);
  mpfr_mul_d(sum, sum, u, MPFR_RNDU);
  mpfr_set_d(term, u, MPFR_RNDN);
  mpfr_ui_div(term, 1, term, MPFR_RNDD);
  mpfr_log1p(term, term, MPFR_RNDD);
  mpfr_mul_d(term, term, u, MPFR_RNDD);
  mpfr_sub(sum, sum, term, MPFR_RNDU);
  mpfr_set_d(term, u, MPFR_RNDN);
  mpfr_log1p(term, term, MPFR_RNDD);
  mpfr_sub(sum, sum, term, MPFR_RNDU);
  mpfr_exp(sum, sum, MPFR_RNDU);
  double delta = mpfr_get_d(sum, MPFR_RNDU);
  mpfr_clears(sum, term, (mpfr_ptr)0);
  return fmin(delta, 1);
}

static double zcdp_delta(double rho, double epsilon) {
  if (rho == 0) return 0;
  /* Orders beyond these ends change nothing a double can hold. */
  const double least = 0x1p-60, most = 0x1p500;
  const order_search at = {rho, epsilon};
  return zcdp_delta_at(rho, epsilon, sfmi_least_double(least, most, slope_is_positive, &at));
}

/* The bound itself; guarantee and epsilon are in range. */
static double curve(const sfm_guarantee *guarantee, double epsilon) {
  double delta = 1;
  switch (guarantee->kind) {
  case SFM_GUARANTEE_PURE:
    return pure_delta(guarantee->epsilon, epsilon);
  case SFM_GUARANTEE_ZCDP:
    return zcdp_delta(guarantee->rho, epsilon);
  case SFM_GUARANTEE_GDP:
    if (sfm_gdp_delta(&delta, guarantee->mu, epsilon, NULL)) delta = 1;
    return delta;
  case SFM_GUARANTEE_APPROXIMATE:
  case SFM_GUARANTEE_RANDOM_DP:
    break;
  }
  return delta; /* no curve: sfmi_guarantee_check refused it */
}

sfm_status sfm_guarantee_delta(double *delta, const sfm_guarantee *guarantee, double epsilon,
                               sfm_error *error) {
  sfm_status status = sfmi_guarantee_check(guarantee, error);
  if (status) return status;
  if (!(epsilon >= 0 && epsilon <= SFMI_CURVE_EPSILON_MAX))
    return sfmi_fail(error, SFM_INVALID, "epsilon is %g: write a number from 0 to %g", epsilon,
                     SFMI_CURVE_EPSILON_MAX);
  *delta = curve(guarantee, epsilon);
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
  return SFM_OK;
}

typedef struct curve_search {
  const sfm_guarantee *guarantee;
  double delta;
} curve_search;

static bool is_implied(double epsilon, const void *context) {
  const curve_search *at = context;
  if (at->guarantee->kind == SFM_GUARANTEE_GDP && at->delta > 0)
    return sfmi_gdp_implies(at->guarantee->mu, epsilon, at->delta);
  return curve(at->guarantee, epsilon) <= at->delta;
}

sfm_status sfm_guarantee_epsilon(double *epsilon, const sfm_guarantee *guarantee, double delta,
                                 sfm_error *error) {
  sfm_status status = sfmi_guarantee_check(guarantee, error);
  if (status) return status;
  if (!(delta >= 0 && delta < 1))
    return sfmi_fail(error, SFM_INVALID, "delta is %g: write a number from 0 to below 1", delta);
  if (delta == 0 && guarantee->kind != SFM_GUARANTEE_PURE)
    return sfmi_fail(error, SFM_INVALID,
                     "delta is 0: a %s guarantee implies no finite epsilon there; write a delta "
                     "above 0, such as 1e-6",
                     sfmi_known(sfm_guarantee_kind_name(guarantee->kind)));
  const curve_search at = {guarantee, delta};
  if (is_implied(0, &at)) {
    *epsilon = 0;
  } else if (is_implied(SFMI_CURVE_EPSILON_MAX, &at)) {
    *epsilon = sfmi_least_double(0, SFMI_CURVE_EPSILON_MAX, is_implied, &at);
  } else {
    status = sfmi_fail(error, SFM_INTERNAL, "no epsilon up to %g was found at delta %g",
                       SFMI_CURVE_EPSILON_MAX, delta);
  }
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
  return status;
}

/* Whether mu >= 2 Phi^-1(e^eps/(1 + e^eps)); undecided at 256 bits counts as no.  Below eps = 1
 * through erf(mu/(2 sqrt 2)) >= tanh(eps/2), beyond through Phi(-mu/2) <= 1/(1 + e^eps): each form
 * keeps its digits where it is used. */
static bool dominates_pure(double mu, const void *context) {
  const double epsilon = *(const double *)context;
  const bool small = epsilon < 1;
  mpfr_t left, right;
  mpfr_inits2(PRECISION, left, right, (mpfr_ptr)0);
  /* mu/(2 sqrt 2) = sqrt(mu^2/8), from below. */
  mpfr_set_d(left, mu, MPFR_RNDN);
  mpfr_sqr(left, left, MPFR_RNDD);
  mpfr_div_2ui(left, left, 3, MPFR_RNDD);
  mpfr_sqrt(left, left, MPFR_RNDD);
  mpfr_set_d(right, epsilon, MPFR_RNDN);
  if (small) {
    mpfr_erf(left, left, MPFR_RNDD);
    mpfr_div_2ui(right, right, 1, MPFR_RNDN);
    mpfr_tanh(right, right, MPFR_RNDU);
  } else {
    mpfr_erfc(left, left, MPFR_RNDU);
    mpfr_div_2ui(left, left, 1, MPFR_RNDU);
    mpfr_exp(right, right, MPFR_RNDU);
    mpfr_add_ui(right, right, 1, MPFR_RNDU);
    mpfr_ui_div(right, 1, right, MPFR_RNDD);
  }
  bool result = small ? mpfr_greaterequal_p(left, right) : mpfr_lessequal_p(left, right);
  mpfr_clears(left, right, (mpfr_ptr)0);
  return result;
}

/* x^2/2 rounded up. */
static double half_square_above(double x) {
  mpfr_t square;
  mpfr_init2(square, PRECISION);
  mpfr_set_d(square, x, MPFR_RNDN);
  mpfr_sqr(square, square, MPFR_RNDU);
  mpfr_div_2ui(square, square, 1, MPFR_RNDU);
  double result = mpfr_get_d(square, MPFR_RNDU);
  mpfr_clear(square);
  return result;
}

sfm_status sfm_guarantee_convert(sfm_guarantee *out, const sfm_guarantee *guarantee,
                                 sfm_guarantee_kind kind, sfm_error *error) {
  sfm_status status = sfmi_guarantee_check(guarantee, error);
  if (status) return status;
  sfm_guarantee result = {.kind = kind};
  const sfm_guarantee_kind from = guarantee->kind;
  if (from == kind) {
    result = *guarantee;
  } else if (kind == SFM_GUARANTEE_ZCDP) {
    result.rho = half_square_above(from == SFM_GUARANTEE_PURE ? guarantee->epsilon : guarantee->mu);
  } else if (from == SFM_GUARANTEE_PURE && kind == SFM_GUARANTEE_GDP) {
    if (guarantee->epsilon > 0)
      result.mu = sfmi_least_double(0, SFMI_MU_MAX, dominates_pure, &guarantee->epsilon);
  } else {
    return sfmi_fail(error, SFM_INVALID,
                     "a %s guarantee implies no %s guarantee: pure implies zcdp and gdp, gdp "
                     "implies zcdp, and nothing else is implied",
                     sfmi_known(sfm_guarantee_kind_name(from)),
                     sfmi_known(sfm_guarantee_kind_name(kind)));
  }
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
  *out = result;
  return SFM_OK;
}
