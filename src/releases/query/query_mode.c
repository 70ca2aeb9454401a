/* query_mode.c - the mode: the values S_k from which the largest is no farther than the noise's own
 * sup less its value there; on a domain of very many bandwidths, by the error band. */
#include "query_exact.h"

#include <math.h>
#include <stdlib.h>

#include "base/math/quantile.h"
#include "releases/band/band.h"
#include "confidence_set.h"
#include "linear_functionals.h"

/* Points: so many a bandwidth, and no fewer; as many as weights and draws allow, and at most. */
static const double A_BANDWIDTH = 8, LEAST_A_BANDWIDTH = 3, GRID_WORK = 1e6;
enum { POINTS_LEAST = 65, POINTS_MOST = 3073, BAND_POINTS_MOST = 1 << 21 };

/* Part of the risk for a bound on how large the density is at all. */
static const double SUP_SHARE = 0.1;

/* The noise at points of a grid, against its own largest value. */
typedef struct mode_test {
  double *widths; /* of (sup of the noise) - (noise at a point) */
  double sup;     /* of the size of the noise, at SUP_SHARE of the risk */
} mode_test;

static double bound_at(const sfmi_functionals *p, const sfm_release *release, size_t k,
                       double risk) {
  return sfmi_noise_sum_tail(release, sfmi_functionals_dot(p, k, k),
                             sfmi_functionals_largest_weight(p, k), risk / (double)p->count);
}

static void mode_test_bounds(mode_test *c, const sfmi_functionals *p, const sfm_release *release,
                             double risk) {
  double largest = 0;
  c->sup = 0;
  for (size_t k = 0; k < p->count; k++) {
    c->widths[k] = bound_at(p, release, k, (1 - SUP_SHARE) * risk);
    largest = fmax(largest, c->widths[k]);
    c->sup = fmax(c->sup, bound_at(p, release, k, SUP_SHARE * risk));
  }
  for (size_t k = 0; k < p->count; k++) c->widths[k] += largest;
}

static sfm_status mode_test_draws(mode_test *c, const sfmi_functionals *p, double risk,
                                  sfm_error *error) {
  const size_t draws = p->draws.draws;
  double *largest = sfmi_alloc(3 * draws, sizeof *largest);
  if (draws == 0) {
    free(largest);
    return SFM_OK;
  }
  if (!largest) return sfmi_fail_memory(error);
  double *size = largest + draws, *scratch = size + draws;
  for (size_t i = 0; i < draws; i++) largest[i] = -INFINITY;
  for (size_t k = 0; k < p->count; k++)
    for (size_t i = 0; i < draws; i++) {
      const double e = p->draws.values[k * draws + i];
      largest[i] = fmax(largest[i], e);
      size[i] = fmax(size[i], fabs(e));
    }
  c->sup = fmin(c->sup, sfmi_quantile_select(size, draws, 1 - SUP_SHARE * risk));
  for (size_t k = 0; k < p->count; k++) {
    for (size_t i = 0; i < draws; i++) scratch[i] = largest[i] - p->draws.values[k * draws + i];
    c->widths[k] =
        fmin(c->widths[k], sfmi_quantile_select(scratch, draws, 1 - (1 - SUP_SHARE) * risk));
  }
  free(largest);
  return SFM_OK;
}

/* How far two values of the function may be apart from those of the exact one, beyond noise, and
 * how much lower than its peak the exact one may be at the nearest point of the grid. */
static sfm_status slack_of(double *out, const sfmi_query_exact *query, const sfmi_functionals *p,
                           const mode_test *c, double step, sfm_error *error) {
  const sfm_release *release = query->integral.release;
  sfmi_alias alias;
  sfm_status status =
      sfmi_resources_allow(release, sfmi_resources_alias(release), "finding its mode", error);
  if (!status)
    status = sfmi_band_alias(&alias, query->integral.poly, &query->integral.spread, error);
  if (status) return status;
  double top = 0, grain = 0;
  for (size_t k = 0; k < p->count; k++) {
    top = fmax(top, p->values[k]);
    grain = fmax(grain, query->grain * sfmi_functionals_weight_sum(p, k));
  }
  /* Near its peak a mean of kernels falls by at most this share within half a step. */
  const double h = release->function->bandwidth[0], fall = step * step / (8 * h * h);
  const double moved = grain + sfmi_integral_entry_rounding(&query->integral) * query->records;
  const double peak = alias.peak * query->records;
  const double by_peak = fall < 1 ? (top + c->sup + moved + peak) / (1 - fall) : INFINITY;
  const double by_share =
      fall + alias.share < 1 ? (top + c->sup + moved) / (1 - fall - alias.share) : INFINITY;
  *out = 2 * moved +
         fmin(2 * peak + fall * fmin(by_peak, by_share), (2 * alias.share + fall) * by_share);
  if (isnan(*out)) *out = INFINITY;
  return SFM_OK;
}

/* The top of the parabola through a grid's largest value and its neighbours. */
static double peak_place(const double *x, const double *values, size_t count, size_t k) {
  if (k == 0 || k + 1 == count) return x[k];
  const double before = values[k] - values[k - 1], after = values[k] - values[k + 1];
  if (!(before + after > 0)) return x[k];
  return x[k] + 0.5 * (x[k + 1] - x[k]) * (before - after) / (before + after);
}

