#include "saddle_point.h"

#include <math.h>

#include "exponential_tilt.h"

/* Losses are between 1e-6 and 1e15, and probabilities above e^-700: lambda is within these. */
#define LAMBDA_MIN 1e-18
#define LAMBDA_MAX 1e18
#define LAMBDA_RATIO 1.01

/* The point that belongs to this lambda. */
static sfmi_saddle saddle_at(const sfmi_total_loss *total, double lambda) {
  const double v = total->variance.hi;
  const double one = 1 / lambda, two = 1 / (lambda + 1);
  sfmi_saddle out = {lambda, one + two - v * (lambda + 0.5), 0, v + one * one + two * two};
  double moment = v * lambda * (lambda + 1) / 2;
  for (size_t i = 0; i < total->count; i++) {
    const sfmi_cumulants law = sfmi_loss_law_cumulants(&total->laws[i], lambda);
    const double count = (double)total->laws[i].count;
    out.gap += count * law.gap;
    out.curvature += count * law.variance;
    moment += count * law.log_moment;
  }
  out.log_delta =
      moment + lambda * out.gap - log(lambda) - log1p(lambda) - log(2 * M_PI * out.curvature) / 2;
  return out;
}

/* gap and log_delta fall as lambda grows. */
static sfmi_saddle search(const sfmi_total_loss *total, bool by_gap, double goal) {
  double low = LAMBDA_MIN, high = LAMBDA_MAX;
  sfmi_saddle at = saddle_at(total, 1);
  while (high / low > LAMBDA_RATIO) {
    double value = by_gap ? at.gap : at.log_delta;
    if (value > goal) {
      low = at.lambda;
    } else {
      high = at.lambda;
    }
    at = saddle_at(total, sqrt(low) * sqrt(high));
  }
  return at;
}

sfmi_saddle sfmi_saddle_for_gap(const sfmi_total_loss *total, double gap) {
  sfmi_saddle at = search(total, true, gap);
  /* delta at the gap wanted, lambda being only nearly its own. */
  at.log_delta += at.lambda * (gap - at.gap);
  at.gap = gap;
  return at;
}

sfmi_saddle sfmi_saddle_for_delta(const sfmi_total_loss *total, double log_delta) {
  return search(total, false, log_delta);
}
