/* polytope.c - the ends of {t : u + t v in P} are the largest and the least t with
 *   sum_k (p_k - q_k) v_k - t v = u,   sum_k (p_k + q_k) <= 1,   p, q >= 0,
 * a program of D + 1 rows and 2N + 1 columns, t the last. */
#include "polytope.h"

#include <math.h>
#include <stdlib.h>

#include "base/math/lp.h"
#include "base/system/arena.h"

struct sfmi_polytope {
  sfmi_arena memory;
  size_t dimension, count;
  sfmi_lp *lp;
  double *objective;             /* zero but for t */
  double *row_lower, *row_upper; /* u, and the sum */
};

/* Columns: v_k and 1, -v_k and 1, and for t a direction that is overwritten before use. */
static void fill_matrix(double *values, const double *points, size_t count, size_t dimension) {
  const size_t rows = dimension + 1;
  for (size_t k = 0; k < count; k++) {
    for (size_t i = 0; i < dimension; i++) {
      values[k * rows + i] = points[k * dimension + i];
      values[(count + k) * rows + i] = -points[k * dimension + i];
    }
    values[k * rows + dimension] = values[(count + k) * rows + dimension] = 1;
  }
  for (size_t i = 0; i < dimension; i++) values[2 * count * rows + i] = 1;
}

static sfm_status create_program(sfmi_polytope *polytope, const double *points, sfm_error *error) {
  const size_t rows = polytope->dimension + 1, columns = 2 * polytope->count + 1;
  sfmi_arena arena = {0};
  double *lower, *upper, *values = sfmi_arena_doubles(&arena, rows * columns);
  sfmi_arena_arrays(&arena, columns, (double **[]){&lower, &upper, NULL});
  if (arena.failed) {
    sfmi_arena_clear(&arena);
    return sfmi_fail_memory(error);
  }
  for (size_t j = 0; j < columns; j++) upper[j] = INFINITY;
  lower[columns - 1] = -INFINITY;
  polytope->row_lower[rows - 1] = -INFINITY;
  polytope->row_upper[rows - 1] = 1;
  fill_matrix(values, points, polytope->count, polytope->dimension);
  const sfmi_lp_problem problem = {.maximise = true,
                                   .balanced = true,
                                   .rows = rows,
                                   .columns = columns,
                                   .objective = polytope->objective,
                                   .lower = lower,
                                   .upper = upper,
                                   .row_lower = polytope->row_lower,
                                   .row_upper = polytope->row_upper,
                                   .values = values};
  const sfm_status status = sfmi_lp_create(&polytope->lp, &problem, error);
  sfmi_arena_clear(&arena);
  return status;
}

sfm_status sfmi_polytope_create(sfmi_polytope **out, const double *points, size_t count,
                                size_t dimension, sfm_error *error) {
  *out = NULL;
  sfmi_polytope *polytope = sfmi_alloc(1, sizeof *polytope);
  if (!polytope) return sfmi_fail_memory(error);
  polytope->dimension = dimension;
  polytope->count = count;
  polytope->objective = sfmi_arena_doubles(&polytope->memory, 2 * count + 1);
  sfmi_arena_arrays(&polytope->memory, dimension + 1,
                    (double **[]){&polytope->row_lower, &polytope->row_upper, NULL});
  sfm_status status =
      !polytope->memory.failed ? create_program(polytope, points, error) : sfmi_fail_memory(error);
  if (!status)
    *out = polytope;
  else
    sfmi_polytope_destroy(polytope);
  return status;
}

void sfmi_polytope_destroy(sfmi_polytope *polytope) {
  if (!polytope) return;
  sfmi_lp_destroy(polytope->lp);
  sfmi_arena_wipe(&polytope->memory);
  free(polytope);
}

/* The line u + t v. */
static void set_line(sfmi_polytope *polytope, const double *u, const double *v) {
  for (size_t i = 0; i < polytope->dimension; i++) {
    sfmi_lp_set_entry(polytope->lp, i, 2 * polytope->count, -v[i]);
    polytope->row_lower[i] = polytope->row_upper[i] = u[i];
  }
  sfmi_lp_set_rows(polytope->lp, polytope->row_lower, polytope->row_upper);
}

/* The largest t on the line if sign is 1, the least if it is -1. */
static sfm_status find_end(sfmi_polytope *polytope, double *t, double sign, sfm_error *error) {
  sfmi_lp_outcome outcome;
  polytope->objective[2 * polytope->count] = sign;
  sfmi_lp_set_objective(polytope->lp, polytope->objective);
  sfm_status status = sfmi_lp_solve(polytope->lp, &outcome, error);
  if (status) return status;
  if (outcome != SFMI_LP_OPTIMAL)
    return sfmi_fail(error, SFM_INTERNAL, "a chord of the symmetric hull could not be found");
  *t = sfmi_lp_solution(polytope->lp)[2 * polytope->count];
  return SFM_OK;
}

sfm_status sfmi_polytope_chord(sfmi_polytope *polytope, double *low, double *high, const double *u,
                               const double *v, sfm_error *error) {
  sfm_status status = sfmi_polytope_reach(polytope, high, u, v, error);
  return !status ? find_end(polytope, low, -1, error) : status;
}

sfm_status sfmi_polytope_reach(sfmi_polytope *polytope, double *high, const double *u,
                               const double *v, sfm_error *error) {
  set_line(polytope, u, v);
  return find_end(polytope, high, 1, error);
}
