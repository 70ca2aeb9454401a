/* interact.h - a private machine that answers questions, most of them from a public model.
 *
 * A session holds a machine learned from private rows (train.h), and a public model of it, which
 * knows nothing at first.  A question is a point; it is answered from the public model unless a
 * noisy comparison says that this is too far off: then the private machine's own value is released,
 * with noise of its own, and the public model is fitted to all values released so far.  That ends
 * an epoch.  The number of epochs is fixed when the session is opened, and so is what all answers
 * together promise, whatever is asked and however often; when they are used up, answers go on from
 * the public model, and say so.
 *
 * The session's file (.sfs, mode 0600) holds the machine without noise: whoever reads it has no
 * privacy.  An answer, and everything that later ones depend on, is on the disk before
 * sfm_interact_ask returns.  A generation number in the ledger, or in an anchor, is raised before
 * answers are shown, and a copy that is behind it is refused (SFM_REFUSED): asked again, it would
 * be a second draw.
 *
 * A session belongs to the process that opened it (not to a child made by fork) and to one thread
 * at a time; any number of processes may have the same file open. */
#ifndef SFUMATO_INTERACT_H
#define SFUMATO_INTERACT_H

#include "sfumato/account.h"
#include "sfumato/train.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sfm_interact_plan;

/* How the public model learns from a released value. */
typedef enum sfm_interact_update {
  SFM_UPDATE_RIDGE, /* kernel ridge regression on all of them */
  SFM_UPDATE_STEP,  /* a step of fixed length towards it (Jain & Thakurta 2013, algorithm 1) */
} sfm_interact_update;

/* "ridge", "step"; NULL for a number that is none.  Static storage. */
SFM_API const char *sfm_interact_update_name(sfm_interact_update update);

/* Most epochs of a session. */
#define SFM_INTERACT_EPOCHS 4096

/* Everything here is public. */
typedef struct sfm_interact_settings {
  /* The machine: method FINITE or RFF; two classes or a number; a stated lambda or the default.
   * epsilon and delta are those of all answers together; confidence is that of error bars.  noise,
   * calibration and places are not used. */
  sfm_train_settings train;
  uint64_t questions; /* how many are expected; more may come */
  double accuracy; /* error bars are to be no larger, in units of the label; 0: epochs is stated */
  uint64_t epochs; /* 0: as many as the accuracy allows; else so many, whatever bars that leaves */
  sfm_interact_update update;
  sfm_accounting accounting; /* for plans: how the dataset that will be charged adds up */
  /* For sfm_interact_create: told the plan before anything is charged; NULL: nobody. */
  void (*planned)(void *context, const struct sfm_interact_plan *plan);
  void *planned_context;
} sfm_interact_settings;

SFM_API sfm_interact_settings sfm_interact_settings_default(void);

/* What a session would be, from public numbers alone.  Values are in units of the label; an error
 * is the distance from the machine without noise. */
typedef struct sfm_interact_plan {
  uint64_t rows, questions, epochs;
  double lambda;             /* stated, or the default */
  double kappa, used, reach; /* longest features; what a record moves the weights by; longest w */
  double sensitivity;        /* of a value, rounding included */
  double step;               /* values are compared and released as multiples of it */
  double threshold;          /* how far off the public model may seem before an epoch ends */
  /* Of an epoch, and the scales of the noises. */
  double epsilon_threshold, epsilon_question, epsilon_answer;
  double noise_threshold, noise_question, noise_answer;
  /* Error bars at the confidence, while epochs last. */
  double error_public, error_released;
  double alarms; /* epochs that end for nothing, expected over the questions, at most */
  double worst;  /* about so many questions can end an epoch before the public model has learned all
                    there is, a guide: (reach kappa/threshold)^2 */
  double once;   /* error bar at a point of one release of the same machine with the same
                    guarantee (`train`), which answers everything for ever */
  bool once_normal; /* by normal noise; else Laplace noise, for want of a delta */
  sfm_guarantee guarantee;
} sfm_interact_plan;

/* Plans.  Opens no rows; dimension is that of sparse rows; train.label may be NULL.  SFM_INVALID,
 * and the message says what is possible, when the accuracy is not possible.
 * Takes seconds where there is a delta. */
SFM_API SFM_MUST_CHECK sfm_status sfm_plan_interact(sfm_interact_plan *plan,
                                                    const sfm_interact_settings *settings,
                                                    uint64_t rows, size_t dimension,
                                                    sfm_error *error);

/* Reads the rows and makes the session file; fails if there is one.  anchor: without a charge, and
 * only then, a new file to keep the generation in, elsewhere than the session; NULL otherwise.
 * Plans as sfm_plan_interact does, with the accounting of the dataset that is charged, and charges
 * the whole at once.  Files beside it while it works, and what repeating a request does, are as
 * for sfm_online_create.
 *
 * Privacy: for all answers ever given by all copies, together: pure epsilon, or with a delta what
 * sfm_interact_plan.guarantee says; neighbours replace; hardened.  Proof:
 * docs/proofs/interactive.md.  Blocks while it reads and solves; holds all rows in memory. */
