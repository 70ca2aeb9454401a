/* heatmap_terminal.c - two variables in the terminal: half blocks in colour, or a ramp of
 * shades. */
#include "heatmap_terminal.h"

#include <math.h>

#include "draw/error_hatching.h"
#include "draw/palette.h"

static const uint32_t GAP_COLOUR = 0x6e6e6e;
static const uint32_t ramp[5] = {' ', 0x2591, 0x2592, 0x2593, 0x2588};

/* Dark is little here, as most terminals are dark. */
static uint32_t glow(double t) {
  return draw_palette(1 - fmin(fmax(t, 0), 1));
}

static double value_at(const draw_screen *screen, unsigned column, unsigned row, unsigned rows) {
  double w = screen->width, h = rows;
  const double from[2] = {column / w, 1 - (row + 1) / h}, to[2] = {(column + 1) / w, 1 - row / h};
  return (draw_figure_cell(screen->figure, from, to) - screen->scale.lower) /
         (screen->scale.upper - screen->scale.lower);
}

static uint32_t colour_of(double t) {
  return isnan(t) ? GAP_COLOUR : glow(t);
}

static uint32_t shade_of(double t) {
  if (isnan(t)) return 0xb7;
  return ramp[(unsigned)fmin(fmax(t, 0) * 5, 4)];
}

static void show_cell(draw_screen *screen, unsigned column, unsigned row, double upper,
                      double lower) {
  draw_screen_put(screen, column, row, 0x2580, colour_of(upper));
  draw_cells *cells = &screen->cells;
  size_t index = (size_t)(screen->top + row) * cells->columns + screen->left + column;
  cells->cell[index].paper = colour_of(lower);
}

/* How far off values may be, where the scale need not begin at zero. */
static void show_band(draw_screen *screen, unsigned row) {
  const draw_figure *figure = screen->figure;
  char label[256], most[DRAW_NUMBER_MAX], text[512];
  draw_clean(label, sizeof label, figure->band_label ? figure->band_label : "band");
  draw_number(figure->half_width, most, sizeof most);
  snprintf(text, sizeof text, "%s, %s\u00b1%s", label,
           draw_half_width_least(figure) < figure->half_width ? "up to " : "", most);
  draw_screen_text(screen, 0, row, screen->cells.columns, text, DRAW_SCREEN_ACCENT);
}

/* The scale: a bar from 0, or the least value, to the largest, and below it a bracket over what may
 * be error. */
static void show_key(draw_screen *screen) {
  const draw_figure *figure = screen->figure;
  char clean[1024], text[DRAW_TEXT_MAX], most[DRAW_NUMBER_MAX];
  char least[DRAW_NUMBER_MAX] = "0";
  unsigned columns = screen->cells.columns, row = screen->key;
  draw_number(screen->scale.upper, most, sizeof most);
  if (figure->floating) draw_number(screen->scale.lower, least, sizeof least);
  unsigned tail = draw_screen_width(most) + 1;
  unsigned head = draw_screen_width(least) + 1;
  unsigned bar = columns / 3 < 32 ? columns / 3 : 32;
  if (columns < bar + tail + head) return;
  unsigned space = columns - bar - tail - head;
  draw_clean(clean, sizeof clean, figure->value_label);
  draw_join(text, sizeof text, clean, "", space > 2 ? space - 1 : 0, draw_screen_measure, NULL);
  unsigned column = draw_screen_text(screen, 0, row, space, text, DRAW_PLAIN);
  column += column > 0;
  column += draw_screen_text(screen, column, row, head, least, DRAW_SCREEN_GREY) + 1;
  for (unsigned k = 0; k < bar; k++) {
    double t = (k + 0.5) / bar;
    draw_cells_put(&screen->cells, column + k, row, screen->colour ? 0x2588 : shade_of(t), glow(t));
  }
  draw_screen_text(screen, column + bar + 1, row, tail, most, DRAW_SCREEN_GREY);
  if (screen->key_rows < 2) return;
  if (figure->floating) {
    show_band(screen, row + 1);
    return;
  }
  double end = figure->half_width / screen->scale.upper * bar;
  unsigned last = end >= bar ? bar - 1 : (unsigned)fmax(ceil(end) - 1, 0);
  for (unsigned k = 0; k <= last; k++) {
    bool closed = k == last && end <= bar;
    uint32_t code = k == 0 ? (closed ? 0x2575 : 0x2514) : closed ? 0x2518 : 0x2500;
    draw_cells_put(&screen->cells, column + k, row + 1, code, DRAW_SCREEN_ACCENT);
  }
  char legend[512];
  draw_figure_legend(figure, legend, sizeof legend);
  snprintf(text, sizeof text, "%s: may be error", legend);
  column += last + 2;
  if (columns > column + 8)
    draw_screen_text(screen, column, row + 1, columns - column, text, DRAW_SCREEN_ACCENT);
}

void draw_screen_map(draw_screen *screen) {
  for (unsigned row = 0; row < screen->height; row++) {
    for (unsigned column = 0; column < screen->width; column++) {
      if (screen->colour)
        show_cell(screen, column, row, value_at(screen, column, 2 * row, 2 * screen->height),
                  value_at(screen, column, 2 * row + 1, 2 * screen->height));
      else
        draw_screen_put(screen, column, row,
                        shade_of(value_at(screen, column, row, screen->height)), DRAW_PLAIN);
    }
  }
  if (screen->key) show_key(screen);
}
