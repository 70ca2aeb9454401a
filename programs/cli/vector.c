/* vector.c - sfumato vector: any private vector whose sensitivity the owner can state.
 *
 * Public: the options, the header and the number of lines.  Private: what the lines hold; a cell
 * that is not a number is zero and nothing says so. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "charging.h"
#include "report.h"
#include "sfumato/vector.h"
#include "text.h"
#include "verbs.h"

static const cli_option options_table[] = {
    {"sensitivity", "NORM:SIZE",
     "how far one record can move the vector: l1:2, l2:1, or ellipsoid:@S.npy, a positive definite "
     "matrix S with v' S^-1 v <= 1 for every move v",
     NULL, 0},
    {"epsilon", "E", "privacy loss allowed, above 0: the smaller, the more private", NULL, 0},
    {"delta", "D", "above 0 and below 1, for normal noise", NULL, 0},
    {"noise", "laplace|normal|gamma",
     "laplace: pure epsilon, for l1; normal: needs --delta; gamma: pure epsilon for l2 and "
     "ellipsoids, idealised",
     "normal with --delta, else laplace", 0},
    {"column", "NAME", "which column of the CSV holds the vector, when there are several", NULL, 0},
    CLI_OPTION_NEIGHBOURS,
    {"contributions", "K",
     "the most records one person can have; the sensitivity is multiplied by "
     "it",
     "1", 0},
    {"person", "COLUMN",
     "with a ledger: the sensitivity is that of all records of one person, named by this column of "
     "the rows; what one dataset is charged must agree on it",
     NULL, 0},
    CLI_OPTION_CALIBRATION,
    {"band", "C", "confidence of the error band, between 0 and 1", "0.95", 0},
    CLI_OPTIONS_CHARGE,
    CLI_OPTION_SEED,
    {"json", NULL, "after writing, print the summary (as show --json) on one line", NULL, 0},
    {"output", "FILE", "the release to write, by custom ending in .sfm; - is standard output", NULL,
     'o'},
    {0},
};

/* The matrix S of an ellipsoid, from an NPY file. */
typedef struct ellipsoid {
  file_bytes file;
  double *owned;
  size_t size;
} ellipsoid;

static sfm_status read_ellipsoid(sfm_vector_settings *s, ellipsoid *e, const char *text,
                                 sfm_error *error) {
  npy_array array;
  if (text[0] != '@' || !text[1])
    return cli_fail(error, SFM_INVALID,
                    "--sensitivity ellipsoid needs a matrix file; write ellipsoid:@S.npy");
  sfm_status status = file_load(&e->file, text + 1, error);
  if (!status) status = npy_open(&array, &e->file, error);
  if (!status && (array.axes != 2 || array.shape[0] != array.shape[1] || !array.shape[0]))
    status = cli_fail(error, SFM_INVALID, "%s is not a square matrix", text + 1);
  if (!status) status = npy_numbers(&s->ellipsoid, &e->owned, &array, error);
  if (!status) e->size = array.shape[0];
  return status;
}

static sfm_status read_sensitivity(sfm_vector_settings *s, ellipsoid *e, const char *text,
                                   sfm_error *error) {
  const char *colon = text ? strchr(text, ':') : NULL;
  if (!text)
    return cli_fail(error, SFM_INVALID,
                    "--sensitivity is missing: how far one record can move the vector, which only "
                    "you can know; write l1:2, l2:1 or ellipsoid:@S.npy");
  size_t length = colon ? (size_t)(colon - text) : strlen(text);
  s->sensitivity = 1;
  if (colon && length == 9 && strncmp(text, "ellipsoid", 9) == 0) {
    s->norm = SFM_ELLIPSOID;
    return read_ellipsoid(s, e, colon + 1, error);
  }
  if (!colon || length != 2 || (strncmp(text, "l1", 2) != 0 && strncmp(text, "l2", 2) != 0))
    return cli_fail(error, SFM_INVALID,
                    "--sensitivity: '%s' does not start with a norm; write l1:2, l2:1 or "
                    "ellipsoid:@S.npy",
                    text);
  s->norm = text[1] == '1' ? SFM_L1 : SFM_L2;
  if (!text_number(&s->sensitivity, colon + 1) || !isfinite(s->sensitivity) ||
      !(s->sensitivity > 0))
    return cli_fail(error, SFM_INVALID,
                    "--sensitivity: '%s' is not a finite number above zero; write for example "
                    "%.2s:1",
                    colon + 1, text);
  return SFM_OK;
}

