#include "shape_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/arena.h"
#include "base/math/normal_distribution.h"
#include "shape.h"
#include "base/math/sort.h"

/* The least part of a normal that must lie within the bounds. */
static const double WITHIN_MIN = 1e-3;
/* The reference shape: its deviation in widths; and the family's two bumps. */
static const double REFERENCE = 0.125, BUMP = 0.05, BUMPS_AT[2] = {0.3, 0.7};

struct sfmi_shape_model {
  sfmi_arena arena;
  size_t dimension;
  double lower[SFM_MAX_DIMENSION], upper[SFM_MAX_DIMENSION];
  sfmi_shape_column columns[SFM_MAX_DIMENSION];
  double within[SFM_MAX_DIMENSION][SFMI_SHAPE_PARTS_MAX]; /* of each part */
  const sfmi_pilot *pilot;                                /* NULL: columns */
  double mass;                                            /* of the pilot, over the domain */
  double *marginal[SFMI_PILOT_DIMENSIONS]; /* of a pilot, on its grid; not normalised */
  double *power[SFMI_PILOT_DIMENSIONS];    /* the same, at multiples of half a cycle */
  double *running;                         /* of a pilot, cell by cell, for drawing */
  double peak;
};

/* The part of a normal that lies within the bounds of column a. */
static double mass_within(const sfmi_shape_part *p, double lower, double upper) {
  const double a = (lower - p->mean) / p->deviation, b = (upper - p->mean) / p->deviation;
  return a > 0 ? sfmi_normal_tail(a) - sfmi_normal_tail(b)
               : sfmi_normal_tail(-b) - sfmi_normal_tail(-a);
}

static sfm_status lay_columns(sfmi_shape_model *model, const char *const *names, sfm_error *error) {
  for (size_t a = 0; a < model->dimension; a++)
    for (size_t i = 0; i < model->columns[a].count; i++) {
      const sfmi_shape_part *p = &model->columns[a].parts[i];
      if (!(p->deviation > 0)) continue;
      model->within[a][i] = mass_within(p, model->lower[a], model->upper[a]);
      if (model->within[a][i] >= WITHIN_MIN) continue;
      return sfmi_fail(error, SFM_INVALID,
                       "the shape normal:%g:%g of \"%s\" lies outside its bounds %g:%g; write a "
                       "mean within them",
                       p->mean, p->deviation, names ? names[a] : "?", model->lower[a],
                       model->upper[a]);
    }
  return SFM_OK;
}

static double column_at(const sfmi_shape_model *model, size_t a, double x) {
  const sfmi_shape_column *law = &model->columns[a];
  double sum = 0;
  if (!(x >= model->lower[a] && x <= model->upper[a])) return 0;
  for (size_t i = 0; i < law->count; i++) {
    const sfmi_shape_part *p = &law->parts[i];
    const double z = p->deviation > 0 ? (x - p->mean) / p->deviation : 0;
    sum += p->deviation > 0
               ? exp(-0.5 * z * z) / (sqrt(2 * M_PI) * p->deviation * model->within[a][i])
               : 1 / (model->upper[a] - model->lower[a]);
  }
  return sum / (double)law->count;
}

/* Where x lies on axis a of the pilot's grid: the cell and the fraction within it. */
static size_t place(const sfmi_pilot *p, size_t a, double x, double *fraction) {
  const double t = (x - p->lower[a]) / (p->upper[a] - p->lower[a]) * (double)(p->counts[a] - 1);
  const double cell = fmin(fmax(floor(t), 0), (double)(p->counts[a] - 2));
  *fraction = fmin(fmax(t - cell, 0), 1);
  return (size_t)cell;
}

/* Multilinear, not normalised. */
static double pilot_at(const sfmi_shape_model *model, const double *x) {
  const sfmi_pilot *p = model->pilot;
  const size_t d = model->dimension;
  size_t cell[SFMI_PILOT_DIMENSIONS];
  double fraction[SFMI_PILOT_DIMENSIONS], sum = 0;
  for (size_t a = 0; a < d; a++) {
    if (!(x[a] >= model->lower[a] && x[a] <= model->upper[a])) return 0;
    cell[a] = place(p, a, x[a], &fraction[a]);
  }
  for (size_t corner = 0; corner < (size_t)1 << d; corner++) {
    size_t at = 0;
    double weight = 1;
    for (size_t a = 0; a < d; a++) {
      const size_t up = corner >> a & 1;
      at = at * p->counts[a] + cell[a] + up;
      weight *= up ? fraction[a] : 1 - fraction[a];
    }
    sum += weight * p->values[at];
  }
  return sum;
}

