/* whitening.c - rounding.  A product of matrices A B over T terms, in whatever order and with or
 * without fused operations, is within gamma |A|_F |B|_F of the exact one in the Frobenius norm,
 * gamma = (T + 2) 2^-53 (1 + 2^-10).  So with H = U K as computed,
 *   |U K - H| <= gamma |U|_F |K|_F,   |H U' - computed| <= gamma |H|_F |U|_F,
 * and the first is multiplied by |U| <= sqrt(1 + skew).  Sums of squares are summed with a relative
 * error below T^2 2^-53: all norms are taken 1 + 2^-20 times. */
#include "whitening.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linear_algebra.h"
#include "double_double.h"

static const double UNIT = 0x1p-53, ABOVE = 1 + 0x1p-20;

static double gamma_of(size_t terms) {
  return ((double)terms + 2) * UNIT * (1 + 0x1p-10);
}

static double frobenius(const double *matrix, size_t cells) {
  double square = 0;
  for (size_t i = 0; i < cells; i++) square += matrix[i] * matrix[i];
  return sqrt(square) * ABOVE;
}

/* The largest eigenvalue first. */
static void reverse(sfmi_whitening *w) {
  const size_t n = w->count;
  for (size_t i = 0; i < n / 2; i++) {
    double *a = w->vectors + i * n, *b = w->vectors + (n - 1 - i) * n;
    const double value = w->values[i];
    w->values[i] = w->values[n - 1 - i];
    w->values[n - 1 - i] = value;
    for (size_t j = 0; j < n; j++) {
      const double held = a[j];
      a[j] = b[j];
      b[j] = held;
    }
  }
}

/* A vector and its negative are the same direction: the first component that is not much smaller
 * than the largest is positive, so that numbers do not depend on whose LAPACK it is. */
static void orient(double *u, size_t count) {
  double most = 0;
  size_t i = 0;
  for (size_t j = 0; j < count; j++) most = fmax(most, fabs(u[j]));
  while (i + 1 < count && fabs(u[i]) < most / 2) i++;
  const bool turned = u[i] < 0;
  for (size_t j = 0; turned && j < count; j++) u[j] = -u[j];
}

/* The numbers are only looked at after all was computed in place. */
static void measure(sfmi_whitening *w, double *product, double *rest, const double *matrix,
                    double entry) {
  const size_t n = w->count, cells = n * n;
  const double gamma = gamma_of(n), U = frobenius(w->vectors, cells), K = frobenius(matrix, cells);
  const sfmi_block vectors = {w->vectors, n};
  memset(rest, 0, cells * sizeof *rest);
  for (size_t i = 0; i < n; i++) rest[i * n + i] = 1;
  sfmi_block_subtract((sfmi_block){rest, n}, vectors, vectors, n, n, n);
  w->skew = (frobenius(rest, cells) + gamma * (U * U + sqrt((double)n))) * ABOVE;
  sfmi_matrix_multiply(product, w->vectors, matrix, n, n, n);
  memset(rest, 0, cells * sizeof *rest);
  for (size_t i = 0; i < n; i++) rest[i * n + i] = w->values[i];
  const double H = frobenius(product, cells), D = frobenius(w->values, n);
  sfmi_block_subtract((sfmi_block){rest, n}, (sfmi_block){product, n}, vectors, n, n, n);
  const double length = sqrt(1 + w->skew) * ABOVE;
  w->residual = (frobenius(rest, cells) + gamma * (H * U + D) + gamma * U * K * length +
                 (double)n * entry * length * length) *
                ABOVE;
}

static void complete(sfmi_whitening *w, double floor) {
  const size_t n = w->count;
  const double least = w->values[n - 1];
  w->tau = fmax(floor, w->residual);
  if (least + w->tau < w->tau / 2) w->tau = 2 * (w->tau - least);
  for (size_t i = 0; i < n; i++) w->roots[i] = sqrt(w->values[i] + w->tau);
  w->largest = (fmax(w->values[0], 0) + w->residual) / (1 - w->skew) * ABOVE;
}

sfm_status sfmi_whitening_create(sfmi_whitening **out, const double *matrix, size_t count,
                                 double entry, double floor, sfm_error *error) {
  const size_t cells = count * count;
  sfmi_whitening *w = *out = sfmi_alloc(1, sizeof *w);
  if (!w) return sfmi_fail_memory(error);
  double *product = sfmi_alloc(cells, sizeof *product), *rest = sfmi_alloc(cells, sizeof *rest);
  w->count = count;
  w->vectors = sfmi_alloc(cells, sizeof *w->vectors);
  w->values = sfmi_alloc(count, sizeof *w->values);
  w->roots = sfmi_alloc(count, sizeof *w->roots);
  sfm_status status =
      product && rest && w->vectors && w->values && w->roots ? SFM_OK : sfmi_fail_memory(error);
  if (!status) {
    memcpy(w->vectors, matrix, cells * sizeof *matrix);
    status = sfmi_symmetric_eigen(w->vectors, w->values, count, error);
  }
  if (!status) {
    reverse(w);
    for (size_t i = 0; i < count; i++) orient(w->vectors + i * count, count);
    measure(w, product, rest, matrix, entry);
    if (!(w->skew < 0.5) || !isfinite(w->residual))
      status = sfmi_fail(error, SFM_INVALID,
                         "the eigenvectors of a %zu x %zu matrix cannot be computed: its entries "
                         "are too large or too small",
                         count, count);
  }
  if (!status) complete(w, floor);
  free(product);
  free(rest);
  if (status) {
    sfmi_whitening_destroy(w);
    *out = NULL;
  }
  return status;
}

void sfmi_whitening_destroy(sfmi_whitening *w) {
  if (!w) return;
  free(w->vectors);
  free(w->values);
  free(w->roots);
  free(w);
}

void sfmi_whitening_apply(const sfmi_whitening *w, double *c, const double *p, size_t directions) {
  for (size_t i = 0; i < directions; i++) {
    const double *u = w->vectors + i * w->count;
    sfmi_dd sum = {0, 0};
    for (size_t j = 0; j < w->count; j++) sum = sfmi_dd_add(sum, sfmi_dd_two_product(u[j], p[j]));
    c[i] = sum.hi / w->roots[i];
  }
}

/* |diag(1/roots) U x| <= |U| |x|/sqrt(tau') with tau' the least of roots^2; then the sum is rounded
 * once, the root and the quotient once each, and T 2^-100 of |u_i||p| is lost on the way, below
 * another 2^-53. */
double sfmi_whitening_off(const sfmi_whitening *w, size_t directions, double off, double length) {
  const double U = sqrt(1 + w->skew);
  double squares = 0, least = INFINITY;
  for (size_t i = 0; i < directions; i++) {
    squares += 1 / (w->roots[i] * w->roots[i]);
    least = fmin(least, w->roots[i]);
  }
  return U * (sqrt((double)w->count) * off / least + 4 * UNIT * length * sqrt(squares)) * ABOVE;
}
