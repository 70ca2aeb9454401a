/* desk.h - a session, those who ask it, and what the world saw: the bookkeeping that every attack
 * is checked against.
 *
 *   root/here/s.sfs         the session            (a folder that can be interposed)
 *   root/there/clinic.db    the ledger, if any     (another one)
 *   root/there/anchor       the anchor, if any
 *   root/shown.log          outside both: every point that was answered, with its answer
 *
 * The invariants, checked by desk_check from the log and the files:
 *   1. a point was never shown two answers;
 *   2. the session opens, and gives every point the answer it was shown, bit for bit;
 *   3. with a ledger: it verifies, one request was charged, and it was answered. */
#ifndef TESTS_SESSIONS_DESK_H
#define TESTS_SESSIONS_DESK_H

#include "trial.h"

#include "sfumato/online.h"

enum { DESK_ROWS = 60, DESK_MESSAGE = 2000, DESK_POINTS = 4096 };

typedef enum desk_keeper { DESK_ALONE, DESK_ANCHOR, DESK_LEDGER } desk_keeper;

/* In memory shared with the children: what the last one had to say, and how far it got. */
typedef struct desk_word {
  char text[DESK_MESSAGE];
  uint64_t answered; /* batches, by all children */
  int ready, go;     /* for races */
} desk_word;

typedef struct desk {
  char root[64];
  char here[80], there[80];
  char session[128], ledger[128], anchor[128], shown[128];
  sfm_engine engine;
  sfm_kernel_family kernel;
  desk_keeper keeper;
  unsigned batches; /* that a client asks */
  unsigned salt;    /* other points for another one */
  double rows[DESK_ROWS];
  const char *request; /* where there is a ledger: "r1" */
  desk_word *word;
} desk;

/* engine: SPECTRAL, MARKOV or GRAM.  With a ledger it is made, too. */
void desk_init(desk *d, sfm_engine engine, desk_keeper keeper);
void desk_clear(desk *d);
/* As it was after desk_init. */
void desk_again(desk *d);
/* What desk_again goes back to is what is there now. */
void desk_keep(desk *d);

/* Makes the session at a path, under the request where there is a ledger. */
SFM_MUST_CHECK sfm_status desk_create(const desk *d, const char *path, sfm_error *error);
/* Asks, and shows the answers to the world. */
SFM_MUST_CHECK sfm_status desk_ask(const desk *d, sfm_online *session, const double *points,
                                   size_t count, sfm_error *error);

/* The points of a batch; some of them were in earlier ones, some are twice in this. */
enum { DESK_BATCH = 6 };
void desk_batch(double points[DESK_BATCH], unsigned number, unsigned salt);

/* ---- for children: context is the desk, the result an exit code ---- */

/* Makes the session (again), opens it and asks its batches. */
int desk_client(void *context);
/* Only opens and asks. */
int desk_visitor(void *context);
/* desk_client, which must succeed; then desk_check. */
int desk_finish(void *context);
int desk_check(void *context);

/* ---- for the above and for others ---- */

void desk_say(const desk *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
void desk_copy(const char *to, const char *from);
/* One answer of the session at path, in a process of its own: its status, and the message in the
 * word. */
sfm_status desk_ask_at(const desk *d, const char *path, double x, double *value);

#endif
