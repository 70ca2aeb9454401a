#include "places.h"

#include <assert.h>
#include <float.h>
#include <math.h>

#include "base/system/status.h"

/* The same arithmetic as sfm_evaluator_grid, so that a release's places are those of a reader's
 * grid. */
void sfmi_places_at(const sfmi_places *places, size_t i, double *point) {
  const size_t d = places->dimension;
  for (size_t a = d; a-- > 0;) {
    if (places->points) {
      point[a] = places->points[i * d + a];
      continue;
    }
    const size_t count = places->counts[a], k = i % count;
    const double t = (double)k / (double)(count - 1);
    point[a] = k + 1 == count ? places->upper[a]
                              : places->lower[a] + t * (places->upper[a] - places->lower[a]);
    i /= count;
  }
}

static sfm_status check_list(const sfmi_places *places, sfm_error *error) {
  for (size_t i = 0; i < places->count * places->dimension; i++)
    if (!isfinite(places->points[i]))
      return sfmi_fail(error, SFM_INVALID, "place %zu has a coordinate that is not a finite number",
                       i / places->dimension + 1);
  return SFM_OK;
}

static sfm_status check_axis(const sfmi_places *places, size_t a, sfm_error *error) {
  /* A difference of two places is off by at most 16 units of the larger bound.  With neighbours
   * twice as far apart they are different numbers, and what moves a place does not reach the next
   * one (circulant_engine.c relies on it). */
  static const double UNITS = 32;
  const double lower = places->lower[a], upper = places->upper[a];
  const double far = fmax(fabs(lower), fabs(upper));
  if (places->counts[a] < 2)
    return sfmi_fail(error, SFM_INVALID, "a grid needs at least 2 places along each axis");
  if (!(lower < upper) || !isfinite(upper - lower))
    return sfmi_fail(error, SFM_INVALID,
                     "a grid needs finite bounds, the lower below the upper, not %g:%g (axis %zu)",
                     lower, upper, a + 1);
  if (!((upper - lower) / (double)(places->counts[a] - 1) > UNITS * DBL_EPSILON * far))
    return sfmi_fail(error, SFM_INVALID,
                     "%zu places from %g to %g are too close together for numbers of that size to "
                     "tell them apart (axis %zu); write fewer",
                     places->counts[a], lower, upper, a + 1);
  return SFM_OK;
}

sfm_status sfmi_places_check(const sfmi_places *places, const sfm_kernel *kernel,
                             sfm_error *error) {
  if (kernel->dimension != places->dimension || places->dimension > SFM_MAX_DIMENSION)
    return sfmi_fail(error, SFM_INVALID,
                     "places of %zu dimensions do not go with a kernel of %zu (at most %d)",
                     places->dimension, kernel->dimension, SFM_MAX_DIMENSION);
  if (places->count == 0 || places->count > SFMI_PLACES_MAX)
    return sfmi_fail(error, SFM_INVALID, "a function is released at 1 to %zu places, not at %zu",
                     SFMI_PLACES_MAX, places->count);
  if (places->points) return check_list(places, error);
  size_t total = 1;
  for (size_t a = 0; a < places->dimension; a++) {
    sfm_status status = check_axis(places, a, error);
    if (status) return status;
    total *= places->counts[a];
  }
  assert(total == places->count);
  (void)total; /* without asserts */
  return SFM_OK;
}
