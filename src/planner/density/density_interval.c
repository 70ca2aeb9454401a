#include "density_interval.h"

#include <math.h>

#include "base/math/elementary.h"
#include "features/kernels/gaussian_torus.h"
#include "lattice_candidates.h"
#include "releases/core/release_data.h"

/* The normal quantile of 19 in 20, half on either side. */
static const double TAIL = 1.959964;
/* What the model itself may be off by. */
static const double MODEL = 0.03;
/* The low end of an interval is at least this part of the mean. */
static const double LEAST = 1e-3;

/* The relative variance of int N^2 over a width is twice this, where N is stationary and the square
 * of its correlation has the integral `length` (of a normal shape): int int c^2 over the square of
 * int c. */
static double coherence(double width, double length) {
  const double h = length / sqrt(2 * M_PI), z = width / h;
  if (z < 1e-3) return 1;
  return 2 / (z * z) * (z * sqrt(M_PI / 2) * erf(z / M_SQRT2) - (1 - exp(-z * z / 2)));
}

/* What is multiplied over the axes. */
typedef struct axis_moments {
  double squares; /* 1 over the number of independent parts of the noise */
  double along;   /* of it in one smooth direction */
} axis_moments;

static axis_moments stationary(double width, double square_length, double length) {
  return (axis_moments){coherence(width, square_length), fmin(length / width, 1)};
}

static axis_moments of_lattice(const sfmi_lattice *lattice, size_t a, double h) {
  const sfmi_lattice_axis *axis = &lattice->axis[a];
  const size_t N = sfmi_lattice_padded(axis, h), P = sfmi_lattice_modes(N);
  const double W = (double)N * axis->spacing, width = axis->upper - axis->lower;
  double second = 0, fourth = 0;
  for (size_t j = 1; j <= P / 2; j++) {
    const double z = sfmi_gaussian_transform((double)j / W, h) /
                     sfmi_power(sfmi_sinc((double)j / (double)N), lattice->order);
    second += z * z;
    fourth += z * z * z * z;
  }
  if (axis->boundary == SFM_BOUNDARY_REFLECT) /* cosines alone */
    return (axis_moments){(1 + fourth) / ((1 + second) * (1 + second)), 1 / (1 + second)};
  second = 1 + 2 * second;
  fourth = (1 + 2 * fourth) / (second * second);
  if (axis->boundary == SFM_BOUNDARY_PERIODIC) return (axis_moments){fourth, 1 / second};
  return stationary(width, W * fourth, W / second);
}

/* The frequencies of a torus; those without the constant where it has no noise. */
static axis_moments of_torus(const sfmi_torus *torus, double width, bool constant) {
  double second = 0, fourth = 0;
  for (size_t j = 1; j <= torus->terms; j++) {
    const double z = sfmi_torus_lambda(torus, j);
    second += 2 * z * z;
    fourth += 2 * z * z * z * z;
  }
  if (constant) {
    second += 1;
    fourth += 1;
  }
  if (!(second > 0)) return (axis_moments){1, 1};
  const double squares = fourth / (second * second);
  axis_moments out = {squares, 1 / second};
  if (torus->margin > 0) out = stationary(width, torus->period * squares, torus->period / second);
  out.along = fmin(out.along, 1);
  return out;
}

/* Of a gp that reflects: cosines alone, with the powers lambda_j. */
static axis_moments of_cosines(double width, double h) {
  double second = 0, fourth = 0;
  for (size_t j = 1;; j++) {
    const double power = sfmi_gaussian_transform((double)j / (2 * width), h);
    second += power;
    fourth += power * power;
    if (power < 1e-16) break;
  }
  return (axis_moments){(1 + fourth) / ((1 + second) * (1 + second)), 1 / (1 + second)};
}

/* Integrals of a profile and of its square, over the line. */
static axis_moments of_profile(sfm_kernel_family family, double width, double h) {
  double one = 0, two = 0;
  static const double STEP = 0.02, FAR = 40;
  for (double u = STEP / 2; u < FAR; u += STEP) {
    const double k = sfmi_kernel_profile(family, u);
    one += 2 * STEP * k;
    two += 2 * STEP * k * k;
  }
  return stationary(width, two * h, one * h);
}

static sfm_kernel_family family_of(const sfmi_candidate *candidate, sfm_kernel_family family) {
  return candidate->kind == SFMI_CANDIDATE_SOBOLEV ? SFM_KERNEL_LAPLACIAN : family;
}

/* In the noise of a uniform point of a body with a random radius, of 2m + 1 dimensions. */
static double knorm_variance(size_t m, double squares) {
  const double d = (double)(2 * m + 1), n = (double)(2 * m);
  return (d + 2) * (d + 3) / (d * (d + 1)) * (n + 2) / (n + 4) * (1 + 2 * squares) - 1;
}

