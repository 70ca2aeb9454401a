/* test_table_refine.c - refined tables are the nearest there are: against the optimality
 * conditions, against all candidates on small tables, and against least squares by normal
 * equations. */
#include "table_files.h"

#include "base/math/linear_algebra.h"
#include "releases/refine/margin_projection.h"
#include "releases/refine/projection.h"
#include "sfumato/refine.h"

static sfm_release *refine(const sfm_release *release, sfm_table_refine_settings settings) {
  sfm_release *out = NULL;
  sfm_error error;
  assert_ok(sfm_table_refine(&out, release, &settings, &error), &error);
  return out;
}

static double total(const sfm_release *release, size_t first, size_t count) {
  double sum = 0;
  for (size_t e = first; e < first + count; e++) sum += sfm_release_coefficient(release, e);
  return sum;
}

/* The squared distance of two sequences. */
static double distance(const double *a, const double *b, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

/* The nearest monotone sequence is constant on runs, with their means: of all 2^(n-1) ways to cut
 * into runs the nearest that is monotone. */
static void nearest_by_enumeration(double *best, const double *y, size_t n, bool positive) {
  double least = INFINITY, x[16];
  for (unsigned cuts = 0; cuts < 1u << (n - 1); cuts++) {
    size_t first = 0;
    for (size_t i = 0; i < n; i++) {
      if (i + 1 < n && !(cuts >> i & 1)) continue;
      double mean = 0;
      for (size_t k = first; k <= i; k++) mean += y[k] / (double)(i + 1 - first);
      if (positive && mean < 0) mean = 0;
      for (size_t k = first; k <= i; k++) x[k] = mean;
      first = i + 1;
    }
    bool rises = true;
    for (size_t i = 1; i < n; i++) rises = rises && x[i - 1] <= x[i];
    if (!rises || distance(x, y, n) >= least) continue;
    least = distance(x, y, n);
    memcpy(best, x, n * sizeof *x);
  }
}

static void isotonic_regression_is_the_nearest(void **state) {
  (void)state;
  sfmi_prng prng;
  sfm_error error;
  sfmi_prng_init(&prng, 7);
  for (int t = 0; t < 60; t++) {
    const size_t n = 1 + (size_t)(t % 11);
    double y[16], x[16], down[16], best[16];
    for (size_t i = 0; i < n; i++) {
      y[i] = floor(6 * sfmi_prng_normal(&prng)) + (double)i;
      x[i] = y[i];
      down[n - 1 - i] = y[i];
    }
    nearest_by_enumeration(best, y, n, false);
    assert_ok(sfmi_isotonic(x, n, 1, &error), &error);
    assert_ok(sfmi_isotonic(down, n, -1, &error), &error);
    for (size_t i = 0; i < n; i++) {
      assert_near("increasing", x[i], best[i], 1e-12);
      assert_near("decreasing", down[n - 1 - i], best[i], 1e-12);
    }
  }
}

/* Of one column, also not negative: its nearest by enumeration. */
static void monotone_and_not_negative_is_the_nearest(void **state) {
  (void)state;
  const int64_t counts[] = {-7, 3, -2, 8};
  double y[4], best[4];
  sfm_release *table = crosstable_dense(CROSSTABLE_AGE, "", counts, 4);
  for (size_t i = 0; i < 4; i++) y[i] = (double)counts[i];
  nearest_by_enumeration(best, y, 4, true);
  sfm_release *up = refine(
      table, (sfm_table_refine_settings){
                 .size = sizeof(sfm_table_refine_settings), .nonnegative = true, .monotone = 1});
  for (size_t i = 0; i < 4; i++)
    assert_near("both", sfm_release_coefficient(up, i), best[i], 1e-12);
  assert_int_equal(sfm_table_refined(up).monotone, 1);
  assert_true(sfm_table_refined(up).nonnegative);
  assert_true(isnan(sfm_release_band(up).half_width));
  sfm_release_destroy(up);
  sfm_release_destroy(table);
}

/* x is the nearest to y with sum T and nothing negative exactly when, for one tau, x = y - tau
 * where it is positive and y <= tau where it is not (the conditions of Karush, Kuhn and Tucker). */
static void assert_nearest(const sfm_release *x, const int64_t *y, size_t n, double wanted) {
  double tau = NAN, sum = 0;
  for (size_t i = 0; i < n; i++)
    if (sfm_release_coefficient(x, i) > 0) tau = (double)y[i] - sfm_release_coefficient(x, i);
  for (size_t i = 0; i < n; i++) {
    const double value = sfm_release_coefficient(x, i);
    sum += value;
    assert_true(value >= 0);
    if (value > 0)
      assert_near("tau", (double)y[i] - value, tau, 1e-9);
    else
      assert_true((double)y[i] <= tau + 1e-9);
  }
  assert_near("total", sum, wanted, 1e-9 * fmax(1, wanted));
}

static void tables_with_a_total_are_the_nearest(void **state) {
  (void)state;
  const int64_t counts[] = {40, -6, 12, -3, 0, 7};
  sfm_release *table = crosstable_dense(CROSSTABLE_SEX ", " CROSSTABLE_REGION, "", counts, 6);
  sfm_table_refine_settings both = {
      .size = sizeof(sfm_table_refine_settings), .nonnegative = true, .total = true};
  sfm_release *kept = refine(table, both);
  assert_nearest(kept, counts, 6, 50);
  sfm_release *again = refine(kept, both);
  for (size_t e = 0; e < 6; e++)
    assert_true(sfm_release_coefficient(again, e) == sfm_release_coefficient(kept, e));
  sfm_release_destroy(again);
  sfm_release_destroy(kept);
  both.stated = 90;
  kept = refine(table, both);
  assert_nearest(kept, counts, 6, 90);
  sfm_release_destroy(kept);
  both.nonnegative = false; /* the same to every cell */
  kept = refine(table, both);
  for (size_t e = 0; e < 6; e++)
    assert_near("shift", sfm_release_coefficient(kept, e), (double)counts[e] + 40 / 6.0, 1e-12);
  sfm_release_destroy(kept);
  kept = refine(table, (sfm_table_refine_settings){.size = sizeof(sfm_table_refine_settings),
                                                   .nonnegative = true});
  for (size_t e = 0; e < 6; e++)
    assert_true(sfm_release_coefficient(kept, e) == fmax((double)counts[e], 0));
  sfm_release_destroy(kept);
  sfm_release_destroy(table);
}

static void a_negative_total_leaves_nothing(void **state) {
  (void)state;
  const int64_t counts[] = {3, -9};
  sfm_release *table = crosstable_dense(CROSSTABLE_SEX, "", counts, 2);
  sfm_release *kept = refine(
      table, (sfm_table_refine_settings){
                 .size = sizeof(sfm_table_refine_settings), .nonnegative = true, .total = true});
  assert_true(sfm_release_coefficient(kept, 0) == 0 && sfm_release_coefficient(kept, 1) == 0);
  sfm_release_destroy(kept);
  sfm_release_destroy(table);
}

enum { FACTORS = 4, TABLE = 2 * 3 * 4 * 2 };

/* Margins of sex, region, age, other. */
#define FOUR CROSSTABLE_SEX ", " CROSSTABLE_REGION ", " CROSSTABLE_AGE ", " CROSSTABLE_SEX2
static const struct margins {
  const char *json;
  size_t length;
} sets[] = {
    {"\"margins\": [[\"sex\"], [\"region\"], [\"age\"]], ", 9},
    {"\"margins\": [[\"sex\", \"region\"], [\"region\", \"age\"], [\"sex\", \"age\"]], ", 26},
    {"\"margins\": [[\"sex\", \"region\", \"other\"], [\"age\", \"other\"], [\"region\"], []], ",
     24},
    {"\"margins\": [[\"sex\", \"region\", \"age\", \"other\"], [\"sex\", \"age\"]], ", 56},
    {"\"margins\": [[\"sex\", \"other\"], [\"sex\", \"other\"], [\"age\"]], ", 12},
};
enum { SETS = sizeof sets / sizeof sets[0] };

static sfm_release *random_margins(size_t k, sfmi_prng *prng, double level) {
  int64_t counts[64];
  for (size_t e = 0; e < sets[k].length; e++)
    counts[e] = (int64_t)floor(level + 9 * sfmi_prng_normal(prng));
  return crosstable_dense(FOUR, sets[k].json, counts, sets[k].length);
}

/* Row e: which cells of the whole table are in cell e of the margins. */
static void design(double *rows, const sfm_release *release) {
  const size_t sizes[FACTORS] = {2, 3, 4, 2};
  uint32_t codes[FACTORS];
  for (size_t e = 0; e < sfm_release_length(release); e++) {
    sfm_table_cell(release, codes, e);
    for (size_t c = 0; c < TABLE; c++) {
      size_t rest = c;
      bool in = true;
      for (size_t i = FACTORS; i-- > 0; rest /= sizes[i])
        in = in && (codes[i] == SFM_NO_CODE || codes[i] == rest % sizes[i]);
      rows[e * TABLE + c] = in;
    }
  }
}

/* The projection of y on the columns of the design, by eigenvectors of A A'. */
static void least_squares(double *out, const sfm_release *release) {
  const size_t n = sfm_release_length(release);
  double *rows = calloc(n * TABLE, sizeof *rows), *gram = calloc(n * n, sizeof *gram),
         *values = calloc(n, sizeof *values);
  sfm_error error;
  design(rows, release);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      for (size_t c = 0; c < TABLE; c++)
        gram[i * n + j] += rows[i * TABLE + c] * rows[j * TABLE + c];
  assert_ok(sfmi_symmetric_eigen(gram, values, n, &error), &error);
  for (size_t i = 0; i < n; i++) out[i] = 0;
  for (size_t k = 0; k < n; k++) {
    double along = 0;
    if (values[k] < 1e-9 * values[n - 1]) continue;
    for (size_t i = 0; i < n; i++) along += gram[k * n + i] * sfm_release_coefficient(release, i);
    for (size_t i = 0; i < n; i++) out[i] += along * gram[k * n + i];
  }
  free(values);
  free(gram);
  free(rows);
}

static void consistent_margins_are_least_squares(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 11);
  for (size_t k = 0; k < SETS; k++) {
    double wanted[64];
    sfm_release *release = random_margins(k, &prng, 20);
    sfm_release *made =
        refine(release, (sfm_table_refine_settings){.size = sizeof(sfm_table_refine_settings),
                                                    .consistent = true});
    least_squares(wanted, release);
    for (size_t e = 0; e < sets[k].length; e++)
      assert_near("margin", sfm_release_coefficient(made, e), wanted[e], 1e-9);
    assert_true(sfm_table_refined(made).consistent);
    sfm_release_destroy(made);
    sfm_release_destroy(release);
  }
}

