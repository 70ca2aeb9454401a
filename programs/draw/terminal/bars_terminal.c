/* bars_terminal.c - counts with names in the terminal, one line per bar.
 *
 * A bar is solid as far as its count is certain, half tone on to the count, and light on to where
 * the error ends: it can be read without colour. */
#include <math.h>
#include <string.h>

#include "draw/bars.h"
#include "terminal_frame.h"

enum { BAR_LEAST = 8, NAME_LEAST = 6 };
static const uint32_t SOLID = 0x2588, HALF = 0x2592, LIGHT = 0x2591;

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
  draw_frame_text(screen, 0, row, width, text, DRAW_PLAIN, true);
}

/* "95 % band, +-10". */
static void band_text(char *out, size_t size, const char *label, double half_width) {
  char number[DRAW_NUMBER_MAX];
  draw_number(half_width, number, sizeof number);
  draw_clean(out, size - 128, label ? label : "band");
  snprintf(out + strlen(out), 128, ", \u00b1%s", number);
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
    const unsigned name = draw_frame_width(bar->name), number = draw_frame_width(bar->detail);
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
    draw_frame_text(screen, 0, row, columns, bar->name, DRAW_PLAIN, false);
    return;
  }
  put_name(screen, row, m->name, bar->name);
  draw_frame_text(screen, columns - m->number, row, m->number, bar->detail, DRAW_PLAIN, true);
  draw_cells_put(&screen->cells, m->left + m->below, row, 0x2502, DRAW_SCREEN_GREY);
  if (!draw_shown(bar->value)) return;
  for (unsigned c = 0; c < m->above; c++) show_cell(screen, m, bar->value, 1, c, row);
  for (unsigned c = 0; c < m->below; c++) show_cell(screen, m, bar->value, -1, c, row);
}

/* What the bars are, and at the right what the error bar is called. */
static void show_header(draw_screen *screen, const draw_bars *bars, double half) {
  char text[512];
  unsigned edge = screen->cells.columns;
  band_text(text, sizeof text, bars->band_label, half);
  const unsigned wide = draw_frame_width(text);
  if (half > 0 && wide + 3 + NAME_LEAST < edge) {
    edge -= wide + 3;
    draw_cells_put(&screen->cells, edge, 1, HALF, DRAW_SCREEN_BLUE);
    draw_cells_put(&screen->cells, edge + 1, 1, LIGHT, DRAW_SCREEN_SOFT);
    draw_frame_text(screen, edge + 3, 1, wide, text, DRAW_SCREEN_SOFT, false);
    edge -= 2;
  }
  draw_frame_text(screen, 0, 1, edge, bars->label, DRAW_SCREEN_GREY, false);
}

void draw_bars_terminal(const draw_bars *bars, FILE *out, unsigned columns, unsigned words,
                        bool colour) {
  draw_frame f = {.screen.colour = colour};
  if (!bars->count || !draw_frame_open(&f, bars->title, bars->caption, bars->note, columns,
                                       (unsigned)bars->count, words))
    return;
  const measures m = measure_bars(bars, f.screen.cells.columns);
  show_header(&f.screen, bars, m.half);
  for (size_t k = 0; k < bars->count; k++) show_bar(&f.screen, &m, &bars->bars[k], 2 + (unsigned)k);
  draw_frame_print(&f, out);
}
