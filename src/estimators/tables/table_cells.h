/* table_cells.h - in which cells of a table a row is.
 *
 * A row has a code in every axis: the place of its category, the bin of its number, or (texts) the
 * text itself; or it has none.  A margin is a set of axes, its cells numbered with the last axis
 * fastest.  A row is counted once in every margin in all of whose axes it has a code, and nowhere
 * else.  Where a row is counted depends on that row alone. */
#ifndef SFMI_TABLE_CELLS_H
#define SFMI_TABLE_CELLS_H

#include "base/system/status.h"
#include "data/batch/row_batch.h"
#include "binning.h"
#include "sfumato/schema.h"

#define SFMI_TABLE_AXES_MAX 64
/* The cell of a row that is in no cell of a margin. */
#define SFMI_NO_CELL UINT64_MAX
/* Most bytes of a text that is counted, and of the texts of all axes, each followed by a NUL. */
#define SFMI_TEXT_MAX 256
#define SFMI_TUPLE_MAX (SFMI_TABLE_AXES_MAX * (SFMI_TEXT_MAX + 1))

typedef enum sfmi_table_axis_kind {
  SFMI_TABLE_AXIS_CATEGORIES,
  SFMI_TABLE_AXIS_BINS,
  SFMI_TABLE_AXIS_TEXTS
} sfmi_table_axis_kind;

/* The first axis of a kind is column 0 of the batch's codes, values or texts, and so on. */
typedef struct sfmi_table_axis {
  sfmi_table_axis_kind kind;
  uint64_t size; /* of categories and bins: how many */
  double lower, upper;
  const char *const *labels; /* of categories */
} sfmi_table_axis;

typedef struct sfmi_table_cells sfmi_table_cells;

/* Axes are borrowed; bins fit (sfmi_binning_fits). */
SFM_MUST_CHECK sfm_status sfmi_table_cells_create(sfmi_table_cells **out,
                                                  const sfmi_table_axis *axes, size_t count,
                                                  sfm_outside outside, sfm_error *error);
/* Wipes it. */
void sfmi_table_cells_destroy(sfmi_table_cells *cells);

/* Computes the codes of a batch (sfmi_rows_begin_cells); the functions below refer to it until the
 * next one is loaded. */
void sfmi_table_cells_load(sfmi_table_cells *cells, const sfmi_batch *batch);

/* keys[r]: the cell of row r in the margin, or SFMI_NO_CELL; room for SFMI_BATCH_ROWS. */
void sfmi_table_cells_keys(const sfmi_table_cells *cells, uint64_t *keys, uint64_t margin);
/* Counts the rows of the batch in every margin: cell k of margin m is counts[starts[m] + k]. */
void sfmi_table_cells_count(sfmi_table_cells *cells, uint64_t *counts, const uint64_t *margins,
                            const size_t *starts, size_t margin_count);
/* What row r is in every axis, as texts, each followed by a NUL.  Returns their length in all, or 0
 * when the row is in no cell of all axes.  A text is counted when it is UTF-8 of 1 to SFMI_TEXT_MAX
 * bytes without control characters. */
size_t sfmi_table_cells_tuple(const sfmi_table_cells *cells, char tuple[SFMI_TUPLE_MAX], size_t r);
/* Whether these bytes are such texts, of so many axes. */
bool sfmi_table_tuple_holds(const char *tuple, size_t length, size_t axes);

#endif
