/* eval_verb.c - sfumato eval: the values of a release at points, on a grid, or all of a vector. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/core/text.h"
#include "cli/request/group_options.h"
#include "cli/report/group_selection.h"
#include "cli/io/release_file.h"
#include "cli/io/output.h"
#include "cli/io/points.h"
#include "cli/report/report.h"
#include "sfumato/choose.h"
#include "sfumato/density.h"
#include "cli/io/value_table.h"
#include "cli/core/verbs.h"
#include "eval_machine.h"
#include "eval_table.h"
#include "sfumato/crosstab.h"
#include "sfumato/machine.h"

static const cli_option options_table[] = {
    {"at", "POINTS",
     "one variable: numbers separated by commas (35,40,45.5); several variables: points separated "
     "by semicolons ('-74,40.7;-73.9,40.8'); histogram: cells, one category or number per column "
     "('F,north;M,south')",
     NULL, 0},
    {"grid", "N[xM...]",
     "a regular grid over the domain, bounds included, N points along every axis, or one number "
     "per axis",
     NULL, 0},
    {"points", "FILE",
     "CSV whose header names the release's variables, or NPY of shape (points, variables). "
     "Histogram: CSV whose header names the columns of a margin. Machine: also libsvm text, plain "
     "or gzip. Machine of Gram matrices: NPY of shape (points, public points) with the values of "
     "the kernel. - is standard input",
     NULL, 0},
    {"keep", "COLUMNS",
     "machine, csv: columns of the points' CSV to print first, unchanged, separated by commas "
     "(id,name)",
     NULL, 0},
    {"classes", NULL, "machine: also print the predicted label", NULL, 0},
    {"format", "csv|json|npy",
     "csv: variables and value, one line per point (groups: categories first); json: {\"points\": "
     "[[..]], \"values\": [..]}, groups: {\"points\", \"size_error\", \"groups\": [{\"group\", "
     "\"size\", \"values\"}]}; npy: the values as float64, with --grid in the shape of the grid "
     "(groups: the first axis). Histogram: csv: its columns and count, one line per cell; json: "
     "{\"columns\", \"cells\": [[..]], \"counts\": [..]}; npy: the counts, a whole table in its "
     "shape",
     "csv", 0},
    {"band", NULL,
     "also print lower and upper: value minus and plus the half-width that holds everywhere at "
     "once (npy: a last axis of three). If the release consists of values at points, the "
     "half-width is larger between them. For random features it holds at all requested points at "
     "once. For a machine lower and upper hold at each single point, and the column everywhere is "
     "the half-width that holds at all points at once",
     NULL, 0},
    CLI_OPTION_GROUP,
    CLI_OPTION_TOTAL,
    {"output", "FILE", "where to write", "standard output", 'o'},
    CLI_OPTION_LARGE,
    {0},
};

/* What is asked for, and the arrays behind it. */
typedef struct request {
  sfm_release *release;
  group_selection chosen; /* the groups asked for; none where there are none */
  const char **labels;    /* theirs, or those of a vector's numbers */
  double *sizes;
  const char *by[8];
  bool gridded;
  points asked;
  double *places; /* the points of a grid or the indices of a vector, when they are printed */
  double *values, *widths; /* widths: of the band, when it is asked for */
  size_t counts[SFM_MAX_DIMENSION];
  const char *names[SFM_MAX_DIMENSION];
  value_table table;
} request;

static void request_clear(request *r) {
  free(r->places);
  free(r->values);
  free(r->widths);
  free(r->labels);
  free(r->sizes);
  group_selection_clear(&r->chosen);
  points_clear(&r->asked);
  sfm_release_destroy(r->release);
}

/* places[i] = the i-th point of the grid, the last axis fastest. */
static void fill_grid(double *places, const request *r, size_t total) {
  size_t dimension = sfm_release_dimension(r->release);
  double lower[SFM_MAX_DIMENSION], upper[SFM_MAX_DIMENSION];
  for (size_t a = 0; a < dimension; a++) sfm_release_bounds(r->release, &lower[a], &upper[a], a);
  for (size_t i = 0; i < total; i++) {
    size_t rest = i;
    for (size_t a = dimension; a-- > 0;) {
      size_t k = rest % r->counts[a], last = r->counts[a] - 1;
      rest /= r->counts[a];
      places[i * dimension + a] =
          k == last ? upper[a] : lower[a] + (upper[a] - lower[a]) * ((double)k / (double)last);
    }
  }
}

