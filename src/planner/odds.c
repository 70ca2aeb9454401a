#include "planner/odds.h"

#include "base/gamma.h"

void sfmi_odds(double *low, double *high, double fixed, double mean, double variance) {
  const double risk = 0.05;
  *low = *high = fixed + mean;
  if (mean > 0 && variance > 0) {
    const double shape = mean * mean / variance, unit = variance / mean;
    *low = fixed + unit * sfmi_gamma_quantile(shape, risk / 2);
    *high = fixed + unit * sfmi_gamma_quantile(shape, 1 - risk / 2);
  }
  *low *= 1 - SFMI_ODDS_FLOOR;
  *high *= 1 + SFMI_ODDS_FLOOR;
}
