/* plan_train.c - what a released machine would be like: how far from the one without noise, by
 * every method (docs/proofs/forecasts-machine.md).
 *
 * Errors are those of the values f~(x) - f(x) at a row whose features are as long as any, kappa:
 * the noise's variance there, and of random features what their kernel is off by, for a function of
 * norm one.  In units of the label; relative errors are parts of 1, the margin, or of half of the
 * label's range. */
#include <math.h>
#include <stdlib.h>

#include "base/system/sized_struct.h"
#include "base/system/c_locale.h"
#include "planner/design/design_vector.h"
#include "planner/forecast/forecast.h"
#include "mu_cache.h"
#include "plan.h"
#include "plan_tdil.h"
#include "planner/design/design_tddl.h"
#include "planner/design/design_train.h"
#include "planner/design/design_train_check.h"
#include "planner/design/design_train_map.h"
#include "planner/limits/svm_utility.h"
#include "privacy/calibration.h"
#include "releases/core/release_kind.h"
#include "releases/kinds/machine_model.h"
#include "releases/kinds/machine_values.h"

enum { NOISES = 3, CANDIDATES_MAX = 256, NAME = 24 };
/* Random features that are planned where their number is not stated. */
static const size_t USUAL[] = {256, 1024, 4096};
static const double FEATURES_LEAST = 16, FEATURES_MOST = 65536;
/* Of the certified bound of the kernel's error. */
static const double KERNEL_FAILURE = 0.05;

/* One way to train. */
typedef struct candidate {
  sfm_train_settings settings; /* with one method, noise, number of features and lambda */
  char name[NAME];             /* "rff:1024" */
  sfmi_feature_map map;        /* only its numbers: nothing that it owned */
  size_t width;
  double lambda; /* 0: the default for the number of rows */
  bool best;     /* as many random features as are best for pure noise */
  bool had;
} candidate;

typedef struct train_plan {
  sfm_train_settings settings;
  sfmi_encoding encoding;
  double factor; /* of values in units of the label */
  double rows;
  candidate *candidates;
  size_t count;
  sfmi_design_tddl *tddl; /* of public points, once a candidate uses them */
  sfmi_mu_cache mu_cache;
} train_plan;

static void clear(void *context) {
  train_plan *s = context;
  sfmi_encoding_clear(&s->encoding);
  sfmi_design_tddl_destroy(s->tddl);
  free(s->candidates);
}

/* ---- numbers ---- */

static sfmi_design_train training_at(const candidate *c, double rows) {
  return sfmi_design_train_estimate(&c->settings, &c->map, c->lambda, rows);
}

static sfm_status mu_at(train_plan *s, double *mu, double epsilon, sfm_error *error) {
  return sfmi_mu_cache_find(&s->mu_cache, mu, epsilon, s->settings.delta, s->settings.calibration,
                            error);
}

/* The noise on the weights, and the variance of <noise, phi> where |phi| = 1. */
static sfm_status noise_at(train_plan *s, sfmi_design_vector *vector_design, double *variance,
                           const candidate *c, const sfmi_design_train *t, double epsilon,
                           sfm_error *error) {
  sfm_vector_settings vector = sfmi_design_train_vector(t, &c->settings);
  double mu = 0;
  sfm_status status = SFM_OK;
  vector.epsilon = epsilon;
  if (vector.noise == SFM_VECTOR_NOISE_NORMAL) status = mu_at(s, &mu, epsilon, error);
  if (status) return status;
  *vector_design = sfmi_design_vector_of(&vector, t->machines * t->features, mu);
  *variance = sfmi_design_vector_variance(vector_design, vector.noise);
  return SFM_OK;
}

/* How much larger the fourth moment of noise at a row is than the square of the second, less one,
 * at most: of normal noise 2, of one coordinate's Laplace noise 5. */
static double spread_of(sfm_vector_noise noise, double length) {
  if (noise == SFM_VECTOR_NOISE_LAPLACE) return 5;
  if (noise == SFM_VECTOR_NOISE_GAMMA) /* E r^4 E u^4/(E r^2 E u^2)^2 - 1 */
    return 3 * (length + 3) / (length + 1) - 1;
  return 2;
}

