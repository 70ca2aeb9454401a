/* range_verb.c - sfumato range: private quantiles of a column whose bounds are not known.
 *
 * Order as for a density: options, schema and output path are checked here and the ledger is
 * opened; header and count of lines are the library's first steps; then it charges; and only then
 * are rows read. */
#include <jansson.h>
#include <stdlib.h>

#include "cli/partial/partial_files.h"
#include "cli/io/json_output.h"
#include "cli/core/text.h"
#include "cli/core/verbs.h"
#include "cli/request/row_options.h"
#include "sfumato/range.h"
#include "release_command.h"

static const cli_option options_table[] = {
    {"column", "NAME", "the variable (NPY columns are called 0, 1, ...)",
     .missing = "the column whose range is released; write for example --column income"},
    {"within", "A:B",
     "outer limits in the column's unit that you can state without looking at the rows; public. "
     "Limits that are ten times too wide cost little"},
    {"quantiles", "Q[,Q...]",
     "the quantiles in ascending order, each above 0 and below 1; epsilon is divided equally among "
     "them",
     "0.01,0.99"},
    CLI_SAME(epsilon),
    {"resolution", "R",
     "values are multiples of the largest power of two not above R, in the column's unit",
     "a millionth of the width of the limits; for an integer column at least 1",
     CLI_POSITIVE("0.5")},
    CLI_SAME(schema),
    CLI_GROUP(neighbours),
    {"outside", "clamp|drop",
     "a value beyond a limit is clamped to the limit, or its row is ignored", "clamp",
     CLI_CHOICE(SFM_ENUMERATION_OUTSIDE)},
    {"band", "C", "confidence of the statement about ranks, between 0 and 1", "0.95",
     CLI_FRACTION("0.95")},
    CLI_SAME(check),
    CLI_GROUP(answer),
    {0},
};

/* The settings, and what they borrow. */
typedef struct range_request {
  sfm_range_settings settings;
  double *quantiles;
} range_request;

static sfm_status read_quantiles(sfm_range_settings *s, double **owned, const cli_options *options,
                                 sfm_error *error) {
  static const double usual[] = {0.01, 0.99};
  const char *text = options_get(options, "quantiles");
  s->quantiles = usual;
  s->count = 2;
  if (!text) return SFM_OK;
  sfm_status status = text_numbers(owned, &s->count, text, "quantiles", error);
  s->quantiles = *owned;
  return status;
}

#define AT(name, member) CLI_FIELD(name, sfm_range_settings, member)
static const cli_field fields[] = {AT("column", column),
                                   AT("epsilon", epsilon),
                                   AT("resolution", resolution),
                                   AT("outside", outside),
                                   AT("band", context.confidence),
                                   AT("seed", context),
                                   {0}};

static sfm_status read_request(release_task *task, sfm_error *error) {
  const cli_options *options = task->options;
  range_request *r = task->request;
  sfm_range_settings *s = &r->settings;
  *s = sfm_range_settings_default();
  sfm_status status = options_fill(s, fields, options, error);
  if (!status) status = read_quantiles(s, &r->quantiles, options, error);
  if (!status) status = release_command_schema(task, error);
  return status ? status : schema_options_limits(task->schema, s->column, options, error);
}

static sfm_status release(release_task *task, sfm_rows *rows, sfm_error *error) {
  return sfm_range_release(&task->release, rows, &((range_request *)task->request)->settings,
                           error);
}

static void clear(void *request) {
  free(((range_request *)request)->quantiles);
}

/* The first and the last value as --bounds would have them, with what they hold; false when they
 * are no bounds. */
static bool find_bounds(const sfm_release *release, char *text, size_t size, double *share) {
  const size_t last = sfm_release_length(release) - 1;
  const double lower = sfm_release_coefficient(release, 0),
               upper = sfm_release_coefficient(release, last);
  *share = sfm_release_quantile(release, last) - sfm_release_quantile(release, 0);
  char ends[2][40];
  for (int k = 0; k < 2; k++) text_shortest(ends[k], sizeof ends[k], k ? upper : lower);
  snprintf(text, size, "%s:%s", ends[0], ends[1]);
  return lower < upper;
}

