#include "check_line.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/core/field_words.h"
#include "cli/core/paths.h"
#include "cli/core/text.h"
#include "cli/formats/gram_files.h"
#include "cli/request/remark_line.h"
#include "cli/verb_list.h"
#include "check_facts.h"
#include "check_gram.h"

/* ---- what a line would read ---- */

static sfm_status open_rows(sfm_rows **rows, const release_task *task, sfm_error *error) {
  const cli_verb *verb = task->options->verb;
  const char *path = verb->second ? task->options->second : task->options->operand;
  return verb->command->open ? verb->command->open(rows, task, path, error)
                             : sfm_rows_open(rows, path, error);
}

/* The release itself, without a charge and without a release: it was stopped. */
static sfm_status release_nothing(release_task *task, sfm_rows *rows, sfm_error *error) {
  const sfm_context before = *task->context;
  task->context->charge = NULL;
  sfm_status status = task->options->verb->command->release(task, rows, error);
  if (status == SFM_STOPPED)
    status = SFM_OK;
  else if (!status)
    status = cli_misuse(error, "this line reads no private rows: there is nothing to check");
  sfm_release_destroy(task->release);
  task->release = NULL;
  *task->context = before;
  return status;
}

static bool stop_when_prepared(void *data, const sfm_progress *at) {
  (void)data;
  return at->stage != SFM_STAGE_PREPARED;
}

/* Up to the charge, where the release cannot say what it would read: for what is remarked on. */
static sfm_status prepare(release_task *task, sfm_rows *rows, sfm_error *error) {
  const sfm_context before = *task->context;
  task->context->progress = stop_when_prepared;
  const sfm_status status = release_nothing(task, rows, error);
  *task->context = before;
  return status;
}

/* Libsvm text has no columns to be examined in: it is compared with what the options state. */
static sfm_status examine_sparse(sfm_rows_report **out, check_view *view, sfm_schema **schema,
                                 release_task *task, sfm_error *error) {
  check_facts facts = {0};
  sfm_rows *rows = NULL;
  sfm_status status = check_facts_read(&facts, task->options, error);
  if (!status) status = open_rows(&rows, task, error);
  if (!status) status = prepare(task, rows, error);
  if (!status) status = check_facts_compare(out, view, &facts, rows, error);
  sfm_rows_destroy(rows);
  *schema = facts.schema;
  return status;
}

static sfm_status examine_gram(release_task *task, sfm_error *error) {
  sfm_rows *rows = NULL;
  sfm_status status = open_rows(&rows, task, error);
  if (!status) status = prepare(task, rows, error);
  if (!status) status = check_gram_compare(task->options, rows, error);
  sfm_rows_destroy(rows);
  return status;
}

/* The release itself, up to the first record. */
static sfm_status examine(sfm_rows_report **out, check_view *view, release_task *task,
                          sfm_error *error) {
  const release_command *c = task->options->verb->command;
  sfm_rows *rows = NULL;
  sfm_status status = open_rows(&rows, task, error);
  if (!status && c->check_rows) status = c->check_rows(task, rows, error);
  if (!status) {
    sfm_rows_examine(rows, out);
    status = release_nothing(task, rows, error);
  }
  sfm_rows_destroy(rows);
  view->schema = task->context->schema;
  view->subject = "This release";
  view->exact = true;
  return status;
}

static bool is_sparse(const cli_options *options) {
  return options_given(options, "dimension") != NULL;
}

/* ---- sfumato check -- VERB ... ---- */

static sfm_status fail_verb(int count, char *const *words, sfm_error *error) {
  const char *names[VERB_COUNT];
  size_t used = 0;
  for (size_t i = 0; i < VERB_COUNT; i++)
    if (verb_list[i]->command && !verb_list[i]->command->alone) names[used++] = verb_list[i]->name;
  const char *nearest = count ? options_nearest(words[0], names, used) : NULL;
  if (nearest)
    return cli_misuse(error, "after -- there is no verb '%.60s'; did you mean %s?", words[0],
                      nearest);
  return cli_misuse(error,
                    "after -- write a verb that releases from rows, with its own words: sfumato "
                    "check -- density rows.csv --columns age --bounds 0:100 --epsilon 1");
}

/* A verb whose rows can be examined. */
static sfm_status check_verb_fits(const cli_verb *verb, sfm_error *error) {
  if (verb->command && !verb->command->alone) return SFM_OK;
  return cli_misuse(error,
                    "lines of `sfumato %s` cannot be checked. If it reads columns of rows, check "
                    "these: sfumato check ROWS --columns NAMES --bounds A:B, or --schema FILE",
                    verb->name);
}

