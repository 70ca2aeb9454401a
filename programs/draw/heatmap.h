/* heatmap.h - a heat map with its scale on paper. */
#ifndef DRAW_HEATMAP_H
#define DRAW_HEATMAP_H

#include "page.h"

void draw_heatmap(const draw_page *page, const draw_figure *figure);
/* The plot alone, and its scale. */
void draw_heatmap_plot(const draw_page *page, const draw_figure *figure);
void draw_heatmap_scale(const draw_page *page, const draw_figure *figure);
/* Whether a map has a line where noise ends: its band is within the scale. */
bool draw_heatmap_line(const draw_page *page, const draw_figure *figure);
/* Room a heat map needs right of its plot, and below it for its key. */
double draw_heatmap_side(const draw_page *page);
double draw_heatmap_key(const draw_figure *figure);

#endif
