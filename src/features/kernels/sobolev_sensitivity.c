/* sobolev_sensitivity.c - the largest distance between bumps, certified: every box of pairs (x, y)
 * is divided until a Taylor polynomial at its centre, with the second derivative bounded by norms
 * on the whole line, shows that no pair in it passes the best one found by more than a tolerance.
 */
#include "sobolev_sensitivity.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#include "sfumato/kernel.h"

/* Of squares of norms: the certificate is within half of it of the norm. */
static const double TOLERANCE = 1e-3;
/* More than all rounding, and more than what SHORT leaves out. */
static const double ROUNDING = 1e-9;
/* In wider intervals every pair is as far apart as one in an interval of this width, to 1e-15. */
static const double SHORT = 40;

static sfmi_sobolev_axis shortened(sfmi_sobolev_axis axis) {
  assert(axis.width > 0 && axis.rate > 0);
  return (sfmi_sobolev_axis){fmin(axis.width, SHORT), axis.rate};
}

/* No less than |f_x|^2 anywhere. */
static double largest_square(const sfmi_sobolev_axis *axis) {
  const double cells = ceil(256 * fmax(axis->width, 2)), r = axis->width / cells / 2;
  const double bend =
      sfmi_sobolev_line_square(axis->rate, 1) +
      sqrt(sfmi_sobolev_line_square(axis->rate, 0) * sfmi_sobolev_line_square(axis->rate, 2));
  double most = 0;
  for (double i = 0; i < cells; i++) {
    double slope, square = sfmi_sobolev_square(axis, (2 * i + 1) * r, &slope);
    most = fmax(most, square + fabs(slope) * r + bend * r * r);
  }
  return most;
}

/* A search among pairs, for the largest |f_x - f_y|^2 or for the least <f_x, f_y>. */
typedef struct search {
  const sfmi_sobolev_axis *axis;
  bool opposite; /* for the least inner product */
  double bend;   /* second derivatives add at most bend r^2 in a box of half side r */
  double best, slack;
} search;

static double value_at(const search *s, double x, double y, double slope[2]) {
  return s->opposite ? -sfmi_sobolev_inner(s->axis, x, y, slope)
                     : sfmi_sobolev_square_distance(s->axis, x, y, slope);
}

/* The box of half side r around (x, y). */
static void explore(search *s, double x, double y, double r) {
  double slope[2];
  const double value = value_at(s, x, y, slope);
  s->best = fmax(s->best, value);
  if (value + (fabs(slope[0]) + fabs(slope[1])) * r + s->bend * r * r <= s->best + s->slack) return;
  for (int i = 0; i < 4; i++) explore(s, x + (i & 1 ? r : -r) / 2, y + (i & 2 ? r : -r) / 2, r / 2);
}

/* No less than what is searched for.  A pair is explored in one order only. */
static double explore_all(search *s) {
  const double cells = ceil(s->axis->width), r = s->axis->width / cells / 2;
  for (double i = 0; i < cells; i++)
    for (double j = i; j < cells; j++) explore(s, (2 * i + 1) * r, (2 * j + 1) * r, r);
  return s->best + s->slack;
}

/* No less than -<f_x, f_y> anywhere, given the largest |f_x|^2. */
static double largest_opposition(const sfmi_sobolev_axis *axis, double square) {
  const double first = sfmi_sobolev_line_square(axis->rate, 1),
               none = sfmi_sobolev_line_square(axis->rate, 0),
               second = sfmi_sobolev_line_square(axis->rate, 2);
  search s = {.axis = axis,
              .opposite = true,
              .bend = first + sqrt(none * second),
              .best = -sfmi_sobolev_inner(axis, 0, axis->width, NULL),
              .slack = TOLERANCE * square};
  return explore_all(&s);
}

/* Whether bumps away from the ends are as far apart as on the whole line. */
static bool like_the_line(const sfmi_sobolev_axis *axis, double best) {
  const double middle = axis->width / 2;
  const double away = fmin(sqrt(1.5 + axis->rate * axis->rate), middle / 2);
  const double found = sfmi_sobolev_square_distance(axis, middle - away, middle + away, NULL);
  return sfmi_sobolev_line_square_distance(axis->rate) <= fmax(found, best) * (1 + TOLERANCE);
}

/* No less than |f_x|^2 and |f_x - f_y|^2 anywhere. */
static double largest_apart(const sfmi_sobolev_axis *axis) {
  const double single = largest_square(axis), line = sfmi_sobolev_line_square_distance(axis->rate);
  if (like_the_line(axis, single)) return line;
  search s = {.axis = axis,
              .bend = 4 * sfmi_sobolev_line_square(axis->rate, 1) +
                      2 * sqrt(line * sfmi_sobolev_line_square(axis->rate, 2)),
              .best = single,
              .slack = TOLERANCE * single};
  return fmin(explore_all(&s), line);
}

/* What is known along one axis. */
typedef struct extent {
  double square;     /* no less than |f_x|^2 */
  double opposition; /* no less than -<f_x, f_y> */
} extent;

