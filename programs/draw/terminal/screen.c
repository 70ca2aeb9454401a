/* screen.c - a figure as text: who gets which rows, the axes and the words around the plot. */
#include "screen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chart_terminal.h"
#include "heatmap_terminal.h"
#include "panels_terminal.h"

enum { PANEL_WORDS = 12 };

double draw_screen_measure(void *context, const char *text, size_t bytes) {
  (void)context;
  unsigned columns = 0;
  for (size_t i = 0, step; i < bytes; i += step)
    columns += draw_columns(draw_decode(text + i, &step));
  return columns;
}

unsigned draw_screen_width(const char *text) {
  return (unsigned)draw_screen_measure(NULL, text, strlen(text));
}

unsigned draw_screen_span(draw_screen *screen, unsigned column, unsigned row, const draw_span *span,
                          uint32_t ink) {
  unsigned used = draw_cells_text(&screen->cells, column, row, span->text, span->bytes, ink);
  if (span->cut) used += draw_cells_text(&screen->cells, column + used, row, "\u2026", 3, ink);
  return used;
}

unsigned draw_screen_text(draw_screen *screen, unsigned column, unsigned row, unsigned width,
                          const char *text, uint32_t ink) {
  draw_span span;
  if (draw_wrap(&span, 1, text, width, draw_screen_measure, NULL) == 0) return 0;
  return draw_screen_span(screen, column, row, &span, ink);
}

void draw_screen_put(draw_screen *screen, unsigned column, unsigned row, uint32_t code,
                     uint32_t ink) {
  if (column < screen->width && row < screen->height)
    draw_cells_put(&screen->cells, screen->left + column, screen->top + row, code, ink);
}

double draw_screen_height(const draw_screen *screen, double value) {
  double range = screen->up.upper - screen->up.lower;
  return (screen->up.upper - value) / range * (4.0 * screen->height - 1);
}

unsigned draw_screen_row(const draw_screen *screen, double value) {
  double dot = draw_screen_height(screen, value);
  return (unsigned)lround(fmin(fmax(dot, 0), 4.0 * screen->height - 1)) / 4;
}

void draw_words_wrap(draw_words *w, const draw_figure *figure, unsigned columns, unsigned most) {
  draw_clean(w->title, sizeof w->title, figure->title);
  draw_figure_captions(figure, &w->captions);
  most = most < DRAW_WORDS_LINES ? most : DRAW_WORDS_LINES;
  bool both = *w->captions.text[1] != 0;
  size_t first = both && most >= 3 ? most - 1 : most;
  w->count = draw_wrap(w->lines, first, w->captions.text[0], columns, draw_screen_measure, NULL);
  w->count += draw_wrap(w->lines + w->count, most - w->count, w->captions.text[1], columns,
                        draw_screen_measure, NULL);
}

void draw_words_show(draw_screen *screen, const draw_words *w) {
  for (size_t i = 0; i < w->count; i++)
    draw_screen_span(screen, 0, screen->foot + (unsigned)i, &w->lines[i], DRAW_SCREEN_GREY);
}

static bool needs_suffix(const draw_axis *axis) {
  return axis->exponent || axis->shift != 0;
}

void draw_screen_scale(draw_screen *screen) {
  const draw_figure *figure = screen->figure;
  double lower, upper;
  unsigned most = screen->height < 4 ? 2 : screen->height / 3 + 1;
  if (most > 7) most = 7;
  draw_figure_range(figure, &lower, &upper);
  if (figure->powers)
    draw_axis_raise(&screen->scale, lower, upper, most);
  else
    draw_axis_init(&screen->scale, lower, upper, most, false);
  screen->up = screen->scale;
  if (figure->dimension == 1) return;
  draw_figure_bounds(figure, 1, &lower, &upper);
  draw_axis_init(&screen->up, lower, upper, most, false);
}

unsigned draw_screen_widest(const draw_axis *axis) {
  double wide = 0;
  for (unsigned i = 0; i < axis->count; i++) {
    char text[DRAW_NUMBER_MAX];
    draw_axis_write(axis, i, text, sizeof text);
    wide = fmax(wide, draw_screen_width(text));
  }
  return (unsigned)wide;
}

unsigned draw_screen_tick(const draw_screen *screen, unsigned i) {
  double range = screen->across.upper - screen->across.lower;
  double t = (draw_axis_tick(&screen->across, i) - screen->across.lower) / range;
  return (unsigned)fmin(fmax(t, 0) * screen->width, screen->width - 1.0);
}

