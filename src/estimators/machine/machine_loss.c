/* machine_loss.c - losses, slacks, steps, and how long a minimiser can be.
 *
 * In what follows m = y t, b = y a (labels +-1) and r = t - y (regression); p is the parameter.
 *
 *   loss                 b or a in   slack
 *   hinge                [0, 1]      (1 - m)(1 - b) below 1, b (m - 1) above
 *   squared-hinge        [0, inf)    (1 - m - b/2)^2 below 1, b^2/4 + b (m - 1) above
 *   logistic             [0, 1]      b ln(b/s) + (1 - b) ln((1 - b)/(1 - s)), s = 1/(1 + e^m)
 *   huber                [-p, p]     (r + a)^2/2 up to |r| = p; with v = |r|, c = a sign r, beyond
 *                                    it (p + c)(v - p + (p + c)/2)
 *   epsilon-insensitive  [-1, 1]     |a| p + a r up to |r| = p; beyond it, with v and c,
 *                                    (v - p)(1 + c) if c <= 0, v - p + c (p + v) otherwise
 *   squared              anywhere    (r + a)^2/2
 *
 * Reach.  At the minimiser lambda w = (1/n) sum_i a_i phi_i with a_i = -l'(t_i), so with R = |w|
 * and S = mean |a_i|
 *   lambda R <= kappa S     and     lambda R^2 = mean a_i t_i <= g(S),
 * where a_i t_i <= g(|a_i|) for a concave g, by what a_i says of t_i:
 *
 *   loss                 g(S)                where
 *   hinge                S                   S <= 1 (a t = b m, and b > 0 only where m <= 1)
 *   squared-hinge        S - S^2/2           (m = 1 - b/2)
 *   logistic             S ln((1 - S)/S)     S <= 1 (m = ln((1 - b)/b))
 *   huber                S - S^2             S <= p (|a| < p: t = y - a;
 *                                            |a| = p: t sign a <= 1 - p)
 *   epsilon-insensitive  (1 - p)_+ S         S <= 1
 *   squared              S - S^2             (t = y - a, |y| <= 1)
 *
 * R is the largest for which some S >= lambda R/kappa has g(S) >= lambda R^2: with the S0 that
 * maximises g, sqrt(g(S0)/lambda) when lambda R/kappa <= S0 there, and otherwise the root of g(S) =
 * lambda R^2 at S = lambda R/kappa.  Rows that are zero only lessen S.  Rows that are all equal and
 * of a suitable norm attain it. */
#include "machine_loss.h"

#include <float.h>
#include <math.h>

/* Bounds are raised by this part of themselves: far more than the error of their few operations. */
static const double UPWARD = 1 + 1e-12;
/* max of S ln((1 - S)/S) = W(1/e), and where it is: W/(1 + W). */
static const double LOGISTIC_PEAK = 0.2784645427610738, LOGISTIC_AT = 0.2178117057198001;
/* The divergence of two numbers that are within this part of their sum is computed by a series. */
static const double NEAR = 0.1;
/* Halvings between the largest double and the least. */
enum { ROUNDS = 2200 };

static double square(double x) {
  return x * x;
}

static double clamp(double x, double least, double most) {
  return x < least ? least : x > most ? most : x;
}

/* 1/(1 + e^m), to a few ulps of itself. */
static double falling(double m) {
  if (m <= 0) return 1 / (1 + exp(m));
  const double e = exp(-m);
  return e / (1 + e);
}

double sfmi_loss_at(const sfmi_loss *loss, double t, double y) {
  const double p = loss->parameter, m = y * t, v = fabs(t - y);
  switch (loss->kind) {
  case SFM_MACHINE_LOSS_HINGE:
    return fmax(0, 1 - m);
  case SFM_MACHINE_LOSS_SQUARED_HINGE:
    return square(fmax(0, 1 - m));
  case SFM_MACHINE_LOSS_LOGISTIC:
    return m > 0 ? log1p(exp(-m)) : log1p(exp(m)) - m;
  case SFM_MACHINE_LOSS_HUBER:
    return v <= p ? v * v / 2 : p * (v - p / 2);
  case SFM_MACHINE_LOSS_EPSILON_INSENSITIVE:
    return fmax(0, v - p);
  case SFM_MACHINE_LOSS_SQUARED:
    break;
  }
  return v * v / 2;
}

