#include "loglog_curves.h"

#include <math.h>
#include <string.h>

/* The scale is that of the first series; its band, the levels and, as the caller says, the others
 * may widen it by so many decades. */
static const double REACH = 1;
/* Axes that would span less than so many decades span one, so that there are ticks and a flat curve
 * looks flat. */
static const double ACROSS_LEAST = 0.3, UP_LEAST = 1;
static const double ROOM = 0.04;      /* a part of the scale, above and below */
static const double NAME_ROOM = 0.05; /* and more above the highest level */

static const char *curves_fault(const draw_curves *curves) {
  if (!curves->at || curves->count == 0) return "a plot of the report has no places";
  if (!curves->series || curves->series_count == 0) return "a plot of the report has no curves";
  if (curves->series_count > DRAW_SERIES_MAX) return "a plot of the report has at most 8 curves";
  if (curves->level_count && !curves->levels) return "a plot of the report has no levels";
  for (size_t k = 0; k < curves->series_count; k++)
    if (!curves->series[k].values) return "a curve of the report has no values";
  for (size_t i = 0; i < curves->count; i++)
    if (!(curves->at[i] > 0 && draw_shown(curves->at[i])) ||
        (i > 0 && !(curves->at[i] > curves->at[i - 1])))
      return "the places of a report's curves must be positive and ascend";
  return NULL;
}

const char *draw_plan_page_fault(const draw_plan_page *report) {
  const draw_figure *preview = report->preview;
  if (report->curve_count > DRAW_CURVES_MAX) return "a report has at most two plots of curves";
  if (report->curve_count == 0 && !preview) return "the report has neither curves nor a preview";
  for (size_t k = 0; k < report->curve_count; k++) {
    const char *fault = curves_fault(&report->curves[k]);
    if (fault) return fault;
  }
  if (preview && !preview->panel_count) return "the preview of a report must have panels";
  return preview ? draw_figure_fault(preview) : NULL;
}

bool draw_curves_value(double value, double *percent) {
  if (!(value > 0 && draw_shown(value))) return false;
  *percent = log10(value) + 2;
  return true;
}

bool draw_curves_at(const draw_curves *curves, const double *values, double x, double *percent) {
  const double grace = 1e-9;
  size_t i = 0, end = curves->count; /* the first place from x on is in [i, end] */
  while (i < end) {
    const size_t middle = i + (end - i) / 2;
    if (log10(curves->at[middle]) < x - grace)
      i = middle + 1;
    else
      end = middle;
  }
  if (i == curves->count) return false;
  double right = log10(curves->at[i]), b;
  if (right <= x + grace) return draw_curves_value(values[i], percent);
  if (i == 0 || !draw_curves_value(values[i], &b)) return false;
  double left = log10(curves->at[i - 1]), a;
  if (!draw_curves_value(values[i - 1], &a)) return false;
  *percent = a + (b - a) * (x - left) / (right - left);
  return true;
}

bool draw_curves_edges(const draw_series *series, size_t i) {
  return series->low && series->high && !isnan(series->low[i]) && !isnan(series->high[i]);
}

bool draw_curves_here(const draw_curves *curves, double *x) {
  if (!(curves->here > 0 && draw_shown(curves->here))) return false;
  *x = log10(curves->here);
  return true;
}

bool draw_curves_level_name(const draw_curves *curves, size_t i, char *out, size_t size) {
  draw_clean(out, size, curves->level_names ? curves->level_names[i] : NULL);
  return *out != 0;
}

static bool same_text(const char *a, const char *b) {
  return strcmp(a ? a : "", b ? b : "") == 0;
}

bool draw_curves_shared(const draw_plan_page *report) {
  return report->curve_count < 2 ||
         same_text(report->curves[0].value_label, report->curves[1].value_label);
}

/* One decade about its middle, if it is not at least so wide. */
static void open_up(double *lower, double *upper, double least) {
  const double middle = (*lower + *upper) / 2;
  if (*upper - *lower >= least) return;
  *lower = middle - 0.5;
  *upper = middle + 0.5;
}

void draw_curves_across(const draw_plan_page *report, size_t k, double *lower, double *upper) {
  const draw_curves *curves = &report->curves[k];
  double here;
  *lower = log10(curves->at[0]);
  *upper = log10(curves->at[curves->count - 1]);
  if (draw_curves_here(curves, &here)) {
    *lower = fmin(*lower, here);
    *upper = fmax(*upper, here);
  }
  open_up(lower, upper, ACROSS_LEAST);
}

/* Widens range by what of values lies within the limits. */
static void widen(double range[2], const double *values, size_t count, const double limits[2]) {
  double percent;
  for (size_t i = 0; i < count; i++) {
    if (!draw_curves_value(values[i], &percent)) continue;
    range[0] = fmin(range[0], fmin(fmax(percent, limits[0]), limits[1]));
    range[1] = fmax(range[1], fmin(fmax(percent, limits[0]), limits[1]));
  }
}