/* Points of a grid; no eye or program wants more. */
static const size_t GRID_MOST = (size_t)1 << 30;

/* How many values a point has. */
static size_t sheets(const request *r) {
  return r->chosen.count ? r->chosen.count : 1;
}

static sfm_status locate_grid(request *r, const char *text, bool places, sfm_error *error) {
  size_t dimension = sfm_release_dimension(r->release), total;
  sfm_status status = points_grid_counts(r->counts, &total, text, "grid", dimension, error);
  if (status) return status;
  if (total > GRID_MOST / sheets(r))
    return cli_fail(error, SFM_INVALID,
                    "--grid %s has %zu points in %zu variables%s, more than %zu: name the points "
                    "that you need (--points FILE)",
                    text, total, dimension, r->chosen.count ? " for every group" : "", GRID_MOST);
  if (places) r->places = malloc(total * dimension * sizeof *r->places);
  if (places && !r->places) return cli_fail_memory(error);
  if (places) fill_grid(r->places, r, total);
  r->table.points = r->places;
  r->gridded = true;
  r->table.count = total;
  r->table.shape = r->counts;
  r->table.axes = dimension;
  return SFM_OK;
}

/* The places of a release that is values, all of them. */
static sfm_status list_places(request *r, sfm_error *error) {
  const size_t count = sfm_release_length(r->release), d = sfm_release_dimension(r->release);
  r->asked.owned = malloc((count * d + 1) * sizeof *r->asked.owned);
  if (!r->asked.owned) return cli_fail_memory(error);
  for (size_t i = 0; i < count; i++) sfm_release_place(r->release, r->asked.owned + i * d, i);
  r->asked.at = r->asked.owned;
  r->asked.count = count;
  return SFM_OK;
}

static sfm_status locate_points(request *r, const cli_options *options, sfm_error *error) {
  const char *at = options_get(options, "at"), *file = options_get(options, "points");
  const size_t dimension = sfm_release_dimension(r->release);
  sfm_status status;
  if (at)
    status = points_from_text(&r->asked, at, dimension, error);
  else if (file)
    status = points_from_file(&r->asked, file, r->names, dimension, error);
  else
    status = list_places(r, error);
  if (status) return status;
  r->table.points = r->asked.at;
  r->table.count = r->counts[0] = r->asked.count;
  r->table.shape = r->counts;
  r->table.axes = 1;
  return SFM_OK;
}

static sfm_status eval_vector(request *r, bool band, sfm_error *error) {
  size_t length = sfm_release_length(r->release);
  const double half_width = sfm_release_band(r->release).half_width;
  r->values = malloc((length + 1) * sizeof *r->values);
  r->places = malloc((length + 1) * sizeof *r->places);
  if (band) r->table.widths = r->widths = malloc((length + 1) * sizeof *r->widths);
  if (!r->values || !r->places || (band && !r->widths)) return cli_fail_memory(error);
  for (size_t i = 0; i < length; i++) {
    if (band) r->widths[i] = half_width;
    r->places[i] = (double)i;
    r->values[i] = sfm_release_coefficient(r->release, i);
  }
  r->names[0] = sfm_release_label(r->release, 0) ? "query" : "index";
  if (sfm_release_label(r->release, 0)) {
    r->labels = malloc((length + 1) * sizeof *r->labels);
    if (!r->labels) return cli_fail_memory(error);
    for (size_t i = 0; i < length; i++) r->labels[i] = sfm_release_label(r->release, i);
    r->table.texts = r->labels;
  }
  r->counts[0] = length;
  r->table.dimension = 1;
  r->table.points = r->places;
  r->table.count = length;
  r->table.shape = r->counts;
  r->table.axes = 1;
  return SFM_OK;
}

