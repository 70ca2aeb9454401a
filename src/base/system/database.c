#include "database.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "c_locale.h"
#include "file.h"

/* How long a lock is waited for. */
#define PATIENCE_SECONDS 60

sfm_status sfmi_database_fail(const sfmi_database *database, sfm_error *error) {
  const sfmi_database_kind *kind = database->kind;
  const int code = database->handle ? sqlite3_errcode(database->handle) : SQLITE_NOMEM;
  const char *said = database->handle ? sqlite3_errmsg(database->handle) : "out of memory";
  switch (code) {
  case SQLITE_NOMEM:
    return sfmi_fail_memory(error);
  case SQLITE_NOTADB:
    return sfmi_fail(error, kind->strange, "%.300s is not a %s; %s", database->path, kind->noun,
                     kind->make);
  case SQLITE_ERROR: /* our own words are right: it is the file that SQLite cannot follow */
  case SQLITE_CORRUPT:
  case SQLITE_CONSTRAINT:
  case SQLITE_MISMATCH:
  case SQLITE_TOOBIG:
    return sfmi_fail(error, kind->damaged, "the %s %.300s is damaged (%s): %s", kind->noun,
                     database->path, said, kind->mend);
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    return sfmi_fail(error, SFM_IO,
                     "the %s %.300s could not be locked for %d seconds: another process holds "
                     "it; try again",
                     kind->noun, database->path, PATIENCE_SECONDS);
  case SQLITE_READONLY:
    if (database->frozen)
      return sfmi_fail(error, SFM_INVALID,
                       "the %s %.300s is frozen (mode %04o), and its last change was interrupted: "
                       "chmod u+w it, read it once, and freeze it again",
                       kind->noun, database->path, database->mode);
    /* fallthrough */
  case SQLITE_CANTOPEN:
  case SQLITE_PERM:
  case SQLITE_AUTH:
    return sfmi_fail(error, SFM_INVALID,
                     "the %s %.300s cannot be opened for writing (%s): you need the right to write "
                     "the file and its folder, on a disk that can be written",
                     kind->noun, database->path, said);
  default:
    break;
  }
  const int reason = sqlite3_system_errno(database->handle);
  return sfmi_fail(error, SFM_IO, "the %s %.300s: %s%s%s", kind->noun, database->path, said,
                   reason ? ": " : "", reason ? sfmi_strerror(reason) : "");
}

sfm_status sfmi_database_fail_damaged(const sfmi_database *database, const char *what,
                                      sfm_error *error) {
  return sfmi_fail(error, database->kind->damaged, "the %s %.300s is damaged: %s; %s",
                   database->kind->noun, database->path, what, database->kind->mend);
}

