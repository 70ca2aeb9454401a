/* check_verb.c - sfumato check: the owner's dry run over private rows.  What it prints is private.
 */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/io/json_output.h"
#include "cli/core/text.h"
#include "cli/core/verbs.h"
#include "cli/request/gram_files.h"
#include "cli/request/train_options.h"
#include "release_command.h"

static const cli_option options_table[] = {
    CLI_SAME(columns),
    CLI_GROUP(train_data),
    CLI_SAME(compression),
    CLI_GROUP(people),
    CLI_GROUP(gram),
    CLI_SAME(json),
    {0},
};

/* A schema has up to 20000 fields; one of them is the label. */
enum { FEATURES_MAX = 19999 };

/* What the rows are compared with: the facts about a table, or the columns and label of a machine.
 */
typedef struct stated_facts {
  sfm_schema *schema;
  bool machine;
  size_t dimension; /* of libsvm text; 0: columns */
  sfm_compression compression;
} stated_facts;

/* ---- a machine's columns and label, and nothing else of the schema ---- */

static bool are_numbers(const char *const *labels, size_t count) {
  double value;
  for (size_t i = 0; i < count; i++)
    if (!text_number(&value, labels[i]) || !isfinite(value)) return false;
  return true;
}

/* Labels that are numbers are looked up by value, whatever the schema says of the column. */
static sfm_column_type label_type(const sfm_column *stated, const sfm_train_settings *t) {
  if (t->regression) return stated ? stated->type : SFM_COLUMN_TYPE_NUMBER;
  if (are_numbers(t->labels, t->class_count)) return SFM_COLUMN_TYPE_NUMBER;
  if (stated && stated->type == SFM_COLUMN_TYPE_BOOLEAN && t->class_count == 2 &&
      strcmp(t->labels[0], "false") == 0 && strcmp(t->labels[1], "true") == 0)
    return SFM_COLUMN_TYPE_BOOLEAN;
  return stated && stated->type != SFM_COLUMN_TYPE_BOOLEAN ? stated->type : SFM_COLUMN_TYPE_STRING;
}

static bool add_field(json_t *fields, const char *name, sfm_column_type type) {
  json_t *field = json_pack("{s:s, s:s}", "name", name, "type", sfm_column_type_name(type));
  return json_array_append_new(fields, field) == 0;
}

/* The person column, if ids in it are numbers: who is who hangs on that. */
static bool add_person(json_t *fields, const train_options *s, const char *label) {
  const char *name = sfm_schema_person(s->schema);
  const sfm_column *stated = name ? sfm_schema_find(s->schema, name) : NULL;
  if (!stated ||
      (stated->type != SFM_COLUMN_TYPE_NUMBER && stated->type != SFM_COLUMN_TYPE_INTEGER))
    return true;
  bool there = strcmp(name, label) == 0;
  for (size_t i = 0; !there && i < s->features.count; i++)
    there = strcmp(name, s->features.items[i]) == 0;
  return there || add_field(fields, name, stated->type);
}

/* A schema with the names and types of the columns. */
static sfm_status name_columns(sfm_schema **out, const train_options *s, const char *label,
                               sfm_error *error) {
  json_t *fields = json_array(), *root;
  bool good = fields != NULL;
  for (size_t i = 0; good && i < s->features.count; i++) {
    const sfm_column *stated = sfm_schema_find(s->schema, s->features.items[i]);
    good = add_field(fields, s->features.items[i], stated ? stated->type : SFM_COLUMN_TYPE_NUMBER);
  }
  if (good) good = add_person(fields, s, label);
  if (good)
    good = add_field(fields, label, label_type(sfm_schema_find(s->schema, label), &s->settings));
  root = json_pack("{s:o}", "fields", fields);
  char *text = good && root ? json_dumps(root, JSON_COMPACT) : NULL;
  const sfm_status status = text ? sfm_schema_parse(out, text, strlen(text), "the command", error)
                                 : cli_misuse(error, "the name of a column is not UTF-8");
  free(text);
  json_decref(root);
  return status;
}

static sfm_status state_feature(sfm_schema *schema, const sfm_column *stated, sfm_error *error) {
  if (stated->category_count)
    return sfm_schema_set_categories(schema, stated->name, stated->categories,
                                     stated->category_count, error);
  if (stated->has_bounds)
    return sfm_schema_set_bounds(schema, stated->name, stated->lower, stated->upper, error);
  if (stated->type != SFM_COLUMN_TYPE_STRING) return SFM_OK;
  return cli_misuse(error,
                    "column '%.64s' has no categories: state all possible ones with --categories "
                    "'%.64s=A|B|C' or as enum in the schema",
                    stated->name, stated->name);
}

