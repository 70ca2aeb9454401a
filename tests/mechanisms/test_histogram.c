/* test_histogram.c - histograms from rows to files: what is counted where, what is refused, what is
 * charged, and that nothing but the noise depends on the rows. */
#include "random/sampler_checks.h"

#include <unistd.h>

#include "table_fixture.h"
#include "releases/core/release_write.h"

/* Noise of this epsilon is zero but once in e^400. */
enum { LOUD = 1000 };

static const char ROWS[] = "id,sex,age,code,word\n"
                           "1,A,0,1,flu\n"
                           "2,B,5,2.0,flu\n"
                           "3,A,9.99,01,\"gout, bad\"\n"
                           "4,B,10,3,flu\n"
                           "5,C,10,1,\n"   /* no such sex */
                           "6,A,old,1,x\n" /* no number */
                           "7,B,-3,1,x\n"  /* outside */
                           "8, A ,12,1,flu\n"
                           "9,A\n";

static void coefficients_are(const sfm_release *release, const int64_t *wanted, size_t count) {
  assert_int_equal(release->length, count);
  for (size_t i = 0; i < count; i++)
    if (release->integers[i] != wanted[i])
      fail_msg("cell %zu is %lld, not %lld", i, (long long)release->integers[i],
               (long long)wanted[i]);
}

static void counts_are_those_of_the_rows(void **state) {
  (void)state;
  table_fixture t;
  table_fixture_init(&t, LOUD);
  table_fixture_categories(&t, "sex", 2);
  table_fixture_bins(&t, "age", 2, 0, 10);
  sfm_release *release = table_fixture_release(&t, ROWS);
  coefficients_are(release, (const int64_t[]){1, 2, 1, 2}, 4);
  assert_true(release->has_rows && release->rows == 9);
  sfm_release_destroy(release);
  t.settings.outside = SFM_OUTSIDE_DROP;
  release = table_fixture_release(&t, ROWS);
  coefficients_are(release, (const int64_t[]){1, 1, 0, 2}, 4);
  sfm_release_destroy(release);
  /* Margin by margin: a row without a sex still has an age. */
  static const uint64_t margins[] = {1, 2};
  t.settings.margins = margins;
  t.settings.margin_count = 2;
  release = table_fixture_release(&t, ROWS);
  coefficients_are(release, (const int64_t[]){5, 3, 1, 4}, 4);
  sfm_release_destroy(release);
  table_fixture_clear(&t);
}

static void codes_are_looked_up_by_value(void **state) {
  (void)state;
  static const char schema[] = "{\"fields\": [{\"name\": \"code\", \"type\": \"integer\", "
                               "\"constraints\": {\"enum\": [1, 2, 3]}}]}";
  table_fixture t;
  sfm_error error;
  table_fixture_init(&t, LOUD);
  sfm_schema_destroy(t.schema);
  assert_ok(sfm_schema_parse(&t.schema, schema, strlen(schema), "s", &error), &error);
  t.settings.context.schema = t.schema;
  table_fixture_text(&t, "code");
  sfm_release *release = table_fixture_release(&t, ROWS);
  coefficients_are(release, (const int64_t[]){6, 1, 1}, 3);
  sfm_release_destroy(release);
  table_fixture_clear(&t);
}

static void sparse_tables_list_what_stands_out(void **state) {
  (void)state;
  table_fixture t;
  table_fixture_init(&t, LOUD);
  table_fixture_categories(&t, "sex", 2);
  table_fixture_bins(&t, "age", (uint64_t)1 << 30, 0, 10);
  t.settings.form = SFM_HISTOGRAM_SPARSE;
  sfm_release *release = table_fixture_release(&t, ROWS);
  const uint64_t half = (uint64_t)1 << 30;
  coefficients_are(release, (const int64_t[]){1, 1, 1, 1, 1, 1}, 6);
  assert_int_equal(release->cells->keys[0], 0);
  assert_int_equal(release->cells->keys[2], half - 1); /* 12 is clamped into the last bin */
  assert_int_equal(release->cells->keys[3], half);
  assert_int_equal(release->cells->keys[5], 2 * half - 1);
  assert_relative("tau", release->cells->threshold, 2.0 / LOUD * 31 * log(2), 1e-9);
  sfm_release_destroy(release);
  t.settings.occupied = 8;
  release = table_fixture_release(&t, ROWS);
  assert_relative("tau of 8 occupied", release->cells->threshold, 2.0 / LOUD * 28 * log(2), 1e-9);
  sfm_release_destroy(release);
  table_fixture_clear(&t);
}

