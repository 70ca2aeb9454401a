#include "session_store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system/c_locale.h"
#include "base/system/file.h"
#include "data/format/row_digest.h"

static const char *const schema[] = {
    "CREATE TABLE session(\n"
    "  number INTEGER PRIMARY KEY,\n"
    "  identity BLOB NOT NULL,\n"
    "  key BLOB NOT NULL,\n"
    "  facts TEXT NOT NULL,\n"
    "  state BLOB NOT NULL,\n"
    "  ledger TEXT NOT NULL,\n"
    "  anchor TEXT NOT NULL,\n"
    "  hash BLOB NOT NULL\n"
    ") STRICT",
    "CREATE TABLE seal(\n"
    "  number INTEGER PRIMARY KEY\n"
    ") STRICT",
    "CREATE TABLE batch(\n"
    "  number INTEGER PRIMARY KEY,\n"
    "  points BLOB NOT NULL,\n"
    "  answers BLOB NOT NULL,\n"
    "  latents BLOB NOT NULL,\n"
    "  hash BLOB NOT NULL\n"
    ") STRICT",
};

#define SESSION_KIND(verb)                                                                         \
  {                                                                                                \
    .application_id = 0x73666d73, .version = 1, .schema = schema,                                  \
    .schema_count = sizeof schema / sizeof schema[0], .noun = "session",                           \
    .make = "`sfumato " verb " open` makes one", .mend = "put back its newest good copy",          \
    .strange = SFM_FORMAT, .damaged = SFM_FORMAT                                                   \
  }

static const sfmi_database_kind kinds[] = {SESSION_KIND("online"), SESSION_KIND("interact")};

static const char *const queries[SFMI_STORE_STATEMENTS] = {
    [SFMI_STORE_READ] = "SELECT number, points, answers, latents, hash FROM batch WHERE number > ? "
                        "ORDER BY number",
    [SFMI_STORE_HASH] = "SELECT hash FROM batch WHERE number = ?",
    [SFMI_STORE_ADD] = "INSERT INTO batch(number, points, answers, latents, hash) VALUES (?, ?, ?, "
                       "?, ?)",
};

void sfmi_session_record_clear(sfmi_session_record *record) {
  sfmi_wipe_free(record->state, record->state_length, 1);
  free(record->facts);
  free(record->ledger);
  free(record->anchor);
  explicit_bzero(record, sizeof *record);
}

/* ---- hashes ---- */

/* A field goes into a hash with its length before it. */
static void hash_field(sfmi_digest *digest, const void *bytes, size_t length) {
  const uint64_t size = length;
  sfmi_digest_add(digest, &size, sizeof size);
  if (length) sfmi_digest_add(digest, bytes, length);
}

static void hash_record(uint8_t hash[SFMI_GENERATION_BYTES], const sfmi_session_record *record) {
  static const char name[] = "sfumato session 1";
  sfmi_digest digest;
  sfmi_digest_start(&digest, record->key);
  hash_field(&digest, name, strlen(name));
  hash_field(&digest, record->identity, sizeof record->identity);
  hash_field(&digest, record->facts, strlen(record->facts));
  hash_field(&digest, record->state, record->state_length);
  hash_field(&digest, record->ledger, strlen(record->ledger));
  hash_field(&digest, record->anchor, strlen(record->anchor));
  sfmi_digest_end(&digest, hash);
}

/* The generation that a batch makes of `last`. */
static sfmi_generation after(const sfmi_store *store, const sfmi_generation *last,
                             const sfmi_store_batch *batch) {
  sfmi_generation next = {.number = last->number + 1};
  sfmi_digest digest;
  sfmi_digest_start(&digest, store->record.key);
  hash_field(&digest, last->hash, sizeof last->hash);
  hash_field(&digest, &next.number, sizeof next.number);
  hash_field(&digest, batch->points.at, batch->points.size);
  hash_field(&digest, batch->answers.at, batch->answers.size);
  hash_field(&digest, batch->latents.at, batch->latents.size);
  sfmi_digest_end(&digest, next.hash);
  return next;
}

