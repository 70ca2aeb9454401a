/* mean.h - releases the mean of a column without tight bounds, under random differential privacy.
 * This is not differential privacy.
 *
 * The noise is scaled to the distances between records instead of the width of the bounds.  Records
 * i and i + n/2 are a pair.  A high order statistic of the differences within pairs bounds how far
 * one more record would differ, except with probability gamma over the drawing of the records.
 * Extreme individuals are not protected. */
#ifndef SFUMATO_MEAN_H
#define SFUMATO_MEAN_H

#include "sfumato/context.h"
#include "sfumato/release.h"
#include "sfumato/rows.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Everything here is public.  Pointers are borrowed. */
typedef struct sfm_mean_settings {
  size_t size; /* of this struct */
  /* schema: the bounds of the column, which may be very wide.  Neighbours must be replace and
   * contributions 1, without a person column.  charge must be NULL: it is never charged as
   * differential privacy. */
  sfm_context context;
  const char *column;
  double epsilon; /* 1e-6 to 1e3 */
  double delta;   /* above 0, at most 1/2; default: 1e-6 */
  double gamma;   /* the probability, over the records, that it fails; default: 0.05 */
} sfm_mean_settings;

/* Returns the defaults.  schema, column and epsilon must be set. */
SFM_API void sfm_mean_settings_init(sfm_mean_settings *settings, size_t size);
SFM_DEFAULT(sfm_mean_settings)

/* Releases the mean, kind "mean".  sfm_release_coefficient(release, 0) is the mean.  A value beyond
 * a bound is replaced by the bound.  A row without a number has the value 0.  The scale of the
 * noise depends on the rows and is not released, so there is no band.  Blocks while it reads, and
 * holds all values of the column in memory.  The caller destroys the release.
 * Privacy: random differential privacy (epsilon, delta, gamma), replace, if the records are
 * independent draws from one distribution.  Idealised.
 * Proof: docs/proofs/random-dp.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_mean_release(sfm_release **out, sfm_rows *rows,
                                                   const sfm_mean_settings *settings,
                                                   sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
