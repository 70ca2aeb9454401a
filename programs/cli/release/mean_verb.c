/* mean_verb.c - sfumato mean: the mean of a column under random differential privacy.
 *
 * Order as for a density, but that nothing can be charged. */
#include <jansson.h>

#include "cli/partial/partial_files.h"
#include "cli/core/text.h"
#include "cli/core/verbs.h"
#include "cli/io/json_output.h"
#include "cli/request/row_options.h"
#include "sfumato/mean.h"
#include "release_command.h"

static const cli_option options_table[] = {
    {"column", "NAME", "the variable (NPY columns are called 0, 1, ...)",
     .missing = "the column whose mean is released; write for example --column income"},
    {"within", "A:B",
     "outer limits in the column's unit that you can state without looking at the rows; public. "
     "They may be very wide, but wider limits need more rows"},
    {"random-dp", "GAMMA",
     "the probability that the guarantee fails, over the drawing of the records; between 0 and 1",
     CLI_FRACTION("0.05"),
     .missing = "this mean is under random differential privacy, which is weaker than differential "
                "privacy; write for example --random-dp 0.05. For differential privacy find bounds "
                "(sfumato range), clamp the values to them, and release the mean with sfumato "
                "vector --sensitivity l1:WIDTH/ROWS"},
    CLI_SAME(epsilon),
    {"delta", "D", "above 0, at most 0.5", CLI_FRACTION("1e-6"),
     .missing = "the probability that the privacy loss is larger; write for example --delta 1e-6"},
    CLI_SAME(schema),
    {"neighbours", "replace", "replace is the only choice: one record is replaced by a new draw",
     "replace", CLI_WORDS("replace")},
    CLI_SAME(check),
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

#define AT(name, member) CLI_FIELD(name, sfm_mean_settings, member)
static const cli_field fields[] = {AT("column", column),   AT("random-dp", gamma),
                                   AT("epsilon", epsilon), AT("delta", delta),
                                   AT("seed", context),    {0}};

static sfm_status read_request(release_task *task, sfm_error *error) {
  const cli_options *options = task->options;
  static const char *const charged[] = {"ledger", "dataset", "request"};
  sfm_mean_settings *s = task->request;
  *s = sfm_mean_settings_default();
  sfm_status status = options_fill(s, fields, options, error);
  for (size_t i = 0; !status && i < sizeof charged / sizeof *charged; i++)
    if (options_has(options, charged[i]))
      return cli_misuse(error,
                        "random differential privacy cannot be charged to a ledger of differential "
                        "privacy; leave out --%s",
                        charged[i]);
  if (!status) status = release_command_schema(task, error);
  return status ? status : schema_options_limits(task->schema, s->column, options, error);
}

static sfm_status release(release_task *task, sfm_rows *rows, sfm_error *error) {
  return sfm_mean_release(&task->release, rows, task->request, error);
}

static sfm_status print_json(const release_task *task, sfm_error *error) {
  const sfm_release *release = task->release;
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
  return json_output_print(object, error);
}

static void print(const release_task *task) {
  text_say(stdout, "mean", "%.8g, of %.200s", sfm_release_coefficient(task->release, 0),
           sfm_release_column(task->release, 0));
}

/* What is not promised. */
static void report(const release_task *task) {
  (void)task;
  text_print_labelled(
      stderr, "noise",
      "its size depends on the rows and is not published, so there is no error band");
}

static const release_command command = {RELEASE_REQUEST(sfm_mean_settings, context),
                                        .output = "mean.sfm",
                                        .answers = true,
                                        .read = read_request,
                                        .release = release,
                                        .print = print,
                                        .json = print_json,
                                        .report = report};

const cli_verb verb_mean = {
    .name = "mean",
    .summary = "release a mean under random differential privacy, a weaker promise",
    .usage =
        "ROWS --column NAME --within A:B --random-dp GAMMA --epsilon E --delta D [options] [-o "
        "FILE]",
    .operand = "ROWS",
    .options = options_table,
    .refused = options_no_partials,
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
    .command = &command,
};
