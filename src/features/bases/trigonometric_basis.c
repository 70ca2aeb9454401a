/* trigonometric_basis.c - the bases fourier and cosine.
 *
 * cos and sin of 2 pi k v, v = u (fourier) or u/2 (cosine), for k = 1, 2, ...: in strides of 16,
 *   exp(2 pi i (a + r) v) = exp(2 pi i a v) exp(2 pi i r v),   a = 0, 16, 32, ...,   r = 1 .. 16.
 * The first factor comes from its angle, of which whole turns are taken away exactly; the second
 * from repeated multiplication, once per point.  So errors do not grow with k: every value is right
 * to 1e-14 of the basis' largest, as a function of the rounded u. */
#include "trigonometric_basis.h"

#include <math.h>

#include "base/math/double_double.h"

enum { STRIDE = 16 };

/* exp(2 pi i (a + r) v) in [r], for one a. */
typedef struct stride {
  double cosine[STRIDE + 1], sine[STRIDE + 1];
} stride;

/* exp(2 pi i a v). */
static void anchor(double *cosine, double *sine, size_t a, double v) {
  const sfmi_dd turns = sfmi_dd_two_product((double)a, v);
  sincos(2 * M_PI * (turns.hi - rint(turns.hi) + turns.lo), sine, cosine);
}

/* a = 0. */
static void first_stride(stride *first, double v) {
  double c, s;
  anchor(&c, &s, 1, v);
  first->cosine[0] = 1;
  first->sine[0] = 0;
  for (size_t r = 1; r <= STRIDE; r++) {
    first->cosine[r] = first->cosine[r - 1] * c - first->sine[r - 1] * s;
    first->sine[r] = first->sine[r - 1] * c + first->cosine[r - 1] * s;
  }
}

static void stride_at(stride *out, const stride *first, size_t a, double v) {
  double c, s;
  anchor(&c, &s, a, v);
  for (size_t r = 0; r <= STRIDE; r++) {
    out->cosine[r] = first->cosine[r] * c - first->sine[r] * s;
    out->sine[r] = first->sine[r] * c + first->cosine[r] * s;
  }
}

/* cos 1, sin 1, cos 2, sin 2, ... */
static void fourier_row(double *row, size_t count, double u, double scale) {
  stride first, here;
  first_stride(&first, u);
  for (size_t j = 0; j < count; j += 2 * STRIDE) {
    stride_at(&here, &first, j / 2, u);
    for (size_t r = 0; r < 2 * STRIDE && j + r < count; r++)
      row[j + r] = scale * (r % 2 ? here.sine : here.cosine)[r / 2 + 1];
  }
}

static void cosine_row(double *row, size_t count, double u, double scale) {
  stride first, here;
  first_stride(&first, u / 2);
  for (size_t j = 0; j < count; j += STRIDE) {
    stride_at(&here, &first, j, u / 2);
    for (size_t r = 0; r < STRIDE && j + r < count; r++) row[j + r] = scale * here.cosine[r + 1];
  }
}

static void trigonometric_at(const sfmi_basis *basis, double *values, const double *points,
                             size_t count) {
  const double width = basis->upper[0] - basis->lower[0], scale = sqrt(2 / width);
  void (*row)(double *, size_t, double, double) =
      basis->family == SFMI_FOURIER ? fourier_row : cosine_row;
  for (size_t i = 0; i < count; i++)
    row(values + i * basis->count, basis->count, (points[i] - basis->lower[0]) / width, scale);
}

sfm_status sfmi_trigonometric_basis_complete(sfmi_basis *basis, sfm_error *error) {
  (void)error;
  basis->constant = 1 / (basis->upper[0] - basis->lower[0]);
  basis->at = trigonometric_at;
  return SFM_OK;
}
