/* range_verb.c - sfumato range: private quantiles of a column whose bounds are not known.
 *
 * Order as for a density: options, schema and output path are checked here and the ledger is
 * opened; header and count of lines are the library's first steps; then it charges; and only then
 * are rows read. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/core/text.h"
#include "cli/core/verbs.h"
#include "cli/ledger/ledger_options.h"
#include "cli/report/report.h"
#include "cli/request/progress_line.h"
#include "cli/request/row_options.h"
#include "sfumato/range.h"

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
    CLI_SAME(neighbours),
    CLI_SAME(person),
    CLI_SAME(contributions),
    {"outside", "clamp|drop",
     "a value beyond a limit is clamped to the limit, or its row is ignored", "clamp",
     CLI_CHOICE(SFM_WORDS_OUTSIDE)},
    {"band", "C", "confidence of the statement about ranks, between 0 and 1", "0.95",
     CLI_FRACTION("0.95")},
    CLI_GROUP(charge),
    CLI_SAME(seed),
    CLI_SAME(json),
    CLI_OPTION_ALSO_RELEASE,
    {0},
};

/* What the settings borrow. */
typedef struct request_parts {
  sfm_schema *schema;
  double *quantiles;
} request_parts;

static sfm_status set_limits(sfm_schema *schema, const char *column, const char *text,
                             sfm_error *error) {
  text_list ends;
  double lower, upper;
  sfm_status status = text_split(&ends, text, ':', error);
  if (status) return status;
  if (ends.count != 2 || !text_number(&lower, ends.items[0]) ||
      !text_number(&upper, ends.items[1]) || !isfinite(lower) || !isfinite(upper))
    status = cli_misuse(error,
                        "--within: '%s' is not two finite numbers with a colon between them; write "
                        "for example --within 0:1e7",
                        text);
  else if (lower == upper)
    status = cli_misuse(error, "--within %s: the two limits are equal", text);
  else if (lower > upper)
    status = cli_misuse(error, "--within %s is reversed; write --within %s:%s", text, ends.items[1],
                        ends.items[0]);
  else
    status = sfm_schema_set_bounds(schema, column, lower, upper, error);
  text_list_clear(&ends);
  return status;
}

static sfm_status read_schema(sfm_schema **schema, const char *column, const cli_options *options,
                              sfm_error *error) {
  const char *path = options_get(options, "schema"), *person = options_get(options, "person"),
             *within = options_get(options, "within");
  unsigned neighbours = 0;
  uint64_t contributions = 1;
  sfm_status status = options_count(options, &contributions, "contributions", 1, 1000000, error);
  if (!status)
    status =
        options_choice(options, &neighbours, "neighbours", sfm_words(SFM_WORDS_NEIGHBOURS), error);
  if (!status)
    status = path ? sfm_schema_load(schema, path, error) : sfm_schema_create(schema, error);
  if (!status && within) status = set_limits(*schema, column, within, error);
  if (!status && person) status = sfm_schema_set_person(*schema, person, error);
  if (!status && options_has(options, "contributions"))
    status = sfm_schema_set_contributions(*schema, (uint32_t)contributions, error);
  if (!status && options_has(options, "neighbours"))
    status = sfm_schema_set_neighbours(*schema, (sfm_neighbours)neighbours, error);
  if (status) return status;
  const sfm_column *found = sfm_schema_find(*schema, column);
  if (!found || !found->has_bounds)
    return cli_misuse(
        error,
        "--within is missing: outer limits of '%s' that you can state without looking at the rows. "
        "They may be very wide; write for example --within 0:1e7",
        column);
  return SFM_OK;
}

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

static sfm_status read_settings(sfm_range_settings *s, request_parts *a, const cli_options *options,
                                sfm_error *error) {
  unsigned outside = 0;
  *s = sfm_range_settings_default();
  s->column = options_get(options, "column");
  if (!s->column)
    return cli_misuse(error, "--column is missing: the column whose range is released; write for "
                             "example --column income");
  if (!options_has(options, "epsilon"))
    return cli_misuse(error, "--epsilon is missing: the privacy loss that you allow; smaller is "
                             "more private. Write for example --epsilon 0.1");
  sfm_status status = options_positive(options, &s->epsilon, "epsilon", "0.1", error);
  if (!status) status = read_quantiles(s, &a->quantiles, options, error);
  if (!status) status = options_positive(options, &s->resolution, "resolution", "0.5", error);
  if (!status)
    status = options_choice(options, &outside, "outside", sfm_words(SFM_WORDS_OUTSIDE), error);
  if (!status) status = options_fraction(options, &s->context.confidence, "band", "0.95", error);
  if (!status) status = options_count(options, &s->context.seed, "seed", 0, UINT64_MAX, error);
  s->outside = (sfm_outside)outside;
  s->context.seeded = options_has(options, "seed");
  if (!status) status = read_schema(&a->schema, s->column, options, error);
  s->context.schema = a->schema;
  return status;
}

