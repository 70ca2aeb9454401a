/* design_bandwidth_choice.h - what is public of a private choice among bandwidths: the candidates,
 * and what part of the budget pays for it.
 *
 * The choice is epsilon_c-DP.  Of a pure epsilon it has the share s and the release the rest:
 * epsilon_c = s epsilon.  Of mu-GDP it has the share s of mu^2: epsilon_c is the largest whose
 * conversion to GDP is mu_c = sqrt(s) mu, and the release has sqrt(mu^2 - mu_c^2). */
#ifndef SFMI_DESIGN_BANDWIDTH_CHOICE_H
#define SFMI_DESIGN_BANDWIDTH_CHOICE_H

#include "estimators/lattice/cross_validation.h"
#include "sfumato/density.h"

typedef struct sfmi_choice_budget {
  sfm_guarantee whole; /* what is charged and stated */
  double choice;       /* epsilon_c */
  double epsilon;      /* for the release, beside the whole's delta, by the exact calibration */
} sfmi_choice_budget;

/* Checks the candidates, and that the rest of the settings allows a choice. */
SFM_MUST_CHECK sfm_status sfmi_bandwidth_choice_check(const sfm_density_settings *settings,
                                                      sfm_error *error);

/* The budget: pure epsilon, or normal noise at the settings' delta. */
SFM_MUST_CHECK sfm_status sfmi_bandwidth_choice_split(sfmi_choice_budget *budget,
                                                      const sfm_density_settings *settings,
                                                      bool normal, sfm_error *error);

/* The settings of the i-th candidate's release; they borrow the candidates. */
sfm_density_settings sfmi_bandwidth_choice_settings(const sfm_density_settings *settings,
                                                    const sfmi_choice_budget *budget, size_t i);

/* What privacy, aliases and truncation will add to the error of a candidate, as planned: E. */
double sfmi_bandwidth_choice_error(const sfm_density_choice *plan);

/* What speaks against candidates before any row is read, q in exp(-q): a predicted error of a
 * quarter of the square of an even density makes one e times less likely, and so on.  Few rows and
 * a small epsilon tell little, and then this decides. */
void sfmi_bandwidth_choice_handicaps(double *handicaps, const double *errors, size_t count,
                                     double volume);

#endif
