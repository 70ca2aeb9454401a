/* arena.h - scratch memory that is freed all at once.
 *
 * Invariant: every block is a calloc'd chunk linked from the arena; pointers stay valid until
 * sfmi_arena_clear.  A zeroed sfmi_arena is a valid empty one.  Not thread-safe. */
#ifndef SFMI_ARENA_H
#define SFMI_ARENA_H

#include "status.h"

typedef struct sfmi_arena {
  struct sfmi_arena_block *blocks;
  bool failed; /* something could not be had since it was empty */
} sfmi_arena;

/* count x size zeroed bytes, or NULL when memory is short or the product overflows. */
void *sfmi_arena_get(sfmi_arena *arena, size_t count, size_t size);
/* count doubles. */
double *sfmi_arena_doubles(sfmi_arena *arena, size_t count);
/* The same for each of the arrays, whose list ends with NULL. */
void sfmi_arena_arrays(sfmi_arena *arena, size_t count, double **const *arrays);
/* Frees everything; the arena is empty and usable again. */
void sfmi_arena_clear(sfmi_arena *arena);
/* The same for what held private numbers: zeroes it first, in a way that a compiler does not leave
 * out. */
void sfmi_arena_wipe(sfmi_arena *arena);

#endif
