/* fault_sweep.h - one client run to its death, or to its error, at each call in turn. */
#ifndef TESTS_LEDGER_FAULT_SWEEP_H
#define TESTS_LEDGER_FAULT_SWEEP_H

#include "interpose.h"
#include "ledger_scenario.h"

typedef struct sweep {
  interpose_action action;
  bool on;           /* failing: and every later call too */
  bool reads;        /* failing: the reads, not the writes */
  bool cut;          /* killed: and the power fails */
  uint64_t seed;     /* of the cut: 0 loses all that was not durable */
  unsigned earlier;  /* requests made before, undisturbed */
  unsigned requests; /* made by the client (those before included) */
  bool twice;        /* a second client is killed at a call chosen by the seed */
  bool later;        /* the power fails only after a second client has made the same requests */
} sweep;

/* For each call at which the action can happen (see CHILD_STRIDE): a fresh scenario, the client
 * with that action at that call, then (undisturbed) the same client again, further requests until
 * one is refused, and scenario_check.  Fails the test at the first call where something broke, and
 * says which.  Returns how many calls there were. */
uint64_t sweep_run(scenario *w, const sweep *s);

/* From nothing to an answer, and two more requests of a ledger that has one; with and without an
 * anchor; stubborn: ledger_scenario.h. */
void sweep_fail(interpose_action action, bool on, bool stubborn, bool reads);

/* A client that makes a ledger and so many requests, and ends; then the power fails.  NULL when
 * nothing is gone; otherwise what is wrong then. */
const char *sweep_shown(scenario *w, unsigned requests, bool lies);

#endif
