/* test_table.c - a table survives its file; its cells are where their codes say; broken files
 * are refused with a message. */
#include "table_files.h"
#include "releases/core/release_write.h"

#include <unistd.h>

/* Written to a file and read back. */
static sfm_release *again(const sfm_release *release) {
  char *bytes = NULL;
  size_t length = 0;
  sfm_release *copy = NULL;
  sfm_error error;
  assert_ok(sfmi_release_print(release, &bytes, &length, &error), &error);
  assert_ok(sfm_release_parse(&copy, bytes, length, "the copy", &error), &error);
  free(bytes);
  return copy;
}

static void assert_same_cells(const sfm_release *a, const sfm_release *b) {
  char one[64], other[64];
  assert_int_equal(sfm_release_length(a), sfm_release_length(b));
  assert_int_equal(sfm_table_columns(a), sfm_table_columns(b));
  assert_int_equal(sfm_table_margins(a), sfm_table_margins(b));
  assert_int_equal(sfm_table_size(a), sfm_table_size(b));
  assert_true(sfm_table_threshold(a) == sfm_table_threshold(b));
  assert_int_equal(sfm_table_sparse(a), sfm_table_sparse(b));
  assert_int_equal(sfm_table_undeclared(a), sfm_table_undeclared(b));
  assert_string_equal(sfm_release_method(a), sfm_release_method(b));
  for (size_t e = 0; e < sfm_release_length(a); e++) {
    assert_true(sfm_release_coefficient(a, e) == sfm_release_coefficient(b, e));
    for (size_t i = 0; i < sfm_table_columns(a); i++) {
      sfm_table_text(a, one, sizeof one, e, i);
      sfm_table_text(b, other, sizeof other, e, i);
      assert_string_equal(one, other);
    }
  }
}

static void assert_text(const sfm_release *release, size_t e, size_t i, const char *wanted) {
  char text[64];
  assert_int_equal(sfm_table_text(release, text, sizeof text, e, i), strlen(wanted));
  assert_string_equal(text, wanted);
}

static void a_dense_table_is_all_of_its_cells(void **state) {
  (void)state;
  const int64_t counts[] = {7, -1, 3, 0, 12, 40, 5, 5, 6, 9, 10, 11};
  sfm_release *release = crosstable_dense(CROSSTABLE_REGION ", " CROSSTABLE_AGE, "", counts, 12);
  sfm_release *copy = again(release);
  uint32_t codes[2] = {2, 1};
  double lower, upper;
  assert_same_cells(release, copy);
  assert_string_equal(sfm_kind_name(sfm_release_kind(copy)), "histogram");
  assert_string_equal(sfm_table_column(copy, 1), "age");
  assert_null(sfm_table_column(copy, 2));
  assert_int_equal(sfm_table_categories(copy, 0), 3);
  assert_int_equal(sfm_table_categories(copy, 2), 0);
  assert_false(sfm_table_bins(copy, &lower, &upper, 0));
  assert_true(sfm_table_bins(copy, &lower, &upper, 1));
  assert_true(lower == 0 && upper == 100);
  assert_int_equal(sfm_table_size(copy), 12);
  assert_int_equal(sfm_table_find(copy, 0, codes), 9);
  assert_true(sfm_release_coefficient(copy, 9) == 9);
  assert_text(copy, 9, 0, "west");
  assert_text(copy, 9, 1, "25:50");
  assert_text(copy, 11, 1, "75:100");
  codes[1] = 4;
  assert_true(sfm_table_find(copy, 0, codes) == SIZE_MAX);
  for (size_t e = 0; e < 12; e++) {
    sfm_table_cell(copy, codes, e);
    assert_int_equal(sfm_table_find(copy, 0, codes), e);
  }
  sfm_release_destroy(copy);
  sfm_release_destroy(release);
}

