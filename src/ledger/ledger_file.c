/* ledger_file.c - the tables of a ledger.
 *
 * The file (application id "sfml", user version 1) holds three tables:
 *
 *   ledger   one row: the identity (16 random bytes) and the anchor's path ("": none)
 *   entry    the history, one row per entry, numbered 1, 2, ...; never updated, never deleted
 *   answer   the bytes behind an answer entry, under its number
 *
 * The tables are compared with these texts when a ledger is opened: a file with another table, a
 * trigger or a view is not opened. */
#include "ledger_file.h"

#include <stdlib.h>
#include <string.h>

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

static const sfmi_database_kind ledger_kind = {
    .application_id = 0x73666d6c,
    .version = 1,
    .schema = schema,
    .schema_count = sizeof schema / sizeof schema[0],
    .noun = "ledger",
    .make = "sfm_ledger_create makes one",
    .mend = "put back its last good copy",
    .shareable = true,
    .strange = SFM_INVALID,
    .damaged = SFM_REFUSED,
};

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

/* What a new ledger says of itself. */
typedef struct birth {
  const uint8_t *identity;
  const char *anchor;
} birth;

static sfm_status add_identity(sfmi_database *database, void *context, sfm_error *error) {
  const birth *b = context;
  sqlite3_stmt *insert = NULL;
  sfm_status status =
      sfmi_database_prepare(database, &insert, "INSERT INTO ledger VALUES (1, ?, ?)", error);
  if (!status) {
    sqlite3_bind_blob(insert, 1, b->identity, SFMI_IDENTITY_BYTES, SQLITE_STATIC);
    sqlite3_bind_text(insert, 2, b->anchor, -1, SQLITE_STATIC);
    status = sfmi_database_insert(database, insert, error);
  }
  sqlite3_finalize(insert);
  return status;
}

sfm_status sfmi_ledger_file_create(const char *path, const char *name,
                                   const uint8_t identity[SFMI_IDENTITY_BYTES], const char *anchor,
                                   bool shared, sfm_error *error) {
  birth b = {identity, anchor};
  return sfmi_database_make(&ledger_kind, path, name, shared, add_identity, &b, error);
}

static sfm_status read_identity(sfmi_ledger_file *file, sfm_error *error) {
  sqlite3_stmt *row = NULL;
  int code = sqlite3_prepare_v2(file->database.handle,
                                "SELECT identity, anchor FROM ledger WHERE number = 1 AND (SELECT "
                                "count(*) FROM ledger) = 1",
                                -1, &row, NULL);
  if (code == SQLITE_OK) code = sqlite3_step(row);
  const char *anchor = code == SQLITE_ROW ? sfmi_column_text(row, 1) : "";
  sfm_status status = SFM_OK;
  if (code != SQLITE_ROW && code != SQLITE_DONE)
    status = sfmi_database_fail(&file->database, error);
  else if (code == SQLITE_DONE || !sfmi_column_blob(row, 0, file->identity, SFMI_IDENTITY_BYTES))
    status = sfmi_database_fail_damaged(&file->database, "it has no identity, or several", error);
  else if (!sfmi_column_whole(row, 1, 1) || (*anchor && *anchor != '/'))
    status =
        sfmi_database_fail_damaged(&file->database, "the path of its anchor was changed", error);
  else
    file->anchor = sfmi_copy_string(anchor);
  if (!status && !file->anchor) status = sfmi_fail_memory(error);
  sqlite3_finalize(row);
  return status;
}

sfm_status sfmi_ledger_file_open(sfmi_ledger_file *file, const char *path, sfm_error *error) {
  *file = (sfmi_ledger_file){0};
  sfm_status status = sfmi_database_open(&file->database, &ledger_kind, path, error);
  if (status) return status;
  /* Requests are found by their index, which no hash covers: one that hides a charge or an answer
   * would have it made again. */
  status = sfmi_database_check(&file->database, "PRAGMA integrity_check(entry)", error);
  if (!status) status = read_identity(file, error);
  for (int i = 0; !status && i < SFMI_STATEMENTS; i++)
    status = sfmi_database_prepare(&file->database, &file->statements[i], queries[i], error);
  if (status) sfmi_ledger_file_close(file);
  return status;
}

void sfmi_ledger_file_close(sfmi_ledger_file *file) {
  if (sfmi_database_here(&file->database))
    for (int i = 0; i < SFMI_STATEMENTS; i++) sqlite3_finalize(file->statements[i]);
  sfmi_database_close(&file->database);
  free(file->anchor);
  *file = (sfmi_ledger_file){0};
}

/* One row as an entry.  False when a column is not what a ledger writes. */
static bool entry_at(sfmi_entry *entry, sqlite3_stmt *row) {
  *entry = (sfmi_entry){
      .number = (uint64_t)sqlite3_column_int64(row, 0),
      .time = sfmi_column_text(row, 1),
      .dataset = sfmi_column_text(row, 3),
      .request = sfmi_column_text(row, 4),
      .parameters = sfmi_column_text(row, 5),
      .guarantee = sfmi_column_text(row, 6),
      .unit = sfmi_column_text(row, 7),
      .cost = {sqlite3_column_int64(row, 8), sqlite3_column_int64(row, 9)},
      .has_secret = sqlite3_column_type(row, 10) != SQLITE_NULL,
  };
  if (entry->has_secret && !sfmi_column_blob(row, 10, entry->secret, sizeof entry->secret))
    return false;
  return sfmi_column_whole(row, 1, 7) &&
         sfmi_entry_kind_parse(&entry->kind, sfmi_column_text(row, 2)) &&
         sfmi_column_blob(row, 11, entry->hash, SFMI_HASH_BYTES);
}