static sfm_status run_task(check_view *view, const cli_options *line, const cli_options *options,
                           sfm_error *error) {
  const release_command *c = line->verb->command;
  release_task task = {.options = line, .request = calloc(1, c->size)};
  sfm_rows_report *report = NULL;
  sfm_schema *schema = NULL;
  if (!task.request) return cli_fail_memory(error);
  task.context = (void *)((char *)task.request + c->context);
  sfm_status status = c->read(&task, error);
  remark_line_begin(task.context, line->verb);
  if (!status && gram_files_given(line))
    status = examine_gram(&task, error);
  else if (!status)
    status = is_sparse(line) ? examine_sparse(&report, view, &schema, &task, error)
                             : examine(&report, view, &task, error);
  if (!status && report) status = check_report_show(report, view, options, error);
  sfm_rows_report_destroy(report);
  sfm_schema_destroy(schema);
  sfm_schema_destroy(task.schema);
  if (c->clear) c->clear(task.request);
  free(task.request);
  return status;
}

/* Messages speak of the options of the line's verb. */
static void translate(sfm_error *error, const cli_verb *verb) {
  char message[SFM_MESSAGE_MAX];
  field_words(message, sizeof message, error->message, verb, verb_list);
  memcpy(error->message, message, sizeof message);
}

sfm_status check_line_run(check_view *view, const cli_options *options, sfm_error *error) {
  cli_options line;
  int used = 0;
  const int count = options->line_count;
  const cli_verb *verb = count ? verb_find(count, options->line, &used) : NULL;
  if (!verb) return fail_verb(count, options->line, error);
  sfm_status status = check_verb_fits(verb, error);
  if (status) return status;
  status = options_parse(&line, verb, count - used, options->line + used, error);
  line.exit_code = options->exit_code;
  if (!status && line.help)
    status = cli_misuse(error, "`sfumato %s --help` explains the verb", verb->name);
  if (!status) status = paths_check(&line, error);
  if (!status && options_given(&line, "partials"))
    status = cli_misuse(error, "--partials has no rows to check: check the rows of each part with "
                               "the line that makes it, sfumato check -- partial ...");
  if (!status) status = run_task(view, &line, options, error);
  if (status) translate(error, verb);
  options_clear(&line);
  return status;
}

/* ---- --check ---- */

sfm_status check_line_allowed(const cli_options *options, sfm_error *error) {
  if (!options_given(options, "check")) return SFM_OK;
  if (options_given(options, "partials"))
    return cli_misuse(error, "--check looks at rows, and --partials has none: leave --check out");
  if (isatty(STDIN_FILENO) && isatty(STDERR_FILENO)) return SFM_OK;
  return cli_misuse(error,
                    "--check asks the owner, on a terminal, and standard input or standard error "
                    "is none. Leave it out. `sfumato check -- %s ...`, with the other words of "
                    "this line, shows the same; whether you then release depends on the rows, no "
                    "guarantee covers that decision, and it is the owner's alone",
                    options->verb->name);
}

/* Shows what would be read, on the terminal. */
static sfm_status show(release_task *task, sfm_error *error) {
  const cli_options *options = task->options;
  check_view view = {.most = 0.05};
  sfm_rows_report *report = NULL;
  sfm_schema *schema = NULL;
  if (gram_files_given(options)) return examine_gram(task, error);
  sfm_status status = is_sparse(options) ? examine_sparse(&report, &view, &schema, task, error)
                                         : examine(&report, &view, task, error);
  if (!status) check_report_print(stderr, report, &view);
  sfm_rows_report_destroy(report);
  sfm_schema_destroy(schema);
  return status;
}

sfm_status check_line_ask(bool *goes_on, release_task *task, sfm_error *error) {
  const char *ledger = options_given(task->options, "ledger");
  char answer[16] = "";
  *goes_on = true;
  if (!options_given(task->options, "check")) return SFM_OK;
  const sfm_status status = show(task, error);
  task->context->remark = NULL; /* said already */
  if (status) return status;
  fputs("\nYour answer depends on the rows, and no guarantee covers what it reveals.\n", stderr);
  fprintf(stderr, ledger ? "Charge the ledger and release? [y/N] " : "Release? [y/N] ");
  fflush(stderr);
  *goes_on =
      fgets(answer, sizeof answer, stdin) &&
      (strcmp(answer, "y\n") == 0 || strcmp(answer, "Y\n") == 0 || strcmp(answer, "yes\n") == 0);
  if (*goes_on) return SFM_OK;
  *task->options->exit_code = CHECK_FAILED;
  fputs("nothing was charged or released\n", stderr);
  return SFM_OK;
}