static sfm_status read_settings(sfm_vector_settings *s, ellipsoid *e, const cli_options *options,
                                sfm_error *error) {
  static const char *const noises[] = {"laplace", "normal", "gamma", NULL};
  static const char *const calibrations[] = {"exact", "classical", NULL};
  static const char *const words[] = {"replace", "add-remove", NULL};
  unsigned calibration = 0, neighbours = 0, noise;
  uint64_t contributions = 1;
  *s = sfm_vector_settings_default();
  if (!options_has(options, "epsilon"))
    return cli_fail(error, SFM_INVALID,
                    "--epsilon is missing: the privacy loss you allow, the smaller the more "
                    "private; write for example --epsilon 1");
  sfm_status status = options_positive(options, &s->epsilon, "epsilon", "1", error);
  if (!status) status = options_fraction(options, &s->delta, "delta", "1e-6", error);
  noise = s->delta > 0 ? SFM_VECTOR_NORMAL : SFM_VECTOR_LAPLACE;
  if (!status) status = options_choice(options, &noise, "noise", noises, error);
  if (!status) status = options_choice(options, &calibration, "calibration", calibrations, error);
  if (!status) status = options_choice(options, &neighbours, "neighbours", words, error);
  if (!status) status = options_count(options, &contributions, "contributions", 1, 1000000, error);
  if (!status) status = options_fraction(options, &s->confidence, "band", "0.95", error);
  if (!status) status = options_count(options, &s->seed, "seed", 0, UINT64_MAX, error);
  if (status) return status;
  s->noise = (sfm_vector_noise)noise;
  s->calibration = (sfm_calibration)calibration;
  s->neighbours = (sfm_neighbours)neighbours;
  s->contributions = (uint32_t)contributions;
  s->seeded = options_has(options, "seed");
  s->person = options_get(options, "person");
  if (s->noise == SFM_VECTOR_NORMAL && !(s->delta > 0))
    return cli_fail(error, SFM_INVALID,
                    "--noise normal needs a delta; write for example --delta 1e-6, or use --noise "
                    "laplace");
  if (options_has(options, "calibration") && s->noise != SFM_VECTOR_NORMAL)
    return cli_fail(error, SFM_INVALID, "--calibration is for --noise normal only");
  return read_sensitivity(s, e, options_get(options, "sensitivity"), error);
}

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
    return cli_fail(error, SFM_INVALID,
                    "%s seems to have no header: its first line holds a number; put a name for the "
                    "column on the first line",
                    t->file.name);
  if (t->column < 0)
    return cli_fail(error, SFM_INVALID, "%s has no column '%s' in its first line", t->file.name,
                    name);
  if (!name && cells > 1)
    return cli_fail(error, SFM_INVALID,
                    "%s has %zu columns; say which one holds the vector: --column NAME",
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
      return cli_fail(error, SFM_INVALID, "--column is for CSV; %s is an NPY array", t->file.name);
    status = npy_open(&t->array, &t->file, error);
    if (!status && t->array.axes != 1)
      status =
          cli_fail(error, SFM_INVALID, "%s is not a vector: its array has two axes", t->file.name);
    t->length = t->array.shape[0];
    return status;
  }
  if (!csv_next_line(&t->file, &t->offset, &line))
    return cli_fail(error, SFM_FORMAT,
                    "%s is empty; its first line must name the column, one number a line follows",
                    t->file.name);
  status = find_column(t, line, column, error);
  for (size_t at = t->offset; !status && csv_next_line(&t->file, &at, &line);) t->length++;
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
  while (i < length && csv_next_line(&t->file, &offset, &line)) {
    char cell[400];
    bool found = false;
    double number;
    for (long c = 0; c <= t->column; c++) found = csv_next_cell(&line, cell, sizeof cell);
    if (found && text_number(&number, cell)) values[i] = number;
    i++;
  }
  return SFM_OK;
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  const char *path = options_get(options, "output");
  sfm_vector_settings settings;
  charge c = {0};
  ellipsoid body = {0};
  theta t = {0};
  sfm_release *release = NULL;
  sfm_status status = read_settings(&settings, &body, options, error);
  if (!status) status = report_check_output(options, "vector.sfm", error);
  if (!status) status = charge_open(&c, options, options->operand, path, error);
  if (!status) settings.charge = c.use;
  if (!status) status = open_theta(&t, options->operand, options_get(options, "column"), error);
  if (!status && body.size && body.size != t.length)
    status =
        cli_fail(error, SFM_INVALID, "the ellipsoid is %zu x %zu, but the vector has %zu numbers",
                 body.size, body.size, t.length);
  if (!status) status = sfm_vector_check(&settings, t.length, error);
  settings.read = read_theta;
  settings.read_context = &t;
  if (!status) status = sfm_vector_release(&release, NULL, t.length, &settings, error);
  if (!status) status = charge_write(release, path, error);
  if (!status && settings.seeded) report_seeded(stderr, "vector");
  if (!status) report_written(stderr, release, path, NULL);
  if (!status) report_next(stderr, release, path);
  if (!status) status = report_summary(release, options, error);
  sfm_release_destroy(release);
  charge_close(&c);
  free(body.owned);
  file_clear(&body.file);
  file_clear(&t.file);
  return status;
}

const cli_verb verb_vector = {
    .name = "vector",
    .summary = "release a private vector whose sensitivity you can state",
    .usage = "THETA --sensitivity NORM:SIZE --epsilon E [options] -o FILE",
    .operand = "THETA",
    .operand_help = "CSV (a header, then one number a line) or one-dimensional NPY; - is standard "
                    "input",
    .options = options_table,
    .about = "Private: the numbers. One that cannot be read counts as zero, and nothing says so.\n"
             "Public: everything you write here and how many numbers there are. The guarantee "
             "holds only if the sensitivity does: sfumato cannot check it.\n"
             "Gamma noise and ellipsoids are idealised: private in exact arithmetic, not hardened "
             "against attacks on floating-point numbers; the release says so.",
    .example = "sfumato vector theta.csv --sensitivity l1:2 --epsilon 1 -o v.sfm\n"
               "sfumato vector theta.npy --sensitivity l2:1 --epsilon 1 --delta 1e-6 -o v.sfm",
    .run = run,
};
