/* design_optimal.h - finds the best private mechanism for a count. */
#ifndef SFMI_DESIGN_OPTIMAL_H
#define SFMI_DESIGN_OPTIMAL_H

#include "releases/kinds/optimal.h"

/* The largest n of mechanisms that are no remap: their program has n times as many rows. */
#define SFMI_DESIGN_OPTIMAL_MATRIX_MAX 60

/* Of a mechanism with losses, objective and, for Bayes, prior: form, numerators, risks, and the
 * prior and limit of a minimax one.  SFM_INVALID when there is none: equal risks where no mechanism
 * has them, or too large an n.
 *
 * Losses that are unimodal are served by a remap (planner/optimal/remap.h); others, and equal risks
 * that are above the least worst one, by the program of the whole table
 * (planner/optimal/optimal_table.h). */
SFM_MUST_CHECK sfm_status sfmi_design_optimal_find(sfmi_optimal *optimal, sfm_error *error);

#endif
