/* sample_table.c - synthetic rows of a released table as CSV or JSON, or as numbers. */
#include "cli/report/kind_view.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "cli/io/npy_array.h"
#include "cli/io/fixed_decimals.h"
#include "cli/io/output.h"
#include "sfumato/sample.h"
#include "cli/io/value_table.h"
#include "cli/core/options.h"

enum { CSV, JSON, NPY };
enum { CHUNK = 1024 };

typedef struct row_writer {
  const sfm_release *release;
  size_t columns;
  unsigned format;
  bool bins[SFM_TABLE_COLUMNS_MAX];
  fixed_decimals fixed[SFM_TABLE_COLUMNS_MAX];
  FILE *out;
} row_writer;

static void write_text(const row_writer *p, const char *text) {
  if (p->format == CSV) {
    value_table_write_name(p->out, text);
    return;
  }
  json_t *string = json_string(text);
  char *quoted = string ? json_dumps(string, JSON_ENCODE_ANY) : NULL;
  fputs(quoted ? quoted : "null", p->out);
  free(quoted);
  json_decref(string);
}

static void begin(const row_writer *p, size_t count) {
  char header[192];
  const size_t shape[] = {count, p->columns};
  if (p->format == NPY) {
    fwrite(header, 1, npy_header(header, shape, 2), p->out);
    return;
  }
  if (p->format == JSON) fputs("{\"columns\": [", p->out);
  for (size_t i = 0; i < p->columns; i++) {
    if (i) fputs(p->format == JSON ? ", " : ",", p->out);
    write_text(p, sfm_table_column(p->release, i));
  }
  fputs(p->format == JSON ? "], \"rows\": [" : "\n", p->out);
}

static void write_row(const row_writer *p, size_t cell, const double *places) {
  for (size_t i = 0; i < p->columns; i++) {
    char text[1024];
    if (i) fputs(p->format == JSON ? ", " : ",", p->out);
    if (p->bins[i]) {
      fixed_decimals_write(p->out, &p->fixed[i], places[i]);
      continue;
    }
    sfm_table_text(p->release, text, sizeof text, cell, i);
    write_text(p, text);
  }
}

static void write_rows(const row_writer *p, sfm_table_sample *sample, size_t count,
                       double *places) {
  size_t cells[CHUNK];
  begin(p, count);
  for (size_t done = 0; done < count && !ferror(p->out);) {
    const size_t some = count - done < CHUNK ? count - done : CHUNK;
    sfm_table_sample_draw(sample, cells, places, some);
    if (p->format == NPY) fwrite(places, sizeof *places, some * p->columns, p->out);
    for (size_t k = 0; p->format != NPY && k < some; k++) {
      if (p->format == JSON) fputs(done + k ? ", [" : "[", p->out);
      write_row(p, cells[k], places + k * p->columns);
      fputs(p->format == JSON ? "]" : "\n", p->out);
    }
    done += some;
  }
  if (p->format == JSON) fputs("]}\n", p->out);
}

sfm_status sample_table(const sfm_release *release, const group_selection *chosen, const char *path,
                        unsigned format, size_t count, uint64_t seed, sfm_error *error) {
  (void)chosen;
  row_writer p = {.release = release, .columns = sfm_table_columns(release), .format = format};
  sfm_table_sample *sample = NULL;
  double lower, upper, *places = malloc(CHUNK * p.columns * sizeof *places);
  bool numbers = true;
  output out;
  sfm_status status = places ? SFM_OK : cli_fail_memory(error);
  for (size_t i = 0; i < p.columns; i++) {
    p.bins[i] = sfm_table_bins(release, &lower, &upper, i) && !sfm_table_undeclared(release);
    if (p.bins[i]) p.fixed[i] = fixed_decimals_for(lower, upper);
    numbers = numbers && p.bins[i];
  }
  if (!status && format == NPY && !numbers)
    status =
        cli_misuse(error, "npy contains numbers only, but categories are texts; write csv or json");
  if (!status) status = sfm_table_sample_create(&sample, release, seed, error);
  if (!status) status = output_open(&out, path, error);
  if (!status) {
    p.out = out.file;
    write_rows(&p, sample, count, places);
    status = output_close(&out, error);
  }
  sfm_table_sample_destroy(sample);
  free(places);
  return status;
}
