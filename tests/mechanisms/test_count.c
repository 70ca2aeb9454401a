/* test_count.c - counts: how far one person moves them, searched; their law, and their privacy by
 * that law; random differential privacy by enumeration; what is refused, and their file. */
#include "random/sampler_checks.h"

#include <unistd.h>

#include "count_fixture.h"
#include "releases/kinds/count_kind.h"
#include "releases/core/release_write.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* --- Sensitivity, over all small databases. --- */

/* Cells that count, do not, and hold no number. */
static const char *const CELLS[] = {"1", "2", "x", ""};
enum { CELL_KINDS = COUNT(CELLS) };

static size_t power(size_t base, size_t exponent) {
  size_t product = 1;
  while (exponent-- > 0) product *= base;
  return product;
}

/* The rows with digits `code`, without those whose bit is set in `gone`. */
static void write_rows(char *text, size_t code, size_t rows, unsigned gone) {
  text += sprintf(text, "v\n");
  for (size_t r = 0; r < rows; r++, code /= CELL_KINDS)
    if (!(gone >> r & 1)) text += sprintf(text, "%s\n", CELLS[code % CELL_KINDS]);
}

static uint64_t count_of(const count_fixture *t, const char *text) {
  return count_fixture_count(t, text, NULL);
}

/* How many of the rows differ between two codes. */
static unsigned distance(size_t a, size_t b, size_t rows) {
  unsigned differ = 0;
  for (size_t r = 0; r < rows; r++, a /= CELL_KINDS, b /= CELL_KINDS)
    differ += a % CELL_KINDS != b % CELL_KINDS;
  return differ;
}

static uint64_t gap(uint64_t a, uint64_t b) {
  return a > b ? a - b : b - a;
}

static void replaced_records_move_a_count_by_their_number(void **state) {
  (void)state;
  enum { ROWS = 4 };
  static const char *const predicates[] = {"v == 1", "v != 1", "v >= 1 or v < 1", "not v > 1"};
  const size_t all = power(CELL_KINDS, ROWS);
  uint64_t *counts = malloc(all * sizeof *counts), most[ROWS + 1];
  for (size_t p = 0; p < COUNT(predicates); p++) {
    count_fixture t;
    char text[64];
    count_fixture_init(&t, predicates[p], 1);
    memset(most, 0, sizeof most);
    for (size_t code = 0; code < all; code++) {
      write_rows(text, code, ROWS, 0);
      counts[code] = count_of(&t, text);
    }
    for (size_t a = 0; a < all; a++)
      for (size_t b = 0; b < all; b++) {
        const unsigned differ = distance(a, b, ROWS);
        const uint64_t moved = gap(counts[a], counts[b]);
        if (moved > most[differ]) most[differ] = moved;
      }
    /* Never above the number of records, and as much. */
    for (unsigned k = 0; k <= ROWS; k++) assert_int_equal(most[k], k);
    count_fixture_clear(&t);
  }
  free(counts);
}

static void removed_records_move_a_count_by_their_number(void **state) {
  (void)state;
  enum { ROWS = 4 };
  for (int all = 0; all < 2; all++) {
    count_fixture t;
    char text[64];
    uint64_t most[ROWS + 1] = {0};
    count_fixture_init(&t, all ? NULL : "v == 1", 1);
    count_fixture_neighbours(&t, SFM_NEIGHBOURS_ADD_REMOVE, 1, NULL);
    for (size_t code = 0; code < power(CELL_KINDS, ROWS); code++) {
      write_rows(text, code, ROWS, 0);
      const uint64_t whole = count_of(&t, text);
      for (unsigned gone = 0; gone < 1u << ROWS; gone++) {
        const unsigned records = (unsigned)__builtin_popcount(gone);
        write_rows(text, code, ROWS, gone);
        const uint64_t moved = gap(whole, count_of(&t, text));
        if (moved > most[records]) most[records] = moved;
      }
    }
    for (unsigned k = 0; k <= ROWS; k++) assert_int_equal(most[k], k);
    count_fixture_clear(&t);
  }
}

