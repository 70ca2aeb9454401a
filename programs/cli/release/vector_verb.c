/* vector_verb.c - sfumato vector: any private vector whose sensitivity the owner can state.
 *
 * Public: the options, the header and the number of line ends after it.  Private: what the lines
 * hold; a cell that is not a number is zero and nothing says so. */
#include <stdlib.h>
#include <string.h>

#include "cli/partial/partial_files.h"
#include "cli/io/file_bytes.h"
#include "cli/io/npy_array.h"
#include "cli/io/csv_line.h"
#include "cli/request/vector_options.h"
#include "cli/io/result_output.h"
#include "cli/report/report.h"
#include "cli/core/text.h"
#include "cli/core/verbs.h"
#include "release_command.h"

static const cli_option options_table[] = {
    CLI_GROUP(vector),
    {.same = &option_vector_noise,
     .fallback = "normal with --delta, else k-norm for linf and polytopes, else laplace"},
    {"column", "NAME", "the column of the CSV that contains the vector, if there are several"},
    CLI_GROUP(stated_people),
    CLI_SAME(calibration),
    CLI_SAME(band),
    CLI_GROUP(release),
    {0},
};

/* Where the vector stands in its file: the lines of a CSV after the header, or an NPY array. */
typedef struct theta {
  file_bytes file;
  bool npy;
  npy_array array;
  size_t offset; /* of the first line after the header */
  long column;
  size_t length;
} theta;

static sfm_status find_column(theta *t, csv_line header, const char *name, sfm_error *error) {
  size_t cells = csv_count_cells(header);
  t->column = name ? csv_find(header, name) : 0;
  if (csv_has_number(header))
    return cli_misuse(error,
                      "%s seems to have no header: its first line is a number; write the name of "
                      "the column on the first line",
                      t->file.name);
  if (t->column < 0)
    return cli_misuse(error, "%s has no column '%s' in its first line", t->file.name, name);
  if (!name && cells > 1)
    return cli_misuse(error,
                      "%s has %zu columns; name the one that contains the vector: --column NAME",
                      t->file.name, cells);
  return SFM_OK;
}

/* Finds the vector and its public length without looking at any number. */
static sfm_status open_theta(theta *t, const char *path, const char *column, sfm_error *error) {
  csv_line line;
  sfm_status status = file_load(&t->file, path, error);
  if (status) return status;
  t->npy = npy_is(&t->file);
  if (t->npy) {
    if (column)
      return cli_misuse(error, "--column is for CSV, but %s is an NPY array", t->file.name);
    status = npy_open(&t->array, &t->file, error);
    if (!status && t->array.axes != 1)
      status = cli_misuse(error, "%s is not a vector: its array has two axes", t->file.name);
    t->length = t->array.shape[0];
    return status;
  }
  if (!csv_next_line(&t->file, &t->offset, &line))
    return cli_fail(
        error, SFM_FORMAT,
        "%s is empty; its first line must name the column, and every other line is one number",
        t->file.name);
  status = find_column(t, line, column, error);
  for (size_t at = t->offset; !status && csv_next_record(&t->file, &at, &line);) t->length++;
  return status;
}

/* The private numbers, read once the charge stands; what cannot be read is zero. */
static sfm_status read_theta(void *context, double *values, size_t length, sfm_error *error) {
  const theta *t = context;
  size_t offset = t->offset, i = 0;
  csv_line line;
  if (t->npy) {
    const double *numbers;
    double *owned;
    sfm_status status = npy_numbers(&numbers, &owned, &t->array, error);
    if (!status) memcpy(values, numbers, length * sizeof *values);
    free(owned);
    return status;
  }
  while (i < length && csv_next_record(&t->file, &offset, &line)) {
    char cell[400];
    bool found = false;
    double number;
    for (long c = 0; c <= t->column; c++) found = csv_next_cell(&line, cell, sizeof cell);
    if (found && text_number(&number, cell)) values[i] = number;
    i++;
  }
  return SFM_OK;
}

typedef struct vector_request {
  vector_options of;
  theta theta;
} vector_request;

static sfm_status read_request(release_task *task, sfm_error *error) {
  vector_request *r = task->request;
  const sfm_status status = vector_options_read(&r->of, task->options, error);
  r->of.settings.read = read_theta;
  r->of.settings.read_data = &r->theta;
  return status;
}

static sfm_status release(release_task *task, sfm_rows *rows, sfm_error *error) {
  vector_request *r = task->request;
  (void)rows;
  theta *t = &r->theta;
  sfm_status status =
      open_theta(t, task->options->operand, options_get(task->options, "column"), error);
  if (!status) status = vector_options_check_length(&r->of, t->length, error);
  if (!status) status = sfm_vector_check(&r->of.settings, t->length, error);
  return status ? status
                : sfm_vector_release(&task->release, NULL, t->length, &r->of.settings, error);
}

static void report(const release_task *task) {
  report_written(stderr, task->release, task->path, NULL);
  report_next(stderr, task->release, task->path);
}

static void clear(void *request) {
  vector_request *r = request;
  vector_options_clear(&r->of);
  file_clear(&r->theta.file);
}

static const release_command command = {RELEASE_REQUEST(vector_request, of.settings.context),
                                        .output = "vector.sfm",
                                        .read = read_request,
                                        .alone = true,
                                        .release = release,
                                        .report = report,
                                        .clear = clear};

const cli_verb verb_vector = {
    .name = "vector",
    .summary = "release a private vector whose sensitivity you can state",
    .usage = "THETA --sensitivity NORM:SIZE --epsilon E [options] -o FILE",
    .operand = "THETA",
    .operand_help = "CSV (a header, then one number per line; the last line must end with a line "
                    "end, too) or one-dimensional NPY; - is standard input",
    .options = options_table,
    .refused = options_no_partials,
    .about =
        "Private: the numbers. A number that cannot be read is taken as 0, without a message.\n"
        "Public: everything you write here and how many numbers there are. The guarantee holds "
        "only if the sensitivity is correct; sfumato cannot check it.\n"
        "Gamma noise, ellipsoids and k-norm noise in polytopes are idealised: private in exact "
        "arithmetic, not hardened against attacks on floating-point numbers. The release says so.",
    .example = "sfumato vector theta.csv --sensitivity l1:2 --epsilon 1 -o v.sfm\n"
               "sfumato vector theta.csv --sensitivity linf:1 --epsilon 1 -o v.sfm\n"
               "sfumato vector theta.npy --sensitivity l2:1 --epsilon 1 --delta 1e-6 -o v.sfm",
    .command = &command,
};
