/* chart.h - a curve with its band, or stems, on paper. */
#ifndef DRAW_CHART_H
#define DRAW_CHART_H

#include "page.h"

void draw_chart(const draw_page *page, const draw_figure *figure);
/* The plot alone. */
void draw_chart_plot(const draw_page *page, const draw_figure *figure);

/* The band of a curve, and the curve, in the ink and with the pen that are set. */
void draw_chart_band(const draw_page *page, const draw_figure *figure);
void draw_chart_line(const draw_page *page, const draw_figure *figure);

/* Samples for a legend, from x on: of the values with their band, and of the reference. */
typedef void draw_sample(const draw_page *page, const draw_figure *figure, double x, double y,
                         double wide);
draw_sample draw_chart_sample, draw_chart_dashes;
/* A name in the header that ends at `right`, at most so wide, and its sample before it; returns the
 * left edge. */
double draw_chart_entry(const draw_page *page, const draw_figure *figure, double right, double most,
                        double sample, const char *text, draw_sample *show);

#endif
