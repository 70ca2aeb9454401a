/* range_kind.c - quantiles of a column (kind "range").
 *
 * Coefficients are quantiles in units of step, ascending, on the grid of multiples of the step
 * within the bounds of the one column. */
#include <math.h>
#include <stdlib.h>

#include "estimators/quantiles/ranks.h"
#include "releases/core/release_kind.h"

static bool set_members(json_t *object, const sfm_release *release) {
  sfmi_release_set_rows(object, release);
  const bool good = sfmi_release_set_domain(object, release);
  return sfmi_members_set(object, release, sfmi_outside_member) &&
         sfmi_json_set_numbers(object, "quantiles", release->quantiles, release->length) && good;
}

static sfm_status read_members(const sfmi_parse_context *at, sfm_release *release,
                               const json_t *root) {
  size_t count = 0;
  if (!release->hardened || release->law == SFM_NOISE_LAW_GAMMA)
    return sfmi_parse_wrong(at, "hardened", "true for a range");
  sfm_status status = sfmi_release_read_rows(at, release, root);
  if (status) return status;
  if (release->has_rows != (release->neighbours == SFM_NEIGHBOURS_REPLACE))
    return sfmi_parse_wrong(at, "rows", "stated under replace, and only there");
  status = sfmi_release_read_domain(at, release, root, 1);
  if (!status) status = sfmi_members_read(at, release, root, sfmi_outside_member);
  if (!status)
    status =
        sfmi_parse_numbers(at, &release->quantiles, &count, root, "quantiles", release->length);
  if (status) return status;
  return count == release->length ? SFM_OK
                                  : sfmi_parse_wrong(at, "quantiles", "one per coefficient");
}

static sfm_status check_release(const sfm_release *release, const char *name, sfm_error *error) {
  sfmi_ranks grid;
  if (!(release->lower[0] < release->upper[0]) ||
      !sfmi_ranks_grid(&grid, release->lower[0], release->upper[0], release->step))
    return sfmi_fail(error, SFM_FORMAT, "%s: domain and step do not make a grid", name);
  for (size_t i = 0; i < release->length; i++) {
    const int64_t cell = release->integers[i];
    if (cell < grid.first || cell > grid.first + (int64_t)grid.cells - 1 ||
        (i && cell < release->integers[i - 1]))
      return sfmi_fail(error, SFM_FORMAT,
                       "%s: coefficients[%zu] is not on the grid, or below the one before", name,
                       i);
    if (!(release->quantiles[i] > (i ? release->quantiles[i - 1] : 0) && release->quantiles[i] < 1))
      return sfmi_fail(error, SFM_FORMAT, "%s: quantiles[%zu] is not above the one before, or 1",
                       name, i);
  }
  return SFM_OK;
}

static void destroy_data(sfm_release *release) {
  free(release->quantiles);
}

static sfm_status range_band(sfm_band *band, const sfm_release *release, double confidence,
                             sfm_error *error) {
  /* Of the rate, which was rounded down. */
  static const double ROUNDING = 1 + 0x1p-15;
  sfmi_ranks grid = {.cells = 1};
  (void)error;
  (void)sfmi_ranks_grid(&grid, release->lower[0], release->upper[0], release->step);
  const double ways = (double)grid.cells * (double)release->length;
  double misses = release->scale * log(ways / (1 - confidence)) * ROUNDING;
  if (release->has_rows) misses = fmin(misses, (double)release->rows);
  *band = (sfm_band){.confidence = confidence, .half_width = misses, .pointwise = misses};
  return SFM_OK;
}

double sfm_release_quantile(const sfm_release *release, size_t i) {
  const bool range = sfm_release_kind(release) == SFM_KIND_RANGE;
  return range && i < release->length ? release->quantiles[i] : NAN;
}

const sfmi_release_kind sfmi_range_kind = {
    .kind = SFM_KIND_RANGE,
    .at = offsetof(sfm_release, quantiles),
    .methods = SFMI_METHODS(EXPONENTIAL),
    .verbs = "sfm_release_coefficient and sfm_release_quantile return its quantiles",
    .set = set_members,
    .read = read_members,
    .check = check_release,
    .destroy = destroy_data,
    .band = range_band,
};
