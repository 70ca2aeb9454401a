/* query_quantiles.c - quantiles: the place x with s(x) = p s(bounds) lies in a cell of a grid, and
 * cells are kept whose two ends do not contradict that, each at half the risk.  First by bounds on
 * a grid of all that is within the bounds; then by the noise's law where that keeps something; then
 * the cells at both ends more closely, down to a small part of a bandwidth, with the quantile of
 * the noise that was found beside them. */
#include "query_exact.h"

#include <math.h>
#include <stdlib.h>

#include "confidence_set.h"
#include "linear_functionals.h"

/* Points of the first grid, by what their weights cost; parts of what is looked at more closely,
 * how often, and where that ends, in bandwidths. */
static const double GRID_WORK = 4e6, ENOUGH = 1.0 / 64;
enum { POINTS_LEAST = 129, POINTS_MOST = 2049, PARTS = 32, CLOSER = 4 };

/* Integrals up to places: how far they are from the level, and how far they may be. */
typedef struct level_grid {
  size_t count;
  double *x, *excess, *widths; /* owned through x */
  double *factors;             /* of widths of noise, in roots of sums of squared weights */
} level_grid;

static sfm_status level_grid_init(level_grid *s, double from, double to, size_t count,
                                  sfm_error *error) {
  *s = (level_grid){.count = count, .x = sfmi_alloc(4 * count, sizeof *s->x)};
  if (!s->x) return sfmi_fail_memory(error);
  s->excess = s->x + count;
  s->widths = s->excess + count;
  s->factors = s->widths + count;
  sfmi_equispaced(s->x, from, to, count);
  return SFM_OK;
}

static void level_grid_clear(level_grid *s) {
  free(s->x);
}

/* Widths by the law of the noise, and by what is not noise, at each place.  factor: that of widths
 * nearby; 0: not known yet. */
static sfm_status look(level_grid *s, const sfmi_query_exact *query, double level, double factor,
                       sfm_error *error) {
  const sfm_release *release = query->integral.release;
  const bool simulate = factor == 0 && !sfmi_release_normal(release);
  sfmi_functionals p = {0};
  sfm_status status = sfmi_functionals_init_cumulative(&p, query, s->x, s->count, simulate, error);
  double *scratch = sfmi_alloc(p.draws.draws, sizeof *scratch);
  if (!status && !scratch) status = sfmi_fail_memory(error);
  for (size_t k = 0; k < s->count && !status; k++) {
    sfmi_contrast c = sfmi_functionals_contrast(&p, k);
    sfmi_functionals_add_fixed(&c, query, &p, k, s->x[k]);
    const double root = sqrt(sfmi_contrast_squares(&c, level));
    const double noise =
        factor > 0 ? factor * root : sfmi_contrast_noise(&c, release, level, query->risk, scratch);
    s->factors[k] = root > 0 ? noise / root : 0;
    s->excess[k] = c.part - level * c.whole;
    s->widths[k] = noise + sfmi_contrast_fixed(&c, level);
  }
  free(scratch);
  sfmi_functionals_clear(&p);
  return status;
}

/* A segment of the axis, and the factor of widths there. */
typedef struct segment {
  double from, to, factor;
} segment;

static bool enough(const sfmi_query_exact *query, segment s) {
  return s.to - s.from <= ENOUGH * query->integral.release->function->bandwidth[0];
}

static segment between(const level_grid *s, size_t from, size_t to) {
  segment out = {s->x[from], s->x[to], 0};
  for (size_t k = from; k <= to; k++) out.factor = fmax(out.factor, s->factors[k]);
  return out;
}

/* Looks at the parts of a segment: of those that are kept, the outermost on both sides, each with
 * the one beyond it.  When none is, the segment stands. */
static sfm_status part(segment ends[2], const sfmi_query_exact *query, double level, segment whole,
                       sfm_error *error) {
  level_grid s;
  ends[0] = ends[1] = whole;
  sfm_status status = level_grid_init(&s, whole.from, whole.to, PARTS + 1, error);
  if (!status) status = look(&s, query, level, whole.factor, error);
  if (!status) {
    const sfmi_zero_crossing c = sfmi_confidence_set_crossing(s.excess, s.widths, s.count);
    const size_t first = c.kept[0], last = c.kept[1];
    if (first <= last) {
      ends[0] = between(&s, first > 0 ? first - 1 : 0, first + 1);
      ends[1] = between(&s, last, last + 2 < s.count ? last + 2 : last + 1);
    }
  }
  level_grid_clear(&s);
  return status;
}