/* Rows of three persons in any order, two of which count: all that a person has may go, or become
 * the records of somebody new. */
static void persons_move_a_count_by_their_contributions(void **state) {
  (void)state;
  enum { ROWS = 5, PERSONS = 3, KINDS = 2 * PERSONS };
  count_fixture t;
  uint64_t most = 0, replaced = 0;
  count_fixture_init(&t, "v == 1", 1);
  count_fixture_neighbours(&t, SFM_NEIGHBOURS_ADD_REMOVE, 2, "id");
  for (size_t code = 0; code < power(KINDS, ROWS); code += 7) { /* every kind of row, every order */
    char text[3][100];
    char *at[3];
    for (int k = 0; k < 3; k++) at[k] = text[k] + sprintf(text[k], "id,v\n");
    size_t rest = code;
    for (size_t r = 0; r < ROWS; r++, rest /= KINDS) {
      const size_t person = rest % KINDS / 2, value = 1 + rest % 2;
      at[0] += sprintf(at[0], "p%zu,%zu\n", person, value);
      if (person > 0) at[1] += sprintf(at[1], "p%zu,%zu\n", person, value);
      at[2] += person > 0 ? sprintf(at[2], "p%zu,%zu\n", person, value)
                          : sprintf(at[2], "new,%zu\n", 3 - value);
    }
    const uint64_t whole = count_of(&t, text[0]), without = count_of(&t, text[1]),
                   other = count_of(&t, text[2]);
    assert_true(whole <= 2 * PERSONS);
    if (gap(whole, without) > most) most = gap(whole, without);
    if (gap(whole, other) > replaced) replaced = gap(whole, other);
  }
  assert_int_equal(most, 2);
  assert_int_equal(replaced, 2);
  count_fixture_clear(&t);
}

/* --- The law. --- */

enum { DRAWS = 40000, CELLS_MAX = 128 };

/* Answers to the count of the text against the law of another rule. */
static double law_tested(const count_fixture *t, const char *text, const count_fixture *claimed) {
  sfm_error error;
  sfmi_count_rule rule, other;
  sfmi_count_noise *count_noise;
  double masses[CELLS_MAX];
  uint64_t seen[CELLS_MAX] = {0};
  bool exact;
  const uint64_t count = count_fixture_count(t, text, &rule);
  count_fixture_count(claimed, text, &other);
  assert_ok(sfmi_count_noise_create(&count_noise, &rule, (sfmi_seed){true, 4}, &error), &error);
  for (int i = 0; i < CELLS_MAX; i++)
    masses[i] = count_fixture_law(&other, count, i - CELLS_MAX / 2);
  for (int i = 0; i < DRAWS; i++) {
    const int64_t answer = sfmi_count_noise_draw(count_noise, count, &exact);
    assert_false(exact);
    if (answer >= -CELLS_MAX / 2 && answer < CELLS_MAX / 2) seen[answer + CELLS_MAX / 2]++;
  }
  sfmi_count_noise_destroy(count_noise);
  return chi_square(seen, masses, CELLS_MAX, DRAWS);
}

static const char SIX[] = "v\n1\n2\n1\nx\n1\n2\n", NONE[] = "v\n2\n2\n2\n2\n2\n2\n",
                  ALL[] = "v\n1\n1\n1\n1\n1\n1\n";

static void answers_follow_the_law(void **state) {
  (void)state;
  static const char *const texts[] = {SIX, NONE, ALL};
  count_fixture t, wrong;
  count_fixture_init(&t, "v == 1", 0.5);
  count_fixture_init(&wrong, "v == 1", 0.6);
  for (size_t i = 0; i < COUNT(texts); i++) {
    assert_true(law_tested(&t, texts[i], &t) <= 1);
    assert_true(law_tested(&t, texts[i], &wrong) > 1);
  }
  count_fixture_neighbours(&t, SFM_NEIGHBOURS_ADD_REMOVE, 3, NULL);
  count_fixture_neighbours(&wrong, SFM_NEIGHBOURS_ADD_REMOVE, 3, NULL);
  assert_true(law_tested(&t, SIX, &t) <= 1);
  assert_true(law_tested(&t, SIX, &wrong) > 1);
  count_fixture_clear(&t);
  count_fixture_clear(&wrong);
}

