#include "terminal_frame.h"

bool draw_frame_open(draw_frame *f, const char *title, const char *caption, const char *note,
                     unsigned columns, unsigned rows, unsigned words) {
  const draw_figure figure = {.title = title, .caption = caption, .note = note};
  if (!columns) return false;
  if (columns > DRAW_COLUMNS_MAX) columns = DRAW_COLUMNS_MAX;
  draw_words_wrap(&f->words, &figure, columns, words);
  const unsigned below = f->words.count ? (unsigned)f->words.count + 1 : 0;
  if (!draw_cells_init(&f->screen.cells, columns, 2 + rows + below)) return false;
  f->screen.foot = 2 + rows + 1;
  draw_screen_text(&f->screen, 0, 0, columns, f->words.title, DRAW_PLAIN);
  return true;
}

void draw_frame_print(draw_frame *f, FILE *out) {
  draw_words_show(&f->screen, &f->words);
  draw_screen_print(&f->screen, out);
}

unsigned draw_frame_width(const char *text) {
  char clean[512];
  draw_clean(clean, sizeof clean, text);
  return draw_screen_width(clean);
}

void draw_frame_text(draw_screen *screen, unsigned column, unsigned row, unsigned width,
                     const char *text, uint32_t ink, bool right) {
  char clean[512];
  draw_clean(clean, sizeof clean, text);
  const unsigned wide = draw_screen_width(clean);
  draw_screen_text(screen, column + (right && wide < width ? width - wide : 0), row, width, clean,
                   ink);
}
