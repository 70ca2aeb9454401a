#include "design_range.h"

#include <math.h>

#include "data/schema/column_bounds.h"
#include "privacy/range_check.h"

/* At least so many values unless another resolution is asked for. */
static const double CELLS = 0x1p20;

static uint64_t greatest_divisor(uint64_t a, uint64_t b) {
  while (b) {
    const uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static sfm_status check_quantiles(sfmi_design_range *range_design,
                                  const sfm_range_settings *settings, sfm_error *error) {
  double before = 0;
  range_design->count = settings->count;
  if (!settings->quantiles || settings->count < 1 || settings->count > SFM_RANGE_QUANTILES_MAX)
    return sfmi_fail(error, SFM_INVALID, "from 1 to %d quantiles are possible, not %zu",
                     SFM_RANGE_QUANTILES_MAX, settings->count);
  for (size_t i = 0; i < settings->count; i++) {
    const double asked = settings->quantiles[i], units = round(asked * SFMI_QUANTILE_UNITS);
    if (!(units >= 1 && units <= SFMI_QUANTILE_UNITS - 1))
      return sfmi_fail(error, SFM_INVALID,
                       "the quantile %g is not between 0 and 1 (from 0.000001 to 0.999999); for "
                       "bounds that hold nearly all rows write settings.quantiles = 0.01,0.99",
                       asked);
    if (!(units > before))
      return sfmi_fail(
          error, SFM_INVALID,
          "the quantile %g does not lie above the one before; write them in ascending order, each "
          "once (millionths are told apart): settings.quantiles = 0.01,0.99",
          asked);
    const uint64_t common = greatest_divisor((uint64_t)units, SFMI_QUANTILE_UNITS);
    range_design->quantiles[i] =
        (sfm_ratio){(uint64_t)units / common, SFMI_QUANTILE_UNITS / common};
    before = units;
  }
  return SFM_OK;
}

/* The step when none is asked for: no finer than doubles are, nor than whole numbers where only
 * those are allowed. */
static double usual_step(const sfmi_design_range *range_design, bool integer) {
  const double most = fmax(fabs(range_design->lower), fabs(range_design->upper));
  const double wanted = (range_design->upper - range_design->lower) / CELLS;
  const double step = exp2(floor(log2(fmax(wanted, most * 0x1p-52))));
  return integer ? fmax(step, 1) : step;
}

static sfm_status make_grid(sfmi_design_range *range_design, const sfm_range_settings *settings,
                            sfm_error *error) {
  const sfm_column *column = sfm_schema_find(settings->context.schema, settings->column);
  const double width = range_design->upper - range_design->lower, asked = settings->resolution;
  int exponent;
  if (!(asked >= 0) || !isfinite(asked))
    return sfmi_fail(error, SFM_INVALID,
                     "the resolution must be a positive number in the column's unit, not %g",
                     asked);
  (void)frexp(asked, &exponent);
  const double step = asked > 0 ? ldexp(1, exponent - 1)
                                : usual_step(range_design, column->type == SFM_COLUMN_TYPE_INTEGER);
  if (asked > 0 && step < width / (double)(SFMI_RANKS_MAX - 1))
    return sfmi_fail(error, SFM_INVALID,
                     "the resolution %g is too fine: within %g:%g it makes more than %zu values; "
                     "the finest that is possible is about %.3g",
                     asked, range_design->lower, range_design->upper, SFMI_RANKS_MAX,
                     2 * width / (double)(SFMI_RANKS_MAX - 1));
  if (asked > 0 && step > width / 2)
    return sfmi_fail(error, SFM_INVALID,
                     "the resolution %g is too coarse: fewer than two values lie within %g:%g; "
                     "leave it out for a millionth of the width",
                     asked, range_design->lower, range_design->upper);
  if (step < 0x1p-900 || step > 0x1p900 ||
      !sfmi_ranks_grid(&range_design->grid, range_design->lower, range_design->upper, step))
    return sfmi_fail(error, SFM_INVALID,
                     "the limits %g:%g of \"%s\" and a resolution of %g do not make a grid of "
                     "numbers; write the column in another unit, or measure it from another place",
                     range_design->lower, range_design->upper, settings->column, step);
  return SFM_OK;
}

static void set_moves(sfmi_design_range *range_design, const sfm_range_settings *settings) {
  const bool replace = sfm_schema_neighbours(settings->context.schema) == SFM_NEIGHBOURS_REPLACE;
  const double contributions = sfm_schema_contributions(settings->context.schema);
  range_design->epsilon = settings->epsilon / (double)settings->count;
  for (size_t i = 0; i < range_design->count; i++) {
    const uint64_t p = range_design->quantiles[i].numerator,
                   q = range_design->quantiles[i].denominator;
    range_design->moves[i] = contributions * (double)(replace ? q : p > q - p ? p : q - p);
    range_design->sensitivity = fmax(range_design->sensitivity, range_design->moves[i] / (double)q);
  }
}

sfm_status sfmi_design_range_init(sfmi_design_range *range_design,
                                  const sfm_range_settings *settings, sfm_error *error) {
  *range_design = (sfmi_design_range){0};
  if (!settings->column) return sfmi_fail(error, SFM_INVALID, "a range needs settings.column");
  sfm_status status = sfmi_column_bounds(&range_design->lower, &range_design->upper,
                                         settings->context.schema, settings->column, 1, error);
  if (!status) status = check_quantiles(range_design, settings, error);
  if (!status) status = sfmi_check_epsilon(settings->epsilon, error);
  if (!status) status = sfmi_check_confidence(settings->context.confidence, error);
  if (status) return status;
  set_moves(range_design, settings);
  return make_grid(range_design, settings, error);
}
