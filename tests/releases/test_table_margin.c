/* test_table_margin.c - a margin has the sums of the cells, in exact integers, with as many
 * noises as were added and a band that covers; of margins it is taken from the smallest; of sparse
 * tables it stays above the threshold and has no band. */
#include "table_files.h"

static sfm_release *margin(const sfm_release *release, uint64_t *from, size_t count,
                           const char *const *columns) {
  sfm_release *out = NULL;
  sfm_error error;
  assert_ok(sfm_table_margin_of(&out, from, release, columns, count, &error), &error);
  return out;
}

/* The sum of all cells of a whole table that agree with cell e of the margin. */
static double sum_by_hand(const sfm_release *table, const sfm_release *kept, size_t e) {
  uint32_t codes[SFM_TABLE_COLUMNS_MAX], wanted[SFM_TABLE_COLUMNS_MAX];
  double sum = 0;
  sfm_table_cell(kept, wanted, e);
  for (size_t k = 0; k < sfm_release_length(table); k++) {
    bool agrees = true;
    sfm_table_cell(table, codes, k);
    for (size_t j = 0; j < sfm_table_columns(kept); j++)
      for (size_t i = 0; i < sfm_table_columns(table); i++)
        if (strcmp(sfm_table_column(table, i), sfm_table_column(kept, j)) == 0)
          agrees = agrees && codes[i] == wanted[j];
    if (agrees) sum += sfm_release_coefficient(table, k);
  }
  return sum;
}

static void sums_are_those_of_the_cells_that_agree(void **state) {
  (void)state;
  int64_t counts[24];
  for (int i = 0; i < 24; i++) counts[i] = (i * 37) % 29 - 6;
  static const char *const choices[][3] = {
      {"sex"}, {"age"}, {"region", "sex"}, {"age", "region"}, {"age", "sex", "region"}};
  static const size_t sizes[] = {1, 1, 2, 2, 3}, lengths[] = {2, 4, 6, 12, 24},
                      summed[] = {12, 6, 4, 2, 1};
  sfm_release *table =
      crosstable_dense(CROSSTABLE_SEX ", " CROSSTABLE_REGION ", " CROSSTABLE_AGE, "", counts, 24);
  for (size_t k = 0; k < 5; k++) {
    uint64_t from = 0;
    sfm_release *kept = margin(table, &from, sizes[k], choices[k]);
    assert_int_equal(from, 7);
    assert_int_equal(sfm_release_length(kept), lengths[k]);
    assert_int_equal(kept->summed, summed[k]);
    assert_string_equal(sfm_table_column(kept, 0), choices[k][0]);
    for (size_t e = 0; e < lengths[k]; e++)
      assert_true(sfm_release_coefficient(kept, e) == sum_by_hand(table, kept, e));
    assert_true(sfm_release_band(kept).pointwise > 0);
    sfm_release_destroy(kept);
  }
  sfm_release_destroy(table);
}

static void of_margins_the_smallest_is_taken(void **state) {
  (void)state;
  int64_t counts[8 + 6 + 12];
  for (int i = 0; i < 26; i++) counts[i] = i;
  sfm_release *table = crosstable_dense(
      CROSSTABLE_SEX ", " CROSSTABLE_REGION ", " CROSSTABLE_AGE,
      "\"margins\": [[\"sex\", \"age\"], [\"sex\", \"region\"], [\"region\", \"age\"]], ", counts,
      26);
  const char *sex[] = {"sex"}, *swapped[] = {"region", "sex"}, *all[] = {"sex", "region", "age"};
  uint64_t from;
  sfm_release *kept = margin(table, &from, 1, sex);
  assert_int_equal(from, 3);
  assert_int_equal(kept->summed, 3);
  assert_true(sfm_release_coefficient(kept, 0) == 8 + 9 + 10);
  sfm_release_destroy(kept);
  kept = margin(table, &from, 2, swapped);
  assert_int_equal(from, 3);
  assert_int_equal(kept->summed, 1);
  assert_true(sfm_release_coefficient(kept, 1) == 11); /* north, M */
  sfm_release_destroy(kept);
  sfm_error error;
  assert_int_equal(sfm_table_margin_of(&kept, NULL, table, all, 3, &error), SFM_INVALID);
  assert_null(kept);
  sfm_release_destroy(table);
}

/* Noise of the table's law, summed: the stated band holds it as often as it says. */
static void the_band_of_sums_covers(void **state) {
  (void)state;
  enum { TRIALS = 400, CELLS = 24, KEPT = 4 };
  const char *age[] = {"age"};
  sfmi_prng prng;
  size_t all = 0, one = 0;
  sfmi_prng_init(&prng, 5);
  for (int t = 0; t < TRIALS; t++) {
    int64_t counts[CELLS];
    for (int i = 0; i < CELLS; i++) /* the difference of two geometric variables */
      counts[i] = (int64_t)floor(-2 * log(sfmi_prng_uniform(&prng))) -
                  (int64_t)floor(-2 * log(sfmi_prng_uniform(&prng)));
    sfm_release *table = crosstable_dense(CROSSTABLE_SEX ", " CROSSTABLE_REGION ", " CROSSTABLE_AGE,
                                          "", counts, CELLS);
    sfm_release *kept = margin(table, NULL, 1, age);
    const sfm_band band = sfm_release_band(kept);
    double largest = 0;
    for (size_t e = 0; e < KEPT; e++)
      largest = fmax(largest, fabs(sfm_release_coefficient(kept, e)));
    all += largest <= band.half_width;
    one += fabs(sfm_release_coefficient(kept, 0)) <= band.pointwise;
    sfm_release_destroy(kept);
    sfm_release_destroy(table);
  }
  assert_false(binomial_too_few(all, TRIALS, 0.95));
  assert_false(binomial_too_few(one, TRIALS, 0.95));
}

