/* kernel.h - more about the kernels of sfumato/kernel.h, for use inside the library. */
#ifndef SFMI_KERNEL_H
#define SFMI_KERNEL_H

#include "base/math/prng.h"
#include "sfumato/kernel.h"

/* K depends on x - y alone: the first six families. */
bool sfmi_kernel_stationary(sfm_kernel_family family);
/* K is a product over the coordinates (every stationary one is, in one dimension). */
bool sfmi_kernel_product(const sfm_kernel *kernel);
/* K >= 0 is certain at all points within the radius.  Replacing a row then moves a function by sqrt
 * 2 at most, not by 2. */
bool sfmi_kernel_nonnegative(const sfm_kernel *kernel);
/* In one dimension a process of K has a state of finitely many numbers: laplacian, matern. */
bool sfmi_kernel_markov(const sfm_kernel *kernel);

/* Stationary: the integral of K over all of space. */
double sfmi_kernel_mass(const sfm_kernel *kernel);

/* Stationary: K as a function of u = |x - y|/bandwidth in one dimension.  In more, K is a product
 * of profiles (sfmi_kernel_product), or for matern the profile of r. */
double sfmi_kernel_profile(sfm_kernel_family family, double u);

/* Stationary: how far K(., y) moves at most, in any dimension, when it is interpolated linearly
 * along one coordinate between places `gap` bandwidths apart: gap/2 times the largest slope where
 * there is a kink, gap^2/8 times the largest second derivative elsewhere. */
double sfmi_kernel_interpolation(sfm_kernel_family family, double gap);

/* Draws a frequency (dimension numbers, in radians per unit) of the spectral law: E cos<omega, x -
 * y> = K(x, y).  Stationary kernels only. */
void sfmi_kernel_frequency(const sfm_kernel *kernel, double *omega, sfmi_prng *prng);

#endif