static void undeclared_texts_are_listed_in_order(void **state) {
  (void)state;
  static char csv[4000];
  table_fixture t;
  size_t used = (size_t)snprintf(csv, sizeof csv, "word,sex\n");
  for (int i = 0; i < 40; i++)
    used += (size_t)snprintf(csv + used, sizeof csv - used, "%s,%c\n",
                             i % 4 == 0   ? "\"a,\"\"b\"\"\""
                             : i % 4 == 1 ? "zebra"
                             : i % 4 == 2 ? "Zoo"
                                          : "caf\xe9",
                             i % 8 == 0 ? 'B' : 'A');
  snprintf(csv + used, sizeof csv - used, "once,A\n");
  table_fixture_init(&t, LOUD);
  table_fixture_text(&t, "word");
  table_fixture_categories(&t, "sex", 2);
  t.settings.form = SFM_HISTOGRAM_UNDECLARED;
  t.settings.delta = 1e-6;
  sfm_release *release = table_fixture_release(&t, csv);
  assert_true(release->cells->threshold == 1);
  static const char *const wanted[] = {"Zoo", "A", "a,\"b\"", "A", "a,\"b\"", "B", "zebra", "A"};
  coefficients_are(release, (const int64_t[]){10, 5, 5, 10}, 4);
  for (size_t i = 0; i < 8; i++) assert_string_equal(release->cells->texts[i], wanted[i]);
  assert_int_equal(release->guarantee.kind, SFM_GUARANTEE_APPROXIMATE);
  sfm_release_destroy(release);
  table_fixture_clear(&t);
}

static void a_person_counts_no_more_than_stated(void **state) {
  (void)state;
  static const char csv[] = "id,sex\np,A\np,B\np,?\np,B\nq,A\n,A\n";
  table_fixture t;
  table_fixture_init(&t, LOUD);
  table_fixture_categories(&t, "sex", 2);
  table_fixture_neighbours(&t, SFM_NEIGHBOURS_REPLACE, 3, "id");
  bool seen[2] = {false};
  t.settings.context.seeded = true;
  for (uint64_t seed = 0; seed < 40; seed++) {
    t.settings.context.seed = seed;
    sfm_release *release = table_fixture_release(&t, csv);
    /* p has one A and two B, of which one may not be chosen: one that counts nowhere is one, too.
     */
    const int64_t *n = release->integers, all = n[0] + n[1];
    assert_true((all == 3 || all == 4) && n[0] >= 1 && n[0] <= 2 && n[1] >= 1 && n[1] <= 2);
    seen[all - 3] = true;
    sfm_release_destroy(release);
  }
  assert_true(seen[0] && seen[1]);
  table_fixture_clear(&t);
}

/* --- Laws. --- */

enum { SIDE = 15, DRAWS = 4000 };

/* Two cells of 2 and 1 records: the pair of noisy counts, ends pooled. */
static void releases_follow_the_law(void **state) {
  (void)state;
  static const char csv[] = "sex\nA\nB\nA\n";
  static double masses[SIDE * SIDE];
  static uint64_t seen[SIDE * SIDE];
  table_fixture t;
  table_fixture_init(&t, 2);
  table_fixture_categories(&t, "sex", 2);
  t.settings.context.seeded = true;
  for (uint64_t seed = 0; seed < DRAWS; seed++) {
    t.settings.context.seed = seed;
    sfm_release *release = table_fixture_release(&t, csv);
    const int64_t a = release->integers[0] + SIDE / 2 - 2, b = release->integers[1] + SIDE / 2 - 1;
    if (a >= 0 && a < SIDE && b >= 0 && b < SIDE) seen[a * SIDE + b]++;
    sfm_release_destroy(release);
  }
  for (int wrong = 0; wrong < 2; wrong++) {
    for (int a = 0; a < SIDE; a++)
      for (int b = 0; b < SIDE; b++)
        masses[a * SIDE + b] = table_fixture_mass(wrong ? 1.15 : 1, a - SIDE / 2) *
                               table_fixture_mass(wrong ? 1.15 : 1, b - SIDE / 2);
    assert_true((chi_square(seen, masses, SIDE * SIDE, DRAWS) > 1) == wrong);
  }
  table_fixture_clear(&t);
}