static void a_sparse_table_stays_sparse_without_a_band(void **state) {
  (void)state;
  sfm_release *table = crosstable_make(
      "sparse", "\"columns\": [" CROSSTABLE_SEX ", " CROSSTABLE_REGION ", {\"column\": \"one\", "
                "\"categories\": [\"x\"]}], \"threshold\": 3.5, \"size\": 6, \"occupied\": "
                "4, " CROSSTABLE_BAND
                "\"length\": 4, \"cells\": [0, 2, 3, 5], \"coefficients\": [4, 5, 6, 7]");
  const char *region[] = {"region"}, *same[] = {"region", "sex"};
  sfm_release *kept = margin(table, NULL, 1, region);
  assert_true(sfm_table_sparse(kept));
  assert_int_equal(sfm_release_length(kept), 2);
  assert_int_equal(kept->cells->keys[0], 0);
  assert_int_equal(kept->cells->keys[1], 2);
  assert_true(sfm_release_coefficient(kept, 0) == 10 && sfm_release_coefficient(kept, 1) == 12);
  assert_int_equal(kept->summed, 2);
  assert_true(isinf(sfm_release_band(kept).half_width) && isinf(sfm_release_band(kept).pointwise));
  sfm_release_destroy(kept);
  /* A column of one category may go without loss. */
  kept = margin(table, NULL, 2, same);
  assert_int_equal(sfm_release_length(kept), 4);
  assert_int_equal(kept->summed, 1);
  assert_int_equal(kept->cells->keys[1], 1); /* north, M */
  assert_true(sfm_release_coefficient(kept, 1) == 6);
  assert_true(isfinite(sfm_release_band(kept).half_width));
  sfm_release_destroy(kept);
  sfm_release_destroy(table);
}

static void undeclared_texts_are_added_up(void **state) {
  (void)state;
  sfm_release *table = crosstable_make(
      "undeclared", "\"columns\": [{\"column\": \"job\"}, {\"column\": \"town\"}], \"threshold\": "
                    "10, " CROSSTABLE_BAND
                    "\"length\": 3, \"cells\": [[\"a\", \"z\"], [\"b\", \"y\"], [\"b\", \"z\"]], "
                    "\"coefficients\": [11, 12, 13]");
  const char *town[] = {"town"};
  char text[8];
  sfm_release *kept = margin(table, NULL, 1, town);
  assert_int_equal(sfm_release_length(kept), 2);
  sfm_table_text(kept, text, sizeof text, 0, 0);
  assert_string_equal(text, "y");
  assert_true(sfm_release_coefficient(kept, 0) == 12 && sfm_release_coefficient(kept, 1) == 24);
  sfm_release_destroy(kept);
  sfm_release_destroy(table);
}

static void a_refined_table_has_sums_of_reals(void **state) {
  (void)state;
  sfm_release *table = crosstable_make(
      "laplace", "\"columns\": [" CROSSTABLE_SEX ", " CROSSTABLE_REGION "], \"refined\": "
                 "{\"nonnegative\": true, \"total\": true, \"monotone\": null, \"consistent\": "
                 "true}, \"band\": null, \"length\": 6, \"coefficients\": [0.5, 1, 2, 4, 8, 16]");
  const char *sex[] = {"sex"};
  sfm_release *kept = margin(table, NULL, 1, sex);
  assert_true(sfm_release_refined(kept) && kept->refined.nonnegative && kept->refined.normalised);
  assert_true(sfm_release_coefficient(kept, 0) == 3.5 && sfm_release_coefficient(kept, 1) == 28);
  sfm_release_destroy(kept);
  sfm_release_destroy(table);
}

static void wrong_columns_are_refused(void **state) {
  (void)state;
  const int64_t counts[] = {1, 2};
  const char *none[] = {"height"}, *twice[] = {"sex", "sex"};
  sfm_release *table = crosstable_dense(CROSSTABLE_SEX, "", counts, 2), *kept = NULL;
  sfm_error error;
  assert_int_equal(sfm_table_margin_of(&kept, NULL, table, none, 1, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "no column 'height'; it has sex"));
  assert_int_equal(sfm_table_margin_of(&kept, NULL, table, twice, 2, &error), SFM_INVALID);
  assert_int_equal(sfm_table_margin_of(&kept, NULL, table, twice, 0, &error), SFM_INVALID);
  sfm_release_destroy(table);
}

/* Sums beyond 64 bits have no file. */
static void sums_that_do_not_fit_are_refused(void **state) {
  (void)state;
  sfm_release *table = crosstable_make(
      "laplace", "\"columns\": [" CROSSTABLE_SEX ", " CROSSTABLE_SEX2 "], " CROSSTABLE_BAND
                 "\"length\": 4, \"coefficients\": [\"9223372036854775807\", 1, 0, 0]");
  const char *sex[] = {"sex"};
  sfm_release *kept = NULL;
  sfm_error error;
  assert_int_equal(sfm_table_margin_of(&kept, NULL, table, sex, 1, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "64 bits"));
  sfm_release_destroy(table);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_are_those_of_the_cells_that_agree),
      cmocka_unit_test(of_margins_the_smallest_is_taken),
      cmocka_unit_test(the_band_of_sums_covers),
      cmocka_unit_test(a_sparse_table_stays_sparse_without_a_band),
      cmocka_unit_test(undeclared_texts_are_added_up),
      cmocka_unit_test(a_refined_table_has_sums_of_reals),
      cmocka_unit_test(wrong_columns_are_refused),
      cmocka_unit_test(sums_that_do_not_fit_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
