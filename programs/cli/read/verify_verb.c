/* verify_verb.c - sfumato verify: whether a mechanism is what its file says, from its numbers
 * alone; and with --prediction, what a release promises between records of a set. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/core/field_words.h"
#include "cli/core/shared_options.h"
#include "cli/core/text.h"
#include "cli/core/verbs.h"
#include "cli/io/json_output.h"
#include "cli/io/release_file.h"
#include "sfumato/count.h"
#include "sfumato/table.h"
#include "sfumato/optimal.h"
#include "sfumato/predict.h"

static const cli_option options_table[] = {
    {"prediction", "[COLUMN=]LOWER:UPPER|[COLUMN=]A|B...",
     "for a histogram or a count: a set of records, given by an interval or categories per column; "
     "columns that are not named may have any value"},
    {"random-dp", "GAMMA",
     "with --prediction: the probability that a record is not in the set, which is your assumption",
     CLI_FRACTION("0.05"),
     .missing = "the probability that a record is not in the set. You must know it; write for "
                "example --random-dp 0.05"},
    {"epsilon", "E", "with --prediction: the largest epsilon wanted between records of the set",
     "any", CLI_POSITIVE("1")},
    {"schema", "FILE", "with --prediction of a count: the schema that was used for the count",
     "none"},
    CLI_OPTION_JSON,
    CLI_OPTION_LARGE,
    {0}};

static sfm_status print_json(const sfm_optimal_facts *facts, const sfm_optimal_report *report,
                             sfm_error *error) {
  json_t *object =
      json_pack("{s:s, s:b, s:I, s:f, s:s, s:I, s:I, s:o, s:o, s:o, s:o}", "kind", "mechanism",
                "holds", 1, "n", (json_int_t)facts->n, "epsilon", facts->epsilon, "form",
                sfm_optimal_form_name(facts->form), "entries", (json_int_t)report->entries,
                "ratios", (json_int_t)report->ratios, "largest_ratio",
                json_output_number(exp(report->epsilon)), "risk", json_output_number(report->risk),
                "limit", json_output_number(report->limit), "reason", json_null());
  return json_output_print(object, error);
}

static void print_words(const sfm_optimal_facts *facts, const sfm_optimal_report *report) {
  text_say(stdout, "table", "each of the %zu rows sums to exactly one (%zu entries over 2^62)",
           facts->n + 1, report->entries);
  if (facts->form == SFM_OPTIMAL_MATRIX)
    text_say(stdout, "private",
             "exactly: all %zu ratios of neighbouring entries are at most e^%.15g, compared in "
             "integers with a slightly smaller number; the largest is e^%.9g",
             report->ratios, facts->epsilon, report->epsilon);
  else
    text_say(stdout, "private",
             "exactly: the discrete Laplace noise of scale 1/%.15g is private, and the public "
             "table that is applied to it costs nothing; the largest ratio is e^%.9g",
             facts->epsilon, report->epsilon);
  text_say(stdout, "risk", "%.9g, as stated", report->risk);
  if (isnan(report->limit))
    text_say(stdout, "optimal", "the file proves none; the optimum of the linear program was %.9g",
             facts->lp_risk);
  else
    text_say(stdout, "optimal",
             "no private mechanism has a risk below %.9g, the smallest mean risk under the prior "
             "in the file",
             report->limit);
  puts("holds");
}

/* What does not hold is no misuse of the command: it has another exit code, and with --json a line
 * of its own. */
static sfm_status refute(const cli_options *options, sfm_status status, sfm_error *error) {
  static const cli_verb *const no_others[] = {NULL};
  char words[SFM_MESSAGE_MAX], reason[SFM_MESSAGE_MAX];
  if (status != SFM_FORMAT) return status;
  field_words(words, sizeof words, error->message, &verb_verify, no_others);
  text_harmless(reason, sizeof reason, words);
  if (options_has(options, "json"))
    (void)!json_output_print(json_pack("{s:b, s:s}", "holds", 0, "reason", reason), error);
  return error->status = SFM_INTERNAL;
}

/* The library does not know the file's name. */
static sfm_status check(const sfm_release *release, sfm_optimal_report *report, const char *path,
                        sfm_error *error) {
  sfm_error why;
  const sfm_status status = sfm_optimal_verify(release, report, &why);
  return status ? cli_fail(error, status, "%.200s: %.800s", path, why.message) : SFM_OK;
}

/* What a release promises between records that lie where records are thought to lie. */
enum { MOST = 64 };

/* What is supposed, and the texts it borrows. */
typedef struct prediction {
  sfm_supposition items[MOST];
  text_list texts[MOST];
  char *columns[MOST];
  size_t count;
  double gamma, epsilon; /* epsilon 0: none is wanted */
} prediction;

static void prediction_clear(prediction *p) {
  for (size_t i = 0; i < p->count; i++) {
    text_list_clear(&p->texts[i]);
    free(p->columns[i]);
  }
}

/* The one column of a table that has one, or NULL. */
static const char *only_column(const sfm_release *release) {
  return sfm_table_columns(release) == 1 ? sfm_table_column(release, 0) : NULL;
}

