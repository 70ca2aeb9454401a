/* test_range.c - private quantiles: their law, their privacy computed exactly on small grids, what
 * they are good for, what is refused, and their file. */
/* suite: release */
#include "random/sampler_checks.h"

#include <unistd.h>

#include "range_fixture.h"
#include "releases/core/release_data.h"
#include "releases/core/release_write.h"
#include "ledger_fixture.h"

/* --- The law. --- */

enum { DRAWS = 6000 };

/* Two quantiles on five cells, from rows of which some are not numbers: all pairs in order. */
static double law_tested(double claimed) {
  static const double values[] = {0, 0.5, 1, 3, 3, NAN, 2.5, 4, 9, INFINITY, 1.5};
  range_fixture t;
  sfmi_design_range range_design;
  sfmi_dyadic_rate rates[2];
  double masses[2][5], pairs[25] = {0};
  uint64_t seen[25] = {0};
  range_fixture_init(&t, 0, 4, 1, claimed);
  range_fixture_two(&t, 0.2, 0.7);
  range_fixture_design(&t, &range_design, rates);
  sfmi_ranks ranks = range_fixture_ranks(&t, &range_design, values, 11);
  assert_int_equal(ranks.below[4], 9);
  for (int k = 0; k < 2; k++)
    range_fixture_law(masses[k], &ranks, range_design.quantiles[k], rates[k]);
  for (size_t i = 0; i < 5; i++)
    for (size_t j = 0; j < 5; j++)
      pairs[5 * (i < j ? i : j) + (i < j ? j : i)] += masses[0][i] * masses[1][j];
  sfmi_ranks_clear(&ranks);
  t.settings.epsilon = 2;
  t.settings.context.seeded = true;
  for (uint64_t draw = 0; draw < DRAWS; draw++) {
    t.settings.context.seed = draw;
    sfm_release *release = range_fixture_release(&t, values, 11);
    seen[5 * release->integers[0] + release->integers[1]]++;
    sfm_release_destroy(release);
  }
  range_fixture_clear(&t);
  return chi_square(seen, pairs, 25, DRAWS);
}

static void releases_follow_the_law(void **state) {
  (void)state;
  assert_true(law_tested(2) <= 1);
  assert_true(law_tested(2.6) > 1);
}

/* --- Privacy, exactly. --- */

/* The largest log ratio of the masses of one quantile. */
static double loss_between(const range_fixture *t, const double *one, size_t ones,
                           const double *two, size_t twos) {
  sfmi_design_range range_design;
  sfmi_dyadic_rate rate;
  double a[64], b[64], most = 0;
  range_fixture_design(t, &range_design, &rate);
  sfmi_ranks first = range_fixture_ranks(t, &range_design, one, ones),
             second = range_fixture_ranks(t, &range_design, two, twos);
  assert_true(first.cells <= 64);
  range_fixture_law(a, &first, range_design.quantiles[0], rate);
  range_fixture_law(b, &second, range_design.quantiles[0], rate);
  for (size_t i = 0; i < first.cells; i++) most = fmax(most, fabs(log(a[i] / b[i])));
  sfmi_ranks_clear(&first);
  sfmi_ranks_clear(&second);
  return most;
}

static double any_value(sfmi_prng *prng) {
  const double u = sfmi_prng_uniform(prng);
  return u < 0.1   ? NAN
         : u < 0.3 ? floor(3 * sfmi_prng_uniform(prng))
         : u < 0.5 ? 63
         : u < 0.6 ? 1e9
                   : 63 * sfmi_prng_uniform(prng);
}

