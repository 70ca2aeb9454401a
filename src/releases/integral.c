#include "releases/integral.h"

#include <math.h>
#include <stdlib.h>

#include "estimators/spectrum.h"

bool sfmi_integral_suits(const sfm_release *release) {
  const bool spectral = release->method == SFMI_GP && release->engine == SFM_ENGINE_SPECTRAL;
  return release->density && !release->refined.done &&
         (release->method == SFMI_LATTICE || spectral);
}

/* Where rows were spread: a gp release does not record it, but it follows from the domain, the
 * bandwidths and the number of columns. */
static sfm_status find_spread(sfmi_integral *integral, sfm_error *error) {
  const sfm_release *release = integral->release;
  integral->spread = release->lattice;
  if (release->method == SFMI_LATTICE) return SFM_OK;
  sfmi_spectrum *spectrum = sfmi_alloc(1, sizeof *spectrum);
  sfm_status status = spectrum ? sfmi_spectrum_init(spectrum, release->lower, release->upper,
                                                    release->bandwidth, release->dimension, error)
                               : sfmi_fail_memory(error);
  if (status == SFM_OK) {
    integral->spread = spectrum->lattice;
    integral->spread.bits = sfmi_spectrum_bits(release->dimension + release->dropped);
  }
  free(spectrum);
  return status;
}

sfm_status sfmi_integral_init(sfmi_integral *integral, const sfm_release *release,
                              sfm_error *error) {
  *integral = (sfmi_integral){.release = release};
  sfm_status status = sfmi_wave_create(&integral->wave, release, error);
  return status == SFM_OK ? find_spread(integral, error) : status;
}

void sfmi_integral_clear(sfmi_integral *integral) {
  sfmi_wave_destroy(integral->wave);
  *integral = (sfmi_integral){0};
}

size_t sfmi_integral_size(const sfmi_integral *integral, size_t a) {
  return integral->wave->fft ? integral->release->lattice.axis[a].points : integral->wave->modes[a];
}

/* exp(i omega z) for z measured from the lower bound. */
static double complex turn(double omega, double z) {
  return cexp(I * fmod(omega * z, 2 * M_PI));
}

/* The integral of side against exp(i omega (x - lower)), width being that of the bounds. */
static double complex side_integral(sfmi_side side, double omega, double lower, double width) {
  const double from = side.from - lower, length = side.to - side.from;
  switch (side.kind) {
  case SFMI_SIDE_POINT:
    return turn(omega, from);
  case SFMI_SIDE_ALL:
    return 0;
  case SFMI_SIDE_RAMP:
    return turn(omega, width) / (I * omega) + (turn(omega, width) - 1) / (width * omega * omega);
  case SFMI_SIDE_INTERVAL:
    break;
  }
  return turn(omega, from + 0.5 * length) * 2 * sin(0.5 * omega * length) / omega;
}

/* Everything once: on a ring that holds mirror images too, half of it. */
static double mean_integral(sfmi_side side, double width, double period, bool reflects) {
  switch (side.kind) {
  case SFMI_SIDE_POINT:
    return 1;
  case SFMI_SIDE_ALL:
    return reflects ? 0.5 * period : period;
  case SFMI_SIDE_RAMP:
    return 0.5 * width;
  case SFMI_SIDE_INTERVAL:
    break;
  }
  return side.to - side.from;
}

/* I_j for the frequencies 0..m of axis a, measured from the lower bound. */
static void fill_integrals(double complex *out, const sfmi_integral *integral, size_t a,
                           sfmi_side side) {
  const sfmi_wave *wave = integral->wave;
  const double lower = wave->lower[a], width = integral->release->upper[a] - lower;
  out[0] =
      mean_integral(side, width, wave->period[a], integral->release->boundary[a] == SFM_REFLECT);
  for (size_t j = 1; j <= wave->modes[a] / 2; j++)
    out[j] = side_integral(side, 2 * M_PI * (double)j / wave->period[a], lower, width);
}

