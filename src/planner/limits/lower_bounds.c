#include "lower_bounds.h"

#include <math.h>
#include <stdbool.h>

/* e^-INSIDE is negligible beside 1. */
static const double INSIDE = 45;

/* ---- a count ---- */

/* Sums of a^i and i a^i for i = 1..count, by epsilon = -ln a. */
typedef struct powers {
  double plain, weighted;
} powers;

static powers sum_powers(double epsilon, double count) {
  const double A = 1 / expm1(epsilon), last = exp(-epsilon * count);
  const double plain = -A * expm1(-epsilon * count);
  /* sum i a^i = (sum a^i - count a^(count+1)) / (1 - a) */
  return (powers){plain, (plain - count * last * exp(-epsilon)) / -expm1(-epsilon)};
}

/* The geometric mechanism said k <= n/2: a count i then weighs a^|i-k|.  The cost of the best
 * answer, the weights' median. */
static double cost_at(double epsilon, double n, double k) {
  const powers left = sum_powers(epsilon, k), all = sum_powers(epsilon, n - k);
  const double half = (left.plain + 1 + all.plain) / 2, A = 1 / expm1(epsilon);
  /* The least shift s >= 0 with left + 1 + (a + ... + a^s) >= half. */
  const double need = half - left.plain - 1;
  double s = need > 0 ? ceil(-log1p(-need / A) / epsilon - 1e-9) : 0;
  s = fmin(fmax(s, 0), n - k);
  const powers near = sum_powers(epsilon, s);
  return left.weighted + s * left.plain + s + s * near.plain - near.weighted +
         (all.weighted - near.weighted) - s * (all.plain - near.plain);
}

/* For losses that grow with the distance the best mechanism for a prior answers by what the
 * geometric mechanism said (Ghosh, Roughgarden & Sundararajan 2009), so that the least mean risk is
 * a sum of costs.  It said 0 or less, n or more, with the weights of 0 and n and 1/(1-a) times as
 * often. */
double sfmi_lower_bound_count(uint64_t n, double epsilon) {
  const uint64_t most = n < SFMI_LOWER_BOUND_PRIOR ? n : SFMI_LOWER_BOUND_PRIOR;
  const double N = (double)most, unit = tanh(epsilon / 2); /* (1-a)/(1+a) */
  double sum = cost_at(epsilon, N, 0) / -expm1(-epsilon);
  for (uint64_t k = 1; 2 * k < most; k++) {
    const bool inside =
        epsilon * (double)k > INSIDE; /* the ends are not felt: all others are alike */
    const uint64_t alike = inside ? (most - 1) / 2 - k + 1 : 1;
    sum += (double)alike * cost_at(epsilon, N, (double)k);
    if (inside) break;
  }
  sum *= 2;
  if (most % 2 == 0) sum += cost_at(epsilon, N, N / 2);
  return sum * unit / (N + 1);
}

double sfmi_lower_bound_everywhere(uint64_t n, double epsilon, double worst) {
  const double most = floor(((double)n + 1) / 2), best = 2 * worst + 1 / epsilon;
  double bound = 0;
  for (double s = fmax(floor(best), 1); s <= ceil(best) && s <= most; s++)
    bound = fmax(bound, exp(-epsilon * s) * (s / 2 - worst));
  if (best > most && most >= 1) bound = fmax(bound, exp(-epsilon * most) * (most / 2 - worst));
  return bound;
}

/* ---- tables ---- */

/* Under replace two cells that share m records are a count of 0 to m whose error is made twice;
 * under add/remove so is every cell for itself, whatever m. */
double sfmi_lower_bound_table(uint64_t cells, uint64_t n, double epsilon,
                              sfm_neighbours neighbours) {
  const bool replace = neighbours == SFM_NEIGHBOURS_REPLACE;
  const double counts = replace ? floor((double)cells / 2) : (double)cells, each = replace ? 2 : 1;
  double bound = 0;
  if (!replace || !n)
    return each * counts * sfmi_lower_bound_count(SFMI_LOWER_BOUND_PRIOR, epsilon);
  for (uint64_t m = 1; m <= n; m *= 2) {
    bound = fmax(bound, each * fmin(counts, floor((double)n / (double)m)) *
                            sfmi_lower_bound_count(m, epsilon));
    if (m > SFMI_LOWER_BOUND_PRIOR || (double)m * counts > (double)n) break;
  }
  return bound;
}