void draw_screen_fit(draw_screen *screen) {
  const draw_figure *figure = screen->figure;
  double lower, upper;
  draw_figure_bounds(figure, 0, &lower, &upper);
  bool whole = figure->stems;
  for (unsigned most = 9; most >= 2; most--) {
    draw_axis_init(&screen->across, lower, upper, most, whole);
    if (screen->across.count < 2) return;
    if (draw_screen_tick(screen, 1) - draw_screen_tick(screen, 0) >=
        draw_screen_widest(&screen->across) + 2)
      return;
  }
}

unsigned draw_entry_init(draw_entry *entry, const char *name, const uint32_t sample[2],
                         uint32_t ink) {
  draw_clean(entry->name, sizeof entry->name, name);
  entry->wide = *entry->name ? 3 + draw_screen_width(entry->name) : 0;
  entry->ink = ink;
  for (unsigned k = 0; k < 2; k++) entry->sample[k] = sample[k];
  return entry->wide;
}

unsigned draw_entries_spread(draw_entry *entries, size_t count, unsigned columns) {
  unsigned next = 0, rows = 1;
  for (size_t k = 0; k < count; k++) {
    if (next && entries[k].wide && next + entries[k].wide > columns) {
      next = 0;
      rows++;
    }
    entries[k].column = next;
    entries[k].row = rows - 1;
    if (entries[k].wide) next += entries[k].wide + 2;
  }
  return rows;
}

void draw_entries_show(draw_screen *screen, const draw_entry *entries, size_t count,
                       unsigned column, unsigned row) {
  const unsigned columns = screen->cells.columns;
  for (size_t k = 0; k < count; k++) {
    const draw_entry *e = &entries[k];
    const unsigned begin = column + e->column;
    if (e->wide == 0 || begin + 3 >= columns) continue;
    for (unsigned i = 0; i < 2; i++)
      draw_cells_put(&screen->cells, begin + i, row + e->row, e->sample[i], e->ink);
    draw_screen_text(screen, begin + 3, row + e->row, columns - begin - 3, e->name, e->ink);
  }
}

enum { ENTRIES = 3 };

/* The entries of two curves and the area between them; returns their width side by side. */
static unsigned list_entries(draw_entry entries[ENTRIES], const draw_figure *figure) {
  static const uint32_t samples[ENTRIES][2] = {
      {0x2812, 0x2812}, {0x2810, 0x2810}, {0x2822, 0x2822}};
  static const uint32_t inks[ENTRIES] = {DRAW_SCREEN_BLUE, DRAW_SCREEN_GREY, DRAW_SCREEN_SOFT};
  const char *const names[ENTRIES] = {figure->names[0], figure->names[1], figure->between};
  unsigned all = 0;
  for (unsigned k = 0; k < ENTRIES; k++) {
    const unsigned wide = draw_entry_init(&entries[k], names[k], samples[k], inks[k]);
    if (wide) all += wide + (all ? 2 : 0);
  }
  return all;
}

/* Rows that the names need for themselves: none when they fit beside the axis' name. */
static unsigned legend_rows(const draw_screen *screen) {
  draw_entry entries[ENTRIES];
  unsigned columns = screen->cells.columns;
  if (!screen->figure->reference) return 0;
  if (list_entries(entries, screen->figure) + columns / 3 + 2 <= columns) return 0;
  return draw_entries_spread(entries, ENTRIES, columns);
}

/* The names of what is drawn; returns the column of the header where they begin. */
static unsigned show_names(draw_screen *screen) {
  draw_entry entries[ENTRIES];
  unsigned columns = screen->cells.columns;
  unsigned all = list_entries(entries, screen->figure), first = screen->legend ? 0 : columns - all;
  draw_entries_spread(entries, ENTRIES, columns);
  draw_entries_show(screen, entries, ENTRIES, first, screen->legend ? 1 : screen->header);
  return screen->legend || !all ? columns : first;
}

