/* plan_curve.c - the plan of a mean curve: with a delta normal noise, without Laplace noise. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/sized_struct.h"
#include "estimators/curves/curve_sum.h"
#include "curve_law.h"
#include "planner/forecast/simulated_noise.h"
#include "planner/forecast/forecast.h"
#include "mu_cache.h"
#include "plan.h"
#include "releases/band/band.h"

/* Most records that are drawn for a simulation, and multiplications that they may take. */
static const double DRAWN_MAX = 0x1p20, DRAWN_WORK = 2e7;
static const double ROWS_MAX = 0x1p36 - 1;

typedef struct curve_plan {
  sfm_curve_settings settings;
  sfmi_design_curve curve_design;
  sfmi_curve_law curve_law; /* empty where no mean is guessed */
  double range;             /* of the grid */
  uint64_t rows;
  sfmi_mu_cache mu_cache;
} curve_plan;

static void clear(void *context) {
  curve_plan *c = context;
  sfmi_curve_law_clear(&c->curve_law);
  sfmi_design_curve_clear(&c->curve_design);
}

/* ---- forecasts ---- */

/* The noise: variance of one coefficient of the mean; mean and variance of the error it makes. */
typedef struct noise {
  double one, mean, variance;
} noise;

static noise noise_of(const sfmi_design_curve *d) {
  double sum = 0, squares = 0;
  for (size_t j = 0; j < d->released; j++) {
    sum += d->weights[j];
    squares += d->weights[j] * d->weights[j];
  }
  const double v = d->plan.privacy / sum;
  /* Laplace noise has a fourth moment of 6 times its squared variance, normal noise of 3. */
  return (noise){v, d->plan.privacy, (d->mu > 0 ? 2 : 5) * v * v * squares};
}

/* The largest variance of the curve of one record that the clip and the spread allow: all of it in
 * the direction of the largest weight. */
static double most_sampling(const curve_plan *c) {
  const sfm_curve_settings *s = &c->settings;
  double square = s->clip * s->clip;
  for (size_t j = 0; j < c->curve_law.count; j++)
    square -= c->curve_law.mean[j] * c->curve_law.mean[j];
  const double most = c->curve_design.weights[0] * fmax(square, 0);
  return s->spread > 0 ? fmin(most, s->spread * s->spread * c->range) : most;
}

/* Error and its variance of the first directions: sampling of those released, the bias in them and
 * what the mean has beside them. */
typedef struct deviation {
  double released, left;        /* sum of g_j V_j: over those released, and over the others */
  double square, mixed;         /* sum g_j g_k C_jk^2, sum g_j^2 V_j, over those released */
  double bias;                  /* integral of (mean of the release - guessed mean)^2 */
  double slope, slope_sampling; /* |q|^2, q'C q: q_j = <b_j, that difference> */
} deviation;

static deviation deviation_of(const curve_plan *c, const sfmi_design_curve *d) {
  const sfmi_curve_law *f = &c->curve_law;
  const double *g = d->weights, *C = f->covariance;
  const size_t m = f->count, released = d->released;
  deviation e = {.bias = f->smoothing};
  for (size_t j = 0; j < m; j++) {
    const double q = g[j] * f->mean[j] - f->inner[j], V = C ? C[j * m + j] : 0;
    if (j >= released) {
      e.left += g[j] * V;
      e.bias += g[j] * f->mean[j] * f->mean[j] - 2 * f->mean[j] * q;
      continue;
    }
    e.released += g[j] * V;
    e.mixed += g[j] * g[j] * V;
    e.slope += q * q;
    for (size_t k = 0; C && k < released; k++) {
      e.square += g[j] * g[k] * C[j * m + k] * C[j * m + k];
      e.slope_sampling += q * C[j * m + k] * (g[k] * f->mean[k] - f->inner[k]);
    }
  }
  e.bias = fmax(e.bias, 0);
  return e;
}

/* The mean between the points was not guessed: intervals also cover straight lines there. */
static void straighten(const curve_plan *c, sfm_forecast *f) {
  const double more = c->curve_law.straight - c->curve_law.smoothing;
  f->low = fmax(f->low + fmin(more, 0), 0);
  f->high += fmax(more, 0);
}

