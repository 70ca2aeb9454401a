#include "figure.h"

#include <math.h>
#include <string.h>

static const double VALUE_MAX = 1e300;
/* Ranges narrower than this part of their size are drawn as constants. */
static const double FLAT = 1e-12;

static const char *panels_fault(const draw_figure *figure) {
  if (figure->overlaid && figure->dimension != 1)
    return "curves can be drawn in one plot, but not maps";
  if (figure->stems || figure->reference || figure->behind || figure->powers)
    return "only curves and maps have panels";
  for (size_t k = 0; k < figure->panel_count; k++) {
    const draw_figure one = draw_figure_panel(figure, k);
    const char *fault = figure->panels[k].values ? draw_figure_fault(&one) : NULL;
    if (fault) return fault;
  }
  return NULL;
}

const char *draw_figure_fault(const draw_figure *figure) {
  if (figure->panel_count) return panels_fault(figure);
  if (figure->dimension != 1 && figure->dimension != 2)
    return "a picture has one or two variables; fix the others or release fewer columns";
  if (figure->stems && figure->dimension != 1) return "a vector is drawn along one axis";
  if ((figure->reference || figure->powers) && (figure->stems || figure->dimension != 1))
    return "a second curve or powers of ten belong to a curve, not to a map or a vector";
  if (figure->behind && (figure->stems || figure->dimension != 1))
    return "curves are drawn behind a curve, not behind a map or a vector";
  if (figure->half_widths &&
      (figure->stems || figure->steps || (figure->dimension != 1 && !figure->floating)))
    return "a band that varies belongs to a curve, or to a map whose scale floats";
  if (figure->steps && (figure->stems || figure->reference || figure->dimension != 1))
    return "bins are drawn along one axis, with nothing else";
  if (!figure->values) return "there are no values to draw";
  for (unsigned k = 0; k < figure->dimension; k++) {
    if (figure->counts[k] < (figure->stems || figure->steps ? 1u : 2u))
      return "a grid needs two points per axis";
    if (!draw_shown(figure->lower[k]) || !draw_shown(figure->upper[k]))
      return "the bounds of a picture must be finite";
    if (figure->stems ? figure->lower[k] > figure->upper[k]
                      : !(figure->upper[k] - figure->lower[k] > 0))
      return "the lower bound of a picture must lie below the upper";
  }
  return NULL;
}

bool draw_shown(double value) {
  return isfinite(value) && fabs(value) <= VALUE_MAX;
}

draw_figure draw_figure_reference(const draw_figure *figure) {
  draw_figure second = *figure;
  second.values = figure->reference;
  second.reference = NULL;
  second.half_width = 0;
  second.half_widths = NULL;
  return second;
}

draw_figure draw_figure_panel(const draw_figure *figure, size_t k) {
  draw_figure one = *figure;
  one.values = figure->panels[k].values;
  one.half_width = figure->panels[k].half_width;
  one.reference = figure->dimension == 1 ? figure->panels[k].reference : NULL;
  one.between = NULL;
  one.panels = NULL;
  one.panel_count = 0;
  return one;
}

bool draw_figure_referred(const draw_figure *figure) {
  for (size_t k = 0; k < figure->panel_count; k++)
    if (draw_figure_panel(figure, k).reference) return true;
  return false;
}

unsigned draw_figure_panel_columns(const draw_figure *figure) {
  const size_t n = figure->panel_count;
  if (figure->panel_columns) return figure->panel_columns;
  if (n <= 3) return n ? (unsigned)n : 1;
  if (n == 4) return 2;
  return n <= 6 || n == 9 ? 3 : n <= 16 ? 4 : n <= 20 ? 5 : 6;
}

bool draw_figure_overlaid(const draw_figure *figure) {
  return figure->overlaid && figure->panel_count > 0;
}

bool draw_figure_panel_last(const draw_figure *figure, size_t k, unsigned columns) {
  return k + columns >= figure->panel_count;
}

bool draw_figure_behind(const draw_figure *figure, size_t k, size_t i, double *x, double *y) {
  *x = figure->behind_at[i];
  *y = figure->behind[k * figure->behind_length + i];
  return draw_shown(*y) && *x >= figure->lower[0] && *x <= figure->upper[0];
}

