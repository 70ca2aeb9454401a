/* test_discrete_distributions.c - uniform, Bernoulli, binomial and subset: exact word by word where
 * a draw is a function of few words, by chi-square at 1e-6 elsewhere. */
/* suite: release */
#include "sampler_checks.h"

#include <gmp.h>
#include <mpfr.h>

#include "random/binomial.h"
#include "random/discrete_distributions.h"
#include "random/subset.h"
#include "test_support.h"

#define ONES UINT64_MAX

/* Every value of uniform(n) has exactly floor(2^64 / n) words; the others are refused. */
static void uniform_has_equal_preimages(void **state) {
  (void)state;
  sfmi_stream *stream = seeded(1);
  static const uint64_t big[] = {UINT64_C(1) << 63, (UINT64_C(1) << 63) + 1, ONES,
                                 UINT64_C(0x5555555555555556)};
  size_t refused = 0;
  for (uint64_t i = 1; i <= 64; i++) {
    uint64_t n = i <= 60 ? i : big[i - 61];
    sfmi_u128 whole = (sfmi_u128)1 << 64, rest = whole % n;
    for (uint64_t step = 0; step < 60; step++) {
      uint64_t j = n <= 60 ? step : (step < 30 ? step : n - 1 - (step - 30));
      if (j >= n) continue;
      uint64_t low = (uint64_t)((((sfmi_u128)j << 64) + rest + n - 1) / n);
      uint64_t high = (uint64_t)((((sfmi_u128)j << 64) + (whole - 1)) / n);
      assert_true((sfmi_u128)high - low + 1 == whole / n);
      feed(stream, &low, 1);
      assert_true(sfmi_uniform(stream, n) == j && stream->left == 0);
      feed(stream, &high, 1);
      assert_true(sfmi_uniform(stream, n) == j && stream->left == 0);
      const uint64_t first = (uint64_t)((((sfmi_u128)j << 64) + n - 1) / n);
      if (first == low) continue;
      feed(stream, (const uint64_t[]){first, low - 1, high}, 3);
      assert_true(sfmi_uniform(stream, n) == j && stream->left == 0);
      refused++;
    }
  }
  assert_true(refused > 500);
  sfmi_stream_destroy(stream);
}

static void bernoulli_counts_numerators(void **state) {
  (void)state;
  sfmi_stream *stream = seeded(2);
  for (uint64_t q = 1; q <= 12; q++) {
    for (uint64_t p = 0; p <= q; p++) {
      uint64_t yes = 0;
      for (uint64_t j = 0; j < q; j++) {
        uint64_t word = (uint64_t)((((sfmi_u128)j << 64) + (UINT64_C(1) << 63)) / q);
        feed(stream, &word, 1);
        yes += sfmi_bernoulli(stream, (sfm_ratio){p, q});
      }
      assert_true(yes == p);
    }
  }
  sfmi_stream_destroy(stream);
}

/* Below t = 1 a draw compares one lazy uniform with exp(-t): the answer changes at the last bit. */
static void bernoulli_exp_changes_at_the_boundary(void **state) {
  (void)state;
  static const uint64_t ratios[][2] = {{1, 2},       {1, 3},    {2, 3},           {99, 100},
                                       {1, 1000000}, {1, ONES}, {ONES - 1, ONES}, {5, 7}};
  sfmi_stream *stream = seeded(3);
  mpfr_t boundary;
  mpq_t t;
  mpfr_init2(boundary, 500);
  mpq_init(t);
  for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) {
    mpq_set_ui(t, ratios[i][0], ratios[i][1]);
    mpq_canonicalize(t);
    mpfr_set_q(boundary, t, MPFR_RNDN);
    mpfr_neg(boundary, boundary, MPFR_RNDN);
    mpfr_exp(boundary, boundary, MPFR_RNDN);
    mpfr_mul_2ui(boundary, boundary, 64, MPFR_RNDN);
    uint64_t centre = mpfr_get_ui(boundary, MPFR_RNDD);
    for (int64_t delta = -20; delta <= 20; delta++) {
      uint64_t words[4] = {centre + (uint64_t)delta, 0, 0, 0};
      if ((delta > 0) != (words[0] > centre)) continue;
      feed(stream, words, 4);
      assert_true(sfmi_bernoulli_exp(stream, (sfm_ratio){ratios[i][0], ratios[i][1]}) ==
                  (delta <= 0));
    }
    uint64_t words[4] = {centre, ONES, ONES, ONES};
    feed(stream, words, 4);
    assert_false(sfmi_bernoulli_exp(stream, (sfm_ratio){ratios[i][0], ratios[i][1]}));
  }
  mpq_clear(t);
  mpfr_clear(boundary);
  sfmi_stream_destroy(stream);
}

