/* test_design_linear.c - linear maps in integers: how far one record moves them, searched; entries
 * as they were; what is predicted and chosen. */
#include "linear_fixture.h"

#include "features/bodies/hit_and_run.h"

static void fill(double *matrix, size_t count, int kind, sfmi_prng *prng) {
  for (size_t i = 0; i < count; i++) {
    const double x = sfmi_prng_normal(prng);
    matrix[i] = kind == 0 ? floor(2 * x) : kind == 1 ? x : x > 0.5 ? 0.1 : 0;
  }
  matrix[0] = 1;
}

/* Integer answers of counts. */
static void answer(double *out, const sfmi_workload *w, const uint64_t *counts) {
  sfmi_i128 sums[8];
  sfmi_workload_apply(w, sums, counts);
  for (size_t j = 0; j < w->queries; j++) out[j] = (double)sums[j];
}

/* Tables of records with one taken away, added or in another cell: none moves further than is
 * said, and one moves as far. */
static void one_record_moves_so_far(void **state) {
  (void)state;
  enum { QUERIES = 4, CELLS = 6 };
  sfmi_prng prng;
  sfmi_prng_init(&prng, 3);
  for (int t = 0; t < 30; t++) {
    double matrix[QUERIES * CELLS];
    linear_fixture problem;
    sfmi_workload w;
    sfm_error error;
    const bool replace = t % 2;
    fill(matrix, QUERIES * CELLS, t % 3, &prng);
    linear_fixture_init(&problem, matrix, QUERIES, CELLS, 1, 0);
    linear_fixture_neighbours(&problem,
                              replace ? SFM_NEIGHBOURS_REPLACE : SFM_NEIGHBOURS_ADD_REMOVE, 1);
    assert_ok(sfmi_workload_init(&w, (sfmi_linear_request[]){linear_fixture_request(&problem)}, 1,
                                 &error),
              &error);
    uint64_t counts[CELLS];
    double before[QUERIES], after[QUERIES], l1 = 0, l2 = 0;
    for (size_t c = 0; c < CELLS; c++) counts[c] = 3 + sfmi_prng_word(&prng) % 5;
    answer(before, &w, counts);
    for (size_t from = 0; from <= CELLS; from++)
      for (size_t to = 0; to <= CELLS; to++) { /* CELLS: nowhere */
        if (!replace && from < CELLS && to < CELLS) continue;
        double sum = 0, square = 0;
        if (from < CELLS) counts[from]--;
        if (to < CELLS) counts[to]++;
        answer(after, &w, counts);
        if (from < CELLS) counts[from]++;
        if (to < CELLS) counts[to]--;
        for (size_t j = 0; j < QUERIES; j++) {
          sum += fabs(after[j] - before[j]);
          square += (after[j] - before[j]) * (after[j] - before[j]);
        }
        l1 = fmax(l1, sum);
        l2 = fmax(l2, sqrt(square));
      }
    assert_false(w.bounded);
    assert_true(l1 <= w.l1 && l2 <= w.l2);
    assert_relative("l1", w.l1, l1, 1e-14);
    assert_relative("l2", w.l2, l2, 1e-14);
    sfmi_workload_clear(&w);
    linear_fixture_clear(&problem);
  }
}

/* Too many pairs to go through: no pair is further apart than the bound. */
static void many_columns_are_bounded(void **state) {
  (void)state;
  enum { QUERIES = 60, CELLS = 6000 };
  double *matrix = malloc(QUERIES * CELLS * sizeof *matrix);
  sfmi_prng prng;
  linear_fixture t;
  sfmi_workload w;
  sfm_error error;
  sfmi_prng_init(&prng, 5);
  fill(matrix, QUERIES * CELLS, 1, &prng);
  linear_fixture_init(&t, matrix, QUERIES, CELLS, 1, 0);
  assert_ok(sfmi_workload_init(&w, (sfmi_linear_request[]){linear_fixture_request(&t)}, 1, &error),
            &error);
  assert_true(w.bounded);
  double l1 = 0, l2 = 0;
  for (int k = 0; k < 20000; k++) {
    const int64_t *a = w.entries + sfmi_prng_word(&prng) % CELLS * QUERIES,
                  *b = w.entries + sfmi_prng_word(&prng) % CELLS * QUERIES;
    double sum = 0, square = 0;
    for (size_t j = 0; j < QUERIES; j++) {
      sum += fabs((double)(a[j] - b[j]));
      square += pow((double)(a[j] - b[j]), 2);
    }
    l1 = fmax(l1, sum);
    l2 = fmax(l2, sqrt(square));
  }
  assert_true(l1 <= w.l1 && l2 <= w.l2);
  assert_true(w.l1 <= 2 * l1 && w.l2 <= 2 * l2);
  sfmi_workload_clear(&w);
  linear_fixture_clear(&t);
  free(matrix);
}

