/* kernel_cache.c - a ring of slots, from the latest used to the one that is overwritten next; the
 * slot number `room` is the head of the ring and holds no line.
 *
 * Invariant: a slot below `used` holds the line of its row, and slots[row] is that slot. */
#include "kernel_cache.h"

#include <stdlib.h>

static const size_t NONE = SIZE_MAX;

typedef struct slot {
  size_t before, after, row;
} slot;

struct sfmi_kernel_cache {
  size_t count, stride, room, used;
  slot *ring;      /* `room` of them, and the head */
  size_t *slots;   /* one per row, or NONE */
  size_t *missing; /* rows whose lines are to be computed, and where */
  float **places;
  float *numbers;
};

sfmi_kernel_cache *sfmi_kernel_cache_create(size_t count) {
  const size_t fit =
      SFMI_KERNEL_CACHE_BYTES_MAX / (sizeof(float) * (sfmi_kernel_matrix_stride(count) + 1));
  const size_t room = fit > SFMI_KERNEL_CACHE_LINES_MIN ? fit : SFMI_KERNEL_CACHE_LINES_MIN;
  return sfmi_kernel_cache_create_for(count, room < count ? room : count);
}

sfmi_kernel_cache *sfmi_kernel_cache_create_for(size_t count, size_t room) {
  sfmi_kernel_cache *cache = sfmi_alloc(1, sizeof *cache);
  if (!cache) return NULL;
  cache->count = count;
  cache->stride = sfmi_kernel_matrix_stride(count);
  cache->room = room;
  cache->ring = sfmi_alloc(cache->room + 1, sizeof *cache->ring);
  cache->slots = sfmi_alloc(count, sizeof *cache->slots);
  cache->missing = sfmi_alloc(cache->room, sizeof *cache->missing);
  cache->places = sfmi_alloc(cache->room, sizeof *cache->places);
  cache->numbers = sfmi_alloc(cache->room * cache->stride, sizeof *cache->numbers);
  if (!cache->ring || !cache->slots || !cache->missing || !cache->places || !cache->numbers) {
    sfmi_kernel_cache_destroy(cache);
    return NULL;
  }
  for (size_t i = 0; i < count; i++) cache->slots[i] = NONE;
  cache->ring[cache->room] = (slot){cache->room, cache->room, NONE};
  return cache;
}

void sfmi_kernel_cache_destroy(sfmi_kernel_cache *cache) {
  if (!cache) return;
  sfmi_wipe_free(cache->numbers, cache->used * cache->stride, sizeof *cache->numbers);
  sfmi_wipe_free(cache->ring, cache->room + 1, sizeof *cache->ring);
  sfmi_wipe_free(cache->slots, cache->count, sizeof *cache->slots);
  sfmi_wipe_free(cache->missing, cache->room, sizeof *cache->missing);
  free(cache->places);
  free(cache);
}

size_t sfmi_kernel_cache_room(const sfmi_kernel_cache *cache) {
  return cache->room;
}

static void take_out(sfmi_kernel_cache *cache, size_t at) {
  slot *ring = cache->ring;
  ring[ring[at].before].after = ring[at].after;
  ring[ring[at].after].before = ring[at].before;
}

static void put_first(sfmi_kernel_cache *cache, size_t at) {
  slot *ring = cache->ring;
  const size_t head = cache->room;
  ring[at].before = head;
  ring[at].after = ring[head].after;
  ring[ring[head].after].before = at;
  ring[head].after = at;
}

/* A slot for a row that has none: a new one, or the one used longest ago. */
static size_t free_slot(sfmi_kernel_cache *cache, size_t row) {
  size_t at = cache->used;
  if (at < cache->room) {
    cache->used++;
  } else {
    at = cache->ring[cache->room].before;
    take_out(cache, at);
    cache->slots[cache->ring[at].row] = NONE;
  }
  cache->ring[at].row = row;
  cache->slots[row] = at;
  put_first(cache, at);
  return at;
}

void sfmi_kernel_cache_get(sfmi_kernel_cache *cache, const float **out,
                           const sfmi_kernel_matrix *matrix, sfmi_thread_pool *pool,
                           const size_t *which, size_t count) {
  size_t missing = 0;
  for (size_t i = 0; i < count; i++) {
    const size_t at = cache->slots[which[i]];
    if (at == NONE) continue;
    take_out(cache, at);
    put_first(cache, at);
  }
  for (size_t i = 0; i < count; i++) {
    if (cache->slots[which[i]] != NONE) continue;
    cache->missing[missing] = which[i];
    cache->places[missing++] = cache->numbers + free_slot(cache, which[i]) * cache->stride;
  }
  if (missing > 0) sfmi_kernel_matrix_rows(matrix, pool, cache->places, cache->missing, missing);
  for (size_t i = 0; i < count; i++)
    out[i] = cache->numbers + cache->slots[which[i]] * cache->stride;
}
