/* database.h - one SQLite file, opened safely, locked, and made durable: what a ledger and a
 * session have in common.
 *
 * One connection, one process: nothing is done with it in a forked child.  A transaction that
 * writes holds the file's write lock from its first statement (BEGIN IMMEDIATE), and is on the disk
 * when sfmi_database_commit returns (synchronous EXTRA: the journal is synced, the file is synced,
 * and the folder after the journal is gone).  Journal mode is DELETE: at rest there is one file,
 * and a copy of it is whole. */
#ifndef SFMI_DATABASE_H
#define SFMI_DATABASE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

#include "status.h"

/* What kind of file it is, and how messages speak of it. */
typedef struct sfmi_database_kind {
  int application_id, version;
  const char *const *schema; /* the texts of its tables and indices, in order */
  size_t schema_count;
  const char *noun;   /* "ledger" */
  const char *make;   /* how to make one: "sfm_ledger_create makes one" */
  const char *mend;   /* what to do when it is damaged: "put back its last good copy" */
  bool shareable;     /* the file's group may be given all that its owner may */
  sfm_status strange; /* of a file that is something else */
  sfm_status damaged; /* of one that is broken or was edited */
} sfmi_database_kind;

/* Not moved while open. */
typedef struct sfmi_database {
  const sfmi_database_kind *kind;
  sqlite3 *handle;
  char *path;
  pid_t process;
  mode_t mode;  /* of the file when it was opened */
  bool frozen;  /* the owner may not write it (mode 0400): read only, for root too */
  bool shared;  /* with the file's group */
  time_t until; /* when the busy handler gives up; SQLite keeps a pointer to it */
} sfmi_database;

/* Makes a new file (mode 0600 from its first byte; shared: 0660) at path, which must not exist,
 * with empty tables; fill writes what belongs in them, in the same transaction.  Durable and closed
 * again when it returns.  name is what messages call it.  SQLite gives the journal the same mode.
 */
SFM_MUST_CHECK sfm_status sfmi_database_make(const sfmi_database_kind *kind, const char *path,
                                             const char *name, bool shared,
                                             sfm_status (*fill)(sfmi_database *database,
                                                                void *context, sfm_error *error),
                                             void *context, sfm_error *error);

/* Opens an existing one: a regular file with one name, of this kind, with these tables and nothing
 * else, that others cannot use.  Its mode was chosen by its owner and is never changed: 0600,
 * frozen 0400, shared 0660 or 0440.  On failure it is closed. */
SFM_MUST_CHECK sfm_status sfmi_database_open(sfmi_database *database,
                                             const sfmi_database_kind *kind, const char *path,
                                             sfm_error *error);
/* Statements are finalised before (not in a forked child: sfmi_database_here). */
void sfmi_database_close(sfmi_database *database);

/* Whether this process opened it. */
bool sfmi_database_here(const sfmi_database *database);

/* SFM_REFUSED when the file is frozen; SFM_INVALID when it can be read but not written. */
SFM_MUST_CHECK sfm_status sfmi_database_writable(const sfmi_database *database, sfm_error *error);

/* Begins a transaction; writing takes the write lock, waiting for up to a minute. */
SFM_MUST_CHECK sfm_status sfmi_database_begin(sfmi_database *database, bool writing,
                                              sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_database_commit(sfmi_database *database, sfm_error *error);
/* Ends a transaction and undoes it.  Fine when there is none. */
void sfmi_database_rollback(sfmi_database *database);

/* Makes durable what other processes have committed.  A commit is seen by others as soon as its
 * journal is gone, and stays once the folder is synced: who made it may have died in between. */
SFM_MUST_CHECK sfm_status sfmi_database_settle(const sfmi_database *database, sfm_error *error);

SFM_MUST_CHECK sfm_status sfmi_database_run(sfmi_database *database, const char *sql,
                                            sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_database_prepare(sfmi_database *database, sqlite3_stmt **out,
                                                const char *sql, sfm_error *error);
/* One number that a pragma or a query gives. */
SFM_MUST_CHECK sfm_status sfmi_database_number(sfmi_database *database, int64_t *out,
                                               const char *sql, sfm_error *error);
/* A pragma that says "ok" when all is well: SQLite's own check of the file, or of a table. */
SFM_MUST_CHECK sfm_status sfmi_database_check(sfmi_database *database, const char *pragma,
                                              sfm_error *error);

/* A message for the last error of SQLite: kind->damaged when the file is broken, else what failed.
 */
sfm_status sfmi_database_fail(const sfmi_database *database, sfm_error *error);
sfm_status sfmi_database_fail_damaged(const sfmi_database *database, const char *what,
                                      sfm_error *error);

/* A column's text, never NULL; a blob of exactly size bytes; whether the texts of the columns hold
 * no NUL: text after a NUL would not be seen. */
const char *sfmi_column_text(sqlite3_stmt *row, int column);
bool sfmi_column_blob(sqlite3_stmt *row, int column, uint8_t *out, int size);
bool sfmi_column_whole(sqlite3_stmt *row, int first, int last);

/* Runs an insertion, and makes the statement ready for use again; what was bound is forgotten. */
SFM_MUST_CHECK sfm_status sfmi_database_insert(sfmi_database *database, sqlite3_stmt *row,
                                               sfm_error *error);
void sfmi_statement_release(sqlite3_stmt *statement);

#endif
