#include "design_random_features.h"

#include <math.h>

#include "estimators/sums/frequency_sums.h"
#include "features/kernels/kernel.h"
#include "privacy/calibration.h"
#include "releases/core/release_data.h"

/* The share of people whom the reference law heaps. */
static const double HEAPED = 1.0 / 7;

/* What approximation may add to the variance of the noise. */
static const double APPROXIMATION = 0.1;

/* Records where nothing is known of their number. */
static const double ROWS_BLIND = 1e6;

/* Fewest frequencies, which cost almost no time, and most. */
static const size_t FEWEST = 512, MOST = (size_t)1 << 17;

/* Additions and multiplications of a row at a frequency beside those of its phase, and all of them
 * that may be used; one takes so many seconds on one processor of today. */
static const double TRIGONOMETRY = 24, WORK_MAX = 0x1p41, OPERATION = 3e-11;

size_t sfmi_design_random_features_length(const sfmi_design_density *design) {
  return design->features + (design->neighbours == SFM_NEIGHBOURS_ADD_REMOVE);
}

double sfmi_design_random_features_sensitivity(const sfmi_design_density *design) {
  const double norm = 1 + SFMI_FREQUENCY_SUMS_SLACK;
  /* 2 and not sqrt 2: the kernel of random features is not positive. */
  const double one =
      design->neighbours == SFM_NEIGHBOURS_REPLACE ? 2 * norm : hypot(norm, SFMI_TOTAL_WEIGHT);
  return one * (1 + 1e-15) * design->contributions;
}

/* The mean of the kernel of one axis over two places spread evenly. */
static double axis_mean(sfm_kernel_family kernel, double bandwidths) {
  enum { NODES = 1000 };
  double sum = 0;
  for (int i = 0; i < NODES; i++) {
    const double apart = (i + 0.5) / NODES; /* of density 2(1 - apart) */
    sum += 2 * (1 - apart) * sfmi_kernel_profile(kernel, apart * bandwidths) / NODES;
  }
  return sum;
}

double sfmi_design_random_features_even_mean(const sfmi_design_density *design,
                                             sfm_kernel_family kernel) {
  double even = 1;
  for (size_t a = 0; a < design->dimension; a++)
    even *= axis_mean(kernel, (design->upper[a] - design->lower[a]) / design->bandwidth[a]);
  return even;
}

/* m of the reference law, without the pairs of a record with itself. */
static double pair_mean(double even) {
  const double heaped = HEAPED * HEAPED;
  return heaped + (1 - heaped) * even;
}

/* Additions and multiplications of one frequency. */
static double frequency_work(const sfmi_design_density *design, double rows) {
  return rows * ((double)design->dimension + TRIGONOMETRY);
}

/* How many frequencies: a multiple of the dimension, so that the last block is whole. */
static size_t choose(const sfmi_design_density *design, double even, double sigma, double rows) {
  const bool blind = !isfinite(rows);
  const double n = blind ? ROWS_BLIND : rows, law = pair_mean(even), mean = law + (1 - law) / n;
  const double wanted = blind ? INFINITY : mean * n * n / (2 * APPROXIMATION * sigma * sigma);
  const double most = fmin((double)MOST, WORK_MAX / frequency_work(design, n));
  const double count = fmax(fmin(wanted, most), (double)FEWEST), d = (double)design->dimension;
  return (size_t)(ceil(count / d) * d);
}

static sfm_status check_features(size_t features, sfm_error *error) {
  if (features >= 2 && features <= SFMI_BASIS_MAX && features % 2 == 0) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID,
                   "random features are pairs, a cosine and a sine: an even number from 2 to %zu, "
                   "not %zu (settings.features)",
                   SFMI_BASIS_MAX, features);
}

static sfm_status check_mass(double mass, sfm_error *error) {
  if (mass >= SFMI_MASS_MIN && mass <= SFMI_MASS_MAX) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID,
                   "the kernel's integral over all columns is %.3g, beyond what densities can be "
                   "divided by; write the columns in other units, so that their bandwidths are "
                   "nearer to 1",
                   mass);
}

size_t sfmi_design_random_features_count(const sfmi_design_density *design, size_t asked,
                                         double even, double rows, double mu) {
  const double sigma = sfmi_design_random_features_sensitivity(design) / mu;
  return asked ? asked : 2 * choose(design, even, sigma, rows);
}

static double mass_of(const sfmi_design_density *design, sfm_kernel_family family) {
  const sfm_kernel kernel = {
      .family = family, .dimension = design->dimension, .bandwidth = design->bandwidth};
  return sfmi_kernel_mass(&kernel);
}

sfm_status sfmi_design_random_features_check(const sfmi_design_density *design,
                                             const sfm_density_settings *settings,
                                             sfm_error *error) {
  sfm_status status = check_mass(mass_of(design, settings->kernel), error);
  if (!status && settings->features) status = check_features(settings->features, error);
  return status;
}

void sfmi_design_random_features_errors(sfmi_density_errors *out, const sfmi_design_density *design,
                                        sfm_kernel_family family, double even, size_t features,
                                        const sfmi_kde_risk *kde_risk, bool stated) {
  const double mass = mass_of(design, family), s = sfmi_design_random_features_sensitivity(design);
  const double bare = stated ? fmin(kde_risk->cross * mass, 1) : even,
               law = stated ? bare : pair_mean(even);
  double unit = 1; /* of an integrated square: the domain's volume over the kernel's mass, twice */
  for (size_t a = 0; a < design->dimension; a++) unit *= design->upper[a] - design->lower[a];
  unit /= mass * mass;
  *out = (sfmi_density_errors){.noise = s * s * unit,
                               .smoothing = kde_risk->smoothing,
                               .row = kde_risk->row - kde_risk->square,
                               .cut_law = law / (double)features * unit,
                               .cut_row = (1 - law) / (double)features * unit,
                               .bias = kde_risk->smoothing,
                               .spread = kde_risk->row - kde_risk->square};
  out->cut_bare = bare / (double)features * unit;
}

sfm_status sfmi_design_random_features_choose(sfmi_design_density *design,
                                              const sfm_density_settings *settings, double rows,
                                              sfm_error *error) {
  sfm_status status = sfmi_design_random_features_check(design, settings, error);
  if (!status)
    status = sfmi_gdp_mu_for(&design->mu, settings->epsilon, settings->delta, settings->calibration,
                             error);
  if (status) return status;
  design->kernel = settings->kernel;
  design->features = sfmi_design_random_features_count(
      design, settings->features, sfmi_design_random_features_even_mean(design, settings->kernel),
      rows, design->mu);
  design->plan.seconds =
      isfinite(rows) ? frequency_work(design, rows) * (double)(design->features / 2) * OPERATION
                     : 0;
  return SFM_OK;
}