/* |F_x - F_y|^2 = prod |f_x|^2 + prod |f_y|^2 - 2 prod <f_x, f_y>.  The last product is least with
 * one factor at its negative least and all others at their largest, or, where no factor is
 * negative, with all at their least. */
static double combine(const extent *extents, size_t dimension) {
  double square = 1, least = 1, part = 0;
  for (size_t a = 0; a < dimension; a++) {
    square *= extents[a].square;
    least *= fmax(-extents[a].opposition, 0);
    part = fmax(part, extents[a].opposition / extents[a].square);
  }
  return fmax(square, 2 * (part > 0 ? square * (1 + fmin(part, 1)) : square - least));
}

double sfmi_sobolev_sensitivity(const sfmi_sobolev_axis *axes, size_t dimension) {
  extent extents[SFM_MAX_DIMENSION];
  assert(dimension >= 1 && dimension <= SFM_MAX_DIMENSION);
  if (dimension == 1) {
    const sfmi_sobolev_axis axis = shortened(*axes);
    return sqrt(largest_apart(&axis)) * (1 + ROUNDING);
  }
  for (size_t a = 0; a < dimension; a++) {
    const sfmi_sobolev_axis axis = shortened(axes[a]);
    const double square = largest_square(&axis) * (1 + ROUNDING);
    extents[a] = (extent){square, largest_opposition(&axis, square) + ROUNDING * square};
  }
  return sqrt(combine(extents, dimension)) * (1 + ROUNDING);
}

/* ---- the rates of least sensitivity ---- */

/* Where bumps are sampled in order to choose a rate; this is no certificate. */
static const double LOOKED_WIDTH = 12, LOOKED_STEP = 0.125;
enum { LOOKED_LEAST = 9, LOOKED_MOST = 97 };
/* Logarithms of the rates that are tried, and how near to the best one the search comes. */
static const double LOG_LEAST = -4.7, LOG_MOST = 2.4, LOG_NEAR = 1e-3;

typedef struct look {
  extent extent;
  double apart; /* the largest |f_x - f_y|^2 */
} look;

static look look_along(sfmi_sobolev_axis axis) {
  look found = {.extent = {0, -INFINITY}};
  double squares[LOOKED_MOST];
  axis.width = fmin(axis.width, LOOKED_WIDTH);
  const size_t count = (size_t)fmax(ceil(axis.width / LOOKED_STEP) + 1, LOOKED_LEAST);
  const double step = axis.width / (double)(count - 1);
  for (size_t i = 0; i < count; i++) {
    squares[i] = sfmi_sobolev_square(&axis, (double)i * step, NULL);
    found.extent.square = fmax(found.extent.square, squares[i]);
    for (size_t j = 0; j < i; j++) {
      const double inner = sfmi_sobolev_inner(&axis, (double)i * step, (double)j * step, NULL);
      found.apart = fmax(found.apart, squares[i] + squares[j] - 2 * inner);
      found.extent.opposition = fmax(found.extent.opposition, -inner);
    }
  }
  return found;
}

/* What is minimised along one axis: in one dimension the distance; in more, where norms multiply
 * and the opposition of a single axis enters, the norm plus a part of the opposition. */
typedef struct aim {
  bool alone;
  double part;
} aim;

static double aim_at(aim at, double width, double rate) {
  const look found = look_along((sfmi_sobolev_axis){width, rate});
  return at.alone ? fmax(found.apart, found.extent.square)
                  : found.extent.square + at.part * found.extent.opposition;
}

/* Golden sections of the logarithm. */
static double best_rate(aim at, double width) {
  const double golden = (sqrt(5) - 1) / 2;
  double low = LOG_LEAST, high = LOG_MOST;
  double left = high - golden * (high - low), right = low + golden * (high - low);
  double at_left = aim_at(at, width, exp(left)), at_right = aim_at(at, width, exp(right));
  while (high - low > LOG_NEAR) {
    if (at_left < at_right) {
      high = right;
      right = left;
      at_right = at_left;
      left = high - golden * (high - low);
      at_left = aim_at(at, width, exp(left));
    } else {
      low = left;
      left = right;
      at_left = at_right;
      right = low + golden * (high - low);
      at_right = aim_at(at, width, exp(right));
    }
  }
  return exp((low + high) / 2);
}

void sfmi_sobolev_choose_rates(sfmi_sobolev_axis *axes, size_t dimension) {
  enum { PARTS = 4 };
  double rates[SFM_MAX_DIMENSION], least = INFINITY;
  extent extents[SFM_MAX_DIMENSION];
  assert(dimension >= 1 && dimension <= SFM_MAX_DIMENSION);
  if (dimension == 1) axes->rate = best_rate((aim){.alone = true}, axes->width);
  for (int i = 0; i <= PARTS && dimension > 1; i++) {
    for (size_t a = 0; a < dimension; a++) {
      rates[a] = best_rate((aim){.part = (double)i / PARTS}, axes[a].width);
      extents[a] = look_along((sfmi_sobolev_axis){axes[a].width, rates[a]}).extent;
    }
    const double square = combine(extents, dimension);
    for (size_t a = 0; a < dimension && square < least; a++) axes[a].rate = rates[a];
    least = fmin(least, square);
  }
}