/* Shares the rows out: the plot gets what the words leave. */
static void place_rows(draw_screen *screen, size_t captions) {
  unsigned rows = screen->cells.rows, above = 1, below = 0;
  bool map = screen->figure->dimension == 2;
  bool header = rows >= 10, line = rows >= 6, ticks = rows >= 5, name = rows >= 12;
  unsigned key = map && rows >= 9 ? 1 + (rows >= 14 && draw_has_band(screen->figure)) : 0;
  screen->legend = header ? legend_rows(screen) : 0;
  above += header + screen->legend;
  below = (unsigned)captions + line + ticks + name + key;
  unsigned blank = captions && rows >= 18;
  below += blank;
  screen->top = above;
  screen->height = rows > above + below ? rows - above - below : 0;
  screen->header = header ? 1 + screen->legend : 0;
  unsigned next = screen->top + screen->height;
  screen->line = line ? next++ : 0;
  screen->ticks = ticks ? next++ : 0;
  screen->name = name ? next++ : 0;
  screen->key = key ? next : 0;
  screen->key_rows = key;
  screen->foot = next + key + blank;
}

static void place_columns(draw_screen *screen) {
  unsigned columns = screen->cells.columns, wide = draw_screen_widest(&screen->up);
  screen->up_written = (screen->header || !needs_suffix(&screen->up)) && 2 * (wide + 1) <= columns;
  screen->left = screen->up_written ? wide + 1 : columns > 4;
  screen->width = columns - screen->left;
  if (screen->figure->dimension == 2 && screen->width > 5 * screen->height)
    screen->width = 5 * screen->height;
  draw_screen_fit(screen);
  screen->across_written = screen->ticks && (screen->name || !needs_suffix(&screen->across));
}

void draw_screen_up(draw_screen *screen) {
  if (screen->left == 0) return;
  for (unsigned row = 0; row < screen->height; row++)
    draw_cells_put(&screen->cells, screen->left - 1, screen->top + row, 0x2502, DRAW_SCREEN_GREY);
  for (unsigned i = 0; screen->up_written && i < screen->up.count; i++) {
    char text[DRAW_NUMBER_MAX];
    unsigned row = screen->top + draw_screen_row(screen, draw_axis_tick(&screen->up, i));
    draw_axis_write(&screen->up, i, text, sizeof text);
    unsigned wide = draw_screen_width(text);
    draw_cells_text(&screen->cells, screen->left - 1 - wide, row, text, strlen(text),
                    DRAW_SCREEN_GREY);
    draw_cells_put(&screen->cells, screen->left - 1, row, 0x2524, DRAW_SCREEN_GREY);
  }
}

void draw_screen_across(draw_screen *screen) {
  unsigned free_from = 0, end = screen->cells.columns;
  for (unsigned c = 0; screen->line && c < screen->width; c++)
    draw_cells_put(&screen->cells, screen->left + c, screen->line, 0x2500, DRAW_SCREEN_GREY);
  if (screen->line && screen->left)
    draw_cells_put(&screen->cells, screen->left - 1, screen->line, 0x2514, DRAW_SCREEN_GREY);
  for (unsigned i = 0; screen->across_written && i < screen->across.count; i++) {
    char text[DRAW_NUMBER_MAX];
    unsigned column = screen->left + draw_screen_tick(screen, i);
    draw_axis_write(&screen->across, i, text, sizeof text);
    unsigned wide = draw_screen_width(text);
    unsigned begin = column > wide / 2 ? column - wide / 2 : 0;
    if (begin + wide > end) begin = end > wide ? end - wide : 0;
    if (begin < free_from || wide > end) continue;
    free_from = begin + wide + 1;
    draw_cells_text(&screen->cells, begin, screen->ticks, text, strlen(text), DRAW_SCREEN_GREY);
    if (screen->line)
      draw_cells_put(&screen->cells, column, screen->line, 0x252c, DRAW_SCREEN_GREY);
  }
}

void draw_screen_axis_name(char *out, size_t size, const draw_axis *axis, const char *name,
                           const char *unit, unsigned width) {
  char clean[1024], suffix[DRAW_SUFFIX_MAX];
  draw_clean(clean, sizeof clean, name);
  draw_axis_suffix(axis, unit, suffix, sizeof suffix);
  draw_join(out, size, clean, suffix, width, draw_screen_measure, NULL);
}

/* A name that ends before column `edge` with two sample cells left of it; returns where these
 * begin, or edge itself when there is no room. */
static unsigned show_entry(draw_screen *screen, unsigned edge, const char *name,
                           const uint32_t sample[2], uint32_t ink) {
  unsigned wide = draw_screen_width(name);
  if (wide == 0 || wide + 4 + screen->cells.columns / 3 > edge) return edge;
  edge -= wide;
  draw_screen_text(screen, edge, screen->header, wide, name, ink);
  edge -= 3;
  for (unsigned k = 0; k < 2; k++)
    draw_cells_put(&screen->cells, edge + k, screen->header, sample[k], ink);
  return edge;
}

