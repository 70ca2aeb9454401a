/* charge_protocol.h - what a release does with the ledger: it is made ready before any work,
 * charged before rows are read, and given the answer before that is shown.  release_run.c calls
 * these in their order.  Without a charge each of them does nothing. */
#ifndef SFMI_CHARGE_PROTOCOL_H
#define SFMI_CHARGE_PROTOCOL_H

#include <jansson.h>

#include "data/rows/rows.h"
#include "ledger/charge.h"
#include "releases/core/release_data.h"

typedef struct sfmi_protocol {
  const sfm_charge *charge; /* NULL: nothing is charged */
  bool accounted;           /* the accounting of the dataset is known: */
  sfm_accounting accounting;
  sfmi_row_keys keys; /* of the dataset, from the beginning to the end */
  sfmi_charge_handle handle;
} sfmi_protocol;

/* Refuses what can be refused at once, a seeded run among it: that is not private and cannot be
 * charged.  person is the column of the person, or NULL; the release and the ledger keep it as
 * text. */
SFM_MUST_CHECK sfm_status sfmi_protocol_begin(sfmi_protocol *protocol, const sfm_charge *charge,
                                              bool seeded, const char *person, sfm_error *error);

/* Charges the release's guarantee under the parameters (taken over; everything public that the
 * caller stated), and writes into the release where.  protocol->handle.answer is an earlier answer
 * to the same request, or NULL: go on and make one. */
SFM_MUST_CHECK sfm_status sfmi_protocol_charge(sfmi_protocol *protocol, sfm_release *release,
                                               json_t *parameters, sfm_error *error);

/* *release becomes the earlier answer. */
SFM_MUST_CHECK sfm_status sfmi_protocol_recall(sfmi_protocol *protocol, sfm_release **release,
                                               sfm_error *error);

/* Whether the dataset adds up squares, so that normal noise at a delta costs a small part of what a
 * pure epsilon does. */
bool sfmi_protocol_squares(const sfmi_protocol *protocol);

/* The keys under which the rows are read; NULL without a charge. */
const sfmi_row_keys *sfmi_protocol_keys(const sfmi_protocol *protocol);

/* Stores the finished release.  When another process was first with the same request, *release
 * becomes that one. */
SFM_MUST_CHECK sfm_status sfmi_protocol_store(sfmi_protocol *protocol, sfm_release **release,
                                              const uint8_t *fingerprint, sfm_error *error);

/* The last step, also after a failure: what fails after the charge says so. */
SFM_MUST_CHECK sfm_status sfmi_protocol_end(sfmi_protocol *protocol, sfm_status status,
                                            sfm_error *error);

/* After the rows were read: their fingerprint, where there is a charge.  SFM_REFUSED when the
 * ledger knows that they are others than the dataset's: then nothing private is written. */
SFM_MUST_CHECK sfm_status sfmi_protocol_accept_rows(sfm_rows *rows, uint8_t *fingerprint,
                                                    const sfmi_protocol *protocol,
                                                    sfm_error *error);

#endif
