/* test_exponential_mechanism.c - the exponential mechanism: its rate never above what was asked
 * for, its acceptance exact to the last bit, its law by chi-square at 1e-6, a wrong epsilon
 * rejected. */
/* suite: release */
#include "sampler_checks.h"

#include <gmp.h>
#include <mpfr.h>

#include "random/exponential_mechanism.h"

static sfmi_dyadic_rate rate_of(double epsilon, double sensitivity) {
  sfmi_dyadic_rate rate;
  sfm_error error;
  if (sfmi_exponential_rate(&rate, epsilon, sensitivity, &error)) fail_msg("%s", error.message);
  return rate;
}

/* rate <= epsilon / (2 sensitivity), compared as rationals, and not below it by more than 2^-15. */
static void the_rate_is_rounded_down(void **state) {
  (void)state;
  static const double epsilons[] = {1e-6, 0.05, 0.1, 1.0 / 3, 1, 2, 7.3, 1000};
  static const double sensitivities[] = {1, 2, 3, 99, 100, 999999, 1e6, 1e9};
  mpq_t wanted, got, factor;
  mpq_inits(wanted, got, factor, NULL);
  for (size_t i = 0; i < 8; i++)
    for (size_t j = 0; j < 8; j++) {
      sfmi_dyadic_rate rate;
      if (sfmi_exponential_rate(&rate, epsilons[i], sensitivities[j], NULL)) {
        assert_true(epsilons[i] / sensitivities[j] < 0x1p-44);
        continue;
      }
      assert_true(rate.shift <= 62 && rate.numerator >= 1u << 16 &&
                  rate.numerator < UINT64_C(1) << 32);
      mpq_set_d(wanted, epsilons[i]);
      mpq_set_d(factor, 2 * sensitivities[j]);
      mpq_div(wanted, wanted, factor);
      mpq_set_ui(got, rate.numerator, 1);
      mpq_div_2exp(got, got, rate.shift);
      assert_true(mpq_cmp(got, wanted) < 0);
      mpq_set_d(factor, 1 + 0x1p-15);
      mpq_mul(got, got, factor);
      assert_true(mpq_cmp(got, wanted) > 0);
    }
  mpq_clears(wanted, got, factor, NULL);
}

