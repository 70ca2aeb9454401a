#include "occupied_cells.h"

#include <stdlib.h>

#include "base/math/sort.h"
#include "table_cells.h"

/* The least number of cells that are worth a sort. */
static const size_t WAITING_MIN = (size_t)1 << 16;

void sfmi_occupied_cells_clear(sfmi_occupied_cells *o) {
  sfmi_wipe_free(o->keys, o->room, sizeof *o->keys);
  sfmi_wipe_free(o->counts, o->room, sizeof *o->counts);
  sfmi_wipe_free(o->waiting, o->waiting_room, sizeof *o->waiting);
  *o = (sfmi_occupied_cells){0};
}

/* Known cells and sorted waiting ones, each once, into a new one; returns how many. */
static size_t merge(uint64_t *keys, uint64_t *counts, const sfmi_occupied_cells *o) {
  size_t known = 0, waiting = 0, count = 0;
  while (known < o->count || waiting < o->waiting_count) {
    const bool old =
        waiting == o->waiting_count || (known < o->count && o->keys[known] <= o->waiting[waiting]);
    const uint64_t key = old ? o->keys[known] : o->waiting[waiting];
    uint64_t number = old ? o->counts[known++] : 0;
    for (; waiting < o->waiting_count && o->waiting[waiting] == key; waiting++) number++;
    keys[count] = key;
    counts[count++] = number;
  }
  return count;
}

sfm_status sfmi_occupied_cells_finish(sfmi_occupied_cells *o, sfm_error *error) {
  const size_t room = o->count + o->waiting_count;
  if (o->waiting_count == 0) return SFM_OK;
  uint64_t *keys = sfmi_alloc(room, sizeof *keys), *counts = sfmi_alloc(room, sizeof *counts);
  if (!keys || !counts) {
    free(keys);
    free(counts);
    return sfmi_fail_memory(error);
  }
  sfmi_radix_sort(o->waiting, keys, o->waiting_count); /* keys serves as scratch */
  const size_t count = merge(keys, counts, o);
  sfmi_wipe_free(o->keys, o->room, sizeof *o->keys);
  sfmi_wipe_free(o->counts, o->room, sizeof *o->counts);
  o->keys = keys;
  o->counts = counts;
  o->count = count;
  o->room = room;
  o->waiting_count = 0;
  return SFM_OK;
}

/* Room for more waiting ones, as many as there are known cells. */
static sfm_status grow(sfmi_occupied_cells *o, sfm_error *error) {
  const size_t room = o->count > WAITING_MIN ? o->count : WAITING_MIN;
  if (room <= o->waiting_room) return SFM_OK;
  uint64_t *waiting = sfmi_alloc(room, sizeof *waiting);
  if (!waiting) return sfmi_fail_memory(error);
  sfmi_wipe_free(o->waiting, o->waiting_room, sizeof *o->waiting);
  o->waiting = waiting;
  o->waiting_room = room;
  return SFM_OK;
}

sfm_status sfmi_occupied_cells_add(sfmi_occupied_cells *o, const uint64_t *keys, size_t count,
                                   sfm_error *error) {
  for (size_t i = 0; i < count; i++) {
    if (keys[i] == SFMI_NO_CELL) continue;
    if (o->waiting_count == o->waiting_room) {
      sfm_status status = sfmi_occupied_cells_finish(o, error);
      if (!status) status = grow(o, error);
      if (status) return status;
    }
    o->waiting[o->waiting_count++] = keys[i];
  }
  return SFM_OK;
}
