/* wave.h - every density release is a trigonometric polynomial on a torus; this is it.
 *
 *   f(x) = sum over j in prod_a {-m_a..m_a} of c_j prod_a exp(2 pi i j_a u_a),
 *   u_a = (x_a - lower_a + margin_a)/period_a
 *
 * c is stored in the transform's order (0..m, -m..-1) on each axis, last axis fastest, and belongs
 * to a real function: c_{-j} = conj(c_j).
 *
 * lattice: masses H_k at lower - margin + k s, zero-padded to P points a axis (P odd, P s >= the
 * lattice and 9 bandwidths), c_j = (1/P s) DFT(H)_j  gaussian(j/Ps) / sinc(j/P)^order. gp: c from
 * the real features by the change of basis, over (2 pi h^2)^(1/2) a axis. */
#ifndef SFMI_WAVE_H
#define SFMI_WAVE_H

#include "base/fft.h"
#include "releases/contents.h"

typedef struct sfmi_wave {
  size_t dimension;
  size_t modes[SFM_MAX_DIMENSION]; /* 2 m + 1 */
  size_t length;
  double lower[SFM_MAX_DIMENSION], margin[SFM_MAX_DIMENSION], period[SFM_MAX_DIMENSION];
  double complex *c;       /* points into fft (lattice) or owned (gp) */
  double complex *scratch; /* gp: one line of features */
  sfmi_fft *fft;
  double *transfer[SFM_MAX_DIMENSION]; /* modes numbers an axis */
  const sfm_release *release;          /* borrowed: its geometry */
} sfmi_wave;

/* Points an axis after padding, for a lattice axis and bandwidth. */
size_t sfmi_wave_padded(const sfmi_lattice_axis *axis, double h);

/* A wave for the release's geometry, with c = 0.  Refuses a padded size beyond SFMI_PADDED_MAX. */
SFM_MUST_CHECK sfm_status sfmi_wave_create(sfmi_wave **out, const sfm_release *release,
                                           sfm_error *error);
void sfmi_wave_destroy(sfmi_wave *wave);
/* Sets c from coefficients (release->length of them, in the unit of one record), times factor. */
void sfmi_wave_load(sfmi_wave *wave, const double *coefficients, double factor);

/* f at one point, by the sum itself. */
double sfmi_wave_at(const sfmi_wave *wave, const double *x);
/* f on the product of points[a] (counts[a] each), last axis fastest. */
SFM_MUST_CHECK sfm_status sfmi_wave_grid(const sfmi_wave *wave, double *values,
                                         double *const *points, const size_t *counts,
                                         sfm_error *error);
/* Copies c into the buffer of a larger transform (shape[a] >= modes[a]) and zeros the rest, so that
 * its backward transform samples f at lower - margin + k period/shape.  weights[a], if not NULL,
 * multiplies mode j of axis a. */
void sfmi_wave_pad(const sfmi_wave *wave, sfmi_fft *fft, const size_t *shape,
                   double *const *weights);

#endif
