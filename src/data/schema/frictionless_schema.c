/* frictionless_schema.c - a schema from a Frictionless Table Schema, the JSON object
 *
 *   {"fields": [{"name": "age", "type": "number", "constraints": {"minimum": 0, "maximum": 120}},
 *               {"name": "clinic", "type": "string", "constraints": {"enum": ["north", "south"]}},
 *               {"name": "id", "type": "string"}],
 *    "person": "id", "contributions": 3, "neighbours": "replace"}
 *
 * Keys that sfumato does not use are allowed; misspellings of those it does use, and keys that
 * would change what a cell means, are not: a statement that is silently ignored is worse than an
 * error. */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/system/c_locale.h"
#include "base/text/json.h"
#include "base/text/json_error.h"
#include "base/text/nearest_word.h"
#include "schema.h"

#define FILE_MAX ((size_t)16 << 20)
#define FIELDS_MAX 20000

/* Where in the file: "clinic.json: field 2 ('age')". */
typedef struct place {
  char text[256];
} place;

static place place_field(const char *name, size_t index, const json_t *field) {
  place where;
  const char *title = json_string_value(json_object_get(field, "name"));
  if (title)
    sfmi_snprintf(where.text, sizeof where.text, "%.100s: field %zu ('%.64s')", name, index + 1,
                  title);
  else
    sfmi_snprintf(where.text, sizeof where.text, "%.100s: field %zu", name, index + 1);
  return where;
}

/* Refuses a key of object that looks like a misspelling of one of ours (a NULL-ended list). */
static sfm_status refuse_misspelt(const json_t *object, const char *const *ours, const char *where,
                                  sfm_error *error) {
  void *step = json_object_iter((json_t *)(uintptr_t)object);
  for (; step; step = json_object_iter_next((json_t *)(uintptr_t)object, step)) {
    const char *key = json_object_iter_key(step);
    for (const char *const *word = ours; *word; word++) {
      size_t near = strlen(*word) >= 8 ? 2 : 1;
      if (strcmp(key, *word) == 0) break;
      if (sfmi_word_distance(key, *word) <= near)
        return sfmi_fail(error, SFM_FORMAT, "%s: unknown key '%.64s'; did you mean '%s'?", where,
                         key, *word);
    }
  }
  return SFM_OK;
}

static sfm_status read_type(sfm_column_type *type, const json_t *field, const char *where,
                            sfm_error *error) {
  const json_t *value = json_object_get(field, "type");
  *type = SFM_COLUMN_TYPE_STRING; /* as the Table Schema says */
  if (!value) return SFM_OK;
  const char *name = json_string_value(value);
  if (!name) return sfmi_fail(error, SFM_FORMAT, "%s: type must be a string", where);
  for (sfm_column_type known = SFM_COLUMN_TYPE_NUMBER; known <= SFM_COLUMN_TYPE_BOOLEAN; known++)
    if (strcmp(name, sfm_column_type_name(known)) == 0) {
      *type = known;
      return SFM_OK;
    }
  return sfmi_fail(error, SFM_FORMAT,
                   "%s: unknown type '%.64s'; the types are number, integer, string and boolean",
                   where, name);
}

static sfm_status read_bound(double *bound, bool *present, const json_t *constraints,
                             const char *key, const char *where, sfm_error *error) {
  const json_t *value = json_object_get(constraints, key);
  *present = value != NULL;
  if (!value) return SFM_OK;
  if (!json_is_number(value))
    return sfmi_fail(error, SFM_FORMAT, "%s: constraints.%s must be a number", where, key);
  *bound = json_number_value(value);
  if (!isfinite(*bound))
    return sfmi_fail(error, SFM_FORMAT, "%s: constraints.%s must be finite", where, key);
  return SFM_OK;
}

