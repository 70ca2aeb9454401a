#include "releases/canvass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "releases/interval.h"

/* Points along the only axis, at least; of a box in more dimensions, at most. */
enum { LINE_POINTS = 2049 };
static const double BOX_POINTS = 4e5;

/* Nodes along an axis between two places: those of a refined release's grid, between which it is
 * linear, cut into `parts`; of others so many. */
static double *axis_nodes(size_t *count, const sfm_release *release, size_t a, double from,
                          double to, size_t parts, size_t points) {
  const bool refined = release->refined.done;
  const double lower = release->lower[a], width = release->upper[a] - lower;
  const size_t cells = refined ? (release->places.counts[a] - 1) * parts : points - 1;
  double *x = sfmi_alloc(cells + 3, sizeof *x);
  size_t n = 0;
  if (!x) return NULL;
  x[n++] = from;
  for (size_t k = 0; k <= cells; k++) {
    const double at = refined ? lower + width * (double)k / (double)cells
                              : from + (to - from) * (double)k / (double)cells;
    if (at > from && at < to) x[n++] = at;
  }
  x[n++] = to;
  *count = n;
  return x;
}

/* The trapezoidal rule's weight of node i. */
static double node_weight(const double *x, size_t count, size_t i) {
  const double before = i > 0 ? x[i] - x[i - 1] : 0, after = i + 1 < count ? x[i + 1] - x[i] : 0;
  return 0.5 * (before + after);
}

/* Values and half-widths (0 without a band) at points. */
static sfm_status look(const sfmi_canvass *canvass, double *values, double *widths,
                       const double *points, size_t count, sfm_error *error) {
  sfm_status status = sfm_evaluator_at(canvass->evaluator, values, points, count, error);
  if (status == SFM_OK && canvass->banded)
    status = sfm_evaluator_widths(canvass->evaluator, widths, points, count, error);
  for (size_t i = 0; i < count && status == SFM_OK; i++)
    if (isnan(values[i]))
      return sfmi_fail(error, SFM_INVALID,
                       "this release has no values between its points, so that nothing can be "
                       "integrated");
  return status;
}

/* Integrals of the function and of the band's half-width over a box. */
static sfm_status integrate(const sfmi_canvass *canvass, double *sum, double *slack,
                            const double *from, const double *to, sfm_error *error) {
  const sfm_release *release = canvass->release;
  const size_t d = release->dimension;
  const double along = floor(pow(BOX_POINTS, 1 / (double)d));
  double *nodes[SFM_MAX_DIMENSION] = {0}, *points = NULL, *values = NULL;
  size_t counts[SFM_MAX_DIMENSION], index[SFM_MAX_DIMENSION] = {0};
  double total = 1;
  sfm_status status = SFM_OK;
  if (along < 3)
    return sfmi_fail(error, SFM_INVALID, "a density of %zu columns has too many to be integrated",
                     d);
  for (size_t a = 0; a < d && status == SFM_OK; a++) {
    nodes[a] =
        axis_nodes(&counts[a], release, a, from[a], to[a], 1, (size_t)fmin(along, LINE_POINTS));
    if (!nodes[a]) status = sfmi_fail_memory(error);
    total *= nodes[a] ? (double)counts[a] : 1;
  }
  if (status == SFM_OK && total > 40 * BOX_POINTS)
    status =
        sfmi_fail(error, SFM_INVALID, "a grid of %.3g points is too large to be integrated", total);
  const size_t n = status == SFM_OK ? (size_t)total : 0;
  points = sfmi_alloc(n * d, sizeof *points);
  values = sfmi_alloc(3 * n, sizeof *values);
  if (status == SFM_OK && (!points || !values)) status = sfmi_fail_memory(error);
  for (size_t i = 0; i < n && status == SFM_OK; i++) {
    double weight = 1;
    for (size_t a = 0; a < d; a++) {
      points[i * d + a] = nodes[a][index[a]];
      weight *= node_weight(nodes[a], counts[a], index[a]);
    }
    values[2 * n + i] = weight;
    for (size_t a = d; a-- > 0;) {
      if (++index[a] < counts[a]) break;
      index[a] = 0;
    }
  }
  if (status == SFM_OK) status = look(canvass, values, values + n, points, n, error);
  *sum = *slack = 0;
  for (size_t i = 0; i < n && status == SFM_OK; i++) {
    *sum += values[i] * values[2 * n + i];
    *slack += values[n + i] * values[2 * n + i];
  }
  for (size_t a = 0; a < d; a++) free(nodes[a]);
  free(points);
  free(values);
  return status;
}

