/* train_problem.h - the parts of the release of a machine that the audit repeats many times and
 * that private tuning uses: all that is public about it, and the private numbers that noise is
 * added to. */
#ifndef SFMI_TRAIN_PROBLEM_H
#define SFMI_TRAIN_PROBLEM_H

#include "estimators/machine/examples_reader.h"
#include "estimators/machine/gram_machine.h"
#include "estimators/ascent/machine_solver.h"
#include "mechanisms/core/hardened_noise.h"
#include "planner/design/design_train.h"

/* Everything public.  Borrows the settings, and must stay where it is: the assembly borrows it. */
typedef struct sfmi_train_problem {
  const sfm_train_settings *settings;
  sfmi_encoding encoding;
  sfmi_encoding bare; /* of rows that only have a label (settings->gram): no inputs */
  sfmi_feature_map *map;
  sfmi_examples_source assembly;
  sfmi_examples_form form;
  sfmi_design_train training;
  size_t numbers; /* before noise, of a machine: weights, or values at places */
} sfmi_train_problem;

/* All public checks, in the end with the rows' header and their number.  Reads none.  The seed of
 * random features is public, drawn from a stream of its own, and follows from no seed but that of
 * `source`.  Clear it also after a failure. */
SFM_MUST_CHECK sfm_status sfmi_train_problem_begin(sfmi_train_problem *train_problem,
                                                   sfm_rows *rows,
                                                   const sfm_train_settings *settings,
                                                   sfmi_seed source, sfm_error *error);
void sfmi_train_problem_clear(sfmi_train_problem *train_problem);

/* How many nonzero features a row has at most. */
size_t sfmi_train_problem_width(const sfmi_train_problem *train_problem);

/* Reads all rows.  PRIVATE; sfmi_examples_destroy wipes it. */
SFM_MUST_CHECK sfm_status sfmi_train_problem_read(sfmi_examples **out,
                                                  const sfmi_train_problem *train_problem,
                                                  sfm_rows *rows, sfm_error *error);

/* The machines of `count` of the examples from `first` on, each to the gap that the training (whose
 * rows are count) says: machine after machine, `numbers` of each.  shifts: NULL, or one vector of
 * features a machine that is added to its weights wherever the loss sees them (noise in the
 * objective): what is then solved for is the minimiser without them.  PRIVATE. */
SFM_MUST_CHECK sfm_status sfmi_train_problem_solve(double *out,
                                                   const sfmi_train_problem *train_problem,
                                                   const sfmi_design_train *training,
                                                   const sfmi_examples *examples, size_t first,
                                                   size_t count, const double *shifts,
                                                   sfm_error *error);

/* The values of weights (machine after machine, of the form that noise is added to; not at places)
 * at `count` of the examples from `first` on: those of one machine after the other.  PRIVATE. */
SFM_MUST_CHECK sfm_status sfmi_train_problem_values(double *values,
                                                    const sfmi_train_problem *train_problem,
                                                    const sfmi_examples *examples, size_t first,
                                                    size_t count, const double *weights,
                                                    sfm_error *error);

/* The variance beside K's of noise at places, and what a computed value there can be off by. */
double sfmi_train_problem_nugget(const sfmi_train_problem *train_problem);
double sfmi_train_problem_rounding(const sfmi_train_problem *train_problem);

#endif
