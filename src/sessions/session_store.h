/* session_store.h - the session file: what it is made with, and the batches of answers it has
 * given.
 *
 * One SQLite file (base/system/database.h), mode 0600, only ever added to:
 *
 *   session   one row: identity, hash key, facts (a release without its numbers), the private
 *             state, where its generation is kept besides (a ledger's or an anchor's path, or ""),
 *             and the hash of all that
 *   seal      one row once the session is finished: before, it is not to be asked
 *   batch     one row per batch of answers, numbered 1, 2, ...: points, values, latents, hash
 *
 * Hashes are keyed (BLAKE2b-256), so that one of them, kept elsewhere, says nothing about answers
 * or latents; each covers its batch, its number and the hash before it, the first one the session's
 * row.  The state has a version of its own (mechanisms/sessions/session_state.h).  Batches are
 * words of 64 bits in the byte order of the machine.  Sessions of all kinds (sfumato/online.h,
 * sfumato/interact.h) are such files, and their facts say which they are. */
#ifndef SFMI_SESSION_STORE_H
#define SFMI_SESSION_STORE_H

#include "base/system/database.h"
#include "base/system/session_generation.h"

/* What a session is made with. */
typedef struct sfmi_session_record {
  uint8_t identity[SFMI_SESSION_IDENTITY];
  uint8_t key[SFMI_SESSION_KEY];
  char *facts;
  uint8_t *state; /* PRIVATE */
  size_t state_length;
  char *ledger, *anchor; /* absolute paths; "": none */
} sfmi_session_record;

/* Wipes and frees what it holds. */
void sfmi_session_record_clear(sfmi_session_record *record);

/* Bytes of a batch, aligned for any number, of its columns: what they hold its owner knows. */
typedef struct sfmi_bytes {
  const void *at;
  size_t size;
} sfmi_bytes;

typedef struct sfmi_store_batch {
  sfmi_bytes points, answers, latents;
} sfmi_store_batch;

typedef enum sfmi_store_statement {
  SFMI_STORE_READ,
  SFMI_STORE_HASH,
  SFMI_STORE_ADD,
  SFMI_STORE_STATEMENTS,
} sfmi_store_statement;

/* Not moved while open. */
typedef struct sfmi_store {
  sfmi_database database;
  sqlite3_stmt *statements[SFMI_STORE_STATEMENTS];
  sfmi_session_record record;
  bool sealed;
  sfmi_generation first; /* number 0 and the hash of the session's row */
} sfmi_store;

/* A new file, durable and not sealed; name is what messages call it. */
SFM_MUST_CHECK sfm_status sfmi_store_create(const char *path, const char *name,
                                            const sfmi_session_record *record, sfm_error *error);

/* Who opens it, for messages. */
typedef enum sfmi_store_verb { SFMI_STORE_ONLINE, SFMI_STORE_INTERACT } sfmi_store_verb;

/* Opens one, reads its record and checks its hash.  SFM_FORMAT when it is something else. */
SFM_MUST_CHECK sfm_status sfmi_store_open(sfmi_store *store, sfmi_store_verb verb, const char *path,
                                          sfm_error *error);
void sfmi_store_close(sfmi_store *store);

/* Durable when it returns. */
SFM_MUST_CHECK sfm_status sfmi_store_seal(sfmi_store *store, sfm_error *error);

/* The finished file at PATH.opening becomes PATH, durably, unless something has that name: it is
 * given its second name, and when that is on the disk the first is taken away, so that it is not
 * lost under both whatever the disk makes of a crash.  Files that cannot have two are renamed. */
SFM_MUST_CHECK sfm_status sfmi_store_place(const char *opening, const char *path, sfm_error *error);
/* Whether the file has both names. */
bool sfmi_store_has_both_names(const char *opening, const char *path);
/* If that was cut short in between: takes away the first name of the file at path. */
SFM_MUST_CHECK sfm_status sfmi_store_unify(const char *path, sfm_error *error);

/* Within a transaction: visits the batches that follow `last` in order, each checked against the
 * one before it, and moves `last` on; what `last` names must be there.  before (of the last one
 * visited) is set when there was one. */
typedef sfm_status sfmi_batch_visitor(void *context, const sfmi_store_batch *batch,
                                      sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_store_follow(sfmi_store *store, sfmi_generation *last,
                                            sfmi_generation *before, sfmi_batch_visitor *visit,
                                            void *context, sfm_error *error);

/* Within a transaction: adds a batch after `last`, and moves `last` on. */
SFM_MUST_CHECK sfm_status sfmi_store_add(sfmi_store *store, sfmi_generation *last,
                                         const sfmi_store_batch *batch, sfm_error *error);

/* Whether there is anything of this name. */
bool sfmi_store_is_there(const char *path);

/* Whether a file that cannot be opened as a session is what a wipe that was cut short left. */
bool sfmi_store_wiped(const char *path);

/* Whether a file that starts so is a session of this version, or what is left of one whose first
 * page is gone or was never written. */
enum { SFMI_STORE_START = 72 };
bool sfmi_store_begins(const uint8_t start[SFMI_STORE_START]);

/* Whether there are no batches after that one.  Within a transaction. */
SFM_MUST_CHECK sfm_status sfmi_store_ends(sfmi_store *store, bool *ends, uint64_t number,
                                          sfm_error *error);

/* Within a transaction that writes, so that nobody can add to it: overwrites and removes an open
 * one. */
SFM_MUST_CHECK sfm_status sfmi_store_destroy(sfmi_store *store, sfm_error *error);

/* Overwrites and removes a session file that nobody has open, whatever state it is in: an older
 * copy, one that was never finished, what is left when wiping it was cut short. */
SFM_MUST_CHECK sfm_status sfmi_store_discard(sfmi_store_verb verb, const char *path,
                                             sfm_error *error);

/* Overwrites the file at path with zeros and removes it, with what SQLite left beside it; durable
 * when it returns.  Fine when it is not there. */
SFM_MUST_CHECK sfm_status sfmi_store_destroy_file(const char *path, sfm_error *error);

#endif
