/* kernel_sum.h - the sum over rows of K(x, row), at any x.  Rows are spread linearly over a fine
 * lattice (lattice.h, order 2), and the function is that of the lattice's masses, f(x) = sum_k c_k
 * K(x, x_k), c_k integers.  Its size does not depend on the rows, and it is exactly a function of
 * K's space: with weights >= 0 that sum to one, a row is a convex combination of the K(., x_k), so
 * its norm is at most sup K^(1/2), and two rows are at most sqrt2 of it apart when K >= 0, else 2.
 *
 * A value is computed in integers: K/sup K is rounded to 2^-SFMI_KERNEL_SUM_BITS once for each
 * place and lattice point, so one row's part of a value is off by at most sfmi_kernel_sum_error,
 * whatever the other rows are and however many.  Lattice points where a caller's own kernel exceeds
 * its bound, or is not a number, are ignored. */
#ifndef SFMI_KERNEL_SUM_H
#define SFMI_KERNEL_SUM_H

#include "lattice.h"
#include "features/kernels/kernel.h"

#define SFMI_KERNEL_SUM_BITS 48
/* Most dimensions. */
#define SFMI_KERNEL_SUM_DIMENSIONS 8

/* The public shape. */
typedef struct sfmi_kernel_sum {
  sfm_kernel kernel; /* bandwidth is the array below */
  double bandwidth[SFM_MAX_DIMENSION];
  sfmi_lattice lattice;
} sfmi_kernel_sum;

/* Chooses the lattice from kernel, bounds and dimension alone.  Fails when it would be too large.
 */
SFM_MUST_CHECK sfm_status sfmi_kernel_sum_init(sfmi_kernel_sum *shape, const sfm_kernel *kernel,
                                               const double *lower, const double *upper,
                                               sfm_error *error);

/* How far spreading moves the function of one row at most, anywhere (stationary kernels; infinite
 * for others). */
double sfmi_kernel_sum_spreading(const sfmi_kernel_sum *shape);

/* The same relative to the row's own function there: |moved - K(x, row)| <= share K(x, row)
 * (infinite for the gaussian kernel, whose tails fall too steeply, and for kernels without a
 * bandwidth). */
double sfmi_kernel_sum_relative_spreading(const sfmi_kernel_sum *shape);

/* e: how far one row's part of a computed value is at most from that of the exact function. */
double sfmi_kernel_sum_error(const sfmi_kernel_sum *shape);

/* Multiplications that `count` values take. */
double sfmi_kernel_sum_work(const sfmi_kernel_sum *shape, size_t count);

/* The function of given sums (lattice.length, of sfmi_lattice_add), ready to be evaluated: PRIVATE,
 * as the sums are, which it borrows. */
typedef struct sfmi_kernel_evaluator sfmi_kernel_evaluator;
SFM_MUST_CHECK sfm_status sfmi_kernel_evaluator_create(sfmi_kernel_evaluator **out,
                                                       const sfmi_kernel_sum *shape,
                                                       const sfmi_i128 *sums, sfm_error *error);
/* Wipes and frees. */
void sfmi_kernel_evaluator_destroy(sfmi_kernel_evaluator *evaluator);

/* values[i] = f(points[i]) in units of sup K 2^-SFMI_KERNEL_SUM_BITS rows.  One thread at a time.
 */
void sfmi_kernel_evaluator_at(sfmi_kernel_evaluator *evaluator, sfmi_i128 *values,
                              const double *points, size_t count);

#endif
