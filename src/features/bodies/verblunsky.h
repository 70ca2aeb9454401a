/* verblunsky.h - the body K_m of trigonometric moments, through its canonical parameters.
 *
 * K_m is the convex hull of the curve Psi(x) = (z, z^2, .., z^m), z = exp(2 pi i x), as a set of
 * vectors c of m complex numbers, D = 2m real ones (Re c_1, Im c_1, Re c_2, ..: the layout of an
 * array of double complex).  By Caratheodory and Toeplitz c is in K_m exactly when the Hermitian
 * Toeplitz matrix I + B(c) is not negative, where B(c) has the first row (0, c_1, .., c_m).
 *
 * The parameters of an inner point are m numbers g_k of the open unit disc:
 *   c_k = (a centre that depends on c_1 .. c_(k-1)) + g_k prod_(j<k) (1 - |g_j|^2),
 * and every choice of them gives an inner point.  Deterministic: whoever draws hands in uniforms.
 * Proof: docs/proofs/caratheodory.md */
#ifndef SFMI_VERBLUNSKY_H
#define SFMI_VERBLUNSKY_H

#include <complex.h>
#include <stddef.h>

typedef struct sfmi_verblunsky {
  double complex g;
  double rest; /* 1 - |g|^2, to full precision where g alone could not tell */
} sfmi_verblunsky;

/* The longest vectors for which the rounding of the recursion has been measured (test_verblunsky).
 */
#define SFMI_VERBLUNSKY_MAX ((size_t)2000)

/* Parameters g_1 .. g_m from 2m uniforms in (0, 1): |g_k|^2 has the law Beta(1, 2(m - k) + 1), its
 * phase is uniform.  These are the parameters of a uniform point of K_m. */
void sfmi_verblunsky_parameters(sfmi_verblunsky *p, const double *uniforms, size_t m);

/* Levinson's recursion, O(m^2): parameters to moments c_1 .. c_m.  work holds m numbers. */
void sfmi_verblunsky_moments(double complex *c, const sfmi_verblunsky *p, double complex *work,
                             size_t m);

/* Both of them: takes the uniform law on the unit cube of dimension 2m to the uniform law on K_m.
 */
void sfmi_verblunsky_point(double complex *c, const double *uniforms, double complex *work,
                           size_t m);

/* Psi(x). */
void sfmi_verblunsky_curve(double complex *c, double x, size_t m);

#endif
