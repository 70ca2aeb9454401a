/* split_verb.c - sfumato split: the records of a CSV divided by person, one file per part. */
#include <string.h>

#include "cli/core/shared_options.h"
#include "cli/core/signals.h"
#include "cli/core/text.h"
#include "cli/core/verbs.h"
#include "cli/request/schema_options.h"
#include "sfumato/context.h"
#include "sfumato/partial.h"

static const cli_option split_table[] = {
    {"person", "COLUMN", "the column that names the person of each record"},
    {"schema", "FILE",
     "Frictionless Table Schema (JSON) that states the type of that column, as ids are compared by "
     "it; it may state the person too"},
    {"parts", "P", "how many files, up to 1000", CLI_COUNT(1, SFM_SPLIT_MAX),
     .missing = "how many files; write for example --parts 8"},
    {"key", "FILE", "the key of the dataset (`sfumato ledger key`): PRIVATE",
     .missing = "the key of the dataset, by which persons are divided; `sfumato ledger key` writes "
                "it"},
    {"output", "NAME-%.csv",
     "the files to write: % is the number of the part. PRIVATE, new files of mode 0600", NULL, 'o',
     .missing = "the files to write, with % for the number; write for example -o 'rows-%.csv'"},
    {0}};

typedef struct request {
  const char *key, *output;
  uint64_t parts;
} request;

static const cli_field fields[] = {CLI_FIELD("parts", request, parts),
                                   CLI_FIELD("key", request, key),
                                   CLI_FIELD("output", request, output),
                                   {0}};

/* A signal that came stops it, and its files are removed before the command ends. */
static bool goes_on(void *data, const sfm_progress *at) {
  (void)data;
  (void)at;
  return !signals_came();
}

static sfm_status divide(const request *r, const sfm_schema *schema, const sfm_key *key,
                         const char *path, sfm_error *error) {
  sfm_context context = sfm_context_default();
  sfm_rows *rows = NULL;
  context.schema = schema;
  context.progress = goes_on;
  sfm_status status = sfm_rows_open(&rows, path, error);
  signals_hold();
  if (!status) status = sfm_rows_split(rows, &context, key, r->output, r->parts, error);
  signals_release();
  sfm_rows_destroy(rows);
  return status;
}

static void tell(const request *r) {
  text_say(stderr, "written", "%.500s, %% from 1 to %llu: for their owner alone (mode 0600)",
           r->output, (unsigned long long)r->parts);
  text_print_labelled(stderr, "private",
                      "the files hold the rows, and even their lengths depend on the persons. "
                      "Remove each when its part is made");
  text_say(stderr, "next", "sfumato partial VERB of file I, with --part I/%llu and the same --key",
           (unsigned long long)r->parts);
}

static sfm_status run_split(const cli_options *options, sfm_error *error) {
  request r = {0};
  sfm_schema *schema = NULL;
  sfm_key *key = NULL;
  sfm_status status = options_fill(&r, fields, options, error);
  if (!status) status = schema_options_load(&schema, options, error);
  if (!status && !sfm_schema_person(schema))
    status = cli_misuse(error, "--person is missing: the column that names the person of each "
                               "record; write for example --person patient");
  if (!status) status = sfm_key_read(&key, r.key, error);
  if (!status) status = divide(&r, schema, key, options->operand, error);
  if (!status) tell(&r);
  sfm_key_destroy(key);
  sfm_schema_destroy(schema);
  return status;
}

const cli_verb verb_split = {
    .name = "split",
    .summary = "divide rows by person into one file per part",
    .usage = "ROWS --person COLUMN --parts P --key FILE -o 'NAME-%.csv'",
    .operand = "ROWS",
    .operand_help = "CSV with a header line (plain or gzip); - is standard input",
    .options = split_table,
    .about =
        "All records of a person are in one file; a keyed hash of the id says which. "
        "From file I, with --part I/P and the same key, `sfumato partial VERB` makes the same part "
        "as from all rows, so that each worker reads and holds only its own records. Give the same "
        "--person, and a schema in which that column has the same type.\n"
        "Each file has the header, and the lines as they are; records without an id are in file 1. "
        "Of a line longer than 1 MiB, which no release can read, only the beginning is copied. "
        "Bytes after the last line end are not a record and are left out. All files appear, or "
        "none. ROWS is read once for each 100 files.\n"
        "Private: ROWS, the key, and every file that is written.",
    .example = "sfumato split visits.csv --person patient --parts 8 --key visits.key -o "
               "'visits-%.csv'",
    .publishes_nothing = true,
    .run = run_split,
};
