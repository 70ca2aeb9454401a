#include "loglog.h"

#include <math.h>

static const double SOFT = 0.18; /* opacity of bands */
static const double HALO = 0.8;  /* of the paper under names within the plot */
static const double TICK_GAP = 15, LABEL_GAP = 12, MINOR = 2.5;
static const double NEAR = 0.3; /* places that are nearer to each other are one */
static const double TURN = 6.283185307179586;

/* How the places in the key look.  They differ in dashes and lightness as well as in colour, for
 * print in grey. */
typedef struct stroke {
  unsigned colour;
  double thickness, dash[4];
  int dashes;
} stroke;

static const stroke STROKES[] = {
    {DRAW_BLUE, 2.4, {0}, 0},       {0xb5402a, 1.3, {6, 2.5}, 2},
    {0x2e7d4f, 1.3, {1.6, 2.4}, 2}, {0x8a6d00, 1.3, {7, 2.5, 1.6, 2.5}, 4},
    {0x6a4c93, 1.3, {11, 3}, 2},    {0x2b8c99, 1.3, {3, 1.8}, 2},
    {0x555555, 1.0, {0}, 0},        {0x9a5b8f, 1.0, {1, 3.5}, 2},
};
enum { STROKE_COUNT = sizeof STROKES / sizeof STROKES[0] };

static const stroke *stroke_at(size_t place) {
  return &STROKES[place % STROKE_COUNT];
}

static void take_up(const draw_page *page, const stroke *s) {
  draw_page_ink(page, s->colour, 1);
  cairo_set_dash(page->cr, s->dash, s->dashes, 0);
  cairo_set_line_width(page->cr, s->thickness);
  cairo_set_line_join(page->cr, CAIRO_LINE_JOIN_ROUND);
}

static void put_down(const draw_page *page) {
  cairo_set_dash(page->cr, NULL, 0, 0);
  cairo_set_line_join(page->cr, CAIRO_LINE_JOIN_MITER);
}

static const char PERCENT[] = "\u00a0%";

void draw_loglog_up(draw_page *page, const draw_plan_page *report, size_t k) {
  double lower, upper;
  draw_curves_up(report, k, DRAW_LOGLOG_REACH, &lower, &upper);
  for (unsigned most = 16; most >= 2; most--) {
    draw_axis_log(&page->up, lower, upper, most, PERCENT);
    bool apart = true;
    for (unsigned i = 1; i < page->up.count; i++)
      apart = apart && draw_page_y(page, draw_axis_tick(&page->up, i - 1)) -
                               draw_page_y(page, draw_axis_tick(&page->up, i)) >=
                           TICK_GAP;
    if (apart) break;
  }
  draw_page_name(&page->up_name, &page->up, report->curves[k].value_label, NULL);
}

void draw_loglog_label(const draw_page *page, unsigned tick, double *left, double *right) {
  char text[DRAW_NUMBER_MAX];
  draw_axis_write(&page->across, tick, text, sizeof text);
  const double x = draw_page_x(page, draw_axis_tick(&page->across, tick)),
               half = draw_page_measure(page, DRAW_SMALL, text) / 2;
  *left = x - half;
  *right = x + half;
}

/* Whether the labels across stand clear of one another. */
static bool labels_apart(const draw_page *page) {
  double left, right, before = -INFINITY;
  for (unsigned i = 0; i < page->across.count; i++) {
    draw_loglog_label(page, i, &left, &right);
    if (left < before + LABEL_GAP) return false;
    before = right;
  }
  return true;
}

void draw_loglog_across(draw_page *page, const draw_plan_page *report, size_t k) {
  const draw_curves *curves = &report->curves[k];
  double lower, upper;
  draw_curves_across(report, k, &lower, &upper);
  for (unsigned most = 12; most >= 2; most--) {
    draw_axis_log(&page->across, lower, upper, most, NULL);
    if (labels_apart(page)) break;
  }
  draw_page_name(&page->across_name, &page->across, curves->label, curves->unit);
}

/* Where place i stands. */
static double x_at(const draw_page *page, const draw_curves *curves, size_t i) {
  return draw_page_x(page, log10(curves->at[i]));
}

/* An edge of the band at place i: what is beyond the plot stands at its edge; NaN in a gap. */
static double y_edge(const draw_page *page, double value) {
  if (isnan(value)) return NAN;
  const double percent = value > 0 ? log10(value) + 2 : -INFINITY;
  return draw_page_y(page, fmin(fmax(percent, page->up.lower), page->up.upper));
}

/* Whether a series has something to show at place i: an edge on both sides, or a value. */
typedef bool present(const draw_series *series, size_t i);

static bool has_value(const draw_series *series, size_t i) {
  double percent;
  return draw_curves_value(series->values[i], &percent);
}

