/* chart.c - one variable on paper: a curve over its band, or stems with their error bars. */
#include "chart.h"

#include <math.h>

static const double SOFT = 0.2;  /* opacity of bands */
static const double TINT = 0.12; /* of the area between two curves */
/* More points than this are drawn as slices half a point wide. */
static const size_t POINTS_MAX = 2500;

/* The curve as drawn: n places, each with a value or, in slices, a range of values. */
typedef struct trace {
  const draw_figure *figure;
  size_t count;
  bool sliced;
} trace;

static trace trace_of(const draw_page *page, const draw_figure *figure) {
  trace t = {figure, figure->counts[0], false};
  if (t.count > POINTS_MAX || figure->steps) {
    t.sliced = true;
    t.count = (size_t)(2 * (page->right - page->left));
  }
  return t;
}

static bool trace_at(const trace *t, size_t i, double *place, double *least, double *largest) {
  double n = (double)t->count, middle;
  if (t->sliced) {
    *place = ((double)i + 0.5) / n;
    return draw_figure_slice(t->figure, (double)i / n, ((double)i + 1) / n, &middle, least,
                             largest);
  }
  *place = (double)i / (n - 1);
  *least = *largest = t->figure->values[i];
  return draw_shown(*least);
}

/* The next run of places without a gap, from *i on: [*first, *i). */
static bool next_run(const trace *t, size_t *i, size_t *first) {
  double place, least, largest;
  while (*i < t->count && !trace_at(t, *i, &place, &least, &largest)) ++*i;
  *first = *i;
  while (*i < t->count && trace_at(t, *i, &place, &least, &largest)) ++*i;
  return *first < *i;
}

static void trace_band(const draw_page *page, const trace *t, size_t first, size_t end) {
  double wide = page->right - page->left, place, least, largest;
  for (size_t i = first; i < end; i++) {
    if (!trace_at(t, i, &place, &least, &largest)) continue;
    double y = draw_page_y(page, largest + draw_figure_half(t->figure, place));
    if (end - first == 1) cairo_line_to(page->cr, page->left + place * wide - 1, y);
    cairo_line_to(page->cr, page->left + place * wide + (end - first == 1), y);
  }
  for (size_t i = end; i-- > first;) {
    if (!trace_at(t, i, &place, &least, &largest)) continue;
    double y = draw_page_y(page, least - draw_figure_half(t->figure, place));
    cairo_line_to(page->cr, page->left + place * wide + (end - first == 1), y);
    if (end - first == 1) cairo_line_to(page->cr, page->left + place * wide - 1, y);
  }
  cairo_close_path(page->cr);
}

static void trace_line(const draw_page *page, const trace *t, size_t first, size_t end) {
  double wide = page->right - page->left, place, least, largest;
  for (size_t i = first; i < end; i++) {
    if (!trace_at(t, i, &place, &least, &largest)) continue;
    double x = page->left + place * wide;
    if (i == first) cairo_move_to(page->cr, x, draw_page_y(page, least));
    cairo_line_to(page->cr, x, draw_page_y(page, least));
    if (largest > least) cairo_line_to(page->cr, x, draw_page_y(page, largest));
  }
}

/* The area between two curves, a quadrangle a step where neither has a gap. */
static void show_between(const draw_page *page, const trace *one, const trace *two) {
  double wide = page->right - page->left, before[3] = {0}, now[3];
  bool joined = false;
  cairo_new_path(page->cr);
  for (size_t i = 0; i < one->count; i++) {
    double place, least[2], largest[2];
    bool there = trace_at(one, i, &place, &least[0], &largest[0]) &&
                 trace_at(two, i, &place, &least[1], &largest[1]);
    if (there) {
      now[0] = page->left + place * wide;
      for (unsigned k = 0; k < 2; k++)
        now[k + 1] = draw_page_y(page, least[k] + (largest[k] - least[k]) / 2);
    }
    if (there && joined) {
      cairo_move_to(page->cr, before[0], before[1]);
      cairo_line_to(page->cr, now[0], now[1]);
      cairo_line_to(page->cr, now[0], now[2]);
      cairo_line_to(page->cr, before[0], before[2]);
      cairo_close_path(page->cr);
    }
    for (unsigned k = 0; there && k < 3; k++) before[k] = now[k];
    joined = there;
  }
  draw_page_ink(page, DRAW_BLUE, TINT);
  cairo_fill(page->cr);
}

