/* sample_rows.c - synthetic rows of a released density or table, as CSV, JSON or numbers. */
#include "cli/report/kind_view.h"

#include <math.h>
#include <stdlib.h>

#include "cli/core/options.h"
#include "cli/io/json_output.h"
#include "cli/io/npy_array.h"
#include "cli/io/result_output.h"
#include "cli/io/value_table.h"
#include "sfumato/sample.h"

enum { CHUNK = 4096, TABLE_CHUNK = 1024, COLUMNS_MOST = 3 };

/* Numbers with as many decimals as their column is worth: fast, and short to read. */
typedef struct fixed_decimals {
  double lower, upper;
  int decimals;
  double unit; /* 10^decimals */
} fixed_decimals;

/* For numbers within the bounds, to a millionth of their distance. */
static fixed_decimals fixed_decimals_for(double lower, double upper) {
  const double wanted = 6 - floor(log10(upper - lower));
  const int decimals = (int)fmin(fmax(wanted, 0), 17);
  return (fixed_decimals){lower, upper, decimals, pow(10, decimals)};
}

/* Rounded, but never beyond the bounds: rather with 17 digits. */
static void fixed_decimals_write(FILE *out, const fixed_decimals *format, double value) {
  const double scaled = round(value * format->unit), rounded = scaled / format->unit;
  /* Beyond 2^53 the digits would not be those of the number. */
  if (!(fabs(scaled) < 0x1p53) || rounded < format->lower || rounded > format->upper) {
    output_number(out, value, "nan");
    return;
  }
  char text[40], *at = text + sizeof text;
  unsigned long long digits = (unsigned long long)fabs(scaled);
  for (int i = 0; i < format->decimals || digits > 0 || i == format->decimals; i++) {
    if (i == format->decimals && i > 0) *--at = '.';
    *--at = (char)('0' + digits % 10);
    digits /= 10;
  }
  if (scaled < 0) *--at = '-';
  fwrite(at, 1, (size_t)(text + sizeof text - at), out);
}

/* What is written, and how. */
typedef struct row_writer {
  const sfm_release *release;
  size_t columns;
  unsigned format;
  bool refined;                     /* a table, before rows were drawn from it */
  bool bins[SFM_TABLE_COLUMNS_MAX]; /* of a table: the column is of numbers */
  fixed_decimals fixed[SFM_TABLE_COLUMNS_MAX];
  FILE *out;
  size_t rows, cells; /* written so far, and of the row */
} row_writer;

static void next_cell(row_writer *w) {
  if (w->cells++) fputs(w->format == VALUES_JSON ? ", " : ",", w->out);
}

static void write_text(row_writer *w, const char *text) {
  next_cell(w);
  (w->format == VALUES_JSON ? json_output_write_text : value_table_write_name)(w->out, text);
}

static void write_number(row_writer *w, size_t i, double number) {
  next_cell(w);
  fixed_decimals_write(w->out, &w->fixed[i], number);
}

static void begin_row(row_writer *w) {
  w->cells = 0;
  if (w->format == VALUES_JSON) fputs(w->rows++ ? ", [" : "[", w->out);
}

static void end_row(const row_writer *w) {
  fputs(w->format == VALUES_JSON ? "]" : "\n", w->out);
}

/* What comes before the rows; the names are those of groups, then those of columns. */
static void begin(row_writer *w, size_t count,
                  const char *(*column)(const sfm_release *release, size_t i)) {
  char header[192];
  const size_t shape[] = {count, w->columns}, by = sfm_release_by_count(w->release);
  if (w->format == VALUES_NPY) {
    fwrite(header, 1, npy_header(header, shape, 2), w->out);
    return;
  }
  if (w->format == VALUES_JSON) fputs("{\"columns\": [", w->out);
  for (size_t i = 0; i < by; i++) write_text(w, sfm_release_by(w->release, i));
  for (size_t i = 0; i < w->columns; i++) write_text(w, column(w->release, i));
  fputs(w->format == VALUES_JSON ? "], \"rows\": [" : "\n", w->out);
}

static sfm_status end(const row_writer *w, output *out, sfm_error *error) {
  if (w->format == VALUES_JSON) fputs(w->refined ? "], \"refined\": true}\n" : "]}\n", w->out);
  return output_close(out, error);
}