static void answers_of_mechanisms_follow_their_law(void **state) {
  (void)state;
  static const char *const texts[] = {SIX, NONE, ALL};
  for (int matrix = 0; matrix < 2; matrix++) {
    count_fixture t, wrong;
    sfmi_optimal *optimal = count_fixture_optimal(6, 0.5, matrix),
                 *other = count_fixture_optimal(6, 0.8, matrix);
    count_fixture_init(&t, "v == 1", 1);
    count_fixture_init(&wrong, "v == 1", 1);
    count_fixture_use(&t, optimal);
    count_fixture_use(&wrong, other);
    for (size_t i = 0; i < COUNT(texts); i++) {
      assert_true(law_tested(&t, texts[i], &t) <= 1);
      assert_true(law_tested(&t, texts[i], &wrong) > 1);
    }
    count_fixture_clear(&t);
    count_fixture_clear(&wrong);
    sfmi_optimal_destroy(optimal);
    sfmi_optimal_destroy(other);
  }
}

/* Of the 2^62 values of u exactly as many give answer j as its numerator says: the first and the
 * last of each run. */
static void tables_are_drawn_exactly(void **state) {
  (void)state;
  for (int matrix = 0; matrix < 2; matrix++) {
    sfmi_optimal *optimal = count_fixture_optimal(9, 0.7, matrix);
    for (size_t row = 0; row <= 9; row++) {
      uint64_t start = 0;
      for (size_t j = 0; j <= 9; j++) {
        const uint64_t size = optimal->numerators[row * 10 + j];
        if (size == 0) continue;
        assert_int_equal(sfmi_optimal_answer(optimal, row, start), j);
        assert_int_equal(sfmi_optimal_answer(optimal, row, start + size - 1), j);
        start += size;
      }
      assert_true(start == SFMI_OPTIMAL_ONE);
    }
    sfmi_optimal_destroy(optimal);
  }
}

/* Rows that were written to after they were counted: as if all of those counted did. */
static void more_records_than_were_counted_are_as_many(void **state) {
  (void)state;
  for (int matrix = 0; matrix < 2; matrix++) {
    sfmi_optimal *optimal = count_fixture_optimal(9, 0.7, matrix);
    const sfmi_count_rule rule = {
        .epsilon = 0.7,
        .optimal = optimal,
        .law = {.law = SFM_NOISE_LAW_DISCRETE_LAPLACE, .scale = sfmi_optimal_scale(optimal)},
        .bounded = true,
        .n = 9,
        .exact_to = -1};
    static const uint64_t counts[] = {9, 10, 1000, UINT64_MAX};
    int64_t answers[4][20];
    for (size_t i = 0; i < 4; i++) {
      sfm_error error;
      sfmi_count_noise *count_noise = NULL;
      bool exact;
      assert_ok(sfmi_count_noise_create(&count_noise, &rule, (sfmi_seed){true, 5}, &error), &error);
      for (size_t k = 0; k < 20; k++)
        answers[i][k] = sfmi_count_noise_draw(count_noise, counts[i], &exact);
      sfmi_count_noise_destroy(count_noise);
      assert_memory_equal(answers[i], answers[0], sizeof answers[0]);
    }
    sfmi_optimal_destroy(optimal);
  }
}

/* The largest log ratio of the laws at two counts. */
static double loss_between(const sfmi_count_rule *rule, uint64_t a, uint64_t b) {
  double most = 0;
  for (int64_t j = -100; j <= 100; j++) {
    const double p = count_fixture_law(rule, a, j), q = count_fixture_law(rule, b, j);
    if (p > 0 || q > 0) most = fmax(most, fabs(log(p / q)));
  }
  return most;
}

