/* regions.c - the regions of a machine on paper.
 *
 *   Title
 *   b
 *   1 |                   |   pale within the noise, darker the surer; a line between classes,
 *     |    yes     | no   |   and the name of each where it has most room
 *   0 |___________________|
 *     0         a        10
 *   [][] no  [][] yes  [] pale: ...  -- between classes
 *   captions */
#include "regions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "heatmap.h"
#include "picture_file.h"

static const double WIDTH = 720, HEIGHT = 430, SHAPED_HEIGHT = 560, GAP = 30, TICK = 4,
                    HEADING = 20;
static const double SWATCH = 13, ENTRY_GAP = 20, ROW = 19;
/* How much of its colour a class has: without a value that stands out, just at the noise, far from
 * it; and after how many times the noise it is nearly that. */
static const double PALE = 0.07, EDGE_BELOW = 0.17, EDGE_ABOVE = 0.42, FULL = 0.92, FALL = 2.5;

/* A colour for a class: told apart by the colour-blind, up to eight of them. */
static uint32_t colour_of(size_t which) {
  static const uint32_t colours[] = {0xd8831c, 0x1b6ca8, 0x2a9d76, 0xb8487f,
                                     0x56b4e9, 0xc9b400, 0x8a4b2a, 0x6b6b6b};
  return colours[which % (sizeof colours / sizeof colours[0])];
}

const char *draw_regions_fault(const draw_regions *regions) {
  if (regions->counts[0] < 2 || regions->counts[1] < 2) return "there are too few points to draw";
  for (unsigned a = 0; a < 2; a++)
    if (!(regions->upper[a] > regions->lower[a])) return "the axes need lower < upper";
  return regions->panel_count && regions->class_count ? NULL : "there is nothing to draw";
}

/* ---- what is where ---- */

/* place in [0, last] as a whole part k < last and the rest. */
static size_t split(double part, size_t count, double *rest) {
  const double place = fmin(fmax(part, 0), 1) * (double)(count - 1);
  const size_t k = place >= (double)(count - 1) ? count - 2 : (size_t)place;
  *rest = place - (double)k;
  return k;
}

/* Between the four points around a place of something that has `width` numbers per point. */
static double between(const double *values, const draw_regions *r, size_t width, size_t f, double x,
                      double y) {
  double s, t;
  const size_t i = split(x, r->counts[0], &s), j = split(y, r->counts[1], &t), n = r->counts[1];
  const double *v = values + (i * n + j) * width + f;
  return (1 - s) * ((1 - t) * v[0] + t * v[width]) +
         s * ((1 - t) * v[n * width] + t * v[(n + 1) * width]);
}

/* By how much the class leads; *which is it. */
static double lead(const draw_regions *r, size_t panel, double x, double y, size_t *which) {
  const double *values = r->panels[panel].values;
  if (r->functions == 1) {
    const double value = between(values, r, 1, 0, x, y);
    *which = value > 0 ? 1 : 0;
    return fabs(value);
  }
  double best = -INFINITY, second = -INFINITY;
  for (size_t f = 0; f < r->functions; f++) {
    const double value = between(values, r, r->functions, f, x, y);
    if (!(value == value)) return NAN;
    if (value > best) {
      second = best;
      best = value;
      *which = f;
    } else {
      second = fmax(second, value);
    }
  }
  return best - second;
}

bool draw_regions_at(const draw_regions *regions, size_t panel, double x, double y, size_t *which,
                     double *sure) {
  const double *noise = regions->panels[panel].noise;
  const double ahead = lead(regions, panel, x, y, which);
  if (!draw_shown(ahead)) return false;
  const double half = noise ? between(noise, regions, 1, 0, x, y) : 0;
  *sure = half > 0 ? ahead / half : 1 + ahead;
  return true;
}

/* Paper with so much of a colour. */
static uint32_t tint(uint32_t colour, double part) {
  uint32_t out = 0;
  for (unsigned shift = 0; shift <= 16; shift += 8)
    out |= (uint32_t)(255.5 + part * ((double)(colour >> shift & 255u) - 255)) << shift;
  return out;
}

static double strength(double sure) {
  if (sure < 1) return PALE + (EDGE_BELOW - PALE) * sure;
  return FULL - (FULL - EDGE_ABOVE) * exp(-(sure - 1) / FALL);
}

/* ---- the page ---- */

typedef struct entry {
  char text[300];
  enum { CLASS, MARK, PALENESS, LINE } kind;
  size_t which;
  double x, y, wide;
} entry;

enum { ENTRIES_MOST = 24 };

