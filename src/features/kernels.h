/* kernels.h - what else is known of a kernel (internal face of sfumato/kernel.h). */
#ifndef SFMI_KERNELS_H
#define SFMI_KERNELS_H

#include "base/prng.h"
#include "sfumato/kernel.h"

/* K depends on x - y alone: the first six families. */
bool sfmi_kernel_stationary(sfm_kernel_family family);
/* K is a product over the coordinates (every stationary one is, in one dimension). */
bool sfmi_kernel_product(const sfm_kernel *kernel);
/* K >= 0 everywhere, for certain: a row then moves a function by sqrt 2, not 2, when replaced. */
bool sfmi_kernel_nonnegative(const sfm_kernel *kernel);
/* Whether K is the exponential of one dimension times a polynomial: laplacian, matern. */
bool sfmi_kernel_markov(const sfm_kernel *kernel);

/* Stationary: the integral of K over all of space. */
double sfmi_kernel_mass(const sfm_kernel *kernel);

/* Stationary, the factor of one coordinate as a function of u = |x - y|/bandwidth (of r for an
 * isotropic kernel). */
double sfmi_kernel_profile(sfm_kernel_family family, double u);

/* How far K moves at most when one coordinate of x is replaced by linear interpolation between two
 * places that are `gap` bandwidths apart: gap/2 times the slope where there is a kink, gap^2/8
 * times the curvature elsewhere. */
double sfmi_kernel_interpolation(sfm_kernel_family family, double gap);

/* Draws a frequency (dimension numbers, radians a unit) of the spectral law: E cos<omega, x - y> =
 * K(x, y).  Stationary kernels only. */
void sfmi_kernel_frequency(const sfm_kernel *kernel, double *omega, sfmi_prng *prng);

#endif
