#include "function_figure.h"

#include <stdlib.h>

#include "cli/core/options.h"
#include "cli/io/figure_output.h"

void function_figure_axes(draw_figure *figure, const sfm_release *release) {
  for (size_t a = 0; a < sfm_release_dimension(release); a++) {
    figure->labels[a] = sfm_release_column(release, a);
    if (sfm_release_boundary(release, a) == SFM_BOUNDARY_PERIODIC) figure->units[a] = "periodic";
    sfm_release_bounds(release, &figure->lower[a], &figure->upper[a], a);
  }
}

void function_figure_grid(draw_figure *figure, bool paper) {
  enum { FINE_CURVE = 401, FINE_MAP = 192 };
  unsigned columns, rows;
  figure_output_terminal_size(&columns, &rows);
  const bool map = figure->dimension == 2;
  figure->counts[0] = paper ? (map ? FINE_MAP : FINE_CURVE) : map ? columns : 2 * columns;
  figure->counts[1] = paper ? FINE_MAP : 2 * rows;
}

sfm_status function_figure_values(double **values, const draw_figure *figure,
                                  const sfm_release *release, double total, sfm_error *error) {
  const size_t count = figure->counts[0] * (figure->dimension == 2 ? figure->counts[1] : 1);
  sfm_evaluator *evaluator = NULL;
  *values = malloc((count + 1) * sizeof **values);
  if (!*values) return cli_fail_memory(error);
  sfm_status status = sfm_evaluator_create(&evaluator, release, total, error);
  if (!status) status = sfm_evaluator_grid(evaluator, *values, figure->counts, error);
  sfm_evaluator_destroy(evaluator);
  return status;
}
