/* bandwidth_choice_forecast.h - how far a private choice among bandwidths is from a coin toss, from
 * public numbers alone (docs/proofs/selection.md).
 *
 * For records drawn from a shape p the mean of the score R(h) (estimators/lattice/
 * cross_validation.h) is known: with a(h) = int int p K_h p over the domain and own(h) the mean of
 * K_{h sqrt 2}(x, x),
 *   E R(h) = (1 - 1/n) a(h sqrt 2) + own(h)/n - 2 a(h).
 * The mechanism's probabilities at these scores are what is predicted; at the epsilons of releases
 * the scores vary by much less than the mechanism's own noise. */
#ifndef SFMI_BANDWIDTH_CHOICE_FORECAST_H
#define SFMI_BANDWIDTH_CHOICE_FORECAST_H

#include "design_bandwidth_choice.h"
#include "design_density.h"

typedef struct sfmi_bandwidth_forecast {
  size_t best; /* the candidate with the least predicted error: E R + int p^2 + E */
  /* The probability that a candidate is taken whose predicted error is at most a tenth above the
   * least; and what it would be if all candidates were equally likely. */
  double likely, chance;
  double probabilities[SFMI_CROSS_VALIDATION_CANDIDATES];
} sfmi_bandwidth_forecast;

/* settings: checked, with candidates and the guessed shape; design: of any candidate; errors: E,
 * one per candidate; epsilon: of the choice; rows: n. */
SFM_MUST_CHECK sfm_status sfmi_bandwidth_forecast_init(
    sfmi_bandwidth_forecast *out, const sfm_density_settings *settings,
    const sfmi_design_density *design, const sfmi_cross_validation *cross_validation,
    const double *errors, double epsilon, uint64_t rows, sfm_error *error);

#endif
