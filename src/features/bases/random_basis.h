/* random_basis.h - random features, the family SFMI_RANDOM of basis.h.
 *
 * With u = (x - middle of the bounds)/bandwidth, coordinate by coordinate, function 2i is P^-1/2
 * cos(2 pi t), function 2i + 1 is P^-1/2 sin(2 pi t), where t = <turns_i, u>.  The turns are of the
 * spectral law of the kernel with bandwidths of one, divided by 2 pi, and follow from the seed.
 *
 * Gaussian and matern kernels: in blocks of `dimension` frequencies (SFMI_FREQUENCY_BLOCK of them
 * in more dimensions than that) that are orthogonal to each other, with independent lengths.
 * Blocks are independent, and each frequency has the law it would have alone.  Other kernels: all
 * frequencies are independent.
 *
 * The phase of a place within the bounds must be computable.  So no frequency reaches more than
 * SFMI_TURNS_MAX turns from the middle of the bounds: one that would is shortened, and one that is
 * no number is zero.  (It takes a Cauchy variable beyond 2^40.) */
#ifndef SFMI_RANDOM_BASIS_H
#define SFMI_RANDOM_BASIS_H

#include "basis.h"

#define SFMI_TURNS_MAX 0x1p45
/* Seeds are below this: every reader of JSON can hold such whole numbers. */
#define SFMI_FREQUENCY_SEEDS ((uint64_t)1 << 53)

/* Most frequencies that are made orthogonal to each other. */
#define SFMI_FREQUENCY_BLOCK SFM_MAX_DIMENSION

/* Frequencies of a stationary kernel in any dimension, in radians per bandwidth. */
typedef struct sfmi_spectral_law {
  sfm_kernel_family kernel;
  size_t dimension;
  size_t count;
  uint64_t seed; /* below SFMI_FREQUENCY_SEEDS */
} sfmi_spectral_law;

/* Hands them to `take` one after the other. */
typedef void sfmi_frequency_callback(void *context, size_t i, const double *radians);
SFM_MUST_CHECK sfm_status sfmi_frequencies_draw(const sfmi_spectral_law *law,
                                                sfmi_frequency_callback *take, void *context,
                                                sfm_error *error);

/* The factor for a frequency that reaches so many turns: 1, less beyond SFMI_TURNS_MAX, and 0 when
 * it is no number. */
double sfmi_frequency_shrink(double reach);

/* Frequencies that lie side by side: that of number i along axis a is
 * turns[(i / SFMI_TURNS_GROUP * dimension + a) * SFMI_TURNS_GROUP + i % SFMI_TURNS_GROUP], and the
 * last group is filled up with zeros. */
#define SFMI_TURNS_GROUP 4

/* Of a completed basis of the family. */
const double *sfmi_random_basis_turns(const sfmi_basis *basis);
double sfmi_random_basis_turn(const sfmi_basis *basis, size_t i, size_t axis);
/* How many frequencies there are: half the functions. */
size_t sfmi_random_basis_frequencies(const sfmi_basis *basis);
/* The most turns from the middle of the bounds to their ends that frequency i takes. */
double sfmi_random_basis_reach(const sfmi_basis *basis, size_t i);
/* How many frequencies of a block depend on each other; the blocks begin with the first frequency.
 */
size_t sfmi_random_basis_block(const sfmi_basis *basis);
/* Where u = 0 is, along an axis. */
double sfmi_random_basis_middle(const sfmi_basis *basis, size_t axis);

/* Its part of sfmi_basis_create: checks what it alone needs; sets constant, derived, at. */
SFM_MUST_CHECK sfm_status sfmi_random_basis_complete(sfmi_basis *basis, sfm_error *error);

#endif
