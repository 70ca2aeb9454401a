/* release_run.h - how every release, and every session, is made: one order of events for all
 * mechanisms.
 *
 * 1. check: settings that contradict each other are refused.
 * 2. ready: the ledger can be charged, or the run is refused.
 * 3. prepare: all other public input is checked; the release has all that is public of it, and the
 *    noise is ready to be drawn.
 *    The caller is told, and may stop the run: nothing was charged or read.
 * 4. charge: durable when it returns.  Where the ledger has an answer to the same request, that is
 *    recalled, and 9 follows.
 * 5. read: rows, or the sums of a partial, become the private statistic.
 * 6. draw: noise.
 * 7. finish: the band, and the sentence of the guarantee.
 * 8. store: durable when it returns.
 * 9. hand out.
 *
 * Until the charge is durable the rows are sealed: whoever asks for a record gets SFM_INTERNAL.
 * A run that its caller stops after the charge says that the charge stands.
 * Only the run hands a release out, and only after it was stored.  Without a charge, charge and
 * store do nothing to a ledger, and the order is the same. */
#ifndef SFMI_RELEASE_RUN_H
#define SFMI_RELEASE_RUN_H

#include "charge_protocol.h"
#include "data/partial/sums.h"
#include "seed.h"

typedef struct sfmi_release_run sfmi_release_run;

/* A mechanism.  Its functions get the run, which is the first member of a struct of its own. */
typedef struct sfmi_release_steps {
  sfm_status (*check)(sfmi_release_run *run, sfm_error *error);   /* NULL: prepare does */
  sfm_status (*prepare)(sfmi_release_run *run, sfm_error *error); /* makes run->release */
  /* Everything public that the caller stated, as the ledger remembers it; NULL: memory is short.
   * Called only where there is a charge. */
  json_t *(*parameters)(const sfmi_release_run *run);
  sfm_status (*read)(sfmi_release_run *run, sfm_error *error);
  /* Or, for statistics that are sums over records, instead of read: rows (NULL: none) into empty
   * sums, which follow from each record and public numbers alone; and sums, which may be used up,
   * into the statistic.  sum is also called without a charge, for a partial that is being made. */
  sfm_status (*sum)(sfmi_release_run *run, sfmi_sums *sums, sfm_rows *rows, sfm_error *error);
  sfm_status (*take)(sfmi_release_run *run, sfmi_sums *sums, sfm_error *error);
  /* Of sums that were read from bytes, with the form and the number of those of no rows: whether
   * records can have them.  NULL: whatever they are. */
  bool (*fits)(const sfmi_release_run *run, const sfmi_sums *sums);
  sfm_status (*draw)(sfmi_release_run *run, sfm_error *error);
  /* The band; NULL: that of the release's kind, where it has one. */
  sfm_status (*finish)(sfmi_release_run *run, sfm_error *error);
  /* Into run->fingerprint; NULL: that of the rows, where there are rows. */
  void (*fingerprint)(sfmi_release_run *run);
  /* Where the answer is not the release itself, but a session; otherwise NULL, all three.  recall:
   * the answer of the ledger is in run->protocol. */
  sfm_status (*recall)(sfmi_release_run *run, sfm_error *error);
  sfm_status (*store)(sfmi_release_run *run, sfm_error *error);
  sfm_status (*hand_out)(sfmi_release_run *run, sfm_error *error);
} sfmi_release_steps;

struct sfmi_release_run {
  const sfmi_release_steps *steps;
  void *owner;                /* of steps that add to those of another mechanism; or NULL */
  sfm_rows *rows;             /* borrowed; NULL: the caller hands in the statistic itself */
  const sfm_context *context; /* borrowed */
  const sfm_charge *charge;   /* of the context; NULL: nothing is charged */
  sfmi_seed seed;             /* of the context */
  const char *person;         /* the column of the person, or NULL */
  bool summing;               /* for a partial: nothing will be drawn */
  sfmi_protocol protocol;
  sfm_release *release;
  uint8_t fingerprint[SFMI_DIGEST_BYTES];
};

/* A run of rows whose person the schema of the context names. */
sfmi_release_run sfmi_release_run_rows(const sfmi_release_steps *steps, sfm_rows *rows,
                                       const sfm_context *context);
/* A run of a statistic that the caller hands in. */
sfmi_release_run sfmi_release_run_statistic(const sfmi_release_steps *steps,
                                            const sfm_context *context, const char *person);

/* Makes the release; *out is NULL after a failure.  out is NULL where the steps hand out.  The
 * mechanism frees what is its own. */
SFM_MUST_CHECK sfm_status sfmi_release_run_all(sfm_release **out, sfmi_release_run *run,
                                               sfm_error *error);

/* The path of the ledger to be charged, from the root; NULL: none. */
const char *sfmi_release_run_ledger(const sfmi_release_run *run);

/* For a mechanism that is charged before it is known which of several releases it makes: what the
 * ledger has said goes over from the one that was charged. */
void sfmi_release_run_hand_over(sfm_release *to, sfm_release *from);

/* Tests only: called before and after each step. */
typedef enum sfmi_release_step {
  SFMI_STEP_CHECK,
  SFMI_STEP_READY,
  SFMI_STEP_PREPARE,
  SFMI_STEP_CHARGE,
  SFMI_STEP_READ,
  SFMI_STEP_DRAW,
  SFMI_STEP_FINISH,
  SFMI_STEP_STORE,
  SFMI_STEP_HAND_OUT,
  SFMI_STEP_COUNT
} sfmi_release_step;

extern void (*sfmi_release_run_watch)(sfmi_release_step step, bool done);

#endif
