/* charge.h - one request against a ledger, from its charge to its stored answer. */
#ifndef SFMI_CHARGE_H
#define SFMI_CHARGE_H

#include "data/batch/row_keys.h"
#include "hash_chain.h"

typedef struct sfmi_charge_handle {
  sfm_ledger *ledger;
  char dataset[SFM_DATASET_MAX + 1];
  char request[SFM_REQUEST_MAX + 1];
  void (*writing)(void *context, bool begins); /* as in sfm_charge, and its context */
  void *context;
  sfm_accounting accounting; /* of the dataset */
  uint64_t charge;           /* the number of the charge entry */
  sfmi_row_keys keys;        /* of the dataset */
  char *answer;              /* what must be shown, once there is one; owned */
  size_t answer_length;
  /* Set by the caller where sfumato 0.1 computed another fingerprint of the same rows: a dataset
   * that is bound to that one is accepted too. */
  bool has_former;
  uint8_t former[SFMI_HASH_BYTES];
  bool perhaps; /* storing the answer failed, and it may be stored */
} sfmi_charge_handle;

/* Everything about a charge that can be refused without looking at its cost: names, the dataset,
 * whether the ledger can be written.  For callers that have work to do before they charge.
 * *accounting and *keys are those of the dataset; the caller wipes the keys. */
SFM_MUST_CHECK sfm_status sfmi_ledger_ready(const sfm_charge *charge, sfm_accounting *accounting,
                                            sfmi_row_keys *keys, sfm_error *error);

/* Charges the guarantee, durably, or finds that this request was charged before with the same
 * parameters (one JSON object); then calls charge->told.  handle->answer is the stored answer if
 * there is one. SFM_REFUSED when not enough is left, the dataset is closed, the accounting cannot
 * hold the guarantee, or the request was made with other parameters: then nothing is charged. */
SFM_MUST_CHECK sfm_status sfmi_ledger_charge(sfmi_charge_handle *handle, const sfm_charge *charge,
                                             const char *parameters, const sfm_guarantee *guarantee,
                                             sfm_error *error);

/* Whether rows of that fingerprint will be accepted by sfmi_ledger_answer, as far as the ledger
 * knows now: for callers that would write something private before it. */
SFM_MUST_CHECK sfm_status sfmi_ledger_rows(const sfmi_charge_handle *handle,
                                           const uint8_t *fingerprint, sfm_error *error);

/* Stores the answer, durably.  Afterwards handle->answer is what must be shown: these bytes, or
 * those of another process that was first with the same request.  fingerprint is that of the rows
 * that were read (NULL: what was read are not the dataset's rows): the first one binds the dataset,
 * and another one is SFM_REFUSED; then nothing is stored and the charge stands.  After a failure
 * handle->perhaps says whether an answer may be in the ledger all the same. */
SFM_MUST_CHECK sfm_status sfmi_ledger_answer(sfmi_charge_handle *handle, const char *bytes,
                                             size_t length, const uint8_t *fingerprint,
                                             sfm_error *error);

/* The answer of a request that is stored, to be freed; NULL when there is none. */
SFM_MUST_CHECK sfm_status sfmi_ledger_answered(sfm_ledger *ledger, char **answer,
                                               const char *dataset, const char *request,
                                               sfm_error *error);

/* For what fails once the charge is in the ledger: adds to the message that it stands, and how to
 * go on.  Such a failure is never misuse: SFM_INVALID and SFM_FORMAT become SFM_IO. */
SFM_MUST_CHECK sfm_status sfmi_charge_stands(const sfmi_charge_handle *handle, sfm_status status,
                                             sfm_error *error);

/* Wipes and frees what the handle holds. */
void sfmi_charge_handle_clear(sfmi_charge_handle *handle);

#endif
