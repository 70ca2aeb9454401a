#include "error_hatching.h"

#include <math.h>

/* Beyond these parts of a plot nothing is left that a band could show. */
static const double COVERED = 0.9;

bool draw_band_covers(const draw_figure *figure, double lower, double upper) {
  size_t shown = 0, covered = 0;
  if (!draw_has_band(figure) || figure->dimension != 1) return false;
  for (size_t i = 0; i < draw_figure_size(figure); i++) {
    const double half = figure->half_widths ? figure->half_widths[i] : figure->half_width;
    if (!draw_shown(figure->values[i]) || !draw_shown(half)) continue;
    shown++;
    covered += figure->values[i] + half >= upper && figure->values[i] - half <= lower;
  }
  return shown > 0 && (double)covered >= COVERED * (double)shown;
}

bool draw_hatched_at(const draw_figure *figure, double value, double half, double range) {
  if (!draw_is_band(half) || !draw_shown(value)) return false;
  return figure->floating ? !(2 * half < range) : fabs(value) <= half;
}

draw_hatching draw_hatching_of(const draw_figure *figure) {
  size_t shown = 0, hatched = 0;
  double lower, upper;
  if (!draw_has_band(figure) || !figure->values) return DRAW_HATCHED_NOWHERE;
  draw_figure_range(figure, &lower, &upper);
  for (size_t i = 0; i < draw_figure_size(figure); i++) {
    const double half = figure->half_widths ? figure->half_widths[i] : figure->half_width;
    if (!draw_shown(figure->values[i])) continue;
    shown++;
    hatched += draw_hatched_at(figure, figure->values[i], half, upper - lower);
  }
  return hatched == 0      ? DRAW_HATCHED_NOWHERE
         : hatched < shown ? DRAW_HATCHED_PARTLY
                           : DRAW_HATCHED_EVERYWHERE;
}

double draw_half_width_at(const draw_figure *figure, double across, double up) {
  const double last[2] = {(double)figure->counts[0] - 1, (double)figure->counts[1] - 1};
  if (!figure->half_widths) return figure->half_width;
  const size_t i = (size_t)round(fmin(fmax(across, 0), 1) * last[0]),
               j = (size_t)round(fmin(fmax(up, 0), 1) * last[1]);
  return figure->half_widths[i * figure->counts[1] + j];
}

double draw_half_width_least(const draw_figure *figure) {
  double least = figure->half_width;
  for (size_t i = 0; figure->half_widths && i < draw_figure_size(figure); i++)
    if (draw_shown(figure->half_widths[i])) least = fmin(least, figure->half_widths[i]);
  return least;
}
