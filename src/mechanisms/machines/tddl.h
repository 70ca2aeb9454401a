/* tddl.h - the semi-interactive release of a machine: its values at public points get noise, and a
 * function in the points' span is fitted to them (planner/design/design_tddl.h).  The parts that
 * the audit repeats many times.  Proof: docs/proofs/tddl.md. */
#ifndef SFMI_TDDL_H
#define SFMI_TDDL_H

#include <jansson.h>

#include "train_problem.h"
#include "planner/design/design_tddl.h"
#include "releases/kinds/machine_model.h"

/* Everything public, and the noise.  Borrows the train_problem. */
typedef struct sfmi_tddl sfmi_tddl;

/* Decides everything, and has the noise ready to be drawn. */
SFM_MUST_CHECK sfm_status sfmi_tddl_create(sfmi_tddl **out, const sfmi_train_problem *train_problem,
                                           sfm_error *error);
void sfmi_tddl_destroy(sfmi_tddl *tddl);

const sfmi_design_tddl_choice *sfmi_tddl_choice(const sfmi_tddl *tddl);

/* The release with what follows from it, and room for coefficients: function after function, one
 * per point. */
SFM_MUST_CHECK sfm_status sfmi_tddl_outline(sfm_release **out, const sfmi_tddl *tddl,
                                            sfm_error *error);
sfm_machine_fit sfmi_tddl_fit(const sfmi_tddl *tddl);
/* What was asked for, as the ledger remembers it. */
void sfmi_tddl_parameters(const sfmi_tddl *tddl, json_t *all);

/* From what was solved for (sfmi_train_problem_solve) to what gets noise: machines times
 * choice->directions numbers.  PRIVATE. */
SFM_MUST_CHECK sfm_status sfmi_tddl_numbers(double *numbers, const sfmi_tddl *tddl,
                                            const double *solved, sfm_error *error);
/* From what was solved for to coefficients. */
SFM_MUST_CHECK sfm_status sfmi_tddl_add(sfmi_tddl *tddl, double *coefficients, const double *solved,
                                        sfm_error *error);
/* Hands over the points. */
sfmi_feature_map *sfmi_tddl_take(sfmi_tddl *tddl);

#endif
