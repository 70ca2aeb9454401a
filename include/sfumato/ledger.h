/* ledger.h - a budget nobody can overspend: one file, many datasets, every charge durable before a
 * row is read.
 *
 * A dataset has a total guarantee and one accounting rule, both fixed when it is created.  A
 * mechanism that is given an sfm_charge asks the ledger first: the charge is on disk before rows
 * are read, the answer is on disk before it is handed back, and a request that is repeated gets the
 * same bytes again.  Nothing is ever refunded.
 *
 * Amounts are exact decimals with 12 places: what is charged is rounded up, what is allowed and
 * what is left is rounded down.  A double stands for the shortest decimal that reads back as it, so
 * 0.1 is one tenth.
 *
 * A sum of guarantees promises something only about a unit that all of them protect.  The first
 * charge of a dataset fixes the neighbours (replace or add-remove) and the person column with
 * how its ids are compared, or without one the least number of records; a charge that protects
 * something else, or less, is refused.
 *
 * A ledger belongs to the process that opened it (not to a child made by fork) and to one thread at
 * a time; any number of processes may have the same file open. */
#ifndef SFUMATO_LEDGER_H
#define SFUMATO_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

#include "sfumato/account.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sfm_ledger sfm_ledger;

/* Longest name of a dataset and longest request id, in bytes of UTF-8 without control characters.
 */
#define SFM_DATASET_MAX 100
#define SFM_REQUEST_MAX 200
/* A decimal amount as text, with its NUL: digits, at most 12 of them after the point, no exponent.
 */
#define SFM_DECIMAL_MAX 40

#define SFM_PROTECTS_MAX (SFM_DATASET_MAX + 32)

typedef struct sfm_dataset {
  const char *name;
  double epsilon;            /* the total; 1e-6 to 1e3 */
  double delta;              /* 0 for pure; above 0 for zcdp and gdp */
  sfm_accounting accounting; /* for ever */
} sfm_dataset;

/* Adds a dataset to the ledger at path, which is created (mode 0600) when it is not there.  anchor,
 * for a new ledger only, is a file to be kept elsewhere: it follows the ledger, and makes an old
 * copy of the ledger that is put back detectable.  NULL: none. */
SFM_API SFM_MUST_CHECK sfm_status sfm_ledger_create(const char *path, const char *anchor,
                                                    const sfm_dataset *dataset, sfm_error *error);
/* The same, for a ledger that the group of its folder may use too: it is created with mode 0660, as
 * are its journal and its anchor.  Its folder, and that of the anchor, must be the group's to write
 * and hand its group on to new files (g+rwxs).  One that is there must be shared already. */
SFM_API SFM_MUST_CHECK sfm_status sfm_ledger_create_shared(const char *path, const char *anchor,
                                                           const sfm_dataset *dataset,
                                                           sfm_error *error);

/* Opens an existing ledger, and refuses one that cannot be locked, that is damaged, that has
 * several names (hard links), or that is older than its anchor.  The file's mode is its owner's
 * word and is never changed: 0600, or 0660 when its group shares it.  Any other group, and all
 * others, must have no right to it: SFM_INVALID.  Without the owner's right to write (0400, 0440)
 * it is frozen: it can be looked at, and is never written, by root neither.  The caller closes it.
 */
SFM_API SFM_MUST_CHECK sfm_status sfm_ledger_open(sfm_ledger **out, const char *path,
                                                  sfm_error *error);
SFM_API void sfm_ledger_close(sfm_ledger *ledger);
/* Whether it can be charged: SFM_REFUSED when it is frozen, SFM_INVALID when its file cannot be
 * written here. */
SFM_API SFM_MUST_CHECK sfm_status sfm_ledger_writable(const sfm_ledger *ledger, sfm_error *error);
/* The path of its anchor, or NULL.  Owned by the ledger. */
SFM_API const char *sfm_ledger_anchor(const sfm_ledger *ledger);

typedef struct sfm_decimals {
  char epsilon[SFM_DECIMAL_MAX];
  char delta[SFM_DECIMAL_MAX];
} sfm_decimals;

/* Under zcdp and gdp the epsilons of spent and left are those at the total's delta.  `amount` is in
 * the unit of the accounting: epsilon, rho, or mu^2. */
