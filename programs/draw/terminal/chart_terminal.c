/* chart_terminal.c - one variable in the terminal: a curve of braille dots in its band, or
 * stems. */
#include "chart_terminal.h"

#include <math.h>

#include "braille_dots.h"

enum { FROM_CURVE, FROM_REFERENCE, FROM_BAND, FROM_BEHIND, FROM_ZERO, LAYERS };

/* Curves behind are shown as dots, every fourth column, and no more of them than this. */
enum { BEHIND_MAX = 9, BEHIND_GAP = 4 };

/* The band at one dot column: its two edges dotted, joined to where they were one column before. */
static void trace_band(draw_dots *d, long column, const long edge[2], const long before[2]) {
  for (unsigned k = 0; k < 2; k++) {
    long from = edge[k] < before[k] ? edge[k] : before[k] + (edge[k] > before[k]);
    long to = edge[k] < before[k] ? before[k] - 1 : edge[k];
    for (long row = from; row <= to; row++)
      if (from < to ? row % 2 == 0 : column % 2 == 0) draw_dots_set(d, FROM_BAND, column, row);
  }
}

static void trace(const draw_screen *screen, draw_dots *d) {
  double n = d->columns;
  bool joined = false, band = draw_has_band(screen->figure);
  long previous = 0, before[2] = {0, 0};
  for (unsigned c = 0; c < d->columns; c++) {
    double middle, least, largest;
    bool there = draw_figure_slice(screen->figure, c / n, (c + 1) / n, &middle, &least, &largest);
    if (there) {
      const double half = draw_figure_half(screen->figure, (c + 0.5) / n);
      long row = draw_dots_row(screen, middle);
      long edge[2] = {draw_dots_row(screen, largest + half), draw_dots_row(screen, least - half)};
      draw_dots_run(d, FROM_CURVE, c, draw_dots_row(screen, least), draw_dots_row(screen, largest));
      if (joined) draw_dots_join(d, FROM_CURVE, c, previous, row);
      if (band && edge[1] - edge[0] > 3) trace_band(d, c, edge, joined ? before : edge);
      previous = row;
      before[0] = edge[0];
      before[1] = edge[1];
    }
    joined = there;
  }
  if (screen->up.lower < 0 && screen->up.upper >= 0 && !screen->figure->powers)
    for (unsigned c = 0; c < d->columns; c += 2)
      draw_dots_set(d, FROM_ZERO, c, draw_dots_row(screen, 0));
}

/* The second curve, dashed, and sparse dots between the two. */
static void trace_reference(const draw_screen *screen, draw_dots *d) {
  draw_figure second = draw_figure_reference(screen->figure);
  double n = d->columns;
  for (unsigned c = 0; c < d->columns; c++) {
    double one, two, least, largest;
    if (!draw_figure_slice(&second, c / n, (c + 1) / n, &two, &least, &largest)) continue;
    if (c % 4 < 2)
      draw_dots_run(d, FROM_REFERENCE, c, draw_dots_row(screen, least),
                    draw_dots_row(screen, largest));
    if (!screen->figure->between || c % 4 ||
        !draw_figure_slice(screen->figure, c / n, (c + 1) / n, &one, &least, &largest))
      continue;
    long from = draw_dots_row(screen, fmax(one, two)) + 2,
         to = draw_dots_row(screen, fmin(one, two)) - 2;
    for (long row = from; row <= to; row++)
      if (row % 4 == (c % 8 ? 3 : 1)) draw_dots_set(d, FROM_BAND, c, row);
  }
}

/* The curves behind, or some of them: dots along each, a little apart. */
static void trace_behind(const draw_screen *screen, draw_dots *d) {
  const draw_figure *figure = screen->figure;
  const size_t count = figure->behind_count < BEHIND_MAX ? figure->behind_count : BEHIND_MAX;
  const double width = figure->upper[0] - figure->lower[0];
  for (size_t c = 0; c < count; c++) {
    const size_t k = c * figure->behind_count / count;
    double before[2] = {0, NAN}, now[2];
    for (size_t i = 0; i < figure->behind_length; i++) {
      if (!draw_figure_behind(figure, k, i, &now[0], &now[1])) now[1] = NAN;
      const long from = (long)ceil((before[0] - figure->lower[0]) / width * d->columns),
                 to = (long)((now[0] - figure->lower[0]) / width * d->columns);
      for (long column = from; !isnan(before[1]) && !isnan(now[1]) && column <= to; column++) {
        const double x = figure->lower[0] + width * (double)column / d->columns;
        const double rest = now[0] > before[0] ? (x - before[0]) / (now[0] - before[0]) : 0;
        if ((column + (long)c) % BEHIND_GAP == 0)
          draw_dots_set(d, FROM_BEHIND, column,
                        draw_dots_row(screen, before[1] + rest * (now[1] - before[1])));
      }
      before[0] = now[0];
      before[1] = now[1];
    }
  }
}

