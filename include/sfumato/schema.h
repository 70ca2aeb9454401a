/* schema.h - the public facts about a table: column names, types, bounds, categories, and to whom
 * the records belong.
 *
 * The owner states these facts; they are never read from the rows.  A schema is read from a
 * Frictionless Table Schema file (JSON: fields[{name, type, constraints{minimum, maximum, enum}}],
 * with sfumato's own `person`, `neighbours`, `contributions` beside `fields`), or made by the
 * functions below, or both.  If a fact is stated twice, both statements must agree. */
#ifndef SFUMATO_SCHEMA_H
#define SFUMATO_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sfumato/guarantee.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sfm_schema sfm_schema;

typedef enum sfm_column_type {
  SFM_COLUMN_TYPE_NUMBER,
  SFM_COLUMN_TYPE_INTEGER,
  SFM_COLUMN_TYPE_STRING,
  SFM_COLUMN_TYPE_BOOLEAN
} sfm_column_type;

/* Returns "number", "integer", "string" or "boolean"; NULL for any other number.  Static storage.
 */
SFM_API const char *sfm_column_type_name(sfm_column_type type);

/* What happens to a value beyond its bounds. */
typedef enum sfm_outside {
  SFM_OUTSIDE_CLAMP, /* it is replaced by the bound */
  SFM_OUTSIDE_DROP,  /* its row is ignored; n does not change */
} sfm_outside;

/* Returns "clamp" or "drop"; NULL for any other number.  Static storage. */
SFM_API const char *sfm_outside_name(sfm_outside outside);

/* The facts about one column.  Strings are owned by the schema. */
typedef struct sfm_column {
  const char *name;
  sfm_column_type type;
  bool has_bounds;
  double lower, upper;
  const char *const *categories;
  size_t category_count;
} sfm_column;

/* Creates an empty schema.  The caller destroys it. */
SFM_API SFM_MUST_CHECK sfm_status sfm_schema_create(sfm_schema **out, sfm_error *error);
/* Reads a schema file.  "-" is refused: standard input is for rows.  The caller destroys it. */
SFM_API SFM_MUST_CHECK sfm_status sfm_schema_load(sfm_schema **out, const char *path,
                                                  sfm_error *error);
/* The same from memory.  name is used in messages. */
SFM_API SFM_MUST_CHECK sfm_status sfm_schema_parse(sfm_schema **out, const char *json,
                                                   size_t length, const char *name,
                                                   sfm_error *error);
SFM_API void sfm_schema_destroy(sfm_schema *schema);

/* The number of columns. */
SFM_API size_t sfm_schema_column_count(const sfm_schema *schema);
/* Column i; NULL if i is too large.  Owned by the schema. */
SFM_API const sfm_column *sfm_schema_column(const sfm_schema *schema, size_t i);
/* The column of that name, or NULL.  Owned by the schema. */
SFM_API const sfm_column *sfm_schema_find(const sfm_schema *schema, const char *name);

/* Messages call what sfm_schema_set_bounds states schema.bounds, and so on.
 *
 * States the bounds of a column.  Adds the column if the schema does not have it (also if the
 * schema was read from a file).  Bounds must be finite with lower < upper.  Fails if the schema
 * states other bounds, and the message states both; fails if the column is not numeric. */
SFM_API SFM_MUST_CHECK sfm_status sfm_schema_set_bounds(sfm_schema *schema, const char *column,
                                                        double lower, double upper,
                                                        sfm_error *error);
/* States the categories of a column (count >= 1 texts, which are copied).  Adds the column, of type
 * string, if the schema does not have it.  Each category must be UTF-8, not empty, without blanks
 * around it, and different from the others; in a number or integer column it must be a number.
 * Fails if the schema states other categories, or the same in another order.  A boolean column has
 * the categories false and true. */
SFM_API SFM_MUST_CHECK sfm_status sfm_schema_set_categories(sfm_schema *schema, const char *column,
                                                            const char *const *categories,
                                                            size_t count, sfm_error *error);
/* State the person column, the neighbours, and the contributions.  Each fails if the schema states
 * something else. */
SFM_API SFM_MUST_CHECK sfm_status sfm_schema_set_person(sfm_schema *schema, const char *column,
                                                        sfm_error *error);
SFM_API SFM_MUST_CHECK sfm_status sfm_schema_set_neighbours(sfm_schema *schema,
                                                            sfm_neighbours neighbours,
                                                            sfm_error *error);
SFM_API SFM_MUST_CHECK sfm_status sfm_schema_set_contributions(sfm_schema *schema,
                                                               uint32_t contributions,
                                                               sfm_error *error);

/* The person column; NULL if none is stated. */
SFM_API const char *sfm_schema_person(const sfm_schema *schema);
/* The neighbours; default: SFM_NEIGHBOURS_REPLACE. */
SFM_API sfm_neighbours sfm_schema_neighbours(const sfm_schema *schema);
/* The largest number of records of one person that are used, 1 to 1,000,000; default: 1. */
SFM_API uint32_t sfm_schema_contributions(const sfm_schema *schema);

#ifdef __cplusplus
}
#endif
#endif