static void margins_follow_each_other(void **state) {
  (void)state;
  const int64_t counts[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 21};
  sfm_release *release =
      crosstable_dense(CROSSTABLE_SEX ", " CROSSTABLE_REGION ", " CROSSTABLE_AGE,
                       "\"margins\": [[\"region\"], [\"sex\", \"region\"], []], ", counts, 10);
  sfm_release *copy = again(release);
  uint32_t codes[3] = {1, 2, 0};
  assert_same_cells(release, copy);
  assert_int_equal(sfm_table_margins(copy), 3);
  assert_int_equal(sfm_table_margin(copy, 0), 2);
  assert_int_equal(sfm_table_margin(copy, 1), 3);
  assert_int_equal(sfm_table_margin(copy, 2), 0);
  assert_int_equal(sfm_table_find(copy, 0, codes), 2);
  assert_int_equal(sfm_table_find(copy, 1, codes), 8);
  assert_int_equal(sfm_table_find(copy, 2, codes), 9);
  assert_true(sfm_table_find(copy, 3, codes) == SIZE_MAX);
  assert_text(copy, 8, 0, "M");
  assert_text(copy, 8, 1, "west");
  assert_text(copy, 8, 2, "");
  sfm_table_cell(copy, codes, 1);
  assert_true(codes[0] == SFM_NO_CODE && codes[1] == 1 && codes[2] == SFM_NO_CODE);
  sfm_release_destroy(copy);
  sfm_release_destroy(release);
}

/* Cells beyond what a double holds. */
static void a_sparse_table_keeps_large_cells(void **state) {
  (void)state;
  static const char members[] =
      "\"columns\": [{\"column\": \"a\", \"lower\": 0, \"upper\": 1, \"bins\": 2147483648}, "
      "{\"column\": \"b\", \"lower\": 0, \"upper\": 1, \"bins\": 2147483648}], "
      "\"threshold\": 40.5, \"size\": \"4611686018427387904\", \"occupied\": 77, " CROSSTABLE_BAND
      "\"length\": 4, \"cells\": [0, 9007199254740991, \"9007199254740993\", "
      "\"4611686018427387903\"], \"coefficients\": [41, 1000, 52, 77]";
  sfm_release *release = crosstable_make("sparse", members);
  sfm_release *copy = again(release);
  uint32_t codes[2] = {(1u << 31) - 1, (1u << 31) - 1};
  assert_same_cells(release, copy);
  assert_true(sfm_table_sparse(copy));
  assert_true(sfm_table_size(copy) == UINT64_C(1) << 62);
  assert_int_equal(copy->cells->occupied, 77);
  assert_true(copy->cells->keys[2] == UINT64_C(9007199254740993));
  assert_int_equal(sfm_table_find(copy, 0, codes), 3);
  codes[0] = codes[1] = 0;
  assert_int_equal(sfm_table_find(copy, 0, codes), 0);
  codes[1] = 1;
  assert_true(sfm_table_find(copy, 0, codes) == SIZE_MAX);
  sfm_table_cell(copy, codes, 2);
  assert_int_equal(codes[0], 1u << 22);
  assert_int_equal(codes[1], 1);
  sfm_release_destroy(copy);
  sfm_release_destroy(release);
}

static void a_sparse_table_may_be_empty(void **state) {
  (void)state;
  sfm_release *release =
      crosstable_make("sparse", "\"columns\": [" CROSSTABLE_SEX "], \"threshold\": 3, \"size\": 2, "
                                "\"occupied\": null, " CROSSTABLE_BAND
                                "\"length\": 0, \"cells\": [], \"coefficients\": []");
  sfm_release *copy = again(release);
  uint32_t code = 1;
  assert_same_cells(release, copy);
  assert_int_equal(sfm_table_size(copy), 2);
  assert_int_equal(copy->cells->occupied, 0);
  assert_true(sfm_table_find(copy, 0, &code) == SIZE_MAX);
  sfm_release_destroy(copy);
  sfm_release_destroy(release);
}

static void an_undeclared_table_keeps_its_texts(void **state) {
  (void)state;
  sfm_release *release = crosstable_make(
      "undeclared", "\"columns\": [{\"column\": \"job\"}, {\"column\": \"town\"}], \"threshold\": "
                    "20, \"band\": {\"confidence\": 0.95, \"half_width\": null, \"pointwise\": 26, "
                    "\"systematic\": 20}, \"length\": 3, \"cells\": [[\"\", \"\\u00d6\"], "
                    "[\"a,\\\"b\\\"\", \"x\\ny\"], "
                    "[\"b\", \"\"]], \"coefficients\": [21, 22, 1000]");
  sfm_release *copy = again(release);
  uint32_t codes[2] = {0, 0};
  assert_same_cells(release, copy);
  assert_true(sfm_table_undeclared(copy));
  assert_int_equal(sfm_table_size(copy), 0);
  assert_int_equal(sfm_table_categories(copy, 0), 0);
  assert_text(copy, 0, 1, "\u00d6");
  assert_text(copy, 1, 0, "a,\"b\"");
  assert_text(copy, 1, 1, "x\ny");
  sfm_table_cell(copy, codes, 0);
  assert_true(codes[0] == SFM_NO_CODE);
  assert_true(sfm_table_find(copy, 0, codes) == SIZE_MAX);
  assert_true(isinf(sfm_release_band(copy).half_width));
  sfm_release_destroy(copy);
  sfm_release_destroy(release);
}