typedef struct page_of_regions {
  const draw_regions *regions;
  draw_page page;
  double left, panel_width;
  entry entries[ENTRIES_MOST];
  size_t entry_count;
  double legend; /* its height */
} page_of_regions;

static void add_entry(page_of_regions *p, int kind, size_t which, const char *text) {
  if (p->entry_count == ENTRIES_MOST || !text) return;
  entry *e = &p->entries[p->entry_count++];
  *e = (entry){.kind = (unsigned)kind, .which = which};
  draw_clean(e->text, sizeof e->text, text);
}

/* Where the entries stand, from (0, 0) on. */
static void spread_entries(page_of_regions *p) {
  const double width = p->page.width - 2 * p->page.margin;
  double x = 0, y = 0;
  for (size_t i = 0; i < p->entry_count; i++) {
    entry *e = &p->entries[i];
    const double sample = e->kind == CLASS ? 2 * SWATCH : e->kind == LINE ? 22 : SWATCH;
    e->wide = sample + 6 + draw_page_measure(&p->page, DRAW_SMALL, e->text);
    if (x > 0 && x + e->wide > width) {
      x = 0;
      y += ROW;
    }
    e->x = x;
    e->y = y;
    x += e->wide + ENTRY_GAP;
  }
  p->legend = p->entry_count ? y + ROW : 0;
}

static void list_entries(page_of_regions *p) {
  const draw_regions *r = p->regions;
  char text[300];
  for (size_t k = 0; k < r->class_count && k < ENTRIES_MOST / 2; k++)
    add_entry(p, CLASS, k, r->classes[k]);
  for (size_t k = 0; r->points && k < r->class_count && k < 4; k++) {
    snprintf(text, sizeof text, "data: %.200s", r->classes[k]);
    add_entry(p, MARK, k, text);
  }
  snprintf(text, sizeof text, "pale: %.200s", r->noise_label ? r->noise_label : "unsure");
  if (r->panels[0].noise) add_entry(p, PALENESS, 0, text);
  add_entry(p, LINE, 0, r->functions == 1 ? "value 0" : "between classes");
  spread_entries(p);
}

static void layout(void *content, cairo_t *cr) {
  page_of_regions *p = content;
  const draw_regions *r = p->regions;
  draw_page *page = &p->page;
  const double n = (double)r->panel_count;
  p->entry_count = 0;
  draw_page_begin(page, WIDTH, r->title, r->subtitle, cr);
  draw_clean(page->captions.text[0], DRAW_TEXT_MAX, r->caption);
  draw_clean(page->captions.text[1], DRAW_TEXT_MAX, r->note);
  draw_axis_init(&page->up, r->lower[1], r->upper[1], 8, false);
  draw_page_name(&page->up_name, &page->up, r->labels[1], r->units[1]);
  p->left = page->left = page->margin + draw_page_widest(page, &page->up) + TICK + 5;
  p->panel_width = (page->width - page->margin - p->left - (n - 1) * GAP) / n;
  if (r->aspect > 0) p->panel_width = fmin(p->panel_width, SHAPED_HEIGHT / r->aspect);
  page->right = page->left + p->panel_width;
  draw_page_fit(page, r->lower[0], r->upper[0], false);
  page->across.lower = r->lower[0];
  page->across.upper = r->upper[0];
  page->up.lower = r->lower[1];
  page->up.upper = r->upper[1];
  draw_page_name(&page->across_name, &page->across, r->labels[0], r->units[0]);
  page->top = page->header + 14 + (r->panels[0].label ? HEADING : 0);
  page->bottom = page->top + (r->panel_count == 1 ? HEIGHT : p->panel_width);
  if (r->aspect > 0) page->bottom = page->top + p->panel_width * r->aspect;
  list_entries(p);
  draw_page_end(page, page->bottom + DRAW_BELOW + 8 + p->legend);
}

/* ---- one panel ---- */

/* What is painted: a panel of regions. */
typedef struct painted {
  const draw_regions *regions;
  size_t panel;
} painted;

static uint32_t pixel(const void *context, int column, int row, int columns, int rows) {
  const painted *p = context;
  size_t which;
  double sure;
  if (!draw_regions_at(p->regions, p->panel, (column + 0.5) / columns, 1 - (row + 0.5) / rows,
                       &which, &sure))
    return DRAW_GAP;
  return tint(colour_of(which), strength(sure));
}

/* Class k's value above the best of the others, at a point of the grid. */
static double ahead_of_others(const draw_regions *r, size_t panel, size_t k, size_t i, size_t j) {
  const double *v = r->panels[panel].values + (i * r->counts[1] + j) * r->functions;
  double best = -INFINITY;
  if (r->functions == 1) return v[0];
  for (size_t f = 0; f < r->functions; f++)
    if (f != k) best = fmax(best, v[f]);
  return v[k] - best;
}

