#include "saddle_point.h"

#include <float.h>

#include "exponential_tilt.h"

/* Losses are between 1e-6 and 1e15, and probabilities above e^-700: lambda is within these. */
#define LAMBDA_MIN 1e-18
#define LAMBDA_MAX 1e18
#define LAMBDA_RATIO 1.01

sfmi_saddle sfmi_saddle_at(const sfmi_total_loss *total, double lambda) {
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
  sfmi_saddle at = sfmi_saddle_at(total, 1);
  while (high / low > LAMBDA_RATIO) {
    double value = by_gap ? at.gap : at.log_delta;
    if (value > goal) {
      low = at.lambda;
    } else {
      high = at.lambda;
    }
    at = sfmi_saddle_at(total, sqrt(low) * sqrt(high));
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

long double sfmi_total_loss_log_moment(const sfmi_total_loss *total, double lambda,
                                       double smoothing, long double *off) {
  const long double l = lambda;
  long double sum = (sfmi_dd_value(total->variance) + smoothing) * l * (l + 1) / 2;
  long double size = fabsl(sum);
  for (size_t i = 0; i < total->count; i++) {
    const sfmi_loss_law *law = &total->laws[i];
    long double part = 0;
    sum += (long double)law->count * sfmi_loss_law_log_moment(law, lambda, &part);
    size += (long double)law->count * part;
  }
  *off += (16 + (long double)total->count) * LDBL_EPSILON * size;
  return sum;
}

double sfmi_log_hockey_stick(double lambda) {
  return -lambda * log1p(1 / lambda) - log1p(lambda);
}

/* What a product of two numbers, each right to a unit, adds. */
static long double product_off(long double x) {
  return 4 * LDBL_EPSILON * fabsl(x);
}

long double sfmi_chernoff_above(const sfmi_total_loss *total, double lambda, long double gap) {
  long double off = product_off(lambda * gap) + 1e-14L;
  const long double base = sfmi_total_loss_log_moment(total, lambda, 0, &off);
  return base + lambda * gap + sfmi_log_hockey_stick(lambda) + off;
}

/* s = 0.45, and halves of it: delta near 1 needs a large one, delta near 0 says nothing. */
#define BELOW_FIRST 0.45
#define BELOW_COUNT 12

long double sfmi_chernoff_below(const sfmi_total_loss *total, long double gap) {
  long double least = 0;
  double s = BELOW_FIRST;
  for (int i = 0; i < BELOW_COUNT; i++, s /= 2) {
    long double off = product_off(s * gap);
    const long double base = sfmi_total_loss_log_moment(total, -s, 0, &off);
    least = fminl(least, base - s * gap + off);
  }
  return least;
}

long double sfmi_chernoff_gap(const sfmi_total_loss *total, long double log_rest) {
  long double least = INFINITY;
  double s = BELOW_FIRST;
  for (int i = 0; i < BELOW_COUNT; i++, s /= 2) {
    long double off = 0;
    const long double base = sfmi_total_loss_log_moment(total, -s, 0, &off);
    const long double gap = (base + off - log_rest) / s;
    least = fminl(least, gap + product_off(gap));
  }
  return least;
}