/* The i-th point of the pilot's grid laid over the bounds of the model, and its weight in the
 * trapezoidal rule. */
static double grid_point(const sfmi_shape_model *model, size_t i, size_t *index, double *x) {
  double weight = 1;
  for (size_t a = model->dimension; a-- > 0;) {
    const size_t count = model->pilot->counts[a];
    const double width = model->upper[a] - model->lower[a];
    index[a] = i % count;
    i /= count;
    x[a] = fmin(model->lower[a] + width * (double)index[a] / (double)(count - 1), model->upper[a]);
    weight *= (index[a] == 0 || index[a] == count - 1 ? 0.5 : 1) * width / (double)(count - 1);
  }
  return weight;
}

/* |E exp(2 pi i f X)|^2 of a pilot's column at k/2 cycles over the width. */
static double power_at(const sfmi_shape_model *model, size_t a, size_t k) {
  const size_t last = model->pilot->counts[a] - 1;
  const double angle = M_PI * (double)k / (double)last, cosine = cos(angle), sine = sin(angle);
  double whole = 0, x = 0, y = 0, c = 1, s = 0;
  for (size_t i = 0; i <= last; i++) {
    const double m = model->marginal[a][i] * (i == 0 || i == last ? 0.5 : 1);
    whole += m;
    x += m * c;
    y += m * s;
    const double next = c * cosine - s * sine;
    s = c * sine + s * cosine;
    c = next;
  }
  return (x * x + y * y) / (whole * whole);
}

static sfm_status lay_power(sfmi_shape_model *model, sfm_error *error) {
  for (size_t a = 0; a < model->dimension; a++) {
    const size_t count = model->pilot->counts[a] / 2;
    model->power[a] = sfmi_arena_doubles(&model->arena, count);
    if (!model->power[a]) return sfmi_fail_memory(error);
    for (size_t k = 0; k < count; k++) model->power[a][k] = power_at(model, a, k);
  }
  return SFM_OK;
}

static sfm_status lay_pilot(sfmi_shape_model *model, const char *const *names, sfm_error *error) {
  const sfmi_pilot *p = model->pilot;
  for (size_t a = 0; a < model->dimension; a++) {
    const double slack = 1e-9 * (p->upper[a] - p->lower[a]);
    if (model->lower[a] < p->lower[a] - slack || model->upper[a] > p->upper[a] + slack)
      return sfmi_fail(error, SFM_INVALID,
                       "the shape is a release from %g to %g, and \"%s\" has the bounds %g:%g; it "
                       "must cover them",
                       p->lower[a], p->upper[a], names ? names[a] : "?", model->lower[a],
                       model->upper[a]);
    model->marginal[a] = sfmi_arena_doubles(&model->arena, p->counts[a]);
  }
  model->running = sfmi_arena_doubles(&model->arena, p->length + 1);
  if (model->arena.failed) return sfmi_fail_memory(error);
  for (size_t i = 0; i < p->length; i++) {
    size_t index[SFMI_PILOT_DIMENSIONS] = {0};
    double x[SFMI_PILOT_DIMENSIONS] = {0};
    const double weight = grid_point(model, i, index, x), value = pilot_at(model, x);
    model->running[i + 1] = model->running[i] + weight * value;
    model->peak = fmax(model->peak, value);
    for (size_t a = 0; a < model->dimension; a++) {
      const bool end = index[a] == 0 || index[a] == p->counts[a] - 1;
      const double step =
          (model->upper[a] - model->lower[a]) / (double)(p->counts[a] - 1) * (end ? 0.5 : 1);
      model->marginal[a][index[a]] += weight * value / step;
    }
  }
  model->mass = model->running[p->length];
  if (!(model->mass > 0))
    return sfmi_fail(error, SFM_INVALID,
                     "the shape is a release that is nowhere positive within the bounds");
  model->peak /= model->mass;
  return lay_power(model, error);
}