static void show_borders(const page_of_regions *p, size_t panel) {
  const draw_regions *r = p->regions;
  const draw_page *page = &p->page;
  for (size_t k = 0; k < r->functions; k++)
    for (size_t i = 0; i + 1 < r->counts[0]; i++)
      for (size_t j = 0; j + 1 < r->counts[1]; j++) {
        const double v[4] = {
            ahead_of_others(r, panel, k, i, j), ahead_of_others(r, panel, k, i + 1, j),
            ahead_of_others(r, panel, k, i + 1, j + 1), ahead_of_others(r, panel, k, i, j + 1)};
        draw_heatmap_cross(page, r->counts, i, j, v, 0);
      }
  draw_page_ink(page, DRAW_INK, 1);
  draw_heatmap_stroke(page, 1.2);
}

/* How far every point of a coarse grid is from other classes and from the edge, in its steps. */
enum { COARSE = 96 };

typedef struct room {
  unsigned char which[COARSE][COARSE];
  double far[COARSE][COARSE];
} room;

static double nearer(const room *m, size_t i, size_t j, size_t k, size_t l, double step) {
  return m->which[i][j] == m->which[k][l] ? m->far[k][l] + step : step;
}

static void measure_room(room *m, const draw_regions *r, size_t panel) {
  for (size_t i = 0; i < COARSE; i++)
    for (size_t j = 0; j < COARSE; j++) {
      size_t which = 0;
      double sure;
      const bool there = draw_regions_at(r, panel, ((double)i + 0.5) / COARSE,
                                         ((double)j + 0.5) / COARSE, &which, &sure);
      m->which[i][j] = there ? (unsigned char)(which + 1) : 0;
      m->far[i][j] = i && j ? fmin(nearer(m, i, j, i - 1, j, 1), nearer(m, i, j, i, j - 1, 1)) : 1;
    }
  for (size_t i = COARSE; i-- > 0;)
    for (size_t j = COARSE; j-- > 0;) {
      const bool edge = i + 1 == COARSE || j + 1 == COARSE;
      const double back =
          edge ? 1 : fmin(nearer(m, i, j, i + 1, j, 1), nearer(m, i, j, i, j + 1, 1));
      m->far[i][j] = fmin(m->far[i][j], back);
    }
}

/* The name of a class on its region, in the middle of (x, y). */
static void show_name(const page_of_regions *p, double x, double y, const char *name) {
  const draw_page *page = &p->page;
  char text[128];
  draw_clean(text, sizeof text, name);
  const double wide = fmin(draw_page_measure(page, DRAW_NORMAL, text), p->panel_width / 2);
  x = fmin(fmax(x, page->left + wide / 2 + 6), page->right - wide / 2 - 6);
  draw_page_ink(page, DRAW_PAPER, 0.78);
  draw_page_fill(page, x - wide / 2 - 4, y - 9, wide + 8, 18);
  draw_page_ink(page, DRAW_INK, 1);
  draw_page_text(page, x, y + 4, DRAW_NORMAL, 0.5, p->panel_width / 2, text);
}

static void show_names(const page_of_regions *p, size_t panel) {
  static const double LEAST = 4;
  const draw_regions *r = p->regions;
  const draw_page *page = &p->page;
  room *m = malloc(sizeof *m);
  if (!m) return;
  measure_room(m, r, panel);
  for (size_t k = 0; k < r->class_count; k++) {
    size_t best[2] = {0, 0};
    double most = 0;
    for (size_t i = 0; i < COARSE; i++)
      for (size_t j = 0; j < COARSE; j++)
        if (m->which[i][j] == k + 1 && m->far[i][j] > most) {
          most = m->far[i][j];
          best[0] = i;
          best[1] = j;
        }
    if (most < LEAST) continue;
    const double x = ((double)best[0] + 0.5) / COARSE, y = ((double)best[1] + 0.5) / COARSE;
    show_name(p, page->left + (page->right - page->left) * x,
              page->bottom - (page->bottom - page->top) * y, r->classes[k]);
  }
  free(m);
}

