/* plan_page.c - a report on paper: where its plots and its preview stand.
 *
 *   Title
 *   subtitle
 *   -- the first curve  .. a part  -. another
 *   with more people               with more epsilon
 *   error
 *   10 % |  here                   |     here
 *    1 % |____________________     |____________________
 *         100    1,000  10,000       0.1      1      10
 *   Preview
 *    [panel]   [panel]   [panel]
 *   captions */
#include "plan_page.h"

#include <math.h>
#include <stdlib.h>

#include "loglog.h"
#include "picture_file.h"
#include "heatmap.h"
#include "panels.h"

enum { STRIP_MOST = 4 };
static const double WIDTH = 720, BETWEEN = 34, LABEL_GAP = 12, PLOT_HEIGHT = 200;

typedef struct page_of_report {
  const draw_plan_page *report;
  draw_page page; /* the whole */
  double legend;  /* the first baseline of the legend */
  draw_key key;
  draw_page plots[DRAW_CURVES_MAX];
  draw_figure preview;
  draw_page panels;
  char heading[1024]; /* the preview's */
} page_of_report;

/* A part of the page, with the same paper and pen. */
static void begin_part(draw_page *part, const draw_page *page) {
  *part = (draw_page){.cr = page->cr, .width = page->width, .margin = page->margin};
}

/* Title and subtitle; returns the baseline of what follows. */
static double layout_words(page_of_report *r, cairo_t *cr) {
  draw_page *page = &r->page;
  draw_page_begin(page, WIDTH, r->report->title, r->report->subtitle, cr);
  draw_plan_page_captions(r->report, DRAW_LOGLOG_REACH, &page->captions);
  return page->header;
}

/* How far a tick's label reaches beyond the ends of the axis. */
static double overhang(const draw_page *plot, unsigned tick) {
  double left, right;
  if (tick >= plot->across.count) return 0;
  draw_loglog_label(plot, tick, &left, &right);
  return fmax(fmax(plot->left - left, right - plot->right), 0);
}

/* The plots side by side, so far apart; values are written at the left of each, or of the first if
 * all are on one scale.  Returns how far apart they must be. */
static double layout_across(page_of_report *r, double between) {
  const draw_plan_page *report = r->report;
  const double count = (double)report->curve_count;
  double labels[DRAW_CURVES_MAX] = {0}, written = 0;
  for (size_t k = 0; k < report->curve_count; k++) {
    if (k == 0 || !draw_curves_shared(report))
      labels[k] = draw_page_widest(&r->plots[k], &r->plots[k].up) + 9;
    written += labels[k];
  }
  const double wide =
      (r->page.width - 2 * r->page.margin - written - between * (count - 1)) / count;
  double x = r->page.margin, needed = between;
  for (size_t k = 0; k < report->curve_count; k++) {
    draw_page *plot = &r->plots[k];
    plot->left = x + labels[k];
    plot->right = plot->left + wide;
    draw_loglog_across(plot, report, k);
    x = plot->right + between;
    if (k > 0)
      needed = fmax(needed, overhang(plot - 1, plot[-1].across.count - 1) + overhang(plot, 0) +
                                LABEL_GAP - labels[k]);
  }
  return needed;
}

/* Legend and plots from baseline y on; returns where they end. */
static double layout_plots(page_of_report *r, double y) {
  const draw_plan_page *report = r->report;
  bool title = false, value = false, here = false;
  if (!report->curve_count) return y - 10;
  draw_key_init(&r->key, report);
  r->legend = y;
  y += DRAW_LEGEND_LEADING * draw_loglog_legend(&r->page, &r->key, y, false) + 8;
  for (size_t k = 0; k < report->curve_count; k++) {
    title = title || report->curves[k].title;
    value = value || report->curves[k].value_label;
    here = here || report->curves[k].here_label;
  }
  for (size_t k = 0; k < report->curve_count; k++) {
    draw_page *plot = &r->plots[k];
    begin_part(plot, &r->page);
    plot->title_top = y;
    plot->header = y + (title && value ? 16 : 0);
    plot->top = plot->header + (here ? 16 : 0) + 8;
    plot->bottom = plot->top + PLOT_HEIGHT;
    draw_loglog_up(plot, report, k);
  }
  layout_across(r, layout_across(r, BETWEEN));
  return r->plots[0].bottom + DRAW_BELOW;
}

/* The preview below y, and where it ends. */
static double layout_preview(page_of_report *r, double y) {
  if (!r->report->preview) return y;
  draw_page *panels = &r->panels;
  r->preview = *r->report->preview;
  if (!r->preview.panel_columns && r->preview.panel_count <= STRIP_MOST)
    r->preview.panel_columns = (unsigned)r->preview.panel_count;
  draw_clean(r->heading, sizeof r->heading, r->preview.title);
  begin_part(panels, &r->page);
  panels->title_top = y + 20;
  panels->header = panels->title_top + (*r->heading ? 18 : 0);
  panels->top = panels->header + 8;
  draw_panels_layout(panels, &r->preview);
  panels->bottom = draw_panels_bottom(panels, &r->preview);
  const bool map = r->preview.dimension == 2;
  return panels->bottom + DRAW_BELOW + (map ? draw_heatmap_key(&r->preview) : 0);
}

static void layout(void *content, cairo_t *cr) {
  page_of_report *r = content;
  const double words = layout_words(r, cr), plots = layout_plots(r, words);
  draw_page_end(&r->page, layout_preview(r, plots));
}

static void show_plot(page_of_report *r, size_t k) {
  const draw_plan_page *report = r->report;
  draw_page *plot = &r->plots[k];
  const bool labels = k == 0 || !draw_curves_shared(report);
  const double left = labels && k == 0 ? plot->margin : plot->left;
  char title[1024];
  plot->cr = r->page.cr;
  draw_clean(title, sizeof title, report->curves[k].title);
  draw_page_ink(plot, DRAW_INK, 1);
  draw_page_heading(plot, left, plot->title_top, plot->right - left, title);
  if (labels) draw_page_label(plot, left, plot->header, 0, plot->right - left, &plot->up_name);
  draw_loglog(plot, report, k, &r->key, labels);
}

static void show(void *content, cairo_t *cr) {
  page_of_report *r = content;
  draw_page_open(&r->page, cr);
  if (r->report->curve_count) draw_loglog_legend(&r->page, &r->key, r->legend, true);
  for (size_t k = 0; k < r->report->curve_count; k++) show_plot(r, k);
  if (!r->report->preview) return;
  r->panels.cr = cr;
  draw_page_ink(&r->panels, DRAW_INK, 1);
  draw_page_heading(&r->panels, r->panels.margin, r->panels.title_top,
                    r->panels.width - 2 * r->panels.margin, r->heading);
  draw_panels(&r->panels, &r->preview);
}

sfm_status draw_plan_page_file(const draw_plan_page *report, const char *path, sfm_error *error) {
  page_of_report *r = calloc(1, sizeof *r);
  if (r) r->report = report;
  const draw_picture_source source = {r, r ? &r->page : NULL, layout, show};
  sfm_status status = draw_picture(&source, draw_plan_page_fault(report), path, error);
  free(r);
  return status;
}
