/* interact.h - answers questions from a private machine, most of them with a public model.
 *
 * A session holds a private machine, learned from rows (train.h), and a public model of it, which
 * is zero at first.  A question is a point.  A noisy comparison decides whether the public model is
 * close enough to the private machine at that point.  If it is, the public model answers.  If not,
 * the value of the private machine is released with noise, the public model is fitted to all values
 * released so far, and an epoch ends.  The number of epochs is fixed when the session is created,
 * and so is the guarantee of all answers together, whatever is asked and however often.  When no
 * epoch is left, the public model answers all questions, and the answers say so.
 *
 * The session file (.sfs, mode 0600) contains the machine without noise: nothing is protected from
 * anyone who reads it.  An answer, and everything that later answers depend on, is on disk before
 * sfm_interact_ask returns.  A generation number in the ledger or in an anchor is raised before
 * answers are returned.  A copy of the file with an older generation is refused (SFM_REFUSED),
 * because its answers would have new noise.
 *
 * An open session belongs to the process that opened it (not to a child made by fork) and to one
 * thread at a time.  Any number of processes may have the same file open. */
#ifndef SFUMATO_INTERACT_H
#define SFUMATO_INTERACT_H

#include "sfumato/account.h"
#include "sfumato/train.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sfm_interact_plan;

/* How the public model learns from released values. */
typedef enum sfm_interact_update {
  SFM_INTERACT_UPDATE_RIDGE, /* kernel ridge regression on all released values */
  SFM_INTERACT_UPDATE_STEP, /* a step of fixed length towards it (Jain & Thakurta 2013, algorithm 1)
                             */
} sfm_interact_update;

/* Returns "ridge" or "step"; NULL for a number that is not an update.  Static storage. */
SFM_API const char *sfm_interact_update_name(sfm_interact_update update);

/* The largest number of epochs of a session. */
#define SFM_INTERACT_EPOCHS 4096

/* Everything here is public. */
typedef struct sfm_interact_settings {
  size_t size; /* of this struct */
  /* The private machine, and the context: method FINITE or RFF; two classes or regression; lambda
   * stated or the default, not chosen from candidates.  epsilon and delta are those of all answers
   * together. confidence is that of the error bars.  noise, calibration and places are ignored. */
  const sfm_train_settings *train;
  uint64_t questions; /* the expected number; more may be asked; default: 100000 */
  /* Either epochs is 0 (the default) and accuracy is the largest error bar, in the unit of the
   * label; there are then as many epochs as this accuracy allows.  Or epochs is their number, and
   * accuracy is ignored. */
  double accuracy;
  uint64_t epochs;
  sfm_interact_update update; /* default: RIDGE */
  sfm_accounting accounting;  /* sfm_plan_interact only: of the dataset that will be charged */
  /* sfm_interact_create only: called with the plan before anything is charged.  May be NULL. */
  void (*planned)(void *data, const struct sfm_interact_plan *plan);
  void *planned_data;
} sfm_interact_settings;

/* Returns the defaults.  train must be set. */
SFM_API void sfm_interact_settings_init(sfm_interact_settings *settings, size_t size);
SFM_DEFAULT(sfm_interact_settings)

/* The plan of a session, from public numbers alone.  Values are in the unit of the label.  An error
 * is the distance from the machine without noise. */
typedef struct sfm_interact_plan {
  uint64_t rows, questions, epochs;
  double lambda; /* stated, or the default */
  /* The largest norm of the features of a row; how far one record can move the weights (l2); the
   * largest norm of the weights. */
  double kappa, used, reach;
  double sensitivity; /* of a value, including rounding */
  double step;        /* values are rounded to multiples of it */
  double threshold;   /* if the public model seems farther off than this, an epoch ends */
  /* The parts of the epsilon of one epoch: for the noisy threshold, for the comparisons, and for
   * the released value.  Then the scales of the three noises. */
  double epsilon_threshold, epsilon_question, epsilon_answer;
  double noise_threshold, noise_question, noise_answer;
  /* Error bars at the confidence, as long as epochs are left. */
  double error_public, error_released;
  double alarms; /* at most this many epochs are expected to end without need */
  /* (reach kappa/threshold)^2: about this many questions can end an epoch before the public model
   * has learned everything.  A rough guide. */
  double worst;
  /* For comparison: the error bar at one point of a single release of the same machine with the
   * same guarantee (sfm_train_release).  Such a release answers all questions. */
  double once;
  bool once_normal; /* whether that release has normal noise; without a delta: Laplace noise */
  sfm_guarantee guarantee;
} sfm_interact_plan;

/* Plans a session.  Opens no rows.  rows: the public n.  dimension: of sparse rows.  train.label
 * may be NULL.  SFM_INVALID if the accuracy is not possible; the message says which is.  Takes
 * seconds if there is a delta. */
SFM_API SFM_MUST_CHECK sfm_status sfm_plan_interact(sfm_interact_plan *plan,
                                                    const sfm_interact_settings *settings,
                                                    uint64_t rows, size_t dimension,
                                                    sfm_error *error);

