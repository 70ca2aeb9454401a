/* random_feature_band.c - in units of the kernel, without the division by its integral: the
 * function without privacy is f(x), the mean of K(x, row), from 0 to 1; with P frequencies it
 * becomes f^ = f + e, and released, over the number of records, is f^ + noise/n.
 *
 * Noise: its standard deviation is sigma at every x, since the features have norm one.
 * Approximation: e(x) is the mean of P terms cos<omega_i, x - row>, averaged over rows, less their
 * mean; terms are at most 2 and have variance at most `variance_of` and at most m, sums over a
 * block of orthogonal ones at most 1 + 3/(d + 1) times that of independent ones.  So Bernstein's
 * inequality holds, whatever the rows are.
 * m, the mean of K over all pairs of rows, is |f|^2 in K's space, so that f <= sqrt m.  It is
 * bounded by the length of the released vector, from which the length of the noise is known.
 * Everywhere at once: at the middles of a net of cells, and from there by Lipschitz constants.  For
 * the noise the net may depend on the frequencies, for the approximation it may not. */
#include "band.h"

#include <math.h>
#include <stdlib.h>

#include "base/math/normal_distribution.h"
#include "estimators/sums/frequency_sums.h"

/* Of cos<omega, z>, (1 + K(2z))/2 - K(z)^2: at most 1/2, but for the cauchy kernel. */
static double variance_of(sfm_kernel_family kernel) {
  return kernel == SFM_KERNEL_CAUCHY ? 0.505 : 0.5;
}

/* What is public about the frequencies. */
typedef struct ensemble {
  const sfmi_basis *basis;
  double count;      /* P */
  double block;      /* largest number of frequencies that depend on each other */
  double dependence; /* what a block adds to variances: a factor */
  double variance;   /* of one term */
  double slope;      /* mean over the frequencies of |omega|_1 */
  double roughness;  /* root of the mean of its square */
  double arithmetic; /* what rounding moves f^ by, at the most */
} ensemble;

/* Rounded waves and a rounded P^-1/2 of one row, and of the reader. */
static const double WAVE_ERROR = 0x1p-29;
/* The same for the noise, in parts of it: 2^20 waves of a reader, off by 1.8e-12 each. */
static const double READER = 1e-5;

static ensemble ensemble_of(const sfmi_basis *basis) {
  const size_t d = basis->dimension, count = sfmi_random_basis_frequencies(basis);
  const size_t block = sfmi_random_basis_block(basis);
  const double more = block > 1 ? 3 / ((double)d + 1) : 0;
  ensemble e = {.basis = basis,
                .count = (double)count,
                .block = (double)block,
                .dependence = 1 + more,
                .variance = variance_of(basis->kernel),
                .arithmetic = WAVE_ERROR};
  for (size_t i = 0; i < count; i++) {
    double size = 0;
    for (size_t a = 0; a < d; a++) size += 2 * M_PI * fabs(sfmi_random_basis_turn(basis, i, a));
    e.slope += size / e.count;
    e.roughness += size * size / e.count;
    /* A phase is a sum of d products: twice, once for the rows and once for the reader. */
    const double turns = 2 * ((double)d + 4) * 0x1p-53 * sfmi_random_basis_reach(basis, i);
    e.arithmetic += fmin(2 * M_PI * turns, 2) / e.count;
  }
  e.roughness = sqrt(e.roughness);
  return e;
}

/* The logarithm of how many cells, of half-width rho bandwidths, the domain has. */
static double log_cells(const sfmi_basis *basis, double rho) {
  double sum = 0;
  for (size_t a = 0; a < basis->dimension; a++) {
    const double width = (basis->upper[a] - basis->lower[a]) / basis->bandwidth[a];
    sum += log(fmax(ceil(width / (2 * rho)), 1));
  }
  return sum;
}

/* The t with P(|e| > t) <= exp(-logarithm), at one place: Bernstein. */
static double approximation(const ensemble *e, double logarithm) {
  const double L = logarithm + log(2), linear = 2 * e->block * L / 3;
  const double variance = e->count * e->variance * e->dependence;
  return fmin((linear + sqrt(linear * linear + 2 * variance * L)) / e->count, 2);
}

/* The same everywhere.  K moves by at most 1 for every bandwidth, along any axis. */
static double approximation_sup(const ensemble *e, double risk) {
  const double d = (double)e->basis->dimension, rho = 1 / (4 * d * sqrt(e->count));
  const double within = rho * (e->slope + d);
  return fmin(approximation(e, log_cells(e->basis, rho) - log(risk)) + within, 2);
}

/* The length that 2P normals pass with at most that risk (Laurent and Massart). */
static double chi(double freedom, double risk) {
  const double t = -log(risk);
  return sqrt(freedom + 2 * sqrt(freedom * t) + 2 * t);
}

/* The width that noise of standard deviation 1 passes somewhere with at most that risk: its length,
 * or that at the middles of a net and what it rises by within a cell. */
static double noise_sup(const ensemble *e, double risk) {
  const double freedom = 2 * e->count, within = 0.1, length = chi(freedom, 0.1 * risk);
  const double rho = within / (length * e->roughness);
  const double net = sqrt(2 * (log_cells(e->basis, rho) - log(0.9 * risk))) + within;
  return fmin(chi(freedom, risk), net);
}

/* The length of the released vector v + z, v of the rows
 * and z of the noise, bounds that of v (Birge 2001, lemma 8.1: chi-square variables fall short of
 * their mean); |v|^2/n^2 is the mean over the frequencies of terms from 0 to 1 with mean m and
 * variance at most m, so that Bernstein bounds m. */
