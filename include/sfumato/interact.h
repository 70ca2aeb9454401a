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
  uint64_t epochs; /* 0: as many as the accuracy allows */
  sfm_interact_update update;
  sfm_accounting accounting; /* for plans: how the dataset that will be charged adds up */
} sfm_interact_settings;

SFM_API sfm_interact_settings sfm_interact_settings_default(void);

/* What a session would be, from public numbers alone.  Values are in units of the label; an error
 * is the distance from the machine without noise. */
typedef struct sfm_interact_plan {
  uint64_t rows, questions, epochs;
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
  double worst;  /* so many questions can be off by more than error_public before the public model
                    has learned all there is: (reach kappa/error_public)^2 */
  double once;   /* error bar at a point of one release of the same machine with the same
                    guarantee (`train`), which answers everything for ever */
  bool once_normal; /* by normal noise; else Laplace noise, for want of a delta */
  sfm_guarantee guarantee;
} sfm_interact_plan;

/* Plans.  Opens no rows; dimension is that of sparse rows; train.label may be NULL.  SFM_INVALID,
 * saying what can be had, when the accuracy cannot be bought.
 * Takes seconds where there is a delta. */
SFM_API SFM_MUST_CHECK sfm_status sfm_plan_interact(sfm_interact_plan *plan,
                                                    const sfm_interact_settings *settings,
                                                    uint64_t rows, size_t dimension,
                                                    sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
