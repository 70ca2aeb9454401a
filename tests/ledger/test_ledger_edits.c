/* test_ledger_edits.c - rows edited by somebody who knows SQL, and by somebody who also knows the
 * hashes: the first is refused when the ledger is opened (or when the answer is asked for, or by
 * verify), the second by the anchor. */
/* suite: both */
#include "test_support.h"

#include <sqlite3.h>

#include "child_process.h"
#include "ledger_forgery.h"

static scenario w;

/* r1 and r2 are answered, r3 is charged; ten fit.  Another dataset is closed. */
static void make_base(bool anchored) {
  sfm_ledger *ledger;
  sfm_error error;
  const sfm_dataset second = {
      .name = "second", .epsilon = 2, .delta = 1e-6, .accounting = SFM_ACCOUNTING_GDP};
  scenario_init(&w, anchored);
  w.guarantee = scenario_pure(0.1);
  w.requests = 2;
  if (child_run(scenario_client, &w, NULL).code) fail_msg("%s", w.report->text);
  assert_ok(sfm_ledger_create(w.ledger, NULL, &second, &error), &error);
  assert_ok(sfm_ledger_open(&ledger, w.ledger, &error), &error);
  assert_ok(scenario_charge(&w, ledger, "r3", &w.guarantee, &error), &error);
  assert_ok(sfm_ledger_close_dataset(ledger, "second", &error), &error);
  sfm_ledger_close(ledger);
  forge_keep(&w, "base");
}

static int base(void **state) {
  (void)state;
  make_base(false);
  return 0;
}

static int anchored_base(void **state) {
  (void)state;
  make_base(true);
  return 0;
}

static int clear(void **state) {
  (void)state;
  scenario_clear(&w);
  return 0;
}

/* ---- every value of every row ---- */

/* What a value may be changed to. */
static const char *const texts[] = {
    "''",
    "%1$s || 'x'",
    "substr(%1$s, 2)",
    "%1$s || char(0)",
    "upper(%1$s)",
    "(SELECT max(%1$s) FROM %2$s)",
    "(SELECT min(%1$s) FROM %2$s)",
    "replace(%1$s, '1', '9')",
};
static const char *const numbers[] = {
    "%1$s + 1",    "%1$s - 1", "%1$s + 1000", "-%1$s", "0", "9223372036854775807",
    "%1$s * 1000", "1",        "%1$s / 2",
};
static const char *const blobs[] = {
    "zeroblob(length(%1$s))",
    "CAST(substr(%1$s, 2) AS BLOB)",
    "CAST(%1$s || x'00' AS BLOB)",
    "CAST(x'ff' || substr(%1$s, 2) AS BLOB)",
    "(SELECT max(%1$s) FROM %2$s)",
    "(SELECT min(%1$s) FROM %2$s WHERE %1$s IS NOT NULL)",
    "NULL",
    "zeroblob(32)",
    "x''",
};

typedef struct column {
  const char *table, *name, *type;
} column;

/* All columns of a ledger, from the file itself. */
static size_t list_columns(column *list, size_t room) {
  sqlite3 *database;
  sqlite3_stmt *row;
  size_t count = 0;
  assert_int_equal(sqlite3_open(w.ledger, &database), SQLITE_OK);
  assert_int_equal(sqlite3_prepare_v2(database,
                                      "SELECT m.name, c.name, c.type FROM sqlite_schema m, "
                                      "pragma_table_info(m.name) c WHERE m.type = 'table'",
                                      -1, &row, NULL),
                   SQLITE_OK);
  while (sqlite3_step(row) == SQLITE_ROW) {
    assert_true(count < room);
    list[count++] = (column){strdup((const char *)sqlite3_column_text(row, 0)),
                             strdup((const char *)sqlite3_column_text(row, 1)),
                             strdup((const char *)sqlite3_column_text(row, 2))};
  }
  sqlite3_finalize(row);
  sqlite3_close(database);
  assert_true(count >= 15);
  return count;
}

static void free_columns(column *list, size_t count) {
  const char *all[3];
  for (size_t i = 0; i < count; i++) {
    all[0] = list[i].table;
    all[1] = list[i].name;
    all[2] = list[i].type;
    for (int j = 0; j < 3; j++) free((void *)(uintptr_t)all[j]);
  }
}