/* Both ends of what is kept within a segment. */
static sfm_status find_ends(sfm_estimate *out, const sfmi_query_exact *query, double level,
                            segment whole, sfm_error *error) {
  segment ends[2], closer[2];
  sfm_status status = part(ends, query, level, whole, error);
  for (int side = 0; side < 2; side++)
    for (int i = 1; i < CLOSER && !status && !enough(query, ends[side]); i++) {
      status = part(closer, query, level, ends[side], error);
      ends[side] = closer[side];
    }
  out->lower = ends[0].from;
  out->upper = ends[1].to;
  return status;
}

/* The first or last place in a segment where the released function itself reaches the level. */
static sfm_status find_zero(double *place, const sfmi_query_exact *query, double level, segment in,
                            bool last, sfm_error *error) {
  sfm_status status = SFM_OK;
  bool done = false;
  for (int i = 0; i < CLOSER && !status && !done; i++) {
    level_grid s;
    sfmi_functionals p = {0};
    status = level_grid_init(&s, in.from, in.to, PARTS + 1, error);
    if (!status) status = sfmi_functionals_init_cumulative(&p, query, s.x, s.count, false, error);
    for (size_t k = 0; k < s.count && !status; k++)
      s.excess[k] = p.values[k] - level * p.values[s.count];
    if (!status) {
      const size_t k = sfmi_confidence_set_crossing(s.excess, s.widths, s.count).zero[last];
      *place = sfmi_confidence_set_root(s.x, s.excess, k);
      in = (segment){s.x[k], s.x[k + 1], 0};
    }
    done = enough(query, in);
    sfmi_functionals_clear(&p);
    level_grid_clear(&s);
  }
  return status;
}

/* All places of the first grid, whatever the level: without draws, and with a bound on what is not
 * noise that holds everywhere. */
static sfm_status look_around(sfmi_contrast *contrasts, const sfmi_query_exact *query,
                              const double *x, size_t count, sfm_error *error) {
  sfmi_functionals p = {0};
  sfm_status status = sfmi_functionals_init_cumulative(&p, query, x, count, false, error);
  const double worst = query->records * sfmi_integral_worst(&query->integral, 0);
  for (size_t k = 0; k < count && !status; k++) {
    contrasts[k] = sfmi_functionals_contrast(&p, k);
    contrasts[k].fixed[0] = contrasts[k].fixed[1] =
        worst + query->grain *
                    (sfmi_functionals_weight_sum(&p, k) + sfmi_functionals_weight_sum(&p, count));
  }
  sfmi_functionals_clear(&p);
  return status;
}

static sfm_status answer(sfm_estimate *out, const sfmi_query_exact *query,
                         const sfmi_contrast *contrasts, level_grid *s, double level,
                         sfm_error *error) {
  for (size_t k = 0; k < s->count; k++) {
    const sfmi_contrast *c = &contrasts[k];
    s->excess[k] = c->part - level * c->whole;
    s->widths[k] = sfmi_contrast_bound(c, query->integral.release, level, query->risk) +
                   sfmi_contrast_fixed(c, level);
  }
  const sfmi_zero_crossing c = sfmi_confidence_set_crossing(s->excess, s->widths, s->count);
  const segment kept = {s->x[c.kept[0]], s->x[c.kept[1] + 1], 0};
  double zero[2] = {NAN, NAN};
  sfm_status status = find_ends(out, query, level, kept, error);
  for (int i = 0; i < 2 && !status; i++) {
    const segment cell = {s->x[c.zero[i]], s->x[c.zero[i] + 1], 0};
    status = find_zero(&zero[i], query, level, cell, i, error);
  }
  out->value = 0.5 * (zero[0] + zero[1]);
  out->lower = fmin(out->lower, out->value);
  out->upper = fmax(out->upper, out->value);
  return status;
}

sfm_status sfmi_query_exact_quantiles(const sfmi_query_exact *query, sfm_estimate *out,
                                      const double *p, size_t count, sfm_error *error) {
  const sfm_release *release = query->integral.release;
  const double size = (double)sfmi_integral_size(&query->integral, 0);
  const size_t points = (size_t)fmin(fmax(GRID_WORK / size, POINTS_LEAST), POINTS_MOST);
  sfmi_contrast *contrasts = sfmi_alloc(points, sizeof *contrasts);
  level_grid s;
  sfm_status status = level_grid_init(&s, release->lower[0], release->upper[0], points, error);
  if (!status && !contrasts) status = sfmi_fail_memory(error);
  if (!status) status = look_around(contrasts, query, s.x, points, error);
  for (size_t i = 0; i < count && !status; i++)
    status = answer(&out[i], query, contrasts, &s, p[i], error);
  level_grid_clear(&s);
  free(contrasts);
  return status;
}