static double column_peak(const sfmi_shape_model *model, size_t a) {
  enum { FINE = 20000 };
  const double lower = model->lower[a], width = model->upper[a] - lower;
  double peak = 0;
  for (size_t i = 0; i <= FINE; i++)
    peak = fmax(peak, column_at(model, a, fmin(lower + width * (double)i / FINE, model->upper[a])));
  for (size_t i = 0; i < model->columns[a].count; i++)
    peak = fmax(peak, column_at(model, a, model->columns[a].parts[i].mean));
  return peak;
}

static sfmi_shape_model *allocate(size_t dimension, const double *lower, const double *upper) {
  sfmi_shape_model *model = sfmi_alloc(1, sizeof *model);
  if (!model) return NULL;
  model->dimension = dimension;
  memcpy(model->lower, lower, dimension * sizeof *lower);
  memcpy(model->upper, upper, dimension * sizeof *upper);
  return model;
}

/* Fills in the rest of a model whose laws are set, or destroys it. */
static sfm_status finish(sfmi_shape_model **out, sfmi_shape_model *model, const char *const *names,
                         sfm_error *error) {
  sfm_status status =
      model->pilot ? lay_pilot(model, names, error) : lay_columns(model, names, error);
  if (!status && !model->pilot) {
    model->peak = 1;
    for (size_t a = 0; a < model->dimension; a++) model->peak *= column_peak(model, a);
  }
  *out = !status ? model : NULL;
  if (status) sfmi_shape_model_destroy(model);
  return status;
}

sfm_status sfmi_shape_model_create(sfmi_shape_model **out, const sfm_shape *shape,
                                   const char *const *names, size_t dimension, const double *lower,
                                   const double *upper, sfm_error *error) {
  *out = NULL;
  if (!shape) return sfmi_shape_model_create_reference(out, 0, dimension, lower, upper, error);
  if (shape->dimension != dimension)
    return sfmi_fail(error, SFM_INVALID, "the shape has %zu columns, and there are %zu",
                     shape->dimension, dimension);
  sfmi_shape_model *model = allocate(dimension, lower, upper);
  if (!model) return sfmi_fail_memory(error);
  if (shape->released)
    model->pilot = &shape->pilot;
  else
    memcpy(model->columns, shape->columns, sizeof model->columns);
  return finish(out, model, names, error);
}

sfm_status sfmi_shape_model_create_reference(sfmi_shape_model **out, size_t member,
                                             size_t dimension, const double *lower,
                                             const double *upper, sfm_error *error) {
  *out = NULL;
  sfmi_shape_model *model = allocate(dimension, lower, upper);
  if (!model) return sfmi_fail_memory(error);
  for (size_t a = 0; a < dimension; a++) {
    const double width = upper[a] - lower[a];
    sfmi_shape_column *law = &model->columns[a];
    *law = (sfmi_shape_column){.count = 1};
    if (member == 0) law->parts[0] = (sfmi_shape_part){lower[a] + width / 2, REFERENCE * width};
    if (member < 2) continue;
    law->count = 2;
    for (size_t i = 0; i < 2; i++)
      law->parts[i] = (sfmi_shape_part){lower[a] + BUMPS_AT[i] * width, BUMP * width};
  }
  return finish(out, model, NULL, error);
}

void sfmi_shape_model_destroy(sfmi_shape_model *model) {
  if (!model) return;
  sfmi_arena_clear(&model->arena);
  free(model);
}

bool sfmi_shape_model_is_product(const sfmi_shape_model *model) {
  return !model->pilot || model->dimension == 1;
}

void sfmi_shape_model_at(const sfmi_shape_model *model, double *values, const double *points,
                         size_t count) {
  const size_t d = model->dimension;
  for (size_t i = 0; i < count; i++) {
    values[i] = 1;
    for (size_t a = 0; a < d && !model->pilot; a++)
      values[i] *= column_at(model, a, points[i * d + a]);
    if (model->pilot) values[i] = pilot_at(model, points + i * d) / model->mass;
  }
}

void sfmi_shape_model_column(const sfmi_shape_model *model, size_t a, double *values,
                             const double *places, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const double x = places[i];
    const bool inside = x >= model->lower[a] && x <= model->upper[a];
    values[i] = model->pilot || !inside ? 0 : column_at(model, a, x);
    if (!model->pilot || !inside) continue;
    const size_t last = model->pilot->counts[a] - 1;
    const double t = (x - model->lower[a]) / (model->upper[a] - model->lower[a]) * (double)last;
    const size_t cell = t < (double)last ? (size_t)t : last - 1;
    const double f = t - (double)cell, *m = model->marginal[a];
    values[i] = ((1 - f) * m[cell] + f * m[cell + 1]) / model->mass;
  }
}

