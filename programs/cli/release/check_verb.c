/* check_verb.c - sfumato check: the owner's dry run over private rows.  What it prints is private.
 */
#include "cli/core/verbs.h"
#include "cli/request/train_options.h"
#include "check_facts.h"
#include "check_gram.h"
#include "check_line.h"
#include "check_report.h"

static const cli_option options_table[] = {
    CLI_SAME(columns), CLI_GROUP(train_data),  CLI_SAME(compression), CLI_GROUP(people),
    CLI_GROUP(gram),   CLI_SAME(most_ignored), CLI_SAME(json),        {0},
};

static sfm_status check_gram(const cli_options *options, sfm_error *error) {
  sfm_rows *rows = NULL;
  sfm_status status = sfm_rows_open(&rows, options->operand, error);
  if (!status) status = check_gram_compare(options, rows, error);
  sfm_rows_destroy(rows);
  return status;
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  check_view view = {0};
  sfm_status status = check_report_read_most(&view, options, error);
  if (status) return status;
  if (options->line) return check_line_run(&view, options, error);
  if (gram_files_given(options)) return check_gram(options, error);
  check_facts f = {0};
  sfm_rows *rows = NULL;
  sfm_rows_report *report = NULL;
  status = check_facts_read(&f, options, error);
  if (!status)
    status = release_command_open(&rows, options->operand, f.dimension, f.compression, error);
  if (!status) status = check_facts_compare(&report, &view, &f, rows, error);
  if (!status) status = check_report_show(report, &view, options, error);
  sfm_rows_report_destroy(report);
  sfm_rows_destroy(rows);
  sfm_schema_destroy(f.schema);
  return status;
}

const cli_verb verb_check = {
    .name = "check",
    .summary = "compare private rows with what is stated about them (owner only)",
    .usage = "ROWS --schema FILE|--columns NAMES|--features NAMES --label COLUMN|--dimension D "
             "[options] [--json]; or: [--json] -- VERB ROWS [options of the verb]",
    .operand = "ROWS",
    .operand_help = "CSV with a header line (plain or gzip), NPY, or with --dimension libsvm text; "
                    "- is standard input",
    .options = options_table,
    .line = true,
    .about =
        "The output is PRIVATE: it contains exact counts of the rows, without noise. It is for the "
        "owner alone.\n"
        "With --schema or --columns every stated column is checked; with --features or --dimension "
        "only the columns that `train` with the same options would use. With --gram it checks "
        "whether the matrices are those of a kernel, as `train --gram` assumes.\n"
        "Write the line of a releasing verb after --: check reads exactly what it would read. "
        "Nothing is charged, released or written; its --ledger and -o are not used.\n"
        "If more of the rows would be ignored or clamped than --most-ignored, the exit code is 4, "
        "and check prints which columns do not fit, why, and on a terminal a few of the cells.\n"
        "If you look at the rows and then decide what to release, or whether, that decision is not "
        "covered by any guarantee. Correct mistakes; do not fit bounds to the rows.\n"
        "The JSON object has the keys private_do_not_publish (always true), records, zero_rows "
        "(ignored), clamped_rows, share (of both among the records), fits (whether the share is "
        "at most --most-ignored), "
        "columns [{column, below, above, undeclared (not one of the categories or labels), "
        "unreadable, empty}]; with a person column persons, contributions, persons_over, "
        "records_over and unidentified; for libsvm text (its columns are label and, with --bounds, "
        "values) dimension, malformed and beyond (lines); and unfinished (true) if bytes follow "
        "the last line end: they are not a record.",
    .example = "sfumato check rows.csv --schema clinic.json\n"
               "sfumato check -- density rows.csv --columns age --bounds 0:100 --epsilon 1 -o "
               "age.sfm\n"
               "sfumato check rows.csv --features age,smoker --bounds 20:90 --categories "
               "'smoker=no|yes' --label ill --labels 'no|yes'",
    .run = run,
    .publishes_nothing = true,
};
