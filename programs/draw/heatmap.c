/* heatmap.c - two variables on paper: colours, their scale, and where noise ends. */
#include "heatmap.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "palette.h"

static const double BAR_GAP = 30, BAR_WIDTH = 15, TICK = 4, KEY_HEIGHT = 24;
static const double PIXELS = 2; /* a point */

double draw_heatmap_side(const draw_page *page) {
  return BAR_GAP + BAR_WIDTH + TICK + 5 + draw_page_widest(page, &page->scale);
}

double draw_heatmap_key(const draw_figure *figure) {
  return figure->panel_count || draw_has_band(figure) ? KEY_HEIGHT : 0;
}

/* Paints width x height points at (x, y). */
static void paint(const draw_page *page, double x, double y, double width, double height,
                  int columns, int rows, draw_pixel *colour, const void *context) {
  cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, columns, rows);
  unsigned char *data = cairo_image_surface_get_data(image);
  if (data) {
    size_t stride = (size_t)cairo_image_surface_get_stride(image);
    cairo_surface_flush(image);
    for (int r = 0; r < rows; r++) {
      for (int c = 0; c < columns; c++) {
        uint32_t value = colour(context, c, r, columns, rows);
        memcpy(data + (size_t)r * stride + 4 * (size_t)c, &value, sizeof value);
      }
    }
    cairo_surface_mark_dirty(image);
  }
  cairo_save(page->cr);
  cairo_rectangle(page->cr, x, y, width, height);
  cairo_clip(page->cr);
  cairo_translate(page->cr, x, y);
  cairo_scale(page->cr, width / columns, height / rows);
  cairo_set_source_surface(page->cr, image, 0, 0);
  cairo_pattern_set_filter(cairo_get_source(page->cr), CAIRO_FILTER_NEAREST);
  cairo_paint(page->cr);
  cairo_restore(page->cr);
  cairo_surface_destroy(image);
}

/* Where a value stands on the scale, from 0 to 1. */
static double part_of(const draw_page *page, double value) {
  return (value - page->scale.lower) / (page->scale.upper - page->scale.lower);
}

/* What is painted: a figure with its scale. */
typedef struct painted {
  const draw_page *page;
  const draw_figure *figure;
} painted;

static uint32_t map_colour(const void *context, int column, int row, int columns, int rows) {
  const painted *p = context;
  const double from[2] = {(double)column / columns, 1 - (row + 1.0) / rows},
               to[2] = {(column + 1.0) / columns, 1 - (double)row / rows};
  double value = draw_figure_cell(p->figure, from, to);
  return isnan(value) ? DRAW_GAP : draw_palette(part_of(p->page, value));
}

static uint32_t bar_colour(const void *context, int column, int row, int columns, int rows) {
  (void)context, (void)column, (void)columns;
  return draw_palette((1 - (row + 1.0) / rows + (1 - (double)row / rows)) / 2);
}

/* Where the edge from value a to value b crosses the level, as a fraction; NaN if it does not. */
static double crossing(double a, double b, double level) {
  if ((a > level) == (b > level)) return NAN;
  return (level - a) / (b - a);
}

void draw_heatmap_cross(const draw_page *page, const size_t counts[2], size_t i, size_t j,
                        const double v[4], double level) {
  static const double corner[5][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}};
  double x[4], y[4];
  unsigned found = 0;
  for (unsigned k = 0; k < 4; k++)
    if (!draw_shown(v[k])) return;
  for (unsigned k = 0; k < 4; k++) {
    double t = crossing(v[k], v[(k + 1) % 4], level);
    if (isnan(t)) continue;
    double a = (double)i + corner[k][0] + t * (corner[k + 1][0] - corner[k][0]);
    double b = (double)j + corner[k][1] + t * (corner[k + 1][1] - corner[k][1]);
    x[found] = page->left + (page->right - page->left) * a / (double)(counts[0] - 1);
    y[found++] = page->bottom - (page->bottom - page->top) * b / (double)(counts[1] - 1);
  }
  for (unsigned k = 0; k + 1 < found; k += 2) {
    cairo_move_to(page->cr, x[k], y[k]);
    cairo_line_to(page->cr, x[k + 1], y[k + 1]);
  }
}

void draw_heatmap_stroke(const draw_page *page, double thickness) {
  cairo_set_line_width(page->cr, thickness);
  cairo_set_line_cap(page->cr, CAIRO_LINE_CAP_ROUND);
  cairo_stroke(page->cr);
  cairo_set_line_cap(page->cr, CAIRO_LINE_CAP_BUTT);
}

