#include "mechanisms/chorus.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimators/harmonics.h"
#include "planner/ensemble.h"
#include "random/stream.h"
#include "releases/contents.h"

/* Told apart from the noise of the same seed. */
static const uint64_t PUBLIC_SEED = 0x46726571756e637au;

sfm_status sfmi_chorus_seed(uint64_t *seed, sfmi_seed source, sfm_error *error) {
  sfmi_stream *stream = NULL;
  sfm_status status = source.seeded
                          ? sfmi_stream_create_seeded(&stream, source.seed ^ PUBLIC_SEED, error)
                          : sfmi_stream_create(&stream, error);
  if (status != SFM_OK) return status;
  *seed = sfmi_stream_word(stream) % SFMI_FREQUENCY_SEEDS;
  sfmi_stream_destroy(stream);
  return SFM_OK;
}

sfm_status sfmi_chorus_basis(sfmi_basis **out, const sfmi_design *design, sfmi_seed source,
                             sfm_error *error) {
  sfmi_basis stated = {.family = SFMI_RANDOM,
                       .dimension = design->dimension,
                       .count = design->features,
                       .kernel = design->kernel};
  *out = NULL;
  memcpy(stated.lower, design->lower, sizeof stated.lower);
  memcpy(stated.upper, design->upper, sizeof stated.upper);
  memcpy(stated.bandwidth, design->bandwidth, sizeof stated.bandwidth);
  sfm_status status = sfmi_chorus_seed(&stated.seed, source, error);
  return status == SFM_OK ? sfmi_basis_create(out, &stated, error) : status;
}

/* The sums have units of 2^-SFMI_WAVE_BITS P^-1/2 records.  They are multiplied by ROOT_BITS bits
 * of P^-1/2, rounded down, and then rounded to the step. */
enum { ROOT_BITS = 40, FINE = SFMI_WAVE_BITS + ROOT_BITS };

struct sfmi_chorus {
  const sfmi_design *design;
  sfmi_harmonics *harmonics;
  sfmi_i128 *sums; /* of the features */
  uint64_t kept;   /* rows */
};

sfm_status sfmi_chorus_create(sfmi_chorus **out, const sfmi_design *design, sfm_error *error) {
  *out = NULL;
  sfmi_chorus *chorus = sfmi_alloc(1, sizeof *chorus);
  if (!chorus) return sfmi_fail_memory(error);
  chorus->design = design;
  chorus->sums = sfmi_alloc(design->features, sizeof *chorus->sums);
  sfm_status status = chorus->sums
                          ? sfmi_harmonics_create(&chorus->harmonics, design->basis, 0, error)
                          : sfmi_fail_memory(error);
  if (status == SFM_OK) {
    *out = chorus;
  } else {
    sfmi_chorus_destroy(chorus);
  }
  return status;
}

void sfmi_chorus_destroy(sfmi_chorus *chorus) {
  if (!chorus) return;
  if (chorus->sums) explicit_bzero(chorus->sums, chorus->design->features * sizeof *chorus->sums);
  free(chorus->sums);
  sfmi_harmonics_destroy(chorus->harmonics);
  explicit_bzero(chorus, sizeof *chorus);
  free(chorus);
}

void sfmi_chorus_add(sfmi_chorus *chorus, const sfmi_batch *batch) {
  sfmi_harmonics_add(chorus->harmonics, chorus->sums, batch);
  for (size_t r = 0; r < batch->rows; r++) chorus->kept += batch->keep[r];
}

/* value / 2^shift to the nearest integer, halves up. */
static sfmi_i128 shift_round(sfmi_i128 value, int shift) {
  return (value + ((sfmi_i128)1 << (shift - 1))) >> shift;
}

/* 2^ROOT_BITS/sqrt(P), rounded down. */
static uint64_t inverse_root(size_t frequencies) {
  const sfmi_u128 square = (sfmi_u128)1 << 2 * ROOT_BITS;
  uint64_t root = (uint64_t)(ldexp(1, ROOT_BITS) / sqrt((double)frequencies)) + 1;
  while ((sfmi_u128)root * root * frequencies > square) root--;
  return root;
}

sfm_status sfmi_chorus_integers(sfmi_i128 **values, const sfmi_chorus *chorus,
                                const sfmi_hardening *hardening, sfm_error *error) {
  const size_t features = chorus->design->features, length = sfmi_ensemble_length(chorus->design);
  const int shift = FINE + ilogb(hardening->step);
  const uint64_t root = inverse_root(features / 2);
  *values = sfmi_alloc(length, sizeof **values);
  if (!*values) return sfmi_fail_memory(error);
  for (size_t i = 0; i < features; i++)
    (*values)[i] = shift_round(chorus->sums[i] * (sfmi_i128)root, shift);
  const double unit = ldexp(SFMI_TOTAL_WEIGHT, FINE);
  if (length > features) (*values)[features] = shift_round(chorus->kept * (sfmi_i128)unit, shift);
  return SFM_OK;
}
