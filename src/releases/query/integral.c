#include "integral.h"

#include <math.h>
#include <stdlib.h>

#include "base/math/elementary.h"
#include "estimators/sums/torus_sums.h"

bool sfmi_integral_applies(const sfm_release *release) {
  const bool spectral =
      release->method == SFMI_GP && release->function->engine == SFM_ENGINE_SPECTRAL;
  return sfmi_release_is_density(release) && !release->refined.done &&
         (release->method == SFMI_LATTICE || release->method == SFMI_FOURIER_LAPLACE || spectral);
}

/* Where rows were spread: features do not record it, but it follows from the domain, the bandwidths
 * and the number of columns. */
static sfm_status find_spread(sfmi_integral *integral, sfm_error *error) {
  const sfm_release *release = integral->release;
  const size_t d = release->dimension, columns = d + release->function->dropped;
  integral->spread = release->function->lattice;
  if (release->method == SFMI_LATTICE) return SFM_OK;
  sfmi_torus_sums *spectrum = sfmi_alloc(1, sizeof *spectrum);
  if (!spectrum) return sfmi_fail_memory(error);
  sfm_status status = SFM_OK;
  if (release->method == SFMI_FOURIER_LAPLACE) {
    sfmi_torus_sums_init_part(spectrum, release->lower, release->upper, release->function->torus, d,
                              columns, (double)release->rows);
    integral->quiet = true;
  } else {
    status = sfmi_torus_sums_init(spectrum, release->lower, release->upper,
                                  release->function->bandwidth, release->boundary, d, error);
    spectrum->lattice.bits = spectrum->precision = sfmi_torus_sums_bits(columns);
  }
  integral->spread = spectrum->lattice;
  integral->precision = spectrum->precision;
  free(spectrum);
  return status;
}

/* Rounding moves an entry by at most this; none of a lattice. */
static double half_entry(const sfmi_integral *integral) {
  return integral->poly->fft ? 0 : 0.501 * ldexp(1, -(int)integral->precision);
}

/* K^/W sums to at most this beyond frequency j. */
static double beyond(double h, double W, size_t j) {
  return erfc(M_SQRT2 * M_PI * h * (double)j / W) / (sqrt(2 * M_PI) * h);
}

static sfm_status fill_spill(sfmi_integral *integral, size_t a, sfm_error *error) {
  /* Frequencies past the release's own that are looked at one by one, and where K^ ends. */
  static const double LOOK = 2000, END = 1.5;
  const sfmi_trig_poly *poly = integral->poly;
  const double h = integral->release->function->bandwidth[a], W = poly->period[a];
  const unsigned order = integral->spread.order;
  const size_t m = poly->modes[a] / 2;
  const double ended = fmax(ceil(END * W / h), (double)m);
  const size_t far = integral->far[a] = (size_t)fmin(ended, (double)m + LOOK);
  double *spill = integral->spill[a] = sfmi_alloc(far + 1, sizeof *spill);
  if (!spill) return sfmi_fail_memory(error);
  const double weights = (order - 1) * 1.001 * ldexp(1, -(int)integral->spread.bits);
  const double half = half_entry(integral);
  spill[0] = integral->quiet ? 0 : half * poly->transfer[a][0];
  for (size_t j = 1; j <= far; j++) {
    const double f = (double)j / W, u = f * integral->spread.axis[a].spacing;
    spill[j] = 2 * sfmi_gaussian_transform(f, h) / W;
    if (j > m) continue;
    spill[j] *= sfmi_spline_alias(order, u, 1) + weights / sfmi_power(sfmi_sinc(u), order);
    /* Both parts of the mode, of which each may be off. */
    spill[j] += half * 2 * M_SQRT2 * poly->transfer[a][j];
  }
  integral->rest[a] = beyond(h, W, far) * W / (2 * M_PI * (double)(far + 1));
  return SFM_OK;
}

sfm_status sfmi_integral_init(sfmi_integral *integral, const sfm_release *release,
                              sfm_error *error) {
  *integral = (sfmi_integral){.release = release};
  sfm_status status = sfmi_trig_poly_create(&integral->poly, release, error);
  if (!status) status = find_spread(integral, error);
  for (size_t a = 0; a < release->dimension && !status; a++)
    status = fill_spill(integral, a, error);
  return status;
}

void sfmi_integral_clear(sfmi_integral *integral) {
  sfmi_trig_poly_destroy(integral->poly);
  for (size_t a = 0; a < SFM_MAX_DIMENSION; a++) free(integral->spill[a]);
  *integral = (sfmi_integral){0};
}

size_t sfmi_integral_size(const sfmi_integral *integral, size_t a) {
  return integral->poly->fft ? integral->release->function->lattice.axis[a].points
                             : sfmi_torus_size(&integral->release->function->torus[a]);
}

/* exp(i omega z) for z measured from the lower bound. */
static double complex turn(double omega, double z) {
  return cexp(I * fmod(omega * z, 2 * M_PI));
}

/* The integral of integrand against exp(i omega (x - lower)), width being that of the bounds. */
static double complex mode_integral(sfmi_integrand integrand, double omega, double lower,
                                    double width) {
  const double from = integrand.from - lower, length = integrand.to - integrand.from;
  switch (integrand.kind) {
  case SFMI_INTEGRAND_POINT:
    return turn(omega, from);
  case SFMI_INTEGRAND_ALL:
    return 0;
  case SFMI_INTEGRAND_RAMP:
    return turn(omega, width) / (I * omega) + (turn(omega, width) - 1) / (width * omega * omega);
  case SFMI_INTEGRAND_INTERVAL:
    break;
  }
  return turn(omega, from + 0.5 * length) * 2 * sin(0.5 * omega * length) / omega;
}