size_t sfmi_shape_model_places(const sfmi_shape_model *model, size_t a, double *places) {
  enum { HALVES = 12 }; /* deviations to each side of a bump, in halves */
  _Static_assert((2 * HALVES + 1) * SFMI_SHAPE_PARTS_MAX + 2 <= SFMI_SHAPE_MODEL_PLACES,
                 "room for all");
  const double lower = model->lower[a], upper = model->upper[a];
  const sfmi_shape_column *law = &model->columns[a];
  size_t count = 0;
  places[count++] = lower;
  places[count++] = upper;
  for (size_t i = 0; !model->pilot && i < law->count; i++)
    for (int k = -HALVES; law->parts[i].deviation > 0 && k <= HALVES; k++) {
      const double x = law->parts[i].mean + 0.5 * k * law->parts[i].deviation;
      if (x > lower && x < upper) places[count++] = x;
    }
  sfmi_sort_doubles(places, count);
  return count;
}

double sfmi_shape_model_peak(const sfmi_shape_model *model) {
  return model->peak;
}

/* Mean and standard deviation of column a. */
static double mean_and_deviation(const sfmi_shape_model *model, size_t a, double *mean) {
  enum { FINE = 4000 };
  const double lower = model->lower[a], width = model->upper[a] - lower;
  double whole = 0, first = 0, second = 0;
  for (size_t i = 0; i < FINE; i++) {
    const double t = ((double)i + 0.5) / FINE, x = lower + width * t;
    double value;
    sfmi_shape_model_column(model, a, &value, &x, 1);
    whole += value;
    first += value * t;
    second += value * t * t;
  }
  first /= whole;
  *mean = lower + width * first;
  return width * sqrt(fmax(second / whole - first * first, 0));
}

double sfmi_shape_model_deviation(const sfmi_shape_model *model, size_t a) {
  double mean;
  return mean_and_deviation(model, a, &mean);
}

sfm_status sfmi_shape_model_create_wrong(sfmi_shape_model **out, const sfmi_shape_model *model,
                                         size_t which, const double *lower, const double *upper,
                                         sfm_error *error) {
  /* In deviations: where the bumps are, and their own deviation, so that theirs is the same. */
  static const double APART = 0.85, SINGLE = 0.5, LEAST = 1e-6;
  *out = NULL;
  sfmi_shape_model *wrong = allocate(model->dimension, lower, upper);
  if (!wrong) return sfmi_fail_memory(error);
  for (size_t a = 0; a < model->dimension; a++) {
    double mean, deviation = mean_and_deviation(model, a, &mean);
    sfmi_shape_column *law = &wrong->columns[a];
    deviation = fmax(deviation, LEAST * (upper[a] - lower[a]));
    *law = (sfmi_shape_column){.count = 1, .parts[0] = {mean, SINGLE * deviation}};
    if (which == 1) continue;
    law->count = 2;
    for (size_t i = 0; i < 2; i++) {
      const double at = mean + (i ? APART : -APART) * deviation;
      law->parts[i] = (sfmi_shape_part){fmin(fmax(at, lower[a]), upper[a]),
                                        sqrt(1 - APART * APART) * deviation};
    }
  }
  return finish(out, wrong, NULL, error);
}

static double draw_column(const sfmi_shape_model *model, size_t a, sfmi_prng *prng) {
  const sfmi_shape_column *law = &model->columns[a];
  const double lower = model->lower[a], upper = model->upper[a];
  const size_t chosen = (size_t)(sfmi_prng_uniform(prng) * (double)law->count);
  const sfmi_shape_part *p = &law->parts[chosen < law->count ? chosen : law->count - 1];
  double x;
  if (!(p->deviation > 0)) return lower + (upper - lower) * sfmi_prng_uniform(prng);
  /* At least one in a thousand lies within. */
  do x = p->mean + p->deviation * sfmi_prng_normal(prng);
  while (x < lower || x > upper);
  return x;
}

