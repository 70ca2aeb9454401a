/* histogram_counts.h - the parts of a histogram that the audit repeats many times: the rows as
 * counts, and counts as what is released. */
#ifndef SFMI_HISTOGRAM_COUNTS_H
#define SFMI_HISTOGRAM_COUNTS_H

#include <jansson.h>

#include "data/partial/sums.h"
#include "data/rows/rows.h"
#include "estimators/tables/undeclared_cells.h"
#include "estimators/tables/occupied_cells.h"
#include "mechanisms/core/hardened_noise.h"
#include "planner/design/design_table.h"

/* The noise of a histogram.  Opens no rows, so it also refuses before they are. */
SFM_MUST_CHECK sfm_status sfmi_histogram_noise_law(sfmi_noise_law *law,
                                                   const sfmi_design_table *table_design,
                                                   sfm_error *error);

/* The columns with all that decides which of their values count, and where: for a ledger. */
json_t *sfmi_histogram_columns_json(const sfmi_cells *cells, const sfm_schema *schema);

/* What rows come to, by the form of the table: counts of all cells, of the occupied ones, or of
 * what was found.  PRIVATE; the second wipes and frees it. */
typedef struct sfmi_histogram_counts {
  sfmi_method method; /* which of these it is */
  uint64_t *counts;   /* dense */
  size_t length;
  sfmi_occupied_cells occupied;     /* sparse */
  sfmi_undeclared_cells undeclared; /* undeclared: texts of all columns, each with a NUL behind */
} sfmi_histogram_counts;

/* Checks the columns against header and schema, and reads no record. */
SFM_MUST_CHECK sfm_status sfmi_histogram_counts_check(const sfmi_cells *cells, sfm_rows *rows,
                                                      const sfm_histogram_settings *settings,
                                                      sfm_error *error);
/* rows may be NULL: none. */
SFM_MUST_CHECK sfm_status sfmi_histogram_counts_read(sfmi_histogram_counts *cell_counts,
                                                     const sfmi_cells *cells, sfm_rows *rows,
                                                     const sfm_histogram_settings *settings,
                                                     sfm_error *error);
/* Counts as the sums that parts are made of, and back: what is moved is gone on the other side. */
SFM_MUST_CHECK sfm_status sfmi_histogram_counts_to_sums(sfmi_sums *sums,
                                                        sfmi_histogram_counts *cell_counts,
                                                        sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_histogram_counts_from_sums(sfmi_histogram_counts *cell_counts,
                                                          sfmi_sums *sums, sfm_error *error);
/* Whether records can have these sums: of a table of `size` cells, or of texts of these columns. */
bool sfmi_histogram_sums_fit(const sfmi_sums *sums, uint64_t size, size_t columns);
void sfmi_histogram_counts_clear(sfmi_histogram_counts *cell_counts);

/* Dense: noise on every count, but (exact: random differential privacy) on those up to exact_to. */
void sfmi_histogram_noise_dense(sfmi_hardener *hardener, int64_t *released, const uint64_t *counts,
                                size_t length, bool exact, uint64_t exact_to);

/* Cells and their noisy counts, or places in a list of what was found. */
typedef struct sfmi_cell_list {
  uint64_t *keys; /* strictly ascending */
  int64_t *values;
  size_t count;
} sfmi_cell_list;

void sfmi_cell_list_clear(sfmi_cell_list *list);

/* Sparse: of all `size` cells those whose noisy count is above tau >= 0, exactly as if every cell
 * had noise; empty cells are not touched.  keys: the occupied ones, ascending. */
SFM_MUST_CHECK sfm_status sfmi_histogram_noise_sparse(sfmi_hardener *hardener, sfmi_cell_list *out,
                                                      const uint64_t *keys, const uint64_t *counts,
                                                      size_t occupied, uint64_t size, int64_t tau,
                                                      sfm_error *error);
/* Undeclared: of these counts alone those that noise leaves above tau, by their places. */
SFM_MUST_CHECK sfm_status sfmi_histogram_noise_undeclared(sfmi_hardener *hardener,
                                                          sfmi_cell_list *out,
                                                          const uint64_t *counts, size_t count,
                                                          int64_t tau, sfm_error *error);
/* Leaves at most `most` entries, and such as have at most `room` bytes together, those above a
 * larger threshold, which *tau becomes.  sizes: the bytes of each entry; NULL: bytes are not
 * limited.  What it does depends on the list (and the texts in it) alone: post-processing. */
SFM_MUST_CHECK sfm_status sfmi_cell_list_cap(sfmi_cell_list *list, int64_t *tau, size_t most,
                                             const uint64_t *sizes, uint64_t room,
                                             sfm_error *error);

#endif