double sfmi_loss_slope(const sfmi_loss *loss, double t, double y) {
  const double p = loss->parameter, m = y * t, r = t - y;
  switch (loss->kind) {
  case SFM_MACHINE_LOSS_HINGE:
    return m < 1 ? -y : 0;
  case SFM_MACHINE_LOSS_SQUARED_HINGE:
    return -2 * y * fmax(0, 1 - m);
  case SFM_MACHINE_LOSS_LOGISTIC:
    return -y * falling(m);
  case SFM_MACHINE_LOSS_HUBER:
    return clamp(r, -p, p);
  case SFM_MACHINE_LOSS_EPSILON_INSENSITIVE:
    return r > p ? 1 : r < -p ? -1 : 0;
  case SFM_MACHINE_LOSS_SQUARED:
    break;
  }
  return r;
}

void sfmi_loss_duals(const sfmi_loss *loss, double *least, double *most, double y) {
  double size = INFINITY; /* of labels +-1: from 0 to this times y; else up to it either way */
  switch (loss->kind) {
  case SFM_MACHINE_LOSS_HINGE:
  case SFM_MACHINE_LOSS_LOGISTIC:
    size = 1;
    break;
  case SFM_MACHINE_LOSS_HUBER:
    size = loss->parameter;
    break;
  case SFM_MACHINE_LOSS_EPSILON_INSENSITIVE:
    size = 1;
    break;
  case SFM_MACHINE_LOSS_SQUARED_HINGE:
  case SFM_MACHINE_LOSS_SQUARED:
    break;
  }
  const bool sided = loss->kind == SFM_MACHINE_LOSS_HINGE ||
                     loss->kind == SFM_MACHINE_LOSS_LOGISTIC ||
                     loss->kind == SFM_MACHINE_LOSS_SQUARED_HINGE;
  *least = sided && y > 0 ? 0 : -size;
  *most = sided && y <= 0 ? 0 : size;
}

bool sfmi_loss_dual_is_free(const sfmi_loss *loss, double a, double y, double *least,
                            double *most) {
  sfmi_loss_duals(loss, least, most, y);
  if (loss->kind == SFM_MACHINE_LOSS_EPSILON_INSENSITIVE) {
    if (a > 0) *least = 0;
    if (a < 0) *most = 0;
    if (a == 0) return false;
  }
  return a > *least && a < *most;
}

/* x ln(x/z) + z - x >= 0, where ln z is given too, since z may underflow. */
static double divergence(double x, double z, double ln_z) {
  if (x == 0) return z;
  const double d = x - z;
  if (fabs(d) < NEAR * (x + z)) {
    /* With v = d/(x + z): x ln((1 + v)/(1 - v)) - d = d v + 2 x sum_{k >= 1} v^(2k+1)/(2k+1). */
    const double v = d / (x + z), v2 = v * v;
    double sum = d * v, term = 2 * x * v;
    for (int k = 1; k < 64; k++) {
      term *= v2;
      const double next = sum + term / (2 * k + 1);
      if (next == sum) break;
      sum = next;
    }
    return fmax(0, sum);
  }
  const double quotient = x / z, logarithm = isfinite(quotient) ? log(quotient) : log(x) - ln_z;
  return fmax(0, x * logarithm - d);
}

static double logistic_slack(double m, double b) {
  const double tail = log1p(exp(-fabs(m))); /* of the less likely of the two */
  return divergence(b, falling(m), m > 0 ? -m - tail : -tail) +
         divergence(1 - b, falling(-m), m > 0 ? -tail : m - tail);
}

