/* kept_columns.h - columns of a CSV of points that are printed first, as they are (--keep). */
#ifndef CLI_KEPT_COLUMNS_H
#define CLI_KEPT_COLUMNS_H

#include <stdio.h>

#include "file_bytes.h"
#include "cli/core/options.h"
#include "cli/core/text.h"

/* All zero: none. */
typedef struct kept_columns {
  text_list names;
  long *places; /* in the file's lines */
  const file_bytes *file;
  size_t offset; /* of the next line */
} kept_columns;

/* text: names separated by commas, NULL: none.  The file is that of the points, and stays. */
SFM_MUST_CHECK sfm_status kept_columns_find(kept_columns *k, const file_bytes *file,
                                            const char *text, sfm_error *error);
void kept_columns_clear(kept_columns *k);

/* The names, and then the cells of one point per call, each followed by a comma. */
void kept_columns_write_header(kept_columns *k, FILE *out);
void kept_columns_write_row(kept_columns *k, FILE *out);

#endif
