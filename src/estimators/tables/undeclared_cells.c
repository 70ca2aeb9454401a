#include "undeclared_cells.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void sfmi_undeclared_cells_clear(sfmi_undeclared_cells *l) {
  sfmi_wipe_free(l->entries, l->room, sizeof *l->entries);
  sfmi_wipe_free(l->slots, l->slot_count, sizeof *l->slots);
  sfmi_wipe_free(l->bytes, l->bytes_room, sizeof *l->bytes);
  *l = (sfmi_undeclared_cells){0};
}

/* The array in a larger place, the old one wiped; false when memory is short. */
static bool grow(void **array, size_t *room, size_t size, size_t wanted) {
  size_t larger = *room ? *room : 1024;
  while (larger < wanted) larger *= 2;
  if (larger == *room) return true;
  void *place = sfmi_alloc(larger, size);
  if (!place) return false;
  if (*array) memcpy(place, *array, *room * size);
  sfmi_wipe_free(*array, *room, size);
  *array = place;
  *room = larger;
  return true;
}

/* Eight bytes at a time, each mixed in by a multiplication whose high half comes back down. */
static uint64_t hash_of(const char *bytes, size_t length) {
  uint64_t h = length * UINT64_C(0x9e3779b97f4a7c15);
  for (size_t at = 0; at < length; at += 8) {
    uint64_t word = 0;
    memcpy(&word, bytes + at, length - at < 8 ? length - at : 8);
    const sfmi_u128 product = (sfmi_u128)(h ^ word) * UINT64_C(0xd6e8feb86659fd93);
    h = (uint64_t)product ^ (uint64_t)(product >> 64);
  }
  return h;
}

/* The slot of the bytes, or the free one where they would be. */
static size_t *find(const sfmi_undeclared_cells *l, uint64_t hash, const char *bytes,
                    uint32_t length) {
  for (size_t i = (size_t)hash;; i++) {
    size_t *slot = &l->slots[i & (l->slot_count - 1)];
    if (*slot == 0) return slot;
    const sfmi_undeclared_cell *entry = &l->entries[*slot - 1];
    if (entry->hash == hash && entry->length == length &&
        memcmp(l->bytes + entry->offset, bytes, length) == 0)
      return slot;
  }
}

/* Twice as many slots, or the first. */
static bool grow_slots(sfmi_undeclared_cells *l) {
  const size_t larger = l->slot_count ? 2 * l->slot_count : 1024;
  size_t *slots = sfmi_alloc(larger, sizeof *slots);
  if (!slots) return false;
  sfmi_wipe_free(l->slots, l->slot_count, sizeof *l->slots);
  l->slots = slots;
  l->slot_count = larger;
  for (size_t e = 0; e < l->count; e++) {
    size_t i = (size_t)l->entries[e].hash & (larger - 1);
    while (slots[i]) i = (i + 1) & (larger - 1);
    slots[i] = e + 1;
  }
  return true;
}

static bool add_entry(sfmi_undeclared_cells *l, const sfmi_undeclared_cell *entry,
                      const char *bytes) {
  void *entries = l->entries, *place = l->bytes;
  const bool good = grow(&entries, &l->room, sizeof *l->entries, l->count + 1) &&
                    grow(&place, &l->bytes_room, 1, l->used + entry->length);
  l->entries = entries;
  l->bytes = place;
  if (!good) return false;
  memcpy(l->bytes + l->used, bytes, entry->length);
  l->entries[l->count++] = *entry;
  l->used += entry->length;
  return true;
}

sfm_status sfmi_undeclared_cells_add(sfmi_undeclared_cells *l, const char *bytes, uint32_t length,
                                     sfm_error *error) {
  if (l->slot_count < 2 * (l->count + 1) && !grow_slots(l)) return sfmi_fail_memory(error);
  const uint64_t hash = hash_of(bytes, length);
  size_t *slot = find(l, hash, bytes, length);
  if (*slot) {
    l->entries[*slot - 1].count++;
    return SFM_OK;
  }
  const sfmi_undeclared_cell entry = {hash, l->used, length, 1};
  if (!add_entry(l, &entry, bytes)) return sfmi_fail_memory(error);
  *slot = l->count;
  return SFM_OK;
}

static int compare(const void *a, const void *b, void *bytes) {
  const sfmi_undeclared_cell *x = a, *y = b;
  const uint32_t shared = x->length < y->length ? x->length : y->length;
  const int order = memcmp((char *)bytes + x->offset, (char *)bytes + y->offset, shared);
  return order ? order : (x->length > y->length) - (x->length < y->length);
}

void sfmi_undeclared_cells_sort(sfmi_undeclared_cells *l) {
  if (l->count) qsort_r(l->entries, l->count, sizeof *l->entries, compare, l->bytes);
}
