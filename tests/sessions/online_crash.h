/* online_crash.h - a client of a session that dies at each call in turn. */
#ifndef TESTS_SESSIONS_ONLINE_CRASH_H
#define TESTS_SESSIONS_ONLINE_CRASH_H

#include "online_harness.h"

#include "interpose.h"

typedef struct online_crash {
  interpose_action action;
  bool cut;        /* and the power fails */
  uint64_t seed;   /* of the cut: 0 loses all that was not durable */
  bool later;      /* the power fails only after a second client has done the same */
  bool twice;      /* the next one dies, too, elsewhere */
  bool spectral;   /* such sessions as well: they are made as the others, and not written to */
  unsigned stride; /* every so many-eth call, unless all are to be tried (test_long); 0: each */
} online_crash;

/* For every engine and keeper: from nothing to two batches, and a third one of a session that has
 * some.  After each death an undisturbed client finds everything that was shown, and goes on; with
 * a ledger one charge stands.  Fails the test at the first call where something broke, and says
 * which.
 */
void online_crash_run(const online_crash *s);

#endif
