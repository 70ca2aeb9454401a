#include "histogram_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math/normal_distribution.h"
#include "releases/band/noise_sum.h"

sfmi_cells *sfmi_cells_create(size_t count) {
  sfmi_cells *cells = sfmi_alloc(1, sizeof *cells);
  if (cells) cells->factors = sfmi_alloc(count, sizeof *cells->factors);
  if (cells && !cells->factors) {
    free(cells);
    return NULL;
  }
  if (cells) cells->count = count;
  return cells;
}

static void clear_factor(sfmi_factor *factor) {
  sfmi_free_strings(factor->labels, factor->size);
  free(factor->name);
}

void sfmi_cells_destroy(sfmi_cells *cells, size_t length) {
  if (!cells) return;
  for (size_t i = 0; i < cells->count; i++) clear_factor(&cells->factors[i]);
  sfmi_free_strings(cells->texts, length * cells->count);
  free(cells->factors);
  free(cells->margins);
  free(cells->starts);
  free(cells->keys);
  free(cells);
}

bool sfmi_factor_set_labels(sfmi_factor *factor, const char *const *labels, uint64_t size) {
  factor->labels = sfmi_copy_strings(labels, size);
  factor->size = size;
  return factor->labels != NULL;
}

/* A copy of count things, or NULL where there are none; *good is false when memory is short. */
static void *copy_array(const void *from, size_t count, size_t size, bool *good) {
  if (!from) return NULL;
  void *copy = sfmi_alloc(count, size);
  if (copy)
    memcpy(copy, from, count * size);
  else
    *good = false;
  return copy;
}

sfmi_cells *sfmi_cells_copy(const sfmi_cells *cells, size_t length) {
  sfmi_cells *copy = sfmi_cells_create(cells->count);
  bool good = copy != NULL;
  if (!good) return NULL;
  sfmi_factor *factors = copy->factors;
  *copy = *cells;
  copy->factors = factors;
  for (size_t i = 0; i < cells->count; i++) {
    const sfmi_factor *from = &cells->factors[i];
    factors[i] = (sfmi_factor){.size = from->labels ? 0 : from->size,
                               .lower = from->lower,
                               .upper = from->upper,
                               .name = sfmi_copy_string(from->name)};
    good = factors[i].name && good;
    if (from->labels)
      good = sfmi_factor_set_labels(&factors[i], (const char *const *)from->labels, from->size) &&
             good;
  }
  copy->margins = copy_array(cells->margins, cells->margin_count, sizeof *cells->margins, &good);
  copy->starts = copy_array(cells->starts, cells->margin_count + 1, sizeof *cells->starts, &good);
  copy->keys = copy_array(cells->keys, length, sizeof *cells->keys, &good);
  copy->texts = cells->texts
                    ? sfmi_copy_strings((const char *const *)cells->texts, length * cells->count)
                    : NULL;
  if (good && (copy->texts || !cells->texts)) return copy;
  sfmi_cells_destroy(copy, length);
  return NULL;
}

uint64_t sfmi_cells_all_factors(const sfmi_cells *cells) {
  return cells->count >= 64 ? UINT64_MAX : (UINT64_C(1) << cells->count) - 1;
}

bool sfmi_cells_size(const sfmi_cells *cells, uint64_t margin, uint64_t *size) {
  *size = 1;
  for (size_t i = 0; i < cells->count; i++) {
    if (!(margin >> i & 1)) continue;
    if (cells->factors[i].size == 0 || *size > SFMI_CELLS_MAX / cells->factors[i].size)
      return false;
    *size *= cells->factors[i].size;
  }
  return true;
}

bool sfmi_cells_set_starts(sfmi_cells *cells, size_t *length) {
  *length = 0;
  free(cells->starts);
  cells->starts = sfmi_alloc(cells->margin_count + 1, sizeof *cells->starts);
  if (!cells->starts) {
    *length = 1;
    return false;
  }
  for (size_t m = 0; m < cells->margin_count; m++) {
    uint64_t size;
    if (!sfmi_cells_size(cells, cells->margins[m], &size) ||
        size > SFMI_RELEASE_MAX - cells->starts[m])
      return false;
    cells->starts[m + 1] = cells->starts[m] + (size_t)size;
  }
  *length = cells->starts[cells->margin_count];
  return true;
}

void sfmi_cells_codes(const sfmi_cells *cells, uint64_t margin, uint64_t key, uint32_t *codes) {
  for (size_t i = cells->count; i-- > 0;) {
    codes[i] = SFMI_NO_CODE;
    if (!(margin >> i & 1)) continue;
    codes[i] = (uint32_t)(key % cells->factors[i].size);
    key /= cells->factors[i].size;
  }
}

uint64_t sfmi_cells_key(const sfmi_cells *cells, uint64_t margin, const uint32_t *codes) {
  uint64_t key = 0;
  for (size_t i = 0; i < cells->count; i++)
    if (margin >> i & 1) key = key * cells->factors[i].size + codes[i];
  return key;
}

void sfmi_cells_place(const sfm_release *release, size_t e, uint64_t *margin, uint64_t *key) {
  const sfmi_cells *cells = release->cells;
  *margin = cells->margins[0];
  if (cells->keys) {
    *key = cells->keys[e];
    return;
  }
  size_t low = 0, high = cells->margin_count; /* starts[low] <= e < starts[high] */
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    *(cells->starts[middle] <= e ? &low : &high) = middle;
  }
  *margin = cells->margins[low];
  *key = e - cells->starts[low];
}

double sfmi_cells_noise_width(const sfm_release *release, double p) {
  const bool normal = sfmi_release_normal(release);
  if (release->summed > 1) return sfmi_noise_sum_width(release->scale, normal, release->summed, p);
  return normal ? floor(release->scale * sfmi_normal_tail_inverse(p / 2) + 0.5)
                : sfmi_discrete_laplace_width(release->scale, p);
}