static sfm_status release_rows(sfm_release **out, const char *path, sfm_range_settings *settings,
                               sfm_error *error) {
  sfm_rows *rows = NULL;
  progress_line line;
  progress_line_begin(&line, &settings->context);
  sfm_status status = sfm_rows_open(&rows, path, error);
  if (!status) status = sfm_range_release(out, rows, settings, error);
  progress_line_end(&line);
  sfm_rows_destroy(rows);
  return status;
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

static void print_words(const sfm_release *release) {
  char bounds[96], text[320];
  double share;
  for (size_t i = 0; i < sfm_release_length(release); i++) {
    text_say(stdout, i ? "" : "range", "about %.8g\u00a0%% of the rows are below %.10g",
             100 * sfm_release_quantile(release, i), sfm_release_coefficient(release, i));
  }
  if (sfm_release_length(release) < 2) return;
  const bool found = find_bounds(release, bounds, sizeof bounds, &share);
  if (found)
    snprintf(text, sizeof text, "%s contains about %.8g\u00a0%% of the rows", bounds, 100 * share);
  else
    snprintf(text, sizeof text,
             "none: both ends are %.10g; more rows, a larger epsilon or a finer --resolution may "
             "separate them",
             sfm_release_coefficient(release, 0));
  text_print_labelled(stdout, "bounds", text);
  if (found) printf("use         --bounds %s\n", bounds);
}

static json_t *numbers_json(const sfm_release *release,
                            double (*number)(const sfm_release *, size_t)) {
  json_t *list = json_array();
  for (size_t i = 0; list && i < sfm_release_length(release); i++)
    json_array_append_new(list, json_real(number(release, i)));
  return list;
}

static json_t *text_json(const char *text) {
  return text ? json_string(text) : json_null();
}

static sfm_status print_json(const sfm_release *release, sfm_error *error) {
  const sfm_band band = sfm_release_band(release);
  char bounds[96], *summary = NULL;
  double lower, upper, share;
  sfm_status status = sfm_release_summary(release, &summary, error);
  if (status) return status;
  json_t *all = json_loads(summary, 0, NULL);
  const json_t *guarantee = json_object_get(all, "guarantee"), *rows = json_object_get(all, "rows"),
               *noise = json_object_get(all, "noise");
  const bool pair =
      sfm_release_length(release) > 1 && find_bounds(release, bounds, sizeof bounds, &share);
  sfm_release_bounds(release, &lower, &upper, 0);
  json_t *object = json_pack(
      "{s:s, s:[f, f], s:o, s:o, s:o, s:f, s:O?, s:s, s:O?, s:O?, s:o, s:{s:f, s:f}, s:o, s:o}",
      "column", sfm_release_column(release, 0), "within", lower, upper, "quantiles",
      numbers_json(release, sfm_release_quantile), "values",
      numbers_json(release, sfm_release_coefficient), "bounds", text_json(pair ? bounds : NULL),
      "epsilon", sfm_release_guarantee(release).epsilon, "resolution",
      json_object_get(noise, "step"), "neighbours",
      sfm_neighbours_name(sfm_release_neighbours(release)), "contributions",
      json_object_get(guarantee, "contributions"), "rows", rows, "private",
      json_boolean(sfm_release_private(release)), "ranks", "confidence", band.confidence,
      "half_width", band.half_width, "dataset", text_json(sfm_release_dataset(release)), "request",
      text_json(sfm_release_request(release)));
  char *text = object ? json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
  if (text) puts(text);
  free(text);
  json_decref(object);
  json_decref(all);
  sfm_free(summary);
  return text ? SFM_OK : cli_fail_memory(error);
}

/* On standard error: what is promised, and how near the values are. */
static void report(const sfm_release *release, const sfm_range_settings *settings,
                   const char *path) {
  char text[320];
  const sfm_density_settings same = {.context.schema = settings->context.schema,
                                     .epsilon = settings->epsilon};
  text_print_labelled(stderr, "guarantee", sfm_release_sentence(release));
  report_band(text, sizeof text, release);
  text_print_labelled(stderr, "ranks", text);
  if (!sfm_release_dataset(release)) report_uncharged(stderr, false);
  report_shown(stderr, path);
  row_options_warn(&same, 0);
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  const char *path = options_get(options, "output");
  request_parts a = {0};
  charge c = {0};
  sfm_range_settings settings;
  sfm_release *release = NULL;
  sfm_status status = read_settings(&settings, &a, options, error);
  if (!status && path) status = report_check_output(options, "range.sfm", error);
  if (!status) status = charge_open(&c, options, error);
  if (status) goto cleanup;
  settings.context.charge = c.use;
  status = release_rows(&release, options->operand, &settings, error);
  if (!status && path) status = charge_write(release, path, error);
  if (status) goto cleanup;
  if (settings.context.seeded) report_seeded(stderr, "range");
  if (options_has(options, "json"))
    status = print_json(release, error);
  else if (!path || strcmp(path, "-") != 0)
    print_words(release);
  fflush(stdout);
  report(release, &settings, path);
cleanup:
  sfm_release_destroy(release);
  charge_close(&c);
  free(a.quantiles);
  sfm_schema_destroy(a.schema);
  return status;
}

const cli_verb verb_range = {
    .name = "range",
    .summary = "release bounds for a column: quantiles within outer limits",
    .usage = "ROWS --column NAME --within A:B --epsilon E [options] [-o FILE]",
    .operand = "ROWS",
    .operand_help = "CSV with a header line (plain or gzip), or NPY; - is standard input",
    .options = options_table,
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
    .run = run,
};
