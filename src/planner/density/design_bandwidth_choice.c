#include "design_bandwidth_choice.h"

#include <math.h>
#include <string.h>

#include "base/math/normal_distribution.h"
#include "data/schema/column_bounds.h"
#include "privacy/calibration.h"

static sfm_status check_candidates(const sfm_density_settings *settings, sfm_error *error) {
  const size_t d = settings->dimension, count = settings->candidate_count;
  const double *h = settings->candidates;
  if (count < 2)
    return sfmi_fail(error, SFM_INVALID,
                     "choose: needs at least two candidates, as in settings.candidates = 1,2,4; "
                     "with one write settings.bandwidth alone, which costs nothing");
  if (count > SFMI_CROSS_VALIDATION_CANDIDATES)
    return sfmi_fail(error, SFM_INVALID, "choose: takes at most %d candidates, not %zu",
                     SFMI_CROSS_VALIDATION_CANDIDATES, count);
  for (size_t i = 0; i < count; i++) {
    for (size_t a = 0; a < d; a++)
      if (!(h[i * d + a] > 0) || !isfinite(h[i * d + a]))
        return sfmi_fail(error, SFM_INVALID,
                         "choose: a candidate of %g is not a positive number in the column's unit",
                         h[i * d + a]);
    for (size_t j = 0; j < i; j++)
      if (memcmp(h + i * d, h + j * d, d * sizeof *h) == 0)
        return sfmi_fail(error, SFM_INVALID,
                         "choose: candidates %zu and %zu are the same; name each once", j + 1,
                         i + 1);
  }
  return SFM_OK;
}

/* The end of the first period, where there are several. */
static double first_period(const sfm_density_settings *settings, size_t a, double lower,
                           double upper) {
  const double period = settings->period ? settings->period[a] : 0;
  return period > 0 && settings->boundary && settings->boundary[a] == SFM_BOUNDARY_PERIODIC
             ? fmin(lower + period, upper)
             : upper;
}

/* Before any candidate is planned, which may take long where this would refuse it. */
static sfm_status check_lattice(const sfm_density_settings *settings, sfm_error *error) {
  double lower[SFMI_CROSS_VALIDATION_DIMENSIONS], upper[SFMI_CROSS_VALIDATION_DIMENSIONS];
  const sfmi_cross_validation_shape shape = {.dimension = settings->dimension,
                                             .count = settings->candidate_count,
                                             .lower = lower,
                                             .upper = upper,
                                             .candidates = settings->candidates};
  for (size_t a = 0; a < settings->dimension; a++) {
    sfm_status status = sfmi_column_bounds(&lower[a], &upper[a], settings->context.schema,
                                           settings->columns[a], a + 1, error);
    if (status) return status;
    upper[a] = first_period(settings, a, lower[a], upper[a]);
  }
  return sfmi_cross_validation_check(&shape, error);
}

sfm_status sfmi_bandwidth_choice_check(const sfm_density_settings *settings, sfm_error *error) {
  if (!settings->columns || settings->dimension < 1 || !settings->candidates)
    return sfmi_fail(error, SFM_INVALID, "a choice needs columns and candidates");
  if (settings->dimension > SFMI_CROSS_VALIDATION_DIMENSIONS)
    return sfmi_fail(error, SFM_INVALID,
                     "choose: is for up to %d columns, not %zu; name one settings.bandwidth",
                     SFMI_CROSS_VALIDATION_DIMENSIONS, settings->dimension);
  sfm_status status = check_candidates(settings, error);
  if (status) return status;
  if (sfm_schema_neighbours(settings->context.schema) != SFM_NEIGHBOURS_REPLACE)
    return sfmi_fail(error, SFM_INVALID,
                     "choose: divides by the number of records, which is private under add-remove; "
                     "use schema.neighbours = replace, or name one settings.bandwidth");
  if (settings->kernel != SFM_KERNEL_GAUSSIAN)
    return sfmi_fail(error, SFM_INVALID,
                     "choose: is for the gaussian kernel, not for %s; leave out settings.kernel, "
                     "or name one settings.bandwidth",
                     sfm_kernel_family_name(settings->kernel));
  if (settings->by_count)
    return sfmi_fail(error, SFM_INVALID,
                     "choose: finds the bandwidth of one density, not of groups; leave out "
                     "settings.by, or name one settings.bandwidth");
  if (!(settings->choice_share > 0 && settings->choice_share < 1))
    return sfmi_fail(error, SFM_INVALID,
                     "the share of the budget that pays for the choice must be between 0 and 1 "
                     "(0.1 is usual), not %g",
                     settings->choice_share);
  return check_lattice(settings, error);
}

