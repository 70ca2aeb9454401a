#include "release_command.h"

#include <stdlib.h>
#include <string.h>

#include "cli/core/shared_options.h"
#include "cli/ledger/ledger_options.h"
#include "cli/partial/partial_files.h"
#include "cli/report/report.h"
#include "cli/core/text.h"
#include "cli/request/progress_line.h"
#include "cli/request/remark_line.h"
#include "cli/request/row_options.h"
#include "check_line.h"

const cli_option option_check = {
    "check", NULL,
    "on a terminal: first show the owner what of the rows would be ignored or clamped (PRIVATE, as "
    "`sfumato check -- ...`), and ask whether to release. Nothing is charged before the answer"};
const cli_option options_release[] = {
    CLI_GROUP(charge), CLI_SAME(seed), CLI_OPTION_SUMMARY, CLI_OPTION_RELEASE, {0}};
const cli_option options_answer[] = {
    CLI_GROUP(charge), CLI_SAME(seed), CLI_SAME(json), CLI_OPTION_ALSO_RELEASE, {0}};

sfm_status release_command_open(sfm_rows **rows, const char *path, size_t dimension,
                                sfm_compression compression, sfm_error *error) {
  return dimension ? sfm_rows_open_sparse(rows, path, dimension, compression, error)
                   : sfm_rows_open(rows, path, error);
}

sfm_status release_command_schema(release_task *task, sfm_error *error) {
  const sfm_status status = schema_options_load(&task->schema, task->options, error);
  task->context->schema = task->schema;
  return status;
}

/* Releases from merged parts. */
static sfm_status release_partials(const release_command *c, release_task *task, sfm_error *error) {
  sfm_partial *merged = NULL;
  sfm_rows *rows = NULL;
  sfm_status status = partial_files_read(&merged, task->options, error);
  if (!status) status = sfm_rows_from_partial(&rows, merged, error);
  if (!status) status = c->release(task, rows, error);
  sfm_rows_destroy(rows);
  sfm_partial_destroy(merged);
  return status;
}

/* Reads the rows and releases. */
static sfm_status release_rows(const release_command *c, release_task *task, sfm_error *error) {
  const cli_options *options = task->options;
  const char *path = options->verb->second ? options->second : options->operand;
  sfm_rows *rows = NULL;
  progress_line line;
  if (c->alone) return c->release(task, NULL, error);
  if (options_given(options, "partials")) return release_partials(c, task, error);
  progress_line_begin(&line, task->context);
  sfm_status status =
      c->open ? c->open(&rows, task, path, error) : sfm_rows_open(&rows, path, error);
  if (!status && c->check_rows) status = c->check_rows(task, rows, error);
  if (!status) status = c->release(task, rows, error);
  progress_line_end(&line);
  sfm_rows_destroy(rows);
  return status;
}

static sfm_status print_answer(const release_command *c, const release_task *task,
                               sfm_error *error) {
  sfm_status status = SFM_OK;
  if (options_has(task->options, "json"))
    status = c->json(task, error);
  else if (!task->path || strcmp(task->path, "-") != 0)
    c->print(task);
  fflush(stdout);
  return status;
}

/* On standard error: what is promised, and how near the answer is. */
static void report_answer(const release_command *c, const release_task *task) {
  const sfm_guarantee g = sfm_release_guarantee(task->release);
  char text[320];
  text_print_labelled(stderr, "guarantee", sfm_release_sentence(task->release));
  if (c->band) {
    report_band(text, sizeof text, task->release);
    text_print_labelled(stderr, c->band, text);
  }
  if (c->report) c->report(task);
  if (!sfm_release_dataset(task->release))
    report_uncharged(stderr, g.kind == SFM_GUARANTEE_RANDOM_DP);
  report_shown(stderr, task->path);
  if (c->warns) row_options_warn(task->schema);
}

static sfm_status print_summary(const release_command *c, const release_task *task,
                                sfm_error *error) {
  if (!c->json) return report_summary(task->release, task->options, error);
  return options_has(task->options, "json") ? c->json(task, error) : SFM_OK;
}

sfm_status release_command_run(const cli_options *options, sfm_error *error) {
  const release_command *c = options->verb->command;
  release_task task = {
      .options = options, .path = options_get(options, "output"), .request = calloc(1, c->size)};
  charge bill = {0};
  bool goes_on = true;
  if (!task.request) return cli_fail_memory(error);
  task.context = (void *)((char *)task.request + c->context);
  sfm_status status = check_line_allowed(options, error);
  if (!status) status = c->read(&task, error);
  remark_line_begin(task.context, options->verb);
  if (!status) status = partial_files_check(options, error);
  if (!status && (task.path || !c->answers))
    status = report_check_output(options, c->output, error);
  if (!status) status = charge_open(&bill, options, error);
  if (!status) status = check_line_ask(&goes_on, &task, error);
  if (status || !goes_on) goto cleanup;
  task.context->charge = bill.use;
  if (!status) status = release_rows(c, &task, error);
  if (!status && task.path) status = charge_write(task.release, task.path, error);
  if (status) goto cleanup;
  if (task.context->seeded) report_seeded(stderr, options->verb->name);
  if (c->answers) status = print_answer(c, &task, error);
  if (c->answers && task.release)
    report_answer(c, &task);
  else
    c->report(&task);
  if (!c->answers) status = print_summary(c, &task, error);
cleanup:
  sfm_release_destroy(task.release);
  sfm_schema_destroy(task.schema);
  charge_close(&bill);
  if (c->clear) c->clear(task.request);
  free(task.request);
  return status;
}
