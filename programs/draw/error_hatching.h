/* error_hatching.h - what of a figure its band leaves open: values that may be error alone, and
 * bands that a plot cannot show. */
#ifndef DRAW_ERROR_HATCHING_H
#define DRAW_ERROR_HATCHING_H

#include "figure.h"

/* Whether the band of a curve covers nearly all of a plot with such an axis: it says nothing there,
 * and hides what is behind it. */
bool draw_band_covers(const draw_figure *figure, double lower, double upper);
/* Whether a value of a map, with that half-width, may be error alone; floating: whether its band is
 * wider than the scale, which goes over so much.  Whether that is so nowhere, somewhere or
 * everywhere; and the half-width at a place, in fractions of the axes. */
typedef enum draw_hatching {
  DRAW_HATCHED_NOWHERE,
  DRAW_HATCHED_PARTLY,
  DRAW_HATCHED_EVERYWHERE
} draw_hatching;
bool draw_hatched_at(const draw_figure *figure, double value, double half, double range);
draw_hatching draw_hatching_of(const draw_figure *figure);
double draw_half_width_at(const draw_figure *figure, double across, double up);
/* The least half-width of a band that varies, else the only one. */
double draw_half_width_least(const draw_figure *figure);

#endif
