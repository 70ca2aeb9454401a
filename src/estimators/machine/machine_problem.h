/* machine_problem.h - what a machine minimises, and a solution with a proof of how near it is to
 * the exact one.
 *
 *   P(w) = (1/n) sum_i l(<w, phi_i> + offset_i, y_i) + (lambda/2)|w|^2,   no intercept
 *   D(a) = -(1/n) sum_i (l*(-a_i) + a_i offset_i) - (lambda/2)|w(a)|^2,
 *   w(a) = (1/lambda n) sum_i a_i phi_i
 *
 * The certificate is about the weights returned, which are w(a) as computed from the duals.  With e
 * the largest error of that computation,
 *   P(w) - D(a) = (1/n) sum_i slack_i + (lambda/2)|w - w(a)|^2,
 * a sum of numbers >= 0 that has no cancellation.  The rounding bound (of the values t_i, of e, of
 * the sum) is added, so that gap is an upper bound, and |w - w*| <= sqrt(2 gap/lambda) = distance.
 */
#ifndef SFMI_MACHINE_PROBLEM_H
#define SFMI_MACHINE_PROBLEM_H

#include "examples.h"
#include "machine_loss.h"

typedef struct sfmi_problem {
  const sfmi_examples *examples;
  const double *labels;  /* instead of the examples' own (one-vs-rest); NULL: those */
  const double *offsets; /* one per row; NULL: zero */
  sfmi_loss loss;
  double lambda;
  double target;  /* gap */
  size_t threads; /* 0: as many as there are processors, up to eight */
  /* After every pass whose gap was computed; for a progress bar on the owner's terminal.  False:
   * the solver stops, and what it has found so far is no solution.  NULL: nobody is told. */
  bool (*progress)(void *context, double gap, double target);
  void *progress_context;
} sfmi_problem;

static inline bool sfmi_problem_goes_on(const sfmi_problem *problem, double gap) {
  return !problem->progress || problem->progress(problem->progress_context, gap, problem->target);
}

/* PRIVATE. */
typedef struct sfmi_solution {
  double *weights; /* features of them; of kernel: coefficients of K(., row), a_i/(lambda n) */
  size_t length;
  double primal, dual; /* as computed */
  double gap;          /* an upper bound, rounding included */
  double rounding;     /* how much of it is rounding */
  double distance;     /* sqrt(2 gap/lambda): of the weights (kernel: of the function, in K's space)
                          from the exact minimiser's */
  uint64_t passes;
} sfmi_solution;

/* Wipes and frees. */
void sfmi_solution_clear(sfmi_solution *solution);

/* Label and offset of a row. */
static inline double sfmi_problem_label(const sfmi_problem *problem, size_t row) {
  return problem->labels ? problem->labels[row] : problem->examples->labels[row];
}

static inline double sfmi_problem_offset(const sfmi_problem *problem, size_t row) {
  return problem->offsets ? problem->offsets[row] : 0;
}

#endif
