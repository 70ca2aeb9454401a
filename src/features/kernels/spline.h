/* spline.h - B-spline weights that spread a point over its lattice neighbours, and what spreading
 * does to a spectrum.
 *
 * A point at x between lattice points k and k+1 (spacing s, t = (x - x_k)/s in [0,1]) has `order`
 * neighbours with weights w_j(t) >= 0 summing to one.  Spreading multiplies the component of
 * frequency f by sinc(f s)^order and adds aliases at f + l/s, l != 0. */
#ifndef SFMI_SPLINE_H
#define SFMI_SPLINE_H

#include "base/system/status.h"

#define SFMI_SPLINE_MIN 2
#define SFMI_SPLINE_MAX 6

/* Integer weights of `order` neighbours for many points at once: weights[j][i] for t[i] in [0,1].
 * Non-negative, summing to exactly 2^bits over j, each within (order - 1)/2 + 2^-20 of
 * 2^bits w_j(t).  Each is a function of its own t alone (the loops vectorise without changing a
 * bit: no contraction, no reassociation).  order 2..6, bits 4..30, count <= SFMI_SPLINE_BLOCK. */
#define SFMI_SPLINE_BLOCK 256
void sfmi_spline_weights(int32_t (*weights)[SFMI_SPLINE_BLOCK], unsigned order, unsigned bits,
                         const double *t, size_t count);

/* The real weights w_j(t), and the neighbour that takes in integers what the rounded ones leave of
 * 2^bits. */
void sfmi_spline_real_weights(double *weights, unsigned order, double t);
unsigned sfmi_spline_rest(unsigned order);

/* For u = f s with |u| < 1: an upper bound, within 1e-3 of itself, on the aliases relative to the
 * component itself, that is on the sum over l != 0 of |sinc(u+l)/sinc(u)|^(order*power). */
double sfmi_spline_alias(unsigned order, double u, unsigned power);

#endif