/* The grid point that a uniform number selects by mass, and a uniform shift within its cell. */
static void draw_pilot(const sfmi_shape_model *model, double *x, sfmi_prng *prng) {
  const sfmi_pilot *p = model->pilot;
  const double wanted = sfmi_prng_uniform(prng) * model->mass;
  size_t low = 0, high = p->length, index[SFMI_PILOT_DIMENSIONS];
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    *(model->running[middle] <= wanted ? &low : &high) = middle;
  }
  grid_point(model, low, index, x);
  for (size_t a = 0; a < model->dimension; a++) {
    const double step = (model->upper[a] - model->lower[a]) / (double)(p->counts[a] - 1);
    const bool first = index[a] == 0, last = index[a] == p->counts[a] - 1;
    const double u = sfmi_prng_uniform(prng);
    x[a] += step * (first ? 0.5 * u : last ? -0.5 * u : u - 0.5);
    x[a] = fmin(fmax(x[a], model->lower[a]), model->upper[a]);
  }
}

void sfmi_shape_model_draw(const sfmi_shape_model *model, double *points, size_t count,
                           sfmi_prng *prng) {
  const size_t d = model->dimension;
  for (size_t i = 0; i < count; i++) {
    if (model->pilot) draw_pilot(model, points + i * d, prng);
    for (size_t a = 0; a < d && !model->pilot; a++) points[i * d + a] = draw_column(model, a, prng);
  }
}

/* ---- through a kernel ---- */

static double normal_density(double z) {
  return exp(-0.5 * z * z) / sqrt(2 * M_PI);
}

/* A part that is cut at the bounds, smoothed: a normal density with the sum of the variances, times
 * the probability that the record lies within the bounds, given the place. */
static double smoothed_part(const sfmi_shape_model *model, size_t a, size_t i, double h, double x) {
  const sfmi_shape_part *p = &model->columns[a].parts[i];
  const double lower = model->lower[a], upper = model->upper[a], s = p->deviation;
  if (!(s > 0)) return mass_within(&(sfmi_shape_part){x, h}, lower, upper) / (upper - lower);
  const double wide = hypot(s, h), pull = s / wide;
  const sfmi_shape_part given = {p->mean + (x - p->mean) * pull * pull, pull * h};
  return normal_density((x - p->mean) / wide) / wide * mass_within(&given, lower, upper) /
         model->within[a][i];
}

/* The marginal of a pilot smoothed by a narrow kernel, within which it is nearly straight. */
static double smoothed_straight(const sfmi_shape_model *model, size_t a, double h, double x) {
  enum { HALF = 24 };
  const double step = 5.0 / HALF;
  double sum = 0;
  for (int i = -HALF; i <= HALF; i++) {
    const double z = step * i, at = x + h * z;
    double value;
    sfmi_shape_model_column(model, a, &value, &at, 1);
    sum += value * normal_density(z) * step;
  }
  return sum;
}

/* The same at a wide kernel: the density as masses, several grid points taken together. */
static void smooth_masses(const sfmi_shape_model *model, size_t a, double h, double *values,
                          const double *places, size_t count, double gap) {
  static const double FINE = 6, FAR = 9;
  const size_t last = model->pilot->counts[a] - 1, together = (size_t)fmax(h / (FINE * gap), 1);
  memset(values, 0, count * sizeof *values);
  for (size_t k = 0; k <= last; k += together) {
    double mass = 0, moment = 0;
    for (size_t i = k; i < k + together && i <= last; i++) {
      const double m = model->marginal[a][i] * gap / model->mass * (i == 0 || i == last ? 0.5 : 1);
      mass += m;
      moment += m * (model->lower[a] + gap * (double)i);
    }
    if (!(mass > 0)) continue;
    for (size_t i = 0; i < count; i++) {
      const double z = (places[i] - moment / mass) / h;
      if (fabs(z) < FAR) values[i] += mass * normal_density(z) / h;
    }
  }
}

void sfmi_shape_model_smoothed(const sfmi_shape_model *model, size_t a, double h, double *values,
                               const double *places, size_t count) {
  const sfmi_shape_column *law = &model->columns[a];
  if (model->pilot) {
    const double gap = (model->upper[a] - model->lower[a]) / (double)(model->pilot->counts[a] - 1);
    if (h >= 2 * gap) {
      smooth_masses(model, a, h, values, places, count, gap);
      return;
    }
    for (size_t i = 0; i < count; i++) values[i] = smoothed_straight(model, a, h, places[i]);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    values[i] = 0;
    for (size_t k = 0; k < law->count; k++)
      values[i] += smoothed_part(model, a, k, h, places[i]) / (double)law->count;
  }
}

