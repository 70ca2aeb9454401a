#include "design_train.h"
#include "base/system/sized_struct.h"

#include <math.h>

#include "estimators/machine/certificate.h"
#include "estimators/ascent/kernel_ascent.h"
#include "estimators/ascent/machine_solver.h"
#include "features/kernels/kernel.h"
#include "design_vector.h"
#include "privacy/calibration.h"

/* The largest error of a few products and a root in doubles, as a factor. */
static const double ROUNDING = 1 + 1e-14;

void sfm_train_settings_init(sfm_train_settings *settings, size_t size) {
  const sfm_train_settings defaults = {.kernel = SFM_KERNEL_LINEAR,
                                       .loss = SFM_MACHINE_LOSS_HINGE,
                                       .parameter = NAN,
                                       .method = SFM_TRAIN_FINITE,
                                       .tolerance = 0.1,
                                       .context.confidence = 0.95};
  sfmi_struct_init(settings, size, &defaults, sizeof defaults);
}

/* ---- what the settings say, in other words ---- */

sfm_vector_noise sfmi_design_train_noise(const sfm_train_settings *s) {
  if (s->noise_given) return s->noise;
  if (s->delta > 0) return SFM_VECTOR_NOISE_NORMAL;
  return s->method == SFM_TRAIN_OBJECTIVE ? SFM_VECTOR_NOISE_GAMMA : SFM_VECTOR_NOISE_LAPLACE;
}

const char *const *sfmi_design_train_labels(const sfm_train_settings *s, size_t *count) {
  static const char *const usual[] = {"-1", "1"};
  *count = s->regression ? 0 : s->labels ? s->class_count : 2;
  if (s->regression) return NULL;
  return s->labels ? s->labels : usual;
}

size_t sfmi_design_train_machines(const sfm_train_settings *s) {
  size_t count;
  sfmi_design_train_labels(s, &count);
  return s->one_vs_rest ? count : 1;
}

double sfmi_design_train_half_width(const sfm_train_settings *s) {
  return s->regression ? 0.5 * s->label_upper - 0.5 * s->label_lower : 1;
}

sfmi_loss sfmi_design_train_loss(const sfm_train_settings *s) {
  sfmi_loss loss = {.kind = s->loss};
  if (loss.kind == SFM_MACHINE_LOSS_HUBER)
    loss.parameter = isnan(s->parameter) ? SFMI_DESIGN_TRAIN_HUBER
                                         : s->parameter / sfmi_design_train_half_width(s);
  if (loss.kind == SFM_MACHINE_LOSS_EPSILON_INSENSITIVE)
    loss.parameter = isnan(s->parameter) ? SFMI_DESIGN_TRAIN_INSENSITIVE
                                         : s->parameter / sfmi_design_train_half_width(s);
  return loss;
}

/* The lambda where none is stated: kappa^2/sqrt(rows) (Rubinstein et al., remark 1, in
 * docs/papers.md: C of order sqrt n). */
static double usual_lambda(double kappa, double rows) {
  return kappa * kappa / sqrt(rows);
}

bool sfmi_design_train_finite(sfm_kernel_family kernel) {
  return !sfmi_kernel_stationary(kernel) || kernel == SFM_KERNEL_GAUSSIAN;
}

static sfmi_feature_map_form finite_form(sfm_kernel_family kernel) {
  if (kernel == SFM_KERNEL_LINEAR) return SFMI_FEATURE_MAP_LINEAR;
  return kernel == SFM_KERNEL_POLYNOMIAL ? SFMI_FEATURE_MAP_MONOMIALS : SFMI_FEATURE_MAP_TORUS;
}

