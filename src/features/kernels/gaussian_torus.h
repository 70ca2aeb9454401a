/* gaussian_torus.h - the Gaussian kernel exp(-(x-y)^2/2h^2) in one dimension: its transform, and
 * its features on a torus (docs/proofs/gp.md).
 *
 * The domain [lower, upper] is laid into a torus of length period = width + 16 h with a margin of
 * margin = 8 h on each side; u = ((x - lower) + margin)/period: measured from the bound, so that
 * bounds far from zero lose nothing.  With h' = h/period,
 *   lambda_j = exp(-2 pi^2 j^2 h'^2),  amplitude_j = sqrt(sqrt(2 pi) h' lambda_j),
 *   phi_0 = amplitude_0,  phi_{2j-1} = amplitude_j sqrt2 cos(2 pi j u),  phi_{2j} = ... sin,
 * j <= m, the last with lambda_m >= 1e-16.  Then <phi(x), phi(y)> = exp(-(x-y)^2/2h^2) to 1e-14 on
 * the domain, and |phi(x)|^2 = kappa2 for every x. */
#ifndef SFMI_GAUSSIAN_TORUS_H
#define SFMI_GAUSSIAN_TORUS_H

#include <stdbool.h>

#include "base/system/status.h"

/* Fourier transform of the normalised Gaussian density of standard deviation h: exp(-2 pi^2 f^2
 * h^2). */
double sfmi_gaussian_transform(double frequency, double h);

typedef struct sfmi_torus {
  double margin, period, h; /* in the unit of the column */
  size_t terms;             /* m: frequencies -m..m, 2m+1 features */
  double kappa2;            /* |phi(x)|^2 */
} sfmi_torus;

#define SFMI_TORUS_MARGIN 8.0

/* What bounds and bandwidth would have to be, or NULL when they are fine.  With others doubles
 * could not tell places apart, or would overflow.  Fine are: lower < upper finite, their difference
 * and h from 1e-30 to 1e30, h at most 10 times the difference and at least 1e-12 of the larger
 * bound. */
const char *sfmi_gaussian_unfit(double lower, double upper, double h);

/* How many frequencies a column needs, before rounding down. */
double sfmi_torus_need(double lower, double upper, double h);

/* The torus for a column; fails only when h is so small that the number of terms overflows. */
SFM_MUST_CHECK sfm_status sfmi_torus_init(sfmi_torus *torus, double lower, double upper, double h,
                                          sfm_error *error);
/* The same for a stated number of frequencies.  Where the column wraps there is no margin: period =
 * width. */
void sfmi_torus_lay(sfmi_torus *torus, double lower, double upper, double h, bool wraps,
                    size_t terms);
/* lambda_j. */
double sfmi_torus_lambda(const sfmi_torus *torus, size_t j);
/* sqrt(sqrt(2 pi) h' lambda_j). */
double sfmi_torus_amplitude(const sfmi_torus *torus, size_t j);

#endif
