#include "terminal_cells.h"

#include <stdlib.h>

#include "draw/palette.h"
#include "draw/text_layout.h"

bool draw_cells_init(draw_cells *cells, unsigned columns, unsigned rows) {
  *cells = (draw_cells){columns, rows, calloc((size_t)columns * rows, sizeof *cells->cell)};
  if (!cells->cell) return false;
  for (size_t i = 0; i < (size_t)columns * rows; i++)
    cells->cell[i] = (draw_cell){' ', 0, DRAW_PLAIN, DRAW_PLAIN};
  return true;
}

void draw_cells_clear(draw_cells *cells) {
  free(cells->cell);
  cells->cell = NULL;
}

void draw_cells_put(draw_cells *cells, unsigned column, unsigned row, uint32_t code, uint32_t ink) {
  if (column >= cells->columns || row >= cells->rows) return;
  draw_cell *cell = &cells->cell[(size_t)row * cells->columns + column];
  cell->code = code;
  cell->ink = ink;
}

unsigned draw_cells_text(draw_cells *cells, unsigned column, unsigned row, const char *text,
                         size_t bytes, uint32_t ink) {
  unsigned begin = column;
  if (row >= cells->rows) return 0;
  for (size_t i = 0, step; i < bytes; i += step) {
    uint32_t code = draw_decode(text + i, &step);
    unsigned wide = draw_columns(code);
    if (column + wide > cells->columns) break;
    if (wide == 0 && column > begin) {
      cells->cell[(size_t)row * cells->columns + column - 1].mark = code;
    } else if (wide > 0) {
      draw_cells_put(cells, column, row, code, ink);
      if (wide == 2) draw_cells_put(cells, column + 1, row, 0, ink);
    }
    column += wide;
  }
  return column - begin;
}

static void print_colour(FILE *out, uint32_t colour, unsigned layer, unsigned colours) {
  if (colour == DRAW_PLAIN)
    fprintf(out, "\033[%um", layer + 1);
  else if (colours <= 256)
    fprintf(out, "\033[%u;5;%um", layer, draw_palette_nearest(colour));
  else
    fprintf(out, "\033[%u;2;%u;%u;%um", layer, colour >> 16 & 255, colour >> 8 & 255, colour & 255);
}

static void print_row(const draw_cell *cell, unsigned columns, FILE *out, unsigned colours) {
  uint32_t ink = DRAW_PLAIN, paper = DRAW_PLAIN;
  while (columns > 0 && cell[columns - 1].code == ' ' && cell[columns - 1].paper == DRAW_PLAIN)
    columns--;
  for (unsigned i = 0; i < columns; i++) {
    char text[9];
    if (cell[i].code == 0) continue;
    if (colours && cell[i].paper != paper) print_colour(out, paper = cell[i].paper, 48, colours);
    if (colours && cell[i].ink != ink && cell[i].code != ' ')
      print_colour(out, ink = cell[i].ink, 38, colours);
    size_t n = draw_encode(text, cell[i].code);
    if (cell[i].mark) n += draw_encode(text + n, cell[i].mark);
    fwrite(text, 1, n, out);
  }
  fputs(ink != DRAW_PLAIN || paper != DRAW_PLAIN ? "\033[0m\n" : "\n", out);
}

void draw_cells_print(const draw_cells *cells, FILE *out, unsigned colours) {
  for (unsigned row = 0; row < cells->rows; row++)
    print_row(cells->cell + (size_t)row * cells->columns, cells->columns, out, colours);
}
