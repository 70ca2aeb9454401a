#include "verblunsky.h"

#include <assert.h>
#include <math.h>

#include "base/math/cmplx.h"

/* a b and a conj(b) by their formulas: the language's own product looks for infinities first. */
static inline double complex times(double complex a, double complex b) {
  return CMPLX(creal(a) * creal(b) - cimag(a) * cimag(b),
               creal(a) * cimag(b) + cimag(a) * creal(b));
}

static inline double complex times_conj(double complex a, double complex b) {
  return CMPLX(creal(a) * creal(b) + cimag(a) * cimag(b),
               cimag(a) * creal(b) - creal(a) * cimag(b));
}

/* ---- the recursion ----
 *
 * After k steps a_0 = 1, a_1 .. a_k predict: sum_i a_i c_(j-i) = 0 for j = 1 .. k, and the error of
 * the prediction is E = prod_(j<=k) (1 - |g_j|^2).  Step k:
 *   c_k = -sum_(0<i<k) a_i c_(k-i) + E g,   a_i := a_i - g conj(a_(k-i)),   E := E (1 - |g|^2),
 * where a_k is 0 before the step. */
typedef struct recursion {
  double complex *a; /* a[i - 1] is a_i */
  double E;
} recursion;

/* The centre of the disc in which c_k may lie. */
static double complex centre_of(const recursion *r, const double complex *c, size_t k) {
  double real = 0, imaginary = 0;
  for (size_t i = 1; i < k; i++) {
    double complex term = times(r->a[i - 1], c[k - i - 1]);
    real -= creal(term);
    imaginary -= cimag(term);
  }
  return CMPLX(real, imaginary);
}

static void advance(recursion *r, sfmi_verblunsky p, size_t k) {
  for (size_t i = 1, j = k - 1; i <= j; i++, j--) {
    double complex low = r->a[i - 1], high = r->a[j - 1];
    r->a[i - 1] = low - times_conj(p.g, high);
    if (i < j) r->a[j - 1] = high - times_conj(p.g, low);
  }
  r->a[k - 1] = -p.g;
  r->E *= p.rest;
}

static void append(recursion *r, double complex *c, sfmi_verblunsky p, size_t k) {
  c[k - 1] = centre_of(r, c, k) + r->E * p.g;
  advance(r, p, k);
}

void sfmi_verblunsky_moments(double complex *c, const sfmi_verblunsky *p, double complex *work,
                             size_t m) {
  recursion r = {work, 1};
  for (size_t k = 1; k <= m; k++) append(&r, c, p[k - 1], k);
}

/* ---- uniforms in ---- */

/* 1 - |g|^2 = U^(1/b) when |g|^2 has the law Beta(1, b). */
static sfmi_verblunsky parameter(const double uniforms[2], size_t m, size_t k) {
  const double logarithm = log(uniforms[0]) / (double)(2 * (m - k) + 1);
  const double size = sqrt(-expm1(logarithm)), angle = 2 * M_PI * uniforms[1];
  assert(uniforms[0] > 0 && uniforms[0] < 1);
  return (sfmi_verblunsky){CMPLX(size * cos(angle), size * sin(angle)), exp(logarithm)};
}

void sfmi_verblunsky_parameters(sfmi_verblunsky *p, const double *uniforms, size_t m) {
  for (size_t k = 1; k <= m; k++) p[k - 1] = parameter(uniforms + 2 * (k - 1), m, k);
}

void sfmi_verblunsky_point(double complex *c, const double *uniforms, double complex *work,
                           size_t m) {
  recursion r = {work, 1};
  for (size_t k = 1; k <= m; k++) append(&r, c, parameter(uniforms + 2 * (k - 1), m, k), k);
}

/* ---- the curve ---- */

void sfmi_verblunsky_curve(double complex *c, double x, size_t m) {
  for (size_t k = 1; k <= m; k++) {
    /* The whole turns are taken off first, so that the angle keeps its digits. */
    const double turn = fma((double)k, x, -rint((double)k * x));
    c[k - 1] = CMPLX(cos(2 * M_PI * turn), sin(2 * M_PI * turn));
  }
}
