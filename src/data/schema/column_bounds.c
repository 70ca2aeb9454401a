#include "column_bounds.h"

#include <math.h>

#include "base/text/utf8.h"

sfm_status sfmi_column_bounds(double *lower, double *upper, const sfm_schema *schema,
                              const char *name, size_t place, sfm_error *error) {
  const sfm_column *column = sfm_schema_find(schema, name);
  if (!sfmi_utf8_valid(name))
    return sfmi_fail(error, SFM_INVALID,
                     "the name of column %zu is not UTF-8, as the release file must be; save the "
                     "rows in UTF-8, or rename the column",
                     place);
  if (!column || !column->has_bounds)
    return sfmi_fail(error, SFM_INVALID,
                     "column \"%s\" has no bounds: they must be public, since bounds read from the "
                     "rows would show the most extreme person; state them with schema.bounds, "
                     "or as minimum and maximum in a schema file",
                     name);
  *lower = column->lower;
  *upper = column->upper;
  if (!isfinite(*upper - *lower))
    return sfmi_fail(error, SFM_INVALID, "the bounds %g:%g of \"%s\" are too far apart", *lower,
                     *upper, name);
  return SFM_OK;
}
