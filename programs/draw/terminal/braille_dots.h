/* braille_dots.h - braille dots in a plot of the terminal, 2 x 4 per cell, in layers of one ink
 * each. */
#ifndef DRAW_BRAILLE_DOTS_H
#define DRAW_BRAILLE_DOTS_H

#include "screen.h"

typedef struct draw_dots {
  unsigned columns, rows, layers; /* columns and rows of dots */
  uint8_t *cell;                  /* one byte per cell, layer after layer */
} draw_dots;

/* None set, over the screen's plot; false if memory was short. */
bool draw_dots_init(draw_dots *dots, const draw_screen *screen, unsigned layers);
void draw_dots_clear(draw_dots *dots);
/* What lies outside is dropped; a run has both its ends. */
void draw_dots_set(draw_dots *dots, unsigned layer, long column, long row);
void draw_dots_run(draw_dots *dots, unsigned layer, long column, long from, long to);
/* Joins the dot of a curve at a column to the one at the column before. */
void draw_dots_join(draw_dots *dots, unsigned layer, long column, long before, long row);
/* The dots of a layer in a cell. */
unsigned draw_dots_at(const draw_dots *dots, unsigned layer, unsigned column, unsigned row);

/* The dot row of a value; beyond the screen it stays just beyond. */
long draw_dots_row(const draw_screen *screen, double value);
/* A cell has one ink, that of its first layer, and the dots of all; layers from `shy` on give way
 * to those before. */
void draw_dots_show(const draw_dots *dots, draw_screen *screen, const uint32_t *ink, unsigned shy);

/* The character of a sample in a legend: which of its two columns have a dot. */
uint32_t draw_dots_sample(bool first, bool second);

#endif
