/* test_smooth_spread.c - order statistics of differences: one record changes what is smoothed by at
 * most e^beta (searched, and attained), a fresh pair exceeds the rank's with probability at most
 * gamma (by enumeration and by drawing), and beta is as large as Laplace noise allows, no larger.
 */
#include "test_support.h"

#include "estimators/quantiles/smooth_spread.h"

enum { MOST = 64 };

static double smooth(const double *values, uint64_t n, uint64_t rank, double beta, double width) {
  double copy[MOST];
  memcpy(copy, values, n * sizeof *copy);
  return sfmi_smooth_spread(copy, n, rank, beta, width);
}

/* By its definition, for every j. */
static void smoothing_is_what_it_says(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 1);
  for (int k = 0; k < 2000; k++) {
    const uint64_t n = 2 + sfmi_prng_word(&prng) % 30, m = n / 2,
                   rank = 1 + sfmi_prng_word(&prng) % (m + 1);
    const double beta = exp(3 * sfmi_prng_normal(&prng) - 3), width = 10;
    double x[MOST], h[MOST], wanted = 0;
    for (uint64_t i = 0; i < n; i++) x[i] = width * sfmi_prng_uniform(&prng);
    for (uint64_t i = 0; i < m; i++) h[i] = fabs(x[i] - x[i + m]);
    for (uint64_t j = 0; rank + j <= m + 1; j++) {
      double order = width; /* the (rank + j)-th smallest: as many are at most it */
      for (uint64_t i = 0; rank + j <= m && i < m; i++) {
        uint64_t at_most = 0;
        for (uint64_t l = 0; l < m; l++) at_most += h[l] <= h[i];
        if (at_most >= rank + j) order = fmin(order, h[i]);
      }
      wanted = fmax(wanted, exp(-beta * (double)j) * order);
    }
    assert_relative("s", smooth(x, n, rank, beta, width), wanted, 1e-13);
  }
}

static void one_record_changes_it_by_a_factor(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 2);
  double most = 0;
  for (int k = 0; k < 200000; k++) {
    const uint64_t n = 2 + sfmi_prng_word(&prng) % 12, m = n / 2,
                   rank = 1 + sfmi_prng_word(&prng) % (m + 1), who = sfmi_prng_word(&prng) % n;
    const double beta = k % 2 ? 0.1 : 1, width = 100;
    double x[MOST], y[MOST];
    /* Differences that are powers of e^beta are the worst. */
    for (uint64_t i = 0; i < n; i++)
      x[i] = i < m ? 0 : fmin(width, exp(beta * (double)(sfmi_prng_word(&prng) % 12)));
    memcpy(y, x, sizeof y);
    y[who] = k % 3 ? width * sfmi_prng_uniform(&prng) : k % 2 ? 0 : width;
    const double change =
        fabs(log(smooth(x, n, rank, beta, width) / smooth(y, n, rank, beta, width)));
    assert_true(change <= beta * (1 + 1e-12));
    most = fmax(most, change / beta);
  }
  assert_true(most > 0.999);
}

/* m - k + 1 of m ranks are too many at most gamma m, and one less rank would be too many more. */
static void ranks_leave_gamma(void **state) {
  (void)state;
  static const double gammas[] = {1e-13, 1e-9, 0.001, 0.01, 0.05, 0.1, 0.3, 0.5, 0.999};
  for (size_t g = 0; g < sizeof gammas / sizeof *gammas; g++)
    for (uint64_t n = 2; n < 5000; n += 1 + n / 7) {
      const uint64_t m = n / 2, k = sfmi_smooth_spread_rank(n, gammas[g]);
      assert_true(k >= 1 && k <= m + 1);
      assert_true((double)(m + 1 - k) <= gammas[g] * (double)m * (1 + 1e-12));
      if (gammas[g] > 1e-12) assert_true((double)(m + 2 - k) > gammas[g] * (double)m * (1 - 1e-12));
    }
  assert_int_equal(sfmi_smooth_spread_rank(200, 0.05), 96); /* five of a hundred */
  assert_int_equal(sfmi_smooth_spread_rank(20, 0.3), 8); /* 0.3 x 10 is 3, though not in doubles */
}

