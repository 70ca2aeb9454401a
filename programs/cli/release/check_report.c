#include "check_report.h"

#include <ctype.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "cli/core/text.h"
#include "cli/io/json_output.h"

const cli_option option_most_ignored = {
    "most-ignored", "SHARE",
    "exit code 4 if more than this share of the rows would be ignored or clamped; records beyond "
    "--contributions are not among them",
    "0.05", CLI_NUMBER("0.05")};

sfm_status check_report_read_most(check_view *view, const cli_options *options, sfm_error *error) {
  view->most = 0.05;
  const sfm_status status = options_take(options, &view->most, "most-ignored", error);
  if (!status && !(view->most >= 0 && view->most <= 1))
    return cli_misuse(error, "--most-ignored %s is not a share from 0 to 1; 5 %% are written 0.05",
                      options_get(options, "most-ignored"));
  return status;
}

bool check_report_fails(const sfm_rows_report *report, const check_view *view) {
  return sfm_rows_report_share(report) > view->most;
}

/* ---- what the cells look like ---- */

/* A word for a value that is missing. */
static bool is_missing(const char *text) {
  static const char *const words[] = {"na",   "n/a",  "n.a.",    "nan",     "null", "none",
                                      "nil",  "-",    "--",      "?",       ".",    "missing",
                                      "#n/a", "n.d.", "unknown", "no data", NULL};
  char lower[16] = "";
  for (size_t i = 0; text[i] && i + 1 < sizeof lower; i++)
    lower[i] = (char)tolower((unsigned char)text[i]);
  return text_is_among(lower, words);
}

/* What to do with a cell that is no number, from how it is written; NULL: nothing is known. */
static const char *advice(const char *text) {
  const size_t length = strlen(text), digits = strspn(text, "0123456789+-");
  const char *rest = text + digits;
  if (is_missing(text)) return "a word for a missing value: such rows are ignored";
  if (digits > 0 && *rest == ',' && strspn(rest + 1, "0123456789") == strlen(rest + 1))
    return "numbers are written with a decimal point and without separators of thousands: 1234.5";
  if (length > 1 && text[length - 1] == '%')
    return "write the number alone, without a per cent sign";
  if (strspn(text, "0123456789") == 4 && (text[4] == '-' || text[4] == '/'))
    return "dates are not numbers: write for example days since a fixed day";
  if (strspn(text, "0123456789-") == length && length > 7 && strchr(text + 1, '-'))
    return "dates are not numbers: write for example days since a fixed day";
  if (digits > 0 && strspn(rest, "0123456789.") < strlen(rest))
    return "write the number alone, without a unit";
  if (isalpha((unsigned char)*text) || (*text & 0x80))
    return "texts: for these state categories, --categories 'COLUMN=A|B|C', not bounds";
  return NULL;
}

/* `"12,5", "n/a"`, and what to do: on a terminal, which is the owner's. */
static void add_examples(char *out, size_t size, const sfm_rows_report *r, size_t column,
                         sfm_cell_fault fault) {
  const char *text;
  char harmless[4 * TEXT_ESCAPED_MAX + 64];
  for (size_t k = 0; (text = sfm_rows_report_example(r, column, fault, k)); k++) {
    text_harmless(harmless, sizeof harmless, text);
    text_add(out, size, "%s\"%s\"", k ? ", " : ", such as ", harmless);
  }
  const char *first = sfm_rows_report_example(r, column, fault, 0);
  const char *known = fault == SFM_CELL_FAULT_UNREADABLE && first ? advice(first) : NULL;
  if (known) text_add(out, size, " (%s)", known);
}

static void print_count(FILE *out, const char *column, uint64_t count, const char *what) {
  char text[1400], name[200];
  text_harmless(name, sizeof name, column);
  snprintf(text, sizeof text, "- %s: %" PRIu64 " cell%s %s", name, count, count == 1 ? "" : "s",
           what);
  text_print_wrapped(out, text, 0, 2, 80);
}

