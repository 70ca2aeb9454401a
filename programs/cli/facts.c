#include "facts.h"

#include <math.h>
#include <string.h>

#include "sfumato/density.h"

static sfm_status read_columns(text_list *columns, const cli_options *options, sfm_error *error) {
  const char *text = options_get(options, "columns");
  if (!text) return SFM_OK;
  sfm_status status = text_split(columns, text, ',', error);
  if (!status) status = text_expand(columns, "columns", SFM_MAX_DIMENSION, error);
  if (status) return status;
  for (size_t i = 0; i < columns->count; i++) {
    if (!*columns->items[i])
      return cli_fail(error, SFM_INVALID,
                      "--columns: a name between two commas is empty; write for example "
                      "--columns lon,lat");
    for (size_t j = 0; j < i; j++)
      if (strcmp(columns->items[i], columns->items[j]) == 0)
        return cli_fail(error, SFM_INVALID, "--columns names '%s' twice", columns->items[i]);
  }
  return SFM_OK;
}

/* One pair "a:b" for the column. */
static sfm_status set_pair(sfm_schema *schema, const char *column, const char *pair,
                           sfm_error *error) {
  text_list ends;
  double lower, upper;
  sfm_status status = text_split(&ends, pair, ':', error);
  if (status) return status;
  if (ends.count != 2 || !text_number(&lower, ends.items[0]) || !text_number(&upper, ends.items[1]))
    status = cli_fail(error, SFM_INVALID,
                      "--bounds: '%s' is not a pair of numbers with a colon between; write for "
                      "example --bounds 0:100",
                      pair);
  else if (!isfinite(lower) || !isfinite(upper))
    status = cli_fail(error, SFM_INVALID,
                      "--bounds %s of column '%s' must be finite numbers: the noise is spread over "
                      "the whole domain",
                      pair, column);
  else if (lower == upper)
    status = cli_fail(error, SFM_INVALID,
                      "--bounds %s of column '%s' leave no room: the lower bound equals the upper",
                      pair, column);
  else if (lower > upper)
    status = cli_fail(error, SFM_INVALID,
                      "--bounds %s of column '%s' are reversed; write --bounds %s:%s", pair, column,
                      ends.items[1], ends.items[0]);
  else
    status = sfm_schema_set_bounds(schema, column, lower, upper, error);
  text_list_clear(&ends);
  return status;
}

static sfm_status set_bounds(sfm_schema *schema, const text_list *columns,
                             const cli_options *options, sfm_error *error) {
  const char *text = options_get(options, "bounds");
  text_list pairs = {0};
  if (!text) return SFM_OK;
  sfm_status status = text_split(&pairs, text, ',', error);
  if (!status && !columns->count)
    status = cli_fail(error, SFM_INVALID,
                      "--bounds needs --columns: the pairs belong to the columns named there, in "
                      "order");
  else if (!status && pairs.count != 1 && pairs.count != columns->count)
    status = cli_fail(error, SFM_INVALID,
                      "--bounds has %zu pairs for %zu column%s; give one pair lower:upper for all, "
                      "or one a column, separated by commas",
                      pairs.count, columns->count, columns->count == 1 ? "" : "s");
  for (size_t i = 0; !status && i < columns->count; i++)
    status = set_pair(schema, columns->items[i], pairs.items[pairs.count == 1 ? 0 : i], error);
  text_list_clear(&pairs);
  return status;
}

static sfm_status require_bounds(const sfm_schema *schema, const text_list *columns,
                                 sfm_error *error) {
  for (size_t i = 0; i < columns->count; i++) {
    const sfm_column *column = sfm_schema_find(schema, columns->items[i]);
    if (!column || !column->has_bounds)
      return cli_fail(error, SFM_INVALID,
                      "no bounds for column '%s'. Bounds must be public knowledge that you state: "
                      "read from the rows they would reveal the most extreme person. Write for "
                      "example --bounds %s, or minimum and maximum in a schema (--schema FILE)",
                      columns->items[i],
                      columns->count == 1 ? "0:100"
                                          : "0:100,0:1 (one pair a "
                                            "column, or one for all)");
  }
  return SFM_OK;
}

sfm_status facts_read(facts *out, const cli_options *options, sfm_error *error) {
  const char *path = options_get(options, "schema"), *person = options_get(options, "person");
  uint64_t contributions = 1;
  *out = (facts){0};
  sfm_status status = read_columns(&out->columns, options, error);
  if (!status) status = options_count(options, &contributions, "contributions", 1, 1000000, error);
  if (!status)
    status =
        path ? sfm_schema_load(&out->schema, path, error) : sfm_schema_create(&out->schema, error);
  if (!status) status = set_bounds(out->schema, &out->columns, options, error);
  if (!status) status = require_bounds(out->schema, &out->columns, error);
  if (!status && person) status = sfm_schema_set_person(out->schema, person, error);
  if (!status && options_has(options, "contributions"))
    status = sfm_schema_set_contributions(out->schema, (uint32_t)contributions, error);
  return status;
}

void facts_clear(facts *f) {
  sfm_schema_destroy(f->schema);
  text_list_clear(&f->columns);
  *f = (facts){0};
}
