/* online.h - an open session (internal face of sfumato/online.h). */
#ifndef SFMI_ONLINE_H
#define SFMI_ONLINE_H

#include "mechanisms/sessions/online_function.h"
#include "answers.h"
#include "session_store.h"
#include "freshness.h"
#include "sfumato/online.h"

/* Invariants, outside a call:
 *  1. answers holds the batches of the file up to `last`, in order, and nothing else; so does the
 *     function, whose draws they are.
 *  2. before is the generation before `last` (of generation 0: itself).
 *  3. nothing that is in answers was shown before it was durable: see sfm_online_ask. */
struct sfm_online {
  sfmi_store store;
  sfmi_online_function *function;
  sfmi_freshness freshness; /* of a gram session */
  sfmi_answers answers;     /* values in records */
  sfmi_generation last, before;
  uint64_t durable; /* batches up to this one are known to be on the disk */
  bool written;     /* a transcript was made, of the batches up to: */
  uint64_t last_written;
};

#endif
