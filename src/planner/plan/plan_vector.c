/* plan_vector.c - the plan of a vector: one entry for every noise. */
#include <math.h>
#include <string.h>

#include "base/system/sized_struct.h"
#include "planner/design/design_vector.h"
#include "planner/forecast/simulated_noise.h"
#include "planner/forecast/forecast.h"
#include "mu_cache.h"
#include "plan.h"
#include "releases/band/band.h"

enum { NOISES = SFM_VECTOR_NOISE_KNORM + 1 };

/* Steps of the walk that measures a body: where chords are linear programs, after so many that are
 * not counted; and per axis where they are not. */
enum { SLOW_BEGIN = 100, SLOW_STEPS = 400, FAST_STEPS = 5000 };
static const uint64_t BODY_SEED = 0x9e4a;

typedef struct vector_plan {
  sfm_vector_settings settings; /* of every noise that can be had */
  bool had[NOISES];
  size_t length;
  double trace, square;  /* of the ellipsoid's matrix S, or of the identity: tr S, tr S^2 */
  double second, fourth; /* E |U|^2 and E |U|^4 of U uniform in the body of k-norm noise */
  double unit;           /* the sensitivity: of an ellipsoid the mean square root of its axes, of
                            other bodies the largest length in them */
  sfmi_mu_cache mu_cache;
} vector_plan;

static sfm_vector_settings settings_of(const vector_plan *q, int noise) {
  sfm_vector_settings s = q->settings;
  s.noise = (sfm_vector_noise)noise;
  return s;
}

/* Laplace noise of scale b has E z^4 = 24 b^4; gamma noise is r L u, S = L L', with E r^2 =
 * D (D + 1) b^2, E r^4 = D (D + 1)(D + 2)(D + 3) b^4, E u'S u = tr S/D and E (u'S u)^2 =
 * ((tr S)^2 + 2 tr S^2)/(D (D + 2)).  k-norm noise is r U with E r^2 = (D + 1)(D + 2) b^2, E r^4 =
 * (D + 1)(D + 2)(D + 3)(D + 4) b^4, and U uniform in its body. */
static void predict(const vector_plan *q, sfm_forecast *f, const sfmi_design_vector *vector_design,
                    sfm_vector_noise noise) {
  const double D = (double)q->length, b2 = vector_design->scale * vector_design->scale;
  double mean = b2 * q->trace, variance = 2 * b2 * b2 * q->square;
  if (noise == SFM_VECTOR_NOISE_LAPLACE) {
    mean *= 2;
    variance *= 10;
  }
  if (noise == SFM_VECTOR_NOISE_GAMMA) {
    mean *= D + 1;
    variance = (D + 1) * (D + 3) * b2 * b2 * (q->trace * q->trace + 2 * q->square) - mean * mean;
  }
  if (noise == SFM_VECTOR_NOISE_KNORM) {
    const double r2 = (D + 1) * (D + 2) * b2;
    mean = r2 * q->second;
    variance = r2 * (D + 3) * (D + 4) * b2 * q->fourth - mean * mean;
  }
  /* Rounding to the step, evenly over it. */
  mean += D * vector_design->step * vector_design->step / 12;
  *f = (sfm_forecast){.privacy = mean};
  sfmi_forecast_cost(f, mean, variance, D, q->unit);
}

static sfm_status forecast(void *context, sfm_forecast *out, double rows, double epsilon,
                           sfm_error *error) {
  vector_plan *q = context;
  bool hardened = false;
  (void)rows;
  out->total = INFINITY;
  for (int noise = 0; noise < NOISES; noise++) {
    sfm_vector_settings s = settings_of(q, noise);
    double mu = 0;
    sfm_forecast f;
    sfm_status status = SFM_OK;
    if (!q->had[noise]) continue;
    s.epsilon = epsilon;
    if (noise == SFM_VECTOR_NOISE_NORMAL)
      status = sfmi_mu_cache_find(&q->mu_cache, &mu, epsilon, s.delta, s.calibration, error);
    if (status) return status;
    const sfmi_design_vector vector_design = sfmi_design_vector_of(&s, q->length, mu);
    predict(q, &f, &vector_design, s.noise);
    sfmi_forecast_prefer(out, &hardened, &f, vector_design.hardened);
  }
  return SFM_OK;
}

