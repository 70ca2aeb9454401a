#include "partial_command.h"

#include <stdlib.h>
#include <string.h>

#include "cli/core/shared_options.h"
#include "cli/core/text.h"
#include "cli/partial/partial_files.h"
#include "cli/partial/partial_report.h"
#include "release_command.h"
#include "sfumato/partial.h"

#define ROWS_MAX (UINT64_C(1) << 50)

const cli_option options_part[] = {
    {"part", "I/P", "which part it is, and of how many: 3/8",
     .missing = "which part it is, and of how many; write for example --part 1/3"},
    {"rows", "N",
     "how many records all parts have together; needed under replace, where it is public, and "
     "refused under add-remove",
     CLI_COUNT(1, ROWS_MAX)},
    {"job", "NAME",
     "what the parts belong to, up to 100 bytes: parts of other jobs are not added to them",
     "none"},
    {"key", "FILE",
     "the key of the dataset that the release will be charged to (`sfumato ledger key`): PRIVATE. "
     "Needed with --person",
     "none: the release cannot be charged"},
    CLI_SAME(seed),
    {"json", NULL, "after writing, print what is public of the file as one JSON object"},
    CLI_SAME(part_output),
    {0}};

#define NOT_CHARGED                                                                                \
  "a part is not charged; the release from all parts is. Leave it out, and give --key "            \
  "(`sfumato ledger key`)"
const cli_option options_part_refused[] = {{.name = "ledger", .help = NOT_CHARGED},
                                           {.name = "dataset", .help = NOT_CHARGED},
                                           {.name = "request", .help = NOT_CHARGED},
                                           {0}};

/* I/P. */
static sfm_status read_number(sfm_part *part, const cli_options *options, sfm_error *error) {
  const char *text = NULL;
  char first[24] = "";
  const cli_field field[] = {{"part", 0, sizeof text}, {0}};
  const sfm_status status = options_fill(&text, field, options, error);
  if (status) return status;
  const char *slash = strchr(text, '/');
  if (slash && (size_t)(slash - text) < sizeof first) memcpy(first, text, (size_t)(slash - text));
  if (!slash || !text_count(&part->number, first) || !text_count(&part->of, slash + 1))
    return cli_misuse(error,
                      "--part: '%.80s' is not two whole numbers with a slash between them; "
                      "write for example --part 1/3",
                      text);
  if (part->of < 1 || part->of > SFM_PARTS_MAX || part->number < 1 || part->number > part->of)
    return cli_misuse(
        error, "--part %.80s: parts are numbered from 1 to their number, which is at most %d", text,
        SFM_PARTS_MAX);
  return SFM_OK;
}

static sfm_status read_part(sfm_part *part, sfm_key **key, const cli_options *options,
                            sfm_error *error) {
  const char *job = options_get(options, "job"), *path = options_get(options, "key");
  *part = sfm_part_default();
  sfm_status status = read_number(part, options, error);
  if (!status) status = options_take(options, &part->rows, "rows", error);
  if (!status && path) status = sfm_key_read(key, path, error);
  if (job) part->job = job;
  part->key = *key;
  return status;
}

/* Reads the rows into the partial. */
static sfm_status add_rows(const release_task *task, sfm_partial *partial, sfm_error *error) {
  const release_command *c = task->options->verb->command;
  sfm_rows *rows = NULL;
  sfm_status status = sfm_rows_open(&rows, task->options->operand, error);
  if (!status && c->check_rows) status = c->check_rows(task, rows, error);
  if (!status) status = sfm_partial_add(partial, rows, error);
  sfm_rows_destroy(rows);
  return status;
}

static sfm_status make(const release_task *task, sfm_partial **partial, const sfm_part *part,
                       sfm_error *error) {
  const release_command *c = task->options->verb->command;
  sfm_status status = c->partial(partial, task, part, error);
  if (!status) status = add_rows(task, *partial, error);
  if (!status) status = partial_files_write(*partial, task->path, error);
  if (status) return status;
  partial_report_written(*partial, task->path);
  if (task->context->seeded)
    text_print_labelled(stderr, "warning",
                        "with --seed the release from these parts is NOT private");
  return options_has(task->options, "json") ? partial_report_json(*partial, task->path, error)
                                            : SFM_OK;
}

sfm_status partial_command_run(const cli_options *options, sfm_error *error) {
  const release_command *c = options->verb->command;
  release_task task = {
      .options = options, .path = options_get(options, "output"), .request = calloc(1, c->size)};
  sfm_partial *partial = NULL;
  sfm_key *key = NULL;
  sfm_part part;
  if (!task.request) return cli_fail_memory(error);
  task.context = (void *)((char *)task.request + c->context);
  sfm_status status = c->read(&task, error);
  if (!status) status = read_part(&part, &key, options, error);
  if (!status) status = partial_files_check_output(options, error);
  if (!status) status = make(&task, &partial, &part, error);
  sfm_partial_destroy(partial);
  sfm_key_destroy(key);
  sfm_schema_destroy(task.schema);
  if (c->clear) c->clear(task.request);
  free(task.request);
  return status;
}