/* The value's change as SQL, for one row; false when it changes nothing or cannot be made. */
static bool change(char *sql, size_t size, const column *c, const char *pattern, int64_t row) {
  char value[200], test[700];
  snprintf(value, sizeof value, pattern, c->name, c->table);
  snprintf(test, sizeof test, "SELECT count(*) FROM %s WHERE number = %lld AND %s IS NOT %s",
           c->table, (long long)row, c->name, value);
  if (forge_number(&w, test) == 0) return false;
  snprintf(sql, size, "UPDATE %s SET %s = %s WHERE number = %lld", c->table, c->name, value,
           (long long)row);
  return forge_sql(&w, sql);
}

/* For each change of each value of each row of each table: the base with that change.  Returns how
 * many were of interest. */
static size_t each_change(bool (*visit)(const column *c, const char *sql)) {
  column columns[32];
  const size_t count = list_columns(columns, 32);
  size_t made = 0, cases = 0;
  for (size_t i = 0; i < count; i++) {
    const column *c = &columns[i];
    char sql[500], most[80];
    const bool text = !strcmp(c->type, "TEXT"), blob = !strcmp(c->type, "BLOB");
    const char *const *patterns = text ? texts : blob ? blobs : numbers;
    const size_t patterns_count = text   ? sizeof texts / sizeof *texts
                                  : blob ? sizeof blobs / sizeof *blobs
                                         : sizeof numbers / sizeof *numbers;
    forge_restore(&w, "base", FORGE_ALL);
    snprintf(most, sizeof most, "SELECT max(number) FROM %s", c->table);
    const int64_t rows = forge_number(&w, most);
    for (int64_t row = 1; row <= rows; row++)
      for (size_t p = 0; p < patterns_count; p++) {
        if (cases++ % CHILD_STRIDE) continue;
        forge_restore(&w, "base", FORGE_ALL);
        if (!change(sql, sizeof sql, c, patterns[p], row)) continue;
        made += visit(c, sql);
      }
  }
  free_columns(columns, count);
  return made;
}

static bool expect_detected(const column *c, const char *sql) {
  const int got = forge_try(&w, sql);
  /* Answers are looked at when they are asked for, and by verify. */
  if (strcmp(c->table, "answer") ? got & FORGE_OPENED : got & FORGE_VERIFIED)
    fail_msg("%s: opened%s", sql, got & FORGE_VERIFIED ? " and verified" : "");
  return true;
}

static void any_value_changed_is_detected(void **state) {
  (void)state;
  const size_t made = each_change(expect_detected);
  print_message("%zu changes of a value, all detected\n", made);
  assert_true(made > 500 / CHILD_STRIDE);
}

/* With all hashes computed anew, and the anchor where it was. */
static bool expect_caught(const column *c, const char *sql) {
  if (!strcmp(c->table, "answer") || !strcmp(c->name, "hash")) return false; /* not in the chain */
  if (!strcmp(c->table, "ledger") && strcmp(c->name, "identity")) return false; /* see below */
  forge_rechain(&w);
  const int got = forge_try(&w, sql);
  if (got & FORGE_OPENED)
    fail_msg("%s, hashes mended: opened%s", sql, got & FORGE_VERIFIED ? " and verified" : "");
  return true;
}

static void with_mended_hashes_the_anchor_detects_it(void **state) {
  (void)state;
  const size_t made = each_change(expect_caught);
  print_message("%zu changes of a value with mended hashes, all detected by the anchor\n", made);
  assert_true(made > 500 / CHILD_STRIDE);
}

/* ---- whole rows, and what is around them ---- */

#define MOVE_DOWN(from)                                                                            \
  "UPDATE entry SET number = -number WHERE number > " #from ";"                                    \
  "UPDATE entry SET number = -number - 1 WHERE number < 0;"                                        \
  "UPDATE answer SET number = -number WHERE number > " #from ";"                                   \
  "UPDATE answer SET number = -number - 1 WHERE number < 0;"
#define SWAP(a, b)                                                                                 \
  "UPDATE entry SET number = -1 WHERE number = " #a ";"                                            \
  "UPDATE entry SET number = " #a " WHERE number = " #b ";"                                        \
  "UPDATE entry SET number = " #b " WHERE number = -1;"

/* Entries of the base: 1 create, 2 charge r1, 3 bind, 4 answer r1, 5 charge r2, 6 answer r2,
 * 7 create second, 8 charge r3, 9 close second. */
