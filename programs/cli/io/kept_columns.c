#include "kept_columns.h"

#include <stdlib.h>

#include "csv_line.h"
#include "npy_array.h"
#include "value_table.h"

sfm_status kept_columns_find(kept_columns *k, const file_bytes *file, const char *text,
                             sfm_error *error) {
  csv_line header;
  if (!text) return SFM_OK;
  k->file = file;
  if (!file->data || npy_is(file) || !csv_next_line(file, &k->offset, &header))
    return cli_misuse(
        error, "--keep names columns of a CSV of points: give --points FILE, or leave it out");
  sfm_status status = text_split(&k->names, text, ',', error);
  if (status) return status;
  k->places = malloc(k->names.count * sizeof *k->places);
  if (!k->places) return cli_fail_memory(error);
  for (size_t i = 0; i < k->names.count; i++) {
    k->places[i] = csv_find(header, k->names.items[i]);
    if (k->places[i] < 0)
      return cli_misuse(error, "--keep: %s has no column '%.80s' in its first line", file->name,
                        k->names.items[i]);
  }
  return SFM_OK;
}

void kept_columns_clear(kept_columns *k) {
  text_list_clear(&k->names);
  free(k->places);
}

void kept_columns_write_header(kept_columns *k, FILE *out) {
  for (size_t i = 0; i < k->names.count; i++) {
    value_table_write_name(out, k->names.items[i]);
    fputc(',', out);
  }
}

/* Of the next line that is a point. */
void kept_columns_write_row(kept_columns *k, FILE *out) {
  enum { LONGEST = 1 << 16 };
  static char cell[LONGEST];
  csv_line line = {NULL, NULL};
  if (k->names.count == 0) return;
  while (csv_next_line(k->file, &k->offset, &line) && line.at == line.end) continue;
  for (size_t i = 0; i < k->names.count; i++) {
    csv_line rest = line;
    bool there = true;
    for (long c = 0; there && c <= k->places[i]; c++)
      there = csv_next_cell(&rest, cell, sizeof cell);
    if (there) value_table_write_name(out, cell);
    fputc(',', out);
  }
}