static sfm_status read_bounds(sfm_column *column, const json_t *constraints, const char *where,
                              sfm_error *error) {
  double lower = 0, upper = 0;
  bool has_lower, has_upper;
  sfm_status status = read_bound(&lower, &has_lower, constraints, "minimum", where, error);
  if (!status) status = read_bound(&upper, &has_upper, constraints, "maximum", where, error);
  if (status || (!has_lower && !has_upper)) return status;
  if (column->type != SFM_COLUMN_TYPE_NUMBER && column->type != SFM_COLUMN_TYPE_INTEGER)
    return sfmi_fail(error, SFM_FORMAT,
                     "%s: minimum and maximum are for number and integer columns, and this one is "
                     "of type %s",
                     where, sfm_column_type_name(column->type));
  if (!has_lower || !has_upper) return SFM_OK; /* half a domain is none */
  if (!(lower < upper))
    return sfmi_fail(error, SFM_FORMAT,
                     "%s: constraints.minimum %.17g is not below constraints.maximum %.17g", where,
                     lower, upper);
  column->has_bounds = true;
  column->lower = lower;
  column->upper = upper;
  return SFM_OK;
}

/* A category as the text that a cell would hold, or NULL when its type does not fit the column. */
static char *category_text(const json_t *value, sfm_column_type type) {
  char text[32];
  if (type == SFM_COLUMN_TYPE_STRING) {
    const char *string = json_string_value(value);
    return string ? sfmi_copy_string(string) : NULL;
  }
  if (json_is_integer(value)) {
    sfmi_snprintf(text, sizeof text, "%lld", (long long)json_integer_value(value));
    return sfmi_copy_string(text);
  }
  if (!json_is_real(value)) return NULL;
  /* dumped, not printed: the text must not follow the locale */
  return sfmi_json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
}

static sfm_status read_categories(sfm_column *column, const json_t *constraints, const char *where,
                                  sfm_error *error) {
  const json_t *list = json_object_get(constraints, "enum");
  if (!list) return SFM_OK;
  size_t count = json_array_size(list);
  if (!json_is_array(list) || count == 0)
    return sfmi_fail(error, SFM_FORMAT,
                     "%s: constraints.enum must be an array of at least one category", where);
  if (column->type == SFM_COLUMN_TYPE_BOOLEAN)
    return sfmi_fail(error, SFM_FORMAT,
                     "%s: a boolean column has its two values already; leave constraints.enum out",
                     where);
  char **categories;
  sfm_status status = sfmi_schema_add_categories(column, &categories, count, error);
  for (size_t i = 0; !status && i < count; i++) {
    categories[i] = category_text(json_array_get(list, i), column->type);
    if (!categories[i])
      return sfmi_fail(error, SFM_FORMAT, "%s: item %zu of constraints.enum must be a %s", where,
                       i + 1, column->type == SFM_COLUMN_TYPE_STRING ? "string" : "number");
  }
  return status;
}

static sfm_status refuse_repeated_categories(const sfm_column *column, const char *where,
                                             sfm_error *error) {
  sfm_status status;
  const char *twice = sfmi_schema_repeated(column, &status, error);
  if (status || !twice) return status;
  return sfmi_fail(error, SFM_FORMAT, "%s: constraints.enum has '%.64s' twice", where, twice);
}

/* Statements of the Table Schema that would change what a cell means, and that are not followed
 * here: refused unless they state what holds anyway. */
static sfm_status refuse_unfollowed(const json_t *object, const char *where, sfm_error *error) {
  static const char *const keys[] = {"decimalChar", "groupChar", "bareNumber", "exclusiveMinimum",
                                     "exclusiveMaximum"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    const json_t *value = json_object_get(object, keys[i]);
    const char *text = json_string_value(value);
    bool harmless =
        !value || json_is_true(value) || (text && strcmp(text, i == 0 ? "." : "") == 0 && i < 2);
    if (!harmless)
      return sfmi_fail(error, SFM_FORMAT,
                       "%s: '%s' is not supported; numbers are plain (1234.5) and bounds are "
                       "minimum and maximum, both included: rewrite the rows or the schema",
                       where, keys[i]);
  }
  const json_t *missing = json_object_get(object, "missingValues");
  for (size_t i = 0; i < json_array_size(missing); i++) {
    /* Texts are no numbers anyway, so that they count as missing; numbers would count as values. */
    const char *text = json_string_value(json_array_get(missing, i));
    if (text && strcspn(text, "0123456789") == strlen(text)) continue;
    return sfmi_fail(
        error, SFM_FORMAT,
        "%s: missingValues item %zu is not supported: a code such as -99 would be read as a value; "
        "leave those cells empty (a row with an empty cell is ignored)",
        where, i + 1);
  }
  return SFM_OK;
}