/* ---- packings ---- */

/* The largest tau (1 - e^(rate tau)/size) over whole tau from 1 to most: what a packing of
 * e^log_size tables proves of a radius tau. */
static double best_radius(double log_size, double rate, double most) {
  double x = fmax(log_size, 0); /* x + ln(1 + x) = log_size at the best x = rate tau */
  for (int i = 0; i < 60; i++) x = fmax(log_size - log1p(x), 0) * 0.5 + x * 0.5;
  double bound = 0;
  const double at = fmin(fmax(floor(x / rate), 1), most);
  for (double tau = at; tau <= at + 1 && tau <= most; tau++)
    if (tau >= 1) bound = fmax(bound, -tau * expm1(rate * tau - log_size));
  return bound;
}

static double log_choose(double n, double k) {
  return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

/* ln of n!/(n-k)! for k small beside n, where lgamma would lose all digits. */
static double log_choose_large(double n, double k) {
  if (n < 1e6 || k > 1e-3 * n) return log_choose(n, k);
  /* sum of ln(n - i), i < k, by Euler and Maclaurin: within k/(6 n^2) */
  const double from = n, to = n - k;
  const double sum = k * log(n) - (to * log1p(-k / n) + k) + 0.5 * log(from / to);
  return sum - lgamma(k + 1);
}

/* ln of how often two of the (cells choose occupied) sets that are drawn at random differ in fewer
 * than `swaps` places, from above: so many terms, none above the largest. */
static double log_near(double cells, double occupied, double swaps) {
  const double mode = occupied * (cells - occupied) / cells, i = fmin(swaps - 1, floor(mode));
  return log(swaps) + log_choose_large(occupied, i) + log_choose_large(cells - occupied, i) -
         log_choose_large(cells, occupied);
}

double sfmi_lower_bound_sparse(uint64_t cells, uint64_t occupied, uint64_t n, double epsilon,
                               sfm_neighbours neighbours) {
  /* Under replace one more cell holds the rest of the records. */
  const double rest = neighbours == SFM_NEIGHBOURS_REPLACE;
  const double p = (double)cells - rest, q = fmin((double)occupied - rest, p / 2);
  double bound = sfmi_lower_bound_table(occupied, n, epsilon, neighbours);
  if (!(floor(q) >= 1)) return bound;
  const double Q = floor(q), most = n ? floor((double)n / Q) : INFINITY;
  for (int i = 1; i <= 64; i++) {
    const double swaps = ceil(Q * i / 64);
    const double size = -log_near(p, Q, swaps);
    bound = fmax(bound, swaps * best_radius(size, epsilon * Q, most));
  }
  return bound;
}

double sfmi_lower_bound_margins(const uint64_t *sizes, size_t count, uint64_t n, double epsilon,
                                sfm_neighbours neighbours) {
  double chance[65] = {1}; /* of so many columns' differing between two records drawn at random */
  double below = 0, bound = 0;
  /* Records of other columns lie in the first category of this one: a number that is fixed under
   * replace; under add/remove the cell is left out. */
  const uint64_t left_out = neighbours == SFM_NEIGHBOURS_REPLACE ? 0 : 1;
  for (size_t j = 0; j < count && (!n || n >= count); j++)
    bound += sfmi_lower_bound_table(sizes[j] - left_out, n / count, epsilon, neighbours);
  for (size_t j = 0; j < count; j++) {
    const double same = 1 / (double)sizes[j];
    for (size_t i = j + 1; i > 0; i--) chance[i] = chance[i] * same + chance[i - 1] * (1 - same);
    chance[0] *= same;
  }
  for (size_t d = 1; d <= count; d++) {
    below += chance[d - 1];
    bound = fmax(bound, (double)d * best_radius(-log(below), epsilon, n ? (double)n : INFINITY));
  }
  return bound;
}
