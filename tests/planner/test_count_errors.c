/* test_count_errors.c - what integer noise does to counts: closed forms against sums
 * over the law. */
#include "planner/forecast/count_errors.h"

#include "test_support.h"

static const double scales[] = {0.2, 0.7, 1, 2, 5.5, 40};
enum { SCALES = sizeof scales / sizeof *scales };

static double mass(double scale, double z) {
  const double a = exp(-1 / scale);
  return (1 - a) / (1 + a) * exp(-fabs(z) / scale);
}

/* As far as a tail of that scale is seen in doubles. */
static long reach(double scale) {
  return (long)(45 * scale) + 5;
}

static void noise_alone(void **state) {
  (void)state;
  for (size_t i = 0; i < SCALES; i++) {
    const sfmi_integer_noise law = {false, scales[i]};
    double absolute = 0, square = 0;
    for (long z = -reach(law.scale); z <= reach(law.scale); z++) {
      absolute += mass(law.scale, (double)z) * fabs((double)z);
      square += mass(law.scale, (double)z) * (double)(z * z);
    }
    assert_relative("E|Z|", sfmi_count_error_of_noise(law).absolute, absolute, 1e-12);
    assert_relative("E Z^2", sfmi_count_error_of_noise(law).square, square, 1e-12);
    assert_relative("E max of one", sfmi_count_error_largest(law, 1), absolute, 1e-12);
  }
}

static double rounded_mass(double scale, double z) {
  return 0.5 * (erfc((fabs(z) - 0.5) / scale / sqrt(2)) - erfc((fabs(z) + 0.5) / scale / sqrt(2)));
}

static void rounded_normal_alone(void **state) {
  (void)state;
  for (size_t i = 0; i < SCALES; i++) {
    const sfmi_integer_noise law = {true, scales[i]};
    double absolute = 0, square = 0;
    for (long z = 1; z <= (long)(12 * law.scale) + 5; z++) {
      absolute += 2 * rounded_mass(law.scale, (double)z) * (double)z;
      square += 2 * rounded_mass(law.scale, (double)z) * (double)(z * z);
    }
    assert_near("E|round|", sfmi_count_error_of_noise(law).absolute, absolute,
                1e-11 * (1 + absolute));
    assert_near("E round^2", sfmi_count_error_of_noise(law).square, square, 1e-11 * (1 + square));
  }
}

/* Sums of very many terms are integrals: nothing may jump where one becomes the other. */
static void wide_noise_is_continuous(void **state) {
  (void)state;
  for (double scale = 1e3; scale < 1e6; scale *= 1.3)
    for (int normal = 0; normal < 2; normal++) {
      const sfmi_integer_noise law = {normal == 1, scale};
      const double one = normal ? sqrt(2 / M_PI) : 1;
      assert_relative("E|Z| of wide noise", sfmi_count_error_of_noise(law).absolute, one * scale,
                      1e-6);
      assert_relative("E max of wide noise", sfmi_count_error_largest(law, 1000) / scale,
                      sfmi_count_error_largest((sfmi_integer_noise){normal == 1, 1e3}, 1000) / 1e3,
                      2e-6);
    }
}

static void largest_of_many(void **state) {
  (void)state;
  for (size_t i = 0; i < SCALES; i++) {
    const double scale = scales[i], cells = 7;
    double below = 0, last = 0, mean = 0; /* P(|Z| <= k), and to the power of cells */
    for (long k = 0; k <= reach(scale); k++) {
      below += (k ? 2 : 1) * mass(scale, (double)k);
      const double all = pow(fmin(below, 1), cells);
      mean += (double)k * (all - last);
      last = all;
    }
    assert_relative("E max of seven",
                    sfmi_count_error_largest((sfmi_integer_noise){false, scale}, cells), mean,
                    1e-9);
  }
}

