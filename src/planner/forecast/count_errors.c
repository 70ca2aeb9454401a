#include "count_errors.h"

#include <math.h>

#include "base/math/normal_distribution.h"

/* Sums of more terms than this are integrals: of laws so wide that a term is 1e-4 of its place, the
 * midpoint rule read backwards is right to 1e-8. */
static const double TERMS = 1 << 18;
/* Intervals of Simpson's rule, and how many scales of a tail count. */
enum { PIECES = 4096, REACH = 45 };

/* Mean of a geometric variable, P(G = g) = (1-a) a^g: what noise has beyond a place it reached. */
static double overshoot(double scale) {
  return 1 / expm1(1 / scale);
}

static double ratio(double scale) {
  return exp(-1 / scale);
}

double sfmi_count_error_tail(sfmi_integer_noise law, double k) {
  if (law.normal) return 2 * sfmi_normal_tail((k - 0.5) / law.scale);
  return 2 * exp(-k / law.scale) / (1 + ratio(law.scale));
}

/* One term of a sum over k >= 1: of P(some |Z_i| >= k), times k^power. */
typedef struct series {
  sfmi_integer_noise law;
  double cells;
  bool squared; /* times 2 k - 1: for the square */
} series;

static double term(const series *s, double k) {
  const double one = fmin(sfmi_count_error_tail(s->law, k), 1);
  const double some = s->cells == 1 ? one : -expm1(s->cells * log1p(-one));
  return (s->squared ? 2 * k - 1 : 1) * some;
}

/* The sum of terms for k = 1, 2, ... */
static double sum(const series *s) {
  const double reach = s->law.normal ? 10 + sqrt(2 * log(s->cells)) : REACH + log(s->cells);
  const double last = ceil(s->law.scale * reach) + 1;
  double total = 0;
  if (last <= TERMS) {
    for (double k = 1; k <= last; k++) total += term(s, k);
    return total;
  }
  const double h = (last - 0.5) / PIECES;
  for (int i = 0; i <= PIECES; i++)
    total += (i == 0 || i == PIECES ? 1 : i % 2 ? 4 : 2) * term(s, 0.5 + h * i);
  return total * h / 3;
}

sfmi_count_error sfmi_count_error_of_noise(sfmi_integer_noise law) {
  if (law.normal)
    return (sfmi_count_error){sum(&(series){law, 1, false}), sum(&(series){law, 1, true}), 0};
  return (sfmi_count_error){1 / sinh(1 / law.scale), 0.5 / pow(sinh(0.5 / law.scale), 2), 0};
}

double sfmi_count_error_largest(sfmi_integer_noise law, double cells) {
  return sum(&(series){law, cells, false});
}

/* |S| = (1/pi) integral over 0..pi of (1 - cos S t)/(1 - cos t), and E cos S t = (1 + c sin^2
 * (t/2))^-m with c = 4a/(1-a)^2 for the sum S of m noises.  Integrated by parts, with x = tan(t/2),
 *
 *   E|S| = (2 m c/pi) integral over x > 0 of (1 + x^2)^(m-1) (1 + (1+c) x^2)^-(m+1).
 *
 * x = e^y: the integrand dies off on both sides, and the trapezoidal rule is as good as exact. */
double sfmi_count_error_of_sum(double scale, double cells) {
  const double c = 1 / pow(sinh(0.5 / scale), 2), centre = -0.5 * log(cells * c + c + 1);
  const double h = 1.0 / 64;
  double total = 0;
  for (int i = -40 * 64; i <= 40 * 64; i++) {
    const double y = centre + h * i, square = exp(2 * y);
    total += exp(y + (cells - 1) * log1p(square) - (cells + 1) * log1p((1 + c) * square));
  }
  return 2 * cells * c / M_PI * total * h;
}

/* With u = least - count: kept when Z >= u.  Given Z >= u > 0, Z is u and a geometric variable, of
 * mean A and second moment A + 2 A^2. */
sfmi_count_error sfmi_count_error_thresholded(double scale, double least, double count) {
  const double a = ratio(scale), A = overshoot(scale), u = least - count;
  const double far = u > 0 ? u : 1 - u; /* where the tail that counts begins, above or below */
  const double chance = exp(-far / scale) / (1 + a);
  const double absolute = chance * (far + A),
               square = chance * (far * far + 2 * far * A + A + 2 * A * A);
  if (u > 0) {
    const double lost = count * (1 - chance);
    return (sfmi_count_error){absolute + lost, square + count * lost, lost};
  }
  const sfmi_count_error all = sfmi_count_error_of_noise((sfmi_integer_noise){false, scale});
  const double lost = count * chance;
  return (sfmi_count_error){all.absolute - absolute + lost, all.square - square + count * lost,
                            lost};
}

/* The largest of a function of counts that rises and then falls from low to high. */
static double highest(double (*of)(double scale, double least, double count), double scale,
                      double least, double low, double high) {
  while (high - low > 2) {
    const double third = floor((high - low) / 3), left = low + third, right = high - third;
    if (of(scale, least, left) < of(scale, least, right))
      low = left + 1;
    else
      high = right;
  }
  double most = 0;
  for (double count = low; count <= high; count++) most = fmax(most, of(scale, least, count));
  return most;
}

static double error_at(double scale, double least, double count) {
  return sfmi_count_error_thresholded(scale, least, count).absolute;
}

static double part_at(double scale, double least, double count) {
  return error_at(scale, least, count) / count;
}

/* From `least` on the error is E|Z| + a^v (least - 1 - A)/(1+a), v = count - least + 1: it falls to
 * E|Z|, or rises to it. */
double sfmi_count_error_worst(double scale, double least) {
  const double settled = sfmi_count_error_of_noise((sfmi_integer_noise){false, scale}).absolute;
  const double first = error_at(scale, least, least);
  const double below = least > 1 ? highest(error_at, scale, least, 1, least - 1) : 0;
  return fmax(fmax(settled, first), below);
}

/* Among counts below `least` the part is largest at one end, or between. */
double sfmi_count_error_worst_part(double scale, double least) {
  const double one = part_at(scale, least, 1), last = part_at(scale, least, least);
  const double below = least > 1 ? highest(part_at, scale, least, 1, least - 1) : 0;
  return fmax(fmax(one, last), below);
}

/* min(Z, room) where Z > 0: sums of P(Z >= k) = a^k/(1+a), and of (2 k - 1) times that, k = 1 to
 * room. */
static sfmi_count_error one_side(double epsilon, double room) {
  const double a = exp(-epsilon), plain = -expm1(-epsilon * room) / expm1(epsilon);
  const double weighted = (plain - room * exp(-epsilon * (room + 1))) / -expm1(-epsilon);
  return (sfmi_count_error){plain / (1 + a), (2 * weighted - plain) / (1 + a), 0};
}

sfmi_count_error sfmi_count_error_truncated_at(double epsilon, double n, double count) {
  const sfmi_count_error up = one_side(epsilon, n - count), down = one_side(epsilon, count);
  return (sfmi_count_error){up.absolute + down.absolute, up.square + down.square, 0};
}

double sfmi_count_error_truncated(double epsilon, double n) {
  return sfmi_count_error_truncated_at(epsilon, n, floor(n / 2)).absolute;
}
