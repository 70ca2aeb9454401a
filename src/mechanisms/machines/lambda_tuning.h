/* lambda_tuning.h - a machine whose lambda is chosen privately among candidates.
 *
 * Records are split by position, which is public: the last fifth scores, the others train.  A
 * record is in one of the two parts, so that both together spend the larger of what each spends,
 * not the sum.  There are two ways:
 *
 * - all: every candidate is released by itself (never shown) from the rows that train, with a part
 *   of the budget; the exponential mechanism chooses by the rows that score.  Normal noise:
 *   mu/sqrt k each, and the choice with the epsilon that is mu-GDP.  Pure: epsilon/k each, and the
 *   choice with epsilon.
 * - stopping: pure, with three candidates or more.  A random number of runs, each of a random
 *   candidate at epsilon/2.5, scored with noise at epsilon/2.5; the best score wins.
 *
 * Only the winner's numbers, and which candidate it was, are released.  docs/proofs/tuning.md. */
#ifndef SFMI_LAMBDA_TUNING_H
#define SFMI_LAMBDA_TUNING_H

#include "train_run.h"
#include "random/exponential_mechanism.h"
#include "random/random_stopping.h"

/* Most candidates. */
#define SFMI_TUNING_MAX 64

typedef struct sfmi_tuning {
  sfmi_release_run base; /* its release: the first candidate's, then the winner's */
  const sfm_train_settings *asked;
  size_t count;
  size_t trained, held; /* rows that train, rows that score */
  bool stopping;
  double each;                  /* epsilon of a pure release or run; 0: normal noise */
  double mu;                    /* of a normal release; 0: pure */
  double choice;                /* epsilon of the choice; stopping: of a score */
  uint64_t most;                /* the largest loss of a row */
  sfm_guarantee whole;          /* of all of it */
  sfm_train_settings *settings; /* one per candidate */
  sfmi_train_run *train_runs;   /* the first one has the train_problem, the others borrow it */
  sfmi_stopping_law law;
  sfmi_hardener *scorer; /* stopping: the noise of scores */
  sfmi_stream *stream;   /* runs, candidates, the choice */
  sfmi_dyadic_rate rate; /* all */
} sfmi_tuning;

/* The rows that score of n, and how often a run of random stopping goes on (1/gamma), of k. */
size_t sfmi_tuning_held(uint64_t rows);
uint64_t sfmi_tuning_patience(size_t count);

/* All public checks.  Clear it also after a failure. */
SFM_MUST_CHECK sfm_status sfmi_tuning_begin(sfmi_tuning *tuning, sfm_rows *rows,
                                            const sfm_train_settings *settings, sfm_error *error);
void sfmi_tuning_clear(sfmi_tuning *tuning);

/* The machines of all candidates before noise, one after the other; from rows that train. PRIVATE:
 * the caller wipes them. */
SFM_MUST_CHECK sfm_status sfmi_tuning_solve(double *numbers, const sfmi_tuning *tuning,
                                            const sfmi_examples *examples, sfm_error *error);
/* How wrong the numbers in a candidate's release are on the rows that score: at most `most` a row.
 * PRIVATE. */
SFM_MUST_CHECK sfm_status sfmi_tuning_loss(uint64_t *loss, const sfmi_tuning *tuning,
                                           size_t candidate, const sfmi_examples *examples,
                                           sfm_error *error);
/* Draws noise and the winner, whose release then has its numbers. */
SFM_MUST_CHECK sfm_status sfmi_tuning_draw(size_t *winner, sfmi_tuning *tuning,
                                           const double *numbers, const sfmi_examples *examples,
                                           sfm_error *error);

/* sfm_train_release for settings with candidates. */
SFM_MUST_CHECK sfm_status sfmi_tuning_release(sfm_release **out, sfm_rows *rows,
                                              const sfm_train_settings *settings, sfm_error *error);

#endif
