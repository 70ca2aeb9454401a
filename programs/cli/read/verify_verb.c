/* verify_verb.c - sfumato verify: whether a mechanism is what its file says, from its numbers
 * alone. */
#include <math.h>
#include <string.h>

#include "cli/core/field_words.h"
#include "cli/core/text.h"
#include "cli/core/verbs.h"
#include "cli/io/json_output.h"
#include "cli/io/release_file.h"
#include "sfumato/optimal.h"
#include "verify_prediction.h"

static const cli_option options_table[] = {
    CLI_OPTIONS_PREDICTION, CLI_OPTION_JSON, CLI_OPTION_LARGE, {0}};

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

/* A prediction is about releases, all else about mechanisms. */
static sfm_status run_prediction(const cli_options *options, sfm_error *error) {
  sfm_release *release = NULL;
  bool holds = false;
  sfm_status status = release_file_read(&release, options, options->operand, error);
  if (!status) status = verify_prediction_check(&holds, release, options, error);
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
  if (verify_prediction_given(options)) return run_prediction(options, error);
  sfm_release *release = NULL;
  sfm_optimal_facts facts;
  sfm_optimal_report report;
  sfm_status status = check_options(options, error);
  if (!status) status = release_file_read(&release, options, options->operand, error);
  if (!status && sfm_release_kind_of(release) != SFM_KIND_MECHANISM)
    status = cli_misuse(error,
                        "%s is a %s: only the owner of the rows could check its noisy numbers. "
                        "`verify` checks a mechanism (sfumato optimal) or, with --prediction, the "
                        "guarantee of a histogram or a count between the records of a set",
                        options->operand, sfm_release_kind(release));
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
