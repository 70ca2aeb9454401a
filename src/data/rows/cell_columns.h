/* cell_columns.h - reading the cells of some columns as they stand. */
#ifndef SFMI_CELL_COLUMNS_H
#define SFMI_CELL_COLUMNS_H

#include "rows.h"

/* Most columns of a reading of cells. */
#define SFMI_CELL_COLUMNS_MAX 65536

typedef enum sfmi_cell_use {
  SFMI_USE_NUMBER,
  SFMI_USE_CATEGORY,
  SFMI_USE_TEXT,
  SFMI_USE_VALUE, /* a category, looked up by value whatever the schema says of the column */
} sfmi_cell_use;

/* A column of which the cells are wanted as they stand.  Borrowed until the reading ends. */
typedef struct sfmi_cell_column {
  const char *name;
  sfmi_cell_use use;
  const char *const *categories; /* USE_CATEGORY: the texts that have codes (fit and each once); */
  size_t category_count;         /* NULL: those of the schema's column */
} sfmi_cell_column;

/* As sfmi_rows_begin, for cells of up to SFMI_CELL_COLUMNS_MAX columns (there may be none), each at
 * most once per use.  The first number column is column 0 of the batch's values, the first category
 * column is column 0 of its codes, the first text column is column 0 of its texts, and so on.
 *
 * - A number is as it stands in the cell, not clamped.  It is NaN where there is none, where it is
 *   not finite, and where the schema does not admit it (a fraction in an integer column, a code
 *   that is not in the enum).
 * - A category is its place among the column's categories, or SFMI_NO_CATEGORY.  It is looked up by
 *   value in a column that the schema calls number or integer, with SFMI_USE_VALUE, and in rows
 *   that are numbers.
 * - A text has no blanks and tabs around it.  In rows that are numbers it is the shortest decimal
 *   that reads back as the number.
 * - keep is 0 for lines too long and, with a person column, for records without an id and beyond
 *   the limit.  The caller decides what all others contribute. */
SFM_MUST_CHECK sfm_status sfmi_rows_begin_cells(sfm_rows *rows, const sfm_schema *schema,
                                                const sfmi_cell_column *columns, size_t count,
                                                sfm_error *error);

#endif