/* All pairs of counts that contributions allow: the loss comes to epsilon and never passes it. */
static void laws_keep_epsilon(void **state) {
  (void)state;
  for (uint32_t k = 1; k <= 3; k++)
    for (int way = 0; way < 4; way++) {
      count_fixture t;
      sfmi_count_rule rule;
      sfmi_optimal *optimal = way < 2 ? NULL : count_fixture_optimal(6, 0.7, way == 3);
      double most = 0;
      count_fixture_init(&t, "v == 1", 0.7);
      count_fixture_neighbours(&t, way == 1 ? SFM_NEIGHBOURS_ADD_REMOVE : SFM_NEIGHBOURS_REPLACE, k,
                               NULL);
      if (optimal) count_fixture_use(&t, optimal);
      count_fixture_count(&t, SIX, &rule);
      for (uint64_t a = 0; a <= 6; a++)
        for (uint64_t b = 0; b <= 6; b++)
          if (gap(a, b) <= k) most = fmax(most, loss_between(&rule, a, b));
      assert_relative("epsilon of the rule", rule.epsilon, optimal ? 0.7 * k : 0.7, 1e-15);
      if (!(most <= rule.epsilon * (1 + 1e-12))) fail_msg("%g > %g", most, rule.epsilon);
      assert_true(most >= rule.epsilon * (way == 3 ? 0.5 : 0.9));
      count_fixture_clear(&t);
      sfmi_optimal_destroy(optimal);
    }
}

/* --- Random differential privacy. --- */

/* The largest count that is answered as it is, by a rule that may be a twin's. */
typedef int64_t exactness(double gamma, uint64_t n);

static int64_t unhalved(double gamma, uint64_t n) {
  return (int64_t)floor(gamma * (double)n + 1e-9) - 1;
}

/* Over all orderings of n + 1 records of which s satisfy the predicate: how often the first n and
 * those with the last two exchanged have answers that are not within e^epsilon of each other.  That
 * is when the counts differ and either is answered as it is. */
static void enumerate_orderings(size_t n, size_t s, int64_t exact_to, uint64_t *failing,
                                uint64_t *orderings) {
  *failing = *orderings = 0;
  for (uint32_t bits = 0; bits < 1u << (n + 1); bits++) {
    if ((size_t)__builtin_popcount(bits) != s) continue;
    const int64_t others = __builtin_popcount(bits >> 2);
    const int64_t one = others + (bits & 1), two = others + (bits >> 1 & 1);
    ++*orderings;
    *failing += one != two && (one <= exact_to || two <= exact_to);
  }
}

/* The largest excess of the chance of failing over gamma = parts/1000, in rationals; also whether
 * the fraction is 2 s (n + 1 - s)/(n (n + 1)), not what the thesis displays. */
static bool holds_everywhere(exactness *rule, bool *ever) {
  bool holds = true;
  *ever = false;
  for (size_t n = 1; n <= 14; n++)
    for (uint64_t parts = 10; parts < 1000; parts += 30)
      for (size_t s = 0; s <= n + 1; s++) {
        uint64_t failing, orderings;
        const int64_t exact_to = rule((double)parts / 1000, n);
        enumerate_orderings(n, s, exact_to, &failing, &orderings);
        *ever = *ever || failing;
        holds = holds && 1000 * failing <= parts * orderings;
        if (failing) assert_int_equal(failing * n * (n + 1), 2 * s * (n + 1 - s) * orderings);
      }
  return holds;
}

static void random_privacy_fails_with_at_most_gamma(void **state) {
  (void)state;
  bool ever;
  assert_true(holds_everywhere(sfmi_count_exact_to, &ever));
  assert_true(ever); /* it is not that nothing is ever answered as it is */
}

