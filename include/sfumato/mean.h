/* mean.h - the mean of a column whose limits nobody can state tightly, under random differential
 * privacy, which is not differential privacy.
 *
 * The noise is scaled to how far apart the records are, instead of to the width of the limits:
 * record i and record i + n/2 are a pair, and a high order statistic of the differences of pairs is
 * what one more record would differ by, but for a probability gamma over the drawing of the
 * records. Extreme individuals are the ones it does not protect. */
#ifndef SFUMATO_MEAN_H
#define SFUMATO_MEAN_H

#include "sfumato/ledger.h"
#include "sfumato/release.h"
#include "sfumato/rows.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Everything here is public.  Pointers are borrowed. */
typedef struct sfm_mean_settings {
  const sfm_schema *schema; /* the column's bounds: outer limits, as wide as you like; neighbours
                               must be replace, contributions 1, without a person column */
  const char *column;
  double epsilon;
  double delta;             /* above 0, at most 1/2 */
  double gamma;             /* the probability, over the records, with which it may fail */
  const sfm_charge *charge; /* refused unless NULL: it is never charged as differential privacy */
  bool seeded;              /* for tests: the release says it is not private */
  uint64_t seed;
  void (*progress)(void *context, uint64_t rows_read); /* as for a density */
  void *progress_context;
} sfm_mean_settings;

SFM_API sfm_mean_settings sfm_mean_settings_default(void);

/* Releases the mean, kind "mean": sfm_release_coefficient(release, 0).  A value beyond the limits
 * counts as the limit, a row that has no number as zero.  How large the noise was depends on the
 * rows and is not told; so there is no band.
 * Privacy: random differential privacy (epsilon, delta, gamma), replace, for records that are
 * independent draws of one law.  Idealised.  Proof: docs/proofs/random-dp.md.
 * Blocks while it reads, and holds all values of the column in memory. */
SFM_API SFM_MUST_CHECK sfm_status sfm_mean_release(sfm_release **out, sfm_rows *rows,
                                                   const sfm_mean_settings *settings,
                                                   sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