static double norm_above(const ensemble *e, const sfm_release *release, double records,
                         double risk) {
  const double freedom = 2 * e->count, t = -log(risk / 2), steps = release->step * sqrt(freedom);
  double square = 0;
  if (!(release->scale > 0)) return 1; /* no release of ours */
  for (size_t j = 0; j < release->function->basis->count; j++) {
    const double c = sfm_release_coefficient(release, j) / release->scale;
    square += c * c;
  }
  const double longest = sqrt(square) + steps / release->scale;
  const double inside = 4 * t + 2 * longest * longest - freedom;
  const double y = 2 * sqrt(t) + sqrt(fmax(inside, 0));
  const double rows = release->scale / records, mean = (y * y - freedom) / 2 * rows * rows;
  const double alpha = sqrt(2 * e->dependence * t / e->count);
  const double beta = fmax(mean, 0) + 2 * e->block * t / (3 * e->count);
  return fmin((alpha + sqrt(alpha * alpha + 4 * beta)) / 2 * (1 + 1e-6), 1);
}

double sfmi_random_norm(const sfm_release *release, double records, double risk) {
  const ensemble e = ensemble_of(release->function->basis);
  return norm_above(&e, release, records, risk);
}

/* |S/T - f| for |S - n f^| <= noise, |f^ - f| <= moved, |T - n| <= slack and 0 <= f <= top. */
static double together(double *systematic, double noise, double moved, double slack, double top,
                       double total) {
  *systematic = moved * (1 + slack / total) + top * slack / total;
  return noise / total + *systematic;
}

/* What must hold together shares the risk: a tenth is that of the norm, under add/remove a fifth
 * the noisy total's. */
sfm_status sfmi_band_random_features(sfm_band *band, const sfm_release *release, double confidence,
                                     sfm_error *error) {
  (void)error;
  ensemble e = ensemble_of(release->function->basis);
  const double risk = 1 - confidence, sigma = release->scale * (1 + READER);
  const double norm_risk = 0.1 * risk, total_risk = release->has_rows ? 0 : 0.2 * risk;
  const double each = (risk - norm_risk - total_risk) / 2;
  const double slack =
      release->has_rows
          ? 0
          : sigma / SFMI_TOTAL_WEIGHT * sfmi_normal_tail_inverse(total_risk / 2) + release->step;
  const double total = sfmi_release_total(release), mass = sfmi_release_mass(release);
  *band = (sfm_band){confidence, INFINITY, INFINITY, INFINITY};
  if (!(total > slack)) return SFM_OK;
  const double top = norm_above(&e, release, total - slack, norm_risk);
  e.variance = fmin(e.variance, top * top);
  /* Integers of sums and of noise: each coordinate by at most a step. */
  const double steps = release->step * sqrt(2 * e.count);
  double systematic, ignored;
  const double half = together(&systematic, sigma * noise_sup(&e, each) + steps,
                               approximation_sup(&e, each) + e.arithmetic, slack, top, total),
               one = together(&ignored, sigma * sfmi_normal_tail_inverse(each / 2) + steps,
                              approximation(&e, -log(each)) + e.arithmetic, slack, top, total);
  band->half_width = half / mass;
  band->pointwise = fmin(one, half) / mass;
  band->systematic = systematic / mass;
  return SFM_OK;
}

/* Fewer than so many batches are no crowd. */
static const double BATCHES_MIN = 100;

/* The x that |t| passes with probability risk, for Student's t with so many degrees of freedom: the
 * normal quantile and two corrections to it (Cornish and Fisher). */
static double student(double risk, double freedom) {
  const double z = sfmi_normal_tail_inverse(risk / 2), z2 = z * z;
  return z + z * (z2 + 1) / (4 * freedom) + z * ((5 * z2 + 16) * z2 + 3) / (96 * freedom * freedom);
}

/* From the values (in the function's unit) and the squares of what batches add to them, by the
 * central limit theorem.  Where there are few batches, the band itself. */
static void widths_of(double *widths, const double *values, const double *squares, size_t count,
                      const sfm_release *release, size_t batch) {
  const ensemble e = ensemble_of(release->function->basis);
  const double batches = ceil(e.count / (double)batch), total = sfmi_release_total(release);
  const double risk = (1 - release->band.confidence) / (double)(count ? count : 1);
  const double quantile = student(risk, batches - 1), mass = sfmi_release_mass(release);
  const double rounded = (release->step * sqrt(2 * e.count) / total + e.arithmetic) / mass;
  /* The noisy total, in parts of it. */
  const double share = release->has_rows ? 0 : release->scale / SFMI_TOTAL_WEIGHT / total;
  for (size_t i = 0; i < count; i++) {
    const double mean = values[i] * (double)batch / e.count, divided = values[i] * share;
    /* Of the parts about their mean; a last batch that is smaller is taken as a whole one. */
    const double about = squares[i] - 2 * mean * values[i] + batches * mean * mean;
    const double variance = about * batches / (batches - 1) + divided * divided;
    const bool outside = isnan(values[i]), few = batches < BATCHES_MIN || !(total > 0);
    widths[i] = outside ? NAN
                : few   ? release->band.half_width
                        : quantile * sqrt(fmax(variance, 0)) + rounded;
  }
}

sfm_status sfmi_random_feature_widths(double *widths, const sfmi_expansion *expansion,
                                      const sfm_release *release, const double *points,
                                      size_t count, sfm_error *error) {
  double *squares = sfmi_alloc(count, sizeof *squares);
  if (!squares) return sfmi_fail_memory(error);
  sfm_status status = sfmi_expansion_squares(expansion, widths, squares, points, count, error);
  if (!status) widths_of(widths, widths, squares, count, release, sfmi_expansion_batch(expansion));
  free(squares);
  return status;
}