/* Whether what two margins say of the columns they share is the same. */
static void assert_agreement(const sfm_release *release) {
  double wanted[64];
  least_squares(wanted, release); /* the nearest that agree are these themselves */
  for (size_t e = 0; e < sfm_release_length(release); e++)
    assert_near("agree", sfm_release_coefficient(release, e), wanted[e], 1e-8);
}

/* Nothing that agrees and is not negative is nearer: tried with random tables. */
static void assert_no_nearer(const sfm_release *made, const sfm_release *release, double wanted,
                             sfmi_prng *prng) {
  const size_t n = sfm_release_length(release);
  double *rows = calloc(n * TABLE, sizeof *rows), x[64], y[64];
  design(rows, release);
  for (size_t e = 0; e < n; e++) {
    x[e] = sfm_release_coefficient(made, e);
    y[e] = sfm_release_coefficient(release, e);
  }
  for (int t = 0; t < 200; t++) {
    double cells[TABLE], sum = 0, slope = 0;
    for (size_t c = 0; c < TABLE; c++) sum += cells[c] = sfmi_prng_gamma(prng, 1 + t % 3);
    for (size_t e = 0; e < n; e++) {
      double z = 0;
      for (size_t c = 0; c < TABLE; c++)
        z += rows[e * TABLE + c] * cells[c] * (wanted > 0 ? wanted / sum : t % 2 ? 1 : 0.1);
      slope += (x[e] - y[e]) * (z - x[e]); /* of the distance, from x towards z */
    }
    if (slope < -1e-5 * (1 + wanted)) fail_msg("towards a table it falls by %g", slope);
  }
  free(rows);
}