static sfm_status answer_mode(const sfmi_query_exact *query, sfm_estimate *out, double *pieces,
                              size_t *count, size_t most, const double *x,
                              const sfmi_functionals *p, sfm_error *error) {
  const sfm_release *release = query->integral.release;
  mode_test c = {.widths = sfmi_alloc(p->count, sizeof *c.widths)};
  bool *may = sfmi_alloc(p->count, sizeof *may);
  double slack = 0;
  size_t top = 0;
  if (!c.widths || !may) {
    free(c.widths);
    free(may);
    return sfmi_fail_memory(error);
  }
  for (size_t k = 1; k < p->count; k++)
    if (p->values[k] > p->values[top]) top = k;
  mode_test_bounds(&c, p, release, query->risk);
  sfm_status status = mode_test_draws(&c, p, query->risk, error);
  if (!status) status = slack_of(&slack, query, p, &c, x[1] - x[0], error);
  if (!status) {
    for (size_t k = 0; k < p->count; k++)
      may[k] = p->values[top] - p->values[k] <= c.widths[k] + slack;
    *out = (sfm_estimate){peak_place(x, p->values, p->count, top), NAN, NAN};
    sfmi_confidence_set_runs(&out->lower, &out->upper, pieces, count, most, x, may, p->count);
  }
  free(c.widths);
  free(may);
  return status;
}

/* By the law of the noise at the points x. */
static sfm_status by_noise(const sfmi_query_exact *query, sfm_estimate *out, double *pieces,
                           size_t *count, size_t most, const double *x, size_t points,
                           sfm_error *error) {
  sfmi_functionals p = {0};
  sfmi_integrand *integrands = sfmi_alloc(points, sizeof *integrands);
  if (!integrands) return sfmi_fail_memory(error);
  for (size_t k = 0; k < points; k++)
    integrands[k] = (sfmi_integrand){SFMI_INTEGRAND_POINT, x[k], x[k]};
  sfm_status status = sfmi_functionals_init(&p, query, integrands, points, true, error);
  if (!status) status = answer_mode(query, out, pieces, count, most, x, &p, error);
  sfmi_functionals_clear(&p);
  free(integrands);
  return status;
}

/* By the band that holds everywhere at once: where f~ + w reaches the largest f~ - w, less what the
 * peak may be above its nearest point. */
static sfm_status by_band(const sfmi_query_exact *query, sfm_estimate *out, double *pieces,
                          size_t *count, size_t most, const double *x, size_t points,
                          sfm_error *error) {
  const sfm_release *release = query->integral.release;
  sfm_evaluator *evaluator = NULL;
  sfm_band band;
  double *values = sfmi_alloc(points, sizeof *values);
  bool *may = sfmi_alloc(points, sizeof *may);
  size_t top = 0;
  sfm_status status = values && may ? SFM_OK : sfmi_fail_memory(error);
  if (!status) status = sfm_release_band_at(release, &band, query->confidence, error);
  if (!status) status = sfm_evaluator_create(&evaluator, release, 0, error);
  if (!status) status = sfm_evaluator_at(evaluator, values, x, points, error);
  if (!status) {
    for (size_t k = 1; k < points; k++)
      if (values[k] > values[top]) top = k;
    const double z = (x[1] - x[0]) / release->function->bandwidth[0], fall = z * z / 8;
    const double peak = fall < 1 ? (values[top] + band.half_width) / (1 - fall) : INFINITY;
    for (size_t k = 0; k < points; k++)
      may[k] = values[top] - values[k] <= 2 * band.half_width + fall * peak;
    *out = (sfm_estimate){peak_place(x, values, points, top), NAN, NAN};
    sfmi_confidence_set_runs(&out->lower, &out->upper, pieces, count, most, x, may, points);
  }
  sfm_evaluator_destroy(evaluator);
  free(values);
  free(may);
  return status;
}

sfm_status sfmi_query_exact_mode(const sfmi_query_exact *query, sfm_estimate *out, double *pieces,
                                 size_t *count, size_t most, sfm_error *error) {
  const sfm_release *release = query->integral.release;
  const double bandwidths =
      (release->upper[0] - release->lower[0]) / release->function->bandwidth[0];
  const double wanted = fmax(A_BANDWIDTH * bandwidths + 1, POINTS_LEAST);
  const double room = GRID_WORK / (double)sfmi_integral_size(&query->integral, 0);
  const double affordable = fmin(fmin(wanted, POINTS_MOST), fmax(room, POINTS_LEAST));
  const bool noise = affordable > LEAST_A_BANDWIDTH * bandwidths;
  const size_t points = (size_t)(noise ? affordable : fmin(wanted, BAND_POINTS_MOST));
  double *x = sfmi_alloc(points, sizeof *x);
  if (!x) return sfmi_fail_memory(error);
  sfmi_equispaced(x, release->lower[0], release->upper[0], points);
  sfm_status status = noise ? by_noise(query, out, pieces, count, most, x, points, error)
                            : by_band(query, out, pieces, count, most, x, points, error);
  free(x);
  return status;
}
