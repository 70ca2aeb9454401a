#include "csv_line.h"

#include <string.h>

#include "cli/core/text.h"

bool csv_next_line(const file_bytes *bytes, size_t *offset, csv_line *line) {
  if (*offset == 0 && bytes->length >= 3 && memcmp(bytes->data, "\xEF\xBB\xBF", 3) == 0)
    *offset = 3;
  if (*offset >= bytes->length) return false;
  line->at = bytes->data + *offset;
  const char *newline = memchr(line->at, '\n', bytes->length - *offset);
  line->end = newline ? newline : bytes->data + bytes->length;
  *offset = (size_t)(line->end - bytes->data) + 1;
  if (line->end > line->at && line->end[-1] == '\r') line->end--;
  return true;
}

bool csv_next_record(const file_bytes *bytes, size_t *offset, csv_line *line) {
  const bool ended =
      *offset < bytes->length && memchr(bytes->data + *offset, '\n', bytes->length - *offset);
  return ended && csv_next_line(bytes, offset, line);
}

bool csv_next_cell(csv_line *line, char *buffer, size_t size) {
  size_t length = 0, kept = 0;
  bool quoted = false, started = false, fits = true;
  const char *at = line->at;
  if (!at || at > line->end) return false;
  for (; at < line->end && (quoted || *at != ','); at++) {
    bool quote = *at == '"';
    bool twice = quote && quoted && at + 1 < line->end && at[1] == '"';
    if (quote && !twice) {
      quoted = !quoted;
      started = true;
      continue;
    }
    if (twice) at++;
    bool blank = !quoted && (*at == ' ' || *at == '\t');
    if (blank && !started) continue;
    started = true;
    if (*at && length + 1 < size)
      buffer[length++] = *at;
    else if (!blank)
      fits = false;
    if (!blank) kept = length;
  }
  buffer[fits ? kept : 0] = 0;
  line->at = at + 1; /* beyond end: used up */
  return true;
}

enum { LONGEST_NAME = 1024 };

long csv_find(csv_line header, const char *name) {
  char cell[LONGEST_NAME];
  for (long i = 0; csv_next_cell(&header, cell, sizeof cell); i++)
    if (strcmp(cell, name) == 0) return i;
  return -1;
}

size_t csv_count_cells(csv_line line) {
  char cell[LONGEST_NAME];
  size_t count = 0;
  while (csv_next_cell(&line, cell, sizeof cell)) count++;
  return count;
}

bool csv_has_number(csv_line line) {
  char cell[LONGEST_NAME];
  double value;
  while (csv_next_cell(&line, cell, sizeof cell))
    if (text_number(&value, cell)) return true;
  return false;
}