sfm_status sfmi_integral_weights(const sfmi_integral *integral, size_t a, double *weights,
                                 const sfmi_side *sides, size_t count, sfm_error *error) {
  const sfmi_wave *wave = integral->wave;
  const size_t P = wave->modes[a];
  double complex *integrals = sfmi_alloc(count * P, sizeof *integrals);
  if (!integrals) return sfmi_fail_memory(error);
  for (size_t k = 0; k < count; k++) {
    double complex *line = integrals + k * P;
    fill_integrals(line, integral, a, sides[k]);
    for (size_t j = 1; j <= P / 2; j++) {
      line[j] *= turn(2 * M_PI * (double)j / wave->period[a], wave->margin[a]);
      line[P - j] = conj(line[j]);
    }
  }
  sfm_status status = sfmi_wave_dual(wave, a, weights, integrals, count, error);
  free(integrals);
  return status;
}

/* A row of an axis that reflects is read at its mirror image too: what counts there is g and its
 * mirror image together. */
static double seen(double complex integral, bool reflects) {
  return reflects ? 2 * fabs(creal(integral)) : cabs(integral);
}

/* What rounding the entries of a gp's transform, and those of the axes that were dropped, moves an
 * integral of size at most one. */
static double entries(const sfmi_integral *integral, const double complex *integrals, size_t a) {
  const sfm_release *release = integral->release;
  if (integral->wave->fft) return 0;
  const double half = 0.501 * ldexp(1, -(int)integral->spread.bits);
  const double *transfer = integral->wave->transfer[a];
  double sum = transfer[0] * cabs(integrals[0]);
  for (size_t j = 1; j <= integral->wave->modes[a] / 2; j++)
    sum += 2 * transfer[j] * (fabs(creal(integrals[j])) + fabs(cimag(integrals[j])));
  return half * sum + (a == 0 ? expm1((double)release->dropped * half * release->factor) : 0);
}

sfm_status sfmi_integral_error(const sfmi_integral *integral, size_t a, double *bound,
                               sfmi_side side, double less, sfm_error *error) {
  /* What doubles and images nine bandwidths away may add. */
  static const double LITTLE = 1e-12;
  const sfm_release *release = integral->release;
  const sfmi_wave *wave = integral->wave;
  const double h = release->bandwidth[a], W = wave->period[a];
  const size_t m = wave->modes[a] / 2;
  const bool reflects = release->boundary[a] == SFM_REFLECT;
  const sfmi_side within = {SFMI_SIDE_INTERVAL, release->lower[a], release->upper[a]};
  double complex *integrals = sfmi_alloc(2 * (m + 1), sizeof *integrals);
  if (!integrals) return sfmi_fail_memory(error);
  fill_integrals(integrals, integral, a, side);
  fill_integrals(integrals + m + 1, integral, a, within);
  for (size_t j = 0; j <= m; j++) integrals[j] -= less * integrals[m + 1 + j];
  const double weights =
      (integral->spread.order - 1) * 1.001 * ldexp(1, -(int)integral->spread.bits);
  double sum = LITTLE + entries(integral, integrals, a);
  for (size_t j = 1; j <= m; j++) {
    const double f = (double)j / W, u = f * integral->spread.axis[a].spacing;
    const double size = 2 * sfmi_gaussian_transform(f, h) / W * seen(integrals[j], reflects);
    sum += size * (sfmi_spline_alias(integral->spread.order, u, 1) +
                   weights / sfmi_power(sfmi_sinc(u), integral->spread.order));
  }
  /* Beyond m: |I_j| is at most g's total variation over the angular frequency. */
  const double variation = side.kind == SFMI_SIDE_ALL ? 0 : reflects ? 8 : 4;
  const double cut = erfc(M_SQRT2 * M_PI * h * (double)m / W) / (sqrt(2 * M_PI) * h);
  *bound = sum + cut * variation * W / (2 * M_PI * (double)(m + 1));
  free(integrals);
  return SFM_OK;
}
