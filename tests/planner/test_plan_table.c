/* test_plan_table.c - plans of tables: what is predicted is what releases have, on average and 19
 * times in 20, for every form and noise; and the guess is no more than a guess. */
/* suite: release */
#include "table_fixture.h"

#include "sfumato/plan.h"

enum { CELLS = 30, RECORDS = 2000 };

/* Counts of the cells: some large, some small, most none. */
static const int counts[CELLS] = {300, 0, 40, 0, 12, 0, 3, 0, 0, 1};

static char *rows_of(void) {
  char *csv = malloc(16 * RECORDS), *at = csv + sprintf(csv, "x\n");
  for (int cell = 0; cell < CELLS; cell++)
    for (int k = 0; k < counts[cell]; k++) at += sprintf(at, "%d.5\n", cell);
  return csv;
}

static size_t total(void) {
  size_t sum = 0;
  for (int cell = 0; cell < CELLS; cell++) sum += (size_t)counts[cell];
  return sum;
}

static sfm_table_guess truth(double *room) {
  for (int cell = 0; cell < CELLS; cell++) room[cell] = counts[cell];
  return (sfm_table_guess){.counts = room, .count = CELLS};
}

static sfm_plan *plan_of(const table_fixture *t, bool every, const sfm_table_guess *guess,
                         uint64_t rows) {
  sfm_plan *plan = NULL;
  sfm_error error;
  assert_ok(sfm_plan_histogram(&plan, &t->settings, every, guess, rows, &error), &error);
  return plan;
}

/* The l1 error and that of the squares of one release; cells that are not listed are zero. */
static double error_of(const sfm_release *release, double *square) {
  double sum = 0;
  int listed[CELLS] = {0};
  for (size_t e = 0; e < sfm_release_length(release); e++) {
    uint32_t code;
    if (sfm_table_undeclared(release)) {
      char text[64];
      sfm_table_text(release, text, sizeof text, e, 0);
      code = (uint32_t)atoi(text);
    } else
      sfm_table_cell(release, &code, e);
    const double off = sfm_release_coefficient(release, e) - counts[code];
    listed[code] = 1;
    sum += fabs(off);
    *square += off * off;
  }
  for (int cell = 0; cell < CELLS; cell++)
    if (!listed[cell]) {
      sum += counts[cell];
      *square += (double)counts[cell] * counts[cell];
    }
  return sum;
}

static void check(const table_fixture *asked, const char *csv, size_t trials) {
  table_fixture t = *asked;
  t.settings.columns = t.columns;
  double room[CELLS], sum = 0, squares = 0, all = 0;
  size_t inside = 0;
  const sfm_table_guess guess = truth(room);
  sfm_plan *plan = plan_of(&t, false, &guess, total());
  const sfm_plan_entry *entry = sfm_plan_at(plan, 0);
  const sfm_forecast f = entry->predicted;
  t.settings.context.seeded = true;
  for (size_t k = 0; k < trials; k++) {
    t.settings.context.seed = k;
    sfm_release *release = table_fixture_release(&t, csv);
    const double one = error_of(release, &all);
    if (k == 0) {
      const sfm_band band = sfm_release_band(release);
      assert_string_equal(entry->method, sfm_release_method(release));
      if (isfinite(band.half_width))
        assert_relative("band", entry->band.half_width, band.half_width, 1e-9);
      assert_relative("pointwise", entry->band.pointwise, band.pointwise, 1e-9);
    }
    sum += one;
    squares += one * one;
    inside += one >= f.low && one <= f.high;
    sfm_release_destroy(release);
  }
  const double n = (double)trials, mean = sum / n,
               deviation = sqrt((squares / n - mean * mean) / n);
  /* An undeclared table has an error in its occupied cells alone. */
  const double numbers = entry->predicted.total / entry->predicted.each;
  print_message("%-10s epsilon %g: %.4g in [%.4g, %.4g], measured %.4g (%.2g), %zu of %zu inside\n",
                entry->method, t.settings.epsilon, f.total, f.low, f.high, mean, deviation, inside,
                trials);
  assert_near("l1 error", mean, f.total, TEST_Z * deviation + 1e-9 * f.total);
  assert_true(mean >= f.low && mean <= f.high);
  assert_near("its parts", f.privacy + f.truncation, f.total, 1e-9 * f.total);
  assert_relative("relative", f.relative, f.total / (double)total(), 1e-12);
  assert_relative("root mean square", f.deviation, sqrt(all / n / numbers), 0.1);
  assert_false(binomial_too_few(inside, trials, 0.9));
  assert_true(f.absolute && entry->hardened);
  sfm_plan_destroy(plan);
}

