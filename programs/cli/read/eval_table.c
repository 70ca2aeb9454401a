/* eval_table.c - the cells of a released table as CSV, JSON or NPY: all that are listed, or those
 * asked for. */
#include "cli/report/kind_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/core/text.h"
#include "cli/io/file_bytes.h"
#include "cli/io/json_output.h"
#include "cli/io/npy_array.h"
#include "cli/io/csv_line.h"
#include "cli/io/result_output.h"
#include "cli/io/value_table.h"
#include "cli/report/table_view.h"

enum { CACHED_MOST = 1 << 16 }; /* categories of a column that are kept as text */

/* What is printed: all listed cells, or `count` that were asked for. */
typedef struct cell_table {
  const sfm_release *release;
  size_t columns, count;
  uint32_t *codes; /* asked for, with declared columns: count x columns; else NULL */
  char **texts;    /* asked for, undeclared: count x columns, NULL in other columns; else NULL */
  size_t *found;   /* where they are listed; SIZE_MAX: not */
  bool band;
  unsigned format;
  char **labels[SFM_TABLE_COLUMNS_MAX]; /* as they are written; NULL: not kept */
} cell_table;

static void cell_table_clear(cell_table *s) {
  for (size_t i = 0; i < s->columns; i++) {
    for (uint64_t k = 0; s->labels[i] && k < sfm_table_categories(s->release, i); k++)
      free(s->labels[i][k]);
    free(s->labels[i]);
  }
  for (size_t k = 0; s->texts && k < s->count * s->columns; k++) free(s->texts[k]);
  free(s->texts);
  free(s->codes);
  free(s->found);
}

/* A text as the format writes it. */
static void write_text(FILE *out, unsigned format, const char *text) {
  (format == VALUES_CSV ? value_table_write_name : json_output_write_text)(out, text);
}

/* The category or bin as text on the heap, or NULL. */
static char *label_text(const sfm_release *release, size_t i, uint32_t code) {
  const size_t size = sfm_table_label(release, NULL, 0, i, code) + 1;
  char *text = malloc(size);
  if (text) sfm_table_label(release, text, size, i, code);
  return text;
}

static char *cell_text(const sfm_release *release, size_t e, size_t i) {
  const size_t size = sfm_table_text(release, NULL, 0, e, i) + 1;
  char *text = malloc(size);
  if (text) sfm_table_text(release, text, size, e, i);
  return text;
}

/* The text as it is written, on the heap; takes over the text. */
static char *written(unsigned format, char *text) {
  char *bytes = NULL;
  size_t length;
  FILE *stream = text ? open_memstream(&bytes, &length) : NULL;
  if (stream) write_text(stream, format, text);
  free(text);
  if (!stream || fclose(stream)) {
    free(bytes);
    return NULL;
  }
  return bytes;
}

/* Keeps the texts of columns with few categories. */
static sfm_status keep_labels(cell_table *s, sfm_error *error) {
  for (size_t i = 0; s->format != VALUES_NPY && i < s->columns; i++) {
    const uint64_t size = sfm_table_categories(s->release, i);
    if (size == 0 || size > CACHED_MOST || sfm_table_undeclared(s->release)) continue;
    s->labels[i] = calloc((size_t)size, sizeof *s->labels[i]);
    if (!s->labels[i]) return cli_fail_memory(error);
    for (uint32_t k = 0; k < size; k++) {
      s->labels[i][k] = written(s->format, label_text(s->release, i, k));
      if (!s->labels[i][k]) return cli_fail_memory(error);
    }
  }
  return SFM_OK;
}

/* Column i of the k-th line; codes are its own. */
static void write_category(const cell_table *s, FILE *out, size_t k, size_t i,
                           const uint32_t *codes) {
  if (codes && codes[i] == SFM_NO_CODE) {
    if (s->format == VALUES_JSON) fputs("null", out);
  } else if (codes && s->labels[i]) {
    fputs(s->labels[i][codes[i]], out);
  } else if (s->texts) {
    write_text(out, s->format, s->texts[k * s->columns + i]);
  } else {
    char *text = codes ? label_text(s->release, i, codes[i]) : cell_text(s->release, k, i);
    write_text(out, s->format, text ? text : "");
    free(text);
  }
}

static void write_count(FILE *out, double count) {
  if (count == floor(count) && fabs(count) < 0x1p53)
    fprintf(out, "%lld", (long long)count);
  else
    output_number(out, count, "null");
}

static double count_of(const cell_table *s, size_t k) {
  const size_t e = s->found ? s->found[k] : k;
  return e == SIZE_MAX ? 0 : sfm_release_coefficient(s->release, e);
}