static void a_rate_out_of_range_is_refused(void **state) {
  (void)state;
  sfmi_dyadic_rate rate;
  sfm_error error;
  static const double bad[][2] = {{0, 1}, {-1, 1}, {NAN, 1}, {INFINITY, 1}, {1e-6, 1e9}, {1e11, 1}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_int_equal(sfmi_exponential_rate(&rate, bad[i][0], bad[i][1], &error), SFM_INVALID);
}

static sfmi_u128 listed(const void *context, size_t i) {
  return ((const sfmi_u128 *)context)[i];
}

/* Of two candidates the first has loss 0.  The words pick the second, then decide: the answer
 * changes where exp(-rate loss) 2^64 does, and a refusal picks anew. */
static void acceptance_changes_at_the_boundary(void **state) {
  (void)state;
  static const double epsilons[] = {0.001, 0.1, 1, 1.9};
  sfmi_stream *stream = seeded(1);
  mpfr_t boundary;
  mpfr_init2(boundary, 500);
  for (size_t i = 0; i < 4; i++)
    for (unsigned loss = 1; loss <= 40; loss += 13) {
      const sfmi_dyadic_rate rate = rate_of(epsilons[i], 40);
      const sfmi_u128 losses[2] = {0, loss};
      mpfr_set_ui(boundary, loss, MPFR_RNDN);
      mpfr_mul_ui(boundary, boundary, rate.numerator, MPFR_RNDN);
      mpfr_div_2ui(boundary, boundary, rate.shift, MPFR_RNDN);
      assert_true(mpfr_cmp_ui(boundary, 1) < 0);
      mpfr_neg(boundary, boundary, MPFR_RNDN);
      mpfr_exp(boundary, boundary, MPFR_RNDN);
      mpfr_mul_2ui(boundary, boundary, 64, MPFR_RNDN);
      const uint64_t centre = mpfr_get_ui(boundary, MPFR_RNDD);
      for (int64_t off = -3; off <= 3; off++) {
        /* the second candidate; U; and, if refused, the first one */
        uint64_t words[3] = {UINT64_MAX, centre + (uint64_t)off, 0};
        if (off == 0) continue; /* takes more bits */
        feed(stream, words, 3);
        assert_int_equal(sfmi_exponential_draw(stream, rate, listed, losses, 2), off < 0);
        assert_int_equal(stream->left, off < 0);
      }
    }
  mpfr_clear(boundary);
  sfmi_stream_destroy(stream);
}

/* Chi-square of draws at one rate against the law at epsilon. */
static double tested(const sfmi_u128 *losses, size_t count, sfmi_dyadic_rate rate, double epsilon,
                     double sensitivity, uint64_t seed) {
  enum { DRAWS = 400000 };
  uint64_t seen[64] = {0};
  double masses[64], sum = 0;
  sfmi_stream *stream = seeded(seed);
  for (int i = 0; i < DRAWS; i++)
    seen[sfmi_exponential_draw(stream, rate, listed, losses, count)]++;
  sfmi_stream_destroy(stream);
  for (size_t i = 0; i < count; i++)
    sum += masses[i] = (double)expl(-(long double)losses[i] * (long double)epsilon /
                                    (2 * (long double)sensitivity));
  for (size_t i = 0; i < count; i++) masses[i] /= sum;
  return chi_square(seen, masses, count, DRAWS);
}

static void draws_follow_the_law(void **state) {
  (void)state;
  static const sfmi_u128 near[] = {3, 2, 1, 0, 1, 2, 3, 4}, far[] = {0, 250, 500, 1000, 5000},
                         flat[] = {0, 0, 0}, shifted[] = {100, 105, 110};
  sfmi_u128 huge[] = {0, 5, SFMI_LOSS_MAX - 1, 20};
  assert_true(tested(near, 8, rate_of(1, 1), 1, 1, 1) <= 1);
  assert_true(tested(near, 8, rate_of(4, 1), 4, 1, 2) <= 1);
  assert_true(tested(far, 5, rate_of(0.7, 100), 0.7, 100, 3) <= 1);
  assert_true(tested(flat, 3, rate_of(1, 1), 1, 1, 4) <= 1);
  assert_true(tested(shifted, 3, rate_of(0.02, 1), 0.02, 1, 5) <= 1); /* no loss is 0 */
  assert_true(tested(huge, 4, rate_of(0.5, 2), 0.5, 2, 6) <= 1);
  assert_true(tested(huge, 1, rate_of(0.5, 2), 0.5, 2, 7) <= 1);
}

static void a_wrong_epsilon_is_rejected(void **state) {
  (void)state;
  static const sfmi_u128 near[] = {3, 2, 1, 0, 1, 2, 3, 4};
  assert_true(tested(near, 8, rate_of(1.1, 1), 1, 1, 1) > 1);
  assert_true(tested(near, 8, rate_of(1 / 1.1, 1), 1, 1, 1) > 1);
  assert_true(tested(near, 8, rate_of(1, 1), 2, 1, 1) > 1); /* half of it: the factor 2 */
}

static size_t asked;

static sfmi_u128 counted(const void *context, size_t i) {
  asked++;
  return i == *(const size_t *)context ? 0 : 1000000;
}

/* The worst there is: one good candidate of many takes as many tries as there are. */
static void tries_are_as_many_as_candidates(void **state) {
  (void)state;
  enum { COUNT = 1000, DRAWS = 2000 };
  const size_t good = 123;
  sfmi_stream *stream = seeded(8);
  asked = 0;
  for (int i = 0; i < DRAWS; i++)
    assert_int_equal(sfmi_exponential_draw(stream, rate_of(1, 1), counted, &good, COUNT), good);
  /* geometric: mean COUNT, deviation of the mean COUNT / sqrt(DRAWS) */
  assert_true(fabs((double)asked / DRAWS / COUNT - 1) < 5 / sqrt(DRAWS));
  sfmi_stream_destroy(stream);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_rate_is_rounded_down),
      cmocka_unit_test(a_rate_out_of_range_is_refused),
      cmocka_unit_test(acceptance_changes_at_the_boundary),
      cmocka_unit_test(draws_follow_the_law),
      cmocka_unit_test(a_wrong_epsilon_is_rejected),
      cmocka_unit_test(tries_are_as_many_as_candidates),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
