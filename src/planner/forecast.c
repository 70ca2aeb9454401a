#include "planner/forecast.h"

#include <math.h>

#include "base/arena.h"
#include "base/normal.h"
#include "releases/wave.h"

/* The share of people whom the reference law heaps in some column or other. */
static const double HEAPED = 1.0 / 40;

/* Axes with more cells than this are taken as endless: their edges no longer matter. */
static const size_t EDGES_MATTER = 200;

typedef struct axis_integrals {
  double noise;      /* int over the domain of sum_k psi(q - x_k)^2 */
  double k1, k2, k3; /* see design.h */
} axis_integrals;

/* sum over k of the integral over the domain of psi(q - x_k)^2, with psi(q) = sum over |j| <= P/2
 * of transfer_j cos(2 pi j q/Ps) sampled FINE times a spacing. */
static sfm_status noise_integral(double *out, const sfmi_lattice_axis *axis, const double *transfer,
                                 size_t P, sfmi_arena *arena, sfm_error *error) {
  enum { FINE = 4 };
  const size_t G = FINE * P;
  double *cosine = sfmi_arena_doubles(arena, G), *square = sfmi_arena_doubles(arena, G);
  if (!cosine || !square) return sfmi_fail_memory(error);
  for (size_t i = 0; i < G; i++) cosine[i] = cos(2 * M_PI * (double)i / (double)G);
  for (size_t i = 0; i < G; i++) {
    double psi = transfer[0];
    for (size_t j = 1, at = i; j <= P / 2; j++, at = at + i < G ? at + i : at + i - G)
      psi += 2 * transfer[j] * cosine[at];
    square[i] = psi * psi;
  }
  /* The domain holds cells FINE + 1 samples; x_k sits FINE k - shift samples after the first.
   * Running sums over two periods make a point's share of the domain one difference. */
  const long period = (long)G, samples = (long)(axis->cells * FINE);
  const long shift = lround(axis->margin / axis->spacing * FINE);
  double sum = 0, *running = sfmi_arena_doubles(arena, 2 * G + 1);
  if (!running) return sfmi_fail_memory(error);
  for (size_t i = 0; i < 2 * G; i++) running[i + 1] = running[i] + square[i % G];
  for (size_t k = 0; k < axis->points; k++) {
    long at = (shift - (long)(k * FINE)) % period;
    if (at < 0) at += period;
    sum += running[at + samples + 1] - running[at] -
           0.5 * (square[at] + square[(at + samples) % period]);
  }
  *out = sum * axis->spacing / FINE;
  return SFM_OK;
}

/* The kernel's squares over all frequencies of a ring, once they are below those of doubles. */
static double ring_squares(double W, double h) {
  double sum = 1 / W;
  for (double j = 1;; j++) {
    const double kernel = sfmi_gaussian_transform(j / W, h);
    sum += 2 * kernel * kernel / W;
    if (kernel < 1e-9) return sum;
  }
}

static sfm_status integrate(axis_integrals *out, const sfmi_lattice *lattice, size_t a, double h,
                            sfmi_arena *arena, sfm_error *error) {
  const sfmi_lattice_axis *axis = &lattice->axis[a];
  const bool open = axis->boundary == SFM_OPEN, reflect = axis->boundary == SFM_REFLECT;
  const size_t N = sfmi_wave_padded(axis, h), P = sfmi_wave_modes(N);
  const double W = (double)N * axis->spacing, width = axis->upper - axis->lower;
  double *transfer = sfmi_arena_doubles(arena, P / 2 + 1);
  if (!transfer) return sfmi_fail_memory(error);
  double squares = 0;
  *out = (axis_integrals){.k3 = open ? 1 / (2 * sqrt(M_PI) * h) : ring_squares(W, h)};
  for (size_t j = 0; j <= P / 2; j++) {
    double u = (double)j / (double)N, pair = j ? 2 : 1;
    double kernel = sfmi_gaussian_transform((double)j / W, h);
    transfer[j] = kernel / W / sfmi_power(sfmi_sinc(u), lattice->order);
    squares += pair * transfer[j] * transfer[j];
    out->k2 += pair * kernel * kernel / W;
    out->k1 += pair * kernel * kernel / W * (1 + sfmi_spline_alias(lattice->order, u, 2));
  }
  /* A row and its mirror image are in phase at frequency 0 and on the mean at no other. */
  const double both = reflect ? 1 / W : 0;
  out->k1 += both;
  out->k2 += both;
  out->k3 += both;
  /* The same of the noise of a mass. */
  if (reflect) squares += transfer[0] * transfer[0];
  out->noise = squares * (double)N * width;
  if (!open || axis->cells > EDGES_MATTER) return SFM_OK;
  return noise_integral(&out->noise, axis, transfer, P, arena, error);
}

