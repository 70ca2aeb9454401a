/* vault.c - everything that knows SQL.
 *
 * The file (application id "sfml", user version 1) holds three tables:
 *
 *   ledger   one row: the identity (16 random bytes) and the anchor's path ("": none)
 *   entry    the history, one row an entry, numbered 1, 2, ...; never updated, never deleted
 *   answer   the bytes behind an answer entry, under its number
 *
 * The tables are compared with these texts when a ledger is opened: a file with another table, a
 * trigger or a view is not opened.  Journal mode is DELETE: at rest there is one file, and a copy
 * of it is a whole ledger. */
#include "ledger/vault.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"

#define APPLICATION_ID 0x73666d6c
#define FORMAT_VERSION 1
/* How long a lock is waited for. */
#define PATIENCE_SECONDS 60

static const char *const schema[] = {
    "CREATE TABLE ledger(\n"
    "  number INTEGER PRIMARY KEY,\n"
    "  identity BLOB NOT NULL,\n"
    "  anchor TEXT NOT NULL\n"
    ") STRICT",
    "CREATE TABLE entry(\n"
    "  number INTEGER PRIMARY KEY,\n"
    "  time TEXT NOT NULL,\n"
    "  kind TEXT NOT NULL,\n"
    "  dataset TEXT NOT NULL,\n"
    "  request TEXT NOT NULL,\n"
    "  parameters TEXT NOT NULL,\n"
    "  guarantee TEXT NOT NULL,\n"
    "  unit TEXT NOT NULL,\n"
    "  amount INTEGER NOT NULL,\n"
    "  amount_delta INTEGER NOT NULL,\n"
    "  secret BLOB,\n"
    "  hash BLOB NOT NULL\n"
    ") STRICT",
    "CREATE TABLE answer(\n"
    "  number INTEGER PRIMARY KEY,\n"
    "  bytes BLOB NOT NULL\n"
    ") STRICT",
    /* Last, where VACUUM puts it too. */
    "CREATE UNIQUE INDEX entry_request ON entry(request, dataset, kind) WHERE request <> ''",
};
enum { SCHEMA_COUNT = sizeof schema / sizeof schema[0] };

#define ENTRY_COLUMNS                                                                              \
  "number, time, kind, dataset, request, parameters, guarantee, unit, amount, amount_delta, "      \
  "secret, hash"

static const char *const queries[SFMI_STATEMENTS] = {
    [SFMI_READ_ENTRIES] = "SELECT " ENTRY_COLUMNS " FROM entry WHERE number >= ? ORDER BY number",
    [SFMI_READ_HASH] = "SELECT hash FROM entry WHERE number = ?",
    [SFMI_READ_REQUEST] = "SELECT number, parameters, secret FROM entry WHERE request = ? AND "
                          "dataset = ? AND kind = ? AND request <> ''",
    [SFMI_READ_ANSWER] = "SELECT bytes FROM answer WHERE number = ?",
    [SFMI_ADD_ENTRY] =
        "INSERT INTO entry(" ENTRY_COLUMNS ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [SFMI_ADD_ANSWER] = "INSERT INTO answer(number, bytes) VALUES (?, ?)",
};

/* A message for what SQLite said.  What is broken is refused; what cannot be had is a failure. */
static sfm_status fail_database(const sfmi_vault *vault, sfm_error *error) {
  const int code = vault->database ? sqlite3_errcode(vault->database) : SQLITE_NOMEM;
  const char *said = vault->database ? sqlite3_errmsg(vault->database) : "out of memory";
  switch (code) {
  case SQLITE_NOMEM:
    return sfmi_fail_memory(error);
  case SQLITE_NOTADB:
    return sfmi_fail(error, SFM_INVALID,
                     "%.300s is not a ledger; `sfumato ledger create` makes one", vault->path);
  case SQLITE_ERROR: /* our own words are right: it is the file that SQLite cannot follow */
  case SQLITE_CORRUPT:
  case SQLITE_CONSTRAINT:
  case SQLITE_MISMATCH:
  case SQLITE_TOOBIG:
    return sfmi_fail(error, SFM_REFUSED,
                     "the ledger %.300s is damaged (%s): put back its last good copy", vault->path,
                     said);
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    return sfmi_fail(error, SFM_IO,
                     "the ledger %.300s could not be locked for %d seconds: another process holds "
                     "it; try again",
                     vault->path, PATIENCE_SECONDS);
  case SQLITE_READONLY:
  case SQLITE_CANTOPEN:
  case SQLITE_PERM:
  case SQLITE_AUTH:
    return sfmi_fail(error, SFM_INVALID,
                     "the ledger %.300s cannot be opened and written (%s): it and its folder must "
                     "be yours to write, on a disk that can be",
                     vault->path, said);
  default:
    break;
  }
  const int reason = sqlite3_system_errno(vault->database);
  return sfmi_fail(error, SFM_IO, "the ledger %.300s: %s%s%s", vault->path, said,
                   reason ? ": " : "", reason ? strerror(reason) : "");
}

