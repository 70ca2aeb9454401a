/* test_clipping.c - the ball of integers, attacked: whatever is brought into it lies in it,
 * exactly, and no further from what it was than stated. */
#include "test_support.h"

#include "estimators/curves/clipping.h"

enum { M = 50 };

/* sum q^2 <= radius^2 by schoolbook arithmetic: squares in 64-bit halves, without 128-bit types. */
static bool lies_within(const int64_t *q, size_t count, int64_t radius) {
  uint64_t high = 0, low = 0, bound_high = 0, bound_low = 0;
  for (size_t j = 0; j <= count; j++) {
    const int64_t x = j < count ? q[j] : radius;
    const uint64_t size = (uint64_t)(x < 0 ? -x : x), a = size >> 32, b = size & 0xffffffffu;
    const uint64_t middle = 2 * a * b, bottom = b * b;
    uint64_t top = a * a + (middle >> 32), rest = bottom + (middle << 32);
    top += rest < bottom;
    if (j == count) {
      bound_high = top;
      bound_low = rest;
    } else {
      low += rest;
      high += top + (low < rest);
    }
  }
  return high < bound_high || (high == bound_high && low <= bound_low);
}

/* What it should be, in long double, and how far off it may be in steps. */
static void check(const sfmi_clipping *c, const double *w, int exponent, size_t count) {
  int64_t q[M];
  long double square = 0;
  sfmi_clipping_quantise(c, q, w, exponent, count);
  assert_true(lies_within(q, count, c->radius));
  assert_true(sfmi_clipping_contains(c, q, count));
  for (size_t j = 0; j < count; j++) {
    const long double x = ldexpl(w[j], exponent) / c->step;
    square += x * x;
  }
  const long double norm = sqrtl(square), radius = (long double)c->radius;
  const long double by = norm > radius ? radius / norm : 1;
  for (size_t j = 0; j < count; j++) {
    const long double x = ldexpl(w[j], exponent) / c->step * by;
    if (!(fabsl((long double)q[j] - x) <= SFMI_CLIPPING_STEPS(c->radius)))
      fail_msg("radius %lld: %lld where %.3Lf was wanted", (long long)c->radius, (long long)q[j],
               x);
  }
}

static const int64_t RADII[] = {1,
                                2,
                                3,
                                1000,
                                536870912,
                                1073741823,
                                1073741824,
                                4294967295,
                                (int64_t)1 << 40,
                                ((int64_t)1 << 51) + 12345,
                                (int64_t)1 << 52};

static void nothing_leaves_the_ball(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 21);
  for (size_t r = 0; r < sizeof RADII / sizeof *RADII; r++)
    for (int round = 0; round < 3000; round++) {
      const sfmi_clipping c = {ldexp(1, (int)(sfmi_prng_word(&prng) % 60) - 30), RADII[r]};
      const size_t count = 1 + (size_t)(sfmi_prng_word(&prng) % M);
      const double size = (double)c.radius * c.step / sqrt((double)count);
      const int shape = round % 6;
      double w[M];
      for (size_t j = 0; j < count; j++) {
        const double z = sfmi_prng_normal(&prng);
        w[j] = shape == 0   ? size * z /* near the boundary, on both sides */
               : shape == 1 ? size     /* all equal, on it */
               : shape == 2 ? size * exp(30 * z)
               : shape == 3 ? size * (j == 0 ? 1e8 : z)
               : shape == 4 ? size * (sfmi_prng_word(&prng) % 2 ? 1 : -1) * (1 + 1e-15 * z)
                            : size * 1e-9 * z;
      }
      check(&c, w, 0, count);
    }
}

