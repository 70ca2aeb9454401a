/* test_lp.c - linear programs with known optima, residuals recomputed from the problem alone, and
 * re-solving after every kind of change. */
/* suite: both */
#include "test_support.h"

#include "base/math/lp.h"

static sfmi_lp *program(const sfmi_lp_problem *problem) {
  sfmi_lp *lp;
  sfm_error error;
  assert_ok(sfmi_lp_create(&lp, problem, &error), &error);
  return lp;
}

static sfmi_lp_outcome outcome_of(sfmi_lp *lp) {
  sfmi_lp_outcome outcome;
  sfm_error error;
  assert_ok(sfmi_lp_solve(lp, &outcome, &error), &error);
  return outcome;
}

/* max 3x + 5y, x <= 4, 2y <= 12, 3x + 2y <= 18: 36 at (2, 6), duals 0, 3/2, 1 (Hillier and
 * Lieberman's Wyndor Glass). */
static void textbook_optimum_and_duals(void **state) {
  (void)state;
  const double objective[] = {3, 5}, values[] = {1, 0, 3, 0, 2, 2}, upper[] = {4, 12, 18};
  const double lower[] = {-INFINITY, -INFINITY, -INFINITY}, wanted[] = {0, 1.5, 1};
  double duals[3];
  sfmi_lp *lp = program(&(sfmi_lp_problem){.maximise = true,
                                           .rows = 3,
                                           .columns = 2,
                                           .objective = objective,
                                           .row_lower = lower,
                                           .row_upper = upper,
                                           .values = values});
  assert_int_equal(outcome_of(lp), SFMI_LP_OPTIMAL);
  assert_near("value", sfmi_lp_value(lp), 36, 1e-9);
  assert_near("x", sfmi_lp_solution(lp)[0], 2, 1e-9);
  assert_near("y", sfmi_lp_solution(lp)[1], 6, 1e-9);
  sfmi_lp_duals(lp, duals);
  for (size_t i = 0; i < 3; i++) assert_near("dual", duals[i], wanted[i], 1e-9);

  /* One more unit of the third resource is worth its dual; then the objective turns round. */
  const double more[] = {4, 12, 19}, negative[] = {-3, -5};
  sfmi_lp_set_rows(lp, lower, more);
  assert_int_equal(outcome_of(lp), SFMI_LP_OPTIMAL);
  assert_near("one unit more", sfmi_lp_value(lp), 37, 1e-9);
  sfmi_lp_set_objective(lp, negative);
  assert_int_equal(outcome_of(lp), SFMI_LP_OPTIMAL);
  assert_near("the other way", sfmi_lp_value(lp), 0, 1e-9);
  sfmi_lp_destroy(lp);
}

static void tells_infeasible_and_unbounded_apart(void **state) {
  (void)state;
  const double objective[] = {1, 1}, values[] = {1, 1, 1, -1};
  const double lower[] = {2, 0}, upper[] = {INFINITY, 0};
  const double bounds_lower[] = {0, 0}, bounds_upper[] = {0.5, 0.5}, wide[] = {5, 5};
  sfmi_lp *lp = program(&(sfmi_lp_problem){.maximise = true,
                                           .rows = 2,
                                           .columns = 2,
                                           .objective = objective,
                                           .row_lower = lower,
                                           .row_upper = upper,
                                           .values = values});
  assert_int_equal(outcome_of(lp), SFMI_LP_UNBOUNDED); /* x = y without end */
  sfmi_lp_set_columns(lp, bounds_lower, bounds_upper);
  assert_int_equal(outcome_of(lp), SFMI_LP_INFEASIBLE); /* x + y <= 1 < 2 */
  sfmi_lp_set_columns(lp, bounds_lower, wide);
  assert_int_equal(outcome_of(lp), SFMI_LP_OPTIMAL);
  assert_near("corner", sfmi_lp_value(lp), 10, 1e-9);
  sfmi_lp_destroy(lp);
}

/* ---- random programs whose optimum is known before they are solved ----
 *
 * Choose x, y and slacks complementary: with z = c - A'y, x_j > 0 only where z_j = 0 and z_j > 0
 * only where x_j = 0, the program  min c.x, A x = b, x >= 0  has the optimum c.x = b.y. */
typedef struct known {
  size_t rows, columns;
  double *A, *b, *c, *x, *y;
} known;

