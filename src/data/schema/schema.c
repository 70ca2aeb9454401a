#include "schema.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/c_locale.h"
#include "base/text/string_map.h"
#include "category.h"

struct sfm_schema {
  sfm_column **columns; /* each on the heap: pointers handed out stay good */
  size_t count, capacity;
  sfmi_string_map names; /* of the columns */
  char *person;
  bool has_neighbours, has_contributions;
  sfm_neighbours neighbours;
  uint32_t contributions;
};

const char *const *sfmi_column_categories(const sfm_column *column, size_t *count) {
  static const char *const booleans[] = {"false", "true"};
  const bool boolean = column->type == SFM_COLUMN_TYPE_BOOLEAN;
  *count = boolean ? 2 : column->category_count;
  return boolean ? booleans : column->categories;
}

sfm_status sfm_schema_create(sfm_schema **out, sfm_error *error) {
  *out = sfmi_alloc(1, sizeof **out);
  if (!*out) return sfmi_fail_memory(error);
  (*out)->neighbours = SFM_NEIGHBOURS_REPLACE;
  (*out)->contributions = 1;
  return SFM_OK;
}

static void drop_categories(sfm_column *column) {
  char **categories = (char **)(uintptr_t)column->categories;
  for (size_t i = 0; i < column->category_count; i++) free(categories[i]);
  free(categories);
  column->categories = NULL;
  column->category_count = 0;
}

static void destroy_column(sfm_column *column) {
  drop_categories(column);
  free((char *)(uintptr_t)column->name);
  free(column);
}