bool draw_is_band(double half_width) {
  return draw_shown(half_width) && half_width > 0;
}

bool draw_has_band(const draw_figure *figure) {
  return draw_is_band(figure->half_width);
}

size_t draw_figure_size(const draw_figure *figure) {
  return figure->counts[0] * (figure->dimension == 2 ? figure->counts[1] : 1);
}

double draw_figure_stem(const draw_figure *figure, size_t i) {
  double lower = figure->lower[0], upper = figure->upper[0];
  if (!(lower < upper)) return (double)i + 1;
  size_t last = figure->counts[0] - 1;
  return last ? lower + (upper - lower) * ((double)i / (double)last) : (lower + upper) / 2;
}

void draw_figure_bounds(const draw_figure *figure, unsigned k, double *lower, double *upper) {
  *lower = figure->lower[k];
  *upper = figure->upper[k];
  if (!figure->stems) return;
  size_t last = figure->counts[0] - 1;
  double room = last ? (draw_figure_stem(figure, 1) - draw_figure_stem(figure, 0)) / 2 : 0.5;
  if (!last && *lower < *upper) return;
  *lower = draw_figure_stem(figure, 0) - room;
  *upper = draw_figure_stem(figure, last) + room;
}

bool draw_figure_gaps(const draw_figure *figure) {
  for (size_t i = 0; figure->values && i < draw_figure_size(figure); i++) {
    double value = figure->values[i];
    bool zero = figure->powers && isinf(value) && value < 0;
    if (!zero && !draw_shown(value)) return true;
  }
  return false;
}

static void widen(double *least, double *most, const double *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!draw_shown(values[i])) continue;
    *least = fmin(*least, values[i]);
    *most = fmax(*most, values[i]);
  }
}

/* What the band at each value needs besides. */
static void widen_varying(double *least, double *most, const draw_figure *figure) {
  for (size_t i = 0; figure->half_widths && draw_has_band(figure) && i < draw_figure_size(figure);
       i++) {
    if (!draw_shown(figure->values[i]) || !draw_shown(figure->half_widths[i])) continue;
    *least = fmin(*least, figure->values[i] - figure->half_widths[i]);
    *most = fmax(*most, figure->values[i] + figure->half_widths[i]);
  }
}

/* The half-width of a band that is the same everywhere, else 0. */
static double constant_half(const draw_figure *figure) {
  return draw_has_band(figure) && !figure->half_widths ? figure->half_width : 0;
}

/* Below zero no panel needs more than this part of what it needs above. */
static const double BELOW_MOST = 0.3;

/* The axis of one variable whose values, with their bands, lie between least and most. */
static void curve_range(const draw_figure *figure, double least, double most, double *lower,
                        double *upper) {
  if (!figure->floating || (least <= 0 && most >= 0)) {
    least = fmin(least, 0);
    most = fmax(most, 0);
  }
  double size = fmax(fabs(least), fabs(most));
  if (!(most - least > FLAT * size)) {
    double room = size > 0 ? size / 2 : 1;
    most += room;
    if (least != 0) least -= room;
  }
  double room = 0.05 * (most - least);
  *upper = most > 0 || figure->floating ? most + room : most;
  *lower = least < 0 || (figure->floating && least > 0) ? least - room : least;
}

/* The range of values that panels need whose band is no wider than their peak is high; where the
 * axis need not contain zero there is no such height, and all are needed. */