/* Values along the only axis. */
static sfm_status fill_line(sfmi_canvass *canvass, sfm_error *error) {
  const sfm_release *release = canvass->release;
  const size_t cells = release->refined.done ? release->places.counts[0] - 1 : 1;
  canvass->x = axis_nodes(&canvass->count, release, 0, release->lower[0], release->upper[0],
                          1 + LINE_POINTS / cells, LINE_POINTS);
  if (!canvass->x) return sfmi_fail_memory(error);
  const size_t n = canvass->count;
  canvass->values = sfmi_alloc(4 * n, sizeof *canvass->values);
  if (!canvass->values) return sfmi_fail_memory(error);
  canvass->widths = canvass->values + n;
  canvass->sums = canvass->widths + n;
  canvass->slacks = canvass->sums + n;
  sfm_status status = look(canvass, canvass->values, canvass->widths, canvass->x, n, error);
  for (size_t k = 1; k < n && status == SFM_OK; k++) {
    const double half = 0.5 * (canvass->x[k] - canvass->x[k - 1]);
    canvass->sums[k] = canvass->sums[k - 1] + half * (canvass->values[k] + canvass->values[k - 1]);
    canvass->slacks[k] =
        canvass->slacks[k - 1] + half * (canvass->widths[k] + canvass->widths[k - 1]);
  }
  canvass->whole = canvass->sums[n - 1];
  canvass->whole_width = canvass->slacks[n - 1];
  return status;
}

sfm_status sfmi_canvass_init(sfmi_canvass *canvass, const sfm_release *release, double confidence,
                             sfm_error *error) {
  *canvass = (sfmi_canvass){.banded = !release->refined.done,
                            .release = sfmi_alloc(1, sizeof *canvass->release)};
  if (!canvass->release) return sfmi_fail_memory(error);
  *canvass->release = *release;
  sfm_status status = SFM_OK;
  if (canvass->banded)
    status = sfm_release_band_at(release, &canvass->release->band, confidence, error);
  if (status == SFM_OK)
    status = sfm_evaluator_create(&canvass->evaluator, canvass->release, 0, error);
  if (status == SFM_OK)
    status = release->dimension == 1 ? fill_line(canvass, error)
                                     : integrate(canvass, &canvass->whole, &canvass->whole_width,
                                                 release->lower, release->upper, error);
  if (status == SFM_OK && !(canvass->whole > 0))
    return sfmi_fail(error, SFM_INVALID,
                     "the noisy mass of this release within its bounds is %.6g: there is nothing "
                     "to divide by, and so no answer",
                     canvass->whole);
  return status;
}

void sfmi_canvass_clear(sfmi_canvass *canvass) {
  sfm_evaluator_destroy(canvass->evaluator);
  free(canvass->release);
  free(canvass->x);
  free(canvass->values);
  *canvass = (sfmi_canvass){0};
}

/* A part of the whole, both moved by at most so much; the part and the rest separately. */
static sfm_estimate part_of(const sfmi_canvass *canvass, double part, double width) {
  const double rest = canvass->whole - part, rest_width = canvass->whole_width - width;
  sfm_estimate e = {fmin(fmax(part / canvass->whole, 0), 1), NAN, NAN};
  if (!canvass->banded) return e;
  const double least = fmax(part - width, 0), most = fmax(part + width, 0);
  const double rest_least = fmax(rest - rest_width, 0), rest_most = fmax(rest + rest_width, 0);
  e.lower = least > 0 && isfinite(rest_most) ? least / (least + rest_most) : 0;
  e.upper = rest_least > 0 && isfinite(most) ? most / (most + rest_least) : 1;
  return e;
}

