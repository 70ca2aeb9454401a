#include "gaussian_torus.h"

#include <math.h>

double sfmi_gaussian_transform(double frequency, double h) {
  const double z = frequency * h;
  return exp(-2 * M_PI * M_PI * z * z);
}

const char *sfmi_gaussian_unfit(double lower, double upper, double h) {
  static const double SMALL = 1e-30, LARGE = 1e30, WIDEST = 10, RESOLUTION = 1e-12;
  const double width = upper - lower, far = fmax(fabs(lower), fabs(upper));
  if (!(width >= SMALL && width <= LARGE)) return "bounds that differ by 1e-30 to 1e30";
  if (!(h >= SMALL && h <= LARGE)) return "a bandwidth from 1e-30 to 1e30";
  if (!(h <= WIDEST * width)) return "a bandwidth at most 10 times as wide as its bounds";
  if (!(h >= RESOLUTION * far)) return "a bandwidth of at least 1e-12 of its larger bound";
  return NULL;
}

double sfmi_torus_need(double lower, double upper, double h) {
  static const double CUT = 1e-16;
  return sqrt(-log(CUT) / 2) / M_PI * ((upper - lower) / h + 2 * SFMI_TORUS_MARGIN);
}

/* |phi(x)|^2, the small ones first. */
static double square_norm(const sfmi_torus *torus) {
  double sum = 0;
  for (size_t j = torus->terms; j > 0; j--) {
    double amplitude = sfmi_torus_amplitude(torus, j);
    sum += 2 * amplitude * amplitude;
  }
  return sum + sqrt(2 * M_PI) * torus->h / torus->period;
}

sfm_status sfmi_torus_init(sfmi_torus *torus, double lower, double upper, double h,
                           sfm_error *error) {
  static const double TERMS_MAX = 1e7;
  *torus = (sfmi_torus){.margin = SFMI_TORUS_MARGIN * h,
                        .period = (upper - lower) + 2 * SFMI_TORUS_MARGIN * h,
                        .h = h};
  double terms = sfmi_torus_need(lower, upper, h);
  if (!(terms < TERMS_MAX))
    return sfmi_fail(error, SFM_INVALID,
                     "the bandwidth %g is too small for bounds %g:%g (it would take %.3g "
                     "frequencies); write a larger settings.bandwidth",
                     h, lower, upper, terms);
  torus->terms = (size_t)terms;
  torus->kappa2 = square_norm(torus);
  return SFM_OK;
}

void sfmi_torus_lay(sfmi_torus *torus, double lower, double upper, double h, bool wraps,
                    size_t terms) {
  const double margin = wraps ? 0 : SFMI_TORUS_MARGIN * h;
  *torus = (sfmi_torus){
      .margin = margin, .period = (upper - lower) + 2 * margin, .h = h, .terms = terms};
  torus->kappa2 = square_norm(torus);
}

double sfmi_torus_lambda(const sfmi_torus *torus, size_t j) {
  return sfmi_gaussian_transform((double)j / torus->period, torus->h);
}

double sfmi_torus_amplitude(const sfmi_torus *torus, size_t j) {
  const double h = torus->h / torus->period;
  return sqrt(sqrt(2 * M_PI) * h * sfmi_gaussian_transform((double)j, h));
}
