/* test_machine_loss.c - conjugates by brute force, slacks that lose no digits (MPFR), steps that
 * are the best, and the reach of minimisers by search. */
#include "test_support.h"

#include <float.h>
#include <mpfr.h>

#include "estimators/machine/machine_loss.h"

static const sfmi_loss LOSSES[] = {
    {SFM_MACHINE_LOSS_HINGE, NAN},
    {SFM_MACHINE_LOSS_SQUARED_HINGE, NAN},
    {SFM_MACHINE_LOSS_LOGISTIC, NAN},
    {SFM_MACHINE_LOSS_HUBER, 0.3},
    {SFM_MACHINE_LOSS_HUBER, 1.5},
    {SFM_MACHINE_LOSS_EPSILON_INSENSITIVE, 0.1},
    {SFM_MACHINE_LOSS_EPSILON_INSENSITIVE, 0},
    {SFM_MACHINE_LOSS_SQUARED, NAN},
};
enum { LOSS_COUNT = sizeof LOSSES / sizeof *LOSSES };

static bool is_regression(const sfmi_loss *loss) {
  return loss->kind == SFM_MACHINE_LOSS_HUBER || loss->kind == SFM_MACHINE_LOSS_SQUARED ||
         loss->kind == SFM_MACHINE_LOSS_EPSILON_INSENSITIVE;
}

static double label_of(const sfmi_loss *loss, sfmi_prng *prng) {
  if (is_regression(loss)) return 2 * sfmi_prng_uniform(prng) - 1;
  return sfmi_prng_uniform(prng) < 0.5 ? -1 : 1;
}

/* A dual within its range, often at its ends. */
static double dual_of(const sfmi_loss *loss, double y, sfmi_prng *prng) {
  double least, most;
  sfmi_loss_duals(loss, &least, &most, y);
  const double u = sfmi_prng_uniform(prng);
  if (u < 0.15 && isfinite(least)) return least;
  if (u < 0.3 && isfinite(most)) return most;
  if (u < 0.4 && least <= 0 && most >= 0) return 0;
  least = fmax(least, -5);
  most = fmin(most, 5);
  const double inside = u < 0.6 ? exp(-40 * sfmi_prng_uniform(prng)) : sfmi_prng_uniform(prng);
  return sfmi_prng_uniform(prng) < 0.5 ? least + (most - least) * inside
                                       : most - (most - least) * inside;
}

/* l(t) as it is defined. */
static long double loss_at(const sfmi_loss *loss, long double t, long double y) {
  const long double m = y * t, r = fabsl(t - y), p = loss->parameter;
  switch (loss->kind) {
  case SFM_MACHINE_LOSS_HINGE:
    return fmaxl(0, 1 - m);
  case SFM_MACHINE_LOSS_SQUARED_HINGE:
    return fmaxl(0, 1 - m) * fmaxl(0, 1 - m);
  case SFM_MACHINE_LOSS_LOGISTIC:
    return m > 0 ? log1pl(expl(-m)) : log1pl(expl(m)) - m;
  case SFM_MACHINE_LOSS_HUBER:
    return r <= p ? r * r / 2 : p * r - p * p / 2;
  case SFM_MACHINE_LOSS_EPSILON_INSENSITIVE:
    return fmaxl(0, r - p);
  case SFM_MACHINE_LOSS_SQUARED:
    break;
  }
  return r * r / 2;
}

/* sup_t s t - l(t) by thirds: the function is concave. */
static long double conjugate(const sfmi_loss *loss, long double s, long double y) {
  long double low = -200, high = 200;
  for (int i = 0; i < 300; i++) {
    const long double a = low + (high - low) / 3, b = high - (high - low) / 3;
    if (s * a - loss_at(loss, a, y) < s * b - loss_at(loss, b, y))
      low = a;
    else
      high = b;
  }
  return s * low - loss_at(loss, low, y);
}

static void slacks_are_those_of_the_conjugate(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 1);
  for (int l = 0; l < LOSS_COUNT; l++) {
    const sfmi_loss *loss = &LOSSES[l];
    for (int i = 0; i < 2000; i++) {
      const double y = label_of(loss, &prng), a = dual_of(loss, y, &prng);
      const double t = 6 * sfmi_prng_uniform(&prng) - 3;
      const double slack = sfmi_loss_slack(loss, t, a, y);
      const long double wanted = loss_at(loss, t, y) + conjugate(loss, -(long double)a, y) +
                                 (long double)a * (long double)t;
      assert_true(slack >= 0);
      assert_near("slack", slack, (double)wanted, 1e-12);
      assert_near("loss", sfmi_loss_at(loss, t, y), (double)loss_at(loss, t, y), 1e-15 * 20);
    }
  }
}