/* Everything once: on a ring that holds mirror images too, half of it. */
static double mean_integral(sfmi_integrand integrand, double width, double period, bool reflects) {
  switch (integrand.kind) {
  case SFMI_INTEGRAND_POINT:
    return 1;
  case SFMI_INTEGRAND_ALL:
    return reflects ? 0.5 * period : period;
  case SFMI_INTEGRAND_RAMP:
    return 0.5 * width;
  case SFMI_INTEGRAND_INTERVAL:
    break;
  }
  return integrand.to - integrand.from;
}

/* I_j for the frequencies 0..m of axis a, measured from the lower bound. */
static void fill_integrals(double complex *out, const sfmi_integral *integral, size_t a,
                           sfmi_integrand integrand) {
  const sfmi_trig_poly *poly = integral->poly;
  const double lower = poly->lower[a], width = integral->release->upper[a] - lower;
  out[0] = mean_integral(integrand, width, poly->period[a],
                         integral->release->boundary[a] == SFM_BOUNDARY_REFLECT);
  for (size_t j = 1; j <= poly->modes[a] / 2; j++)
    out[j] = mode_integral(integrand, 2 * M_PI * (double)j / poly->period[a], lower, width);
}

sfm_status sfmi_integral_weights(const sfmi_integral *integral, size_t a, double *weights,
                                 const sfmi_integrand *integrands, size_t count, sfm_error *error) {
  const sfmi_trig_poly *poly = integral->poly;
  const size_t P = poly->modes[a];
  double complex *integrals = sfmi_alloc(count * P, sizeof *integrals);
  if (!integrals) return sfmi_fail_memory(error);
  for (size_t k = 0; k < count; k++) {
    double complex *line = integrals + k * P;
    fill_integrals(line, integral, a, integrands[k]);
    for (size_t j = 1; j <= P / 2; j++) {
      line[j] *= turn(2 * M_PI * (double)j / poly->period[a], poly->margin[a]);
      line[P - j] = conj(line[j]);
    }
  }
  sfm_status status = sfmi_trig_poly_dual(poly, a, weights, integrals, count, error);
  free(integrals);
  return status;
}

/* A row of an axis that reflects is read at its mirror image too: what counts there is g and its
 * mirror image together. */
static double seen(double complex integral, bool reflects) {
  return reflects ? 2 * fabs(creal(integral)) : cabs(integral);
}

/* What doubles and images nine bandwidths away may add; and the rounding of phi_0 along axes that
 * were dropped from a gp. */
static double little(const sfmi_integral *integral, size_t a) {
  static const double LITTLE = 1e-12;
  const sfm_release *release = integral->release;
  if (a > 0 || integral->quiet) return LITTLE;
  return LITTLE +
         expm1((double)release->function->dropped * half_entry(integral) * release->factor);
}

double sfmi_integral_error(const sfmi_integral *integral, size_t a, sfmi_integrand integrand,
                           double less) {
  const sfm_release *release = integral->release;
  const double lower = release->lower[a], width = release->upper[a] - lower;
  const double first = 2 * M_PI / integral->poly->period[a];
  const bool reflects = release->boundary[a] == SFM_BOUNDARY_REFLECT,
             ramp = integrand.kind == SFMI_INTEGRAND_RAMP,
             all = integrand.kind == SFMI_INTEGRAND_ALL;
  const double complex from_turn = turn(first, integrand.from - lower),
                       to_turn = turn(first, integrand.to - lower), end_turn = turn(first, width);
  double complex from = 1, to = 1, end = 1;
  const double mean =
      mean_integral(integrand, width, integral->poly->period[a], reflects) - less * width;
  double sum = little(integral, a) + integral->spill[a][0] * fabs(mean);
  for (size_t j = 1; j <= integral->far[a] && !all; j++) {
    const double omega = first * (double)j;
    from *= from_turn;
    to *= to_turn;
    end *= end_turn;
    const double complex own =
        ramp ? end / (I * omega) + (end - 1) / (width * omega * omega) : (to - from) / (I * omega);
    sum += integral->spill[a][j] * seen(own - less * (end - 1) / (I * omega), reflects);
  }
  /* Beyond: |I_j| is at most the total variation over the angular frequency. */
  return sum + (all ? 0 : integral->rest[a] * (reflects ? 8 : 4));
}

double sfmi_integral_worst(const sfmi_integral *integral, size_t a) {
  const sfm_release *release = integral->release;
  const double width = release->upper[a] - release->lower[a], W = integral->poly->period[a];
  const double variation = release->boundary[a] == SFM_BOUNDARY_REFLECT ? 8 : 4;
  double sum = little(integral, a) + integral->spill[a][0] * width;
  for (size_t j = 1; j <= integral->far[a]; j++)
    sum += integral->spill[a][j] * variation * W / (2 * M_PI * (double)j);
  return sum + integral->rest[a] * variation;
}

double sfmi_integral_entry_rounding(const sfmi_integral *integral) {
  const sfmi_trig_poly *poly = integral->poly;
  const double half = half_entry(integral);
  double widened = 1, peak = 1;
  for (size_t a = 0; a < poly->dimension && half > 0; a++) {
    double sum = 0, moved = integral->quiet ? 0 : half * poly->transfer[a][0];
    for (size_t j = 0; j <= poly->modes[a] / 2; j++) {
      sum += (j ? 2 : 1) * poly->transfer[a][j];
      moved += j ? half * 2 * M_SQRT2 * poly->transfer[a][j] : 0;
    }
    widened *= sum + moved;
    peak *= sum;
  }
  return half > 0 ? widened - peak + widened * little(integral, 0) : 0;
}
