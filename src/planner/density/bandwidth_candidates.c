#include "bandwidth_candidates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The narrowest, in deviations of the shape, and the ratio of neighbours, by the
 * number of columns. */
static const double NARROWEST[] = {1e-3, 4e-3, 2e-2, 5e-2}, RATIO[] = {1.06, 1.06, 1.08, 1.12};

/* To three digits, much finer than bandwidths lie, so that a person can write what was chosen. Both
 * steps are exact or correctly rounded within 10^22, so the decimal is the number. */
static double rounded(double width) {
  const int exponent = (int)floor(log10(width)) - 2;
  if (exponent < -22 || exponent > 19) return width;
  const double unit = pow(10, abs(exponent));
  return exponent < 0 ? round(width * unit) / unit : round(width / unit) * unit;
}

/* A bandwidth of about c deviations, but no wider than the domain; false where doubles could not
 * tell places apart. */
static bool scaled(const sfmi_design_density *d, const double *deviation, double c,
                   double *bandwidth) {
  for (size_t a = 0; a < d->dimension; a++) {
    bandwidth[a] = fmin(rounded(c * deviation[a]), d->upper[a] - d->lower[a]);
    if (sfmi_gaussian_unfit(d->lower[a], d->upper[a], bandwidth[a])) return false;
  }
  return true;
}

sfm_status sfmi_bandwidth_candidates_list(double **list, size_t *count,
                                          const sfmi_design_density *design,
                                          const sfmi_shape_model *shape_model, sfm_error *error) {
  const size_t dimension = design->dimension, by = dimension < 4 ? dimension - 1 : 3;
  double deviation[SFM_MAX_DIMENSION], widest = 0;
  *count = 0;
  for (size_t a = 0; a < dimension; a++) {
    const double width = design->upper[a] - design->lower[a];
    deviation[a] = fmax(sfmi_shape_model_deviation(shape_model, a), 1e-6 * width);
    widest = fmax(widest, width / deviation[a]);
  }
  const size_t room = 2 + (size_t)(log(widest / NARROWEST[by]) / log(RATIO[by]));
  *list = sfmi_alloc(room * dimension, sizeof **list);
  if (!*list) return sfmi_fail_memory(error);
  for (double c = widest; c >= NARROWEST[by] && *count < room; c /= RATIO[by])
    *count += scaled(design, deviation, c, *list + *count * dimension);
  /* Where the domain itself is all but too narrow, rounding leaves none. */
  if (*count == 0) memcpy(*list, design->bandwidth, dimension * sizeof **list);
  *count += *count == 0;
  return SFM_OK;
}