/* ---- making and opening ---- */

static sfm_status add_record(sfmi_database *database, void *context, sfm_error *error) {
  const sfmi_session_record *record = context;
  uint8_t hash[SFMI_GENERATION_BYTES];
  sqlite3_stmt *insert = NULL;
  hash_record(hash, record);
  sfm_status status = sfmi_database_prepare(
      database, &insert, "INSERT INTO session VALUES (1, ?, ?, ?, ?, ?, ?, ?)", error);
  if (!status) {
    sqlite3_bind_blob(insert, 1, record->identity, sizeof record->identity, SQLITE_STATIC);
    sqlite3_bind_blob(insert, 2, record->key, sizeof record->key, SQLITE_STATIC);
    sqlite3_bind_text(insert, 3, record->facts, -1, SQLITE_STATIC);
    sqlite3_bind_blob64(insert, 4, record->state_length ? record->state : (const void *)"",
                        record->state_length, SQLITE_STATIC);
    sqlite3_bind_text(insert, 5, record->ledger, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 6, record->anchor, -1, SQLITE_STATIC);
    sqlite3_bind_blob(insert, 7, hash, sizeof hash, SQLITE_STATIC);
    status = sfmi_database_insert(database, insert, error);
  }
  sqlite3_finalize(insert);
  return status;
}

sfm_status sfmi_store_create(const char *path, const char *name, const sfmi_session_record *record,
                             sfm_error *error) {
  sfmi_session_record borrowed = *record;
  sfm_status status =
      sfmi_database_make(&kinds[0], path, name, false, add_record, &borrowed, error);
  explicit_bzero(&borrowed, sizeof borrowed);
  return status;
}

/* The record in the current row; false when something is not what a session writes. */
static bool take_record(sfmi_session_record *record, sqlite3_stmt *row) {
  const void *state = sqlite3_column_blob(row, 3);
  const size_t length = (size_t)sqlite3_column_bytes(row, 3);
  record->facts = sfmi_copy_string(sfmi_column_text(row, 2));
  record->ledger = sfmi_copy_string(sfmi_column_text(row, 4));
  record->anchor = sfmi_copy_string(sfmi_column_text(row, 5));
  record->state = malloc(length + 1);
  if (!record->state || !record->facts || !record->ledger || !record->anchor) return false;
  if (length && !state) return false;
  if (length) memcpy(record->state, state, length);
  record->state_length = length;
  return sfmi_column_whole(row, 2, 2) && sfmi_column_whole(row, 4, 5) &&
         sfmi_column_blob(row, 0, record->identity, sizeof record->identity) &&
         sfmi_column_blob(row, 1, record->key, sizeof record->key);
}

static sfm_status read_record(sfmi_store *store, sfm_error *error) {
  sqlite3_stmt *row = NULL;
  uint8_t stored[SFMI_GENERATION_BYTES];
  sfm_status status =
      sfmi_database_prepare(&store->database, &row,
                            "SELECT identity, key, facts, state, ledger, anchor, hash FROM session "
                            "WHERE number = 1 AND (SELECT count(*) FROM session) = 1",
                            error);
  if (status) return status;
  const int code = sqlite3_step(row);
  if (code == SQLITE_ROW && take_record(&store->record, row) &&
      sfmi_column_blob(row, 6, stored, sizeof stored)) {
    hash_record(store->first.hash, &store->record);
    if (memcmp(stored, store->first.hash, sizeof stored) != 0)
      status = sfmi_database_fail_damaged(&store->database, "it is not what was written", error);
  } else if (code == SQLITE_ROW || code == SQLITE_DONE) {
    status = sfmi_database_fail_damaged(&store->database, "its first row cannot be read", error);
  } else {
    status = sfmi_database_fail(&store->database, error);
  }
  sqlite3_finalize(row);
  return status;
}

bool sfmi_store_is_there(const char *path) {
  struct stat facts;
  return lstat(path, &facts) == 0;
}

