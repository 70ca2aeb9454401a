/* bars.h - counts with names, one bar each. */
#ifndef DRAW_BARS_H
#define DRAW_BARS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "sfumato/status.h"

/* A bar with its name at the left and its count in words at the right; a heading has a name
 * alone. */
typedef struct draw_bar {
  const char *name, *detail;
  double value;
  bool heading;
} draw_bar;

/* Bars across, one below the other, from zero; each with its error bar. */
typedef struct draw_bars {
  const char *title, *subtitle, *caption, *note; /* as a figure's (draw.h) */
  const char *label, *value_label;               /* what the bars are, and what is counted */
  const char *band_label;
  const draw_bar *bars;
  size_t count;
  double half_width; /* 0, infinite or NaN: no error bars */
} draw_bars;

/* As draw_file and draw_terminal; on a terminal it takes as many rows as there are bars, and the
 * words below at most `words`. */
SFM_MUST_CHECK sfm_status draw_bars_file(const draw_bars *bars, const char *path, sfm_error *error);
void draw_bars_terminal(const draw_bars *bars, FILE *out, unsigned columns, unsigned words,
                        bool colour);

#endif
