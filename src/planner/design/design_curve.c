#include "design_curve.h"
#include "base/system/sized_struct.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/text/utf8.h"
#include "features/kernels/gaussian_torus.h"
#include "features/kernels/kernel.h"
#include "features/bases/span_basis.h"
#include "privacy/calibration.h"
#include "privacy/range_check.h"
#include "sfumato/noise.h"
#include "releases/core/release_kind.h"

/* The step: this part of the clip, unless the noise would then be beyond the sampler's range, or
 * all records together beyond SFMI_CURVE_SUM_STEPS_MAX. */
static const double STEP_SHARE = 0x1p-30, SCALE_STEPS = 0x1p49, TOTAL_STEPS = 0x1p61;
static const int ROWS_BITS = 36;
/* Largest values of a guess. */
static const double GUESS_MAX = 1e100;

_Static_assert(SFM_CURVE_POINTS_MAX <= SFMI_SPAN_POINTS_MAX, "what is released can be read");

void sfm_curve_settings_init(sfm_curve_settings *settings, size_t size) {
  const sfm_curve_settings defaults = {.kernel = SFM_KERNEL_MATERN52,
                                       .ridge = 0.01,
                                       .calibration = SFM_CALIBRATION_EXACT,
                                       .context.confidence = 0.95};
  sfmi_struct_init(settings, size, &defaults, sizeof defaults);
}

static sfm_status check_grid(const sfm_curve_settings *s, sfm_error *error) {
  if (s->count < 2 || s->count > SFM_CURVE_POINTS_MAX)
    return sfmi_fail(error, SFM_INVALID, "a curve has 2 to %d points, not %zu",
                     SFM_CURVE_POINTS_MAX, s->count);
  for (size_t i = 0; i < s->count; i++) {
    if (!isfinite(s->grid[i]))
      return sfmi_fail(error, SFM_INVALID, "point %zu of the grid is not a finite number", i + 1);
    if (i > 0 && !(s->grid[i - 1] < s->grid[i]))
      return sfmi_fail(error, SFM_INVALID,
                       "the grid must ascend, and point %zu (%.10g) does not lie above the one "
                       "before (%.10g); put the columns and their points in ascending order",
                       i + 1, s->grid[i], s->grid[i - 1]);
  }
  const double lower = s->grid[0], upper = s->grid[s->count - 1];
  if (!sfmi_kernel_stationary(s->kernel))
    return sfmi_fail(error, SFM_INVALID,
                     "curves are fitted with a kernel from gaussian to cauchy, such as matern52");
  if (!(s->bandwidth > 0) || !isfinite(s->bandwidth))
    return sfmi_fail(error, SFM_INVALID,
                     "the kernel's bandwidth must be a positive number in the grid's unit, not %g; "
                     "a tenth of the grid's range (%g) is a start",
                     s->bandwidth, (upper - lower) / 10);
  const char *wanted = sfmi_gaussian_unfit(lower, upper, s->bandwidth);
  return wanted ? sfmi_fail(error, SFM_INVALID,
                            "a grid from %g to %g and a kernel of bandwidth %g do not go "
                            "together: it takes %s",
                            lower, upper, s->bandwidth, wanted)
                : SFM_OK;
}

static sfm_status check_names(const sfm_curve_settings *s, sfm_error *error) {
  for (size_t i = 0; s->columns && i < s->count; i++)
    if (!sfmi_utf8_valid(s->columns[i]))
      return sfmi_fail(error, SFM_INVALID,
                       "the name of column %zu is not UTF-8; save the curves in UTF-8, or choose "
                       "columns by their place",
                       i + 1);
  if (s->variable && (!*s->variable || !sfmi_utf8_valid(s->variable)))
    return sfmi_fail(error, SFM_INVALID, "the name of the variable must be UTF-8, and not empty");
  return SFM_OK;
}

static sfm_status check_guarantee(const sfm_curve_settings *s, sfm_error *error) {
  const sfm_status status = sfmi_check_epsilon(s->epsilon, error);
  if (status) return status;
  if (!(s->delta == 0 || (s->delta >= SFMI_DELTA_MIN && s->delta < 1)))
    return sfmi_fail(error, SFM_INVALID,
                     "delta must be from %g to below 1 (1e-6 is usual), or 0 for pure epsilon, not "
                     "%g",
                     SFMI_DELTA_MIN, s->delta);
  if (s->delta > 0 && sfmi_check_calibration(s->calibration, s->epsilon, error)) return SFM_INVALID;
  return sfmi_check_confidence(s->context.confidence, error);
}

