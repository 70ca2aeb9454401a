/* ledger.c - privacy budgets that cannot be overspent.
 *
 * INVARIANTS
 *
 *  1. The history (table `entry`) is all there is.  Entries are numbered 1, 2, ... without a gap,
 *     are never changed and never removed.  Totals, sums, keys, fingerprints and what is closed
 *     follow from them in order (ledger_tally.c); nothing else is stored that could disagree.
 *  2. Every entry holds the hash of itself and of the hash before it; the first follows from the
 *     ledger's identity and its anchor's path.  All of it is checked when a ledger is opened, and
 *     whatever other processes have added since is checked at the start of every transaction.
 *  3. For each dataset, at every entry: the sum of the amounts charged, exact integers of 1e-12, is
 *     at most the capacity written when it was created.  A charge is checked and written under one
 *     write lock, so this holds whoever else is charging.  Costs are rounded up and capacities down
 *     (privacy/amount.h), so the total guarantee holds for real numbers too, also when each charge
 *     was chosen after seeing the answers before it: basic, zCDP and GDP sums are valid filters.
 *  4. A charge is on the disk, and in the anchor, before sfmi_ledger_charge returns: no row has
 *     been read by then.  An answer is on the disk, and in the anchor, before sfmi_ledger_answer
 *     returns: nobody has seen it by then.  So what was shown was charged, whenever the power goes.
 *  5. A request (dataset, id) has at most one charge and at most one answer, for ever (a unique
 *     index).  Whoever repeats it gets the stored bytes.  Its parameters never change.
 *  6. The anchor names an entry of the history and only moves forward.  The file may be ahead of it
 *     (a crash between the two), never behind; a history that lacks that entry is refused.
 *  7. The first answer made from rows binds the dataset to their keyed fingerprint.  Another
 *     fingerprint is never answered.
 *  8. All charges of a dataset protect a common unit: the neighbours and the person column of the
 *     first, or without one at least as many records.  Only then does their sum promise anything.
 *  9. The generation of the session that a request paid for (its answer came before) is raised one
 *     by one, each step from the last one and no other (ledger_generation.c).  A step is on the
 *     disk, and in the anchor, before sfmi_ledger_raise returns: what it stands for has not been
 *     shown by then.
 * 10. A connection is used in the process that opened it only.  What cannot be locked is not read.
 *
 * LAYOUT: ledger_file.c.  HASH OF AN ENTRY: sfmi_entry_hash, hash_chain.c.  ANCHOR: anchor.h.
 *
 * STATES OF A REQUEST
 *
 *                 sfmi_ledger_charge              sfmi_ledger_answer
 *     unknown  ------------------------> charged --------------------> answered
 *        |                                |   ^                          |   ^
 *        | refused: too little left,      |   | sfmi_ledger_charge,      |   | sfmi_ledger_charge:
 *        | closed, wrong accounting:      |   | same parameters          |   | the stored bytes
 *        v nothing is written             +---+ (after a crash)          +---+
 *     unknown
 *
 *     Other parameters are refused in both later states.  Rows with another fingerprint leave a
 *     request charged.  Raises do not change the state of a request: they come after it is
 *     answered, any number of them, also when the dataset is closed. */
#include "ledger.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system/c_locale.h"
#include "base/system/file.h"
#include "anchor.h"
#include "entry_parameters.h"
#include "ledger_name.h"
#include "ledger_transaction.h"

/* Opens the file and reads its history; it is checked against the anchor unless detached. */
static sfm_status open_ledger(sfm_ledger **out, const char *path, bool detached, sfm_error *error) {
  *out = NULL;
  sfm_ledger *ledger = sfmi_alloc(1, sizeof *ledger);
  if (!ledger || sodium_init() < 0) {
    free(ledger);
    return sfmi_fail_memory(error);
  }
  ledger->detached = detached;
  sfm_status status = sfmi_ledger_file_open(&ledger->file, path, error);
  if (!status) {
    sfmi_tally_init(&ledger->tally, ledger->file.identity, ledger->file.anchor);
    status = sfmi_ledger_begin(ledger, false, error);
    if (!status) sfmi_ledger_rollback(ledger);
  }
  if (!status)
    *out = ledger;
  else
    sfm_ledger_close(ledger);
  return status;
}

