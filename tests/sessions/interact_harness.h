/* interact_harness.h - an interactive session, those who ask it, and what the world saw: the
 * bookkeeping that every attack is checked against.
 *
 *   root/here/s.sfs         the session            (a folder that can be interposed)
 *   root/there/clinic.db    the ledger, if any     (another one)
 *   root/there/anchor       the anchor, otherwise
 *   root/shown.log          outside both: every answer that was shown, in order
 *
 * The invariants, checked by interact_harness_check from the log and the files:
 *   1. the session opens, has answered at least as many questions as were shown, and released at
 *      least as many values: no budget comes back;
 *   2. every value that was shown as released is one that the session has, in order;
 *   3. an epoch has one noisy threshold in the file: it was never drawn again;
 *   4. what was shown to be left never rises, and is never more than is left in the file;
 *   5. with a ledger: it verifies, one request was charged, and it was answered. */
#ifndef TESTS_SESSIONS_INTERACT_HARNESS_H
#define TESTS_SESSIONS_INTERACT_HARNESS_H

#include "test_support.h"

#include "sfumato/interact.h"

enum {
  INTERACT_HARNESS_ROWS = 80,
  INTERACT_HARNESS_EPOCHS = 6,
  INTERACT_HARNESS_BATCH = 40,
  INTERACT_HARNESS_MESSAGE = 2000
};

typedef struct interact_harness_word {
  char text[INTERACT_HARNESS_MESSAGE];
} interact_harness_word;

typedef struct interact_harness {
  char root[64], here[80], there[80];
  char session[128], ledger[128], anchor[128], shown[128];
  bool charged;     /* to a ledger; else there is an anchor */
  unsigned batches; /* that a client asks */
  sfm_schema *schema;
  sfm_train_settings train;
  sfm_interact_settings settings;         /* train is set where they are used */
  double rows[3 * INTERACT_HARNESS_ROWS]; /* a, b, y */
  const char *request;                    /* where there is a ledger: "r1" */
  interact_harness_word *word;            /* shared with children */
} interact_harness;

void interact_harness_init(interact_harness *p, bool charged);
void interact_harness_clear(interact_harness *p);
/* As it was after interact_harness_init, or at the last interact_harness_keep. */
void interact_harness_again(interact_harness *p);
void interact_harness_keep(interact_harness *p);

/* Makes the session at a path, under the request where there is a ledger. */
SFM_MUST_CHECK sfm_status interact_harness_create(const interact_harness *p, const char *path,
                                                  sfm_error *error);
/* Batch `number` of points. */
void interact_harness_points(double cells[2 * INTERACT_HARNESS_BATCH], unsigned number);
/* Asks, and shows the answers to the world. */
SFM_MUST_CHECK sfm_status interact_harness_ask(const interact_harness *p, sfm_interact *session,
                                               const double *cells, size_t count, sfm_error *error);

/* ---- for children: context is the interact_harness, the result an exit code ---- */

/* Makes the session (again), opens it and asks its batches. */
int interact_harness_client(void *context);
/* interact_harness_client, which must succeed; then interact_harness_check. */
int interact_harness_finish(void *context);
int interact_harness_check(void *context);

void interact_harness_say(const interact_harness *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