/* The release without its numbers, and its band. */
static sfm_status make_template(sfm_release **out, const sfm_vector_settings *s,
                                const sfmi_design_vector *vector_design, sfm_error *error) {
  sfm_status status =
      sfmi_design_vector_template(out, vector_design, s, vector_design->scale, error);
  return !status ? sfmi_band_vector(&(*out)->band, *out, s->context.confidence, error) : status;
}

/* Noise alone: of a vector of zeros. */
static sfm_status preview(void *context, sfm_release **out, const sfm_plan_entry *best,
                          uint64_t seed, sfm_error *error) {
  const vector_plan *q = context;
  int noise = 0;
  while (strcmp(sfm_vector_noise_name(noise), best->method) != 0) noise++;
  const sfm_vector_settings s = settings_of(q, noise);
  sfm_release *release = NULL;
  sfmi_design_vector vector_design;
  sfmi_prng prng;
  sfmi_prng_init(&prng, seed);
  double *zeros = sfmi_alloc(q->length, sizeof *zeros);
  sfm_status status = zeros ? sfmi_design_vector_init(&vector_design, &s, q->length, error)
                            : sfmi_fail_memory(error);
  if (!status) status = make_template(&release, &s, &vector_design, error);
  return sfmi_simulated_noise_finish(out, release, zeros, s.noise, &prng, status, error);
}

static const sfmi_plan_kind KIND = {
    .size = sizeof(vector_plan), .forecast = forecast, .preview = preview};

static sfm_status add_entry(sfm_plan *plan, const vector_plan *q, const sfm_vector_settings *s,
                            const sfmi_design_vector *vector_design, sfm_error *error) {
  sfm_release *release = NULL;
  sfm_plan_entry entry = {.method = sfm_vector_noise_name(s->noise),
                          .hardened = vector_design->hardened,
                          .apart = NAN,
                          .share = NAN};
  sfm_status status = make_template(&release, s, vector_design, error);
  if (!status) {
    entry.guarantee = release->guarantee;
    entry.band = release->band;
    sfmi_plan_entry_text(&entry, "noise", sfm_vector_noise_name(s->noise), true);
    sfmi_plan_entry_text(&entry, "norm", sfm_vector_norm_name(s->norm), true);
    sfmi_plan_entry_number(&entry, "coefficients", (double)q->length, false);
    sfmi_plan_entry_number(&entry, "sensitivity", vector_design->sensitivity, false);
    sfmi_plan_entry_number(&entry, "scale", vector_design->scale, false);
    predict(q, &entry.predicted, vector_design, s->noise);
    status = sfmi_plan_add_entry(plan, &entry, error);
  }
  sfm_release_destroy(release);
  return status;
}

/* The moments of a walk. */
static sfm_status walk_body(vector_plan *q, sfmi_hit_and_run *shape, sfm_error *error) {
  const bool slow = sfmi_hit_and_run_is_slow(shape);
  const size_t begin = slow ? SLOW_BEGIN : sfmi_hit_and_run_steps(q->length),
               steps = slow ? SLOW_STEPS : FAST_STEPS * q->length;
  sfmi_prng prng;
  sfmi_prng_init(&prng, BODY_SEED);
  const sfmi_hit_and_run_source source = sfmi_hit_and_run_public(&prng);
  sfm_status status = sfmi_hit_and_run_walk(shape, &source, begin, error);
  for (size_t k = 0; k < steps && !status; k++) {
    double square = 0;
    status = sfmi_hit_and_run_walk(shape, &source, 1, error);
    for (size_t i = 0; i < q->length; i++)
      square += sfmi_hit_and_run_at(shape)[i] * sfmi_hit_and_run_at(shape)[i];
    q->second += square / (double)steps;
    q->fourth += square * square / (double)steps;
  }
  return status;
}

