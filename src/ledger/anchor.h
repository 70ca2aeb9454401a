/* anchor.h - a small file, kept elsewhere, that names the last known entry of a ledger.
 *
 * Three lines of text: "sfumato-anchor 1", the ledger's identity, and the number and hash of an
 * entry.  It is replaced whole, durably, and only ever moves forward.  A ledger whose history does
 * not contain that entry with that hash is an older copy, or has another history. */
#ifndef SFMI_ANCHOR_H
#define SFMI_ANCHOR_H

#include "hash_chain.h"

typedef struct sfmi_anchor {
  uint8_t identity[SFMI_IDENTITY_BYTES];
  uint64_t number;
  uint8_t hash[SFMI_HASH_BYTES];
} sfmi_anchor;

/* *found is false when there is no such file; SFM_REFUSED when it is not an anchor. */
SFM_MUST_CHECK sfm_status sfmi_anchor_read(sfmi_anchor *anchor, bool *found, const char *path,
                                           sfm_error *error);
/* shared: its group can read and write it, as the ledger. */
SFM_MUST_CHECK sfm_status sfmi_anchor_write(const sfmi_anchor *anchor, const char *path,
                                            bool shared, sfm_error *error);

#endif
