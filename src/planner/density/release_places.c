#include "release_places.h"

/* Points of the usual grid, per axis. */
static const size_t USUAL[] = {512, 64, 16};
/* Longest list of points: their coordinates are in the file. */
static const size_t LIST_MAX = (size_t)1 << 22;

static sfm_status check_list(const sfmi_places *places, sfm_error *error) {
  const size_t d = places->dimension;
  if (places->count == 0 || places->count > LIST_MAX)
    return sfmi_fail(error, SFM_INVALID, "values can be released at 1 to %zu points, not at %zu",
                     LIST_MAX, places->count);
  for (size_t i = 0; i < places->count * d; i++) {
    const double x = places->points[i];
    if (!(x >= places->lower[i % d] && x <= places->upper[i % d]))
      return sfmi_fail(error, SFM_INVALID,
                       "point %zu of the release is outside the bounds: coordinate %zu is %g, and "
                       "must be from %g to %g",
                       i / d + 1, i % d + 1, x, places->lower[i % d], places->upper[i % d]);
  }
  return SFM_OK;
}

sfm_status sfmi_places_choose(sfmi_places *places, size_t dimension, const double *lower,
                              const double *upper, const double *points, size_t count,
                              const size_t *grid, sfm_error *error) {
  *places = (sfmi_places){.dimension = dimension, .count = count, .points = points};
  for (size_t a = 0; a < dimension; a++) {
    places->lower[a] = lower[a];
    places->upper[a] = upper[a];
  }
  if (points && grid[0])
    return sfmi_fail(error, SFM_INVALID,
                     "values are released at points or on a grid, not both: leave out one");
  if (points) return check_list(places, error);
  if (!grid[0] && dimension > 3)
    return sfmi_fail(error, SFM_INVALID,
                     "in more than three dimensions there is no usual grid: say where values are "
                     "released (settings.release_points, or settings.release_grid = N)");
  places->count = 1;
  for (size_t a = 0; a < dimension; a++) {
    const size_t n = grid[0] ? grid[a] : USUAL[dimension - 1];
    if (n < 2)
      return sfmi_fail(error, SFM_INVALID,
                       "a grid of values needs at least 2 points per axis, not %zu", n);
    if (n > SFMI_PLACES_MAX / places->count)
      return sfmi_fail(error, SFM_INVALID, "a grid of values can have at most %zu points",
                       SFMI_PLACES_MAX);
    places->counts[a] = n;
    places->count *= n;
  }
  return SFM_OK;
}

sfm_status sfmi_places_bounded(const sfmi_places *places, const sfm_kernel *kernel,
                               sfm_error *error) {
  double x[SFM_MAX_DIMENSION];
  for (size_t i = 0; i < places->count && !sfmi_kernel_stationary(kernel->family); i++) {
    sfmi_places_at(places, i, x);
    if (!(sfm_kernel_at(kernel, x, x) <= sfm_kernel_sup(kernel) * (1 + 1e-12)))
      return sfmi_fail(error, SFM_INVALID,
                       "K(x, x) passes its bound %g at point %zu of the release: declare a larger "
                       "bound or radius, or leave out the point",
                       sfm_kernel_sup(kernel), i + 1);
  }
  return SFM_OK;
}
