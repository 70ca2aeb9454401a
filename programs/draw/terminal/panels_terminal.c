/* panels_terminal.c - small multiples in the terminal: panels side by side and below each other, on
 * one scale.
 *
 *   density of age by sex, region
 *   density                              95 % band
 *    0.03 F, north 7088 +- 16      F, east 5948 +- 16
 *         |                        |
 *       0 |____________________    |____________________
 *         0        50       100    0        50       100
 *
 * They take as many rows as they need, more than the terminal has if there are many: it scrolls. */
#include "panels_terminal.h"

#include "chart_terminal.h"
#include "heatmap_terminal.h"

enum { PLOT_LEAST = 24, GAP = 3, HEIGHT_LEAST = 5, HEIGHT_MOST = 12 };

typedef struct panel_screen {
  draw_screen screen; /* its plot is one panel's */
  draw_words words;
  unsigned across, down;      /* panels */
  unsigned first, row_height; /* the row where they begin, and rows of each */
} panel_screen;

/* Panels side by side: as the figure wants them, if there is room. */
static unsigned count_across(const draw_figure *figure, unsigned room) {
  unsigned wanted = draw_figure_panel_columns(figure), fit = (room + GAP) / (PLOT_LEAST + GAP);
  if (fit < 1) fit = 1;
  while (wanted > fit) wanted = wanted % 2 == 0 ? wanted / 2 : wanted - 1;
  return wanted;
}

/* Widths, for the tick labels that the screen's height asks for; and the heights that follow. */
static void share_room(panel_screen *m, unsigned columns, unsigned rows) {
  draw_screen *screen = &m->screen;
  const draw_figure *figure = screen->figure;
  draw_screen_scale(screen);
  const unsigned wide = draw_screen_widest(&screen->up);
  screen->left = 2 * (wide + 1) <= columns ? wide + 1 : 1;
  const unsigned room = columns > screen->left ? columns - screen->left : 1;
  m->across = count_across(figure, room);
  m->down = (unsigned)((figure->panel_count + m->across - 1) / m->across);
  const unsigned gaps = (m->across - 1) * GAP;
  screen->width = room > gaps + m->across ? (room - gaps) / m->across : 1;
  /* Each has a line for its name and one for its axis; ticks, title, header and captions remain. */
  const unsigned other = 4 + (figure->dimension == 2) + (unsigned)m->words.count,
                 each = rows > other ? (rows - other) / m->down : 0;
  screen->height = each > HEIGHT_LEAST + 2 ? each - 2 : HEIGHT_LEAST;
  if (screen->height > HEIGHT_MOST) screen->height = HEIGHT_MOST;
}

/* Everything's place; the rows that it takes. */
static unsigned lay_out(panel_screen *m, unsigned columns, unsigned rows) {
  draw_screen *screen = &m->screen;
  const bool map = screen->figure->dimension == 2;
  screen->height = HEIGHT_LEAST;
  for (int pass = 0; pass < 2; pass++) share_room(m, columns, rows);
  draw_screen_scale(screen);
  screen->up_written = screen->left > draw_screen_widest(&screen->up);
  draw_screen_fit(screen);
  m->first = 2;
  m->row_height = screen->height + 2;
  unsigned next = m->first + m->down * m->row_height + 1; /* the ticks of the last */
  screen->name = next++;
  screen->key = map ? next++ : 0;
  screen->key_rows = map;
  screen->foot = next + 1;
  return screen->foot + (unsigned)m->words.count;
}

/* Name and detail above a panel. */
static void show_label(draw_screen *one, const draw_panel *panel, unsigned row) {
  char label[1024], detail[256];
  draw_clean(label, sizeof label, panel->label);
  draw_clean(detail, sizeof detail, panel->detail);
  const unsigned wide = draw_screen_width(detail);
  const unsigned room = one->width > wide + 2 ? one->width - wide - 2 : one->width;
  draw_screen_text(one, one->left, row, room, label, DRAW_PLAIN);
  if (room < one->width)
    draw_screen_text(one, one->left + one->width - wide, row, wide, detail, DRAW_SCREEN_GREY);
}