static void forecasts_come_true(void **state) {
  const size_t trials = test_long() ? 2000 : 100;
  char *csv = rows_of();
  (void)state;
  for (int neighbours = 0; neighbours < 2; neighbours++)
    for (double epsilon = 0.1; epsilon < 5; epsilon *= 3.7) {
      table_fixture t;
      table_fixture_init(&t, epsilon);
      table_fixture_bins(&t, "x", CELLS, 0, CELLS);
      table_fixture_neighbours(&t, (sfm_neighbours)neighbours, neighbours ? 1 : 2, NULL);
      check(&t, csv, trials);
      t.settings.form = SFM_HISTOGRAM_SPARSE;
      check(&t, csv, trials);
      t.settings.occupied = 6;
      check(&t, csv, trials);
      t.settings.occupied = 0;
      t.settings.form = SFM_HISTOGRAM_DENSE;
      t.settings.noise = SFM_HISTOGRAM_NOISE_NORMAL;
      t.settings.delta = 1e-6;
      check(&t, csv, trials);
      table_fixture_clear(&t);
    }
  free(csv);
}

/* How likely the errors of six cells with noise of ratio r add up to low to high. */
static double likelihood(double r, double low, double high) {
  enum { MOST = 400 };
  double law[MOST] = {1}, next[MOST], one[MOST];
  for (int k = 0; k < MOST; k++) one[k] = (k ? 2 : 1) * pow(r, k) * (1 - r) / (1 + r);
  for (int cell = 0; cell < 6; cell++) {
    for (int k = 0; k < MOST; k++) {
      next[k] = 0;
      for (int j = 0; j <= k; j++) next[k] += law[k - j] * one[j];
    }
    memcpy(law, next, sizeof law);
  }
  double sum = 0;
  for (int k = 0; k < MOST; k++) sum += k >= low && k <= high ? law[k] : 0;
  return sum;
}

/* Also of errors that are mostly none. */
static void intervals_hold_nineteen_of_twenty(void **state) {
  (void)state;
  for (double epsilon = 0.3; epsilon < 60; epsilon *= 1.3) {
    table_fixture t;
    table_fixture_init(&t, epsilon);
    table_fixture_bins(&t, "x", 6, 0, 6);
    const sfm_table_guess guess = {0};
    sfm_plan *plan = plan_of(&t, false, &guess, 500);
    const sfm_forecast f = sfm_plan_at(plan, 0)->predicted;
    const double inside = likelihood(exp(-epsilon / 2), f.low, f.high);
    if (!(inside >= 0.94 && f.total <= f.high + 1e-6))
      fail_msg("epsilon %g: %g in [%g, %g]: %g", epsilon, f.total, f.low, f.high, inside);
    assert_true(f.low == floor(f.low) && f.high == floor(f.high));
    sfm_plan_destroy(plan);
    table_fixture_clear(&t);
  }
}

static void undeclared_forecasts_come_true(void **state) {
  char *csv = rows_of();
  (void)state;
  for (double epsilon = 0.3; epsilon < 5; epsilon *= 3.7) {
    table_fixture t;
    table_fixture_init(&t, epsilon);
    table_fixture_text(&t, "x");
    t.settings.form = SFM_HISTOGRAM_UNDECLARED;
    t.settings.delta = 1e-4;
    check(&t, csv, test_long() ? 2000 : 100);
    table_fixture_clear(&t);
  }
  free(csv);
}

static const sfm_plan_entry *entry_named(const sfm_plan *plan, const char *method, bool occupied) {
  for (size_t i = 0; i < sfm_plan_length(plan); i++) {
    const sfm_plan_entry *e = sfm_plan_at(plan, i);
    bool has = false;
    for (size_t k = 0; k < e->parameter_count; k++)
      has = has || strcmp(e->parameters[k].name, "occupied") == 0;
    if (strcmp(e->method, method) == 0 && has == occupied) return e;
  }
  return NULL;
}

