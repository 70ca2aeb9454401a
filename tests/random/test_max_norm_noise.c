/* test_max_norm_noise.c - noise by the largest coordinate: the law of vectors and of radii by
 * chi-square at 1e-6 in one to three dimensions, one dimension is the discrete Laplace law, wrong
 * laws are rejected, how often a radius is drawn again, and wide uniform integers. */
/* suite: release */
#include "sampler_checks.h"

#include "random/max_norm_noise.h"
#include "random/discrete_distributions.h"

enum { SIDE = 15, MIDDLE = SIDE / 2, DRAWS = 200000 };

static sfmi_sampler *sampler_of(sfm_ratio scale) {
  sfmi_sampler *sampler;
  sfm_error error;
  if (sfmi_sampler_create(&sampler, SFM_NOISE_LAW_DISCRETE_LAPLACE, scale, &error))
    fail_msg("%s", error.message);
  return sampler;
}

/* P(x) of every vector with coordinates in -MIDDLE .. MIDDLE: exp(-max |x_i| rate) over the sum of
 * ((2M + 1)^D - (2M - 1)^D) exp(-M rate). */
static size_t fill_masses(double *masses, size_t D, double rate) {
  long double sum = 0;
  size_t cells = 1;
  for (int M = 0; M < 4000; M++) {
    const long double shell = M ? powl(2 * M + 1, D) - powl(2 * M - 1, D) : 1;
    sum += shell * expl(-(long double)rate * M);
  }
  for (size_t i = 0; i < D; i++) cells *= SIDE;
  for (size_t c = 0; c < cells; c++) {
    int largest = 0;
    for (size_t i = 0, rest = c; i < D; i++, rest /= SIDE) {
      const int x = abs((int)(rest % SIDE) - MIDDLE);
      if (x > largest) largest = x;
    }
    masses[c] = (double)(expl(-(long double)rate * largest) / sum);
  }
  return cells;
}

/* Chi-square of vectors of dimension D, drawn at one scale, against the law of another. */
static double tested(size_t D, sfm_ratio drawn, double scale, uint64_t seed) {
  static double masses[SIDE * SIDE * SIDE];
  static uint64_t seen[SIDE * SIDE * SIDE];
  sfmi_sampler *sampler = sampler_of(drawn);
  sfmi_stream *stream = seeded(seed);
  const size_t cells = fill_masses(masses, D, 1 / scale);
  memset(seen, 0, sizeof seen);
  for (int n = 0; n < DRAWS; n++) {
    const sfmi_u128 radius = sfmi_max_norm_radius(sampler, stream, D);
    size_t cell = 0, power = 1;
    bool within = true;
    for (size_t i = 0; i < D; i++, power *= SIDE) {
      const sfmi_i128 x = sfmi_max_norm_coordinate(stream, radius);
      if (x < -MIDDLE || x > MIDDLE)
        within = false;
      else
        cell += (size_t)(x + MIDDLE) * power;
    }
    if (within) seen[cell]++;
  }
  sfmi_stream_destroy(stream);
  sfmi_sampler_destroy(sampler);
  return chi_square(seen, masses, cells, DRAWS);
}

static void vectors_follow_the_law(void **state) {
  (void)state;
  for (size_t D = 1; D <= 3; D++) {
    assert_true(tested(D, (sfm_ratio){1, 2}, 0.5, 10 + D) <= 1);
    assert_true(tested(D, (sfm_ratio){1, 1}, 1, 20 + D) <= 1);
    assert_true(tested(D, (sfm_ratio){7, 3}, 7.0 / 3, 30 + D) <= 1);
  }
}

static void a_wrong_scale_is_rejected(void **state) {
  (void)state;
  for (size_t D = 1; D <= 3; D++) {
    assert_true(tested(D, (sfm_ratio){21, 20}, 1, 40 + D) > 1);
    assert_true(tested(D, (sfm_ratio){19, 20}, 1, 50 + D) > 1);
  }
}

/* One number: the discrete Laplace law, (1 - q)/(1 + q) q^|x|. */
static void one_number_is_discrete_laplace(void **state) {
  (void)state;
  double masses[SIDE];
  const double q = exp(-1 / 1.75);
  assert_int_equal(fill_masses(masses, 1, 1 / 1.75), SIDE);
  for (int x = 0; x < SIDE; x++)
    assert_true(fabs(masses[x] / ((1 - q) / (1 + q) * pow(q, abs(x - MIDDLE))) - 1) < 1e-12);
  assert_true(tested(1, (sfm_ratio){7, 4}, 1.75, 60) <= 1);
}

/* Radii in more dimensions: P(M) prop. to (2M + 1)^D e^(-M/s); those of the D geometric variables
 * that Gamma(D) would have, and those before any are refused, are another law. */
