/* density_choice.h - the candidate that a release takes, and that a plan calls best.
 *
 * Of every kind the candidate of least score (density_candidates.h), lattices with the spacing and
 * order of narrow bands.  Of the kinds those whose score, under the stated shape and under its
 * public perturbations, is within a tenth of the least error; and of these the one that would state
 * the narrowest band.  All of it follows from public numbers. */
#ifndef SFMI_DENSITY_CHOICE_H
#define SFMI_DENSITY_CHOICE_H

#include "density_candidates.h"

/* The candidate of one kind, without intervals; *found is false where nothing fits.  design:
 * checked, and nothing chosen. */
SFM_MUST_CHECK sfm_status sfmi_density_choice_of(sfmi_candidates *candidates,
                                                 sfmi_candidate *candidate, bool *found,
                                                 sfmi_candidate_kind kind,
                                                 const sfmi_design_density *design,
                                                 const sfm_density_settings *settings, double rows,
                                                 double epsilon, sfm_error *error);

/* The choice among the kinds that are asked for and hardened; if there is none, among all that are
 * asked for. */
SFM_MUST_CHECK sfm_status sfmi_density_choice_auto(sfmi_candidates *candidates,
                                                   sfmi_candidate *candidate, bool *found,
                                                   const sfmi_design_density *design,
                                                   const sfm_density_settings *settings,
                                                   double rows, double epsilon, sfm_error *error);

#endif
