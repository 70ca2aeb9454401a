/* curve.h - release the mean of private curves, one per record, measured at common points.
 *
 * Every record's curve is fitted in the space of a kernel, from the points at which it has a value
 * (w minimises sum (f(t_i) - y_i)^2 + ridge |f|^2), its norm is clipped, and the mean is released.
 */
#ifndef SFUMATO_CURVE_H
#define SFUMATO_CURVE_H

#include "sfumato/kernel.h"
#include "sfumato/ledger.h"
#include "sfumato/release.h"
#include "sfumato/rows.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Most points of a curve. */
#define SFM_CURVE_POINTS_MAX 2000

/* Everything here is public.  Pointers are borrowed. */
typedef struct sfm_curve_settings {
  const sfm_schema *schema; /* person, contributions; replace neighbours.  It need not know the
                               columns: a curve's values need no bounds */
  /* The columns that hold the values, in the order of the points: by name, or, when columns is
   * NULL, by place in the record: count of them from first (0 is the first column) on. */
  const char *const *columns;
  size_t first;
  size_t count;
  const double *grid;       /* where the values were measured, count numbers in ascending order */
  const char *variable;     /* the name of what is on the grid; NULL: "t" */
  double clip;              /* tau: the largest norm that a curve may have; with a person column
                               the sum of a person's curves may have contributions times it */
  sfm_kernel_family kernel; /* gaussian to cauchy, */
  double bandwidth;         /* in the grid's unit */
  double ridge; /* >= 0: the variance of the error of a value over that of curves; raised
                   to 1e-10 a point where it is less */
  /* A public guess of the mean, count numbers, and of the standard deviation of one record's curve
   * about it; NULL: a mean as large as the clip allows, in no direction more than in another; 0:
   * unknown, and what is predicted of sampling is the most that the clip allows. */
  const double *mean;
  double spread;
  double epsilon, delta; /* delta 0: pure epsilon, with Laplace noise */
  sfm_calibration calibration;
  double confidence;        /* of the band, in (0, 1) */
  const sfm_charge *charge; /* NULL: not charged anywhere, and the release says so */
  bool seeded;              /* for tests: the release says it is not private */
  uint64_t seed;
  void (*progress)(void *context, uint64_t rows_read); /* as for a density */
  void *progress_context;
} sfm_curve_settings;

SFM_API sfm_curve_settings sfm_curve_settings_default(void);

/* What was chosen from public numbers, and the integrated squared errors it predicts over the
 * grid's range against the mean of the clipped curves: privacy from the noise, truncation from the
 * directions that are left out (of the guessed mean; without a guess of a mean as large as the clip
 * allows, in no direction more than in another).  sfm_plan_curve says more. */
typedef struct sfm_curve_plan {
  size_t coefficients; /* how many numbers will be released */
  double sensitivity;  /* of their sums over records, in the noise's norm, rounding included */
  double scale;        /* of the noise on one of them */
  double privacy, truncation, total;
  double flat; /* the norm of the curve that is 1 at every point: a hint for the clip */
} sfm_curve_plan;

/* Checks every setting that can be wrong and chooses, without opening any rows.  rows: the public
 * n. */
SFM_API SFM_MUST_CHECK sfm_status sfm_curve_choose(sfm_curve_plan *plan,
                                                   const sfm_curve_settings *settings,
                                                   uint64_t rows, sfm_error *error);

/* Releases the mean curve of rows, and says in plan (may be NULL) what was chosen: kind "function".
 * With a person column the curves of one person are added up and clipped together, to contributions
 * times clip.
 * Privacy: with a delta mu-GDP, mu from (epsilon, delta); without epsilon-DP; replace neighbours.
 * Hardened.  Proof: docs/proofs/curve.md.
 * Blocks while it reads.  The caller destroys the release. */
SFM_API SFM_MUST_CHECK sfm_status sfm_curve_release(sfm_release **out, sfm_curve_plan *plan,
                                                    sfm_rows *rows,
                                                    const sfm_curve_settings *settings,
                                                    sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
