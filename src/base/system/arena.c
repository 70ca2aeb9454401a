#include "arena.h"

#include <stdlib.h>

struct sfmi_arena_block {
  struct sfmi_arena_block *next;
  _Alignas(max_align_t) unsigned char bytes[];
};

void *sfmi_arena_get(sfmi_arena *arena, size_t count, size_t size) {
  if (size && count > (SIZE_MAX - sizeof(struct sfmi_arena_block)) / size) return NULL;
  struct sfmi_arena_block *block = calloc(1, sizeof *block + count * size);
  if (!block) return NULL;
  block->next = arena->blocks;
  arena->blocks = block;
  return block->bytes;
}

double *sfmi_arena_doubles(sfmi_arena *arena, size_t count) {
  return sfmi_arena_get(arena, count, sizeof(double));
}

void sfmi_arena_clear(sfmi_arena *arena) {
  while (arena->blocks) {
    struct sfmi_arena_block *next = arena->blocks->next;
    free(arena->blocks);
    arena->blocks = next;
  }
}
