/* laplace_sum.c - with psi(t) = prod_i (1 + a_i^2 t^2)^-power, t_k = (k + 1/2) h:
 *
 *   P(|S| < x) = (2/pi) sum_k sin(t_k x) psi(t_k)/(k + 1/2), but for P(|S| > 2 pi/h - x),
 *
 * since the sum over k of (2/pi) sin(t_k y)/(k + 1/2) is the sign of y for |y| < 2 pi/h.  Cut off
 * after N terms it is off by at most 1.44 psi(t_N), when power sum_i y_i/(1 + y_i) >= 1/2, y_i =
 * a_i^2 t_N^2: psi(r t_N) <= 2 psi(t_N)/(1 + r^2) then. */
#include "laplace_sum.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/system/status.h"
#include "base/math/normal_distribution.h"

enum { NODES_MAX = 4096 };
/* What aliases and what is cut off may take of the probability. */
static const double SLACK = 1e-3;

typedef struct sum {
  const double *a;
  size_t count;
  double power;
  double h;
  size_t nodes;
  double *psi; /* NODES_MAX of them */
} sum;

static double psi_at(const sum *s, double t) {
  double product = 1;
  for (size_t i = 0; i < s->count; i++) product *= 1 + s->a[i] * s->a[i] * (t * t);
  return s->power == 1 ? 1 / product : pow(product, -s->power);
}

/* Whether psi falls beyond t as the bound on what is cut off needs it. */
static bool falls(const sum *s, double t) {
  double z = 0;
  for (size_t i = 0; i < s->count; i++) {
    const double y = s->a[i] * s->a[i] * (t * t);
    z += isinf(y) ? 1 : y / (1 + y);
  }
  return s->power * z >= 0.5;
}

/* Nodes until what is left is negligible; false when that takes too many. */
static bool fill(sum *s, double p) {
  for (s->nodes = 0; s->nodes < NODES_MAX; s->nodes++) {
    const double t = ((double)s->nodes + 0.5) * s->h;
    s->psi[s->nodes] = psi_at(s, t);
    if (s->nodes > 0 && 1.44 * s->psi[s->nodes] <= SLACK * p && falls(s, t)) return true;
  }
  return false;
}

static double inside(const sum *s, double x) {
  double total = 0;
  for (size_t k = s->nodes; k-- > 0;)
    total += sin(((double)k + 0.5) * s->h * x) * s->psi[k] / ((double)k + 0.5);
  return M_2_PI * total;
}

double sfmi_laplace_sum_width(const double *a, size_t count, double power, double p) {
  double squares = 0, largest = 0;
  sum s = {.a = a, .count = count, .power = power};
  for (size_t i = 0; i < count; i++) {
    squares += a[i] * a[i];
    largest = fmax(largest, fabs(a[i]));
  }
  if (!(largest > 0)) return 0;
  if (count == 1 && power == 1) return -log(p) * largest;
  const double most = sfmi_laplace_sum_bound(1, power * squares, largest, p);
  s.h = 2 * M_PI / (most + sfmi_laplace_sum_bound(1, power * squares, largest, SLACK * p));
  if (!(p > 1e-9)) return most;
  s.psi = sfmi_alloc(NODES_MAX, sizeof *s.psi);
  if (!s.psi || !fill(&s, p)) { /* without memory the bound that needs none */
    free(s.psi);
    return most;
  }
  const double wanted = 1 - p + 2 * SLACK * p;
  double low = 0, high = most;
  while (high - low > 1e-6 * high) {
    const double middle = 0.5 * (low + high);
    *(inside(&s, middle) >= wanted ? &high : &low) = middle;
  }
  free(s.psi);
  return high;
}

/* P(|N| > x) of a normal N with the variance 2 tau. */
static double mixed(double x, double tau) {
  return 2 * sfmi_normal_tail(x / sqrt(2 * tau));
}

/* A Laplace variable is normal with the variance 2 E, E of density exp(-E), so that S is with 2 sum
 * a_i^2 E_i.  g(tau) = P(|N| > x) is convex up to tau = x^2/6 and concave from there on; h, which
 * goes on as its tangent, is convex and no less, and by Jensen's inequality E h(sum a_i^2 E_i) <= E
 * h(E) = exp(-x) + E (h - g)(E).  What is taken away there is summed from below: g rises. */
static double worst_tail(double x) {
  enum { STEPS = 800 };
  static const double FAR = 40;
  const double from = x * x / 6, width = FAR / STEPS;
  /* x/sqrt(2 from) is the root of 3. */
  const double slope = exp(-1.5) / sqrt(2 * M_PI) * sqrt(3) / from;
  double below = 0;
  for (size_t k = 0; k < STEPS; k++) {
    const double tau = from + (double)k * width;
    below += mixed(x, tau) * exp(-tau) * -expm1(-width);
  }
  return exp(-x) + exp(-from) * (mixed(x, from) + slope) - below;
}

double sfmi_laplace_sum_worst_width(double p) {
  double low = -log(p), high = 2 * low + 2;
  while (worst_tail(high) > p) high *= 2;
  while (high - low > 1e-6 * high) {
    const double middle = 0.5 * (low + high);
    *(worst_tail(middle) <= p ? &high : &low) = middle;
  }
  return high;
}

double sfmi_laplace_sum_bound(double b, double variance, double largest, double p) {
  const double goal = log(2 / p);
  double best = INFINITY;
  for (int i = 1; i < 400; i++) {
    double r = i / 400.0; /* r = b t M */
    double t = r / (b * largest);
    best = fmin(best, (goal + b * b * t * t * variance / (1 - r * r)) / t);
  }
  return best;
}

double sfmi_gamma_coordinate_bound(double b, double D, double p) {
  const double goal = -log(0.1 * p) / D,
               e = sqrt(2 * goal) + goal; /* e - ln(1 + e) >= goal there */
  return b * D * (1 + e) * fmin(sqrt(-2 * log(0.45 * p) / D), 1);
}