/* Whether yes among n trials is compatible with p at 1e-6. */
static bool compatible(uint64_t yes, uint64_t n, double p) {
  double mean = (double)n * p, deviation = sqrt(mean * (1 - p));
  return fabs((double)yes - mean) <= 4.9 * deviation + 1;
}

static void bernoulli_exp_matches_beyond_one(void **state) {
  (void)state;
  enum { DRAWS = 400000 };
  sfmi_stream *stream = seeded(4);
  static const uint64_t ratios[][2] = {{0, 1}, {1, 1}, {5, 2}, {4, 1}, {1, 7}};
  for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) {
    uint64_t yes = 0;
    double t = (double)ratios[i][0] / (double)ratios[i][1];
    for (int j = 0; j < DRAWS; j++) {
      yes += sfmi_bernoulli_exp(stream, (sfm_ratio){ratios[i][0], ratios[i][1]});
    }
    assert_true(compatible(yes, DRAWS, exp(-t)));
    if (t > 0.5) assert_false(compatible(yes, DRAWS, exp(-1.1 * t)));
  }
  assert_false(sfmi_bernoulli_exp(stream, (sfm_ratio){ONES, 1}));
  sfmi_stream_destroy(stream);
}

static double log_choose(double n, double k) {
  return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

/* Chi-square verdicts for `claimed` on draws of Bin(n, chance), in cells [first, first + 64 h). */
static double judge(uint64_t n, sfmi_probability chance, double claimed, uint64_t draws,
                    uint64_t seed) {
  enum { CELLS = 64 };
  uint64_t counts[CELLS] = {0};
  double masses[CELLS] = {0}, deviation = sqrt((double)n * claimed * (1 - claimed));
  double h = fmax(1, floor(deviation / 5)), first = fmax(0, floor((double)n * claimed - 32 * h));
  for (int i = 0; i < CELLS; i++) {
    for (double z = first + i * h; z < first + (i + 1) * h && z <= (double)n; z++) {
      masses[i] +=
          exp(log_choose((double)n, z) + z * log(claimed) + ((double)n - z) * log1p(-claimed));
    }
  }
  sfmi_stream *stream = seeded(seed);
  for (uint64_t i = 0; i < draws; i++) {
    double cell = floor(((double)sfmi_binomial(stream, n, chance) - first) / h);
    if (cell >= 0 && cell < CELLS) counts[(int)cell]++;
  }
  sfmi_stream_destroy(stream);
  return chi_square(counts, masses, CELLS, draws);
}

static sfmi_probability ratio_of(uint64_t p, uint64_t q) {
  return (sfmi_probability){.kind = SFMI_PROBABILITY_RATIO, .ratio = {p, q}};
}

static sfmi_probability tail_of(uint64_t p, uint64_t q, int64_t tau) {
  return (sfmi_probability){.kind = SFMI_PROBABILITY_LAPLACE_TAIL, .ratio = {p, q}, .tau = tau};
}

static void binomial_matches_for_small_n(void **state) {
  (void)state;
  for (uint64_t n = 1; n <= 20; n += n < 6 ? 1 : 7) {
    for (uint64_t q = 2; q <= 5; q++) {
      for (uint64_t p = 1; p < q; p++) {
        double claimed = (double)p / (double)q;
        assert_true(judge(n, ratio_of(p, q), claimed, 20000, n + q) < 1);
        assert_true(judge(n, ratio_of(p, q), claimed + 0.05, 20000, n + q) > 1);
      }
    }
  }
  sfmi_stream *stream = seeded(6);
  assert_true(sfmi_binomial(stream, 1000, ratio_of(0, 1)) == 0);
  assert_true(sfmi_binomial(stream, 1000, ratio_of(5, 5)) == 1000);
  assert_true(sfmi_binomial(stream, 0, ratio_of(1, 2)) == 0);
  sfmi_stream_destroy(stream);
}

static void binomial_matches_for_large_n(void **state) {
  (void)state;
  const size_t draws = test_repetitions(20000, 2500), fewer = test_repetitions(10000, 1250);
  const double off = 0.0003 * test_slack(20000, 2500);
  assert_true(judge(70000, ratio_of(1, 2), 0.5, draws, 7) < 1);
  assert_true(judge(70000, ratio_of(1, 2), 0.5 + off, draws, 7) > 1);
  assert_true(judge(300001, ratio_of(1, 3), 1 / 3.0, fewer, 8) < 1);
  assert_true(judge(1000000, ratio_of(1, 100000), 1e-5, fewer, 9) < 1);
}

static void binomial_of_a_laplace_tail_matches(void **state) {
  (void)state;
  double r = exp(-2 / 3.0);
  const size_t draws = test_repetitions(20000, 2500), fewer = test_repetitions(5000, 625);
  const double off = 0.2 * test_slack(20000, 2500);
  assert_true(judge(1000, tail_of(3, 2, 4), pow(r, 5) / (1 + r), draws, 10) < 1);
  assert_true(judge(1000, tail_of(3, 2, 4), pow(r, 5 + off) / (1 + r), draws, 10) > 1);
  assert_true(judge(1000, tail_of(3, 2, -3), 1 - pow(r, 3) / (1 + r), draws, 11) < 1);
  assert_true(judge(200000, tail_of(3, 2, 4), pow(r, 5) / (1 + r), fewer, 12) < 1);
  sfmi_stream *stream = seeded(13);
  assert_true(sfmi_binomial(stream, UINT64_C(1) << 62, tail_of(1, 1, 1000)) == 0);
  assert_true(sfmi_binomial(stream, UINT64_C(1) << 62, tail_of(1, ONES, INT64_MAX)) == 0);
  assert_true(sfmi_binomial(stream, 1000, tail_of(1, 1, INT64_MIN)) == 1000);
  sfmi_stream_destroy(stream);
}

/* With n = 1 the top bits of the words are the digits of U; the answer turns at every digit of p.
 */
static void binomial_reads_the_digits_of_a_tail(void **state) {
  (void)state;
  enum { DIGITS = 200 };
  static const struct {
    uint64_t p, q;
    int64_t tau;
  } cases[] = {{3, 2, 0}, {3, 2, 7}, {1, 3, 2}, {1000, 7, 5000}, {ONES, 1, 3}};
  sfmi_stream *stream = seeded(14);
  mpfr_t tail, r;
  mpz_t digits;
  mpfr_inits2(600, tail, r, (mpfr_ptr)0);
  mpz_init(digits);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    mpfr_set_ui(r, cases[i].q, MPFR_RNDN);
    mpfr_div_ui(r, r, cases[i].p, MPFR_RNDN);
    mpfr_mul_si(tail, r, -(cases[i].tau + 1), MPFR_RNDN);
    mpfr_exp(tail, tail, MPFR_RNDN);
    mpfr_neg(r, r, MPFR_RNDN);
    mpfr_exp(r, r, MPFR_RNDN);
    mpfr_add_ui(r, r, 1, MPFR_RNDN);
    mpfr_div(tail, tail, r, MPFR_RNDN);
    mpfr_mul_2ui(tail, tail, DIGITS, MPFR_RNDN);
    mpfr_get_z(digits, tail, MPFR_RNDD);
    for (int turn = 0; turn < DIGITS; turn++) {
      uint64_t words[DIGITS];
      for (int j = 0; j < DIGITS; j++) {
        int digit = mpz_tstbit(digits, (mp_bitcnt_t)(DIGITS - 1 - j));
        words[j] = (uint64_t)(j == turn ? !digit : digit) << 63;
      }
      feed(stream, words, DIGITS);
      uint64_t expected = (uint64_t)mpz_tstbit(digits, (mp_bitcnt_t)(DIGITS - 1 - turn));
      sfmi_probability chance = tail_of(cases[i].p, cases[i].q, cases[i].tau);
      assert_true(sfmi_binomial(stream, 1, chance) == expected);
      assert_true(stream->left == (size_t)(DIGITS - 1 - turn));
    }
  }
  mpz_clear(digits);
  mpfr_clears(tail, r, (mpfr_ptr)0);
  sfmi_stream_destroy(stream);
}