/* The next run of places without a gap, from *i on: [*first, *i). */
static bool next_run(const draw_curves *curves, const draw_series *series, present *there,
                     size_t *i, size_t *first) {
  while (*i < curves->count && !there(series, *i)) ++*i;
  *first = *i;
  while (*i < curves->count && there(series, *i)) ++*i;
  return *first < *i;
}

/* The place to draw after i, of those before end, and before i, of those from first on: the next,
 * or the first that is not too near to be told from it. */
static size_t after(const draw_page *page, const draw_curves *curves, size_t i, size_t end) {
  const double x = x_at(page, curves, i);
  for (i++; i + 1 < end && x_at(page, curves, i) - x < NEAR;) i++;
  return i;
}

static size_t before(const draw_page *page, const draw_curves *curves, size_t i, size_t first) {
  const double x = x_at(page, curves, i);
  for (i--; i > first && x - x_at(page, curves, i) < NEAR;) i--;
  return i;
}

/* The band over places [first, end), none of which is a gap; a lone place has some width. */
static void fill_run(const draw_page *page, const draw_curves *curves, const draw_series *series,
                     size_t first, size_t end) {
  const double wide = end - first == 1 ? 3 : 0;
  cairo_line_to(page->cr, x_at(page, curves, first) - wide, y_edge(page, series->high[first]));
  for (size_t i = first; i < end; i = after(page, curves, i, end))
    cairo_line_to(page->cr, x_at(page, curves, i) + wide, y_edge(page, series->high[i]));
  for (size_t i = end - 1; i > first; i = before(page, curves, i, first))
    cairo_line_to(page->cr, x_at(page, curves, i), y_edge(page, series->low[i]));
  cairo_line_to(page->cr, x_at(page, curves, first) + wide, y_edge(page, series->low[first]));
  cairo_line_to(page->cr, x_at(page, curves, first) - wide, y_edge(page, series->low[first]));
  cairo_close_path(page->cr);
  cairo_fill(page->cr);
}

static void show_band(const draw_page *page, const draw_curves *curves, const draw_series *series,
                      const stroke *s) {
  size_t i = 0, first;
  draw_page_ink(page, s->colour, SOFT);
  while (next_run(curves, series, draw_curves_edges, &i, &first))
    fill_run(page, curves, series, first, i);
}

static double y_at(const draw_page *page, const draw_series *series, size_t i) {
  double percent = 0;
  draw_curves_value(series->values[i], &percent);
  return draw_page_y(page, percent);
}

/* Whether the series is zero at place i: there its line ends at the bottom of the plot, below all
 * that a logarithm can show. */
static bool is_zero(const draw_curves *curves, const draw_series *series, size_t i) {
  return i < curves->count && series->values[i] == 0;
}

/* A value between two gaps is a dot. */
static void show_line(const draw_page *page, const draw_curves *curves, const draw_series *series,
                      const stroke *s) {
  size_t i = 0, first;
  take_up(page, s);
  while (next_run(curves, series, has_value, &i, &first)) {
    const bool from = first > 0 && is_zero(curves, series, first - 1),
               to = is_zero(curves, series, i);
    if (i - first == 1 && !from && !to) {
      cairo_arc(page->cr, x_at(page, curves, first), y_at(page, series, first), s->thickness + 0.4,
                0, TURN);
      cairo_fill(page->cr);
      continue;
    }
    if (from) cairo_line_to(page->cr, x_at(page, curves, first - 1), page->bottom + 2);
    for (size_t k = first; k < i; k = after(page, curves, k, i))
      cairo_line_to(page->cr, x_at(page, curves, k), y_at(page, series, k));
    if (to) cairo_line_to(page->cr, x_at(page, curves, i), page->bottom + 2);
    cairo_stroke(page->cr);
  }
  put_down(page);
}

static void show_curves(const draw_page *page, const draw_curves *curves, const draw_key *key) {
  cairo_save(page->cr);
  cairo_rectangle(page->cr, page->left - 1, page->top - 1, page->right - page->left + 2,
                  page->bottom - page->top + 2);
  cairo_clip(page->cr);
  for (size_t k = 0; k < curves->series_count; k++)
    show_band(page, curves, &curves->series[k], stroke_at(draw_key_place(key, &curves->series[k])));
  for (size_t k = curves->series_count; k-- > 0;) /* the first on top */
    show_line(page, curves, &curves->series[k], stroke_at(draw_key_place(key, &curves->series[k])));
  cairo_restore(page->cr);
}

static void show_grid(const draw_page *page) {
  draw_page_ink(page, DRAW_FAINT, 1);
  for (unsigned i = 0; i < page->across.count; i++) {
    const double x = draw_page_x(page, draw_axis_tick(&page->across, i));
    draw_page_line(page, x, page->top, x, page->bottom, 0.8);
  }
}

