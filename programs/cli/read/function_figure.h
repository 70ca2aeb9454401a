/* function_figure.h - what all pictures of released functions share: their axes, and their values
 * on a grid. */
#ifndef CLI_FUNCTION_FIGURE_H
#define CLI_FUNCTION_FIGURE_H

#include "draw/draw.h"
#include "sfumato/release.h"

/* The names, units and bounds of the variables. */
void function_figure_axes(draw_figure *figure, const sfm_release *release);
/* The grid of panels: fine on paper, as fine as the terminal else. */
void function_figure_grid(draw_figure *figure, bool paper);
/* The values on the figure's grid, on the heap; total: as for an evaluator. */
SFM_MUST_CHECK sfm_status function_figure_values(double **values, const draw_figure *figure,
                                                 const sfm_release *release, double total,
                                                 sfm_error *error);

#endif
