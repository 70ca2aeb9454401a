#include "curve_sum.h"

#include <stdlib.h>

#include "base/system/arena.h"

/* Persons whose sums are allocated at once. */
enum { CHUNK = 256 };

struct sfmi_curve_sum {
  sfmi_arena memory;
  sfmi_smoother *smoother;
  sfmi_clipping clipping;
  size_t count, nodes;
  double *values, *weights; /* of one record */
  int64_t *steps;
  sfmi_i128 *sums;  /* of records without a person */
  int64_t **chunks; /* CHUNK persons' sums each */
  size_t chunk_count;
};

sfm_status sfmi_curve_sum_create(sfmi_curve_sum **out, sfmi_smoother *smoother,
                                 const sfmi_clipping *clipping, const sfmi_basis *basis,
                                 sfm_error *error) {
  *out = NULL;
  sfmi_curve_sum *b = sfmi_alloc(1, sizeof *b);
  if (!b) return sfmi_fail_memory(error);
  *b = (sfmi_curve_sum){
      .smoother = smoother, .clipping = *clipping, .count = basis->count, .nodes = basis->nodes};
  b->values = sfmi_arena_doubles(&b->memory, b->nodes);
  b->weights = sfmi_arena_doubles(&b->memory, b->count);
  b->steps = sfmi_arena_get(&b->memory, b->count, sizeof *b->steps);
  b->sums = sfmi_arena_get(&b->memory, b->count, sizeof *b->sums);
  if (b->memory.failed) {
    sfmi_curve_sum_destroy(b);
    return sfmi_fail_memory(error);
  }
  *out = b;
  return SFM_OK;
}

void sfmi_curve_sum_destroy(sfmi_curve_sum *b) {
  if (!b) return;
  sfmi_arena_wipe(&b->memory);
  for (size_t i = 0; i < b->chunk_count; i++)
    sfmi_wipe_free(b->chunks[i], CHUNK * b->count, sizeof **b->chunks);
  free(b->chunks);
  free(b);
}

/* The sum of a person. */
static sfm_status person_sum(sfmi_curve_sum *b, int64_t **sum, size_t person, sfm_error *error) {
  const size_t chunk = person / CHUNK;
  while (chunk >= b->chunk_count) {
    int64_t **longer = realloc(b->chunks, (b->chunk_count + 1) * sizeof *longer);
    if (longer) b->chunks = longer;
    int64_t *fresh = longer ? sfmi_alloc(CHUNK * b->count, sizeof *fresh) : NULL;
    if (!fresh) return sfmi_fail_memory(error);
    b->chunks[b->chunk_count++] = fresh;
  }
  *sum = b->chunks[chunk] + person % CHUNK * b->count;
  return SFM_OK;
}

static sfm_status add_record(sfmi_curve_sum *b, const sfmi_batch *batch, size_t r,
                             sfm_error *error) {
  int exponent;
  for (size_t i = 0; i < b->nodes; i++) b->values[i] = batch->values[i * SFMI_BATCH_ROWS + r];
  sfm_status status = sfmi_smoother_fit(b->smoother, b->weights, &exponent, b->values, error);
  if (status) return status;
  sfmi_clipping_quantise(&b->clipping, b->steps, b->weights, exponent, b->count);
  if (!batch->person) {
    for (size_t j = 0; j < b->count; j++) b->sums[j] += b->steps[j];
    return SFM_OK;
  }
  int64_t *sum = NULL;
  status = person_sum(b, &sum, batch->person[r], error);
  for (size_t j = 0; !status && j < b->count; j++) sum[j] += b->steps[j];
  return status;
}

sfm_status sfmi_curve_sum_add(sfmi_curve_sum *b, const sfmi_batch *batch, sfm_error *error) {
  sfm_status status = SFM_OK;
  for (size_t r = 0; !status && r < batch->rows; r++)
    if (batch->keep[r]) status = add_record(b, batch, r, error);
  return status;
}

void sfmi_curve_sum_total(sfmi_curve_sum *b, sfmi_i128 *sums, size_t count) {
  for (size_t j = 0; j < count; j++) sums[j] = b->sums[j];
  for (size_t c = 0; c < b->chunk_count; c++)
    for (size_t p = 0; p < CHUNK; p++) {
      int64_t *sum = b->chunks[c] + p * b->count;
      sfmi_clipping_apply(&b->clipping, sum, b->count);
      for (size_t j = 0; j < count; j++) sums[j] += sum[j];
    }
}
