/* number_table.h - tables of public numbers from a file: CSV without a header, or NPY. */
#ifndef CLI_NUMBER_TABLE_H
#define CLI_NUMBER_TABLE_H

#include <stddef.h>

#include "sfumato/status.h"

/* rows x columns finite numbers on the heap, row by row.  Fails with SFM_INVALID, saying what is
 * there instead, when the file has another shape; `meaning` says what its lines and cells are, for
 * messages.  One row may be written as a column. */
SFM_MUST_CHECK sfm_status number_table_load(double **out, const char *path, size_t rows,
                                            size_t columns, const char *meaning, sfm_error *error);

#endif
