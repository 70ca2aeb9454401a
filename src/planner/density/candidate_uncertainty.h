/* candidate_uncertainty.h - how uncertain a candidate for a density is: the intervals of its
 * forecast, the band of a lattice, and what a wrong guess of the shape costs. */
#ifndef SFMI_CANDIDATE_UNCERTAINTY_H
#define SFMI_CANDIDATE_UNCERTAINTY_H

#include "density_candidates.h"

/* Lattices: replaces order and spacing by those of about the narrowest band among those whose total
 * error, a square, is at most `factor` times the candidate's. */
SFM_MUST_CHECK sfm_status sfmi_candidates_narrow(sfmi_candidates *candidates,
                                                 sfmi_candidate *candidate, double factor,
                                                 double rows, sfm_error *error);

/* Fills in what a candidate costs if the stated shape is wrong. */
SFM_MUST_CHECK sfm_status sfmi_candidates_misled(sfmi_candidates *candidates,
                                                 sfmi_candidate *candidate, double rows,
                                                 sfm_error *error);

/* Fills in the intervals of a candidate's forecast, for as many records as it was made for. */
SFM_MUST_CHECK sfm_status sfmi_candidates_interval(sfmi_candidates *candidates,
                                                   sfmi_candidate *candidate, double rows,
                                                   sfm_error *error);

#endif
