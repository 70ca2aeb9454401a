/* panels.h - many plots side by side on paper. */
#ifndef DRAW_PANELS_H
#define DRAW_PANELS_H

#include "page.h"

/* The layout finds their places from page->top on; draw_panels_bottom is where the last one
 * ends. */
void draw_panels_layout(draw_page *page, const draw_figure *figure);
double draw_panels_bottom(const draw_page *page, const draw_figure *figure);
/* Where a page may end that has nothing else: maps of a stated shape need not fill it. */
double draw_panels_end(const draw_page *page, const draw_figure *figure);
void draw_panels(const draw_page *page, const draw_figure *figure);

#endif
