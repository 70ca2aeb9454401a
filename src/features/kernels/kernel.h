/* kernel.h - what else is known of a kernel (internal face of sfumato/kernel.h), and how its bound
 * is kept. */
#ifndef SFMI_KERNEL_H
#define SFMI_KERNEL_H

#include "base/math/prng.h"
#include "sfumato/kernel.h"

/* K depends on x - y alone: the first six families. */
bool sfmi_kernel_stationary(sfm_kernel_family family);
/* K is a product over the coordinates (every stationary one is, in one dimension). */
bool sfmi_kernel_product(const sfm_kernel *kernel);
/* K >= 0 for certain, at all points within the radius: a row then moves a function by sqrt 2, not
 * 2, when replaced. */
bool sfmi_kernel_nonnegative(const sfm_kernel *kernel);
/* A process of K in one dimension has finitely many numbers for its state: laplacian, matern. */
bool sfmi_kernel_markov(const sfm_kernel *kernel);

/* Stationary: the integral of K over all of space. */
double sfmi_kernel_mass(const sfm_kernel *kernel);

/* Stationary: K as a function of u = |x - y|/bandwidth in one dimension.  In more, K is a product
 * of profiles (sfmi_kernel_product), or for matern the profile of r. */
double sfmi_kernel_profile(sfm_kernel_family family, double u);

/* Stationary: how far K(., y) moves at most, in any dimension, when in one coordinate it is
 * interpolated linearly between places `gap` bandwidths apart: gap/2 times the largest slope where
 * there is a kink, gap^2/8 times the largest second derivative elsewhere. */
double sfmi_kernel_interpolation(sfm_kernel_family family, double gap);

/* Draws a frequency (dimension numbers, radians a unit) of the spectral law: E cos<omega, x - y> =
 * K(x, y).  Stationary kernels only. */
void sfmi_kernel_frequency(const sfm_kernel *kernel, double *omega, sfmi_prng *prng);

/* Whether x may count: K(x, x) is a number from 0 to sfm_kernel_sup.  A row that is not admitted
 * contributes zero. */
bool sfmi_kernel_admits(const sfm_kernel *kernel, const double *x);

#endif