static void a_seed_repeats_a_release(void **state) {
  (void)state;
  sfm_error error;
  for (int form = 0; form < 3; form++) {
    table_fixture t;
    char *bytes[2];
    size_t length[2];
    table_fixture_init(&t, 0.5);
    table_fixture_text(&t, "word");
    if (form < 2) table_fixture_bins(&t, "age", 300, 0, 10);
    static const char *const words[] = {"flu", "x"};
    if (form < 2) assert_ok(sfm_schema_set_categories(t.schema, "word", words, 2, &error), &error);
    t.settings.form = (sfm_histogram_form)form;
    t.settings.delta = form == SFM_HISTOGRAM_UNDECLARED ? 0.5 : 0;
    t.settings.occupied = form == SFM_HISTOGRAM_SPARSE ? 400 : 0;
    t.settings.context.seeded = true;
    t.settings.context.seed = 7;
    for (int k = 0; k < 2; k++) {
      sfm_release *release = table_fixture_release(&t, ROWS);
      assert_false(release->is_private);
      assert_ok(sfmi_release_print(release, &bytes[k], &length[k], &error), &error);
      sfm_release_destroy(release);
    }
    assert_int_equal(length[0], length[1]);
    assert_memory_equal(bytes[0], bytes[1], length[0]);
    free(bytes[0]);
    free(bytes[1]);
    table_fixture_clear(&t);
  }
}

/* Rows that fit nothing, none at all, and broken ones: there is always an answer. */
static void whatever_rows_hold_there_is_an_answer(void **state) {
  (void)state;
  static const char *const some[] = {"sex,age\n?,?\n", "sex,age\n\n\n", "sex,age\nA,nan\n\"A,3\n",
                                     "sex,age\n\xff\xfe,\x01\n", "sex,age\nA,inf,7,8,9\n"};
  sfm_error error;
  for (int form = 0; form < 3; form++)
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
      table_fixture t;
      sfm_release *back;
      char *bytes;
      size_t length;
      table_fixture_init(&t, 1);
      if (form == SFM_HISTOGRAM_UNDECLARED)
        table_fixture_text(&t, "sex");
      else
        table_fixture_categories(&t, "sex", 2);
      table_fixture_bins(&t, "age", 4, 0, 10);
      t.settings.form = (sfm_histogram_form)form;
      t.settings.delta = form == SFM_HISTOGRAM_UNDECLARED ? 1e-6 : 0;
      sfm_release *release = table_fixture_release(&t, some[i]);
      assert_ok(sfmi_release_print(release, &bytes, &length, &error), &error);
      assert_ok(sfm_release_parse(&back, bytes, length, "back", &error), &error);
      free(bytes);
      sfm_release_destroy(back);
      sfm_release_destroy(release);
      table_fixture_neighbours(&t, SFM_NEIGHBOURS_ADD_REMOVE, 1, NULL);
      release = table_fixture_release(&t, "sex,age\n");
      assert_false(release->has_rows);
      sfm_release_destroy(release);
      table_fixture_clear(&t);
    }
}

/* --- Files. --- */

static void files_read_back_and_print_the_same(void **state) {
  (void)state;
  static const uint64_t margins[] = {1, 3};
  sfm_error error;
  for (int form = 0; form < 5; form++) {
    table_fixture t;
    sfm_release *back;
    char *bytes, *again;
    size_t length, twice;
    table_fixture_init(&t, 1e-6);
    if (form == 2)
      table_fixture_text(&t, "sex");
    else
      table_fixture_categories(&t, "sex", 2);
    table_fixture_bins(&t, "age", form == 1 ? (uint64_t)1 << 31 : 30, 0, 10);
    if (form == 1) table_fixture_bins(&t, "code", (uint64_t)1 << 30, 0, 10);
    if (form < 3) t.settings.form = (sfm_histogram_form)form;
    if (form == 1) t.settings.occupied = 100;
    if (form == 2) t.settings.delta = 0.9;
    if (form == 3) t.settings.delta = 1e-3;
    if (form == 3) t.settings.margins = margins, t.settings.margin_count = 2;
    if (form == 4) t.settings.gamma = 0.99;
    sfm_release *release = table_fixture_release(&t, ROWS);
    assert_ok(sfmi_release_print(release, &bytes, &length, &error), &error);
    assert_ok(sfm_release_parse(&back, bytes, length, "back", &error), &error);
    assert_ok(sfmi_release_print(back, &again, &twice, &error), &error);
    assert_int_equal(length, twice);
    assert_memory_equal(bytes, again, length);
    assert_string_equal(sfm_kind_name(sfm_release_kind(back)), "histogram");
    if (form == 1) assert_true(release->length > 10);
    free(bytes);
    free(again);
    sfm_release_destroy(release);
    sfm_release_destroy(back);
    table_fixture_clear(&t);
  }
}

