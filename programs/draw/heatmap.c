/* heatmap.c - two variables on paper: colours, their scale, and hatching over what may be error
 * alone. */
#include "heatmap.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "error_hatching.h"
#include "palette.h"

static const double BAR_GAP = 30, BAR_WIDTH = 15, TICK = 4, KEY_HEIGHT = 24;
static const double PIXELS = 2; /* a point */
/* Hatching: of how many pixels how many are darker, and the same in points. */
enum { HATCH_GAP = 8, HATCH_WIDE = 2 };
static const double HATCH_POINTS = 4, HATCH_PART = 0.38;
static const uint32_t HATCH_INK = 0x6b6b6b;
static const double BAR_AWAY = 9; /* from an error bar to the scale */
static const double SAMPLE = 22, SAMPLE_GAP = 8;

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

static uint32_t mixed(uint32_t colour, uint32_t other, double part) {
  uint32_t out = 0;
  for (unsigned shift = 0; shift <= 16; shift += 8) {
    const double a = colour >> shift & 255u, b = other >> shift & 255u;
    out |= (uint32_t)(a + part * (b - a) + 0.5) << shift;
  }
  return out;
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
  const double value = draw_figure_cell(p->figure, from, to),
               half = draw_half_width_at(p->figure, (from[0] + to[0]) / 2, (from[1] + to[1]) / 2);
  if (isnan(value)) return DRAW_GAP;
  const uint32_t plain = draw_palette(part_of(p->page, value));
  const bool line = (column + row) % HATCH_GAP < HATCH_WIDE;
  return line && draw_hatched_at(p->figure, value, half,
                                 p->page->scale.upper - p->page->scale.lower)
             ? mixed(plain, HATCH_INK, HATCH_PART)
             : plain;
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

void draw_heatmap_hatch(const draw_page *page, double x, double y, double width, double height) {
  cairo_save(page->cr);
  cairo_rectangle(page->cr, x, y, width, height);
  cairo_clip(page->cr);
  draw_page_ink(page, HATCH_INK, HATCH_PART);
  cairo_set_line_width(page->cr, HATCH_POINTS * HATCH_WIDE / HATCH_GAP * 0.7071);
  /* x + y is a multiple of the distance along each line, everywhere on the page. */
  for (double k = ceil((x + y) / HATCH_POINTS); k * HATCH_POINTS < x + y + width + height; k++) {
    const double sum = k * HATCH_POINTS;
    cairo_move_to(page->cr, sum - y + 2, y - 2);
    cairo_line_to(page->cr, sum - y - height - 2, y + height + 2);
  }
  cairo_stroke(page->cr);
  cairo_restore(page->cr);
}

/* An error bar beside the scale, in its middle, as high as a band: colours that are nearer to each
 * other may stand for the same value. */
static void show_bar(const draw_page *page, double x, double half) {
  const double height = page->bottom - page->top, middle = (page->top + page->bottom) / 2,
               reach = fmin(height * half / (page->scale.upper - page->scale.lower), height / 2),
               cap = 3;
  draw_page_ink(page, DRAW_INK, 0.85);
  draw_page_line(page, x, middle - reach, x, middle + reach, 1.1);
  draw_page_line(page, x - cap, middle - reach, x + cap, middle - reach, 1.1);
  draw_page_line(page, x - cap, middle + reach, x + cap, middle + reach, 1.1);
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
  const double half = figure->half_width;
  if (draw_has_band(figure) && figure->floating) show_bar(page, x - BAR_AWAY, half);
  if (!draw_has_band(figure) || figure->floating) return;
  const double tall = height * fmin(part_of(page, half), 1);
  draw_heatmap_hatch(page, x, page->bottom - tall, BAR_WIDTH, tall);
}

void draw_heatmap_note(const draw_page *page, double y, bool hatched, const char *text) {
  const double x = page->margin + (hatched ? SAMPLE + SAMPLE_GAP : 0);
  if (hatched) {
    draw_page_ink(page, draw_palette(0.12), 1);
    draw_page_fill(page, page->margin, y - 9.5, SAMPLE, 12);
    draw_heatmap_hatch(page, page->margin, y - 9.5, SAMPLE, 12);
  }
  draw_page_ink(page, DRAW_GREY, 1);
  draw_page_text(page, x, y, DRAW_SMALL, 0, page->width - page->margin - x, text);
}

/* What the error bar beside the scale is, and what is hatched. */
static void explain_floating(char *out, size_t size, const draw_figure *figure,
                             draw_hatching hatching) {
  char label[256], least[DRAW_NUMBER_MAX], most[DRAW_NUMBER_MAX], width[DRAW_NUMBER_MAX + 16];
  draw_clean(label, sizeof label, figure->band_label ? figure->band_label : "band");
  draw_number(draw_half_width_least(figure), least, sizeof least);
  draw_number(figure->half_width, most, sizeof most);
  snprintf(width, sizeof width, "%s\u00b1%s", strcmp(least, most) ? "up to " : "", most);
  if (hatching == DRAW_HATCHED_NOWHERE)
    snprintf(out, size, "The bar beside the scale: the %s, %s. Smaller differences may be noise.",
             label, width);
  else if (hatching == DRAW_HATCHED_PARTLY)
    snprintf(out, size, "Hatched: the %s (%s) is wider than the scale.", label, width);
  else
    snprintf(out, size, "The %s, %s, is wider than the scale: these colours say nothing.", label,
             width);
}

static void show_key(const draw_page *page, const draw_figure *figure) {
  const draw_hatching hatching = draw_hatching_of(figure);
  char legend[512], text[1024];
  draw_figure_legend(figure, legend, sizeof legend);
  if (figure->floating)
    explain_floating(text, sizeof text, figure, hatching);
  else if (hatching == DRAW_HATCHED_PARTLY)
    snprintf(text, sizeof text, "Hatched: no larger than the error (%s), so it may be error alone.",
             legend);
  else
    snprintf(text, sizeof text, "%s: %s here is larger than the error.", legend,
             hatching == DRAW_HATCHED_NOWHERE ? "every value" : "no value");
  draw_heatmap_note(page, page->bottom + 40 + KEY_HEIGHT + 2, hatching != DRAW_HATCHED_NOWHERE,
                    text);
}

double draw_heatmap_end(const draw_page *page, double right) {
  return right +
         fmax(draw_heatmap_side(page), BAR_GAP + draw_page_label_width(page, &page->scale_name));
}

double draw_heatmap_note_width(const draw_page *page, const char *text) {
  return SAMPLE + SAMPLE_GAP + draw_page_measure(page, DRAW_SMALL, text);
}

double draw_heatmap_name(const draw_page *page, double right) {
  const double end = page->width - page->margin,
               wide =
                   fmin(draw_page_label_width(page, &page->scale_name), (end - page->margin) / 2),
               x = fmin(right + BAR_GAP, end - wide);
  draw_page_ink(page, DRAW_INK, 1);
  draw_page_label(page, x, page->header, 0, end - x + 0.01, &page->scale_name);
  return x;
}

bool draw_heatmap_shape(const draw_figure *figure, double *width, double *height, double most) {
  if (!(figure->aspect > 0)) return false;
  *width = fmin(*width, most / figure->aspect);
  *height = *width * figure->aspect;
  return true;
}

void draw_heatmap_rule(const draw_page *page, const draw_figure *figure, double right) {
  const double range = page->across.upper - page->across.lower,
               wide = (page->right - page->left) * figure->rule / range, y = page->bottom + 36;
  char text[128];
  if (!(figure->rule > 0) || !(wide < page->right - page->left)) return;
  draw_clean(text, sizeof text, figure->rule_label);
  draw_page_ink(page, DRAW_INK, 1);
  draw_page_line(page, right - wide, y, right, y, 1.2);
  draw_page_line(page, right - wide, y - 3, right - wide, y + 3, 1.2);
  draw_page_line(page, right, y - 3, right, y + 3, 1.2);
  draw_page_text(page, right - wide - 6, y + 4, DRAW_SMALL, 1, page->width / 3, text);
}

void draw_heatmap_paint(const draw_page *page, draw_pixel *colour, const void *context) {
  const double width = page->right - page->left, height = page->bottom - page->top;
  paint(page, page->left, page->top, width, height, (int)(PIXELS * width), (int)(PIXELS * height),
        colour, context);
}

void draw_heatmap_plot(const draw_page *page, const draw_figure *figure) {
  draw_heatmap_paint(page, map_colour, &(painted){page, figure});
  if (figure->diagonal) {
    draw_page_ink(page, DRAW_ACCENT, 1);
    draw_page_line(page, page->left, page->bottom, page->right, page->top, 0.7);
  }
  draw_page_ink(page, DRAW_GREY, 1);
  draw_page_frame(page, page->left, page->top, page->right - page->left, page->bottom - page->top,
                  0.8);
}

void draw_heatmap(const draw_page *page, const draw_figure *figure) {
  draw_heatmap_plot(page, figure);
  draw_heatmap_scale(page, figure);
  draw_heatmap_rule(page, figure, page->right);
  if (draw_has_band(figure)) show_key(page, figure);
  const double edge = draw_heatmap_name(page, page->right);
  draw_page_label(page, page->margin, page->header, 0, edge - page->margin - 20, &page->up_name);
}