/* The share heaped in one column of d, independently. */
static double heap(size_t dimension) {
  return 1 - pow(1 - HEAPED, 1 / (double)dimension);
}

/* int g^2 for a column's law g = (1 - share) even + share kernel, given the kernel's part. */
static double column_square(double kernel_square, double width, double share) {
  return (1 - share * share) / width + share * share * kernel_square;
}

sfm_status sfmi_forecast_lattice(sfmi_forecast *out, const sfmi_lattice *lattice,
                                 const double *bandwidth, double noise, double rows,
                                 sfm_error *error) {
  /* The rows' errors add where the law heaps them (big), and in squares as independent (k). */
  const double share = heap(lattice->dimension);
  double k1 = 1, k2 = 1, k3 = 1, big1 = 1, big2 = 1, big3 = 1, spread = 1;
  for (size_t a = 0; a < lattice->dimension; a++) {
    axis_integrals axis = {0};
    sfmi_arena arena = {0};
    sfm_status status = integrate(&axis, lattice, a, bandwidth[a], &arena, error);
    sfmi_arena_clear(&arena);
    if (status != SFM_OK) return status;
    k1 *= axis.k1;
    k2 *= axis.k2;
    k3 *= axis.k3;
    double width = lattice->axis[a].upper - lattice->axis[a].lower;
    big1 *= column_square(axis.k1, width, share);
    big2 *= column_square(axis.k2, width, share);
    big3 *= column_square(axis.k3, width, share);
    spread *= axis.noise;
  }
  *out = (sfmi_forecast){.privacy = noise * spread};
  if (isfinite(rows)) {
    out->aliasing = rows * rows * fmax(big1 - big2, 0) + rows * fmax(k1 - k2, 0);
    out->truncation = rows * rows * fmax(big3 - big2, 0) + rows * fmax(k3 - k2, 0);
  }
  return SFM_OK;
}

sfmi_forecast sfmi_forecast_spectrum(const sfmi_spectrum *spectrum, const double *bandwidth,
                                     double noise, double rows) {
  double variance = 1, kernel2 = 1;
  for (size_t a = 0; a < spectrum->dimension; a++) {
    const sfmi_lattice_axis *axis = &spectrum->lattice.axis[a];
    double density2 = 1 / (2 * M_PI * bandwidth[a] * bandwidth[a]);
    variance *= spectrum->torus[a].kappa2 * density2 * (axis->upper - axis->lower);
    kernel2 *= density2;
  }
  /* The certificate bounds each row's error: as if all rows were heaped. */
  double rough = spectrum->defect * spectrum->kappa;
  return (sfmi_forecast){
      .privacy = noise * variance,
      .aliasing = isfinite(rows) ? rows * rows * HEAPED * HEAPED * rough * rough * kernel2 : 0};
}

double sfmi_forecast_lost(const double *whole, const double *kept, const double *width,
                          size_t dimension, double rows) {
  const double share = heap(dimension);
  double all = 1, some = 1, all_law = 1, some_law = 1;
  for (size_t a = 0; a < dimension; a++) {
    all *= whole[a];
    some *= kept[a];
    all_law *= column_square(whole[a], width[a], share);
    some_law *= column_square(kept[a], width[a], share);
  }
  return rows * rows * fmax(all_law - some_law, 0) + rows * fmax(all - some, 0);
}

double sfmi_forecast_smoothing(const double *lower, const double *upper, const double *bandwidth,
                               const sfm_boundary *boundary, size_t dimension) {
  enum { NODES = 2000 };
  double smooth2 = 1, cross = 1, flat2 = 1;
  for (size_t a = 0; a < dimension; a++) {
    double width = upper[a] - lower[a], h = bandwidth[a], s2 = 0, c = 0;
    for (int i = 0; i < NODES && boundary[a] == SFM_OPEN; i++) {
      double q = width * (i + 0.5) / NODES;
      double g = (1 - sfmi_normal_tail(q / h) - sfmi_normal_tail((width - q) / h)) / width;
      s2 += g * g * width / NODES;
      c += g / NODES;
    }
    if (boundary[a] != SFM_OPEN) s2 = c = 1 / width;
    smooth2 *= s2;
    cross *= c;
    flat2 /= width;
  }
  return smooth2 - 2 * cross + flat2;
}