/* What the true count is between: of a listed one that of its noise, of one that is not listed from
 * none to what the threshold and the noise may hide. */
static void bounds_of(const cell_table *s, size_t k, double bounds[2]) {
  const sfm_band band = sfm_release_band(s->release);
  const bool listed = !s->found || s->found[k] != SIZE_MAX;
  const double count = count_of(s, k), width = band.half_width - band.systematic;
  bounds[0] = listed ? count - width : 0;
  bounds[1] = listed ? count + width : floor(band.half_width);
}

/* The codes of the k-th line; NULL when undeclared. */
static const uint32_t *codes_of(const cell_table *s, size_t k, uint32_t *room) {
  if (s->codes) return s->codes + k * s->columns;
  if (sfm_table_undeclared(s->release)) return NULL;
  sfm_table_cell(s->release, room, k);
  return room;
}

static void write_line(const cell_table *s, FILE *out, size_t k) {
  uint32_t room[SFM_TABLE_COLUMNS_MAX];
  const uint32_t *codes = codes_of(s, k, room);
  double bounds[2];
  for (size_t i = 0; i < s->columns; i++) {
    write_category(s, out, k, i, codes);
    fputc(',', out);
  }
  write_count(out, count_of(s, k));
  if (s->band) {
    bounds_of(s, k, bounds);
    fputc(',', out);
    write_count(out, bounds[0]);
    fputc(',', out);
    write_count(out, bounds[1]);
  }
  fputc('\n', out);
}

static void write_csv(const cell_table *s, FILE *out) {
  for (size_t i = 0; i < s->columns; i++) {
    value_table_write_name(out, sfm_table_column(s->release, i));
    fputc(',', out);
  }
  fputs(s->band ? "count,lower,upper\n" : "count\n", out);
  for (size_t k = 0; k < s->count; k++) write_line(s, out, k);
}

static void write_numbers(const cell_table *s, FILE *out, const char *key, int which) {
  double bounds[2];
  fprintf(out, ", \"%s\": [", key);
  for (size_t k = 0; k < s->count; k++) {
    if (k) fputs(", ", out);
    if (which >= 0) bounds_of(s, k, bounds);
    write_count(out, which < 0 ? count_of(s, k) : bounds[which]);
  }
  fputc(']', out);
}

static void write_json(const cell_table *s, FILE *out) {
  uint32_t room[SFM_TABLE_COLUMNS_MAX];
  fputs("{\"columns\": [", out);
  for (size_t i = 0; i < s->columns; i++) {
    if (i) fputs(", ", out);
    write_text(out, VALUES_JSON, sfm_table_column(s->release, i));
  }
  fputs("], \"cells\": [", out);
  for (size_t k = 0; k < s->count; k++) {
    const uint32_t *codes = codes_of(s, k, room);
    fputs(k ? ", [" : "[", out);
    for (size_t i = 0; i < s->columns; i++) {
      if (i) fputs(", ", out);
      write_category(s, out, k, i, codes);
    }
    fputc(']', out);
  }
  fputc(']', out);
  write_numbers(s, out, "counts", -1);
  if (s->band) {
    write_numbers(s, out, "lower", 0);
    write_numbers(s, out, "upper", 1);
  }
  fputs("}\n", out);
}

/* A whole dense table in its own shape, all else in a row. */
static void write_npy(const cell_table *s, FILE *out) {
  enum { AXES_MOST = 12 };
  char header[192];
  size_t shape[AXES_MOST + 1] = {s->count}, axes = 1;
  const bool whole = !s->found && !sfm_table_sparse(s->release) &&
                     !sfm_table_undeclared(s->release) && sfm_table_margins(s->release) == 1 &&
                     s->columns <= AXES_MOST;
  for (size_t i = 0; whole && i < s->columns; i++)
    shape[i] = (size_t)sfm_table_categories(s->release, i);
  if (whole) axes = s->columns;
  if (s->band) shape[axes++] = 3;
  fwrite(header, 1, npy_header(header, shape, axes), out);
  for (size_t k = 0; k < s->count; k++) {
    double three[3] = {count_of(s, k)};
    if (s->band) bounds_of(s, k, three + 1);
    fwrite(three, sizeof *three, s->band ? 3 : 1, out);
  }
}

/* The cells asked for. */

