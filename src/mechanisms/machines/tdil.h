/* tdil.h - the release of the non-interactive model, TDIL: a private machine is asked at points
 * that are chosen privately, and a public one is fitted to its noisy answers (tdil_rounds.h).
 * Proof: docs/proofs/tdil.md. */
#ifndef SFMI_TDIL_H
#define SFMI_TDIL_H

#include "planner/design/design_tdil.h"
#include "train_problem.h"

/* The values of a machine at the points of the net, of what sfmi_train_problem_solve returns of it:
 * what becomes integers.  PRIVATE. */
SFM_MUST_CHECK sfm_status sfmi_tdil_values(double *values, const sfmi_train_problem *train_problem,
                                           const sfmi_net *net, const double *numbers,
                                           sfm_error *error);
/* What each can be off by. */
double sfmi_tdil_rounding(const sfmi_train_problem *train_problem);

/* sfm_train_release of the method tdil. */
SFM_MUST_CHECK sfm_status sfmi_tdil_release(sfm_release **out, sfm_rows *rows,
                                            const sfm_train_settings *settings, sfm_error *error);

#endif
