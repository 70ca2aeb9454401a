#include "noise_variance.h"

#include <math.h>
#include <stdlib.h>

double sfmi_noise_variance(const sfm_release *release) {
  const double b = release->scale, g = release->step * release->factor,
               length = (double)release->length;
  double one = b * b + g * g / 12;
  if (sfmi_release_laplace(release)) {
    /* Discrete: g^2 2q/(1 - q)^2, q = exp(-g/b). */
    const double twice = 2 * sinh(g / (2 * b));
    one = twice > 0 ? 2 * (g / twice) * (g / twice) : 2 * b * b;
  } else if (release->law == SFM_NOISE_LAW_GAMMA) {
    one = b * b * (length + 1);
  } else if (release->law == SFM_NOISE_LAW_KNORM) {
    one = b * b * length * (length + 1); /* Gamma(2m + 1) */
  }
  return one * (double)release->summed;
}

/* The mean square of a real coordinate of a uniform point of K_m at frequency j, times the two of
 * sqrt2: 1/(4m - 3(j - 1)) is right at the first and nearly right at the others (docs/papers.md,
 * E6b: off by 2.5 % at m = 5, 14 % at m = 100). */
static double body_share(size_t m, size_t j) {
  return 2 / (4 * (double)m - 3 * ((double)j - 1));
}

double sfmi_mode_noise_variance(const sfmi_trig_poly *poly, const size_t *index) {
  const sfm_release *release = poly->release;
  double noise = sfmi_noise_variance(release);
  bool constant = true;
  for (size_t a = 0; a < poly->dimension; a++) {
    noise *= sfmi_trig_poly_power(poly, a, index[a]);
    constant = constant && index[a] == 0;
  }
  if (!sfmi_release_harmonic(release)) return noise;
  if (constant) return 0; /* the number of rows, which is public */
  if (release->method != SFMI_CARATHEODORY) return noise;
  const size_t m = poly->modes[0] / 2, i = index[0];
  return noise * body_share(m, i <= m ? i : 2 * m + 1 - i);
}

/* An open lattice has masses on its points only, and counts only what falls within the bounds:
 *   sum_k int (g(x - x_k))^2 dx,   g what the kernel makes of one mass,
 * from the integral of g^2 up to y on a fine grid of the torus. */
static sfm_status open_axis(double *energy, const sfmi_trig_poly *poly, size_t a,
                            sfm_error *error) {
  const sfm_release *release = poly->release;
  const sfmi_lattice_axis *axis = &release->function->lattice.axis[a];
  const size_t P = poly->modes[a], fine = sfmi_fft_size(8 * P);
  const double cell = poly->period[a] / (double)fine;
  sfmi_fft *fft = NULL;
  double *upto = sfmi_alloc(fine + 1, sizeof *upto);
  sfm_status status = upto ? sfmi_fft_create(&fft, &fine, 1, error) : sfmi_fail_memory(error);
  if (!status) {
    double complex *g = sfmi_fft_data(fft);
    for (size_t i = 0; i < P; i++) g[i <= P / 2 ? i : fine - P + i] = poly->transfer[a][i];
    sfmi_fft_backward(fft);
    for (size_t i = 0; i < fine; i++) {
      const double left = creal(g[i]), right = creal(g[(i + 1) % fine]);
      upto[i + 1] = upto[i] + cell * (left * left + right * right) / 2;
    }
    *energy = 0;
    for (size_t k = 0; k < axis->points; k++) {
      const double x = (double)k * axis->spacing - axis->margin;
      const double ends[] = {release->upper[a] - release->lower[a] - x, -x};
      for (int e = 0; e < 2; e++) {
        const double t = fabs(ends[e]) / cell, i = fmin(floor(t), (double)fine - 1);
        const size_t at = (size_t)i;
        const double half = upto[at] + (t - i) * (upto[at + 1] - upto[at]);
        *energy += (e == 0) == (ends[e] >= 0) ? half : -half;
      }
    }
  }
  sfmi_fft_destroy(fft);
  free(upto);
  return status;
}

/* What an axis makes of coefficients of variance one: by Parseval on the torus, of which the bounds
 * are a part. */
static sfm_status axis_variance(double *energy, const sfmi_trig_poly *poly, size_t a,
                                sfm_error *error) {
  const sfm_release *release = poly->release;
  if (release->method == SFMI_LATTICE &&
      release->function->lattice.axis[a].boundary == SFM_BOUNDARY_OPEN)
    return open_axis(energy, poly, a, error);
  *energy = 0;
  for (size_t i = 0; i < poly->modes[a]; i++) *energy += sfmi_trig_poly_power(poly, a, i);
  *energy *= release->upper[a] - release->lower[a];
  return SFM_OK;
}

static sfm_status trig_poly_variance(double *energy, const sfmi_trig_poly *poly, sfm_error *error) {
  double axis;
  *energy = sfmi_noise_variance(poly->release);
  for (size_t a = 0; a < poly->dimension; a++) {
    sfm_status status = axis_variance(&axis, poly, a, error);
    if (status) return status;
    *energy *= axis;
  }
  return SFM_OK;
}

/* Of fourier-laplace and caratheodory: mode by mode. */
static double torus_variance(const sfmi_trig_poly *poly, double volume) {
  size_t index[SFM_MAX_DIMENSION] = {0};
  double sum = 0;
  for (size_t k = 0; k < poly->length; k++) {
    sum += sfmi_mode_noise_variance(poly, index);
    sfmi_index_step(index, poly->modes, poly->dimension);
  }
  return sum * volume;
}

sfm_status sfmi_integrated_noise_variance(double *energy, const sfm_release *release,
                                          sfm_error *error) {
  const double divisor = sfmi_release_total(release) * sfmi_release_mass(release);
  double volume = 1;
  sfmi_trig_poly *poly = NULL;
  sfm_status status = SFM_OK;
  for (size_t a = 0; a < release->dimension; a++) volume *= release->upper[a] - release->lower[a];
  if (sfmi_release_placed(release)) {
    *energy = sfmi_noise_variance(release) * (release->function->sup + release->function->nugget) *
              volume;
  } else if (release->function->basis) { /* orthonormal, or of squares that sum to one */
    *energy = sfmi_noise_variance(release) * (release->function->engine == SFM_ENGINE_RANDOM
                                                  ? volume
                                                  : (double)release->function->basis->count);
  } else {
    status = sfmi_resources_allow(release, sfmi_resources_noise_variance(release),
                                  "computing the variance of its noise", error);
    if (!status) status = sfmi_trig_poly_create(&poly, release, error);
    if (!status && sfmi_release_harmonic(release))
      *energy = torus_variance(poly, volume);
    else if (!status)
      status = trig_poly_variance(energy, poly, error);
    sfmi_trig_poly_destroy(poly);
  }
  *energy /= divisor * divisor;
  return status;
}