/* --- Refusals. --- */

static void refused(const table_fixture *t, const char *part) {
  sfm_error error = {0};
  sfm_release *release;
  sfm_rows *rows = table_fixture_rows(ROWS);
  assert_int_equal(sfm_histogram_release(&release, rows, &t->settings, &error), SFM_INVALID);
  assert_null(release);
  if (!strstr(error.message, part)) fail_msg("\"%s\" is not in: %s", part, error.message);
  sfm_rows_destroy(rows);
}

static void wrong_settings_are_refused(void **state) {
  (void)state;
  static const uint64_t none[] = {0}, same[] = {1, 2, 1}, beyond[] = {4};
  table_fixture t;
#define WRONG(change, part)                                                                        \
  do {                                                                                             \
    table_fixture_init(&t, 1);                                                                     \
    table_fixture_categories(&t, "sex", 2);                                                        \
    table_fixture_bins(&t, "age", 10, 0, 10);                                                      \
    change;                                                                                        \
    refused(&t, part);                                                                             \
    table_fixture_clear(&t);                                                                       \
  } while (0)
#define FORM(f) t.settings.form = SFM_HISTOGRAM_##f
  WRONG(t.settings.epsilon = 0, "epsilon");
  WRONG(t.settings.epsilon = NAN, "epsilon");
  WRONG(t.settings.context.confidence = 1, "confidence");
  WRONG(t.settings.count = 0, "columns");
  WRONG(t.settings.count = 65, "columns");
  WRONG(t.settings.context.schema = NULL, "schema");
  WRONG(t.columns[1].name = "sex", "twice");
  WRONG(t.columns[1].name = "nobody", "no bounds");
  WRONG(t.columns[0].name = "nobody", "neither categories nor bins");
  WRONG(t.columns[1].bins = 0, "neither categories nor bins");
  WRONG(t.columns[0].bins = 3, "not a column of numbers");
  WRONG(table_fixture_bins(&t, "height", 3, 0, 1), "height");
  WRONG(t.columns[1].bins = (uint64_t)1 << 32, "2^31");
  WRONG(t.columns[1].bins = (uint64_t)1 << 31, "2^32 cells");
  WRONG(t.columns[1].bins = (uint64_t)1 << 31, "settings.form = sparse");
  WRONG((table_fixture_bins(&t, "code", (uint64_t)1 << 31, 0, 1),
         t.columns[1].bins = (uint64_t)1 << 31, FORM(SPARSE)),
        "2^63 cells; at most 2^62");
  WRONG((t.settings.margins = none, t.settings.margin_count = 1), "margin 1");
  WRONG((t.settings.margins = beyond, t.settings.margin_count = 1), "margin 1");
  WRONG((t.settings.margins = same, t.settings.margin_count = 3), "margin 3 is the same");
  WRONG((t.settings.margins = same, t.settings.margin_count = 0), "margins");
  WRONG((t.settings.margins = same, t.settings.margin_count = 2, FORM(SPARSE)), "dense");
  WRONG((t.settings.noise = SFM_HISTOGRAM_NOISE_NORMAL), "delta");
  WRONG((t.settings.noise = SFM_HISTOGRAM_NOISE_LAPLACE, t.settings.delta = 1e-6),
        "settings.delta");
  WRONG((FORM(SPARSE), t.settings.noise = SFM_HISTOGRAM_NOISE_NORMAL, t.settings.delta = 1e-6),
        "laplace");
  WRONG((FORM(SPARSE), t.settings.delta = 1e-6), "settings.delta");
  WRONG((FORM(SPARSE), t.settings.occupied = 21), "20 cells");
  WRONG((t.settings.occupied = 2), "settings.occupied");
  WRONG((FORM(UNDECLARED), t.settings.occupied = 2, t.settings.delta = 0.1), "settings.occupied");
  WRONG(FORM(UNDECLARED), "settings.delta");
  WRONG((FORM(UNDECLARED), t.settings.delta = 1), "delta");
  WRONG(t.settings.calibration = SFM_CALIBRATION_CLASSICAL, "settings.calibration");
  WRONG((t.settings.epsilon = 2, t.settings.delta = 1e-6,
         t.settings.calibration = SFM_CALIBRATION_CLASSICAL),
        "epsilon");
#undef FORM
#undef WRONG
}

