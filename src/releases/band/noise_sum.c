#include "noise_sum.h"

#include <math.h>

#include "base/math/normal_distribution.h"
#include "laplace_sum.h"

/* Probabilities below are bounded, not computed; what the sums' roundings may amount to; the share
 * of the probability for what comes round, and for terms that are left out; and most terms. */
static const double LEAST = 1e-9, ROUNDING = 1e-12, SHARE = 1e-4;
static const double TERMS_MOST = 2e5;
/* From here on the rounding of a normal has the variance 1/12 and is uncorrelated with it, to
 * 4 e^(-2 pi^2 s^2), which is 1e-16 of 1. */
static const double SMOOTH = 1.5;

typedef struct noise {
  double scale;
  bool normal;
  double count;
} noise;

/* ln |phi(t)|^m, t in (0, pi]; -infinity where it is none. */
static double log_power(const noise *n, double t) {
  if (!n->normal) {
    const double r = exp(-1 / n->scale), s = sin(t / 2);
    /* 1 - 2 r cos t + r^2 = (1 - r)^2 + 4 r sin^2(t/2) */
    const double part = 2 * s / expm1(-1 / n->scale);
    return -n->count * log1p(r * part * part);
  }
  double sum = 0;
  for (int k = -4; k <= 4; k++) {
    const double at = t + 2 * M_PI * k;
    sum += exp(-0.5 * n->scale * n->scale * at * at) * sin(at / 2) / (at / 2);
  }
  return n->count * log(fmax(sum, 0));
}

/* A width by inequalities alone. */
static double bound(const noise *n, double p) {
  if (!n->normal) return ceil(sfmi_laplace_sum_bound(n->scale, n->count, 1, p));
  /* Roundings are independent, symmetric, within 1/2 (Hoeffding), beside the exact normal sum. */
  const double rounding = fmin(n->count / 2, sqrt(n->count * log(4 / p) / 2));
  return ceil(n->scale * sqrt(n->count) * sfmi_normal_tail_inverse(p / 4) + rounding);
}

/* Terms that matter: all others together are at most phi(t_J)^m sum_(j > J) 2/(N sin(t_j/2)), where
 * phi falls and sin(t/2) >= t/pi, so at most phi(t_J)^m (1 + ln(N/2J)). */
static double terms_of(const noise *n, double period, double least) {
  double low = 0, high = floor(period / 2);
  while (high - low > 1) {
    const double middle = floor((low + high) / 2);
    const double left =
        exp(log_power(n, 2 * M_PI * middle / period)) * (1 + log(period / (2 * middle)));
    *(left > least ? &low : &high) = middle;
  }
  return high;
}

/* P(|Z| > w), but for roundings, for terms left out and for what comes round. */
static double tail(const noise *n, double w, double period, double terms) {
  double inside = 2 * w + 1;
  for (double j = 1; j <= terms; j++) {
    const double t = 2 * M_PI * j / period;
    const double term = exp(log_power(n, t)) * sin((w + 0.5) * t) / sin(t / 2);
    inside += 2 * j == period ? term : 2 * term;
  }
  return 1 - inside / period;
}

double sfmi_noise_sum_width(double scale, bool normal, uint64_t count, double p) {
  const noise n = {scale, normal, (double)count};
  const double most = bound(&n, p);
  if (p < LEAST || scale < 0.5) return most;
  const double far = bound(&n, SHARE * p), period = 2 * ceil((most + far + 1) / 2);
  if (!(period <= 0x1p52)) return most;
  const double terms = terms_of(&n, period, SHARE * p), slack = 2 * SHARE * p + ROUNDING;
  if (terms > TERMS_MOST) return most;
  double low = -1, high = most; /* the tail is above p at low, and not at high */
  while (high - low > 1) {
    const double middle = floor((low + high) / 2);
    *(tail(&n, middle, period, terms) + slack > p ? &low : &high) = middle;
  }
  return high;
}

/* E Z^2 = sum over k >= 1 of (2 k - 1) P(|Z| >= k). */
static double rounded_variance(double scale) {
  double sum = 0;
  for (double k = 1; k - 0.5 <= 40 * scale; k++)
    sum += (2 * k - 1) * 2 * sfmi_normal_tail((k - 0.5) / scale);
  return sum;
}

double sfmi_integer_noise_variance(double scale, bool normal) {
  if (!normal) return 0.5 / pow(sinh(0.5 / scale), 2);
  return scale >= SMOOTH ? scale * scale + 1.0 / 12 : rounded_variance(scale);
}

double sfmi_discrete_laplace_width(double b, double p) {
  const double r = exp(-1 / b);
  const double w = b * log(2 / ((1 + r) * p)) - 1;
  return fmax(ceil(w - 1e-9 * fabs(w)), 0);
}