typedef struct sfm_dataset_status {
  char name[SFM_DATASET_MAX + 1];
  sfm_accounting accounting;
  bool closed;
  sfm_decimals total, spent, left;
  struct {
    char total[SFM_DECIMAL_MAX], spent[SFM_DECIMAL_MAX], left[SFM_DECIMAL_MAX];
  } amount;
  /* Whom all charges protect: "replace 1" and "add-remove 3" (so many records), or "replace person
   * patient" (all records of one person of that column, told apart by their ids as text) and
   * "replace numbered person patient" (as numbers); "" before the first charge. */
  char protects[SFM_PROTECTS_MAX];
  uint64_t charges; /* how many */
  uint64_t answers; /* how many of them have a stored answer */
} sfm_dataset_status;

/* All datasets, in order of creation; free with sfm_free. */
SFM_API SFM_MUST_CHECK sfm_status sfm_ledger_status(sfm_ledger *ledger, sfm_dataset_status **list,
                                                    size_t *count, sfm_error *error);
/* One dataset.  Fails with SFM_INVALID when it is not there, naming those that are. */
SFM_API SFM_MUST_CHECK sfm_status sfm_ledger_find(sfm_ledger *ledger, sfm_dataset_status *status,
                                                  const char *dataset, sfm_error *error);

/* No further charge is accepted, for ever.  Stored answers can still be had. */
SFM_API SFM_MUST_CHECK sfm_status sfm_ledger_close_dataset(sfm_ledger *ledger, const char *dataset,
                                                           sfm_error *error);

/* One line of the history.  Strings live during the visit. */
typedef struct sfm_ledger_entry {
  uint64_t number;        /* 1, 2, ... */
  const char *time;       /* UTC, 2026-11-15T12:00:00Z */
  const char *kind;       /* "create", "charge", "answer", "bind", "close", "raise" */
  const char *dataset;    /* its name */
  const char *request;    /* "" for create, bind and close */
  const char *parameters; /* of create, charge and raise: the public ones, a JSON object; else "" */
  const char *guarantee;  /* of a charge: "epsilon 1", "epsilon 1, delta 1e-06 (mu 0.2367)" */
  const char *unit;       /* what amount and spent count: "epsilon", "rho" or "mu^2" */
  const char *amount;     /* charged; "0" otherwise */
  const char *amount_delta;
  const char *spent; /* of this dataset, after this entry */
  const char *spent_delta;
  const char *hash; /* of the chain up to here, hexadecimal */
} sfm_ledger_entry;

/* Visits the history in order, of one dataset or (NULL) of all; stops when visit returns false. */
SFM_API SFM_MUST_CHECK sfm_status sfm_ledger_history(sfm_ledger *ledger, const char *dataset,
                                                     bool (*visit)(void *context,
                                                                   const sfm_ledger_entry *entry),
                                                     void *context, sfm_error *error);

/* Checks everything: the file, the chain of hashes, every sum against its total, every stored
 * answer, and the anchor (the ledger's own, or the one named here).  SFM_REFUSED and a message
 * naming the first thing that is wrong; *entries is how many were checked (may be NULL). */
SFM_API SFM_MUST_CHECK sfm_status sfm_ledger_verify(sfm_ledger *ledger, uint64_t *entries,
                                                    const char *anchor, sfm_error *error);

/* What became of a charge, told once it is durable and before any row is read. */
typedef struct sfm_receipt {
  const char *request;        /* the id: repeat the command with it to get the same answer */
  const char *guarantee;      /* what was charged: "epsilon 1, delta 1e-06 (mu 0.236704)" */
  bool charged;               /* false: charged before, under this id */
  bool answered;              /* an answer was stored before, and is what will be returned */
  sfm_dataset_status dataset; /* after the charge */
} sfm_receipt;

/* Where a mechanism is charged.  The pointers are borrowed. */
typedef struct sfm_charge {
  sfm_ledger *ledger;
  const char *dataset;
  const char *request;                                     /* NULL: a fresh id is made */
  void (*told)(void *context, const sfm_receipt *receipt); /* may be NULL */
  /* Told true when the ledger is about to be written (the charge, then the answer) and false when
   * that is over, well or not: a program that is not to be ended meanwhile by a signal puts it off.
   * May be NULL. */
  void (*writing)(void *context, bool begins);
  void *context;
} sfm_charge;

#ifdef __cplusplus
}
#endif
#endif
