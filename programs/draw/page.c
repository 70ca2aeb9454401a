#include "page.h"

#include <math.h>
#include <string.h>

#include "chart.h"
#include "heatmap.h"
#include "overlay.h"
#include "panels.h"
#include "svg_words.h"

static const double WIDTH = 720, WIDER = 900, NARROW = 600, MARGIN = 36, CHART_HEIGHT = 330,
                    MAP_HEIGHT = 430,
                    SHAPED_HEIGHT = 560; /* at most, of a map whose shape is given */
static const double CAPTION_ROOM = 28, CAPTION_GAP = 5;
static const double TITLE_LEADING = 22, TICK = 4;

static void set_font(cairo_t *cr, double size, bool bold) {
  cairo_select_font_face(cr, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                         bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(cr, size);
}

/* The same outlines and advances on every surface, whatever the desktop prefers. */
static void set_options(cairo_t *cr) {
  cairo_font_options_t *options = cairo_font_options_create();
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_set_font_options(cr, options);
  cairo_font_options_destroy(options);
}

/* Width of text's beginning in the font that is set: a draw_measure. */
static double advance(void *context, const char *text, size_t bytes) {
  char part[DRAW_TEXT_MAX];
  bytes = bytes < sizeof part ? bytes : sizeof part - 1;
  memcpy(part, text, bytes);
  part[bytes] = 0;
  cairo_text_extents_t extents;
  cairo_text_extents(context, part, &extents);
  return extents.x_advance;
}

/* Lines from (x, y) on, leading apart, each aligned at x. */
static void show_spans(cairo_t *cr, double x, double y, double align, const draw_span *lines,
                       size_t count, double leading) {
  draw_svg_words *words = draw_svg_words_of(cr);
  if (words) {
    if (count) draw_svg_words_add(words, cr, x, y, align, lines, count, leading);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    char part[DRAW_TEXT_MAX + 8];
    const size_t bytes = lines[i].bytes < DRAW_TEXT_MAX ? lines[i].bytes : DRAW_TEXT_MAX - 1;
    memcpy(part, lines[i].text, bytes);
    strcpy(part + bytes, lines[i].cut ? "\u2026" : "");
    const double wide = align > 0 ? advance(cr, part, strlen(part)) : 0;
    cairo_move_to(cr, x - align * wide, y + leading * (double)i);
    cairo_show_text(cr, part);
  }
}

void draw_page_ink(const draw_page *page, unsigned colour, double alpha) {
  cairo_set_source_rgba(page->cr, (colour >> 16 & 255) / 255.0, (colour >> 8 & 255) / 255.0,
                        (colour & 255) / 255.0, alpha);
}

double draw_page_measure(const draw_page *page, double size, const char *text) {
  set_font(page->cr, size, false);
  return advance(page->cr, text, strlen(text));
}

void draw_page_text(const draw_page *page, double x, double y, double size, double align,
                    double width, const char *text) {
  draw_span span;
  set_font(page->cr, size, false);
  if (draw_wrap(&span, 1, text, width, advance, page->cr))
    show_spans(page->cr, x, y, align, &span, 1, 0);
}

void draw_page_spans(const draw_page *page, double x, double y, double size, double align,
                     const draw_span *lines, size_t count, double leading) {
  set_font(page->cr, size, false);
  show_spans(page->cr, x, y, align, lines, count, leading);
}

void draw_page_heading(const draw_page *page, double x, double y, double width, const char *text) {
  draw_span span;
  set_font(page->cr, DRAW_NORMAL, true);
  if (draw_wrap(&span, 1, text, width, advance, page->cr))
    show_spans(page->cr, x, y, 0, &span, 1, 0);
}

size_t draw_page_wrap(const draw_page *page, draw_span *lines, size_t most, const char *text,
                      double width) {
  set_font(page->cr, DRAW_SMALL, false);
  return draw_wrap(lines, most, text, width, advance, page->cr);
}

double draw_page_lines(const draw_page *page, double x, double y, const draw_span *lines,
                       size_t count) {
  draw_page_ink(page, DRAW_GREY, 1);
  set_font(page->cr, DRAW_SMALL, false);
  show_spans(page->cr, x, y, 0, lines, count, DRAW_LEADING);
  return y + DRAW_LEADING * (double)count;
}

void draw_page_label(const draw_page *page, double x, double y, double align, double width,
                     const draw_label *label) {
  char text[DRAW_TEXT_MAX];
  set_font(page->cr, DRAW_NORMAL, false);
  draw_join(text, sizeof text, label->name, label->suffix, width, advance, page->cr);
  draw_page_text(page, x, y, DRAW_NORMAL, align, width, text);
}

double draw_page_label_width(const draw_page *page, const draw_label *label) {
  char text[DRAW_TEXT_MAX];
  snprintf(text, sizeof text, "%s%s%s", label->name, *label->suffix ? " " : "", label->suffix);
  return draw_page_measure(page, DRAW_NORMAL, text);
}

void draw_page_name(draw_label *label, const draw_axis *axis, const char *name, const char *unit) {
  draw_clean(label->name, sizeof label->name, name);
  draw_axis_suffix(axis, unit, label->suffix, sizeof label->suffix);
}

void draw_page_line(const draw_page *page, double x0, double y0, double x1, double y1,
                    double thickness) {
  cairo_set_line_width(page->cr, thickness);
  cairo_move_to(page->cr, x0, y0);
  cairo_line_to(page->cr, x1, y1);
  cairo_stroke(page->cr);
}

void draw_page_fill(const draw_page *page, double x, double y, double width, double height) {
  cairo_rectangle(page->cr, x, y, width, height);
  cairo_fill(page->cr);
}

void draw_page_frame(const draw_page *page, double x, double y, double width, double height,
                     double thickness) {
  cairo_set_line_width(page->cr, thickness);
  cairo_rectangle(page->cr, x, y, width, height);
  cairo_stroke(page->cr);
}

double draw_page_x(const draw_page *page, double x) {
  double range = page->across.upper - page->across.lower;
  return page->left + (page->right - page->left) * ((x - page->across.lower) / range);
}

double draw_page_y(const draw_page *page, double y) {
  double range = page->up.upper - page->up.lower;
  return page->bottom - (page->bottom - page->top) * ((y - page->up.lower) / range);
}

double draw_page_widest(const draw_page *page, const draw_axis *axis) {
  double wide = 0;
  for (unsigned i = 0; i < axis->count; i++) {
    char text[DRAW_NUMBER_MAX];
    draw_axis_write(axis, i, text, sizeof text);
    wide = fmax(wide, draw_page_measure(page, DRAW_SMALL, text));
  }
  return wide;
}

void draw_page_fit(draw_page *page, double lower, double upper, bool whole) {
  for (unsigned most = 9; most >= 2; most--) {
    draw_axis_init(&page->across, lower, upper, most, whole);
    if (page->across.count < 2) return;
    double gap = draw_page_x(page, draw_axis_tick(&page->across, 1)) -
                 draw_page_x(page, draw_axis_tick(&page->across, 0));
    if (gap >= draw_page_widest(page, &page->across) + 16) return;
  }
}

void draw_page_begin(draw_page *page, double width, const char *title, const char *subtitle,
                     cairo_t *cr) {
  *page = (draw_page){.cr = cr, .width = width, .margin = MARGIN};
  set_options(cr);
  draw_clean(page->title, sizeof page->title, title);
  set_font(cr, DRAW_TITLE, true);
  page->title_count =
      draw_wrap(page->title_lines, DRAW_TITLE_LINES, page->title, width - 2 * MARGIN, advance, cr);
  page->title_top = MARGIN + 10;
  const double lines = (double)page->title_count;
  page->header = page->title_top - 4 + (lines > 0 ? TITLE_LEADING * lines + 8 : 0);
  draw_clean(page->subtitle, sizeof page->subtitle, subtitle);
  page->subtitle_count = draw_page_wrap(page, page->subtitle_lines, DRAW_SUBTITLE_LINES,
                                        page->subtitle, width - 2 * MARGIN);
  page->subtitle_top = page->header - (lines > 0 ? 8 : 0);
  if (page->subtitle_count)
    page->header = page->subtitle_top + DRAW_LEADING * (double)page->subtitle_count + 10;
}

void draw_page_end(draw_page *page, double bottom) {
  for (unsigned k = 0; k < 2; k++)
    page->caption_count[k] = draw_page_wrap(page, page->caption_lines[k], DRAW_CAPTION_LINES,
                                            page->captions.text[k], page->width - 2 * page->margin);
  page->foot = bottom + CAPTION_ROOM;
  double lines = (double)(page->caption_count[0] + page->caption_count[1]);
  double gap = page->caption_count[0] && page->caption_count[1] ? CAPTION_GAP : 0;
  page->height =
      ceil(page->foot + (lines > 0 ? (lines - 1) * DRAW_LEADING + gap : -CAPTION_ROOM) + MARGIN);
}

void draw_page_scales(draw_page *page, const draw_figure *figure, unsigned most, unsigned up_most) {
  double lower, upper;
  draw_figure_range(figure, &lower, &upper);
  if (figure->powers)
    draw_axis_raise(&page->scale, lower, upper, most);
  else
    draw_axis_init(&page->scale, lower, upper, most, false);
  draw_page_name(&page->scale_name, &page->scale, figure->value_label, NULL);
  page->up = page->scale;
  page->up_name = page->scale_name;
  if (figure->dimension == 1) return;
  draw_figure_bounds(figure, 1, &lower, &upper);
  draw_axis_init(&page->up, lower, upper, up_most, false);
  draw_page_name(&page->up_name, &page->up, figure->labels[1], figure->units[1]);
}

static void layout_axes(draw_page *page, const draw_figure *figure) {
  bool map = figure->dimension == 2;
  double lower, upper;
  draw_page_scales(page, figure, 7, 8);
  page->left = page->margin + draw_page_widest(page, &page->up) + TICK + 5;
  page->right = page->width - page->margin - (map ? draw_heatmap_side(page) : 0);
  double wide = page->right - page->left, high;
  if (map && draw_heatmap_shape(figure, &wide, &high, SHAPED_HEIGHT)) {
    page->right = page->left + wide;
    page->bottom = page->top + high;
  }
  draw_figure_bounds(figure, 0, &lower, &upper);
  draw_page_fit(page, lower, upper, figure->stems);
  draw_page_name(&page->across_name, &page->across, figure->labels[0], figure->units[0]);
}

/* All but what is below the plots; returns where the page may end. */
static double lay_out(draw_page *page, const draw_figure *figure, double width, cairo_t *cr) {
  const bool map = figure->dimension == 2, overlaid = draw_figure_overlaid(figure),
             panels = figure->panel_count > 0 && !overlaid;
  draw_page_begin(page, width, figure->title, figure->subtitle, cr);
  draw_figure_captions(figure, &page->captions);
  page->top = page->header + 14 + (overlaid ? draw_overlay_legend(page, figure, false) : 0);
  page->bottom = page->top + (map ? MAP_HEIGHT : CHART_HEIGHT);
  if (!panels) layout_axes(page, figure);
  if (panels) draw_panels_layout(page, figure);
  if (panels) page->bottom = draw_panels_bottom(page, figure);
  if (panels) return draw_panels_end(page, figure);
  return map ? draw_heatmap_end(page, page->right) : page->width - page->margin;
}

void draw_page_layout(draw_page *page, const draw_figure *figure, cairo_t *cr) {
  const bool map = figure->dimension == 2, many = figure->panel_count > 0 &&
                                                  !draw_figure_overlaid(figure) &&
                                                  draw_figure_panel_columns(figure) > 3;
  const double width = many ? WIDER : WIDTH,
               used = fmax(ceil(lay_out(page, figure, width, cr)) + MARGIN, NARROW);
  if (used < width) lay_out(page, figure, used, cr); /* a tall map */
  draw_page_end(page, page->bottom + DRAW_BELOW + (map ? draw_heatmap_key(figure) : 0));
}

void draw_page_open(draw_page *page, cairo_t *cr) {
  page->cr = cr;
  set_options(cr);
  cairo_set_source_rgb(cr, 1, 1, 1);
  cairo_paint(cr);
  double y = page->title_top;
  draw_page_ink(page, DRAW_INK, 1);
  set_font(page->cr, DRAW_TITLE, true);
  show_spans(page->cr, page->margin, y, 0, page->title_lines, page->title_count, TITLE_LEADING);
  draw_page_lines(page, page->margin, page->subtitle_top, page->subtitle_lines,
                  page->subtitle_count);
  y = page->foot;
  for (unsigned k = 0; k < 2; k++) {
    y = draw_page_lines(page, page->margin, y, page->caption_lines[k], page->caption_count[k]);
    if (page->caption_count[k]) y += CAPTION_GAP;
  }
}

void draw_page_axes(const draw_page *page, bool grid, bool up_labels, bool across_labels) {
  for (unsigned i = 0; i < page->up.count; i++) {
    char text[DRAW_NUMBER_MAX];
    double y = draw_page_y(page, draw_axis_tick(&page->up, i));
    draw_axis_write(&page->up, i, text, sizeof text);
    draw_page_ink(page, grid ? DRAW_FAINT : DRAW_GREY, 1);
    if (grid)
      draw_page_line(page, page->left, y, page->right, y, 0.8);
    else
      draw_page_line(page, page->left - TICK, y, page->left, y, 0.8);
    draw_page_ink(page, DRAW_GREY, 1);
    if (up_labels)
      draw_page_text(page, page->left - TICK - 4, y + 3.8, DRAW_SMALL, 1, page->width, text);
  }
  for (unsigned i = 0; i < page->across.count; i++) {
    char text[DRAW_NUMBER_MAX];
    double x = draw_page_x(page, draw_axis_tick(&page->across, i));
    draw_axis_write(&page->across, i, text, sizeof text);
    draw_page_ink(page, DRAW_GREY, 1);
    draw_page_line(page, x, page->bottom, x, page->bottom + TICK, 0.8);
    if (across_labels)
      draw_page_text(page, x, page->bottom + TICK + 14, DRAW_SMALL, 0.5, page->width, text);
  }
}

static void show_axes(const draw_page *page, bool grid) {
  draw_page_axes(page, grid, true, true);
  draw_page_ink(page, DRAW_INK, 1);
  draw_page_label(page, (page->left + page->right) / 2, page->bottom + 40, 0.5,
                  page->right - page->left, &page->across_name);
}

void draw_page_show(draw_page *page, const draw_figure *figure, cairo_t *cr) {
  draw_page_open(page, cr);
  if (draw_figure_overlaid(figure)) {
    show_axes(page, true);
    draw_overlay(page, figure);
    return;
  }
  if (figure->panel_count) {
    draw_panels(page, figure);
    return;
  }
  show_axes(page, figure->dimension == 1);
  if (figure->dimension == 1)
    draw_chart(page, figure);
  else
    draw_heatmap(page, figure);
}
