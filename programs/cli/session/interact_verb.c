/* interact_verb.c - sfumato interact open, status, close: a private machine that teaches a public
 * model.
 *
 * A session is one file, for its owner alone.  It is read and written by the library and by nothing
 * else. */
#include <jansson.h>
#include <string.h>

#include "cli/io/json_output.h"
#include "cli/core/signals.h"
#include "cli/core/text.h"
#include "cli/core/verbs.h"
#include "cli/io/result_output.h"
#include "cli/ledger/ledger_options.h"
#include "cli/release/release_command.h"
#include "cli/report/machine_text.h"
#include "cli/report/report.h"
#include "cli/request/progress_line.h"
#include "cli/request/remark_line.h"
#include "cli/request/interact_options.h"
#include "cli/request/row_options.h"
#include "session_close.h"

static const cli_option open_table[] = {
    CLI_GROUP(interact_model),
    CLI_SAME(compression),
    CLI_GROUP(interact),
    CLI_GROUP(charge),
    {"anchor", "FILE",
     "without a ledger: a small file, kept elsewhere, that records the state of the session and "
     "reveals an older copy"},
    CLI_SAME(seed),
    {"json", NULL, "after opening, print what `interact status --json` prints"},
    {0},
};

/* ---- status ---- */

/* "y from a, b (gaussian:0.5 kernel, hinge loss, lambda 0.01), 1000 features (random)" */
static void describe(char *text, size_t size, const sfm_interact *session) {
  const sfm_release *machine = sfm_interact_machine(session);
  const sfm_interact_facts about = sfm_interact_about(session);
  char subject[400], kernel[64];
  sfm_machine m;
  (void)sfm_release_machine(machine, &m);
  machine_subject_text(subject, sizeof subject, machine, &m);
  machine_kernel_text(kernel, sizeof kernel, &m);
  snprintf(text, size,
           "a machine that predicts %s (%s kernel, %s loss, lambda %.6g), %zu features "
           "(%s)",
           subject, kernel, sfm_machine_loss_name(m.loss), m.lambda, about.features, about.form);
}

static void print_status(FILE *out, const sfm_interact *session) {
  const sfm_interact_facts about = sfm_interact_about(session);
  const sfm_interact_plan plan = sfm_interact_planned(session);
  char text[1024];
  describe(text, sizeof text, session);
  text_print_labelled(out, "session", text);
  text_print_labelled(out, "guarantee", sfm_interact_sentence(session));
  text_say(out, "questions", "%llu answered, %llu of them by released values",
           (unsigned long long)about.questions, (unsigned long long)about.released);
  if (about.epochs_left)
    text_say(out, "epochs",
             "%llu of %llu left; answers from the public model are within %.3g of the private "
             "machine, released answers within %.3g, with confidence %g each",
             (unsigned long long)about.epochs_left, (unsigned long long)plan.epochs,
             plan.error_public, plan.error_released, about.confidence);
  else
    text_say(out, "epochs",
             "none of %llu left: answers come from the public model, without an error bar",
             (unsigned long long)plan.epochs);
}

static sfm_status print_json(const sfm_interact *session, sfm_error *error) {
  const sfm_interact_facts about = sfm_interact_about(session);
  const sfm_interact_plan plan = sfm_interact_planned(session);
  const sfm_guarantee g = sfm_interact_guarantee(session);
  const sfm_release *machine = sfm_interact_machine(session);
  json_t *classes = json_array();
  sfm_machine m;
  char kernel[64];
  (void)sfm_release_machine(machine, &m);
  machine_kernel_text(kernel, sizeof kernel, &m);
  for (size_t i = 0; i < m.class_count; i++)
    json_array_append_new(classes, json_string(sfm_machine_class(machine, i)));
  json_t *object = json_pack(
      "{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:{s:f, s:f}, s:f, s:s, s:o, s:{s:s, s:f, s:f, s:s}, "
      "s:f, s:o*, s:o, s:b, s:o*, s:o*, s:o*}",
      "kernel", kernel, "form", about.form, "features", (json_int_t)about.features, "questions",
      (json_int_t)about.questions, "released", (json_int_t)about.released, "epochs",
      (json_int_t)plan.epochs, "epochs_left", (json_int_t)about.epochs_left, "error", "public",
      plan.error_public, "released", plan.error_released, "confidence", about.confidence, "update",
      sfm_interact_update_name(about.update), "plan", interact_plan_json(&plan), "guarantee",
      "kind", sfm_guarantee_kind_name(g.kind), "epsilon", g.epsilon, "delta", g.delta, "sentence",
      sfm_interact_sentence(session), "lambda", m.lambda, "label", json_output_text(m.label),
      "classes", classes, "hardened", sfm_release_hardened(machine), "dataset",
      json_output_text(sfm_release_dataset(machine)), "ledger",
      json_output_text(sfm_interact_ledger(session)), "anchor",
      json_output_text(sfm_interact_anchor(session)));
  return json_output_print(object, error);
}

