/* test_prng.c - the public generator against its authors' code, and its laws. */
/* suite: both */
#include "test_support.h"

static void words_are_those_of_xoshiro256pp(void **state) {
  (void)state;
  /* The reference implementation (Blackman and Vigna, 2019) from the state 1, 2, 3, 4. */
  const uint64_t expected[] = {41943041u,
                               58720359u,
                               3588806011781223u,
                               3591011842654386u,
                               9228616714210784205u,
                               9973669472204895162u,
                               14011001112246962877u,
                               12406186145184390807u,
                               15849039046786891736u,
                               10450023813501588000u};
  sfmi_prng prng = {{1, 2, 3, 4}};
  for (size_t i = 0; i < 10; i++) assert_true(sfmi_prng_word(&prng) == expected[i]);
}

static void seeds_go_through_splitmix64(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 1234567);
  const uint64_t expected[] = {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                               4593380528125082431u};
  for (size_t i = 0; i < 4; i++) assert_true(prng.state[i] == expected[i]);
}

static void uniforms_never_touch_the_ends(void **state) {
  (void)state;
  sfmi_prng zero = {{0, 1, 0, 0}}, prng; /* the next word is 0 */
  assert_true(sfmi_prng_uniform(&zero) > 0);
  sfmi_prng_init(&prng, 4);
  for (int i = 0; i < 1000000; i++) {
    double u = sfmi_prng_uniform(&prng);
    assert_true(u > 0 && u < 1);
  }
}

/* Means of powers over N draws, each within z standard errors: N must be such that a scale wrong by
 * 1 % is seen. */
static void laws_have_their_moments(void **state) {
  (void)state;
  enum { N = 1000000 };
  sfmi_prng prng;
  sfmi_prng_init(&prng, 5);
  double n1 = 0, n2 = 0, n4 = 0, l1 = 0, l2 = 0, size = 0;
  for (int i = 0; i < N; i++) {
    double x = sfmi_prng_normal(&prng), y = sfmi_prng_laplace(&prng);
    n1 += x;
    n2 += x * x;
    n4 += x * x * x * x;
    l1 += y;
    l2 += y * y;
    size += fabs(y);
  }
  const double root = TEST_Z / sqrt(N);
  assert_near("E N", n1 / N, 0, root);
  assert_near("E N^2", n2 / N, 1, root * sqrt(2));
  assert_near("E N^4", n4 / N, 3, root * sqrt(96));
  assert_near("E L", l1 / N, 0, root * sqrt(2));
  assert_near("E L^2", l2 / N, 2, root * sqrt(20));
  assert_near("E |L|", size / N, 1, root);
  assert_true(1.01 * 1.01 - 1 > 2 * root * sqrt(2)); /* 1 % of the scale would be seen */
}

/* Two moments of gamma variables; of sums of Laplace variables the second and the fourth, which
 * tell a sum of three from a normal. */
static void sums_have_their_moments(void **state) {
  (void)state;
  enum { N = 400000 };
  const double shapes[] = {1, 1.5, 40};
  const double root = TEST_Z / sqrt(N);
  sfmi_prng prng;
  sfmi_prng_init(&prng, 6);
  for (int s = 0; s < 3; s++) {
    const double k = shapes[s];
    double g1 = 0, g2 = 0;
    for (int i = 0; i < N; i++) {
      const double x = sfmi_prng_gamma(&prng, k);
      assert_true(x > 0);
      g1 += x;
      g2 += x * x;
    }
    const double fourth = k * (k + 1) * (k + 2) * (k + 3), second = k * (k + 1);
    assert_near("E G", g1 / N, k, root * sqrt(k));
    assert_near("E G^2", g2 / N, second, root * sqrt(fourth - second * second));
  }
  const uint64_t counts[] = {1, 3, 1000};
  for (int c = 0; c < 3; c++) {
    const uint64_t count = counts[c];
    const double k = (double)count, second = 2 * k, fourth = 12 * k * k + 12 * k;
    double sum = 0, l2 = 0, l4 = 0;
    for (int i = 0; i < N; i++) {
      const double x = sfmi_prng_laplace_sum(&prng, count);
      sum += x;
      l2 += x * x;
      l4 += x * x * x * x;
    }
    assert_near("E S", sum / N, 0, root * sqrt(second));
    assert_near("E S^2", l2 / N, second, root * sqrt(fourth - second * second));
    /* E S^8 of one is 8!; of a normal 105 (E S^2)^4, and between them less than that of one. */
    const double eighth = count == 1 ? 40320 : 400 * pow(second, 4);
    assert_near("E S^4", l4 / N, fourth, root * sqrt(eighth));
    if (count == 3) assert_true(fourth - 3 * second * second > 2 * root * sqrt(eighth));
  }
}

/* Gamma: mean and variance are the shape, the third central moment is twice it; and of shape 1 it
 * is the exponential law. */
static void gammas_have_their_moments(void **state) {
  (void)state;
  enum { N = 300000 };
  const double shapes[] = {1, 2, 7.5, 1000, 1e9};
  sfmi_prng prng;
  sfmi_prng_init(&prng, 6);
  for (size_t k = 0; k < 5; k++) {
    const double a = shapes[k], sd = sqrt(a), root = TEST_Z / sqrt(N);
    double m1 = 0, m2 = 0, m3 = 0, above = 0;
    for (int i = 0; i < N; i++) {
      const double x = sfmi_prng_gamma(&prng, a), z = (x - a) / sd;
      assert_true(x > 0);
      m1 += z;
      m2 += z * z;
      m3 += z * z * z;
      above += x > 2;
    }
    assert_near("mean", m1 / N, 0, root);
    assert_near("variance", m2 / N, 1, root * sqrt(2 + 6 / a));
    assert_near("third moment", m3 / N, 2 / sd, root * 12);
    if (k == 0) assert_near("exponential tail", above / N, exp(-2), root * 0.35);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(words_are_those_of_xoshiro256pp),
      cmocka_unit_test(seeds_go_through_splitmix64),
      cmocka_unit_test(uniforms_never_touch_the_ends),
      cmocka_unit_test(laws_have_their_moments),
      cmocka_unit_test(sums_have_their_moments),
      cmocka_unit_test(gammas_have_their_moments),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
