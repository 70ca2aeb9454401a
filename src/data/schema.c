#include "data/fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sfm_schema {
  sfm_column **columns; /* each on the heap: pointers handed out stay good */
  size_t count, capacity;
  char *person;
  bool has_neighbours, has_contributions;
  sfm_neighbours neighbours;
  uint32_t contributions;
};

const char *sfmi_column_type_name(sfm_column_type type) {
  switch (type) {
  case SFM_NUMBER:
    return "number";
  case SFM_INTEGER:
    return "integer";
  case SFM_STRING:
    return "string";
  case SFM_BOOLEAN:
    return "boolean";
  }
  return "unknown";
}

static const char *neighbours_name(sfm_neighbours neighbours) {
  return neighbours == SFM_REPLACE ? "replace" : "add-remove";
}

sfm_status sfm_schema_create(sfm_schema **out, sfm_error *error) {
  *out = sfmi_alloc(1, sizeof **out);
  if (!*out) return sfmi_fail_memory(error);
  (*out)->neighbours = SFM_REPLACE;
  (*out)->contributions = 1;
  return SFM_OK;
}

static void destroy_column(sfm_column *column) {
  char **categories = (char **)(uintptr_t)column->categories;
  for (size_t i = 0; i < column->category_count; i++) free(categories[i]);
  free(categories);
  free((char *)(uintptr_t)column->name);
  free(column);
}

void sfm_schema_destroy(sfm_schema *schema) {
  if (!schema) return;
  for (size_t i = 0; i < schema->count; i++) destroy_column(schema->columns[i]);
  free(schema->columns);
  free(schema->person);
  free(schema);
}

size_t sfm_schema_column_count(const sfm_schema *schema) {
  return schema->count;
}

const sfm_column *sfm_schema_column(const sfm_schema *schema, size_t i) {
  return i < schema->count ? schema->columns[i] : NULL;
}

static sfm_column *find_column(const sfm_schema *schema, const char *name) {
  for (size_t i = 0; i < schema->count; i++)
    if (strcmp(schema->columns[i]->name, name) == 0) return schema->columns[i];
  return NULL;
}

const sfm_column *sfm_schema_find(const sfm_schema *schema, const char *name) {
  return find_column(schema, name);
}

sfm_status sfmi_schema_add(sfm_schema *schema, sfm_column **out, const char *name,
                           sfm_column_type type, sfm_error *error) {
  if (schema->count == schema->capacity) {
    size_t capacity = schema->capacity ? 2 * schema->capacity : 8;
    sfm_column **columns = realloc(schema->columns, capacity * sizeof *columns);
    if (!columns) return sfmi_fail_memory(error);
    schema->columns = columns;
    schema->capacity = capacity;
  }
  sfm_column *column = sfmi_alloc(1, sizeof *column);
  char *copy = sfmi_copy_string(name);
  if (!column || !copy) {
    free(column);
    free(copy);
    return sfmi_fail_memory(error);
  }
  column->name = copy;
  column->type = type;
  schema->columns[schema->count++] = column;
  *out = column;
  return SFM_OK;
}

sfm_status sfmi_schema_add_categories(sfm_column *column, char ***categories, size_t count,
                                      sfm_error *error) {
  *categories = sfmi_alloc(count, sizeof **categories);
  if (!*categories) return sfmi_fail_memory(error);
  column->categories = (const char *const *)*categories;
  column->category_count = count;
  return SFM_OK;
}

sfm_status sfm_schema_set_bounds(sfm_schema *schema, const char *name, double lower, double upper,
                                 sfm_error *error) {
  if (!*name) return sfmi_fail(error, SFM_INVALID, "a column needs a name to have bounds");
  if (!isfinite(lower) || !isfinite(upper))
    return sfmi_fail(error, SFM_INVALID,
                     "column '%.64s': the bounds %g:%g are not finite; state the range that the "
                     "values can have, such as 0:100",
                     name, lower, upper);
  if (!(lower < upper))
    return sfmi_fail(error, SFM_INVALID,
                     "column '%.64s': the lower bound %.17g is not below the upper bound %.17g; "
                     "write LOWER:UPPER",
                     name, lower, upper);
  sfm_column *column = find_column(schema, name);
  if (!column) {
    sfm_status status = sfmi_schema_add(schema, &column, name, SFM_NUMBER, error);
    if (status) return status;
  }
  if (column->type != SFM_NUMBER && column->type != SFM_INTEGER)
    return sfmi_fail(error, SFM_INVALID,
                     "column '%.64s' is of type %s in the schema: only number and integer columns "
                     "have bounds",
                     name, sfmi_column_type_name(column->type));
  if (column->has_bounds && (column->lower != lower || column->upper != upper))
    return sfmi_fail(error, SFM_INVALID,
                     "column '%.64s': the schema states the bounds %.17g:%.17g and the option "
                     "%.17g:%.17g; they must agree, so leave one out",
                     name, column->lower, column->upper, lower, upper);
  column->has_bounds = true;
  column->lower = lower;
  column->upper = upper;
  return SFM_OK;
}

sfm_status sfm_schema_set_person(sfm_schema *schema, const char *column, sfm_error *error) {
  if (!*column) return sfmi_fail(error, SFM_INVALID, "the person column needs a name");
  if (schema->person) {
    if (strcmp(schema->person, column) == 0) return SFM_OK;
    return sfmi_fail(error, SFM_INVALID,
                     "the schema states the person column '%.64s' and the option '%.64s'; they "
                     "must agree, so leave one out",
                     schema->person, column);
  }
  schema->person = sfmi_copy_string(column);
  return schema->person ? SFM_OK : sfmi_fail_memory(error);
}

sfm_status sfm_schema_set_neighbours(sfm_schema *schema, sfm_neighbours neighbours,
                                     sfm_error *error) {
  if (neighbours != SFM_REPLACE && neighbours != SFM_ADD_REMOVE)
    return sfmi_fail(error, SFM_INVALID, "neighbours are replace or add-remove");
  if (schema->has_neighbours && schema->neighbours != neighbours)
    return sfmi_fail(error, SFM_INVALID,
                     "the schema states %s neighbours and the option %s; they must agree, so leave "
                     "one out",
                     neighbours_name(schema->neighbours), neighbours_name(neighbours));
  schema->has_neighbours = true;
  schema->neighbours = neighbours;
  return SFM_OK;
}

sfm_status sfm_schema_set_contributions(sfm_schema *schema, uint32_t contributions,
                                        sfm_error *error) {
  if (contributions < 1 || contributions > SFMI_CONTRIBUTIONS_MAX)
    return sfmi_fail(error, SFM_INVALID,
                     "contributions (the records one person may have) is %lu: it must be from 1 to "
                     "%d",
                     (unsigned long)contributions, SFMI_CONTRIBUTIONS_MAX);
  if (schema->has_contributions && schema->contributions != contributions)
    return sfmi_fail(error, SFM_INVALID,
                     "the schema states %lu contributions and the option %lu; they must agree, so "
                     "leave one out",
                     (unsigned long)schema->contributions, (unsigned long)contributions);
  schema->has_contributions = true;
  schema->contributions = contributions;
  return SFM_OK;
}

const char *sfm_schema_person(const sfm_schema *schema) {
  return schema->person;
}

sfm_neighbours sfm_schema_neighbours(const sfm_schema *schema) {
  return schema->neighbours;
}

uint32_t sfm_schema_contributions(const sfm_schema *schema) {
  return schema->contributions;
}