sfm_status sfmi_design_curve_check(const sfm_curve_settings *s, sfm_error *error) {
  if (!s->grid)
    return sfmi_fail(error, SFM_INVALID,
                     "curves need settings.grid, the points at which they were measured");
  if (sfm_schema_neighbours(s->context.schema) != SFM_NEIGHBOURS_REPLACE)
    return sfmi_fail(error, SFM_INVALID,
                     "the mean of curves is divided by the number of records, which is public: use "
                     "replace neighbours");
  sfm_status status = check_grid(s, error);
  if (!status) status = check_names(s, error);
  if (!status) status = check_guarantee(s, error);
  if (status) return status;
  if (!(s->clip >= 1e-200 && s->clip <= 1e200))
    return sfmi_fail(
        error, SFM_INVALID,
        "the clip must be a number from 1e-200 to 1e200: the largest norm that a curve "
        "may have in the kernel's space, not %g",
        s->clip);
  for (size_t i = 0; s->mean && i < s->count; i++)
    if (!(fabs(s->mean[i]) <= GUESS_MAX))
      return sfmi_fail(error, SFM_INVALID,
                       "value %zu of the guessed mean must be a number of size up to %g", i + 1,
                       GUESS_MAX);
  if (!(s->spread >= 0 && s->spread <= GUESS_MAX))
    return sfmi_fail(
        error, SFM_INVALID,
        "the spread of curves about their mean must be a number from 0 to %g, in their "
        "unit, not %g",
        GUESS_MAX, s->spread);
  if (!(s->ridge >= 0 && s->ridge <= 1e100))
    return sfmi_fail(error, SFM_INVALID,
                     "the ridge must be a number from 0 to 1e100 (0.01 is usual), not %g",
                     s->ridge);
  return SFM_OK;
}

/* sum of g_j from the first to before `end`. */
static double sum_of(const double *weights, size_t end) {
  double sum = 0;
  for (size_t j = 0; j < end; j++) sum += weights[j];
  return sum;
}

/* The square of the mean in direction j: of the guess, clipped; or evenly over all. */
static double held(const sfmi_design_curve *curve_design, const sfm_curve_settings *s,
                   double shrunk, size_t j) {
  const double a = curve_design->guess ? shrunk * curve_design->guess[j] : s->clip;
  return a * a / (curve_design->guess ? 1 : (double)curve_design->basis->count);
}

/* What clipping leaves of the guess, as a factor. */
static double shrink(const sfmi_design_curve *curve_design, const sfm_curve_settings *s) {
  double norm = 0;
  for (size_t j = 0; curve_design->guess && j < curve_design->basis->count; j++)
    norm = hypot(norm, curve_design->guess[j]);
  return norm > s->clip ? s->clip / norm : 1;
}

/* The number of directions of least predicted error under Laplace noise of scale b sqrt(m') on the
 * mean, or all of them; and what the others hold of the mean. */
static void choose_released(sfmi_design_curve *curve_design, const sfm_curve_settings *s,
                            double b) {
  const size_t m = curve_design->basis->count;
  const double shrunk = shrink(curve_design, s);
  double tail = 0, head = sum_of(curve_design->weights, m), least = INFINITY;
  curve_design->released = m;
  for (size_t j = m; j > 0; j--) {
    const double error = 2 * b * b * (double)j * head + tail;
    if (curve_design->mu == 0 && !(error > least)) {
      least = error;
      curve_design->released = j;
      curve_design->plan.truncation = tail;
    }
    head -= curve_design->weights[j - 1];
    tail += curve_design->weights[j - 1] * held(curve_design, s, shrunk, j - 1);
  }
}

/* Step and radius, and with them what the sums move by and the noise's scale. */
static void choose_steps(sfmi_design_curve *curve_design, const sfm_curve_settings *s,
                         double rows) {
  const double k = sfm_schema_contributions(s->context.schema);
  const bool person = sfm_schema_person(s->context.schema) != NULL;
  const bool pure = curve_design->mu == 0;
  const double ball = person ? k * s->clip : s->clip;
  const double norm = pure ? sqrt((double)curve_design->released) : 1;
  const double rate = pure ? s->epsilon : curve_design->mu;
  const double wanted = fmax(fmax(STEP_SHARE * s->clip, rows * ball / TOTAL_STEPS),
                             2 * k * s->clip * norm / rate / SCALE_STEPS);
  curve_design->clipping.step = ldexp(1, (int)ceil(log2(wanted)));
  curve_design->clipping.radius = (int64_t)floor(ball / curve_design->clipping.step);
  assert(curve_design->clipping.radius >= 1 &&
         curve_design->clipping.radius <= SFMI_CLIPPING_RADIUS_MAX);
  curve_design->sensitivity = 2 * (double)curve_design->clipping.radius *
                              curve_design->clipping.step * (person ? 1 : k) * norm *
                              (pure ? 1 + 1e-15 : 1);
  curve_design->plan.sensitivity = curve_design->sensitivity;
  curve_design->plan.scale = curve_design->sensitivity / rate;
}

