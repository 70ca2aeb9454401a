/* design_train.h - everything about the release of a machine that is decided before rows are read.
 *
 *   bound        2 L kappa/(lambda n): what replacing a record moves the exact minimiser by, in l2
 *   certificate  2 r, r = tolerance * bound: the solver stops at a gap of lambda r^2/2
 *   used         contributions * bound + certificate
 * One-vs-rest: `machines` vectors side by side, whose common l2 sensitivity is sqrt(machines) *
 * used.
 *
 * Noise in the objective (method objective) is drawn in the space of gradients instead, machine by
 * machine, with an equal part of the budget for each: a record moves n times the gradient of the
 * losses by at most `gradient`.
 * docs/proofs/machine.md. */
#ifndef SFMI_DESIGN_TRAIN_H
#define SFMI_DESIGN_TRAIN_H

#include "estimators/machine/machine_loss.h"
#include "features/maps/feature_map.h"
#include "sfumato/train.h"

typedef struct sfmi_design_train {
  uint64_t rows;
  uint32_t contributions;
  sfmi_loss loss; /* its parameter in units of the scaled label */
  double lambda;
  double kappa, lipschitz, reach;
  size_t machines, features; /* vectors, and weights of each */
  double distance;           /* r */
  double target;             /* gap */
  double bound, certificate, used;
  double joint;    /* sqrt(machines) * used */
  double gradient; /* objective: 2 L kappa; else 0 */
  double scale;    /* objective: of the noise in the gradient, one machine's; else 0 */
} sfmi_design_train;

/* The noise: the stated one, or the usual one; and how many machines there are: 1, or one per
 * class. */
sfm_vector_noise sfmi_design_train_noise(const sfm_train_settings *settings);
size_t sfmi_design_train_machines(const sfm_train_settings *settings);
/* The labels: those stated, or -1 and 1; NULL for regression. */
const char *const *sfmi_design_train_labels(const sfm_train_settings *settings, size_t *count);
/* What one unit of the scaled label is in units of the label: half of the width of its bounds, and
 * 1 for classes. */
double sfmi_design_train_half_width(const sfm_train_settings *settings);
/* The loss in units of the scaled label.  Parameters of losses where none are stated: */
#define SFMI_DESIGN_TRAIN_HUBER 0.2
#define SFMI_DESIGN_TRAIN_INSENSITIVE 0.1
sfmi_loss sfmi_design_train_loss(const sfm_train_settings *settings);
/* Whether the kernel has finite features: linear, polynomial and gaussian. */
bool sfmi_design_train_finite(sfm_kernel_family kernel);
/* The form of the features that the weights belong to. */
sfmi_feature_map_form sfmi_design_train_form(const sfm_train_settings *settings);

/* The numbers.  width: the most nonzero features of a row.  Refuses a tolerance that the solver
 * cannot always reach, and says which one it can. */
SFM_MUST_CHECK sfm_status sfmi_design_train_init(sfmi_design_train *training,
                                                 const sfm_train_settings *settings,
                                                 const sfmi_feature_map *map, uint64_t rows,
                                                 size_t width, sfm_error *error);
/* The same for forecasts at any number of rows, whether or not a solver could certify it there, and
 * without what follows from rows as a whole number.  lambda 0: the default. */
sfmi_design_train sfmi_design_train_estimate(const sfm_train_settings *settings,
                                             const sfmi_feature_map *map, double lambda,
                                             double rows);
/* Method objective: the gap to solve to, where the loss is taken at weights that are shifted by at
 * most `shift` in length; width as above. */
double sfmi_design_train_target(const sfmi_design_train *training, size_t width, double shift);
/* The noise on the weights, as the release of a vector. */
sfm_vector_settings sfmi_design_train_vector(const sfmi_design_train *training,
                                             const sfm_train_settings *settings);

#endif