sfm_status sfmi_database_run(sfmi_database *database, const char *sql, sfm_error *error) {
  return sqlite3_exec(database->handle, sql, NULL, NULL, NULL) == SQLITE_OK
             ? SFM_OK
             : sfmi_database_fail(database, error);
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
static sfm_status prepare_connection(sfmi_database *database, sfm_error *error) {
  sqlite3 *handle = database->handle;
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
  sqlite3_extended_result_codes(handle, 0);
  sqlite3_busy_handler(handle, wait_for_lock, &database->until);
  return sfmi_database_run(
      database,
      "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY;"
      "PRAGMA synchronous = EXTRA",
      error);
}

static sfm_status open_connection(sfmi_database *database, const sfmi_database_kind *kind,
                                  const char *path, mode_t mode, sfm_error *error) {
  char *name = NULL;
  *database = (sfmi_database){.kind = kind,
                              .process = getpid(),
                              .path = sfmi_copy_string(path),
                              .mode = mode & 0777,
                              .frozen = !(mode & S_IWUSR),
                              .shared = mode & S_IRGRP};
  /* ":memory:" and the like are files here as everywhere else. */
  if (!database->path || sfmi_asprintf(&name, "%s%s", path[0] == '/' ? "" : "./", path) < 0)
    return sfmi_fail_memory(error);
  /* Root could write all the same: what the owner has frozen is not opened for that. */
  const int flags = database->frozen ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
  const int code = sqlite3_open_v2(name, &database->handle, flags, "unix");
  free(name);
  if (code != SQLITE_OK) return sfmi_database_fail(database, error);
  return prepare_connection(database, error);
}

sfm_status
sfmi_database_make(const sfmi_database_kind *kind, const char *path, const char *name, bool shared,
                   sfm_status (*fill)(sfmi_database *database, void *context, sfm_error *error),
                   void *context, sfm_error *error) {
  sfmi_database database;
  char pragmas[96];
  /* Made here rather than by SQLite, so that it is never readable by others. */
  int descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  const mode_t mode = shared ? 0660 : 0600;
  const bool failed = descriptor < 0 || (shared && fchmod(descriptor, mode) != 0);
  const int reason = errno;
  if (descriptor >= 0) close(descriptor);
  if (failed)
    return sfmi_fail(error, SFM_INVALID, "cannot create the %s %.300s: %s", kind->noun, name,
                     sfmi_strerror(reason));
  sfmi_snprintf(pragmas, sizeof pragmas, "PRAGMA application_id = %d; PRAGMA user_version = %d",
                kind->application_id, kind->version);
  sfm_status status = open_connection(&database, kind, path, mode, error);
  if (!status) status = sfmi_database_run(&database, "BEGIN IMMEDIATE", error);
  if (!status) status = sfmi_database_run(&database, pragmas, error);
  for (size_t i = 0; !status && i < kind->schema_count; i++)
    status = sfmi_database_run(&database, kind->schema[i], error);
  if (!status) status = fill(&database, context, error);
  if (!status) status = sfmi_database_run(&database, "COMMIT", error);
  sfmi_database_close(&database);
  return status;
}

sfm_status sfmi_database_prepare(sfmi_database *database, sqlite3_stmt **out, const char *sql,
                                 sfm_error *error) {
  return sqlite3_prepare_v3(database->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, out, NULL) ==
                 SQLITE_OK
             ? SFM_OK
             : sfmi_database_fail(database, error);
}

sfm_status sfmi_database_number(sfmi_database *database, int64_t *out, const char *sql,
                                sfm_error *error) {
  sqlite3_stmt *statement = NULL;
  sfm_status status = SFM_OK;
  if (sqlite3_prepare_v2(database->handle, sql, -1, &statement, NULL) == SQLITE_OK &&
      sqlite3_step(statement) == SQLITE_ROW)
    *out = sqlite3_column_int64(statement, 0);
  else
    status = sfmi_database_fail(database, error);
  sqlite3_finalize(statement);
  return status;
}

const char *sfmi_column_text(sqlite3_stmt *row, int column) {
  const char *text = (const char *)sqlite3_column_text(row, column);
  return text ? text : "";
}

bool sfmi_column_blob(sqlite3_stmt *row, int column, uint8_t *out, int size) {
  const void *bytes = sqlite3_column_blob(row, column);
  if (!bytes || sqlite3_column_bytes(row, column) != size) return false;
  memcpy(out, bytes, (size_t)size);
  return true;
}

bool sfmi_column_whole(sqlite3_stmt *row, int first, int last) {
  for (int i = first; i <= last; i++)
    if (strlen(sfmi_column_text(row, i)) != (size_t)sqlite3_column_bytes(row, i)) return false;
  return true;
}

static sfm_status check_tables(sfmi_database *database, sfm_error *error) {
  const sfmi_database_kind *kind = database->kind;
  sqlite3_stmt *list = NULL;
  char what[80];
  size_t seen = 0;
  int code;
  bool good = true;
  if (sqlite3_prepare_v2(database->handle,
                         "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid", -1,
                         &list, NULL) != SQLITE_OK)
    return sfmi_database_fail(database, error);
  while ((code = sqlite3_step(list)) == SQLITE_ROW) {
    good = good && seen < kind->schema_count &&
           strcmp(sfmi_column_text(list, 0), kind->schema[seen]) == 0;
    seen++;
  }
  sfm_status status = SFM_OK;
  sfmi_snprintf(what, sizeof what, "its tables are not those of a %s", kind->noun);
  if (code != SQLITE_DONE)
    status = sfmi_database_fail(database, error);
  else if (!good || seen != kind->schema_count)
    status = sfmi_database_fail_damaged(database, what, error);
  sqlite3_finalize(list);
  return status;
}

static sfm_status check_format(sfmi_database *database, sfm_error *error) {
  const sfmi_database_kind *kind = database->kind;
  int64_t application = 0, version = 0;
  sfm_status status = sfmi_database_number(database, &application, "PRAGMA application_id", error);
  if (!status) status = sfmi_database_number(database, &version, "PRAGMA user_version", error);
  if (!status && application != kind->application_id)
    return sfmi_fail(error, kind->strange, "%.300s is a database, but not a %s; %s", database->path,
                     kind->noun, kind->make);
  if (!status && version != kind->version)
    return sfmi_fail(error, kind->strange,
                     "the %s %.300s has format version %lld; this sfumato knows version %d",
                     kind->noun, database->path, (long long)version, kind->version);
  return status;
}

/* DELETE is what it was made with; a file that says otherwise was changed. */
static sfm_status check_journal(sfmi_database *database, sfm_error *error) {
  sqlite3_stmt *pragma = NULL;
  sfm_status status = SFM_OK;
  if (sqlite3_prepare_v2(database->handle, "PRAGMA journal_mode", -1, &pragma, NULL) != SQLITE_OK ||
      sqlite3_step(pragma) != SQLITE_ROW)
    status = sfmi_database_fail(database, error);
  else if (strcmp(sfmi_column_text(pragma, 0), "delete") != 0)
    status = sfmi_database_fail_damaged(database, "its journal mode was changed", error);
  sqlite3_finalize(pragma);
  return status;
}

/* Secrets are in it: for its owner alone, or (where the kind allows it) for its group too, which
 * then may do all that the owner may. */
static sfm_status check_mode(const sfmi_database_kind *kind, const char *path, mode_t mode,
                             sfm_error *error) {
  const mode_t owner = mode & 0600, group = mode & 070;
  const bool like_owner = kind->shareable && group == owner >> 3;
  const char *alone = owner & S_IWUSR ? "600" : "400", *both = owner & S_IWUSR ? "660" : "440";
  if (!(mode & 07) && (!group || like_owner)) return SFM_OK;
  return sfmi_fail(
      error, SFM_INVALID,
      "users other than its owner have access to the %s %.300s (mode %04o), which holds "
      "secrets: chmod %s it%s%s%s",
      kind->noun, path, mode & 0777, alone, kind->shareable ? ", or chmod " : "",
      kind->shareable ? both : "", kind->shareable ? " to share it with its group" : "");
}

/* Before SQLite sees it: a regular file with one name and a private mode. */
static sfm_status check_file(const sfmi_database_kind *kind, const char *path, mode_t *mode,
                             sfm_error *error) {
  struct stat facts;
  if (stat(path, &facts) != 0)
    return sfmi_fail(error, SFM_INVALID, "cannot open the %s %.300s: %s; %s", kind->noun, path,
                     sfmi_strerror(errno), kind->make);
  if (!S_ISREG(facts.st_mode))
    return sfmi_fail(error, SFM_INVALID, "%.300s is not a file: name the %s itself", path,
                     kind->noun);
  if (facts.st_size == 0)
    return sfmi_fail(error, kind->strange, "%.300s is empty; remove it, and %s", path, kind->make);
  /* The journal stands beside the name the file was opened by: what was cut short under one name
   * would be undone, with all that was written since under the other, when the first is used
   * again. */
  if (facts.st_nlink > 1)
    return sfmi_fail(error, SFM_REFUSED,
                     "the %s %.300s has %ju names (hard links), and what is written under one can "
                     "be lost under another: keep one of them, or make copies",
                     kind->noun, path, (uintmax_t)facts.st_nlink);
  *mode = facts.st_mode;
  return SFM_OK;
}

sfm_status sfmi_database_check(sfmi_database *database, const char *pragma, sfm_error *error) {
  sqlite3_stmt *check = NULL;
  sfm_status status = SFM_OK;
  if (sqlite3_prepare_v2(database->handle, pragma, -1, &check, NULL) != SQLITE_OK ||
      sqlite3_step(check) != SQLITE_ROW)
    status = sfmi_database_fail(database, error);
  else if (strcmp(sfmi_column_text(check, 0), "ok") != 0)
    status = sfmi_database_fail_damaged(database, sfmi_column_text(check, 0), error);
  sqlite3_finalize(check);
  return status;
}

sfm_status sfmi_database_open(sfmi_database *database, const sfmi_database_kind *kind,
                              const char *path, sfm_error *error) {
  *database = (sfmi_database){.kind = kind, .process = getpid()};
  mode_t mode = 0;
  sfm_status status = check_file(kind, path, &mode, error);
  if (!status) status = open_connection(database, kind, path, mode, error);
  if (!status) status = check_format(database, error);
  if (!status) status = check_mode(kind, path, mode, error);
  if (!status) status = check_journal(database, error);
  if (!status) status = check_tables(database, error);
  if (status) sfmi_database_close(database);
  return status;
}

bool sfmi_database_here(const sfmi_database *database) {
  return database->process == getpid();
}

/* In a forked child nothing may touch the connection, not even to close it: the parent's locks and
 * journal are not the child's. */
void sfmi_database_close(sfmi_database *database) {
  if (sfmi_database_here(database)) sqlite3_close(database->handle);
  free(database->path);
  database->handle = NULL;
  database->path = NULL;
}

static sfm_status check_process(const sfmi_database *database, sfm_error *error) {
  if (sfmi_database_here(database)) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID,
                   "the %s %.300s was opened before this process was forked: open it again here",
                   database->kind->noun, database->path);
}

