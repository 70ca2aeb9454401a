/* panels.c - small multiples on paper: the same plot once per panel, on one scale, axes written at
 * the left and below only, and above each panel its name and a detail. */
#include "panels.h"

#include <math.h>

#include "chart.h"
#include "error_hatching.h"
#include "heatmap.h"

static const double BETWEEN = 26, NAME_LEADING = 14, NAME_ROOM = 9, ROW_GAP = 16;
static const double CHART_RATIO = 0.62, MAP_RATIO = 0.78, HEIGHT_LEAST = 84, HEIGHT_MOST = 260;
static const double SCALE_MOST = 280;  /* the height of a heat map's scale */
static const double SHAPED_MOST = 320; /* of a map whose shape is given */

static unsigned row_count(const draw_page *page, const draw_figure *figure) {
  return (unsigned)((figure->panel_count + page->columns - 1) / page->columns);
}

/* From the top of a row of panels, its names included, to that of the next. */
static double row_height(const draw_page *page) {
  return (page->name_lines + page->noted) * NAME_LEADING + NAME_ROOM + page->panel_height + ROW_GAP;
}

double draw_panels_bottom(const draw_page *page, const draw_figure *figure) {
  return page->top + row_count(page, figure) * row_height(page) - ROW_GAP;
}

/* The lines above every panel: one where name and detail fit beside each other, else a name of one
 * line or two and then the detail. */
static unsigned name_lines(const draw_page *page, const draw_figure *figure) {
  unsigned lines = 1;
  for (size_t k = 0; k < figure->panel_count; k++) {
    const draw_panel *panel = &figure->panels[k];
    char label[1024], detail[256];
    draw_clean(label, sizeof label, panel->label);
    draw_clean(detail, sizeof detail, panel->detail);
    const double name = draw_page_measure(page, DRAW_SMALL, label);
    if (name + draw_page_measure(page, DRAW_SMALL, detail) + 10 > page->panel_width && lines < 2)
      lines = 2;
    if (name > page->panel_width) lines = 3;
  }
  return lines;
}

/* "band ±0.07: off this scale": of a band that would fill the panel, and is not drawn; empty of
 * others. */
static void write_covered(char *out, size_t size, const draw_page *page, const draw_figure *figure,
                          size_t k) {
  const draw_figure plot = draw_figure_panel(figure, k);
  char number[DRAW_NUMBER_MAX];
  *out = 0;
  if (!plot.values || !draw_band_covers(&plot, page->up.lower, page->up.upper)) return;
  draw_number(figure->panels[k].half_width, number, sizeof number);
  snprintf(out, size, "band \u00b1%s: off this scale", number);
}

/* Whether a band that is not drawn needs a line of its own: its panel has a detail, or there is no
 * room beside a name. */
static bool is_noted(const draw_page *page, const draw_figure *figure) {
  for (size_t k = 0; k < figure->panel_count; k++) {
    const draw_panel *panel = &figure->panels[k];
    char label[1024], text[256];
    write_covered(text, sizeof text, page, figure, k);
    draw_clean(label, sizeof label, panel->label);
    const double wide =
        draw_page_measure(page, DRAW_SMALL, label) + 10 + draw_page_measure(page, DRAW_SMALL, text);
    if (*text &&
        ((panel->detail && *panel->detail) || page->name_lines > 1 || wide > page->panel_width))
      return true;
  }
  return false;
}

void draw_panels_layout(draw_page *page, const draw_figure *figure) {
  const bool map = figure->dimension == 2;
  double lower, upper;
  page->columns = draw_figure_panel_columns(figure);
  draw_page_scales(page, figure, map ? 7 : 5, 5);
  const double left = page->margin + draw_page_widest(page, &page->up) + 9,
               right = page->width - page->margin - (map ? draw_heatmap_side(page) : 0);
  page->panel_width = (right - left - BETWEEN * (page->columns - 1)) / page->columns;
  page->panel_height =
      fmin(fmax(page->panel_width * (map ? MAP_RATIO : CHART_RATIO), HEIGHT_LEAST), HEIGHT_MOST);
  if (map && draw_heatmap_shape(figure, &page->panel_width, &page->panel_height, SHAPED_MOST))
    page->panel_height = fmax(page->panel_height, 1);
  page->name_lines = name_lines(page, figure);
  page->noted = is_noted(page, figure);
  page->left = left;
  page->right = left + page->panel_width;
  draw_figure_bounds(figure, 0, &lower, &upper);
  draw_page_fit(page, lower, upper, false);
  draw_page_name(&page->across_name, &page->across, figure->labels[0], figure->units[0]);
}

