/* test_idealised_draws.c - the continuous draws follow their laws as far as chi-square at 1e-6 can
 * see.
 */
/* suite: release */
#include "sampler_checks.h"

#include "random/idealised_draws.h"

enum { DRAWS = 1000000, CELLS = 40 };

static void normal_matches_and_rejects_one_percent(void **state) {
  (void)state;
  sfmi_stream *stream = seeded(1);
  static double values[DRAWS];
  uint64_t counts[CELLS] = {0};
  double right[CELLS], wrong[CELLS], s = 1.01;
  sfmi_idealised_normal(stream, values, DRAWS);
  for (int i = 0; i < DRAWS; i++) {
    double cell = floor(values[i] * 4) + CELLS / 2;
    if (cell >= 0 && cell < CELLS) counts[(int)cell]++;
  }
  for (int i = 0; i < CELLS; i++) {
    double a = (i - CELLS / 2) / sqrt(32.0), b = (i + 1 - CELLS / 2) / sqrt(32.0);
    right[i] = 0.5 * (erfc(a) - erfc(b));
    wrong[i] = 0.5 * (erfc(a / s) - erfc(b / s));
  }
  assert_true(chi_square(counts, right, CELLS, DRAWS) < 1);
  assert_true(chi_square(counts, wrong, CELLS, DRAWS) > 1);
  sfmi_stream_destroy(stream);
}

/* P(Gamma(n) > x) = exp(-x) sum_{j<n} x^j / j! for integer n. */
static double gamma_tail(unsigned n, double x) {
  double term = exp(-x), sum = 0;
  for (unsigned j = 0; j < n; j++, term *= x / j) sum += term;
  return sum;
}

static void gamma_matches_for_integer_shapes(void **state) {
  (void)state;
  sfmi_stream *stream = seeded(2);
  for (unsigned n = 1; n <= 7; n += 3) {
    uint64_t counts[CELLS] = {0};
    double right[CELLS], wrong[CELLS], h = (n + 6 * sqrt(n)) / CELLS;
    for (int i = 0; i < DRAWS; i++) {
      double cell = floor(sfmi_idealised_gamma(stream, n) / h);
      if (cell < CELLS) counts[(int)cell]++;
    }
    for (int i = 0; i < CELLS; i++) {
      right[i] = gamma_tail(n, i * h) - gamma_tail(n, (i + 1) * h);
      wrong[i] = gamma_tail(n, i * h / 1.01) - gamma_tail(n, (i + 1) * h / 1.01);
    }
    assert_true(chi_square(counts, right, CELLS, DRAWS) < 1);
    assert_true(chi_square(counts, wrong, CELLS, DRAWS) > 1);
  }
  sfmi_stream_destroy(stream);
}

/* Gamma(1/2) is half the square of a normal: P(X > x) = erfc(sqrt x). */
static void gamma_matches_below_one(void **state) {
  (void)state;
  sfmi_stream *stream = seeded(3);
  uint64_t counts[CELLS] = {0};
  double right[CELLS], wrong[CELLS], h = 0.1;
  for (int i = 0; i < DRAWS; i++) {
    double cell = floor(sfmi_idealised_gamma(stream, 0.5) / h);
    if (cell < CELLS) counts[(int)cell]++;
  }
  for (int i = 0; i < CELLS; i++) {
    right[i] = erfc(sqrt(i * h)) - erfc(sqrt((i + 1) * h));
    wrong[i] = erfc(sqrt(i * h / 1.02)) - erfc(sqrt((i + 1) * h / 1.02));
  }
  assert_true(chi_square(counts, right, CELLS, DRAWS) < 1);
  assert_true(chi_square(counts, wrong, CELLS, DRAWS) > 1);
  sfmi_stream_destroy(stream);
}

/* On the sphere in three dimensions each coordinate is uniform on [-1, 1]. */
static void directions_are_uniform_unit_vectors(void **state) {
  (void)state;
  sfmi_stream *stream = seeded(4);
  uint64_t counts[CELLS] = {0};
  double masses[CELLS], unit[5];
  for (int i = 0; i < CELLS; i++) masses[i] = 1.0 / CELLS;
  for (int i = 0; i < 200000; i++) {
    sfmi_idealised_direction(stream, unit, 3);
    double norm = unit[0] * unit[0] + unit[1] * unit[1] + unit[2] * unit[2];
    assert_true(fabs(norm - 1) < 1e-14);
    counts[(int)fmin(CELLS - 1, floor((unit[i % 3] + 1) * CELLS / 2))]++;
  }
  assert_true(chi_square(counts, masses, CELLS, 200000) < 1);
  sfmi_idealised_direction(stream, unit, 1);
  assert_true(fabs(unit[0]) == 1);
  double u = sfmi_idealised_uniform(stream);
  assert_true(u > 0 && u < 1);
  uint64_t ends[2] = {UINT64_MAX, 0};
  feed(stream, ends, 2);
  assert_true(sfmi_idealised_uniform(stream) < 1);
  assert_true(sfmi_idealised_uniform(stream) > 0);
  sfmi_stream_destroy(stream);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(normal_matches_and_rejects_one_percent),
      cmocka_unit_test(gamma_matches_for_integer_shapes),
      cmocka_unit_test(gamma_matches_below_one),
      cmocka_unit_test(directions_are_uniform_unit_vectors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
