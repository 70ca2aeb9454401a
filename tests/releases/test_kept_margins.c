/* test_kept_margins.c - a refined table keeps its one-way margins and is the nearest that does;
 * rows drawn from a raw table are near the truth, where rows of its counts cut off at zero are not.
 */
/* suite: both */
#include "table_files.h"

#include "releases/refine/kept_margins.h"
#include "sfumato/query.h"
#include "sfumato/refine.h"
#include "sfumato/sample.h"

enum { ROWS = 3, COLUMNS = 2, CELLS = ROWS * COLUMNS };

static sfm_release *refine(const sfm_release *release) {
  const sfm_table_refine_settings settings = sfm_table_refine_settings_default(release);
  sfm_release *out = NULL;
  sfm_error error;
  assert_true(settings.keep_margins);
  assert_ok(sfm_table_refine(&out, release, &settings, &error), &error);
  return out;
}

/* The sums of a table of ROWS x COLUMNS along both columns. */
static void margins_of(double *rows, double *columns, const double *cells) {
  memset(rows, 0, ROWS * sizeof *rows);
  memset(columns, 0, COLUMNS * sizeof *columns);
  for (size_t e = 0; e < CELLS; e++) {
    rows[e / COLUMNS] += cells[e];
    columns[e % COLUMNS] += cells[e];
  }
}

/* A random table without negative cells that has these margins, by raking. */
static void any_table(double *cells, sfmi_prng *prng, const double *rows, const double *columns) {
  for (size_t e = 0; e < CELLS; e++) cells[e] = 0.01 + sfmi_prng_uniform(prng);
  for (int round = 0; round < 2000; round++) {
    double r[ROWS], c[COLUMNS];
    margins_of(r, c, cells);
    for (size_t e = 0; e < CELLS; e++)
      cells[e] *= r[e / COLUMNS] > 0 ? rows[e / COLUMNS] / r[e / COLUMNS] : 0;
    margins_of(r, c, cells);
    for (size_t e = 0; e < CELLS; e++)
      cells[e] *= c[e % COLUMNS] > 0 ? columns[e % COLUMNS] / c[e % COLUMNS] : 0;
  }
}

/* x is the nearest of a convex set to y exactly if (y - x)(z - x) <= 0 for all z of the set. */
static void assert_nearest(const double *x, const double *y, const double *rows,
                           const double *columns, sfmi_prng *prng) {
  for (int t = 0; t < 40; t++) {
    double z[CELLS], slope = 0;
    any_table(z, prng, rows, columns);
    for (size_t e = 0; e < CELLS; e++) slope += (y[e] - x[e]) * (z[e] - x[e]);
    assert_true(slope <= 1e-5);
  }
}

static void the_nearest_with_the_margins_is_found(void **state) {
  (void)state;
  static const int64_t tables[][CELLS] = {
      {40, 6, 12, -3, 0, 7}, {5, -4, -4, 9, 3, 1}, {100, -1, -1, 1, -2, 90}, {1, 2, 3, 4, 5, 6}};
  sfmi_prng prng;
  sfmi_prng_init(&prng, 11);
  for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
    double y[CELLS], x[CELLS], rows[ROWS], columns[COLUMNS], r[ROWS], c[COLUMNS];
    sfm_release *table =
        crosstable_dense(CROSSTABLE_REGION ", " CROSSTABLE_SEX, "", tables[t], CELLS);
    sfm_release *kept = refine(table), *again = refine(kept);
    for (size_t e = 0; e < CELLS; e++) {
      y[e] = (double)tables[t][e];
      x[e] = sfm_release_coefficient(kept, e);
      assert_true(x[e] >= 0);
      assert_true(sfm_release_coefficient(again, e) == x[e]);
    }
    margins_of(rows, columns, y); /* of these tables none is below zero */
    margins_of(r, c, x);
    for (size_t i = 0; i < ROWS; i++) assert_near("row", r[i], rows[i], 1e-6);
    for (size_t i = 0; i < COLUMNS; i++) assert_near("column", c[i], columns[i], 1e-6);
    assert_nearest(x, y, rows, columns, &prng);
    sfm_release_destroy(again);
    sfm_release_destroy(kept);
    sfm_release_destroy(table);
  }
}

/* Margins below zero become the nearest that a table can have. */
static void a_negative_margin_becomes_zero(void **state) {
  (void)state;
  const int64_t counts[CELLS] = {-8, -2, 30, 10, 12, 8};
  sfm_release *table = crosstable_dense(CROSSTABLE_REGION ", " CROSSTABLE_SEX, "", counts, CELLS);
  sfm_release *kept = refine(table);
  double total = 0;
  for (size_t e = 0; e < CELLS; e++) total += sfm_release_coefficient(kept, e);
  assert_near("total", total, 50, 1e-9);
  assert_true(sfm_release_coefficient(kept, 0) == 0 && sfm_release_coefficient(kept, 1) == 0);
  /* 40 and 20 lose 5 each, as -10 becomes 0 */
  assert_near("margin", sfm_release_coefficient(kept, 2) + sfm_release_coefficient(kept, 3), 35,
              1e-6);
  sfm_release_destroy(kept);
  sfm_release_destroy(table);
}

enum { BITS = 10, SIZE = 1 << BITS, PEOPLE = 4000, DRAWN = 40000 };

static const double share[BITS] = {0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.05, 0.1, 0.02, 0.5};

