#include "svm_utility.h"

#include <math.h>

#include "base/math/gamma_distribution.h"
#include "features/kernels/kernel.h"

sfm_svm sfm_svm_default(void) {
  return (sfm_svm){.kernel = SFM_KERNEL_LINEAR, .lipschitz = 1, .kappa = 1};
}

/* ---- finite features ---- */

double sfmi_svm_utility_reach(const sfm_svm *s) {
  const double slope = s->lipschitz * s->kappa / s->lambda;
  return s->lipschitz == 1 ? fmin(slope, 1 / sqrt(s->lambda)) : slope;
}

/* 2 L kappa/(lambda n): what a record moves w by, in l2. */
static double sensitivity(const sfm_svm *s) {
  return 2 * s->lipschitz * s->kappa / (s->lambda * (double)s->rows);
}

/* Random features are cosines and sines over the root of half their number. */
static double entry_of(const sfm_svm *s) {
  if (s->entry > 0) return s->entry;
  const bool random = s->bandwidth > 0 && sfmi_kernel_stationary(s->kernel) && s->features > 1;
  return random ? fmin(s->kappa, sqrt(2 / (double)s->features)) : s->kappa;
}

double sfm_svm_scale(const sfm_svm *s) {
  if (!s->features || !(s->epsilon > 0)) return NAN;
  return sensitivity(s) * sqrt((double)s->features) / s->epsilon;
}

/* F ln 2 + ln(1/failure): Chernoff's bound at half the rate. */
static double chernoff(double features, double failure) {
  return features * M_LN2 - log(failure);
}

double sfm_svm_accuracy(const sfm_svm *s) {
  if (!(s->failure > 0)) return NAN;
  return 2 * sfm_svm_scale(s) * entry_of(s) * chernoff((double)s->features, s->failure);
}

double sfm_svm_accuracy_sharp(const sfm_svm *s) {
  if (!(s->failure > 0)) return NAN;
  const double scale = sfm_svm_scale(s);
  if (isnan(scale)) return NAN;
  return scale * entry_of(s) * sfmi_gamma_quantile((double)s->features, 1 - s->failure);
}

double sfm_svm_epsilon(const sfm_svm *s) {
  const double features = (double)s->features;
  if (!s->features || !(s->accuracy > 0) || !(s->failure > 0)) return NAN;
  return 2 * sensitivity(s) * entry_of(s) * sqrt(features) * chernoff(features, s->failure) /
         s->accuracy;
}

/* ---- random features ---- */

double sfmi_spectral_moment(sfm_kernel_family family) {
  switch (family) {
  case SFM_KERNEL_GAUSSIAN:
    return 1;
  case SFM_KERNEL_MATERN32:
    return 3;
  case SFM_KERNEL_MATERN52:
    return 5.0 / 3;
  case SFM_KERNEL_CAUCHY:
    return 2;
  default:
    return INFINITY;
  }
}

/* sigma_p times the diameter; NaN where there is none. */
static double spread_of(const sfm_svm *s) {
  const double d = (double)s->dimension, moment = sfmi_spectral_moment(s->kernel);
  if (!s->dimension || !isfinite(moment) || !(s->bandwidth > 0)) return NAN;
  const double diameter = s->diameter > 0 ? s->diameter : 2 * sqrt(d);
  return sqrt(d * moment) / s->bandwidth * diameter;
}

double sfmi_frequencies_for(const sfm_svm *s, double error, double failure) {
  const double ratio = fmax(spread_of(s) / error, 1); /* a larger set is one that holds this one */
  if (isnan(spread_of(s))) return NAN;
  return ceil(4 * ((double)s->dimension + 2) / (error * error) *
              (log(256 * ratio * ratio) - log(failure)));
}

double sfmi_frequencies_error(const sfm_svm *s, double frequencies, double failure) {
  double low = 0, high = 2;
  if (isnan(spread_of(s))) return NAN;
  if (!(sfmi_frequencies_for(s, high, failure) <= frequencies)) return INFINITY;
  for (int i = 0; i < 200 && low < high; i++) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    if (sfmi_frequencies_for(s, middle, failure) <= frequencies)
      high = middle;
    else
      low = middle;
  }
  return high;
}

/* Lambda + 2 sqrt((C L + Lambda/2) Lambda) with Lambda = C L, which no sum of duals passes. */
static double smoothness(const sfm_svm *s) {
  return s->lipschitz / s->lambda * (1 + sqrt(6));
}

/* How near the kernel must be for the machine to be within accuracy/2. */
static double nearness(const sfm_svm *s, double accuracy) {
  const double part = accuracy / (2 * smoothness(s));
  return fmin(1, part * part);
}

static double frequencies_of(const sfm_svm *s, double accuracy) {
  return sfmi_frequencies_for(s, nearness(s, accuracy), s->failure / 2);
}

