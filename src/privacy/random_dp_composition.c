/* random_dp_composition.c - random differential privacy adds up. */
#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "base/system/status.h"
#include "sfumato/account.h"

/* One part as (epsilon, delta, gamma). */
static sfm_status check_part(const sfm_guarantee *g, size_t number, sfm_error *error) {
  double delta = 0;
  const bool curve = g->kind == SFM_GUARANTEE_GDP || g->kind == SFM_GUARANTEE_ZCDP;
  if (!(g->epsilon >= 0 && g->epsilon <= 1e6) || !(g->delta >= 0 && g->delta < 1) ||
      !(g->gamma >= 0 && g->gamma < 1))
    return sfmi_fail(error, SFM_INVALID,
                     "part %zu is no guarantee: epsilon is from 0 to 1e6, delta and gamma from 0 "
                     "to below 1",
                     number);
  if (g->kind != SFM_GUARANTEE_RANDOM_DP && g->gamma != 0)
    return sfmi_fail(error, SFM_INVALID, "part %zu has a gamma, which only random-dp has", number);
  if (g->kind == SFM_GUARANTEE_PURE && g->delta != 0)
    return sfmi_fail(error, SFM_INVALID, "part %zu is pure, and has a delta", number);
  sfm_status status = curve ? sfm_guarantee_delta(&delta, g, g->epsilon, error) : SFM_OK;
  /* What was asked for is what was calibrated, to the last digits. */
  if (!status && curve && !(delta <= g->delta * (1 + 1e-9)))
    status = sfmi_fail(error, SFM_INVALID,
                       "part %zu does not have the epsilon and delta that it names", number);
  return status;
}

/* A sum of so many products, not below the true one; of one number itself. */
static double above(long double sum, size_t terms) {
  if (terms > 1) sum *= 1 + 2 * (long double)terms * LDBL_EPSILON;
  const double nearest = (double)sum;
  return nearest < sum ? nextafter(nearest, INFINITY) : nearest;
}

sfm_status sfm_account_random(sfm_guarantee *out, const sfm_guarantee *parts,
                              const uint64_t *counts, size_t count, sfm_error *error) {
  long double epsilon = 0, delta = 0, gamma = 0;
  *out = (sfm_guarantee){.kind = SFM_GUARANTEE_RANDOM_DP};
  for (size_t i = 0; i < count; i++) {
    const long double times = counts ? (long double)counts[i] : 1;
    sfm_status status = check_part(&parts[i], i + 1, error);
    if (status) return status;
    epsilon += times * parts[i].epsilon;
    delta += times * parts[i].delta;
    gamma += times * parts[i].gamma;
  }
  out->epsilon = above(epsilon, count);
  out->delta = above(delta, count);
  out->gamma = above(gamma, count);
  if (out->delta < 1 && out->gamma < 1) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID,
                   "together they have a %s of 1 or more, and so promise nothing",
                   out->delta < 1 ? "gamma" : "delta");
}
