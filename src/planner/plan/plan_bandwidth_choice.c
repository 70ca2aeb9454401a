/* plan_bandwidth_choice.c - a private choice among bandwidths, predicted: every candidate is
 * planned with what the choice leaves of the budget, as it will be by
 * mechanisms/functions/bandwidth_selection.c. */
#include <stdlib.h>

#include "base/system/sized_struct.h"
#include "planner/density/bandwidth_choice_forecast.h"
#include "planner/density/density_settings.h"
#include "sfumato/plan.h"

/* What the candidates add to their errors under a guarantee of one kind; *all: they came out so. */
static sfm_status plan_candidates(double *errors, sfmi_design_density *design,
                                  sfmi_choice_budget *budget, bool *all,
                                  const sfm_density_settings *settings, bool normal, uint64_t rows,
                                  sfm_error *error) {
  sfm_status status = sfmi_bandwidth_choice_split(budget, settings, normal, error);
  *all = true;
  for (size_t i = 0; i < settings->candidate_count && !status; i++) {
    const sfm_density_settings one = sfmi_bandwidth_choice_settings(settings, budget, i);
    status = sfmi_design_density_init(design, &one, rows, error);
    if (status) return status;
    errors[i] = sfmi_bandwidth_choice_error(&design->plan);
    *all = *all && (design->mu > 0) == normal;
  }
  return status;
}

/* Normal noise where all candidates have it, else pure epsilon for all. */
static sfm_status plan_all(double *errors, sfmi_design_density *design, sfmi_choice_budget *budget,
                           const sfm_density_settings *settings, uint64_t rows, sfm_error *error) {
  bool all = false;
  if (settings->delta > 0) {
    const sfm_status status =
        plan_candidates(errors, design, budget, &all, settings, true, rows, error);
    if (status || all) return status;
  }
  return plan_candidates(errors, design, budget, &all, settings, false, rows, error);
}

static sfm_status predict(sfm_bandwidth_forecast *out, sfmi_design_density *design,
                          const sfm_density_settings *settings, uint64_t rows, sfm_error *error) {
  double errors[SFMI_CROSS_VALIDATION_CANDIDATES];
  sfmi_choice_budget budget;
  sfmi_bandwidth_forecast forecast;
  sfmi_cross_validation *validation = NULL;
  sfm_status status = plan_all(errors, design, &budget, settings, rows, error);
  if (status) return status;
  /* The boundaries that were asked for, whatever method the last candidate has. */
  sfm_boundary boundary[SFM_MAX_DIMENSION];
  sfmi_density_settings_asked_boundary(boundary, settings, design);
  const sfmi_cross_validation_shape shape = {.dimension = settings->dimension,
                                             .count = settings->candidate_count,
                                             .lower = design->lower,
                                             .upper = design->upper,
                                             .boundary = boundary,
                                             .candidates = settings->candidates,
                                             .rows = rows,
                                             .contributions = design->contributions,
                                             .errors = errors};
  status = sfmi_cross_validation_create(&validation, &shape, error);
  if (!status)
    status = sfmi_bandwidth_forecast_init(&forecast, settings, design, validation, errors,
                                          budget.choice, rows, error);
  if (!status)
    *out = (sfm_bandwidth_forecast){.count = settings->candidate_count,
                                    .best = forecast.best,
                                    .choice_epsilon = budget.choice,
                                    .epsilon = budget.epsilon,
                                    .delta = budget.whole.delta,
                                    .likely = forecast.likely,
                                    .chance = forecast.chance};
  sfmi_cross_validation_destroy(validation);
  return status;
}

sfm_status sfm_plan_bandwidth_choice(sfm_bandwidth_forecast *out, const sfm_density_settings *given,
                                     uint64_t rows, sfm_error *error) {
  sfm_density_settings taken;
  sfm_status status = SFMI_TAKE(sfm_density_settings, &taken, given, error);
  if (!status) status = sfmi_bandwidth_choice_check(&taken, error);
  if (status) return status;
  if (rows == 0)
    return sfmi_fail(error, SFM_INVALID, "a plan is for at least one record: say how many rows");
  sfmi_design_density *design = sfmi_alloc(1, sizeof *design);
  if (!design) return sfmi_fail_memory(error);
  status = predict(out, design, &taken, rows, error);
  free(design);
  return status;
}