/* Small ticks at all digits of a decade, or at decades where there are many. */
static void show_minor(const draw_page *page) {
  const double span = page->across.upper - page->across.lower;
  const int step = span * 12 < page->right - page->left ? 1 : 9;
  draw_page_ink(page, DRAW_GREY, 1);
  for (int d = (int)floor(page->across.lower); d < page->across.upper && span < 60; d++)
    for (int m = 1; m < 10; m += step) {
      const double x = d + log10(m);
      if (x < page->across.lower || x > page->across.upper) continue;
      draw_page_line(page, draw_page_x(page, x), page->bottom, draw_page_x(page, x),
                     page->bottom + MINOR, 0.6);
    }
}

/* The asked value: a line, a dot where the first curve is, and above the plot what it is. */
static void show_here(const draw_page *page, const draw_curves *curves) {
  char text[256];
  double place, percent;
  if (!draw_curves_here(curves, &place)) return;
  const double x = draw_page_x(page, place);
  draw_page_ink(page, DRAW_INK, 1);
  draw_page_line(page, x, page->top - 3, x, page->bottom, 0.9);
  if (draw_curves_at(curves, curves->series[0].values, place, &percent) &&
      percent >= page->up.lower && percent <= page->up.upper) {
    const double y = draw_page_y(page, percent);
    draw_page_ink(page, DRAW_PAPER, 1);
    cairo_arc(page->cr, x, y, 5, 0, TURN);
    cairo_fill(page->cr);
    draw_page_ink(page, DRAW_INK, 1);
    cairo_arc(page->cr, x, y, 3.6, 0, TURN);
    cairo_fill(page->cr);
  }
  draw_clean(text, sizeof text, curves->here_label);
  const double room = page->right - page->left;
  const double wide = fmin(draw_page_measure(page, DRAW_SMALL, text), room);
  const double begin = fmin(fmax(x - wide / 2, page->left), page->right - wide);
  draw_page_ink(page, DRAW_INK, 1);
  draw_page_text(page, begin, page->top - 7, DRAW_SMALL, 0, wide + 0.01, text);
}

/* Names of levels within the plot: boxes that keep clear of each other and, if they can, of what is
 * drawn. */
typedef struct box {
  double left, top, right, bottom;
} box;

static bool overlap(const box *a, const box *b) {
  return a->left < b->right && b->left < a->right && a->top < b->bottom && b->top < a->bottom;
}

/* How much of what is drawn goes through the box. */
static double crossed(const draw_page *page, const draw_curves *curves, const box *b) {
  enum { STEPS = 12 };
  const double range = page->across.upper - page->across.lower;
  double sum = 0, percent, here;
  for (int i = 0; i <= STEPS; i++) {
    const double x = b->left + (b->right - b->left) * i / STEPS;
    const double place = page->across.lower + range * (x - page->left) / (page->right - page->left);
    for (size_t k = 0; k < curves->series_count; k++) {
      if (!draw_curves_at(curves, curves->series[k].values, place, &percent)) continue;
      const double y = draw_page_y(page, percent);
      sum += (y > b->top && y < b->bottom) * (k == 0 ? 2 : 1);
    }
  }
  for (size_t k = 0; k < curves->level_count; k++) {
    if (!draw_curves_value(curves->levels[k], &percent)) continue;
    const double y = draw_page_y(page, percent);
    if (y > b->top + 2 && y < b->bottom - 2) sum += STEPS;
  }
  if (draw_curves_here(curves, &here)) {
    const double x = draw_page_x(page, here);
    if (x > b->left - 3 && x < b->right + 3) sum += STEPS;
  }
  return sum;
}

/* Whether the name of the line at height y may stand above it, or below: not between it and another
 * one that is near, of which it would seem to be the name. */
static bool beside(const draw_page *page, const draw_curves *curves, double y, double least,
                   bool below) {
  double percent;
  for (size_t k = 0; k < curves->level_count; k++) {
    if (!draw_curves_value(curves->levels[k], &percent)) continue;
    const double apart = draw_page_y(page, percent) - y;
    if (below ? apart > 0 && apart < least : apart < 0 && -apart < least) return false;
  }
  return true;
}

/* The best place for a name of that width at height y: along the line, above it or below, the
 * farther to the right the better.  False if there is none beside those that are taken. */
