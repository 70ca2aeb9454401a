/* test_above_threshold.c - AboveThreshold: its law is the one that the proof is about, that law is
 * private, and an epoch ends when it fires. */
/* suite: both */
#include "test_support.h"

#include "mechanisms/core/above_threshold.h"

enum { K = 2, THETA = 3, ASKED = 4, REACH = 400 };
static const double EPSILON_A = 0.5, EPSILON_B = 0.8;

static sfmi_above_law law_of(double epsilon_a, double epsilon_b) {
  sfmi_above_law law;
  sfm_error error;
  assert_ok(sfmi_above_law_init(&law, THETA, K, epsilon_a, epsilon_b, &error), &error);
  return law;
}

static sfmi_above *create(const sfmi_above_law *law, uint64_t seed) {
  sfmi_above *above;
  sfm_error error;
  assert_ok(sfmi_above_create(&above, law, (sfmi_seed){true, seed}, &error), &error);
  return above;
}

/* P(X = x) and P(Y >= y) of discrete Laplace noise of scale b. */
static double mass(int x, double b) {
  const double r = exp(-1 / b);
  return (1 - r) / (1 + r) * pow(r, abs(x));
}

static double at_least(int y, double b) {
  const double r = exp(-1 / b);
  return y > 0 ? pow(r, y) / (1 + r) : 1 - pow(r, 1 - y) / (1 + r);
}

/* chances[t]: question t is the first that fires; chances[ASKED]: none does. */
static void law_at(double chances[ASKED + 1], const int scores[ASKED], double a, double b) {
  for (int t = 0; t <= ASKED; t++) chances[t] = 0;
  for (int x = -REACH; x <= REACH; x++) {
    double left = mass(x, K / a);
    for (int t = 0; t < ASKED; t++) {
      const double fires = at_least(THETA + x - scores[t], 2 * K / b);
      chances[t] += left * fires;
      left *= 1 - fires;
    }
    chances[ASKED] += left;
  }
}

/* How often each end came, over runs of one object. */
static void run(size_t counts[ASKED + 1], sfmi_above *above, const int scores[ASKED], size_t runs) {
  memset(counts, 0, (ASKED + 1) * sizeof *counts);
  for (size_t i = 0; i < runs; i++) {
    int t = 0;
    sfmi_above_begin(above);
    while (t < ASKED && !sfmi_above_ask(above, scores[t])) t++;
    assert_true(sfmi_above_running(above) == (t == ASKED));
    counts[t]++;
  }
}

/* The largest |count - n p| in deviations. */
static double distance(const size_t counts[ASKED + 1], const double chances[ASKED + 1],
                       size_t runs) {
  double most = 0;
  const double n = (double)runs;
  for (int t = 0; t <= ASKED; t++)
    most = fmax(most,
                fabs((double)counts[t] - n * chances[t]) / sqrt(n * chances[t] * (1 - chances[t])));
  return most;
}

static void its_law_is_exact(void **state) {
  static const int scores[ASKED] = {0, 4, 1, 2};
  const sfmi_above_law law = law_of(EPSILON_A, EPSILON_B), wrong = law_of(1.1 * EPSILON_A, 0.7);
  const size_t runs = test_repetitions(200000, 20000);
  double chances[ASKED + 1], sum = 0;
  size_t counts[ASKED + 1];
  (void)state;
  law_at(chances, scores, EPSILON_A, EPSILON_B);
  for (int t = 0; t <= ASKED; t++) sum += chances[t];
  assert_near("all ends", sum, 1, 1e-9);
  sfmi_above *above = create(&law, 1);
  run(counts, above, scores, runs);
  sfmi_above_destroy(above);
  assert_true(distance(counts, chances, runs) < 5.3); /* 1e-6 over five ends */
  if (test_sanitized()) return;
  above = create(&wrong, 1);
  run(counts, above, scores, runs);
  sfmi_above_destroy(above);
  assert_true(distance(counts, chances, runs) > 5.3);
}

/* Every pair of neighbouring scores, moved by K up or down: the worst approaches the claim. */
static void its_law_is_private(void **state) {
  double worst = 0;
  (void)state;
  for (int moves = 0; moves < 81; moves++)
    for (int base = -4; base <= 40; base += 4) {
      int left[ASKED], right[ASKED];
      double p[ASKED + 1], q[ASKED + 1];
      for (int t = 0, m = moves; t < ASKED; t++, m /= 3) {
        left[t] = base;
        right[t] = base + K * (m % 3 - 1);
      }
      law_at(p, left, EPSILON_A, EPSILON_B);
      law_at(q, right, EPSILON_A, EPSILON_B);
      for (int t = 0; t <= ASKED; t++) worst = fmax(worst, fabs(log(p[t] / q[t])));
    }
  if (!(worst <= EPSILON_A + EPSILON_B + 1e-9)) fail_msg("loss of %g", worst);
  assert_true(worst > 0.75 * (EPSILON_A + EPSILON_B));
}

/* The same threshold, asked before and after a restart. */
static void a_threshold_is_resumed(void **state) {
  const sfmi_above_law law = law_of(EPSILON_A, EPSILON_B);
  sfmi_above *one = create(&law, 7), *two = create(&law, 8);
  (void)state;
  assert_false(sfmi_above_running(one));
  sfmi_above_begin(one);
  const sfmi_i128 drawn = sfmi_above_threshold(one);
  sfmi_above_resume(two, drawn);
  assert_true(sfmi_above_running(two) && sfmi_above_threshold(two) == drawn);
  assert_false(sfmi_above_ask(two, drawn - ((sfmi_i128)1 << 70)));
  assert_true(sfmi_above_threshold(two) == drawn);
  assert_true(sfmi_above_ask(two, drawn + ((sfmi_i128)1 << 70)));
  assert_false(sfmi_above_running(two));
  assert_true(sfmi_above_threshold(two) == 0); /* forgotten with its epoch */
  sfmi_above_destroy(one);
  sfmi_above_destroy(two);
}

static void scales_are_never_too_small(void **state) {
  (void)state;
  for (int64_t k = 1; k < 1000000; k = 3 * k + 1)
    for (double e = 1e-5; e < 10; e *= 3) {
      sfmi_above_law law;
      sfm_error error;
      assert_ok(sfmi_above_law_init(&law, 0, k, e, e, &error), &error);
      const long double a = (long double)law.threshold.scale.numerator /
                            (long double)law.threshold.scale.denominator,
                        b = (long double)law.question.scale.numerator /
                            (long double)law.question.scale.denominator;
      assert_true(a * (long double)e >= (long double)k && a * (long double)e < 1.0001L * k);
      assert_true(b * (long double)e >= 2 * (long double)k && b * (long double)e < 2.0002L * k);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(its_law_is_exact),
      cmocka_unit_test(its_law_is_private),
      cmocka_unit_test(a_threshold_is_resumed),
      cmocka_unit_test(scales_are_never_too_small),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