/* A word on points between the places of a release that is values. */
static void note_between(const request *r, const sfm_evaluator *evaluator) {
  const value_table *t = &r->table;
  const size_t between = t->points ? sfm_evaluator_interpolated(evaluator, t->points, t->count) : 0;
  const bool own = sfm_release_kernel(r->release) == SFM_KERNEL_OWN;
  if (between)
    fprintf(stderr, "note: %zu of %zu points are not points of this release; %s\n", between,
            t->count,
            own ? "there is no value there, because the kernel was the owner's own"
                : "values there are interpolated by its kernel");
}

/* The values of one release at the points, and the widths of its band where they are asked for. */
static sfm_status evaluate(const request *r, const sfm_release *release, double *values,
                           double *widths, double total, sfm_error *error) {
  const value_table *t = &r->table;
  sfm_evaluator *evaluator = NULL;
  sfm_status status = sfm_evaluator_create(&evaluator, release, total, error);
  if (!status)
    status = r->gridded ? sfm_evaluator_grid(evaluator, values, r->counts, error)
                        : sfm_evaluator_at(evaluator, values, t->points, t->count, error);
  if (!status) note_between(r, evaluator);
  if (!status && widths && t->points)
    status = sfm_evaluator_widths(evaluator, widths, t->points, t->count, error);
  for (size_t i = 0; !status && widths && !t->points && i < t->count; i++)
    widths[i] = sfm_release_band(release).half_width;
  sfm_evaluator_destroy(evaluator);
  return status;
}

/* Of a group of which nothing is known there are no values. */
static void leave_out(const request *r, size_t k) {
  char label[200], text[512];
  double size, deviation;
  const size_t g = r->chosen.groups[k], count = r->table.count;
  group_label_text(label, sizeof label, r->release, g);
  sfm_release_group_size(r->release, &size, &deviation, g);
  snprintf(text, sizeof text,
           "group %s has too few records (noisy size %.4g, standard error %.3g): it has no values",
           label, size, deviation);
  text_print_labelled(stderr, "note", text);
  for (size_t i = k * count; i < (k + 1) * count; i++) {
    r->values[i] = NAN;
    if (r->widths) r->widths[i] = NAN;
  }
}

/* The chosen groups, some at a time: each is a release of its own in memory. */
static sfm_status evaluate_groups(request *r, sfm_error *error) {
  enum { CHUNK = 256 };
  sfm_release *groups[CHUNK];
  const size_t count = r->table.count;
  sfm_status status = SFM_OK;
  for (size_t first = 0; !status && first < r->chosen.count; first += CHUNK) {
    const size_t left = r->chosen.count - first, n = left < CHUNK ? left : CHUNK;
    status = sfm_release_groups(groups, r->release, r->chosen.groups + first, n, error);
    if (status) break;
    for (size_t i = 0; i < n; i++) {
      const size_t k = first + i;
      if (!status && sfm_release_too_few(groups[i]))
        leave_out(r, k);
      else if (!status)
        status = evaluate(r, groups[i], r->values + k * count,
                          r->widths ? r->widths + k * count : NULL, 0, error);
      sfm_release_destroy(groups[i]);
    }
  }
  return status;
}

/* The names and sizes of the chosen groups. */
static sfm_status list_groups(request *r, sfm_error *error) {
  const size_t columns = sfm_release_by_count(r->release), count = r->chosen.count;
  double deviation = 0;
  r->labels = malloc((count * columns + 1) * sizeof *r->labels);
  r->sizes = malloc((count + 1) * sizeof *r->sizes);
  if (!r->labels || !r->sizes) return cli_fail_memory(error);
  for (size_t i = 0; i < columns; i++) r->by[i] = sfm_release_by(r->release, i);
  for (size_t k = 0; k < count; k++) {
    const size_t g = r->chosen.groups[k];
    sfm_release_group_size(r->release, &r->sizes[k], &deviation, g);
    for (size_t i = 0; i < columns; i++)
      r->labels[k * columns + i] = sfm_release_group_label(r->release, g, i);
  }
  r->table.by = (value_table_groups){r->by, columns, r->labels, r->sizes, deviation, count};
  return SFM_OK;
}