static void entries_are_what_they_were(void **state) {
  (void)state;
  const double exact[] = {1, -0.25, 3, 1024}, rough[] = {0.1, -1.0 / 3, 3, M_PI};
  linear_fixture t;
  sfmi_workload w;
  sfm_error error;
  linear_fixture_init(&t, exact, 2, 2, 1, 0);
  assert_ok(sfmi_workload_init(&w, (sfmi_linear_request[]){linear_fixture_request(&t)}, 1, &error),
            &error);
  assert_false(w.rounded);
  assert_true(w.step == 0.25);
  assert_int_equal(w.entries[0], 4);
  assert_int_equal(w.entries[2], -1); /* the first query of the second cell */
  assert_int_equal(w.entries[3], 4096);
  sfmi_workload_clear(&w);
  t.settings.matrix = rough;
  assert_ok(sfmi_workload_init(&w, (sfmi_linear_request[]){linear_fixture_request(&t)}, 1, &error),
            &error);
  assert_true(w.rounded);
  for (size_t j = 0; j < 2; j++)
    for (size_t c = 0; c < 2; c++)
      assert_true(fabs((double)w.entries[c * 2 + j] * w.step - rough[j * 2 + c]) <= w.step / 2);
  assert_true(w.step <= 4 * 0x1p-39);
  sfmi_workload_clear(&w);
  /* As coarse as the noise wants them where there is much of it. */
  assert_ok(
      sfmi_workload_init(&w, (sfmi_linear_request[]){linear_fixture_request(&t)}, 1e-9, &error),
      &error);
  assert_true(w.step >= 4 * 0x1p-20 && w.l1 / 1e-9 < 0x1p52);
  sfmi_workload_clear(&w);
  linear_fixture_clear(&t);
}

static double squared(const sfm_linear_choice *plan, sfm_linear_method method) {
  for (size_t i = 0; i < plan->count; i++)
    if (plan->entries[i].method == method)
      return plan->entries[i].possible ? plan->entries[i].squared : NAN;
  return NAN;
}

/* One query of all cells has noise of one record on its answer, and that of all cells from the
 * table; every cell by itself is the table. */
static void the_least_error_is_chosen(void **state) {
  (void)state;
  enum { CELLS = 8 };
  double sum[CELLS], identity[CELLS * CELLS] = {0}, lonely[CELLS] = {1};
  sfm_linear_choice plan;
  sfm_error error;
  linear_fixture t;
  for (size_t c = 0; c < CELLS; c++) sum[c] = identity[c * CELLS + c] = 1;
  linear_fixture_init(&t, sum, 1, CELLS, 1, 0);
  assert_ok(sfm_linear_choose(&plan, &t.settings, &error), &error);
  assert_int_equal(plan.entries[plan.chosen].method, SFM_LINEAR_LAPLACE);
  const double r = exp(-0.5), s = exp(-1.0);
  assert_relative("table", squared(&plan, SFM_LINEAR_TABLE), CELLS * 2 * r / pow(1 - r, 2), 1e-12);
  assert_relative("sum", squared(&plan, SFM_LINEAR_LAPLACE), 2 * s / pow(1 - s, 2), 1e-12);
  /* In one dimension noise in the shape of the answers is Laplace noise. */
  assert_relative("k-norm", squared(&plan, SFM_LINEAR_KNORM), 2, 0.1);
  t.settings.matrix = identity;
  t.settings.queries = CELLS;
  assert_ok(sfm_linear_choose(&plan, &t.settings, &error), &error);
  assert_relative("same", squared(&plan, SFM_LINEAR_TABLE), squared(&plan, SFM_LINEAR_LAPLACE),
                  1e-12);
  t.table.delta = 1e-6;
  assert_ok(sfm_linear_choose(&plan, &t.settings, &error), &error);
  assert_int_equal(plan.count, 5);
  assert_relative("normal", squared(&plan, SFM_LINEAR_TABLE), squared(&plan, SFM_LINEAR_NORMAL),
                  1e-12);
  /* Few answers have less noise without the delta; of many the root of their number counts. */
  assert_true(plan.entries[plan.chosen].delta == 0);
  t.settings.method = SFM_LINEAR_NORMAL;
  assert_ok(sfm_linear_choose(&plan, &t.settings, &error), &error);
  assert_true(plan.entries[plan.chosen].delta == 1e-6);
  t.settings.method = SFM_LINEAR_AUTO;
  t.settings.matrix = lonely; /* one cell: a record in it is there or not */
  t.settings.queries = 1;
  t.table.delta = 0;
  assert_ok(sfm_linear_choose(&plan, &t.settings, &error), &error);
  assert_int_equal(plan.entries[plan.chosen].method, SFM_LINEAR_LAPLACE);
  assert_near("one record", plan.entries[plan.chosen].sensitivity, 1, 1e-12);
  linear_fixture_clear(&t);
}

