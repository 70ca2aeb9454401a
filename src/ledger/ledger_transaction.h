/* ledger_transaction.h - an open ledger: its file, and the tally of the entries read so far. */
#ifndef SFMI_LEDGER_TRANSACTION_H
#define SFMI_LEDGER_TRANSACTION_H

#include "ledger_file.h"
#include "ledger_tally.h"

struct sfm_ledger {
  sfmi_ledger_file file;
  sfmi_tally tally;
  uint64_t durable;  /* entries up to this one are known to be on the disk */
  uint64_t anchored; /* the entry that the anchor named when it was last read */
  bool detached;     /* while a new ledger is being made: the anchor is not read yet */
  bool dirty;        /* the tally holds entries that are not yet committed */
};

/* Begins a transaction, reads what other processes have written since, and checks the history
 * against the anchor.  On failure no transaction is open. */
SFM_MUST_CHECK sfm_status sfmi_ledger_begin(sfm_ledger *ledger, bool writing, sfm_error *error);
/* Ends it and undoes it. */
void sfmi_ledger_rollback(sfm_ledger *ledger);
/* Writes an entry; number, time and hash are filled in here. */
SFM_MUST_CHECK sfm_status sfmi_ledger_append(sfm_ledger *ledger, sfmi_entry *entry,
                                             sfm_error *error);
/* Makes what was appended durable, in the file and then in the anchor.  A failure in between leaves
 * the entries in the file. */
SFM_MUST_CHECK sfm_status sfmi_ledger_commit(sfm_ledger *ledger, sfm_error *error);
/* The end of a transaction that appends: commits it, or undoes it where the status is a failure. */
SFM_MUST_CHECK sfm_status sfmi_ledger_end(sfm_ledger *ledger, sfm_status status, sfm_error *error);
/* Makes durable what other processes have written, and brings the anchor up to the history, outside
 * a transaction.  Nothing may be shown before. */
SFM_MUST_CHECK sfm_status sfmi_ledger_update_anchor(sfm_ledger *ledger, sfm_error *error);
/* Whether the history contains the entry that the anchor at path knows. */
SFM_MUST_CHECK sfm_status sfmi_ledger_check_anchor(sfm_ledger *ledger, const char *path,
                                                   sfm_error *error);

/* The dataset of that name, or SFM_INVALID with a list of those there are. */
SFM_MUST_CHECK sfm_status sfmi_ledger_find_dataset(const sfm_ledger *ledger, sfmi_dataset **dataset,
                                                   const char *name, sfm_error *error);
/* The stored answer of a request, checked against the hash in the history and to be freed; NULL
 * when there is none. */
SFM_MUST_CHECK sfm_status sfmi_ledger_stored_answer(sfm_ledger *ledger, char **bytes,
                                                    size_t *length, const char *dataset,
                                                    const char *request, sfm_error *error);
/* SFM_REFUSED, and *unpaid, when the session of a raise entry was not paid for and finished before
 * it.  Parameters that cannot be read pass here: sfmi_tally_add refuses them. */
SFM_MUST_CHECK sfm_status sfmi_ledger_check_generation(sfm_ledger *ledger, bool *unpaid,
                                                       const sfmi_entry *entry, sfm_error *error);

#endif