/* The cell that holds x. */
static size_t cell_of(const sfmi_canvass *canvass, double x) {
  size_t low = 0, high = canvass->count - 1;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (canvass->x[middle] <= x)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* An integral up to x, of what is linear between points. */
static double up_to(const sfmi_canvass *canvass, const double *sums, const double *values,
                    double x) {
  const size_t k = cell_of(canvass, x);
  const double length = canvass->x[k + 1] - canvass->x[k], t = (x - canvass->x[k]) / length;
  return sums[k] + length * t * (values[k] + 0.5 * t * (values[k + 1] - values[k]));
}

sfm_status sfmi_canvass_probability(const sfmi_canvass *canvass, sfm_estimate *out,
                                    const double *from, const double *to, sfm_error *error) {
  double sum, slack;
  if (canvass->release->dimension == 1) {
    const double *sums = canvass->sums, *slacks = canvass->slacks;
    sum = up_to(canvass, sums, canvass->values, to[0]) -
          up_to(canvass, sums, canvass->values, from[0]);
    slack = up_to(canvass, slacks, canvass->widths, to[0]) -
            up_to(canvass, slacks, canvass->widths, from[0]);
  } else {
    sfm_status status = integrate(canvass, &sum, &slack, from, to, error);
    if (status != SFM_OK) return status;
  }
  *out = part_of(canvass, sum, fmin(slack, canvass->whole_width));
  return SFM_OK;
}

void sfmi_canvass_cdf(const sfmi_canvass *canvass, sfm_estimate *out, const double *x,
                      size_t count) {
  for (size_t i = 0; i < count; i++)
    out[i] = part_of(canvass, up_to(canvass, canvass->sums, canvass->values, x[i]),
                     up_to(canvass, canvass->slacks, canvass->widths, x[i]));
}

sfm_status sfmi_canvass_quantiles(const sfmi_canvass *canvass, sfm_estimate *out, const double *p,
                                  size_t count, sfm_error *error) {
  const size_t n = canvass->count;
  double *excess = sfmi_alloc(2 * n, sizeof *excess);
  if (!excess) return sfmi_fail_memory(error);
  double *widths = excess + n;
  for (size_t i = 0; i < count; i++) {
    for (size_t k = 0; k < n; k++) {
      excess[k] = canvass->sums[k] - p[i] * canvass->whole;
      widths[k] =
          (1 - p[i]) * canvass->slacks[k] + p[i] * (canvass->whole_width - canvass->slacks[k]);
    }
    const sfmi_crossing c = sfmi_interval_crossing(excess, widths, n);
    out[i].value = 0.5 * (sfmi_interval_meet(canvass->x, excess, c.zero[0]) +
                          sfmi_interval_meet(canvass->x, excess, c.zero[1]));
    out[i].lower = canvass->x[c.kept[0]];
    out[i].upper = canvass->x[c.kept[1] + 1];
    if (!canvass->banded) out[i].lower = out[i].upper = NAN;
  }
  free(excess);
  return SFM_OK;
}

typedef struct mean_test {
  const sfmi_canvass *canvass;
  double sum;
} mean_test;

/* Against the integral of the half-width times the distance of a place from that share of the
 * bounds. */
static bool may_be(const void *context, double ratio) {
  const mean_test *t = context;
  const sfmi_canvass *c = t->canvass;
  const double lower = c->x[0], width = c->x[c->count - 1] - lower;
  double slack = 0;
  for (size_t k = 0; k < c->count; k++)
    slack +=
        node_weight(c->x, c->count, k) * c->widths[k] * fabs((c->x[k] - lower) / width - ratio);
  return fabs(t->sum - ratio * c->whole) <= slack;
}

void sfmi_canvass_mean(const sfmi_canvass *canvass, sfm_estimate *out) {
  const double lower = canvass->x[0], width = canvass->x[canvass->count - 1] - lower;
  double sum = 0;
  /* Exactly, for what is linear between points. */
  for (size_t k = 1; k < canvass->count; k++) {
    const double t = (canvass->x[k - 1] - lower) / width, u = (canvass->x[k] - lower) / width;
    const double f = canvass->values[k - 1], g = canvass->values[k];
    sum += (u - t) * width * (f * (2 * t + u) + g * (t + 2 * u)) / 6;
  }
  const double ratio = fmin(fmax(sum / canvass->whole, 0), 1);
  *out = (sfm_estimate){lower + width * ratio, NAN, NAN};
  if (!canvass->banded) return;
  const mean_test t = {canvass, sum};
  sfmi_interval_ratio(&out->lower, &out->upper, ratio, may_be, &t);
  out->lower = lower + width * out->lower;
  out->upper = lower + width * out->upper;
}

sfm_status sfmi_canvass_mode(const sfmi_canvass *canvass, sfm_estimate *out, double *pieces,
                             size_t *count, size_t most, sfm_error *error) {
  size_t top = 0;
  double least = -INFINITY;
  bool *may = sfmi_alloc(canvass->count, sizeof *may);
  if (!may) return sfmi_fail_memory(error);
  for (size_t k = 0; k < canvass->count; k++) {
    if (canvass->values[k] > canvass->values[top]) top = k;
    least = fmax(least, canvass->values[k] - canvass->widths[k]);
  }
  for (size_t k = 0; canvass->banded && k < canvass->count; k++)
    may[k] = canvass->values[k] + canvass->widths[k] >= least;
  *out = (sfm_estimate){canvass->x[top], NAN, NAN};
  sfmi_interval_runs(&out->lower, &out->upper, pieces, count, most, canvass->x, may,
                     canvass->count);
  free(may);
  return SFM_OK;
}