/* The largest norm, over the domain, of what the directions from `from` on are at a place: sampled
 * between neighbouring points, and beyond a sample it grows by at most |K(., x) - K(., y)|. */
static sfm_status left_out(double *largest, const sfmi_basis *basis, size_t from,
                           sfm_error *error) {
  enum { FEW = 500 };
  const size_t m = basis->count, parts = basis->nodes > FEW ? 2 : 8;
  double *values = sfmi_alloc(m, sizeof *values);
  *largest = 0;
  if (!values) return sfmi_fail_memory(error);
  for (size_t i = 1; i < basis->nodes; i++) {
    const double gap = (basis->points[i] - basis->points[i - 1]) / (double)parts;
    const double near = sfmi_kernel_profile(basis->kernel, gap / 2 / basis->bandwidth[0]);
    for (size_t p = 0; p < parts; p++) {
      const double x = basis->points[i - 1] + ((double)p + 0.5) * gap;
      double square = 0;
      sfmi_basis_at(basis, values, &x, 1);
      for (size_t j = from; j < m; j++) square += values[j] * values[j];
      *largest = fmax(*largest, sqrt(square) + sqrt(fmax(2 - 2 * near, 0)));
    }
  }
  *largest = fmin(*largest, 1);
  free(values);
  return SFM_OK;
}

/* What of the mean is not noise: its numbers are truncated, a person's twice, and directions may be
 * left out.  At no place is the basis longer than sqrt(K(x, x)) = 1. */
static sfm_status find_systematic(sfmi_design_curve *curve_design, sfm_error *error) {
  const sfmi_clipping *c = &curve_design->clipping;
  const size_t m = curve_design->basis->count;
  double out = 0;
  sfm_status status = curve_design->released < m
                          ? left_out(&out, curve_design->basis, curve_design->released, error)
                          : SFM_OK;
  curve_design->systematic = 2 * SFMI_CLIPPING_STEPS(c->radius) * c->step * sqrt((double)m) +
                             (double)c->radius * c->step * out;
  return status;
}

/* The weights that the smoother gives to values at the points. */
static sfm_status fit(const sfmi_design_curve *curve_design, double *weights, const double *values,
                      sfm_error *error) {
  int exponent = 0;
  sfm_status status = sfmi_smoother_fit(curve_design->smoother, weights, &exponent, values, error);
  for (size_t j = 0; !status && j < curve_design->basis->count; j++)
    weights[j] = ldexp(weights[j], exponent);
  return status;
}

/* The norm of the curve that is 1 at every point. */
static sfm_status find_flat(sfmi_design_curve *curve_design, sfm_error *error) {
  const size_t T = curve_design->basis->nodes, m = curve_design->basis->count;
  double *ones = sfmi_alloc(T, sizeof *ones), *weights = sfmi_alloc(m, sizeof *weights), square = 0;
  for (size_t i = 0; ones && i < T; i++) ones[i] = 1;
  sfm_status status =
      ones && weights ? fit(curve_design, weights, ones, error) : sfmi_fail_memory(error);
  for (size_t j = 0; !status && j < m; j++) square += weights[j] * weights[j];
  curve_design->plan.flat = sqrt(square);
  free(ones);
  free(weights);
  return status;
}

static sfm_status find_guess(sfmi_design_curve *curve_design, const sfm_curve_settings *s,
                             sfm_error *error) {
  if (!s->mean) return SFM_OK;
  curve_design->guess = sfmi_alloc(curve_design->basis->count, sizeof *curve_design->guess);
  return curve_design->guess ? fit(curve_design, curve_design->guess, s->mean, error)
                             : sfmi_fail_memory(error);
}

void sfmi_design_curve_choose(sfmi_design_curve *curve_design, const sfm_curve_settings *s,
                              double rows) {
  const bool pure = curve_design->mu == 0;
  const double k = sfm_schema_contributions(s->context.schema);
  const double moved = 2 * k * s->clip / (pure ? s->epsilon : curve_design->mu) / rows;
  choose_released(curve_design, s, moved);
  choose_steps(curve_design, s, rows);
  curve_design->plan.coefficients = curve_design->released;
  curve_design->plan.privacy = (pure ? 2 * (double)curve_design->released : 1) * moved * moved *
                               sum_of(curve_design->weights, curve_design->released);
  curve_design->plan.total = curve_design->plan.privacy + curve_design->plan.truncation;
}

