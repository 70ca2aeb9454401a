#include "forecast.h"

#include <math.h>

#include "base/math/gamma_distribution.h"

void sfmi_forecast_sum(sfm_forecast *f, double volume, double peak) {
  f->cost = f->privacy + f->truncation + f->aliasing;
  f->total = f->cost + f->sampling + f->smoothing;
  f->relative = sqrt(f->total / volume) / peak;
}

void sfmi_forecast_prefer(sfm_forecast *best, bool *hardened, const sfm_forecast *f,
                          bool f_hardened) {
  if (*hardened && !f_hardened) return;
  if ((f_hardened && !*hardened) || f->total < best->total) *best = *f;
  *hardened = f_hardened;
}

void sfmi_forecast_interval(double *low, double *high, double bias, double mean, double variance,
                            double slope) {
  const double risk = 0.05, whole = variance + slope;
  *low = *high = bias + mean;
  if (whole > 0) {
    const double fixed = bias * (variance / whole), rest = mean + bias - fixed;
    const double shape = rest * rest / whole, unit = whole / rest;
    *low = fixed + unit * sfmi_gamma_quantile(shape, risk / 2);
    *high = fixed + unit * sfmi_gamma_quantile(shape, 1 - risk / 2);
  }
  *low *= 1 - SFMI_FORECAST_INTERVAL_FLOOR;
  *high *= 1 + SFMI_FORECAST_INTERVAL_FLOOR;
}

void sfmi_forecast_cost(sfm_forecast *f, double mean, double variance, double volume, double peak) {
  sfmi_forecast_interval(&f->low, &f->high, 0, mean, variance, 0);
  f->cost_low = f->low;
  f->cost_high = f->high;
  sfmi_forecast_sum(f, volume, peak);
}