/* Vectors of a norm that is the radius, or a rounding beside it. */
static void the_boundary_is_sharp(void **state) {
  (void)state;
  for (size_t r = 0; r < sizeof RADII / sizeof *RADII; r++) {
    const sfmi_clipping c = {0.5, RADII[r]};
    const double edge = 0.5 * (double)c.radius;
    int64_t q[2];
    const double on[] = {edge, 0}, above[] = {nextafter(edge, INFINITY), 0},
                 below[] = {0, nextafter(-edge, 0)}, slanted[] = {0.6 * edge, 0.8 * edge};
    sfmi_clipping_quantise(&c, q, on, 0, 2);
    assert_true(q[0] == c.radius && q[1] == 0);
    sfmi_clipping_quantise(&c, q, above, 0, 2);
    assert_true(q[0] == c.radius && q[1] == 0);
    sfmi_clipping_quantise(&c, q, below, 0, 2);
    assert_true(q[1] <= 0 && q[1] >= -c.radius && q[1] <= -c.radius + 1);
    check(&c, slanted, 0, 2);
    if (c.radius % 5 == 0) { /* 3, 4, 5: the whole radius is used */
      const double whole[] = {0.3 * (double)c.radius, 0.4 * (double)c.radius};
      sfmi_clipping_quantise(&c, q, whole, 0, 2);
      assert_true(hypot((double)q[0], (double)q[1]) >= (double)c.radius - 2);
    }
  }
}

static void any_size_is_survived(void **state) {
  (void)state;
  const sfmi_clipping c = {0x1p-30, 2147483648};
  static const double sizes[] = {1.7976931348623157e308, 1e300, 1e154, 1, 1e-154, 1e-308, 5e-324};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
      for (int e = -2200; e <= 2200; e += 44) {
        double w[M];
        int64_t q[M];
        for (size_t j = 0; j < M; j++) w[j] = (j % 2 ? -1 : 1) * sizes[j % 3 ? i : k];
        sfmi_clipping_quantise(&c, q, w, e, M);
        assert_true(lies_within(q, M, c.radius));
        /* What is far outside fills the ball; what is far inside is nothing. */
        const double largest = log2(fmax(sizes[i], sizes[k])) + e;
        int64_t most = 0;
        for (size_t j = 0; j < M; j++) most = llabs(q[j]) > most ? llabs(q[j]) : most;
        if (largest > 2) assert_true((double)most >= (double)c.radius / sqrt(M) - 4);
        if (largest < -31) assert_true(most == 0);
      }
}

static void what_is_not_finite_is_zero(void **state) {
  (void)state;
  const sfmi_clipping c = {1, 100};
  for (int kind = 0; kind < 4; kind++) {
    double w[] = {3, 4, kind == 0 ? NAN : kind == 1 ? INFINITY : kind == 2 ? -INFINITY : 5};
    int64_t q[] = {7, 7, 7};
    sfmi_clipping_quantise(&c, q, w, 0, 3);
    assert_true(kind == 3 ? q[0] == 3 && q[1] == 4 && q[2] == 5 : !q[0] && !q[1] && !q[2]);
  }
}

/* Sums of many persons' curves: up to 2^61 steps, clipped in integers. */
static void integers_are_clipped_alike(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 22);
  for (size_t r = 0; r < sizeof RADII / sizeof *RADII; r++)
    for (int round = 0; round < 2000; round++) {
      const sfmi_clipping c = {1, RADII[r]};
      const size_t count = 1 + (size_t)(sfmi_prng_word(&prng) % M);
      const unsigned bits = (unsigned)(sfmi_prng_word(&prng) % 62);
      int64_t q[M], before[M];
      long double square = 0;
      for (size_t j = 0; j < count; j++) {
        q[j] = (int64_t)(sfmi_prng_word(&prng) >> 2) >> (61 - bits);
        if (sfmi_prng_word(&prng) % 2) q[j] = -q[j];
        before[j] = q[j];
        square += (long double)q[j] * q[j];
      }
      const bool inside = bits < 61 && lies_within(before, count, c.radius);
      sfmi_clipping_apply(&c, q, count);
      assert_true(lies_within(q, count, c.radius));
      if (inside) assert_memory_equal(q, before, count * sizeof *q);
      const long double norm = sqrtl(square), radius = (long double)c.radius;
      for (size_t j = 0; j < count; j++) {
        const long double wanted = (long double)before[j] * (norm > radius ? radius / norm : 1);
        assert_true(fabsl((long double)q[j] - wanted) <= SFMI_CLIPPING_STEPS(c.radius));
      }
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_leaves_the_ball),    cmocka_unit_test(the_boundary_is_sharp),
      cmocka_unit_test(any_size_is_survived),       cmocka_unit_test(what_is_not_finite_is_zero),
      cmocka_unit_test(integers_are_clipped_alike),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