/* The largest epsilon whose conversion to GDP is at most mu, but for rounding: of
 * mu = 2 Phi^-1(e^epsilon/(1 + e^epsilon)). */
static sfm_status pure_within(double *epsilon, double mu, sfm_error *error) {
  const double below = sfmi_normal_tail(mu / 2);
  sfm_guarantee pure = {.kind = SFM_GUARANTEE_PURE, .epsilon = log1p(-below) - log(below)},
                converted;
  sfm_status status = SFM_OK;
  do {
    pure.epsilon *= 1 - 0x1p-40;
    status = sfm_guarantee_convert(&converted, &pure, SFM_GUARANTEE_GDP, error);
  } while (!status && converted.mu > mu);
  *epsilon = pure.epsilon;
  return status;
}

/* The largest epsilon at which normal noise of that mu would be asked for beside delta, but for
 * rounding. */
static sfm_status asked_within(double *epsilon, double mu, double delta, sfm_error *error) {
  const sfm_guarantee normal = {.kind = SFM_GUARANTEE_GDP, .mu = mu};
  double got = INFINITY;
  sfm_status status = sfm_guarantee_epsilon(epsilon, &normal, delta, error);
  if (!status && !(*epsilon > SFMI_EPSILON_MIN))
    return sfmi_fail(error, SFM_INVALID,
                     "with so large a delta almost no epsilon is left for the release after the "
                     "choice; write a smaller settings.delta");
  while (!status && got > mu) {
    *epsilon *= 1 - 0x1p-40;
    status = sfmi_gdp_mu_for(&got, *epsilon, delta, SFM_CALIBRATION_EXACT, error);
  }
  return status;
}

sfm_status sfmi_bandwidth_choice_split(sfmi_choice_budget *budget,
                                       const sfm_density_settings *settings, bool normal,
                                       sfm_error *error) {
  const double share = settings->choice_share, epsilon = settings->epsilon;
  double mu;
  if (!normal) {
    *budget = (sfmi_choice_budget){.whole = {.kind = SFM_GUARANTEE_PURE, .epsilon = epsilon},
                                   .choice = share * epsilon,
                                   .epsilon = (1 - share) * epsilon};
    return SFM_OK;
  }
  sfm_status status = sfmi_gdp_mu_for(&mu, epsilon, settings->delta, settings->calibration, error);
  if (status) return status;
  *budget = (sfmi_choice_budget){
      .whole = {.kind = SFM_GUARANTEE_GDP, .epsilon = epsilon, .delta = settings->delta, .mu = mu}};
  const double choice = sqrt(share) * mu;
  /* mu_c^2 + mu_r^2 <= mu^2 (1 - 2^-48): above all rounding here. */
  const double rest = sqrt((mu - choice) * (mu + choice)) * (1 - 0x1p-48);
  status = pure_within(&budget->choice, choice * (1 - 0x1p-48), error);
  if (!status) status = asked_within(&budget->epsilon, rest, settings->delta, error);
  return status;
}

sfm_density_settings sfmi_bandwidth_choice_settings(const sfm_density_settings *settings,
                                                    const sfmi_choice_budget *budget, size_t i) {
  sfm_density_settings one = *settings;
  one.bandwidth = settings->candidates + i * settings->dimension;
  one.candidates = NULL;
  one.candidate_count = 0;
  one.epsilon = budget->epsilon;
  one.delta = budget->whole.delta;
  one.calibration = SFM_CALIBRATION_EXACT;
  return one;
}

double sfmi_bandwidth_choice_error(const sfm_density_choice *plan) {
  const double error = plan->privacy + plan->aliasing + plan->truncation;
  return isfinite(error) ? error : 0;
}

void sfmi_bandwidth_choice_handicaps(double *handicaps, const double *errors, size_t count,
                                     double volume) {
  static const double WEIGHT = 4, MOST = 200;
  double least = INFINITY;
  for (size_t i = 0; i < count; i++) least = fmin(least, errors[i]);
  for (size_t i = 0; i < count; i++)
    handicaps[i] = fmin(WEIGHT * volume * (errors[i] - least), MOST);
}
