/* count_verb.c - sfumato count: how many records satisfy a predicate, as one private number.
 *
 * Order as for a density: options, schema, mechanism and output path are checked here and the
 * ledger is opened; predicate, header and count of lines are the library's first steps; then it
 * charges; and only then are rows read. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli/core/random_dp_warning.h"
#include "cli/core/verbs.h"
#include "cli/ledger/ledger_options.h"
#include "cli/report/count_text.h"
#include "cli/report/report.h"
#include "cli/request/progress_line.h"
#include "cli/request/group_options.h"
#include "cli/request/row_options.h"
#include "sfumato/count.h"

static const cli_option options_table[] = {
    {"where", "PREDICATE",
     "the records to count, such as 'age >= 65 and sex == \"F\"': comparisons of a column with a "
     "value (== != < <= > >= in), joined by and, or, not and parentheses",
     "all records, under add-remove"},
    {"mechanism", "geometric|FILE",
     "geometric noise, or a mechanism that `sfumato optimal` wrote for this number of records",
     "geometric"},
    CLI_SAME(epsilon),
    CLI_SAME(schema),
    CLI_SAME(categories),
    CLI_SAME(neighbours),
    CLI_SAME(person),
    CLI_SAME(contributions),
    {"random-dp", "GAMMA",
     "random differential privacy instead, which is weaker: a count is printed without noise if it "
     "is so small that a new record would change it with probability at most GAMMA",
     CLI_FRACTION("0.01")},
    CLI_SAME(band),
    CLI_GROUP(charge),
    CLI_SAME(seed),
    CLI_SAME(json),
    CLI_OPTION_ALSO_RELEASE,
    {0},
};

/* What the settings borrow. */
typedef struct request_parts {
  sfm_schema *schema;
  sfm_release *mechanism;
} request_parts;

static sfm_status read_schema(sfm_schema **schema, const cli_options *options, sfm_error *error) {
  const char *path = options_get(options, "schema"), *person = options_get(options, "person");
  unsigned neighbours = 0;
  uint64_t contributions = 1;
  sfm_status status = options_count(options, &contributions, "contributions", 1, 1000000, error);
  if (!status)
    status =
        options_choice(options, &neighbours, "neighbours", sfm_words(SFM_WORDS_NEIGHBOURS), error);
  if (!status)
    status = path ? sfm_schema_load(schema, path, error) : sfm_schema_create(schema, error);
  if (!status) status = group_options_read_categories(*schema, options, error);
  if (!status && person) status = sfm_schema_set_person(*schema, person, error);
  if (!status && options_has(options, "contributions"))
    status = sfm_schema_set_contributions(*schema, (uint32_t)contributions, error);
  if (!status && options_has(options, "neighbours"))
    status = sfm_schema_set_neighbours(*schema, (sfm_neighbours)neighbours, error);
  return status;
}

static sfm_status read_mechanism(sfm_release **mechanism, const cli_options *options,
                                 sfm_error *error) {
  const char *word = options_get(options, "mechanism");
  if (!word || strcmp(word, "geometric") == 0) return SFM_OK;
  return sfm_release_read(mechanism, word, error);
}

static sfm_status read_settings(sfm_count_settings *s, request_parts *a, const cli_options *options,
                                sfm_error *error) {
  *s = sfm_count_settings_default();
  s->where = options_get(options, "where");
  sfm_status status = read_mechanism(&a->mechanism, options, error);
  s->mechanism = a->mechanism;
  if (!status && !s->mechanism && !options_has(options, "epsilon"))
    return cli_misuse(error, "--epsilon is missing: the privacy loss that you allow; smaller is "
                             "more private. Write for example --epsilon 0.5");
  if (!status) status = options_positive(options, &s->epsilon, "epsilon", "0.5", error);
  if (!status) status = options_fraction(options, &s->gamma, "random-dp", "0.01", error);
  if (!status) status = options_fraction(options, &s->context.confidence, "band", "0.95", error);
  if (!status) status = options_count(options, &s->context.seed, "seed", 0, UINT64_MAX, error);
  s->context.seeded = options_has(options, "seed");
  if (!status) status = read_schema(&a->schema, options, error);
  s->context.schema = a->schema;
  return status;
}

/* Categories of a column that is not there are a mistake, which would count something else. */
static sfm_status check_categories(const sfm_rows *rows, const cli_options *options,
                                   sfm_error *error) {
  size_t at = 0;
  for (const char *text; (text = options_next(options, "categories", &at));) {
    const size_t length = strcspn(text, "=");
    size_t i = 0;
    for (const char *name; (name = sfm_rows_column_name(rows, i)); i++)
      if (strncmp(name, text, length) == 0 && name[length] == 0) break;
    if (i == sfm_rows_column_count(rows))
      return cli_misuse(error, "--categories: %.200s has no column '%.*s'", options->operand,
                        (int)length, text);
  }
  return SFM_OK;
}

static sfm_status release_rows(sfm_release **out, const cli_options *options,
                               sfm_count_settings *settings, sfm_error *error) {
  sfm_rows *rows = NULL;
  progress_line line;
  progress_line_begin(&line, &settings->context);
  sfm_status status = sfm_rows_open(&rows, options->operand, error);
  if (!status) status = check_categories(rows, options, error);
  if (!status) status = sfm_count_release(out, rows, settings, error);
  progress_line_end(&line);
  sfm_rows_destroy(rows);
  return status;
}

static json_t *text_json(const char *text) {
  return text ? json_string(text) : json_null();
}

/* The member of an object, or null. */
static json_t *member(const json_t *object, const char *key) {
  json_t *value = json_object_get(object, key);
  return value ? json_incref(value) : json_null();
}

