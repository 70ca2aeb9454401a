/* histogram.h - how many records have each combination of categories: dense, sparse or with
 * categories nobody declared; whole tables or margins.
 *
 * What is released is raw (noisy counts may be negative); sfumato/crosstab.h has the analyst's
 * side.
 */
#ifndef SFUMATO_HISTOGRAM_H
#define SFUMATO_HISTOGRAM_H

#include "sfumato/crosstab.h"
#include "sfumato/ledger.h"
#include "sfumato/rows.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sfm_histogram_form {
  SFM_HISTOGRAM_DENSE,      /* every cell */
  SFM_HISTOGRAM_SPARSE,     /* cells above tau = scale ln p, p the number of cells up to 2^62 */
  SFM_HISTOGRAM_UNDECLARED, /* cells found in the rows whose noisy count is above a threshold that
                               depends on delta; columns without categories and bins are texts */
} sfm_histogram_form;

typedef enum sfm_histogram_noise {
  SFM_HISTOGRAM_AUTO,    /* dense with a delta: the one with less error, laplace spending no
                            delta (normal under a ledger where squares add up); else laplace */
  SFM_HISTOGRAM_LAPLACE, /* pure epsilon: discrete Laplace */
  SFM_HISTOGRAM_NORMAL,  /* mu-GDP: rounded normal; dense only */
} sfm_histogram_noise;

/* Which cells of a histogram under random differential privacy have no noise. */
typedef enum sfm_histogram_exact {
  SFM_EXACT_SMALL, /* counts c with c + 1 <= gamma n/(2 p) (thesis 5.3) */
  SFM_EXACT_EMPTY, /* empty ones, when 2 p <= gamma n (thesis 5.2) */
} sfm_histogram_exact;

typedef struct sfm_histogram_column {
  const char *name;
  uint64_t bins; /* so many equal bins within the schema's bounds; 0: the schema's categories */
} sfm_histogram_column;

/* Everything here is public.  Pointers are borrowed. */
typedef struct sfm_histogram_settings {
  const sfm_schema *schema; /* categories, bounds; person, neighbours, contributions */
  const sfm_histogram_column *columns;
  size_t count;            /* 1 to SFM_TABLE_COLUMNS_MAX */
  const uint64_t *margins; /* bit i: column i; each once.  NULL: the whole table */
  size_t margin_count;
  sfm_histogram_form form;
  sfm_histogram_noise noise;
  uint64_t occupied; /* sparse: a public number q of occupied cells: tau = scale ln(p/q); 0: none */
  double epsilon, delta;
  sfm_calibration calibration;
  double gamma; /* above 0: random differential privacy, which is not differential privacy */
  sfm_histogram_exact exact;
  sfm_outside outside; /* of bins */
  double confidence;
  const sfm_charge *charge; /* NULL: not charged anywhere, and the release says so */
  bool seeded;              /* for tests: the release says it is not private */
  uint64_t seed;
  void (*progress)(void *context, uint64_t rows_read);
  void *progress_context;
} sfm_histogram_settings;

SFM_API sfm_histogram_settings sfm_histogram_settings_default(void);

/* Releases the noisy counts, kind "histogram".  A record counts once in every margin in all of
 * whose columns it has a category or a bin, and nowhere else.  Bins are equal, a number on an edge
 * is in the one above; texts that count are UTF-8 of 1 to 256 bytes without control characters.  A
 * list too long for a release (2^22 cells; of undeclared texts also 2^23 values or 2^28 bytes) is
 * cut by a higher threshold, which the release then states. Privacy: pure epsilon (laplace,
 * sparse), mu-GDP (normal), (epsilon, delta) (undeclared), random differential privacy with a
 * gamma; neighbours and contributions as the schema states. Exact, in integers. Proof:
 * docs/proofs/histogram.md, docs/proofs/sparse.md, docs/proofs/random-dp-histogram.md. Blocks while
 * it reads.  The caller destroys the release. */
SFM_API SFM_MUST_CHECK sfm_status sfm_histogram_release(sfm_release **out, sfm_rows *rows,
                                                        const sfm_histogram_settings *settings,
                                                        sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