sfmi_feature_map_form sfmi_design_train_form(const sfm_train_settings *s) {
  if (s->method == SFM_TRAIN_RFF || (s->method == SFM_TRAIN_OBJECTIVE && s->rff_features))
    return SFMI_FEATURE_MAP_RANDOM;
  if (s->method == SFM_TRAIN_GP && s->places) return SFMI_FEATURE_MAP_POINTS;
  if ((s->method == SFM_TRAIN_TDDL || s->method == SFM_TRAIN_TDIL) &&
      !sfmi_design_train_finite(s->kernel))
    return SFMI_FEATURE_MAP_POINTS;
  return finite_form(s->kernel);
}

/* ---- numbers ---- */

/* Noise in the objective, for one machine: a penalty that keeps the Jacobian's part of the privacy
 * loss within half of epsilon, and the noise for the rest of epsilon. */
static sfm_status perturb(sfmi_design_train *t, const sfm_train_settings *s, sfm_error *error) {
  const double machines = (double)t->machines, epsilon = s->epsilon / machines;
  const double curvature = sfmi_loss_curvature(&t->loss) * t->kappa * t->kappa / (double)t->rows;
  t->lambda = fmax(t->lambda, curvature / expm1(epsilon / 2) * ROUNDING);
  t->lipschitz = sfmi_loss_lipschitz_everywhere(&t->loss);
  t->gradient = 2 * t->lipschitz * t->kappa * ROUNDING;
  double rate = epsilon - log1p(curvature / t->lambda) * ROUNDING, mu = 0;
  if (rate < SFMI_EPSILON_MIN)
    return sfmi_fail(error, SFM_INVALID,
                     "an epsilon of %g%s leaves too little for noise in the objective: write at "
                     "least settings.epsilon = %g",
                     s->epsilon, t->machines > 1 ? ", shared by the machines," : "",
                     4 * SFMI_EPSILON_MIN * machines);
  if (sfmi_design_train_noise(s) == SFM_VECTOR_NOISE_NORMAL) {
    const sfm_status status =
        sfmi_gdp_mu_for(&mu, rate, s->delta / machines / 2, SFM_CALIBRATION_EXACT, error);
    if (status) return status;
    /* mu^2 = 2 (sqrt(1 + rate^2) - 1), without the difference */
    rate = fmin(mu, rate * sqrt(2 / (1 + sqrt(1 + rate * rate))) / ROUNDING);
  }
  t->scale = t->gradient / rate * ROUNDING;
  return SFM_OK;
}

/* The target is the least possible: the theorem is about the exact minimiser. */
static void measure_objective(sfmi_design_train *t, double floor) {
  t->target = floor;
  t->distance = sqrt(2 * t->target / t->lambda);
}

static sfm_status measure(sfmi_design_train *t, const sfm_train_settings *s, double floor,
                          sfm_error *error) {
  t->bound = 2 * t->lipschitz * t->kappa / (t->lambda * (double)t->rows) * ROUNDING;
  t->distance = s->tolerance * t->bound;
  t->target = 0.5 * t->lambda * t->distance * t->distance;
  t->certificate = 2 * t->distance * ROUNDING;
  t->used = (t->contributions * t->bound + t->certificate) * ROUNDING;
  t->joint = sqrt((double)t->machines) * t->used * ROUNDING;
  if (t->target >= floor) return SFM_OK;
  const double possible = 1.06 * s->tolerance * sqrt(floor / t->target);
  /* Targets fall as 1/(lambda n^2), and the error of values does not.  Where lambda is tiny beside
   * kappa^2, the steps of the duals are too coarse instead. */
  if (!(possible <= 1))
    return sfmi_fail(error, SFM_INVALID,
                     "with a lambda of %g and %llu rows doubles cannot tell how near the exact "
                     "machine is: a %s settings.lambda can be certified",
                     t->lambda, (unsigned long long)t->rows,
                     t->lambda > SFMI_UNIT_ROUNDOFF * t->kappa * t->kappa ? "smaller" : "larger");
  return sfmi_fail(error, SFM_INVALID,
                   "a tolerance of %g is below what can be certified in doubles for every data set "
                   "of this size: write settings.tolerance = %.2g",
                   s->tolerance, possible);
}

