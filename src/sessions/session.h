/* session.h - an open session (internal face of sfumato/online.h). */
#ifndef SFMI_SESSION_H
#define SFMI_SESSION_H

#include "mechanisms/frozen.h"
#include "sessions/answers.h"
#include "sessions/store.h"
#include "sessions/witness.h"
#include "sfumato/online.h"

/* Invariants, outside a call:
 *  1. answers holds the batches of the file up to `last`, in order, and nothing else; so does the
 *     function, whose draws they are.
 *  2. before is the generation before `last` (of generation 0: itself).
 *  3. nothing that is in answers was shown before it was durable: see sfm_online_ask. */
struct sfm_online {
  sfmi_store store;
  sfmi_frozen *frozen;
  sfmi_witness witness; /* of a gram session */
  sfmi_answers answers; /* values in records */
  sfmi_generation last, before;
  uint64_t durable; /* batches up to this one are known to be on the disk */
  bool written;     /* a transcript was made, of the batches up to: */
  uint64_t last_written;
};

#endif
