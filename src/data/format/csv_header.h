/* csv_header.h - the header line of a CSV text: public names, unless the header is missing and
 * the first line is a private row.  So no message shows a cell of a line that may be a row. */
#ifndef SFMI_CSV_HEADER_H
#define SFMI_CSV_HEADER_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/system/status.h"

typedef struct sfmi_csv_header {
  char **names;
  size_t count;
  bool doubtful; /* some cell does not read like a name: it may be a row, and is not to be shown */
} sfmi_csv_header;

/* Reads the names in line[0..newline], newline pointing at its '\n'; the line is changed.
 * name is what messages call the file.  The caller clears the header, also on failure. */
SFM_MUST_CHECK sfm_status sfmi_csv_header_read(sfmi_csv_header *header, char *line, char *newline,
                                               const char *name, locale_t c, sfm_error *error);
void sfmi_csv_header_clear(sfmi_csv_header *header);

/* Writes name with control characters and invalid UTF-8 replaced by '?', cut to fit. */
void sfmi_printable_name(char *out, size_t size, const char *name);

#endif