/* For a guess of mean and spread. */
static void predict_known(const curve_plan *c, sfm_forecast *f, const sfmi_design_curve *d,
                          double n) {
  const deviation e = deviation_of(c, d);
  const noise z = noise_of(d);
  f->smoothing = c->curve_law.smoothing;
  f->sampling = (e.released + e.left) / n;
  f->truncation = d->plan.truncation + e.left / n;
  sfmi_forecast_interval(&f->low, &f->high, e.bias, z.mean + e.released / n,
                         z.variance + 2 * e.square / (n * n) + 4 * z.one * e.mixed / n,
                         4 * (z.one * e.slope + e.slope_sampling / n));
  straighten(c, f);
  sfmi_forecast_interval(&f->cost_low, &f->cost_high, f->truncation, z.mean, z.variance, 0);
}

/* Without a spread: the interval covers all spreads. */
static void predict_mean(const curve_plan *c, sfm_forecast *f, const sfmi_design_curve *d,
                         double n) {
  const deviation e = deviation_of(c, d);
  const noise z = noise_of(d);
  const double most = most_sampling(c) / n;
  double ignored;
  f->smoothing = c->curve_law.smoothing;
  f->sampling = most;
  f->truncation = d->plan.truncation;
  sfmi_forecast_interval(&f->low, &ignored, e.bias, z.mean, z.variance, 4 * z.one * e.slope);
  sfmi_forecast_interval(&ignored, &f->high, e.bias, z.mean + most,
                         z.variance + 2 * most * most + 4 * z.one * d->weights[0] * most,
                         4 * (z.one + most / d->weights[0]) * e.slope);
  straighten(c, f);
  sfmi_forecast_interval(&f->cost_low, &f->cost_high, f->truncation, z.mean, z.variance, 0);
}

/* Without a mean: the directions that are left out hold from nothing to all that the
 * clip allows. */
static void predict_blind(const curve_plan *c, sfm_forecast *f, const sfmi_design_curve *d,
                          double n) {
  const noise z = noise_of(d);
  const double most = most_sampling(c) / n, clip = c->settings.clip;
  const double left = d->released < d->basis->count ? clip * clip * d->weights[d->released] : 0;
  double ignored;
  f->sampling = most;
  f->truncation = d->plan.truncation;
  sfmi_forecast_interval(&f->low, &ignored, 0, z.mean, z.variance, 0);
  sfmi_forecast_interval(&ignored, &f->high, left, z.mean + most,
                         z.variance + 2 * most * most + 4 * z.one * d->weights[0] * most, 0);
  f->cost_low = f->low;
  sfmi_forecast_interval(&ignored, &f->cost_high, left, z.mean, z.variance, 0);
}

/* For a design that was chosen for n. */
static void predict(const curve_plan *c, sfm_forecast *f, const sfmi_design_curve *d, double n) {
  *f = (sfm_forecast){.privacy = d->plan.privacy};
  if (c->curve_law.covariance)
    predict_known(c, f, d, n);
  else if (c->settings.mean)
    predict_mean(c, f, d, n);
  else
    predict_blind(c, f, d, n);
  sfmi_forecast_sum(f, c->range, c->settings.clip / d->plan.flat);
  f->low = fmin(f->low, f->total);
  f->high = fmax(f->high, f->total);
  f->cost_low = fmin(f->cost_low, f->cost);
  f->cost_high = fmax(f->cost_high, f->cost);
}

static sfm_status forecast(void *context, sfm_forecast *out, double rows, double epsilon,
                           sfm_error *error) {
  curve_plan *c = context;
  sfm_curve_settings s = c->settings;
  sfmi_design_curve curve_design = c->curve_design; /* what it points to is not changed */
  const double n = fmin(rows, ROWS_MAX);
  s.epsilon = epsilon;
  sfm_status status = SFM_OK;
  if (s.delta > 0)
    status =
        sfmi_mu_cache_find(&c->mu_cache, &curve_design.mu, epsilon, s.delta, s.calibration, error);
  if (status) return status;
  sfmi_design_curve_choose(&curve_design, &s, n);
  predict(c, out, &curve_design, n);
  return SFM_OK;
}

/* The highest level curve within the clip. */
static double level_of(const curve_plan *c) {
  return c->settings.clip / c->curve_design.plan.flat;
}

