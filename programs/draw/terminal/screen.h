/* screen.h - where things stand on a terminal. */
#ifndef DRAW_SCREEN_H
#define DRAW_SCREEN_H

#include "terminal_cells.h"
#include "draw/figure.h"

#define DRAW_SCREEN_BLUE 0x4a9bd6u   /* readable on dark and on light */
#define DRAW_SCREEN_SOFT 0x6f93b3u   /* the band */
#define DRAW_SCREEN_ACCENT 0xe0694fu /* where noise ends, on a map */
#define DRAW_SCREEN_GREY 0x8a8a8au   /* axes, captions */

/* The plot has width x height cells at (left, top); a row number of 0 means there is no such row
 * (row 0 is always the title's). */
typedef struct draw_screen {
  draw_cells cells;
  const draw_figure *figure;
  bool colour;
  unsigned left, top, width, height;
  unsigned header, line, ticks, name, key, key_rows, foot;
  unsigned legend; /* rows of names between title and header; 0: they stand in the header */
  draw_axis across, up, scale; /* scale: the values' axis; up is the same for one variable */
  bool up_written, across_written;
} draw_screen;

/* Width of text in columns: a draw_measure. */
double draw_screen_measure(void *context, const char *text, size_t bytes);
unsigned draw_screen_width(const char *text);
/* Text cut at width, from column on, and a line that is cut already; returns the columns used. */
unsigned draw_screen_text(draw_screen *screen, unsigned column, unsigned row, unsigned width,
                          const char *text, uint32_t ink);
unsigned draw_screen_span(draw_screen *screen, unsigned column, unsigned row, const draw_span *span,
                          uint32_t ink);
/* Plot cells, counted from the plot's top left. */
void draw_screen_put(draw_screen *screen, unsigned column, unsigned row, uint32_t code,
                     uint32_t ink);

/* Screens are no larger than this, whatever is asked for. */
enum { DRAW_COLUMNS_MAX = 1000, DRAW_ROWS_MAX = 1000 };

/* How far below the plot's top a value stands, in quarters of a row, from 0 to 4 height - 1 (dots
 * of braille); and the row that holds it. */
double draw_screen_height(const draw_screen *screen, double value);
unsigned draw_screen_row(const draw_screen *screen, double value);

/* The axes of the values (and of a map's second variable) for the screen's height, and of the first
 * variable for its width: as many ticks as have room. */
void draw_screen_scale(draw_screen *screen);
void draw_screen_fit(draw_screen *screen);
/* Where tick i across stands, from the plot's left. */
unsigned draw_screen_tick(const draw_screen *screen, unsigned i);
/* Columns of the widest tick label. */
unsigned draw_screen_widest(const draw_axis *axis);
/* The line and the ticks at the left of the plot, and below it; the variable's name below those. */
void draw_screen_up(draw_screen *screen);
void draw_screen_across(draw_screen *screen);
void draw_screen_name(draw_screen *screen);
/* A name with its unit, cut to width. */
void draw_screen_axis_name(char *out, size_t size, const draw_axis *axis, const char *name,
                           const char *unit, unsigned width);
/* An entry of a legend: two sample cells, a blank, a name; two blanks to the next. */
typedef struct draw_entry {
  char name[256];
  uint32_t sample[2], ink;
  unsigned wide; /* with its sample; 0: there is none */
  unsigned column, row;
} draw_entry;
/* Returns how wide the entry is. */
unsigned draw_entry_init(draw_entry *entry, const char *name, const uint32_t sample[2],
                         uint32_t ink);
/* Where they stand when they follow each other over rows; returns how many rows. */
unsigned draw_entries_spread(draw_entry *entries, size_t count, unsigned columns);
void draw_entries_show(draw_screen *screen, const draw_entry *entries, size_t count,
                       unsigned column, unsigned row);

/* Prints the screen and clears it. */
void draw_screen_print(draw_screen *screen, FILE *out);

/* Texts under the plot: what there is to say and the lines it is broken into. */
enum { DRAW_WORDS_LINES = 24 };
typedef struct draw_words {
  draw_captions captions;
  char title[DRAW_TEXT_MAX];
  draw_span lines[DRAW_WORDS_LINES];
  size_t count;
} draw_words;
void draw_words_wrap(draw_words *w, const draw_figure *figure, unsigned columns, unsigned most);
/* From the row screen->foot on. */
void draw_words_show(draw_screen *screen, const draw_words *w);

#endif