sfm_status sfmi_database_writable(const sfmi_database *database, sfm_error *error) {
  sfm_status status = check_process(database, error);
  if (!status && database->frozen)
    return sfmi_fail(error, SFM_REFUSED,
                     "the %s %.300s is frozen (mode %04o): nothing in it can change until its "
                     "owner makes it writable with chmod u+w",
                     database->kind->noun, database->path, database->mode);
  if (!status && sqlite3_db_readonly(database->handle, "main"))
    status = sfmi_fail(error, SFM_INVALID,
                       "the %s %.300s can be read but not written: nothing in it can be changed",
                       database->kind->noun, database->path);
  return status;
}

sfm_status sfmi_database_begin(sfmi_database *database, bool writing, sfm_error *error) {
  sfm_status status =
      writing ? sfmi_database_writable(database, error) : check_process(database, error);
  return status ? status
                : sfmi_database_run(database, writing ? "BEGIN IMMEDIATE" : "BEGIN", error);
}

sfm_status sfmi_database_commit(sfmi_database *database, sfm_error *error) {
  sfm_status status = sfmi_database_run(database, "COMMIT", error);
  if (status) sfmi_database_rollback(database);
  return status;
}

void sfmi_database_rollback(sfmi_database *database) {
  if (database->handle && !sqlite3_get_autocommit(database->handle))
    (void)sqlite3_exec(database->handle, "ROLLBACK", NULL, NULL, NULL);
}

sfm_status sfmi_database_settle(const sfmi_database *database, sfm_error *error) {
  /* SQLite's own name for the file: links are followed. */
  return sfmi_file_sync_folder(sqlite3_db_filename(database->handle, "main"), error);
}

void sfmi_statement_release(sqlite3_stmt *statement) {
  sqlite3_reset(statement);
  sqlite3_clear_bindings(statement);
}

sfm_status sfmi_database_insert(sfmi_database *database, sqlite3_stmt *row, sfm_error *error) {
  sfm_status status =
      sqlite3_step(row) == SQLITE_DONE ? SFM_OK : sfmi_database_fail(database, error);
  sfmi_statement_release(row);
  return status;
}
