/* profile.c - distribution function, quantiles and mode of a density of one variable whose
 * integrals are known with their noise.
 *
 * distribution function  |S_k - F W| <= c sigma_k(F) for all points k at once, c a quantile of the
 *                        simulated sup over points and over all F in [0, 1];
 * quantile               the place x with s(x) = p s(bounds) lies in a cell of a fixed grid; the
 *                        cells are kept whose two ends do not contradict that, each at half the
 * risk; mode                   the values S_k from which the largest is no farther than the noise's
 * own sup less its value there. */
#include <math.h>
#include <stdlib.h>

#include "base/quantile.h"
#include "releases/band.h"
#include "releases/interval.h"
#include "releases/inquiry.h"

/* Points of the grids, by what their weights and draws cost. */
static const double GRID_WORK = 1e6;
enum { GRID_LEAST = 65, QUANTILE_POINTS = 2049, MODE_POINTS = 3073, MODE_A_BANDWIDTH = 8 };
/* The most coefficients that are looked at in this way. */
static const size_t SIZE_MOST = (size_t)1 << 20;

/* Functionals at many points: the weights of each, sums, and draws of their noise. */
typedef struct profile {
  size_t size, count; /* coefficients, functionals */
  size_t noisy;       /* the first coefficient that has noise */
  double *weights;    /* count x size */
  double *values;     /* S of each */
  sfmi_draws draws;
} profile;

static void profile_clear(profile *p) {
  free(p->weights);
  free(p->values);
  sfmi_draws_clear(&p->draws);
}

static sfm_status draw(profile *p, const sfm_release *release, double risk, sfm_error *error) {
  if (!sfmi_draws_affordable(p->size, p->count, risk)) return SFM_OK;
  double *turned = sfmi_alloc(p->size * p->count, sizeof *turned);
  if (!turned) return sfmi_fail_memory(error);
  for (size_t k = 0; k < p->count; k++)
    for (size_t i = p->noisy; i < p->size; i++)
      turned[i * p->count + k] = p->weights[k * p->size + i];
  sfm_status status = sfmi_draws_init(&p->draws, release, turned, p->size, p->count, risk, error);
  free(turned);
  return status;
}

static sfm_status profile_init(profile *p, const sfmi_inquiry *inquiry, const sfmi_side *sides,
                               size_t count, bool draws, sfm_error *error) {
  const sfm_release *release = inquiry->integral.release;
  *p = (profile){.size = sfmi_integral_size(&inquiry->integral, 0),
                 .count = count,
                 .noisy = inquiry->integral.quiet ? 1 : 0};
  if (p->size > SIZE_MOST)
    return sfmi_fail(error, SFM_INVALID,
                     "this release has %zu coefficients; more than %zu are too many for this "
                     "question",
                     p->size, SIZE_MOST);
  p->weights = sfmi_alloc(count * p->size, sizeof *p->weights);
  p->values = sfmi_alloc(count, sizeof *p->values);
  if (!p->weights || !p->values) return sfmi_fail_memory(error);
  sfm_status status = sfmi_integral_weights(&inquiry->integral, 0, p->weights, sides, count, error);
  for (size_t k = 0; status == SFM_OK && k < count; k++)
    for (size_t i = 0; i < p->size; i++)
      p->values[k] += p->weights[k * p->size + i] * inquiry->coefficients[i];
  return status == SFM_OK && draws ? draw(p, release, inquiry->risk, error) : status;
}

static double dot(const profile *p, size_t k, size_t l) {
  const double *a = p->weights + k * p->size, *b = p->weights + l * p->size;
  double sum = 0;
  for (size_t i = p->noisy; i < p->size; i++) sum += a[i] * b[i];
  return sum;
}

static double largest_of(const profile *p, size_t k) {
  double largest = 0;
  for (size_t i = p->noisy; i < p->size; i++)
    largest = fmax(largest, fabs(p->weights[k * p->size + i]));
  return largest;
}

static double difference(const profile *p, size_t k, size_t l) {
  const double *a = p->weights + k * p->size, *b = p->weights + l * p->size;
  double largest = 0;
  for (size_t i = p->noisy; i < p->size; i++) largest = fmax(largest, fabs(a[i] - b[i]));
  return largest;
}