static void nothing_negative_that_agrees_is_nearer(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 13);
  for (size_t k = 0; k < SETS; k++) {
    for (int stated = 0; stated < 2; stated++) {
      sfm_table_refine_settings all = {.size = sizeof(sfm_table_refine_settings),
                                       .nonnegative = true,
                                       .consistent = true,
                                       .total = true,
                                       .stated = stated ? 150 : 0};
      sfm_release *release = random_margins(k, &prng, 4);
      sfm_release *made = refine(release, all);
      size_t first = sfm_release_length(release);
      uint32_t codes[FACTORS] = {0};
      if (sfm_table_margins(release) > 1) first = sfm_table_find(release, 1, codes);
      const double sum = total(made, 0, first);
      for (size_t e = 0; e < sets[k].length; e++)
        assert_true(sfm_release_coefficient(made, e) >= 0);
      assert_agreement(made);
      if (stated) assert_near("total", sum, 150, 1e-8);
      assert_no_nearer(made, release, sum, &prng);
      sfm_release_destroy(made);
      sfm_release_destroy(release);
    }
  }
}

/* What is dense and large is done without the whole table: all three-way margins of 16 columns. */
static void many_margins_agree(void **state) {
  (void)state;
  enum { COLUMNS = 16, MARGINS = COLUMNS * (COLUMNS - 1) * (COLUMNS - 2) / 6 };
  sfmi_cells *cells = sfmi_cells_create(COLUMNS);
  sfmi_margin_projection *projection = NULL;
  sfm_error error;
  size_t length, m = 0;
  static const char *const labels[] = {"no", "yes"};
  cells->margins = sfmi_alloc(MARGINS, sizeof *cells->margins);
  for (size_t i = 0; i < COLUMNS; i++) {
    cells->factors[i].name = sfmi_copy_string("x");
    assert_true(sfmi_factor_set_labels(&cells->factors[i], labels, 2));
    for (size_t j = 0; j < i; j++)
      for (size_t k = 0; k < j; k++)
        cells->margins[m++] = UINT64_C(1) << i | UINT64_C(1) << j | UINT64_C(1) << k;
  }
  cells->margin_count = MARGINS;
  assert_true(sfmi_cells_set_starts(cells, &length));
  assert_int_equal(length, 8 * MARGINS);
  double *values = calloc(length, sizeof *values);
  sfmi_prng prng;
  sfmi_prng_init(&prng, 17);
  for (size_t e = 0; e < length; e++) values[e] = 10 + 20 * sfmi_prng_normal(&prng);
  assert_ok(sfmi_margin_projection_create(&projection, cells, &error), &error);
  assert_ok(sfmi_margin_projection_apply_nonnegative(projection, values, NULL, &error), &error);
  /* One-way sums of the first column from all margins that have it. */
  double seen = NAN;
  for (m = 0; m < MARGINS; m++) {
    double sum = 0;
    if (!(cells->margins[m] & 1)) continue;
    for (size_t e = cells->starts[m]; e < cells->starts[m] + 4; e++) sum += values[e];
    for (size_t e = cells->starts[m]; e < cells->starts[m + 1]; e++) assert_true(values[e] >= 0);
    if (isnan(seen)) seen = sum;
    assert_near("first column", sum, seen, 1e-6);
  }
  free(values);
  sfmi_margin_projection_destroy(projection);
  sfmi_cells_destroy(cells, 0);
}

