/* score_verb.c - sfumato score: how well a machine predicts rows that it was not trained on.
 *
 * Private rows cost privacy here as everywhere.  The owner states whether they are private. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/partial/partial_files.h"
#include "cli/io/json_output.h"
#include "cli/core/text.h"
#include "cli/core/verbs.h"
#include "cli/io/result_output.h"
#include "cli/io/release_file.h"
#include "cli/report/machine_fit_text.h"
#include "cli/ledger/ledger_options.h"
#include "cli/request/compression_option.h"
#include "cli/request/row_options.h"
#include "sfumato/train.h"
#include "release_command.h"

static const cli_option options_table[] = {
    {"label", "COLUMN", "the column of the true labels",
     "the label that the machine was trained on"},
    CLI_SAME(compression),
    {"public", NULL, "the rows are public: print the exact score, which costs nothing"},
    {"epsilon", "E",
     "the rows are private: print the score with noise, for this privacy loss (above 0, pure)",
     CLI_POSITIVE("0.1")},
    CLI_SAME(schema),
    CLI_GROUP(people),
    {"band", "C", "confidence of the interval around a noisy score, between 0 and 1", "0.95",
     CLI_FRACTION("0.95")},
    CLI_SAME(check),
    CLI_GROUP(charge),
    CLI_SAME(seed),
    CLI_SAME(json),
    {"output", "FILE",
     "private rows: also write the release (a vector of one number, the sum over rows), usually "
     "named *.sfm",
     NULL, 'o'},
    CLI_SAME(large),
    {0},
};

/* Public or private is for the owner to say. */
static sfm_status check_choice(const cli_options *options, sfm_error *error) {
  static const char *const private_only[] = {"person",  "contributions", "band",   "ledger",
                                             "dataset", "request",       "output", "seed"};
  const bool is_public = options_has(options, "public"), paid = options_has(options, "epsilon");
  if (!is_public && !paid)
    return cli_misuse(error,
                      "the score of a machine on private rows is itself a release of those rows: "
                      "write --epsilon 0.1 to pay for it, or --public if the rows are public");
  if (is_public && paid)
    return cli_misuse(error, "--public and --epsilon exclude each other: public rows are scored "
                             "exactly, private ones with noise; drop one of them");
  for (size_t i = 0; is_public && i < sizeof private_only / sizeof *private_only; i++)
    if (options_has(options, private_only[i]))
      return cli_misuse(error, "--%s is for private rows; leave it out with --public",
                        private_only[i]);
  return SFM_OK;
}

/* The settings, what they borrow, and the score. */
typedef struct score_request {
  sfm_score_settings settings;
  sfm_release *machine;
  sfm_machine about;
  sfm_compression compression;
  sfm_score score;
} score_request;

#define AT(name, member) CLI_FIELD(name, sfm_score_settings, member)
static const cli_field fields[] = {AT("public", is_public), AT("label", label),
                                   AT("epsilon", epsilon),  AT("band", context.confidence),
                                   AT("seed", context),     {0}};

static bool ends_in(const char *path, const char *ending) {
  const size_t length = strlen(path), last = strlen(ending);
  return length > last && strcmp(path + length - last, ending) == 0;
}

static sfm_status read_machine(sfm_release **machine, sfm_machine *about,
                               const cli_options *options, sfm_error *error) {
  sfm_status status = release_file_read(machine, options, options->operand, error);
  if (!status && !sfm_release_machine(*machine, about))
    status = cli_misuse(error, "%s is a %s, not a machine: it has no score", options->operand,
                        sfm_kind_name(sfm_release_kind(*machine)));
  if (!status && machine_is_gram(about) &&
      (options_has(options, "label") || ends_in(options->second, ".csv") ||
       ends_in(options->second, ".npy")))
    status = cli_misuse(error,
                        "this machine has no columns: its inputs are the values of its kernel with "
                        "its %zu public points; give rows as libsvm text, LABEL 1:K(x, z_1) 2:K(x, "
                        "z_2) and so on, without --label",
                        about->dimension);
  if (!status && about->input_count == 0 && options_has(options, "label"))
    status = cli_misuse(error, "--label: the machine was trained on sparse rows, and the label is "
                               "the first number of every line of libsvm text; leave it out");
  const char *label = options_get(options, "label"), *input;
  for (size_t i = 0; !status && label && (input = sfm_machine_input(*machine, i)); i++)
    if (strcmp(label, input) == 0)
      status = cli_misuse(
          error, "--label: the machine predicts from '%.80s'; name the column of the true labels",
          label);
  return status;
}

static sfm_status read_request(release_task *task, sfm_error *error) {
  const cli_options *options = task->options;
  score_request *r = task->request;
  const char *path = options_get(options, "output");
  r->settings = sfm_score_settings_default();
  sfm_status status = check_choice(options, error);
  if (!status) status = options_fill(&r->settings, fields, options, error);
  if (!status) status = release_command_schema(task, error);
  if (!status && path && strcmp(path, "-") == 0)
    status = cli_misuse(error, "-o: the score is printed; name a file for the release");
  if (!status) status = read_machine(&r->machine, &r->about, options, error);
  return status
             ? status
             : compression_option_read(&r->compression, options, r->about.input_count == 0, error);
}