sfm_status sfmi_design_train_init(sfmi_design_train *t, const sfm_train_settings *s,
                                  const sfmi_feature_map *map, uint64_t rows, size_t width,
                                  sfm_error *error) {
  if (rows < 1)
    return sfmi_fail(error, SFM_INVALID, "there are no rows, so there is nothing to learn from");
  *t = (sfmi_design_train){.rows = rows,
                           .contributions = sfm_schema_contributions(s->context.schema),
                           .loss = sfmi_design_train_loss(s),
                           .kappa = map->kappa,
                           .machines = sfmi_design_train_machines(s),
                           .features = map->count};
  t->lambda = s->lambda > 0 ? s->lambda : usual_lambda(t->kappa, (double)rows);
  if (t->features > SFMI_RELEASE_MAX / t->machines)
    return sfmi_fail(error, SFM_INVALID,
                     "%zu machines of %zu features are more numbers than a release can have (%zu)",
                     t->machines, t->features, SFMI_RELEASE_MAX);
  t->lipschitz = sfmi_loss_lipschitz(&t->loss, t->lambda, t->kappa);
  const bool objective = s->method == SFM_TRAIN_OBJECTIVE;
  const sfm_status status = objective ? perturb(t, s, error) : SFM_OK;
  if (status) return status;
  t->reach = sfmi_loss_reach(&t->loss, t->lambda, t->kappa);
  const double floor = map->form == SFMI_FEATURE_MAP_POINTS
                           ? sfmi_kernel_ascent_floor(&t->loss, t->lambda, map, rows)
                           : sfmi_solver_floor(&t->loss, t->lambda, t->kappa, rows, width);
  if (!objective) return measure(t, s, floor, error);
  measure_objective(t, floor);
  return SFM_OK;
}

sfmi_design_train sfmi_design_train_estimate(const sfm_train_settings *s,
                                             const sfmi_feature_map *map, double lambda,
                                             double rows) {
  sfmi_design_train t = {.contributions = sfm_schema_contributions(s->context.schema),
                         .loss = sfmi_design_train_loss(s),
                         .kappa = map->kappa,
                         .machines = sfmi_design_train_machines(s),
                         .features = map->count};
  t.lambda = lambda > 0 ? lambda : usual_lambda(t.kappa, rows);
  t.lipschitz = sfmi_loss_lipschitz(&t.loss, t.lambda, t.kappa);
  t.reach = sfmi_loss_reach(&t.loss, t.lambda, t.kappa);
  t.bound = 2 * t.lipschitz * t.kappa / (t.lambda * rows);
  t.certificate = 2 * s->tolerance * t.bound;
  t.used = t.contributions * t.bound + t.certificate;
  t.joint = sqrt((double)t.machines) * t.used;
  return t;
}

/* As sfmi_solver_floor, whose values are at most kappa times the reach: shifted ones are up to
 * kappa times the shift larger, and the minimiser is anywhere within L kappa/lambda. */
double sfmi_design_train_target(const sfmi_design_train *t, size_t width, double shift) {
  const double far = t->kappa * t->kappa * t->lipschitz / t->lambda;
  const double rounding =
      SFMI_UNIT_ROUNDOFF * ((2 * sfmi_sum_depth(width) + 72) * far + 8 * (far + t->kappa * shift));
  return t->target + 8 * t->lipschitz * rounding;
}

sfm_vector_settings sfmi_design_train_vector(const sfmi_design_train *t,
                                             const sfm_train_settings *s) {
  sfm_vector_settings vector = sfm_vector_settings_default();
  vector.norm = SFM_VECTOR_NORM_L2;
  vector.sensitivity = t->joint;
  vector.epsilon = s->epsilon;
  vector.delta = s->delta;
  vector.noise = sfmi_design_train_noise(s);
  vector.calibration = s->calibration;
  vector.context.confidence = s->context.confidence;
  vector.context.seeded = s->context.seeded;
  vector.context.seed = s->context.seed;
  return vector;
}
