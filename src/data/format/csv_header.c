#include "csv_header.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/utf8.h"
#include "csv_cell.h"
#include "base/text/decimal.h"

/* How files of other programs begin.  None is a line that names columns. */
#define OPENING(text) text, sizeof text - 1
#define JSON                                                                                       \
  "JSON, as releases and schemas are, and not a table: name the rows, or write them as CSV, with " \
  "the names of the columns in the first line"
static const struct {
  const char *bytes;
  size_t length;
  const char *what;
} formats[] = {
    {OPENING("SQLite format 3"),
     "a database, not rows: ledgers and sessions are databases; name the CSV, or export the table "
     "as CSV"},
    {OPENING("{\""), JSON},
    {OPENING("[{"), JSON},
    {OPENING("%PDF"), "a PDF, not a table: export the rows as CSV"},
    {OPENING("PAR1"), "a Parquet file: write it as CSV, or read it in Python as a data frame"},
    {OPENING("ARROW1"), "an Arrow file: write it as CSV, or read it in Python as a data frame"},
    {OPENING("<!DOCTYPE"), "HTML, not a table: export the rows as CSV"},
    {OPENING("<html"), "HTML, not a table: export the rows as CSV"},
    {OPENING("<?xml"), "XML, not a table: export the rows as CSV"},
    {OPENING("\xfd"
             "7zXZ"),
     "compressed with xz: unpack it, or compress it with gzip"},
    {OPENING("\x28\xb5\x2f\xfd"), "compressed with zstd: unpack it, or compress it with gzip"},
    {OPENING("BZh"), "compressed with bzip2: unpack it, or compress it with gzip"},
    {OPENING("\xd0\xcf\x11\xe0"), "an old spreadsheet (.xls): export the sheet as CSV in UTF-8"},
};

/* Files that are taken for CSV by mistake; all of these openings are public facts. */
static sfm_status refuse_other_formats(const char *line, size_t length, const char *name,
                                       sfm_error *error) {
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (length >= formats[i].length && memcmp(line, formats[i].bytes, formats[i].length) == 0)
      return sfmi_fail(error, SFM_FORMAT, "%s is %s", name, formats[i].what);
  if (length == 1 && (*line == '{' || *line == '['))
    return sfmi_fail(error, SFM_FORMAT, "%s is %s", name, JSON);
  if (length >= 2 && (memcmp(line, "\xff\xfe", 2) == 0 || memcmp(line, "\xfe\xff", 2) == 0))
    return sfmi_fail(error, SFM_FORMAT, "%s is UTF-16 text: save it as CSV in UTF-8", name);
  if (length >= 4 && memcmp(line, "PK\x03\x04", 4) == 0)
    return sfmi_fail(error, SFM_FORMAT,
                     "%s is a zip archive or a spreadsheet: export the sheet as CSV in UTF-8",
                     name);
  if (memchr(line, '\0', length))
    return sfmi_fail(error, SFM_FORMAT,
                     "%s: the first line holds NUL bytes, so this is not a CSV text; CSV, gzip of "
                     "CSV and NPY can be read",
                     name);
  return SFM_OK;
}

static char *copy_cell(const sfmi_cell *cell) {
  const char *text = cell->text;
  size_t length = cell->length;
  if (cell->kind == SFMI_CELL_BARE) {
    while (length > 0 && (*text == ' ' || *text == '\t')) text++, length--;
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t')) length--;
  }
  char *copy = malloc(length + 1);
  if (!copy) return NULL;
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

static size_t count_cells(char *line) {
  size_t count = 0;
  for (char *at = line;; at++) {
    sfmi_cell cell;
    at = sfmi_cell_scan(&cell, at);
    count++;
    if (*at != ',') return count;
  }
}

/* Whether a cell reads like the name of a column: begins with a letter or '_', goes on with
 * letters, digits, blanks and a few signs.  Dates, times, numbers with a unit, addresses and lines
 * with another separator do not. */
static bool looks_like_a_name(const char *text) {
  for (const char *at = text; *at; at++) {
    const char low = (char)(*at | 0x20);
    bool letter = (low >= 'a' && low <= 'z') || *at == '_' || (*at & 0x80);
    if (!letter && (at == text || !(isdigit((unsigned char)*at) || strchr(" .,-()%#", *at))))
      return false;
  }
  return true;
}

sfm_status sfmi_csv_header_read(sfmi_csv_header *header, char *line, char *newline,
                                const char *name, locale_t c, sfm_error *error) {
  *header = (sfmi_csv_header){0};
  if (newline - line >= 3 && memcmp(line, "\xef\xbb\xbf", 3) == 0) line += 3;
  sfm_status status = refuse_other_formats(line, (size_t)(newline - line), name, error);
  if (status) return status;
  size_t count = count_cells(line), filled = 0, numbers = 0;
  header->names = sfmi_alloc(count, sizeof *header->names);
  if (!header->names) return sfmi_fail_memory(error);
  for (char *at = line; header->count < count; at++) {
    sfmi_cell cell;
    double ignored;
    at = sfmi_cell_scan(&cell, at);
    if (cell.kind == SFMI_CELL_BROKEN)
      return sfmi_fail(error, SFM_FORMAT,
                       "%s: cell %zu of the header line has a quote that does not close, or text "
                       "after the closing one; write \"\" for a quote inside quotes",
                       name, header->count + 1);
    numbers += sfmi_decimal_read(&ignored, cell.text, cell.length, c);
    sfmi_cell_unescape(&cell);
    char *copy = copy_cell(&cell);
    if (!copy) return sfmi_fail_memory(error);
    header->names[header->count++] = copy;
    filled += *copy != '\0';
  }
  if (filled == 0)
    return sfmi_fail(error, SFM_FORMAT,
                     "%s: the first line is blank; it must be a header naming the columns", name);
  if (numbers == filled)
    return sfmi_fail(error, SFM_FORMAT,
                     "%s has no header line: its first line holds numbers. Put the column names "
                     "in a first line, for example: age,income. (Without one the first record "
                     "would be taken for names, which are public, and be lost from the rows.)",
                     name);
  header->doubtful = numbers > 0;
  for (size_t i = 0; i < header->count; i++)
    header->doubtful = header->doubtful || !looks_like_a_name(header->names[i]);
  return SFM_OK;
}

void sfmi_csv_header_clear(sfmi_csv_header *header) {
  for (size_t i = 0; i < header->count; i++) free(header->names[i]);
  free(header->names);
  *header = (sfmi_csv_header){0};
}

void sfmi_printable_name(char *out, size_t size, const char *name) {
  size_t used = 0;
  while (*name) {
    size_t length = sfmi_utf8_length(name);
    /* C1 controls are well-formed, and not to be printed. */
    if (length == 2 && (unsigned char)name[0] == 0xc2 && (unsigned char)name[1] < 0xa0) length = 0;
    if (used + (length ? length : 1) >= size) break;
    if (length == 0 || (unsigned char)*name < 0x20 || *name == 0x7f) {
      out[used++] = '?';
      name++;
      continue;
    }
    memcpy(out + used, name, length);
    used += length;
    name += length;
  }
  out[used] = '\0';
}
