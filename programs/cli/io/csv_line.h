/* csv_line.h - lines and cells of a CSV file in memory.  (Private rows are read by the library.) */
#ifndef CLI_CSV_LINE_H
#define CLI_CSV_LINE_H

#include "file_bytes.h"

/* A line of CSV, without its end (LF or CRLF). */
typedef struct csv_line {
  const char *at, *end;
} csv_line;

/* The line at *offset, which moves past it; false at the end of the file.  A byte-order mark is
 * skipped, and a quote never crosses a line. */
bool csv_next_line(const file_bytes *bytes, size_t *offset, csv_line *line);
/* The same after the header of a private file, where a line ends with its line end: bytes after the
 * last line end are not a line, so that the number of lines does not depend on what they hold. */
bool csv_next_record(const file_bytes *bytes, size_t *offset, csv_line *line);
/* Takes the next cell off the line into buffer, unquoted, blanks around it dropped; one that does
 * not fit, or holds a NUL, becomes empty.  False when the line is used up. */
bool csv_next_cell(csv_line *line, char *buffer, size_t size);

/* The place of name in the header line, or -1. */
long csv_find(csv_line header, const char *name);
size_t csv_count_cells(csv_line line);
/* True when some cell of the line is a number. */
bool csv_has_number(csv_line line);

#endif
