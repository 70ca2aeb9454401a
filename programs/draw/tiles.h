/* tiles.h - counts of two columns as a map: one tile for each combination of categories. */
#ifndef DRAW_TILES_H
#define DRAW_TILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "sfumato/status.h"

/* A map: counts[0] categories downwards, counts[1] across; values and details with the second
 * fastest.  A value within the half-width of zero is no larger than the error, and stands in
 * parentheses. */
typedef struct draw_tiles {
  const char *title, *subtitle, *caption, *note;
  const char *labels[2], *value_label, *band_label;
  size_t counts[2];
  const char *const *names[2];
  const double *values;
  const char *const *details;
  double half_width;
  bool diagonal; /* on paper: tiles of the same place in both are outlined */
} draw_tiles;

/* As draw_file and draw_terminal; on a terminal it takes as many rows as there are categories
 * downwards, and the words below at most `words`. */
SFM_MUST_CHECK sfm_status draw_tiles_file(const draw_tiles *tiles, const char *path,
                                          sfm_error *error);
void draw_tiles_terminal(const draw_tiles *tiles, FILE *out, unsigned columns, unsigned words,
                         bool colour);
/* How many columns of a terminal it takes. */
unsigned draw_tiles_columns(const draw_tiles *tiles);
/* Whether a map of such names and details can be read on so many columns; on paper: 0. */
bool draw_tiles_fit(const draw_tiles *tiles, unsigned columns);

#endif
