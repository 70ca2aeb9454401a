/* bars_terminal.c - counts with names in the terminal: a line a bar, or a line a category of a map.
 *
 * A bar is solid as far as its count is certain, half tone on to the count, and light on to where
 * the error ends: it can be read without colour. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bars.h"
#include "palette.h"
#include "screen.h"

enum { BAR_LEAST = 8, NAME_LEAST = 6, CELL_MOST = 24 };
static const uint32_t SOLID = 0x2588, HALF = 0x2592, LIGHT = 0x2591;
static const uint32_t ramp[5] = {' ', 0x2591, 0x2592, 0x2593, 0x2588};

static unsigned width_of(const char *text) {
  char clean[512];
  draw_clean(clean, sizeof clean, text);
  return (unsigned)draw_screen_measure(NULL, clean, strlen(clean));
}

static void put_text(draw_screen *screen, unsigned column, unsigned row, unsigned width,
                     const char *text, uint32_t ink, bool right) {
  char clean[512];
  draw_clean(clean, sizeof clean, text);
  const unsigned wide = (unsigned)draw_screen_measure(NULL, clean, strlen(clean));
  draw_screen_text(screen, column + (right && wide < width ? width - wide : 0), row, width, clean,
                   ink);
}

/* The bytes of the longest beginning of that width, or of the longest end. */
static size_t part_of(const char *text, unsigned width, bool end) {
  const size_t length = strlen(text);
  size_t best = 0;
  for (size_t k = 0; k <= length; k++) {
    const char *cut = text + (end ? length - k : k);
    if (((unsigned char)*cut & 0xc0) == 0x80) continue;
    const char *from = end ? cut : text;
    if (draw_screen_measure(NULL, from, k) <= width) best = k;
  }
  return best;
}

/* A name cut in its middle: what tells it from others is often at its end. */
static void put_name(draw_screen *screen, unsigned row, unsigned width, const char *text) {
  char clean[512], both[1100];
  draw_clean(clean, sizeof clean, text);
  if (draw_screen_measure(NULL, clean, strlen(clean)) > width && width > 4) {
    const unsigned end = (width - 1) / 2;
    const size_t last = part_of(clean, end, true), first = part_of(clean, width - 1 - end, false);
    snprintf(both, sizeof both, "%.*s\u2026%s", (int)first, clean, clean + strlen(clean) - last);
    text = both;
  }
  put_text(screen, 0, row, width, text, DRAW_PLAIN, true);
}

/* "95 % band, +-10". */
static void band_text(char *out, size_t size, const char *label, double half_width) {
  char number[DRAW_NUMBER_MAX];
  draw_number(half_width, number, sizeof number);
  draw_clean(out, size - 128, label ? label : "band");
  snprintf(out + strlen(out), 128, ", \u00b1%s", number);
}

/* Title, then what stands above the plot; the words below it.  The screen has as many rows as it
 * all takes. */
typedef struct frame {
  draw_screen screen;
  draw_words words;
} frame;

static bool frame_open(frame *f, const char *title, const char *caption, const char *note,
                       unsigned columns, unsigned rows, unsigned words) {
  const draw_figure figure = {.title = title, .caption = caption, .note = note};
  draw_words_wrap(&f->words, &figure, columns, words);
  const unsigned below = f->words.count ? (unsigned)f->words.count + 1 : 0;
  if (!draw_cells_init(&f->screen.cells, columns, 2 + rows + below)) return false;
  f->screen.foot = 2 + rows + 1;
  draw_screen_text(&f->screen, 0, 0, columns, f->words.title, DRAW_PLAIN);
  return true;
}

static void frame_print(frame *f, FILE *out) {
  draw_words_show(&f->screen, &f->words);
  draw_cells_print(&f->screen.cells, out, draw_screen_colours(f->screen.colour));
  draw_cells_clear(&f->screen.cells);
}

/* Where things stand in a line: name, bars below zero, the axis, bars above it, count. */
typedef struct measures {
  unsigned name, number, left, below, above;
  double cell, half; /* what a cell stands for; of the band */
} measures;

/* Columns for what is below zero and above, in proportion, and the scale. */
static void measure_cells(measures *m, double least, double most, unsigned width) {
  const double all = most - least > 0 ? most - least : 1;
  m->below = least < 0 ? (unsigned)ceil(-least / all * width) : 0;
  if (m->below > width) m->below = width;
  m->above = width - m->below;
  m->cell = fmax(m->above ? most / m->above : 0, m->below ? -least / m->below : 0);
  if (!(m->cell > 0)) m->cell = 1;
}

static measures measure_bars(const draw_bars *bars, unsigned columns) {
  measures m = {.half = isfinite(bars->half_width) ? fmax(bars->half_width, 0) : 0};
  double least = 0, most = 0;
  for (size_t k = 0; k < bars->count; k++) {
    const draw_bar *bar = &bars->bars[k];
    if (bar->heading || !draw_shown(bar->value)) continue;
    const unsigned name = width_of(bar->name), number = width_of(bar->detail);
    m.name = name > m.name ? name : m.name;
    m.number = number > m.number ? number : m.number;
    least = fmin(least, bar->value - m.half);
    most = fmax(most, bar->value + m.half);
  }
  const unsigned beside = m.number + 3 + BAR_LEAST;
  const unsigned half = columns / 2 > NAME_LEAST ? columns / 2 : NAME_LEAST;
  if (m.name > half) m.name = half;
  if (m.name + beside > columns)
    m.name = columns > beside + NAME_LEAST ? columns - beside : NAME_LEAST;
  m.left = m.name + 1;
  measure_cells(&m, least, most,
                columns > m.left + m.number + 2 ? columns - m.left - m.number - 2 : 1);
  return m;
}