/* A proposal d for Bin(2k, 1/2) is kept exactly if V < C(2k, k+d) / C(2k, k). */
static void fair_binomial_keeps_at_the_exact_ratio(void **state) {
  (void)state;
  enum { K = 40000, WIDTH = 200 };
  sfmi_stream *stream = seeded(15);
  mpz_t top, bottom;
  mpz_inits(top, bottom, NULL);
  for (uint64_t d = 1; d < WIDTH; d += 6) {
    mpz_set_ui(top, 1);
    mpz_set_ui(bottom, 1);
    for (uint64_t j = 1; j <= d; j++) {
      mpz_mul_ui(top, top, K - j + 1);
      mpz_mul_ui(bottom, bottom, K + j);
    }
    mpz_mul_2exp(top, top, 128);
    mpz_fdiv_q(top, top, bottom);
    uint64_t high = mpz_getlimbn(top, 1), low = mpz_getlimbn(top, 0);
    uint64_t offset = (uint64_t)((((sfmi_u128)d << 64) + (UINT64_C(1) << 63)) / WIDTH);
    for (int above = 0; above < 2; above++) {
      uint64_t words[6] = {ONES, 0, offset, high, above ? low + 1 : low - 1, 0};
      feed(stream, words, 6);
      /* Of probability 1/2, what is left over are the successes. */
      assert_true((sfmi_binomial(stream, 2 * K, ratio_of(1, 2)) == K - d) == !above);
    }
  }
  mpz_clears(top, bottom, NULL);
  sfmi_stream_destroy(stream);
}

