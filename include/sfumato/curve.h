/* curve.h - releases the mean of private curves, one curve per record, all measured at the same
 * points.
 *
 * The curve of a record is fitted in the space of a kernel, from the points at which it has a value
 * y_i: the fit f minimises sum (f(t_i) - y_i)^2 + ridge |f|^2.  The norm of each fit is clipped.
 * The mean of the clipped fits is released. */
#ifndef SFUMATO_CURVE_H
#define SFUMATO_CURVE_H

#include "sfumato/kernel.h"
#include "sfumato/context.h"
#include "sfumato/release.h"
#include "sfumato/rows.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The largest number of points of a curve. */
#define SFM_CURVE_POINTS_MAX 2000

/* Everything here is public.  Pointers are borrowed. */
typedef struct sfm_curve_settings {
  size_t size; /* of this struct */
  /* schema: person and contributions; neighbours must be replace.  The columns of the curves need
   * not be in it, because their values need no bounds. */
  sfm_context context;
  /* The columns with the values, in the order of the points: `count` names.  If columns is NULL:
   * the `count` columns from column `first` on (0 is the first column of the record). */
  const char *const *columns;
  size_t first;
  size_t count;
  const double *grid;   /* where the values were measured: count numbers in ascending order */
  const char *variable; /* the name of the variable on the grid; NULL: "t" */
  /* tau: the largest norm of a curve in the kernel's space.  With a person column, the sum of the
   * curves of one person has norm at most contributions times clip. */
  double clip;
  sfm_kernel_family kernel; /* gaussian to cauchy; default: matern52 */
  double bandwidth;         /* of the kernel, in the unit of the grid */
  /* The variance of the error of one value, divided by the variance of curves; at least 0.  A ridge
   * below 1e-10 times the number of points is raised to that.  Default: 0.01. */
  double ridge;
  /* A public guess of the mean, `count` numbers.  NULL: a mean of norm clip, spread evenly over all
   * directions. */
  const double *mean;
  /* A public guess of the standard deviation of one curve around the mean.  0: unknown; the
   * predicted sampling error is then the largest that the clip allows. */
  double spread;
  double epsilon, delta; /* delta 0: pure epsilon, with Laplace noise */
  sfm_calibration calibration;
} sfm_curve_settings;

/* Returns the defaults.  schema, columns, grid, clip, bandwidth and epsilon must be set. */
SFM_API void sfm_curve_settings_init(sfm_curve_settings *settings, size_t size);
SFM_DEFAULT(sfm_curve_settings)

/* What was chosen from public numbers, and the predicted errors.  Errors are squared, integrated
 * over the range of the grid, and against the mean of the clipped curves: privacy is due to the
 * noise, truncation to the directions that are left out.  Truncation is predicted for the guessed
 * mean, or without a guess for a mean of norm clip, spread evenly over all directions.
 * sfm_plan_curve predicts more. */
typedef struct sfm_curve_choice {
  size_t coefficients; /* how many numbers will be released */
  double sensitivity;  /* of their sums over records, in the noise's norm, rounding included */
  double scale;        /* of the noise on one of them */
  double privacy, truncation, total;
  double flat; /* the norm of the curve that is 1 at every point; helps to choose the clip */
} sfm_curve_choice;

/* Checks all settings and chooses what is to be chosen.  Opens no rows.  rows: the public n. */
SFM_API SFM_MUST_CHECK sfm_status sfm_curve_choose(sfm_curve_choice *choice,
                                                   const sfm_curve_settings *settings,
                                                   uint64_t rows, sfm_error *error);

/* Releases the mean curve of rows, kind "function".  choice (may be NULL) is set to what was
 * chosen. With a person column, the curves of one person are added up, and the sum is clipped to
 * contributions times clip.  Blocks while it reads.  The caller destroys the release.
 * Privacy: with a delta mu-GDP, mu from (epsilon, delta); without a delta epsilon-DP; replace
 * neighbours.  Hardened.
 * Proof: docs/proofs/curve.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_curve_release(sfm_release **out, sfm_curve_choice *choice,
                                                    sfm_rows *rows,
                                                    const sfm_curve_settings *settings,
                                                    sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
