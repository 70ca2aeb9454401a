/* draw.h - pictures of released functions: svg, png and pdf files, and the terminal. */
#ifndef DRAW_DRAW_H
#define DRAW_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "sfumato/status.h"

/* What is drawn.  One variable: a curve with its band.  Two variables: a heat map, values with the
 * last axis fastest (values[i * counts[1] + j] is at axis 0 position i, axis 1 position j; axis 0 is
 * drawn across, axis 1 upwards).  A vector (stems = true): one stem with an error bar a number. */
typedef struct draw_figure {
  const char *title;        /* "density of age" */
  const char *labels[2];    /* the variables' names */
  const char *value_label;  /* "density", "value" */
  const char *caption;      /* the guarantee in a plain sentence; wrapped */
  const char *note;         /* second line, e.g. what the band is; may be NULL */
  unsigned dimension;       /* 1 or 2 */
  bool stems;
  size_t counts[2];
  double lower[2], upper[2];
  const double *values;
  double half_width;        /* of the band; infinite or 0: no band is drawn */
} draw_figure;

/* Writes path as its ending says: .svg, .png or .pdf.  Durable: nothing half-written stays. */
SFM_MUST_CHECK sfm_status draw_file(const draw_figure *figure, const char *path, sfm_error *error);

/* Draws with text, at most columns wide and rows high; colour only where asked. */
void draw_terminal(const draw_figure *figure, FILE *out, unsigned columns, unsigned rows,
                   bool colour);

#endif