/* It begins with zeros.  Asked only of a file that is no session: to close a descriptor of one
 * would undo the locks on it. */
bool sfmi_store_wiped(const char *path) {
  static const char zeros[16];
  char start[16] = "x";
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return false;
  const ssize_t got = pread(descriptor, start, sizeof start, 0);
  close(descriptor);
  return got == sizeof start && memcmp(start, zeros, sizeof start) == 0;
}

static uint32_t big_endian(const uint8_t bytes[4]) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* SQLite keeps user_version at byte 60 and application_id at byte 68. */
bool sfmi_store_begins(const uint8_t start[SFMI_STORE_START]) {
  static const uint8_t zeros[16], magic[16] = "SQLite format 3";
  return memcmp(start, zeros, sizeof zeros) == 0 ||
         (memcmp(start, magic, sizeof magic) == 0 &&
          big_endian(start + 60) == (uint32_t)kinds[0].version &&
          big_endian(start + 68) == (uint32_t)kinds[0].application_id);
}

sfm_status sfmi_store_open(sfmi_store *store, sfmi_store_verb verb, const char *path,
                           sfm_error *error) {
  int64_t sealed = 0;
  *store = (sfmi_store){0};
  sfm_status status = sfmi_database_open(&store->database, &kinds[verb], path, error);
  if (status == SFM_FORMAT && sfmi_store_wiped(path))
    return sfmi_fail(error, SFM_FORMAT,
                     "%.300s holds no session any more: wiping it was cut short, and a part of it "
                     "may still be there; finish it with sfm_%s_discard",
                     path, verb == SFMI_STORE_ONLINE ? "online" : "interact");
  if (status) return status;
  status = read_record(store, error);
  if (!status)
    status = sfmi_database_number(&store->database, &sealed, "SELECT count(*) FROM seal", error);
  store->sealed = sealed > 0;
  for (int i = 0; !status && i < SFMI_STORE_STATEMENTS; i++)
    status = sfmi_database_prepare(&store->database, &store->statements[i], queries[i], error);
  if (status) sfmi_store_close(store);
  return status;
}

void sfmi_store_close(sfmi_store *store) {
  if (sfmi_database_here(&store->database))
    for (int i = 0; i < SFMI_STORE_STATEMENTS; i++) sqlite3_finalize(store->statements[i]);
  sfmi_database_close(&store->database);
  sfmi_session_record_clear(&store->record);
  *store = (sfmi_store){0};
}

sfm_status sfmi_store_seal(sfmi_store *store, sfm_error *error) {
  sfm_status status = sfmi_database_begin(&store->database, true, error);
  if (status) return status;
  status = sfmi_database_run(&store->database, "INSERT OR IGNORE INTO seal VALUES (1)", error);
  if (status)
    sfmi_database_rollback(&store->database);
  else
    status = sfmi_database_commit(&store->database, error);
  if (!status) store->sealed = true;
  return status;
}

/* ---- names ---- */

/* Once the second name is durable. */
static sfm_status drop_first_name(const char *opening, const char *path, sfm_error *error) {
  sfm_status status = sfmi_file_sync_folder(path, error);
  if (status) return status;
  if (unlink(opening) != 0 && errno != ENOENT)
    return sfmi_fail(error, SFM_IO, "cannot remove %.300s: %s", opening, sfmi_strerror(errno));
  return sfmi_file_sync_folder(path, error);
}

sfm_status sfmi_store_place(const char *opening, const char *path, sfm_error *error) {
  if (link(opening, path) == 0) return drop_first_name(opening, path, error);
  return sfmi_file_place(opening, path, kinds[0].noun, error);
}

bool sfmi_store_has_both_names(const char *opening, const char *path) {
  struct stat one, other;
  return lstat(path, &one) == 0 && lstat(opening, &other) == 0 && one.st_ino == other.st_ino &&
         one.st_dev == other.st_dev;
}

