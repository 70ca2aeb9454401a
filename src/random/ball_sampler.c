/* ball_sampler.c - t by rejection.
 *
 * On either side of -b the logarithm of the density is concave: with h(t) = a log(1 - t^2) + c t it
 * is h(t) + c b on [-b, 1] and, of -t in t's place, h(t) - c b on [b, 1].  A concave function is
 * below its tangents and its largest value; those at the two points where h is 1 below the largest
 * make a hat function of up to three parts, exponential, flat, exponential; the area under
 * the density is more than a third of that under the hat.  Which side and which part follow from
 * the areas, and a draw from the hat is kept with probability exp(density - hat): no normalising
 * constant is needed. */
#include "ball_sampler.h"

#include <math.h>

#include "idealised_draws.h"

/* A part of the hat: exp(top - |slope| distance from `high`), from `high` down to `low`. */
typedef struct part {
  double high, low, top, slope;
  double mass;
  bool flipped; /* of -t */
} part;

typedef struct hat {
  part parts[6];
  size_t count;
} hat;

static double height(double t, double a, double c) {
  return (a > 0 ? a * (log1p(-t) + log1p(t)) : 0) + c * t;
}

static double slope_at(double t, double a, double c) {
  return c - (a > 0 ? 2 * a * t / ((1 - t) * (1 + t)) : 0);
}

/* Between `high`, where h is largest, and the far end: a place where h is 0.5 to 1 below it; the
 * end if h is nowhere 1 below.  A tangent anywhere is a hat, since h is concave; there it is a good
 * one. */
static double place_below(double high, double end, double a, double c) {
  const double wanted = height(high, a, c) - 1;
  double near = high, far = end;
  if (height(end, a, c) >= wanted) return end;
  for (int i = 0; i < 60; i++) {
    const double middle = near + (far - near) / 2, found = height(middle, a, c);
    if (found >= wanted)
      near = middle;
    else
      far = middle;
    if (found >= wanted && found <= wanted + 0.5) break;
  }
  return near;
}

static void add(hat *h, double high, double low, double top, double slope, bool flipped) {
  if (high != low)
    h->parts[h->count++] =
        (part){.high = high, .low = low, .top = top, .slope = slope, .flipped = flipped};
}

/* The hat between the mode and one end; returns where the flat part ends. */
static double add_side(hat *h, double mode, double end, double a, double c, double lift,
                       bool flipped) {
  const double x = place_below(mode, end, a, c);
  if (x == end || x == mode) return end;
  const double top = height(mode, a, c), slope = slope_at(x, a, c);
  /* Where the tangent is as high as the mode. */
  const double from = x + (top - height(x, a, c)) / slope;
  add(h, from, end, top + lift, fabs(slope), flipped);
  return from;
}

static void add_half(hat *h, double least, double a, double c, double lift, bool flipped) {
  if (!(least < 1)) return;
  least = fmax(least, -1);
  const double mode = fmax(least, a > 0 ? c / (a + hypot(a, c)) : c > 0 ? 1 : least);
  const double left = add_side(h, mode, least, a, c, lift, flipped),
               right = add_side(h, mode, 1, a, c, lift, flipped);
  add(h, right, left, height(mode, a, c) + lift, 0, flipped);
}

/* Their areas, in units of exp of the largest top. */
static double weigh(hat *h) {
  double highest = -INFINITY, sum = 0;
  for (size_t i = 0; i < h->count; i++) highest = fmax(highest, h->parts[i].top);
  for (size_t i = 0; i < h->count; i++) {
    part *p = &h->parts[i];
    const double length = fabs(p->high - p->low);
    p->mass =
        exp(p->top - highest) * (p->slope > 0 ? -expm1(-p->slope * length) / p->slope : length);
    sum += p->mass;
  }
  return sum;
}

static const part *choose(const hat *h, double sum, double u) {
  size_t i = 0;
  for (double left = u * sum; i + 1 < h->count && left >= h->parts[i].mass; i++)
    left -= h->parts[i].mass;
  return &h->parts[i];
}

double sfmi_ball_sample_component(sfmi_stream *stream, double a, double c, double b) {
  hat h = {.count = 0};
  add_half(&h, -b, a, c, c * b, false);
  add_half(&h, b, a, c, -c * b, true);
  const double sum = weigh(&h);
  for (;;) {
    const part *p = choose(&h, sum, sfmi_idealised_uniform(stream));
    const double u = sfmi_idealised_uniform(stream), length = fabs(p->high - p->low);
    const double away =
        p->slope > 0 ? -log1p(u * expm1(-p->slope * length)) / p->slope : u * length;
    const double t = p->high + (p->low > p->high ? away : -away);
    const double below =
        height(t, a, c) + (p->flipped ? -c * b : c * b) - (p->top - p->slope * away);
    if (log(sfmi_idealised_uniform(stream)) <= below) return p->flipped ? -t : t;
  }
}

/* Coordinate i of the direction of g, of that length; of none, the first axis. */
static double along(const double *g, double length, size_t i) {
  return length > 0 ? g[i] / length : i == 0;
}

static double length_of(const double *x, size_t d) {
  double square = 0;
  for (size_t i = 0; i < d; i++) square += x[i] * x[i];
  return sqrt(square);
}

/* z, uniform in the ball of that radius in the d - 1 dimensions across g. */
static void draw_across(sfmi_stream *stream, double *z, const double *g, double length, size_t d,
                        double radius) {
  double share = 0;
  sfmi_idealised_normal(stream, z, d);
  for (size_t i = 0; i < d; i++) share += z[i] * along(g, length, i);
  for (size_t i = 0; i < d; i++) z[i] -= share * along(g, length, i);
  const double r = radius * pow(sfmi_idealised_uniform(stream), 1 / ((double)d - 1));
  const double factor = r / length_of(z, d);
  for (size_t i = 0; i < d; i++) z[i] *= factor;
}

void sfmi_ball_sample(sfmi_stream *stream, double *z, const double *g, size_t d, double radius,
                      double rate, double offset) {
  const double length = length_of(g, d), reach = radius * length;
  /* Without a direction the score is the same everywhere. */
  const double c = rate * reach, b = reach > 0 ? offset / reach : 0;
  const double t = sfmi_ball_sample_component(stream, 0.5 * ((double)d - 1), c, b);
  z[0] = 0;
  if (d > 1) draw_across(stream, z, g, length, d, radius * sqrt((1 - t) * (1 + t)));
  for (size_t i = 0; i < d; i++) z[i] += radius * t * along(g, length, i);
}
