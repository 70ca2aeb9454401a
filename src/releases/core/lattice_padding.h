/* lattice_padding.h - how long the ring is on which a lattice axis is transformed. */
#ifndef SFMI_LATTICE_PADDING_H
#define SFMI_LATTICE_PADDING_H

#include "estimators/lattice/lattice.h"

/* The points N of the ring, for an axis and a bandwidth (releases/eval/trig_polynomial.h), and how
 * many modes so many points make. */
size_t sfmi_lattice_padded(const sfmi_lattice_axis *axis, double h);
size_t sfmi_lattice_modes(size_t padded);

#endif