static void known_init(known *k, sfmi_prng *prng, size_t rows, size_t columns) {
  *k = (known){rows,
               columns,
               calloc(rows * columns, sizeof(double)),
               calloc(rows, sizeof(double)),
               calloc(columns, sizeof(double)),
               calloc(columns, sizeof(double)),
               calloc(rows, sizeof(double))};
  for (size_t e = 0; e < rows * columns; e++) k->A[e] = sfmi_prng_normal(prng);
  for (size_t i = 0; i < rows; i++) k->y[i] = sfmi_prng_normal(prng);
  for (size_t j = 0; j < columns; j++) {
    const bool basic = j < rows;
    k->x[j] = basic ? sfmi_prng_uniform(prng) : 0;
    k->c[j] = basic ? 0 : sfmi_prng_uniform(prng);
    for (size_t i = 0; i < rows; i++) {
      k->c[j] += k->A[j * rows + i] * k->y[i];
      k->b[i] += k->A[j * rows + i] * k->x[j];
    }
  }
}

static void known_clear(known *k) {
  free(k->A);
  free(k->b);
  free(k->c);
  free(k->x);
  free(k->y);
}

static sfmi_lp *known_program(const known *k) {
  return program(&(sfmi_lp_problem){.rows = k->rows,
                                    .columns = k->columns,
                                    .objective = k->c,
                                    .row_lower = k->b,
                                    .row_upper = k->b,
                                    .values = k->A,
                                    .balanced = k->rows % 2});
}

/* The answer is feasible, its dual is, and their objectives meet: no solver needed to see that it
 * is optimal. */
static void assert_certified(const sfmi_lp *lp, const double *A, const double *b, const double *c,
                             size_t rows, size_t columns) {
  const double *x = sfmi_lp_solution(lp);
  double *y = calloc(rows, sizeof *y), primal = 0, dual = 0;
  sfmi_lp_duals(lp, y);
  for (size_t i = 0; i < rows; i++) {
    double row = -b[i];
    for (size_t j = 0; j < columns; j++) row += A[j * rows + i] * x[j];
    assert_near("A x = b", row, 0, 1e-7);
    dual += b[i] * y[i];
  }
  for (size_t j = 0; j < columns; j++) {
    double rest = c[j];
    for (size_t i = 0; i < rows; i++) rest -= A[j * rows + i] * y[i];
    assert_true(x[j] >= -1e-7 && rest >= -1e-7);
    primal += c[j] * x[j];
  }
  assert_near("duality", primal, dual, 1e-6);
  assert_near("value", sfmi_lp_value(lp), primal, 1e-6);
  free(y);
}

static void reaches_known_optima(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 1);
  for (size_t round = 0; round < 30; round++) {
    known k;
    known_init(&k, &prng, 1 + round, 3 * (1 + round) + 5);
    sfmi_lp *lp = known_program(&k);
    assert_int_equal(outcome_of(lp), SFMI_LP_OPTIMAL);
    assert_certified(lp, k.A, k.b, k.c, k.rows, k.columns);
    for (size_t j = 0; j < k.columns; j++) assert_near("x", sfmi_lp_solution(lp)[j], k.x[j], 1e-6);
    double *y = calloc(k.rows, sizeof *y);
    sfmi_lp_duals(lp, y);
    for (size_t i = 0; i < k.rows; i++) assert_near("y", y[i], k.y[i], 1e-6);
    free(y);
    sfmi_lp_destroy(lp);
    known_clear(&k);
  }
}

/* A program changed bit by bit is the program made anew. */
static void warm_is_cold(void **state) {
  (void)state;
  enum { ROWS = 12, COLUMNS = 60, CHANGES = 200 };
  sfmi_prng prng;
  sfmi_prng_init(&prng, 2);
  known k;
  known_init(&k, &prng, ROWS, COLUMNS);
  sfmi_lp *warm = known_program(&k);
  for (int change = 0; change < CHANGES; change++) {
    /* Another b that some x >= 0 reaches; other costs, no less than those of some y; a new column
     * dearer than its worth. */
    if (change % 3 == 0) {
      for (size_t i = 0; i < ROWS; i++) k.b[i] = 0;
      for (size_t j = 0; j < COLUMNS; j++) {
        const double weight = sfmi_prng_uniform(&prng);
        for (size_t i = 0; i < ROWS; i++) k.b[i] += weight * k.A[j * ROWS + i];
      }
      sfmi_lp_set_rows(warm, k.b, k.b);
    } else {
      const size_t one = sfmi_prng_word(&prng) % COLUMNS;
      for (size_t j = 0; j < COLUMNS; j++) {
        k.c[j] = sfmi_prng_uniform(&prng);
        for (size_t i = 0; i < ROWS; i++) {
          if (change % 3 == 2 && j == one) {
            k.A[j * ROWS + i] = sfmi_prng_normal(&prng);
            sfmi_lp_set_entry(warm, i, j, k.A[j * ROWS + i]);
          }
          k.c[j] += k.A[j * ROWS + i] * k.y[i];
        }
      }
      sfmi_lp_set_objective(warm, k.c);
    }
    sfmi_lp *cold = known_program(&k);
    const sfmi_lp_outcome outcome = outcome_of(cold);
    assert_int_equal(outcome_of(warm), outcome);
    if (outcome == SFMI_LP_OPTIMAL) {
      assert_near("warm", sfmi_lp_value(warm), sfmi_lp_value(cold), 1e-6);
      assert_certified(warm, k.A, k.b, k.c, ROWS, COLUMNS);
    }
    sfmi_lp_destroy(cold);
  }
  sfmi_lp_destroy(warm);
  known_clear(&k);
}

