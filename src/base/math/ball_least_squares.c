#include "ball_least_squares.h"

#include <math.h>

/* As near to the root as sums of doubles are of any use. */
static const double NEAR = 1e-14;
/* Steps, of which a few are taken: 1100 halvings are all that doubles allow. */
enum { STEPS = 1200 };

/* Everything in units of the largest s, and of the largest v over it. */
typedef struct units {
  double s, v;
} units;

static units units_of(const double *s, const double *v, size_t count) {
  units u = {0, 0};
  for (size_t i = 0; i < count; i++) {
    u.s = fmax(u.s, s[i]);
    u.v = fmax(u.v, fabs(v[i]));
  }
  return u;
}

static double weight(double s, double nu) {
  return s > 0 ? s / (s * s + nu) : 0;
}

/* |b(nu)|, and how fast its square falls: half of -d|b|^2/dnu. */
static double length_at(double *slope, const double *s, const double *v, units u, size_t count,
                        double nu) {
  double square = 0;
  *slope = 0;
  for (size_t i = 0; i < count; i++) {
    const double a = s[i] / u.s, b = weight(a, nu) * (v[i] / u.v);
    square += b * b;
    if (a > 0) *slope += b * b / (a * a + nu);
  }
  return sqrt(square);
}

/* No coordinate alone is longer than the radius above *low, and together they are shorter above
 * *high. */
static void bracket(double *low, double *high, const double *s, const double *v, units u,
                    size_t count, double radius) {
  double square = 0;
  *low = 0;
  for (size_t i = 0; i < count; i++) {
    const double a = s[i] / u.s, c = a * fabs(v[i] / u.v);
    *low = fmax(*low, c / radius - a * a);
    square += c * c;
  }
  *high = fmax(*low, sqrt(square) / radius);
}

static double root(const double *s, const double *v, units u, size_t count, double radius) {
  double low, high, slope;
  bracket(&low, &high, s, v, u, count, radius);
  double nu = low;
  for (int i = 0; i < STEPS; i++) {
    const double length = length_at(&slope, s, v, u, count, nu);
    if (nu == 0 && length <= radius) return 0;
    if (fabs(length - radius) <= NEAR * radius) return nu;
    if (length > radius)
      low = nu;
    else
      high = nu;
    const double next = nu + (length - radius) / radius * (length * length / slope);
    const double before = nu;
    nu = next > low && next < high ? next : low + (high - low) / 2;
    if (nu == before || nu <= low || nu >= high) return high;
  }
  return high;
}

double sfmi_ball_least_squares(double *b, const double *s, const double *v, size_t count,
                               double radius) {
  const units u = units_of(s, v, count);
  double nu = 0, square = 0;
  if (u.s > 0 && u.v > 0) nu = root(s, v, u, count, radius * (u.s / u.v));
  for (size_t i = 0; i < count; i++) {
    b[i] = u.s > 0 && u.v > 0 ? weight(s[i] / u.s, nu) * (v[i] / u.v) : 0;
    square += b[i] * b[i];
  }
  const double length = sqrt(square) * (u.s > 0 ? u.v / u.s : 0);
  const double shorter = length > radius ? radius / length : 1;
  for (size_t i = 0; i < count && u.s > 0; i++) b[i] *= shorter * (u.v / u.s);
  return nu * u.s * u.s;
}
