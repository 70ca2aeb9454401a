/* test_point_net.c - nets of public points: lattices to their bounds, Sobol points beyond three
 * inputs, categories one at a time, and what has no net. */
#include "test_support.h"

#include "encoding_fixtures.h"
#include "features/maps/point_net.h"

static void begin(sfmi_encoding *encoding) {
  sfm_error error;
  assert_ok(sfmi_encoding_complete(encoding, &error), &error);
}

static sfmi_net net_of(const sfmi_encoding *encoding, size_t size) {
  sfmi_net net;
  sfm_error error;
  assert_ok(sfmi_net_init(&net, encoding, size, &error), &error);
  for (size_t p = 0; p < net.count; p++) {
    double square = 0;
    for (size_t i = net.starts[p]; i < net.starts[p + 1]; i++) {
      double lower, upper;
      sfmi_encoding_range(encoding, &lower, &upper, net.indices[i]);
      assert_true(net.values[i] >= lower && net.values[i] <= upper && net.values[i] != 0);
      assert_true(i == net.starts[p] || net.indices[i] > net.indices[i - 1]);
      square += net.values[i] * net.values[i];
    }
    assert_true(square <= encoding->radius * encoding->radius * (1 + 1e-12));
  }
  return net;
}

/* Coordinate i of point p. */
static double at(const sfmi_net *net, size_t p, uint32_t i) {
  for (size_t k = net->starts[p]; k < net->starts[p + 1]; k++)
    if (net->indices[k] == i) return net->values[k];
  return 0;
}

static void few_columns_have_a_lattice(void **state) {
  (void)state;
  for (size_t d = 1; d <= 3; d++) {
    sfmi_encoding encoding = {.scaling = SFM_SCALING_UNIT, .clip = INFINITY};
    static const char *const names[] = {"a", "b", "c"};
    for (size_t i = 0; i < d; i++) encode_number(&encoding, names[i], -3, 7);
    begin(&encoding);
    sfmi_net net = net_of(&encoding, 1000);
    const size_t side = d == 1 ? 1000 : d == 2 ? 31 : 10;
    assert_true(net.lattice);
    assert_int_equal(net.count, d == 1 ? 1000 : d == 2 ? 961 : 1000);
    for (size_t i = 0; i < d; i++) assert_int_equal(net.grid[i], side);
    /* Corners are points, and neighbours along the last axis are equally far apart. */
    for (uint32_t i = 0; i < d; i++) {
      assert_true(at(&net, 0, i) == -1 && at(&net, net.count - 1, i) == 1);
      assert_near("spacing", at(&net, 1, (uint32_t)d - 1) - at(&net, 0, (uint32_t)d - 1),
                  2.0 / (double)(side - 1), 1e-12);
    }
    sfmi_net_clear(&net);
    sfmi_encoding_clear(&encoding);
  }
}

static void more_columns_have_sobol_points(void **state) {
  (void)state;
  sfmi_encoding encoding = {.scaling = SFM_SCALING_NONE, .clip = INFINITY};
  encode_number(&encoding, "a", 0, 1);
  encode_number(&encoding, "b", 0, 1);
  encode_categories(&encoding, "c", (const char *const[]){"x", "y"}, 2);
  encode_number(&encoding, "d", 2, 4);
  begin(&encoding);
  sfmi_net net = net_of(&encoding, 64);
  size_t categories[2] = {0}, seen[64] = {0};
  assert_true(!net.lattice && net.count == 64);
  for (size_t p = 0; p < 64; p++) {
    seen[(size_t)(at(&net, p, 0) * 64)]++;
    assert_true(at(&net, p, 2) + at(&net, p, 3) == 1);
    categories[at(&net, p, 3) == 1]++;
  }
  for (size_t i = 0; i < 64; i++) assert_int_equal(seen[i], 1);
  assert_true(categories[0] == 32 && categories[1] == 32);
  sfmi_net_clear(&net);
  sfmi_encoding_clear(&encoding);
}

static void categories_of_a_lattice_are_all_there(void **state) {
  (void)state;
  sfmi_encoding encoding = {.scaling = SFM_SCALING_BALL, .clip = INFINITY};
  encode_categories(&encoding, "c", (const char *const[]){"x", "y", "z"}, 3);
  encode_number(&encoding, "a", 0, 1);
  begin(&encoding);
  sfmi_net net = net_of(&encoding, 30);
  assert_true(net.lattice && net.count == 30 && net.grid[0] == 3 && net.grid[1] == 10);
  for (size_t p = 0; p < 30; p++)
    for (uint32_t k = 0; k < 3; k++) assert_true((at(&net, p, k) > 0) == (p / 10 == k));
  sfmi_net_clear(&net);
  /* More categories than points: Sobol. */
  net = net_of(&encoding, 2);
  assert_true(!net.lattice && net.count == 2);
  sfmi_net_clear(&net);
  sfmi_encoding_clear(&encoding);
}

static void sparse_rows_and_clipped_ones_have_nets_too(void **state) {
  (void)state;
  sfmi_encoding encoding = {.dimension = 5,
                            .bounded = true,
                            .lower = 0,
                            .upper = 2,
                            .scaling = SFM_SCALING_NONE,
                            .clip = 1};
  begin(&encoding);
  sfmi_net net = net_of(&encoding, 0);
  assert_int_equal(net.count, 4096);
  sfmi_net_clear(&net);
  sfmi_encoding_clear(&encoding);
}

static void refused(const sfmi_encoding *encoding, size_t size, const char *part) {
  sfmi_net net;
  sfm_error error;
  assert_int_equal(sfmi_net_init(&net, encoding, size, &error), SFM_INVALID);
  if (!strstr(error.message, part)) fail_msg("'%s' lacks '%s'", error.message, part);
}

static void what_has_no_net_is_refused(void **state) {
  (void)state;
  sfmi_encoding open = {.scaling = SFM_SCALING_UNIT, .clip = 1}, many = {.scaling = 0, .clip = 1};
  encode_number(&open, "a", NAN, NAN);
  begin(&open);
  refused(&open, 0, "bounds");
  sfmi_encoding_clear(&open);
  char name[16];
  for (int i = 0; i < 54; i++) {
    snprintf(name, sizeof name, "c%d", i);
    encode_number(&many, name, 0, 1);
  }
  begin(&many);
  refused(&many, 0, "at most 53");
  sfmi_encoding_clear(&many);
  sfmi_encoding one = {.scaling = SFM_SCALING_UNIT, .clip = INFINITY};
  encode_number(&one, "a", 0, 1);
  begin(&one);
  refused(&one, 1, "2 to 65536");
  refused(&one, 65537, "settings.net = 4096");
  sfmi_encoding_clear(&one);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(few_columns_have_a_lattice),
      cmocka_unit_test(more_columns_have_sobol_points),
      cmocka_unit_test(categories_of_a_lattice_are_all_there),
      cmocka_unit_test(sparse_rows_and_clipped_ones_have_nets_too),
      cmocka_unit_test(what_has_no_net_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
