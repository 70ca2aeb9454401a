#include "perturbation.h"

#include <math.h>

#include "estimators/lattice/kernel_sum.h"

sfm_status sfmi_release_perturbation(sfmi_perturbation *moved, const sfm_release *release,
                                     sfm_error *error) {
  sfmi_kernel_sum masses;
  const sfm_kernel kernel = sfmi_release_kernel(release);
  *moved = (sfmi_perturbation){release->band.systematic, INFINITY};
  if (!sfmi_release_is_density(release)) return SFM_OK;
  sfm_status status = sfmi_kernel_sum_init(&masses, &kernel, release->lower, release->upper, error);
  if (status) return status;
  *moved = (sfmi_perturbation){
      (sfmi_kernel_sum_spreading(&masses) + sfmi_kernel_sum_error(&masses)) /
          sfmi_release_mass(release),
      sfmi_kernel_sum_relative_spreading(&masses) + sfmi_kernel_sum_error(&masses)};
  return SFM_OK;
}

/* |F - f| <= share f, so f <= F/(1 - share). */
double sfmi_perturbation_width(sfmi_perturbation moved, double largest) {
  if (!(moved.share < 1)) return moved.absolute;
  return fmin(moved.absolute, moved.share / (1 - moved.share) * fmax(largest, 0));
}
