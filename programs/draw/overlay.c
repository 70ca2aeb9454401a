/* overlay.c - curves in one plot: bands first, then curves, each in its own colour and dashes, so
 * that they are told apart by the colour-blind and in grey.
 *
 *   Title
 *   density
 *   -- F  7,088 +- 16    - - M  12,912 +- 16
 *   0.03 | ... */
#include "overlay.h"

#include <math.h>

#include "chart.h"
#include "error_hatching.h"

static const double SOFT = 0.13; /* opacity of bands */
static const double SAMPLE = 28, GAP = 6, BETWEEN = 18, LEADING = 17;

typedef struct stroke {
  unsigned colour;
  double dash[4];
  int dashes;
} stroke;

static const stroke *stroke_of(size_t k) {
  static const stroke strokes[] = {
      {0x1b5e8c, {0}, 0},          {0xb5402a, {7, 3}, 2},        {0x2e7d4f, {2, 2.4}, 2},
      {0x8a6d00, {8, 3, 2, 3}, 4}, {0x6a4c93, {12, 3}, 2},       {0x2b8c99, {4, 2}, 2},
      {0x444444, {1, 3}, 2},       {0x9a5b8f, {12, 2, 2, 2}, 4},
  };
  return &strokes[k % (sizeof strokes / sizeof strokes[0])];
}

static void take_up(const draw_page *page, const stroke *s) {
  draw_page_ink(page, s->colour, 1);
  cairo_set_dash(page->cr, s->dash, s->dashes, 0);
  cairo_set_line_width(page->cr, 1.8);
}

static bool covered(const draw_figure *figure, const draw_figure *plot) {
  double lower, upper;
  if (!plot->values) return false;
  draw_figure_range(figure, &lower, &upper);
  return draw_band_covers(plot, lower, upper);
}

static void show_sample(const draw_page *page, bool band, const stroke *s, double x, double y) {
  if (band) {
    draw_page_ink(page, s->colour, SOFT);
    draw_page_fill(page, x, y - 5.5, SAMPLE, 11);
  }
  take_up(page, s);
  draw_page_line(page, x, y, x + SAMPLE, y, 1.8);
  cairo_set_dash(page->cr, NULL, 0, 0);
}

/* What a curve is, what is known about it, and what is not drawn of it. */
static void write_entry(char *out, size_t size, const draw_figure *figure, size_t k) {
  const draw_panel *panel = &figure->panels[k];
  const draw_figure plot = draw_figure_panel(figure, k);
  char label[512], detail[256], absent[256];
  draw_clean(label, sizeof label, panel->label);
  draw_clean(detail, sizeof detail, panel->detail);
  draw_clean(absent, sizeof absent, panel->values ? NULL : panel->absent);
  if (covered(figure, &plot)) snprintf(absent, sizeof absent, "band off this scale");
  snprintf(out, size, "%s%s%s%s%s%s", label, *detail ? " (" : "", detail, *detail ? ")" : "",
           *absent ? ", " : "", absent);
}

double draw_overlay_legend(const draw_page *page, const draw_figure *figure, bool show) {
  const double room = page->width - 2 * page->margin;
  double x = 0, y = 0;
  for (size_t k = 0; k < figure->panel_count; k++) {
    char text[1200];
    write_entry(text, sizeof text, figure, k);
    const double wide =
        SAMPLE + GAP + fmin(draw_page_measure(page, DRAW_SMALL, text), room - SAMPLE - GAP);
    if (x > 0 && x + wide > room) {
      x = 0;
      y += LEADING;
    }
    if (show) {
      const draw_figure plot = draw_figure_panel(figure, k);
      const double left = page->margin + x, line = page->header + LEADING + 3 + y;
      show_sample(page, draw_has_band(&plot) && !covered(figure, &plot), stroke_of(k), left,
                  line - 4);
      draw_page_ink(page, DRAW_GREY, 1);
      draw_page_text(page, left + SAMPLE + GAP, line, DRAW_SMALL, 0, wide - SAMPLE - GAP + 0.01,
                     text);
    }
    x += wide + BETWEEN;
  }
  return y + LEADING + 3;
}

void draw_overlay(const draw_page *page, const draw_figure *figure) {
  draw_page_ink(page, DRAW_GREY, 1);
  draw_page_line(page, page->left, page->bottom, page->right, page->bottom, 0.8);
  cairo_save(page->cr);
  cairo_rectangle(page->cr, page->left - 1, page->top - 1, page->right - page->left + 2,
                  page->bottom - page->top + 2);
  cairo_clip(page->cr);
  for (size_t k = 0; k < figure->panel_count; k++) {
    const draw_figure plot = draw_figure_panel(figure, k);
    if (!plot.values || covered(figure, &plot)) continue;
    draw_page_ink(page, stroke_of(k)->colour, SOFT);
    draw_chart_band(page, &plot);
  }
  for (size_t k = figure->panel_count; k-- > 0;) { /* the first on top */
    const draw_figure plot = draw_figure_panel(figure, k);
    if (!plot.values) continue;
    take_up(page, stroke_of(k));
    draw_chart_line(page, &plot);
  }
  cairo_set_dash(page->cr, NULL, 0, 0);
  cairo_restore(page->cr);
  (void)draw_overlay_legend(page, figure, true);
  draw_page_ink(page, DRAW_INK, 1);
  draw_page_label(page, page->margin, page->header, 0, page->right - page->margin, &page->up_name);
}