/* What no file could hold is refused while it costs nothing. */
static void more_categories_than_a_file_holds_are_refused(void **state) {
  (void)state;
  enum { COLUMNS = 12, CATEGORIES = 100000, LONG = 1 << 25 };
  static const uint64_t margin[] = {1};
  sfm_error error;
  table_fixture t;
  table_fixture_init(&t, 1);
  char *texts[2] = {malloc(LONG + 2), malloc(LONG + 2)};
  for (int i = 0; i < 2; i++) {
    memset(texts[i], 'a' + i, LONG + 1);
    texts[i][LONG + 1] = 0;
  }
  table_fixture_text(&t, "sex");
  assert_ok(sfm_schema_set_categories(t.schema, "sex", (const char *const *)texts, 2, &error),
            &error);
  refused(&t, "67108866 bytes");
  table_fixture_clear(&t);

  table_fixture_init(&t, 1);
  char(*words)[8] = malloc(CATEGORIES * sizeof *words), names[COLUMNS][8];
  const char **labels = malloc(CATEGORIES * sizeof *labels);
  for (size_t k = 0; k < CATEGORIES; k++) {
    snprintf(words[k], 8, "%zu", k);
    labels[k] = words[k];
  }
  table_fixture_bins(&t, "age", (uint64_t)1 << 24, 0, 10);
  for (size_t i = 0; i < COLUMNS; i++) {
    snprintf(names[i], 8, "c%zu", i);
    table_fixture_text(&t, names[i]);
    assert_ok(sfm_schema_set_categories(t.schema, names[i], labels, CATEGORIES, &error), &error);
  }
  t.settings.margins = margin;
  t.settings.margin_count = 1;
  refused(&t, "16777216 cells and 1200000 categories");
  table_fixture_clear(&t);
  free(labels);
  free(words);
  free(texts[0]);
  free(texts[1]);
}

/* --- The ledger. --- */

static sfm_status charged(sfm_release **out, table_fixture *t, const char *ledger,
                          const char *dataset, const char *request, const char *csv,
                          sfm_error *error) {
  sfm_charge charge = {.dataset = dataset, .request = request};
  sfm_rows *rows = table_fixture_rows(csv);
  assert_ok(sfm_ledger_open(&charge.ledger, ledger, error), error);
  t->settings.context.charge = &charge;
  sfm_status status = sfm_histogram_release(out, rows, &t->settings, error);
  t->settings.context.charge = NULL;
  sfm_ledger_close(charge.ledger);
  sfm_rows_destroy(rows);
  return status;
}

static void expect_spent(const char *path, const char *dataset, const char *epsilon,
                         const char *delta) {
  sfm_error error;
  sfm_ledger *ledger;
  sfm_dataset_status status;
  assert_ok(sfm_ledger_open(&ledger, path, &error), &error);
  assert_ok(sfm_ledger_find(ledger, &status, dataset, &error), &error);
  assert_string_equal(status.spent.epsilon, epsilon);
  assert_string_equal(status.spent.delta, delta);
  sfm_ledger_close(ledger);
}

