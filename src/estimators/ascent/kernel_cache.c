/* kernel_cache.c
 *
 * Slots are a ring, from the latest used to the one that is overwritten next; `head` is not a slot.
 * Invariant: a slot below `used` holds the line of its row, and slots[row] is that slot. */
#include "kernel_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/system/wipe.h"

static const size_t NONE = SIZE_MAX;

typedef struct slot {
  size_t before, after, row;
} slot;

struct sfmi_kernel_cache {
  size_t count, stride, room, used;
  slot *ring;      /* room of them, and the head */
  size_t *slots;   /* one a row, or NONE */
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
  sfmi_kernel_cache *lines = sfmi_alloc(1, sizeof *lines);
  if (!lines) return NULL;
  lines->count = count;
  lines->stride = sfmi_kernel_matrix_stride(count);
  lines->room = room;
  lines->ring = sfmi_alloc(lines->room + 1, sizeof *lines->ring);
  lines->slots = sfmi_alloc(count, sizeof *lines->slots);
  lines->missing = sfmi_alloc(lines->room, sizeof *lines->missing);
  lines->places = sfmi_alloc(lines->room, sizeof *lines->places);
  lines->numbers = sfmi_alloc(lines->room * lines->stride, sizeof *lines->numbers);
  if (!lines->ring || !lines->slots || !lines->missing || !lines->places || !lines->numbers) {
    sfmi_kernel_cache_destroy(lines);
    return NULL;
  }
  for (size_t i = 0; i < count; i++) lines->slots[i] = NONE;
  lines->ring[lines->room] = (slot){lines->room, lines->room, NONE};
  return lines;
}

void sfmi_kernel_cache_destroy(sfmi_kernel_cache *lines) {
  if (!lines) return;
  sfmi_wipe_free(lines->numbers, lines->used * lines->stride, sizeof *lines->numbers);
  sfmi_wipe_free(lines->ring, lines->room + 1, sizeof *lines->ring);
  sfmi_wipe_free(lines->slots, lines->count, sizeof *lines->slots);
  sfmi_wipe_free(lines->missing, lines->room, sizeof *lines->missing);
  free(lines->places);
  free(lines);
}

size_t sfmi_kernel_cache_room(const sfmi_kernel_cache *lines) {
  return lines->room;
}

static void take_out(sfmi_kernel_cache *lines, size_t at) {
  slot *ring = lines->ring;
  ring[ring[at].before].after = ring[at].after;
  ring[ring[at].after].before = ring[at].before;
}

static void put_first(sfmi_kernel_cache *lines, size_t at) {
  slot *ring = lines->ring;
  const size_t head = lines->room;
  ring[at].before = head;
  ring[at].after = ring[head].after;
  ring[ring[head].after].before = at;
  ring[head].after = at;
}

/* A slot for a row that has none: a new one, or the one used longest ago. */
static size_t free_slot(sfmi_kernel_cache *lines, size_t row) {
  size_t at = lines->used;
  if (at < lines->room) {
    lines->used++;
  } else {
    at = lines->ring[lines->room].before;
    take_out(lines, at);
    lines->slots[lines->ring[at].row] = NONE;
  }
  lines->ring[at].row = row;
  lines->slots[row] = at;
  put_first(lines, at);
  return at;
}

void sfmi_kernel_cache_get(sfmi_kernel_cache *lines, const float **out,
                           const sfmi_kernel_matrix *matrix, sfmi_thread_pool *pool,
                           const size_t *which, size_t count) {
  size_t missing = 0;
  for (size_t i = 0; i < count; i++) {
    const size_t at = lines->slots[which[i]];
    if (at == NONE) continue;
    take_out(lines, at);
    put_first(lines, at);
  }
  for (size_t i = 0; i < count; i++) {
    if (lines->slots[which[i]] != NONE) continue;
    lines->missing[missing] = which[i];
    lines->places[missing++] = lines->numbers + free_slot(lines, which[i]) * lines->stride;
  }
  if (missing > 0) sfmi_kernel_matrix_rows(matrix, pool, lines->places, lines->missing, missing);
  for (size_t i = 0; i < count; i++)
    out[i] = lines->numbers + lines->slots[which[i]] * lines->stride;
}