/* b ln(b/s) + (1 - b) ln((1 - b)/(1 - s)), s = 1/(1 + e^m), in 1500 bits. */
static double exact_logistic(double m, double b) {
  mpfr_t s, c, x, sum;
  mpfr_inits2(1500, s, c, x, sum, (mpfr_ptr)NULL);
  mpfr_set_d(s, m, MPFR_RNDN);
  mpfr_exp(s, s, MPFR_RNDN);
  mpfr_add_ui(s, s, 1, MPFR_RNDN);
  mpfr_ui_div(s, 1, s, MPFR_RNDN);
  mpfr_ui_sub(c, 1, s, MPFR_RNDN);
  mpfr_set_zero(sum, 1);
  for (int side = 0; side < 2; side++) {
    mpfr_set_d(x, b, MPFR_RNDN);
    if (side) mpfr_ui_sub(x, 1, x, MPFR_RNDN);
    if (mpfr_zero_p(x)) continue;
    mpfr_div(side ? c : s, x, side ? c : s, MPFR_RNDN);
    mpfr_log(side ? c : s, side ? c : s, MPFR_RNDN);
    mpfr_mul(x, x, side ? c : s, MPFR_RNDN);
    mpfr_add(sum, sum, x, MPFR_RNDN);
  }
  const double value = mpfr_get_d(sum, MPFR_RNDN);
  mpfr_clears(s, c, x, sum, (mpfr_ptr)NULL);
  return value;
}

/* What a change of t by a few ulps of 1 + |t| could do, and a few ulps of the slack. */
static double allowed(double slack, double slope, double t) {
  const double move = 8 * DBL_EPSILON / 2 * (1 + fabs(t));
  return 16 * DBL_EPSILON * slack + move * (fabs(slope) + move) + 1e-300;
}

static void logistic_slacks_keep_their_digits(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 2);
  const sfmi_loss loss = {SFM_MACHINE_LOSS_LOGISTIC, NAN};
  for (int i = 0; i < 5000; i++) {
    const double m = (sfmi_prng_uniform(&prng) < 0.2 ? 800 : 20) * (sfmi_prng_uniform(&prng) - 0.5);
    double b = 1 / (1 + exp(m)); /* near the best, or not */
    if (i % 4) b *= 1 + ldexp(sfmi_prng_normal(&prng), -(i % 50));
    if (i % 11 == 0) b = sfmi_prng_uniform(&prng);
    b = b < 0 ? 0 : b > 1 ? 1 : b;
    const double got = sfmi_loss_slack(&loss, m, b, 1), wanted = exact_logistic(m, b);
    const double slope = sfmi_loss_slope(&loss, m, 1) + b;
    assert_near("logistic slack", got, wanted, allowed(wanted, slope, m));
    assert_true(sfmi_loss_slack(&loss, -m, -b, -1) == got);
  }
}

static void other_slacks_keep_their_digits(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 3);
  for (int l = 0; l < LOSS_COUNT; l++) {
    const sfmi_loss *loss = &LOSSES[l];
    if (loss->kind == SFM_MACHINE_LOSS_LOGISTIC) continue;
    for (int i = 0; i < 4000; i++) {
      /* Duals that nearly are the best ones: sums of size one would leave no digit of these. */
      const double y = label_of(loss, &prng), t = 4 * sfmi_prng_uniform(&prng) - 2;
      double least, most;
      sfmi_loss_duals(loss, &least, &most, y);
      double a = -sfmi_loss_slope(loss, t, y) + ldexp(sfmi_prng_normal(&prng), -(i % 45));
      a = fmin(fmax(a, least), most);
      long double conjugated = 0, A = a, Y = y, p = loss->parameter;
      switch (loss->kind) {
      case SFM_MACHINE_LOSS_HINGE:
        conjugated = -Y * A;
        break;
      case SFM_MACHINE_LOSS_SQUARED_HINGE:
        conjugated = -Y * A + A * A / 4;
        break;
      case SFM_MACHINE_LOSS_EPSILON_INSENSITIVE:
        conjugated = -Y * A + p * fabsl(A);
        break;
      default:
        conjugated = -Y * A + A * A / 2;
      }
      const long double wanted = loss_at(loss, t, Y) + conjugated + A * (long double)t;
      const double slope = sfmi_loss_slope(loss, t, y) + a;
      assert_near("slack", sfmi_loss_slack(loss, t, a, y), (double)wanted,
                  allowed((double)wanted, slope, t) + 40 * (double)LDBL_EPSILON);
    }
  }
}

static void slopes_are_those_of_the_loss(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 4);
  for (int l = 0; l < LOSS_COUNT; l++) {
    const sfmi_loss *loss = &LOSSES[l];
    double bend = 0;
    for (int i = 0; i < 2000; i++) {
      const double y = label_of(loss, &prng), t = 6 * sfmi_prng_uniform(&prng) - 3, h = 1e-3;
      const double slope = sfmi_loss_slope(loss, t, y), at = sfmi_loss_at(loss, t, y);
      for (double s = -3; s <= 3; s += 0.25) /* a tangent lies below */
        assert_true(sfmi_loss_at(loss, s, y) >= at + slope * (s - t) - 1e-12);
      bend = fmax(bend, fabs(sfmi_loss_slope(loss, t + h, y) - slope) / h);
      double least, most;
      sfmi_loss_duals(loss, &least, &most, y);
      assert_true(-slope >= least && -slope <= most);
      assert_true(fabs(slope) <= sfmi_loss_lipschitz_everywhere(loss));
    }
    assert_true(bend <= sfmi_loss_curvature(loss) * (1 + 1e-9));
    if (isfinite(sfmi_loss_curvature(loss))) assert_true(bend >= 0.9 * sfmi_loss_curvature(loss));
  }
}