static void it_is_charged_once_and_answers_again(void **state) {
  (void)state;
  char folder[] = "/tmp/sfumato-histogram-XXXXXX", path[64], other[64], command[96];
  sfm_error error;
  sfm_release *one, *two;
  const sfm_dataset basic = {"people", 1, 1e-5, SFM_ACCOUNTING_BASIC},
                    gdp = {"people", 1, 1e-5, SFM_ACCOUNTING_GDP};
  table_fixture t;
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/l.db", folder);
  snprintf(other, sizeof other, "%s/g.db", folder);
  assert_ok(sfm_ledger_create(path, NULL, &basic, &error), &error);
  assert_ok(sfm_ledger_create(other, NULL, &gdp, &error), &error);
  table_fixture_init(&t, 0.25);
  table_fixture_categories(&t, "sex", 2);

  assert_ok(charged(&one, &t, path, "people", "r", ROWS, &error), &error);
  expect_spent(path, "people", "0.25", "0");
  assert_ok(charged(&two, &t, path, "people", "r", "sex\nA\n", &error), &error); /* not read */
  assert_memory_equal(one->integers, two->integers, 2 * sizeof *one->integers);
  sfm_release_destroy(one);
  sfm_release_destroy(two);
  /* The same request with other bins, margins, form or outside is another one. */
  t.settings.form = SFM_HISTOGRAM_SPARSE;
  assert_int_equal(charged(&one, &t, path, "people", "r", ROWS, &error), SFM_REFUSED);
  t.settings.form = SFM_HISTOGRAM_DENSE;
  t.settings.outside = SFM_OUTSIDE_DROP;
  assert_int_equal(charged(&one, &t, path, "people", "r", ROWS, &error), SFM_REFUSED);
  t.settings.outside = SFM_OUTSIDE_CLAMP;
  t.settings.context.seeded = true;
  assert_int_equal(charged(&one, &t, path, "people", NULL, ROWS, &error), SFM_INVALID);
  t.settings.context.seeded = false;
  expect_spent(path, "people", "0.25", "0");
  /* (epsilon, delta): adds in a ledger of basic accounting, and fits in no other. */
  t.columns[0].name = "word";
  t.settings.form = SFM_HISTOGRAM_UNDECLARED;
  t.settings.delta = 1e-6;
  assert_ok(charged(&one, &t, path, "people", "u", ROWS, &error), &error);
  sfm_release_destroy(one);
  expect_spent(path, "people", "0.5", "0.000001");
  assert_int_equal(charged(&one, &t, other, "people", NULL, ROWS, &error), SFM_REFUSED);
  assert_non_null(strstr(error.message, "basic"));
  expect_spent(other, "people", "0", "0");
  /* Normal noise and many margins go with gdp. */
  t.columns[0].name = "sex";
  t.settings.form = SFM_HISTOGRAM_DENSE;
  assert_ok(charged(&one, &t, other, "people", NULL, ROWS, &error), &error);
  assert_int_equal(one->method, SFMI_TABLE_NORMAL);
  sfm_release_destroy(one);
  /* Where epsilons add up, laplace noise is less, and no delta is spent; what was allowed is
   * remembered. */
  assert_ok(charged(&one, &t, path, "people", "auto", ROWS, &error), &error);
  assert_int_equal(one->method, SFMI_TABLE_LAPLACE);
  assert_true(one->guarantee.kind == SFM_GUARANTEE_PURE && one->guarantee.delta == 0);
  sfm_release_destroy(one);
  expect_spent(path, "people", "0.75", "0.000001");
  t.settings.delta = 2e-6;
  assert_int_equal(charged(&one, &t, path, "people", "auto", ROWS, &error), SFM_REFUSED);
  /* Other rows are found out after the charge. */
  t.settings.delta = 0;
  assert_int_equal(charged(&one, &t, path, "people", NULL, "sex\nA\n", &error), SFM_REFUSED);
  expect_spent(path, "people", "1", "0.000001");
  table_fixture_clear(&t);
  snprintf(command, sizeof command, "rm -rf %s", folder);
  assert_int_equal(system(command), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_are_those_of_the_rows),
      cmocka_unit_test(codes_are_looked_up_by_value),
      cmocka_unit_test(sparse_tables_list_what_stands_out),
      cmocka_unit_test(undeclared_texts_are_listed_in_order),
      cmocka_unit_test(a_person_counts_no_more_than_stated),
      cmocka_unit_test(releases_follow_the_law),
      cmocka_unit_test(a_seed_repeats_a_release),
      cmocka_unit_test(whatever_rows_hold_there_is_an_answer),
      cmocka_unit_test(files_read_back_and_print_the_same),
      cmocka_unit_test(wrong_settings_are_refused),
      cmocka_unit_test(more_categories_than_a_file_holds_are_refused),
      cmocka_unit_test(it_is_charged_once_and_answers_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