/* 2 L sqrt(2 P)/(lambda n): the l1 sensitivity of the weights of P frequencies. */
static double sensitivity_l1(const sfm_svm *s, double frequencies) {
  return 2 * s->lipschitz * sqrt(2 * frequencies) / (s->lambda * (double)s->rows);
}

/* Twice the largest error by noise of that scale: corollary 15. */
static double noise_accuracy(const sfm_svm *s, double frequencies, double scale) {
  return fmax(16 * M_LN2 * sqrt(frequencies) * scale,
              8 * (M_LN2 - log(s->failure)) / sqrt(frequencies) * scale);
}

static bool random_stated(const sfm_svm *s) {
  return s->failure > 0 && !isnan(spread_of(s));
}

double sfm_svm_kernel_features(const sfm_svm *s) {
  if (!random_stated(s) || !(s->accuracy > 0)) return NAN;
  return 2 * sfmi_frequencies_for(s, s->accuracy, s->failure);
}

double sfm_svm_random_features(const sfm_svm *s) {
  if (!random_stated(s) || !(s->accuracy > 0)) return NAN;
  return 2 * frequencies_of(s, s->accuracy);
}

double sfm_svm_random_epsilon(const sfm_svm *s) {
  if (!random_stated(s) || !(s->accuracy > 0)) return NAN;
  const double P = frequencies_of(s, s->accuracy);
  return noise_accuracy(s, P, 1) * sensitivity_l1(s, P) / s->accuracy;
}

/* Whether `features` random features, or as many as it takes, have that accuracy at epsilon. */
static bool reaches(const sfm_svm *s, double accuracy) {
  const double need = frequencies_of(s, accuracy);
  const double P = s->features ? floor((double)s->features / 2) : need;
  return need <= P && noise_accuracy(s, P, sensitivity_l1(s, P) / s->epsilon) <= accuracy;
}

double sfm_svm_random_accuracy(const sfm_svm *s) {
  double low = 0, high = 1;
  if (!random_stated(s) || !(s->epsilon > 0)) return NAN;
  while (!reaches(s, high))
    if ((high *= 2) > 1e300) return NAN; /* fewer frequencies than the lemma needs for anything */
  for (int i = 0; i < 200; i++) {
    const double middle = low > 0 ? sqrt(low * high) : high / 2;
    if (middle <= low || middle >= high) break;
    if (reaches(s, middle))
      high = middle;
    else
      low = middle;
    if (high < 1e-300) break;
  }
  return high;
}

/* ---- what nobody can pass ---- */

/* ln((1 - failure) others/failure)/group where it is positive: an answer that is near for one
 * database is near for none of the `others`. */
static double least(const sfm_svm *s, double others, double group) {
  const double bound = (log1p(-s->failure) - log(s->failure) + log(others)) / group;
  return bound > 0 ? bound : NAN;
}

/* The least group with group * each > accuracy. */
static double group_for(double accuracy, double each) {
  double group = floor(accuracy / each) + 1;
  while (!(group * each > accuracy)) group++;
  return group;
}

double sfm_svm_least_linear(const sfm_svm *s, uint64_t *group) {
  const double each = s->kappa * fmin(s->kappa / s->lambda, 1 / sqrt(s->lambda)) / (double)s->rows;
  if (group) *group = 0;
  if (!(s->accuracy > 0) || !(s->failure > 0) || s->lipschitz != 1) return NAN;
  const double needed = s->accuracy / each < (double)s->rows ? group_for(s->accuracy, each) : 0;
  if (!(needed >= 1 && needed <= (double)s->rows)) return NAN;
  if (group) *group = (uint64_t)needed;
  return least(s, 1, needed);
}

double sfmi_svm_utility_packing(const sfm_svm *s) {
  const double radius = s->radius > 0 ? s->radius : 1;
  const double sine = s->bandwidth / radius * sqrt(M_LN2 / 2);
  if (!(s->bandwidth > 0) || !s->dimension || !(sine <= 1)) return 0;
  return s->dimension == 1 ? 2 : floor(M_PI / asin(sine));
}

double sfm_svm_least_gaussian(const sfm_svm *s, uint64_t *group) {
  const double n = (double)s->rows, each = 1 / (4 * s->lambda * n);
  if (group) *group = 0;
  if (!(s->accuracy > 0) || !(s->failure > 0) || s->lipschitz != 1) return NAN;
  const double databases = s->kernel == SFM_KERNEL_GAUSSIAN ? sfmi_svm_utility_packing(s) : 0;
  const double needed = s->accuracy / each < n ? group_for(s->accuracy, each) : 0;
  if (databases < 2 || !(needed >= 1 && needed < s->lambda * n && needed <= n)) return NAN;
  if (group) *group = (uint64_t)needed;
  return least(s, databases - 1, needed);
}

double sfm_svm_least_failure(const sfm_svm *s) {
  return s->epsilon > 0 ? 1 / (1 + exp(s->epsilon)) : NAN;
}