static bool place_name(const draw_page *page, const draw_curves *curves, double y, double wide,
                       const box *taken, size_t taken_count, box *best) {
  enum { ALONG = 12 };
  const double high = 12, gap = 2, inset = 4;
  const double room = page->right - page->left - wide - 2 * inset;
  double least = INFINITY;
  for (int k = 0; k < 2 * ALONG; k++) {
    box b;
    b.left = page->right - inset - wide - room * (k / 2) / (ALONG - 1);
    b.right = b.left + wide;
    b.top = k % 2 ? y + gap : y - gap - high;
    b.bottom = b.top + high;
    bool free = b.top >= page->top && b.bottom <= page->bottom && b.left >= page->left;
    free = free && beside(page, curves, y, 2 * (high + gap), k % 2);
    for (size_t i = 0; i < taken_count; i++) free = free && !overlap(&b, &taken[i]);
    const double cost = free ? crossed(page, curves, &b) : INFINITY;
    if (cost >= least) continue;
    least = cost;
    *best = b;
  }
  return least < INFINITY;
}

static void show_levels(const draw_page *page, const draw_curves *curves) {
  static const double dashes[2] = {2, 3};
  draw_page_ink(page, DRAW_GREY, 1);
  cairo_set_dash(page->cr, dashes, 2, 0);
  for (size_t i = 0; i < curves->level_count; i++) {
    double percent;
    if (!draw_curves_value(curves->levels[i], &percent) || percent < page->up.lower ||
        percent > page->up.upper)
      continue;
    const double y = draw_page_y(page, percent);
    draw_page_line(page, page->left, y, page->right, y, 0.8);
  }
  cairo_set_dash(page->cr, NULL, 0, 0);
}

static void show_level_names(const draw_page *page, const draw_curves *curves) {
  enum { NAMES_MAX = 16 };
  box taken[NAMES_MAX];
  size_t count = 0;
  for (size_t i = 0; i < curves->level_count && count < NAMES_MAX; i++) {
    char name[256];
    double percent;
    if (!draw_curves_value(curves->levels[i], &percent) || percent < page->up.lower ||
        percent > page->up.upper || !draw_curves_level_name(curves, i, name, sizeof name))
      continue;
    const double wide =
        fmin(draw_page_measure(page, DRAW_SMALL, name), (page->right - page->left) / 2);
    box *b = &taken[count];
    if (!place_name(page, curves, draw_page_y(page, percent), wide, taken, count, b)) continue;
    count++;
    draw_page_ink(page, DRAW_PAPER, HALO);
    draw_page_fill(page, b->left - 2, b->top, wide + 4, b->bottom - b->top);
    draw_page_ink(page, DRAW_GREY, 1);
    draw_page_text(page, b->left, b->bottom - 2.5, DRAW_SMALL, 0, wide + 0.01, name);
  }
}

void draw_loglog(const draw_page *page, const draw_plan_page *report, size_t k, const draw_key *key,
                 bool up_labels) {
  const draw_curves *curves = &report->curves[k];
  show_grid(page);
  draw_page_axes(page, true, up_labels, true);
  show_minor(page);
  draw_page_ink(page, DRAW_GREY, 1);
  draw_page_line(page, page->left, page->bottom, page->right, page->bottom, 0.8);
  show_levels(page, curves);
  show_level_names(page, curves); /* under the curves, if they must meet */
  show_curves(page, curves, key);
  show_here(page, curves);
  draw_page_ink(page, DRAW_INK, 1);
  draw_page_label(page, (page->left + page->right) / 2, page->bottom + 36, 0.5,
                  page->right - page->left, &page->across_name);
}

static void show_sample(const draw_page *page, const draw_key *key, size_t place, double x,
                        double y, double wide) {
  const stroke *s = stroke_at(place);
  if (key->band[place]) {
    draw_page_ink(page, s->colour, SOFT);
    draw_page_fill(page, x, y - 5.5, wide, 11);
  }
  take_up(page, s);
  draw_page_line(page, x, y, x + wide, y, s->thickness);
  put_down(page);
}

unsigned draw_loglog_legend(const draw_page *page, const draw_key *key, double y, bool show) {
  const double sample = 28, gap = 6, between = 20, room = page->width - 2 * page->margin;
  double x = 0;
  unsigned rows = 0;
  for (size_t k = 0; k < key->count; k++) {
    if (!*key->names[k]) continue;
    const double wide =
        fmin(draw_page_measure(page, DRAW_SMALL, key->names[k]), room - sample - gap);
    if (rows == 0 || x + sample + gap + wide > room) {
      x = 0;
      rows++;
    }
    const double line = y + (rows - 1) * DRAW_LEGEND_LEADING;
    if (show) {
      show_sample(page, key, k, page->margin + x, line - 4, sample);
      draw_page_ink(page, DRAW_GREY, 1);
      draw_page_text(page, page->margin + x + sample + gap, line, DRAW_SMALL, 0, wide + 0.01,
                     key->names[k]);
    }
    x += sample + gap + wide + between;
  }
  return rows;
}