/* Basis, smoother and all numbers. */
static sfm_status fill(sfmi_design_curve *curve_design, const sfm_curve_settings *s, uint64_t rows,
                       sfm_error *error) {
  sfmi_basis stated;
  sfm_status status = sfmi_span_stated(&stated, curve_design->weights, s->kernel, s->bandwidth,
                                       s->grid, s->count, error);
  if (!status) status = sfmi_basis_create(&curve_design->basis, &stated, error);
  if (!status)
    status = sfmi_smoother_create(&curve_design->smoother, curve_design->basis, curve_design->ridge,
                                  error);
  if (!status) status = find_guess(curve_design, s, error);
  if (status) return status;
  sfmi_design_curve_choose(curve_design, s, (double)rows);
  status = find_systematic(curve_design, error);
  return !status ? find_flat(curve_design, error) : status;
}

sfm_status sfmi_design_curve_init(sfmi_design_curve *curve_design, const sfm_curve_settings *s,
                                  uint64_t rows, sfm_error *error) {
  *curve_design = (sfmi_design_curve){0};
  sfm_status status = sfmi_design_curve_check(s, error);
  if (status) return status;
  if (rows == 0)
    return sfmi_fail(error, SFM_INVALID,
                     "there are no records: their number is public and must be at least 1");
  if (rows >= (uint64_t)1 << ROWS_BITS)
    return sfmi_fail(error, SFM_INVALID, "more than 2^%d records are not supported", ROWS_BITS);
  if (s->delta > 0)
    status = sfmi_gdp_mu_for(&curve_design->mu, s->epsilon, s->delta, s->calibration, error);
  curve_design->ridge = fmax(s->ridge, SFMI_RIDGE_FLOOR * (double)s->count);
  curve_design->weights = sfmi_alloc(s->count, sizeof *curve_design->weights);
  if (!curve_design->weights) return sfmi_fail_memory(error);
  return !status ? fill(curve_design, s, rows, error) : status;
}

void sfmi_design_curve_clear(sfmi_design_curve *curve_design) {
  sfmi_smoother_destroy(curve_design->smoother);
  sfmi_basis_destroy(curve_design->basis);
  free(curve_design->weights);
  free(curve_design->guess);
  *curve_design = (sfmi_design_curve){0};
}

sfm_status sfm_curve_choose(sfm_curve_choice *plan, const sfm_curve_settings *given, uint64_t rows,
                            sfm_error *error) {
  sfm_curve_settings settings;
  sfmi_design_curve curve_design = {0};
  sfm_status status = SFMI_TAKE(sfm_curve_settings, &settings, given, error);
  if (!status) status = sfmi_design_curve_init(&curve_design, &settings, rows, error);
  if (!status) *plan = curve_design.plan;
  sfmi_design_curve_clear(&curve_design);
  return status;
}

sfm_status sfmi_design_curve_template(sfm_release **out, const sfmi_design_curve *curve_design,
                                      const sfm_curve_settings *s, uint64_t rows, double scale,
                                      sfm_error *error) {
  sfmi_basis stated;
  sfm_release *release = *out = sfmi_release_begin(&sfmi_function_kind, SFMI_CURVE, &s->context);
  if (!release || !sfmi_release_set_column(release, 0, s->variable ? s->variable : "t", s->grid[0],
                                           s->grid[s->count - 1]))
    return sfmi_fail_memory(error);
  release->hardened = true;
  release->has_rows = true;
  release->rows = rows;
  release->dimension = 1;
  release->function->kernel = s->kernel;
  release->function->bandwidth[0] = s->bandwidth;
  release->function->clip = s->clip;
  release->function->ridge = curve_design->ridge;
  release->guarantee = sfmi_guarantee_of_noise(s->epsilon, s->delta, curve_design->mu);
  release->step = curve_design->clipping.step;
  release->sensitivity = curve_design->sensitivity;
  release->scale = scale;
  release->law =
      curve_design->mu > 0 ? SFM_NOISE_LAW_ROUNDED_NORMAL : SFM_NOISE_LAW_DISCRETE_LAPLACE;
  release->length = curve_design->released;
  release->integers = sfmi_alloc(release->length, sizeof *release->integers);
  if (!release->integers) return sfmi_fail_memory(error);
  /* The directions that are released. */
  sfm_status status = sfmi_span_cut(&stated, curve_design->basis, curve_design->released, error);
  return !status ? sfmi_basis_create(&release->function->basis, &stated, error) : status;
}
