/* subset.c - by Floyd's algorithm, or as the first distinct numbers drawn where repetitions are
 * rare. */
#include "subset.h"

#include <assert.h>
#include <stdlib.h>

#include "base/math/sort.h"
#include "discrete_distributions.h"

/* Among this many times as many numbers as are wanted, a repetition is rare. */
enum { SPARSE = 16 };

static int ascending(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* Puts value + 1 into an open-addressing table; false if it was there.  0 is an empty slot. */
static bool insert(uint64_t *table, size_t mask, uint64_t value) {
  uint64_t mixed = value * UINT64_C(0x9e3779b97f4a7c15);
  size_t slot = (size_t)(mixed ^ mixed >> 32) & mask;
  for (; table[slot]; slot = (slot + 1) & mask) {
    if (table[slot] == value + 1) return false;
  }
  table[slot] = value + 1;
  return true;
}

/* The first k distinct values of a sequence of uniform integers: no number is favoured.  Each round
 * draws as many as are missing. */
static sfm_status draw_distinct(sfmi_stream *stream, uint64_t *out, size_t k, uint64_t n,
                                sfm_error *error) {
  uint64_t *scratch = sfmi_alloc(k, sizeof *scratch);
  if (!scratch) return sfmi_fail_memory(error);
  for (size_t have = 0; have < k;) {
    size_t kept = 0;
    for (size_t i = have; i < k; i++) out[i] = sfmi_uniform(stream, n);
    sfmi_radix_sort(out, scratch, k);
    for (size_t i = 0; i < k; i++)
      if (i == 0 || out[i] != out[i - 1]) out[kept++] = out[i];
    have = kept;
  }
  free(scratch);
  return SFM_OK;
}

sfm_status sfmi_subset(sfmi_stream *stream, uint64_t *out, size_t k, uint64_t n, sfm_error *error) {
  assert(k <= n && n <= SFMI_SUBSET_MAX);
  if (k < n / SPARSE) return draw_distinct(stream, out, k, n, error);
  size_t capacity = 4;
  while (capacity / 2 < k && capacity <= SIZE_MAX / 4) capacity *= 2;
  uint64_t *table = sfmi_alloc(capacity, sizeof *table);
  if (!table) return sfmi_fail_memory(error);
  /* After step j the chosen set is a uniform subset of 0 .. j of size j - (n - k) + 1. */
  for (uint64_t j = n - k; j < n; j++) {
    uint64_t value = sfmi_uniform(stream, j + 1);
    if (!insert(table, capacity - 1, value)) {
      value = j;
      insert(table, capacity - 1, value);
    }
    out[j - (n - k)] = value;
  }
  qsort(out, k, sizeof *out, ascending);
  free(table);
  return SFM_OK;
}