static sfm_status open_rows(sfm_rows **rows, const release_task *task, const char *path,
                            sfm_error *error) {
  const score_request *r = task->request;
  return release_command_open(rows, path, r->about.input_count ? 0 : r->about.dimension,
                              r->compression, error);
}

static sfm_status release(release_task *task, sfm_rows *rows, sfm_error *error) {
  score_request *r = task->request;
  return sfm_score_rows(&r->score, &task->release, r->machine, rows, &r->settings, error);
}

static void clear(void *request) {
  sfm_release_destroy(((score_request *)request)->machine);
}

/* What the score without noise is between, with the confidence. */
static void interval(double ends[2], const sfm_score *score, const sfm_release *release,
                     const sfm_machine *machine) {
  const double n = (double)score->rows, half = sfm_release_band(release).half_width / n,
               value = sfm_release_coefficient(release, 0) / n,
               most = score->regression ? machine->upper - machine->lower : 1;
  ends[0] = fmin(fmax(value - half, 0), most);
  ends[1] = fmax(fmin(value + half, most), 0);
}

/* What is printed for public rows only. */
static void add_public(json_t *object, const sfm_score *score, size_t classes) {
  json_object_set_new(object, "unlabelled", json_integer((json_int_t)score->unlabelled));
  if (score->regression) {
    json_object_set_new(object, "rmse", json_real(score->spread));
    json_object_set_new(object, "middle", json_real(score->middle));
    return;
  }
  json_object_set_new(object, "majority", json_real(score->majority));
  if (classes > SFM_SCORE_TABLE) return;
  json_t *table = json_array();
  for (size_t i = 0; i < classes; i++) {
    json_t *row = json_array();
    for (size_t k = 0; k < classes; k++)
      json_array_append_new(row, json_integer((json_int_t)score->table[i][k]));
    json_array_append_new(table, row);
  }
  json_object_set_new(object, "confusion", table);
}

static sfm_status print_json(const release_task *task, sfm_error *error) {
  const sfm_release *release = task->release;
  const sfm_score *score = &((const score_request *)task->request)->score;
  const sfm_machine *machine = &((const score_request *)task->request)->about;
  /* So many digits are those of the decimal number that was meant: 0.854. */
  enum { DIGITS = 15 };
  double ends[2];
  json_t *object = json_pack("{s:f, s:I, s:b}", score->regression ? "error" : "accuracy",
                             score->regression ? score->error : score->accuracy, "rows",
                             (json_int_t)score->rows, "public", release == NULL);
  if (object && release) {
    const sfm_guarantee g = sfm_release_guarantee(release);
    interval(ends, score, release, machine);
    json_object_update_new(object,
                           json_pack("{s:s, s:f, s:s, s:{s:f, s:f, s:f}, s:b, s:o*, s:o*}",
                                     "guarantee", sfm_guarantee_kind_name(g.kind), "epsilon",
                                     g.epsilon, "neighbours", "replace", "interval", "confidence",
                                     sfm_release_band(release).confidence, "lower", ends[0],
                                     "upper", ends[1], "private", sfm_release_private(release),
                                     "dataset", json_output_text(sfm_release_dataset(release)),
                                     "request", json_output_text(sfm_release_request(release))));
  }
  if (object && !release) add_public(object, score, machine->class_count);
  char *text = object ? json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(DIGITS)) : NULL;
  if (text) puts(text);
  free(text);
  json_decref(object);
  return text ? SFM_OK : cli_fail_memory(error);
}

static void print_words(const sfm_score *score, const sfm_release *release,
                        const sfm_machine *machine) {
  char text[256];
  double ends[2];
  snprintf(text, sizeof text,
           score->regression ? "%.6g, mean absolute error, of %llu rows"
                             : "%.4g %% correct, of %llu rows",
           score->regression ? score->error : 100 * score->accuracy,
           (unsigned long long)score->rows);
  if (release) {
    const double unit = score->regression ? 1 : 100;
    interval(ends, score, release, machine);
    text_add(text, sizeof text,
             " (the score without noise is between %.4g and %.4g%s, with confidence %.6g)",
             unit * ends[0], unit * ends[1], score->regression ? "" : " %",
             sfm_release_band(release).confidence);
  }
  text_print_labelled(stdout, score->regression ? "error" : "accuracy", text);
}