static double tested_radii(size_t D, uint64_t scale, size_t drawn, bool refuse, uint64_t seed) {
  enum { CELLS = 400 };
  static uint64_t seen[CELLS];
  double masses[CELLS], sum = 0;
  sfmi_sampler *sampler = sampler_of((sfm_ratio){scale, 1});
  sfmi_stream *stream = seeded(seed);
  memset(seen, 0, sizeof seen);
  for (int M = 0; M < 100000; M++)
    sum += exp((double)D * log(2 * M + 1) - (double)M / (double)scale);
  for (int M = 0; M < CELLS; M++)
    masses[M] = exp((double)D * log(2 * M + 1) - (double)M / (double)scale) / sum;
  for (int n = 0; n < DRAWS; n++) {
    sfmi_u128 radius = 0;
    if (refuse) {
      radius = sfmi_max_norm_radius(sampler, stream, drawn);
    } else {
      sfmi_i128 values[16];
      sfmi_sampler_draw_geometric(sampler, stream, values, drawn + 1);
      for (size_t i = 0; i <= drawn; i++) radius += (sfmi_u128)values[i];
    }
    if (radius < CELLS) seen[radius]++;
  }
  sfmi_stream_destroy(stream);
  sfmi_sampler_destroy(sampler);
  return chi_square(seen, masses, CELLS, DRAWS);
}

static void radii_follow_the_law(void **state) {
  (void)state;
  assert_true(tested_radii(2, 30, 2, true, 70) <= 1);
  assert_true(tested_radii(6, 12, 6, true, 71) <= 1);
  assert_true(tested_radii(12, 3, 12, true, 72) <= 1);
  assert_true(tested_radii(2, 30, 1, true, 73) > 1);
  assert_true(tested_radii(6, 12, 5, true, 74) > 1);
  assert_true(tested_radii(6, 12, 6, false, 75) > 1);
}

/* The words of a stream that a radius takes: nearly those of its geometric variables and of one
 * uniform number each, where the scale is 16 lengths: one in 32 is drawn again. */
static void few_radii_are_drawn_again(void **state) {
  (void)state;
  static const size_t lengths[] = {1, 10, 200};
  for (size_t l = 0; l < 3; l++) {
    const size_t D = lengths[l];
    const double lambda = 1 / (16.0 * (double)D);
    long double kept = 0; /* sum of (2M + 1)^D q^M (1 - q)^(D + 1) / (2^D D!) */
    for (double M = 0; M < 30.0 * (double)(D * (D + 20)); M++)
      kept += expl((long double)D * logl(2 * M + 1) - lambda * M +
                   (D + 1) * logl(-expm1l(-lambda)) - D * logl(2) - lgammal((long double)D + 1));
    assert_true(kept > 0.96 && kept < 1);
    assert_true(fabsl(kept - expl(-1.0L / 32)) < 0.003);
  }
}

static void wide_integers_are_uniform(void **state) {
  (void)state;
  sfmi_stream *stream = seeded(80);
  const sfmi_u128 two64 = (sfmi_u128)1 << 64;
  const sfmi_u128 sizes[] = {
      1, 3, UINT64_MAX, two64, two64 + 1, 5 * (two64 << 20) + 7, (sfmi_u128)1 << 127};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    enum { CELLS = 3, TRIES = 100000 };
    uint64_t seen[CELLS] = {0};
    double masses[CELLS];
    const sfmi_u128 n = sizes[s], third = n / CELLS ? n / CELLS : 1;
    for (int c = 0; c < CELLS; c++) {
      const sfmi_u128 begin = third * (unsigned)c < n ? third * (unsigned)c : n;
      const sfmi_u128 end = c == CELLS - 1 || third * (unsigned)(c + 1) > n ? n : begin + third;
      masses[c] = (double)(end - begin) / (double)n;
    }
    for (int i = 0; i < TRIES; i++) {
      const sfmi_u128 value = sfmi_uniform_wide(stream, n);
      assert_true(value < n);
      const sfmi_u128 cell = value / third;
      seen[cell < CELLS ? (size_t)cell : CELLS - 1]++;
    }
    assert_true(chi_square(seen, masses, CELLS, TRIES) <= 1);
  }
  /* The high word gives its highest bits, and what is too large is drawn again. */
  const uint64_t words[] = {UINT64_MAX, UINT64_MAX, UINT64_C(1) << 63, 5};
  feed(stream, words, 4);
  assert_true(sfmi_uniform_wide(stream, 2 * two64 - 1) == two64 + 5);
  assert_int_equal(stream->left, 0);
  sfmi_stream_destroy(stream);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(vectors_follow_the_law),         cmocka_unit_test(a_wrong_scale_is_rejected),
      cmocka_unit_test(one_number_is_discrete_laplace), cmocka_unit_test(radii_follow_the_law),
      cmocka_unit_test(few_radii_are_drawn_again),      cmocka_unit_test(wide_integers_are_uniform),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