/* Cell c of a bar, counted from the axis outwards to the side that sign says. */
static void show_cell(draw_screen *screen, const measures *m, double value, int sign, unsigned c,
                      unsigned row) {
  const double x = sign * (c + 0.5) * m->cell;
  const bool within = value * sign > 0 && fabs(x) <= fabs(value),
             unsure = m->half > 0 && fabs(x - value) <= m->half;
  const unsigned column = m->left + m->below + (sign > 0 ? 1 + c : -1 - c);
  if (within || unsure)
    draw_cells_put(&screen->cells, column, row, within ? unsure ? HALF : SOLID : LIGHT,
                   within ? DRAW_SCREEN_BLUE : DRAW_SCREEN_SOFT);
}

static void show_bar(draw_screen *screen, const measures *m, const draw_bar *bar, unsigned row) {
  const unsigned columns = screen->cells.columns;
  if (bar->heading) {
    put_text(screen, 0, row, columns, bar->name, DRAW_PLAIN, false);
    return;
  }
  put_name(screen, row, m->name, bar->name);
  put_text(screen, columns - m->number, row, m->number, bar->detail, DRAW_PLAIN, true);
  draw_cells_put(&screen->cells, m->left + m->below, row, 0x2502, DRAW_SCREEN_GREY);
  if (!draw_shown(bar->value)) return;
  for (unsigned c = 0; c < m->above; c++) show_cell(screen, m, bar->value, 1, c, row);
  for (unsigned c = 0; c < m->below; c++) show_cell(screen, m, bar->value, -1, c, row);
}

void draw_bars_terminal(const draw_bars *bars, FILE *out, unsigned columns, unsigned words,
                        bool colour) {
  frame *f = columns && bars->count ? calloc(1, sizeof *f) : NULL;
  char text[512];
  columns = columns < DRAW_COLUMNS_MAX ? columns : DRAW_COLUMNS_MAX;
  if (f) f->screen.colour = colour;
  if (f && frame_open(f, bars->title, bars->caption, bars->note, columns, (unsigned)bars->count,
                      words)) {
    const measures m = measure_bars(bars, columns);
    unsigned edge = columns;
    if (m.half > 0) {
      band_text(text, sizeof text, bars->band_label, m.half);
      const unsigned wide = width_of(text);
      if (wide + 3 + NAME_LEAST < columns) {
        edge = columns - wide - 3;
        draw_cells_put(&f->screen.cells, edge, 1, HALF, DRAW_SCREEN_BLUE);
        draw_cells_put(&f->screen.cells, edge + 1, 1, LIGHT, DRAW_SCREEN_SOFT);
        put_text(&f->screen, edge + 3, 1, wide, text, DRAW_SCREEN_SOFT, false);
        edge -= 2;
      }
    }
    put_text(&f->screen, 0, 1, edge, bars->label, DRAW_SCREEN_GREY, false);
    for (size_t k = 0; k < bars->count; k++)
      show_bar(&f->screen, &m, &bars->bars[k], 2 + (unsigned)k);
    frame_print(f, out);
  }
  free(f);
}

/* The columns of a map: the names at the left, then one a category. */
static unsigned tile_width(const draw_tiles *tiles, size_t k) {
  unsigned wide = width_of(tiles->names[1][k]);
  for (size_t i = 0; i < tiles->counts[0]; i++) {
    const unsigned detail = width_of(tiles->details[i * tiles->counts[1] + k]) + 3;
    wide = detail > wide ? detail : wide;
  }
  return wide < CELL_MOST ? wide : CELL_MOST;
}

static unsigned names_width(const draw_tiles *tiles) {
  unsigned wide = width_of(tiles->labels[0]);
  for (size_t i = 0; i < tiles->counts[0]; i++) {
    const unsigned name = width_of(tiles->names[0][i]);
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
    put_text(screen, column, row, width - 3, detail, DRAW_PLAIN, true);
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
  put_text(screen, column, row, width - 1, detail, ink, true);
}

static void show_map(draw_screen *screen, const draw_tiles *tiles, double top) {
  const unsigned names = names_width(tiles);
  unsigned column = names + 1;
  for (size_t i = 0; i < tiles->counts[0]; i++)
    put_text(screen, 0, 3 + (unsigned)i, names, tiles->names[0][i], DRAW_PLAIN, true);
  for (size_t k = 0; k < tiles->counts[1]; k++) {
    const unsigned wide = tile_width(tiles, k);
    put_text(screen, column, 2, wide, tiles->names[1][k], DRAW_SCREEN_GREY, true);
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
  frame *f = columns ? calloc(1, sizeof *f) : NULL;
  char text[512], both[1100], name[512];
  double top = 0;
  for (size_t k = 0; k < tiles->counts[0] * tiles->counts[1]; k++)
    if (draw_shown(tiles->values[k])) top = fmax(top, tiles->values[k]);
  columns = columns < DRAW_COLUMNS_MAX ? columns : DRAW_COLUMNS_MAX;
  if (f) f->screen.colour = colour;
  if (f && frame_open(f, tiles->title, tiles->caption, tiles->note, columns,
                      (unsigned)tiles->counts[0] + 1, words)) {
    draw_clean(name, sizeof name, tiles->labels[0]);
    draw_clean(text, sizeof text, tiles->labels[1]);
    snprintf(both, sizeof both, "%s downwards, %s across", name, text);
    put_text(&f->screen, 0, 1, columns, both, DRAW_SCREEN_GREY, false);
    show_map(&f->screen, tiles, top > 0 ? top : 1);
    frame_print(f, out);
  }
  free(f);
}