static sfm_status eval_function(request *r, const cli_options *options, bool places, double total,
                                sfm_error *error) {
  const char *grid = options_get(options, "grid");
  double first[SFM_MAX_DIMENSION];
  places = places || sfm_release_place(r->release, first, 0);
  for (size_t a = 0; a < sfm_release_dimension(r->release); a++)
    r->names[a] = sfm_release_column(r->release, a);
  r->table.dimension = sfm_release_dimension(r->release);
  sfm_status status = grid ? locate_grid(r, grid, places, error) : locate_points(r, options, error);
  if (!status && r->chosen.count) status = list_groups(r, error);
  if (status) return status;
  const size_t room = sheets(r) * r->table.count + 1;
  r->values = malloc(room * sizeof *r->values);
  if (options_has(options, "band")) r->table.widths = r->widths = malloc(room * sizeof *r->widths);
  if (!r->values || (options_has(options, "band") && !r->widths)) return cli_fail_memory(error);
  return r->chosen.count ? evaluate_groups(r, error)
                         : evaluate(r, r->release, r->values, r->widths, total, error);
}

/* The options that depend on what the release is. */
static sfm_status check_request(const request *r, const cli_options *options, sfm_error *error) {
  int given =
      options_has(options, "at") + options_has(options, "grid") + options_has(options, "points");
  bool vector = sfm_release_dimension(r->release) == 0;
  if (strcmp(sfm_release_kind(r->release), "mechanism") == 0)
    return cli_fail(error, SFM_INVALID,
                    "%s is a mechanism and has no numbers to print: `sfumato show` describes it, "
                    "`sfumato count` answers with it",
                    options->operand);
  if (vector && given)
    return cli_fail(error, SFM_INVALID,
                    "%s is a vector: all of its numbers are printed; leave out --at, --grid and "
                    "--points",
                    options->operand);
  double first[SFM_MAX_DIMENSION];
  const bool places = sfm_release_place(r->release, first, 0);
  if (!vector && (given > 1 || (given == 0 && !places)))
    return cli_fail(error, SFM_INVALID,
                    "give one of --at POINTS, --grid N and --points FILE; for example --grid 101");
  if (options_has(options, "band") && sfm_release_refined(r->release))
    return cli_fail(error, SFM_INVALID,
                    "%s is refined and has no band; only the raw release has one. Leave out --band",
                    options->operand);
  if (options_has(options, "total") &&
      (vector || sfm_release_neighbours(r->release) == SFM_REPLACE))
    return cli_fail(error, SFM_INVALID,
                    "--total is for densities released under add-remove; leave it out");
  if (options_has(options, "total") && r->chosen.count)
    return cli_fail(error, SFM_INVALID,
                    "--total is not for groups: each group is divided by its own noisy size");
  if (options_has(options, "total") && options_has(options, "band"))
    return cli_fail(
        error, SFM_INVALID,
        "the band is for the release divided by its noisy total; leave out --total or --band");
  return SFM_OK;
}

static sfm_status write_table(const value_table *table, unsigned format, const char *path,
                              sfm_error *error) {
  static void (*const writers[])(const value_table *, FILE *) = {
      value_table_write_csv, value_table_write_json, value_table_write_npy};
  output out;
  sfm_status status = output_open(&out, path, error);
  if (status) return status;
  writers[format](table, out.file);
  return output_close(&out, error);
}

/* A count, a mean or a choice is one line of CSV, if nothing else is asked for. */
static bool is_single(const sfm_release *release, const cli_options *options) {
  static const char *const apart[] = {"at", "grid", "points", "classes", "group", "total", NULL};
  const char *kind = sfm_release_kind(release);
  for (size_t i = 0; apart[i]; i++)
    if (options_has(options, apart[i])) return false;
  return strcmp(kind, "count") == 0 || strcmp(kind, "mean") == 0 || strcmp(kind, "choice") == 0;
}