static sfm_status read_constraints(sfm_column *column, const json_t *field, const char *where,
                                   sfm_error *error) {
  static const char *const ours[] = {"minimum", "maximum", "enum", "min", "max", NULL};
  const json_t *constraints = json_object_get(field, "constraints");
  if (!constraints) return SFM_OK;
  if (!json_is_object(constraints))
    return sfmi_fail(error, SFM_FORMAT, "%s: constraints must be an object", where);
  sfm_status status = refuse_misspelt(constraints, ours, where, error);
  if (!status) status = refuse_unfollowed(constraints, where, error);
  if (status) return status;
  if (json_object_get(constraints, "min") || json_object_get(constraints, "max"))
    return sfmi_fail(error, SFM_FORMAT, "%s: constraints are called minimum and maximum, in full",
                     where);
  status = read_bounds(column, constraints, where, error);
  if (!status) status = read_categories(column, constraints, where, error);
  if (!status) status = refuse_repeated_categories(column, where, error);
  return status;
}

static sfm_status read_field(sfm_schema *schema, const json_t *field, const char *name,
                             size_t index, sfm_error *error) {
  static const char *const ours[] = {"name", "type", "constraints", NULL};
  place where = place_field(name, index, field);
  if (!json_is_object(field))
    return sfmi_fail(error, SFM_FORMAT, "%s must be an object with a name and a type", where.text);
  sfm_status status = refuse_misspelt(field, ours, where.text, error);
  if (!status) status = refuse_unfollowed(field, where.text, error);
  if (status) return status;
  const char *title = json_string_value(json_object_get(field, "name"));
  if (!title || !*title)
    return sfmi_fail(error, SFM_FORMAT, "%s: name must be a string that is not empty", where.text);
  if (sfm_schema_find(schema, title))
    return sfmi_fail(error, SFM_FORMAT, "%s: another field has this name", where.text);
  sfm_column_type type;
  sfm_column *column;
  status = read_type(&type, field, where.text, error);
  if (!status) status = sfmi_schema_add(schema, &column, title, type, error);
  if (!status) status = read_constraints(column, field, where.text, error);
  return status;
}

static sfm_status read_person(sfm_schema *schema, const json_t *root, const char *name,
                              sfm_error *error) {
  const json_t *value = json_object_get(root, "person");
  if (!value) return SFM_OK;
  const char *person = json_string_value(value);
  if (!person)
    return sfmi_fail(error, SFM_FORMAT, "%.100s: person must be a string, the name of a field",
                     name);
  if (!sfm_schema_find(schema, person))
    return sfmi_fail(error, SFM_FORMAT, "%.100s: person is '%.64s', which is not among the fields",
                     name, person);
  return sfm_schema_set_person(schema, person, error);
}

static sfm_status read_neighbours(sfm_schema *schema, const json_t *root, const char *name,
                                  sfm_error *error) {
  const json_t *value = json_object_get(root, "neighbours");
  if (!value) return SFM_OK;
  const char *word = json_string_value(value);
  for (sfm_neighbours known = SFM_NEIGHBOURS_REPLACE; word && known <= SFM_NEIGHBOURS_ADD_REMOVE;
       known++)
    if (strcmp(word, sfm_neighbours_name(known)) == 0)
      return sfm_schema_set_neighbours(schema, known, error);
  return sfmi_fail(error, SFM_FORMAT, "%.100s: neighbours must be \"replace\" or \"add-remove\"",
                   name);
}

static sfm_status read_contributions(sfm_schema *schema, const json_t *root, const char *name,
                                     sfm_error *error) {
  const json_t *value = json_object_get(root, "contributions");
  if (!value) return SFM_OK;
  json_int_t count = json_integer_value(value);
  if (!json_is_integer(value) || count < 1 || count > SFMI_CONTRIBUTIONS_MAX)
    return sfmi_fail(error, SFM_FORMAT, "%.100s: contributions must be an integer from 1 to %d",
                     name, SFMI_CONTRIBUTIONS_MAX);
  return sfm_schema_set_contributions(schema, (uint32_t)count, error);
}