static sfm_status shape(void *context, double *values, const double *points, size_t count,
                        sfm_error *error) {
  const curve_plan *c = context;
  const sfm_curve_settings *s = &c->settings;
  (void)error;
  for (size_t i = 0; i < count; i++) {
    const double x = points[i];
    const bool inside = x >= s->grid[0] && x <= s->grid[s->count - 1];
    values[i] = !inside ? NAN : s->mean ? sfmi_curve_law_mean_at(s, x) : level_of(c);
  }
  return SFM_OK;
}

/* ---- simulated releases ---- */

/* A batch of records about the mean, drawn by the basis at the points (T x m). */
static void draw_records(sfmi_batch *batch, double *z, const double *phi, const curve_plan *c,
                         sfmi_prng *prng) {
  const size_t T = c->settings.count, m = c->curve_design.basis->count;
  const double spread = c->settings.spread;
  for (size_t r = 0; r < batch->rows; r++) {
    for (size_t j = 0; phi && j < m; j++) z[j] = sfmi_prng_normal(prng);
    for (size_t i = 0; i < T; i++) {
      double y = c->settings.mean ? c->settings.mean[i] : level_of(c);
      for (size_t j = 0; phi && j < m; j++) y += spread * phi[i * m + j] * z[j];
      batch->values[i * SFMI_BATCH_ROWS + r] = y;
    }
  }
}

/* Adds so many records to a sum. */
static sfm_status add_records(sfmi_curve_sum *bundle, const curve_plan *c, size_t drawn,
                              sfmi_prng *prng, sfm_error *error) {
  const size_t T = c->settings.count;
  sfmi_arena arena = {0};
  sfmi_batch batch = {.columns = T,
                      .values = sfmi_arena_doubles(&arena, T * SFMI_BATCH_ROWS),
                      .keep = sfmi_arena_get(&arena, SFMI_BATCH_ROWS, 1)};
  double *phi = NULL, *z = sfmi_arena_doubles(&arena, c->curve_design.basis->count);
  sfm_status status = !arena.failed ? SFM_OK : sfmi_fail_memory(error);
  if (!status && c->settings.spread > 0)
    status = sfmi_curve_law_basis(&phi, &arena, c->curve_design.basis, error);
  if (!status) memset(batch.keep, 1, SFMI_BATCH_ROWS);
  for (size_t done = 0; !status && done < drawn; done += batch.rows) {
    batch.rows = drawn - done < SFMI_BATCH_ROWS ? drawn - done : SFMI_BATCH_ROWS;
    draw_records(&batch, z, phi, c, prng);
    status = sfmi_curve_sum_add(bundle, &batch, error);
  }
  sfmi_arena_clear(&arena);
  return status;
}

/* How many records are drawn: all of them, as many as the work allows, or one where
 * all are alike. */
static size_t drawn_of(const curve_plan *c) {
  const double work = (double)(c->settings.count * c->curve_design.basis->count);
  if (!(c->settings.spread > 0)) return 1;
  return (size_t)fmin((double)c->rows, fmin(fmax(DRAWN_WORK / work, 64), DRAWN_MAX));
}

/* Sums over the records.  Where fewer are drawn than there are, the deviation of their mean is
 * scaled down to that of all records. */
static sfm_status simulate(double *values, curve_plan *c, sfmi_prng *prng, sfm_error *error) {
  const size_t released = c->curve_design.released, drawn = drawn_of(c);
  const double n = (double)c->rows, share = sqrt((double)drawn / n);
  sfmi_curve_sum *bundle = NULL;
  sfmi_i128 *sums = sfmi_alloc(released, sizeof *sums);
  if (!sums) return sfmi_fail_memory(error);
  sfm_status status = sfmi_curve_sum_create(
      &bundle, c->curve_design.smoother, &c->curve_design.clipping, c->curve_design.basis, error);
  if (!status) status = add_records(bundle, c, drawn, prng, error);
  if (!status) sfmi_curve_sum_total(bundle, sums, released);
  for (size_t j = 0; !status && j < released; j++) {
    const double mean = (double)sums[j] * c->curve_design.clipping.step / (double)drawn;
    const double expected = c->curve_law.covariance ? c->curve_law.mean[j] : mean;
    values[j] = n * (expected + share * (mean - expected));
  }
  sfmi_curve_sum_destroy(bundle);
  free(sums);
  return status;
}