/* Room for one more; doubles as it grows. */
static sfm_status grow(cell_table *s, size_t *capacity, sfm_error *error) {
  if (s->count < *capacity) return SFM_OK;
  const size_t more = *capacity ? 2 * *capacity : 64;
  size_t *found = realloc(s->found, more * sizeof *found);
  if (found) s->found = found;
  void *cells;
  if (sfm_table_undeclared(s->release)) {
    cells = realloc(s->texts, more * s->columns * sizeof *s->texts);
    if (cells) s->texts = cells;
  } else {
    cells = realloc(s->codes, more * s->columns * sizeof *s->codes);
    if (cells) s->codes = cells;
  }
  if (!found || !cells) return cli_fail_memory(error);
  *capacity = more;
  return SFM_OK;
}

static sfm_status unknown(const sfm_release *release, const char *where, size_t i, const char *text,
                          sfm_error *error) {
  char harmless[128];
  double lower, upper;
  text_harmless(harmless, sizeof harmless, text);
  if (sfm_table_bins(release, &lower, &upper, i))
    return cli_misuse(error,
                      "%s: '%s' is not in a bin of %.100s; write a number from %.10g to %.10g, or "
                      "a bin as it is printed",
                      where, harmless, sfm_table_column(release, i), lower, upper);
  return cli_misuse(error, "%s: '%s' is not a category of %.100s; `sfumato show` lists them", where,
                    harmless, sfm_table_column(release, i));
}

/* Where a cell of texts is listed; SIZE_MAX: not.  Cells are in the order of their bytes. */
static size_t find_texts(const cell_table *s, char **texts) {
  size_t low = 0, high = sfm_release_length(s->release);
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    int order = 0;
    for (size_t i = 0; i < s->columns && order == 0; i++) {
      char *text = cell_text(s->release, middle, i);
      order = text ? strcmp(text, texts[i]) : 0;
      free(text);
    }
    if (order == 0) return middle;
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return SIZE_MAX;
}

/* Adds the cell whose category in column i is texts[i] (NULL where its margin lacks the column). */
static sfm_status add_cell(cell_table *s, size_t *capacity, size_t m, char *const *texts,
                           const char *where, sfm_error *error) {
  sfm_status status = grow(s, capacity, error);
  if (status) return status;
  const size_t at = s->count++ * s->columns;
  for (size_t i = 0; i < s->columns && s->texts; i++) s->texts[at + i] = NULL;
  for (size_t i = 0; i < s->columns; i++) {
    if (s->texts) {
      if (!(s->texts[at + i] = strdup(texts[i]))) return cli_fail_memory(error);
      continue;
    }
    s->codes[at + i] = texts[i] ? sfm_table_code(s->release, i, texts[i]) : SFM_NO_CODE;
    if (texts[i] && s->codes[at + i] == SFM_NO_CODE)
      return unknown(s->release, where, i, texts[i], error);
  }
  s->found[s->count - 1] =
      s->texts ? find_texts(s, s->texts + at) : sfm_table_find(s->release, m, s->codes + at);
  return SFM_OK;
}

/* The margin of exactly these columns. */
static sfm_status find_margin(const sfm_release *release, uint64_t columns, size_t *m,
                              sfm_error *error) {
  char names[200], wanted[200];
  for (*m = 0; *m < sfm_table_margins(release); ++*m)
    if (sfm_table_margin(release, *m) == columns) return SFM_OK;
  table_view_columns(names, sizeof names, release, columns);
  table_view_columns(wanted, sizeof wanted, release, sfm_table_margin(release, 0));
  if (sfm_table_margins(release) == 1)
    return cli_misuse(error,
                      "this table has the columns %s, but the cells have %s; `sfumato margin` "
                      "makes a table of fewer columns",
                      wanted, columns ? names : "none of them");
  return cli_misuse(error,
                    "no margin of this release has exactly the columns %s; `sfumato show` lists "
                    "the margins, and `sfumato margin` computes others",
                    columns ? names : "given");
}

/* F,north;M,south: of a whole table. */
static sfm_status ask_text(cell_table *s, const char *asked, sfm_error *error) {
  text_list cells;
  size_t capacity = 0;
  if (sfm_table_margins(s->release) > 1)
    return cli_misuse(error, "--at is for one table; for several margins write --points FILE, "
                             "whose first line names the columns");
  sfm_status status = text_split(&cells, asked, ';', error);
  for (size_t k = 0; !status && k < cells.count; k++) {
    text_list one;
    status = text_split(&one, cells.items[k], ',', error);
    if (!status && one.count != s->columns)
      status = cli_misuse(error,
                          "--at: '%.100s' has %zu categories for %zu columns; write one per "
                          "column, separated by commas, and separate cells by semicolons",
                          cells.items[k], one.count, s->columns);
    if (!status) status = add_cell(s, &capacity, 0, one.items, "--at", error);
    text_list_clear(&one);
  }
  text_list_clear(&cells);
  return status;
}