static void the_twin_whose_gamma_is_not_halved_is_caught(void **state) {
  (void)state;
  bool ever;
  assert_false(holds_everywhere(unhalved, &ever));
}

/* 2 (c + 1) <= gamma n in decimals, not in what doubles make of them. */
static void the_threshold_is_exact(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 3);
  for (int i = 0; i < 20000; i++) {
    const uint64_t parts = 1 + (uint64_t)(999998 * sfmi_prng_uniform(&prng)),
                   n = (uint64_t)ldexp(1, (int)(50 * sfmi_prng_uniform(&prng)));
    char text[32];
    snprintf(text, sizeof text, "0.%06llu", (unsigned long long)parts);
    const sfmi_u128 largest = (sfmi_u128)parts * n / 2000000;
    assert_true(sfmi_count_exact_to(strtod(text, NULL), n) == (int64_t)largest - 1);
  }
  assert_int_equal(sfmi_count_exact_to(0.3, 20), 2); /* 0.3 as a double times 20 is below 6 */
  assert_int_equal(sfmi_count_exact_to(0.1, 19), -1);
  assert_int_equal(sfmi_count_exact_to(0.1, 20), 0);
}

static void small_counts_are_told(void **state) {
  (void)state;
  count_fixture t;
  char text[2000] = "v\n1\n1\n";
  for (int i = 0; i < 58; i++) strcat(text, i % 2 ? "2\n" : "x\n");
  count_fixture_init(&t, "v == 1", 0.5);
  t.settings.gamma = 0.1; /* 2 (c + 1) <= 6 */
  t.settings.context.seeded = true;
  for (int i = 0; i < 20; i++) {
    t.settings.context.seed = (uint64_t)i;
    sfm_release *release = count_fixture_release(&t, text);
    assert_true(release->count_data->exact && release->integers[0] == 2);
    assert_int_equal(release->guarantee.kind, SFM_GUARANTEE_RANDOM_DP);
    assert_true(release->guarantee.gamma == 0.1 && release->guarantee.epsilon == 0.5);
    assert_true(release->band.half_width == 0);
    assert_non_null(strstr(release->sentence, "random differential privacy"));
    assert_non_null(strstr(release->sentence, "extreme individuals"));
    sfm_release_destroy(release);
  }
  strcpy(strstr(text, "x"), "1"); /* one more, and it has noise */
  strcat(text, "2\n");
  int moved = 0;
  for (int i = 0; i < 20; i++) {
    t.settings.context.seed = (uint64_t)i;
    sfm_release *release = count_fixture_release(&t, text);
    assert_false(release->count_data->exact);
    moved += release->integers[0] != 3;
    assert_true(release->band.half_width > 0);
    sfm_release_destroy(release);
  }
  assert_true(moved > 0);
  count_fixture_clear(&t);
}

/* --- What is refused. --- */

static void refused_as(sfm_status expected, const count_fixture *t, const char *text,
                       const char *word, const char *other) {
  sfm_error error = {0};
  sfm_release *release;
  sfm_rows *rows = count_fixture_rows(text);
  const sfm_status status = sfm_count_release(&release, rows, &t->settings, &error);
  if (status != expected || !strstr(error.message, word) || !strstr(error.message, other))
    fail_msg("status %d: %s", (int)status, error.message);
  assert_null(release);
  sfm_rows_destroy(rows);
}

static void refused(const count_fixture *t, const char *text, const char *word, const char *other) {
  refused_as(SFM_INVALID, t, text, word, other);
}

