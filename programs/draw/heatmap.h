/* heatmap.h - a heat map with its scale on paper. */
#ifndef DRAW_HEATMAP_H
#define DRAW_HEATMAP_H

#include <stdint.h>

#include "page.h"

void draw_heatmap(const draw_page *page, const draw_figure *figure);
/* The plot alone, and its scale. */
void draw_heatmap_plot(const draw_page *page, const draw_figure *figure);
void draw_heatmap_scale(const draw_page *page, const draw_figure *figure);
/* The scale's name, which begins above it where the page is wide enough, right of plots that end at
 * `right`.  Returns where it begins. */
double draw_heatmap_name(const draw_page *page, double right);
/* Hatches a rectangle: what is below may be error alone. */
void draw_heatmap_hatch(const draw_page *page, double x, double y, double width, double height);
/* A line below a map at height y: a sample of hatching, if some is to be explained, and the text.
 */
void draw_heatmap_note(const draw_page *page, double y, bool hatched, const char *text);
double draw_heatmap_note_width(const draw_page *page, const char *text); /* hatched */

/* Height over width of a map's plot, and how wide it may be for that; false: it fills its place. */
bool draw_heatmap_shape(const draw_figure *figure, double *width, double *height, double most);
/* The length below a map, from its right end, by its name. */
void draw_heatmap_rule(const draw_page *page, const draw_figure *figure, double right);

/* Paints the plot with the colours of its pixels. */
typedef uint32_t draw_pixel(const void *context, int column, int row, int columns, int rows);
void draw_heatmap_paint(const draw_page *page, draw_pixel *colour, const void *context);
#define DRAW_GAP 0xc9c9c9u /* where there is no value */
/* The line at a level through square (i, j) of a grid, whose corners, counter-clockwise, have these
 * values; none where one of them is a gap.  And such lines drawn, so thick. */
void draw_heatmap_cross(const draw_page *page, const size_t counts[2], size_t i, size_t j,
                        const double v[4], double level);
void draw_heatmap_stroke(const draw_page *page, double thickness);

/* Room a heat map needs right of its plot, and below it for its key. */
double draw_heatmap_side(const draw_page *page);
/* Where the scale of plots that end at `right` ends, and its name. */
double draw_heatmap_end(const draw_page *page, double right);
double draw_heatmap_key(const draw_figure *figure);

#endif
