/* sobolev_sensitivity.h - how far apart two Gaussian functions can be in the Sobolev space H1, and
 * the rates of the kernel for which that is least.  f_x, widths and rates are those of
 * sobolev_norm.h.  Proof: docs/proofs/sobolev.md */
#ifndef SFMI_SOBOLEV_SENSITIVITY_H
#define SFMI_SOBOLEV_SENSITIVITY_H

#include "sobolev_norm.h"

/* An upper bound on |f_x|, |f_y| and |f_x - f_y|, x and y anywhere in a product of intervals.  In
 * one dimension it is within 0.1 % of the least upper bound; in more it follows from the largest
 * norm and the least inner product along each axis.  Takes up to some hundredths of a second per
 * axis. */
double sfmi_sobolev_sensitivity(const sfmi_sobolev_axis *axes, size_t dimension);

/* Sets the rates so that the sensitivity is least, to within a thousandth or so.  In more than one
 * dimension it goes along each axis in turn. */
void sfmi_sobolev_choose_rates(sfmi_sobolev_axis *axes, size_t dimension);

#endif