/* The cube [-1, 1]^D has E |U|^2 = D/3, E |U|^4 = D/5 + D (D - 1)/9. */
static sfm_status measure_body(vector_plan *q, sfm_error *error) {
  const double D = (double)q->length;
  sfmi_hit_and_run *shape = NULL;
  q->second = q->fourth = 0;
  if (q->settings.norm == SFM_VECTOR_NORM_LINF) {
    q->second = D / 3;
    q->fourth = D / 5 + D * (D - 1) / 9;
    return SFM_OK;
  }
  sfm_status status = sfmi_design_vector_body(&shape, &q->settings, q->length, error);
  if (!status) status = walk_body(q, shape, error);
  sfmi_hit_and_run_destroy(shape);
  return status;
}

/* Adds a noise, or why it cannot be had. */
static sfm_status add(sfm_plan *plan, vector_plan *q, int noise, sfm_error *error) {
  const sfm_vector_settings s = settings_of(q, noise);
  sfm_error why = {SFM_OK, ""};
  sfmi_design_vector vector_design;
  sfm_status status = sfmi_design_vector_init(&vector_design, &s, q->length, &why);
  if (status) return sfmi_plan_add_absent(plan, sfm_vector_noise_name(noise), status, &why, error);
  if (noise == SFM_VECTOR_NOISE_KNORM) status = measure_body(q, error);
  if (status) return status;
  q->had[noise] = true;
  return add_entry(plan, q, &s, &vector_design, error);
}

/* k-norm noise in l1, l2 and ellipsoids is listed under its other name. */
static bool listed(sfm_vector_norm norm, int noise) {
  return noise != SFM_VECTOR_NOISE_KNORM || norm > SFM_VECTOR_NORM_ELLIPSOID;
}

static double largest_vertex(const sfm_vector_settings *s, size_t length) {
  double most = 0;
  for (size_t k = 0; s->vertices && k < s->vertex_count; k++) {
    double size = 0;
    for (size_t i = 0; i < length; i++) size = hypot(size, s->vertices[k * length + i]);
    most = fmax(most, size);
  }
  return most;
}

/* tr S, tr S^2 and the unit of relative errors. */
static void measure(vector_plan *q) {
  const sfm_vector_settings *s = &q->settings;
  const size_t D = q->length;
  q->trace = q->square = (double)D;
  q->unit = s->sensitivity;
  if (s->norm == SFM_VECTOR_NORM_BODY) q->unit = s->body.outer;
  if (s->norm == SFM_VECTOR_NORM_POLYTOPE) q->unit = largest_vertex(s, D);
  if (s->norm != SFM_VECTOR_NORM_ELLIPSOID || !s->ellipsoid) return;
  q->trace = q->square = 0;
  for (size_t i = 0; i < D; i++) q->trace += s->ellipsoid[i * D + i];
  for (size_t i = 0; i < D * D; i++) q->square += s->ellipsoid[i] * s->ellipsoid[i];
  q->unit = sqrt(q->trace / (double)D);
}

sfm_status sfm_plan_vector(sfm_plan **out, const sfm_vector_settings *given, bool every_noise,
                           size_t length, sfm_error *error) {
  sfm_vector_settings taken;
  *out = NULL;
  sfm_status status = SFMI_TAKE_SCHEMALESS(sfm_vector_settings, &taken, given, error);
  if (status) return status;
  const sfm_vector_settings *settings = &taken;
  if (!every_noise) status = sfm_vector_check(settings, length, error);
  if (!status) status = sfmi_plan_create(out, &KIND, NAN, settings->epsilon, error);
  if (status) return status;
  vector_plan *q = (*out)->context;
  *q = (vector_plan){.settings = *settings, .length = length};
  measure(q);
  for (int noise = 0; !status && noise < NOISES; noise++)
    if (every_noise ? listed(settings->norm, noise) : noise == (int)settings->noise)
      status = add(*out, q, noise, error);
  if (!status) sfmi_plan_remarks(*out, &settings->context, settings->delta, 0);
  return sfmi_plan_finish(out, status, error);
}