/* The error of random features for a function of norm one: the deviation of their kernel. */
static double kernel_deviation(const candidate *c) {
  return c->map.form == SFMI_FEATURE_MAP_RANDOM ? 1 / sqrt(2 * (double)c->map.frequencies) : 0;
}

static bool is_tddl(const candidate *c) {
  return c->settings.method == SFM_TRAIN_TDDL;
}

/* Noise at public points, and a fit. */
static sfm_status choose_tddl(train_plan *s, sfmi_design_tddl_choice *choice, const candidate *c,
                              double rows, double epsilon, sfm_error *error) {
  sfmi_design_train t = training_at(c, rows);
  double mu = 0;
  sfm_status status = SFM_OK;
  if (sfmi_design_train_noise(&c->settings) == SFM_VECTOR_NOISE_NORMAL)
    status = mu_at(s, &mu, epsilon, error);
  if (status) return status;
  t.rows = (uint64_t)fmin(rows, 1e18);
  t.distance = t.certificate / 2;
  return sfmi_design_tddl_choose(choice, s->tddl, &c->settings, &t,
                                 sfmi_design_tddl_value_error(&t, &c->map), epsilon, mu, error);
}

/* Squares of what values at the points are off by. */
static sfm_forecast forecast_tddl(const train_plan *s, const sfmi_design_tddl_choice *c) {
  const double mean = s->factor * s->factor * c->predicted * c->predicted;
  sfm_forecast f = {.privacy = mean};
  sfmi_forecast_cost(&f, mean, c->spread * mean * mean, 1, s->factor);
  return f;
}

static sfm_status predict_tddl(train_plan *s, sfm_forecast *f, sfmi_design_vector *vector_design,
                               const candidate *c, double rows, double epsilon, sfm_error *error) {
  sfmi_design_tddl_choice choice;
  const sfm_status status = choose_tddl(s, &choice, c, rows, epsilon, error);
  if (status) return status;
  *vector_design = choice.vector_design;
  *f = forecast_tddl(s, &choice);
  return SFM_OK;
}

static sfm_status predict(train_plan *s, sfm_forecast *f, sfmi_design_vector *vector_design,
                          const candidate *c, double rows, double epsilon, sfm_error *error) {
  if (is_tddl(c)) return predict_tddl(s, f, vector_design, c, rows, epsilon, error);
  const sfmi_design_train t = training_at(c, rows);
  const double unit = s->factor * s->factor, lack = kernel_deviation(c);
  double variance;
  const sfm_status status = noise_at(s, vector_design, &variance, c, &t, epsilon, error);
  if (status) return status;
  const double mean = unit * variance * t.kappa * t.kappa;
  const double spread =
      spread_of(sfmi_design_train_noise(&c->settings), (double)(t.machines * t.features));
  *f = (sfm_forecast){.privacy = mean, .truncation = unit * lack * lack};
  sfmi_forecast_cost(f, mean + f->truncation,
                     spread * mean * mean + 2 * f->truncation * f->truncation, 1, s->factor);
  return SFM_OK;
}

/* Noise at places is idealised. */
static bool is_hardened(const candidate *c, const sfmi_design_vector *vector_design) {
  return vector_design->hardened && (is_tddl(c) || c->map.form != SFMI_FEATURE_MAP_POINTS);
}

/* ---- questions ---- */

/* Pure noise grows with the number F of features, and the error of the kernel falls:
 * 2 Delta^2 F/epsilon^2 + 1/F is least where F = epsilon/(sqrt 2 Delta). */
static size_t best_features(const train_plan *s, double lambda, double rows, double epsilon) {
  const double kappa = hypot(1, s->settings.constant);
  const sfmi_loss loss = sfmi_design_train_loss(&s->settings);
  if (lambda == 0) lambda = kappa * kappa / sqrt(rows);
  const double delta = 2 * sfmi_loss_lipschitz(&loss, lambda, kappa) * kappa * kappa /
                       (lambda * rows) * sqrt((double)sfmi_design_train_machines(&s->settings)) *
                       (1 + 2 * s->settings.tolerance);
  const double best = epsilon / (M_SQRT2 * delta);
  return 2 * (size_t)round(fmin(fmax(best, FEATURES_LEAST), FEATURES_MOST) / 2);
}