/* Dashes with gaps so wide; 0: a solid line. */
static void dash(const draw_page *page, double gap) {
  const double pattern[] = {5, gap};
  cairo_set_dash(page->cr, pattern, gap > 0 ? 2 : 0, 0);
}

static void show_line(const draw_page *page, const trace *t) {
  size_t i = 0, first;
  cairo_set_line_join(page->cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap(page->cr, CAIRO_LINE_CAP_ROUND);
  while (next_run(t, &i, &first)) trace_line(page, t, first, i);
  cairo_stroke(page->cr);
  cairo_set_line_cap(page->cr, CAIRO_LINE_CAP_BUTT);
}

/* Ink and dashes of the values (kind 0) or of what they are compared with (kind 1); returns how
 * thick the line is. */
static double pen(const draw_page *page, const draw_figure *figure, unsigned kind) {
  draw_page_ink(page, !kind ? DRAW_BLUE : figure->approximates ? DRAW_INK : DRAW_GREY, 1);
  /* Wider where a solid line is to be seen through them. */
  dash(page, figure->approximates ? 7 * !kind : 4 * kind);
  return kind ? 1.4 : 1.8;
}

static void show_reference(const draw_page *page, const draw_figure *figure, const trace *t) {
  draw_figure second = draw_figure_reference(figure);
  trace other = trace_of(page, &second);
  if (figure->between) show_between(page, t, &other);
  cairo_set_line_width(page->cr, pen(page, figure, 1));
  show_line(page, &other);
  dash(page, 0);
}

/* How dark a curve behind is: the more there are, the fainter, so that where they crowd shows. */
static double faintness(const draw_figure *figure) {
  return fmin(fmax(3 * pow((double)figure->behind_count, -0.7), 0.02), 0.6);
}

/* The curves behind, each a thin line; a value between two gaps is a dot. */
static void show_behind(const draw_page *page, const draw_figure *figure) {
  draw_page_ink(page, DRAW_GREY, faintness(figure));
  cairo_set_line_width(page->cr, 0.7);
  cairo_set_line_join(page->cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap(page->cr, CAIRO_LINE_CAP_ROUND);
  for (size_t k = 0; k < figure->behind_count; k++) {
    bool joined = false;
    for (size_t i = 0; i < figure->behind_length; i++) {
      double x, y;
      const bool there = draw_figure_behind(figure, k, i, &x, &y);
      if (there && !joined) cairo_move_to(page->cr, draw_page_x(page, x), draw_page_y(page, y));
      if (there) cairo_line_to(page->cr, draw_page_x(page, x), draw_page_y(page, y));
      joined = there;
    }
    cairo_stroke(page->cr); /* one by one, so that they darken where they cross */
  }
  cairo_set_line_cap(page->cr, CAIRO_LINE_CAP_BUTT);
}

static void fill_band(const draw_page *page, const trace *t) {
  size_t i = 0, first;
  while (next_run(t, &i, &first)) {
    cairo_new_path(page->cr);
    trace_band(page, t, first, i);
    cairo_fill(page->cr);
  }
}

void draw_chart_band(const draw_page *page, const draw_figure *figure) {
  const trace t = trace_of(page, figure);
  if (draw_has_band(figure)) fill_band(page, &t);
}

void draw_chart_line(const draw_page *page, const draw_figure *figure) {
  const trace t = trace_of(page, figure);
  show_line(page, &t);
}

/* The bars of bins, a little apart where there is room. */
static void show_bars(const draw_page *page, const draw_figure *figure) {
  const size_t n = figure->counts[0];
  const double wide = (page->right - page->left) / (double)n, gap = wide > 6 ? 1 : 0,
               zero = draw_page_y(page, 0);
  draw_page_ink(page, DRAW_BLUE, 1.6 * SOFT);
  for (size_t i = 0; i < n && n <= POINTS_MAX; i++) {
    if (!draw_shown(figure->values[i])) continue;
    const double y = draw_page_y(page, figure->values[i]);
    draw_page_fill(page, page->left + wide * (double)i + gap / 2, fmin(y, zero), wide - gap,
                   fabs(y - zero));
  }
}

static void show_curve(const draw_page *page, const draw_figure *figure) {
  trace t = trace_of(page, figure);
  if (figure->steps) show_bars(page, figure);
  if (figure->behind) {
    /* The band stands out from what is behind it, and the curve from both. */
    show_behind(page, figure);
    draw_page_ink(page, DRAW_PAPER, 0.6);
    if (draw_has_band(figure)) fill_band(page, &t);
  }
  draw_page_ink(page, DRAW_BLUE, figure->behind ? 1.6 * SOFT : SOFT);
  if (draw_has_band(figure)) fill_band(page, &t);
  if (figure->reference) show_reference(page, figure, &t);
  if (figure->behind) {
    draw_page_ink(page, DRAW_PAPER, 0.8);
    cairo_set_line_width(page->cr, 3.8);
    show_line(page, &t);
  }
  cairo_set_line_width(page->cr, pen(page, figure, 0));
  show_line(page, &t);
  dash(page, 0);
}

/* The error bar around value: a soft box closed by two lines. */
static void show_error(const draw_page *page, double x, double top, double bottom, double wide) {
  draw_page_ink(page, DRAW_BLUE, SOFT);
  draw_page_fill(page, x - wide / 2, top, wide, bottom - top);
  if (wide < 3) return;
  draw_page_ink(page, DRAW_BLUE, 0.55);
  draw_page_line(page, x - wide / 2, top, x + wide / 2, top, 0.9);
  draw_page_line(page, x - wide / 2, bottom, x + wide / 2, bottom, 0.9);
}

static void show_stem(const draw_page *page, const draw_figure *figure, double x, double least,
                      double largest, double gap) {
  double zero = draw_page_y(page, fmin(fmax(0, page->up.lower), page->up.upper));
  double head = fmin(3.2, gap * 0.35), half = figure->half_width;
  if (draw_has_band(figure))
    show_error(page, x, draw_page_y(page, largest + half), draw_page_y(page, least - half),
               fmin(11, gap * 0.7));
  draw_page_ink(page, DRAW_BLUE, 1);
  double thick = fmin(1.6, gap * 0.5), low = draw_page_y(page, least),
         high = draw_page_y(page, largest);
  draw_page_line(page, x, zero, x, fabs(low - zero) > fabs(high - zero) ? low : high, thick);
  if (low > high) draw_page_line(page, x, low, x, high, thick);
  if (head < 0.8) return;
  cairo_arc(page->cr, x, high, head, 0, 6.283185307179586);
  cairo_fill(page->cr);
}

static void show_stems(const draw_page *page, const draw_figure *figure) {
  size_t n = figure->counts[0];
  double gap = (page->right - page->left) / (double)n;
  if (n <= POINTS_MAX) {
    for (size_t i = 0; i < n; i++)
      if (draw_shown(figure->values[i]))
        show_stem(page, figure, draw_page_x(page, draw_figure_stem(figure, i)), figure->values[i],
                  figure->values[i], gap);
    return;
  }
  size_t slices = (size_t)(page->right - page->left);
  for (size_t i = 0; i < slices; i++) {
    double middle, least, largest, s = (double)slices;
    if (draw_figure_slice(figure, (double)i / s, ((double)i + 1) / s, &middle, &least, &largest))
      show_stem(page, figure, page->left + (double)i + 0.5, least, largest, 1);
  }
}

static void show_sample(const draw_page *page, const draw_figure *figure, unsigned kind, double x,
                        double y, double wide) {
  if (kind == 2) {
    draw_page_ink(page, DRAW_BLUE, TINT);
    draw_page_fill(page, x, y - 5.5, wide, 11);
    return;
  }
  draw_page_line(page, x, y, x + wide, y, pen(page, figure, kind));
  dash(page, 0);
}

void draw_chart_dashes(const draw_page *page, const draw_figure *figure, double x, double y,
                       double wide) {
  show_sample(page, figure, 1, x, y, wide);
}

/* Both curves and the area between them, by name, from right to left; returns the left edge. */
static double show_names(const draw_page *page, const draw_figure *figure) {
  const char *const names[] = {figure->names[0], figure->names[1], figure->between};
  const double sample = 22;
  const unsigned present = 2 + (figure->between != NULL);
  double x = page->right, most = (page->right - page->margin) * 0.8 / present - sample;
  for (unsigned k = 3; k-- > 0;) {
    char text[256];
    draw_clean(text, sizeof text, names[k]);
    if (!*text) continue;
    double wide = fmin(draw_page_measure(page, DRAW_SMALL, text), most);
    draw_page_ink(page, DRAW_GREY, 1);
    draw_page_text(page, x, page->header, DRAW_SMALL, 1, wide + 0.01, text);
    x -= wide + 6 + sample;
    show_sample(page, figure, k, x, page->header - 4, sample);
    x -= 16;
  }
  return x;
}

void draw_chart_sample(const draw_page *page, const draw_figure *figure, double x, double y,
                       double wide) {
  if (figure->stems) {
    show_error(page, x + wide / 2, y - 7, y + 7, wide);
    draw_page_ink(page, DRAW_BLUE, 1);
    cairo_arc(page->cr, x + wide / 2, y, 3.2, 0, 6.283185307179586);
    cairo_fill(page->cr);
    return;
  }
  draw_page_ink(page, DRAW_BLUE, SOFT);
  draw_page_fill(page, x, y - 5.5, wide, 11);
  draw_page_ink(page, DRAW_BLUE, 1);
  draw_page_line(page, x, y, x + wide, y, 1.8);
}

double draw_chart_entry(const draw_page *page, const draw_figure *figure, double right, double most,
                        double sample, const char *text, draw_sample *show) {
  const double wide = fmin(draw_page_measure(page, DRAW_SMALL, text), most),
               x = right - wide - 8 - sample;
  draw_page_ink(page, DRAW_GREY, 1);
  draw_page_text(page, right, page->header, DRAW_SMALL, 1, wide + 0.01, text);
  show(page, figure, x, page->header - 4, sample);
  return x;
}

static void show_strands(const draw_page *page, const draw_figure *figure, double x, double y,
                         double wide) {
  (void)figure;
  draw_page_ink(page, DRAW_GREY, 0.5);
  for (int k = -1; k <= 1; k++) draw_page_line(page, x, y + 3.5 * k, x + wide, y + 3.5 * k, 0.7);
}

/* A sample of the curves behind, and their name, ending at `right`; returns the left edge. */
static double show_behind_name(const draw_page *page, const draw_figure *figure, double right) {
  const double most = (page->right - page->margin) * 0.35;
  char text[256];
  draw_clean(text, sizeof text, figure->behind_name);
  if (!figure->behind || !*text) return right;
  return draw_chart_entry(page, figure, right, most, 22, text, show_strands);
}

/* A sample of the band with the line through it, its name to the right; returns the left edge. */
static double show_legend(const draw_page *page, const draw_figure *figure) {
  if (figure->reference) return show_names(page, figure);
  if (!draw_has_band(figure)) return show_behind_name(page, figure, page->right);
  char text[512];
  draw_figure_legend(figure, text, sizeof text);
  const double most = (page->right - page->margin) * (figure->behind ? 0.35 : 0.55),
               x = draw_chart_entry(page, figure, page->right, most, figure->stems ? 11 : 26, text,
                                    draw_chart_sample);
  return show_behind_name(page, figure, x - 16);
}

void draw_chart_plot(const draw_page *page, const draw_figure *figure) {
  bool below = page->up.lower < 0 && page->up.upper >= 0 && !figure->powers;
  draw_page_ink(page, DRAW_GREY, 1);
  draw_page_line(page, page->left, page->bottom, page->right, page->bottom, 0.8);
  if (figure->stems)
    show_stems(page, figure);
  else
    show_curve(page, figure);
  if (below) {
    double y = draw_page_y(page, 0);
    draw_page_ink(page, DRAW_INK, 1);
    draw_page_line(page, page->left, y, page->right, y, 0.8);
  }
}

void draw_chart(const draw_page *page, const draw_figure *figure) {
  draw_chart_plot(page, figure);
  double edge = show_legend(page, figure);
  draw_page_ink(page, DRAW_INK, 1);
  draw_page_label(page, page->margin, page->header, 0, edge - page->margin - 20, &page->up_name);
}