sfm_status sfmi_ledger_file_entries(sfmi_ledger_file *file, uint64_t from,
                                    sfmi_entry_visitor *visit, void *context, sfm_error *error) {
  sqlite3_stmt *rows = file->statements[SFMI_READ_ENTRIES];
  sfm_status status = SFM_OK;
  int code;
  /* From the first on: also what is numbered below it, and has no place there. */
  sqlite3_bind_int64(rows, 1, from <= 1 ? INT64_MIN : (sqlite3_int64)from);
  while ((code = sqlite3_step(rows)) == SQLITE_ROW && !status) {
    sfmi_entry entry;
    if (!entry_at(&entry, rows))
      status = sfmi_database_fail_damaged(&file->database, "an entry of the history cannot be read",
                                          error);
    else
      status = visit(context, &entry, error);
    if (status) break;
  }
  if (!status && code != SQLITE_DONE) status = sfmi_database_fail(&file->database, error);
  sfmi_statement_release(rows);
  return status;
}

sfm_status sfmi_ledger_file_hash(sfmi_ledger_file *file, bool *found, uint8_t hash[SFMI_HASH_BYTES],
                                 uint64_t number, sfm_error *error) {
  sqlite3_stmt *row = file->statements[SFMI_READ_HASH];
  sqlite3_bind_int64(row, 1, (sqlite3_int64)number);
  const int code = sqlite3_step(row);
  sfm_status status = code == SQLITE_ROW || code == SQLITE_DONE
                          ? SFM_OK
                          : sfmi_database_fail(&file->database, error);
  *found = code == SQLITE_ROW && sfmi_column_blob(row, 0, hash, SFMI_HASH_BYTES);
  sfmi_statement_release(row);
  return status;
}

sfm_status sfmi_ledger_file_request(sfmi_ledger_file *file, uint64_t *number, char **parameters,
                                    uint8_t *secret, sfmi_entry_kind kind, const char *dataset,
                                    const char *request, sfm_error *error) {
  sqlite3_stmt *row = file->statements[SFMI_READ_REQUEST];
  sfm_status status = SFM_OK;
  *number = 0;
  if (parameters) *parameters = NULL;
  sqlite3_bind_text(row, 1, request, -1, SQLITE_STATIC);
  sqlite3_bind_text(row, 2, dataset, -1, SQLITE_STATIC);
  sqlite3_bind_text(row, 3, sfmi_entry_kind_name(kind), -1, SQLITE_STATIC);
  const int code = sqlite3_step(row);
  if (code == SQLITE_ROW) {
    *number = (uint64_t)sqlite3_column_int64(row, 0);
    if (parameters) *parameters = sfmi_copy_string(sfmi_column_text(row, 1));
    if (parameters && !*parameters) status = sfmi_fail_memory(error);
    if (secret && !sfmi_column_blob(row, 2, secret, 32))
      status = sfmi_database_fail_damaged(&file->database, "an answer has no hash", error);
  } else if (code != SQLITE_DONE) {
    status = sfmi_database_fail(&file->database, error);
  }
  sfmi_statement_release(row);
  return status;
}

sfm_status sfmi_ledger_file_answer(sfmi_ledger_file *file, char **bytes, size_t *length,
                                   uint64_t number, sfm_error *error) {
  sqlite3_stmt *row = file->statements[SFMI_READ_ANSWER];
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
    status = code == SQLITE_DONE
                 ? sfmi_database_fail_damaged(&file->database, "a stored answer is missing", error)
                 : sfmi_database_fail(&file->database, error);
  }
  if (status) {
    free(*bytes);
    *bytes = NULL;
  }
  sfmi_statement_release(row);
  return status;
}

sfm_status sfmi_ledger_file_add_entry(sfmi_ledger_file *file, const sfmi_entry *entry,
                                      sfm_error *error) {
  sqlite3_stmt *row = file->statements[SFMI_ADD_ENTRY];
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
  return sfmi_database_insert(&file->database, row, error);
}

sfm_status sfmi_ledger_file_add_answer(sfmi_ledger_file *file, uint64_t number, const char *bytes,
                                       size_t length, sfm_error *error) {
  sqlite3_stmt *row = file->statements[SFMI_ADD_ANSWER];
  sqlite3_bind_int64(row, 1, (sqlite3_int64)number);
  sqlite3_bind_blob64(row, 2, length ? bytes : "", length, SQLITE_STATIC);
  return sfmi_database_insert(&file->database, row, error);
}

sfm_status sfmi_ledger_file_count_answers(sfmi_ledger_file *file, int64_t *count,
                                          sfm_error *error) {
  return sfmi_database_number(&file->database, count, "SELECT count(*) FROM answer", error);
}
