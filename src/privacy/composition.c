#include "composition.h"

#include <math.h>

#include <mpfr.h>

#include "base/math/least_double.h"
#include "guarantee.h"
#include "privacy_loss.h"

#define PRECISION 256

/* sum += count x, or count x^2 if square, rounded as way says; x >= 0. */
static void add(mpfr_t sum, double x, bool square, uint64_t count, mpfr_rnd_t way) {
  mpfr_t term;
  mpfr_init2(term, PRECISION);
  mpfr_set_d(term, x, MPFR_RNDN);
  if (square) mpfr_sqr(term, term, way);
  mpfr_mul_ui(term, term, count, way);
  mpfr_add(sum, sum, term, way);
  mpfr_clear(term);
}

/* sum += count/ratio^2 */
static void add_gaussian(mpfr_t sum, double ratio, uint64_t count, mpfr_rnd_t way) {
  mpfr_t term;
  mpfr_init2(term, PRECISION);
  mpfr_set_d(term, ratio, MPFR_RNDN);
  mpfr_sqr(term, term, way == MPFR_RNDU ? MPFR_RNDD : MPFR_RNDU);
  mpfr_ui_div(term, count, term, way);
  mpfr_add(sum, sum, term, way);
  mpfr_clear(term);
}

bool sfmi_gaussian_sum(sfm_interval *mu, const sfm_privacy_loss *losses, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (losses[i].kind != SFM_PRIVACY_LOSS_GAUSSIAN) return false;
  mpfr_t low, high;
  mpfr_inits2(PRECISION, low, high, (mpfr_ptr)0);
  mpfr_set_zero(low, 1);
  mpfr_set_zero(high, 1);
  for (size_t i = 0; i < count; i++) {
    add_gaussian(low, losses[i].parameter, losses[i].count, MPFR_RNDD);
    add_gaussian(high, losses[i].parameter, losses[i].count, MPFR_RNDU);
  }
  mpfr_sqrt(low, low, MPFR_RNDD);
  mpfr_sqrt(high, high, MPFR_RNDU);
  *mu = (sfm_interval){mpfr_get_d(low, MPFR_RNDD), mpfr_get_d(high, MPFR_RNDU)};
  mpfr_clears(low, high, (mpfr_ptr)0);
  return mu->upper <= SFMI_MU_MAX;
}

void sfmi_gaussian_delta(sfm_interval *delta, const sfm_interval *mu, double epsilon) {
  double unused;
  sfmi_gdp_delta_bounds(&delta->lower, &unused, mu->lower, epsilon);
  sfmi_gdp_delta_bounds(&unused, &delta->upper, mu->upper, epsilon);
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
}

typedef struct target {
  double mu, delta;
} target;

static bool is_no_longer_above(double epsilon, const void *context) {
  const target *at = context;
  return !sfmi_gdp_exceeds(at->mu, epsilon, at->delta);
}

sfm_status sfmi_gaussian_epsilon(sfm_interval *epsilon, const sfm_interval *mu, double delta,
                                 sfm_error *error) {
  const sfm_guarantee all = {.kind = SFM_GUARANTEE_GDP, .mu = mu->upper};
  sfm_status status = sfm_guarantee_epsilon(&epsilon->upper, &all, delta, error);
  if (status) return status;
  const target at = {mu->lower, delta};
  /* Above the upper end delta is no longer exceeded, as mu->lower <= mu->upper; a little below it,
   * it usually is. */
  const double above = epsilon->upper * (1 + 0x1p-40) + 0x1p-1000;
  const double near = epsilon->upper * (1 - 0x1p-40);
  const double below = sfmi_gdp_exceeds(mu->lower, near, delta) ? near : 0;
  epsilon->lower = 0;
  if (below > 0 || sfmi_gdp_exceeds(mu->lower, 0, delta))
    epsilon->lower = nextafter(sfmi_least_double(below, above, is_no_longer_above, &at), 0);
  epsilon->lower = fmin(epsilon->lower, epsilon->upper);
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
  return SFM_OK;
}

static bool is_pure(const sfm_privacy_loss *loss) {
  return loss->kind != SFM_PRIVACY_LOSS_GAUSSIAN &&
         loss->kind != SFM_PRIVACY_LOSS_DISCRETE_GAUSSIAN;
}

/* Adds a loss to the sum of its kind: epsilon, 2 rho or mu^2. */
static sfm_status add_loss(mpfr_t sum, const sfm_privacy_loss *loss, sfm_guarantee_kind kind,
                           sfm_error *error) {
  if (kind == SFM_GUARANTEE_PURE && !is_pure(loss))
    return sfmi_fail(error, SFM_INVALID,
                     "Gaussian noise has no pure epsilon: ask for a zcdp or gdp sum, or for the "
                     "epsilon at a delta");
  if (kind == SFM_GUARANTEE_GDP && loss->kind == SFM_PRIVACY_LOSS_DISCRETE_GAUSSIAN)
    return sfmi_fail(error, SFM_INVALID,
                     "the discrete Gaussian is not gdp with mu = 1/sigma: ask for a zcdp sum, or "
                     "for the epsilon at a delta");
  if (!is_pure(loss)) { /* either is 1/(2 sigma^2)-zCDP, the Gaussian 1/sigma-GDP */
    add_gaussian(sum, loss->parameter, loss->count, MPFR_RNDU);
  } else if (kind == SFM_GUARANTEE_GDP) {
    sfm_guarantee out, pure = {.kind = SFM_GUARANTEE_PURE, .epsilon = loss->parameter};
    sfm_status status = sfm_guarantee_convert(&out, &pure, SFM_GUARANTEE_GDP, error);
    if (status) return status;
    add(sum, out.mu, true, loss->count, MPFR_RNDU);
  } else {
    add(sum, loss->parameter, kind == SFM_GUARANTEE_ZCDP, loss->count, MPFR_RNDU);
  }
  return SFM_OK;
}

sfm_status sfm_account_sum(sfm_guarantee *out, const sfm_privacy_loss *losses, size_t count,
                           sfm_guarantee_kind kind, sfm_error *error) {
  if (kind != SFM_GUARANTEE_PURE && kind != SFM_GUARANTEE_ZCDP && kind != SFM_GUARANTEE_GDP)
    return sfmi_fail(error, SFM_INVALID, "guarantees can be added as pure, zcdp or gdp only");
  sfm_status status = sfmi_losses_check(losses, count, error);
  if (status) return status;
  mpfr_t sum;
  mpfr_init2(sum, PRECISION);
  mpfr_set_zero(sum, 1);
  for (size_t i = 0; !status && i < count; i++) status = add_loss(sum, &losses[i], kind, error);
  sfm_guarantee result = {.kind = kind};
  if (kind == SFM_GUARANTEE_GDP) mpfr_sqrt(sum, sum, MPFR_RNDU);
  if (kind == SFM_GUARANTEE_ZCDP) mpfr_div_2ui(sum, sum, 1, MPFR_RNDU);
  *(kind == SFM_GUARANTEE_PURE   ? &result.epsilon
    : kind == SFM_GUARANTEE_ZCDP ? &result.rho
                                 : &result.mu) = mpfr_get_d(sum, MPFR_RNDU);
  mpfr_clear(sum);
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
  if (!status) *out = result;
  return status;
}
