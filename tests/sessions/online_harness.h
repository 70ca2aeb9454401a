/* online_harness.h - a session, those who ask it, and what the world saw: the bookkeeping that
 * every attack is checked against.
 *
 *   root/here/s.sfs         the session            (a folder that can be interposed)
 *   root/there/clinic.db    the ledger, if any     (another one)
 *   root/there/anchor       the anchor, if any
 *   root/shown.log          outside both: every point that was answered, with its answer
 *
 * The invariants, checked by online_harness_check from the log and the files:
 *   1. a point was never shown two answers;
 *   2. the session opens, and gives every point the answer it was shown, bit for bit;
 *   3. with a ledger: it verifies, one request was charged, and it was answered. */
#ifndef TESTS_SESSIONS_ONLINE_HARNESS_H
#define TESTS_SESSIONS_ONLINE_HARNESS_H

#include "density_fixture.h"

#include "sfumato/online.h"

enum { ONLINE_HARNESS_ROWS = 60, ONLINE_HARNESS_MESSAGE = 2000, ONLINE_HARNESS_POINTS = 4096 };

typedef enum online_harness_keeper {
  ONLINE_HARNESS_ALONE,
  ONLINE_HARNESS_ANCHOR,
  ONLINE_HARNESS_LEDGER
} online_harness_keeper;

/* In memory shared with the children: what the last one had to say, and how far it got. */
typedef struct online_harness_word {
  char text[ONLINE_HARNESS_MESSAGE];
  uint64_t answered; /* batches, by all children */
  int ready, go;     /* for races */
} online_harness_word;

typedef struct online_harness {
  char root[64];
  char here[80], there[80];
  char session[128], ledger[128], anchor[128], shown[128];
  sfm_engine engine;
  sfm_kernel_family kernel;
  online_harness_keeper keeper;
  unsigned batches; /* that a client asks */
  unsigned salt;    /* other points for another one */
  double rows[ONLINE_HARNESS_ROWS];
  const char *request; /* where there is a ledger: "r1" */
  online_harness_word *word;
} online_harness;

/* engine: SPECTRAL, MARKOV or GRAM.  With a ledger it is made, too. */
void online_harness_init(online_harness *d, sfm_engine engine, online_harness_keeper keeper);
void online_harness_clear(online_harness *d);
/* As it was after online_harness_init. */
void online_harness_again(online_harness *d);
/* What online_harness_again goes back to is what is there now. */
void online_harness_keep(online_harness *d);

/* Makes the session at a path, under the request where there is a ledger. */
SFM_MUST_CHECK sfm_status online_harness_create(const online_harness *d, const char *path,
                                                sfm_error *error);
/* Asks, and shows the answers to the world. */
SFM_MUST_CHECK sfm_status online_harness_ask(const online_harness *d, sfm_online *session,
                                             const double *points, size_t count, sfm_error *error);

/* The points of a batch; some of them were in earlier ones, some are twice in this. */
enum { ONLINE_HARNESS_BATCH = 6 };
void online_harness_batch(double points[ONLINE_HARNESS_BATCH], unsigned number, unsigned salt);

/* ---- for children: context is the online_harness, the result an exit code ---- */

/* Makes the session (again), opens it and asks its batches. */
int online_harness_client(void *context);
/* Only opens and asks. */
int online_harness_visitor(void *context);
/* online_harness_client, which must succeed; then online_harness_check. */
int online_harness_finish(void *context);
int online_harness_check(void *context);

/* ---- for the above and for others ---- */

void online_harness_say(const online_harness *d, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void online_harness_copy(const char *to, const char *from);
/* Every file of a folder into another one, which is made anew. */
void online_harness_copy_folder(const char *to, const char *from);
/* One answer of the session at path, in a process of its own: its status, and the message in the
 * word. */
sfm_status online_harness_ask_at(const online_harness *d, const char *path, double x,
                                 double *value);

#endif
