#include "test_support.h"

#include <fcntl.h>
#include <sodium.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "child_process.h"
#include "ledger_forgery.h"

/* ---- files ---- */

unsigned char *forge_read(const char *path, size_t *length) {
  struct stat facts;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return NULL;
  assert_int_equal(fstat(file, &facts), 0);
  unsigned char *bytes = malloc((size_t)facts.st_size + 1);
  assert_non_null(bytes);
  assert_int_equal(pread(file, bytes, (size_t)facts.st_size, 0), facts.st_size);
  close(file);
  *length = (size_t)facts.st_size;
  return bytes;
}

void forge_write(const char *path, const unsigned char *bytes, size_t length) {
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  assert_true(file >= 0);
  assert_int_equal(write(file, bytes, length), length);
  close(file);
}

static void copy(const char *to, const char *from) {
  size_t length;
  unsigned char *bytes = forge_read(from, &length);
  if (bytes)
    forge_write(to, bytes, length);
  else
    unlink(to);
  free(bytes);
}

static const char *kept(char path[128], const scenario *w, const char *name, const char *what) {
  snprintf(path, 128, "%s/%s.%s", w->root, name, what);
  return path;
}

void forge_keep(const scenario *w, const char *name) {
  char path[128];
  copy(kept(path, w, name, "ledger"), w->ledger);
  copy(kept(path, w, name, "anchor"), w->anchor);
  copy(kept(path, w, name, "shown"), w->shown);
}

void forge_restore(const scenario *w, const char *name, int what) {
  char path[128], journal[160];
  snprintf(journal, sizeof journal, "%s-journal", w->ledger);
  if (what & FORGE_LEDGER) unlink(journal);
  if (what & FORGE_LEDGER) copy(w->ledger, kept(path, w, name, "ledger"));
  if (what & FORGE_ANCHOR) copy(w->anchor, kept(path, w, name, "anchor"));
  if (what & FORGE_SHOWN) copy(w->shown, kept(path, w, name, "shown"));
}

/* ---- rows ---- */

static sqlite3 *open_file(const scenario *w) {
  sqlite3 *database;
  assert_int_equal(sqlite3_open(w->ledger, &database), SQLITE_OK);
  return database;
}

bool forge_sql(const scenario *w, const char *sql) {
  sqlite3 *database = open_file(w);
  const bool good = sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK;
  sqlite3_close(database);
  return good;
}