static void show_panel(const panel_screen *m, size_t k) {
  const draw_figure *figure = m->screen.figure, plot = draw_figure_panel(figure, k);
  const unsigned row = (unsigned)(k / m->across), column = (unsigned)(k % m->across);
  draw_screen one = m->screen; /* shares the cells */
  one.figure = &plot;
  one.left += column * (one.width + GAP);
  one.top = m->first + row * m->row_height + 1;
  one.line = one.top + one.height;
  one.ticks = one.line + 1;
  one.up_written = one.up_written && column == 0;
  one.across_written = draw_figure_panel_last(figure, k, m->across);
  one.key = 0;
  draw_screen_up(&one);
  draw_screen_across(&one);
  show_label(&one, &figure->panels[k], one.top - 1);
  if (plot.values && figure->dimension == 2) {
    draw_screen_map(&one);
  } else if (plot.values) {
    draw_screen_chart(&one);
  } else {
    char text[256];
    draw_clean(text, sizeof text, figure->panels[k].absent);
    const unsigned wide = draw_screen_width(text);
    const unsigned begin = wide < one.width ? (one.width - wide) / 2 : 0;
    draw_screen_text(&one, one.left + begin, one.top + one.height / 2, one.width, text,
                     DRAW_SCREEN_GREY);
  }
}

/* The axis' name and what the band and the second curves are called. */
static void show_header(draw_screen *screen) {
  const draw_figure *figure = screen->figure;
  const bool map = figure->dimension == 2;
  static const uint32_t band[2] = {0x2812, 0x2812}, dashes[2] = {0x2810, 0x2810};
  const char *reference = draw_figure_referred(figure) ? figure->names[1] : NULL;
  char name[DRAW_TEXT_MAX];
  draw_entry entries[2];
  const unsigned columns = screen->cells.columns;
  draw_screen_axis_name(name, sizeof name, &screen->up,
                        map ? figure->labels[1] : figure->value_label,
                        map ? figure->units[1] : NULL, columns);
  const unsigned used = draw_screen_text(screen, 0, 1, columns, name, DRAW_PLAIN);
  unsigned wide =
      draw_entry_init(&entries[0], map ? NULL : figure->band_label, band, DRAW_SCREEN_SOFT);
  const unsigned second = draw_entry_init(&entries[1], reference, dashes, DRAW_SCREEN_GREY);
  wide += second + (wide && second ? 2 : 0);
  if (wide == 0 || used + wide + 3 > columns) return;
  draw_entries_spread(entries, 2, columns);
  draw_entries_show(screen, entries, 2, columns - wide, 1);
}

static void compose(panel_screen *m) {
  draw_screen *screen = &m->screen;
  draw_screen_text(screen, 0, 0, screen->cells.columns, m->words.title, DRAW_PLAIN);
  show_header(screen);
  for (size_t k = 0; k < screen->figure->panel_count; k++) show_panel(m, k);
  draw_screen whole = *screen; /* shares the cells */
  whole.width = m->across * (screen->width + GAP) - GAP;
  draw_screen_name(&whole);
  if (screen->key) {
    whole.height = 0; /* nothing but the key */
    draw_screen_map(&whole);
  }
  draw_words_show(screen, &m->words);
}

void draw_panels_terminal(const draw_figure *figure, FILE *out, unsigned columns, unsigned rows,
                          unsigned words, bool colour) {
  panel_screen m = {.screen = {.figure = figure, .colour = colour}};
  draw_words_wrap(&m.words, figure, columns, words);
  if (!draw_cells_init(&m.screen.cells, columns, lay_out(&m, columns, rows))) return;
  compose(&m);
  draw_screen_print(&m.screen, out);
}
