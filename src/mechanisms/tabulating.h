/* tabulating.h - the parts of a histogram that the audit repeats many times: the rows as counts,
 * and counts as what is released. */
#ifndef SFMI_TABULATING_H
#define SFMI_TABULATING_H

#include <jansson.h>

#include "data/intake.h"
#include "estimators/lexicon.h"
#include "estimators/occupancy.h"
#include "mechanisms/harden.h"
#include "planner/tableau.h"

/* The noise of a histogram.  Opens no rows, so it also refuses before they are. */
SFM_MUST_CHECK sfm_status sfmi_tabulating_law(sfmi_noise_law *law, const sfmi_tableau *tableau,
                                              sfm_error *error);

/* The columns with all that decides which of their values count, and where: for a ledger. */
json_t *sfmi_tabulating_columns(const sfmi_cells *cells, const sfm_schema *schema);
/* The number of records, where it is public; else 0. */
SFM_MUST_CHECK sfm_status sfmi_tabulating_count(uint64_t *count, sfm_rows *rows,
                                                const sfm_histogram_settings *settings,
                                                sfm_error *error);

/* What rows come to, by the form of the table: counts of all cells, of the occupied ones, or of
 * what was found.  PRIVATE; the second wipes and frees it. */
typedef struct sfmi_tabulation {
  uint64_t *counts; /* dense */
  size_t length;
  sfmi_occupancy occupancy; /* sparse */
  sfmi_lexicon lexicon;     /* undeclared: texts of all columns, each with a NUL behind */
} sfmi_tabulation;

/* Checks the columns against header and schema, and reads no record. */
SFM_MUST_CHECK sfm_status sfmi_tabulating_begin(const sfmi_cells *cells, sfm_rows *rows,
                                                const sfm_histogram_settings *settings,
                                                sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_tabulating_read(sfmi_tabulation *tabulation, const sfmi_cells *cells,
                                               sfm_rows *rows,
                                               const sfm_histogram_settings *settings,
                                               sfm_error *error);
void sfmi_tabulation_clear(sfmi_tabulation *tabulation);

/* Dense: noise on every count, but (exact: random differential privacy) on those up to exact_to. */
void sfmi_tabulating_add(sfmi_hardener *hardener, int64_t *released, const uint64_t *counts,
                         size_t length, bool exact, uint64_t exact_to);

/* Cells and their noisy counts, or places in a list of what was found. */
typedef struct sfmi_listing {
  uint64_t *keys; /* strictly ascending */
  int64_t *values;
  size_t count;
} sfmi_listing;

void sfmi_listing_clear(sfmi_listing *listing);

/* Sparse: of all `size` cells those whose noisy count is above tau >= 0, exactly as if every cell
 * had noise; empty cells are not touched.  keys: the occupied ones, ascending. */
SFM_MUST_CHECK sfm_status sfmi_tabulating_thin(sfmi_hardener *hardener, sfmi_listing *out,
                                               const uint64_t *keys, const uint64_t *counts,
                                               size_t occupied, uint64_t size, int64_t tau,
                                               sfm_error *error);
/* Undeclared: of these counts alone those that noise leaves above tau, by their places. */
SFM_MUST_CHECK sfm_status sfmi_tabulating_screen(sfmi_hardener *hardener, sfmi_listing *out,
                                                 const uint64_t *counts, size_t count, int64_t tau,
                                                 sfm_error *error);
/* Leaves at most `most` entries, and such as have at most `room` bytes together, those above a
 * larger threshold, which *tau becomes.  sizes: the bytes of each entry; NULL: of no account.  What
 * it does depends on the list (and the texts in it) alone: post-processing. */
SFM_MUST_CHECK sfm_status sfmi_listing_cap(sfmi_listing *listing, int64_t *tau, size_t most,
                                           const uint64_t *sizes, uint64_t room, sfm_error *error);

#endif
