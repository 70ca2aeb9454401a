/* design_tddl.h - everything about the semi-interactive release of a machine (method tddl) that is
 * decided before rows are read: which public points, which shape of noise, and the predicted error.
 *
 * z_1, ..., z_T are the public points, K their Gram matrix, p_j = <w, phi(z_j)> the machine's
 * values there.  Between neighbours w moves by at most `used` (design_train.h).  Noise is added,
 * for each machine, to one of these:
 * - isotropic: p itself, which moves by used sqrt(lambda_max(K)) in l2;
 * - kernel: c = diag(lambda + tau)^-1/2 U p (base/math/whitening.h), its first `directions`; it
 * moves by used.  Noise of one scale on c is noise on p whose covariance is proportional to K.
 *
 * Twice the error of computed numbers is added to the sensitivity.  Then the machine is fitted by
 * least squares within |w| <= radius (base/math/ball_least_squares.h), along the eigenvectors whose
 * lambda is above `floor`.  docs/proofs/tddl.md. */
#ifndef SFMI_DESIGN_TDDL_H
#define SFMI_DESIGN_TDDL_H

#include "base/math/whitening.h"
#include "design_vector.h"
#include "design_train.h"

/* The spectrum of a Gram matrix, for forecasts: per direction the eigenvalue, and the mean square
 * of the function of length one in that direction over the points that count. */
typedef struct sfmi_gram_spectrum {
  sfmi_whitening *whitening; /* owned */
  double *means;             /* owned */
  double total;              /* mean K(z, z) over the points that count */
} sfmi_gram_spectrum;

typedef struct sfmi_design_tddl {
  sfmi_gram_spectrum whole;   /* of all points that may be used */
  sfmi_gram_spectrum *halves; /* of the first half, quarter, ... of them; NULL: not asked for */
  size_t half_count;
  double least; /* eigenvalues that are not larger are never fitted along */
} sfmi_design_tddl;

/* What is chosen for one training. */
typedef struct sfmi_design_tddl_choice {
  sfm_noise_shape shape;        /* kernel or isotropic */
  const sfmi_gram_spectrum *of; /* whose whitening->count is T */
  size_t directions;            /* numbers of a machine that get noise: T when isotropic */
  double radius;
  double floor;       /* eigenvalues that are not larger are not fitted along */
  double off;         /* the error of a computed value */
  double sensitivity; /* of all machines' numbers together, in l2, before rounding to steps */
  sfmi_design_vector vector_design;
  sfm_vector_settings vector;
  double predicted; /* root mean square error of values at the points, in units of the scaled
                       label */
  double spread;    /* the variance of the square of that, over the square of its mean */
  double other;     /* `predicted` of the best choice of the other shape; NaN: not asked for */
} sfmi_design_tddl_choice;

/* Checks what settings of any method say about public points. */
SFM_MUST_CHECK sfm_status sfmi_design_tddl_check(const sfm_train_settings *settings,
                                                 sfm_error *error);
/* How many of the public points may be used; SFM_INVALID when they are too many or none. */
SFM_MUST_CHECK sfm_status sfmi_design_tddl_count(size_t *count, const sfm_train_settings *settings,
                                                 sfm_error *error);
/* The first `count` of the public points, as a map of the form points. */
SFM_MUST_CHECK sfm_status sfmi_design_tddl_map(sfmi_feature_map **map,
                                               const sfmi_encoding *encoding,
                                               const sfm_train_settings *settings, size_t count,
                                               sfm_error *error);

/* The largest difference of the entries of K between the points and those of the features that the
 * machine is trained on. learns: a map with finite features of the same kernel, or the points
 * themselves. */
double sfmi_design_tddl_entry_error(const sfmi_feature_map *points, const sfmi_feature_map *learns);
/* The largest error of a computed value of the machine at a point. */
double sfmi_design_tddl_value_error(const sfmi_design_train *training,
                                    const sfmi_feature_map *learns);

/* For the matrix of `count` points, which is not changed.  entry: the error of its
 * entries; no diagonal is above kappa^2. */
SFM_MUST_CHECK sfm_status sfmi_design_tddl_create(sfmi_design_tddl **out,
                                                  const sfm_train_settings *settings,
                                                  double *matrix, size_t count, double entry,
                                                  double kappa, sfm_error *error);
void sfmi_design_tddl_destroy(sfmi_design_tddl *tddl);

/* The choice of least predicted error that the settings allow.  off: the error of a computed value;
 * mu: of normal noise; epsilon is taken from the argument, not from the settings. */
SFM_MUST_CHECK sfm_status sfmi_design_tddl_choose(sfmi_design_tddl_choice *choice,
                                                  const sfmi_design_tddl *tddl,
                                                  const sfm_train_settings *settings,
                                                  const sfmi_design_train *training, double off,
                                                  double epsilon, double mu, sfm_error *error);

/* The coefficients of the function in the points' span that least squares fits to numbers that had
 * noise: as many as the choice has directions, of one machine.  Post-processing. */
SFM_MUST_CHECK sfm_status sfmi_design_tddl_fit(double *coefficients,
                                               const sfmi_design_tddl_choice *choice,
                                               const double *numbers, sfm_error *error);
/* The largest root mean square distance of the fitted values from those of the exact minimiser over
 * the T points, with that confidence for all machines at once; NaN where there are
 * too few draws. */
double sfmi_design_tddl_rms(const sfmi_design_tddl_choice *choice,
                            const sfmi_design_train *training, double scale, double confidence);

#endif
