/* query_cdf.c - shares below points, all at once: |S_k - F W| <= c sigma_k(F) for all points k,
 * where c is a quantile of the simulated sup over points and over all F in [0, 1]. */
#include "query_exact.h"

#include <math.h>
#include <stdlib.h>

#include "base/math/quantile.h"
#include "confidence_set.h"
#include "linear_functionals.h"

/* sup over F in [0, 1] of (e - F w)^2 / (squares - 2 F cross + F^2 whole_squares): at an end, or
 * where its derivative vanishes. */
static double worst_square(const sfmi_contrast *c, double e, double w) {
  const double bottom = e * c->whole_squares - w * c->cross;
  const double inner = (e * c->cross - w * c->squares) / bottom;
  const double ends =
      fmax(e * e / sfmi_contrast_squares(c, 0), (e - w) * (e - w) / sfmi_contrast_squares(c, 1));
  if (!(inner > 0 && inner < 1)) return ends;
  return fmax(ends, (e - inner * w) * (e - inner * w) / sfmi_contrast_squares(c, inner));
}

/* The quantile of the sup over all points, in units of the root of the sum of squares; infinite
 * when there are too few draws. */
static sfm_status joint_quantile(double *out, const sfmi_contrast *contrasts, size_t count,
                                 double risk, sfm_error *error) {
  const size_t draws = count ? contrasts[0].count : 0;
  *out = INFINITY;
  if (draws == 0) return SFM_OK;
  double *sup = sfmi_alloc(draws, sizeof *sup);
  if (!sup) return sfmi_fail_memory(error);
  for (size_t k = 0; k < count; k++)
    for (size_t i = 0; i < draws; i++)
      sup[i] = fmax(
          sup[i], worst_square(&contrasts[k], contrasts[k].draws[i], contrasts[k].whole_draws[i]));
  *out = sqrt(sfmi_quantile_select(sup, draws, 1 - risk));
  free(sup);
  return SFM_OK;
}

typedef struct joint_test {
  const sfmi_contrast *contrast;
  const sfm_release *release;
  double quantile; /* of the sup; infinite where a union over the points is narrower: */
  double each;     /* the risk of one of them */
} joint_test;

static bool may_be(const void *context, double ratio) {
  const joint_test *t = context;
  const sfmi_contrast *c = t->contrast;
  const double distance = fabs(c->part - ratio * c->whole) - sfmi_contrast_fixed(c, ratio);
  return distance <= (isfinite(t->quantile) ? t->quantile * sqrt(sfmi_contrast_squares(c, ratio))
                                            : sfmi_contrast_bound(c, t->release, ratio, t->each));
}

/* One of the two, for all points and whatever was released: both would be two events. */
static bool union_is_narrower(const sfmi_contrast *contrasts, size_t count,
                              const sfm_release *release, double quantile, double each) {
  double joint = 0, separate = 0;
  for (size_t k = 0; k < count; k++) {
    joint += quantile * sqrt(sfmi_contrast_squares(&contrasts[k], 0.5));
    separate += sfmi_contrast_bound(&contrasts[k], release, 0.5, each);
  }
  return separate < joint;
}

typedef struct place {
  double x;
  size_t index;
} place;

static int by_place(const void *first, const void *second) {
  const double a = ((const place *)first)->x, b = ((const place *)second)->x;
  return (a > b) - (a < b);
}

/* The function rises: a bound at one point is one at all to its right, or left. */
static sfm_status make_rise(sfm_estimate *out, const double *x, size_t count, sfm_error *error) {
  place *places = sfmi_alloc(count, sizeof *places);
  if (!places) return sfmi_fail_memory(error);
  for (size_t k = 0; k < count; k++) places[k] = (place){x[k], k};
  qsort(places, count, sizeof *places, by_place);
  for (size_t k = 1; k < count; k++) {
    sfm_estimate *here = &out[places[k].index];
    here->lower = fmax(here->lower, out[places[k - 1].index].lower);
  }
  for (size_t k = count; k-- > 1;) {
    sfm_estimate *here = &out[places[k - 1].index];
    here->upper = fmin(here->upper, out[places[k].index].upper);
  }
  /* Where no rising function is within all of them, what lies between. */
  for (size_t k = 0; k < count; k++)
    if (out[k].lower > out[k].upper)
      out[k] = (sfm_estimate){out[k].value, out[k].upper, out[k].lower};
  free(places);
  return SFM_OK;
}

static sfm_status answer_cdf(sfm_estimate *out, const sfmi_query_exact *query,
                             const sfmi_functionals *p, const double *x, sfm_error *error) {
  /* Squares are kept away from zero, where rounding would make them anything. */
  static const double FLOOR = 1e-9;
  const size_t count = p->count - 1;
  const sfm_release *release = query->integral.release;
  sfmi_contrast *contrasts = sfmi_alloc(count, sizeof *contrasts);
  double quantile = INFINITY;
  sfm_status status = contrasts ? SFM_OK : sfmi_fail_memory(error);
  for (size_t k = 0; k < count && !status; k++) {
    contrasts[k] = sfmi_functionals_contrast(p, k);
    sfmi_functionals_add_fixed(&contrasts[k], query, p, k, x[k]);
    contrasts[k].squares += FLOOR * contrasts[k].whole_squares;
  }
  if (!status) status = joint_quantile(&quantile, contrasts, count, query->risk, error);
  const double each = query->risk / (double)count;
  if (!status && union_is_narrower(contrasts, count, release, quantile, each)) quantile = INFINITY;
  for (size_t k = 0; k < count && !status; k++) {
    const joint_test t = {&contrasts[k], release, quantile, each};
    out[k].value = fmin(fmax(contrasts[k].part / contrasts[k].whole, 0), 1);
    sfmi_confidence_set_ratio(&out[k].lower, &out[k].upper, out[k].value, may_be, &t);
    if (x[k] <= release->lower[0]) out[k] = (sfm_estimate){0, 0, 0};
    if (x[k] >= release->upper[0]) out[k] = (sfm_estimate){1, 1, 1};
  }
  free(contrasts);
  return !status ? make_rise(out, x, count, error) : status;
}

sfm_status sfmi_query_exact_cdf(const sfmi_query_exact *query, sfm_estimate *out, const double *x,
                                size_t count, sfm_error *error) {
  sfmi_functionals p;
  sfm_status status = sfmi_functionals_init_cumulative(&p, query, x, count, true, error);
  if (!status) status = answer_cdf(out, query, &p, x, error);
  sfmi_functionals_clear(&p);
  return status;
}