static unsigned show_legend(draw_screen *screen) {
  static const uint32_t stems[2] = {0x2503, ' '}, band[2] = {0x2812, 0x2812},
                        bars[2] = {0x2592, 0x2591}, behind[2] = {0x2804, 0x2820};
  const draw_figure *figure = screen->figure;
  char legend[512];
  unsigned edge = screen->cells.columns;
  if (figure->reference) return show_names(screen);
  if (draw_has_band(figure)) {
    draw_figure_legend(figure, legend, sizeof legend);
    edge = show_entry(screen, edge, legend,
                      figure->stems   ? stems
                      : figure->steps ? bars
                                      : band,
                      DRAW_SCREEN_SOFT);
  }
  draw_clean(legend, sizeof legend, figure->behind ? figure->behind_name : NULL);
  const unsigned next = edge < screen->cells.columns ? edge - 2 : edge;
  const unsigned begin = show_entry(screen, next, legend, behind, DRAW_SCREEN_GREY);
  return begin < next ? begin : edge;
}

static void show_header(draw_screen *screen) {
  const draw_figure *figure = screen->figure;
  bool map = figure->dimension == 2;
  char name[DRAW_TEXT_MAX];
  unsigned columns = screen->cells.columns, edge = map ? columns : show_legend(screen);
  unsigned room = edge == columns ? columns : edge - 2;
  draw_screen_axis_name(name, sizeof name, &screen->up,
                        map ? figure->labels[1] : figure->value_label,
                        map ? figure->units[1] : NULL, room);
  draw_screen_text(screen, 0, screen->header, room, name, DRAW_PLAIN);
}

void draw_screen_name(draw_screen *screen) {
  const draw_figure *figure = screen->figure;
  char name[DRAW_TEXT_MAX];
  draw_screen_axis_name(name, sizeof name, &screen->across, figure->labels[0], figure->units[0],
                        screen->width);
  unsigned wide = draw_screen_width(name);
  unsigned begin = wide < screen->width ? (screen->width - wide) / 2 : 0;
  draw_screen_text(screen, screen->left + begin, screen->name, screen->width, name, DRAW_PLAIN);
}

/* How many colours may be used, as draw_cells_print has it. */
static unsigned colours(bool colour) {
  const char *term = getenv("COLORTERM");
  if (!colour) return 0;
  return term && (strstr(term, "truecolor") || strstr(term, "24bit")) ? 1u << 24 : 256;
}

void draw_screen_print(draw_screen *screen, FILE *out) {
  draw_cells_print(&screen->cells, out, colours(screen->colour));
  draw_cells_clear(&screen->cells);
}

static void compose(draw_screen *screen, draw_words *w) {
  unsigned columns = screen->cells.columns, rows = screen->cells.rows;
  draw_words_wrap(w, screen->figure, columns, rows >= 15 ? rows / 3 : rows >= 6 ? rows / 4 : 0);
  draw_screen_text(screen, 0, 0, columns, w->title, DRAW_PLAIN);
  place_rows(screen, w->count);
  if (screen->height == 0) return;
  draw_screen_scale(screen);
  place_columns(screen);
  draw_screen_up(screen);
  draw_screen_across(screen);
  if (screen->header) show_header(screen);
  if (screen->name) draw_screen_name(screen);
  if (screen->figure->dimension == 2)
    draw_screen_map(screen);
  else
    draw_screen_chart(screen);
  draw_words_show(screen, w);
}

void draw_terminal(const draw_figure *figure, FILE *out, unsigned columns, unsigned rows,
                   bool colour) {
  if (columns == 0 || rows == 0) return;
  draw_screen screen = {.figure = figure, .colour = colour};
  draw_words w;
  columns = columns < DRAW_COLUMNS_MAX ? columns : DRAW_COLUMNS_MAX;
  rows = rows < DRAW_ROWS_MAX ? rows : DRAW_ROWS_MAX;
  if (figure->panel_count && !draw_figure_fault(figure)) {
    draw_panels_terminal(figure, out, columns, rows,
                         rows / 2 < PANEL_WORDS ? rows / 2 : PANEL_WORDS, colour);
    return;
  }
  if (draw_cells_init(&screen.cells, columns, rows)) {
    const char *fault = draw_figure_fault(figure);
    if (fault)
      draw_screen_text(&screen, 0, 0, columns, fault, DRAW_PLAIN);
    else
      compose(&screen, &w);
    draw_screen_print(&screen, out);
  }
}