/* E|sum| by convolution, and in the limit by the normal law. */
static void sums_of_noises(void **state) {
  enum { WIDE = 400, MOST = 12 };
  static double law[2 * WIDE + 1], next[2 * WIDE + 1];
  (void)state;
  for (double scale = 0.3; scale < 4; scale *= 2) {
    memset(law, 0, sizeof law);
    law[WIDE] = 1;
    for (int cells = 1; cells <= MOST; cells++) {
      double absolute = 0;
      for (int s = -WIDE; s <= WIDE; s++) {
        next[s + WIDE] = 0;
        for (int z = -WIDE; z <= WIDE; z++)
          if (abs(s - z) <= WIDE) next[s + WIDE] += law[z + WIDE] * mass(scale, s - z);
      }
      memcpy(law, next, sizeof law);
      for (int s = -WIDE; s <= WIDE; s++) absolute += law[s + WIDE] * abs(s);
      assert_relative("E|sum|", sfmi_count_error_of_sum(scale, cells), absolute, 1e-9);
    }
    const double deviation =
        sqrt(sfmi_count_error_of_noise((sfmi_integer_noise){false, scale}).square);
    assert_relative("E|sum| of very many", sfmi_count_error_of_sum(scale, 0x1p40),
                    deviation * 0x1p20 * sqrt(2 / M_PI), 1e-9);
  }
}

/* The error of a count that is kept from `least` on, by the law. */
static sfmi_count_error kept_by_law(double scale, double least, double count) {
  sfmi_count_error sum = {0};
  for (long z = -reach(scale); z <= reach(scale); z++) {
    const double p = mass(scale, (double)z), noisy = count + (double)z;
    const double off = (noisy >= least ? noisy : 0) - count;
    sum.absolute += p * fabs(off);
    sum.square += p * off * off;
    sum.lost += noisy >= least ? 0 : p * count;
  }
  return sum;
}

static void counts_above_a_threshold(void **state) {
  (void)state;
  for (size_t i = 0; i < SCALES - 1; i++) {
    const double scale = scales[i];
    for (double least = 1; least < 12 * scale + 4; least = floor(1.6 * least + 1)) {
      double worst = 0, part = 0;
      for (double count = 0; count < 3 * least + 40 * scale; count++) {
        const sfmi_count_error got = sfmi_count_error_thresholded(scale, least, count),
                               wanted = kept_by_law(scale, least, count);
        assert_near("E|error|", got.absolute, wanted.absolute, 1e-10 * (1 + wanted.absolute));
        assert_near("E error^2", got.square, wanted.square, 1e-10 * (1 + wanted.square));
        assert_near("lost", got.lost, wanted.lost, 1e-10 * (1 + count));
        if (count > 0) worst = fmax(worst, wanted.absolute);
        if (count > 0) part = fmax(part, wanted.absolute / count);
      }
      assert_relative("worst count", sfmi_count_error_worst(scale, least), worst, 1e-9);
      assert_relative("worst part", sfmi_count_error_worst_part(scale, least), part, 1e-9);
    }
  }
}

static void truncated_geometric(void **state) {
  (void)state;
  for (double epsilon = 0.05; epsilon < 6; epsilon *= 2.1)
    for (int n = 1; n < 30; n += 3) {
      double worst = 0;
      for (int count = 0; count <= n; count++) {
        sfmi_count_error sum = {0};
        for (long z = -reach(1 / epsilon); z <= reach(1 / epsilon); z++) {
          const double answer = fmin(fmax((double)(count + z), 0), n), off = answer - count;
          sum.absolute += mass(1 / epsilon, (double)z) * fabs(off);
          sum.square += mass(1 / epsilon, (double)z) * off * off;
        }
        const sfmi_count_error got = sfmi_count_error_truncated_at(epsilon, n, count);
        assert_relative("E|error|", got.absolute, sum.absolute, 1e-9);
        assert_relative("E error^2", got.square, sum.square, 1e-9);
        worst = fmax(worst, sum.absolute);
      }
      assert_relative("worst count", sfmi_count_error_truncated(epsilon, n), worst, 1e-9);
    }
  assert_relative("n = 1", sfmi_count_error_truncated(0.2, 1), 1 / (1 + exp(0.2)), 1e-12);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(noise_alone),
      cmocka_unit_test(rounded_normal_alone),
      cmocka_unit_test(wide_noise_is_continuous),
      cmocka_unit_test(largest_of_many),
      cmocka_unit_test(sums_of_noises),
      cmocka_unit_test(counts_above_a_threshold),
      cmocka_unit_test(truncated_geometric),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
