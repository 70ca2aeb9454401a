/* settings.c - checking what the user asked of a density, before anything else happens. */
#include "planner/settings.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "privacy/calibration.h"

sfm_density_settings sfm_density_settings_default(void) {
  return (sfm_density_settings){.method = SFM_DENSITY_AUTO,
                                .outside = SFM_CLAMP,
                                .calibration = SFM_CALIBRATION_EXACT,
                                .confidence = 0.95};
}

/* Widest bandwidth, in widths of the domain: beyond it every density is flat. */
static const double BANDWIDTH_MAX = 10;

static sfm_status check_column(sfmi_design *design, const sfm_density_settings *settings, size_t a,
                               sfm_error *error) {
  const char *name = settings->columns[a];
  const sfm_column *column = sfm_schema_find(settings->schema, name);
  if (!sfmi_utf8_valid(name))
    return sfmi_fail(error, SFM_INVALID,
                     "the name of column %zu is not UTF-8, as the release file must be; save the "
                     "rows in UTF-8, or rename the column",
                     a + 1);
  for (size_t b = 0; b < a; b++)
    if (!strcmp(settings->columns[b], name))
      return sfmi_fail(error, SFM_INVALID, "column \"%s\" is named twice", name);
  if (!column || !column->has_bounds)
    return sfmi_fail(
        error, SFM_INVALID,
        "column \"%s\" has no bounds: they must be public, since bounds read from the "
        "rows would show the most extreme person; state them with --bounds LOWER:UPPER "
        "or in the schema (minimum, maximum)",
        name);
  const double lower = column->lower, upper = column->upper, h = settings->bandwidth[a];
  if (!isfinite(upper - lower))
    return sfmi_fail(error, SFM_INVALID, "the bounds %g:%g of \"%s\" are too far apart", lower,
                     upper, name);
  if (!(h > 0) || !isfinite(h))
    return sfmi_fail(error, SFM_INVALID,
                     "the bandwidth of \"%s\" must be a positive number in the column's unit, not "
                     "%g; a twentieth of the bounds' width (%g) is a start",
                     name, h, (upper - lower) / 20);
  if (h > BANDWIDTH_MAX * (upper - lower))
    return sfmi_fail(error, SFM_INVALID,
                     "the bandwidth %g of \"%s\" is more than %g times as wide as its bounds: the "
                     "density would be flat; write a smaller --bandwidth",
                     h, name, BANDWIDTH_MAX);
  const char *wanted = sfmi_gaussian_unfit(lower, upper, h);
  if (wanted)
    return sfmi_fail(error, SFM_INVALID,
                     "\"%s\" with bounds %g:%g and bandwidth %g needs %s; write it in another unit "
                     "or measure it from another place",
                     name, lower, upper, h, wanted);
  design->lower[a] = lower;
  design->upper[a] = upper;
  design->bandwidth[a] = h;
  return SFM_OK;
}

static sfm_status check_guarantee(const sfm_density_settings *settings, sfm_error *error) {
  const double epsilon = settings->epsilon, delta = settings->delta;
  if (!(epsilon >= SFMI_EPSILON_MIN && epsilon <= SFMI_EPSILON_MAX))
    return sfmi_fail(error, SFM_INVALID, "epsilon must be a number from %g to %g, not %g",
                     SFMI_EPSILON_MIN, SFMI_EPSILON_MAX, epsilon);
  if (!(delta == 0 || (delta >= SFMI_DELTA_MIN && delta < 1)))
    return sfmi_fail(error, SFM_INVALID,
                     "delta must be at least 0 and below 1 (1e-6 is usual; leave it out for pure "
                     "epsilon), not %g",
                     delta);
  if (settings->method == SFM_DENSITY_GP && delta == 0)
    return sfmi_fail(error, SFM_INVALID,
                     "method gp needs a delta (Gaussian noise has no pure epsilon): add --delta "
                     "1e-6, or use --method lattice");
  if (delta > 0 && settings->calibration == SFM_CALIBRATION_CLASSICAL && epsilon > 1)
    return sfmi_fail(error, SFM_INVALID,
                     "the classical calibration is proved for epsilon <= 1 only, not %g; leave out "
                     "--calibration classical (the exact one needs less noise)",
                     epsilon);
  if (!(settings->confidence > 0 && settings->confidence < 1))
    return sfmi_fail(error, SFM_INVALID,
                     "the band's confidence must be between 0 and 1 (0.95 is usual), not %g",
                     settings->confidence);
  return SFM_OK;
}

sfm_status sfmi_settings_check(sfmi_design *design, const sfm_density_settings *settings,
                               sfm_error *error) {
  if (!settings->schema || !settings->columns || !settings->bandwidth || settings->dimension < 1)
    return sfmi_fail(error, SFM_INVALID, "a density needs a schema, columns and bandwidths");
  if (settings->dimension > SFM_MAX_DIMENSION)
    return sfmi_fail(error, SFM_INVALID, "at most %d columns are possible, not %zu",
                     SFM_MAX_DIMENSION, settings->dimension);
  *design = (sfmi_design){.dimension = settings->dimension,
                          .neighbours = sfm_schema_neighbours(settings->schema),
                          .contributions = sfm_schema_contributions(settings->schema),
                          .confidence = settings->confidence};
  for (size_t a = 0; a < settings->dimension; a++) {
    sfm_status status = check_column(design, settings, a, error);
    if (status != SFM_OK) return status;
  }
  if (settings->expected_rows && design->neighbours == SFM_REPLACE)
    return sfmi_fail(error, SFM_INVALID,
                     "an expected number of rows (--expect) is for add-remove neighbours; under "
                     "replace the number of rows is public and counted");
  return check_guarantee(settings, error);
}