double sfmi_loss_slack(const sfmi_loss *loss, double t, double a, double y) {
  const double p = loss->parameter, b = y * a, u = 1 - y * t;
  const double r = t - y, v = fabs(r), c = r < 0 ? -a : a;
  switch (loss->kind) {
  case SFM_MACHINE_LOSS_HINGE:
    return u > 0 ? u * (1 - b) : -u * b;
  case SFM_MACHINE_LOSS_SQUARED_HINGE:
    return u > 0 ? square(u - b / 2) : b * (b / 4 - u);
  case SFM_MACHINE_LOSS_LOGISTIC:
    return logistic_slack(y * t, b);
  case SFM_MACHINE_LOSS_HUBER:
    return v <= p ? square(r + a) / 2 : (p + c) * (v - p + (p + c) / 2);
  case SFM_MACHINE_LOSS_EPSILON_INSENSITIVE:
    if (v <= p) return fabs(a) * (c > 0 ? p + v : p - v);
    return c <= 0 ? (v - p) * (1 + c) : v - p + c * (p + v);
  case SFM_MACHINE_LOSS_SQUARED:
    break;
  }
  return square(r + a) / 2;
}

/* The b with ln(b/(1 - b)) + m + q (b - b0) = 0: the root z of the increasing z + m + q (1/(1 +
 * e^-z) - b0), by Newton's method within a bracket.  A round that does not halve the function's
 * value halves the bracket. */
static double logistic_step(double m, double b0, double q) {
  double low = -m - q * (1 - b0), high = -m + q * b0, before = INFINITY;
  double z = clamp(b0 > 0 && b0 < 1 ? log(b0 / (1 - b0)) : -m, low, high);
  for (int i = 0; i < ROUNDS; i++) {
    const double b = falling(-z), f = z + m + q * (b - b0);
    if (f == 0) break;
    if (f > 0)
      high = z;
    else
      low = z;
    const double from = z;
    z -= f / (1 + q * b * (1 - b));
    if (!(z > low && z < high) || fabs(f) > before / 2) z = low + (high - low) / 2;
    before = fabs(f);
    if (fabs(z - from) <= DBL_EPSILON * fmax(1, fabs(z))) break;
  }
  return falling(-z);
}

double sfmi_loss_step(const sfmi_loss *loss, double t, double a0, double q, double y) {
  const double p = loss->parameter, b0 = y * a0, u = 1 - y * t, r = t - y;
  switch (loss->kind) {
  case SFM_MACHINE_LOSS_HINGE:
    return y * clamp(b0 + u / q, 0, 1);
  case SFM_MACHINE_LOSS_SQUARED_HINGE:
    return y * fmax(0, b0 + (u - b0 / 2) / (q + 0.5));
  case SFM_MACHINE_LOSS_LOGISTIC:
    return y * logistic_step(y * t, b0, q);
  case SFM_MACHINE_LOSS_HUBER:
    return clamp(a0 - (r + a0) / (1 + q), -p, p);
  case SFM_MACHINE_LOSS_EPSILON_INSENSITIVE: {
    const double above = a0 - (r + p) / q, below = a0 - (r - p) / q;
    return above > 0 ? fmin(above, 1) : below < 0 ? fmax(below, -1) : 0;
  }
  case SFM_MACHINE_LOSS_SQUARED:
    break;
  }
  return a0 - (r + a0) / (1 + q);
}

double sfmi_loss_corner_room(const sfmi_loss *loss, double t, double a, double y) {
  const double p = loss->parameter, u = 1 - y * t, r = t - y;
  double far = 0;
  switch (loss->kind) {
  case SFM_MACHINE_LOSS_HINGE:
    far = a == 0 ? -u : a == y ? u : 0;
    break;
  case SFM_MACHINE_LOSS_SQUARED_HINGE:
    far = a == 0 ? -u : 0;
    break;
  case SFM_MACHINE_LOSS_HUBER:
    far = a == p ? -r - p : a == -p ? r - p : 0;
    break;
  case SFM_MACHINE_LOSS_EPSILON_INSENSITIVE:
    far = a == 0 ? p - fabs(r) : a == 1 ? -r - p : a == -1 ? r - p : 0;
    break;
  case SFM_MACHINE_LOSS_LOGISTIC:
  case SFM_MACHINE_LOSS_SQUARED:
    break;
  }
  return fmax(0, far);
}