SFM_API SFM_MUST_CHECK sfm_status sfm_interact_create(const char *path, sfm_rows *rows,
                                                      const sfm_interact_settings *settings,
                                                      const char *anchor, sfm_error *error);

typedef struct sfm_interact sfm_interact;

/* Opens a session to ask it.  SFM_FORMAT when it is something else or damaged, SFM_REFUSED when it
 * was never finished, or is an older copy.  The caller closes it. */
SFM_API SFM_MUST_CHECK sfm_status sfm_interact_open(sfm_interact **out, const char *path,
                                                    sfm_error *error);
SFM_API void sfm_interact_close(sfm_interact *session);

typedef enum sfm_interact_source {
  SFM_SOURCE_RELEASED,  /* the private machine's value, with noise; an epoch ended */
  SFM_SOURCE_PUBLIC,    /* the public model, which a comparison found near enough */
  SFM_SOURCE_EXHAUSTED, /* the public model; no epoch is left, and nothing was compared */
} sfm_interact_source;

/* "released", "public", "exhausted"; NULL for a number that is none.  Static storage. */
SFM_API const char *sfm_interact_source_name(sfm_interact_source source);

typedef struct sfm_interact_answer {
  double value;
  sfm_interact_source source;
  /* With the session's confidence the value is no farther from the machine without noise; infinite
   * when exhausted.  That is for the first question of an epoch: a threshold that has lasted is
   * higher than a fresh one, and later answers may miss more often (docs/proofs/interactive.md). */
  double error;
  uint64_t epochs_left; /* after it, the one that is running included */
} sfm_interact_answer;

/* One answer a point of input_count cells each (as for sfm_machine_at); points are asked in their
 * order, and the same point may be answered differently later.  All of them must be in the domain,
 * else SFM_INVALID names the first that is not, and nothing is answered.  Durable when it returns.
 * More than 65,536 points are answered in portions: should one fail, those before it are answered
 * and stored. */
SFM_API SFM_MUST_CHECK sfm_status sfm_interact_ask(sfm_interact *session,
                                                   sfm_interact_answer *answers,
                                                   const double *cells, size_t count,
                                                   sfm_error *error);
/* The same for sparse rows (as for sfm_machine_at_sparse). */
SFM_API SFM_MUST_CHECK sfm_status sfm_interact_ask_sparse(
    sfm_interact *session, sfm_interact_answer *answers, const size_t *starts,
    const uint32_t *indices, const double *numbers, size_t count, sfm_error *error);

/* What is public of it, when it was last asked. */
typedef struct sfm_interact_facts {
  uint64_t questions;   /* answered so far */
  uint64_t released;    /* values */
  uint64_t epochs_left; /* the one that is running included */
  double confidence;
  sfm_interact_update update;
  const char *form; /* of the private machine's features, as sfm_machine.form */
  size_t features;
} sfm_interact_facts;
SFM_API sfm_interact_facts sfm_interact_about(const sfm_interact *session);
/* What was planned when it was opened. */
SFM_API sfm_interact_plan sfm_interact_planned(const sfm_interact *session);
/* A machine without numbers (kind "machine", method "interactive"): its columns, bounds,
 * categories and classes (sfumato/machine.h), guarantee and sentence.  Owned by the session. */
SFM_API const sfm_release *sfm_interact_machine(const sfm_interact *session);
/* What all answers ever given promise together, and in a plain sentence, owned by the session. */
SFM_API sfm_guarantee sfm_interact_guarantee(const sfm_interact *session);
SFM_API const char *sfm_interact_sentence(const sfm_interact *session);
/* The ledger it was charged to, or its anchor, from the root; NULL: none.  Owned by the session. */
SFM_API const char *sfm_interact_ledger(const sfm_interact *session);
SFM_API const char *sfm_interact_anchor(const sfm_interact *session);

/* The public model as a release, kind machine, method interactive: the points whose values were
 * released and coefficients (at least one value must have been; of random features those of their
 * kernel, fitted to the same values).  The caller destroys it. */
SFM_API SFM_MUST_CHECK sfm_status sfm_interact_transcript(sfm_interact *session, sfm_release **out,
                                                          sfm_error *error);

/* Overwrites and removes the session file of an open session, durably, whoever else has it open.
 * Its anchor stays: copies that are left must go on to be told apart.  If a transcript was made and
 * others were answered since, nothing is wiped (SFM_IO): make another.  Close it afterwards. */
SFM_API SFM_MUST_CHECK sfm_status sfm_interact_wipe(sfm_interact *session, sfm_error *error);
/* The same of a session file that nobody has open, and that need not be fit to be asked. */
SFM_API SFM_MUST_CHECK sfm_status sfm_interact_discard(const char *path, sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