static sfm_status state_label(sfm_schema *schema, const char *label, const sfm_train_settings *t,
                              sfm_error *error) {
  if (t->regression)
    return sfm_schema_set_bounds(schema, label, t->label_lower, t->label_upper, error);
  return sfm_schema_set_categories(schema, label, t->labels, t->class_count, error);
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static sfm_status check_twice(const train_options *s, sfm_error *error) {
  const size_t count = s->features.count;
  sfm_status status = SFM_OK;
  const char **names = calloc(count + 1, sizeof *names);
  if (!names) return cli_fail_memory(error);
  for (size_t i = 0; i < count; i++) names[i] = s->features.items[i];
  qsort(names, count, sizeof *names, compare_names);
  for (size_t i = 0; !status && i < count; i++)
    if (s->settings.label && strcmp(names[i], s->settings.label) == 0)
      status = cli_misuse(
          error,
          "column '%.64s' is the label and cannot also be a feature: leave it out of --features",
          names[i]);
    else if (i > 0 && strcmp(names[i - 1], names[i]) == 0)
      status = cli_misuse(error, "--%s names '%.64s' twice", s->list, names[i]);
  free(names);
  return status;
}

static sfm_status state_machine(stated_facts *out, train_options *s, sfm_error *error) {
  static const char *const usual[] = {"-1", "1"};
  sfm_train_settings *t = &s->settings;
  const char *label = s->dimension ? "label" : t->label, *person = sfm_schema_person(s->schema);
  if (!t->regression && !t->labels) {
    t->labels = usual;
    t->class_count = 2;
  }
  if (s->dimension && !t->regression && !are_numbers(t->labels, t->class_count))
    return cli_misuse(
        error, "the labels of libsvm text are numbers: declare numbers, as in --labels '-1|1'");
  if (s->features.count > FEATURES_MAX)
    return cli_misuse(
        error,
        "--features has %zu columns, and `check` reads at most %d at once: check them in parts",
        s->features.count, FEATURES_MAX);
  sfm_status status = check_twice(s, error);
  if (!status) status = name_columns(&out->schema, s, label, error);
  for (size_t i = 0; !status && i < s->features.count; i++) {
    const sfm_column *stated = sfm_schema_find(s->schema, s->features.items[i]);
    if (stated) status = state_feature(out->schema, stated, error);
  }
  if (!status) status = state_label(out->schema, label, t, error);
  if (!status && t->sparse_bounded)
    status = sfm_schema_set_bounds(out->schema, "values", t->sparse_lower, t->sparse_upper, error);
  if (!status && person) status = sfm_schema_set_person(out->schema, person, error);
  if (!status)
    status = sfm_schema_set_contributions(out->schema, sfm_schema_contributions(s->schema), error);
  out->machine = true;
  out->dimension = s->dimension;
  return status;
}

/* ---- a table ---- */

static sfm_status require_bounds(const train_options *s, sfm_error *error) {
  for (size_t i = 0; i < s->features.count; i++) {
    const sfm_column *column = sfm_schema_find(s->schema, s->features.items[i]);
    if (column &&
        (column->has_bounds || column->category_count || column->type == SFM_COLUMN_TYPE_BOOLEAN))
      continue;
    return cli_misuse(
        error,
        "no bounds for column '%.64s', and no categories. They must be public knowledge: if they "
        "were read from the rows, they would reveal the most extreme person. Write for example "
        "--bounds %.64s=0:100, --categories '%.64s=A|B', or state them in a schema (--schema FILE)",
        s->features.items[i], s->features.items[i], s->features.items[i]);
  }
  return SFM_OK;
}

static sfm_status state_columns(stated_facts *out, train_options *s, sfm_error *error) {
  sfm_status status = check_twice(s, error);
  if (!status) status = require_bounds(s, error);
  out->schema = s->schema;
  s->schema = NULL;
  return status;
}

static sfm_status state_schema(stated_facts *out, const cli_options *options, sfm_error *error) {
  schema_options f;
  sfm_status status = schema_options_read(&f, options, error);
  if (!status) status = group_options_read_categories(f.schema, options, error);
  out->schema = f.schema;
  f.schema = NULL;
  schema_options_clear(&f);
  return status;
}

static sfm_status read_stated_facts(stated_facts *out, const cli_options *options,
                                    sfm_error *error) {
  static const char *const labels[] = {"label", "labels", "label-bounds", "one-vs-rest"};
  const bool columns = options_has(options, "columns"), features = options_has(options, "features"),
             sparse = options_has(options, "dimension");
  train_options s = {0};
  sfm_status status = compression_option_read(&out->compression, options, sparse, error);
  if (status) return status;
  if (columns && features)
    return cli_misuse(error, "--features names the columns of a machine, and --columns those of "
                             "any other release: leave out one of them");
  if (!columns && !features && !sparse && !options_has(options, "schema"))
    return cli_misuse(
        error, "nothing is stated about the rows: give --schema FILE, or --columns and --bounds, "
               "or for a machine --features, --bounds and --label, or --dimension");
  for (size_t i = 0; !features && !sparse && i < sizeof labels / sizeof *labels; i++)
    if (options_has(options, labels[i]))
      return cli_misuse(error,
                        "--%s is for a machine: name the columns it learns from with --features",
                        labels[i]);
  if (!columns && !features && !sparse) return state_schema(out, options, error);
  status = train_options_read_rows(&s, options, columns ? "columns" : "features", error);
  if (!status) status = columns ? state_columns(out, &s, error) : state_machine(out, &s, error);
  train_options_clear(&s);
  return status;
}

/* ---- what is printed ---- */

static sfm_status print_json(const sfm_rows_report *r, const stated_facts *f, sfm_error *error) {
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

static void print_table(const sfm_rows_report *r) {
  int width = 6;
  for (size_t i = 0; i < r->column_count; i++) {
    const char *name = r->columns[i].name;
    const int columns = (int)text_columns(name, strlen(name));
    if (columns > width) width = columns;
  }
  printf("%-*s %10s %10s %10s %10s %10s\n", width, "column", "below", "above", "undeclared",
         "unreadable", "empty");
  for (size_t i = 0; i < r->column_count; i++) {
    const sfm_column_check *c = &r->columns[i];
    const int columns = (int)text_columns(c->name, strlen(c->name));
    text_print(stdout, c->name, strlen(c->name));
    printf("%*s %10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64 "\n",
           width - columns, "", c->below, c->above, c->undeclared, c->unreadable, c->empty);
  }
}

static void print_meaning(const sfm_rows_report *r, const stated_facts *f) {
  uint64_t outside = 0;
  char text[512];
  for (size_t i = 0; i < r->column_count; i++) outside += r->columns[i].below + r->columns[i].above;
  fputs(f->machine ? "\n"
                     "A machine trained on these rows would\n"
                   : "\n"
                     "A release of all these columns would\n",
        stdout);
  if (outside) {
    snprintf(text, sizeof text,
             "- clamp %" PRIu64
             " value%s beyond the bounds to the nearest bound, or with --outside "
             "drop ignore their rows;",
             outside, outside == 1 ? "" : "s");
    text_print_wrapped(stdout, text, 0, 2, 80);
  }
  if (r->records_over) {
    snprintf(text, sizeof text,
             "- keep %u record%s of each person and ignore the other %" PRIu64
             " record%s of %" PRIu64 " person%s;",
             sfm_schema_contributions(f->schema),
             sfm_schema_contributions(f->schema) == 1 ? "" : "s", r->records_over,
             r->records_over == 1 ? "" : "s", r->persons_over, r->persons_over == 1 ? "" : "s");
    text_print_wrapped(stdout, text, 0, 2, 80);
  }
  if (r->unidentified) {
    snprintf(text, sizeof text, "- ignore %" PRIu64 " record%s without an id;", r->unidentified,
             r->unidentified == 1 ? "" : "s");
    text_print_wrapped(stdout, text, 0, 2, 80);
  }
  snprintf(text, sizeof text,
           "- ignore %" PRIu64 " of %" PRIu64 " row%s in total (%s); n does not change.",
           r->zero_rows, r->records, r->records == 1 ? "" : "s",
           sfm_schema_person(f->schema)
               ? "cells that are empty, unreadable or not declared, records over the limit"
           : f->dimension ? "lines as above, labels that are missing or not declared"
                          : "cells that are empty, unreadable or not declared");
  text_print_wrapped(stdout, text, 0, 2, 80);
}

static void print_words(const sfm_rows_report *r, const stated_facts *f) {
  printf("private: do not publish\n\nrecords %" PRIu64 "\n", r->records);
  if (r->unfinished)
    text_print_wrapped(
        stdout,
        "WARNING: bytes follow the last line end. They are NOT a record, because a record ends "
        "with a line end. If they should be a record, add a line end to the file before anything "
        "is released, and correct the program that wrote it.",
        0, 0, 80);
  if (sfm_schema_person(f->schema))
    printf("persons %" PRIu64 ", of whom %" PRIu64 " with more than %u record%s\n", r->persons,
           r->persons_over, sfm_schema_contributions(f->schema),
           sfm_schema_contributions(f->schema) == 1 ? "" : "s");
  if (f->dimension)
    printf("lines with an index beyond %zu: %" PRIu64 "\n"
           "other lines that are not LABEL INDEX:VALUE ...: %" PRIu64 "\n",
           f->dimension, r->beyond, r->malformed);
  fputc('\n', stdout);
  print_table(r);
  print_meaning(r, f);
}

/* Of Gram matrices: what is assumed of them, and only their owner can look at. */
static sfm_status run_gram(const cli_options *options, sfm_error *error) {
  gram_files g;
  sfm_gram_report r;
  sfm_rows *rows = NULL;
  uint64_t count = 0;
  sfm_status status = gram_files_read(&g, options, error);
  if (!status) status = sfm_gram_check(&r, &g.gram, error);
  if (!status) status = sfm_rows_open(&rows, options->operand, error);
  if (!status) status = sfm_rows_count(rows, &count, error);
  if (!status && count != g.gram.rows)
    status = cli_misuse(error, "the Gram matrix has %zu rows, and the file of labels has %" PRIu64,
                        g.gram.rows, count);
  if (!status) {
    printf("private: do not publish\n"
           "\n"
           "rows %zu, public points %zu, kappa %g\n"
           "rows above kappa^2, which are ignored: %zu\n"
           "ignored rows in total: %zu\n"
           "entries that are not numbers: %zu\n"
           "largest difference of a pair of entries, divided by kappa^2: %.3g\n"
           "smallest eigenvalue of all matrices together, divided by kappa^2: %.3g\n",
           g.gram.rows, g.gram.points, g.gram.kappa, r.above, r.dropped, r.unreadable, r.lopsided,
           r.least);
    if (r.dropped)
      printf("WARNING: a machine would ignore %zu of the %zu rows. Is K(x, x) <= %g for every "
             "possible record? A larger --kappa needs a public reason and must not be taken from "
             "the rows.\n",
             r.dropped, g.gram.rows, g.gram.kappa * g.gram.kappa);
    puts(r.fits
             ? r.dropped
                   ? "The other rows are those of a kernel, to within rounding: the assumptions "
                     "hold, and a release keeps its guarantee."
                   : "The matrices are those of a kernel, to within rounding: the assumptions hold."
             : "The matrices are NOT those of a kernel: the assumptions do not hold, and a release "
               "would not keep its guarantee.");
  }
  sfm_rows_destroy(rows);
  gram_files_clear(&g);
  return status;
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  if (gram_files_given(options)) return run_gram(options, error);
  stated_facts f = {0};
  sfm_rows *rows = NULL;
  sfm_rows_report *report = NULL;
  sfm_status status = read_stated_facts(&f, options, error);
  if (!status)
    status = release_command_open(&rows, options->operand, f.dimension, f.compression, error);
  if (!status) status = sfm_rows_check(rows, &report, f.schema, error);
  if (!status && options_has(options, "json"))
    status = print_json(report, &f, error);
  else if (!status)
    print_words(report, &f);
  sfm_rows_report_destroy(report);
  sfm_rows_destroy(rows);
  sfm_schema_destroy(f.schema);
  return status;
}

const cli_verb verb_check = {
    .name = "check",
    .summary = "compare private rows with what is stated about them (owner only)",
    .usage = "ROWS --schema FILE|--columns NAMES|--features NAMES --label COLUMN|--dimension D "
             "[options] [--json]",
    .operand = "ROWS",
    .operand_help = "CSV with a header line (plain or gzip), NPY, or with --dimension libsvm text; "
                    "- is standard input",
    .options = options_table,
    .about =
        "The output is PRIVATE: it contains exact counts of the rows, without noise. It is for the "
        "owner alone.\n"
        "With --schema or --columns every stated column is checked; with --features or --dimension "
        "only the columns that `train` with the same options would use. With --gram it is checked "
        "whether the matrices are those of a kernel, as `train --gram` assumes.\n"
        "The JSON object has the keys private_do_not_publish (always true), records, zero_rows, "
        "columns [{column, below, above, undeclared (not one of the categories or labels), "
        "unreadable, empty}]; with a person column persons, contributions, persons_over, "
        "records_over and unidentified; for libsvm text (its columns are label and, with --bounds, "
        "values) dimension, malformed and beyond (lines); and unfinished (true) if bytes follow "
        "the last line end: they are not a record.",
    .example = "sfumato check rows.csv --schema clinic.json\n"
               "sfumato check rows.csv --features age,smoker --bounds 20:90 --categories "
               "'smoker=no|yes' --label ill --labels 'no|yes'",
    .run = run,
    .publishes_nothing = true,
};