/* With as many random features as are best then, where their number is free. */
static candidate candidate_at(const train_plan *s, const candidate *c, double rows,
                              double epsilon) {
  candidate other = *c;
  if (!c->best) return other;
  const size_t features = best_features(s, c->lambda, rows, epsilon);
  other.map.count += features - 2 * other.map.frequencies;
  other.map.frequencies = features / 2;
  return other;
}

static sfm_status forecast(void *context, sfm_forecast *out, double rows, double epsilon,
                           sfm_error *error) {
  train_plan *s = context;
  bool hardened = false;
  out->total = INFINITY;
  for (size_t i = 0; i < s->count; i++) {
    sfmi_design_vector vector_design;
    sfm_forecast f;
    if (!s->candidates[i].had) continue;
    const candidate c = candidate_at(s, &s->candidates[i], rows, epsilon);
    const sfm_status status = predict(s, &f, &vector_design, &c, rows, epsilon, error);
    if (status) return status;
    sfmi_forecast_prefer(out, &hardened, &f, is_hardened(&c, &vector_design));
  }
  return SFM_OK;
}

static const sfmi_plan_kind KIND = {
    .size = sizeof(train_plan), .forecast = forecast, .clear = clear};

/* ---- entries ---- */

/* The band that the release would state. */
static sfm_status band_of(sfm_plan_entry *entry, const candidate *c, const sfmi_design_train *t,
                          const sfmi_design_vector *vector_design, sfm_error *error) {
  const sfm_train_settings *s = &c->settings;
  const sfm_vector_settings vector = sfmi_design_train_vector(t, s);
  sfmi_feature_map map = c->map;
  sfmi_machine_model learned = {.task = s->regression    ? SFM_TASK_REGRESSION
                                        : s->one_vs_rest ? SFM_TASK_ONE_VS_REST
                                                         : SFM_TASK_BINARY,
                                .lower = s->regression ? s->label_lower : 0,
                                .upper = s->regression ? s->label_upper : 0,
                                .class_count = t->machines > 1 ? t->machines : 2,
                                .loss = s->loss,
                                .parameter = t->loss.parameter,
                                .lambda = t->lambda,
                                .certificate = t->certificate,
                                .map = &map};
  sfm_release *release = NULL;
  sfm_status status =
      sfmi_design_vector_template(&release, vector_design, &vector, vector_design->scale, error);
  if (!status && !sfmi_release_become(release, &sfmi_machine_kind))
    status = sfmi_fail_memory(error);
  if (!status) {
    release->method = SFMI_MACHINE_FINITE;
    release->model = &learned;
    status = sfmi_machine_band(&entry->band, release, s->context.confidence, error);
    entry->guarantee = release->guarantee;
    release->model = NULL;
  }
  sfm_release_destroy(release);
  return status;
}

/* E|<noise, phi>| at |phi| = 1, from its variance: exact for normal and gamma noise, for Laplace
 * noise in as many coordinates as there are features. */
static double mean_absolute(sfm_vector_noise noise, double variance, double length) {
  if (noise != SFM_VECTOR_NOISE_GAMMA) return sqrt(2 / M_PI * variance);
  /* E r E|u| = D b Gamma(D/2)/(sqrt(pi) Gamma((D+1)/2)), b = sqrt(variance/(D + 1)) */
  return length * sqrt(variance / (length + 1) / M_PI) *
         exp(lgamma(length / 2) - lgamma((length + 1) / 2));
}

/* Noise of that deviation, A/lambda, adds about c A^2/(2 lambda^2) to the mean loss, c its
 * curvature (of a kink: for values spread evenly over two margins).  The penalty of a function of
 * norm 1/kappa is lambda/(2 kappa^2).  The rule is the lambda at which their sum is least, but no
 * less than the default, which consistency needs. */
static double lambda_rule(const sfmi_design_train *t, double rows, double deviation) {
  const double curvature = sfmi_loss_curvature(&t->loss), A = deviation * t->lambda;
  const double c = isfinite(curvature) ? curvature : 0.5;
  return fmax(cbrt(2 * c * t->kappa * t->kappa * A * A), t->kappa * t->kappa / sqrt(rows));
}

