/* lattice_candidates.h - lattices to choose from: spacings, spline orders, sizes that fit, and the
 * bits of their weights.  All of it follows from the domain and the bandwidth, but for the bits. */
#ifndef SFMI_LATTICE_CANDIDATES_H
#define SFMI_LATTICE_CANDIDATES_H

#include "design_density.h"

/* Spacings, in bandwidths: from SFMI_SPACING_MAX down to SFMI_SPACING_MIN, each the last one
 * divided by SFMI_SPACING_RATIO; and the one used when n is private and nothing is expected.  (0.95
 * would save three percent of the noise; but bands, which are for the worst case, would be half as
 * wide again, and twice as wide in two columns.) */
#define SFMI_SPACING_MAX 0.9
#define SFMI_SPACING_MIN 0.4
#define SFMI_SPACING_RATIO 1.04
#define SFMI_SPACING_BLIND 0.9

/* The usual spline order, by the number of places that one row may reach; the lowest that is tried
 * where it does not fit; and the highest, for narrow bands (density_choice.h), in few columns.
 * Linear splines make a certified band many times as wide, so they are used only with so many
 * columns that no other order fits. */
unsigned sfmi_lattice_candidates_order(size_t dimension);
unsigned sfmi_lattice_candidates_lowest_order(size_t dimension);
unsigned sfmi_lattice_candidates_highest_order(size_t dimension);

/* Lays a lattice, whose dimension and order are set, at a spacing of rho bandwidths.  False: the
 * lattice or its transform would not fit in memory. */
bool sfmi_lattice_candidates_lay(sfmi_lattice *lattice, const sfmi_design_density *design,
                                 const double *bandwidth, double rho);

/* The number of bits of a row's weights, per axis, from public numbers.  scale: of the noise, in
 * records; rows infinite when unknown. */
SFM_MUST_CHECK sfm_status sfmi_lattice_candidates_bits(unsigned *bits,
                                                       const sfmi_design_density *design,
                                                       double epsilon, double scale, double rows,
                                                       sfm_error *error);

/* Says that no lattice fits at the design's bandwidth, and which bandwidth would.  blind: of the
 * spacing and order that are used when nothing is expected. */
sfm_status sfmi_lattice_candidates_too_large(const sfmi_design_density *design, bool blind,
                                             sfm_error *error);

#endif