static void settings_are_checked(void **state) {
  (void)state;
  count_fixture t;
  count_fixture_init(&t, "v == 1", 0);
  refused(&t, SIX, "epsilon", "above zero");
  t.settings.epsilon = INFINITY;
  refused(&t, SIX, "epsilon", "finite");
  t.settings.epsilon = 1e-300;
  refused(&t, SIX, "noise scale", "range");
  t.settings.epsilon = 1;
  t.settings.context.confidence = 1;
  refused(&t, SIX, "confidence", "between 0 and 1");
  t.settings.context.confidence = 0.95;
  t.settings.where = NULL;
  refused(&t, SIX, "is public", "state settings.where, or schema.neighbours = add-remove");
  t.settings.where = "v = 1";
  refused(&t, SIX, "write ==", "^");
  t.settings.where = "w == 1";
  refused(&t, SIX, "no column 'w'", "its columns are: v");
  t.settings.where = "v == 1";
  refused(&t, "v\n", "no records", "at least 1");
  t.settings.gamma = 1;
  refused(&t, SIX, "settings.gamma", "between 0 and 1");
  t.settings.gamma = 0.1;
  t.settings.context.charge = (const sfm_charge *)&t;
  refused(&t, SIX, "cannot be charged", "ledger");
  t.settings.context.charge = NULL;
  count_fixture_neighbours(&t, SFM_NEIGHBOURS_REPLACE, 2, NULL);
  refused(&t, SIX, "independent draws", "schema.contributions");
  count_fixture_clear(&t);
  count_fixture_init(&t, NULL, 1);
  t.settings.gamma = 0.1;
  count_fixture_neighbours(&t, SFM_NEIGHBOURS_ADD_REMOVE, 1, NULL);
  refused(&t, SIX, "drawn anew", "schema.neighbours = replace");
  count_fixture_clear(&t);
}

static void mechanisms_are_checked(void **state) {
  (void)state;
  count_fixture t;
  sfmi_optimal *optimal = count_fixture_optimal(6, 0.5, true);
  count_fixture_init(&t, "v == 1", 1);
  count_fixture_use(&t, optimal);
  refused(&t, "v\n1\n2\n", "there are 2 records, and the mechanism is for 6", "settings.n = 2");
  t.settings.epsilon = 0.6;
  refused(&t, SIX, "settings.epsilon is 0.6, and the mechanism's is 0.5", "leave out");
  t.settings.epsilon = 0.5;
  sfm_release_destroy(count_fixture_release(&t, SIX));
  t.settings.gamma = 0.1;
  refused(&t, SIX, "settings.gamma", "geometric");
  t.settings.gamma = 0;
  /* A table that is not private, and one that is none: nothing is charged, nothing read. */
  uint64_t *row = optimal->numerators + 7;
  const uint64_t part = row[0] / 2;
  row[0] -= part;
  row[6] += part;
  refused_as(SFM_FORMAT, &t, SIX, "settings.mechanism", "not private");
  row[1] += part;
  refused_as(SFM_FORMAT, &t, SIX, "settings.mechanism", "does not sum to one");
  t.mechanism.optimal = NULL;
  t.mechanism.kind = &sfmi_histogram_kind;
  refused(&t, SIX, "a histogram, not a mechanism", "sfm_optimal_design");
  count_fixture_clear(&t);
  sfmi_optimal_destroy(optimal);
  optimal = count_fixture_optimal(6, 0.5, false);
  count_fixture_init(&t, "v == 1", 1);
  count_fixture_neighbours(&t, SFM_NEIGHBOURS_ADD_REMOVE, 1, NULL);
  count_fixture_use(&t, optimal);
  refused(&t, SIX, "public number of records", "settings.mechanism = NULL");
  count_fixture_clear(&t);
  count_fixture_init(&t, "v == 1", 1);
  count_fixture_neighbours(&t, SFM_NEIGHBOURS_REPLACE, 3, NULL);
  count_fixture_use(&t, optimal);
  t.settings.epsilon = 0.5;
  refused(&t, SIX, "the mechanism's is 1.5 with so many contributions", "leave out");
  t.settings.epsilon = 0;
  sfm_release *release = count_fixture_release(&t, SIX);
  assert_true(release->guarantee.epsilon == 1.5);
  sfm_release_destroy(release);
  count_fixture_clear(&t);
  sfmi_optimal_destroy(optimal);
}

/* --- The file and its band. --- */