static void a_refined_table_has_reals_and_no_band(void **state) {
  (void)state;
  sfm_release *release = crosstable_make(
      "normal", "\"columns\": [" CROSSTABLE_AGE "], \"refined\": {\"nonnegative\": true, "
                "\"total\": true, \"monotone\": \"decreasing\", \"consistent\": false}, "
                "\"band\": null, \"length\": 4, \"coefficients\": [7.5, 3.25, 0.125, 0]");
  sfm_release *copy = again(release);
  assert_same_cells(release, copy);
  assert_true(sfm_release_refined(copy));
  assert_true(copy->refined.nonnegative && copy->refined.normalised);
  assert_int_equal(copy->cells->monotone, -1);
  assert_false(copy->cells->consistent);
  assert_true(isnan(sfm_release_band(copy).half_width));
  sfm_release_destroy(copy);
  sfm_release_destroy(release);
}

#define DENSE(columns, length, coefficients)                                                       \
  "\"columns\": [" columns "], " CROSSTABLE_BAND "\"length\": " #length ", \"coefficients\": "     \
  "[" coefficients "]"
#define SPARSE(threshold, length, cells, coefficients)                                             \
  "\"columns\": [" CROSSTABLE_REGION "], \"threshold\": " #threshold ", \"size\": 3, "             \
  "\"occupied\": null, " CROSSTABLE_BAND "\"length\": " #length ", \"cells\": [" cells "], "       \
  "\"coefficients\": [" coefficients "]"