/* One row per true label, one column per prediction. */
static void print_table(const sfm_score *score, const sfm_release *machine, size_t classes) {
  enum { SHOWN = 24, INDENT = 12 };
  char names[SFM_SCORE_TABLE][SHOWN + 1], cell[24];
  int widths[SFM_SCORE_TABLE], widest = 0;
  for (size_t k = 0; k < classes; k++) {
    text_harmless(names[k], sizeof names[k], sfm_machine_class(machine, k));
    widths[k] = (int)text_columns(names[k], strlen(names[k]));
    widest = widths[k] > widest ? widths[k] : widest;
    for (size_t i = 0; i < classes; i++) {
      const int digits =
          snprintf(cell, sizeof cell, "%llu", (unsigned long long)score->table[i][k]);
      widths[k] = digits > widths[k] ? digits : widths[k];
    }
  }
  text_print_labelled(stdout, "confusion",
                      "number of rows by true label (down) and predicted label (across)");
  printf("%*s", INDENT + widest, "");
  for (size_t k = 0; k < classes; k++) {
    const int blanks = widths[k] - (int)text_columns(names[k], strlen(names[k]));
    printf("  %*s%s", blanks, "", names[k]);
  }
  for (size_t i = 0; i < classes; i++) {
    const int blanks = widest - (int)text_columns(names[i], strlen(names[i]));
    printf("\n%*s%s%*s", INDENT, "", names[i], blanks, "");
    for (size_t k = 0; k < classes; k++)
      printf("  %*llu", widths[k], (unsigned long long)score->table[i][k]);
  }
  putchar('\n');
}

/* What is printed for public rows only. */
static void print_public(const sfm_score *score, const sfm_release *release,
                         const sfm_machine *machine) {
  char name[100];
  if (score->regression) {
    text_say(stdout, "spread", "%.6g, root mean squared error", score->spread);
    text_say(stdout, "guessing", "%.6g, mean absolute error of always predicting the middle, %.6g",
             score->middle, machine->lower / 2 + machine->upper / 2);
  } else {
    text_harmless(name, sizeof name, sfm_machine_class(release, score->commonest));
    text_say(stdout, "guessing", "%.4g %% correct if always %s is predicted, the most common label",
             100 * score->majority, name);
  }
  if (!score->regression && machine->class_count <= SFM_SCORE_TABLE)
    print_table(score, release, machine->class_count);
  if (score->unlabelled == 0) return;
  text_say(stdout, "unlabelled",
           "%llu of the rows have a label that the machine does not know, or lack a value: they "
           "are counted as %s",
           (unsigned long long)score->unlabelled,
           score->regression ? "errors of the whole width of the label's bounds" : "wrong");
}

static void report(const release_task *task) {
  if (!task->release)
    text_print_labelled(
        stderr, "note",
        "exact score of rows that you declared public: it has no noise and protects nobody");
}

static void print(const release_task *task) {
  const score_request *r = task->request;
  print_words(&r->score, task->release, &r->about);
  if (!task->release) print_public(&r->score, r->machine, &r->about);
}

static const release_command command = {RELEASE_REQUEST(score_request, settings.context),
                                        .output = "score.sfm",
                                        .answers = true,
                                        .warns = true,
                                        .read = read_request,
                                        .open = open_rows,
                                        .release = release,
                                        .print = print,
                                        .json = print_json,
                                        .report = report,
                                        .clear = clear};

const cli_verb verb_score = {
    .name = "score",
    .summary = "score a machine on rows with labels: accuracy, or mean error",
    .usage = "RELEASE ROWS --public | --epsilon E [--label COLUMN] [options]",
    .operand = "RELEASE",
    .operand_help = "a released machine (.sfm); - is standard input",
    .second = "ROWS",
    .second_help = "CSV with a header line (plain or gzip), NPY, or for a machine of sparse rows "
                   "libsvm text; - is standard input",
    .options = options_table,
    .refused = options_no_partials,
    .about =
        "The score of a machine on private rows is itself a release of those rows, so --public or "
        "--epsilon is needed. With --epsilon the number of correct rows (for a regression the sum "
        "of |prediction - label|, both clamped to the label's bounds) gets noise that covers the "
        "change by one record, and is divided by the number of rows, which is public. A row whose "
        "label the machine does not know, or with a missing value, counts as wrong (for a "
        "regression as an error of the whole width of the bounds).\n"
        "The rows that the machine was trained on show how well it fits them, not how well it "
        "predicts new rows.\n"
        "With --public these are printed, too: the score of guessing (always the most common "
        "label, or the middle of the label's bounds), the confusion table (up to 10 labels) or the "
        "root mean squared error, and how many rows lack a label or a value.\n"
        "The JSON object has the keys accuracy or error, rows and public; with --public also "
        "unlabelled, and majority and confusion (one list per true label, in the machine's order, "
        "of the number of rows per prediction) or rmse and middle; with --epsilon also guarantee, "
        "epsilon, neighbours, interval {confidence, lower, upper}, private, dataset and request.",
    .example = "sfumato score model.sfm test.csv --public\n"
               "sfumato score model.sfm patients.csv --label ill --epsilon 0.1 --ledger "
               "clinic.ledger --dataset patients",
    .command = &command,
};
