/* ledger_scenario.h - a ledger, the requests made of it, and a log of what outsiders were shown,
 * against which every attack is checked.
 *
 *   root/here/clinic.db     the ledger         (a folder that can be interposed)
 *   root/there/anchor       its anchor         (another one)
 *   root/shown.log          outside both: "told ID ." once a charge is said to be durable, and
 *                           "shown ID HEX ." for every answer that was handed out
 *
 * The invariants, checked by scenario_check from the public history and shown.log alone:
 *   1. the ledger opens, and verify passes on as many entries as the history has;
 *   2. a request is charged at most once and answered at most once;
 *   3. what was told or shown was charged, what was shown was answered before;
 *   4. all bytes shown for a request are the same;
 *   5. the sum of the charges, recomputed, is what the ledger says was spent, and is not above the
 *      total; so is the number of charges and answers. */
#ifndef TESTS_LEDGER_LEDGER_SCENARIO_H
#define TESTS_LEDGER_LEDGER_SCENARIO_H

#include <stdbool.h>
#include <stdint.h>

#include "ledger/charge.h"
#include "sfumato/ledger.h"

enum { SCENARIO_MESSAGE = 2000 };

/* In memory shared with the children: the message of the last one, and counts. */
typedef struct scenario_report {
  char text[SCENARIO_MESSAGE];
  uint64_t answered; /* requests, by all children */
  uint64_t refused;
  uint64_t failed;
} scenario_report;

typedef struct scenario {
  char root[64];
  char here[80], there[80];
  char ledger[128], anchor[128], shown[128];
  bool anchored;
  sfm_accounting accounting;
  double epsilon, delta;   /* the total */
  sfm_guarantee guarantee; /* of every request */
  const uint8_t *fingerprint;
  bool stubborn; /* a request that failed is made once more with the same open ledger */
  unsigned requests;
  scenario_report *report;
} scenario;

/* Total epsilon 1, basic; a request costs 1/4. */
void scenario_init(scenario *w, bool anchored);
void scenario_clear(scenario *w);
/* Empties both folders and forgets what was shown. */
void scenario_again(scenario *w);

/* ---- what a process does.  To be used in a child: see child_process.h ---- */

/* Opens the ledger, and makes it first when there is none. */
SFM_MUST_CHECK sfm_status scenario_open(const scenario *w, sfm_ledger **ledger, sfm_error *error);

/* One whole request: charge, noise (fresh random bytes), store, show. */
SFM_MUST_CHECK sfm_status scenario_request(const scenario *w, sfm_ledger *ledger,
                                           const char *request, sfm_error *error);

/* The charge alone, of another guarantee. */
SFM_MUST_CHECK sfm_status scenario_charge(const scenario *w, sfm_ledger *ledger,
                                          const char *request, const sfm_guarantee *guarantee,
                                          sfm_error *error);

/* A client: scenario_open, then requests r1, ..., r<requests>.  The exit code is the status of the
 * first that failed; the message goes to the report.  context: the scenario. */
int scenario_client(void *context);

/* The same, which must succeed; then more requests until one is refused, and the check below. */
int scenario_finish(void *context);

/* Whether all invariants hold; if not, the report says which does not.  context: the scenario. */
int scenario_check(void *context);

/* What outsiders can conclude from shown.log alone, whatever became of the ledger: no request was
 * shown two ways, and all that was shown costs at most the total.  context: the scenario. */
int scenario_honest(void *context);

/* ---- for the above and for others ---- */

/* "0.25" as 250000000000 units of 1e-12. */
int64_t scenario_units(const char *decimal);
void scenario_say(const scenario *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "epsilon 0.25", as a guarantee. */
sfm_guarantee scenario_pure(double epsilon);

#endif
