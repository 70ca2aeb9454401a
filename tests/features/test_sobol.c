/* test_sobol.c - Sobol points: the first ones as published, and that they fill the cube as evenly
 * as the theory says, which a wrong number in the table would spoil. */
#include "test_support.h"

#include "features/maps/sobol.h"

static double fraction(uint64_t x) {
  return (double)x * 0x1p-64;
}

/* Joe and Kuo's own example of three dimensions. */
static void the_first_points_are_those_published(void **state) {
  (void)state;
  static const double wanted[10][3] = {{0, 0, 0},
                                       {0.5, 0.5, 0.5},
                                       {0.75, 0.25, 0.25},
                                       {0.25, 0.75, 0.75},
                                       {0.375, 0.375, 0.625},
                                       {0.875, 0.875, 0.125},
                                       {0.625, 0.125, 0.875},
                                       {0.125, 0.625, 0.375},
                                       {0.1875, 0.3125, 0.9375},
                                       {0.6875, 0.8125, 0.4375}};
  sfmi_sobol sobol;
  uint64_t x[3];
  sfmi_sobol_init(&sobol, 3);
  for (uint64_t i = 0; i < 10; i++) {
    sfmi_sobol_point(&sobol, x, i);
    for (size_t j = 0; j < 3; j++) assert_true(fraction(x[j]) == wanted[i][j]);
  }
}

/* One point in each interval of length 2^-k of every axis, of every run of 2^k. */
static void every_axis_is_filled_evenly(void **state) {
  (void)state;
  enum { K = 8, COUNT = 1 << K };
  sfmi_sobol sobol;
  uint64_t x[SFMI_SOBOL_MAX];
  sfmi_sobol_init(&sobol, SFMI_SOBOL_MAX);
  for (uint64_t first = 0; first < 4 * COUNT; first += COUNT) {
    uint8_t seen[SFMI_SOBOL_MAX][COUNT] = {{0}};
    for (uint64_t i = 0; i < COUNT; i++) {
      sfmi_sobol_point(&sobol, x, first + i);
      for (size_t j = 0; j < SFMI_SOBOL_MAX; j++) assert_int_equal(seen[j][x[j] >> (64 - K)]++, 0);
    }
  }
}

/* Whether each box of 2^-parts[j] by ... holds as many of the first 2^m points as it should. */
static bool boxes_are_even(const sfmi_sobol *sobol, const unsigned *parts, unsigned m) {
  unsigned sum = 0;
  for (size_t j = 0; j < sobol->dimension; j++) sum += parts[j];
  const size_t boxes = (size_t)1 << sum, each = ((size_t)1 << m) / boxes;
  size_t *counts = calloc(boxes, sizeof *counts);
  uint64_t x[SFMI_SOBOL_MAX];
  bool even = counts != NULL;
  for (uint64_t i = 0; i < (uint64_t)1 << m; i++) {
    size_t box = 0;
    sfmi_sobol_point(sobol, x, i);
    for (size_t j = 0; j < sobol->dimension; j++)
      box = box << parts[j] | (parts[j] ? (size_t)(x[j] >> (64 - parts[j])) : 0);
    counts[box]++;
  }
  for (size_t b = 0; b < boxes; b++) even = even && counts[b] == each;
  free(counts);
  return even;
}

enum { AXES = 5 };

/* All ways of cutting `left` halvings among the axes, AXES at most, from j on. */
static bool all_cuts(const sfmi_sobol *sobol, unsigned *parts, size_t j, unsigned left,
                     unsigned m) {
  if (j >= AXES) return false;
  if (j + 1 == sobol->dimension) {
    parts[j] = left;
    return boxes_are_even(sobol, parts, m);
  }
  bool even = true;
  for (unsigned k = 0; k <= left && even; k++) {
    parts[j] = k;
    even = all_cuts(sobol, parts, j + 1, left - k, m);
  }
  return even;
}

/* (t, m, d)-nets: t is the sum of the degrees less one. */
static void the_first_points_are_a_net(void **state) {
  (void)state;
  static const unsigned t[] = {0, 0, 0, 1, 3, 5};
  enum { M = 9 };
  unsigned parts[AXES];
  sfmi_sobol sobol;
  for (size_t d = 1; d <= AXES; d++) {
    sfmi_sobol_init(&sobol, d);
    assert_true(all_cuts(&sobol, parts, 0, M - t[d], M));
  }
  /* A number that is wrong on purpose. */
  sfmi_sobol_init(&sobol, 2);
  sobol.directions[1][3] = sobol.directions[1][4];
  assert_false(all_cuts(&sobol, parts, 0, M, M));
}

/* Property A: the first bits of the first d direction numbers of the first d axes are a regular
 * matrix over GF(2), which is what the initial numbers were searched for (up to 1111 axes). */
static bool halves_are_distinct(const sfmi_sobol *sobol, size_t d) {
  uint64_t rows[SFMI_SOBOL_MAX] = {0};
  for (size_t j = 0; j < d; j++)
    for (size_t k = 0; k < d; k++) rows[j] |= (sobol->directions[j][k] >> 63) << k;
  for (size_t k = 0, top = 0; k < d; k++, top++) {
    size_t j = top;
    while (j < d && !(rows[j] >> k & 1)) j++;
    if (j == d) return false;
    const uint64_t pivot = rows[j];
    rows[j] = rows[top];
    rows[top] = pivot;
    for (size_t i = top + 1; i < d; i++)
      if (rows[i] >> k & 1) rows[i] ^= pivot;
  }
  return true;
}

static void every_orthant_has_a_point(void **state) {
  (void)state;
  sfmi_sobol sobol;
  sfmi_sobol_init(&sobol, SFMI_SOBOL_MAX);
  for (size_t d = 1; d <= SFMI_SOBOL_MAX; d++) assert_true(halves_are_distinct(&sobol, d));
  memcpy(sobol.directions[40], sobol.directions[17], sizeof sobol.directions[17]);
  assert_false(halves_are_distinct(&sobol, 41));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_first_points_are_those_published),
      cmocka_unit_test(every_axis_is_filled_evenly),
      cmocka_unit_test(the_first_points_are_a_net),
      cmocka_unit_test(every_orthant_has_a_point),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
