/* session_file.h - an open session file of any kind, and the order of events of an ask: what
 * online.c and interact.c share. */
#ifndef SFMI_SESSION_FILE_H
#define SFMI_SESSION_FILE_H

#include "freshness.h"
#include "releases/core/release_data.h"
#include "session_store.h"

/* Invariant, outside a call: the owner has taken in the batches of the file up to `last`, in order,
 * and nothing else; `before` is the generation before `last` (of generation 0: itself). */
typedef struct sfmi_session_file {
  sfmi_store store;
  bool single;              /* of its copies only one may go on */
  sfmi_freshness freshness; /* of a single one */
  sfmi_generation last, before;
  uint64_t durable; /* batches up to this one are known to be on the disk */
  bool written;     /* a transcript was made, of the batches up to: */
  uint64_t last_written;
} sfmi_session_file;

/* Opens a finished session; close it also after a failure.  Its owner then loads the private state,
 * which is in the record of the store, and starts. */
SFM_MUST_CHECK sfm_status sfmi_session_file_open(sfmi_session_file *file, sfmi_store_verb verb,
                                                 const char *path, sfm_error *error);
/* Before any batch is read: wipes the state, which its owner has loaded. */
void sfmi_session_file_wipe_state(sfmi_session_file *file);
/* With the facts of the session, where its owner says whether it is single. */
SFM_MUST_CHECK sfm_status sfmi_session_file_start(sfmi_session_file *file, const sfm_release *facts,
                                                  bool single, const char *verb, sfm_error *error);
void sfmi_session_file_close(sfmi_session_file *file);

/* Locks the file for writing, takes in what others wrote, and makes sure that all of it is durable
 * and valid.  On failure the lock is released. */
SFM_MUST_CHECK sfm_status sfmi_session_file_enter(sfmi_session_file *file, sfmi_batch_visitor *take,
                                                  void *context, sfm_error *error);
/* Releases the lock. */
void sfmi_session_file_leave(sfmi_session_file *file);

/* Between enter and leave: adds a batch, durably. */
SFM_MUST_CHECK sfm_status sfmi_session_file_add(sfmi_session_file *file,
                                                const sfmi_store_batch *batch, sfm_error *error);

/* A transcript was made of everything up to `last`. */
void sfmi_session_file_note_transcript(sfmi_session_file *file);
/* Overwrites and removes the file.  SFM_IO when it has batches that its transcript lacks; lacks
 * says what these may be. */
SFM_MUST_CHECK sfm_status sfmi_session_file_wipe(sfmi_session_file *file, const char *lacks,
                                                 sfm_error *error);

/* Where its generation is kept; NULL: not there. */
const char *sfmi_session_file_ledger(const sfmi_session_file *file);
const char *sfmi_session_file_anchor(const sfmi_session_file *file);

#endif