static void show_contour(const draw_page *page, const draw_figure *figure, double level) {
  size_t n = figure->counts[1];
  for (size_t i = 0; i + 1 < figure->counts[0]; i++) {
    for (size_t j = 0; j + 1 < n; j++) {
      const double *a = figure->values + i * n + j;
      const double v[4] = {a[0], a[n], a[n + 1], a[1]};
      draw_heatmap_cross(page, figure->counts, i, j, v, level);
    }
  }
  draw_page_ink(page, DRAW_ACCENT, 1);
  draw_heatmap_stroke(page, 1.1);
}

void draw_heatmap_bracket(const draw_page *page, double x, double half) {
  if (!draw_is_band(half)) return;
  double height = page->bottom - page->top;
  double y = page->bottom - height * fmin(half / page->scale.upper, 1);
  draw_page_ink(page, DRAW_ACCENT, 1);
  draw_page_line(page, x - 6, page->bottom, x - 6, y, 1.3);
  draw_page_line(page, x - 6.65, page->bottom, x - 1, page->bottom, 1.3);
  if (half <= page->scale.upper) draw_page_line(page, x - 6.65, y, x - 1, y, 1.3);
}

void draw_heatmap_scale(const draw_page *page, const draw_figure *figure) {
  double x = page->right + BAR_GAP, height = page->bottom - page->top;
  paint(page, x, page->top, BAR_WIDTH, height, 1, (int)height, bar_colour, NULL);
  draw_page_ink(page, DRAW_GREY, 1);
  for (unsigned i = 0; i < page->scale.count; i++) {
    char text[DRAW_NUMBER_MAX];
    double y = page->bottom - height * part_of(page, draw_axis_tick(&page->scale, i));
    draw_axis_write(&page->scale, i, text, sizeof text);
    draw_page_line(page, x + BAR_WIDTH, y, x + BAR_WIDTH + TICK, y, 0.8);
    draw_page_text(page, x + BAR_WIDTH + TICK + 4, y + 3.8, DRAW_SMALL, 0, page->width, text);
  }
  draw_heatmap_bracket(page, x, figure->half_width);
}

static void show_key(const draw_page *page, const draw_figure *figure, bool contour) {
  char legend[512], text[768];
  draw_figure_legend(figure, legend, sizeof legend);
  snprintf(text, sizeof text, "%s. %s", legend,
           contour
               ? "Outside this line, and along the bracket, values are no larger than the error."
               : "No value here is larger than the error.");
  double y = page->bottom + 40 + KEY_HEIGHT + 2;
  draw_page_ink(page, DRAW_ACCENT, 1);
  if (contour) draw_page_line(page, page->margin, y - 4, page->margin + 22, y - 4, 1.3);
  draw_page_ink(page, DRAW_GREY, 1);
  double x = page->margin + (contour ? 30 : 0);
  draw_page_text(page, x, y, DRAW_SMALL, 0, page->width - page->margin - x, text);
}

bool draw_heatmap_line(const draw_page *page, const draw_figure *figure) {
  return draw_has_band(figure) && figure->half_width < page->scale.upper;
}

void draw_heatmap_paint(const draw_page *page, draw_pixel *colour, const void *context) {
  const double width = page->right - page->left, height = page->bottom - page->top;
  paint(page, page->left, page->top, width, height, (int)(PIXELS * width), (int)(PIXELS * height),
        colour, context);
}

void draw_heatmap_plot(const draw_page *page, const draw_figure *figure) {
  draw_heatmap_paint(page, map_colour, &(painted){page, figure});
  if (draw_heatmap_line(page, figure)) show_contour(page, figure, figure->half_width);
  if (figure->diagonal) {
    draw_page_ink(page, DRAW_ACCENT, 1);
    draw_page_line(page, page->left, page->bottom, page->right, page->top, 0.7);
  }
  draw_page_ink(page, DRAW_GREY, 1);
  draw_page_frame(page, page->left, page->top, page->right - page->left, page->bottom - page->top,
                  0.8);
}

void draw_heatmap(const draw_page *page, const draw_figure *figure) {
  bool contour = draw_heatmap_line(page, figure);
  draw_heatmap_plot(page, figure);
  draw_heatmap_scale(page, figure);
  if (draw_has_band(figure)) show_key(page, figure, contour);
  draw_page_ink(page, DRAW_INK, 1);
  double end = page->width - page->margin, wide = end - page->right - 4;
  double scale = fmax(draw_page_label_width(page, &page->scale_name), wide);
  scale = fmin(scale, (end - page->margin) / 2) + 0.01;
  draw_page_label(page, end, page->header, 1, scale, &page->scale_name);
  draw_page_label(page, page->margin, page->header, 0, end - scale - page->margin - 20,
                  &page->up_name);
}
