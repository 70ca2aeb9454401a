/* mean_verb.c - sfumato mean: the mean of a column under random differential privacy.
 *
 * Order as for a density, but that nothing can be charged. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/core/random_dp_warning.h"
#include "cli/core/text.h"
#include "cli/core/verbs.h"
#include "cli/io/output.h"
#include "cli/report/report.h"
#include "cli/request/progress_line.h"
#include "cli/request/row_options.h"
#include "sfumato/mean.h"

static const cli_option options_table[] = {
    {"column", "NAME", "the variable (NPY columns are called 0, 1, ...)",
     .missing = "the column whose mean is released; write for example --column income"},
    {"within", "A:B",
     "outer limits in the column's unit that you can state without looking at the rows; public. "
     "They may be very wide, but wider limits need more rows"},
    {"random-dp", "GAMMA",
     "the probability that the guarantee fails, over the drawing of the records; between 0 and 1",
     CLI_FRACTION("0.05")},
    CLI_SAME(epsilon),
    {"delta", "D", "above 0, at most 0.5", CLI_FRACTION("1e-6")},
    CLI_SAME(schema),
    {"neighbours", "replace", "replace is the only choice: one record is replaced by a new draw",
     "replace", CLI_WORDS("replace")},
    CLI_SAME(seed),
    {"ledger", "FILE",
     "refused, like --dataset and --request: this release is never charged as differential "
     "privacy"},
    {"dataset", "NAME", "refused"},
    {"request", "ID", "refused"},
    CLI_SAME(json),
    {"output", "FILE",
     "also write the release, usually named *.sfm; with - it goes to standard output and the "
     "answer is not printed",
     NULL, 'o'},
    {0},
};

static sfm_status set_limits(sfm_schema *schema, const char *column, const char *text,
                             sfm_error *error) {
  text_list ends;
  double lower, upper;
  sfm_status status = text_split(&ends, text, ':', error);
  if (status) return status;
  if (ends.count != 2 || !text_number(&lower, ends.items[0]) ||
      !text_number(&upper, ends.items[1]) || !isfinite(lower) || !isfinite(upper) ||
      !(lower < upper))
    status = cli_misuse(error,
                        "--within: '%s' is not two finite numbers with a colon between them, the "
                        "smaller first; write for example --within 0:1e9",
                        text);
  else
    status = sfm_schema_set_bounds(schema, column, lower, upper, error);
  text_list_clear(&ends);
  return status;
}

static sfm_status read_schema(sfm_schema **schema, const char *column, const cli_options *options,
                              sfm_error *error) {
  static const char *const words[] = {"replace", NULL};
  const char *path = options_get(options, "schema"), *within = options_get(options, "within");
  unsigned neighbours = 0;
  sfm_status status = options_choice(options, &neighbours, "neighbours", words, error);
  if (!status)
    status = path ? sfm_schema_load(schema, path, error) : sfm_schema_create(schema, error);
  if (!status && within) status = set_limits(*schema, column, within, error);
  if (status) return status;
  const sfm_column *found = sfm_schema_find(*schema, column);
  if (!found || !found->has_bounds)
    return cli_misuse(
        error,
        "--within is missing: outer limits of '%s' that you can state without looking at the rows. "
        "They may be very wide; write for example --within 0:1e9",
        column);
  return SFM_OK;
}

static sfm_status read_settings(sfm_mean_settings *s, sfm_schema **schema,
                                const cli_options *options, sfm_error *error) {
  *s = sfm_mean_settings_default();
  s->column = options_get(options, "column");
  if (!s->column)
    return cli_misuse(error, "--column is missing: the column whose mean is released; write for "
                             "example --column income");
  if (!options_has(options, "random-dp"))
    return cli_misuse(
        error, "--random-dp is missing: this mean is under random differential privacy, which is "
               "weaker than differential privacy; write for example --random-dp 0.05. For "
               "differential privacy find bounds (sfumato range), clamp the values to them, and "
               "release the mean with sfumato vector --sensitivity l1:WIDTH/ROWS");
  if (!options_has(options, "epsilon") || !options_has(options, "delta"))
    return cli_misuse(error, "--%s is missing; write for example --epsilon 1 --delta 1e-6",
                      options_has(options, "epsilon") ? "delta" : "epsilon");
  static const char *const charged[] = {"ledger", "dataset", "request"};
  for (size_t i = 0; i < sizeof charged / sizeof *charged; i++)
    if (options_has(options, charged[i]))
      return cli_misuse(error,
                        "random differential privacy cannot be charged to a ledger of differential "
                        "privacy; leave out --%s",
                        charged[i]);
  sfm_status status = options_fraction(options, &s->gamma, "random-dp", "0.05", error);
  if (!status) status = options_positive(options, &s->epsilon, "epsilon", "1", error);
  if (!status) status = options_fraction(options, &s->delta, "delta", "1e-6", error);
  if (!status) status = options_count(options, &s->context.seed, "seed", 0, UINT64_MAX, error);
  s->context.seeded = options_has(options, "seed");
  if (!status) status = read_schema(schema, s->column, options, error);
  s->context.schema = *schema;
  return status;
}

static sfm_status release_rows(sfm_release **out, const char *path, sfm_mean_settings *settings,
                               sfm_error *error) {
  sfm_rows *rows = NULL;
  progress_line line;
  progress_line_begin(&line, &settings->context);
  sfm_status status = sfm_rows_open(&rows, path, error);
  if (!status) status = sfm_mean_release(out, rows, settings, error);
  progress_line_end(&line);
  sfm_rows_destroy(rows);
  return status;
}

static sfm_status print_json(const sfm_release *release, sfm_error *error) {
  const sfm_guarantee g = sfm_release_guarantee(release);
  double lower, upper;
  sfm_release_bounds(release, &lower, &upper, 0);
  json_t *object =
      json_pack("{s:s, s:[f, f], s:f, s:s, s:f, s:f, s:f, s:s, s:I, s:b, s:s}", "column",
                sfm_release_column(release, 0), "within", lower, upper, "mean",
                sfm_release_coefficient(release, 0), "guarantee", sfm_guarantee_kind_name(g.kind),
                "epsilon", g.epsilon, "delta", g.delta, "gamma", g.gamma, "neighbours", "replace",
                "rows", (json_int_t)sfm_release_size(release), "private",
                sfm_release_private(release), "sentence", sfm_release_sentence(release));
  char *text = object ? json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
  if (text) puts(text);
  free(text);
  json_decref(object);
  return text ? SFM_OK : cli_fail_memory(error);
}

static void print_words(const sfm_release *release) {
  text_say(stdout, "mean", "%.8g, of %.200s", sfm_release_coefficient(release, 0),
           sfm_release_column(release, 0));
}

/* On standard error: what is promised, and what is not. */
static void report(const sfm_release *release, const char *path) {
  text_print_labelled(stderr, "guarantee", sfm_release_sentence(release));
  text_print_labelled(
      stderr, "noise",
      "its size depends on the rows and is not published, so there is no error band");
  report_uncharged(stderr, true);
  report_shown(stderr, path);
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  const char *path = options_get(options, "output");
  sfm_schema *schema = NULL;
  sfm_mean_settings settings;
  sfm_release *release = NULL;
  sfm_status status = read_settings(&settings, &schema, options, error);
  if (!status && path) status = report_check_output(options, "mean.sfm", error);
  if (!status) status = release_rows(&release, options->operand, &settings, error);
  if (!status && path) status = output_release(release, path, error);
  if (status) goto cleanup;
  if (settings.context.seeded) report_seeded(stderr, "mean");
  if (options_has(options, "json"))
    status = print_json(release, error);
  else if (!path || strcmp(path, "-") != 0)
    print_words(release);
  fflush(stdout);
  report(release, path);
cleanup:
  sfm_release_destroy(release);
  sfm_schema_destroy(schema);
  return status;
}

const cli_verb verb_mean = {
    .name = "mean",
    .summary = "release a mean under random differential privacy, a weaker promise",
    .usage =
        "ROWS --column NAME --within A:B --random-dp GAMMA --epsilon E --delta D [options] [-o "
        "FILE]",
    .operand = "ROWS",
    .operand_help = "CSV with a header line (plain or gzip), or NPY; - is standard input",
    .options = options_table,
    .about =
        "For a column without known tight bounds. The noise is scaled by the differences between "
        "record i and record i + n/2, and not by the width of the limits.\n" RANDOM_DP_WARNING "\n"
        "The records must be independent draws from one distribution, one record per person, in an "
        "order that does not depend on their values. A sorted file does not satisfy this.\n"
        "Private: the rows. A value beyond a limit is clamped to the limit. A row without a number "
        "enters the mean as the value 0. No message says how many there are. Public: everything "
        "you write here and the number of rows.\n"
        "The JSON object has the keys column, within, mean, guarantee (random-dp), epsilon, delta, "
        "gamma, neighbours, rows, private and sentence.",
    .example = "sfumato mean rows.csv --column income --within 0:1e9 --random-dp 0.05 --epsilon 1 "
               "--delta 1e-6",
    .run = run,
};
