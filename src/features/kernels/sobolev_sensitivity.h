/* sobolev_sensitivity.h - how far apart two Gaussian functions can be in the Sobolev space H1, and
 * the rates of the kernel for which that is least.  f_x, widths and rates are those of
 * sobolev_norm.h.  Proof: docs/proofs/sobolev.md */
#ifndef SFMI_SOBOLEV_SENSITIVITY_H
#define SFMI_SOBOLEV_SENSITIVITY_H

#include "sobolev_norm.h"

/* A number that |f_x|, |f_y| and |f_x - f_y| never pass, x and y anywhere in a product of
 * intervals: in one dimension within 0.1 % of the least such, in more from the largest norm and the
 * least inner product along each axis.  Takes up to some hundredths of a second an axis. */
double sfmi_sobolev_sensitivity(const sfmi_sobolev_axis *axes, size_t dimension);

/* Sets the rates so that the sensitivity is least, to within a thousandth or so: in one dimension
 * the one there is, in more by going along each axis in turn. */
void sfmi_sobolev_choose_rates(sfmi_sobolev_axis *axes, size_t dimension);

#endif