static void write_sample(row_writer *w, sfm_sample *sample, size_t count) {
  static double points[CHUNK * COLUMNS_MOST];
  static size_t groups[CHUNK];
  const size_t by = sfm_release_by_count(w->release);
  for (size_t done = 0, some; done < count && !ferror(w->out); done += some) {
    some = count - done < CHUNK ? count - done : CHUNK;
    sfm_sample_draw(sample, points, groups, some);
    if (w->format == VALUES_NPY) fwrite(points, sizeof *points, some * w->columns, w->out);
    for (size_t k = 0; w->format != VALUES_NPY && k < some; k++) {
      begin_row(w);
      for (size_t i = 0; i < by; i++)
        write_text(w, sfm_release_group_label(w->release, groups[k], i));
      for (size_t a = 0; a < w->columns; a++) write_number(w, a, points[k * w->columns + a]);
      end_row(w);
    }
  }
}

/* The library refuses what is no density. */
sfm_status sample_density(const sfm_release *release, const group_selection *chosen,
                          const sample_request *asked, sfm_error *error) {
  row_writer w = {
      .release = release, .columns = sfm_release_dimension(release), .format = asked->format};
  sfm_sample *sample = NULL;
  output out;
  if (w.format == VALUES_NPY && chosen->count)
    return cli_misuse(error, "npy contains numbers only, but the categories of groups are texts; "
                             "write csv or json");
  sfm_status status =
      sfm_sample_create(&sample, release, chosen->groups, chosen->count, asked->seed, error);
  for (size_t a = 0; !status && a < w.columns; a++) {
    double lower, upper;
    sfm_release_bounds(release, &lower, &upper, a);
    w.fixed[a] = fixed_decimals_for(lower, upper);
  }
  if (!status) status = output_open(&out, asked->path, error);
  if (!status) {
    w.out = out.file;
    begin(&w, asked->count, sfm_release_column);
    write_sample(&w, sample, asked->count);
    status = end(&w, &out, error);
  }
  sfm_sample_destroy(sample);
  return status;
}

static void write_cells(row_writer *w, sfm_table_sample *sample, size_t count, double *places) {
  size_t cells[TABLE_CHUNK];
  char text[1024];
  for (size_t done = 0, some; done < count && !ferror(w->out); done += some) {
    some = count - done < TABLE_CHUNK ? count - done : TABLE_CHUNK;
    sfm_table_sample_draw(sample, cells, places, some);
    if (w->format == VALUES_NPY) fwrite(places, sizeof *places, some * w->columns, w->out);
    for (size_t k = 0; w->format != VALUES_NPY && k < some; k++) {
      begin_row(w);
      for (size_t i = 0; i < w->columns; i++) {
        if (!w->bins[i]) sfm_table_text(w->release, text, sizeof text, cells[k], i);
        if (w->bins[i])
          write_number(w, i, places[k * w->columns + i]);
        else
          write_text(w, text);
      }
      end_row(w);
    }
  }
}

sfm_status sample_table(const sfm_release *release, const group_selection *chosen,
                        const sample_request *asked, sfm_error *error) {
  (void)chosen;
  row_writer w = {
      .release = release, .columns = sfm_table_columns(release), .format = asked->format};
  sfm_table_sample *sample = NULL;
  double lower, upper, *places = malloc(TABLE_CHUNK * w.columns * sizeof *places);
  bool numbers = true;
  output out;
  sfm_status status = places ? SFM_OK : cli_fail_memory(error);
  for (size_t i = 0; i < w.columns; i++) {
    w.bins[i] = sfm_table_bins(release, &lower, &upper, i) && !sfm_table_undeclared(release);
    if (w.bins[i]) w.fixed[i] = fixed_decimals_for(lower, upper);
    numbers = numbers && w.bins[i];
  }
  if (!status && w.format == VALUES_NPY && !numbers)
    status =
        cli_misuse(error, "npy contains numbers only, but categories are texts; write csv or json");
  w.refined = asked->raw ? 0 : sfm_table_sample_refines(release);
  if (!status)
    status = (asked->raw ? sfm_table_sample_create_raw
                         : sfm_table_sample_create)(&sample, release, asked->seed, error);
  if (!status) status = output_open(&out, asked->path, error);
  if (!status) {
    w.out = out.file;
    begin(&w, asked->count, sfm_table_column);
    write_cells(&w, sample, asked->count, places);
    status = end(&w, &out, error);
  }
  sfm_table_sample_destroy(sample);
  free(places);
  return status;
}