sfm_status sfm_ledger_open(sfm_ledger **out, const char *path, sfm_error *error) {
  return open_ledger(out, path, false, error);
}

void sfm_ledger_close(sfm_ledger *ledger) {
  if (!ledger) return;
  sfmi_ledger_file_close(&ledger->file);
  sfmi_tally_clear(&ledger->tally);
  free(ledger);
}

const char *sfmi_ledger_path(const sfm_ledger *ledger) {
  return sqlite3_db_filename(ledger->file.database.handle, "main");
}

const char *sfm_ledger_anchor(const sfm_ledger *ledger) {
  return ledger->file.anchor[0] ? ledger->file.anchor : NULL;
}

/* Everything about a new dataset that can be wrong, and its create entry.  The parameters are to be
 * freed. */
static sfm_status describe_dataset(sfmi_entry *entry, char **parameters, const sfm_dataset *dataset,
                                   sfm_error *error) {
  *parameters = NULL;
  if (!dataset->name) return sfmi_fail(error, SFM_INVALID, "a dataset needs a name");
  sfm_status status = sfmi_ledger_check_name(dataset->name, SFM_DATASET_MAX, "dataset name", error);
  *entry = sfmi_entry_of(SFMI_ENTRY_CREATE, dataset->name);
  if (!status && dataset->delta != 0 && !(dataset->delta >= 1e-12))
    status = sfmi_fail(error, SFM_INVALID,
                       "a total delta is 0, or from 1e-12 (what a ledger counts in) to below 1, "
                       "not %g",
                       dataset->delta);
  if (!status)
    status = sfmi_cost_capacity(&entry->cost, dataset->epsilon, dataset->delta, dataset->accounting,
                                error);
  if (status) return status;
  *parameters = sfmi_dataset_describe(dataset);
  if (!*parameters) return sfmi_fail_memory(error);
  entry->parameters = *parameters;
  entry->has_secret = true;
  randombytes_buf(entry->secret, sizeof entry->secret);
  return SFM_OK;
}

static sfm_status add_dataset(sfm_ledger *ledger, sfmi_entry *entry, sfm_error *error) {
  sfm_status status = sfmi_ledger_begin(ledger, true, error);
  if (status) return status;
  if (sfmi_tally_find(&ledger->tally, entry->dataset))
    status =
        sfmi_fail(error, SFM_INVALID,
                  "the ledger %.300s has a dataset '%s' already; a total is fixed for ever, so "
                  "choose another name",
                  ledger->file.database.path, entry->dataset);
  if (!status) status = sfmi_ledger_append(ledger, entry, error);
  return sfmi_ledger_end(ledger, status, error);
}

static sfm_status absolute(char **out, const char *path, sfm_error *error) {
  *out = sfmi_file_absolute(path);
  if (*out) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID, "cannot keep an anchor at %.300s: %s", path,
                   sfmi_strerror(errno));
}

/* An anchor is not the ledger itself, nor where SQLite keeps the ledger's journal. */
static sfm_status check_apart(const char *anchor, const char *path, sfm_error *error) {
  static const char *const endings[] = {"", "-journal", "-wal", "-shm", NULL};
  if (!sfmi_file_is_beside(anchor, path, endings)) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID,
                   "cannot keep the anchor at %.300s: that is the ledger or its journal; name "
                   "another file, on another disk if there is one",
                   anchor);
}

/* The first anchor of a new ledger.  One that is there already may be replaced only if it has seen
 * nothing: a creation that was cut short. */
static sfm_status start_anchor(const char *path, const uint8_t *identity, bool shared,
                               sfm_error *error) {
  sfmi_anchor anchor;
  bool found;
  sfm_status status = sfmi_anchor_read(&anchor, &found, path, error);
  if (status || (found && anchor.number > 0))
    return sfmi_fail(error, SFM_INVALID,
                     "cannot keep the anchor at %.300s: there is %s already; name a new file", path,
                     status ? "something else" : "the anchor of another ledger");
  anchor = (sfmi_anchor){.number = 0};
  memcpy(anchor.identity, identity, sizeof anchor.identity);
  sfmi_chain_start(anchor.hash, identity, path);
  return sfmi_anchor_write(&anchor, path, shared, error);
}