static sfm_status fail_damaged(const sfmi_vault *vault, const char *what, sfm_error *error) {
  return sfmi_fail(error, SFM_REFUSED,
                   "the ledger %.300s is damaged: %s; put back its last good "
                   "copy",
                   vault->path, what);
}

static sfm_status run(sfmi_vault *vault, const char *sql, sfm_error *error) {
  return sqlite3_exec(vault->database, sql, NULL, NULL, NULL) == SQLITE_OK
             ? SFM_OK
             : fail_database(vault, error);
}

/* Waits 0.1 to 10 milliseconds, more each time, not in step with the others. */
static int wait_for_lock(void *context, int attempt) {
  struct timespec now;
  time_t *until = context;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (attempt == 0) *until = now.tv_sec + PATIENCE_SECONDS;
  if (now.tv_sec >= *until) return 0;
  const long most = attempt < 100 ? 100000L * (attempt + 1) : 10000000L;
  const struct timespec pause = {0, 50000L + (now.tv_nsec / 7 + 7919L * getpid()) % most};
  nanosleep(&pause, NULL);
  return 1;
}

/* What holds for every connection. */
static sfm_status prepare_connection(sfmi_vault *vault, sfm_error *error) {
  sqlite3 *database = vault->database;
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
  sqlite3_extended_result_codes(database, 0);
  sqlite3_busy_handler(database, wait_for_lock, &vault->until);
  return run(vault,
             "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY;"
             "PRAGMA synchronous = EXTRA",
             error);
}

static sfm_status open_database(sfmi_vault *vault, const char *path, int flags, sfm_error *error) {
  char *name = NULL;
  vault->process = getpid();
  vault->path = sfmi_copy_string(path);
  /* ":memory:" and the like are files here as everywhere else. */
  if (!vault->path || asprintf(&name, "%s%s", path[0] == '/' ? "" : "./", path) < 0)
    return sfmi_fail_memory(error);
  const int code = sqlite3_open_v2(name, &vault->database, flags, "unix");
  free(name);
  if (code != SQLITE_OK) return fail_database(vault, error);
  return prepare_connection(vault, error);
}

static sfm_status add_identity(sfmi_vault *vault, const uint8_t *identity, const char *anchor,
                               sfm_error *error) {
  sqlite3_stmt *insert = NULL;
  bool good =
      sqlite3_prepare_v2(vault->database, "INSERT INTO ledger VALUES (1, ?, ?)", -1, &insert,
                         NULL) == SQLITE_OK &&
      sqlite3_bind_blob(insert, 1, identity, SFMI_IDENTITY_BYTES, SQLITE_STATIC) == SQLITE_OK &&
      sqlite3_bind_text(insert, 2, anchor, -1, SQLITE_STATIC) == SQLITE_OK &&
      sqlite3_step(insert) == SQLITE_DONE;
  sfm_status status = good ? SFM_OK : fail_database(vault, error);
  sqlite3_finalize(insert);
  return status;
}

sfm_status sfmi_vault_make(const char *path, const char *name,
                           const uint8_t identity[SFMI_IDENTITY_BYTES], const char *anchor,
                           sfm_error *error) {
  sfmi_vault vault = {0};
  char pragmas[96];
  /* Made here rather than by SQLite, so that it is never readable by others. */
  int descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0)
    return sfmi_fail(error, SFM_INVALID, "cannot create the ledger %.300s: %s", name,
                     strerror(errno));
  close(descriptor);
  sfm_status status = open_database(&vault, path, SQLITE_OPEN_READWRITE, error);
  snprintf(pragmas, sizeof pragmas, "PRAGMA application_id = %d; PRAGMA user_version = %d",
           APPLICATION_ID, FORMAT_VERSION);
  if (!status) status = run(&vault, "BEGIN IMMEDIATE", error);
  if (!status) status = run(&vault, pragmas, error);
  for (int i = 0; !status && i < SCHEMA_COUNT; i++) status = run(&vault, schema[i], error);
  if (!status) status = add_identity(&vault, identity, anchor, error);
  if (!status) status = run(&vault, "COMMIT", error);
  sfmi_vault_close(&vault);
  return status;
}

