#include "arena.h"

#include <stdlib.h>
#include <string.h>

struct sfmi_arena_block {
  struct sfmi_arena_block *next;
  size_t size;
  _Alignas(max_align_t) unsigned char bytes[];
};

void *sfmi_arena_get(sfmi_arena *arena, size_t count, size_t size) {
  struct sfmi_arena_block *block = NULL;
  if (!size || count <= (SIZE_MAX - sizeof *block) / size)
    block = calloc(1, sizeof *block + count * size);
  arena->failed |= !block;
  if (!block) return NULL;
  block->next = arena->blocks;
  block->size = count * size;
  arena->blocks = block;
  return block->bytes;
}

double *sfmi_arena_doubles(sfmi_arena *arena, size_t count) {
  return sfmi_arena_get(arena, count, sizeof(double));
}

void sfmi_arena_arrays(sfmi_arena *arena, size_t count, double **const *arrays) {
  for (; *arrays; arrays++) **arrays = sfmi_arena_doubles(arena, count);
}

void sfmi_arena_clear(sfmi_arena *arena) {
  while (arena->blocks) {
    struct sfmi_arena_block *next = arena->blocks->next;
    free(arena->blocks);
    arena->blocks = next;
  }
  arena->failed = false;
}

void sfmi_arena_wipe(sfmi_arena *arena) {
  for (struct sfmi_arena_block *block = arena->blocks; block; block = block->next)
    explicit_bzero(block->bytes, block->size);
  sfmi_arena_clear(arena);
}
