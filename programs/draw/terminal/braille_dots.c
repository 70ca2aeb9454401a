#include "braille_dots.h"

#include <math.h>
#include <stdlib.h>

/* The bits of a cell's dots above U+2800. */
static const uint8_t dot_bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
static const uint32_t BRAILLE = 0x2800;

bool draw_dots_init(draw_dots *dots, const draw_screen *screen, unsigned layers) {
  *dots = (draw_dots){2 * screen->width, 4 * screen->height, layers, NULL};
  dots->cell = calloc((size_t)screen->width * screen->height, layers);
  return dots->cell != NULL;
}

void draw_dots_clear(draw_dots *dots) {
  free(dots->cell);
  dots->cell = NULL;
}

static size_t place(const draw_dots *dots, unsigned layer, unsigned column, unsigned row) {
  return ((size_t)layer * (dots->rows / 4) + row) * (dots->columns / 2) + column;
}

void draw_dots_set(draw_dots *dots, unsigned layer, long column, long row) {
  if (column < 0 || row < 0 || column >= (long)dots->columns || row >= (long)dots->rows) return;
  dots->cell[place(dots, layer, (unsigned)column / 2, (unsigned)row / 4)] |=
      dot_bits[row % 4][column % 2];
}

void draw_dots_run(draw_dots *dots, unsigned layer, long column, long from, long to) {
  if (from > to) {
    long t = from;
    from = to;
    to = t;
  }
  for (long row = from; row <= to; row++) draw_dots_set(dots, layer, column, row);
}

void draw_dots_join(draw_dots *dots, unsigned layer, long column, long before, long row) {
  if (labs(row - before) <= 1) return;
  const long half_way = (row + before) / 2;
  draw_dots_run(dots, layer, column - 1, before, half_way);
  draw_dots_run(dots, layer, column, half_way, row);
}

unsigned draw_dots_at(const draw_dots *dots, unsigned layer, unsigned column, unsigned row) {
  return dots->cell[place(dots, layer, column, row)];
}

long draw_dots_row(const draw_screen *screen, double value) {
  double row = draw_screen_height(screen, value);
  return lround(fmin(fmax(row, -1), 4.0 * screen->height));
}

void draw_dots_show(const draw_dots *dots, draw_screen *screen, const uint32_t *ink, unsigned shy) {
  for (unsigned row = 0; row < screen->height; row++) {
    for (unsigned column = 0; column < screen->width; column++) {
      unsigned bits = 0, layer = 0;
      for (unsigned k = 0; k < dots->layers; k++) {
        const unsigned these = draw_dots_at(dots, k, column, row);
        if (!these || (k >= shy && bits)) continue;
        if (!bits) layer = k;
        bits |= these;
      }
      if (bits) draw_screen_put(screen, column, row, BRAILLE + bits, ink[layer]);
    }
  }
}

uint32_t draw_dots_sample(bool first, bool second) {
  return BRAILLE + (first ? dot_bits[1][0] : 0u) + (second ? dot_bits[1][1] : 0u);
}
