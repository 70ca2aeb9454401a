/* rows.h - reading private rows inside their public domain (internal face of sfumato/rows.h). */
#ifndef SFMI_ROWS_H
#define SFMI_ROWS_H

#include "row_batch.h"
#include "data/format/row_digest.h"
#include "data/format/svmlight.h"
#include "sfumato/rows.h"

/* What is to be read, all of it public.  Borrowed until the reading ends. */
typedef struct sfmi_selection {
  const sfm_schema *schema; /* bounds of the columns; person column and contributions */
  const char *const *columns;
  size_t count;
  sfm_outside outside;
} sfmi_selection;

/* As sfm_rows_open, over the bytes of a file in memory (borrowed): CSV, NPY, or gzip of either.
 * block is how many bytes are read at a time, 0 for the usual number; no result depends on it. */
SFM_MUST_CHECK sfm_status sfmi_rows_open_memory(sfm_rows **out, const void *bytes, size_t size,
                                                size_t block, sfm_error *error);

/* As sfm_rows_open_sparse, likewise; memory has no name, so gzip is stated. */
SFM_MUST_CHECK sfm_status sfmi_rows_open_sparse_memory(sfm_rows **out, const void *bytes,
                                                       size_t size, size_t dimension, bool gzip,
                                                       size_t block, sfm_error *error);

/* These rows are PUBLIC: their last line may lack its line end.  Before they are counted or read.
 */
void sfmi_rows_set_public(sfm_rows *rows);

/* Checks the selection against header and schema (unknown columns are named beside those there
 * are; missing bounds are explained) and stands before the first record.  Reads no record.  May be
 * called again, to read once more from the start. */
SFM_MUST_CHECK sfm_status sfmi_rows_begin(sfm_rows *rows, const sfmi_selection *selection,
                                          sfm_error *error);

/* As sfmi_rows_begin, with columns that make groups: each has categories in the schema (without
 * them it is explained why they are needed), and the batch says to which group a row belongs. */
SFM_MUST_CHECK sfm_status sfmi_rows_begin_by(sfm_rows *rows, const sfmi_selection *selection,
                                             const char *const *by, size_t by_count,
                                             sfm_error *error);

/* Records that are curves: values at the same places, without bounds, some of which may be missing.
 * Borrowed until the reading ends. */
typedef struct sfmi_curve_selection {
  const sfm_schema *schema;   /* person column and its type; what it says of others is not used */
  const char *const *columns; /* or NULL: count columns from the place `first` (0: the first) on */
  size_t first;
  size_t count;
} sfmi_curve_selection;

/* As sfmi_rows_begin, for curves: what is not a finite number is NaN in the batch.  With a person
 * column every record that has an id is kept, and its person numbered. */
SFM_MUST_CHECK sfm_status sfmi_rows_begin_curves(sfm_rows *rows,
                                                 const sfmi_curve_selection *selection,
                                                 sfm_error *error);

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
 * most once a use.  The first number column is column 0 of the batch's values, the first category
 * column column 0 of its codes, the first text column of its texts, and so on. number:   as it
 * stands in the cell, not clamped; NaN where it is none, is not finite, or is not one that the
 * schema admits (a fraction in an integer column, a code not in the enum). category: its place
 * among the column's categories, or SFMI_NO_CATEGORY.  Looked up by value in a column that the
 * schema calls number or integer, by that use, and in rows that are numbers. text:     without
 * blanks and tabs around it; in rows that are numbers the shortest decimal that reads back as the
 * number. keep is 0 for lines too long and, with a person column, for records without an id and
 * beyond the limit; what all others contribute is the caller's business. */
SFM_MUST_CHECK sfm_status sfmi_rows_begin_cells(sfm_rows *rows, const sfm_schema *schema,
                                                const sfmi_cell_column *columns, size_t count,
                                                sfm_error *error);

/* As sfmi_rows_begin, for rows from sfm_rows_open_sparse, which no other reading can read; a schema
 * with a person column is refused, as there are no columns.  Then sfmi_rows_next_sparse. */
SFM_MUST_CHECK sfm_status sfmi_rows_begin_sparse(sfm_rows *rows, const sfm_schema *schema,
                                                 sfm_error *error);
/* As sfmi_rows_next, for a sparse reading. */
SFM_MUST_CHECK sfm_status sfmi_rows_next_sparse(sfm_rows *rows, const sfmi_sparse_batch **batch,
                                                sfm_error *error);
/* Of PUBLIC sparse rows: a reading that refuses a line that is not libsvm text, by its number. */
SFM_MUST_CHECK sfm_status sfmi_rows_check_sparse(sfm_rows *rows, sfm_error *error);
/* The dimension that sparse rows were opened with; 0 for others. */
size_t sfmi_rows_dimension(const sfm_rows *rows);

/* Asks for the fingerprint of the next reading, under a key (32 bytes, copied; NULL: none).  Call
 * before sfmi_rows_begin. */
void sfmi_rows_set_key(sfm_rows *rows, const uint8_t *key);
/* The fingerprint, once sfmi_rows_next has given NULL after the last batch. */
void sfmi_rows_fingerprint(sfm_rows *rows, uint8_t fingerprint[SFMI_DIGEST_BYTES]);

/* The next batch, or NULL after the last.  The batch belongs to rows and lives until the next call.
 * Fails only when the operating system does, never because of what a record holds. */
SFM_MUST_CHECK sfm_status sfmi_rows_next(sfm_rows *rows, const sfmi_batch **batch,
                                         sfm_error *error);

#endif