static void describe_kernel(sfm_plan_entry *entry, const train_plan *s, const candidate *c) {
  const sfmi_encoding *e = &s->encoding;
  const sfm_svm svm = {.kernel = c->map.kernel,
                       .bandwidth = c->map.bandwidth,
                       .dimension = e->dimension,
                       .diameter = 2 * e->radius};
  /* Frequencies come in orthogonal blocks, of which only the blocks are independent. */
  const bool blocks = c->map.kernel != SFM_KERNEL_LAPLACIAN && c->map.kernel != SFM_KERNEL_CAUCHY;
  const double block = blocks ? fmin((double)e->dimension, SFM_MAX_DIMENSION) : 1;
  sfmi_plan_entry_number(entry, "kernel_deviation", kernel_deviation(c), false);
  sfmi_plan_entry_number(
      entry, "kernel_certified",
      sfmi_frequencies_error(&svm, floor((double)c->map.frequencies / block), KERNEL_FAILURE),
      false);
}

static sfm_status describe_tddl(sfm_plan_entry *entry, train_plan *s, const candidate *c,
                                sfm_error *error) {
  const sfmi_design_train t = training_at(c, s->rows);
  sfmi_design_tddl_choice choice;
  const sfm_status status = choose_tddl(s, &choice, c, s->rows, c->settings.epsilon, error);
  if (status) return status;
  const sfm_vector_settings *vector = &choice.vector;
  const bool kernel = choice.shape == SFM_NOISE_SHAPE_KERNEL;
  entry->predicted = forecast_tddl(s, &choice);
  entry->hardened = choice.vector_design.hardened;
  entry->guarantee =
      sfmi_guarantee_of_noise(vector->epsilon, vector->delta, choice.vector_design.mu);
  entry->band = (sfm_band){.confidence = vector->context.confidence,
                           .half_width = NAN,
                           .pointwise = NAN,
                           .systematic = NAN};
  sfmi_plan_entry_text(entry, "noise", sfm_vector_noise_name(vector->noise), true);
  sfmi_plan_entry_number(entry, "lambda", t.lambda, c->lambda > 0);
  sfmi_plan_entry_text(entry, "shape", sfm_noise_shape_name(choice.shape), false);
  sfmi_plan_entry_number(entry, "public_points", (double)choice.of->whitening->count, false);
  sfmi_plan_entry_number(entry, "directions", (double)choice.directions, false);
  sfmi_plan_entry_number(entry, "kernel_shaped",
                         s->factor * (kernel ? choice.predicted : choice.other), false);
  sfmi_plan_entry_number(entry, "isotropic", s->factor * (kernel ? choice.other : choice.predicted),
                         false);
  sfmi_plan_entry_number(entry, "radius", choice.radius, false);
  sfmi_plan_entry_training(entry, &t, choice.vector_design.sensitivity, choice.vector_design.scale);
  sfmi_plan_entry_number(entry, "lambda_rule", lambda_rule(&t, s->rows, choice.predicted), false);
  return SFM_OK;
}

static sfm_status describe(sfm_plan_entry *entry, train_plan *s, const candidate *c,
                           sfm_error *error) {
  if (is_tddl(c)) return describe_tddl(entry, s, c, error);
  const sfm_vector_noise noise = sfmi_design_train_noise(&c->settings);
  const sfmi_design_train t = training_at(c, s->rows);
  const double D = (double)(t.machines * t.features);
  sfmi_design_vector vector_design;
  double variance;
  sfm_status status =
      predict(s, &entry->predicted, &vector_design, c, s->rows, c->settings.epsilon, error);
  if (!status) status = noise_at(s, &vector_design, &variance, c, &t, c->settings.epsilon, error);
  if (!status) status = band_of(entry, c, &t, &vector_design, error);
  if (status) return status;
  const double deviation = s->factor * t.kappa * sqrt(variance);
  entry->hardened = is_hardened(c, &vector_design);
  sfmi_plan_entry_text(entry, "noise", sfm_vector_noise_name(noise), true);
  sfmi_plan_entry_number(entry, "lambda", t.lambda, c->lambda > 0);
  sfmi_plan_entry_number(entry, "features", (double)t.features, false);
  sfmi_plan_entry_training(entry, &t, vector_design.sensitivity, vector_design.scale);
  sfmi_plan_entry_number(entry, "deviation", deviation, false);
  sfmi_plan_entry_number(entry, "mean", s->factor * t.kappa * mean_absolute(noise, variance, D),
                         false);
  sfmi_plan_entry_number(entry, "weights", sqrt((double)t.features * variance), false);
  sfmi_plan_entry_number(entry, "lambda_rule", lambda_rule(&t, s->rows, deviation / s->factor),
                         false);
  if (c->map.form == SFMI_FEATURE_MAP_RANDOM) describe_kernel(entry, s, c);
  return SFM_OK;
}