/* Moves of the body are the columns and their differences, up to their sign, or twice
 * the columns. */
static void the_body_holds_every_move(void **state) {
  (void)state;
  const double few[] = {1, 0, 1, -1, 0, 1, 1, -1}; /* two queries, four cells */
  sfm_vector_settings vector;
  double *vertices = NULL, *many = malloc(2 * 3000 * sizeof *many);
  sfm_error error;
  linear_fixture t;
  linear_fixture_init(&t, few, 2, 4, 1, 0);
  assert_ok(sfmi_design_linear_body(&vector, &vertices,
                                    (sfmi_linear_request[]){linear_fixture_request(&t)}, &error),
            &error);
  assert_int_equal(vector.vertex_count, 4 + 6);
  free(vertices);
  linear_fixture_neighbours(&t, SFM_NEIGHBOURS_ADD_REMOVE, 1);
  assert_ok(sfmi_design_linear_body(&vector, &vertices,
                                    (sfmi_linear_request[]){linear_fixture_request(&t)}, &error),
            &error);
  assert_int_equal(vector.vertex_count, 4);
  free(vertices);
  linear_fixture_clear(&t);
  for (size_t i = 0; i < 2 * 3000; i++) many[i] = (double)i;
  linear_fixture_init(&t, many, 2, 3000, 1, 0);
  assert_ok(sfmi_design_linear_body(&vector, &vertices,
                                    (sfmi_linear_request[]){linear_fixture_request(&t)}, &error),
            &error);
  assert_int_equal(vector.vertex_count, 3000);
  assert_true(vertices[3] == 2 * many[3001]); /* the second query of the second cell */
  free(vertices);
  linear_fixture_clear(&t);
  free(many);
}

static void what_makes_no_sense_is_refused(void **state) {
  (void)state;
  const double matrix[] = {1, 2, 3, 4}, zeros[4] = {0}, wrong[] = {1, NAN, 0, 0};
  sfm_linear_choice plan;
  sfm_error error;
  linear_fixture t;
  linear_fixture_init(&t, matrix, 1, 4, 1, 0);
  t.column.bins = 5;
  assert_int_equal(sfm_linear_choose(&plan, &t.settings, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "4 columns where the table has 5 cells"));
  t.column.bins = 4;
  t.settings.matrix = zeros;
  assert_int_equal(sfm_linear_choose(&plan, &t.settings, &error), SFM_INVALID);
  t.settings.matrix = wrong;
  assert_int_equal(sfm_linear_choose(&plan, &t.settings, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "column 2"));
  t.settings.matrix = matrix;
  t.settings.method = SFM_LINEAR_NORMAL;
  assert_int_equal(sfm_linear_choose(&plan, &t.settings, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "settings.delta"));
  t.settings.method = SFM_LINEAR_AUTO;
  t.table.form = SFM_HISTOGRAM_SPARSE;
  assert_int_equal(sfm_linear_choose(&plan, &t.settings, &error), SFM_INVALID);
  /* A flat body has no noise of its shape; the others stay. */
  const double flat[] = {1, 1, 1, 1, 2, 2, 2, 2};
  linear_fixture_clear(&t);
  linear_fixture_init(&t, flat, 2, 4, 1, 0);
  assert_ok(sfm_linear_choose(&plan, &t.settings, &error), &error);
  assert_false(plan.entries[2].possible);
  assert_true(*plan.entries[2].why);
  t.settings.method = SFM_LINEAR_KNORM;
  assert_int_equal(sfm_linear_choose(&plan, &t.settings, &error), SFM_INVALID);
  linear_fixture_clear(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_record_moves_so_far),
      cmocka_unit_test(many_columns_are_bounded),
      cmocka_unit_test(entries_are_what_they_were),
      cmocka_unit_test(the_least_error_is_chosen),
      cmocka_unit_test(the_body_holds_every_move),
      cmocka_unit_test(what_makes_no_sense_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
