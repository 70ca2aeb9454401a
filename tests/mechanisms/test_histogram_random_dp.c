/* test_histogram_random_dp.c - random differential privacy of a histogram, by all orderings of n +
 * 1 records: in how many of them the release is not epsilon-private between the first n, and the
 * first n - 1 with the last. */
#include "privacy/stability_threshold.h"
#include "table_fixture.h"
#include "sfumato/table.h"

enum { CELLS = 4, LINES = 4000 };

/* Which counts have no noise, as production says: a table of `cells` categories and n lines. */
static bool exempt_of(uint64_t *to, size_t cells, size_t n, double gamma,
                      sfm_histogram_exact exact) {
  static char csv[2 * LINES + 3];
  table_fixture t;
  table_fixture_init(&t, 1);
  table_fixture_categories(&t, "a", cells);
  t.settings.gamma = gamma;
  t.settings.exact = exact;
  memset(csv, 0, sizeof csv);
  strcpy(csv, "a\n");
  for (size_t i = 0; i < n; i++) strcat(csv + 2 * i, "A\n");
  sfm_release *release = table_fixture_release(&t, csv);
  const bool some = sfm_table_exact_to(release, to);
  assert_int_equal(release->guarantee.kind, SFM_GUARANTEE_RANDOM_DP);
  assert_true(release->guarantee.gamma == gamma && release->guarantee.delta == 0);
  assert_true(release->scale >= 2);
  if (some && *to == 0)
    for (size_t i = 1; i < cells; i++) assert_int_equal(release->integers[i], 0);
  sfm_release_destroy(release);
  table_fixture_clear(&t);
  return some;
}

/* Whether a cell of c records on one side and c - 1 on the other is shown without noise on one of
 * them. */
static bool bare(uint64_t c, bool some, uint64_t to) {
  return some && c - 1 <= to;
}

/* Ordered pairs of records, in units of all n (n + 1), after which privacy fails: those in
 * different cells of which one is bare.  N: how many of all n + 1 records are in each cell. */
static double failing(const uint64_t *N, size_t cells, bool some, uint64_t to) {
  double pairs = 0, all = 0;
  for (size_t a = 0; a < cells; a++) {
    all += (double)N[a];
    for (size_t b = 0; b < cells; b++)
      if (a != b && N[a] && N[b] && (bare(N[a], some, to) || bare(N[b], some, to)))
        pairs += (double)N[a] * (double)N[b];
  }
  return pairs / (all * (all - 1));
}

/* The worst over all ways to spread `left` records over the cells from `cell` on. */
static double worst(uint64_t *N, size_t cell, size_t cells, size_t left, bool some, uint64_t to) {
  double most = 0;
  if (cell + 1 == cells) {
    N[cell] = left;
    return failing(N, cells, some, to);
  }
  for (uint64_t c = 0; c <= left; c++) {
    N[cell] = c;
    most = fmax(most, worst(N, cell + 1, cells, left - c, some, to));
  }
  return most;
}

static void no_more_orderings_fail_than_gamma(void **state) {
  (void)state;
  static const double gammas[] = {0.1, 0.2, 0.5, 0.9};
  double tightest = 0, too_many = 0;
  for (size_t cells = 2; cells <= CELLS; cells++)
    for (size_t g = 0; g < 4; g++)
      for (size_t n = 5; n <= 60; n += 5)
        for (int exact = 0; exact < 2; exact++) {
          uint64_t N[CELLS], to = 0;
          const bool some = exempt_of(&to, cells, n, gammas[g], (sfm_histogram_exact)exact);
          assert_true(some == (2 * (double)cells <= gammas[g] * (double)n));
          if (exact == SFM_HISTOGRAM_EXACT_EMPTY) assert_int_equal(to, 0);
          if (!some) continue;
          const double share = worst(N, 0, cells, n + 1, some, to) / gammas[g];
          assert_true(share <= 1);
          tightest = fmax(tightest, share);
          /* One more record without noise would be too many. */
          too_many = fmax(too_many, worst(N, 0, cells, n + 1, some, to + 1) / gammas[g]);
        }
  assert_true(tightest > 0.6 && too_many > 1);
}

static void small_cells_are_exact_and_others_noisy(void **state) {
  (void)state;
  static char csv[40000];
  table_fixture t;
  size_t used = (size_t)snprintf(csv, sizeof csv, "a\n"), noisy = 0;
  static const size_t counts[CELLS] = {3900, 60, 39, 1};
  for (size_t i = 0; i < CELLS; i++)
    for (size_t r = 0; r < counts[i]; r++)
      used += (size_t)snprintf(csv + used, sizeof csv - used, "%c\n", (char)('A' + i));
  table_fixture_init(&t, 0.01);
  table_fixture_categories(&t, "a", CELLS);
  t.settings.gamma = 0.1; /* counts up to 0.1 4000/8 - 1 = 49 */
  for (uint64_t seed = 0; seed < 20; seed++) {
    t.settings.context.seeded = true;
    t.settings.context.seed = seed;
    sfm_release *release = table_fixture_release(&t, csv);
    assert_true(release->cells->exact && release->cells->exact_to == 49);
    assert_int_equal(release->integers[2], 39);
    assert_int_equal(release->integers[3], 1);
    noisy += release->integers[0] != 3900 && release->integers[1] != 60;
    sfm_release_destroy(release);
  }
  assert_true(noisy > 15);
  table_fixture_clear(&t);
}

static void refused(const table_fixture *t, const char *part) {
  sfm_error error = {0};
  sfm_release *release;
  sfm_rows *rows = table_fixture_rows("a,id\nA,1\n");
  assert_int_equal(sfm_histogram_release(&release, rows, &t->settings, &error), SFM_INVALID);
  assert_null(release);
  if (!strstr(error.message, part)) fail_msg("\"%s\" is not in: %s", part, error.message);
  sfm_rows_destroy(rows);
}

static void what_it_is_not_for_is_refused(void **state) {
  (void)state;
  static const uint64_t margin = 1;
  table_fixture t;
  const sfm_charge charge = {0};
#define WRONG(change, part)                                                                        \
  do {                                                                                             \
    table_fixture_init(&t, 1);                                                                     \
    table_fixture_categories(&t, "a", 2);                                                          \
    t.settings.gamma = 0.05;                                                                       \
    change;                                                                                        \
    refused(&t, part);                                                                             \
    table_fixture_clear(&t);                                                                       \
  } while (0)
  WRONG(t.settings.gamma = 1, "gamma");
  WRONG(t.settings.gamma = -0.1, "gamma");
  WRONG(t.settings.gamma = NAN, "gamma");
  WRONG(t.settings.context.charge = &charge, "cannot be charged to a ledger");
  WRONG(table_fixture_neighbours(&t, SFM_NEIGHBOURS_ADD_REMOVE, 1, NULL), "replace only");
  WRONG(table_fixture_neighbours(&t, SFM_NEIGHBOURS_REPLACE, 2, NULL), "contribution");
  WRONG(table_fixture_neighbours(&t, SFM_NEIGHBOURS_REPLACE, 1, "id"), "person");
  WRONG(t.settings.form = SFM_HISTOGRAM_SPARSE, "dense");
  WRONG(t.settings.noise = SFM_HISTOGRAM_NOISE_NORMAL, "laplace");
  WRONG(t.settings.delta = 1e-6, "settings.delta");
  WRONG((t.settings.margins = &margin, t.settings.margin_count = 1), "settings.margins");
#undef WRONG
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_more_orderings_fail_than_gamma),
      cmocka_unit_test(small_cells_are_exact_and_others_noisy),
      cmocka_unit_test(what_it_is_not_for_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
