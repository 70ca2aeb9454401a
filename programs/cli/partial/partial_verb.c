/* partial_verb.c - sfumato partial merge, sfumato partial info: files of partial sums. */
#include "cli/core/shared_options.h"
#include "cli/core/verbs.h"
#include "partial_files.h"
#include "partial_report.h"

/* ---- merge ---- */

static const cli_option merge_table[] = {
    {"json", NULL, "after writing, print what is public of the file as one JSON object"},
    CLI_SAME(part_output),
    {0}};

static sfm_status merge_all(sfm_partial **merged, const cli_options *options, sfm_error *error) {
  sfm_status status = partial_files_merge(merged, options->operand, error);
  if (!status && options->second) status = partial_files_merge(merged, options->second, error);
  for (size_t i = 0; !status && i < options->more_count; i++)
    status = partial_files_merge(merged, options->more[i], error);
  return status;
}

static sfm_status run_merge(const cli_options *options, sfm_error *error) {
  const char *path = options_get(options, "output");
  sfm_partial *merged = NULL;
  sfm_status status = partial_files_check_output(options, error);
  if (!status) status = merge_all(&merged, options, error);
  if (!status) status = partial_files_write(merged, path, error);
  if (!status) partial_report_written(merged, path);
  if (!status && options_has(options, "json")) status = partial_report_json(merged, path, error);
  sfm_partial_destroy(merged);
  return status;
}

const cli_verb verb_partial_merge = {
    .name = "partial merge",
    .summary = "add parts up into one file",
    .usage = "PART [PART...] -o FILE",
    .operand = "PART",
    .operand_help = "a file of `sfumato partial`, or a pattern in quotes that names many: "
                    "'part*.sfp'",
    .second = "[PART...]",
    .second_help = "others of the same job",
    .many = true,
    .options = merge_table,
    .about = "Sums are whole numbers, so neither the order of the parts nor the way they are "
             "merged changes the release. Refused, with the name of the file: a part that is there "
             "twice, and parts made with other settings, another job, number of parts or key, or "
             "by another version of sfumato.\n"
             "Private: all files. Nothing printed depends on a row.",
    .example = "sfumato partial merge 'part-*.sfp' -o all.sfp",
    .publishes_nothing = true,
    .run = run_merge,
};

/* ---- info ---- */

static const cli_option info_table[] = {CLI_OPTION_JSON, {0}};

static sfm_status run_info(const cli_options *options, sfm_error *error) {
  sfm_partial *partial = NULL;
  sfm_status status = sfm_partial_read(&partial, options->operand, error);
  if (!status)
    status = options_has(options, "json") ? partial_report_json(partial, options->operand, error)
                                          : partial_report_print(partial, error);
  sfm_partial_destroy(partial);
  return status;
}

const cli_verb verb_partial_info = {
    .name = "partial info",
    .summary = "what is public of a file of sums: its parts, its job, its settings",
    .usage = "PART [--json]",
    .operand = "PART",
    .operand_help = "a file of `sfumato partial`",
    .options = info_table,
    .about = "Nothing printed depends on a row; the sums are not shown. The file stays private.\n"
             "The JSON object has the keys partial (the file), mechanism, job, of (how many parts "
             "there are), parts (those in the file: [first, last], ...), missing (the first that "
             "is not, or null), rows (of all parts, as stated; null under add-remove), keyed and "
             "settings.",
    .example = "sfumato partial info part-1.sfp",
    .publishes_nothing = true,
    .run = run_info,
};
