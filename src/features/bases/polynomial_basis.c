/* polynomial_basis.c - the bases legendre and hermite, by recurrences that are stable upwards.
 *
 *   k d_k = (k-1) d_(k-1) - (2k-1)(1 - t) P_(k-1),   P_k = P_(k-1) + d_k   (0 <= t <= 1)
 *   psi_k = sqrt(2/k) y psi_(k-1) - sqrt((k-1)/k) psi_(k-2),   psi_0 = pi^-1/4 exp(-y^2/2).
 *
 * The first is that of Legendre's polynomials with their differences, whose errors stay near
 * k roundings at the ends too, where those of P_k and P_(k-1) grow as k^2; P_k(-t) = (-1)^k P_k(t).
 * psi_k grows with k up to its turning point, k = y^2/2. */
#include "polynomial_basis.h"

#include <math.h>
#include <string.h>

/* ---- legendre ---- */

void sfmi_legendre_factors(double *factors, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const double k = (double)(i + 1);
    factors[SFMI_LEGENDRE_FACTORS * i] = (k - 1) / k;
    factors[SFMI_LEGENDRE_FACTORS * i + 1] = (2 * k - 1) / k;
    factors[SFMI_LEGENDRE_FACTORS * i + 2] = sqrt(2 * k + 1);
  }
}

void sfmi_legendre_row(double *row, const double *factors, size_t count, double left, double right,
                       double scale) {
  const double twice = 2 * (left < right ? left : right), odd = left < right ? -scale : scale;
  double p = 1, d = 0;
  for (size_t i = 0; i < count; i++) {
    const double *f = factors + SFMI_LEGENDRE_FACTORS * i;
    d = f[0] * d - f[1] * twice * p;
    p += d;
    row[i] = (i % 2 ? scale : odd) * f[2] * p;
  }
}

static void legendre_at(const sfmi_basis *basis, double *values, const double *points,
                        size_t count) {
  const double lower = basis->lower[0], upper = basis->upper[0], width = upper - lower;
  for (size_t i = 0; i < count; i++)
    sfmi_legendre_row(values + i * basis->count, basis->derived, basis->count,
                      (points[i] - lower) / width, (upper - points[i]) / width, 1 / sqrt(width));
}

/* ---- hermite ---- */

/* Beyond this every psi_k with k <= SFMI_BASIS_MAX is less than the smallest number: their turning
 * points are within 1449. */
static const double FAR = 2048;
static const double LN2 = 0.69314718055994531;
/* The exponent is lowered by so many binades at once, so that neither psi_0 underflows nor what
 * grows from it overflows. */
enum { BINADES = 64 };

static void hermite_factors(double *factors, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const double k = (double)(i + 1);
    factors[2 * i] = sqrt(2 / k);
    factors[2 * i + 1] = sqrt((k - 1) / k);
  }
}

/* psi_k is p times 2^binades.  exp(-y^2/2) is right to about y^2 roundings, as from a rounded y it
 * can only be. */
static void hermite_row(double *row, const double *factors, size_t count, double y, double scale) {
  if (!(fabs(y) <= FAR)) {
    memset(row, 0, count * sizeof *row);
    return;
  }
  int binades = -BINADES * (int)(0.5 * y * y / (BINADES * LN2));
  const double exponent = fma(-binades, LN2, -0.5 * y * y);
  double p = 0.75112554446494248 * scale * exp(exponent), before = 0; /* pi^-1/4 */
  for (size_t i = 0; i < count; i++) {
    row[i] = binades ? ldexp(p, binades) : p;
    const double next = factors[2 * i] * y * p - factors[2 * i + 1] * before;
    before = p;
    p = next;
    if (binades && fabs(p) > ldexp(1, BINADES)) {
      p = ldexp(p, -BINADES);
      before = ldexp(before, -BINADES);
      binades += BINADES;
    }
  }
}

static void hermite_at(const sfmi_basis *basis, double *values, const double *points,
                       size_t count) {
  const double middle = basis->lower[0] / 2 + basis->upper[0] / 2, scale = 1 / sqrt(basis->unit);
  for (size_t i = 0; i < count; i++)
    hermite_row(values + i * basis->count, basis->derived, basis->count,
                (points[i] - middle) / basis->unit, scale);
}

sfm_status sfmi_polynomial_basis_complete(sfmi_basis *basis, sfm_error *error) {
  const bool hermite = basis->family == SFMI_HERMITE;
  if (hermite && !(basis->unit > 0 && isfinite(basis->unit) && isfinite(1 / basis->unit)))
    return sfmi_fail(error, SFM_INVALID,
                     "a basis hermite needs a positive unit, such as a tenth of the bounds' width, "
                     "not %g",
                     basis->unit);
  basis->derived = sfmi_alloc(SFMI_LEGENDRE_FACTORS * basis->count, sizeof(double));
  if (!basis->derived) return sfmi_fail_memory(error);
  (hermite ? hermite_factors : sfmi_legendre_factors)(basis->derived, basis->count);
  basis->constant = hermite ? 0 : 1 / (basis->upper[0] - basis->lower[0]);
  basis->at = hermite ? hermite_at : legendre_at;
  return SFM_OK;
}