/* One number that a pragma or a query gives. */
static sfm_status read_number(sfmi_vault *vault, int64_t *out, const char *sql, sfm_error *error) {
  sqlite3_stmt *statement = NULL;
  sfm_status status = SFM_OK;
  if (sqlite3_prepare_v2(vault->database, sql, -1, &statement, NULL) == SQLITE_OK &&
      sqlite3_step(statement) == SQLITE_ROW)
    *out = sqlite3_column_int64(statement, 0);
  else
    status = fail_database(vault, error);
  sqlite3_finalize(statement);
  return status;
}

static const char *text_at(sqlite3_stmt *statement, int column) {
  const char *text = (const char *)sqlite3_column_text(statement, column);
  return text ? text : "";
}

/* A blob of exactly size bytes. */
static bool blob_at(sqlite3_stmt *statement, int column, uint8_t *out, int size) {
  const void *bytes = sqlite3_column_blob(statement, column);
  if (!bytes || sqlite3_column_bytes(statement, column) != size) return false;
  memcpy(out, bytes, (size_t)size);
  return true;
}

static sfm_status check_tables(sfmi_vault *vault, sfm_error *error) {
  sqlite3_stmt *list = NULL;
  int seen = 0, code;
  bool good = true;
  if (sqlite3_prepare_v2(vault->database,
                         "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid", -1,
                         &list, NULL) != SQLITE_OK)
    return fail_database(vault, error);
  while ((code = sqlite3_step(list)) == SQLITE_ROW) {
    good = good && seen < SCHEMA_COUNT && strcmp(text_at(list, 0), schema[seen]) == 0;
    seen++;
  }
  sfm_status status = SFM_OK;
  if (code != SQLITE_DONE)
    status = fail_database(vault, error);
  else if (!good || seen != SCHEMA_COUNT)
    status = fail_damaged(vault, "its tables are not those of a ledger", error);
  sqlite3_finalize(list);
  return status;
}

/* Texts hold no NUL: what follows one would be hidden from the hash. */
static bool texts_are_whole(sqlite3_stmt *row, int first, int last) {
  for (int i = first; i <= last; i++)
    if (strlen(text_at(row, i)) != (size_t)sqlite3_column_bytes(row, i)) return false;
  return true;
}

static sfm_status read_identity(sfmi_vault *vault, sfm_error *error) {
  sqlite3_stmt *row = NULL;
  int code = sqlite3_prepare_v2(vault->database,
                                "SELECT identity, anchor FROM ledger WHERE number = 1 AND (SELECT "
                                "count(*) FROM ledger) = 1",
                                -1, &row, NULL);
  if (code == SQLITE_OK) code = sqlite3_step(row);
  const char *anchor = code == SQLITE_ROW ? text_at(row, 1) : "";
  sfm_status status = SFM_OK;
  if (code != SQLITE_ROW && code != SQLITE_DONE)
    status = fail_database(vault, error);
  else if (code == SQLITE_DONE || !blob_at(row, 0, vault->identity, SFMI_IDENTITY_BYTES))
    status = fail_damaged(vault, "it has no identity, or several", error);
  else if (!texts_are_whole(row, 1, 1) || (*anchor && *anchor != '/'))
    status = fail_damaged(vault, "the path of its anchor was changed", error);
  else
    vault->anchor = sfmi_copy_string(anchor);
  if (!status && !vault->anchor) status = sfmi_fail_memory(error);
  sqlite3_finalize(row);
  return status;
}

static sfm_status check_format(sfmi_vault *vault, sfm_error *error) {
  int64_t application = 0, version = 0;
  sfm_status status = read_number(vault, &application, "PRAGMA application_id", error);
  if (!status) status = read_number(vault, &version, "PRAGMA user_version", error);
  if (!status && application != APPLICATION_ID)
    return sfmi_fail(error, SFM_INVALID,
                     "%.300s is a database, but not a ledger; `sfumato ledger create` makes one",
                     vault->path);
  if (!status && version != FORMAT_VERSION)
    return sfmi_fail(error, SFM_INVALID,
                     "the ledger %.300s has format version %lld; this sfumato knows version %d",
                     vault->path, (long long)version, FORMAT_VERSION);
  return status;
}

