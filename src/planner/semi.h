/* semi.h - everything about the semi-interactive release of a machine (method tddl) that is decided
 * before rows are read: which public points, which shape of noise, and what it would be off by.
 *
 * Public points z_1, ..., z_T, K their Gram matrix, p_j = <w, phi(z_j)> the machine's values there.
 * Between neighbours w moves by at most `used` (training.h).  What gets noise, of each machine:
 *   isotropic  p itself: moves by used sqrt(lambda_max(K)) in l2
 *   kernel     c = diag(lambda + tau)^-1/2 U p, the first `directions` of it (base/whitening.h):
 *              moves by used.  Noise of one scale on c is noise of covariance prop. to K on p
 * and what computed numbers are off by twice beside it.  Then least squares within |w| <= radius
 * (base/secular.h), along the eigenvectors whose lambda is above `floor`.
 * docs/proofs/tddl.md. */
#ifndef SFMI_SEMI_H
#define SFMI_SEMI_H

#include "base/whitening.h"
#include "planner/arrow.h"
#include "planner/training.h"

/* The spectrum of a Gram matrix, as forecasts see it: of direction i the eigenvalue, and the mean
 * square over the points that count of the function of length one in that direction. */
typedef struct sfmi_eigenview {
  sfmi_whitening *whitening; /* owned */
  double *means;             /* owned */
  double total;              /* mean K(z, z) over the points that count */
} sfmi_eigenview;

typedef struct sfmi_semi {
  sfmi_eigenview whole;   /* of all points that may be used */
  sfmi_eigenview *halves; /* of the first half, quarter, ... of them; NULL: not asked for */
  size_t half_count;
  double least; /* eigenvalues that are not larger are never fitted along */
} sfmi_semi;

/* What is done with it, for one training. */
typedef struct sfmi_semi_choice {
  sfm_noise_shape shape;    /* kernel or isotropic */
  const sfmi_eigenview *of; /* whose whitening->count is T */
  size_t directions;        /* numbers of a machine that get noise: T when isotropic */
  double radius;
  double floor;       /* eigenvalues that are not larger are not fitted along */
  double off;         /* what a computed value is off by */
  double sensitivity; /* of all machines' numbers together, in l2, before rounding to steps */
  sfmi_arrow arrow;
  sfm_vector_settings vector;
  double predicted; /* root mean square of what values at the points would be off by, in units of
                       the scaled label */
  double spread;    /* the variance of the square of that, over the square of its mean */
  double other;     /* the same of the best choice of the other shape; NaN: not asked for */
} sfmi_semi_choice;

/* What settings say about public points, of any method. */
SFM_MUST_CHECK sfm_status sfmi_semi_check(const sfm_train_settings *settings, sfm_error *error);
/* How many of the public points may be used; SFM_INVALID when they are too many or none. */
SFM_MUST_CHECK sfm_status sfmi_semi_count(size_t *count, const sfm_train_settings *settings,
                                          sfm_error *error);
/* The first `count` of the public points, as a lift of the form points (a settings' kernel). */
SFM_MUST_CHECK sfm_status sfmi_semi_lift(sfmi_lift **lift, const sfmi_encoding *encoding,
                                         const sfm_train_settings *settings, size_t count,
                                         sfm_error *error);

/* Of a machine that is known by its matrices: what a point is (its K with the public points, by
 * number), that rows have no inputs, and that there are as many as the matrices have. */
SFM_MUST_CHECK sfm_status sfmi_semi_gram_begin(sfmi_encoding *encoding, sfmi_encoding *bare,
                                               const sfm_train_settings *settings,
                                               sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_semi_gram_rows(const sfm_gram *gram, uint64_t rows,
                                              sfm_error *error);
/* The first `count` of its public points: the matrix, checked, to be freed; what its entries are
 * taken to be off by; and whether its least eigenvalue is that of a Gram matrix. */
SFM_MUST_CHECK sfm_status sfmi_semi_gram_public(double **matrix, const sfm_gram *gram, size_t count,
                                                sfm_error *error);
double sfmi_semi_gram_entry(const sfm_gram *gram, size_t count);
SFM_MUST_CHECK sfm_status sfmi_semi_gram_fits(const sfm_gram *gram, const sfmi_semi *semi,
                                              sfm_error *error);
/* The lift of the first count points; of what the machine is trained on, kappa is the declared one.
 */
SFM_MUST_CHECK sfm_status sfmi_semi_gram_lift(sfmi_lift **lift, const sfmi_encoding *encoding,
                                              const sfm_train_settings *settings, size_t count,
                                              bool learns, sfm_error *error);

/* K between the points, to be freed. */
SFM_MUST_CHECK sfm_status sfmi_semi_gram(double **matrix, const sfmi_lift *points,
                                         sfm_error *error);
/* How far its entries are at most from those of the features that the machine is trained on:
 * `learns` has finite features of the same kernel, or the points themselves. */
double sfmi_semi_entry(const sfmi_lift *points, const sfmi_lift *learns);
/* And a computed value of the machine at a point from the exact one. */
double sfmi_semi_off(const sfmi_training *training, const sfmi_lift *learns);

/* Of the matrix of count points, whose entries are off by `entry`; no diagonal is above kappa^2; it
 * is kept. */
SFM_MUST_CHECK sfm_status sfmi_semi_create(sfmi_semi **out, const sfm_train_settings *settings,
                                           double *matrix, size_t count, double entry, double kappa,
                                           sfm_error *error);
void sfmi_semi_destroy(sfmi_semi *semi);

/* The better of what the settings allow, by predicted error.  off: of a computed value; mu: of
 * normal noise; epsilon is taken from the argument, not from the settings. */
SFM_MUST_CHECK sfm_status sfmi_semi_choose(sfmi_semi_choice *choice, const sfmi_semi *semi,
                                           const sfm_train_settings *settings,
                                           const sfmi_training *training, double off,
                                           double epsilon, double mu, sfm_error *error);

/* The coefficients of the function in the points' span that least squares fits to numbers that had
 * noise: as many as the choice has directions, of one machine.  Post-processing. */
SFM_MUST_CHECK sfm_status sfmi_semi_fit(double *coefficients, const sfmi_semi_choice *choice,
                                        const double *numbers, sfm_error *error);
/* How far the fitted values are at most from those of the exact minimiser, root mean square over
 * the T points, with that confidence for all machines at once; NaN where too few draws tell it. */
double sfmi_semi_rms(const sfmi_semi_choice *choice, const sfmi_training *training, double scale,
                     double confidence);

#endif
