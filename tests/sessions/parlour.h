/* parlour.h - an interactive session, those who ask it, and what the world saw: the bookkeeping
 * that every attack is checked against.
 *
 *   root/here/s.sfs         the session            (a folder that can be interposed)
 *   root/there/clinic.db    the ledger, if any     (another one)
 *   root/there/anchor       the anchor, otherwise
 *   root/shown.log          outside both: every answer that was shown, in order
 *
 * The invariants, checked by parlour_check from the log and the files:
 *   1. the session opens, has answered at least as many questions as were shown, and released at
 *      least as many values: no budget comes back;
 *   2. every value that was shown as released is one that the session has, in order;
 *   3. an epoch has one noisy threshold in the file: it was never drawn again;
 *   4. what was shown to be left never rises, and is never more than is left in the file;
 *   5. with a ledger: it verifies, one request was charged, and it was answered. */
#ifndef TESTS_SESSIONS_PARLOUR_H
#define TESTS_SESSIONS_PARLOUR_H

#include "trial.h"

#include "sfumato/interact.h"

enum { PARLOUR_ROWS = 80, PARLOUR_EPOCHS = 6, PARLOUR_BATCH = 40, PARLOUR_MESSAGE = 2000 };

typedef struct parlour_word {
  char text[PARLOUR_MESSAGE];
} parlour_word;

typedef struct parlour {
  char root[64], here[80], there[80];
  char session[128], ledger[128], anchor[128], shown[128];
  bool charged;     /* to a ledger; else there is an anchor */
  unsigned batches; /* that a client asks */
  sfm_schema *schema;
  sfm_interact_settings settings;
  double rows[3 * PARLOUR_ROWS]; /* a, b, y */
  const char *request;           /* where there is a ledger: "r1" */
  parlour_word *word;            /* shared with children */
} parlour;

void parlour_init(parlour *p, bool charged);
void parlour_clear(parlour *p);
/* As it was after parlour_init, or at the last parlour_keep. */
void parlour_again(parlour *p);
void parlour_keep(parlour *p);

/* Makes the session at a path, under the request where there is a ledger. */
SFM_MUST_CHECK sfm_status parlour_create(const parlour *p, const char *path, sfm_error *error);
/* Batch `number` of points. */
void parlour_points(double cells[2 * PARLOUR_BATCH], unsigned number);
/* Asks, and shows the answers to the world. */
SFM_MUST_CHECK sfm_status parlour_ask(const parlour *p, sfm_interact *session, const double *cells,
                                      size_t count, sfm_error *error);

/* ---- for children: context is the parlour, the result an exit code ---- */

/* Makes the session (again), opens it and asks its batches. */
int parlour_client(void *context);
/* parlour_client, which must succeed; then parlour_check. */
int parlour_finish(void *context);
int parlour_check(void *context);

void parlour_say(const parlour *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
