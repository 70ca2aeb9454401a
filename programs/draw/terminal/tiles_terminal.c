/* tiles_terminal.c - a map of two columns in the terminal, one line per category of the first. */
#include <math.h>

#include "draw/palette.h"
#include "terminal_frame.h"
#include "draw/tiles.h"

enum { CELL_MOST = 24 };
static const uint32_t ramp[5] = {' ', 0x2591, 0x2592, 0x2593, 0x2588};

/* The columns of a map: the names at the left, then one per category. */
static unsigned tile_width(const draw_tiles *tiles, size_t k) {
  unsigned wide = draw_frame_width(tiles->names[1][k]);
  for (size_t i = 0; i < tiles->counts[0]; i++) {
    const unsigned detail = draw_frame_width(tiles->details[i * tiles->counts[1] + k]) + 3;
    wide = detail > wide ? detail : wide;
  }
  return wide < CELL_MOST ? wide : CELL_MOST;
}

static unsigned names_width(const draw_tiles *tiles) {
  unsigned wide = draw_frame_width(tiles->labels[0]);
  for (size_t i = 0; i < tiles->counts[0]; i++) {
    const unsigned name = draw_frame_width(tiles->names[0][i]);
    wide = name > wide ? name : wide;
  }
  return wide < CELL_MOST ? wide : CELL_MOST;
}

unsigned draw_tiles_columns(const draw_tiles *tiles) {
  unsigned all = names_width(tiles);
  for (size_t k = 0; k < tiles->counts[1] && all <= DRAW_COLUMNS_MAX; k++)
    all += 1 + tile_width(tiles, k);
  return all;
}

/* A count with a shade behind it, or with as dark a block beside it. */
static void show_tile(draw_screen *screen, unsigned column, unsigned row, unsigned width,
                      const char *detail, double t) {
  if (!screen->colour) {
    const uint32_t shade = ramp[(unsigned)fmin(fmax(t, 0) * 5, 4)];
    draw_frame_text(screen, column, row, width - 3, detail, DRAW_PLAIN, true);
    draw_cells_put(&screen->cells, column + width - 2, row, shade, DRAW_PLAIN);
    draw_cells_put(&screen->cells, column + width - 1, row, shade, DRAW_PLAIN);
    return;
  }
  const double shown = fmin(fmax(t, 0), 1);
  const uint32_t paper = draw_palette(1 - shown), ink = shown > 0.5 ? 0x101010 : 0xf0f0f0;
  for (unsigned c = column; c < column + width; c++) {
    draw_cells_put(&screen->cells, c, row, ' ', ink);
    if (c < screen->cells.columns)
      screen->cells.cell[(size_t)row * screen->cells.columns + c].paper = paper;
  }
  draw_frame_text(screen, column, row, width - 1, detail, ink, true);
}

static void show_map(draw_screen *screen, const draw_tiles *tiles, double top) {
  const unsigned names = names_width(tiles);
  unsigned column = names + 1;
  for (size_t i = 0; i < tiles->counts[0]; i++)
    draw_frame_text(screen, 0, 3 + (unsigned)i, names, tiles->names[0][i], DRAW_PLAIN, true);
  for (size_t k = 0; k < tiles->counts[1]; k++) {
    const unsigned wide = tile_width(tiles, k);
    draw_frame_text(screen, column, 2, wide, tiles->names[1][k], DRAW_SCREEN_GREY, true);
    for (size_t i = 0; i < tiles->counts[0]; i++) {
      const size_t at = i * tiles->counts[1] + k;
      show_tile(screen, column, 3 + (unsigned)i, wide, tiles->details[at],
                draw_shown(tiles->values[at]) ? tiles->values[at] / top : 0);
    }
    column += wide + 1;
  }
}

void draw_tiles_terminal(const draw_tiles *tiles, FILE *out, unsigned columns, unsigned words,
                         bool colour) {
  draw_frame f = {.screen.colour = colour};
  char text[512], both[1100], name[512];
  double top = 0;
  for (size_t k = 0; k < tiles->counts[0] * tiles->counts[1]; k++)
    if (draw_shown(tiles->values[k])) top = fmax(top, tiles->values[k]);
  if (!draw_frame_open(&f, tiles->title, tiles->caption, tiles->note, columns,
                       (unsigned)tiles->counts[0] + 1, words))
    return;
  draw_clean(name, sizeof name, tiles->labels[0]);
  draw_clean(text, sizeof text, tiles->labels[1]);
  snprintf(both, sizeof both, "%s downwards, %s across", name, text);
  draw_frame_text(&f.screen, 0, 1, f.screen.cells.columns, both, DRAW_SCREEN_GREY, false);
  show_map(&f.screen, tiles, top > 0 ? top : 1);
  draw_frame_print(&f, out);
}