/* Random neighbours, few rows: the exact privacy loss comes near epsilon and never passes it. */
static void search(sfm_neighbours neighbours, uint32_t changed, double quantile, double reach) {
  enum { MOST = 12 };
  range_fixture t;
  sfmi_prng prng;
  double most = 0;
  range_fixture_init(&t, 0, 63, 1, 1);
  range_fixture_neighbours(&t, neighbours, changed, false);
  t.quantiles[0] = quantile;
  sfmi_prng_init(&prng, changed);
  const bool replace = neighbours == SFM_NEIGHBOURS_REPLACE;
  for (int round = 0; round < 2000; round++) {
    double one[MOST], two[MOST];
    const size_t count = changed + (size_t)(sfmi_prng_uniform(&prng) * (MOST - changed));
    for (size_t r = 0; r < count; r++) one[r] = two[r] = any_value(&prng);
    for (size_t r = 0; replace && r < changed; r++) two[r] = any_value(&prng);
    t.settings.outside = round % 2 ? SFM_OUTSIDE_DROP : SFM_OUTSIDE_CLAMP;
    most = fmax(most, loss_between(&t, one, count, two, replace ? count : count - changed));
    assert_true(most <= 1);
  }
  if (most < reach) fail_msg("the search found %g of an epsilon of 1, not %g", most, reach);
  range_fixture_clear(&t);
}

static void the_exact_privacy_loss_stays_below_epsilon(void **state) {
  (void)state;
  search(SFM_NEIGHBOURS_REPLACE, 1, 0.5, 0.9);
  search(SFM_NEIGHBOURS_REPLACE, 1, 0.01, 0.5);
  search(SFM_NEIGHBOURS_REPLACE, 3, 0.3, 0.7);
  search(SFM_NEIGHBOURS_ADD_REMOVE, 1, 0.5, 0.9);
  search(SFM_NEIGHBOURS_ADD_REMOVE, 1, 0.9, 0.6);
  search(SFM_NEIGHBOURS_ADD_REMOVE, 2, 0.5, 0.8);
}

/* A person has at most two records that count. */
static void a_person_moves_no_more_than_stated(void **state) {
  (void)state;
  enum { PEOPLE = 4, RECORDS = 12 };
  range_fixture t;
  sfmi_prng prng;
  double most = 0;
  range_fixture_init(&t, 0, 63, 1, 1);
  range_fixture_neighbours(&t, SFM_NEIGHBOURS_REPLACE, 2, true);
  sfmi_prng_init(&prng, 5);
  for (int round = 0; round < 2000; round++) {
    double one[2 * RECORDS], two[2 * RECORDS];
    for (size_t r = 0; r < RECORDS; r++) {
      one[2 * r] = two[2 * r] = any_value(&prng);
      one[2 * r + 1] = two[2 * r + 1] = floor(PEOPLE * sfmi_prng_uniform(&prng));
      if (one[2 * r + 1] == 0) two[2 * r] = any_value(&prng); /* the one who changes */
    }
    most = fmax(most, loss_between(&t, one, RECORDS, two, RECORDS));
    assert_true(most <= 1);
  }
  assert_true(most > 0.8);
  range_fixture_clear(&t);
}

/* --- Use. --- */

enum { PEOPLE = 20000 };

static double *incomes(void) {
  static double values[PEOPLE];
  sfmi_prng prng;
  sfmi_prng_init(&prng, 11);
  for (size_t i = 0; i < PEOPLE; i++)
    values[i] = i % 10 == 0 ? 0 : exp(10.3 + 0.8 * sfmi_prng_normal(&prng));
  return values;
}

static void the_interval_holds_the_share_asked_for(void **state) {
  (void)state;
  const double *values = incomes();
  range_fixture t;
  range_fixture_init(&t, -1e5, 1e7, 0, 1);
  range_fixture_two(&t, 0.05, 0.99);
  for (uint64_t seed = 0; seed < 5; seed++) {
    size_t inside = 0;
    t.settings.context.seeded = true;
    t.settings.context.seed = seed;
    sfm_release *release = range_fixture_release(&t, values, PEOPLE);
    const double lower = sfm_release_coefficient(release, 0),
                 upper = sfm_release_coefficient(release, 1);
    /* 5 % lie among the tenth that is 0. */
    assert_true(lower <= 0 && lower >= -2 * release->step);
    for (size_t i = 0; i < PEOPLE; i++) inside += values[i] >= lower && values[i] < upper;
    assert_near("share", (double)inside / PEOPLE, 0.99, 0.004);
    sfm_release_destroy(release);
  }
  range_fixture_clear(&t);
}