/* The release without its numbers, and its band. */
static sfm_status make_template(sfm_release **out, const curve_plan *c, sfm_error *error) {
  sfm_status status = sfmi_design_curve_template(out, &c->curve_design, &c->settings, c->rows,
                                                 c->curve_design.plan.scale, error);
  return !status ? sfmi_band_expansion(&(*out)->band, *out, c->settings.context.confidence,
                                       c->curve_design.systematic, error)
                 : status;
}

static sfm_status preview(void *context, sfm_release **out, const sfm_plan_entry *best,
                          uint64_t seed, sfm_error *error) {
  curve_plan *c = context;
  sfm_release *release = NULL;
  sfmi_prng prng;
  (void)best;
  sfmi_prng_init(&prng, seed);
  sfm_status status = make_template(&release, c, error);
  double *values = !status ? sfmi_alloc(release->length, sizeof *values) : NULL;
  if (!status && !values) status = sfmi_fail_memory(error);
  if (!status) status = simulate(values, c, &prng, error);
  const sfm_vector_noise law =
      c->curve_design.mu > 0 ? SFM_VECTOR_NOISE_NORMAL : SFM_VECTOR_NOISE_LAPLACE;
  return sfmi_simulated_noise_finish(out, release, values, law, &prng, status, error);
}

static const sfmi_plan_kind KIND = {.size = sizeof(curve_plan),
                                    .forecast = forecast,
                                    .preview = preview,
                                    .shape = shape,
                                    .clear = clear};

/* ---- the plan ---- */

static sfm_status add_entry(sfm_plan *plan, const curve_plan *c, sfm_error *error) {
  const sfmi_design_curve *d = &c->curve_design;
  const char *name = d->mu > 0 ? "normal" : "laplace";
  sfm_release *release = NULL;
  sfm_plan_entry entry = {.method = name, .hardened = true, .apart = NAN, .share = NAN};
  sfm_status status = make_template(&release, c, error);
  if (!status) {
    entry.guarantee = release->guarantee;
    entry.band = release->band;
    sfmi_plan_entry_text(&entry, "noise", name, false);
    sfmi_plan_entry_text(&entry, "kernel", sfm_kernel_family_name(c->settings.kernel), false);
    sfmi_plan_entry_number(&entry, "bandwidth", c->settings.bandwidth, false);
    sfmi_plan_entry_number(&entry, "clip", c->settings.clip, true);
    sfmi_plan_entry_number(&entry, "ridge", d->ridge, true);
    sfmi_plan_entry_number(&entry, "coefficients", (double)d->released, false);
    sfmi_plan_entry_number(&entry, "sensitivity", d->sensitivity, false);
    sfmi_plan_entry_number(&entry, "scale", d->plan.scale, false);
    predict(c, &entry.predicted, d, (double)c->rows);
    status = sfmi_plan_add_entry(plan, &entry, error);
  }
  sfm_release_destroy(release);
  return status;
}

/* The other noise, and what would give it. */
static sfm_status add_other(sfm_plan *plan, bool normal, sfm_error *error) {
  const sfm_plan_entry entry = {
      .method = normal ? "laplace" : "normal",
      .absent = normal ? "Laplace noise gives pure epsilon: leave out settings.delta"
                       : "normal noise needs a delta: add settings.delta = 1e-6"};
  return sfmi_plan_add_entry(plan, &entry, error);
}

sfm_status sfm_plan_curve(sfm_plan **out, const sfm_curve_settings *given, uint64_t rows,
                          sfm_error *error) {
  sfm_curve_settings taken;
  *out = NULL;
  sfm_status status = SFMI_TAKE(sfm_curve_settings, &taken, given, error);
  if (status) return status;
  const sfm_curve_settings *settings = &taken;
  status = sfmi_plan_create(out, &KIND, (double)rows, settings->epsilon, error);
  if (status) return status;
  curve_plan *c = (*out)->context;
  c->settings = *settings;
  c->rows = rows;
  status = sfmi_design_curve_init(&c->curve_design, settings, rows, error);
  if (!status && settings->mean)
    status = sfmi_curve_law_init(&c->curve_law, &c->curve_design, settings, error);
  if (!status) c->range = settings->grid[settings->count - 1] - settings->grid[0];
  if (!status) status = add_entry(*out, c, error);
  if (!status) status = add_other(*out, settings->delta > 0, error);
  if (!status) sfmi_plan_remarks(*out, &settings->context, settings->delta, rows);
  return sfmi_plan_finish(out, status, error);
}
