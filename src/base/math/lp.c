/* lp.c - CLP always minimises here: to maximise, objective and results change their sign, so that
 * the signs of duals do not depend on what CLP makes of its own direction. */
#include "lp.h"

#include <Clp_C_Interface.h>
#include <limits.h>
#include <stdlib.h>

#include "base/system/thread.h"

struct sfmi_lp {
  Clp_Simplex *model;
  size_t rows, columns;
  double sign;          /* -1 when the program is a maximisation */
  double *scratch;      /* as long as the objective */
  bool solved;          /* the model holds a basis from an earlier solve */
  bool still_dual_fine; /* nothing but bounds has changed since: the dual method may go on */
};

/* What CLP calls the states of variables. */
enum { CLP_FREE = 0, CLP_BASIC = 1, CLP_AT_UPPER = 2, CLP_AT_LOWER = 3 };
/* What CLP answers. */
enum { CLP_OPTIMAL = 0, CLP_INFEASIBLE = 1, CLP_UNBOUNDED = 2 };

static void fill_dense(int *starts, int *indices, size_t rows, size_t columns) {
  for (size_t j = 0; j <= columns; j++) starts[j] = (int)(j * rows);
  for (size_t e = 0; e < rows * columns; e++) indices[e] = (int)(e % rows);
}

/* Hands the matrix to CLP, with places written out if the problem has none. */
static bool load(sfmi_lp *lp, const sfmi_lp_problem *problem) {
  const size_t rows = problem->rows, columns = problem->columns;
  int *starts = NULL, *indices = NULL;
  if (!problem->starts) {
    starts = sfmi_alloc(columns + 1, sizeof *starts);
    indices = sfmi_alloc(rows * columns, sizeof *indices);
    if (starts && indices) fill_dense(starts, indices, rows, columns);
  }
  const bool fine = problem->starts || (starts && indices);
  if (fine)
    Clp_loadProblem(lp->model, (int)columns, (int)rows, problem->starts ? problem->starts : starts,
                    problem->starts ? problem->indices : indices, problem->values, problem->lower,
                    problem->upper, NULL, problem->row_lower, problem->row_upper);
  free(starts);
  free(indices);
  return fine;
}

sfm_status sfmi_lp_create(sfmi_lp **out, const sfmi_lp_problem *problem, sfm_error *error) {
  *out = NULL;
  const size_t rows = problem->rows, columns = problem->columns;
  const size_t most = problem->starts || rows == 0 ? INT_MAX - 1 : (INT_MAX - 1) / rows;
  if (rows >= INT_MAX || columns > most)
    return sfmi_fail(error, SFM_INVALID,
                     "a linear program of %zu rows and %zu columns is too large", rows, columns);
  sfmi_lp *lp = sfmi_alloc(1, sizeof *lp);
  if (!lp) return sfmi_fail_memory(error);
  *lp = (sfmi_lp){.rows = rows, .columns = columns, .sign = problem->maximise ? -1 : 1};
  lp->scratch = sfmi_alloc(columns, sizeof *lp->scratch);
  lp->model = Clp_newModel();
  if (!lp->scratch || !lp->model) goto no_memory;
  Clp_setLogLevel(lp->model, 0);
  if (!load(lp, problem)) goto no_memory;
  Clp_setOptimizationDirection(lp->model, 1);
  Clp_setPrimalTolerance(lp->model, SFMI_LP_TOLERANCE);
  Clp_setDualTolerance(lp->model, SFMI_LP_TOLERANCE);
  if (problem->balanced) Clp_scaling(lp->model, 0);
  sfmi_lp_set_objective(lp, problem->objective);
  *out = lp;
  return SFM_OK;
no_memory:
  sfmi_lp_destroy(lp);
  return sfmi_fail_memory(error);
}

void sfmi_lp_destroy(sfmi_lp *lp) {
  if (!lp) return;
  if (lp->model) Clp_deleteModel(lp->model);
  free(lp->scratch);
  free(lp);
}

/* ---- changes ---- */

void sfmi_lp_set_rows(sfmi_lp *lp, const double *row_lower, const double *row_upper) {
  Clp_chgRowLower(lp->model, row_lower);
  Clp_chgRowUpper(lp->model, row_upper);
}