/* By how many rows ranks miss, as the definition has it: the band holds at its confidence. */
static void ranks_are_within_the_band(void **state) {
  (void)state;
  const double *values = incomes();
  range_fixture t;
  size_t held = 0, tries = 200;
  range_fixture_init(&t, 0, 1e6, 10, 0.5);
  range_fixture_two(&t, 0.3, 0.6);
  t.settings.context.confidence = 0.6;
  t.settings.context.seeded = true;
  double widest = 0;
  for (size_t k = 0; k < tries; k++) {
    double off = 0;
    t.settings.context.seed = k;
    sfm_release *release = range_fixture_release(&t, values, 5000);
    for (size_t i = 0; i < 2; i++) {
      const double from = sfm_release_coefficient(release, i);
      double below = 0, upto = 0;
      for (size_t r = 0; r < 5000; r++) {
        below += values[r] < from;
        upto += values[r] < from + release->step;
      }
      const double rank = sfm_release_quantile(release, i) * 5000;
      off = fmax(off, fmax(below - rank, rank - upto));
    }
    held += off <= sfm_release_band(release).half_width;
    widest = fmax(widest, off / sfm_release_band(release).half_width);
    sfm_release_destroy(release);
  }
  assert_false(binomial_too_few(held, tries, 0.6));
  assert_true(widest > 0.3); /* not out of all proportion */
  range_fixture_clear(&t);
}

static void missing_rows_count_nowhere(void **state) {
  (void)state;
  static double holes[2 * PEOPLE];
  const double *values = incomes();
  range_fixture t;
  for (size_t i = 0; i < PEOPLE; i++) {
    holes[2 * i] = values[i];
    holes[2 * i + 1] = i % 2 ? NAN : 1e300;
  }
  range_fixture_init(&t, 0, 1e6, 0, 1);
  range_fixture_two(&t, 0.2, 0.9);
  t.settings.outside = SFM_OUTSIDE_DROP;
  t.settings.context.seeded = true;
  sfm_release *plain = range_fixture_release(&t, values, PEOPLE),
              *mixed = range_fixture_release(&t, holes, 2 * PEOPLE);
  assert_memory_equal(plain->integers, mixed->integers, 2 * sizeof *plain->integers);
  sfm_release_destroy(plain);
  sfm_release_destroy(mixed);
  range_fixture_clear(&t);
}

static void no_rows_at_all_have_an_answer_under_add_remove(void **state) {
  (void)state;
  static const double nothing[] = {NAN};
  range_fixture t;
  range_fixture_init(&t, 0, 8, 1, 1);
  range_fixture_neighbours(&t, SFM_NEIGHBOURS_ADD_REMOVE, 1, false);
  sfm_release *release = range_fixture_release(&t, nothing, 0);
  assert_false(release->has_rows);
  sfm_release_destroy(release);
  release = range_fixture_release(&t, nothing, 1);
  sfm_release_destroy(release);
  range_fixture_clear(&t);
}

/* --- Settings. --- */

static void integer_columns_have_whole_numbers(void **state) {
  (void)state;
  sfm_error error;
  range_fixture t;
  sfmi_design_range range_design;
  static const char text[] =
      "{\"fields\": [{\"name\": \"a\", \"type\": \"integer\", \"constraints\": {\"minimum\": 0, "
      "\"maximum\": 100}}]}";
  range_fixture_init(&t, 0, 100, 0, 1);
  assert_ok(sfmi_design_range_init(&range_design, &t.settings, &error), &error);
  assert_true(range_design.grid.step == 0x1p-14 && range_design.grid.cells >= 1 << 20);
  sfm_schema_destroy(t.schema);
  assert_ok(sfm_schema_parse(&t.schema, text, strlen(text), "schema", &error), &error);
  t.settings.context.schema = t.schema;
  assert_ok(sfmi_design_range_init(&range_design, &t.settings, &error), &error);
  assert_true(range_design.grid.step == 1 && range_design.grid.cells == 101);
  t.settings.resolution = 0.3;
  assert_ok(sfmi_design_range_init(&range_design, &t.settings, &error), &error);
  assert_true(range_design.grid.step == 0.25);
  range_fixture_clear(&t);
}

