/* fuzz_schema.c - any bytes as a schema: refused with a message, or a schema whose facts hold
 * together. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sfumato/schema.h"
#include "promise.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  sfm_schema *schema;
  sfm_error error = {0};
  if (sfm_schema_parse(&schema, (const char *)data, size, "fuzz", &error)) {
    PROMISE(schema == NULL && error.status && error.message[0] != '\0');
    return 0;
  }
  for (size_t i = 0; i < sfm_schema_column_count(schema); i++) {
    const sfm_column *column = sfm_schema_column(schema, i);
    PROMISE(column->name[0] != '\0' && sfm_schema_find(schema, column->name) == column);
    if (column->has_bounds)
      PROMISE(isfinite(column->lower) && isfinite(column->upper) && column->lower < column->upper);
    for (size_t j = 0; j < column->category_count; j++) PROMISE(column->categories[j] != NULL);
  }
  PROMISE(sfm_schema_contributions(schema) >= 1 && sfm_schema_contributions(schema) <= 1000000);
  const char *person = sfm_schema_person(schema);
  PROMISE(!person || sfm_schema_find(schema, person));
  sfm_schema_destroy(schema);
  return 0;
}