/* ---- open ---- */

/* Before anything is charged; context: the confidence. */
static void print_plan(void *context, const sfm_interact_plan *plan) {
  interact_plan_print(stderr, plan, *(const double *)context);
}

static sfm_status create(const char *path, const char *rows_path, const char *anchor,
                         sfm_interact_settings *settings, train_options *s, sfm_error *error) {
  sfm_rows *rows = NULL;
  progress_line line;
  double confidence = s->settings.context.confidence;
  progress_line_begin(&line, &s->settings.context);
  remark_line_begin(&s->settings.context, &verb_interact_open);
  settings->planned = print_plan;
  settings->planned_data = &confidence;
  sfm_status status = release_command_open(&rows, rows_path, s->dimension, s->compression, error);
  if (!status)
    signals_defer("the session is being made",
                  "repeat the command: it removes the unfinished session and starts again");
  if (!status) status = sfm_interact_create(path, rows, settings, anchor, error);
  progress_line_end(&line);
  sfm_rows_destroy(rows);
  return status;
}

static void report_opened(const sfm_interact *session, const char *path, bool charged) {
  text_say(stderr, "opened",
           "%.300s: PRIVATE, mode 0600. It contains the machine without noise: whoever reads it "
           "can undo the protection",
           path);
  print_status(stderr, session);
  if (!charged) report_uncharged(stderr, false);
  text_say(stderr, "next", "sfumato interact ask %.500s --points new.csv", path);
}

static sfm_status check_open(const cli_options *options, sfm_error *error) {
  if (strcmp(options->operand, "-") == 0)
    return cli_misuse(error, "a session must be a file; write a path instead of -");
  if (options_has(options, "anchor") && options_has(options, "ledger"))
    return cli_misuse(error, "--anchor is for a session without a ledger: with --ledger the ledger "
                             "records its state; leave out one of them");
  return SFM_OK;
}

static sfm_status run_open(const cli_options *options, sfm_error *error) {
  const char *path = options->operand;
  train_options s = {0};
  charge c = {0};
  sfm_interact_settings settings;
  sfm_interact *session = NULL;
  sfm_status status = interact_options_read(&settings, &s, options, error);
  if (!status) status = check_open(options, error);
  if (!status) status = charge_open(&c, options, error);
  if (!status) {
    s.settings.context.charge = c.use;
    status = create(path, options->second, options_get(options, "anchor"), &settings, &s, error);
  }
  /* Closed before the session opens the ledger by itself. */
  charge_close(&c);
  if (!status) status = sfm_interact_open(&session, path, error);
  if (status) goto cleanup;
  if (s.settings.context.seeded) report_seeded(stderr, "interact open");
  report_opened(session, path, options_has(options, "ledger"));
  row_options_warn(s.settings.context.schema);
  if (options_has(options, "json")) status = print_json(session, error);
cleanup:
  sfm_interact_close(session);
  train_options_clear(&s);
  return status;
}

const cli_verb verb_interact_open = {
    .name = "interact open",
    .summary = "train a machine on private rows and make a session that answers questions of it",
    .usage =
        "SESSION ROWS --features NAMES --label COLUMN --bounds A:B (--accuracy A | --epochs B) "
        "[--questions T] --epsilon E [--delta D] (--ledger FILE --dataset NAME | --anchor FILE) "
        "[options]",
    .operand = "SESSION",
    .operand_help = "the file of the new session, usually named *.sfs: PRIVATE",
    .second = "ROWS",
    .second_help = "CSV with a header line (plain or gzip), NPY, or with --dimension libsvm text; "
                   "- is standard input",
    .options = open_table,
    .about =
        "Each question is answered by a public model, which is empty at first. A noisy comparison "
        "with the private machine decides whether this answer is too far off. If it is, the value "
        "of the private machine is released with its own noise, the public model learns it, and an "
        "epoch ends. The number of epochs follows from --accuracy, --questions and the guarantee. "
        "It is printed before anything is charged. The whole session is charged once, here. After "
        "the last epoch answers come from the public model alone, and say so.\n"
        "The file of the session is PRIVATE and readable by its owner alone (mode 0600). The "
        "answers may be published, the file never. The ledger, or --anchor, records the state of "
        "the session before any answer is shown. An older copy is refused, because it would draw "
        "new noise for the same question. `interact close` wipes the session.",
    .example =
        "sfumato interact open s.sfs rows.csv --features age,income --label bought --labels "
        "'no|yes' --bounds 0:100,0:200000 --kernel gaussian:0.5 --questions 100000 --accuracy 0.2 "
        "--epsilon 1 --delta 1e-6 --ledger clinic.db --dataset patients\n"
        "sfumato interact ask s.sfs --points new.csv --classes\n"
        "sfumato interact close s.sfs -o t.sfm",
    .run = run_open,
    .makes = true,
};