/* Whether text is two numbers with a colon between. */
static bool read_interval(sfm_supposition *s, const char *text) {
  char copy[128];
  const size_t length = strlen(text);
  if (length >= sizeof copy) return false;
  memcpy(copy, text, length + 1);
  char *colon = strchr(copy, ':');
  if (!colon) return false;
  *colon = 0;
  return text_number(&s->lower, copy) && text_number(&s->upper, colon + 1);
}

/* "age=18:90", "sex=F|M", or without the column where there is one only. */
static sfm_status read_item(prediction *p, const char *text, const sfm_release *release,
                            sfm_error *error) {
  const char *equals = strchr(text, '='), *only = only_column(release);
  double lower, upper;
  if (p->count == MOST) return cli_misuse(error, "--prediction: more than %d columns", MOST);
  if (!equals && !only)
    return cli_misuse(error,
                      "--prediction: '%.200s' names no column; write for example --prediction "
                      "age=18:90 or --prediction 'sex=F|M'",
                      text);
  sfm_supposition *s = &p->items[p->count];
  char *column = equals ? strndup(text, (size_t)(equals - text)) : strdup(only);
  if (!column) return cli_fail_memory(error);
  p->columns[p->count] = column;
  p->texts[p->count] = (text_list){0};
  p->count++;
  *s = (sfm_supposition){.column = column};
  for (size_t i = 0; i + 1 < p->count; i++)
    if (strcmp(p->columns[i], column) == 0)
      return cli_misuse(error, "--prediction: column '%.200s' is named twice", column);
  const char *value = equals ? equals + 1 : text;
  /* A table says itself whether its column is in bins. */
  bool bins = true;
  for (size_t i = 0; i < sfm_table_columns(release); i++)
    if (strcmp(sfm_table_column(release, i), column) == 0)
      bins = sfm_table_bins(release, &lower, &upper, i);
  s->interval = bins && read_interval(s, value);
  if (s->interval && !(s->lower <= s->upper))
    return cli_misuse(error, "--prediction: '%.200s' is reversed", text);
  if (s->interval) return SFM_OK;
  sfm_status status = text_split(&p->texts[p->count - 1], value, '|', error);
  s->texts = (const char *const *)p->texts[p->count - 1].items;
  s->text_count = p->texts[p->count - 1].count;
  return status;
}

static const cli_field fields[] = {
    CLI_FIELD("random-dp", prediction, gamma), CLI_FIELD("epsilon", prediction, epsilon), {0}};

static sfm_status read_prediction(prediction *p, const sfm_release *release,
                                  const cli_options *options, sfm_error *error) {
  size_t at = 0;
  sfm_status status = options_fill(p, fields, options, error);
  for (const char *item; !status && (item = options_next(options, "prediction", &at));)
    status = read_item(p, item, release, error);
  return status;
}

/* A count can change where a record of the set can be counted and another not: by the predicate, or
 * because of whose it is. */
static sfm_status predict_count(sfm_guarantee *out, const prediction *p, const sfm_release *release,
                                const cli_options *options, sfm_error *error) {
  const char *path = options_get(options, "schema");
  sfm_schema *schema = NULL;
  bool decided = false;
  *out = sfm_release_guarantee(release);
  if (out->kind == SFM_GUARANTEE_RANDOM_DP ||
      sfm_release_neighbours(release) != SFM_NEIGHBOURS_REPLACE)
    return cli_misuse(error, "--prediction is for replaced records under differential privacy, not "
                             "for a count under add-remove or random-dp");
  sfm_status status =
      path ? sfm_schema_load(&schema, path, error) : sfm_schema_create(&schema, error);
  if (!status)
    status =
        sfm_predict_where(&decided, sfm_count_where(release), schema, p->items, p->count, error);
  if (!status && decided && !sfm_release_contributions_enforced(release))
    *out = (sfm_guarantee){.kind = SFM_GUARANTEE_PURE};
  sfm_schema_destroy(schema);
  return status;
}

static void print_promise(const prediction *p, const sfm_guarantee *g, const sfm_guarantee *stated,
                          bool holds) {
  text_say(stdout, "within",
           "epsilon %.10g, delta %.10g between records of the set (the release states epsilon "
           "%.10g, delta %.10g between any records)",
           g->epsilon, g->delta, stated->epsilon, stated->delta);
  text_say(stdout, "promise",
           "predictive differential privacy, epsilon %.10g, delta %.10g, gamma %.10g, if a record "
           "is in the set with probability %.10g. This is your assumption; sfumato cannot check it",
           g->epsilon, g->delta, p->gamma, 1 - p->gamma);
  text_print_labelled(stdout, "warning", RANDOM_DP_WARNING);
  if (p->epsilon > 0) puts(holds ? "holds" : "does not hold");
}

