/* test_table_sample.c - rows of a table are drawn by its counts, uniform in their bins, the same
 * for the same seed. */
#include "table_files.h"

#include "sfumato/sample.h"

enum { ROWS = 40000, CELLS = 8 };

static sfm_table_sample *make(const sfm_release *release, uint64_t seed) {
  sfm_table_sample *sample = NULL;
  sfm_error error;
  assert_ok(sfm_table_sample_create_raw(&sample, release, seed, &error), &error);
  return sample;
}

/* Whether counts of draws contradict the weights, cell by cell at the significance over the cells.
 */
static bool contradicts(const size_t *drawn, const double *weights, size_t count) {
  double sum = 0;
  for (size_t e = 0; e < count; e++) sum += weights[e];
  for (size_t e = 0; e < count; e++) {
    const double p = weights[e] / sum, mean = p * ROWS, sd = sqrt(mean * (1 - p));
    if (fabs((double)drawn[e] - mean) > (TEST_Z + 0.4) * sd + 0.5) return true;
  }
  return false;
}

static void cells_are_drawn_by_their_counts(void **state) {
  (void)state;
  const int64_t counts[CELLS] = {100, 1, -20, 40, 0, 300, 7, 52};
  static size_t cells[ROWS];
  static double places[2 * ROWS];
  size_t drawn[CELLS] = {0}, low = 0;
  double weights[CELLS];
  sfm_release *release = crosstable_dense(CROSSTABLE_SEX ", " CROSSTABLE_AGE, "", counts, CELLS);
  sfm_table_sample *sample = make(release, 3);
  sfm_table_sample_draw(sample, cells, places, ROWS);
  for (size_t k = 0; k < ROWS; k++) {
    uint32_t codes[2];
    drawn[cells[k]]++;
    sfm_table_cell(release, codes, cells[k]);
    const double lower = 25.0 * codes[1];
    assert_true(isnan(places[2 * k]));
    assert_true(places[2 * k + 1] >= lower && places[2 * k + 1] < lower + 25);
    low += places[2 * k + 1] < lower + 5;
  }
  for (size_t e = 0; e < CELLS; e++) weights[e] = fmax((double)counts[e], 0);
  assert_false(contradicts(drawn, weights, CELLS));
  weights[5] *= 1.1; /* and would see a cell drawn a tenth too seldom */
  assert_true(contradicts(drawn, weights, CELLS));
  assert_true(fabs((double)low - 0.2 * ROWS) < TEST_Z * sqrt(0.16 * ROWS));
  sfm_table_sample_destroy(sample);
  sfm_release_destroy(release);
}

static void a_seed_repeats_the_rows(void **state) {
  (void)state;
  const int64_t counts[] = {3, 9};
  size_t one[50], other[50], third[50];
  sfm_release *release = crosstable_dense(CROSSTABLE_SEX, "", counts, 2);
  sfm_table_sample *a = make(release, 5), *b = make(release, 5), *c = make(release, 6);
  sfm_table_sample_draw(a, one, NULL, 50);
  sfm_table_sample_draw(b, other, NULL, 20);
  sfm_table_sample_draw(b, other + 20, NULL, 30);
  sfm_table_sample_draw(c, third, NULL, 50);
  assert_memory_equal(one, other, sizeof one);
  assert_true(memcmp(one, third, sizeof one) != 0);
  sfm_table_sample_destroy(c);
  sfm_table_sample_destroy(b);
  sfm_table_sample_destroy(a);
  sfm_release_destroy(release);
}

static void what_cannot_be_drawn_from_is_refused(void **state) {
  (void)state;
  const int64_t counts[] = {-3, 0, 1, 2, 3};
  sfm_release *none = crosstable_dense(CROSSTABLE_SEX, "", counts, 2);
  sfm_release *margins = crosstable_dense(CROSSTABLE_SEX ", " CROSSTABLE_REGION,
                                          "\"margins\": [[\"sex\"], [\"region\"]], ", counts, 5);
  sfm_table_sample *sample = NULL;
  sfm_error error;
  assert_int_equal(sfm_table_sample_create(&sample, none, 1, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "nothing"));
  assert_int_equal(sfm_table_sample_create(&sample, margins, 1, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "go together"));
  assert_null(sample);
  sfm_release_destroy(margins);
  sfm_release_destroy(none);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cells_are_drawn_by_their_counts),
      cmocka_unit_test(a_seed_repeats_the_rows),
      cmocka_unit_test(what_cannot_be_drawn_from_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
