/* test_hardened_noise.c - the hardened release of integers: scales never below what was asked,
 * noise that is added and nothing else. */
/* suite: both */
#include "test_support.h"

#include "harden.h"

static double ratio_of(sfm_ratio r) {
  return (double)r.numerator / (double)r.denominator;
}

static void scales_are_rounded_up_and_hardly(void **state) {
  (void)state;
  sfm_error error;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 30);
  for (int i = 0; i < 20000; i++) {
    double rate = exp(10 * (sfmi_prng_uniform(&prng) - 0.5));
    double steps = exp2(50 * sfmi_prng_uniform(&prng)) * fmin(rate, 1);
    sfmi_noise_law law;
    assert_ok(sfmi_harden_laplace(&law, steps, rate, &error), &error);
    assert_int_equal(law.law, SFM_NOISE_LAW_DISCRETE_LAPLACE);
    /* numerator rate >= steps denominator, in numbers that hold it exactly */
    long double have = (long double)law.scale.numerator * (long double)rate;
    long double want = (long double)steps * (long double)law.scale.denominator;
    assert_true(have >= want);
    if (steps / rate > 1) assert_true(have <= want * (1 + 0x1p-43L));
    assert_ok(sfmi_harden_normal(&law, steps, rate, &error), &error);
    assert_int_equal(law.law, SFM_NOISE_LAW_ROUNDED_NORMAL);
    assert_relative("scale", sfmi_noise_scale(&law), ratio_of(law.scale), 0);
  }
}

static void scales_beyond_the_sampler_are_refused(void **state) {
  (void)state;
  sfm_error error;
  sfmi_noise_law law;
  assert_int_equal(sfmi_harden_laplace(&law, 0x1p53, 1, &error), SFM_INVALID);
  assert_int_equal(sfmi_harden_laplace(&law, INFINITY, 1, &error), SFM_INVALID);
  assert_int_equal(sfmi_harden_laplace(&law, NAN, 1, &error), SFM_INVALID);
  assert_int_equal(sfmi_harden_normal(&law, 1, 0, &error), SFM_INVALID);
}

static void noise_is_added_and_nothing_else(void **state) {
  (void)state;
  enum { N = 1500 }; /* three chunks */
  static sfmi_i128 zero[N], values[N];
  static int64_t noise[N], sum[N], other[N];
  sfm_error error;
  sfmi_noise_law law;
  for (int normal = 0; normal < 2; normal++) {
    assert_ok(normal ? sfmi_harden_normal(&law, 1e6, 1, &error)
                     : sfmi_harden_laplace(&law, 1e6, 1, &error),
              &error);
    for (size_t i = 0; i < N; i++) values[i] = ((sfmi_i128)i - 700) * 1000000007;
    harden(noise, zero, N, &law, (sfmi_seed){true, 5});
    harden(sum, values, N, &law, (sfmi_seed){true, 5});
    for (size_t i = 0; i < N; i++) assert_true(sum[i] - noise[i] == (int64_t)values[i]);
    size_t equal = 0;
    harden(other, zero, N, &law, (sfmi_seed){true, 6});
    for (size_t i = 0; i < N; i++) equal += other[i] == noise[i];
    assert_true(equal < 20);
    /* Without a seed no two releases agree. */
    equal = 0;
    harden(sum, zero, N, &law, (sfmi_seed){false, 5});
    harden(other, zero, N, &law, (sfmi_seed){false, 5});
    for (size_t i = 0; i < N; i++) equal += other[i] == sum[i] || sum[i] == noise[i];
    assert_true(equal < 20);
  }
}

static void sums_saturate_and_noise_does_not(void **state) {
  (void)state;
  sfm_error error;
  sfmi_noise_law law;
  const sfmi_i128 far = (sfmi_i128)1 << 100;
  const sfmi_i128 values[] = {far, -far, INT64_MAX, INT64_MIN, (sfmi_i128)INT64_MAX + 50};
  int64_t released[5], low = 0, high = 0;
  assert_ok(sfmi_harden_laplace(&law, 10, 1, &error), &error);
  for (uint64_t seed = 0; seed < 200; seed++) {
    harden(released, values, 5, &law, (sfmi_seed){true, seed});
    assert_true(released[0] == INT64_MAX && released[1] == INT64_MIN);
    high += released[2] == INT64_MAX;
    low += released[3] == INT64_MIN;
    assert_true(released[4] > INT64_MAX - 1000);
  }
  assert_in_range(high, 60, 140);
  assert_in_range(low, 60, 140);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(scales_are_rounded_up_and_hardly),
      cmocka_unit_test(scales_beyond_the_sampler_are_refused),
      cmocka_unit_test(noise_is_added_and_nothing_else),
      cmocka_unit_test(sums_saturate_and_noise_does_not),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
