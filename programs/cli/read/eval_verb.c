/* eval_verb.c - sfumato eval: the values of a release at points, on a grid, or all of a vector. */
#include "cli/core/verbs.h"
#include "cli/io/result_output.h"
#include "cli/io/release_file.h"
#include "cli/io/value_table.h"
#include "cli/report/kind_view.h"
#include "cli/request/group_options.h"

static const cli_option options_table[] = {
    {"at", "POINTS",
     "one variable: numbers separated by commas (35,40,45.5); several variables: points separated "
     "by semicolons ('-74,40.7;-73.9,40.8'); histogram: cells, one category or number per column "
     "('F,north;M,south')"},
    {"grid", "N[xM...]",
     "a regular grid over the domain, bounds included, N points along every axis, or one number "
     "per axis"},
    {"points", "FILE",
     "CSV whose header names the release's variables, or NPY of shape (points, variables). "
     "Histogram: CSV whose header names the columns of a margin. Machine: also libsvm text, plain "
     "or gzip. Machine of Gram matrices: NPY of shape (points, public points) with the values of "
     "the kernel. - is standard input"},
    {"keep", "COLUMNS",
     "machine, csv: columns of the points' CSV to print first, unchanged, separated by commas "
     "(id,name)"},
    {"classes", NULL, "machine: also print the predicted label"},
    {"format", "csv|json|npy",
     "csv: variables and value, one line per point (groups: categories first); json: {\"points\": "
     "[[..]], \"values\": [..]}, groups: {\"points\", \"size_error\", \"groups\": [{\"group\", "
     "\"size\", \"values\"}]}; npy: the values as float64, with --grid in the shape of the grid "
     "(groups: the first axis). Histogram: csv: its columns and count, one line per cell; json: "
     "{\"columns\", \"cells\": [[..]], \"counts\": [..]}; npy: the counts, a whole table in its "
     "shape",
     "csv", CLI_WORDS("csv", "json", "npy")},
    {"band", NULL,
     "also print lower and upper: value minus and plus the half-width that holds everywhere at "
     "once (npy: a last axis of three). If the release consists of values at points, the "
     "half-width is larger between them. For random features it holds at all requested points at "
     "once. For a machine lower and upper hold at each single point, and the column everywhere is "
     "the half-width that holds at all points at once"},
    CLI_OPTION_GROUP,
    CLI_OPTION_TOTAL,
    {"output", "FILE", "where to write", "standard output", 'o'},
    CLI_OPTION_LARGE,
    {0},
};

/* Options that only machines have. */
static sfm_status check_options(const cli_options *options, const sfm_release *release,
                                sfm_error *error) {
  static const char *const names[] = {"classes", "keep"};
  if (sfm_release_kind(release) == SFM_KIND_MACHINE) return SFM_OK;
  for (size_t i = 0; i < 2; i++)
    if (options_has(options, names[i]))
      return cli_misuse(error, "--%s is for machines; %s is a %s: leave it out", names[i],
                        options->operand, sfm_kind_name(sfm_release_kind(release)));
  return SFM_OK;
}

static sfm_status eval(const sfm_release *release, const cli_options *options, unsigned format,
                       sfm_error *error) {
  const kind_view *view = kind_view_of(release);
  group_selection chosen = {0};
  if (view->single) return view->eval(release, &chosen, options, format, error);
  sfm_status status = group_selection_read(&chosen, release, options, error);
  if (!status) status = check_options(options, release, error);
  if (!status)
    status = view->eval ? view->eval(release, &chosen, options, format, error)
                        : cli_misuse(error,
                                     "%s is a mechanism and has no numbers to print: `sfumato "
                                     "show` describes it, `sfumato count` answers with it",
                                     options->operand);
  group_selection_clear(&chosen);
  return status;
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  unsigned format = 0;
  double total = 0;
  sfm_release *release = NULL;
  sfm_status status = options_take(options, &format, "format", error);
  if (!status) status = options_take(options, &total, "total", error);
  if (!status && format == VALUES_NPY)
    status = output_check_binary("npy", options_get(options, "output"), error);
  if (!status) status = release_file_read(&release, options, options->operand, error);
  if (!status) status = eval(release, options, format, error);
  sfm_release_destroy(release);
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
