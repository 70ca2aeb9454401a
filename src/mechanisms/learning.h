/* learning.h - the parts of the release of a machine that the audit repeats many times and that
 * private tuning uses: all that is public about it, and the private numbers that noise is added to.
 */
#ifndef SFMI_LEARNING_H
#define SFMI_LEARNING_H

#include "estimators/assembly.h"
#include "estimators/gramian.h"
#include "estimators/solver.h"
#include "mechanisms/harden.h"
#include "planner/training.h"

/* Everything public.  Borrows the settings, and must stay where it is: the assembly borrows it. */
typedef struct sfmi_learning {
  const sfm_train_settings *settings;
  sfmi_encoding encoding;
  sfmi_encoding bare; /* of rows that only have a label (settings->gram): no inputs */
  sfmi_lift *lift;
  sfmi_assembly assembly;
  sfmi_examples_form form;
  sfmi_training training;
  size_t numbers; /* before noise, of a machine: weights, or values at places */
} sfmi_learning;

/* All public checks, in the end with the rows' header and their number.  Reads none.  The seed of
 * random features is public, drawn from a stream of its own, and follows from no seed but that of
 * `source`.  Clear it also after a failure. */
SFM_MUST_CHECK sfm_status sfmi_learning_begin(sfmi_learning *learning, sfm_rows *rows,
                                              const sfm_train_settings *settings, sfmi_seed source,
                                              sfm_error *error);
void sfmi_learning_clear(sfmi_learning *learning);

/* How many nonzero features a row has at most. */
size_t sfmi_learning_width(const sfmi_learning *learning);

/* Reads all rows.  PRIVATE; sfmi_examples_destroy wipes it. */
SFM_MUST_CHECK sfm_status sfmi_learning_read(sfmi_examples **out, const sfmi_learning *learning,
                                             sfm_rows *rows, sfm_error *error);

/* The machines of `count` of the examples from `first` on, each to the gap that the training (whose
 * rows are count) says: machine after machine, `numbers` of each.  shifts: NULL, or one vector of
 * features a machine that is added to its weights wherever the loss sees them (noise in the
 * objective): what is then solved for is the minimiser without them.  PRIVATE. */
SFM_MUST_CHECK sfm_status sfmi_learning_solve(double *out, const sfmi_learning *learning,
                                              const sfmi_training *training,
                                              const sfmi_examples *examples, size_t first,
                                              size_t count, const double *shifts, sfm_error *error);

/* The values of weights (machine after machine, of the form that noise is added to; not at places)
 * at `count` of the examples from `first` on: those of one machine after the other.  PRIVATE. */
SFM_MUST_CHECK sfm_status sfmi_learning_values(double *values, const sfmi_learning *learning,
                                               const sfmi_examples *examples, size_t first,
                                               size_t count, const double *weights,
                                               sfm_error *error);

/* K + constant^2 between the places of the form points, and nugget on the diagonal: to be freed. */
SFM_MUST_CHECK sfm_status sfmi_learning_gram(double **matrix, const sfmi_lift *lift, double nugget,
                                             sfm_error *error);
/* The variance beside K's of noise at places, and what a computed value there can be off by. */
double sfmi_learning_nugget(const sfmi_learning *learning);
double sfmi_learning_rounding(const sfmi_learning *learning);

#endif