static sfm_status print_promise_json(const prediction *p, const sfm_guarantee *g, const char *kind,
                                     bool holds, sfm_error *error) {
  json_t *object = json_pack("{s:s, s:s, s:b, s:f, s:f, s:f, s:s}", "kind", "prediction", "of",
                             kind, "holds", holds, "epsilon", g->epsilon, "delta", g->delta,
                             "gamma", p->gamma, "warning", RANDOM_DP_WARNING);
  return json_output_print(object, error);
}

/* Prints what the release promises within the set; *holds says whether it is what was wanted. */
static sfm_status check_prediction(bool *holds, const sfm_release *release,
                                   const cli_options *options, sfm_error *error) {
  const char *kind = sfm_kind_name(sfm_release_kind(release));
  const sfm_guarantee stated = sfm_release_guarantee(release);
  const bool table = sfm_release_kind(release) == SFM_KIND_HISTOGRAM,
             count = sfm_release_kind(release) == SFM_KIND_COUNT;
  prediction p = {0};
  sfm_guarantee g = {0};
  sfm_status status = SFM_OK;
  *holds = false;
  if (!table && !count)
    return cli_misuse(
        error, "--prediction is for a histogram or a count; for a %s only its guarantee is known",
        kind);
  status = read_prediction(&p, release, options, error);
  if (!status)
    status = table ? sfm_predict_table(&g, release, p.items, p.count, error)
                   : predict_count(&g, &p, release, options, error);
  *holds = !(p.epsilon > 0) || g.epsilon <= p.epsilon;
  if (!status && options_has(options, "json"))
    status = print_promise_json(&p, &g, kind, *holds, error);
  else if (!status)
    print_promise(&p, &g, &stated, *holds);
  fflush(stdout);
  prediction_clear(&p);
  return status;
}

/* A prediction is about releases, all else about mechanisms. */
static sfm_status run_prediction(const cli_options *options, sfm_error *error) {
  sfm_release *release = NULL;
  bool holds = false;
  sfm_status status = release_file_read(&release, options, options->operand, error);
  if (!status) status = check_prediction(&holds, release, options, error);
  if (!status && !holds)
    status =
        cli_fail(error, SFM_INTERNAL, "between records of the set epsilon is above the wanted %s",
                 options_get(options, "epsilon"));
  sfm_release_destroy(release);
  return status;
}

/* An option that is of no use without a prediction. */
static sfm_status check_options(const cli_options *options, sfm_error *error) {
  static const char *const names[] = {"random-dp", "epsilon", "schema"};
  for (size_t i = 0; i < 3; i++)
    if (options_has(options, names[i]))
      return cli_misuse(error, "--%s goes with --prediction", names[i]);
  return SFM_OK;
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  if (options_has(options, "prediction")) return run_prediction(options, error);
  sfm_release *release = NULL;
  sfm_optimal_facts facts;
  sfm_optimal_report report;
  sfm_status status = check_options(options, error);
  if (!status) status = release_file_read(&release, options, options->operand, error);
  if (!status && sfm_release_kind(release) != SFM_KIND_MECHANISM)
    status = cli_misuse(error,
                        "%s is a %s: only the owner of the rows could check its noisy numbers. "
                        "`verify` checks a mechanism (sfumato optimal) or, with --prediction, the "
                        "guarantee of a histogram or a count between the records of a set",
                        options->operand, sfm_kind_name(sfm_release_kind(release)));
  if (!status) status = sfm_optimal_describe(release, &facts, error);
  if (!status) status = check(release, &report, options->operand, error);
  if (status)
    status = refute(options, status, error);
  else if (options_has(options, "json"))
    status = print_json(&facts, &report, error);
  else
    print_words(&facts, &report);
  sfm_release_destroy(release);
  return status;
}

const cli_verb verb_verify = {
    .name = "verify",
    .summary = "check a mechanism exactly: its privacy and its stated risk",
    .usage = "MECHANISM [--json] | RELEASE --prediction SET --random-dp GAMMA [--epsilon E]",
    .operand = "MECHANISM",
    .operand_help = "a file of `sfumato optimal` (with --prediction: of histogram or count); - is "
                    "standard input",
    .options = options_table,
    .about =
        "The check uses the numbers in the file alone. In integers: every row of the table sums to "
        "one, and every ratio of neighbouring entries is at most e^epsilon. Risk and limit are "
        "recomputed. The exit code is 0 if all of it holds, 1 if not (the message says what and "
        "where), 2 for a release of another kind.\n"
        "The JSON object has the keys kind, holds, n, epsilon, form, entries, ratios (how many "
        "were compared), largest_ratio, risk, limit and reason (null); if something does not hold, "
        "only holds and reason.\n"
        "With --prediction, for a histogram or a count under replace: the epsilon between records "
        "that are all in a set. It is smaller if no replacement within the set can change a count. "
        "Then the keys are kind (prediction), of, holds, epsilon, delta, gamma and warning; the "
        "exit code is 1 if the epsilon is above --epsilon.\n" RANDOM_DP_WARNING,
    .example = "sfumato verify m.sfm\n"
               "sfumato verify ages.sfm --prediction age=18:90 --random-dp 0.01 --epsilon 1",
    .run = run,
};
