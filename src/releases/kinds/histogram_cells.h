/* histogram_cells.h - what the coefficients of a histogram are counts of.
 *
 * A table has factors: columns with declared categories, or numbers in equal bins, or (undeclared)
 * whatever texts were found often enough.  A cell is a category or bin of every factor of a margin;
 * cells of a margin are numbered with its last factor fastest.
 *
 * Invariants:
 *  1. dense: the coefficients are the cells of margin after margin; starts[m] is where margin m
 *     begins and starts[margin_count] their number.  A whole table has one margin of all factors.
 *  2. sparse: one margin of all factors; keys has the cell of each coefficient, strictly ascending.
 *     What is not listed is zero.  Every coefficient of a raw release is above the threshold.
 *  3. undeclared: no sizes are known; texts has the cell of each coefficient, one text per factor,
 *     strictly ascending in the order of their bytes.
 *  4. refined: coefficients are reals (release_data.h, 7), cells as in what it was made from,
 *     which was dense. */
#ifndef SFMI_HISTOGRAM_CELLS_H
#define SFMI_HISTOGRAM_CELLS_H

#include "releases/core/release_data.h"

/* Most factors of a table, most margins of a release, and most cells of a sparse table. */
#define SFMI_FACTORS_MAX 64
#define SFMI_MARGINS_MAX 4096
#define SFMI_CELLS_MAX ((uint64_t)1 << 62)
/* Most cells that a sparse or undeclared release lists, and most bytes of an undeclared text. */
#define SFMI_LISTED_MAX ((size_t)1 << 22)
#define SFMI_UNDECLARED_BYTES 256
/* Most values (texts and counts) of an undeclared list, and most bytes that it takes in the file;
 * most bytes of all categories.  With these every release can be stored and read again. */
#define SFMI_LISTED_VALUES ((size_t)1 << 23)
#define SFMI_LISTED_BYTES ((uint64_t)1 << 28)
#define SFMI_LABELS_BYTES ((size_t)1 << 26)
/* Most bins of a number, and most categories. */
#define SFMI_BINS_MAX ((uint64_t)1 << 31)

/* No category: of a column that a margin does not have. */
#define SFMI_NO_CODE UINT32_MAX

typedef struct sfmi_factor {
  char *name;
  uint64_t size;       /* categories or bins; 0: undeclared */
  char **labels;       /* the categories; NULL: bins, or undeclared */
  double lower, upper; /* of bins, the last of which includes upper */
} sfmi_factor;

typedef struct sfmi_cells {
  size_t count;
  sfmi_factor *factors;
  size_t margin_count;
  uint64_t *margins; /* bit i: has factor i */
  size_t *starts;    /* dense; margin_count + 1 of them.  Else NULL. */
  uint64_t *keys;    /* sparse */
  char **texts;      /* undeclared: length x count */
  double threshold;  /* sparse and undeclared: only what is strictly above is kept; else 0 */
  uint64_t occupied; /* sparse: the stated number of occupied cells, 0 when none is */
  /* refined; that nothing is negative and that a total was kept stands in refined of the release */
  int monotone; /* 1 increasing, -1 decreasing, 0 neither */
  bool consistent;
  /* random-dp: cells of at most exact_to records have no noise; when !exact, all have */
  bool exact;
  uint64_t exact_to;
} sfmi_cells;

/* An empty one with room for so many factors; NULL when memory is short. */
sfmi_cells *sfmi_cells_create(size_t count);
sfmi_cells *sfmi_cells_copy(const sfmi_cells *cells, size_t length);
/* length: of the release, which says how many texts there are. */
void sfmi_cells_destroy(sfmi_cells *cells, size_t length);
/* Copies a label list into a factor; false when memory is short. */
bool sfmi_factor_set_labels(sfmi_factor *factor, const char *const *labels, uint64_t size);

/* The cells of a margin; false when they are more than SFMI_CELLS_MAX. */
bool sfmi_cells_size(const sfmi_cells *cells, uint64_t margin, uint64_t *size);
/* The mask of all factors. */
uint64_t sfmi_cells_all_factors(const sfmi_cells *cells);
/* Fills in starts for a dense table from its margins; false when they are more than
 * SFMI_RELEASE_MAX or memory is short (*length is 0 for the former). */
bool sfmi_cells_set_starts(sfmi_cells *cells, size_t *length);
/* Codes of a cell of a margin, one per factor (SFMI_NO_CODE: the margin does not have it); and
 * back. */
void sfmi_cells_codes(const sfmi_cells *cells, uint64_t margin, uint64_t key, uint32_t *codes);
uint64_t sfmi_cells_key(const sfmi_cells *cells, uint64_t margin, const uint32_t *codes);
/* The margin and cell of coefficient e of a release with declared factors. */
void sfmi_cells_place(const sfm_release *release, size_t e, uint64_t *margin, uint64_t *key);
/* A width that the noise of one count passes with probability p at most. */
double sfmi_cells_noise_width(const sfm_release *release, double p);

#endif
