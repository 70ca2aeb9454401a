/* chart.h - a curve with its band, or stems, on paper. */
#ifndef DRAW_CHART_H
#define DRAW_CHART_H

#include "page.h"

void draw_chart(const draw_page *page, const draw_figure *figure);
/* The plot alone. */
void draw_chart_plot(const draw_page *page, const draw_figure *figure);

/* Samples for a legend, from x on: of the values with their band, and of the reference. */
typedef void draw_sample(const draw_page *page, const draw_figure *figure, double x, double y,
                         double wide);
draw_sample draw_chart_sample, draw_chart_dashes;

#endif