static const struct broken {
  const char *method, *members, *says;
} broken[] = {
    {"laplace", DENSE(CROSSTABLE_SEX, 3, "1, 2, 3"), "3 coefficients where the columns make 2"},
    {"laplace", DENSE(CROSSTABLE_SEX ", " CROSSTABLE_SEX, 4, "1, 2, 3, 4"), "is there twice"},
    {"laplace", DENSE(CROSSTABLE_SEX, 2, "1, 2.5"), "coefficients[1]"},
    {"laplace", DENSE("", 1, "1"), "\"columns\""},
    {"laplace", DENSE("{\"column\": \"a\"}", 1, "1"), "\"lower\""},
    {"laplace", DENSE("{\"column\": \"a\", \"categories\": []}", 1, "1"), "\"categories\""},
    {"laplace", DENSE("{\"column\": \"a\", \"categories\": [1]}", 1, "1"), "\"categories\""},
    {"laplace", DENSE("{\"column\": \"a\", \"lower\": 1, \"upper\": 1, \"bins\": 1}", 1, "1"),
     "lower < upper"},
    {"laplace", DENSE("{\"column\": \"a\", \"lower\": 0, \"upper\": 1, \"bins\": 0}", 1, "1"),
     "\"columns\""},
    {"laplace",
     DENSE("{\"column\": \"a\", \"lower\": 0, \"upper\": 1, \"bins\": 16777217}", 1, "1"),
     "16777216"},
    {"laplace",
     "\"columns\": [" CROSSTABLE_SEX "], \"margins\": [[\"age\"]], " CROSSTABLE_BAND
     "\"length\": 1, \"coefficients\": [1]",
     "\"margins\""},
    {"laplace",
     "\"columns\": [" CROSSTABLE_SEX "], \"margins\": [], " CROSSTABLE_BAND
     "\"length\": 1, \"coefficients\": [1]",
     "\"margins\""},
    {"sparse", SPARSE(3, 2, "1, 1", "4, 5"), "does not follow"},
    {"sparse", SPARSE(3, 2, "2, 1", "4, 5"), "does not follow"},
    {"sparse", SPARSE(3, 1, "3", "4"), "not in the table"},
    {"sparse", SPARSE(3, 1, "-1", "4"), "\"cells\""},
    {"sparse", SPARSE(3, 1, "1", "3"), "not above the threshold"},
    {"sparse", SPARSE(3, 2, "1", "4, 5"), "as long as the coefficients"},
    {"sparse", SPARSE(-3, 1, "1", "4"), "\"threshold\""},
    {"sparse", DENSE(CROSSTABLE_SEX, 2, "4, 5"), "\"threshold\""},
    {"sparse",
     "\"columns\": [" CROSSTABLE_SEX "], \"threshold\": 2, \"size\": 2, \"occupied\": null, "
     "\"refined\": {\"nonnegative\": true, \"total\": true, \"monotone\": null, \"consistent\": "
     "false}, \"band\": null, \"length\": 1, \"cells\": [1], \"coefficients\": [4]",
     "never refined"},
    {"undeclared",
     "\"columns\": [{\"column\": \"job\"}], \"threshold\": 2, " CROSSTABLE_BAND
     "\"length\": 2, \"cells\": [[\"b\"], [\"a\"]], \"coefficients\": [4, 5]",
     "does not follow"},
    {"undeclared",
     "\"columns\": [{\"column\": \"job\"}], \"threshold\": 2, " CROSSTABLE_BAND
     "\"length\": 1, \"cells\": [[\"b\", \"c\"]], \"coefficients\": [4]",
     "one text per column"},
    {"gamma", DENSE(CROSSTABLE_SEX, 2, "1, 2"), "\"method\""},
    {"laplace",
     "\"columns\": [" CROSSTABLE_SEX "], \"refined\": {\"nonnegative\": true}, \"band\": null, "
     "\"length\": 2, \"coefficients\": [1, 2]",
     "\"total\""},
    {"laplace",
     "\"columns\": [" CROSSTABLE_SEX "], \"refined\": {\"nonnegative\": true, \"total\": true, "
     "\"monotone\": \"up\", \"consistent\": false}, \"band\": null, \"length\": 2, "
     "\"coefficients\": [1, 2]",
     "\"monotone\""},
};

static void broken_tables_are_refused_with_a_message(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
    sfm_release *release = NULL;
    sfm_error error = {0};
    const sfm_status status = crosstable_parse(&release, broken[i].method, "discrete-laplace", 2,
                                               broken[i].members, &error);
    if (status != SFM_FORMAT) fail_msg("%zu is accepted, or refused as %d", i, (int)status);
    assert_null(release);
    if (!strstr(error.message, broken[i].says))
      fail_msg("%zu: \"%s\" does not say %s", i, error.message, broken[i].says);
  }
}

/* What the band says of one cell: the least width whose tail is small enough, by summing the law.
 */
static void the_band_is_that_of_the_law(void **state) {
  (void)state;
  const int64_t counts[] = {3, 9};
  sfm_release *release = crosstable_dense(CROSSTABLE_SEX, "", counts, 2);
  const double r = exp(-0.5), most[] = {0.5, 0.9, 0.95, 0.999};
  for (size_t k = 0; k < 4; k++) {
    sfm_band band;
    sfm_error error;
    assert_ok(sfm_release_band_at(release, &band, most[k], &error), &error);
    double inside = (1 - r) / (1 + r), all = inside;
    double one = 0, both = 0;
    while (inside < most[k]) inside += 2 * (1 - r) / (1 + r) * pow(r, ++one);
    while (all * all < most[k]) all += 2 * (1 - r) / (1 + r) * pow(r, ++both);
    assert_true(band.pointwise == one && band.half_width == both && band.systematic == 0);
  }
  sfm_release_destroy(release);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_dense_table_is_all_of_its_cells),
      cmocka_unit_test(margins_follow_each_other),
      cmocka_unit_test(a_sparse_table_keeps_large_cells),
      cmocka_unit_test(a_sparse_table_may_be_empty),
      cmocka_unit_test(an_undeclared_table_keeps_its_texts),
      cmocka_unit_test(a_refined_table_has_reals_and_no_band),
      cmocka_unit_test(broken_tables_are_refused_with_a_message),
      cmocka_unit_test(the_band_is_that_of_the_law),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
