#include "bandwidth_choice_forecast.h"

#include <math.h>

#include "planner/forecast/kde_risk.h"
#include "density_settings.h"

/* Candidates as good as the best: their predicted error is at most so many times its. */
static const double AS_GOOD = 1.1;

/* E R + int p^2, up to rounding the integrated squared error of the estimate on the whole line. */
static sfm_status mean_score(double *score, const sfmi_kde_problem *problem, const double *h,
                             double rows, sfm_error *error) {
  double wide[SFM_MAX_DIMENSION], own = 1;
  sfmi_kde_risk one, two;
  for (size_t a = 0; a < problem->dimension; a++) wide[a] = M_SQRT2 * h[a];
  sfm_status status = sfmi_kde_risk_init(&one, problem, h, error);
  if (!status) status = sfmi_kde_risk_init(&two, problem, wide, error);
  if (status) return status;
  for (size_t a = 0; a < problem->dimension; a++) {
    const bool open = !problem->boundary || problem->boundary[a] == SFM_BOUNDARY_OPEN;
    own *= open ? sfmi_kde_square_line(h[a]) : one.axis[a].row;
  }
  *score = (two.cross - 2 * one.cross + one.shape) + (own - two.cross) / rows;
  return SFM_OK;
}

/* The mechanism's probabilities at these errors, handicaps included. */
static void set_probabilities(sfmi_bandwidth_forecast *out, const double *totals,
                              const double *handicaps, const sfmi_cross_validation *validation,
                              double epsilon, size_t count) {
  const double rate = count == 2 ? epsilon : epsilon / 2;
  double exponents[SFMI_CROSS_VALIDATION_CANDIDATES], least = INFINITY, sum = 0;
  for (size_t i = 0; i < count; i++) {
    double loss = 0;
    for (size_t j = 0; j < count; j++)
      if (j != i)
        loss = fmax(loss,
                    (totals[i] - totals[j]) / sfmi_cross_validation_sensitivity(validation, i, j));
    exponents[i] = rate * loss + handicaps[i];
    least = fmin(least, exponents[i]);
  }
  for (size_t i = 0; i < count; i++) sum += exp(least - exponents[i]);
  for (size_t i = 0; i < count; i++) out->probabilities[i] = exp(least - exponents[i]) / sum;
}

sfm_status sfmi_bandwidth_forecast_init(sfmi_bandwidth_forecast *out,
                                        const sfm_density_settings *settings,
                                        const sfmi_design_density *design,
                                        const sfmi_cross_validation *cross_validation,
                                        const double *errors, double epsilon, uint64_t rows,
                                        sfm_error *error) {
  const size_t count = settings->candidate_count, d = design->dimension;
  double totals[SFMI_CROSS_VALIDATION_CANDIDATES], handicaps[SFMI_CROSS_VALIDATION_CANDIDATES],
      volume = 1;
  sfm_boundary boundary[SFM_MAX_DIMENSION];
  sfmi_density_settings_asked_boundary(boundary, settings, design);
  sfmi_shape_model *model = NULL;
  *out = (sfmi_bandwidth_forecast){0};
  for (size_t a = 0; a < d; a++) volume *= design->upper[a] - design->lower[a];
  sfm_status status = sfmi_shape_model_create(&model, settings->shape, settings->columns, d,
                                              design->lower, design->upper, error);
  const sfmi_kde_problem problem = {.shape_model = model,
                                    .dimension = d,
                                    .lower = design->lower,
                                    .upper = design->upper,
                                    .boundary = boundary,
                                    .family = SFM_KERNEL_GAUSSIAN};
  for (size_t i = 0; i < count && !status; i++) {
    status = mean_score(&totals[i], &problem, settings->candidates + i * d, (double)rows, error);
    if (!status) totals[i] += errors[i];
    if (!status && totals[i] < totals[out->best]) out->best = i;
  }
  sfmi_shape_model_destroy(model);
  if (status) return status;
  sfmi_bandwidth_choice_handicaps(handicaps, errors, count, volume);
  set_probabilities(out, totals, handicaps, cross_validation, epsilon, count);
  for (size_t i = 0; i < count; i++)
    if (totals[i] <= AS_GOOD * totals[out->best]) {
      out->likely += out->probabilities[i];
      out->chance += 1 / (double)count;
    }
  out->likely = fmin(out->likely, 1);
  out->chance = fmin(out->chance, 1);
  return SFM_OK;
}