/* DELETE is what it was made with; a file that says otherwise was changed. */
static sfm_status check_journal(sfmi_vault *vault, sfm_error *error) {
  sqlite3_stmt *pragma = NULL;
  sfm_status status = SFM_OK;
  if (sqlite3_prepare_v2(vault->database, "PRAGMA journal_mode", -1, &pragma, NULL) != SQLITE_OK ||
      sqlite3_step(pragma) != SQLITE_ROW)
    status = fail_database(vault, error);
  else if (strcmp(text_at(pragma, 0), "delete") != 0)
    status = fail_damaged(vault, "its journal mode was changed", error);
  sqlite3_finalize(pragma);
  return status;
}

/* Before SQLite sees it: a regular file with one name. */
static sfm_status check_file(const char *path, sfm_error *error) {
  struct stat facts;
  if (stat(path, &facts) != 0)
    return sfmi_fail(error, SFM_INVALID,
                     "cannot open the ledger %.300s: %s; `sfumato ledger create` makes one", path,
                     strerror(errno));
  if (!S_ISREG(facts.st_mode))
    return sfmi_fail(error, SFM_INVALID, "%.300s is not a file: name the ledger itself", path);
  if (facts.st_size == 0)
    return sfmi_fail(error, SFM_INVALID,
                     "%.300s is empty; remove it, and `sfumato ledger create` makes a ledger",
                     path);
  /* The journal stands beside the name the file was opened by: a charge cut short under one name
   * would be undone, with all charges made since under the other, when the first is used again. */
  if (facts.st_nlink > 1)
    return sfmi_fail(error, SFM_REFUSED,
                     "the ledger %.300s has %ju names (hard links), and what is charged under one "
                     "can be lost under another: keep one of them, or make copies",
                     path, (uintmax_t)facts.st_nlink);
  return SFM_OK;
}

/* Keys are in it: for its owner only, whatever a copy made of it. */
static void make_private(const char *path) {
  struct stat facts;
  if (stat(path, &facts) == 0 && (facts.st_mode & 077)) (void)chmod(path, 0600);
}

/* What SQLite finds wrong with the file, or with a table and its indices. */
static sfm_status check_pages(sfmi_vault *vault, const char *pragma, sfm_error *error) {
  sqlite3_stmt *check = NULL;
  sfm_status status = SFM_OK;
  if (sqlite3_prepare_v2(vault->database, pragma, -1, &check, NULL) != SQLITE_OK ||
      sqlite3_step(check) != SQLITE_ROW)
    status = fail_database(vault, error);
  else if (strcmp(text_at(check, 0), "ok") != 0)
    status = fail_damaged(vault, text_at(check, 0), error);
  sqlite3_finalize(check);
  return status;
}

sfm_status sfmi_vault_open(sfmi_vault *vault, const char *path, sfm_error *error) {
  *vault = (sfmi_vault){0};
  sfm_status status = check_file(path, error);
  if (!status) status = open_database(vault, path, SQLITE_OPEN_READWRITE, error);
  if (!status) status = check_format(vault, error);
  if (!status) make_private(path);
  if (!status) status = check_journal(vault, error);
  if (!status) status = check_tables(vault, error);
  /* Requests are found by their index, which no hash covers: one that hides a charge or an answer
   * would have it made again. */
  if (!status) status = check_pages(vault, "PRAGMA integrity_check(entry)", error);
  if (!status) status = read_identity(vault, error);
  for (int i = 0; !status && i < SFMI_STATEMENTS; i++)
    if (sqlite3_prepare_v3(vault->database, queries[i], -1, SQLITE_PREPARE_PERSISTENT,
                           &vault->statements[i], NULL) != SQLITE_OK)
      status = fail_database(vault, error);
  if (status) sfmi_vault_close(vault);
  return status;
}

/* In a forked child nothing may touch the connection, not even to close it: the parent's locks and
 * journal are not the child's. */
void sfmi_vault_close(sfmi_vault *vault) {
  if (vault->process == getpid()) {
    for (int i = 0; i < SFMI_STATEMENTS; i++) sqlite3_finalize(vault->statements[i]);
    sqlite3_close(vault->database);
  }
  free(vault->path);
  free(vault->anchor);
  *vault = (sfmi_vault){0};
}

