/* lattice_sensitivity.h - the l2 sensitivity of a lattice: how large the sum of squares of one
 * row's masses can be.
 *
 * A row's masses are products over the axes of w_n / 2^bits, where w_n are the integers of `order`
 * neighbours, those that fall on the same place of the lattice added up.  The sum of the squares of
 * the masses is the product over the axes of the sum of (w_n / 2^bits)^2.  The supremum of this sum
 * over all places of a row is the energy of the axis: 1 where a row can have all its mass on one
 * place, less where it must spread.
 *
 * Masses are not negative, so replacing one row by another, or by nothing, moves the lattice by at
 * most sqrt(2 prod energy) in l2, and adding or removing one by sqrt(prod energy)
 * (docs/proofs/lattice.md). */
#ifndef SFMI_LATTICE_SENSITIVITY_H
#define SFMI_LATTICE_SENSITIVITY_H

#include "lattice.h"

/* The energy of axis a: an upper bound, at most 1, for every t in [0, 1] at which floating point
 * may place a row.  The supremum is sampled, with slack for what lies between samples and for the
 * integers' rounding. */
double sfmi_lattice_energy_axis(const sfmi_lattice *lattice, size_t a);
/* The product over the axes. */
double sfmi_lattice_energy(const sfmi_lattice *lattice);

#endif