static sfm_status write_single(const sfm_release *release, const char *path, sfm_error *error) {
  const double value = sfm_release_coefficient(release, 0),
               width = sfm_release_band(release).half_width;
  const bool counted = strcmp(sfm_release_kind(release), "count") == 0;
  output out;
  sfm_status status = output_open(&out, path, error);
  if (status) return status;
  if (sfm_release_candidates(release)) {
    fputs("chosen\n", out.file);
    value_table_write_name(out.file, sfm_release_candidate(release, sfm_release_chosen(release)));
  } else {
    fputs(counted ? "count,lower,upper\n" : "mean\n", out.file);
    output_number(out.file, value, "nan");
    for (int sign = -1; counted && sign <= 1; sign += 2) {
      fputc(',', out.file);
      output_number(out.file, value + sign * width, sign < 0 ? "-inf" : "inf");
    }
  }
  fputc('\n', out.file);
  return output_close(&out, error);
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  static const char *const formats[] = {"csv", "json", "npy", NULL};
  const char *path = options_get(options, "output");
  unsigned format = 0;
  double total = 0;
  request r = {0};
  sfm_machine machine;
  sfm_status status = options_choice(options, &format, "format", formats, error);
  if (!status) status = options_positive(options, &total, "total", "1000", error);
  if (!status && format == 2 && (!path || strcmp(path, "-") == 0) && isatty(STDOUT_FILENO))
    status =
        cli_fail(error, SFM_INVALID,
                 "npy is binary and standard output is a terminal; write -o FILE or use a pipe");
  if (!status) status = release_file_read(&r.release, options, options->operand, error);
  if (!status && format == 0 && is_single(r.release, options)) {
    status = write_single(r.release, path, error);
    goto cleanup;
  }
  if (!status) status = report_many(r.release, error);
  if (!status) status = group_selection_read(&r.chosen, r.release, options, error);
  if (!status && sfm_release_machine(r.release, &machine)) {
    status = eval_machine(r.release, options, format, error);
    goto cleanup;
  }
  if (!status && options_has(options, "classes"))
    status = cli_fail(error, SFM_INVALID, "--classes is for machines; %s is a %s: leave it out",
                      options->operand, sfm_release_kind(r.release));
  if (!status && options_has(options, "keep"))
    status = cli_fail(error, SFM_INVALID, "--keep is for machines; %s is a %s: leave it out",
                      options->operand, sfm_release_kind(r.release));
  if (!status && sfm_table_columns(r.release)) {
    status = eval_table(r.release, options, format, error);
    goto cleanup;
  }
  if (!status) status = check_request(&r, options, error);
  if (!status && sfm_release_dimension(r.release) == 0)
    status = eval_vector(&r, options_has(options, "band"), error);
  else if (!status)
    status = eval_function(&r, options, format != 2, total, error);
  if (!status) {
    r.table.names = r.names;
    r.table.values = r.values;
    status = write_table(&r.table, format, path, error);
  }
cleanup:
  request_clear(&r);
  return status;
}

const cli_verb verb_eval = {
    .name = "eval",
    .summary = "print the values of a release at points or on a grid",
    .usage = "RELEASE [--at POINTS | --grid N | --points FILE] [options]",
    .operand = "RELEASE",
    .operand_help = "a release (.sfm); - is standard input",
    .options = options_table,
    .about =
        "Evaluating costs no privacy, however often it is done. Outside the domain there is no "
        "value: nan in csv and npy, null in json.\n"
        "Densities: a release by groups is evaluated group after group, each divided by its own "
        "noisy size; a group with too few records has no values. A release of the engines "
        "circulant, markov and gram consists of values at points: elsewhere it is interpolated by "
        "its kernel, and a note says so.\n"
        "Vectors need no points: the numbers are printed with their index from 0, or with the "
        "names of their queries if the release has them (json: \"queries\").\n"
        "Histograms: all cells are printed. A sparse histogram prints the cells that it lists; a "
        "requested cell that is not listed is 0. Columns that are not in a margin are empty.\n"
        "A count, a mean or a choice is one line of CSV: count,lower,upper; mean; chosen.\n"
        "Machines: the columns of the points (up to 64) are followed by value (value_LABEL for "
        "each label if there are more than two) and with --classes by class. A point with an empty "
        "cell has no value. Cells beyond the bounds are treated like those of the training rows.",
    .example = "sfumato eval age.sfm --at 35,40,45.5\n"
               "sfumato eval age.sfm --grid 101 --band -o curve.csv\n"
               "sfumato eval groups.sfm --group F,north --grid 101\n"
               "sfumato eval table.sfm --format csv -o table.csv\n"
               "sfumato eval map.sfm --points points.npy --format npy -o values.npy\n"
               "sfumato eval model.sfm --points new.csv --classes",
    .run = run,
};