size_t sfmi_shape_model_marks(const sfmi_shape_model *model, size_t a, double h, double *marks) {
  enum { PANELS = 16 };
  static const double AWAY[] = {0.5, 1, 2, 4, 8};
  const double lower = model->lower[a], upper = model->upper[a];
  const sfmi_shape_column *law = &model->columns[a];
  const size_t away = sizeof AWAY / sizeof *AWAY;
  double wanted[SFMI_SHAPE_MODEL_MARKS];
  size_t count = 0, kept = 0;
  const size_t panels = model->pilot ? 4 * PANELS : PANELS;
  for (size_t i = 0; i <= panels; i++)
    wanted[count++] = lower + (upper - lower) * (double)i / (double)panels;
  for (size_t i = 0; i < away; i++) {
    wanted[count++] = lower + AWAY[i] * h;
    wanted[count++] = upper - AWAY[i] * h;
  }
  for (size_t k = 0; k < law->count && !model->pilot; k++) {
    const sfmi_shape_part *p = &law->parts[k];
    const double scales[2] = {p->deviation, hypot(p->deviation, h)};
    if (!(p->deviation > 0)) continue;
    wanted[count++] = p->mean;
    for (size_t i = 0; i < 4 * away; i++)
      wanted[count++] = p->mean + (i % 2 ? 1 : -1) * scales[i / 2 % 2] * AWAY[i / 4];
  }
  sfmi_sort_doubles(wanted, count);
  for (size_t i = 0; i < count; i++)
    if (wanted[i] >= lower && wanted[i] <= upper && (kept == 0 || wanted[i] > marks[kept - 1]))
      marks[kept++] = wanted[i];
  marks[kept - 1] = upper;
  return kept;
}

/* Of a pilot's column, from its table; true where its grid still shows the frequency. */
static bool pilot_power(const sfmi_shape_model *model, size_t a, double f, double *power) {
  const double t = 2 * f * (model->upper[a] - model->lower[a]);
  const size_t k = t < (double)model->pilot->counts[a] ? (size_t)t : model->pilot->counts[a];
  if (k + 1 >= model->pilot->counts[a] / 2) return false;
  *power = model->power[a][k] + (t - (double)k) * (model->power[a][k + 1] - model->power[a][k]);
  return true;
}

/* Of its smooth part. */
static double core_power(const sfmi_shape_model *model, size_t a, double f) {
  const sfmi_shape_column *law = &model->columns[a];
  double x = 0, y = 0;
  for (size_t i = 0; i < law->count; i++) {
    const sfmi_shape_part *p = &law->parts[i];
    const double angle = 2 * M_PI * fmod(f * (p->mean - model->lower[a]), 1);
    const double z = 2 * M_PI * f * p->deviation;
    const double size = p->deviation > 0
                            ? fmin(exp(-0.5 * z * z) / model->within[a][i], 1) / (double)law->count
                            : 0;
    x += size * cos(angle);
    y += size * sin(angle);
  }
  return x * x + y * y;
}

double sfmi_shape_model_power(const sfmi_shape_model *model, size_t a, sfm_boundary boundary,
                              double f) {
  const double ends[2] = {model->lower[a], model->upper[a]};
  double jump[2];
  sfmi_shape_model_column(model, a, jump, ends, 2);
  const double squares = boundary == SFM_BOUNDARY_OPEN ? jump[0] * jump[0] + jump[1] * jump[1]
                         : boundary == SFM_BOUNDARY_PERIODIC
                             ? (jump[1] - jump[0]) * (jump[1] - jump[0])
                             : 0;
  const double edges = squares / (4 * M_PI * M_PI * f * f);
  double power;
  if (!model->pilot) return fmin(core_power(model, a, f) + edges, 1);
  if (!pilot_power(model, a, f, &power)) return fmin(edges, 1);
  const double open = (jump[0] * jump[0] + jump[1] * jump[1]) / (4 * M_PI * M_PI * f * f);
  return fmin(boundary == SFM_BOUNDARY_OPEN ? power : fmax(power - open, 0) + edges, 1);
}