/* A fresh record against all others of the data: how often it is further from the one it replaces
 * than the order statistic, which must be at most gamma for any law, in or out of a pair. */
static void fresh_records_exceed_it_seldom(void **state) {
  (void)state;
  enum { N = 21, DRAWS = 40000 };
  const double gamma = 0.3;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 3);
  for (int law = 0; law < 4; law++)
    for (int who = 0; who < 3; who++) {
      const size_t place = who == 0 ? 3 : who == 1 ? 15 : N - 1; /* first half, second, no pair */
      size_t beyond = 0;
      for (int d = 0; d < DRAWS; d++) {
        double x[N + 1], h[N];
        for (int i = 0; i <= N; i++) {
          const double u = sfmi_prng_uniform(&prng);
          x[i] = law == 0   ? u
                 : law == 1 ? exp(5 * u)
                 : law == 2 ? (double)(sfmi_prng_word(&prng) % 3)
                            : 1 / u;
        }
        const uint64_t m = N / 2, k = sfmi_smooth_spread_rank(N, gamma);
        const double move = fabs(x[place] - x[N]);
        bool enough = true;
        for (int version = 0; version < 2; version++) {
          double y[N];
          memcpy(y, x, sizeof y);
          if (version) y[place] = x[N];
          for (uint64_t i = 0; i < m; i++) h[i] = fabs(y[i] - y[i + m]);
          size_t larger = 0; /* move <= h_(k): at least m - k + 1 are as large */
          for (uint64_t i = 0; i < m; i++) larger += h[i] >= move;
          enough = enough && larger >= m - k + 1;
        }
        beyond += !enough;
      }
      if (binomial_too_few(DRAWS - beyond, DRAWS, 1 - gamma))
        fail_msg("law %d, place %d: %zu of %d", law, who, beyond, DRAWS);
      /* Of a continuous law it is nearly that: the promise is not idle. */
      if (law == 0) assert_true((double)beyond / DRAWS > 0.2);
    }
}

/* delta of one scale against another that is e^beta away, over all events, by the formula: the mass
 * beyond which densities differ by more than e^(epsilon/2). */
static double spill(double beta, double epsilon) {
  /* under the wider law, in its unit, beyond t = (epsilon/2 + beta)/(e^beta - 1) */
  const double t = (epsilon / 2 + beta) / expm1(beta);
  /* P1(B) - e^(epsilon/2) P2(B) for B = {|z| > t}; P2 has scale e^-beta. */
  return exp(-t) - exp(epsilon / 2 - t * exp(beta));
}

static void beta_is_enough_and_not_more(void **state) {
  (void)state;
  for (double epsilon = 1e-6; epsilon <= 1e3; epsilon *= 3)
    for (double delta = 0.5; delta > 1e-300; delta = pow(delta, 1.7)) {
      const double beta = sfmi_smooth_spread_beta(epsilon, delta);
      assert_true(beta > 0 && beta <= epsilon / 2);
      assert_true(beta <= epsilon / (2 * log(2 / delta)));
      assert_true(spill(beta, epsilon) <= delta);
      /* The narrower law against the wider: never more than e^beta. */
      assert_true(beta <= epsilon / 2);
      if (epsilon <= 1) assert_relative("beta", beta, epsilon / (2 * log(2 / delta)), 1e-9);
    }
  /* Where the printed constant alone would not do. */
  assert_true(sfmi_smooth_spread_beta(20, 1e-6) < 0.9 * 20 / (2 * log(2e6)));
  assert_true(exp(-(10 + 20 / (2 * log(2e6))) / expm1(20 / (2 * log(2e6)))) > 1e-6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(smoothing_is_what_it_says),
      cmocka_unit_test(one_record_changes_it_by_a_factor),
      cmocka_unit_test(ranks_leave_gamma),
      cmocka_unit_test(fresh_records_exceed_it_seldom),
      cmocka_unit_test(beta_is_enough_and_not_more),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
