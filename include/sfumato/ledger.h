/* ledger.h - keeps the privacy budgets of datasets in one file.  It refuses a charge that would
 * exceed the total of its dataset.
 *
 * A dataset has a total guarantee and one accounting rule, both fixed when it is created.  A
 * mechanism that is given an sfm_charge asks the ledger first.  The charge is on disk before rows
 * are read, and the answer is on disk before it is returned.  A repeated request returns the same
 * bytes and is not charged again.  Nothing is ever refunded.
 *
 * Amounts are exact decimals with 12 places.  Charges are rounded up; totals and what is left are
 * rounded down.  A double stands for the shortest decimal that is read as that double, so 0.1 is
 * exactly one tenth.
 *
 * Guarantees can be added up only if all of them protect the same unit.  The first charge of a
 * dataset fixes the neighbours (replace or add-remove).  With a person column it also fixes that
 * column and how its ids are compared; without one it fixes the least number of records.  A charge
 * that protects something else, or less, is refused.
 *
 * An open ledger belongs to the process that opened it (not to a child made by fork) and to one
 * thread at a time.  Any number of processes may have the same file open. */
#ifndef SFUMATO_LEDGER_H
#define SFUMATO_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

#include "sfumato/account.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sfm_ledger sfm_ledger;

/* The largest length of a dataset's name and of a request id, in bytes of UTF-8 without control
 * characters. */
#define SFM_DATASET_MAX 100
#define SFM_REQUEST_MAX 200
/* The size of a decimal amount as text, including its NUL: digits, at most 12 of them after the
 * point, no exponent. */
#define SFM_DECIMAL_MAX 40

/* The size of sfm_dataset_status.protects. */
#define SFM_PROTECTS_MAX (SFM_DATASET_MAX + 32)

/* A dataset to be created. */
typedef struct sfm_dataset {
  const char *name;
  double epsilon;            /* the total, 1e-6 to 1e3 */
  double delta;              /* the total; 0 for pure; above 0 for zcdp and gdp */
  sfm_accounting accounting; /* cannot be changed later */
} sfm_dataset;

/* Adds a dataset to the ledger at path.  Creates the ledger (mode 0600) if there is none.  anchor
 * is for a new ledger only: a file that should be kept on another disk.  It is updated with the
 * ledger, so that an old copy of the ledger is detected.  NULL: no anchor. */
SFM_API SFM_MUST_CHECK sfm_status sfm_ledger_create(const char *path, const char *anchor,
                                                    const sfm_dataset *dataset, sfm_error *error);
/* The same, for a ledger that the group of its folder may also use.  The ledger, its journal and
 * its anchor are created with mode 0660.  The folders of the ledger and of the anchor must be
 * writable by the group, and new files must inherit the group (g+rwxs).  An existing ledger must
 * already be shared. */
SFM_API SFM_MUST_CHECK sfm_status sfm_ledger_create_shared(const char *path, const char *anchor,
                                                           const sfm_dataset *dataset,
                                                           sfm_error *error);

/* Opens an existing ledger.  Refuses a ledger that cannot be locked, is damaged, has several names
 * (hard links), or is older than its anchor.  The mode of the file must be 0600, or 0660 if it is
 * shared with its group; it is never changed.  SFM_INVALID if any other group, or all others, have
 * rights to it.  A ledger that its owner may not write (0400, 0440) is frozen: it can be read, and
 * is never written, even by root.  The caller closes it. */
SFM_API SFM_MUST_CHECK sfm_status sfm_ledger_open(sfm_ledger **out, const char *path,
                                                  sfm_error *error);
SFM_API void sfm_ledger_close(sfm_ledger *ledger);
/* Checks whether the ledger can be charged: SFM_REFUSED if it is frozen, SFM_INVALID if its file
 * cannot be written here. */
SFM_API SFM_MUST_CHECK sfm_status sfm_ledger_writable(const sfm_ledger *ledger, sfm_error *error);
/* Returns the path of its anchor, or NULL.  Owned by the ledger. */
SFM_API const char *sfm_ledger_anchor(const sfm_ledger *ledger);

typedef struct sfm_decimals {
  char epsilon[SFM_DECIMAL_MAX];
  char delta[SFM_DECIMAL_MAX];
} sfm_decimals;

/* Under zcdp and gdp the epsilons of spent and left are those at the delta of the total.  `amount`
 * is in the unit of the accounting: epsilon, rho, or mu^2. */