static const char *const rows[] = {
    "DELETE FROM entry WHERE number = 9",
    "DELETE FROM entry WHERE number > 7",
    "DELETE FROM entry WHERE number > 4; DELETE FROM answer WHERE number > 4",
    "DELETE FROM entry WHERE number > 1; DELETE FROM answer",
    "DELETE FROM entry; DELETE FROM answer",
    "DELETE FROM entry WHERE number = 2; " MOVE_DOWN(2),
    "DELETE FROM entry WHERE number = 3; " MOVE_DOWN(3),
    "DELETE FROM answer WHERE number = 4; DELETE FROM entry WHERE number = 4; " MOVE_DOWN(4),
    "DELETE FROM entry WHERE number = 5; " MOVE_DOWN(5),
    "DELETE FROM entry WHERE number = 8; " MOVE_DOWN(8),
    SWAP(2, 5),
    SWAP(5, 8),
    SWAP(1, 2),
    "INSERT INTO entry SELECT 10, time, kind, dataset, 'r4', parameters, guarantee, unit, "
    "-100000000000, amount_delta, secret, hash FROM entry WHERE number = 8",
    "UPDATE entry SET dataset = 'second' WHERE number = 8",
    "UPDATE entry SET request = 'r9' WHERE request = 'r1'",
    "UPDATE entry SET amount = 5000000000000, parameters = "
    "'{\"accounting\":\"basic\",\"epsilon\":5.0,\"delta\":0.0}' WHERE number = 1",
    "UPDATE entry SET amount = 1 WHERE kind = 'charge'",
};

/* What could have been written: without mending they are detected, with it they are honest. */
static const char *const additions[] = {
    "INSERT INTO entry SELECT 10, time, kind, dataset, 'r4', parameters, guarantee, unit, amount, "
    "amount_delta, secret, hash FROM entry WHERE number = 8",
    "INSERT INTO entry SELECT 10, time, kind, 'third', request, parameters, guarantee, unit, "
    "amount, amount_delta, secret, hash FROM entry WHERE number = 1",
};

static void rows_removed_added_or_swapped_are_detected(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    forge_restore(&w, "base", FORGE_ALL);
    if (!forge_sql(&w, rows[i])) fail_msg("not made: %s", rows[i]);
    /* Without an anchor the first few entries alone are an old copy: honest, but not this one. */
    if (!strncmp(rows[i], "DELETE FROM entry WHERE number > ", 33) ||
        !strncmp(rows[i], "DELETE FROM entry;", 18) || !strcmp(rows[i], rows[0]))
      continue;
    if (forge_try(&w, rows[i]) & FORGE_OPENED) fail_msg("%s: opened", rows[i]);
  }
  for (size_t i = 0; i < sizeof additions / sizeof *additions; i++) {
    forge_restore(&w, "base", FORGE_ALL);
    assert_true(forge_sql(&w, additions[i]));
    if (forge_try(&w, additions[i]) & FORGE_OPENED) fail_msg("%s: opened", additions[i]);
    forge_restore(&w, "base", FORGE_ALL);
    assert_true(forge_sql(&w, additions[i]));
    forge_rechain(&w);
    assert_int_equal(forge_try(&w, additions[i]), FORGE_OPENED | FORGE_VERIFIED);
  }
}

static void with_mended_hashes_the_anchor_detects_that_too(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (int mended = 0; mended < 2; mended++) {
      forge_restore(&w, "base", FORGE_ALL);
      if (!forge_sql(&w, rows[i])) fail_msg("not made: %s", rows[i]);
      if (mended) forge_rechain(&w);
      if (forge_try(&w, rows[i]) & FORGE_OPENED)
        fail_msg("%s, hashes %s: opened", rows[i], mended ? "mended" : "as they were");
    }
}

/* The mender is right: a history that he did not change is as good as before. */
static void mending_alone_changes_nothing(void **state) {
  (void)state;
  forge_rechain(&w);
  assert_int_equal(forge_try(&w, "mended"), FORGE_OPENED | FORGE_VERIFIED);
  if (child_run(scenario_check, &w, NULL).code) fail_msg("%s", w.report->text);
}