double sfmi_loss_curvature(const sfmi_loss *loss) {
  switch (loss->kind) {
  case SFM_MACHINE_LOSS_SQUARED_HINGE:
    return 2;
  case SFM_MACHINE_LOSS_LOGISTIC:
    return 0.25;
  case SFM_MACHINE_LOSS_HUBER:
  case SFM_MACHINE_LOSS_SQUARED:
    return 1;
  case SFM_MACHINE_LOSS_HINGE:
  case SFM_MACHINE_LOSS_EPSILON_INSENSITIVE:
    break;
  }
  return INFINITY;
}

/* The root of lambda R/kappa = 1/(1 + e^(kappa R)), from above. */
static double logistic_root(double lambda, double kappa) {
  double low = 0, high = kappa / lambda; /* where the left side is 1 */
  for (int i = 0; i < ROUNDS; i++) {
    const double middle = low + (high - low) / 2;
    if (!(middle > low && middle < high)) break;
    if (lambda * middle / kappa < falling(kappa * middle))
      low = middle;
    else
      high = middle;
  }
  return high;
}

/* Of g(S) = S - S^2, S <= p. */
static double squared_reach(double p, double lambda, double kappa) {
  const double at = fmin(p, 0.5), peak = sqrt(at * (1 - at) / lambda);
  const double reach =
      lambda * peak <= kappa * at || p <= 0.5 ? peak : kappa / (kappa * kappa + lambda);
  return fmin(reach, p * kappa / lambda);
}

double sfmi_loss_reach(const sfmi_loss *loss, double lambda, double kappa) {
  const double p = loss->parameter;
  double reach = 0;
  switch (loss->kind) {
  case SFM_MACHINE_LOSS_HINGE:
    reach = fmin(sqrt(1 / lambda), kappa / lambda);
    break;
  case SFM_MACHINE_LOSS_SQUARED_HINGE:
    reach = sqrt(0.5 / lambda);
    if (lambda * reach > kappa) reach = kappa / (kappa * kappa + lambda / 2);
    break;
  case SFM_MACHINE_LOSS_LOGISTIC:
    reach = sqrt(LOGISTIC_PEAK / lambda);
    if (lambda * reach > kappa * LOGISTIC_AT) reach = logistic_root(lambda, kappa);
    break;
  case SFM_MACHINE_LOSS_HUBER:
    reach = squared_reach(p, lambda, kappa);
    break;
  case SFM_MACHINE_LOSS_EPSILON_INSENSITIVE:
    reach = p < 1 ? fmin(sqrt((1 - p) / lambda), kappa / lambda) : 0;
    break;
  case SFM_MACHINE_LOSS_SQUARED:
    reach = squared_reach(INFINITY, lambda, kappa);
    break;
  }
  return reach * UPWARD;
}

double sfmi_loss_lipschitz(const sfmi_loss *loss, double lambda, double kappa) {
  const double farthest = kappa * sfmi_loss_reach(loss, lambda, kappa);
  switch (loss->kind) {
  case SFM_MACHINE_LOSS_SQUARED_HINGE:
    return 2 * (1 + farthest) * UPWARD;
  case SFM_MACHINE_LOSS_LOGISTIC:
    return fmin(1, falling(-farthest) * UPWARD);
  case SFM_MACHINE_LOSS_HUBER:
    return fmin(loss->parameter, (1 + farthest) * UPWARD);
  case SFM_MACHINE_LOSS_SQUARED:
    return (1 + farthest) * UPWARD;
  case SFM_MACHINE_LOSS_HINGE:
  case SFM_MACHINE_LOSS_EPSILON_INSENSITIVE:
    break;
  }
  return 1;
}

double sfmi_loss_lipschitz_everywhere(const sfmi_loss *loss) {
  switch (loss->kind) {
  case SFM_MACHINE_LOSS_HUBER:
    return loss->parameter;
  case SFM_MACHINE_LOSS_SQUARED_HINGE:
  case SFM_MACHINE_LOSS_SQUARED:
    return INFINITY;
  case SFM_MACHINE_LOSS_HINGE:
  case SFM_MACHINE_LOSS_LOGISTIC:
  case SFM_MACHINE_LOSS_EPSILON_INSENSITIVE:
    break;
  }
  return 1;
}
