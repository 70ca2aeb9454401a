#include "doubt.h"

#include <math.h>

/* Beyond these parts of a plot nothing is left that a band could show. */
static const double DROWNED = 0.9;

bool draw_doubt_drowned(const draw_figure *figure, double lower, double upper) {
  size_t shown = 0, covered = 0;
  if (!draw_has_band(figure) || figure->dimension != 1) return false;
  for (size_t i = 0; i < draw_figure_size(figure); i++) {
    const double half = figure->half_widths ? figure->half_widths[i] : figure->half_width;
    if (!draw_shown(figure->values[i]) || !draw_shown(half)) continue;
    shown++;
    covered += figure->values[i] + half >= upper && figure->values[i] - half <= lower;
  }
  return shown > 0 && (double)covered >= DROWNED * (double)shown;
}

bool draw_doubt_at(const draw_figure *figure, double value, double half, double range) {
  if (!draw_is_band(half) || !draw_shown(value)) return false;
  return figure->floating ? !(2 * half < range) : fabs(value) <= half;
}

draw_doubt draw_doubt_of(const draw_figure *figure) {
  size_t shown = 0, doubtful = 0;
  double lower, upper;
  if (!draw_has_band(figure) || !figure->values) return DRAW_SURE;
  draw_figure_range(figure, &lower, &upper);
  for (size_t i = 0; i < draw_figure_size(figure); i++) {
    const double half = figure->half_widths ? figure->half_widths[i] : figure->half_width;
    if (!draw_shown(figure->values[i])) continue;
    shown++;
    doubtful += draw_doubt_at(figure, figure->values[i], half, upper - lower);
  }
  return doubtful == 0 ? DRAW_SURE : doubtful < shown ? DRAW_SOME_DOUBT : DRAW_ALL_DOUBT;
}

double draw_doubt_half(const draw_figure *figure, double across, double up) {
  const double last[2] = {(double)figure->counts[0] - 1, (double)figure->counts[1] - 1};
  if (!figure->half_widths) return figure->half_width;
  const size_t i = (size_t)round(fmin(fmax(across, 0), 1) * last[0]),
               j = (size_t)round(fmin(fmax(up, 0), 1) * last[1]);
  return figure->half_widths[i * figure->counts[1] + j];
}

double draw_doubt_least_half(const draw_figure *figure) {
  double least = figure->half_width;
  for (size_t i = 0; figure->half_widths && i < draw_figure_size(figure); i++)
    if (draw_shown(figure->half_widths[i])) least = fmin(least, figure->half_widths[i]);
  return least;
}
