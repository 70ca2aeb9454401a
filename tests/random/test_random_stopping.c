/* test_random_stopping.c - the number of runs of random stopping has the law that its proof needs.
 */
/* suite: release */
#include "random/random_stopping.h"

#include "sampler_checks.h"

enum { CELLS = 400, DRAWS = 200000 };

/* P(k), k from 1, of eta and gamma, by the product itself. */
static void masses_of(double *masses, size_t cells, double eta, double gamma) {
  double weight = 1, sum = 0;
  for (size_t k = 1; k <= 200000; k++) {
    weight *= (1 - gamma) * ((double)(k - 1) + eta) / (double)k;
    sum += weight;
    if (k <= cells) masses[k - 1] = weight;
  }
  for (size_t k = 0; k < cells; k++) masses[k] /= sum;
}

static double statistic(sfmi_stopping_law law, double eta, double gamma, uint64_t seed) {
  static uint64_t counts[CELLS];
  double masses[CELLS];
  sfmi_stream *stream = seeded(seed);
  memset(counts, 0, sizeof counts);
  masses_of(masses, CELLS, eta, gamma);
  for (size_t i = 0; i < DRAWS; i++) {
    const uint64_t k = sfmi_stopping_draw(stream, &law);
    assert_true(k >= 1);
    if (k <= CELLS) counts[k - 1]++;
  }
  sfmi_stream_destroy(stream);
  return chi_square(counts, masses, CELLS, DRAWS);
}

static void the_law(void **state) {
  (void)state;
  const sfmi_stopping_law half = {{1, 2}, {1, 70}}, geometric = {{1, 1}, {1, 20}},
                          small = {{1, 10}, {3, 40}}, sure = {{1, 2}, {1, 1}};
  assert_true(statistic(half, 0.5, 1 / 70.0, 1) < 1);
  assert_true(statistic(geometric, 1, 1 / 20.0, 2) < 1);
  assert_true(statistic(small, 0.1, 3 / 40.0, 3) < 1);
  /* One run for certain. */
  sfmi_stream *stream = seeded(4);
  for (int i = 0; i < 100; i++) assert_int_equal(sfmi_stopping_draw(stream, &sure), 1);
  sfmi_stream_destroy(stream);
}

static void other_laws_are_told_apart(void **state) {
  (void)state;
  const sfmi_stopping_law half = {{1, 2}, {1, 70}};
  assert_true(statistic(half, 0.53, 1 / 70.0, 1) > 1);
  assert_true(statistic(half, 0.5, 1 / 73.0, 1) > 1);
  assert_true(statistic(half, 1, 1 / 70.0, 1) > 1);
}

/* E K = eta (1 - gamma)/(gamma (1 - gamma^eta)), and the generating function is what the proof has
 * of it: f'(x) = E K gamma^(eta+1) (1 - (1-gamma) x)^-(eta+1). */
static void moments(void **state) {
  double masses[CELLS * 50], mean = 0;
  const double eta = 0.5, gamma = 1 / 70.0;
  (void)state;
  masses_of(masses, CELLS * 50, eta, gamma);
  for (size_t k = 0; k < CELLS * 50; k++) mean += (double)(k + 1) * masses[k];
  const double expected = eta * (1 - gamma) / (gamma * (1 - pow(gamma, eta)));
  assert_true(fabs(mean - expected) < 1e-9 * expected);
  for (double x = 0; x <= 1; x += 0.125) {
    double slope = 0;
    for (size_t k = 0; k < CELLS * 50; k++)
      slope += (double)(k + 1) * masses[k] * pow(x, (double)k);
    const double closed = expected * pow(gamma, eta + 1) * pow(1 - (1 - gamma) * x, -eta - 1);
    assert_true(fabs(slope - closed) < 1e-9 * closed);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_law),
      cmocka_unit_test(other_laws_are_told_apart),
      cmocka_unit_test(moments),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
