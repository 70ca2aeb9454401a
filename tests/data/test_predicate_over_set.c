/* test_predicate_over_set.c - a predicate over a set of records: where it is said to have one
 * answer, all records of the set that there are have it; and simple cases are seen. */
#include "test_support.h"

#include "data/rows/cell_columns.h"
#include "data/rows/rows_open.h"
#include "data/predicate/predicate.h"
#include "sfumato/predict.h"

static sfm_schema *schema_of(void) {
  static const char *const regions[] = {"n", "s", "w"};
  sfm_error error;
  sfm_schema *schema;
  assert_ok(sfm_schema_create(&schema, &error), &error);
  assert_ok(sfm_schema_set_categories(schema, "region", regions, 3, &error), &error);
  return schema;
}

static bool decided(const char *where, const sfm_schema *schema, const sfm_supposition *s,
                    size_t count) {
  sfm_error error;
  bool out;
  assert_ok(sfm_predict_where(&out, where, schema, s, count, &error), &error);
  return out;
}

/* How many of the rows satisfy the predicate. */
static size_t matched(const char *where, const sfm_schema *schema, const char *csv) {
  sfm_error error;
  sfmi_predicate *predicate;
  sfm_rows *rows;
  const sfmi_batch *batch;
  size_t count, total = 0;
  uint8_t matches[SFMI_BATCH_ROWS];
  assert_ok(sfmi_predicate_create(&predicate, where, schema, &error), &error);
  assert_ok(sfmi_rows_open_memory(&rows, csv, strlen(csv), 0, &error), &error);
  const sfmi_cell_column *columns = sfmi_predicate_columns(predicate, &count);
  assert_ok(sfmi_rows_begin_cells(rows, schema, columns, count, &error), &error);
  for (;;) {
    assert_ok(sfmi_rows_next(rows, &batch, &error), &error);
    if (!batch) break;
    total += sfmi_predicate_match(predicate, matches, batch);
  }
  sfm_rows_destroy(rows);
  sfmi_predicate_destroy(predicate);
  return total;
}

static void simple_sets_are_seen(void **state) {
  (void)state;
  sfm_schema *schema = schema_of();
  static const char *const female[] = {"F"}, *const both[] = {"F", "M"}, *const north[] = {"n"};
  const sfm_supposition young = {.column = "age", .interval = true, .lower = 0, .upper = 64},
                        older = {.column = "age", .interval = true, .lower = 0, .upper = 65},
                        old = {.column = "age", .interval = true, .lower = 65, .upper = 120},
                        f = {.column = "sex", .texts = female, .text_count = 1},
                        fm = {.column = "sex", .texts = both, .text_count = 2},
                        n = {.column = "region", .texts = north, .text_count = 1};
  assert_true(decided("age >= 65", schema, &young, 1));
  assert_true(decided("age >= 65", schema, &old, 1));
  assert_false(decided("age >= 65", schema, &older, 1));
  assert_false(decided("age >= 65", schema, NULL, 0));
  assert_true(decided("not age > 65", schema, &young, 1));
  assert_true(decided("age == 70", schema, &young, 1));
  assert_false(decided("age == 7", schema, &young, 1));
  assert_true(decided("age in (70, 80)", schema, &young, 1));
  assert_true(decided("sex == \"F\"", schema, &f, 1));
  assert_true(decided("sex == \"X\"", schema, &fm, 1));
  assert_false(decided("sex == \"F\"", schema, &fm, 1));
  assert_true(decided("sex in (\"F\", \"M\")", schema, &fm, 1));
  assert_true(decided("region == \"n\"", schema, &n, 1));
  assert_true(decided("region != \"n\"", schema, &n, 1));
  /* One side decides; an unknown other does not undo it. */
  assert_true(decided("age >= 65 and sex == \"F\"", schema, &young, 1));
  assert_false(decided("age < 65 and sex == \"F\"", schema, &young, 1));
  assert_true(decided("age < 65 or sex == \"F\"", schema, &young, 1));
  const sfm_supposition two[] = {young, f};
  assert_true(decided("age < 65 and sex == \"F\"", schema, two, 2));
  assert_true(decided(NULL, schema, NULL, 0));
  sfm_schema_destroy(schema);
}