/* What the first series needs; of them all, if that has nothing to show. */
static void core_range(const draw_plan_page *report, size_t first, size_t end, double range[2]) {
  static const double all[2] = {-INFINITY, INFINITY};
  for (size_t k = first; k < end; k++)
    widen(range, report->curves[k].series[0].values, report->curves[k].count, all);
  for (size_t k = first; range[0] > range[1] && k < end; k++)
    for (size_t s = 1; s < report->curves[k].series_count; s++)
      widen(range, report->curves[k].series[s].values, report->curves[k].count, all);
}

/* Levels out of reach are left out: they would squeeze the curves and stand at the very edge. */
static void widen_levels(double range[2], const draw_curves *curves, const double limits[2]) {
  double percent;
  for (size_t i = 0; i < curves->level_count; i++)
    if (draw_curves_value(curves->levels[i], &percent) && percent >= limits[0] &&
        percent <= limits[1])
      widen(range, &curves->levels[i], 1, limits);
}

/* Room for the name of a level above its line. */
static void raise_roof(double range[2], const draw_curves *curves) {
  const double room = NAME_ROOM * (range[1] - range[0]);
  double percent;
  for (size_t i = 0; i < curves->level_count; i++)
    if (draw_curves_value(curves->levels[i], &percent) && percent <= range[1])
      range[1] = fmax(range[1], percent + room);
}

void draw_curves_up(const draw_plan_page *report, size_t k, double reach, double *lower,
                    double *upper) {
  const bool shared = draw_curves_shared(report);
  const size_t first = shared ? 0 : k, end = shared ? report->curve_count : k + 1;
  double range[2] = {INFINITY, -INFINITY};
  core_range(report, first, end, range);
  if (range[0] > range[1]) {
    range[0] = 0; /* 1 % to 100 % */
    range[1] = 2;
  }
  const double limits[2] = {range[0] - REACH, range[1] + REACH},
               others[2] = {range[0] - reach, range[1] + reach};
  for (size_t c = first; c < end; c++) {
    const draw_curves *curves = &report->curves[c];
    for (size_t i = 0; i < curves->count; i++) {
      if (!draw_curves_edges(&curves->series[0], i)) continue;
      widen(range, &curves->series[0].low[i], 1, limits);
      widen(range, &curves->series[0].high[i], 1, limits);
    }
    for (size_t s = 1; s < curves->series_count; s++)
      widen(range, curves->series[s].values, curves->count, others);
    widen_levels(range, curves, limits);
  }
  open_up(&range[0], &range[1], UP_LEAST);
  for (size_t c = first; c < end; c++) raise_roof(range, &report->curves[c]);
  const double room = ROOM * (range[1] - range[0]);
  *lower = range[0] - room;
  *upper = range[1] + room;
}

static bool any_value(const draw_series *series, size_t count) {
  double percent;
  for (size_t i = 0; i < count; i++)
    if (draw_curves_value(series->values[i], &percent)) return true;
  return false;
}

size_t draw_key_place(const draw_key *key, const draw_series *series) {
  char name[sizeof key->names[0]];
  draw_clean(name, sizeof name, series->name);
  size_t k = 0;
  while (k < key->count && strcmp(key->names[k], name) != 0) k++;
  return k;
}

void draw_key_init(draw_key *key, const draw_plan_page *report) {
  key->count = 0;
  for (size_t c = 0; c < report->curve_count; c++) {
    const draw_curves *curves = &report->curves[c];
    for (size_t s = 0; s < curves->series_count; s++) {
      const draw_series *series = &curves->series[s];
      if (!any_value(series, curves->count)) continue;
      const size_t k = draw_key_place(key, series);
      if (k == key->count) {
        draw_clean(key->names[k], sizeof key->names[k], series->name);
        key->band[key->count++] = false;
      }
      for (size_t i = 0; i < curves->count; i++)
        key->band[k] = key->band[k] || draw_curves_edges(series, i);
    }
  }
}

/* Whether something that could be shown lies beyond the scale. */
static bool curves_cut(const draw_plan_page *report, double reach) {
  double lower, upper, percent;
  for (size_t c = 0; c < report->curve_count; c++) {
    const draw_curves *curves = &report->curves[c];
    draw_curves_up(report, c, reach, &lower, &upper);
    for (size_t s = 0; s < curves->series_count; s++)
      for (size_t i = 0; i < curves->count; i++)
        if (draw_curves_value(curves->series[s].values[i], &percent) &&
            (percent < lower || percent > upper))
          return true;
  }
  return false;
}

static void append(draw_captions *captions, const char *sentence) {
  char *note = captions->text[1];
  const size_t used = strlen(note);
  snprintf(note + used, DRAW_TEXT_MAX - used, "%s%s", used && *sentence ? " " : "", sentence);
}

void draw_plan_page_captions(const draw_plan_page *report, double reach, draw_captions *captions) {
  const draw_figure words = {.caption = report->caption, .note = report->note};
  draw_figure_captions(&words, captions);
  if (curves_cut(report, reach))
    append(captions, "Curves outside the scale are cut off at its edge.");
  if (!report->preview) return;
  draw_captions preview;
  draw_figure_captions(report->preview, &preview);
  append(captions, preview.text[1]);
}