/* Margins by themselves keep their own totals. */
static void margins_one_by_one(void **state) {
  (void)state;
  const int64_t counts[] = {9, -2, 4, 5, -1};
  sfm_release *table = crosstable_dense(CROSSTABLE_SEX ", " CROSSTABLE_REGION,
                                        "\"margins\": [[\"sex\"], [\"region\"]], ", counts, 5);
  sfm_release *made = refine(
      table, (sfm_table_refine_settings){
                 .size = sizeof(sfm_table_refine_settings), .nonnegative = true, .total = true});
  assert_near("sex", total(made, 0, 2), 7, 1e-12);
  assert_near("region", total(made, 2, 3), 8, 1e-12);
  sfm_release_destroy(made);
  made = refine(table, sfm_table_refine_settings_default(table));
  assert_near("both", total(made, 0, 2), total(made, 2, 3), 1e-9);
  /* Weighted by the noise of a sum: (7/2 + 8/3)/(1/2 + 1/3). */
  assert_near("least squares", total(made, 0, 2), (7 / 2.0 + 8 / 3.0) / (1 / 2.0 + 1 / 3.0), 1e-9);
  sfm_release_destroy(made);
  sfm_release_destroy(table);
}

static void what_makes_no_sense_is_refused(void **state) {
  (void)state;
  const int64_t counts[] = {1, 2, 3, 4, 5, 6};
  sfm_release *two = crosstable_dense(CROSSTABLE_SEX ", " CROSSTABLE_REGION, "", counts, 6);
  sfm_release *sparse =
      crosstable_make("sparse", "\"columns\": [" CROSSTABLE_SEX "], \"threshold\": 3, \"size\": 2, "
                                "\"occupied\": null, " CROSSTABLE_BAND
                                "\"length\": 1, \"cells\": [1], \"coefficients\": [5]");
  enum { SIZE = sizeof(sfm_table_refine_settings) };
  static const sfm_table_refine_settings wrong[] = {{.size = SIZE},
                                                    {.size = SIZE, .monotone = 1},
                                                    {.size = SIZE, .consistent = true},
                                                    {.size = SIZE, .total = true, .stated = -1},
                                                    {.size = SIZE, .total = true, .stated = NAN}};
  sfm_release *out = NULL;
  sfm_error error;
  for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++)
    assert_int_equal(sfm_table_refine(&out, two, &wrong[k], &error), SFM_INVALID);
  const sfm_table_refine_settings usual = {.size = sizeof(sfm_table_refine_settings),
                                           .nonnegative = true};
  assert_int_equal(sfm_table_refine(&out, sparse, &usual, &error), SFM_INVALID);
  assert_null(out);
  sfm_release_destroy(sparse);
  sfm_release_destroy(two);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(isotonic_regression_is_the_nearest),
      cmocka_unit_test(monotone_and_not_negative_is_the_nearest),
      cmocka_unit_test(tables_with_a_total_are_the_nearest),
      cmocka_unit_test(a_negative_total_leaves_nothing),
      cmocka_unit_test(consistent_margins_are_least_squares),
      cmocka_unit_test(nothing_negative_that_agrees_is_nearer),
      cmocka_unit_test(many_margins_agree),
      cmocka_unit_test(margins_one_by_one),
      cmocka_unit_test(what_makes_no_sense_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