/* Of the settings' public points; learns: what the machine is trained on. */
static sfm_status make_tddl(train_plan *s, const sfm_train_settings *settings,
                            const sfmi_feature_map *learns, sfm_error *error) {
  sfmi_feature_map *points = NULL;
  double *matrix = NULL;
  size_t count = 0;
  sfm_status status = sfmi_design_tddl_count(&count, settings, error);
  if (!status) status = sfmi_design_tddl_map(&points, &s->encoding, settings, count, error);
  if (!status) status = sfmi_feature_map_matrix(&matrix, points, 0, error);
  if (!status)
    status =
        sfmi_design_tddl_create(&s->tddl, settings, matrix, count,
                                sfmi_design_tddl_entry_error(points, learns), learns->kappa, error);
  free(matrix);
  sfmi_feature_map_destroy(points);
  return status;
}

/* All public checks of a candidate, and the numbers of its features. */
static sfm_status prepare(candidate *c, train_plan *s, sfm_error *error) {
  sfmi_feature_map *map = NULL;
  sfmi_design_train training;
  sfm_status status = sfmi_design_train_check(&c->settings, error);
  if (!status) status = sfmi_design_train_map(&map, &s->encoding, &c->settings, 0, error);
  if (!status) {
    const size_t width = map->form == SFMI_FEATURE_MAP_POINTS
                             ? (size_t)s->rows
                             : sfmi_feature_map_nonzeros(
                                   map, sfmi_encoding_width(&s->encoding, s->encoding.dimension));
    c->settings.lambda = c->lambda;
    if (is_tddl(c) && !s->tddl) status = make_tddl(s, &c->settings, map, error);
    if (!status)
      status =
          sfmi_design_train_init(&training, &c->settings, map, (uint64_t)s->rows, width, error);
    c->map = *map;
    c->map.lower = c->map.upper = c->map.point_values = NULL;
    c->map.point_starts = NULL;
    c->map.point_indices = NULL;
    c->map.derived = NULL;
  }
  sfmi_feature_map_destroy(map);
  return status;
}

static sfm_status add(sfm_plan *plan, train_plan *s, candidate *c, sfm_error *error) {
  sfm_error why = {SFM_OK, ""};
  sfm_plan_entry entry = {.method = c->name, .apart = NAN, .share = NAN};
  sfm_status status = prepare(c, s, &why);
  if (!status && c->settings.method == SFM_TRAIN_OBJECTIVE)
    status = sfmi_fail(&why, SFM_INVALID,
                       "a baseline: how far it is from the machine without noise depends on the "
                       "rows, and is not predicted");
  if (status) return sfmi_plan_add_absent(plan, c->name, status, &why, error);
  status = describe(&entry, s, c, error);
  c->had = !status;
  return !status ? sfmi_plan_add_entry(plan, &entry, error) : status;
}

/* ---- the candidates ---- */

static candidate *another(train_plan *s, sfm_train_method method, size_t features) {
  if (s->count == CANDIDATES_MAX) return NULL;
  candidate *c = &s->candidates[s->count++];
  *c = (candidate){.settings = s->settings};
  c->settings.method = method;
  c->settings.rff_features = features;
  if (method != SFM_TRAIN_TDDL) {
    c->settings.public_count = c->settings.public_points = 0;
    c->settings.shape = SFM_NOISE_SHAPE_AUTO;
  }
  sfmi_snprintf(c->name, sizeof c->name, features ? "%s:%zu" : "%s", sfm_train_method_name(method),
                features);
  return c;
}