/* A mark of a class: circles, squares, triangles, diamonds. */
static void show_mark(const page_of_regions *p, double x, double y, size_t which) {
  cairo_t *cr = p->page.cr;
  const double size = 3;
  const size_t form = which % 4;
  if (form == 0) {
    cairo_new_sub_path(cr);
    cairo_arc(cr, x, y, size, 0, 2 * M_PI);
  } else if (form == 1) {
    cairo_rectangle(cr, x - 0.88 * size, y - 0.88 * size, 1.76 * size, 1.76 * size);
  } else {
    cairo_move_to(cr, x, y - 1.2 * size);
    cairo_line_to(cr, x + 1.1 * size, form == 2 ? y + 0.8 * size : y);
    if (form == 3) cairo_line_to(cr, x, y + 1.2 * size);
    cairo_line_to(cr, x - 1.1 * size, form == 2 ? y + 0.8 * size : y);
    cairo_close_path(cr);
  }
  draw_page_ink(&p->page, colour_of(which), 1);
  cairo_fill_preserve(cr);
  draw_page_ink(&p->page, DRAW_INK, 0.9);
  cairo_set_line_width(cr, 0.7);
  cairo_stroke(cr);
}

static void show_points(const page_of_regions *p) {
  const draw_regions *r = p->regions;
  for (size_t i = 0; r->points && i < r->point_count; i++)
    show_mark(p, draw_page_x(&p->page, r->points[2 * i]),
              draw_page_y(&p->page, r->points[2 * i + 1]), r->point_classes[i]);
}

static void show_panel(page_of_regions *p, size_t k) {
  draw_page *page = &p->page;
  char label[300];
  page->left = p->left + (double)k * (p->panel_width + GAP);
  page->right = page->left + p->panel_width;
  draw_heatmap_paint(page, pixel, &(painted){p->regions, k});
  show_borders(p, k);
  if (p->regions->points)
    show_points(p);
  else
    show_names(p, k);
  draw_page_ink(page, DRAW_GREY, 1);
  draw_page_frame(page, page->left, page->top, p->panel_width, page->bottom - page->top, 0.8);
  draw_page_axes(page, false, k == 0, true);
  draw_page_ink(page, DRAW_INK, 1);
  draw_page_label(page, (page->left + page->right) / 2, page->bottom + 40, 0.5, p->panel_width,
                  &page->across_name);
  draw_clean(label, sizeof label, p->regions->panels[k].label);
  if (*label) draw_page_heading(page, page->left, page->top - 8, p->panel_width, label);
}

static void show_swatch(const draw_page *page, double x, double y, uint32_t colour) {
  draw_page_ink(page, colour, 1);
  draw_page_fill(page, x, y - SWATCH + 2.5, SWATCH, SWATCH);
}

static void show_legend(const page_of_regions *p) {
  const draw_page *page = &p->page;
  for (size_t i = 0; i < p->entry_count; i++) {
    const entry *e = &p->entries[i];
    double x = page->margin + e->x;
    const double y = page->bottom + DRAW_BELOW + 18 + e->y;
    const uint32_t colour = colour_of(e->which);
    if (e->kind == CLASS) {
      show_swatch(page, x, y, tint(colour, EDGE_BELOW));
      show_swatch(page, x + SWATCH, y, tint(colour, 0.5 * (EDGE_ABOVE + FULL)));
      x += 2 * SWATCH;
    } else if (e->kind == PALENESS) {
      show_swatch(page, x, y, tint(colour_of(7), EDGE_BELOW));
      x += SWATCH;
    } else if (e->kind == MARK) {
      show_mark(p, x + SWATCH / 2, y - 4, e->which);
      x += SWATCH;
    } else {
      draw_page_ink(page, DRAW_INK, 1);
      draw_page_line(page, x, y - 4, x + 22, y - 4, 1.2);
      x += 22;
    }
    draw_page_ink(page, DRAW_GREY, 1);
    draw_page_text(page, x + 6, y, DRAW_SMALL, 0, page->width - page->margin - x - 6, e->text);
  }
}

static void show(void *content, cairo_t *cr) {
  page_of_regions *p = content;
  draw_page *page = &p->page;
  draw_page_open(page, cr);
  for (size_t k = 0; k < p->regions->panel_count; k++) show_panel(p, k);
  draw_page_ink(page, DRAW_INK, 1);
  draw_page_label(page, page->margin, page->header, 0, page->width - 2 * page->margin,
                  &page->up_name);
  show_legend(p);
  const draw_figure shape = {.rule = p->regions->rule, .rule_label = p->regions->rule_label};
  draw_heatmap_rule(page, &shape, page->right);
}

sfm_status draw_regions_file(const draw_regions *regions, const char *path, sfm_error *error) {
  page_of_regions p = {.regions = regions};
  const draw_picture_source source = {&p, &p.page, layout, show};
  return draw_picture(&source, draw_regions_fault(regions), path, error);
}
