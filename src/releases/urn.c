#include "releases/urn.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* Bins with less than their width are filled up by one with more, until all are full.  Small ones
 * are stacked from the front of order, large ones from its back. */
static void fill_bins(sfmi_urn *urn, uint32_t *order) {
  size_t small = 0, large = urn->count;
  for (size_t i = 0; i < urn->count; i++) {
    if (urn->own[i] < 1)
      order[small++] = (uint32_t)i;
    else
      order[--large] = (uint32_t)i;
  }
  while (small > 0 && large < urn->count) {
    const uint32_t poor = order[--small], rich = order[large];
    urn->other[poor] = rich;
    urn->own[rich] -= 1 - urn->own[poor];
    if (urn->own[rich] < 1) {
      large++;
      order[small++] = rich;
    }
  }
  /* Full but for rounding. */
  while (small > 0) urn->own[order[--small]] = 1;
  while (large < urn->count) urn->own[order[large++]] = 1;
}

sfm_status sfmi_urn_init(sfmi_urn *urn, const double *weights, size_t count, sfm_error *error) {
  long double sum = 0;
  assert(count <= UINT32_MAX);
  *urn = (sfmi_urn){.count = count,
                    .own = sfmi_alloc(count, sizeof *urn->own),
                    .other = sfmi_alloc(count, sizeof *urn->other)};
  uint32_t *order = sfmi_alloc(count, sizeof *order);
  if (!urn->own || !urn->other || !order) {
    free(order);
    sfmi_urn_clear(urn);
    return sfmi_fail_memory(error);
  }
  for (size_t i = 0; i < count; i++) sum += weights[i];
  assert(sum > 0 && isfinite((double)sum));
  for (size_t i = 0; i < count; i++)
    urn->own[i] = (double)((long double)weights[i] * (long double)count / sum);
  fill_bins(urn, order);
  free(order);
  return SFM_OK;
}

void sfmi_urn_clear(sfmi_urn *urn) {
  free(urn->own);
  free(urn->other);
  *urn = (sfmi_urn){0};
}

size_t sfmi_urn_draw(const sfmi_urn *urn, sfmi_prng *prng) {
  /* The high half of the product is the bin, the low half the place in it. */
  const sfmi_u128 product = (sfmi_u128)sfmi_prng_word(prng) * urn->count;
  const size_t bin = (size_t)(product >> 64);
  const double place = (double)((uint64_t)product >> 11) * 0x1p-53;
  return place < urn->own[bin] ? bin : urn->other[bin];
}