int64_t forge_number(const scenario *w, const char *sql) {
  sqlite3 *database = open_file(w);
  sqlite3_stmt *row;
  assert_int_equal(sqlite3_prepare_v2(database, sql, -1, &row, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_step(row), SQLITE_ROW);
  const int64_t number = sqlite3_column_int64(row, 0);
  sqlite3_finalize(row);
  sqlite3_close(database);
  return number;
}

static void add_number(crypto_generichash_state *state, uint64_t number) {
  uint8_t bytes[8];
  for (int i = 0; i < 8; i++) bytes[i] = (uint8_t)(number >> 8 * i);
  crypto_generichash_update(state, bytes, 8);
}

static void add_column(crypto_generichash_state *state, sqlite3_stmt *row, int column) {
  const void *bytes = sqlite3_column_blob(row, column);
  const size_t length = (size_t)sqlite3_column_bytes(row, column);
  add_number(state, length);
  if (length) crypto_generichash_update(state, bytes, length);
}

/* The hash before the first entry. */
static void first_hash(sqlite3 *database, uint8_t hash[32]) {
  crypto_generichash_state state;
  sqlite3_stmt *row;
  assert_int_equal(sqlite3_prepare_v2(database,
                                      "SELECT 'sfumato ledger 1', identity, anchor FROM ledger "
                                      "WHERE number = 1",
                                      -1, &row, NULL),
                   SQLITE_OK);
  assert_int_equal(sqlite3_step(row), SQLITE_ROW);
  crypto_generichash_init(&state, NULL, 0, 32);
  for (int i = 0; i < 3; i++) add_column(&state, row, i);
  crypto_generichash_final(&state, hash, 32);
  sqlite3_finalize(row);
}

/* Entries in their order; the new hash of each into its row. */
void forge_rechain(const scenario *w) {
  sqlite3 *database = open_file(w);
  sqlite3_stmt *row, *update;
  uint8_t hash[32];
  first_hash(database, hash);
  assert_int_equal(sqlite3_exec(database, "BEGIN", NULL, NULL, NULL), SQLITE_OK);
  assert_int_equal(
      sqlite3_prepare_v2(database,
                         "SELECT number, time, kind, dataset, request, parameters, guarantee, "
                         "unit, amount, amount_delta, secret FROM entry ORDER BY number",
                         -1, &row, NULL),
      SQLITE_OK);
  assert_int_equal(
      sqlite3_prepare_v2(database, "UPDATE entry SET hash = ? WHERE number = ?", -1, &update, NULL),
      SQLITE_OK);
  while (sqlite3_step(row) == SQLITE_ROW) {
    crypto_generichash_state state;
    crypto_generichash_init(&state, NULL, 0, 32);
    add_number(&state, 32);
    crypto_generichash_update(&state, hash, 32);
    add_number(&state, (uint64_t)sqlite3_column_int64(row, 0));
    for (int i = 1; i <= 7; i++) add_column(&state, row, i);
    add_number(&state, (uint64_t)sqlite3_column_int64(row, 8));
    add_number(&state, (uint64_t)sqlite3_column_int64(row, 9));
    add_column(&state, row, 10);
    crypto_generichash_final(&state, hash, 32);
    sqlite3_bind_blob(update, 1, hash, 32, SQLITE_STATIC);
    sqlite3_bind_int64(update, 2, sqlite3_column_int64(row, 0));
    assert_int_equal(sqlite3_step(update), SQLITE_DONE);
    sqlite3_reset(update);
  }
  sqlite3_finalize(row);
  sqlite3_finalize(update);
  assert_int_equal(sqlite3_exec(database, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
  sqlite3_close(database);
}

#define INDEX_TEXT(condition)                                                                      \
  "PRAGMA writable_schema = ON;"                                                                   \
  "UPDATE sqlite_schema SET sql = 'CREATE UNIQUE INDEX entry_request ON entry(request, dataset, "  \
  "kind) WHERE " condition "' WHERE name = 'entry_request'"

void forge_hide_answers(const scenario *w) {
  assert_true(forge_sql(w, INDEX_TEXT("request <> '''' AND kind <> ''answer''")));
  assert_true(forge_sql(w, "REINDEX entry_request"));
  assert_true(forge_sql(w, INDEX_TEXT("request <> ''''")));
}

/* ---- attempts ---- */

static bool see(void *context, const sfm_ledger_entry *entry) {
  (void)entry;
  ++*(uint64_t *)context;
  return true;
}

int forge_exploit(void *context) {
  const scenario *w = context;
  sfm_ledger *ledger;
  sfm_error error = {0};
  sfm_dataset_status *list = NULL;
  size_t count = 0;
  uint64_t seen = 0;
  char request[32];
  if (sfm_ledger_open(&ledger, w->ledger, &error)) {
    scenario_say(w, "%s", error.message);
    return error.message[0] && !ledger ? 0 : 100;
  }
  int result = FORGE_OPENED;
  for (int i = 1; i <= 3; i++) {
    snprintf(request, sizeof request, "r%d", i);
    (void)!scenario_request(w, ledger, request, &error);
  }
  for (int i = 1; i <= 40; i++) {
    snprintf(request, sizeof request, "new-%d", i);
    if (scenario_request(w, ledger, request, &error)) break;
  }
  if (!sfm_ledger_status(ledger, &list, &count, &error)) sfm_free(list);
  (void)!sfm_ledger_history(ledger, NULL, see, &seen, &error);
  if (!sfm_ledger_verify(ledger, NULL, NULL, &error)) result |= FORGE_VERIFIED;
  scenario_say(w, "%s", error.message);
  sfm_ledger_close(ledger);
  return result;
}

int forge_try(const scenario *w, const char *what) {
  void *context = (void *)(uintptr_t)w;
  child_end end = child_run(forge_exploit, context, NULL);
  if (end.signal || end.code > (FORGE_OPENED | FORGE_VERIFIED))
    fail_msg("%s: signal %d, code %d", what, end.signal, end.code);
  if (scenario_honest(context)) fail_msg("%s: %s", what, w->report->text);
  return end.code;
}
