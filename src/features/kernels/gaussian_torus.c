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

/* Frequencies on a ring of so many bandwidths. */
static double need(double bandwidths) {
  static const double CUT = 1e-16;
  return sqrt(-log(CUT) / 2) / M_PI * bandwidths;
}

double sfmi_torus_need(double lower, double upper, double h) {
  return need((upper - lower) / h + 2 * SFMI_TORUS_MARGIN);
}

double sfmi_torus_need_reflecting(double lower, double upper, double h) {
  return need(2 * ((upper - lower) / h));
}

/* Of all features but the first |phi(x)|^2, at its largest; the small ones first. */
static double pair_norm(const sfmi_torus *torus) {
  double sum = 0;
  for (size_t j = torus->terms; j > 0; j--) {
    double amplitude = sfmi_torus_amplitude(torus, j);
    sum += 2 * amplitude * amplitude;
  }
  return sum;
}

static sfm_status check_terms(double terms, double lower, double upper, double h,
                              sfm_error *error) {
  static const double TERMS_MAX = 1e7;
  if (terms < TERMS_MAX) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID,
                   "the bandwidth %g is too small for bounds %g:%g (it would take %.3g "
                   "frequencies); write a larger settings.bandwidth",
                   h, lower, upper, terms);
}

sfm_status sfmi_torus_init(sfmi_torus *torus, double lower, double upper, double h,
                           sfm_error *error) {
  const double terms = sfmi_torus_need(lower, upper, h);
  *torus = (sfmi_torus){0};
  const sfm_status status = check_terms(terms, lower, upper, h, error);
  if (!status) sfmi_torus_lay(torus, lower, upper, h, false, (size_t)terms);
  return status;
}

/* The sum of all lambda, the small ones first: those beyond m add less than 1e-15 of it. */
static double sum_lambda(const sfmi_torus *torus) {
  double sum = 0;
  for (size_t j = torus->terms; j > 0; j--) sum += 2 * sfmi_torus_lambda(torus, j);
  return sum + 1;
}

sfm_status sfmi_torus_init_reflecting(sfmi_torus *torus, double lower, double upper, double h,
                                      sfm_error *error) {
  const double terms = sfmi_torus_need_reflecting(lower, upper, h), width = upper - lower;
  *torus = (sfmi_torus){0};
  const sfm_status status = check_terms(terms, lower, upper, h, error);
  if (status) return status;
  *torus = (sfmi_torus){.period = 2 * width, .h = h, .terms = (size_t)terms, .reflects = true};
  torus->unit = width / sum_lambda(torus);
  const double first = sfmi_torus_amplitude(torus, 0);
  torus->kappa2 = pair_norm(torus) + first * first;
  return SFM_OK;
}

void sfmi_torus_lay(sfmi_torus *torus, double lower, double upper, double h, bool wraps,
                    size_t terms) {
  const double margin = wraps ? 0 : SFMI_TORUS_MARGIN * h;
  *torus = (sfmi_torus){
      .margin = margin, .period = (upper - lower) + 2 * margin, .h = h, .terms = terms};
  torus->unit = sqrt(2 * M_PI) * h;
  torus->kappa2 = pair_norm(torus) + sqrt(2 * M_PI) * torus->h / torus->period;
}

double sfmi_torus_lambda(const sfmi_torus *torus, size_t j) {
  return sfmi_gaussian_transform((double)j / torus->period, torus->h);
}

double sfmi_torus_amplitude(const sfmi_torus *torus, size_t j) {
  const double h = torus->h / torus->period;
  if (torus->reflects) return sqrt(2 * torus->unit / torus->period * sfmi_torus_lambda(torus, j));
  return sqrt(sqrt(2 * M_PI) * h * sfmi_gaussian_transform((double)j, h));
}

size_t sfmi_torus_size(const sfmi_torus *torus) {
  return torus->reflects ? torus->terms + 1 : 2 * torus->terms + 1;
}

double sfmi_torus_mass(const sfmi_torus *torus) {
  const double length = torus->reflects ? 0.5 * torus->period : torus->period;
  return sfmi_torus_amplitude(torus, 0) * length / torus->unit;
}

double sfmi_torus_least(const sfmi_torus *torus) {
  static const double SLACK = 1e-13;
  if (!torus->reflects) return 0;
  double sum = 0;
  for (size_t j = torus->terms; j > 0; j--) {
    const double amplitude = sfmi_torus_amplitude(torus, j);
    sum += (j % 2 ? -2 : 2) * amplitude * amplitude;
  }
  const double first = sfmi_torus_amplitude(torus, 0);
  return fmax(sum + first * first - SLACK, 0);
}
