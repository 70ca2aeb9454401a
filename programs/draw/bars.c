/* bars.c - bars with names on paper.
 *
 *   Title
 *   sex, region                         [] 95 % band, +-10
 *   north |==========|--|                  210
 *   south |==================|--|          341
 *         0      100      200    300
 *                   count
 *   captions */
#include "bars.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "picture_file.h"

static const double WIDTH = 720, NAMES_MOST = 0.42, ROOM = 0.05;
static const double ROW_TALL = 24, ROW_LOW = 15, FEW = 16;
static const double BAR = 0.62, SOFT = 0.55, WHISKER = 3.2;

/* Lines that a name may take: cut names would read alike. */
enum { NAME_LINES = 4 };
static const double NAME_LEADING = 13;

typedef struct bar_row {
  char name[DRAW_TEXT_MAX];
  draw_span lines[NAME_LINES];
  size_t line_count;
  double top, tall;
} bar_row;

typedef struct page_of_bars {
  const draw_bars *bars;
  draw_page page;
  bar_row *rows;
  double row, names, numbers; /* height of a row of one line; widths of the names and counts */
} page_of_bars;

static void range_of(const draw_bars *bars, double *lower, double *upper) {
  const double half = draw_is_band(bars->half_width) ? bars->half_width : 0;
  double least = 0, most = 0;
  for (size_t k = 0; k < bars->count; k++) {
    if (bars->bars[k].heading || !draw_shown(bars->bars[k].value)) continue;
    least = fmin(least, bars->bars[k].value - half);
    most = fmax(most, bars->bars[k].value + half);
  }
  if (!(most > least)) most = 1;
  const double room = ROOM * (most - least);
  *lower = least < 0 ? least - room : 0;
  *upper = most > 0 ? most + room : 0;
}

static double widest(const page_of_bars *p, bool details) {
  double wide = 0;
  for (size_t k = 0; k < p->bars->count; k++) {
    const draw_bar *bar = &p->bars->bars[k];
    char text[512];
    draw_clean(text, sizeof text, details ? bar->detail : bar->heading ? "" : bar->name);
    wide = fmax(wide, draw_page_measure(&p->page, DRAW_SMALL, text));
  }
  return wide;
}

/* The rows from `top` on, as high as their names need; returns where they end. */
static double layout_rows(page_of_bars *p, double top) {
  for (size_t k = 0; k < p->bars->count; k++) {
    bar_row *row = &p->rows[k];
    draw_clean(row->name, sizeof row->name, p->bars->bars[k].name);
    row->line_count = p->bars->bars[k].heading
                          ? 1
                          : draw_page_wrap(&p->page, row->lines, NAME_LINES, row->name, p->names);
    const double more = row->line_count > 1 ? NAME_LEADING * (double)(row->line_count - 1) : 0;
    row->top = top;
    row->tall = p->row + more;
    top += row->tall;
  }
  return top;
}

static void layout(void *content, cairo_t *cr) {
  page_of_bars *p = content;
  draw_page *page = &p->page;
  double lower, upper;
  draw_page_begin(page, WIDTH, p->bars->title, p->bars->subtitle, cr);
  draw_clean(page->captions.text[0], DRAW_TEXT_MAX, p->bars->caption);
  draw_clean(page->captions.text[1], DRAW_TEXT_MAX, p->bars->note);
  p->row = (double)p->bars->count <= FEW ? ROW_TALL
                                         : fmax(ROW_LOW, ROW_TALL * FEW / (double)p->bars->count);
  p->names = fmin(widest(p, false) + 1, NAMES_MOST * WIDTH);
  p->numbers = widest(p, true) + 1;
  page->left = page->margin + p->names + 10;
  page->right = page->width - page->margin - p->numbers - 10;
  page->top = page->header + 12;
  page->bottom = layout_rows(p, page->top + 2) + 2;
  range_of(p->bars, &lower, &upper);
  draw_page_fit(page, lower, upper, false);
  page->across.lower = lower;
  page->across.upper = upper;
  draw_page_name(&page->across_name, &page->across, p->bars->value_label, NULL);
  draw_page_end(page, page->bottom + DRAW_BELOW);
}

static void show_error(const draw_page *page, double from, double to, double y, double tall) {
  draw_page_ink(page, DRAW_INK, 0.85);
  draw_page_line(page, from, y, to, y, 1.1);
  const double cap = fmin(WHISKER, tall / 2);
  draw_page_line(page, from, y - cap, from, y + cap, 1.1);
  draw_page_line(page, to, y - cap, to, y + cap, 1.1);
}