static double sum_of(const profile *p, size_t k) {
  double sum = 0;
  for (size_t i = p->noisy; i < p->size; i++) sum += fabs(p->weights[k * p->size + i]);
  return sum;
}

/* Integrals up to points, and in the end within the bounds. */
static sfm_status cumulate(profile *p, const sfmi_inquiry *inquiry, const double *x, size_t count,
                           bool draws, sfm_error *error) {
  const sfm_release *release = inquiry->integral.release;
  sfmi_side *sides = sfmi_alloc(count + 1, sizeof *sides);
  *p = (profile){0};
  if (!sides) return sfmi_fail_memory(error);
  for (size_t k = 0; k <= count; k++)
    sides[k] =
        (sfmi_side){SFMI_SIDE_INTERVAL, release->lower[0], k < count ? x[k] : release->upper[0]};
  sfm_status status = profile_init(p, inquiry, sides, count + 1, draws, error);
  free(sides);
  return status;
}

/* The integral up to point k against all within the bounds, but for what is not noise. */
static sfmi_contrast contrast_of(const profile *p, size_t k) {
  const size_t whole = p->count - 1;
  sfmi_contrast c = {.part = p->values[k],
                     .whole = p->values[whole],
                     .squares = dot(p, k, k),
                     .cross = dot(p, k, whole),
                     .whole_squares = dot(p, whole, whole),
                     .largest = {largest_of(p, k), difference(p, k, whole)}};
  if (p->draws.draws) {
    c.count = p->draws.draws;
    c.draws = p->draws.values + k * c.count;
    c.whole_draws = p->draws.values + whole * c.count;
  }
  return c;
}

/* What is not noise, of the integral up to x. */
static void fix(sfmi_contrast *c, const sfmi_inquiry *inquiry, const profile *p, size_t k,
                double x) {
  const sfmi_side side = {SFMI_SIDE_INTERVAL, inquiry->integral.release->lower[0], x};
  for (int i = 0; i < 2; i++)
    c->fixed[i] = inquiry->records * sfmi_integral_error(&inquiry->integral, 0, side, i) +
                  inquiry->grain * (sum_of(p, k) + i * sum_of(p, p->count - 1));
}

/* The distribution function. */

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
  double quantile, each; /* the latter: the risk of a point, of a union */
} joint_test;

