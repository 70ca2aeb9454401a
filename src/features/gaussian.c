#include "features/gaussian.h"

#include <math.h>

double sfmi_gaussian_transform(double frequency, double h) {
  const double z = frequency * h;
  return exp(-2 * M_PI * M_PI * z * z);
}

sfm_status sfmi_torus_init(sfmi_torus *torus, double lower, double upper, double h,
                           sfm_error *error) {
  static const double CUT = 1e-16, TERMS_MAX = 1e7;
  *torus = (sfmi_torus){.margin = SFMI_TORUS_MARGIN * h,
                        .period = (upper - lower) + 2 * SFMI_TORUS_MARGIN * h,
                        .h = h};
  double terms = sqrt(-log(CUT) / 2) / M_PI * torus->period / h;
  if (!(terms < TERMS_MAX))
    return sfmi_fail(error, SFM_INVALID,
                     "the bandwidth %g is too small for bounds %g:%g (it would take %.3g "
                     "frequencies); write a larger --bandwidth",
                     h, lower, upper, terms);
  torus->terms = (size_t)terms;
  torus->kappa2 = 0;
  for (size_t j = torus->terms; j > 0; j--) {
    double amplitude = sfmi_torus_amplitude(torus, j);
    torus->kappa2 += 2 * amplitude * amplitude;
  }
  torus->kappa2 += sqrt(2 * M_PI) * h / torus->period;
  return SFM_OK;
}

double sfmi_torus_amplitude(const sfmi_torus *torus, size_t j) {
  const double h = torus->h / torus->period;
  return sqrt(sqrt(2 * M_PI) * h * sfmi_gaussian_transform((double)j, h));
}
