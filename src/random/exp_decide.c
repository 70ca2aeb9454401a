#include "exp_decide.h"

#include <assert.h>

#include "base/system/status.h"

static uint64_t multiply_high(uint64_t a, uint64_t b) {
  return (uint64_t)(((sfmi_u128)a * b) >> 64);
}

sfmi_decision sfmi_exp_decide_near(uint64_t u, uint64_t t_lower, uint64_t t_upper) {
  assert(t_lower <= t_upper);
  uint64_t above = UINT64_MAX - u; /* 1 - U lies in (above, above + 1] / 2^64 */
  /* 1 - exp(-t) >= t - t^2/2, so U > exp(-t) if 1 - U <= t - t^2/2. */
  uint64_t half_square = (multiply_high(t_lower, t_lower) >> 1) + 1;
  if (t_lower > half_square && above < t_lower - half_square) return SFMI_NO;
  /* z_k = (t/k)(1 - z_{k+1}), z_1 = 1 - exp(-t) up to t^25/25! < 2^-83.  Each step truncates twice,
   * so its error e_k <= (1 + e_{k+1}) / k + 1 in units of 2^-64: e_1 < 5. */
  uint64_t z = 0;
  for (uint64_t k = 24; k >= 1; k--) z = (t_lower - multiply_high(t_lower, z)) / k;
  const sfmi_u128 error = 6;
  if ((sfmi_u128)above >= z + error + (t_upper - t_lower)) return SFMI_YES;
  if ((sfmi_u128)above + 1 + error <= z) return SFMI_NO;
  return SFMI_UNDECIDED;
}
