#include "smooth_spread.h"

#include <math.h>

#include "base/math/sort.h"
#include "privacy/amount.h"

uint64_t sfmi_smooth_spread_rank(uint64_t n, double gamma) {
  const uint64_t m = n / 2;
  sfmi_amount parts; /* of 1e-12 */
  if (!sfmi_amount_from(&parts, gamma, false) || parts <= 0) return m + 1;
  return m + 1 - (uint64_t)((sfmi_u128)parts * m / (sfmi_u128)SFMI_AMOUNT_ONE);
}

double sfmi_smooth_spread_beta(double epsilon, double delta) {
  double low = 0, high = epsilon / (2 * log(2 / delta));
  const double goal = -log(delta);
  /* The quotient falls as beta grows. */
  if ((epsilon / 2 + high) / expm1(high) >= goal) return high * (1 - 1e-12);
  for (int i = 0; i < 100; i++) {
    const double middle = 0.5 * (low + high);
    *((epsilon / 2 + middle) / expm1(middle) >= goal ? &low : &high) = middle;
  }
  return low * (1 - 1e-12);
}

double sfmi_smooth_spread(double *values, uint64_t n, uint64_t rank, double beta, double width) {
  const uint64_t m = n / 2;
  for (uint64_t i = 0; i < m; i++) values[i] = fabs(values[i] - values[i + m]);
  sfmi_sort_doubles(values, m);
  double most = 0;
  for (uint64_t j = rank; j <= m; j++)
    most = fmax(most, exp(-beta * (double)(j - rank)) * values[j - 1]);
  return fmax(most, exp(-beta * (double)(m + 1 - rank)) * width);
}