static void print(const release_task *task) {
  const sfm_release *release = task->release;
  char bounds[96];
  double share;
  for (size_t i = 0; i < sfm_release_length(release); i++) {
    text_say(stdout, i ? "" : "range", "about %.8g\u00a0%% of the rows are below %.10g",
             100 * sfm_release_quantile(release, i), sfm_release_coefficient(release, i));
  }
  if (sfm_release_length(release) < 2) return;
  const bool found = find_bounds(release, bounds, sizeof bounds, &share);
  if (found)
    text_say(stdout, "bounds", "%s contains about %.8g\u00a0%% of the rows", bounds, 100 * share);
  else
    text_say(stdout, "bounds",
             "none: both ends are %.10g; more rows, a larger epsilon or a finer --resolution may "
             "separate them",
             sfm_release_coefficient(release, 0));
  if (found) printf("use         --bounds %s\n", bounds);
}

static json_t *numbers_json(const sfm_release *release,
                            double (*number)(const sfm_release *, size_t)) {
  json_t *list = json_array();
  for (size_t i = 0; list && i < sfm_release_length(release); i++)
    json_array_append_new(list, json_real(number(release, i)));
  return list;
}

static sfm_status print_json(const release_task *task, sfm_error *error) {
  const sfm_release *release = task->release;
  const sfm_band band = sfm_release_band(release);
  char bounds[96];
  double lower, upper, share;
  uint64_t rows;
  const bool counted = sfm_release_rows(release, &rows);
  const bool pair =
      sfm_release_length(release) > 1 && find_bounds(release, bounds, sizeof bounds, &share);
  sfm_release_bounds(release, &lower, &upper, 0);
  return json_output_print(
      json_pack(
          "{s:s, s:[f, f], s:o, s:o, s:o, s:f, s:f, s:s, s:I, s:o, s:b, s:{s:f, s:f}, s:o, s:o}",
          "column", sfm_release_column(release, 0), "within", lower, upper, "quantiles",
          numbers_json(release, sfm_release_quantile), "values",
          numbers_json(release, sfm_release_coefficient), "bounds",
          json_output_text(pair ? bounds : NULL), "epsilon", sfm_release_guarantee(release).epsilon,
          "resolution", sfm_release_step(release), "neighbours",
          sfm_neighbours_name(sfm_release_neighbours(release)), "contributions",
          (json_int_t)sfm_release_contributions(release), "rows",
          counted ? json_integer((json_int_t)rows) : json_null(), "private",
          sfm_release_private(release), "ranks", "confidence", band.confidence, "half_width",
          band.half_width, "dataset", json_output_text(sfm_release_dataset(release)), "request",
          json_output_text(sfm_release_request(release))),
      error);
}

static const release_command command = {RELEASE_REQUEST(range_request, settings.context),
                                        .output = "range.sfm",
                                        .answers = true,
                                        .band = "ranks",
                                        .warns = true,
                                        .read = read_request,
                                        .release = release,
                                        .print = print,
                                        .json = print_json,
                                        .clear = clear};

const cli_verb verb_range = {
    .name = "range",
    .summary = "release bounds for a column: quantiles within outer limits",
    .usage = "ROWS --column NAME --within A:B --epsilon E [options] [-o FILE]",
    .operand = "ROWS",
    .options = options_table,
    .refused = options_no_partials,
    .about =
        "For a column whose bounds you do not know. Each quantile is chosen among the multiples of "
        "the resolution within the limits; values near the true quantile are more likely (the "
        "exponential mechanism, drawn exactly). It costs epsilon like any other release.\n"
        "Private: the rows, and under add-remove their number. A value beyond a limit is clamped "
        "to it; with --outside drop its row is ignored. A row without a number in this column is "
        "ignored. No message, exit code or output depends on the contents of a row, except through "
        "the random draw.\n"
        "Public: everything you write here, and under replace the number of rows.\n"
        "The JSON object has the keys column, within, quantiles, values, bounds (null if there are "
        "none), epsilon, resolution, neighbours, contributions, rows (null under add-remove), "
        "private, ranks {confidence, half_width}, dataset and request.",
    .example = "sfumato range rows.csv --column income --within 0:1e7 --epsilon 0.1\n"
               "sfumato range rows.csv --column income --within 0:1e7 --quantiles 0.05,0.5,0.95 "
               "--epsilon 0.1 --ledger budget.db --dataset survey --json",
    .command = &command,
};
