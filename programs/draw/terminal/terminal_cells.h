/* terminal_cells.h - a terminal screen in memory: code points with colours, printed line by
 * line. */
#ifndef DRAW_TERMINAL_CELLS_H
#define DRAW_TERMINAL_CELLS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define DRAW_PLAIN UINT32_MAX /* the terminal's own colour */

typedef struct draw_cell {
  uint32_t code; /* 0: the second half of a wide character */
  uint32_t mark; /* a combining mark, or 0 */
  uint32_t ink, paper;
} draw_cell;

typedef struct draw_cells {
  unsigned columns, rows;
  draw_cell *cell;
} draw_cells;

/* Blank; false if memory was short. */
bool draw_cells_init(draw_cells *cells, unsigned columns, unsigned rows);
void draw_cells_clear(draw_cells *cells);
/* What lies outside is dropped. */
void draw_cells_put(draw_cells *cells, unsigned column, unsigned row, uint32_t code, uint32_t ink);
/* Returns the columns used. */
unsigned draw_cells_text(draw_cells *cells, unsigned column, unsigned row, const char *text,
                         size_t bytes, uint32_t ink);
/* Colours: 0 prints none, 256 the palette of that size, more the colours themselves. */
void draw_cells_print(const draw_cells *cells, FILE *out, unsigned colours);

#endif