/* Random predicates over three columns. */
static size_t write_predicate(char *out, sfmi_prng *prng, int depth) {
  static const char *const signs[] = {"==", "!=", "<", "<=", ">", ">="};
  const unsigned kind = (unsigned)(sfmi_prng_word(prng) % (depth > 0 ? 7 : 4));
  if (kind >= 4 && kind < 6) {
    size_t used = (size_t)sprintf(out, "(");
    used += write_predicate(out + used, prng, depth - 1);
    used += (size_t)sprintf(out + used, ") %s (", kind == 4 ? "and" : "or");
    used += write_predicate(out + used, prng, depth - 1);
    return used + (size_t)sprintf(out + used, ")");
  }
  if (kind == 6) {
    size_t used = (size_t)sprintf(out, "not (");
    used += write_predicate(out + used, prng, depth - 1);
    return used + (size_t)sprintf(out + used, ")");
  }
  const unsigned a = (unsigned)(sfmi_prng_word(prng) % 6), b = (unsigned)(sfmi_prng_word(prng) % 3);
  if (kind == 0) return (size_t)sprintf(out, "age %s %u", signs[a], b + 1);
  if (kind == 1) return (size_t)sprintf(out, "age in (%u, %u)", a, b);
  if (kind == 2) return (size_t)sprintf(out, "sex %s \"%c\"", signs[a % 2], "FMX"[b]);
  return (size_t)sprintf(out, "region %s \"%c\"", signs[a % 2], "nsw"[b]);
}

/* All records with cells that matter: ages 0 .. 4 and halves, texts, and broken cells where nothing
 * is supposed. */
static void one_answer_is_never_said_wrongly(void **state) {
  (void)state;
  sfm_schema *schema = schema_of();
  sfmi_prng prng;
  sfmi_prng_init(&prng, 7);
  static const char *const sexes[] = {"F", "M", "X", "Y"}, *const regions[] = {"n", "s", "w"};
  size_t said = 0;
  for (int round = 0; round < 3000; round++) {
    char where[2000], csv[20000];
    sfm_supposition s[3];
    size_t count = 0, rows = 0;
    const double lower = 0.5 * (double)(sfmi_prng_word(&prng) % 9),
                 upper = lower + 0.5 * (double)(sfmi_prng_word(&prng) % 4);
    const size_t sex = 1 + sfmi_prng_word(&prng) % 2, region = 1 + sfmi_prng_word(&prng) % 2;
    const unsigned which = (unsigned)(sfmi_prng_word(&prng) % 8);
    /* So that every column is there: it counts for nothing. */
    size_t used = (size_t)sprintf(where, "(");
    used += write_predicate(where + used, &prng, 3);
    sprintf(where + used, ") and (age == 0 or not (age == 0) or sex == \"F\" or region == \"n\" or "
                          "sex != \"F\" or region != \"n\")");
    if (which & 1)
      s[count++] =
          (sfm_supposition){.column = "age", .interval = true, .lower = lower, .upper = upper};
    if (which & 2)
      s[count++] = (sfm_supposition){.column = "sex", .texts = sexes, .text_count = sex};
    if (which & 4)
      s[count++] = (sfm_supposition){.column = "region", .texts = regions, .text_count = region};
    used = (size_t)sprintf(csv, "age,sex,region\n");
    for (int a = -1; a <= 10; a++)
      for (int b = -1; b < 4; b++)
        for (int c = -1; c < 3; c++) {
          const double age = 0.5 * a;
          if (which & 1 && !(a >= 0 && age >= lower && age <= upper)) continue;
          if (which & 2 && !(b >= 0 && (size_t)b < sex)) continue;
          if (which & 4 && !(c >= 0 && (size_t)c < region)) continue;
          if (a < 0)
            used += (size_t)sprintf(csv + used, "?");
          else
            used += (size_t)sprintf(csv + used, "%g", age);
          used += (size_t)sprintf(csv + used, ",%s,%s\n", b < 0 ? "" : sexes[b],
                                  c < 0 ? "" : regions[c]);
          rows++;
        }
    if (!decided(where, schema, s, count)) continue;
    said++;
    const size_t match = matched(where, schema, csv);
    if (match != 0 && match != rows) fail_msg("%s: %zu of %zu", where, match, rows);
  }
  print_message("%zu of 3000 predicates have one answer\n", said);
  assert_true(said > 300 && said < 2700);
  sfm_schema_destroy(schema);
}

static void mistakes_are_refused(void **state) {
  (void)state;
  sfm_schema *schema = schema_of();
  sfm_error error;
  bool out;
  const sfm_supposition unknown = {.column = "wage", .interval = true, .lower = 0, .upper = 1},
                        reversed = {.column = "age", .interval = true, .lower = 1, .upper = 0},
                        none = {.column = "age"};
  assert_int_equal(sfm_predict_where(&out, "age > 1", schema, &unknown, 1, &error), SFM_INVALID);
  assert_int_equal(sfm_predict_where(&out, "age > 1", schema, &reversed, 1, &error), SFM_INVALID);
  assert_int_equal(sfm_predict_where(&out, "age > 1", schema, &none, 1, &error), SFM_INVALID);
  assert_int_equal(sfm_predict_where(&out, "age >", schema, NULL, 0, &error), SFM_INVALID);
  sfm_schema_destroy(schema);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(simple_sets_are_seen),
      cmocka_unit_test(one_answer_is_never_said_wrongly),
      cmocka_unit_test(mistakes_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
