/* test_normal_distribution.c - the normal's tail and its inverse against 40-digit values. */
#include "test_support.h"

#include "base/math/normal_distribution.h"

static const double known[][2] = {
    {0.5, 0},
    {0.25, 0.674489750196081743},
    {0.025, 1.95996398454005421},
    {1e-3, 3.09023230616781354},
    {1e-6, 4.75342430882289896},
    {1e-12, 7.03448382530113193},
    {1e-14, 7.65062809293526882},
    {1e-20, 9.26234008979840758},
    {1e-100, 21.2734535609653243},
    {1e-300, 37.0470962993611992},
    {0.9, -1.28155156554460059},
    {0.999999, -4.75342430881708777},
};

static void inverse_has_known_values(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    assert_near("tail inverse", sfmi_normal_tail_inverse(known[i][0]), known[i][1],
                1e-13 * (1 + fabs(known[i][1])));
}

static void inverse_undoes_the_tail(void **state) {
  (void)state;
  for (double x = -5; x < 37; x += 0.01)
    assert_near("inverse of tail", sfmi_normal_tail_inverse(sfmi_normal_tail(x)), x,
                x < 0 ? 1e-9 : 1e-12 * (1 + x));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inverse_has_known_values),
      cmocka_unit_test(inverse_undoes_the_tail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