static sfm_status print_json(const sfm_release *release, sfm_error *error) {
  const sfm_band band = sfm_release_band(release);
  const sfm_guarantee g = sfm_release_guarantee(release);
  char *summary = NULL;
  sfm_status status = sfm_release_summary(release, &summary, error);
  if (status) return status;
  json_t *all = json_loads(summary, 0, NULL);
  const json_t *guarantee = json_object_get(all, "guarantee");
  json_t *object = json_pack(
      "{s:o, s:o, s:o, s:s, s:o, s:s, s:f, s:o, s:o, s:s, s:o, s:o, s:b, s:{s:f, s:f}, s:o, s:o}",
      "where", text_json(sfm_count_where(release)), "count", member(all, "count"), "proportion",
      member(all, "proportion"), "method", sfm_release_method(release), "mechanism",
      member(all, "mechanism"), "guarantee", sfm_guarantee_kind_name(g.kind), "epsilon", g.epsilon,
      "gamma", member(guarantee, "gamma"), "exact", member(all, "exact"), "neighbours",
      sfm_neighbours_name(sfm_release_neighbours(release)), "contributions",
      member(guarantee, "contributions"), "rows", member(all, "rows"), "private",
      sfm_release_private(release), "band", "confidence", band.confidence, "half_width",
      band.half_width, "dataset", text_json(sfm_release_dataset(release)), "request",
      text_json(sfm_release_request(release)));
  char *text = object ? json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
  if (text) puts(text);
  free(text);
  json_decref(object);
  json_decref(all);
  sfm_free(summary);
  return text ? SFM_OK : cli_fail_memory(error);
}

static void print_words(const sfm_release *release) {
  char text[160];
  count_text_write(text, sizeof text, release);
  text_print_labelled(stdout, "count", text);
}

/* On standard error: what is promised, and how near the number is. */
static void report(const sfm_release *release, const sfm_count_settings *settings,
                   const char *path) {
  char text[320];
  const double epsilon = sfm_release_guarantee(release).epsilon;
  const sfm_density_settings same = {.context.schema = settings->context.schema,
                                     .epsilon = epsilon};
  text_print_labelled(stderr, "guarantee", sfm_release_sentence(release));
  report_band(text, sizeof text, release);
  text_print_labelled(stderr, "band", text);
  if (settings->gamma > 0) text_print_labelled(stderr, "exact", count_text_exact(release));
  if (!sfm_release_dataset(release)) report_uncharged(stderr, settings->gamma > 0);
  report_shown(stderr, path);
  row_options_warn(&same, 0);
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  const char *path = options_get(options, "output");
  request_parts a = {0};
  charge c = {0};
  sfm_count_settings settings;
  sfm_release *release = NULL;
  sfm_status status = read_settings(&settings, &a, options, error);
  if (!status && path) status = report_check_output(options, "count.sfm", error);
  if (!status && settings.gamma > 0 && options_has(options, "ledger"))
    status = cli_misuse(error, "random differential privacy cannot be charged to a ledger of "
                               "differential privacy; leave out --random-dp, or --ledger");
  if (!status) status = charge_open(&c, options, error);
  if (status) goto cleanup;
  settings.context.charge = c.use;
  status = release_rows(&release, options, &settings, error);
  if (!status && path) status = charge_write(release, path, error);
  if (status) goto cleanup;
  if (settings.context.seeded) report_seeded(stderr, "count");
  if (options_has(options, "json"))
    status = print_json(release, error);
  else if (!path || strcmp(path, "-") != 0)
    print_words(release);
  fflush(stdout);
  report(release, &settings, path);
cleanup:
  sfm_release_destroy(release);
  charge_close(&c);
  sfm_release_destroy(a.mechanism);
  sfm_schema_destroy(a.schema);
  return status;
}

const cli_verb verb_count = {
    .name = "count",
    .summary = "release how many records satisfy a predicate",
    .usage = "ROWS [--where PREDICATE] --epsilon E [options] [-o FILE]",
    .operand = "ROWS",
    .operand_help = "CSV with a header line (plain or gzip), or NPY; - is standard input",
    .options = options_table,
    .about =
        "One number: how many records satisfy --where (or how many there are), plus noise that is "
        "drawn exactly. Under replace the answer is between 0 and the number of records. Under "
        "add-remove the number of records is private, and the answer may be negative.\n"
        "In --where, write texts in double or single quotes, and numbers, true and false without "
        "quotes. Write the name of a column without quotes, or in backquotes if it contains "
        "blanks. The schema or --categories states the type of a column; any other column has the "
        "type of the value it is compared with. If a cell has no value of that type, its "
        "comparison is unknown. A record is counted only if the whole predicate is true. A mistake "
        "in the predicate is shown with a caret, before anything is charged.\n"
        "Private: the rows, and under add-remove their number. No message, exit code or output "
        "depends on the contents of a row, except through the noise.\n"
        "Public: everything you write here, and under replace the number of rows.\n"
        "--random-dp: " RANDOM_DP_WARNING "\n"
        "The JSON object has the keys where (null: all), count, proportion (null under "
        "add-remove), method, mechanism (null, or of an optimal mechanism n, epsilon, loss, "
        "objective, form, risk and hash), guarantee, epsilon, gamma and exact (both null without "
        "random-dp), neighbours, contributions, rows (null under add-remove), private, band "
        "{confidence, half_width}, dataset and request.",
    .example =
        "sfumato count rows.csv --where 'age >= 65 and sex == \"F\"' --epsilon 0.5\n"
        "sfumato count rows.csv --where 'ward in (3, 7)' --mechanism m.sfm -o c.sfm\n"
        "sfumato count rows.csv --neighbours add-remove --epsilon 0.1 --ledger budget.db --dataset "
        "survey",
    .run = run,
};