static sfm_status read_root(sfm_schema *schema, const json_t *root, const char *name,
                            sfm_error *error) {
  static const char *const ours[] = {"fields", "person", "neighbours", "contributions", NULL};
  char where[128];
  sfmi_snprintf(where, sizeof where, "%.100s", name);
  const json_t *fields = json_object_get(root, "fields");
  if (!json_is_object(root))
    return sfmi_fail(error, SFM_FORMAT,
                     "%s: a schema is an object {\"fields\": [...]}, a Frictionless Table Schema",
                     where);
  sfm_status status = refuse_misspelt(root, ours, where, error);
  if (!status) status = refuse_unfollowed(root, where, error);
  if (status) return status;
  if (!json_is_array(fields))
    return sfmi_fail(error, SFM_FORMAT,
                     "%s: fields must be an array of objects {\"name\", \"type\", \"constraints\"}",
                     where);
  if (json_array_size(fields) > FIELDS_MAX)
    return sfmi_fail(error, SFM_FORMAT, "%s: more than %d fields; leave out those not used", where,
                     FIELDS_MAX);
  for (size_t i = 0; !status && i < json_array_size(fields); i++)
    status = read_field(schema, json_array_get(fields, i), name, i, error);
  if (!status) status = read_person(schema, root, name, error);
  if (!status) status = read_neighbours(schema, root, name, error);
  if (!status) status = read_contributions(schema, root, name, error);
  return status;
}

sfm_status sfm_schema_parse(sfm_schema **out, const char *json, size_t length, const char *name,
                            sfm_error *error) {
  json_error_t trouble;
  sfm_schema *schema = NULL;
  *out = NULL;
  if (!sfmi_json_begins_object(json, length))
    return sfmi_fail(error, SFM_FORMAT,
                     "%.100s does not begin with {: a schema is an object {\"fields\": [...]}, a "
                     "Frictionless Table Schema",
                     name);
  json_t *root = sfmi_json_loadb(json, length, JSON_REJECT_DUPLICATES, &trouble);
  if (!root)
    return sfmi_fail(error, SFM_FORMAT, "%.100s, line %d, column %d: not JSON: %s", name,
                     trouble.line, trouble.column, sfmi_json_error_reason(&trouble));
  sfm_status status = sfm_schema_create(&schema, error);
  if (!status) status = read_root(schema, root, name, error);
  json_decref(root);
  if (!status)
    *out = schema;
  else
    sfm_schema_destroy(schema);
  return status;
}

sfm_status sfm_schema_load(sfm_schema **out, const char *path, sfm_error *error) {
  *out = NULL;
  sfm_status status = SFM_OK;
  char *text = NULL;
  struct stat facts;
  if (strcmp(path, "-") == 0)
    return sfmi_fail(error, SFM_INVALID,
                     "a schema is not read from standard input, which is for rows: name its file");
  FILE *file = fopen(path, "rb");
  if (!file || fstat(fileno(file), &facts) != 0) {
    status = sfmi_fail(error, SFM_INVALID, "cannot open %.400s: %s", path, sfmi_strerror(errno));
    goto done;
  }
  if (S_ISDIR(facts.st_mode)) {
    status = sfmi_fail(error, SFM_INVALID, "%.400s is a folder: name a schema file (JSON)", path);
    goto done;
  }
  text = malloc(FILE_MAX + 1);
  if (!text) {
    status = sfmi_fail_memory(error);
    goto done;
  }
  size_t size = fread(text, 1, FILE_MAX + 1, file);
  if (ferror(file))
    status = sfmi_fail(error, SFM_IO, "cannot read %.400s: %s", path, sfmi_strerror(errno));
  else if (size > FILE_MAX)
    status =
        sfmi_fail(error, SFM_FORMAT, "%.400s is larger than 16 MiB, too large for a schema", path);
  else
    status = sfm_schema_parse(out, text, size, path, error);
done:
  if (file) fclose(file);
  free(text);
  return status;
}
