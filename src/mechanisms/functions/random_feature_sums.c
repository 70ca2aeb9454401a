#include "random_feature_sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimators/sums/frequency_sums.h"
#include "planner/density/design_random_features.h"
#include "releases/core/release_data.h"

sfm_status sfmi_random_feature_basis(sfmi_basis **out, const sfmi_design_density *design,
                                     const uint64_t *public_seed, sfmi_seed source,
                                     sfm_error *error) {
  sfmi_basis stated = {.family = SFMI_RANDOM,
                       .dimension = design->dimension,
                       .count = design->features,
                       .kernel = design->kernel};
  *out = NULL;
  memcpy(stated.lower, design->lower, sizeof stated.lower);
  memcpy(stated.upper, design->upper, sizeof stated.upper);
  memcpy(stated.bandwidth, design->bandwidth, sizeof stated.bandwidth);
  sfm_status status = SFM_OK;
  if (public_seed)
    stated.seed = *public_seed % SFMI_FREQUENCY_SEEDS;
  else
    status = sfmi_seed_random_features(&stated.seed, source, error);
  return !status ? sfmi_basis_create(out, &stated, error) : status;
}

/* The sums have units of 2^-SFMI_FREQUENCY_SUMS_BITS P^-1/2 records.  They are multiplied by
 * ROOT_BITS bits of P^-1/2, rounded down, and then rounded to the step. */
enum { ROOT_BITS = 40, FINE = SFMI_FREQUENCY_SUMS_BITS + ROOT_BITS };

struct sfmi_random_feature_sums {
  sfmi_frequency_sums *frequency_sums;
  sfmi_i128 *sums; /* of the features, and after them the number of kept rows; borrowed */
  size_t features;
};

size_t sfmi_random_feature_sums_length(const sfmi_design_density *design) {
  return design->features + 1;
}

sfm_status sfmi_random_feature_sums_create(sfmi_random_feature_sums **out,
                                           const sfmi_design_density *design, sfmi_i128 *sums,
                                           sfm_error *error) {
  *out = NULL;
  sfmi_random_feature_sums *feature_sums = sfmi_alloc(1, sizeof *feature_sums);
  if (!feature_sums) return sfmi_fail_memory(error);
  feature_sums->sums = sums;
  feature_sums->features = design->features;
  const sfm_status status =
      sfmi_frequency_sums_create(&feature_sums->frequency_sums, design->basis, 0, error);
  if (!status)
    *out = feature_sums;
  else
    sfmi_random_feature_sums_destroy(feature_sums);
  return status;
}

void sfmi_random_feature_sums_destroy(sfmi_random_feature_sums *feature_sums) {
  if (!feature_sums) return;
  sfmi_frequency_sums_destroy(feature_sums->frequency_sums);
  free(feature_sums);
}

void sfmi_random_feature_sums_add(sfmi_random_feature_sums *feature_sums, const sfmi_batch *batch) {
  sfmi_i128 *kept = &feature_sums->sums[feature_sums->features];
  sfmi_frequency_sums_add(feature_sums->frequency_sums, feature_sums->sums, batch);
  for (size_t r = 0; r < batch->rows; r++) *kept += batch->keep[r];
}

/* 2^ROOT_BITS/sqrt(P), rounded down. */
static uint64_t inverse_root(size_t frequencies) {
  const sfmi_u128 square = (sfmi_u128)1 << 2 * ROOT_BITS;
  uint64_t root = (uint64_t)(ldexp(1, ROOT_BITS) / sqrt((double)frequencies)) + 1;
  while ((sfmi_u128)root * root * frequencies > square) root--;
  return root;
}

sfm_status sfmi_random_feature_sums_integers(sfmi_i128 **values, const sfmi_design_density *design,
                                             const sfmi_i128 *sums, const sfmi_hardening *hardening,
                                             sfm_error *error) {
  const size_t features = design->features, length = sfmi_design_random_features_length(design);
  const int shift = FINE + ilogb(hardening->step);
  const uint64_t root = inverse_root(features / 2);
  *values = sfmi_alloc(length, sizeof **values);
  if (!*values) return sfmi_fail_memory(error);
  for (size_t i = 0; i < features; i++)
    (*values)[i] = sfmi_shift_round(sums[i] * (sfmi_i128)root, shift);
  const double unit = ldexp(SFMI_TOTAL_WEIGHT, FINE);
  if (length > features)
    (*values)[features] = sfmi_shift_round(sums[features] * (sfmi_i128)unit, shift);
  return SFM_OK;
}
