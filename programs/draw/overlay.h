/* overlay.h - the panels of a figure in one plot on paper, each a curve in its own colour. */
#ifndef DRAW_OVERLAY_H
#define DRAW_OVERLAY_H

#include "page.h"

/* The legend, one entry per panel, from page->header on; returns its height.  Without show it is
 * only measured. */
double draw_overlay_legend(const draw_page *page, const draw_figure *figure, bool show);
/* The plot and its legend, without the axes. */
void draw_overlay(const draw_page *page, const draw_figure *figure);

#endif