/* A program made of its first columns, to which the others are added a few at a time, is the
 * program made of all. */
static void added_columns_are_columns(void **state) {
  (void)state;
  enum { ROWS = 15, COLUMNS = 80, STEP = 13 };
  sfmi_prng prng;
  sfmi_prng_init(&prng, 3);
  for (int round = 0; round < 20; round++) {
    known k;
    int starts[STEP + 1], indices[STEP * ROWS];
    known_init(&k, &prng, ROWS, COLUMNS);
    for (size_t e = 0; e < STEP * ROWS; e++) indices[e] = (int)(e % ROWS);
    for (size_t j = 0; j <= STEP; j++) starts[j] = (int)(j * ROWS);
    known first = k;
    first.columns = ROWS + round; /* enough that some x fits */
    sfmi_lp *lp = known_program(&first);
    for (size_t j = first.columns; j <= COLUMNS; j += STEP) {
      const size_t count = j + STEP < COLUMNS ? STEP : COLUMNS - j;
      sfm_error error;
      assert_int_equal(outcome_of(lp), SFMI_LP_OPTIMAL);
      assert_ok(sfmi_lp_add_columns(lp, count, k.c + j, k.A + j * ROWS, starts, indices, &error),
                &error);
    }
    assert_int_equal(outcome_of(lp), SFMI_LP_OPTIMAL);
    assert_certified(lp, k.A, k.b, k.c, ROWS, COLUMNS);
    for (size_t j = 0; j < COLUMNS; j++) assert_near("x", sfmi_lp_solution(lp)[j], k.x[j], 1e-6);
    sfmi_lp_destroy(lp);
    known_clear(&k);
  }
}

/* An assignment of SIZE to SIZE, cost (i - j)^2 for a permuted j: sparse, totally unimodular, hence
 * whole numbers, and optimum 0 at the permutation. */
static void sparse_transport_finds_the_permutation(void **state) {
  (void)state;
  enum { SIZE = 50, CELLS = SIZE * SIZE };
  static double cost[CELLS], values[2 * CELLS], ones[2 * SIZE];
  static int starts[CELLS + 1], indices[2 * CELLS];
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++) {
      const int cell = i * SIZE + j, other = (j * 17 + 3) % SIZE;
      cost[cell] = (double)((i - other) * (i - other));
      starts[cell] = 2 * cell;
      indices[2 * cell] = i;
      indices[2 * cell + 1] = SIZE + j;
      values[2 * cell] = values[2 * cell + 1] = 1;
    }
  starts[CELLS] = 2 * CELLS;
  for (int i = 0; i < 2 * SIZE; i++) ones[i] = 1;
  sfmi_lp *lp = program(&(sfmi_lp_problem){.rows = 2 * SIZE,
                                           .columns = CELLS,
                                           .objective = cost,
                                           .row_lower = ones,
                                           .row_upper = ones,
                                           .values = values,
                                           .starts = starts,
                                           .indices = indices});
  assert_int_equal(outcome_of(lp), SFMI_LP_OPTIMAL);
  assert_near("cost", sfmi_lp_value(lp), 0, 1e-9);
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++)
      assert_near("whole", sfmi_lp_solution(lp)[i * SIZE + j], i == (j * 17 + 3) % SIZE, 1e-9);
  sfmi_lp_destroy(lp);
}

static void too_large_is_refused(void **state) {
  (void)state;
  sfmi_lp *lp;
  sfm_error error;
  const sfmi_lp_problem problem = {.rows = 1u << 20, .columns = 1u << 20};
  assert_int_equal(sfmi_lp_create(&lp, &problem, &error), SFM_INVALID);
  assert_null(lp);
  sfmi_lp_destroy(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(textbook_optimum_and_duals),
      cmocka_unit_test(tells_infeasible_and_unbounded_apart),
      cmocka_unit_test(reaches_known_optima),
      cmocka_unit_test(warm_is_cold),
      cmocka_unit_test(added_columns_are_columns),
      cmocka_unit_test(sparse_transport_finds_the_permutation),
      cmocka_unit_test(too_large_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
