/* bars.h - counts with names: one bar each, or a map of two columns. */
#ifndef DRAW_BARS_H
#define DRAW_BARS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "sfumato/status.h"

/* A bar with its name at the left and its count in words at the right; a heading has a name alone.
 */
typedef struct draw_bar {
  const char *name, *detail;
  double value;
  bool heading;
} draw_bar;

/* Bars across, one below the other, from zero; each with its error bar. */
typedef struct draw_bars {
  const char *title, *caption, *note; /* as a figure's (draw.h) */
  const char *label, *value_label;    /* what the bars are, and what is counted */
  const char *band_label;
  const draw_bar *bars;
  size_t count;
  double half_width; /* 0, infinite or NaN: no error bars */
} draw_bars;

/* A map: counts[0] categories downwards, counts[1] across; values and details with the second
 * fastest.  A value within the half-width of zero may be error alone, and stands in parentheses. */
typedef struct draw_tiles {
  const char *title, *caption, *note;
  const char *labels[2], *value_label, *band_label;
  size_t counts[2];
  const char *const *names[2];
  const double *values;
  const char *const *details;
  double half_width;
  bool diagonal; /* on paper: tiles of the same place in both are outlined */
} draw_tiles;

/* As draw_file and draw_terminal; on a terminal they take as many rows as there are bars or
 * categories, and the words below at most `words`. */
SFM_MUST_CHECK sfm_status draw_bars_file(const draw_bars *bars, const char *path, sfm_error *error);
void draw_bars_terminal(const draw_bars *bars, FILE *out, unsigned columns, unsigned words,
                        bool colour);
SFM_MUST_CHECK sfm_status draw_tiles_file(const draw_tiles *tiles, const char *path,
                                          sfm_error *error);
void draw_tiles_terminal(const draw_tiles *tiles, FILE *out, unsigned columns, unsigned words,
                         bool colour);
/* Whether a map of such names and details can be read on so many columns; on paper: 0. */
/* How many columns of a terminal it takes. */
unsigned draw_tiles_columns(const draw_tiles *tiles);
bool draw_tiles_fit(const draw_tiles *tiles, unsigned columns);

#endif