static void any_limits_make_a_grid(void **state) {
  (void)state;
  static const double limits[][2] = {{0, 1},          {-1e-200, 1e-200}, {1e15, 1e15 + 8},
                                     {-1e250, 1e250}, {-3, 1e-300},      {1 - 0x1p-40, 1.5},
                                     {0, 1e7}};
  for (size_t i = 0; i < 7; i++) {
    sfm_error error;
    range_fixture t;
    sfmi_design_range range_design;
    range_fixture_init(&t, limits[i][0], limits[i][1], 0, 1);
    assert_ok(sfmi_design_range_init(&range_design, &t.settings, &error), &error);
    const double first = (double)range_design.grid.first,
                 last = first + (double)(range_design.grid.cells - 1);
    assert_true(first * range_design.grid.step >= limits[i][0]);
    assert_true(last * range_design.grid.step <= limits[i][1]);
    assert_true(i == 2 || range_design.grid.cells >= 1 << 20);
    range_fixture_clear(&t);
  }
}

static void refused(range_fixture *t, const char *part) {
  sfm_error error = {0};
  sfm_release *release;
  static const double values[] = {1, 2, 3};
  sfm_rows *rows = range_fixture_rows(t, values, 3);
  assert_int_equal(sfm_range_release(&release, rows, &t->settings, &error), SFM_INVALID);
  assert_null(release);
  if (!strstr(error.message, part)) fail_msg("\"%s\" is not in: %s", part, error.message);
  sfm_rows_destroy(rows);
}

static void wrong_settings_are_refused(void **state) {
  (void)state;
  range_fixture t, good;
  range_fixture_init(&t, 0, 1e7, 0, 1);
  good = t;
#define WRONG(change, part)                                                                        \
  do {                                                                                             \
    t = good;                                                                                      \
    t.settings.quantiles = t.quantiles;                                                            \
    change;                                                                                        \
    refused(&t, part);                                                                             \
  } while (0)
  WRONG(t.settings.epsilon = 0, "epsilon");
  WRONG(t.settings.epsilon = NAN, "epsilon");
  WRONG(t.settings.epsilon = 1e4, "epsilon");
  WRONG(t.quantiles[0] = 0, "between 0 and 1");
  WRONG(t.quantiles[0] = 1, "between 0 and 1");
  WRONG(t.quantiles[0] = NAN, "between 0 and 1");
  WRONG(t.quantiles[0] = 1e-9, "between 0 and 1");
  WRONG(range_fixture_two(&t, 0.9, 0.1), "ascending");
  WRONG(range_fixture_two(&t, 0.9, 0.9), "ascending");
  WRONG(range_fixture_two(&t, 0.9, 0.9000000001), "ascending");
  WRONG(t.settings.count = 0, "quantiles");
  WRONG(t.settings.count = 65, "quantiles");
  WRONG(t.settings.resolution = -1, "resolution");
  WRONG(t.settings.resolution = INFINITY, "resolution");
  WRONG(t.settings.resolution = 0.1, "too fine");
  WRONG(t.settings.resolution = 1e-300, "too fine");
  WRONG(t.settings.resolution = 1e7, "too coarse");
  WRONG(t.settings.context.confidence = 1, "confidence");
  WRONG(t.settings.column = "z", "z");
  WRONG(t.settings.context.schema = NULL, "schema");
#undef WRONG
  range_fixture_clear(&good);
}

static void extremes_of_epsilon_and_contributions_are_decided_in_public(void **state) {
  (void)state;
  range_fixture t;
  static const double values[] = {1, 2, 3};
  range_fixture_init(&t, 0, 8, 1, 1e-6);
  range_fixture_neighbours(&t, SFM_NEIGHBOURS_REPLACE, 1000000, false);
  t.quantiles[0] = 0.000001;
  refused(&t, "out of range");
  t.settings.epsilon = 0.1;
  sfm_release_destroy(range_fixture_release(&t, values, 3));
  range_fixture_clear(&t);
}

