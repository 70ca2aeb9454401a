/* draw.h - pictures of released functions: svg, png and pdf files, and the terminal. */
#ifndef DRAW_DRAW_H
#define DRAW_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "sfumato/status.h"

/* One of several plots side by side on the same axes. */
typedef struct draw_panel {
  const char *label;    /* what it shows, "F, north" */
  const char *detail;   /* a number or two about it, "7 088 +- 16"; may be NULL */
  const double *values; /* as a figure's; NULL: there are none, */
  const char *absent;   /* and these words stand in their place */
  double half_width;    /* as a figure's; infinite: no band is drawn */
  /* One variable: a second curve on the same grid, thin and dashed behind the first; NULL: none.
   * Maps have none: it is ignored. */
  const double *reference;
} draw_panel;

/* What is drawn.  One variable: a curve with its band.  Two variables: a heat map, values with the
 * last axis fastest (values[i * counts[1] + j] is at axis 0 position i, axis 1 position j; axis 0
 * is drawn across, axis 1 upwards); on paper it is hatched where the band says that a value may be
 * error alone, or, floating, where it is wider than the scale.  A vector (stems = true): one stem
 * with an error bar per number. With panels: one such plot per panel, of the same variables on the
 * same grid, on one scale.  What the scale is too small for, a group of few whose values are mostly
 * noise, is cut at its edge.
 *
 * Grids include both bounds.  Values that are not finite (or beyond 1e300) are gaps.  Texts are
 * UTF-8; control characters are blanked, bad bytes replaced, and what does not fit is wrapped or
 * ends in an ellipsis.  Every text may be NULL. */
typedef struct draw_figure {
  const char *title;       /* "density of age" */
  const char *subtitle;    /* below it, smaller; on paper */
  const char *labels[2];   /* the variables' names */
  const char *units[2];    /* their units, "years"; may be NULL */
  const char *value_label; /* "density", "value" */
  const char *caption;     /* the guarantee in a plain sentence; wrapped */
  const char *note;        /* second line, e.g. what the band is; may be NULL */
  const char *band_label;  /* what the legend calls the band, "95 % band"; NULL: "band" */
  unsigned dimension;      /* 1 or 2 */
  bool stems;
  bool steps;    /* one variable: values of counts[0] equal bins between the bounds, as bars */
  bool floating; /* the value axis, or a map's scale, need not contain zero */
  size_t counts[2];
  double lower[2], upper[2]; /* stems: where they stand; lower = upper: at 1, 2, 3, ... */
  const double *values;
  double
      half_width; /* of the band; infinite or NaN: none is drawn and the picture says so; 0: none */
  /* A curve, panels of curves, or a map that floats: the band at each value, of which half_width is
   * the widest; NULL: the same everywhere. */
  const double *half_widths;
  bool diagonal; /* two variables, on paper: a thin line where they are the same part of the way */
  bool powers;   /* one variable: the values are decimal logarithms, and the axis says so */
  /* One variable: a second curve on the same grid to compare with, dashed; NULL: none. */
  const double *reference;
  bool approximates;    /* in files: the reference is solid and black, the values are dashed */
  const char *names[2]; /* what the legend calls the values and the reference; of panels, too */
  const char *between;  /* what it calls the tinted area between the two; NULL: not tinted */
  /* One variable: curves drawn thinly behind everything else, behind_count of them, each of
   * behind_length values at the places behind_at, which ascend; NULL: none. */
  const double *behind, *behind_at;
  size_t behind_count, behind_length;
  const char *behind_name; /* what the legend calls them */
  /* Small multiples: panel_count of them, in rows of panel_columns (0: chosen); values, half_width,
   * reference and behind of the figure are then unused. */
  const draw_panel *panels;
  size_t panel_count;
  unsigned panel_columns;
  bool
      overlaid; /* panels of one variable, on paper: all in one plot, each in a colour of its own */
  /* A map on paper: its height as a multiple of its width, 0: it fills the page; and a length along
   * axis 0 that is drawn below it, with what it is ("10 km"), 0: none. */
  double aspect, rule;
  const char *rule_label;
} draw_figure;

/* Writes path as its ending says: .svg, .png or .pdf.  Durable: nothing half-written stays, and on
 * failure an older file is untouched.  The same figure gives the same bytes. */
SFM_MUST_CHECK sfm_status draw_file(const draw_figure *figure, const char *path, sfm_error *error);

/* Draws with text, at most columns wide and rows high; colour only where asked: 24-bit when the
 * environment's COLORTERM says truecolor or 24bit, 256 colours otherwise. */
void draw_terminal(const draw_figure *figure, FILE *out, unsigned columns, unsigned rows,
                   bool colour);

#endif
