/* count_verb.c - sfumato count: how many records satisfy a predicate, as one private number.
 *
 * Order as for a density: options, schema, mechanism and output path are checked here and the
 * ledger is opened; predicate, header and count of lines are the library's first steps; then it
 * charges; and only then are rows read. */
#include <jansson.h>
#include <string.h>

#include "cli/io/json_output.h"
#include "cli/core/verbs.h"
#include "cli/partial/partial_files.h"
#include "cli/report/count_text.h"
#include "cli/request/group_options.h"
#include "cli/request/row_options.h"
#include "sfumato/count.h"
#include "partial_command.h"
#include "release_command.h"

static const cli_option options_asked[] = {
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
    CLI_GROUP(neighbours),
    {"random-dp", "GAMMA",
     "random differential privacy instead, which is weaker: a count is printed without noise if it "
     "is so small that a new record would change it with probability at most GAMMA",
     CLI_FRACTION("0.01")},
    CLI_SAME(band),
    {0},
};
static const cli_option options_table[] = {
    CLI_GROUP(asked), CLI_GROUP(partials), CLI_SAME(check), CLI_GROUP(answer), {0}};
static const cli_option partial_table[] = {CLI_GROUP(asked), CLI_GROUP(part), {0}};

/* The settings, and what they borrow. */
typedef struct count_request {
  sfm_count_settings settings;
  sfm_release *mechanism;
} count_request;

#define AT(name, member) CLI_FIELD(name, sfm_count_settings, member)
static const cli_field fields[] = {AT("where", where),
                                   AT("random-dp", gamma),
                                   AT("band", context.confidence),
                                   AT("seed", context),
                                   {0}};
static const cli_field epsilon_field[] = {AT("epsilon", epsilon), {0}};

static sfm_status read_request(release_task *task, sfm_error *error) {
  const cli_options *options = task->options;
  count_request *r = task->request;
  sfm_count_settings *s = &r->settings;
  const char *word = options_get(options, "mechanism");
  sfm_status status = SFM_OK;
  *s = sfm_count_settings_default();
  if (word && strcmp(word, "geometric") != 0) status = sfm_release_read(&r->mechanism, word, error);
  s->mechanism = r->mechanism;
  if (!status && (!s->mechanism || options_has(options, "epsilon")))
    status = options_fill(s, epsilon_field, options, error);
  if (!status) status = options_fill(s, fields, options, error);
  if (!status) status = release_command_schema(task, error);
  if (!status) status = group_options_read_categories(task->schema, options, error);
  if (!status && s->gamma > 0 && options_given(options, "ledger"))
    status = cli_misuse(error, "random differential privacy cannot be charged to a ledger of "
                               "differential privacy; leave out --random-dp, or --ledger");
  return status;
}

/* Categories of a column that is not there are a mistake, which would count something else. */
static sfm_status check_categories(const release_task *task, const sfm_rows *rows,
                                   sfm_error *error) {
  const cli_options *options = task->options;
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

static sfm_status release(release_task *task, sfm_rows *rows, sfm_error *error) {
  return sfm_count_release(&task->release, rows, &((count_request *)task->request)->settings,
                           error);
}

static sfm_status make_partial(sfm_partial **out, const release_task *task, const sfm_part *part,
                               sfm_error *error) {
  return sfm_count_partial_create(out, &((count_request *)task->request)->settings, part, error);
}

static void clear(void *request) {
  sfm_release_destroy(((count_request *)request)->mechanism);
}

/* The optimal mechanism that answered, or null. */
static json_t *mechanism_json(const sfm_release *release, uint64_t rows) {
  sfm_mechanism_facts facts;
  if (!sfm_count_mechanism(release, &facts)) return json_null();
  return json_pack("{s:I, s:f, s:s, s:s, s:s, s:f, s:s}", "n", (json_int_t)rows, "epsilon",
                   facts.epsilon, "loss", facts.loss, "objective", facts.objective, "form",
                   facts.form, "risk", facts.risk, "hash", facts.hash);
}

static sfm_status print_json(const release_task *task, sfm_error *error) {
  const sfm_release *release = task->release;
  const sfm_band band = sfm_release_band(release);
  const sfm_guarantee g = sfm_release_guarantee(release);
  const bool random = g.kind == SFM_GUARANTEE_RANDOM_DP;
  int64_t count = 0;
  uint64_t rows = 0;
  sfm_release_integer(release, &count, 0);
  const bool counted = sfm_release_rows(release, &rows);
  json_t *object = json_pack(
      "{s:o, s:o, s:o, s:s, s:o, s:s, s:f, s:o, s:o, s:s, s:I, s:o, s:b, s:{s:f, s:f}, s:o, s:o}",
      "where", json_output_text(sfm_count_where(release)), "count", json_output_integer(count),
      "proportion", counted ? json_real((double)count / (double)rows) : json_null(), "method",
      sfm_release_method(release), "mechanism", mechanism_json(release, rows), "guarantee",
      sfm_guarantee_kind_name(g.kind), "epsilon", g.epsilon, "gamma",
      random ? json_real(g.gamma) : json_null(), "exact",
      random ? json_boolean(sfm_count_exact(release)) : json_null(), "neighbours",
      sfm_neighbours_name(sfm_release_neighbours(release)), "contributions",
      (json_int_t)sfm_release_contributions(release), "rows",
      counted ? json_integer((json_int_t)rows) : json_null(), "private",
      sfm_release_private(release), "band", "confidence", band.confidence, "half_width",
      band.half_width, "dataset", json_output_text(sfm_release_dataset(release)), "request",
      json_output_text(sfm_release_request(release)));
  return json_output_print(object, error);
}

static void print(const release_task *task) {
  char text[160];
  count_text_write(text, sizeof text, task->release);
  text_print_labelled(stdout, "count", text);
}

static void report(const release_task *task) {
  if (((const count_request *)task->request)->settings.gamma > 0)
    text_print_labelled(stderr, "exact", count_text_exact(task->release));
}

static const release_command command = {RELEASE_REQUEST(count_request, settings.context),
                                        .output = "count.sfm",
                                        .answers = true,
                                        .band = "band",
                                        .warns = true,
                                        .read = read_request,
                                        .release = release,
                                        .partial = make_partial,
                                        .check_rows = check_categories,
                                        .print = print,
                                        .json = print_json,
                                        .report = report,
                                        .clear = clear};

const cli_verb verb_count = {
    .name = "count",
    .summary = "release how many records satisfy a predicate",
    .usage = "ROWS [--where PREDICATE] --epsilon E [options] [-o FILE]",
    .operand = "ROWS",
    .instead = "partials",
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
    .command = &command,
};

const cli_verb verb_partial_count = {
    .name = "partial count",
    .summary = "the count over a part of the rows, for a count",
    .usage = "ROWS --part I/P --rows N [--where PREDICATE] --epsilon E [options] -o FILE",
    .operand = "ROWS",
    .options = partial_table,
    .refused = options_part_refused,
    .about = PARTIAL_ABOUT,
    .example =
        "sfumato partial count north.csv --part 1/2 --rows 20000 --where 'age >= 65' --epsilon 0.5 "
        "-o part-1.sfp\n"
        "sfumato count --partials 'part-*.sfp' --where 'age >= 65' --epsilon 0.5",
    .publishes_nothing = true,
    .run = partial_command_run,
    .command = &command,
};
