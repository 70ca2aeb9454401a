/* check.c - sfumato check: the owner's dry run over private rows.  What it prints is private. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "facts.h"
#include "grouping.h"
#include "sfumato/rows.h"
#include "verbs.h"

static const cli_option options_table[] = {
    CLI_OPTION_SCHEMA, CLI_OPTION_COLUMNS,       CLI_OPTION_BOUNDS, CLI_OPTION_CATEGORIES,
    CLI_OPTION_PERSON, CLI_OPTION_CONTRIBUTIONS, CLI_OPTION_JSON,   {0},
};

static sfm_status print_json(const sfm_rows_report *r, const facts *f, sfm_error *error) {
  json_t *columns = json_array();
  for (size_t i = 0; i < r->column_count; i++) {
    const sfm_column_check *c = &r->columns[i];
    json_array_append_new(
        columns, json_pack("{s:s, s:I, s:I, s:I, s:I}", "column", c->name, "below",
                           (json_int_t)c->below, "above", (json_int_t)c->above, "unreadable",
                           (json_int_t)c->unreadable, "empty", (json_int_t)c->empty));
  }
  json_t *object =
      json_pack("{s:b, s:I, s:I, s:o}", "private_do_not_publish", 1, "records",
                (json_int_t)r->records, "zero_rows", (json_int_t)r->zero_rows, "columns", columns);
  if (sfm_schema_person(f->schema))
    json_object_update_new(object, json_pack("{s:I, s:I, s:I, s:I, s:I}", "persons",
                                             (json_int_t)r->persons, "contributions",
                                             (json_int_t)sfm_schema_contributions(f->schema),
                                             "persons_over", (json_int_t)r->persons_over,
                                             "records_over", (json_int_t)r->records_over,
                                             "unidentified", (json_int_t)r->unidentified));
  char *text = object ? json_dumps(object, JSON_COMPACT | JSON_PRESERVE_ORDER) : NULL;
  if (text) puts(text);
  free(text);
  json_decref(object);
  return text ? SFM_OK : cli_fail_memory(error);
}

static void print_table(const sfm_rows_report *r) {
  int width = 6;
  for (size_t i = 0; i < r->column_count; i++)
    if ((int)strlen(r->columns[i].name) > width) width = (int)strlen(r->columns[i].name);
  printf("%-*s %12s %12s %12s %12s\n", width, "column", "below", "above", "unreadable", "empty");
  for (size_t i = 0; i < r->column_count; i++) {
    const sfm_column_check *c = &r->columns[i];
    printf("%-*s %12" PRIu64 " %12" PRIu64 " %12" PRIu64 " %12" PRIu64 "\n", width, c->name,
           c->below, c->above, c->unreadable, c->empty);
  }
}

static void print_meaning(const sfm_rows_report *r, const facts *f) {
  uint64_t outside = 0;
  char text[512];
  for (size_t i = 0; i < r->column_count; i++) outside += r->columns[i].below + r->columns[i].above;
  fputs("\nA release of all these columns would\n", stdout);
  if (outside) {
    snprintf(text, sizeof text,
             "- count %" PRIu64 " value%s beyond the bounds as the nearest bound, or their rows as "
             "zero with --outside drop;",
             outside, outside == 1 ? "" : "s");
    options_print_wrapped(stdout, text, 0, 2, 80);
  }
  if (r->records_over) {
    snprintf(text, sizeof text,
             "- keep the first %u record%s of each person and count the other %" PRIu64
             " record%s of %" PRIu64 " person%s as zero;",
             sfm_schema_contributions(f->schema),
             sfm_schema_contributions(f->schema) == 1 ? "" : "s", r->records_over,
             r->records_over == 1 ? "" : "s", r->persons_over, r->persons_over == 1 ? "" : "s");
    options_print_wrapped(stdout, text, 0, 2, 80);
  }
  if (r->unidentified) {
    snprintf(text, sizeof text, "- count %" PRIu64 " record%s without an id as zero;",
             r->unidentified, r->unidentified == 1 ? "" : "s");
    options_print_wrapped(stdout, text, 0, 2, 80);
  }
  snprintf(text, sizeof text,
           "- count %" PRIu64 " of %" PRIu64 " row%s as zero in all (%s), which does not change n.",
           r->zero_rows, r->records, r->records == 1 ? "" : "s",
           sfm_schema_person(f->schema) ? "cells that are empty or unreadable, records over the "
                                          "limit"
                                        : "cells that are empty or unreadable");
  options_print_wrapped(stdout, text, 0, 2, 80);
}

static void print_words(const sfm_rows_report *r, const facts *f) {
  printf("private: do not publish\n\nrecords %" PRIu64 "\n", r->records);
  if (sfm_schema_person(f->schema))
    printf("persons %" PRIu64 ", of whom %" PRIu64 " with more than %u record%s\n", r->persons,
           r->persons_over, sfm_schema_contributions(f->schema),
           sfm_schema_contributions(f->schema) == 1 ? "" : "s");
  fputc('\n', stdout);
  print_table(r);
  print_meaning(r, f);
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  facts f = {0};
  sfm_rows *rows = NULL;
  sfm_rows_report *report = NULL;
  sfm_status status = SFM_OK;
  if (!options_has(options, "schema") && !options_has(options, "columns"))
    status =
        cli_fail(error, SFM_INVALID, "against what? Give --schema FILE, or --columns and --bounds");
  if (!status) status = facts_read(&f, options, error);
  if (!status) status = grouping_categories(f.schema, options, error);
  if (!status) status = sfm_rows_open(&rows, options->operand, error);
  if (!status) status = sfm_rows_check(rows, &report, f.schema, error);
  if (!status && options_has(options, "json"))
    status = print_json(report, &f, error);
  else if (!status)
    print_words(report, &f);
  sfm_rows_report_destroy(report);
  sfm_rows_destroy(rows);
  facts_clear(&f);
  return status;
}

const cli_verb verb_check = {
    .name = "check",
    .summary = "the owner's dry run: what in the rows does not fit the stated facts",
    .usage = "ROWS --schema FILE [--columns NAMES --bounds A:B] [--categories COLUMN=A|B|C] "
             "[--person COLUMN] "
             "[--contributions K] [--json]",
    .operand = "ROWS",
    .operand_help = "CSV with a header line (plain or gzip), or NPY; - is standard input",
    .options = options_table,
    .about = "What this prints is PRIVATE: exact counts of the rows, without noise. It is for the "
             "owner's eyes. The JSON object has the keys private_do_not_publish (always true), "
             "records, zero_rows, columns [{column, below, above, unreadable, empty}] and, with a "
             "person column, persons, contributions, persons_over, records_over and unidentified.",
    .example = "sfumato check rows.csv --schema clinic.json",
    .run = run,
};