static void check_file(const sfm_release *release) {
  sfm_error error;
  sfm_release *again;
  char *bytes, *second;
  size_t length, other;
  assert_ok(sfmi_release_print(release, &bytes, &length, &error), &error);
  assert_ok(sfm_release_parse(&again, bytes, length, "c.sfm", &error), &error);
  assert_ok(sfmi_release_print(again, &second, &other, &error), &error);
  assert_int_equal(length, other);
  assert_memory_equal(bytes, second, length);
  for (double confidence = 0.05; confidence < 1; confidence += 0.1) {
    sfm_band one, two;
    assert_ok(sfm_release_band_at(release, &one, confidence, &error), &error);
    assert_ok(sfm_release_band_at(again, &two, confidence, &error), &error);
    assert_true(one.half_width == two.half_width);
  }
  free(bytes);
  free(second);
  sfm_release_destroy(again);
}

/* The least w with P(|answer - count| > w) <= 1 - confidence, by summing the law, at the worst
 * count; with clamping it may be less than is stated, never more. */
static void check_band(const sfm_release *release, const sfmi_count_rule *rule, bool tight) {
  sfm_error error;
  for (double confidence = 0.05; confidence < 1; confidence += 0.05) {
    double worst = 0;
    sfm_band band;
    assert_ok(sfm_release_band_at(release, &band, confidence, &error), &error);
    for (uint64_t count = 0; count <= rule->n; count++) {
      double w = -1, within = 0;
      while (within < confidence * (1 - 1e-13)) {
        w++;
        within = 0;
        for (double d = -w; d <= w; d++)
          within += count_fixture_law(rule, count, (int64_t)count + (int64_t)d);
      }
      worst = fmax(worst, w);
    }
    if (tight ? band.half_width != worst : band.half_width < worst)
      fail_msg("at %g: %g, not %g", confidence, band.half_width, worst);
  }
}

static void files_and_bands(void **state) {
  (void)state;
  for (int way = 0; way < 5; way++) {
    count_fixture t;
    sfmi_count_rule rule;
    sfmi_optimal *optimal = way < 3 ? NULL : count_fixture_optimal(6, 0.5, way == 4);
    count_fixture_init(&t, way == 2 ? NULL : "v == 1 or `v` == 7", 0.5);
    count_fixture_neighbours(&t, way == 1 ? SFM_NEIGHBOURS_ADD_REMOVE : SFM_NEIGHBOURS_REPLACE,
                             way == 2 ? 3 : 1, way == 2 ? "v" : NULL);
    if (optimal) count_fixture_use(&t, optimal);
    if (way == 0) t.settings.gamma = 0.5;
    count_fixture_count(&t, SIX, &rule);
    sfm_release *release = count_fixture_release(&t, SIX);
    assert_string_equal(sfm_kind_name(sfm_release_kind(release)), "count");
    assert_string_equal(sfm_release_method(release), optimal ? "optimal" : "geometric");
    assert_true(way != 2 ? sfm_count_where(release) == release->count_data->where
                         : !sfm_count_where(release));
    int64_t count = -1;
    sfm_mechanism_facts facts;
    assert_true(sfm_release_integer(release, &count, 0) && count == release->integers[0]);
    assert_false(sfm_release_integer(release, &count, 1));
    assert_true(sfm_release_contributions_enforced(release) == (way == 2));
    assert_true(sfm_count_mechanism(release, &facts) == (optimal != NULL));
    if (optimal)
      assert_true(facts.epsilon == optimal->epsilon && facts.hash == release->count_data->hash);
    check_file(release);
    if (way == 1) rule.n = 1;
    if (way > 0) check_band(release, &rule, way == 1 || way >= 3);
    sfm_release_destroy(release);
    count_fixture_clear(&t);
    sfmi_optimal_destroy(optimal);
  }
}