/* Which column of the table stands in each column of the file; the others are ignored. */
static uint64_t read_header(const cell_table *s, csv_line header, long *places) {
  uint64_t mask = 0;
  for (size_t i = 0; i < s->columns; i++) {
    places[i] = csv_find(header, sfm_table_column(s->release, i));
    if (places[i] >= 0) mask |= UINT64_C(1) << i;
  }
  return mask;
}

static sfm_status ask_line(cell_table *s, size_t *capacity, size_t m, csv_line line,
                           const long *places, const char *where, sfm_error *error) {
  enum { ROOM = 1024 };
  char cell[ROOM], *texts[SFM_TABLE_COLUMNS_MAX] = {0};
  sfm_status status = SFM_OK;
  for (long at = 0; !status && csv_next_cell(&line, cell, sizeof cell); at++)
    for (size_t i = 0; !status && i < s->columns; i++)
      if (places[i] == at && !(texts[i] = strdup(cell))) status = cli_fail_memory(error);
  for (size_t i = 0; !status && i < s->columns; i++)
    if (places[i] >= 0 && !texts[i])
      status = cli_misuse(error, "%s: the category of %.100s is missing", where,
                          sfm_table_column(s->release, i));
  if (!status) status = add_cell(s, capacity, m, texts, where, error);
  for (size_t i = 0; i < s->columns; i++) free(texts[i]);
  return status;
}

static sfm_status ask_file(cell_table *s, const char *path, sfm_error *error) {
  file_bytes file = {0};
  csv_line line;
  size_t offset = 0, capacity = 0, m = 0, number = 1;
  long places[SFM_TABLE_COLUMNS_MAX];
  char where[300];
  sfm_status status = file_load(&file, path, error);
  if (!status && !csv_next_line(&file, &offset, &line))
    status = cli_misuse(error, "%s is empty; its first line must name the columns", path);
  if (!status) status = find_margin(s->release, read_header(s, line, places), &m, error);
  while (!status && csv_next_line(&file, &offset, &line)) {
    number++;
    if (line.at == line.end) continue;
    snprintf(where, sizeof where, "%.200s, line %zu", file.name, number);
    status = ask_line(s, &capacity, m, line, places, where, error);
  }
  file_clear(&file);
  return status;
}

static sfm_status check(const sfm_release *release, const cli_options *options, sfm_error *error) {
  if (options_has(options, "grid"))
    return cli_misuse(
        error,
        "%s is a histogram: all cells are printed, or those of --at or --points; leave out --grid",
        options->operand);
  if (options_has(options, "at") && options_has(options, "points"))
    return cli_misuse(error, "give one of --at and --points");
  if (options_has(options, "total"))
    return cli_misuse(error, "--total is for densities: counts are not divided");
  if (!options_has(options, "band")) return SFM_OK;
  if (sfm_release_refined(release))
    return cli_misuse(
        error, "%s is refined and has no band; only the raw release has one. Leave out --band",
        options->operand);
  return isfinite(sfm_release_band(release).half_width)
             ? SFM_OK
             : cli_misuse(error,
                          "%s has no band for all cells at once (`sfumato show` prints what is "
                          "known); leave out --band",
                          options->operand);
}

sfm_status eval_table(const sfm_release *release, const group_selection *chosen,
                      const cli_options *options, unsigned format, sfm_error *error) {
  (void)chosen;
  static void (*const writers[])(const cell_table *, FILE *) = {write_csv, write_json, write_npy};
  const char *at = options_get(options, "at"), *points = options_get(options, "points");
  cell_table s = {.release = release,
                  .columns = sfm_table_columns(release),
                  .count = at || points ? 0 : sfm_release_length(release),
                  .band = options_has(options, "band"),
                  .format = format};
  output out;
  sfm_status status = check(release, options, error);
  const long long exact = status || !s.band ? -1 : table_view_exact(release);
  if (exact >= 0)
    fprintf(stderr,
            "note: a count of %lld or less may be exact, or a larger count with noise; the release "
            "does not say which. lower and upper are for a noisy count\n",
            exact);
  if (!status) status = keep_labels(&s, error);
  if (!status && at) status = ask_text(&s, at, error);
  if (!status && points) status = ask_file(&s, points, error);
  if (!status) status = output_open(&out, options_get(options, "output"), error);
  if (!status) {
    writers[format](&s, out.file);
    status = output_close(&out, error);
  }
  cell_table_clear(&s);
  return status;
}