void sfmi_lp_set_columns(sfmi_lp *lp, const double *lower, const double *upper) {
  Clp_chgColumnLower(lp->model, lower);
  Clp_chgColumnUpper(lp->model, upper);
}

void sfmi_lp_set_objective(sfmi_lp *lp, const double *objective) {
  for (size_t j = 0; j < lp->columns; j++) lp->scratch[j] = lp->sign * objective[j];
  Clp_chgObjCoefficients(lp->model, lp->scratch);
  lp->still_dual_fine = false;
}

void sfmi_lp_set_entry(sfmi_lp *lp, size_t row, size_t column, double value) {
  Clp_modifyCoefficient(lp->model, (int)row, (int)column, value, true);
  lp->still_dual_fine = false;
}

sfm_status sfmi_lp_add_columns(sfmi_lp *lp, size_t count, const double *objective,
                               const double *values, const int *starts, const int *indices,
                               sfm_error *error) {
  if (count >= INT_MAX - lp->columns)
    return sfmi_fail(error, SFM_INVALID, "a linear program of %zu columns is too large",
                     lp->columns + count);
  double *scratch = realloc(lp->scratch, (lp->columns + count) * sizeof *scratch);
  if (!scratch) return sfmi_fail_memory(error);
  lp->scratch = scratch;
  for (size_t j = 0; j < count; j++) scratch[j] = lp->sign * objective[j];
  Clp_addColumns(lp->model, (int)count, NULL, NULL, scratch, starts, indices, values);
  lp->columns += count;
  lp->still_dual_fine = false;
  return SFM_OK;
}

/* ---- solving ---- */

/* The basis of slacks, as if nothing had been solved before. */
static void forget(sfmi_lp *lp) {
  const double *lower = Clp_getColLower(lp->model), *upper = Clp_getColUpper(lp->model);
  for (size_t j = 0; j < lp->columns; j++) {
    const int state = lower[j] > -1e20 ? CLP_AT_LOWER : upper[j] < 1e20 ? CLP_AT_UPPER : CLP_FREE;
    Clp_setColumnStatus(lp->model, (int)j, state);
  }
  for (size_t i = 0; i < lp->rows; i++) Clp_setRowStatus(lp->model, (int)i, CLP_BASIC);
}

static void *solve(void *context) {
  sfmi_lp *lp = context;
  if (lp->solved) {
    if (lp->still_dual_fine)
      Clp_dual(lp->model, 0);
    else
      Clp_primal(lp->model, 0);
  }
  if (!lp->solved || Clp_status(lp->model) != CLP_OPTIMAL) {
    if (lp->solved) forget(lp);
    Clp_initialSolve(lp->model);
  }
  return NULL;
}

/* From so many rows on CLP factorises by means of LAPACK's, which may take more stack than the host
 * has; OpenBLAS does so from 200 on. */
enum { LARGE = 100 };

sfm_status sfmi_lp_solve(sfmi_lp *lp, sfmi_lp_outcome *outcome, sfm_error *error) {
  if (lp->rows < LARGE)
    (void)solve(lp);
  else
    sfmi_thread_call(solve, lp);
  const int status = Clp_status(lp->model);
  lp->solved = lp->still_dual_fine = status == CLP_OPTIMAL;
  switch (status) {
  case CLP_OPTIMAL:
    *outcome = SFMI_LP_OPTIMAL;
    return SFM_OK;
  case CLP_INFEASIBLE:
    *outcome = SFMI_LP_INFEASIBLE;
    return SFM_OK;
  case CLP_UNBOUNDED:
    *outcome = SFMI_LP_UNBOUNDED;
    return SFM_OK;
  default:
    return sfmi_fail(error, SFM_INTERNAL, "a linear program could not be solved (CLP status %d)",
                     status);
  }
}

double sfmi_lp_value(const sfmi_lp *lp) {
  return lp->sign * Clp_getObjValue(lp->model);
}

const double *sfmi_lp_solution(const sfmi_lp *lp) {
  return Clp_getColSolution(lp->model);
}

void sfmi_lp_duals(const sfmi_lp *lp, double *out) {
  const double *prices = Clp_getRowPrice(lp->model);
  for (size_t i = 0; i < lp->rows; i++) out[i] = lp->sign * prices[i];
}
