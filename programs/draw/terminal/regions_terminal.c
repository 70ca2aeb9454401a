/* regions_terminal.c - the regions of a machine in the terminal: a sign a class where it is sure, a
 * dot where its lead is within the noise. */

#include "draw/regions.h"
#include "screen.h"

enum { LEGEND_MOST = 3, ENTRIES_MOST = 9 };

/* The sign of a class, whatever the colours. */
static uint32_t sign_of(size_t which) {
  static const char signs[] = "ox+#*%@&";
  return (uint32_t)(unsigned char)signs[which % 8];
}

/* Shown bright enough on dark and on light. */
static uint32_t ink_of(size_t which) {
  static const uint32_t inks[] = {0xe0902f, 0x4a9bd6, 0x3fae86, 0xd0679a,
                                  0x7cc4ee, 0xc9b400, 0xb0714c, 0x9a9a9a};
  return inks[which % 8];
}

static unsigned list_entries(draw_entry *entries, size_t *count, const draw_regions *r,
                             unsigned columns) {
  *count = 0;
  for (size_t k = 0; k < r->class_count && *count < ENTRIES_MOST - 1; k++) {
    const uint32_t sample[2] = {sign_of(k), sign_of(k)};
    draw_entry_init(&entries[(*count)++], r->classes[k], sample, ink_of(k));
  }
  const uint32_t dots[2] = {'.', '.'};
  if (r->panels[0].noise)
    draw_entry_init(&entries[(*count)++], r->noise_label, dots, DRAW_SCREEN_GREY);
  return draw_entries_spread(entries, *count, columns);
}

/* The rows: title, legend, the second variable's name, the plot, its axis, words. */
static void place(draw_screen *s, unsigned legend, size_t captions) {
  const unsigned rows = s->cells.rows, above = 2 + legend,
                 below = 3 + (unsigned)captions + (captions ? 1 : 0);
  s->header = 1 + legend;
  s->top = above;
  s->height = rows > above + below ? rows - above - below : 0;
  s->line = s->top + s->height;
  s->ticks = s->line + 1;
  s->name = s->line + 2;
  s->foot = s->line + 4;
  if (s->height == 0) return;
  draw_screen_scale(s);
  const unsigned wide = draw_screen_widest(&s->up), columns = s->cells.columns;
  s->up_written = 2 * (wide + 1) <= columns;
  s->left = s->up_written ? wide + 1 : 0;
  s->width = columns - s->left;
  if (s->width > 5 * s->height) s->width = 5 * s->height;
  draw_screen_fit(s);
  s->across_written = true;
}

static void show_plot(draw_screen *s, const draw_regions *r) {
  for (unsigned row = 0; row < s->height; row++)
    for (unsigned column = 0; column < s->width; column++) {
      size_t which = 0;
      double sure = 0;
      const bool there = draw_regions_at(r, 0, (column + 0.5) / s->width,
                                         1 - (row + 0.5) / s->height, &which, &sure);
      const uint32_t code = !there ? ' ' : sure >= 1 ? sign_of(which) : '.';
      draw_screen_put(s, column, row, code, ink_of(which));
    }
}

static void compose(draw_screen *s, const draw_regions *r, draw_words *w) {
  draw_entry entries[ENTRIES_MOST];
  size_t count;
  char name[DRAW_TEXT_MAX];
  const unsigned columns = s->cells.columns, rows = s->cells.rows;
  draw_words_wrap(w, s->figure, columns, rows >= 15 ? rows / 3 : 0);
  draw_screen_text(s, 0, 0, columns, w->title, DRAW_PLAIN);
  unsigned legend = list_entries(entries, &count, r, columns);
  legend = legend < LEGEND_MOST ? legend : LEGEND_MOST;
  place(s, legend, w->count);
  if (s->height == 0) return;
  for (size_t k = 0; k < count; k++)
    if (entries[k].row < legend) draw_entries_show(s, &entries[k], 1, 0, 1);
  draw_screen_axis_name(name, sizeof name, &s->up, r->labels[1], NULL, columns);
  draw_screen_text(s, 0, s->header, columns, name, DRAW_PLAIN);
  draw_screen_up(s);
  draw_screen_across(s);
  draw_screen_name(s);
  show_plot(s, r);
  draw_words_show(s, w);
}

void draw_regions_terminal(const draw_regions *regions, FILE *out, unsigned columns, unsigned rows,
                           bool colour) {
  const char *fault = draw_regions_fault(regions);
  /* The axes, the title and the words are those of a map. */
  const draw_figure figure = {.title = regions->title,
                              .caption = regions->caption,
                              .note = regions->note,
                              .labels = {regions->labels[0], regions->labels[1]},
                              .dimension = 2,
                              .counts = {regions->counts[0], regions->counts[1]},
                              .lower = {regions->lower[0], regions->lower[1]},
                              .upper = {regions->upper[0], regions->upper[1]},
                              .values = fault ? NULL : regions->panels[0].values};
  draw_screen screen = {.figure = &figure, .colour = colour};
  draw_words w;
  columns = columns < DRAW_COLUMNS_MAX ? columns : DRAW_COLUMNS_MAX;
  rows = rows < DRAW_ROWS_MAX ? rows : DRAW_ROWS_MAX;
  if (columns && rows && draw_cells_init(&screen.cells, columns, rows)) {
    if (fault)
      draw_screen_text(&screen, 0, 0, columns, fault, DRAW_PLAIN);
    else
      compose(&screen, regions, &w);
    draw_screen_print(&screen, out);
  }
}