void sfm_schema_destroy(sfm_schema *schema) {
  if (!schema) return;
  for (size_t i = 0; i < schema->count; i++) destroy_column(schema->columns[i]);
  free(schema->columns);
  sfmi_string_map_clear(&schema->names);
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
  const sfmi_string_slot *found = sfmi_string_map_find(&schema->names, name);
  return found ? schema->columns[found->place] : NULL;
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
  if (!column || !copy || !sfmi_string_map_add(&schema->names, copy, schema->count)) {
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

static int compare_texts(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char *sfmi_schema_repeated(const sfm_column *column, sfm_status *status, sfm_error *error) {
  const char *twice = NULL;
  *status = SFM_OK;
  if (column->category_count < 2) return NULL;
  const char **sorted = sfmi_alloc(column->category_count, sizeof *sorted);
  if (!sorted) {
    *status = sfmi_fail_memory(error);
    return NULL;
  }
  memcpy(sorted, column->categories, column->category_count * sizeof *sorted);
  qsort(sorted, column->category_count, sizeof *sorted, compare_texts);
  for (size_t i = 1; !twice && i < column->category_count; i++)
    if (strcmp(sorted[i - 1], sorted[i]) == 0) twice = sorted[i];
  free(sorted);
  return twice;
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
                     "name the smaller one first",
                     name, lower, upper);
  sfm_column *column = find_column(schema, name);
  if (!column) {
    sfm_status status = sfmi_schema_add(schema, &column, name, SFM_COLUMN_TYPE_NUMBER, error);
    if (status) return status;
  }
  if (column->type != SFM_COLUMN_TYPE_NUMBER && column->type != SFM_COLUMN_TYPE_INTEGER)
    return sfmi_fail(
        error, SFM_INVALID,
        "column '%.64s' is of type %s in the schema, and bounds are for numbers: state "
        "its categories instead (schema.categories), for a table or for groups, or "
        "correct its type",
        name, sfm_column_type_name(column->type));
  if (column->has_bounds && (column->lower != lower || column->upper != upper))
    return sfmi_fail(error, SFM_INVALID,
                     "column '%.64s' has the bounds %.17g:%.17g in the schema, and is given "
                     "%.17g:%.17g; they must agree, so leave one out",
                     name, column->lower, column->upper, lower, upper);
  column->has_bounds = true;
  column->lower = lower;
  column->upper = upper;
  return SFM_OK;
}

/* The first few categories, for a message. */
static void list_categories(char *text, size_t size, const char *const *categories, size_t count) {
  size_t used = 0;
  for (size_t i = 0; i < count && i < 8; i++)
    used += (size_t)sfmi_snprintf(text + used, size - used, "%s%.20s", i ? "|" : "", categories[i]);
  if (count > 8) sfmi_snprintf(text + used, size - used, "|... (%zu)", count);
}

/* Whether a column may be given categories that are fit, and whether it has others. */
static sfm_status check_categories(const sfm_column *column, const char *name,
                                   const char *const *categories, size_t count, sfm_error *error) {
  char ours[240], theirs[240];
  size_t stated = 0;
  const char *const *there = column ? sfmi_column_categories(column, &stated) : NULL;
  if (count < 1 || count > SFMI_CATEGORIES_MAX)
    return sfmi_fail(error, SFM_INVALID,
                     "column '%.64s' is given %zu categories; from 1 to %d are possible", name,
                     count, SFMI_CATEGORIES_MAX);
  const sfm_status status = sfmi_categories_check(name, categories, count, error);
  if (status) return status;
  bool same = stated == 0 || stated == count;
  for (size_t i = 0; same && i < stated; i++) same = strcmp(there[i], categories[i]) == 0;
  if (same) return SFM_OK;
  list_categories(theirs, sizeof theirs, there, stated);
  list_categories(ours, sizeof ours, categories, count);
  return sfmi_fail(error, SFM_INVALID,
                   "column '%.64s' has the categories %s in the schema, and is given %s; they "
                   "must agree, in the same order, so leave one out",
                   name, theirs, ours);
}

/* Copies the categories into a column that has none. */
static sfm_status copy_categories(sfm_column *column, const char *const *categories, size_t count,
                                  sfm_error *error) {
  char **copies;
  sfm_status status = sfmi_schema_add_categories(column, &copies, count, error);
  for (size_t i = 0; !status && i < count; i++) {
    copies[i] = sfmi_copy_string(categories[i]);
    if (!copies[i]) status = sfmi_fail_memory(error);
  }
  if (status) return status;
  const char *twice = sfmi_schema_repeated(column, &status, error);
  if (!status && twice)
    status = sfmi_fail(error, SFM_INVALID,
                       "column '%.64s' is given the category '%.64s' twice; leave one out",
                       column->name, twice);
  if (status) return status;
  /* As it will be looked up: a number column's categories must be numbers. */
  sfmi_category *trial;
  status = sfmi_category_create(&trial, column, SFMI_CELL_FORM_TEXT, error);
  sfmi_category_destroy(trial);
  return status;
}

sfm_status sfm_schema_set_categories(sfm_schema *schema, const char *name,
                                     const char *const *categories, size_t count,
                                     sfm_error *error) {
  if (!*name) return sfmi_fail(error, SFM_INVALID, "a column needs a name to have categories");
  for (size_t i = 0; i < count; i++)
    if (!categories || !categories[i])
      return sfmi_fail(error, SFM_INVALID, "category %zu of column '%.200s' is NULL", i + 1, name);
  sfm_column *column = find_column(schema, name);
  sfm_status status = check_categories(column, name, categories, count, error);
  if (status) return status;
  if (column && (column->category_count > 0 || column->type == SFM_COLUMN_TYPE_BOOLEAN))
    return SFM_OK;
  if (!column) status = sfmi_schema_add(schema, &column, name, SFM_COLUMN_TYPE_STRING, error);
  if (status) return status;
  status = copy_categories(column, categories, count, error);
  if (status) drop_categories(column);
  return status;
}

sfm_status sfm_schema_set_person(sfm_schema *schema, const char *column, sfm_error *error) {
  if (!*column) return sfmi_fail(error, SFM_INVALID, "the person column needs a name");
  if (schema->person) {
    if (strcmp(schema->person, column) == 0) return SFM_OK;
    return sfmi_fail(error, SFM_INVALID,
                     "the schema states the person column '%.64s', and now '%.64s' is given; they "
                     "must agree, so leave one out",
                     schema->person, column);
  }
  schema->person = sfmi_copy_string(column);
  return schema->person ? SFM_OK : sfmi_fail_memory(error);
}

sfm_status sfm_schema_set_neighbours(sfm_schema *schema, sfm_neighbours neighbours,
                                     sfm_error *error) {
  if (neighbours != SFM_NEIGHBOURS_REPLACE && neighbours != SFM_NEIGHBOURS_ADD_REMOVE)
    return sfmi_fail(error, SFM_INVALID, "neighbours are replace or add-remove");
  if (schema->has_neighbours && schema->neighbours != neighbours)
    return sfmi_fail(error, SFM_INVALID,
                     "the schema states %s neighbours, and now %s is given; they must agree, so "
                     "leave one out",
                     sfm_neighbours_name(schema->neighbours), sfm_neighbours_name(neighbours));
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
    return sfmi_fail(
        error, SFM_INVALID,
        "the schema states %lu contributions, and now %lu are given; they must agree, so "
        "leave one out",
        (unsigned long)schema->contributions, (unsigned long)contributions);
  schema->has_contributions = true;
  schema->contributions = contributions;
  return SFM_OK;
}

const char *sfm_schema_person(const sfm_schema *schema) {
  return schema ? schema->person : NULL;
}

sfm_neighbours sfm_schema_neighbours(const sfm_schema *schema) {
  return schema->neighbours;
}

uint32_t sfm_schema_contributions(const sfm_schema *schema) {
  return schema->contributions;
}
