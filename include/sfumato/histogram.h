/* histogram.h - releases how many records have each combination of categories or bins, with noise:
 * a whole table or several margins of it.
 *
 * Counts are released without correction, so they may be negative.  sfumato/table.h reads them.
 */
#ifndef SFUMATO_HISTOGRAM_H
#define SFUMATO_HISTOGRAM_H

#include "sfumato/table.h"
#include "sfumato/context.h"
#include "sfumato/rows.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which cells are listed. */
typedef enum sfm_histogram_form {
  SFM_HISTOGRAM_DENSE,  /* all cells */
  SFM_HISTOGRAM_SPARSE, /* cells with a noisy count above tau = scale ln p; p <= 2^62 cells */
  /* Cells found in the rows whose noisy count is above a threshold that depends on delta.  Columns
   * without categories and bins are counted by their texts. */
  SFM_HISTOGRAM_UNDECLARED,
} sfm_histogram_form;

typedef enum sfm_histogram_noise {
  /* Dense with a delta: normal if the dataset that is charged has zcdp or gdp accounting; otherwise
   * the noise with the smaller predicted error (with laplace the delta is not spent).  Not dense,
   * or without a delta: laplace. */
  SFM_HISTOGRAM_NOISE_AUTO,
  SFM_HISTOGRAM_NOISE_LAPLACE, /* pure epsilon: discrete Laplace noise */
  SFM_HISTOGRAM_NOISE_NORMAL,  /* mu-GDP: rounded normal noise; dense only */
} sfm_histogram_noise;

/* Which cells have no noise under random differential privacy.  p is the number of cells. */
typedef enum sfm_histogram_exact {
  SFM_HISTOGRAM_EXACT_SMALL, /* cells with a count c such that c + 1 <= gamma n/(2 p) (Hall's
                                thesis, 5.3) */
  SFM_HISTOGRAM_EXACT_EMPTY, /* empty cells, if 2 p <= gamma n (Hall's thesis, 5.2) */
} sfm_histogram_exact;

typedef struct sfm_histogram_column {
  const char *name;
  uint64_t bins; /* the number of equal bins between the bounds; 0: the schema's categories */
} sfm_histogram_column;

/* Everything here is public.  Pointers are borrowed. */
typedef struct sfm_histogram_settings {
  size_t size;         /* of this struct */
  sfm_context context; /* schema: categories, bounds; person, neighbours, contributions */
  const sfm_histogram_column *columns;
  size_t count;            /* of columns, 1 to SFM_TABLE_COLUMNS_MAX */
  const uint64_t *margins; /* bit i stands for column i; each margin once.  NULL: the whole table */
  size_t margin_count;
  sfm_histogram_form form;   /* default: DENSE */
  sfm_histogram_noise noise; /* default: AUTO */
  /* Sparse: a public number q of occupied cells, which lowers the threshold to tau = scale ln(p/q).
   * 0: not stated. */
  uint64_t occupied;
  double epsilon, delta;
  sfm_calibration calibration; /* of normal noise; default: EXACT */
  double gamma; /* above 0: random differential privacy, which is not differential privacy */
  sfm_histogram_exact exact; /* with gamma; default: SMALL */
  sfm_outside outside;       /* for columns with bins; default: SFM_OUTSIDE_CLAMP */
} sfm_histogram_settings;

/* Returns the defaults.  schema, columns, count and epsilon must be set. */
SFM_API void sfm_histogram_settings_init(sfm_histogram_settings *settings, size_t size);
SFM_DEFAULT(sfm_histogram_settings)

/* Releases the noisy counts, kind "histogram".  A record is counted once in each margin for which
 * it has a valid category or bin in every column.  It is ignored in the other margins.  Bins have
 * equal widths.  A number on an edge is in the bin above it; the upper bound is in the last bin.
 * Undeclared texts are UTF-8 of 1 to 256 bytes without control characters; other texts are ignored.
 * If a list is too long for a release (2^22 cells; for undeclared texts also 2^23 values or 2^28
 * bytes), the threshold is raised, and the release states the raised threshold.  Blocks while it
 * reads.  The caller destroys the release.
 * Privacy: pure epsilon (laplace, sparse), mu-GDP (normal), (epsilon, delta) (undeclared), or
 * random differential privacy (with gamma); neighbours and contributions as the schema states.
 * Exact, in integers.
 * Proof: docs/proofs/histogram.md, docs/proofs/sparse.md, docs/proofs/random-dp-histogram.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_histogram_release(sfm_release **out, sfm_rows *rows,
                                                        const sfm_histogram_settings *settings,
                                                        sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