typedef struct sfm_dataset_status {
  char name[SFM_DATASET_MAX + 1];
  sfm_accounting accounting;
  bool closed;
  sfm_decimals total, spent, left;
  struct {
    char total[SFM_DECIMAL_MAX], spent[SFM_DECIMAL_MAX], left[SFM_DECIMAL_MAX];
  } amount;
  /* What all charges protect: "replace 1" or "add-remove 3" (that many records), "replace person
   * patient" (all records of one person of that column, ids compared as text), or "replace numbered
   * person patient" (ids compared as numbers).  "" before the first charge. */
  char protects[SFM_PROTECTS_MAX];
  uint64_t charges; /* the number of charges */
  uint64_t answers; /* the number of charges that have a stored answer */
} sfm_dataset_status;

/* Lists all datasets, in order of creation.  Free the list with sfm_free. */
SFM_API SFM_MUST_CHECK sfm_status sfm_ledger_status(sfm_ledger *ledger, sfm_dataset_status **list,
                                                    size_t *count, sfm_error *error);
/* Finds one dataset.  SFM_INVALID if there is none of that name; the message lists the existing
 * ones. */
SFM_API SFM_MUST_CHECK sfm_status sfm_ledger_find(sfm_ledger *ledger, sfm_dataset_status *status,
                                                  const char *dataset, sfm_error *error);

/* Closes a dataset permanently: no further charge is accepted.  Stored answers can still be read.
 */
SFM_API SFM_MUST_CHECK sfm_status sfm_ledger_close_dataset(sfm_ledger *ledger, const char *dataset,
                                                           sfm_error *error);

/* One entry of the history.  Strings are valid during the visit only. */
typedef struct sfm_ledger_entry {
  uint64_t number;        /* 1, 2, ... */
  const char *time;       /* UTC, 2026-11-15T12:00:00Z */
  const char *kind;       /* "create", "charge", "answer", "bind", "close", "raise" */
  const char *dataset;    /* its name */
  const char *request;    /* "" for create, bind and close */
  const char *parameters; /* of create, charge and raise: a JSON object, public; otherwise "" */
  const char *guarantee;  /* of a charge: "epsilon 1", "epsilon 1, delta 1e-06 (mu 0.2367)" */
  const char *unit;       /* of amount and spent: "epsilon", "rho" or "mu^2" */
  const char *amount;     /* of a charge; otherwise "0" */
  const char *amount_delta;
  const char *spent; /* by this dataset, after this entry */
  const char *spent_delta;
  const char *hash; /* of the chain up to this entry, hexadecimal */
} sfm_ledger_entry;

/* Visits the history in order, of one dataset, or of all (NULL).  Stops when visit returns false.
 */
SFM_API SFM_MUST_CHECK sfm_status sfm_ledger_history(sfm_ledger *ledger, const char *dataset,
                                                     bool (*visit)(void *data,
                                                                   const sfm_ledger_entry *entry),
                                                     void *data, sfm_error *error);

/* Checks the whole ledger: the file, the chain of hashes, every sum against its total, every stored
 * answer, and the anchor (the ledger's own, or the one named here).  SFM_REFUSED if something is
 * wrong; the message names the first thing.  *entries (may be NULL) is the number of entries
 * checked. */
SFM_API SFM_MUST_CHECK sfm_status sfm_ledger_verify(sfm_ledger *ledger, uint64_t *entries,
                                                    const char *anchor, sfm_error *error);

/* The result of a charge.  It is reported when the charge is durable, before any row is read. */
typedef struct sfm_receipt {
  const char *request;        /* the id; repeat the request with it to get the same answer */
  const char *guarantee;      /* what was charged: "epsilon 1, delta 1e-06 (mu 0.236704)" */
  bool charged;               /* false: this id was charged before */
  bool answered;              /* true: an answer is already stored and will be returned */
  sfm_dataset_status dataset; /* after the charge */
} sfm_receipt;

/* Where a mechanism is charged.  Pointers are borrowed. */
typedef struct sfm_charge {
  sfm_ledger *ledger;
  const char *dataset;
  const char *request;                                  /* NULL: an id is generated */
  void (*told)(void *data, const sfm_receipt *receipt); /* called after the charge; or NULL */
  void *data;                                           /* handed to told and writing */
  /* Called with true before the ledger is written (first the charge, later the answer), and with
   * false afterwards, whether or not writing succeeded.  A program can use it to delay signals that
   * would end it while the ledger is written.  May be NULL. */
  void (*writing)(void *data, bool begins);
} sfm_charge;

#ifdef __cplusplus
}
#endif
#endif