/* What a step maximises. */
static long double dual_at(const sfmi_loss *loss, double t, double a0, double q, double y,
                           double a) {
  const long double d = (long double)a - a0;
  return -(long double)sfmi_loss_slack(loss, t, a, y) - q * d * d / 2;
}

static void steps_are_the_best(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 5);
  for (int l = 0; l < LOSS_COUNT; l++) {
    const sfmi_loss *loss = &LOSSES[l];
    for (int i = 0; i < 3000; i++) {
      const double y = label_of(loss, &prng), a0 = dual_of(loss, y, &prng);
      const double q = exp(60 * sfmi_prng_uniform(&prng) - 30);
      const double t = exp(8 * sfmi_prng_uniform(&prng) - 4) * (i % 2 ? 1 : -1);
      const double a = sfmi_loss_step(loss, t, a0, q, y);
      double least, most;
      sfmi_loss_duals(loss, &least, &most, y);
      assert_true(a >= least && a <= most);
      const long double best = dual_at(loss, t, a0, q, y, a);
      for (int k = 0; k < 60; k++) {
        const double other =
            k % 2 ? dual_of(loss, y, &prng) : a + (a - a0 + a) * ldexp(k % 4 ? 1 : -1, -k);
        if (!(other >= least && other <= most)) continue;
        const long double there = dual_at(loss, t, a0, q, y, other);
        if (there > best + 1e-13L * (1 + fabsl(best) + q * fabsl((long double)a - a0)))
          fail_msg("loss %d, t %g, a0 %g, q %g, y %g: %g is better than %g by %Lg", l, t, a0, q, y,
                   other, a, there - best);
      }
    }
  }
}

/* The minimiser of some rows k_i y_i in one dimension: the root of an increasing function. */
static double minimise(const sfmi_loss *loss, double lambda, const double *k, const double *y,
                       size_t n) {
  double low = -1e12, high = 1e12;
  for (int i = 0; i < 2000 && low < high; i++) {
    const double w = low + (high - low) / 2;
    if (w == low || w == high) break;
    double slope = lambda * w;
    for (size_t r = 0; r < n; r++)
      slope += k[r] * sfmi_loss_slope(loss, w * k[r], y[r]) / (double)n;
    if (slope > 0)
      high = w;
    else
      low = w;
  }
  return low;
}

static void no_minimiser_is_beyond_reach_and_some_are_there(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 6);
  for (int l = 0; l < LOSS_COUNT; l++) {
    const sfmi_loss *loss = &LOSSES[l];
    for (double lambda = 1e-8; lambda < 1e5; lambda *= 300) {
      for (double kappa = 1e-2; kappa < 1e3; kappa *= 30) {
        const double reach = sfmi_loss_reach(loss, lambda, kappa);
        double found = 0, k[8], y[8];
        /* Rows that are all alike, of every norm. */
        for (int i = 0; i <= 700; i++) {
          k[0] = kappa * exp(-0.025 * i);
          y[0] = 1;
          found = fmax(found, fabs(minimise(loss, lambda, k, y, 1)));
        }
        for (int i = 0; i < 40; i++) {
          for (int r = 0; r < 8; r++) {
            k[r] = i % 3 && r < 4 ? 0 : kappa * exp(-10 * sfmi_prng_uniform(&prng));
            y[r] = label_of(loss, &prng);
          }
          found = fmax(found, fabs(minimise(loss, lambda, k, y, 8)));
        }
        if (!(found <= reach))
          fail_msg("loss %d, lambda %g, kappa %g: %.17g > %.17g", l, lambda, kappa, found, reach);
        if (!(found >= 0.98 * reach))
          fail_msg("loss %d, lambda %g, kappa %g: only %g of %g", l, lambda, kappa, found, reach);
        const double L = sfmi_loss_lipschitz(loss, lambda, kappa);
        assert_true(L <= sfmi_loss_lipschitz_everywhere(loss));
        for (int i = 0; i <= 20; i++)
          for (int side = -1; side <= 1; side += 2)
            assert_true(fabs(sfmi_loss_slope(loss, kappa * reach * (i - 10) / 10, side)) <= L);
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slacks_are_those_of_the_conjugate),
      cmocka_unit_test(logistic_slacks_keep_their_digits),
      cmocka_unit_test(other_slacks_keep_their_digits),
      cmocka_unit_test(slopes_are_those_of_the_loss),
      cmocka_unit_test(steps_are_the_best),
      cmocka_unit_test(no_minimiser_is_beyond_reach_and_some_are_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