sfm_status sfmi_store_unify(const char *path, sfm_error *error) {
  char *opening = NULL;
  sfm_status status = SFM_OK;
  if (sfmi_asprintf(&opening, "%s.opening", path) < 0) return sfmi_fail_memory(error);
  if (sfmi_store_has_both_names(opening, path)) status = drop_first_name(opening, path, error);
  free(opening);
  return status;
}

/* ---- batches ---- */

/* What was read before must still be there. */
static sfm_status check_last(sfmi_store *store, const sfmi_generation *last, sfm_error *error) {
  uint8_t hash[SFMI_GENERATION_BYTES];
  sqlite3_stmt *row = store->statements[SFMI_STORE_HASH];
  if (last->number == 0) return SFM_OK;
  sqlite3_bind_int64(row, 1, (sqlite3_int64)last->number);
  const int code = sqlite3_step(row);
  sfm_status status = SFM_OK;
  if (code != SQLITE_ROW && code != SQLITE_DONE)
    status = sfmi_database_fail(&store->database, error);
  else if (code == SQLITE_DONE || !sfmi_column_blob(row, 0, hash, sizeof hash) ||
           memcmp(hash, last->hash, sizeof hash) != 0)
    status = sfmi_fail(error, SFM_REFUSED,
                       "the session %.300s was replaced by another copy while it was open: open it "
                       "again",
                       store->database.path);
  sfmi_statement_release(row);
  return status;
}

/* A column of a batch, in memory that is aligned for numbers. */
typedef struct column {
  void *bytes;
  size_t room;
} column;

/* Copies the blob of a column; false when memory is short. */
static bool read_column(column *into, sfmi_bytes *out, sqlite3_stmt *row, int number) {
  const void *bytes = sqlite3_column_blob(row, number);
  const size_t size = (size_t)sqlite3_column_bytes(row, number);
  if (size && !bytes) return false;
  if (size > into->room) {
    free(into->bytes);
    into->room = 0;
    into->bytes = malloc(size);
    if (!into->bytes) return false;
    into->room = size;
  }
  if (size) memcpy(into->bytes, bytes, size);
  *out = (sfmi_bytes){into->bytes, size};
  return true;
}

/* The batch in the current row, which must follow `last`. */
static bool read_batch(sfmi_store *store, sfmi_store_batch *batch, sfmi_generation *next,
                       column columns[3], sqlite3_stmt *row, const sfmi_generation *last) {
  uint8_t hash[SFMI_GENERATION_BYTES];
  if (sqlite3_column_int64(row, 0) != (sqlite3_int64)last->number + 1 ||
      !read_column(&columns[0], &batch->points, row, 1) ||
      !read_column(&columns[1], &batch->answers, row, 2) ||
      !read_column(&columns[2], &batch->latents, row, 3) ||
      !sfmi_column_blob(row, 4, hash, sizeof hash))
    return false;
  *next = after(store, last, batch);
  return memcmp(hash, next->hash, sizeof hash) == 0;
}

sfm_status sfmi_store_follow(sfmi_store *store, sfmi_generation *last, sfmi_generation *before,
                             sfmi_batch_visitor *visit, void *context, sfm_error *error) {
  sqlite3_stmt *row = store->statements[SFMI_STORE_READ];
  column columns[3] = {{0}};
  sfmi_store_batch batch;
  sfmi_generation next;
  int code = SQLITE_DONE;
  sfm_status status = check_last(store, last, error);
  /* From the first on: also what is numbered below it, and has no place there. */
  sqlite3_bind_int64(row, 1, last->number ? (sqlite3_int64)last->number : INT64_MIN);
  while (!status && (code = sqlite3_step(row)) == SQLITE_ROW) {
    if (!read_batch(store, &batch, &next, columns, row, last)) {
      status = sfmi_database_fail_damaged(&store->database, "its answers are not what was written",
                                          error);
      break;
    }
    status = visit(context, &batch, error);
    if (status) break;
    *before = *last;
    *last = next;
  }
  if (!status && code != SQLITE_DONE) status = sfmi_database_fail(&store->database, error);
  sfmi_statement_release(row);
  for (int i = 0; i < 3; i++) sfmi_wipe_free(columns[i].bytes, columns[i].room, 1);
  return status;
}