static bool may_be(const void *context, double ratio) {
  const joint_test *t = context;
  const sfmi_contrast *c = t->contrast;
  const double distance = fabs(c->part - ratio * c->whole) - sfmi_contrast_fixed(c, ratio);
  return distance <= t->quantile * sqrt(sfmi_contrast_squares(c, ratio)) &&
         distance <= sfmi_contrast_bound(c, t->release, ratio, t->each);
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

static sfm_status answer_cdf(sfm_estimate *out, const sfmi_inquiry *inquiry, const profile *p,
                             const double *x, sfm_error *error) {
  /* Squares are kept away from zero, where rounding would make them anything. */
  static const double FLOOR = 1e-9;
  const size_t count = p->count - 1;
  const sfm_release *release = inquiry->integral.release;
  sfmi_contrast *contrasts = sfmi_alloc(count, sizeof *contrasts);
  double quantile = INFINITY;
  sfm_status status = contrasts ? SFM_OK : sfmi_fail_memory(error);
  for (size_t k = 0; k < count && status == SFM_OK; k++) {
    contrasts[k] = contrast_of(p, k);
    fix(&contrasts[k], inquiry, p, k, x[k]);
    contrasts[k].squares += FLOOR * contrasts[k].whole_squares;
  }
  if (status == SFM_OK) status = joint_quantile(&quantile, contrasts, count, inquiry->risk, error);
  for (size_t k = 0; k < count && status == SFM_OK; k++) {
    const joint_test t = {&contrasts[k], release, quantile, inquiry->risk / (double)count};
    out[k].value = fmin(fmax(contrasts[k].part / contrasts[k].whole, 0), 1);
    sfmi_interval_ratio(&out[k].lower, &out[k].upper, out[k].value, may_be, &t);
    if (x[k] <= release->lower[0]) out[k] = (sfm_estimate){0, 0, 0};
    if (x[k] >= release->upper[0]) out[k] = (sfm_estimate){1, 1, 1};
  }
  free(contrasts);
  return status == SFM_OK ? make_rise(out, x, count, error) : status;
}

sfm_status sfmi_inquiry_cdf(const sfmi_inquiry *inquiry, sfm_estimate *out, const double *x,
                            size_t count, sfm_error *error) {
  profile p;
  sfm_status status = cumulate(&p, inquiry, x, count, true, error);
  if (status == SFM_OK) status = answer_cdf(out, inquiry, &p, x, error);
  profile_clear(&p);
  return status;
}

/* Grids. */

static double *make_grid(size_t *count, const sfmi_inquiry *inquiry, double wanted, size_t most) {
  const sfm_release *release = inquiry->integral.release;
  const double size = (double)sfmi_integral_size(&inquiry->integral, 0);
  const double points = fmin(fmin(wanted, (double)most), fmax(GRID_WORK / size, GRID_LEAST));
  *count = (size_t)fmax(points, GRID_LEAST);
  double *x = sfmi_alloc(*count, sizeof *x);
  const double width = release->upper[0] - release->lower[0];
  for (size_t k = 0; x && k < *count; k++)
    x[k] = k + 1 == *count ? release->upper[0]
                           : release->lower[0] + width * (double)k / (double)(*count - 1);
  return x;
}

/* Quantiles. */

/* Which of the cells between points are not rejected by the widths: from *first to *last. */
static void window(size_t *first, size_t *last, const double *excess, const double *widths,
                   size_t count) {
  *first = 0;
  *last = count - 1;
  while (*first + 2 < count && excess[*first + 1] < -widths[*first + 1]) ++*first;
  while (*last > *first + 1 && excess[*last - 1] > widths[*last - 1]) --*last;
}

/* Points of a grid in the order of the question: how far the integrals up to them are from the
 * level, and how far they may be. */
typedef struct crossing {
  const sfmi_inquiry *inquiry;
  const double *x, *excess;
  double level, *widths;
  const profile *simulated; /* of the points from `first` on */
  size_t first;
  double *scratch;
} crossing;

static void sharpen_one(const crossing *c, size_t k) {
  const sfmi_inquiry *inquiry = c->inquiry;
  sfmi_contrast at = contrast_of(c->simulated, k - c->first);
  fix(&at, inquiry, c->simulated, k - c->first, c->x[k]);
  c->widths[k] =
      sfmi_contrast_noise(&at, inquiry->integral.release, c->level, inquiry->risk, c->scratch) +
      sfmi_contrast_fixed(&at, c->level);
}

/* From an end of the window inwards (by +1 or -1), until a cell is kept. */
static void sharpen_from(const crossing *c, size_t from, size_t to, int step) {
  sharpen_one(c, from);
  for (size_t k = from; k != to; k += (size_t)step) {
    const size_t next = k + (size_t)step, left = step > 0 ? k : next, right = left + 1;
    sharpen_one(c, next);
    if (c->excess[left] <= c->widths[left] && c->excess[right] >= -c->widths[right]) break;
  }
}

/* Narrower widths where they decide: by simulation, and by what is not noise there. */
static sfm_status sharpen(double *widths, const sfmi_inquiry *inquiry, const double *excess,
                          const double *x, size_t count, double level, sfm_error *error) {
  size_t first, last;
  profile p = {0};
  const bool draws = !sfmi_release_normal(inquiry->integral.release);
  window(&first, &last, excess, widths, count);
  sfm_status status = cumulate(&p, inquiry, x + first, last + 1 - first, draws, error);
  double *scratch = sfmi_alloc(p.draws.draws, sizeof *scratch);
  if (status == SFM_OK && !scratch) status = sfmi_fail_memory(error);
  const crossing c = {inquiry, x, excess, level, widths, &p, first, scratch};
  if (status == SFM_OK) {
    sharpen_from(&c, first, last, 1);
    sharpen_from(&c, last, first, -1);
  }
  free(scratch);
  profile_clear(&p);
  return status;
}

static sfm_status answer_quantile(sfm_estimate *out, const sfmi_inquiry *inquiry,
                                  const sfmi_contrast *contrasts, const double *x, size_t count,
                                  double level, sfm_error *error) {
  const sfm_release *release = inquiry->integral.release;
  double *excess = sfmi_alloc(2 * count, sizeof *excess), *widths = excess + count;
  if (!excess) return sfmi_fail_memory(error);
  for (size_t k = 0; k < count; k++) {
    excess[k] = contrasts[k].part - level * contrasts[k].whole;
    widths[k] = sfmi_contrast_bound(&contrasts[k], release, level, inquiry->risk) +
                sfmi_contrast_fixed(&contrasts[k], level);
  }
  sfm_status status = sharpen(widths, inquiry, excess, x, count, level, error);
  if (status == SFM_OK)
    out->value = sfmi_interval_crossing(&out->lower, &out->upper, x, excess, widths, count);
  free(excess);
  return status;
}

sfm_status sfmi_inquiry_quantiles(const sfmi_inquiry *inquiry, sfm_estimate *out, const double *p,
                                  size_t count, sfm_error *error) {
  size_t points;
  profile at = {0};
  double *x = make_grid(&points, inquiry, QUANTILE_POINTS, QUANTILE_POINTS);
  sfmi_contrast *contrasts = sfmi_alloc(x ? points : 1, sizeof *contrasts);
  sfm_status status =
      x && contrasts ? cumulate(&at, inquiry, x, points, false, error) : sfmi_fail_memory(error);
  const double worst = inquiry->records * sfmi_integral_worst(&inquiry->integral, 0);
  for (size_t k = 0; k < points && status == SFM_OK; k++) {
    contrasts[k] = contrast_of(&at, k);
    contrasts[k].fixed[0] = contrasts[k].fixed[1] =
        worst + inquiry->grain * (sum_of(&at, k) + sum_of(&at, points));
  }
  for (size_t i = 0; i < count && status == SFM_OK; i++)
    status = answer_quantile(&out[i], inquiry, contrasts, x, points, p[i], error);
  profile_clear(&at);
  free(contrasts);
  free(x);
  return status;
}

/* The mode. */

/* Part of the risk for a bound on how large the density is at all. */
static const double SUP_SHARE = 0.1;

/* The noise at points of a grid, against its own largest value. */
typedef struct crest {
  double *widths; /* of (sup of the noise) - (noise at a point) */
  double sup;     /* of the size of the noise, at SUP_SHARE of the risk */
} crest;

static double bound_at(const profile *p, const sfm_release *release, size_t k, double risk) {
  return sfmi_draws_tail(release, dot(p, k, k), largest_of(p, k), risk / (double)p->count);
}

static void crest_bounds(crest *c, const profile *p, const sfm_release *release, double risk) {
  double largest = 0;
  c->sup = 0;
  for (size_t k = 0; k < p->count; k++) {
    c->widths[k] = bound_at(p, release, k, (1 - SUP_SHARE) * risk);
    largest = fmax(largest, c->widths[k]);
    c->sup = fmax(c->sup, bound_at(p, release, k, SUP_SHARE * risk));
  }
  for (size_t k = 0; k < p->count; k++) c->widths[k] += largest;
}

static sfm_status crest_draws(crest *c, const profile *p, double risk, sfm_error *error) {
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
static sfm_status slack_of(double *out, const sfmi_inquiry *inquiry, const profile *p,
                           const crest *c, double step, sfm_error *error) {
  const sfm_release *release = inquiry->integral.release;
  sfmi_alias alias;
  sfm_status status =
      sfmi_band_alias(&alias, inquiry->integral.wave, &inquiry->integral.spread, error);
  if (status != SFM_OK) return status;
  double top = 0, grain = 0;
  for (size_t k = 0; k < p->count; k++) {
    top = fmax(top, p->values[k]);
    grain = fmax(grain, inquiry->grain * sum_of(p, k));
  }
  /* Near its peak a mean of kernels falls by at most this share within half a step. */
  const double h = release->bandwidth[0], fall = step * step / (8 * h * h);
  const double moved = grain + sfmi_integral_entries(&inquiry->integral) * inquiry->records;
  const double peak = alias.peak * inquiry->records;
  const double by_peak = fall < 1 ? (top + c->sup + moved + peak) / (1 - fall) : INFINITY;
  const double by_share =
      fall + alias.share < 1 ? (top + c->sup + moved) / (1 - fall - alias.share) : INFINITY;
  *out = 2 * moved +
         fmin(2 * peak + fall * fmin(by_peak, by_share), (2 * alias.share + fall) * by_share);
  if (isnan(*out)) *out = INFINITY;
  return SFM_OK;
}

/* The top of the parabola through a grid's largest value and its neighbours. */
static double summit(const double *x, const double *values, size_t count, size_t k) {
  if (k == 0 || k + 1 == count) return x[k];
  const double before = values[k] - values[k - 1], after = values[k] - values[k + 1];
  if (!(before + after > 0)) return x[k];
  return x[k] + 0.5 * (x[k + 1] - x[k]) * (before - after) / (before + after);
}

/* Runs of points that may be the mode's nearest. */
static void collect(sfm_estimate *out, double *pieces, size_t *found, size_t most, const double *x,
                    const profile *p, const crest *c, double top, double slack) {
  const double half = 0.5 * (x[1] - x[0]);
  size_t runs = 0;
  bool before = false;
  for (size_t k = 0; k < p->count; k++) {
    const bool may = top - p->values[k] <= c->widths[k] + slack;
    const double from = fmax(x[k] - half, x[0]), to = fmin(x[k] + half, x[p->count - 1]);
    if (may && isnan(out->lower)) out->lower = from;
    if (may) out->upper = to;
    if (may && !before && pieces && runs < most) pieces[2 * runs++] = from;
    if (may && pieces && runs) pieces[2 * runs - 1] = to;
    before = may;
  }
  *found = runs;
}

static sfm_status answer_mode(const sfmi_inquiry *inquiry, sfm_estimate *out, double *pieces,
                              size_t *count, size_t most, const double *x, const profile *p,
                              sfm_error *error) {
  const sfm_release *release = inquiry->integral.release;
  crest c = {.widths = sfmi_alloc(p->count, sizeof *c.widths)};
  double slack = 0;
  size_t top = 0;
  if (!c.widths) return sfmi_fail_memory(error);
  for (size_t k = 1; k < p->count; k++)
    if (p->values[k] > p->values[top]) top = k;
  crest_bounds(&c, p, release, inquiry->risk);
  sfm_status status = crest_draws(&c, p, inquiry->risk, error);
  if (status == SFM_OK) status = slack_of(&slack, inquiry, p, &c, x[1] - x[0], error);
  if (status == SFM_OK) {
    *out = (sfm_estimate){summit(x, p->values, p->count, top), NAN, NAN};
    collect(out, pieces, count, most, x, p, &c, p->values[top], slack);
  }
  free(c.widths);
  return status;
}

sfm_status sfmi_inquiry_mode(const sfmi_inquiry *inquiry, sfm_estimate *out, double *pieces,
                             size_t *count, size_t most, sfm_error *error) {
  const sfm_release *release = inquiry->integral.release;
  const double bandwidths = (release->upper[0] - release->lower[0]) / release->bandwidth[0];
  size_t points;
  profile p = {0};
  double *x = make_grid(&points, inquiry, MODE_A_BANDWIDTH * bandwidths + 1, MODE_POINTS);
  sfmi_side *sides = sfmi_alloc(x ? points : 1, sizeof *sides);
  sfm_status status = x && sides ? SFM_OK : sfmi_fail_memory(error);
  for (size_t k = 0; k < points && status == SFM_OK; k++)
    sides[k] = (sfmi_side){SFMI_SIDE_POINT, x[k], x[k]};
  if (status == SFM_OK) status = profile_init(&p, inquiry, sides, points, true, error);
  if (status == SFM_OK) status = answer_mode(inquiry, out, pieces, count, most, x, &p, error);
  profile_clear(&p);
  free(sides);
  free(x);
  return status;
}