static void print_fault(FILE *out, const sfm_rows_report *r, size_t column, sfm_cell_fault fault,
                        uint64_t count, const char *what) {
  char text[1024];
  if (count == 0) return;
  snprintf(text, sizeof text, "%s", what);
  if (isatty(out == stderr ? STDERR_FILENO : STDOUT_FILENO))
    add_examples(text, sizeof text, r, column, fault);
  print_count(out, r->columns[column].name, count, text);
}

/* Which columns, where the rows do not fit. */
static void print_misfits(FILE *out, const sfm_rows_report *r, const check_view *f) {
  char text[256];
  if (!check_report_fails(r, f)) return;
  snprintf(text, sizeof text,
           "The rows do NOT fit: %.3g\u00a0%% are ignored or clamped, more than %.3g\u00a0%% "
           "(--most-ignored).",
           100 * sfm_rows_report_share(r), 100 * f->most);
  fputc('\n', out);
  text_print_wrapped(out, text, 0, 0, 80);
  for (size_t i = 0; i < r->column_count; i++) {
    const sfm_column_check *c = &r->columns[i];
    print_fault(out, r, i, SFM_CELL_FAULT_UNREADABLE, c->unreadable, "cannot be read");
    print_fault(out, r, i, SFM_CELL_FAULT_UNDECLARED, c->undeclared, "not among those stated");
    print_fault(out, r, i, SFM_CELL_FAULT_BEYOND, c->below + c->above, "beyond the bounds");
    if (c->empty) print_count(out, c->name, c->empty, "empty");
  }
}

/* ---- what is printed ---- */

sfm_status check_report_json(const sfm_rows_report *r, const check_view *f, sfm_error *error) {
  json_t *columns = json_array();
  for (size_t i = 0; i < r->column_count; i++) {
    const sfm_column_check *c = &r->columns[i];
    json_array_append_new(columns,
                          json_pack("{s:s, s:I, s:I, s:I, s:I, s:I}", "column", c->name, "below",
                                    (json_int_t)c->below, "above", (json_int_t)c->above,
                                    "undeclared", (json_int_t)c->undeclared, "unreadable",
                                    (json_int_t)c->unreadable, "empty", (json_int_t)c->empty));
  }
  json_t *object =
      json_pack("{s:b, s:I, s:I, s:o}", "private_do_not_publish", 1, "records",
                (json_int_t)r->records, "zero_rows", (json_int_t)r->zero_rows, "columns", columns);
  json_object_set_new(object, "clamped_rows", json_integer((json_int_t)sfm_rows_report_clamped(r)));
  json_object_set_new(object, "share", json_real(sfm_rows_report_share(r)));
  json_object_set_new(object, "fits", json_boolean(!check_report_fails(r, f)));
  if (r->unfinished) json_object_set_new(object, "unfinished", json_true());
  if (sfm_schema_person(f->schema))
    json_object_update_new(object, json_pack("{s:I, s:I, s:I, s:I, s:I}", "persons",
                                             (json_int_t)r->persons, "contributions",
                                             (json_int_t)sfm_schema_contributions(f->schema),
                                             "persons_over", (json_int_t)r->persons_over,
                                             "records_over", (json_int_t)r->records_over,
                                             "unidentified", (json_int_t)r->unidentified));
  if (f->dimension)
    json_object_update_new(
        object, json_pack("{s:I, s:I, s:I}", "dimension", (json_int_t)f->dimension, "malformed",
                          (json_int_t)r->malformed, "beyond", (json_int_t)r->beyond));
  return json_output_print(object, error);
}

static void print_table(FILE *out, const sfm_rows_report *r) {
  int width = 6;
  for (size_t i = 0; i < r->column_count; i++) {
    const char *name = r->columns[i].name;
    const int columns = (int)text_columns(name, strlen(name));
    if (columns > width) width = columns;
  }
  fprintf(out, "%-*s %10s %10s %10s %10s %10s\n", width, "column", "below", "above", "undeclared",
          "unreadable", "empty");
  for (size_t i = 0; i < r->column_count; i++) {
    const sfm_column_check *c = &r->columns[i];
    const int columns = (int)text_columns(c->name, strlen(c->name));
    text_print(out, c->name, strlen(c->name));
    fprintf(out, "%*s %10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64 "\n",
            width - columns, "", c->below, c->above, c->undeclared, c->unreadable, c->empty);
  }
}

