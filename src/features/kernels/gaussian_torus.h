/* gaussian_torus.h - the Gaussian kernel exp(-(x-y)^2/2h^2) in one dimension: its transform, and
 * its features on a torus (docs/proofs/gp.md).
 *
 * The domain [lower, upper] is laid into a torus of length period = width + 16 h with a margin of
 * margin = 8 h on each side; u = ((x - lower) + margin)/period: measured from the bound, so that
 * bounds far from zero lose nothing.  With h' = h/period,
 *   lambda_j = exp(-2 pi^2 j^2 h'^2),  amplitude_j = sqrt(sqrt(2 pi) h' lambda_j),
 *   phi_0 = amplitude_0,  phi_{2j-1} = amplitude_j sqrt2 cos(2 pi j u),  phi_{2j} = ... sin,
 * j <= m, the last with lambda_m >= 1e-16.  Then <phi(x), phi(y)> = exp(-(x-y)^2/2h^2) to 1e-14 on
 * the domain, and |phi(x)|^2 = kappa2 for every x.
 *
 * Where the bounds reflect, the torus is the domain and its mirror image: period = 2 width, no
 * margin.  Even functions have no sines:
 *   amplitude_j = sqrt(lambda_j / sum over all frequencies of lambda),
 *   phi_0 = amplitude_0,  phi_j = amplitude_j sqrt2 cos(2 pi j u),
 * so that <phi(x), phi(y)> = K_r(x,y)/K_r(lower,lower) to 1e-14, K_r the kernel with all its
 * images, which is largest at a bound: |phi(x)|^2 <= kappa2, reached at both bounds. */
#ifndef SFMI_GAUSSIAN_TORUS_H
#define SFMI_GAUSSIAN_TORUS_H

#include <stdbool.h>

#include "base/system/status.h"

/* Fourier transform of the normalised Gaussian density of standard deviation h: exp(-2 pi^2 f^2
 * h^2). */
double sfmi_gaussian_transform(double frequency, double h);

typedef struct sfmi_torus {
  double margin, period, h; /* in the unit of the column */
  size_t terms;             /* m: frequencies -m..m */
  double kappa2;            /* largest |phi(x)|^2 */
  double unit; /* <phi(x), phi(y)>/unit is the kernel of integral one: sqrt(2 pi) h if open */
  bool reflects;
} sfmi_torus;

#define SFMI_TORUS_MARGIN 8.0

/* What bounds and bandwidth would have to be, or NULL when they are fine.  With others doubles
 * could not tell places apart, or would overflow.  Fine are: lower < upper finite, their difference
 * and h from 1e-30 to 1e30, h at most 10 times the difference and at least 1e-12 of the larger
 * bound. */
const char *sfmi_gaussian_unfit(double lower, double upper, double h);

/* How many frequencies a column needs, before rounding down; and one whose bounds reflect. */
double sfmi_torus_need(double lower, double upper, double h);
double sfmi_torus_need_reflecting(double lower, double upper, double h);

/* The torus for a column; fails only when h is so small that the number of terms overflows. */
SFM_MUST_CHECK sfm_status sfmi_torus_init(sfmi_torus *torus, double lower, double upper, double h,
                                          sfm_error *error);
/* The same for a column whose bounds reflect. */
SFM_MUST_CHECK sfm_status sfmi_torus_init_reflecting(sfmi_torus *torus, double lower, double upper,
                                                     double h, sfm_error *error);
/* The same for a stated number of frequencies.  Where the column wraps there is no margin: period =
 * width. */
void sfmi_torus_lay(sfmi_torus *torus, double lower, double upper, double h, bool wraps,
                    size_t terms);
/* lambda_j. */
double sfmi_torus_lambda(const sfmi_torus *torus, size_t j);
/* As above. */
double sfmi_torus_amplitude(const sfmi_torus *torus, size_t j);
/* How many features there are: 2 m + 1, and m + 1 where the bounds reflect. */
size_t sfmi_torus_size(const sfmi_torus *torus);
/* The integral of phi_0/unit over the torus, and where the bounds reflect over the domain; the
 * other features integrate to zero. */
double sfmi_torus_mass(const sfmi_torus *torus);
/* The least <phi(x), phi(y)> of two places whose bounds reflect, less 1e-13: that of one bound and
 * the other.  Where they do not it is taken to be 0. */
double sfmi_torus_least(const sfmi_torus *torus);

#endif