static void of_noise(sfmi_density_interval *interval, const sfmi_candidate *candidate,
                     const sfmi_design_density *design, const double *gamma,
                     sfm_kernel_family family) {
  const size_t d = design->dimension;
  const bool lattice = sfmi_candidate_kind_lattice(candidate->kind);
  sfmi_lattice spread = {.dimension = d, .order = candidate->order};
  double squares = 1, along = 1, modes = 1;
  if (lattice)
    (void)sfmi_lattice_candidates_lay(&spread, design, candidate->bandwidth, candidate->rho);
  for (size_t a = 0; a < d; a++) {
    const double width = design->upper[a] - design->lower[a], h = candidate->bandwidth[a];
    axis_moments axis;
    if (lattice) {
      axis = of_lattice(&spread, a, h);
      modes *= (double)spread.axis[a].points;
    } else if (sfmi_candidate_kind_frequencies(candidate->kind)) {
      sfmi_torus torus;
      sfmi_torus_lay(&torus, design->lower[a], design->upper[a], h,
                     design->boundary[a] == SFM_BOUNDARY_PERIODIC, candidate->along[a]);
      axis = of_torus(&torus, width, d > 1);
      torus.margin = 0;
      modes /= of_torus(&torus, width, d > 1).squares;
    } else if (candidate->kind == SFMI_CANDIDATE_SPECTRAL &&
               design->boundary[a] == SFM_BOUNDARY_REFLECT) {
      axis = of_cosines(width, h);
    } else {
      const double scale = candidate->kind != SFMI_CANDIDATE_SOBOLEV ? h
                           : gamma                                   ? 1 / gamma[a]
                                                                     : h / SFMI_SOBOLEV_RATE_USUAL;
      axis = of_profile(family_of(candidate, family), width, scale);
    }
    squares *= axis.squares;
    along *= axis.along;
  }
  interval->noise = 2 * squares;
  interval->along = along;
  /* The fourth moment of Laplace noise. */
  if (candidate->kind == SFMI_CANDIDATE_LAPLACE || candidate->kind == SFMI_CANDIDATE_FOURIER)
    interval->noise += 3 / modes;
  if (candidate->kind == SFMI_CANDIDATE_BODY || candidate->kind == SFMI_CANDIDATE_HULL)
    interval->noise = knorm_variance(candidate->along[0], squares);
}

void sfmi_density_interval_init(sfmi_density_interval *interval, const sfmi_candidate *candidate,
                                const sfmi_design_density *design, const double *gamma,
                                const sfmi_kde_risk *kde_risk, const sfmi_kde_bias *kde_bias) {
  double squares = 1;
  *interval = (sfmi_density_interval){.density = kde_bias->variance};
  of_noise(interval, candidate, design, gamma, candidate->family);
  interval->along *= kde_bias->passed;
  for (size_t a = 0; a < design->dimension; a++) {
    const double x = sqrt(2 * M_PI) * candidate->bandwidth[a] * kde_risk->axis[a].pp;
    squares *= x / sqrt(1 + x * x);
  }
  interval->sampling = 2 * squares;
}

/* Quantiles of a law with these moments; low and high only grow apart. */
static void widen(double *low, double *high, double mean, double variance, double third) {
  const double sd = sqrt(variance);
  const double skew = fmin(third / (variance * sd), 2.8);
  double ends[2];
  if (!(mean > 0)) return;
  for (int side = 0; side < 2; side++) {
    const double z = side ? TAIL : -TAIL;
    /* Wilson and Hilferty's gamma of that skewness. */
    const double g =
        skew > 1e-6 ? 2 / skew * (pow(fmax(1 + skew * z / 6 - skew * skew / 36, 0), 3) - 1) : z;
    ends[side] = sd > 0 ? mean + sd * g : mean;
  }
  *low = fmin(*low, fmax(ends[0] * (1 - MODEL), LEAST * mean));
  *high = fmax(*high, ends[1] * (1 + MODEL));
}

/* Of a bias (its square) and two fluctuations; density: of the second along the bias, over n. */
static void widen_for(double *low, double *high, double bias, double noise, double sampling,
                      double density, const sfmi_density_interval *m, double rows) {
  const double rn = m->noise, rs = m->sampling + 2 / rows;
  const double both = 2 * noise * sampling * sqrt(rn * fmin(rs, 2));
  const double quadratic = noise * noise * rn + sampling * sampling * rs + both;
  const double line = noise * m->along + density / rows;
  const double linear = 4 * bias * line;
  const double mean = noise + sampling;
  const double third = (mean > 0 ? 2 * quadratic * quadratic / mean : 0) + 24 * bias * line * line;
  widen(low, high, bias + mean, quadratic + linear, third);
}

void sfmi_density_interval_widen(sfm_forecast *f, const sfmi_density_interval *m,
                                 const sfmi_density_errors *e, double rows, double rate) {
  const double noise = e->noise / (rows * rate * rows * rate);
  const double bare = e->cut_bare + e->alias_bare;
  const double own = (e->cut_row + e->alias_row) / rows;
  /* Twice the product of what the kernel and the method leave out, which is in neither part. */
  const double slack = 2 * sqrt(e->smoothing * e->alias_bare);
  const double spread = e->spread / rows;
  widen_for(&f->low, &f->high, fmax(e->bias - slack, 0), noise, spread, m->density, m, rows);
  widen_for(&f->low, &f->high, e->bias + slack, noise, spread, m->density, m, rows);
  /* What the method leaves out hardly depends on the fluctuation of the records. */
  widen_for(&f->cost_low, &f->cost_high, bare, noise, own, 0, m, rows);
  widen_for(&f->cost_low, &f->cost_high, e->cut_law + e->alias_law, noise, own, 0, m, rows);
}