static void panels_range(const draw_figure *figure, double *lower, double *upper) {
  const bool map = figure->dimension == 2, floating = figure->floating && !map;
  double low = floating ? INFINITY : 0, high = -low, any[2] = {-high, -low};
  bool counted = false;
  for (size_t k = 0; k < figure->panel_count; k++) {
    const draw_figure one = draw_figure_panel(figure, k);
    double least = INFINITY, most = -INFINITY;
    if (!one.values) continue;
    if (one.reference) widen(&low, &high, one.reference, draw_figure_size(figure));
    widen(&least, &most, one.values, draw_figure_size(figure));
    if (least > most) continue;
    widen_varying(&least, &most, &one);
    any[0] = fmin(any[0], least);
    any[1] = fmax(any[1], most);
    const double half = constant_half(&one);
    if ((half > most && !floating) || isinf(one.half_width)) continue;
    counted = true;
    high = fmax(high, most + (map ? 0 : half));
    low = fmin(low, least - half);
  }
  if (!counted) widen(&low, &high, any, 2);
  if (floating) {
    curve_range(figure, low <= high ? low : 0, low <= high ? high : 0, lower, upper);
    return;
  }
  if (!(high > 0)) high = 1;
  *upper = map ? high : 1.05 * high;
  *lower = map ? 0 : fmax(1.05 * low, -BELOW_MOST * high);
}

/* Whether some panel holds more than the scale shows. */
static bool panels_cut(const draw_figure *figure) {
  double lower, upper;
  panels_range(figure, &lower, &upper);
  for (size_t k = 0; k < figure->panel_count; k++) {
    const draw_figure one = draw_figure_panel(figure, k);
    const bool map = figure->dimension == 2;
    const double half = map ? 0 : constant_half(&one);
    double least = INFINITY, most = -INFINITY;
    if (!one.values) continue;
    widen(&least, &most, one.values, draw_figure_size(figure));
    widen_varying(&least, &most, &one);
    if (most + half > upper || (!map && least - half < lower)) return true;
  }
  return false;
}

void draw_figure_range(const draw_figure *figure, double *lower, double *upper) {
  if (figure->panel_count) {
    panels_range(figure, lower, upper);
    return;
  }
  double least = INFINITY, most = -INFINITY;
  widen(&least, &most, figure->values, draw_figure_size(figure));
  if (figure->reference) widen(&least, &most, figure->reference, draw_figure_size(figure));
  double behind[2] = {least, most};
  if (figure->behind)
    widen(&behind[0], &behind[1], figure->behind, figure->behind_count * figure->behind_length);
  if (least > most) least = most = 0;
  if (figure->dimension == 2 && figure->floating) {
    *lower = least;
    *upper = most > least ? most : least + fmax(fabs(least), 1);
    return;
  }
  if (figure->dimension == 2) {
    *lower = 0;
    *upper = most > 0 ? most : draw_has_band(figure) ? figure->half_width : 1;
    return;
  }
  const double half = constant_half(figure);
  widen_varying(&least, &most, figure);
  least = fmin(least - half, behind[0]);
  most = fmax(most + half, behind[1]);
  curve_range(figure, least, most, lower, upper);
}

/* Linear between grid points; a gap reaches half-way to its neighbours. */
static double between(double a, double b, double rest) {
  bool left = draw_shown(a), right = draw_shown(b);
  if (left && right) return a + rest * (b - a);
  if (rest < 0.5) return left ? a : NAN;
  return right ? b : NAN;
}

/* place in [0, last] as a whole part k < last and the rest. */
static size_t split(double place, size_t last, double *rest) {
  double bounded = fmin(fmax(place, 0), (double)last);
  size_t k = (size_t)bounded;
  if (k == last && k > 0) k--;
  *rest = bounded - (double)k;
  return k;
}

/* Of bins: those that the slice touches. */
static bool slice_steps(const draw_figure *figure, double from, double to, double *middle,
                        double *least, double *largest) {
  const double n = (double)figure->counts[0], last = n - 1;
  const size_t begin = (size_t)fmin(fmax(floor(from * n), 0), last),
               end = (size_t)fmin(fmax(ceil(to * n) - 1, (double)begin), last);
  *middle = figure->values[(size_t)fmin(fmax(floor((from + to) / 2 * n), 0), last)];
  *least = INFINITY;
  *largest = -INFINITY;
  widen(least, largest, figure->values + begin, end - begin + 1);
  if (*least > *largest) return false;
  if (!draw_shown(*middle)) *middle = (*least + *largest) / 2;
  return true;
}

