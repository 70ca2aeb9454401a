/* keeping.h - columns of a CSV of points that are printed first, as they are (--keep). */
#ifndef CLI_KEEPING_H
#define CLI_KEEPING_H

#include <stdio.h>

#include "bytes.h"
#include "options.h"
#include "text.h"

/* All zero: none. */
typedef struct keeping {
  text_list names;
  long *places; /* in the file's lines */
  const file_bytes *file;
  size_t offset; /* of the next line */
} keeping;

/* text: names separated by commas, NULL: none.  The file is that of the points, and stays. */
SFM_MUST_CHECK sfm_status keeping_find(keeping *k, const file_bytes *file, const char *text,
                                       sfm_error *error);
void keeping_clear(keeping *k);

/* The names, and then the cells of one point a call, each with a comma behind it. */
void keeping_headings(keeping *k, FILE *out);
void keeping_write(keeping *k, FILE *out);

#endif