/* Reads the rows and creates the session file.  Fails if the file exists.  Plans as
 * sfm_plan_interact does, with the accounting of the dataset that is charged, and charges the whole
 * session at once.  anchor: without a charge, the path of a new file that keeps the generation; it
 * must not be the session's own path, and should be on another disk.  With a charge: NULL.
 * Temporary files and repeated requests are as in sfm_online_create.  Blocks while it reads and
 * solves; holds all rows in memory.
 * Privacy: for all answers that all copies ever give, together: pure epsilon, or with a delta the
 * guarantee in sfm_interact_plan; replace neighbours; hardened.
 * Proof: docs/proofs/interactive.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_interact_create(const char *path, sfm_rows *rows,
                                                      const sfm_interact_settings *settings,
                                                      const char *anchor, sfm_error *error);

typedef struct sfm_interact sfm_interact;

/* Opens a session.  SFM_FORMAT if the file is not a session or is damaged; SFM_REFUSED if the
 * session was never finished, or is an older copy.  The caller closes it. */
SFM_API SFM_MUST_CHECK sfm_status sfm_interact_open(sfm_interact **out, const char *path,
                                                    sfm_error *error);
SFM_API void sfm_interact_close(sfm_interact *session);

/* Where an answer comes from. */
typedef enum sfm_interact_source {
  SFM_INTERACT_SOURCE_RELEASED,  /* the private machine, with noise; an epoch ended */
  SFM_INTERACT_SOURCE_PUBLIC,    /* the public model; the comparison found it close enough */
  SFM_INTERACT_SOURCE_EXHAUSTED, /* the public model; no epoch is left, and nothing was compared */
} sfm_interact_source;

/* Returns "released", "public" or "exhausted"; NULL for a number that is not a source.  Static
 * storage. */
SFM_API const char *sfm_interact_source_name(sfm_interact_source source);

typedef struct sfm_interact_answer {
  double value;
  sfm_interact_source source;
  /* The error bar: with the confidence of the session, value is within this distance of the machine
   * without noise.  Infinite if exhausted.  The confidence is that of the first question of an
   * epoch.  Later answers in the same epoch may be farther off more often, because a noisy
   * threshold that has not ended its epoch is higher on average (docs/proofs/interactive.md). */
  double error;
  uint64_t epochs_left; /* after this answer, including the current epoch */
} sfm_interact_answer;

/* Answers `count` points of input_count cells each (as in sfm_machine_at), in order.  The same
 * point may have another answer later.  If a point is outside the domain: SFM_INVALID, the message
 * names the first such point, and nothing is answered.  Answers are durable when it returns.  More
 * than 65,536 points are answered in portions; if a portion fails, the earlier ones are answered
 * and stored. */
SFM_API SFM_MUST_CHECK sfm_status sfm_interact_ask(sfm_interact *session,
                                                   sfm_interact_answer *answers,
                                                   const double *cells, size_t count,
                                                   sfm_error *error);
/* The same for sparse rows (as in sfm_machine_at_sparse). */
SFM_API SFM_MUST_CHECK sfm_status sfm_interact_ask_sparse(
    sfm_interact *session, sfm_interact_answer *answers, const size_t *starts,
    const uint32_t *indices, const double *numbers, size_t count, sfm_error *error);

/* The public facts of a session, as of the last question. */
typedef struct sfm_interact_facts {
  uint64_t questions;   /* answered so far */
  uint64_t released;    /* values released so far */
  uint64_t epochs_left; /* including the current epoch */
  double confidence;    /* of the error bars */
  sfm_interact_update update;
  const char *form; /* of the features of the private machine, as in sfm_machine */
  size_t features;
} sfm_interact_facts;
/* Returns them. */
SFM_API sfm_interact_facts sfm_interact_about(const sfm_interact *session);
/* Returns the plan that was made when the session was created. */
SFM_API sfm_interact_plan sfm_interact_planned(const sfm_interact *session);
/* Returns a machine without weights (kind "machine", method "interactive"): its columns, bounds,
 * categories and classes (sfumato/machine.h), guarantee and sentence.  Owned by the session. */
SFM_API const sfm_release *sfm_interact_machine(const sfm_interact *session);
/* Returns the guarantee of all answers together, as numbers and as a sentence (owned by the
 * session). */
SFM_API sfm_guarantee sfm_interact_guarantee(const sfm_interact *session);
SFM_API const char *sfm_interact_sentence(const sfm_interact *session);
/* Return the absolute path of the ledger that was charged, and of the anchor; NULL: none.  Owned by
 * the session. */
SFM_API const char *sfm_interact_ledger(const sfm_interact *session);
SFM_API const char *sfm_interact_anchor(const sfm_interact *session);

/* Makes a release of the public model, kind "machine", method "interactive": the points whose
 * values were released, and their coefficients.  For random features the coefficients are those of
 * their kernel, fitted to the same values.  At least one value must have been released.  The caller
 * destroys the release. */
SFM_API SFM_MUST_CHECK sfm_status sfm_interact_transcript(sfm_interact *session, sfm_release **out,
                                                          sfm_error *error);

/* Overwrites and removes the file of an open session, durably, even if others have it open.  Close
 * the session afterwards.  The anchor is kept, so that remaining copies are still recognised as
 * copies.  If a transcript was made and questions were answered after it, nothing is wiped
 * (SFM_IO): make another transcript. */
SFM_API SFM_MUST_CHECK sfm_status sfm_interact_wipe(sfm_interact *session, sfm_error *error);
/* The same for a session file that nobody has open.  The file may be one that cannot be asked any
 * more (see sfm_online_discard). */
SFM_API SFM_MUST_CHECK sfm_status sfm_interact_discard(const char *path, sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