/* At n = 2^62 the binomial is normal to 1e-9: chi-square in cells of half a deviation. */
static void binomial_at_two_to_the_62(void **state) {
  (void)state;
  enum { DRAWS = 600, CELLS = 16 };
  static const uint64_t ratios[][2] = {{1, 2}, {1, 3}, {ONES / 10, ONES}};
  sfmi_stream *stream = seeded(16);
  for (size_t i = 0; i < 3; i++) {
    uint64_t counts[CELLS] = {0}, wide[CELLS] = {0}, n = UINT64_C(1) << 62;
    double masses[CELLS];
    sfmi_u128 mean = (sfmi_u128)n * ratios[i][0] / ratios[i][1];
    double p = (double)ratios[i][0] / (double)ratios[i][1];
    double deviation = sqrt((double)n * p * (1 - p));
    for (int j = 0; j < CELLS; j++) {
      masses[j] = 0.5 * (erfc((j - 8) / sqrt(8.0)) - erfc((j - 7) / sqrt(8.0)));
    }
    for (int j = 0; j < DRAWS; j++) {
      uint64_t value = sfmi_binomial(stream, n, ratio_of(ratios[i][0], ratios[i][1]));
      double z = (double)((sfmi_i128)value - (sfmi_i128)mean) / deviation;
      double cell = floor(2 * z) + 8, other = floor(2 * 1.4 * z) + 8;
      if (cell >= 0 && cell < CELLS) counts[(int)cell]++;
      if (other >= 0 && other < CELLS) wide[(int)other]++;
    }
    assert_true(chi_square(counts, masses, CELLS, DRAWS) < 1);
    assert_true(chi_square(wide, masses, CELLS, DRAWS) > 1);
  }
  sfmi_stream_destroy(stream);
}

static void subsets_are_uniform_and_sorted(void **state) {
  (void)state;
  enum { DRAWS = 100000 };
  sfmi_stream *stream = seeded(18);
  uint64_t counts[32] = {0}, s[1000];
  double masses[32] = {0};
  for (int i = 0; i < DRAWS; i++) {
    assert_int_equal(sfmi_subset(stream, s, 2, 5, NULL), SFM_OK);
    assert_true(s[0] < s[1] && s[1] < 5);
    counts[1 << s[0] | 1 << s[1]]++;
  }
  for (int i = 0; i < 32; i++) masses[i] = counts[i] ? 0.1 : 0;
  assert_true(chi_square(counts, masses, 32, DRAWS) < 1);
  counts[3] += DRAWS / 100;
  assert_true(chi_square(counts, masses, 32, DRAWS + DRAWS / 100) > 1);
  assert_int_equal(sfmi_subset(stream, s, 0, 5, NULL), SFM_OK);
  assert_int_equal(sfmi_subset(stream, s, 1000, 1000, NULL), SFM_OK);
  for (uint64_t i = 0; i < 1000; i++) assert_true(s[i] == i);
  double sum = 0;
  assert_int_equal(sfmi_subset(stream, s, 1000, UINT64_C(1) << 62, NULL), SFM_OK);
  for (int i = 0; i < 1000; i++) {
    assert_true(s[i] < UINT64_C(1) << 62 && (i == 0 || s[i] > s[i - 1]));
    sum += (double)s[i] / 0x1p62;
  }
  assert_true(fabs(sum / 1000 - 0.5) < 5 * sqrt(1 / 12000.0));
  sfmi_stream_destroy(stream);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(uniform_has_equal_preimages),
      cmocka_unit_test(bernoulli_counts_numerators),
      cmocka_unit_test(bernoulli_exp_changes_at_the_boundary),
      cmocka_unit_test(bernoulli_exp_matches_beyond_one),
      cmocka_unit_test(binomial_matches_for_small_n),
      cmocka_unit_test(binomial_matches_for_large_n),
      cmocka_unit_test(binomial_of_a_laplace_tail_matches),
      cmocka_unit_test(binomial_reads_the_digits_of_a_tail),
      cmocka_unit_test(fair_binomial_keeps_at_the_exact_ratio),
      cmocka_unit_test(binomial_at_two_to_the_62),
      cmocka_unit_test(subsets_are_uniform_and_sorted),
  };
  int result = cmocka_run_group_tests(tests, NULL, NULL);
  mpfr_free_cache();
  return result;
}