/* --- The file. --- */

static void a_file_reads_back_and_prints_the_same(void **state) {
  (void)state;
  sfm_error error;
  range_fixture t;
  for (int k = 0; k < 2; k++) {
    range_fixture_init(&t, 0.3, 1e6, 0, 0.1);
    range_fixture_two(&t, 0.01, 0.99);
    if (k) range_fixture_neighbours(&t, SFM_NEIGHBOURS_ADD_REMOVE, 2, false);
    sfm_release *release = range_fixture_release(&t, incomes(), 1000), *back = NULL;
    char *bytes, *again;
    size_t length, twice;
    assert_ok(sfmi_release_print(release, &bytes, &length, &error), &error);
    assert_ok(sfm_release_parse(&back, bytes, length, "back", &error), &error);
    assert_ok(sfmi_release_print(back, &again, &twice, &error), &error);
    assert_int_equal(length, twice);
    assert_memory_equal(bytes, again, length);
    assert_string_equal(sfm_kind_name(sfm_release_kind(back)), "range");
    assert_string_equal(sfm_release_method(back), "exponential");
    assert_true(sfm_release_quantile(back, 1) == 0.99 && isnan(sfm_release_quantile(back, 2)));
    sfm_band band;
    assert_ok(sfm_release_band_at(back, &band, 0.95, &error), &error);
    assert_true(band.half_width == sfm_release_band(back).half_width);
    sfm_evaluator *evaluator;
    assert_int_equal(sfm_evaluator_create(&evaluator, back, 0, &error), SFM_INVALID);
    free(bytes);
    free(again);
    sfm_release_destroy(release);
    sfm_release_destroy(back);
    range_fixture_clear(&t);
  }
}

static void broken_files_are_refused(void **state) {
  (void)state;
  static const char *const changes[][2] = {
      {"\"kind\": \"range\"", "\"kind\": \"vector\""},
      {"\"method\": \"exponential\"", "\"method\": \"laplace\""},
      {"\"hardened\": true", "\"hardened\": false"},
      {"\"rows\": 3,", ""},
      {"\"step\": 1.0", "\"step\": 3.0"},
      {"\"step\": 1.0", "\"step\": 64.0"},
      {"\"upper\": 8.0", "\"upper\": -8.0"},
      {"\"upper\": 8.0", "\"upper\": 1e300"},
      {"0.25,\n", "0.75,\n"},
      {"0.25,\n", ""},
      {"0.25,\n", "0.0,\n"},
      {"\"outside\": \"clamp\"", "\"outside\": \"in\""},
      {"\"coefficients\": [\n  ", "\"coefficients\": [\n  9, "},
      {"\"coefficients\": [\n  ", "\"coefficients\": [\n  -"}};
  sfm_error error;
  range_fixture t;
  range_fixture_init(&t, 0, 8, 1, 1);
  range_fixture_two(&t, 0.25, 0.5);
  t.settings.context.seeded = true;
  t.settings.context.seed = 3;
  static const double values[] = {5, 6, 7};
  sfm_release *release = range_fixture_release(&t, values, 3), *back;
  char *bytes, changed[8000];
  size_t length;
  assert_true(release->integers[0] > 0);
  assert_ok(sfmi_release_print(release, &bytes, &length, &error), &error);
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
    char *place = strstr(bytes, changes[i][0]);
    if (!place) fail_msg("'%s' is not in the file", changes[i][0]);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(place - bytes), bytes, changes[i][1],
             place + strlen(changes[i][0]));
    if (!sfm_release_parse(&back, changed, strlen(changed), "broken", &error))
      fail_msg("change %zu was accepted", i);
  }
  free(bytes);
  sfm_release_destroy(release);
  range_fixture_clear(&t);
}

/* --- The ledger. --- */

