#include "machine_solver.h"

#include <math.h>
#include <stdlib.h>

#include "dense_ascent.h"
#include "kernel_ascent.h"
#include "row_product.h"
#include "sparse_ascent.h"
#include "base/system/thread_pool.h"
#include "estimators/ascent/sparse_ascent.h"
#include "estimators/ascent/dense_ascent.h"
#include "estimators/ascent/row_product.h"

sfm_status sfmi_solve(sfmi_solution *solution, const sfmi_problem *problem, sfm_error *error) {
  *solution = (sfmi_solution){0};
  switch (problem->examples->form) {
  case SFMI_EXAMPLES_SPARSE:
  case SFMI_EXAMPLES_MONOMIALS:
    return sfmi_sparse_ascent_solve(solution, problem, error);
  case SFMI_EXAMPLES_DENSE:
    return sfmi_dense_ascent_solve(solution, problem, error);
  case SFMI_EXAMPLES_KERNEL:
    return sfmi_kernel_ascent_solve(solution, problem, error);
  }
  return sfmi_fail(error, SFM_INTERNAL, "there is no solver for rows of this form");
}

/* With U = 2^-53, R the reach of the exact minimiser, q = kappa^2/(lambda n) and L the largest
 * slope and dual within reach:
 * - a value is off by e <= (2 depth + 64) U kappa |w| + 8 U (1 + kappa |w|), which moves a slack by
 *   2 L e at most.  |w| <= R + sqrt(2 gap/lambda); of the second part 2 L e is below gap/16 when
 *   gap is above 2^11 (c kappa L)^2/lambda, c = e/(kappa |w|);
 * - where no step moves a dual any more, a step is below U of the dual: the slack there is at most
 *   L (q U L) for a loss with corners, and ((1 + q) U L)^2 for a smooth one;
 * - weights are off by U (2^16 + n/2^16 + 128) kappa L/lambda.
 * The sum, times four. */
double sfmi_solver_floor(const sfmi_loss *loss, double lambda, double kappa, uint64_t rows,
                         size_t width) {
  const double n = (double)rows, q = kappa * kappa / (lambda * n);
  const double reach = kappa * sfmi_loss_reach(loss, lambda, kappa);
  const double most = fmax(sfmi_loss_lipschitz(loss, lambda, kappa), SFMI_UNIT_ROUNDOFF);
  const double c = (2 * sfmi_sum_depth(width) + 72) * SFMI_UNIT_ROUNDOFF;
  const double values = 2 * most * (c * reach + 8 * SFMI_UNIT_ROUNDOFF);
  const double second = 0x1p11 * c * c * kappa * kappa * most * most / lambda;
  const double grain =
      most * most * SFMI_UNIT_ROUNDOFF * (q + (1 + q) * (1 + q) * SFMI_UNIT_ROUNDOFF);
  const double chain = (fmin(n, 0x1p16) + n / 0x1p16 + 128) * SFMI_UNIT_ROUNDOFF;
  const double weights = chain * chain * kappa * kappa * most * most / (2 * lambda);
  return 4 * (values + second + grain + weights);
}

typedef struct valuing {
  double *values;
  const sfmi_examples *examples;
  const double *weights;
  sfmi_row_product *products;
} valuing;

static void value_share(void *job, size_t share, size_t shares) {
  const valuing *v = job;
  const sfmi_examples *x = v->examples;
  const size_t first = share * x->rows / shares, last = (share + 1) * x->rows / shares;
  for (size_t i = first; i < last; i++)
    v->values[i] = x->keep[i] ? sfmi_row_product_dot(&v->products[share], v->weights, i) : 0;
}

sfm_status sfmi_solver_values(double *values, const sfmi_examples *examples, const double *weights,
                              size_t threads, sfm_error *error) {
  const size_t size = sfmi_thread_count(threads, SFMI_THREADS_MAX);
  valuing v = {.values = values, .examples = examples, .weights = weights};
  sfm_status status = SFM_OK;
  if (examples->form == SFMI_EXAMPLES_DENSE) {
    sfmi_dense_ascent_values(values, examples, weights, threads);
    return SFM_OK;
  }
  v.products = sfmi_alloc(size, sizeof *v.products);
  if (!v.products) return sfmi_fail_memory(error);
  for (size_t i = 0; i < size && !status; i++)
    status = sfmi_row_product_init(&v.products[i], examples, error);
  if (!status) sfmi_threads_run(value_share, &v, size);
  for (size_t i = 0; i < size; i++) sfmi_row_product_clear(&v.products[i]);
  free(v.products);
  return status;
}
