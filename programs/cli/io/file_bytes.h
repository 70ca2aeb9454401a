/* file_bytes.h - a whole file in memory, and the two formats the command reads itself: CSV and NPY.
 * (Private rows are read by the library; these are for points, vectors and matrices.) */
#ifndef CLI_FILE_BYTES_H
#define CLI_FILE_BYTES_H

#include <stdbool.h>
#include <stddef.h>

#include "sfumato/status.h"

typedef struct file_bytes {
  const char *data;
  size_t length;
  const char *name; /* for messages */
  bool mapped;
} file_bytes;

/* Maps a regular file, reads anything else; "-" is standard input. */
SFM_MUST_CHECK sfm_status file_load(file_bytes *out, const char *path, sfm_error *error);
void file_clear(file_bytes *bytes);

/* A line of CSV, without its end (LF or CRLF). */
typedef struct csv_line {
  const char *at, *end;
} csv_line;

/* The line at *offset, which moves past it; false at the end of the file.  A byte-order mark is
 * skipped, and a quote never crosses a line. */
bool csv_next_line(const file_bytes *bytes, size_t *offset, csv_line *line);
/* The same after the header of a private file, where a line ends with its line end: bytes after the
 * last one are none, so that how many there are does not hang on what they hold. */
bool csv_next_record(const file_bytes *bytes, size_t *offset, csv_line *line);
/* Takes the next cell off the line into buffer, unquoted, blanks around it dropped; one that does
 * not fit, or holds a NUL, becomes empty.  False when the line is used up. */
bool csv_next_cell(csv_line *line, char *buffer, size_t size);

/* The place of name in the header line, or -1. */
long csv_find(csv_line header, const char *name);
size_t csv_count_cells(csv_line line);
/* True when some cell of the line is a number. */
bool csv_has_number(csv_line line);

typedef struct npy_array {
  const char *data; /* in the file's bytes */
  size_t shape[2];
  unsigned axes; /* 1 or 2 */
  bool fortran;
  char kind; /* f or i */
  unsigned width;
} npy_array;

bool npy_is(const file_bytes *bytes);
/* Reads the header: one or two axes of little-endian float64, float32, int64 or int32. */
SFM_MUST_CHECK sfm_status npy_open(npy_array *out, const file_bytes *bytes, sfm_error *error);
/* The numbers, row by row.  When they already lie in the file that way, *owned is NULL and they
 * are borrowed from it. */
SFM_MUST_CHECK sfm_status npy_numbers(const double **out, double **owned, const npy_array *array,
                                      sfm_error *error);
/* The bytes of an NPY header for float64 of that shape; at most 192 of them, into buffer. */
size_t npy_header(char *buffer, const size_t *shape, size_t axes);

#endif