static const cli_option status_table[] = {CLI_SAME(json), {0}};

static sfm_status run_status(const cli_options *options, sfm_error *error) {
  sfm_interact *session = NULL;
  sfm_status status = sfm_interact_open(&session, options->operand, error);
  if (!status && options_has(options, "json"))
    status = print_json(session, error);
  else if (!status)
    print_status(stdout, session);
  sfm_interact_close(session);
  return status;
}

const cli_verb verb_interact_status = {
    .name = "interact status",
    .summary = "show what is public of a session, and what is left of it",
    .usage = "SESSION [--json]",
    .operand = "SESSION",
    .options = status_table,
    .about = "The JSON object has the keys kernel, form, features, questions, released, epochs, "
             "epochs_left, error {public, released}, confidence, update, plan (what `plan interact "
             "--json` prints, without kernel, confidence and command), guarantee {kind, epsilon, "
             "delta, sentence}, for all answers together, lambda, label, classes (empty for a "
             "regression), hardened, dataset, ledger and anchor (null: none).",
    .example = "sfumato interact status s.sfs\nsfumato interact status s.sfs --json",
    .run = run_status,
};

/* ---- close ---- */

static const cli_option close_table[] = {CLI_GROUP(session_close), {0}};

/* The transcript, durably. */
static sfm_status write_transcript(sfm_interact *session, const char *path, sfm_error *error) {
  sfm_release *release = NULL;
  sfm_status status = session_close_check_paths(path, sfm_interact_ledger(session),
                                                sfm_interact_anchor(session), error);
  if (!status) status = sfm_interact_transcript(session, &release, error);
  if (!status) status = output_release(release, path, error);
  if (!status) {
    text_say(stderr, "wrote",
             "%.300s: the public model, a machine of %zu released point%s (interactive, hardened)",
             path, sfm_release_length(release), sfm_release_length(release) == 1 ? "" : "s");
    text_print_labelled(stderr, "guarantee", sfm_release_sentence(release));
    text_say(stderr, "next", "sfumato eval %.300s --points new.csv", path);
  }
  sfm_release_destroy(release);
  return status;
}

static sfm_status run_close(const cli_options *options, sfm_error *error) {
  const char *path = options_get(options, "output");
  sfm_interact *session = NULL;
  sfm_status status = session_close_check(options, error);
  signals_hold(); /* the transcript first, then the wipe, and both whole */
  if (!status && !path) status = sfm_interact_discard(options->operand, error);
  if (!status && path) status = sfm_interact_open(&session, options->operand, error);
  if (!status && path) status = write_transcript(session, path, error);
  if (!status && path) status = sfm_interact_wipe(session, error);
  sfm_interact_close(session);
  signals_release();
  if (status) return status;
  session_close_print(stderr, options->operand);
  return SFM_OK;
}

const cli_verb verb_interact_close = {
    .name = "interact close",
    .summary = "write the public model of a session to a file and wipe the session",
    .usage = "SESSION -o FILE | --discard",
    .operand = "SESSION",
    .options = close_table,
    .about = "The transcript is a release, a machine: the points whose values were released, and "
             "coefficients. It may be published; use it with `eval` and `plot` like any other "
             "machine. (For random features it is computed from the same values by their kernel, "
             "and differs a little from the public model of the session.) When the transcript is "
             "on the disk, the file of the session is overwritten and removed. A session that has "
             "released nothing has no transcript: use --discard.",
    .example = "sfumato interact close s.sfs -o t.sfm\nsfumato interact close s.sfs --discard",
    .run = run_close,
};