static void every_method_is_listed(void **state) {
  table_fixture t;
  (void)state;
  table_fixture_init(&t, 0.5);
  table_fixture_bins(&t, "x", 65536, 0, 1);
  t.settings.delta = 1e-6;
  const sfm_table_guess guess = {.occupied = 300};
  sfm_plan *plan = plan_of(&t, true, &guess, 100000);
  assert_int_equal(sfm_plan_length(plan), 5);
  for (size_t i = 1; i < 5; i++)
    assert_true(sfm_plan_at(plan, i - 1)->predicted.total <= sfm_plan_at(plan, i)->predicted.total);
  /* 300 cells of 333 records are far above every threshold. */
  const sfm_plan_entry *sparse = entry_named(plan, "sparse", false),
                       *sharp = entry_named(plan, "sparse", true),
                       *laplace = entry_named(plan, "laplace", false);
  assert_true(sparse->predicted.truncation < 1e-6 * sparse->predicted.total);
  assert_relative(
      "sparse: occupied cells alone", sparse->predicted.total,
      300 / sinh(0.25) + 65236 * (45 + 1 / expm1(0.25)) * exp(-45 * 0.25) / (1 + exp(-0.25)), 1e-6);
  assert_true(sharp->predicted.total > sparse->predicted.total);
  assert_relative("laplace", laplace->predicted.total, 65536 / sinh(0.25), 1e-9);
  sfm_plan_destroy(plan);
  table_fixture_clear(&t);
}

/* Without a guess counts are even, and the interval holds those of any table. */
static void no_guess(void **state) {
  static const double one[] = {1}, few[] = {5, 4, 3, 2, 1}, many[] = {1, 1, 1, 1, 1, 1, 1, 1};
  static const struct {
    const double *counts;
    size_t count;
  } tables[] = {{one, 1}, {few, 5}, {many, 8}};
  table_fixture t;
  (void)state;
  table_fixture_init(&t, 0.5);
  table_fixture_bins(&t, "x", 1000, 0, 1);
  t.settings.form = SFM_HISTOGRAM_SPARSE;
  for (uint64_t rows = 1; rows < 1000000; rows *= 10) {
    const sfm_table_guess none = {0};
    sfm_plan *plan = plan_of(&t, false, &none, rows);
    const sfm_forecast f = sfm_plan_at(plan, 0)->predicted;
    for (size_t i = 0; i < 3; i++) {
      const sfm_table_guess guess = {.counts = tables[i].counts, .count = tables[i].count};
      sfm_plan *other = plan_of(&t, false, &guess, rows);
      const double l1 = sfm_plan_at(other, 0)->predicted.total;
      if (!(l1 >= f.low && l1 <= f.high))
        fail_msg("%llu rows, table %zu: %g outside [%g, %g]", (unsigned long long)rows, i, l1,
                 f.low, f.high);
      sfm_plan_destroy(other);
    }
    sfm_plan_destroy(plan);
  }
  table_fixture_clear(&t);
}

/* Below one, the relative error never rises with records or epsilon, and what is
 * needed is enough. */
static void more_is_better(void **state) {
  table_fixture t;
  sfm_error error;
  (void)state;
  table_fixture_init(&t, 0.5);
  table_fixture_bins(&t, "x", 4096, 0, 1);
  for (int form = 0; form < 2; form++) {
    const sfm_table_guess guess = {.occupied = 50};
    double last = INFINITY, rows, epsilon;
    sfm_forecast f;
    t.settings.form = form ? SFM_HISTOGRAM_SPARSE : SFM_HISTOGRAM_DENSE;
    sfm_plan *plan = plan_of(&t, false, &guess, 3000);
    for (double n = 1; n < 1e9; n *= 1.5) {
      assert_ok(sfm_plan_forecast(plan, &f, floor(n), 0.5, &error), &error);
      if (last < 1) assert_true(f.relative <= last * (1 + 1e-9));
      last = f.relative;
    }
    last = INFINITY;
    for (double e = 1e-3; e < 1e3; e *= 1.5) {
      assert_ok(sfm_plan_forecast(plan, &f, 3000, e, &error), &error);
      /* Where the threshold steps, empty cells' error, of a few records in all, does too. */
      if (last < 0.9) assert_true(f.relative <= last + (form ? 20 / (3000 * e) : 0));
      last = f.relative;
    }
    assert_ok(sfm_plan_rows_for(plan, &rows, 0.05, &error), &error);
    assert_ok(sfm_plan_forecast(plan, &f, rows, 0.5, &error), &error);
    assert_true(f.relative <= 0.05);
    assert_ok(sfm_plan_forecast(plan, &f, floor(0.9 * rows), 0.5, &error), &error);
    assert_true(f.relative > 0.05);
    assert_ok(sfm_plan_epsilon_for(plan, &epsilon, 0.05, &error), &error);
    assert_ok(sfm_plan_forecast(plan, &f, 3000, epsilon, &error), &error);
    assert_true(f.relative <= 0.05);
    sfm_plan_destroy(plan);
  }
  table_fixture_clear(&t);
}

