/* range.h - releases quantiles of one column, to find bounds that nobody can state. */
#ifndef SFUMATO_RANGE_H
#define SFUMATO_RANGE_H

#include "sfumato/context.h"
#include "sfumato/release.h"
#include "sfumato/rows.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The largest number of quantiles of one release. */
#define SFM_RANGE_QUANTILES_MAX 64

/* Everything here is public.  Pointers are borrowed. */
typedef struct sfm_range_settings {
  size_t size; /* of this struct */
  /* schema: the bounds of the column, which may be very wide; they must be stated without looking
   * at the rows.  Also person, neighbours, contributions.  The band is of ranks. */
  sfm_context context;
  const char *column;
  const double *quantiles; /* ascending, each above 0 and below 1; rounded to millionths */
  size_t count;            /* 1 to SFM_RANGE_QUANTILES_MAX */
  double epsilon;          /* of all quantiles together; each gets an equal part */
  /* In the unit of the column.  Values are multiples of the largest power of two that is at most
   * the resolution.  0: at least 2^20 multiples within the bounds (for an integer column: whole
   * numbers). */
  double resolution;
  sfm_outside outside; /* default: SFM_OUTSIDE_CLAMP */
} sfm_range_settings;

/* Returns the defaults.  schema, column, quantiles, count and epsilon must be set. */
SFM_API void sfm_range_settings_init(sfm_range_settings *settings, size_t size);
SFM_DEFAULT(sfm_range_settings)

/* Releases the quantiles of the column's values, kind "range".  sfm_release_coefficient(release, i)
 * is the value of quantile i.  Rows without a number (and with SFM_OUTSIDE_DROP rows beyond the
 * bounds) are ignored.  Blocks while it reads.  The caller destroys the release. Privacy:
 * epsilon-DP; neighbours and contributions as the schema states.  Exact, in integers. Proof:
 * docs/proofs/selection.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_range_release(sfm_release **out, sfm_rows *rows,
                                                    const sfm_range_settings *settings,
                                                    sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