static sfm_status check_process(const sfmi_vault *vault, sfm_error *error) {
  if (vault->process == getpid()) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID,
                   "the ledger %.300s was opened before this process was forked: open it again "
                   "here",
                   vault->path);
}

sfm_status sfmi_vault_writable(const sfmi_vault *vault, sfm_error *error) {
  sfm_status status = check_process(vault, error);
  if (!status && sqlite3_db_readonly(vault->database, "main"))
    status = sfmi_fail(error, SFM_INVALID,
                       "the ledger %.300s can be read but not written: nothing in it can be "
                       "changed",
                       vault->path);
  return status;
}

sfm_status sfmi_vault_begin(sfmi_vault *vault, bool writing, sfm_error *error) {
  sfm_status status = writing ? sfmi_vault_writable(vault, error) : check_process(vault, error);
  return status ? status : run(vault, writing ? "BEGIN IMMEDIATE" : "BEGIN", error);
}

sfm_status sfmi_vault_commit(sfmi_vault *vault, sfm_error *error) {
  sfm_status status = run(vault, "COMMIT", error);
  if (status) sfmi_vault_rollback(vault);
  return status;
}

sfm_status sfmi_vault_settle(const sfmi_vault *vault, sfm_error *error) {
  /* SQLite's own name for the file: links are followed. */
  return sfmi_file_sync_folder(sqlite3_db_filename(vault->database, "main"), error);
}

void sfmi_vault_rollback(sfmi_vault *vault) {
  if (vault->database && !sqlite3_get_autocommit(vault->database))
    (void)sqlite3_exec(vault->database, "ROLLBACK", NULL, NULL, NULL);
}

/* Ready for use again; what was bound is forgotten. */
static void release(sqlite3_stmt *statement) {
  sqlite3_reset(statement);
  sqlite3_clear_bindings(statement);
}

/* One row as an entry.  False when a column is not what a ledger writes. */
static bool entry_at(sfmi_entry *entry, sqlite3_stmt *row) {
  *entry = (sfmi_entry){
      .number = (uint64_t)sqlite3_column_int64(row, 0),
      .time = text_at(row, 1),
      .dataset = text_at(row, 3),
      .request = text_at(row, 4),
      .parameters = text_at(row, 5),
      .guarantee = text_at(row, 6),
      .unit = text_at(row, 7),
      .cost = {sqlite3_column_int64(row, 8), sqlite3_column_int64(row, 9)},
      .has_secret = sqlite3_column_type(row, 10) != SQLITE_NULL,
  };
  if (entry->has_secret && !blob_at(row, 10, entry->secret, sizeof entry->secret)) return false;
  return texts_are_whole(row, 1, 7) && sfmi_entry_kind_parse(&entry->kind, text_at(row, 2)) &&
         blob_at(row, 11, entry->hash, SFMI_HASH_BYTES);
}

sfm_status sfmi_vault_entries(sfmi_vault *vault, uint64_t from, sfmi_entry_visitor *visit,
                              void *context, sfm_error *error) {
  sqlite3_stmt *rows = vault->statements[SFMI_READ_ENTRIES];
  sfm_status status = SFM_OK;
  int code;
  /* From the first on: also what is numbered below it, and has no place there. */
  sqlite3_bind_int64(rows, 1, from <= 1 ? INT64_MIN : (sqlite3_int64)from);
  while ((code = sqlite3_step(rows)) == SQLITE_ROW && !status) {
    sfmi_entry entry;
    if (!entry_at(&entry, rows))
      status = fail_damaged(vault, "an entry of the history cannot be read", error);
    else
      status = visit(context, &entry, error);
    if (status) break;
  }
  if (!status && code != SQLITE_DONE) status = fail_database(vault, error);
  release(rows);
  return status;
}

sfm_status sfmi_vault_hash(sfmi_vault *vault, bool *found, uint8_t hash[SFMI_HASH_BYTES],
                           uint64_t number, sfm_error *error) {
  sqlite3_stmt *row = vault->statements[SFMI_READ_HASH];
  sqlite3_bind_int64(row, 1, (sqlite3_int64)number);
  const int code = sqlite3_step(row);
  sfm_status status =
      code == SQLITE_ROW || code == SQLITE_DONE ? SFM_OK : fail_database(vault, error);
  *found = code == SQLITE_ROW && blob_at(row, 0, hash, SFMI_HASH_BYTES);
  release(row);
  return status;
}