/* A ledger with one dataset, finished beside its place and then put there. */
static sfm_status make_ledger(const char *path, const char *anchor, sfmi_entry *entry, bool shared,
                              sfm_error *error) {
  uint8_t identity[SFMI_IDENTITY_BYTES];
  char *temporary = NULL, *journal = NULL;
  sfm_ledger *ledger = NULL;
  randombytes_buf(identity, sizeof identity);
  if (sfmi_asprintf(&temporary, "%s.new-%ld-%02x%02x", path, (long)getpid(), identity[0],
                    identity[1]) < 0)
    return sfmi_fail_memory(error);
  sfm_status status = sfmi_ledger_file_create(temporary, path, identity, anchor, shared, error);
  if (!status) status = open_ledger(&ledger, temporary, true, error);
  if (!status) status = add_dataset(ledger, entry, error);
  sfm_ledger_close(ledger);
  if (!status && *anchor) status = start_anchor(anchor, identity, shared, error);
  if (!status) status = sfmi_file_place(temporary, path, "ledger", error);
  if (status) {
    (void)unlink(temporary);
    if (sfmi_asprintf(&journal, "%s-journal", temporary) > 0) {
      (void)unlink(journal);
      free(journal);
    }
  }
  free(temporary);
  return status;
}

/* Adds the dataset to a ledger that is there; anchor, when given, must be its own. */
static sfm_status extend_ledger(const char *path, const char *anchor, sfmi_entry *entry,
                                bool shared, sfm_error *error) {
  sfm_ledger *ledger;
  sfm_status status = sfm_ledger_open(&ledger, path, error);
  if (status) return status;
  if (*anchor && strcmp(anchor, ledger->file.anchor) != 0)
    status = sfmi_fail(
        error, SFM_INVALID,
        "the ledger %.300s exists already, %s%.300s; an anchor is chosen when a ledger is made",
        path, *ledger->file.anchor ? "with the anchor " : "without an anchor", ledger->file.anchor);
  else if (shared && !ledger->file.database.shared)
    status =
        sfmi_fail(error, SFM_INVALID,
                  "the ledger %.300s exists already, for its owner alone; to share it, choose "
                  "its group (chgrp) and chmod 660 it, then it needs no sfm_ledger_create_shared",
                  path);
  else
    status = add_dataset(ledger, entry, error);
  sfm_ledger_close(ledger);
  return status;
}

/* Brings a new ledger's anchor up to its first entry. */
static sfm_status follow_up(const char *path, sfm_error *error) {
  sfm_ledger *ledger;
  sfm_status status = sfm_ledger_open(&ledger, path, error);
  if (!status) status = sfmi_ledger_update_anchor(ledger, error);
  sfm_ledger_close(ledger);
  return status;
}

/* Holds the anchor's folder while a ledger is made, so that of two processes making one with the
 * same anchor the second finds it made.  -1 without an anchor, or where folders cannot be locked.
 */
static int hold_folder(const char *anchor) {
  char *copy = anchor ? sfmi_copy_string(anchor) : NULL;
  int folder = copy ? open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  if (folder >= 0) (void)flock(folder, LOCK_EX);
  free(copy);
  return folder;
}

/* Whoever of a group charges a ledger makes its journal and replaces its anchor: they must be able
 * to, and the next one must be able to read what they made. */
static sfm_status check_folder(const char *path, const char *what, sfm_error *error) {
  static const mode_t needed = S_IRWXG | S_ISGID;
  struct stat facts;
  char *copy = sfmi_copy_string(path);
  if (!copy) return sfmi_fail_memory(error);
  const char *folder = dirname(copy);
  sfm_status status = SFM_OK;
  if (stat(folder, &facts) == 0 && (facts.st_mode & needed) != needed)
    status = sfmi_fail(error, SFM_INVALID,
                       "cannot share the %s %.200s: its group must be able to write its folder, "
                       "and new files there must get the folder's group; chgrp GROUP %.200s and "
                       "chmod g+rwxs %.200s",
                       what, path, folder, folder);
  free(copy);
  return status;
}