bool draw_figure_slice(const draw_figure *figure, double from, double to, double *middle,
                       double *least, double *largest) {
  if (figure->steps) return slice_steps(figure, from, to, middle, least, largest);
  size_t last = figure->counts[0] - 1;
  double rest;
  size_t k = split((from + to) / 2 * (double)last, last, &rest);
  *middle = last ? between(figure->values[k], figure->values[k + 1], rest) : figure->values[0];
  *least = isnan(*middle) ? INFINITY : *middle;
  *largest = isnan(*middle) ? -INFINITY : *middle;
  double begin = ceil(fmax(from, 0) * (double)last), end = floor(fmin(to, 1) * (double)last);
  if (begin <= end)
    widen(least, largest, figure->values + (size_t)begin, (size_t)(end - begin) + 1);
  if (*least > *largest) return false;
  if (isnan(*middle)) *middle = (*least + *largest) / 2;
  return true;
}

double draw_figure_half(const draw_figure *figure, double place) {
  double rest;
  if (!figure->half_widths) return figure->half_width;
  const size_t last = figure->counts[0] - 1, k = split(place * (double)last, last, &rest);
  const double half = between(figure->half_widths[k], figure->half_widths[k + 1], rest);
  return draw_shown(half) ? half : 0;
}

static double interpolated(const draw_figure *figure, const double place[2]) {
  double rest[2];
  size_t i = split(place[0], figure->counts[0] - 1, &rest[0]);
  size_t j = split(place[1], figure->counts[1] - 1, &rest[1]);
  const double *row = figure->values + i * figure->counts[1] + j, *next = row + figure->counts[1];
  return between(between(row[0], row[1], rest[1]), between(next[0], next[1], rest[1]), rest[0]);
}

double draw_figure_cell(const draw_figure *figure, const double from[2], const double to[2]) {
  double begin[2], end[2], place[2];
  for (unsigned k = 0; k < 2; k++) {
    double last = (double)figure->counts[k] - 1;
    begin[k] = ceil(from[k] * last);
    end[k] = ceil(to[k] * last) - (to[k] < 1);
    place[k] = (from[k] + to[k]) / 2 * last;
  }
  bool fine = end[0] - begin[0] >= 1 && end[1] - begin[1] >= 1;
  if (!fine) return interpolated(figure, place);
  double sum = 0;
  size_t seen = 0, gaps = 0;
  for (size_t i = (size_t)begin[0]; i <= (size_t)end[0]; i++) {
    for (size_t j = (size_t)begin[1]; j <= (size_t)end[1]; j++) {
      double value = figure->values[i * figure->counts[1] + j];
      if (draw_shown(value))
        seen++, sum += value;
      else
        gaps++;
    }
  }
  return seen >= gaps ? sum / (double)seen : NAN;
}

void draw_figure_legend(const draw_figure *figure, char *out, size_t size) {
  char label[256], number[DRAW_NUMBER_MAX];
  draw_clean(label, sizeof label, figure->band_label ? figure->band_label : "band");
  draw_number(figure->half_width, number, sizeof number);
  if (figure->half_widths)
    snprintf(out, size, "%s", label);
  else
    snprintf(out, size, "%s, \u00b1%s", label, number);
}

static void append(char *out, const char *sentence) {
  size_t used = strlen(out);
  snprintf(out + used, DRAW_TEXT_MAX - used, "%s%s", used ? " " : "", sentence);
}

void draw_figure_captions(const draw_figure *figure, draw_captions *captions) {
  draw_clean(captions->text[0], DRAW_TEXT_MAX, figure->caption);
  char *note = captions->text[1];
  draw_clean(note, DRAW_TEXT_MAX - 512, figure->note);
  if (isinf(figure->half_width) || isnan(figure->half_width) || figure->half_width > VALUE_MAX)
    append(note, "No band is drawn: the error has no finite bound.");
  if (figure->panel_count && panels_cut(figure))
    append(note, figure->dimension == 2 ? "Values beyond the scale have its darkest colour."
                                        : "Values outside the scale are cut off at its edge.");
  if (draw_figure_gaps(figure))
    append(note, figure->dimension == 2 ? "Places without a value are grey or dotted."
                                        : "Gaps are places without a value.");
}