sfm_status sfmi_vault_request(sfmi_vault *vault, uint64_t *number, char **parameters,
                              uint8_t *secret, sfmi_entry_kind kind, const char *dataset,
                              const char *request, sfm_error *error) {
  sqlite3_stmt *row = vault->statements[SFMI_READ_REQUEST];
  sfm_status status = SFM_OK;
  *number = 0;
  if (parameters) *parameters = NULL;
  sqlite3_bind_text(row, 1, request, -1, SQLITE_STATIC);
  sqlite3_bind_text(row, 2, dataset, -1, SQLITE_STATIC);
  sqlite3_bind_text(row, 3, sfmi_entry_kind_name(kind), -1, SQLITE_STATIC);
  const int code = sqlite3_step(row);
  if (code == SQLITE_ROW) {
    *number = (uint64_t)sqlite3_column_int64(row, 0);
    if (parameters) *parameters = sfmi_copy_string(text_at(row, 1));
    if (parameters && !*parameters) status = sfmi_fail_memory(error);
    if (secret && !blob_at(row, 2, secret, 32))
      status = fail_damaged(vault, "an answer has no hash", error);
  } else if (code != SQLITE_DONE) {
    status = fail_database(vault, error);
  }
  release(row);
  return status;
}

sfm_status sfmi_vault_answer(sfmi_vault *vault, char **bytes, size_t *length, uint64_t number,
                             sfm_error *error) {
  sqlite3_stmt *row = vault->statements[SFMI_READ_ANSWER];
  sfm_status status = SFM_OK;
  *bytes = NULL;
  sqlite3_bind_int64(row, 1, (sqlite3_int64)number);
  const int code = sqlite3_step(row);
  if (code == SQLITE_ROW) {
    *length = (size_t)sqlite3_column_bytes(row, 0);
    const void *stored = sqlite3_column_blob(row, 0);
    *bytes = malloc(*length + 1);
    if (!*bytes || (*length && !stored)) {
      status = sfmi_fail_memory(error);
    } else {
      if (*length) memcpy(*bytes, stored, *length);
      (*bytes)[*length] = '\0';
    }
  } else {
    status = code == SQLITE_DONE ? fail_damaged(vault, "a stored answer is missing", error)
                                 : fail_database(vault, error);
  }
  if (status) {
    free(*bytes);
    *bytes = NULL;
  }
  release(row);
  return status;
}

static sfm_status insert(sfmi_vault *vault, sqlite3_stmt *row, sfm_error *error) {
  sfm_status status = sqlite3_step(row) == SQLITE_DONE ? SFM_OK : fail_database(vault, error);
  release(row);
  return status;
}

sfm_status sfmi_vault_add_entry(sfmi_vault *vault, const sfmi_entry *entry, sfm_error *error) {
  sqlite3_stmt *row = vault->statements[SFMI_ADD_ENTRY];
  const char *texts[] = {entry->time,       sfmi_entry_kind_name(entry->kind),
                         entry->dataset,    entry->request,
                         entry->parameters, entry->guarantee,
                         entry->unit};
  sqlite3_bind_int64(row, 1, (sqlite3_int64)entry->number);
  for (int i = 0; i < 7; i++) sqlite3_bind_text(row, 2 + i, texts[i], -1, SQLITE_STATIC);
  sqlite3_bind_int64(row, 9, entry->cost.main);
  sqlite3_bind_int64(row, 10, entry->cost.delta);
  if (entry->has_secret)
    sqlite3_bind_blob(row, 11, entry->secret, sizeof entry->secret, SQLITE_STATIC);
  sqlite3_bind_blob(row, 12, entry->hash, SFMI_HASH_BYTES, SQLITE_STATIC);
  return insert(vault, row, error);
}

sfm_status sfmi_vault_add_answer(sfmi_vault *vault, uint64_t number, const char *bytes,
                                 size_t length, sfm_error *error) {
  sqlite3_stmt *row = vault->statements[SFMI_ADD_ANSWER];
  sqlite3_bind_int64(row, 1, (sqlite3_int64)number);
  sqlite3_bind_blob64(row, 2, length ? bytes : "", length, SQLITE_STATIC);
  return insert(vault, row, error);
}

sfm_status sfmi_vault_count_answers(sfmi_vault *vault, int64_t *count, sfm_error *error) {
  return read_number(vault, count, "SELECT count(*) FROM answer", error);
}

sfm_status sfmi_vault_integrity(sfmi_vault *vault, sfm_error *error) {
  return check_pages(vault, "PRAGMA integrity_check(1)", error);
}
