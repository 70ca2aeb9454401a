/* figure.h - what a drawing needs to know about a figure, whatever it is drawn on. */
#ifndef DRAW_FIGURE_H
#define DRAW_FIGURE_H

#include "axis.h"
#include "draw.h"
#include "text_layout.h"

/* NULL, or what is wrong with the figure. */
const char *draw_figure_fault(const draw_figure *figure);

/* How many values a figure has. */
size_t draw_figure_size(const draw_figure *figure);
/* Finite and small enough to subtract and scale without overflow. */
bool draw_shown(double value);
/* The second curve as a figure of its own, without a band. */
draw_figure draw_figure_reference(const draw_figure *figure);
/* One panel as a figure of its own. */
draw_figure draw_figure_panel(const draw_figure *figure, size_t k);
/* Whether some panel has a second curve. */
bool draw_figure_referred(const draw_figure *figure);
/* How many panels stand side by side. */
unsigned draw_figure_panel_columns(const draw_figure *figure);
/* Whether a panel has no other below it. */
bool draw_figure_panel_last(const draw_figure *figure, size_t k, unsigned columns);
/* Value i of curve k of those behind, and where it stands; false in a gap. */
bool draw_figure_behind(const draw_figure *figure, size_t k, size_t i, double *x, double *y);
/* A band is drawn: its half-width is finite and positive. */
bool draw_has_band(const draw_figure *figure);
bool draw_is_band(double half_width);
/* Panels in one plot: there are several, and each is a curve. */
bool draw_figure_overlaid(const draw_figure *figure);
/* A curve's band at a place of its axis, a fraction in [0, 1]. */
double draw_figure_half(const draw_figure *figure, double place);
/* Where the variable's axis begins and ends; stems have half a gap of room on both sides. */
void draw_figure_bounds(const draw_figure *figure, unsigned k, double *lower, double *upper);
/* Where stem i stands. */
double draw_figure_stem(const draw_figure *figure, size_t i);
/* The value axis: one variable, values with their band, and zero unless floating; two, from 0 to
 * the largest value or, floating, from the least.  Of panels: what those need whose band is no
 * wider than their peak is high, or, floating, all. */
void draw_figure_range(const draw_figure *figure, double *lower, double *upper);

/* The curve over the slice [from, to] of its axis, as fractions in [0, 1]: the value at the middle
 * (interpolated), and the least and largest there.  False in a gap. */
bool draw_figure_slice(const draw_figure *figure, double from, double to, double *middle,
                       double *least, double *largest);
/* The map over a cell, given by fractions: the mean of the grid's values in it, or interpolated
 * between them if there are none.  NaN in a gap. */
double draw_figure_cell(const draw_figure *figure, const double from[2], const double to[2]);
/* True if some value is not shown; the logarithm of 0 is none of them: the curve has left there. */
bool draw_figure_gaps(const draw_figure *figure);

/* "95 % band, +-0.0031" for the legend; without the number where the band varies. */
void draw_figure_legend(const draw_figure *figure, char *out, size_t size);
/* The caption's paragraphs, cleaned: [0] the guarantee, [1] the note and what the picture must say
 * about itself.  Either may be empty. */
typedef struct draw_captions {
  char text[2][DRAW_TEXT_MAX];
} draw_captions;
void draw_figure_captions(const draw_figure *figure, draw_captions *captions);

#endif