static void print_meaning(FILE *out, const sfm_rows_report *r, const check_view *f) {
  uint64_t outside = 0;
  char text[512];
  for (size_t i = 0; i < r->column_count; i++) outside += r->columns[i].below + r->columns[i].above;
  fprintf(out, "\n%s would\n", f->subject);
  const bool clamped = sfm_rows_report_clamped(r) > 0;
  if (outside && (clamped || !f->exact)) {
    snprintf(text, sizeof text,
             f->exact ? "- clamp %" PRIu64 " value%s beyond the bounds to the nearest bound;"
                      : "- find %" PRIu64
                        " value%s beyond the bounds: a density ignores their rows, other releases "
                        "clamp them to the nearest bound;",
             outside, outside == 1 ? "" : "s");
    text_print_wrapped(out, text, 0, 2, 80);
  }
  if (r->records_over) {
    snprintf(text, sizeof text,
             "- keep %u record%s of each person and ignore the other %" PRIu64
             " record%s of %" PRIu64 " person%s;",
             sfm_schema_contributions(f->schema),
             sfm_schema_contributions(f->schema) == 1 ? "" : "s", r->records_over,
             r->records_over == 1 ? "" : "s", r->persons_over, r->persons_over == 1 ? "" : "s");
    text_print_wrapped(out, text, 0, 2, 80);
  }
  if (r->unidentified) {
    snprintf(text, sizeof text, "- ignore %" PRIu64 " record%s without an id;", r->unidentified,
             r->unidentified == 1 ? "" : "s");
    text_print_wrapped(out, text, 0, 2, 80);
  }
  snprintf(text, sizeof text,
           "- ignore %" PRIu64 " of %" PRIu64 " row%s in total (%s%s); n does not change.",
           r->zero_rows, r->records, r->records == 1 ? "" : "s",
           sfm_schema_person(f->schema)
               ? "cells that are empty, unreadable or not declared, records over the limit"
           : f->dimension ? "lines as above, labels that are missing or not declared"
                          : "cells that are empty, unreadable or not declared",
           outside && f->exact && !clamped ? ", values beyond the bounds" : "");
  text_print_wrapped(out, text, 0, 2, 80);
}

void check_report_print(FILE *out, const sfm_rows_report *r, const check_view *f) {
  fprintf(out, "private: do not publish\n\nrecords %" PRIu64 "\n", r->records);
  if (r->unfinished)
    text_print_wrapped(
        out,
        "WARNING: bytes follow the last line end. They are NOT a record, because a record ends "
        "with a line end. If they should be a record, add a line end to the file before anything "
        "is released, and correct the program that wrote it.",
        0, 0, 80);
  if (sfm_schema_person(f->schema))
    fprintf(out, "persons %" PRIu64 ", of whom %" PRIu64 " with more than %u record%s\n",
            r->persons, r->persons_over, sfm_schema_contributions(f->schema),
            sfm_schema_contributions(f->schema) == 1 ? "" : "s");
  if (f->dimension)
    fprintf(out,
            "lines with an index beyond %zu: %" PRIu64 "\n"
            "other lines that are not LABEL INDEX:VALUE ...: %" PRIu64 "\n",
            f->dimension, r->beyond, r->malformed);
  fputc('\n', out);
  print_table(out, r);
  print_meaning(out, r, f);
  print_misfits(out, r, f);
}

sfm_status check_report_show(const sfm_rows_report *report, const check_view *view,
                             const cli_options *options, sfm_error *error) {
  if (check_report_fails(report, view)) *options->exit_code = CHECK_FAILED;
  if (options_has(options, "json")) return check_report_json(report, view, error);
  check_report_print(stdout, report, view);
  return SFM_OK;
}