static sfm_status charged(sfm_release **out, range_fixture *t, const char *ledger,
                          const char *request, const double *values, size_t count,
                          sfm_error *error) {
  sfm_charge charge = {.dataset = "people", .request = request};
  sfm_rows *rows = range_fixture_rows(t, values, count);
  assert_ok(sfm_ledger_open(&charge.ledger, ledger, error), error);
  t->settings.context.charge = &charge;
  sfm_status status = sfm_range_release(out, rows, &t->settings, error);
  t->settings.context.charge = NULL;
  sfm_ledger_close(charge.ledger);
  sfm_rows_destroy(rows);
  return status;
}

static void it_is_charged_once_and_answers_again(void **state) {
  (void)state;
  static const double values[] = {1, 2, 3}, others[] = {1, 2, 4};
  char folder[] = "/tmp/sfumato-range-XXXXXX", path[64], command[96];
  sfm_error error;
  sfm_release *one, *two;
  const sfm_dataset dataset = {"people", 1, 0, SFM_ACCOUNTING_BASIC};
  range_fixture t;
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/l.db", folder);
  assert_ok(sfm_ledger_create(path, NULL, &dataset, &error), &error);
  range_fixture_init(&t, 0, 1000, 0, 0.4);
  range_fixture_two(&t, 0.1, 0.9);

  assert_ok(charged(&one, &t, path, "r", values, 3, &error), &error);
  expect_spent(path, "people", "0.4");
  assert_ok(charged(&two, &t, path, "r", others, 3, &error), &error); /* not read */
  assert_memory_equal(one->integers, two->integers, 2 * sizeof *one->integers);
  expect_spent(path, "people", "0.4");
  sfm_release_destroy(one);
  sfm_release_destroy(two);
  /* The same request with other quantiles, limits or resolution is another one. */
  t.quantiles[0] = 0.2;
  assert_int_equal(charged(&one, &t, path, "r", values, 3, &error), SFM_REFUSED);
  t.quantiles[0] = 0.1;
  t.settings.resolution = 1;
  assert_int_equal(charged(&one, &t, path, "r", values, 3, &error), SFM_REFUSED);
  /* Refused before the charge. */
  t.settings.resolution = 1e-9;
  assert_int_equal(charged(&one, &t, path, NULL, values, 3, &error), SFM_INVALID);
  t.settings.resolution = 0;
  t.settings.context.seeded = true;
  assert_int_equal(charged(&one, &t, path, NULL, values, 3, &error), SFM_INVALID);
  t.settings.context.seeded = false;
  assert_int_equal(charged(&one, &t, path, NULL, values, 0, &error), SFM_INVALID);
  expect_spent(path, "people", "0.4");
  /* Other rows are found out after the charge. */
  assert_int_equal(charged(&one, &t, path, NULL, others, 3, &error), SFM_REFUSED);
  expect_spent(path, "people", "0.8");
  assert_int_equal(charged(&one, &t, path, NULL, values, 3, &error), SFM_REFUSED); /* too much */
  expect_spent(path, "people", "0.8");
  range_fixture_clear(&t);
  snprintf(command, sizeof command, "rm -rf %s", folder);
  assert_int_equal(system(command), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(releases_follow_the_law),
      cmocka_unit_test(the_exact_privacy_loss_stays_below_epsilon),
      cmocka_unit_test(a_person_moves_no_more_than_stated),
      cmocka_unit_test(the_interval_holds_the_share_asked_for),
      cmocka_unit_test(ranks_are_within_the_band),
      cmocka_unit_test(missing_rows_count_nowhere),
      cmocka_unit_test(no_rows_at_all_have_an_answer_under_add_remove),
      cmocka_unit_test(integer_columns_have_whole_numbers),
      cmocka_unit_test(any_limits_make_a_grid),
      cmocka_unit_test(wrong_settings_are_refused),
      cmocka_unit_test(extremes_of_epsilon_and_contributions_are_decided_in_public),
      cmocka_unit_test(a_file_reads_back_and_prints_the_same),
      cmocka_unit_test(broken_files_are_refused),
      cmocka_unit_test(it_is_charged_once_and_answers_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
