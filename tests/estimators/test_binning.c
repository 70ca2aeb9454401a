/* test_binning.c - bins by the edges that are printed. */
#include "estimators/tables/binning.h"
#include "test_support.h"

/* The definition. */
static uint64_t searched(const sfmi_binning *bins, double x) {
  uint64_t k = 0;
  while (k + 1 < bins->size && sfmi_bin_edge(bins, k + 1) <= x) k++;
  return k;
}

static void whole_numbers_are_in_the_bin_above_their_edge(void **state) {
  (void)state;
  for (uint64_t size = 1; size <= 300; size++) {
    const sfmi_binning bins = {0, (double)size, size};
    for (uint64_t k = 0; k < size; k++) assert_int_equal(sfmi_bin_of(&bins, (double)k), k);
    assert_int_equal(sfmi_bin_of(&bins, (double)size), size - 1);
    assert_int_equal(sfmi_bin_of(&bins, nextafter((double)size, 0)), size - 1);
  }
  const sfmi_binning ages = {0, 100, 20};
  for (int age = 0; age < 100; age++) assert_int_equal(sfmi_bin_of(&ages, age), age / 5);
}

/* On every edge, and a hair to its left and right. */
static void check_edges(const sfmi_binning *bins) {
  assert_true(sfmi_binning_fits(bins));
  for (uint64_t k = 0; k < bins->size; k++) {
    const double edge = sfmi_bin_edge(bins, k);
    assert_true(edge < sfmi_bin_edge(bins, k + 1));
    assert_int_equal(sfmi_bin_of(bins, edge), k);
    assert_int_equal(sfmi_bin_of(bins, nextafter(edge, INFINITY)), k);
    if (k) assert_int_equal(sfmi_bin_of(bins, nextafter(edge, -INFINITY)), k - 1);
  }
}

static void edges_decide_exactly(void **state) {
  (void)state;
  static const sfmi_binning some[] = {{0, 1, 7},
                                      {0, 1, 100},
                                      {-3.7, 1e3, 999},
                                      {1e15, 1e15 + 1000, 500},
                                      {-1e-290, 1e-290, 63},
                                      {-8e307, 8e307, 1},
                                      {0.1, 0.3, 11},
                                      {123456.789, 123456.790, 1000}};
  for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) check_edges(&some[i]);
}

static void any_number_is_where_the_definition_says(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 3);
  for (int round = 0; round < 400; round++) {
    const double lower = 200 * sfmi_prng_uniform(&prng) - 100;
    const sfmi_binning bins = {lower, lower + exp(20 * sfmi_prng_uniform(&prng) - 10),
                               1 + (uint64_t)(500 * sfmi_prng_uniform(&prng))};
    if (!sfmi_binning_fits(&bins)) continue;
    uint64_t before = 0;
    for (int k = 0; k <= 200; k++) {
      const double x = k == 200 ? bins.upper : bins.lower + k / 200.0 * (bins.upper - bins.lower);
      const uint64_t bin = sfmi_bin_of(&bins, x);
      assert_int_equal(bin, searched(&bins, x));
      assert_true(bin >= before && bin < bins.size);
      before = bin;
    }
  }
}

static void bins_that_doubles_cannot_tell_apart_do_not_fit(void **state) {
  (void)state;
  static const sfmi_binning bad[] = {{1e16, 1e16 + 4, 2},
                                     {0, 5e-324, 1},
                                     {0, 1e308, (uint64_t)1 << 31},
                                     {-1e308, 1e308, 2},
                                     {1, 1 + 0x1p-50, 4}};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) assert_false(sfmi_binning_fits(&bad[i]));
  assert_true(sfmi_binning_fits(&(sfmi_binning){0, 100, (uint64_t)1 << 31}));
}

static void labels_tell_neighbours_apart(void **state) {
  (void)state;
  char text[100], next[100];
  const sfmi_binning ages = {0, 100, 20}, far = {1e14, 1e14 + 10, 100};
  assert_int_equal(sfmi_bin_label(&ages, text, sizeof text, 4), 5);
  assert_string_equal(text, "20:25");
  for (uint64_t k = 0; k + 1 < far.size; k++) {
    sfmi_bin_label(&far, text, sizeof text, k);
    sfmi_bin_label(&far, next, sizeof next, k + 1);
    assert_string_not_equal(text, next);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(whole_numbers_are_in_the_bin_above_their_edge),
      cmocka_unit_test(edges_decide_exactly),
      cmocka_unit_test(any_number_is_where_the_definition_says),
      cmocka_unit_test(bins_that_doubles_cannot_tell_apart_do_not_fit),
      cmocka_unit_test(labels_tell_neighbours_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