/* The page as panel k sees it. */
static void place(draw_page *one, const draw_page *page, size_t k) {
  *one = *page;
  const double row = (double)(k / page->columns), column = (double)(k % page->columns);
  one->left = page->left + column * (page->panel_width + BETWEEN);
  one->right = one->left + page->panel_width;
  one->bottom = page->top + (row + 1) * row_height(page) - ROW_GAP;
  one->top = one->bottom - page->panel_height;
}

static void show_name(const draw_page *one, const draw_panel *panel) {
  char label[1024], detail[256];
  draw_clean(label, sizeof label, panel->label);
  draw_clean(detail, sizeof detail, panel->detail);
  const bool stacked = one->name_lines > 1;
  const double y = one->top - NAME_ROOM + 2 - one->noted * NAME_LEADING, wide = one->panel_width;
  draw_span lines[2];
  const size_t most = one->name_lines > 2 ? 2 : 1,
               count = draw_page_wrap(one, lines, most, label, wide);
  draw_page_ink(one, DRAW_INK, 1);
  draw_page_spans(one, one->left, stacked ? y - NAME_LEADING * (double)count : y, DRAW_SMALL, 0,
                  lines, count, NAME_LEADING);
  draw_page_ink(one, DRAW_GREY, 1);
  draw_page_text(one, stacked ? one->left : one->right, y, DRAW_SMALL, stacked ? 0 : 1, wide,
                 detail);
}

static void show_absent(const draw_page *one, const draw_panel *panel) {
  char text[256];
  draw_clean(text, sizeof text, panel->absent);
  draw_page_ink(one, DRAW_GREY, 1);
  draw_page_text(one, (one->left + one->right) / 2, (one->top + one->bottom) / 2 + 4, DRAW_SMALL,
                 0.5, one->panel_width - 8, text);
}

/* Under the names of its row, or beside its own. */
static void show_covered(const draw_page *one, const draw_figure *figure, size_t k) {
  char text[256];
  write_covered(text, sizeof text, one, figure, k);
  draw_page_ink(one, DRAW_GREY, 1);
  draw_page_text(one, one->noted ? one->left : one->right, one->top - NAME_ROOM + 2, DRAW_SMALL,
                 one->noted ? 0 : 1, one->panel_width, text);
}

static void show_panel(const draw_page *page, const draw_figure *figure, size_t k) {
  const draw_panel *panel = &figure->panels[k];
  draw_page one;
  draw_figure plot = draw_figure_panel(figure, k);
  const bool map = figure->dimension == 2;
  place(&one, page, k);
  const bool covered = panel->values && draw_band_covers(&plot, one.up.lower, one.up.upper);
  if (covered) plot.half_width = 0;
  draw_page_axes(&one, !map && panel->values, k % page->columns == 0,
                 draw_figure_panel_last(figure, k, page->columns));
  show_name(&one, panel);
  cairo_save(page->cr);
  cairo_rectangle(page->cr, one.left - 1, one.top - 1, page->panel_width + 2,
                  page->panel_height + 2);
  cairo_clip(page->cr);
  if (panel->values && map)
    draw_heatmap_plot(&one, &plot);
  else if (panel->values)
    draw_chart_plot(&one, &plot);
  cairo_restore(page->cr);
  if (covered) show_covered(&one, figure, k);
  if (panel->values) return;
  draw_page_ink(page, DRAW_FAINT, 1);
  draw_page_frame(page, one.left, one.top, page->panel_width, page->panel_height, 0.8);
  show_absent(&one, panel);
}

/* Whether a band is drawn in some panel. */
static bool any_band(const draw_figure *figure) {
  double lower, upper;
  draw_figure_range(figure, &lower, &upper);
  for (size_t k = 0; k < figure->panel_count; k++) {
    const draw_figure one = draw_figure_panel(figure, k);
    if (one.values && draw_has_band(&one) && !draw_band_covers(&one, lower, upper)) return true;
  }
  return false;
}

