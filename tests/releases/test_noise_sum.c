/* test_noise_sum.c - widths of sums of noises against their law by convolution, and against what
 * inequalities allow. */
#include "test_support.h"

#include "base/math/normal_distribution.h"
#include "releases/band/noise_sum.h"
#include "releases/band/laplace_sum.h"

enum { HALF = 4096, SIZE = 2 * HALF + 1 };

static double single[SIZE], law[SIZE], next[SIZE];

static double mass(double scale, bool normal, long z) {
  const double r = exp(-1 / scale);
  if (!normal) return (1 - r) / (1 + r) * pow(r, (double)labs(z));
  return sfmi_normal_tail(((double)labs(z) - 0.5) / scale) -
         sfmi_normal_tail(((double)labs(z) + 0.5) / scale);
}

/* law := the law of so many, by adding one after another; what is beyond HALF is left out. */
static void convolve(double scale, bool normal, size_t count) {
  long reach = 0;
  for (long z = -HALF; z <= HALF; z++) {
    single[z + HALF] = mass(scale, normal, z);
    if (single[z + HALF] > 1e-25 && z > reach) reach = z;
  }
  memcpy(law, single, sizeof law);
  for (size_t k = 1; k < count; k++) {
    memset(next, 0, sizeof next);
    for (long a = -HALF; a <= HALF; a++)
      for (long b = -reach; law[a + HALF] > 1e-25 && b <= reach; b++)
        if (labs(a + b) <= HALF) next[a + b + HALF] += law[a + HALF] * single[b + HALF];
    memcpy(law, next, sizeof law);
  }
}

static double least_width(double p) {
  double outside = 0;
  for (long w = HALF; w > 0; w--) {
    outside += law[HALF - w] + law[HALF + w];
    if (outside > p) return (double)w;
  }
  return 0;
}

static void widths_are_the_least_there_are(void **state) {
  (void)state;
  static const struct {
    double scale;
    bool normal;
    size_t count;
  } noises[] = {{0.7, false, 2}, {2, false, 2},  {2, false, 3}, {2, false, 40}, {10, false, 2},
                {10, false, 7},  {0.6, true, 2}, {3, true, 2},  {3, true, 30},  {12, true, 5}};
  static const double chances[] = {0.3, 0.05, 1e-3, 1e-6, 1e-8};
  for (size_t k = 0; k < sizeof noises / sizeof noises[0]; k++) {
    convolve(noises[k].scale, noises[k].normal, noises[k].count);
    for (size_t i = 0; i < 5; i++) {
      const double wanted = least_width(chances[i]),
                   got = sfmi_noise_sum_width(noises[k].scale, noises[k].normal, noises[k].count,
                                              chances[i]);
      /* Never less; one more where a probability is within what is set aside for roundings. */
      if (!(got >= wanted && got <= wanted + 1))
        fail_msg("scale %g, %zu: %g where %g is the least at %g", noises[k].scale, noises[k].count,
                 got, wanted, chances[i]);
    }
  }
}

/* Where nothing can be computed the inequality stands, and it is never beaten from above. */
static void inequalities_are_wider(void **state) {
  (void)state;
  for (double scale = 0.1; scale < 1e7; scale *= 9)
    for (uint64_t count = 2; count < (uint64_t)1 << 40; count *= 129) {
      const double exact = sfmi_noise_sum_width(scale, false, count, 1e-3),
                   bound = ceil(sfmi_laplace_sum_bound(scale, (double)count, 1, 1e-3));
      assert_true(exact <= bound);
      if (scale > 10 && count > 1000) /* nearly normal: 3.29 standard deviations */
        assert_relative("normal", exact, 3.2905 * scale * sqrt(2 * (double)count), 0.02);
    }
  assert_true(sfmi_noise_sum_width(2, false, 3, 1e-12) ==
              ceil(sfmi_laplace_sum_bound(2, 3, 1, 1e-12)));
}

static void variances_are_those_of_the_law(void **state) {
  (void)state;
  static const double scales[] = {0.05, 0.1, 0.2, 0.4, 0.7, 1, 1.4, 1.5, 1.6, 2, 7, 40};
  for (size_t s = 0; s < sizeof scales / sizeof *scales; s++)
    for (int normal = 0; normal < 2; normal++) {
      double wanted = 0;
      for (long z = 1; z <= HALF; z++) wanted += 2 * (double)(z * z) * mass(scales[s], normal, z);
      assert_relative("variance", sfmi_integer_noise_variance(scales[s], normal), wanted, 1e-9);
    }
  assert_relative("wide noise", sfmi_integer_noise_variance(1e12, false), 2e24, 1e-12);
  assert_true(sfmi_integer_noise_variance(1e-6, false) == 0 &&
              sfmi_integer_noise_variance(1e-6, true) == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(widths_are_the_least_there_are),
      cmocka_unit_test(inequalities_are_wider),
      cmocka_unit_test(variances_are_those_of_the_law),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
