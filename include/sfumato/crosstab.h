/* crosstab.h - the cells of a released histogram.  Everything here is post-processing: it links
 * neither secret randomness nor a ledger, and costs no privacy.
 *
 * A release of kind "histogram" counts records by the categories or bins of its columns.  It lists
 * sfm_release_length cells: all of every margin (dense), or those above a threshold (sparse,
 * undeclared), in ascending order; a cell of a sparse table that is not listed is zero.
 * sfm_release_coefficient(release, e) is the noisy count of the e-th. */
#ifndef SFUMATO_CROSSTAB_H
#define SFUMATO_CROSSTAB_H

#include "sfumato/release.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Most columns of a table. */
#define SFM_TABLE_COLUMNS_MAX 64
/* The code of a column that a margin does not have. */
#define SFM_NO_CODE UINT32_MAX

/* How many columns; 0 when the release is no histogram.  The i-th one's name, owned by the release;
 * how many categories or bins it has (0: undeclared); whether these are bins, and between what. */
SFM_API size_t sfm_table_columns(const sfm_release *release);
SFM_API const char *sfm_table_column(const sfm_release *release, size_t i);
SFM_API uint64_t sfm_table_categories(const sfm_release *release, size_t i);
SFM_API bool sfm_table_bins(const sfm_release *release, double *lower, double *upper, size_t i);
/* Whether cells that are not listed are zero (sparse) or unknown (undeclared: also of texts). */
SFM_API bool sfm_table_sparse(const sfm_release *release);
SFM_API bool sfm_table_undeclared(const sfm_release *release);
/* Only counts strictly above it are listed; 0 for a dense table. */
SFM_API double sfm_table_threshold(const sfm_release *release);
/* The number of cells of all margins together, listed or not; 0 when undeclared. */
SFM_API uint64_t sfm_table_size(const sfm_release *release);

/* How many margins (1 for a whole table), and the columns of the m-th: bit i stands for column i.
 */
SFM_API size_t sfm_table_margins(const sfm_release *release);
SFM_API uint64_t sfm_table_margin(const sfm_release *release, size_t m);

/* The e-th listed cell: one code a column, SFM_NO_CODE where its margin lacks the column; all of
 * them when undeclared. */
SFM_API void sfm_table_cell(const sfm_release *release, uint32_t *codes, size_t e);
/* What the e-th listed cell is in column i, as text: a category, the ends of a bin ("20:25"), or ""
 * where its margin lacks the column.  Truncated to size; returns its whole length. */
SFM_API size_t sfm_table_text(const sfm_release *release, char *text, size_t size, size_t e,
                              size_t i);
/* The same for a code of column i. */
SFM_API size_t sfm_table_label(const sfm_release *release, char *text, size_t size, size_t i,
                               uint32_t code);
/* The code of a text in column i: of a category, or the bin that has a number or is called so
 * ("20:25"); SFM_NO_CODE: none, or undeclared. */
SFM_API uint32_t sfm_table_code(const sfm_release *release, size_t i, const char *text);
/* The standard deviation of the noise in a count (listed or not: before any threshold); NaN for
 * what has none that could be stated: refined tables, and sums of sparse ones. */
SFM_API double sfm_table_deviation(const sfm_release *release);
/* Where a cell of margin m is listed, by its codes; SIZE_MAX when it is not (or undeclared). */
SFM_API size_t sfm_table_find(const sfm_release *release, size_t m, const uint32_t *codes);

/* What was done to a refined table (sfumato/refine.h); nothing to one that is not. */
typedef struct sfm_table_refinement {
  bool nonnegative, total, consistent;
  int monotone; /* 1 increasing, -1 decreasing, 0 neither */
} sfm_table_refinement;
SFM_API sfm_table_refinement sfm_table_refined(const sfm_release *release);

/* A table of fewer columns, those named (count of them), in that order: cells that agree in them
 * are added up, a release of its own.  Of a release of several margins, from the one with the
 * fewest cells that has them all; *from (may be NULL) is that one's columns, a bit each.  The band
 * is computed anew, at the confidence of the release's.  Of a sparse or undeclared table only what
 * is listed is added up, and the sums have no band: what was below the threshold is missing.  The
 * caller destroys it.  Thread-safe.
 * Privacy: post-processing.  Proof: docs/proofs/tables.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_table_margin_of(sfm_release **out, uint64_t *from,
                                                      const sfm_release *release,
                                                      const char *const *columns, size_t count,
                                                      sfm_error *error);

/* Linear maps of a dense table: answers[j] = sum over the listed cells of matrix[j x cells + e]
 * times the e-th count.  errors (may be NULL): their standard errors; widths (may be NULL):
 * half-widths of a band that holds for all of them at once with the confidence; both are NaN for a
 * refined table. Thread-safe. Privacy: post-processing.  Proof: docs/proofs/tables.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_table_answer(double *answers, double *errors, double *widths,
                                                   const sfm_release *release, const double *matrix,
                                                   size_t queries, size_t cells, double confidence,
                                                   sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