static void show_bar(const page_of_bars *p, const draw_bar *bar, const bar_row *row) {
  const draw_page *page = &p->page;
  const double middle = row->top + row->tall / 2,
               first = middle + 3.8 - NAME_LEADING * ((double)row->line_count - 1) / 2;
  const double tall = BAR * p->row, zero = draw_page_x(page, 0), half = p->bars->half_width;
  char text[512];
  draw_page_ink(page, DRAW_INK, 1);
  draw_page_spans(page, page->left - 8, first, DRAW_SMALL, 1, row->lines, row->line_count,
                  NAME_LEADING);
  draw_clean(text, sizeof text, bar->detail);
  draw_page_text(page, page->width - page->margin, middle + 3.8, DRAW_SMALL, 1, p->numbers, text);
  if (!draw_shown(bar->value)) return;
  const double x = draw_page_x(page, bar->value);
  draw_page_ink(page, DRAW_BLUE, SOFT);
  draw_page_fill(page, fmin(zero, x), middle - tall / 2, fabs(x - zero), tall);
  if (draw_is_band(half))
    show_error(page, draw_page_x(page, bar->value - half), draw_page_x(page, bar->value + half),
               middle, tall);
}

/* A heading interrupts the lines of the plot. */
static void show_heading(const page_of_bars *p, const draw_bar *bar, double middle) {
  const draw_page *page = &p->page;
  char text[512];
  draw_page_ink(page, DRAW_PAPER, 1);
  draw_page_fill(page, page->left - 1, middle - p->row / 2 + 1, page->right - page->left + 2,
                 p->row - 2);
  draw_clean(text, sizeof text, bar->name);
  draw_page_ink(page, DRAW_INK, 1);
  draw_page_heading(page, page->margin, middle + 5, page->right - page->margin, text);
}

/* What the bars are at the left, and the error bar by its name at the right. */
static void show_header(const page_of_bars *p) {
  const draw_page *page = &p->page;
  const double sample = 24, end = page->width - page->margin;
  char text[512], number[DRAW_NUMBER_MAX];
  double x = end;
  if (draw_is_band(p->bars->half_width)) {
    draw_number(p->bars->half_width, number, sizeof number);
    draw_clean(text, sizeof text - 128, p->bars->band_label ? p->bars->band_label : "band");
    snprintf(text + strlen(text), 128, ", \u00b1%s", number);
    draw_page_ink(page, DRAW_GREY, 1);
    draw_page_text(page, end, page->header, DRAW_SMALL, 1, end / 2, text);
    x = end - fmin(draw_page_measure(page, DRAW_SMALL, text), end / 2) - 8;
    show_error(page, x - sample, x, page->header - 4, 2 * WHISKER);
    x -= sample + 16;
  }
  draw_clean(text, sizeof text, p->bars->label);
  draw_page_ink(page, DRAW_INK, 1);
  draw_page_text(page, page->margin, page->header, DRAW_NORMAL, 0, x - page->margin, text);
}

static void show(void *content, cairo_t *cr) {
  page_of_bars *p = content;
  draw_page *page = &p->page;
  draw_page_open(page, cr);
  draw_page_ink(page, DRAW_FAINT, 1);
  for (unsigned i = 0; i < page->across.count; i++) {
    const double x = draw_page_x(page, draw_axis_tick(&page->across, i));
    draw_page_line(page, x, page->top, x, page->bottom, 0.8);
  }
  draw_page_axes(page, false, false, true);
  show_header(p);
  for (size_t k = 0; k < p->bars->count; k++)
    if (!p->bars->bars[k].heading) show_bar(p, &p->bars->bars[k], &p->rows[k]);
  draw_page_ink(page, DRAW_GREY, 1);
  draw_page_line(page, draw_page_x(page, 0), page->top, draw_page_x(page, 0), page->bottom, 1);
  for (size_t k = 0; k < p->bars->count; k++)
    if (p->bars->bars[k].heading) show_heading(p, &p->bars->bars[k], p->rows[k].top + p->row / 2);
  draw_page_line(page, page->left, page->bottom, page->right, page->bottom, 0.8);
  draw_page_ink(page, DRAW_INK, 1);
  draw_page_label(page, (page->left + page->right) / 2, page->bottom + 40, 0.5,
                  page->right - page->left, &page->across_name);
}

sfm_status draw_bars_file(const draw_bars *bars, const char *path, sfm_error *error) {
  page_of_bars p = {.bars = bars, .rows = calloc(bars->count + 1, sizeof *p.rows)};
  const draw_picture_source source = {p.rows ? &p : NULL, &p.page, layout, show};
  const sfm_status status =
      draw_picture(&source, bars->count ? NULL : "there are no counts to draw", path, error);
  free(p.rows);
  return status;
}
