/* range.h - private quantiles of one column, for whoever does not know its bounds. */
#ifndef SFUMATO_RANGE_H
#define SFUMATO_RANGE_H

#include "sfumato/ledger.h"
#include "sfumato/release.h"
#include "sfumato/rows.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Most quantiles of one release. */
#define SFM_RANGE_QUANTILES_MAX 64

/* Everything here is public.  Pointers are borrowed. */
typedef struct sfm_range_settings {
  const sfm_schema *schema; /* the column's bounds: outer limits, as wide as anybody could say
                               without looking; person, neighbours, contributions */
  const char *column;
  const double *quantiles; /* ascending, each above 0 and below 1; counted in millionths */
  size_t count;
  double epsilon;    /* of all of them together: each gets an equal part */
  double resolution; /* values are multiples of the largest power of two not above it; 0: at least
                        2^20 of them within the limits (of an integer column, whole numbers) */
  sfm_outside outside;
  double confidence;        /* of the band, which is of ranks; in (0, 1) */
  const sfm_charge *charge; /* NULL: not charged anywhere, and the release says so */
  bool seeded;              /* for tests: the release says it is not private */
  uint64_t seed;
  void (*progress)(void *context, uint64_t rows_read); /* as for a density */
  void *progress_context;
} sfm_range_settings;

SFM_API sfm_range_settings sfm_range_settings_default(void);

/* Releases the quantiles of the column's values, kind "range": sfm_release_coefficient(release, i)
 * is the value of the i-th quantile.  Rows that are not numbers (or lie outside, with SFM_DROP)
 * count nowhere.
 * Privacy: epsilon-DP; neighbours and contributions as the schema states.  Exact, in integers.
 * Proof: docs/proofs/selection.md.
 * Blocks while it reads.  The caller destroys the release. */
SFM_API SFM_MUST_CHECK sfm_status sfm_range_release(sfm_release **out, sfm_rows *rows,
                                                    const sfm_range_settings *settings,
                                                    sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
