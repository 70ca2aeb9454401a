#include "check_facts.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/core/text.h"
#include "cli/request/group_options.h"
#include "cli/request/train_options.h"

/* A schema has up to 20000 fields; one of them is the label. */
enum { FEATURES_MAX = 19999 };

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

static sfm_status state_machine(check_facts *out, train_options *s, sfm_error *error) {
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

static sfm_status state_columns(check_facts *out, train_options *s, sfm_error *error) {
  sfm_status status = check_twice(s, error);
  if (!status) status = require_bounds(s, error);
  out->schema = s->schema;
  s->schema = NULL;
  return status;
}

static sfm_status state_schema(check_facts *out, const cli_options *options, sfm_error *error) {
  schema_options f;
  sfm_status status = schema_options_read(&f, options, error);
  if (!status) status = group_options_read_categories(f.schema, options, error);
  out->schema = f.schema;
  f.schema = NULL;
  schema_options_clear(&f);
  return status;
}

sfm_status check_facts_read(check_facts *out, const cli_options *options, sfm_error *error) {
  static const char *const labels[] = {"label", "labels", "label-bounds", "one-vs-rest"};
  const bool columns = options_given(options, "columns") != NULL,
             features = options_has(options, "features"),
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

sfm_status check_facts_compare(sfm_rows_report **out, check_view *view, const check_facts *facts,
                               sfm_rows *rows, sfm_error *error) {
  *out = NULL;
  view->schema = facts->schema;
  view->dimension = facts->dimension;
  view->subject =
      facts->machine ? "A machine trained on these rows" : "A release of all these columns";
  return sfm_rows_check(rows, out, facts->schema, error);
}