sfm_status sfmi_store_ends(sfmi_store *store, bool *ends, uint64_t number, sfm_error *error) {
  sqlite3_stmt *row = store->statements[SFMI_STORE_HASH];
  sqlite3_bind_int64(row, 1, (sqlite3_int64)number + 1);
  const int code = sqlite3_step(row);
  *ends = code == SQLITE_DONE;
  sfm_status status = code == SQLITE_DONE || code == SQLITE_ROW
                          ? SFM_OK
                          : sfmi_database_fail(&store->database, error);
  sfmi_statement_release(row);
  return status;
}

static void bind_bytes(sqlite3_stmt *row, int number, sfmi_bytes bytes) {
  sqlite3_bind_blob64(row, number, bytes.size ? bytes.at : "", bytes.size, SQLITE_STATIC);
}

sfm_status sfmi_store_add(sfmi_store *store, sfmi_generation *last, const sfmi_store_batch *batch,
                          sfm_error *error) {
  sqlite3_stmt *row = store->statements[SFMI_STORE_ADD];
  const sfmi_generation next = after(store, last, batch);
  sqlite3_bind_int64(row, 1, (sqlite3_int64)next.number);
  bind_bytes(row, 2, batch->points);
  bind_bytes(row, 3, batch->answers);
  bind_bytes(row, 4, batch->latents);
  sqlite3_bind_blob(row, 5, next.hash, sizeof next.hash, SQLITE_STATIC);
  sfm_status status = sfmi_database_insert(&store->database, row, error);
  if (!status) *last = next;
  return status;
}

/* ---- the end ---- */

static bool overwrite(int descriptor) {
  static const char zeros[1 << 16];
  struct stat facts;
  if (fstat(descriptor, &facts) != 0) return false;
  for (off_t at = 0; at < facts.st_size;) {
    const off_t left = facts.st_size - at;
    const size_t size = left < (off_t)sizeof zeros ? (size_t)left : sizeof zeros;
    const ssize_t done = pwrite(descriptor, zeros, size, at);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    at += done;
  }
  return fsync(descriptor) == 0;
}

/* One file; false and errno when it is still there. */
static bool destroy_one(const char *path) {
  int descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0) return errno == ENOENT;
  bool good = overwrite(descriptor);
  const int reason = errno;
  close(descriptor);
  errno = reason;
  return good && unlink(path) == 0;
}

sfm_status sfmi_store_destroy_file(const char *path, sfm_error *error) {
  char *journal = NULL;
  if (sfmi_asprintf(&journal, "%s-journal", path) < 0) return sfmi_fail_memory(error);
  /* The journal first: left alone, it would be played back into whatever is made here next. */
  const bool good = destroy_one(journal) && destroy_one(path);
  const int reason = errno;
  free(journal);
  if (!good)
    return sfmi_fail(error, SFM_IO, "cannot overwrite and remove %.300s: %s", path,
                     sfmi_strerror(reason));
  return sfmi_file_sync_folder(path, error);
}

sfm_status sfmi_store_destroy(sfmi_store *store, sfm_error *error) {
  char *path = sfmi_copy_string(sqlite3_db_filename(store->database.handle, "main"));
  sfm_status status = path ? sfmi_store_destroy_file(path, error) : sfmi_fail_memory(error);
  free(path);
  return status;
}

sfm_status sfmi_store_discard(sfmi_store_verb verb, const char *path, sfm_error *error) {
  sfmi_store store;
  sfm_status status = sfmi_store_unify(path, error);
  if (!status) status = sfmi_store_open(&store, verb, path, error);
  if (status == SFM_FORMAT && sfmi_store_wiped(path)) return sfmi_store_destroy_file(path, error);
  if (status) return status;
  status = sfmi_database_begin(&store.database, true, error);
  if (!status) {
    status = sfmi_store_destroy(&store, error);
    sfmi_database_rollback(&store.database);
  }
  sfmi_store_close(&store);
  return status;
}
