#include "csv_cell.h"

#include <math.h>

#include "base/text/decimal.h"

/* Where the line ends, given its '\n' and a start not after it. */
static char *line_end(char *start, char *newline) {
  return newline > start && newline[-1] == '\r' ? newline - 1 : newline;
}

static char *scan_bare(sfmi_cell *cell, char *text) {
  char *stop = sfmi_cell_stop(text);
  if (*stop == '\n') stop = line_end(text, stop);
  *cell = (sfmi_cell){text, (size_t)(stop - text), SFMI_CELL_BARE, 0};
  return stop;
}

/* text is the byte after the opening quote. */
static char *scan_quoted(sfmi_cell *cell, char *text) {
  sfmi_cell_kind kind = SFMI_CELL_QUOTED;
  char *at = text;
  for (;; at++) {
    if (*at == '\n') {
      char *end = line_end(text, at);
      *cell = (sfmi_cell){text, (size_t)(end - text), SFMI_CELL_BROKEN};
      return end;
    }
    if (*at != '"') continue;
    if (at[1] != '"') break;
    kind = SFMI_CELL_ESCAPED;
    at++;
  }
  *cell = (sfmi_cell){text, (size_t)(at - text), kind};
  char *after = at + 1, *stop = sfmi_cell_stop(after);
  if (*stop == '\n') stop = line_end(after, stop);
  while (after < stop && (*after == ' ' || *after == '\t')) after++;
  if (after < stop) cell->kind = SFMI_CELL_BROKEN;
  return stop;
}

char *sfmi_cell_scan(sfmi_cell *cell, char *text) {
  return *text == '"' ? scan_quoted(cell, text + 1) : scan_bare(cell, text);
}

void sfmi_cell_unescape(sfmi_cell *cell) {
  if (cell->kind != SFMI_CELL_ESCAPED) return;
  size_t to = 0;
  for (size_t from = 0; from < cell->length; from++) {
    cell->text[to++] = cell->text[from];
    if (cell->text[from] == '"') from++;
  }
  cell->length = to;
  cell->kind = SFMI_CELL_QUOTED;
}

uint32_t sfmi_category_of_cell(const sfmi_category *category, const sfmi_cell *cell, locale_t c) {
  if (cell->kind == SFMI_CELL_VALUE)
    return sfmi_category_by_value(category)
               ? sfmi_category_of_number(category, cell->number)
               : sfmi_category_of_text(category, cell->text, cell->length);
  if (cell->kind != SFMI_CELL_BARE && cell->kind != SFMI_CELL_QUOTED) return SFMI_NO_CATEGORY;
  if (sfmi_category_by_value(category)) {
    double value = NAN;
    sfmi_decimal_read(&value, cell->text, cell->length, c);
    return sfmi_category_of_number(category, value);
  }
  const sfmi_text text = sfmi_cell_trimmed(cell);
  return sfmi_category_of_text(category, text.text, text.length);
}
