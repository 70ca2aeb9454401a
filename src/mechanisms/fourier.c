#include "mechanisms/fourier.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A step g moves the sums by at most g/2 a coefficient on each side: together this part of the
 * sensitivity. */
static const double STEP_SHARE = 1.0 / 4096;

/* One unit of the transform is 2^-fine of a row. */
static int fine_bits(const sfmi_spectrum *spectrum) {
  return (int)(spectrum->dimension * (spectrum->lattice.bits + spectrum->precision));
}

sfm_status sfmi_fourier_hardening(sfmi_hardening *out, const sfmi_design *design, double epsilon,
                                  sfm_error *error) {
  const int fine = fine_bits(&design->spectrum);
  const double noisy = (double)design->spectrum.length - 1;
  *out = (sfmi_hardening){.step = ldexp(1, -fine), .sensitivity = design->movement};
  if (design->method == SFM_DENSITY_CARATHEODORY) return SFM_OK;
  int coarse = (int)ceil(log2(noisy / (STEP_SHARE * design->movement)));
  if (coarse < 0) coarse = 0;
  if (coarse < fine) {
    out->step = ldexp(1, -coarse);
    out->sensitivity += out->step * noisy;
  }
  return sfmi_harden_laplace(&out->law, out->sensitivity / out->step, epsilon, error);
}

sfmi_i128 sfmi_fourier_constant(const sfmi_design *design, const sfmi_hardening *hardening) {
  return (sfmi_i128)design->rows << -ilogb(hardening->step);
}

sfm_status sfmi_fourier_outline(sfm_release *release, const sfmi_design *design,
                                const sfmi_hardening *hardening, double epsilon, sfm_error *error) {
  const bool laplace = design->method == SFM_DENSITY_FOURIER_LAPLACE;
  release->method = laplace ? SFMI_FOURIER_LAPLACE : SFMI_CARATHEODORY;
  release->hardened = laplace;
  release->body = design->body;
  release->sensitivity = hardening->sensitivity;
  release->step = laplace ? hardening->step : 0;
  release->scale = laplace ? sfmi_noise_scale(&hardening->law) * hardening->step
                           : hardening->sensitivity / epsilon;
  release->guarantee = (sfm_guarantee){.kind = SFM_PURE, .epsilon = epsilon};
  release->length = design->spectrum.length;
  for (size_t a = 0; a < design->dimension; a++) {
    release->torus[a] = design->spectrum.torus[a];
    release->boundary[a] = release->torus[a].margin > 0 ? SFM_OPEN : SFM_PERIODIC;
  }
  release->law =
      sfmi_copy_string(laplace ? sfm_noise_law_name(hardening->law.law) : SFMI_LAW_KNORM);
  if (laplace)
    release->integers = sfmi_alloc(release->length, sizeof *release->integers);
  else
    release->reals = sfmi_alloc(release->length, sizeof *release->reals);
  const bool good = release->law && (release->integers || release->reals);
  return good ? SFM_OK : sfmi_fail_memory(error);
}

sfm_status sfmi_fourier_idealise(sfm_release *release, sfmi_knorm *knorm, const sfmi_i128 *values,
                                 double step, sfmi_knorm_listener listener, sfm_error *error) {
  const size_t m = release->torus[0].terms;
  double complex *c = sfmi_alloc(m, sizeof *c);
  if (!c) return sfmi_fail_memory(error);
  /* The moments: without the features' sqrt2. */
  for (size_t k = 1; k <= m; k++)
    c[k - 1] = CMPLX((double)values[2 * k - 1] * step * M_SQRT1_2,
                     (double)values[2 * k] * step * M_SQRT1_2);
  sfm_status status = sfmi_knorm_add(knorm, c, c, release->scale, listener, error);
  if (status == SFM_OK) {
    release->reals[0] = (double)release->rows;
    for (size_t k = 1; k <= m; k++) {
      release->reals[2 * k - 1] = M_SQRT2 * creal(c[k - 1]);
      release->reals[2 * k] = M_SQRT2 * cimag(c[k - 1]);
    }
  }
  explicit_bzero(c, m * sizeof *c);
  free(c);
  return status;
}
