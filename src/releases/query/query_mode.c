/* query_mode.c - the mode: the values S_k from which the largest is no farther than the noise's own
 * sup less its value there; on a domain of very many bandwidths, by the error band. */
#include "query_exact.h"

#include <math.h>
#include <stdlib.h>

#include "base/math/quantile.h"
#include "base/system/arena.h"
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
  if (draws == 0) return SFM_OK;
  double *largest = sfmi_alloc(3 * draws, sizeof *largest);
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

/* What is asked for, and the points at which it is looked for. */
typedef struct mode_search {
  const sfmi_query_exact *query;
  sfm_estimate *out;
  double *pieces;
  size_t *count, most; /* of pieces */
  size_t points;
  double *x;
  bool *may; /* be the mode */
  sfmi_arena arena;
} mode_search;

static size_t top_of(const double *values, size_t count) {
  size_t top = 0;
  for (size_t k = 1; k < count; k++)
    if (values[k] > values[top]) top = k;
  return top;
}

static void answer(const mode_search *s, const double *values, size_t top) {
  *s->out = (sfm_estimate){peak_place(s->x, values, s->points, top), NAN, NAN};
  sfmi_confidence_set_runs(&s->out->lower, &s->out->upper, s->pieces, s->count, s->most, s->x,
                           s->may, s->points);
}

static sfm_status answer_by_noise(mode_search *s, const sfmi_functionals *p, sfm_error *error) {
  const sfmi_query_exact *query = s->query;
  mode_test c = {.widths = sfmi_arena_doubles(&s->arena, s->points)};
  const size_t top = top_of(p->values, s->points);
  double slack = 0;
  if (!c.widths) return sfmi_fail_memory(error);
  mode_test_bounds(&c, p, query->integral.release, query->risk);
  sfm_status status = mode_test_draws(&c, p, query->risk, error);
  if (!status) status = slack_of(&slack, query, p, &c, s->x[1] - s->x[0], error);
  if (status) return status;
  for (size_t k = 0; k < s->points; k++)
    s->may[k] = p->values[top] - p->values[k] <= c.widths[k] + slack;
  answer(s, p->values, top);
  return SFM_OK;
}

/* By the law of the noise at the points x. */
static sfm_status by_noise(mode_search *s, sfm_error *error) {
  sfmi_functionals p = {0};
  sfmi_integrand *integrands = sfmi_arena_get(&s->arena, s->points, sizeof *integrands);
  if (!integrands) return sfmi_fail_memory(error);
  for (size_t k = 0; k < s->points; k++)
    integrands[k] = (sfmi_integrand){SFMI_INTEGRAND_POINT, s->x[k], s->x[k]};
  sfm_status status = sfmi_functionals_init(&p, s->query, integrands, s->points, true, error);
  if (!status) status = answer_by_noise(s, &p, error);
  sfmi_functionals_clear(&p);
  return status;
}

/* By the band that holds everywhere at once: where f~ + w reaches the largest f~ - w, less what the
 * peak may be above its nearest point. */
static sfm_status by_band(mode_search *s, sfm_error *error) {
  const sfm_release *release = s->query->integral.release;
  sfm_evaluator *evaluator = NULL;
  sfm_band band;
  double *values = sfmi_arena_doubles(&s->arena, s->points);
  if (!values) return sfmi_fail_memory(error);
  sfm_status status = sfm_release_band_at(release, &band, s->query->confidence, error);
  if (!status) status = sfm_evaluator_create(&evaluator, release, 0, error);
  if (!status) status = sfm_evaluator_at(evaluator, values, s->x, s->points, error);
  sfm_evaluator_destroy(evaluator);
  if (status) return status;
  const size_t top = top_of(values, s->points);
  const double z = (s->x[1] - s->x[0]) / release->function->bandwidth[0], fall = z * z / 8;
  const double peak = fall < 1 ? (values[top] + band.half_width) / (1 - fall) : INFINITY;
  for (size_t k = 0; k < s->points; k++)
    s->may[k] = values[top] - values[k] <= 2 * band.half_width + fall * peak;
  answer(s, values, top);
  return SFM_OK;
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
  mode_search s = {query,  out,
                   pieces, count,
                   most,   .points = (size_t)(noise ? affordable : fmin(wanted, BAND_POINTS_MOST))};
  s.x = sfmi_arena_doubles(&s.arena, s.points);
  s.may = sfmi_arena_get(&s.arena, s.points, sizeof *s.may);
  sfm_status status = s.arena.failed ? sfmi_fail_memory(error) : SFM_OK;
  if (!status) {
    sfmi_equispaced(s.x, release->lower[0], release->upper[0], s.points);
    status = noise ? by_noise(&s, error) : by_band(&s, error);
  }
  sfmi_arena_clear(&s.arena);
  return status;
}
