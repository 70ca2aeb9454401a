#include "query_by_band.h"

#include <math.h>
#include <stdlib.h>

#include "confidence_set.h"

/* Points along the only axis, at least; of a box in more dimensions, at most. */
enum { LINE_POINTS = 2049 };
static const double BOX_POINTS = 4e5;

/* Nodes along an axis between two places: those of a refined release's grid, between which it is
 * linear, cut into `parts`; of others so many. */
static double *axis_nodes(sfmi_arena *arena, size_t *count, const sfm_release *release, size_t a,
                          double from, double to, size_t parts, size_t points) {
  const bool refined = release->refined.done;
  const double lower = release->lower[a], width = release->upper[a] - lower;
  const size_t cells = refined ? (release->function->places.counts[a] - 1) * parts : points - 1;
  double *x = sfmi_arena_doubles(arena, cells + 3);
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

/* Values and half-widths (0 without a band) at points, which are chosen here. */
static sfm_status look(const sfmi_query_by_band *query, double *values, double *widths,
                       const double *points, size_t count, sfm_error *error) {
  sfm_status status = sfmi_resources_allow(
      query->release, sfmi_resources_points(query->release, count, query->banded), "integrating it",
      error);
  if (!status) status = sfm_evaluator_at(query->evaluator, values, points, count, error);
  if (!status && query->banded)
    status = sfm_evaluator_widths(query->evaluator, widths, points, count, error);
  for (size_t i = 0; i < count && !status; i++)
    if (isnan(values[i]))
      return sfmi_fail(error, SFM_INVALID,
                       "this release has no values between its points, so that nothing can be "
                       "integrated");
  return status;
}

/* Integrals of the function and of the band's half-width over a box. */
static sfm_status integrate(const sfmi_query_by_band *query, double *sum, double *slack,
                            const double *from, const double *to, sfm_error *error) {
  const sfm_release *release = query->release;
  const size_t d = release->dimension;
  const double along = floor(pow(BOX_POINTS, 1 / (double)d));
  double *nodes[SFM_MAX_DIMENSION];
  sfmi_arena arena = {0};
  size_t counts[SFM_MAX_DIMENSION], index[SFM_MAX_DIMENSION] = {0};
  double total = 1;
  sfm_status status = SFM_OK;
  if (along < 3)
    return sfmi_fail(error, SFM_INVALID, "a density of %zu columns has too many to be integrated",
                     d);
  for (size_t a = 0; a < d && !status; a++) {
    nodes[a] = axis_nodes(&arena, &counts[a], release, a, from[a], to[a], 1,
                          (size_t)fmin(along, LINE_POINTS));
    if (!nodes[a]) status = sfmi_fail_memory(error);
    total *= nodes[a] ? (double)counts[a] : 1;
  }
  if (!status && total > 40 * BOX_POINTS)
    status =
        sfmi_fail(error, SFM_INVALID, "a grid of %.3g points is too large to be integrated", total);
  const size_t n = !status ? (size_t)total : 0;
  double *points = sfmi_arena_doubles(&arena, n * d), *values = sfmi_arena_doubles(&arena, 3 * n);
  if (!status && arena.failed) status = sfmi_fail_memory(error);
  for (size_t i = 0; i < n && !status; i++) {
    double weight = 1;
    for (size_t a = 0; a < d; a++) {
      points[i * d + a] = nodes[a][index[a]];
      weight *= node_weight(nodes[a], counts[a], index[a]);
    }
    values[2 * n + i] = weight;
    sfmi_index_step(index, counts, d);
  }
  if (!status) status = look(query, values, values + n, points, n, error);
  *sum = *slack = 0;
  for (size_t i = 0; i < n && !status; i++) {
    *sum += values[i] * values[2 * n + i];
    *slack += values[n + i] * values[2 * n + i];
  }
  sfmi_arena_clear(&arena);
  return status;
}

/* Values along the only axis. */
static sfm_status fill_line(sfmi_query_by_band *query, sfm_error *error) {
  const sfm_release *release = query->release;
  const size_t cells = release->refined.done ? release->function->places.counts[0] - 1 : 1;
  query->x = axis_nodes(&query->arena, &query->count, release, 0, release->lower[0],
                        release->upper[0], 1 + LINE_POINTS / cells, LINE_POINTS);
  if (!query->x) return sfmi_fail_memory(error);
  const size_t n = query->count;
  query->values = sfmi_arena_doubles(&query->arena, n);
  query->widths = sfmi_arena_doubles(&query->arena, n);
  query->sums = sfmi_arena_doubles(&query->arena, n);
  query->slacks = sfmi_arena_doubles(&query->arena, n);
  if (query->arena.failed) return sfmi_fail_memory(error);
  sfm_status status = look(query, query->values, query->widths, query->x, n, error);
  for (size_t k = 1; k < n && !status; k++) {
    const double half = 0.5 * (query->x[k] - query->x[k - 1]);
    query->sums[k] = query->sums[k - 1] + half * (query->values[k] + query->values[k - 1]);
    query->slacks[k] = query->slacks[k - 1] + half * (query->widths[k] + query->widths[k - 1]);
  }
  query->whole = query->sums[n - 1];
  query->whole_width = query->slacks[n - 1];
  return status;
}

sfm_status sfmi_query_by_band_init(sfmi_query_by_band *query, const sfm_release *release,
                                   double confidence, sfm_error *error) {
  *query = (sfmi_query_by_band){.banded = !release->refined.done,
                                .release = sfmi_alloc(1, sizeof *query->release)};
  if (!query->release) return sfmi_fail_memory(error);
  *query->release = *release;
  sfm_status status = SFM_OK;
  if (query->banded)
    status = sfm_release_band_at(release, &query->release->band, confidence, error);
  if (!status) status = sfm_evaluator_create(&query->evaluator, query->release, 0, error);
  if (!status)
    status = release->dimension == 1 ? fill_line(query, error)
                                     : integrate(query, &query->whole, &query->whole_width,
                                                 release->lower, release->upper, error);
  if (!status && !(query->whole > 0))
    return sfmi_fail(error, SFM_INVALID,
                     "the noisy mass of this release within its bounds is %.6g: there is nothing "
                     "to divide by, and so no answer",
                     query->whole);
  return status;
}

void sfmi_query_by_band_clear(sfmi_query_by_band *query) {
  sfm_evaluator_destroy(query->evaluator);
  free(query->release);
  sfmi_arena_clear(&query->arena);
  *query = (sfmi_query_by_band){0};
}

/* A part of the whole, both moved by at most so much; the part and the rest separately. */
static sfm_estimate part_of(const sfmi_query_by_band *query, double part, double width) {
  const double rest = query->whole - part, rest_width = query->whole_width - width;
  sfm_estimate e = {fmin(fmax(part / query->whole, 0), 1), NAN, NAN};
  if (!query->banded) return e;
  const double least = fmax(part - width, 0), most = fmax(part + width, 0);
  const double rest_least = fmax(rest - rest_width, 0), rest_most = fmax(rest + rest_width, 0);
  e.lower = least > 0 && isfinite(rest_most) ? least / (least + rest_most) : 0;
  e.upper = rest_least > 0 && isfinite(most) ? most / (most + rest_least) : 1;
  return e;
}

/* The cell that holds x. */
static size_t cell_of(const sfmi_query_by_band *query, double x) {
  size_t low = 0, high = query->count - 1;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (query->x[middle] <= x)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* An integral up to x, of what is linear between points. */
static double up_to(const sfmi_query_by_band *query, const double *sums, const double *values,
                    double x) {
  const size_t k = cell_of(query, x);
  const double length = query->x[k + 1] - query->x[k], t = (x - query->x[k]) / length;
  return sums[k] + length * t * (values[k] + 0.5 * t * (values[k + 1] - values[k]));
}

sfm_status sfmi_query_by_band_probability(const sfmi_query_by_band *query, sfm_estimate *out,
                                          const double *from, const double *to, sfm_error *error) {
  double sum, slack;
  if (query->release->dimension == 1) {
    const double *sums = query->sums, *slacks = query->slacks;
    sum = up_to(query, sums, query->values, to[0]) - up_to(query, sums, query->values, from[0]);
    slack =
        up_to(query, slacks, query->widths, to[0]) - up_to(query, slacks, query->widths, from[0]);
  } else {
    sfm_status status = integrate(query, &sum, &slack, from, to, error);
    if (status) return status;
  }
  *out = part_of(query, sum, fmin(slack, query->whole_width));
  return SFM_OK;
}

void sfmi_query_by_band_cdf(const sfmi_query_by_band *query, sfm_estimate *out, const double *x,
                            size_t count) {
  for (size_t i = 0; i < count; i++)
    out[i] = part_of(query, up_to(query, query->sums, query->values, x[i]),
                     up_to(query, query->slacks, query->widths, x[i]));
}

sfm_status sfmi_query_by_band_quantiles(const sfmi_query_by_band *query, sfm_estimate *out,
                                        const double *p, size_t count, sfm_error *error) {
  const size_t n = query->count;
  double *excess = sfmi_alloc(2 * n, sizeof *excess);
  if (!excess) return sfmi_fail_memory(error);
  double *widths = excess + n;
  for (size_t i = 0; i < count; i++) {
    for (size_t k = 0; k < n; k++) {
      excess[k] = query->sums[k] - p[i] * query->whole;
      widths[k] = (1 - p[i]) * query->slacks[k] + p[i] * (query->whole_width - query->slacks[k]);
    }
    const sfmi_zero_crossing c = sfmi_confidence_set_crossing(excess, widths, n);
    out[i].value = 0.5 * (sfmi_confidence_set_root(query->x, excess, c.zero[0]) +
                          sfmi_confidence_set_root(query->x, excess, c.zero[1]));
    out[i].lower = query->x[c.kept[0]];
    out[i].upper = query->x[c.kept[1] + 1];
    if (!query->banded) out[i].lower = out[i].upper = NAN;
  }
  free(excess);
  return SFM_OK;
}

typedef struct mean_test {
  const sfmi_query_by_band *query;
  double sum;
} mean_test;

/* Against the integral of the half-width times the distance of a place from that share of the
 * bounds. */
static bool may_be(const void *context, double ratio) {
  const mean_test *t = context;
  const sfmi_query_by_band *c = t->query;
  const double lower = c->x[0], width = c->x[c->count - 1] - lower;
  double slack = 0;
  for (size_t k = 0; k < c->count; k++)
    slack +=
        node_weight(c->x, c->count, k) * c->widths[k] * fabs((c->x[k] - lower) / width - ratio);
  return fabs(t->sum - ratio * c->whole) <= slack;
}

void sfmi_query_by_band_mean(const sfmi_query_by_band *query, sfm_estimate *out) {
  const double lower = query->x[0], width = query->x[query->count - 1] - lower;
  double sum = 0;
  /* Exactly, for what is linear between points. */
  for (size_t k = 1; k < query->count; k++) {
    const double t = (query->x[k - 1] - lower) / width, u = (query->x[k] - lower) / width;
    const double f = query->values[k - 1], g = query->values[k];
    sum += (u - t) * width * (f * (2 * t + u) + g * (t + 2 * u)) / 6;
  }
  const double ratio = fmin(fmax(sum / query->whole, 0), 1);
  *out = (sfm_estimate){lower + width * ratio, NAN, NAN};
  if (!query->banded) return;
  const mean_test t = {query, sum};
  sfmi_confidence_set_ratio(&out->lower, &out->upper, ratio, may_be, &t);
  out->lower = lower + width * out->lower;
  out->upper = lower + width * out->upper;
}

sfm_status sfmi_query_by_band_mode(const sfmi_query_by_band *query, sfm_estimate *out,
                                   double *pieces, size_t *count, size_t most, sfm_error *error) {
  size_t top = 0;
  double least = -INFINITY;
  bool *may = sfmi_alloc(query->count, sizeof *may);
  if (!may) return sfmi_fail_memory(error);
  for (size_t k = 0; k < query->count; k++) {
    if (query->values[k] > query->values[top]) top = k;
    least = fmax(least, query->values[k] - query->widths[k]);
  }
  for (size_t k = 0; query->banded && k < query->count; k++)
    may[k] = query->values[k] + query->widths[k] >= least;
  *out = (sfm_estimate){query->x[top], NAN, NAN};
  sfmi_confidence_set_runs(&out->lower, &out->upper, pieces, count, most, query->x, may,
                           query->count);
  free(may);
  return SFM_OK;
}