/* A file changed in one place is refused, and the place named. */
static void wrong_files_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *from, *to, *says;
  } changes[] = {
      {"\"count\": ", "\"count\": 1", "\"count\""},
      {"\"rows\": 6", "\"rows\": 0", "rows"},
      {"\"rows\": 6,", "", "rows"},
      {"\"neighbours\": \"replace\"", "\"neighbours\": \"add-remove\"", "rows"},
      {"\"where\": \"v == 1\"", "\"where\": 3", "\"where\""},
      {"\"n\": 6", "\"n\": 7", "\"n\""},
      {"\"step\": 1.0", "\"step\": 2.0", "steps of 1"},
      {"\"hash\": \"", "\"hash\": [1], \"h\": \"", "\"hash\""},
      {"\"tails\": [", "\"tails\": [0.1, 0.2, ", "\"tails\""},
      {"\"tails\": [", "\"tail\": [", "\"tails\""},
      {"\"method\": \"optimal\"", "\"method\": \"geometric\"", "\"mechanism\""},
      {"\"length\": 1", "\"length\": 2", "length"},
  };
  sfm_error error;
  count_fixture t;
  sfmi_optimal *optimal = count_fixture_optimal(6, 0.5, false);
  count_fixture_init(&t, "v == 1", 0.5);
  count_fixture_use(&t, optimal);
  sfm_release *release = count_fixture_release(&t, SIX), *again;
  char *bytes, changed[8192];
  size_t length;
  assert_ok(sfmi_release_print(release, &bytes, &length, &error), &error);
  for (size_t i = 0; i < COUNT(changes); i++) {
    const char *at = strstr(bytes, changes[i].from);
    if (!at) fail_msg("%s is not in the file", changes[i].from);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - bytes), bytes, changes[i].to,
             at + strlen(changes[i].from));
    const sfm_status status = sfm_release_parse(&again, changed, strlen(changed), "c.sfm", &error);
    if (status != SFM_FORMAT || !strstr(error.message, changes[i].says))
      fail_msg("%s: status %d, %s", changes[i].to, (int)status, error.message);
  }
  free(bytes);
  sfm_release_destroy(release);
  count_fixture_clear(&t);
  sfmi_optimal_destroy(optimal);
}

/* Nothing that the rows hold decides whether there is an answer. */
static void any_rows_have_an_answer(void **state) {
  (void)state;
  static const char *const texts[] = {"v\n", "v\n\"\n", "v\n\n\n\n", "v,w\n1\n,,,,,\n\"1\"x\n"};
  count_fixture t;
  count_fixture_init(&t, "v == 1", 0.5);
  count_fixture_neighbours(&t, SFM_NEIGHBOURS_ADD_REMOVE, 1, NULL);
  for (size_t i = 0; i < COUNT(texts); i++) {
    sfm_release *release = count_fixture_release(&t, texts[i]);
    assert_false(release->has_rows);
    check_file(release);
    sfm_release_destroy(release);
  }
  count_fixture_clear(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(replaced_records_move_a_count_by_their_number),
      cmocka_unit_test(removed_records_move_a_count_by_their_number),
      cmocka_unit_test(persons_move_a_count_by_their_contributions),
      cmocka_unit_test(answers_follow_the_law),
      cmocka_unit_test(answers_of_mechanisms_follow_their_law),
      cmocka_unit_test(tables_are_drawn_exactly),
      cmocka_unit_test(more_records_than_were_counted_are_as_many),
      cmocka_unit_test(laws_keep_epsilon),
      cmocka_unit_test(random_privacy_fails_with_at_most_gamma),
      cmocka_unit_test(the_twin_whose_gamma_is_not_halved_is_caught),
      cmocka_unit_test(the_threshold_is_exact),
      cmocka_unit_test(small_counts_are_told),
      cmocka_unit_test(settings_are_checked),
      cmocka_unit_test(mechanisms_are_checked),
      cmocka_unit_test(files_and_bands),
      cmocka_unit_test(wrong_files_are_refused),
      cmocka_unit_test(any_rows_have_an_answer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
