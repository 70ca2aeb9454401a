/* train_run.h - the release of a machine under way: what is done once for a stated lambda, and for
 * every candidate where lambda is chosen (lambda_tuning.h). */
#ifndef SFMI_TRAIN_RUN_H
#define SFMI_TRAIN_RUN_H

#include <jansson.h>

#include "mechanisms/core/release_run.h"
#include "mechanisms/core/vector_noise.h"
#include "train_problem.h"
#include "tddl.h"

typedef struct sfmi_train_run {
  sfmi_release_run base;
  const sfm_train_settings *settings;
  sfmi_train_problem train_problem;
  double mu;               /* of normal noise; 0: what epsilon and delta say */
  sfmi_vector_noise noise; /* but of tddl */
  double *factor;          /* of the noise at places; NULL: none */
  double nugget;           /* of places */
  sfmi_tddl *tddl;         /* NULL: another method */
  sfmi_examples *examples; /* PRIVATE */
} sfmi_train_run;

/* The run of the settings, which are borrowed, before its first step. */
sfmi_train_run sfmi_train_run_of(sfm_rows *rows, const sfm_train_settings *settings);

/* The release with all that is public, and its noise ready to be drawn, of the settings and the
 * train_problem of the run. */
SFM_MUST_CHECK sfm_status sfmi_train_run_outline(sfmi_train_run *train_run, sfm_error *error);
/* Adds to a release that has no machine yet what all methods say of theirs. */
SFM_MUST_CHECK sfm_status sfmi_train_run_describe(sfmi_train_run *train_run, sfm_error *error);
/* What was asked for, as the ledger remembers it. */
json_t *sfmi_train_run_parameters(const sfmi_train_run *train_run);
/* The numbers before noise, and fresh noise: into the release, over what was there. */
SFM_MUST_CHECK sfm_status sfmi_train_run_add_noise(sfmi_train_run *train_run, const double *numbers,
                                                   sfm_error *error);
/* A step of the run (release_run.h): the fingerprint of the rows, to which private matrices belong.
 */
void sfmi_train_run_fingerprint(sfmi_release_run *run);
/* A step of the run: the examples. */
SFM_MUST_CHECK sfm_status sfmi_train_run_read(sfmi_release_run *run, sfm_error *error);
/* The release gets the map. */
void sfmi_train_run_complete(sfmi_train_run *train_run);
/* Its noise, examples and release; the train_problem is its owner's. */
void sfmi_train_run_clear(sfmi_train_run *train_run);

#endif
