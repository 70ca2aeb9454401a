/* schema.h - the public facts about a table: column names, types, bounds, categories, and who the
 * records belong to.
 *
 * Everything here is stated by the owner and never read from the rows.  A schema comes from a
 * Frictionless Table Schema file (JSON: fields[{name, type, constraints{minimum, maximum, enum}}],
 * plus sfumato's own `person`, `neighbours`, `contributions` beside `fields`), from options, or
 * from both; where both speak they must agree. */
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

typedef enum sfm_column_type { SFM_NUMBER, SFM_INTEGER, SFM_STRING, SFM_BOOLEAN } sfm_column_type;

typedef enum sfm_outside {
  SFM_CLAMP, /* a value beyond its bounds counts as the bound */
  SFM_DROP,  /* its row contributes the zero vector; n is unchanged */
} sfm_outside;

/* What is known of one column.  Strings belong to the schema. */
typedef struct sfm_column {
  const char *name;
  sfm_column_type type;
  bool has_bounds;
  double lower, upper;
  const char *const *categories;
  size_t category_count;
} sfm_column;

SFM_API SFM_MUST_CHECK sfm_status sfm_schema_create(sfm_schema **out, sfm_error *error);
/* Reads a schema file ("-" is not accepted: standard input is for rows). */
SFM_API SFM_MUST_CHECK sfm_status sfm_schema_load(sfm_schema **out, const char *path,
                                                  sfm_error *error);
/* The same from memory; name is what messages call it. */
SFM_API SFM_MUST_CHECK sfm_status sfm_schema_parse(sfm_schema **out, const char *json,
                                                   size_t length, const char *name,
                                                   sfm_error *error);
SFM_API void sfm_schema_destroy(sfm_schema *schema);

SFM_API size_t sfm_schema_column_count(const sfm_schema *schema);
/* The i-th column, or NULL beyond the last. */
SFM_API const sfm_column *sfm_schema_column(const sfm_schema *schema, size_t i);
/* The column of that name, or NULL. */
SFM_API const sfm_column *sfm_schema_find(const sfm_schema *schema, const char *name);

/* States the bounds of a column, adding it when the schema does not have it (to a schema from a
 * file too: options may add facts).  Bounds must be finite with lower < upper; if the schema
 * already states other bounds, or the column is not numeric, fails and says both. */
SFM_API SFM_MUST_CHECK sfm_status sfm_schema_set_bounds(sfm_schema *schema, const char *column,
                                                        double lower, double upper,
                                                        sfm_error *error);
/* States the categories of a column (count >= 1 texts, copied), adding it as one of strings when
 * the schema does not have it.  Each must be UTF-8, not empty, without blanks around it, and unlike
 * the others; in a number or integer column a number.  If the schema already states other
 * categories, or the same in another order, fails and says so; a boolean column has false and true.
 */
SFM_API SFM_MUST_CHECK sfm_status sfm_schema_set_categories(sfm_schema *schema, const char *column,
                                                            const char *const *categories,
                                                            size_t count, sfm_error *error);
/* Each of these fails when the schema already says otherwise. */
SFM_API SFM_MUST_CHECK sfm_status sfm_schema_set_person(sfm_schema *schema, const char *column,
                                                        sfm_error *error);
SFM_API SFM_MUST_CHECK sfm_status sfm_schema_set_neighbours(sfm_schema *schema,
                                                            sfm_neighbours neighbours,
                                                            sfm_error *error);
SFM_API SFM_MUST_CHECK sfm_status sfm_schema_set_contributions(sfm_schema *schema,
                                                               uint32_t contributions,
                                                               sfm_error *error);

/* NULL when no person column is stated. */
SFM_API const char *sfm_schema_person(const sfm_schema *schema);
/* SFM_REPLACE unless stated. */
SFM_API sfm_neighbours sfm_schema_neighbours(const sfm_schema *schema);
/* 1 unless stated; between 1 and 1,000,000. */
SFM_API uint32_t sfm_schema_contributions(const sfm_schema *schema);

#ifdef __cplusplus
}
#endif
#endif