static void margins_share_the_budget(void **state) {
  static const uint64_t margins[] = {1, 2, 4};
  const sfm_table_guess none = {0};
  table_fixture t;
  (void)state;
  table_fixture_init(&t, 1);
  table_fixture_categories(&t, "a", 2);
  table_fixture_categories(&t, "b", 3);
  table_fixture_categories(&t, "c", 4);
  t.settings.margins = margins;
  t.settings.margin_count = 3;
  t.settings.delta = 1e-6;
  sfm_plan *plan = plan_of(&t, true, &none, 1000);
  const sfm_plan_entry *laplace = entry_named(plan, "laplace", false);
  assert_relative("nine cells at a third", laplace->predicted.total, 9 / sinh(1.0 / 6), 1e-12);
  assert_relative("of three times the records", laplace->predicted.relative,
                  laplace->predicted.total / 3000, 1e-12);
  assert_non_null(entry_named(plan, "sparse", false)->absent);
  assert_null(entry_named(plan, "normal", false)->absent);
  sfm_plan_destroy(plan);
  table_fixture_clear(&t);
}

static void a_release_takes_the_noise_that_is_planned_best(void **state) {
  static const char *const names[] = {"a", "b", "c", "d", "e"};
  enum { MOST = 30 };
  const sfm_table_guess none = {0};
  uint64_t margins[MOST];
  int normal = 0;
  table_fixture t;
  (void)state;
  table_fixture_init(&t, 1);
  for (size_t i = 0; i < 5; i++) table_fixture_categories(&t, names[i], 2);
  for (size_t i = 0; i < MOST; i++) margins[i] = i + 1;
  t.settings.margins = margins;
  t.settings.delta = 1e-6;
  for (size_t count = 1; count <= MOST; count++) {
    sfm_error error;
    sfmi_design_table table_design;
    t.settings.margin_count = count;
    sfm_plan *plan = plan_of(&t, false, &none, 1000);
    assert_int_equal(sfm_plan_length(plan), 2);
    assert_ok(sfmi_design_table_init(&table_design, &t.settings, &error), &error);
    assert_string_equal(sfm_plan_at(plan, 0)->method, sfmi_method_name(table_design.method));
    normal += table_design.method == SFMI_TABLE_NORMAL;
    sfmi_design_table_clear(&table_design);
    sfm_plan_destroy(plan);
  }
  assert_true(normal > 0 && normal < MOST);
  table_fixture_clear(&t);
}

static void refusals(void **state) {
  static const double wrong[] = {3, -1}, zeros[] = {0, 0};
  const sfm_table_guess none = {0}, bad = {.counts = wrong, .count = 2},
                        empty = {.counts = zeros, .count = 2}, full = {.occupied = 31};
  sfm_plan *plan = NULL;
  sfm_error error;
  table_fixture t;
  (void)state;
  table_fixture_init(&t, 1);
  table_fixture_bins(&t, "x", CELLS, 0, 1);
  assert_int_equal(sfm_plan_histogram(&plan, &t.settings, true, &none, 0, &error), SFM_INVALID);
  assert_int_equal(sfm_plan_histogram(&plan, &t.settings, true, &bad, 9, &error), SFM_INVALID);
  assert_int_equal(sfm_plan_histogram(&plan, &t.settings, true, &empty, 9, &error), SFM_INVALID);
  assert_int_equal(sfm_plan_histogram(&plan, &t.settings, true, &full, 9, &error), SFM_INVALID);
  t.settings.gamma = 0.1;
  assert_int_equal(sfm_plan_histogram(&plan, &t.settings, true, &none, 9, &error), SFM_INVALID);
  t.settings.gamma = 0;
  t.settings.epsilon = 0;
  assert_int_equal(sfm_plan_histogram(&plan, &t.settings, true, &none, 9, &error), SFM_INVALID);
  assert_null(plan);
  table_fixture_clear(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forecasts_come_true),
      cmocka_unit_test(intervals_hold_nineteen_of_twenty),
      cmocka_unit_test(undeclared_forecasts_come_true),
      cmocka_unit_test(every_method_is_listed),
      cmocka_unit_test(no_guess),
      cmocka_unit_test(more_is_better),
      cmocka_unit_test(margins_share_the_budget),
      cmocka_unit_test(a_release_takes_the_noise_that_is_planned_best),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