/* The file says that it has no anchor, or another one: the true anchor, named to verify, knows. */
static void an_anchor_that_was_edited_away_is_missed_by_verify(void **state) {
  (void)state;
  sfm_ledger *ledger;
  sfm_error error;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    forge_restore(&w, "base", FORGE_ALL);
    assert_true(forge_sql(&w, rows[i]) && forge_sql(&w, "UPDATE ledger SET anchor = ''"));
    forge_rechain(&w);
    if (sfm_ledger_open(&ledger, w.ledger, &error)) continue;
    const sfm_status status = sfm_ledger_verify(ledger, NULL, w.anchor, &error);
    sfm_ledger_close(ledger);
    if (status != SFM_REFUSED) fail_msg("%s: verify says %d", rows[i], (int)status);
  }
}

/* An index that does not hold the answers would have them made again. */
static void an_index_that_hides_answers_is_detected(void **state) {
  (void)state;
  forge_hide_answers(&w);
  if (forge_try(&w, "an index without the answers") & FORGE_OPENED) fail_msg("opened");
}

static void answers_swapped_removed_or_added_are_detected(void **state) {
  (void)state;
  static const char *const changes[] = {
      ("UPDATE answer SET number = -1 WHERE number = 4; UPDATE answer SET number = 4 WHERE number "
       "= 6; UPDATE answer SET number = 6 WHERE number = -1"),
      "DELETE FROM answer WHERE number = 4",
      "DELETE FROM answer",
      "INSERT INTO answer VALUES (8, x'00')",
      "UPDATE answer SET bytes = x'' WHERE number = 6",
  };
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
    forge_restore(&w, "base", FORGE_ALL);
    assert_true(forge_sql(&w, changes[i]));
    if (forge_try(&w, changes[i]) & FORGE_VERIFIED) fail_msg("%s: verified", changes[i]);
  }
}

static void a_file_with_other_things_in_it_is_not_opened(void **state) {
  (void)state;
  static const char *const changes[] = {
      "CREATE TABLE more(x)",
      "CREATE TRIGGER t AFTER INSERT ON entry BEGIN DELETE FROM entry; END",
      "CREATE VIEW v AS SELECT * FROM entry",
      "CREATE INDEX i ON entry(amount)",
      "DROP INDEX entry_request",
      "DROP TABLE answer",
      "ALTER TABLE entry ADD COLUMN more INTEGER",
      "ALTER TABLE entry RENAME COLUMN unit TO units",
      "PRAGMA application_id = 0",
      "PRAGMA user_version = 2",
      "PRAGMA journal_mode = WAL",
      "DELETE FROM ledger",
  };
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
    forge_restore(&w, "base", FORGE_ALL);
    assert_true(forge_sql(&w, changes[i]));
    if (forge_try(&w, changes[i]) & FORGE_OPENED) fail_msg("%s: opened", changes[i]);
  }
}

/* What a user may do without harm. */
static void a_file_that_was_only_rearranged_is_opened(void **state) {
  (void)state;
  static const char *const changes[] = {
      "VACUUM",
      "PRAGMA page_size = 1024; VACUUM",
      "PRAGMA page_size = 65536; VACUUM",
      "PRAGMA auto_vacuum = FULL; VACUUM",
      "REINDEX",
  };
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
    forge_restore(&w, "base", FORGE_ALL);
    assert_true(forge_sql(&w, changes[i]));
    if (forge_try(&w, changes[i]) != (FORGE_OPENED | FORGE_VERIFIED))
      fail_msg("%s: %s", changes[i], w.report->text);
    if (child_run(scenario_check, &w, NULL).code) fail_msg("%s: %s", changes[i], w.report->text);
  }
}

#define BASE(test) cmocka_unit_test_setup_teardown(test, base, clear)
#define ANCHORED(test) cmocka_unit_test_setup_teardown(test, anchored_base, clear)

int main(void) {
  const struct CMUnitTest tests[] = {
      BASE(any_value_changed_is_detected),
      ANCHORED(with_mended_hashes_the_anchor_detects_it),
      BASE(rows_removed_added_or_swapped_are_detected),
      ANCHORED(with_mended_hashes_the_anchor_detects_that_too),
      BASE(mending_alone_changes_nothing),
      ANCHORED(mending_alone_changes_nothing),
      ANCHORED(an_anchor_that_was_edited_away_is_missed_by_verify),
      BASE(an_index_that_hides_answers_is_detected),
      ANCHORED(an_index_that_hides_answers_is_detected),
      BASE(answers_swapped_removed_or_added_are_detected),
      BASE(a_file_with_other_things_in_it_is_not_opened),
      BASE(a_file_that_was_only_rearranged_is_opened),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