/* One method with every noise and lambda that is asked about. */
static void list_noises(train_plan *s, sfm_train_method method, size_t features, bool every_noise) {
  const bool normal = s->settings.delta > 0;
  for (int noise = 0; noise < NOISES; noise++) {
    if (every_noise ? normal != (noise == SFM_VECTOR_NOISE_NORMAL)
                    : noise != (int)sfmi_design_train_noise(&s->settings))
      continue;
    for (size_t i = 0; i < (s->settings.lambda_count ? s->settings.lambda_count : 1); i++) {
      candidate *c = another(s, method, features);
      if (!c) return;
      c->settings.noise_given = true;
      c->settings.noise = (sfm_vector_noise)noise;
      c->lambda = s->settings.lambda_count ? s->settings.lambdas[i] : s->settings.lambda;
      c->settings.lambdas = NULL;
      c->settings.lambda_count = 0;
    }
  }
}

static void list_random(train_plan *s, bool every_noise) {
  const double lambda = s->settings.lambda_count ? s->settings.lambdas[0] : s->settings.lambda;
  for (size_t i = 0; i < sizeof USUAL / sizeof *USUAL; i++)
    list_noises(s, SFM_TRAIN_RFF, USUAL[i], every_noise);
  if (s->settings.delta > 0) return;
  const size_t from = s->count;
  list_noises(s, SFM_TRAIN_RFF, best_features(s, lambda, s->rows, s->settings.epsilon),
              every_noise);
  for (size_t i = from; i < s->count; i++) s->candidates[i].best = true;
}

static void list_all(train_plan *s, bool every_noise) {
  const sfm_kernel_family kernel = s->settings.kernel;
  const bool finite = kernel == SFM_KERNEL_LINEAR || kernel == SFM_KERNEL_POLYNOMIAL;
  if (finite || kernel == SFM_KERNEL_GAUSSIAN) list_noises(s, SFM_TRAIN_FINITE, 0, every_noise);
  if (!finite) list_random(s, every_noise);
  if (s->settings.places && s->settings.delta > 0) list_noises(s, SFM_TRAIN_GP, 0, every_noise);
  if (s->settings.public_count) list_noises(s, SFM_TRAIN_TDDL, 0, every_noise);
  candidate *c = another(s, SFM_TRAIN_OBJECTIVE, finite ? 0 : USUAL[1]);
  if (c) c->settings.noise_given = false;
}

static sfm_status begin(train_plan *s, const sfm_train_settings *settings, uint64_t rows,
                        size_t dimension, sfm_error *error) {
  *s = (train_plan){.settings = *settings,
                    .rows = (double)rows,
                    .factor = sfmi_design_train_half_width(settings)};
  s->candidates = sfmi_alloc(CANDIDATES_MAX, sizeof *s->candidates);
  if (!s->settings.label) s->settings.label = ""; /* no column's name, and none is read */
  if (!s->candidates) return sfmi_fail_memory(error);
  if (rows < 1)
    return sfmi_fail(error, SFM_INVALID, "a machine is learned from one row or more, not from 0");
  for (size_t i = 0; i < settings->lambda_count; i++)
    if (!(settings->lambdas[i] >= 1e-12 && settings->lambdas[i] <= 1e12))
      return sfmi_fail(error, SFM_INVALID, "lambda must be from 1e-12 to 1e12, not %g",
                       settings->lambdas[i]);
  return sfmi_design_train_encoding(&s->encoding, settings, dimension, error);
}

sfm_status sfm_plan_train(sfm_plan **out, const sfm_train_settings *given, bool every_method,
                          bool every_noise, uint64_t rows, size_t dimension, sfm_error *error) {
  sfm_train_settings taken;
  *out = NULL;
  sfm_status status = SFMI_TAKE(sfm_train_settings, &taken, given, error);
  if (status) return status;
  const sfm_train_settings *settings = &taken;
  if (!every_method && settings->method == SFM_TRAIN_TDIL)
    return sfmi_plan_tdil(out, settings, rows, dimension, error);
  status = sfmi_plan_create(out, &KIND, (double)rows, settings->epsilon, error);
  if (status) return status;
  train_plan *s = (*out)->context;
  status = begin(s, settings, rows, dimension, error);
  if (status) return sfmi_plan_finish(out, status, error);
  if (every_method)
    list_all(s, every_noise);
  else
    list_noises(s, settings->method,
                settings->method == SFM_TRAIN_FINITE ? 0 : settings->rff_features, every_noise);
  for (size_t i = 0; i < s->count && !status; i++) status = add(*out, s, &s->candidates[i], error);
  if (!status) sfmi_plan_remarks(*out, &settings->context, settings->delta, rows);
  return sfmi_plan_finish(out, status, error);
}
