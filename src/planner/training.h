/* training.h - everything about the release of a machine that is decided before rows are read.
 *
 *   bound        2 L kappa/(lambda n): what replacing a record moves the exact minimiser by, in l2
 *   certificate  2 r, r = tolerance * bound: the solver stops at a gap of lambda r^2/2
 *   used         contributions * bound + certificate
 * One-vs-rest: `machines` vectors side by side, whose common l2 sensitivity is sqrt(machines) *
 * used.  docs/proofs/machine.md. */
#ifndef SFMI_TRAINING_H
#define SFMI_TRAINING_H

#include "estimators/losses.h"
#include "features/lift.h"
#include "sfumato/train.h"

typedef struct sfmi_training {
  uint64_t rows;
  uint32_t contributions;
  sfmi_loss loss; /* its parameter in units of the scaled label */
  double lambda;
  double kappa, lipschitz, reach;
  size_t machines, features; /* vectors, and weights of each */
  double distance;           /* r */
  double target;             /* gap */
  double bound, certificate, used;
  double joint; /* sqrt(machines) * used */
} sfmi_training;

/* The encoding, the labels and the lift that settings state; all public checks that need no row
 * count.  Everything is owned by the caller. */
SFM_MUST_CHECK sfm_status sfmi_training_encoding(sfmi_encoding *encoding,
                                                 const sfm_train_settings *settings,
                                                 size_t dimension, sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_training_lift(sfmi_lift **lift, const sfmi_encoding *encoding,
                                             const sfm_train_settings *settings, uint64_t seed,
                                             sfm_error *error);
/* The numbers; refuses a tolerance below what the solver can always reach, and says which is. */
SFM_MUST_CHECK sfm_status sfmi_training_init(sfmi_training *training,
                                             const sfm_train_settings *settings,
                                             const sfmi_lift *lift, uint64_t rows, size_t width,
                                             sfm_error *error);
/* The vector release that the noise on the weights is. */
sfm_vector_settings sfmi_training_vector(const sfmi_training *training,
                                         const sfm_train_settings *settings);

#endif
