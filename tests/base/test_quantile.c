/* test_quantile.c - quantiles of draws, by sorting and by selection. */
#include "test_support.h"

#include "base/math/quantile.h"
#include "base/math/sort.h"

/* By sorting. */
static double quantile_above(const double *sorted, size_t draws, double confidence) {
  const double n = (double)draws;
  const double rank = ceil(confidence * n + 2.33 * sqrt(confidence * (1 - confidence) * n));
  return rank < n ? sorted[(size_t)rank] : INFINITY;
}

/* Draws of few values, so that many are equal; in order, against it, and in none. */
static void selection_finds_what_sorting_does(void **state) {
  (void)state;
  enum { MOST = 300 };
  static const double confidences[] = {0, 0.1, 0.5, 0.9, 0.99};
  double draws[MOST], sorted[MOST], given[MOST];
  sfmi_prng prng;
  sfmi_prng_init(&prng, 81);
  size_t finite = 0;
  for (size_t count = 1; count <= MOST; count += count < 20 ? 1 : 13)
    for (int kind = 0; kind < 4; kind++) {
      for (size_t i = 0; i < count; i++)
        draws[i] = kind == 0   ? floor(4 * sfmi_prng_uniform(&prng))
                   : kind == 1 ? (double)i
                   : kind == 2 ? -(double)i
                               : sfmi_prng_normal(&prng);
      memcpy(sorted, draws, sizeof draws);
      sfmi_sort_doubles(sorted, count);
      for (size_t c = 0; c < sizeof confidences / sizeof *confidences; c++) {
        memcpy(given, draws, sizeof draws);
        const double wanted = quantile_above(sorted, count, confidences[c]);
        assert_true(sfmi_quantile_select(given, count, confidences[c]) == wanted);
        finite += isfinite(wanted);
        /* Nothing was lost on the way. */
        sfmi_sort_doubles(given, count);
        assert_memory_equal(given, sorted, count * sizeof *given);
      }
    }
  assert_true(finite > 400);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(selection_finds_what_sorting_does)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
