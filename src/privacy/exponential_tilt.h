/* exponential_tilt.h - the moment function M(z) = E e^(zY) of one law, on the line z = lambda + i
 * theta.
 *
 * Tilted by lambda, the law's masses are multiplied by e^(lambda y) and divided by M(lambda).  Its
 * characteristic function f(theta) = M(lambda + i theta)/M(lambda) has |f| <= 1 and is what the
 * inversion multiplies.  With phi = theta eps, plus and minus the tilted masses at eps and -eps,
 * even = plus + minus, odd = plus - minus, zero the mass at 0:
 *   points   f = zero + even cos phi + i odd sin phi
 *   Laplace  f = even cos phi + i odd sin phi + (odd cos phi + i even sin phi)/(2z + 1)
 * A lattice normal is a ratio of theta functions; with lambda = whole + shift, |shift| <= 1/2,
 * omega = theta/sigma^2, and the factor e^(i theta centre) left to the caller,
 *   f = sum_y e^(-(y + shift)^2/(2 sigma^2) - i omega y) / (the same at omega = 0)
 *     = sum_n e^(-sigma^2 (omega + 2 pi n)^2/2 + i (omega + 2 pi n) shift) / (the same),
 * where centre = (1 + 2 whole)/(2 sigma^2).  (docs/proofs/composition.md, sections 2 and 5.) */
#ifndef SFMI_EXPONENTIAL_TILT_H
#define SFMI_EXPONENTIAL_TILT_H

#include "phase_factor.h"
#include "privacy_loss.h"

typedef struct sfmi_tilt {
  sfmi_loss_shape shape;
  double lambda, parameter;
  uint64_t count;
  long double even, odd, zero; /* points and Laplace */
  long double minus;           /* (even - odd)/2 without cancellation */
  double shift;                /* lattice normal, as the rest */
  long double norm;
  sfmi_dd centre, spacing;
} sfmi_tilt;

void sfmi_tilt_init(sfmi_tilt *tilt, const sfmi_loss_law *law, double lambda);

/* ln M(lambda) of one release, less lambda eps unless it is a lattice normal; lambda > -1, not
 * -1/2.  *size grows by the sum of the parts it was added from: the error is below 8 LDBL_EPSILON
 * times that. */
long double sfmi_loss_law_log_moment(const sfmi_loss_law *law, double lambda, long double *size);

/* ln E e^(lambda (S - top)) for lambda > -1, other than -1/2, after smoothing S by a normal loss of
 * this variance; *off grows by what it is known to. */
long double sfmi_total_loss_log_moment(const sfmi_total_loss *total, double lambda,
                                       double smoothing, long double *off);

/* The same of one law in doubles, for searching: value, and how far the tilted mean is below eps
 * (below 0 for a lattice normal), and the tilted variance. */
typedef struct sfmi_cumulants {
  double log_moment, gap, variance;
} sfmi_cumulants;
sfmi_cumulants sfmi_loss_law_cumulants(const sfmi_loss_law *law, double lambda);

/* The tilted masses of a lattice normal at y = -reach .. reach, where the loss is
 * centre - y spacing. */
void sfmi_tilt_lattice_masses(double *masses, const sfmi_tilt *tilt, int reach);

/* An upper bound of ln |f| over from <= theta <= to (to may be infinite). */
double sfmi_tilt_log_bound(const sfmi_tilt *tilt, double from, double to);

/* (re + i im)[t] *= f^count at the nodes first + t of one block.  turns are those of the law, from
 * sfmi_phase_factors_init with rate eps; atoms: of Laplace only the atoms. */
void sfmi_tilt_multiply(double *re, double *im, const sfmi_tilt *tilt,
                        const sfmi_phase_factors *turns, double step, double first, bool atoms);
/* What that adds at most to the absolute error of a product of factors (docs/proofs/composition.md,
 * section 5), but for angles: those are right to 2^-100 of themselves. */
double sfmi_tilt_error(const sfmi_tilt *tilt);
/* About how many multiplications it takes at one node. */
double sfmi_tilt_work(const sfmi_tilt *tilt);

#endif