/* Independent answers of so many people, with noise as of epsilon 1 under replace. */
static sfm_release *noisy_table(double truth[BITS]) {
  static int64_t counts[SIZE];
  char columns[BITS * 64] = "";
  sfmi_prng prng;
  sfmi_prng_init(&prng, 5);
  memset(counts, 0, sizeof counts);
  memset(truth, 0, BITS * sizeof *truth);
  for (int k = 0; k < PEOPLE; k++) {
    size_t cell = 0;
    for (size_t i = 0; i < BITS; i++) {
      const bool yes = sfmi_prng_uniform(&prng) < share[i];
      truth[i] += yes / (double)PEOPLE;
      cell = 2 * cell + yes;
    }
    counts[cell]++;
  }
  for (size_t e = 0; e < SIZE; e++) {
    const double u = sfmi_prng_uniform(&prng) - 0.5;
    counts[e] += (int64_t)rint(-2 * copysign(1, u) * log(1 - 2 * fabs(u)));
  }
  for (size_t i = 0; i < BITS; i++)
    snprintf(columns + strlen(columns), sizeof columns - strlen(columns),
             "%s{\"column\": \"c%zu\", \"categories\": [\"0\", \"1\"]}", i ? ", " : "", i);
  return crosstable_dense(columns, "", counts, SIZE);
}

/* The largest distance of a margin of the drawn rows from the truth. */
static double worst_margin(sfm_table_sample *sample, const double truth[BITS]) {
  static size_t cells[DRAWN];
  double worst = 0;
  sfm_table_sample_draw(sample, cells, NULL, DRAWN);
  for (size_t i = 0; i < BITS; i++) {
    double yes = 0;
    for (size_t k = 0; k < DRAWN; k++) yes += (double)(cells[k] >> (BITS - 1 - i) & 1);
    worst = fmax(worst, fabs(yes / DRAWN - truth[i]));
  }
  return worst;
}

/* The noise of a margin has the standard deviation sqrt(512) 2.8 of 4000 people, 1.6 %, and what is
 * drawn 0.25 %: ten margins of a known seed are within 4 %. */
static void drawn_margins_are_near_the_truth(void **state) {
  (void)state;
  double truth[BITS];
  sfm_error error;
  sfm_table_sample *sample = NULL, *raw = NULL;
  sfm_release *table = noisy_table(truth), *refined = refine(table);
  assert_true(sfm_table_sample_refines(table));
  assert_false(sfm_table_sample_refines(refined));
  assert_ok(sfm_table_sample_create(&sample, table, 3, &error), &error);
  assert_ok(sfm_table_sample_create_raw(&raw, table, 3, &error), &error);
  assert_true(worst_margin(sample, truth) < 0.04);
  assert_true(worst_margin(raw, truth) > 0.08); /* of the counts as they are */
  sfm_table_sample_destroy(raw);
  sfm_table_sample_destroy(sample);
  /* of the refined table the same rows */
  size_t some[2][50];
  assert_ok(sfm_table_sample_create(&sample, table, 9, &error), &error);
  assert_ok(sfm_table_sample_create(&raw, refined, 9, &error), &error);
  sfm_table_sample_draw(sample, some[0], NULL, 50);
  sfm_table_sample_draw(raw, some[1], NULL, 50);
  assert_memory_equal(some[0], some[1], sizeof some[0]);
  sfm_table_sample_destroy(raw);
  sfm_table_sample_destroy(sample);
  sfm_release_destroy(refined);
  sfm_release_destroy(table);
}

/* The share of those with value 1 in column i, and in column j where it is another one. */
static double share_of(const sfm_release *release, size_t i, size_t j, bool raw) {
  char names[2][8];
  const char *const yes[] = {"1"};
  double found = NAN;
  sfm_error error;
  snprintf(names[0], sizeof names[0], "c%zu", i);
  snprintf(names[1], sizeof names[1], "c%zu", j);
  const sfm_table_condition conditions[] = {{names[0], yes, 1}, {names[1], yes, 1}};
  assert_ok(sfm_table_share(&found, release, conditions, i == j ? 1 : 2, raw, &error), &error);
  return found;
}

/* Shares of a raw table are those of its refinement, and of rows that are drawn; unless raw. */
static void shares_are_those_of_the_refined_table(void **state) {
  (void)state;
  double truth[BITS];
  sfm_error error;
  sfm_release *table = noisy_table(truth), *refined = refine(table);
  for (size_t i = 0; i < BITS; i++) {
    assert_true(share_of(table, i, i, false) == share_of(refined, i, i, true));
    assert_near("margin", share_of(table, i, i, false), share_of(table, i, i, true), 1e-7);
    assert_near("truth", share_of(table, i, i, false), truth[i], 0.04);
  }
  assert_true(share_of(table, 0, 1, false) == share_of(refined, 0, 1, false));
  assert_true(share_of(table, 0, 1, false) != share_of(table, 0, 1, true));
  const char *const both[] = {"0", "1"}, *const wrong[] = {"2"};
  const sfm_table_condition all = {"c3", both, 2}, none = {"c3", wrong, 1}, other = {"z", both, 2},
                            empty = {"c3", both, 0};
  double found = NAN;
  assert_ok(sfm_table_share(&found, table, &all, 1, false, &error), &error);
  assert_near("all", found, 1, 1e-12);
  assert_ok(sfm_table_share(&found, table, NULL, 0, true, &error), &error);
  assert_near("whole", found, 1, 1e-12);
  assert_int_equal(sfm_table_share(&found, table, &none, 1, false, &error), SFM_INVALID);
  assert_int_equal(sfm_table_share(&found, table, &other, 1, false, &error), SFM_INVALID);
  assert_int_equal(sfm_table_share(&found, table, &empty, 1, false, &error), SFM_INVALID);
  sfm_release_destroy(refined);
  sfm_release_destroy(table);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_nearest_with_the_margins_is_found),
      cmocka_unit_test(a_negative_margin_becomes_zero),
      cmocka_unit_test(drawn_margins_are_near_the_truth),
      cmocka_unit_test(shares_are_those_of_the_refined_table),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
