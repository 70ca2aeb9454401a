#include "alias_sampler.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* Bins with less than their width are filled up by one with more, until all are full.  Small ones
 * are stacked from the front of order, large ones from its back. */
static void fill_bins(sfmi_alias_sampler *sampler, uint32_t *order) {
  size_t small = 0, large = sampler->count;
  for (size_t i = 0; i < sampler->count; i++) {
    if (sampler->own[i] < 1)
      order[small++] = (uint32_t)i;
    else
      order[--large] = (uint32_t)i;
  }
  while (small > 0 && large < sampler->count) {
    const uint32_t poor = order[--small], rich = order[large];
    sampler->other[poor] = rich;
    sampler->own[rich] -= 1 - sampler->own[poor];
    if (sampler->own[rich] < 1) {
      large++;
      order[small++] = rich;
    }
  }
  /* Full but for rounding. */
  while (small > 0) sampler->own[order[--small]] = 1;
  while (large < sampler->count) sampler->own[order[large++]] = 1;
}

sfm_status sfmi_alias_sampler_init(sfmi_alias_sampler *sampler, const double *weights, size_t count,
                                   sfm_error *error) {
  long double sum = 0;
  assert(count <= UINT32_MAX);
  *sampler = (sfmi_alias_sampler){.count = count,
                                  .own = sfmi_alloc(count, sizeof *sampler->own),
                                  .other = sfmi_alloc(count, sizeof *sampler->other)};
  uint32_t *order = sfmi_alloc(count, sizeof *order);
  if (!sampler->own || !sampler->other || !order) {
    free(order);
    sfmi_alias_sampler_clear(sampler);
    return sfmi_fail_memory(error);
  }
  for (size_t i = 0; i < count; i++) sum += weights[i];
  assert(sum > 0 && isfinite((double)sum));
  for (size_t i = 0; i < count; i++)
    sampler->own[i] = (double)((long double)weights[i] * (long double)count / sum);
  fill_bins(sampler, order);
  free(order);
  return SFM_OK;
}

void sfmi_alias_sampler_clear(sfmi_alias_sampler *sampler) {
  free(sampler->own);
  free(sampler->other);
  *sampler = (sfmi_alias_sampler){0};
}

size_t sfmi_alias_sampler_draw(const sfmi_alias_sampler *sampler, sfmi_prng *prng) {
  /* The high half of the product is the bin, the low half the place in it. */
  const sfmi_u128 product = (sfmi_u128)sfmi_prng_word(prng) * sampler->count;
  const size_t bin = (size_t)(product >> 64);
  const double place = (double)((uint64_t)product >> 11) * 0x1p-53;
  return place < sampler->own[bin] ? bin : sampler->other[bin];
}