static void show_line(const draw_page *page, const draw_figure *figure, double x, double y,
                      double wide) {
  (void)figure;
  draw_page_ink(page, DRAW_BLUE, 1);
  draw_page_line(page, x, y, x + wide, y, 1.8);
}

/* A name in the header that ends at `right`, its sample before it; returns the left edge. */
static double show_entry(const draw_page *page, const draw_figure *figure, double right,
                         const char *name, draw_sample *show) {
  char text[256];
  draw_clean(text, sizeof text, name);
  if (!*text) return right;
  return draw_chart_entry(page, figure, right, (right - page->margin) / 3, 26, text, show);
}

/* What the band and the dashed curves are called; returns the left edge. */
static double show_names(const draw_page *page, const draw_figure *figure, double right) {
  double edge = right;
  if (draw_figure_referred(figure))
    edge = show_entry(page, figure, edge, figure->names[1], draw_chart_dashes);
  if (!any_band(figure) && edge < right)
    return show_entry(page, figure, edge - 16, figure->names[0], show_line);
  if (!any_band(figure)) return edge;
  return show_entry(page, figure, edge < right ? edge - 16 : right,
                    figure->band_label ? figure->band_label : "band", draw_chart_sample);
}

/* What is hatched on maps, and in which panels that is not known; false if nothing is. */
static bool describe_hatching(char *out, size_t size, const draw_figure *figure) {
  char name[256];
  bool bare = false, some = false;
  for (size_t k = 0; k < figure->panel_count; k++) {
    const draw_figure one = draw_figure_panel(figure, k);
    bare = bare || (one.values && one.half_width == 0);
    some = some || (one.values && draw_hatching_of(&one) != DRAW_HATCHED_NOWHERE);
  }
  draw_clean(name, sizeof name, figure->band_label ? figure->band_label : "band");
  if (some)
    snprintf(out, size, "Hatched: no larger than the error (%s), so it may be error alone%s.", name,
             bare ? "; a panel without a band has no hatching" : "");
  else
    snprintf(out, size, "Every value is larger than the error (%s)%s.", name,
             bare ? ", except in panels without a band, where it is not known" : "");
  return some;
}

/* A heat map's scale stands beside all panels, and below them is said what is hatched. */
static void show_map_keys(const draw_page *page, const draw_figure *figure, double right) {
  draw_page beside = *page;
  const double top = page->top + row_height(page) - ROW_GAP - page->panel_height; /* of the first */
  draw_figure plain = *figure;
  plain.half_width = 0;
  beside.right = right;
  beside.top = top;
  beside.bottom = top + fmin(page->bottom - top, SCALE_MOST);
  draw_heatmap_scale(&beside, &plain);
  if (!any_band(figure)) return;
  char text[512];
  const bool hatched = describe_hatching(text, sizeof text, figure);
  draw_heatmap_note(page, page->bottom + 40 + 26, hatched, text);
}

/* Where the last panel of a row ends. */
static double panels_right(const draw_page *page) {
  return page->left + page->columns * (page->panel_width + BETWEEN) - BETWEEN;
}

double draw_panels_end(const draw_page *page, const draw_figure *figure) {
  char text[512];
  if (figure->dimension == 1) return page->width - page->margin;
  describe_hatching(text, sizeof text, figure);
  return fmax(draw_heatmap_end(page, panels_right(page)),
              page->margin + draw_heatmap_note_width(page, text));
}

void draw_panels(const draw_page *page, const draw_figure *figure) {
  const bool map = figure->dimension == 2;
  const double right = panels_right(page);
  double edge;
  for (size_t k = 0; k < figure->panel_count; k++) show_panel(page, figure, k);
  if (map) {
    show_map_keys(page, figure, right);
    edge = draw_heatmap_name(page, right);
  } else {
    edge = show_names(page, figure, right);
  }
  draw_page_ink(page, DRAW_INK, 1);
  draw_page_label(page, page->margin, page->header, 0, edge - page->margin - 20, &page->up_name);
  draw_page_label(page, (page->left + right) / 2, page->bottom + 40, 0.5, right - page->left,
                  &page->across_name);
  if (map) {
    draw_page last = *page; /* the rule has the scale of one panel */
    last.right = page->left + page->panel_width;
    draw_heatmap_rule(&last, figure, right);
  }
}