static sfm_status create(const char *path, const char *anchor, const sfm_dataset *dataset,
                         bool shared, sfm_error *error) {
  sfmi_entry entry;
  char *parameters = NULL, *anchored = NULL;
  if (sodium_init() < 0) return sfmi_fail(error, SFM_INTERNAL, "libsodium cannot start");
  sfm_status status = describe_dataset(&entry, &parameters, dataset, error);
  if (!status && anchor) status = absolute(&anchored, anchor, error);
  if (!status && anchor) status = check_apart(anchored, path, error);
  if (!status && shared) status = check_folder(path, "ledger", error);
  if (!status && shared && anchor) status = check_folder(anchored, "anchor", error);
  if (!status) {
    const char *known = anchored ? anchored : "";
    const int folder = hold_folder(anchored);
    if (access(path, F_OK) == 0) {
      status = extend_ledger(path, known, &entry, shared, error);
    } else {
      status = make_ledger(path, known, &entry, shared, error);
      if (!status) status = follow_up(path, error);
    }
    if (folder >= 0) close(folder);
  }
  sodium_memzero(&entry, sizeof entry);
  free(parameters);
  free(anchored);
  return status;
}

sfm_status sfm_ledger_create(const char *path, const char *anchor, const sfm_dataset *dataset,
                             sfm_error *error) {
  return create(path, anchor, dataset, false, error);
}

sfm_status sfm_ledger_create_shared(const char *path, const char *anchor,
                                    const sfm_dataset *dataset, sfm_error *error) {
  return create(path, anchor, dataset, true, error);
}

sfm_status sfm_ledger_writable(const sfm_ledger *ledger, sfm_error *error) {
  return sfmi_database_writable(&ledger->file.database, error);
}

sfm_status sfm_ledger_status(sfm_ledger *ledger, sfm_dataset_status **list, size_t *count,
                             sfm_error *error) {
  *list = NULL;
  *count = 0;
  sfm_status status = sfmi_ledger_begin(ledger, false, error);
  if (status) return status;
  sfmi_ledger_rollback(ledger);
  const sfmi_tally *tally = &ledger->tally;
  sfm_dataset_status *all = sfmi_alloc(tally->count, sizeof *all);
  if (!all) return sfmi_fail_memory(error);
  for (size_t i = 0; !status && i < tally->count; i++)
    status = sfmi_dataset_report(&all[i], &tally->datasets[i], error);
  if (status) {
    free(all);
    return status;
  }
  *list = all;
  *count = tally->count;
  return SFM_OK;
}

sfm_status sfm_ledger_find(sfm_ledger *ledger, sfm_dataset_status *found, const char *dataset,
                           sfm_error *error) {
  sfmi_dataset *at;
  sfm_status status = sfmi_ledger_begin(ledger, false, error);
  if (status) return status;
  sfmi_ledger_rollback(ledger);
  status = sfmi_ledger_find_dataset(ledger, &at, dataset, error);
  return status ? status : sfmi_dataset_report(found, at, error);
}

sfm_status sfm_ledger_close_dataset(sfm_ledger *ledger, const char *dataset, sfm_error *error) {
  sfmi_dataset *at;
  sfmi_entry entry = sfmi_entry_of(SFMI_ENTRY_CLOSE, dataset);
  sfm_status status = sfmi_ledger_begin(ledger, true, error);
  if (status) return status;
  status = sfmi_ledger_find_dataset(ledger, &at, dataset, error);
  if (!status && at->closed)
    status = sfmi_fail(error, SFM_INVALID, "the dataset '%s' is closed already", dataset);
  if (!status) status = sfmi_ledger_append(ledger, &entry, error);
  return sfmi_ledger_end(ledger, status, error);
}