static void show_curve(draw_screen *screen) {
  static const uint32_t ink[LAYERS] = {DRAW_SCREEN_BLUE, DRAW_SCREEN_GREY, DRAW_SCREEN_SOFT,
                                       DRAW_SCREEN_GREY, DRAW_SCREEN_GREY};
  draw_dots d;
  if (draw_dots_init(&d, screen, LAYERS)) {
    trace(screen, &d);
    if (screen->figure->reference) trace_reference(screen, &d);
    if (screen->figure->behind) trace_behind(screen, &d);
    draw_dots_show(&d, screen, ink, FROM_ZERO);
  }
  draw_dots_clear(&d);
}

static void fill(draw_screen *screen, unsigned column, double from, double to, uint32_t code,
                 uint32_t ink) {
  unsigned top = draw_screen_row(screen, fmax(from, to)),
           bottom = draw_screen_row(screen, fmin(from, to));
  for (unsigned row = top; row <= bottom; row++) draw_screen_put(screen, column, row, code, ink);
}

static void show_stem(draw_screen *screen, unsigned column, double least, double largest) {
  double half = screen->figure->half_width;
  double zero = fmin(fmax(0, screen->up.lower), screen->up.upper);
  double head = fabs(largest - zero) >= fabs(least - zero) ? largest : least;
  fill(screen, column, zero, head, 0x2502, DRAW_SCREEN_BLUE);
  if (draw_has_band(screen->figure))
    fill(screen, column, least - half, largest + half, 0x2503, DRAW_SCREEN_SOFT);
  fill(screen, column, least, largest, 0x25cf, DRAW_SCREEN_BLUE);
}

static void show_stems(draw_screen *screen) {
  const draw_figure *figure = screen->figure;
  size_t n = figure->counts[0];
  unsigned zero = draw_screen_row(screen, fmin(fmax(0, screen->up.lower), screen->up.upper));
  for (unsigned column = 0; column < screen->width; column++)
    draw_screen_put(screen, column, zero, 0x2500, DRAW_SCREEN_GREY);
  if (n <= screen->width) {
    for (size_t i = 0; i < n; i++) {
      unsigned column = (unsigned)(((double)i + 0.5) / (double)n * screen->width);
      if (draw_shown(figure->values[i]))
        show_stem(screen, column, figure->values[i], figure->values[i]);
    }
    return;
  }
  for (unsigned column = 0; column < screen->width; column++) {
    double middle, least, largest, w = screen->width;
    if (draw_figure_slice(figure, column / w, (column + 1) / w, &middle, &least, &largest))
      show_stem(screen, column, least, largest);
  }
}

/* Bars of bins: solid as far as their values are certain, half tone on to the value, light on to
 * where the error ends; without a band that can be seen, to an eighth of a row. */
static void show_bars(draw_screen *screen) {
  const double range = screen->up.upper - screen->up.lower, tall = range / screen->height;
  const double half = draw_has_band(screen->figure) ? screen->figure->half_width : 0;
  const bool fine = half < tall / 2;
  for (unsigned column = 0; column < screen->width; column++) {
    double value, least, largest, w = screen->width;
    if (!draw_figure_slice(screen->figure, column / w, (column + 1) / w, &value, &least, &largest))
      continue;
    for (unsigned row = 0; row < screen->height; row++) {
      const double y = screen->up.upper - (row + 0.5) * tall, part = (value - y) / tall + 0.5;
      const bool within = value > 0 ? y > 0 && y <= value : y < 0 && y >= value;
      const bool unsure = !fine && fabs(y - value) <= half;
      if (fine && value > 0 && part > 0 && part < 1 && y + tall / 2 > 0)
        draw_screen_put(screen, column, row, 0x2581 + (uint32_t)(part * 7.99), DRAW_SCREEN_BLUE);
      else if (within || unsure)
        draw_screen_put(screen, column, row, within ? unsure ? 0x2592 : 0x2588 : 0x2591,
                        within ? DRAW_SCREEN_BLUE : DRAW_SCREEN_SOFT);
      else if (screen->up.lower < 0 && row == draw_screen_row(screen, 0))
        draw_screen_put(screen, column, row, 0x2500, DRAW_SCREEN_GREY);
    }
  }
}

void draw_screen_chart(draw_screen *screen) {
  if (screen->figure->steps)
    show_bars(screen);
  else if (screen->figure->stems)
    show_stems(screen);
  else
    show_curve(screen);
}
