/* table.h - reads the cells of a released histogram, and computes margins and linear maps of
 * them.  Everything here is post-processing: it links neither secret randomness nor a ledger, and
 * costs no privacy.
 *
 * A release of kind "histogram" counts records by the categories or bins of its columns.  A dense
 * histogram lists all cells of every margin.  A sparse or undeclared histogram lists the cells with
 * a noisy count above a threshold.  There are sfm_release_length listed cells, in ascending order.
 * sfm_release_coefficient(release, e) is the noisy count of listed cell e. */
#ifndef SFUMATO_TABLE_H
#define SFUMATO_TABLE_H

#include "sfumato/release.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The largest number of columns of a table. */
#define SFM_TABLE_COLUMNS_MAX 64
/* The code for a column that the margin of a cell does not have. */
#define SFM_NO_CODE UINT32_MAX

/* The number of columns; 0 if the release is not a histogram. */
SFM_API size_t sfm_table_columns(const sfm_release *release);
/* The name of column i, owned by the release. */
SFM_API const char *sfm_table_column(const sfm_release *release, size_t i);
/* The number of categories or bins of column i; 0 if they are undeclared. */
SFM_API uint64_t sfm_table_categories(const sfm_release *release, size_t i);
/* Whether column i has bins.  If so, lower and upper are set to its bounds. */
SFM_API bool sfm_table_bins(const sfm_release *release, double *lower, double *upper, size_t i);
/* Whether the table is sparse: the released count of a cell that is not listed is zero. */
SFM_API bool sfm_table_sparse(const sfm_release *release);
/* Whether the table is undeclared: nothing is known of cells that are not listed, not even their
 * texts. */
SFM_API bool sfm_table_undeclared(const sfm_release *release);
/* The threshold: only counts strictly above it are listed.  0 for a dense table. */
SFM_API double sfm_table_threshold(const sfm_release *release);
/* The number of cells of all margins together, listed or not; 0 if undeclared. */
SFM_API uint64_t sfm_table_size(const sfm_release *release);
/* Under random differential privacy: cells of at most *records records have no noise.  Returns
 * false if every cell has noise. */
SFM_API bool sfm_table_exact_to(const sfm_release *release, uint64_t *records);

/* The number of margins (1 for a whole table), and the columns of margin m: bit i stands for
 * column i. */
SFM_API size_t sfm_table_margins(const sfm_release *release);
SFM_API uint64_t sfm_table_margin(const sfm_release *release, size_t m);

/* Sets the codes of listed cell e, one per column.  A code is SFM_NO_CODE if the margin of the cell
 * does not have the column.  All codes are SFM_NO_CODE if the table is undeclared. */
SFM_API void sfm_table_cell(const sfm_release *release, uint32_t *codes, size_t e);
/* Writes the text of listed cell e in column i: a category, the edges of a bin ("20:25"), or "" if
 * the margin of the cell does not have the column.  The text is truncated to size.  Returns the
 * whole length. */
SFM_API size_t sfm_table_text(const sfm_release *release, char *text, size_t size, size_t e,
                              size_t i);
/* Writes the text of a code of column i, in the same way. */
SFM_API size_t sfm_table_label(const sfm_release *release, char *text, size_t size, size_t i,
                               uint32_t code);
/* The code of a text in column i.  The text is a category, a number (the code is that of its bin)
 * or the edges of a bin ("20:25").  SFM_NO_CODE if there is no such category or bin, or if the
 * categories are undeclared. */
SFM_API uint32_t sfm_table_code(const sfm_release *release, size_t i, const char *text);
/* The standard deviation of the noise in one count, before any threshold.  NaN for refined tables
 * and for sums of sparse tables, where it is not known. */
SFM_API double sfm_table_deviation(const sfm_release *release);
/* The index of the listed cell of margin m with these codes.  SIZE_MAX if it is not listed, or if
 * the table is undeclared. */
SFM_API size_t sfm_table_find(const sfm_release *release, size_t m, const uint32_t *codes);

/* How a table was refined (sfumato/refine.h).  All zero if it was not. */
typedef struct sfm_table_refinement {
  bool nonnegative, total, consistent;
  int monotone; /* 1 increasing, -1 decreasing, 0 neither */
} sfm_table_refinement;
SFM_API sfm_table_refinement sfm_table_refined(const sfm_release *release);

/* Computes a table with fewer columns: the `count` columns named, in that order.  Cells that agree
 * in these columns are added up.  The result is a new release.
 * If the release has several margins, the sum is taken from the margin with the fewest cells that
 * has all these columns; *from (may be NULL) is set to the columns of that margin, one bit each.
 * The band is computed again, at the confidence of the release.  For a sparse or undeclared table
 * only listed cells are added up.  Its sums have no band, because the counts below the threshold
 * are missing.  The caller destroys *out.  Thread-safe.
 * Privacy: post-processing.  Proof: docs/proofs/tables.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_table_margin_of(sfm_release **out, uint64_t *from,
                                                      const sfm_release *release,
                                                      const char *const *columns, size_t count,
                                                      sfm_error *error);

/* Computes linear maps of a dense table: answers[j] = sum over the listed cells e of
 * matrix[j x cells + e] times count e.  errors (may be NULL): the standard errors.  widths (may be
 * NULL): half-widths of a band that holds for all answers at once with the confidence.  Both are
 * NaN for a refined table.  Thread-safe.
 * Privacy: post-processing.  Proof: docs/proofs/tables.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_table_answer(double *answers, double *errors, double *widths,
                                                   const sfm_release *release, const double *matrix,
                                                   size_t queries, size_t cells, double confidence,
                                                   sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
