/* test_query_normal.c - intervals under normal noise hold as often as they promise, and narrower
 * ones would be caught. */
#include "question.h"

static void gp_intervals_cover(void **state) {
  (void)state;
  cover((setting){"gp", 1000, 0.4, 1, 1e-6, SFM_OPEN, SFM_REPLACE, SFM_DENSITY_GP, 0, false});
}

static void lattice_intervals_cover(void **state) {
  (void)state;
  cover((setting){"lattice", 1000, 0.4, 1, 1e-6, SFM_OPEN, SFM_REPLACE, SFM_DENSITY_LATTICE, 0,
                  false});
  if (!trial_long()) return;
  cover((setting){"lattice, periodic", 1000, 0.4, 1, 1e-6, SFM_PERIODIC, SFM_REPLACE,
                  SFM_DENSITY_LATTICE, 0, false});
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gp_intervals_cover),
      cmocka_unit_test(lattice_intervals_cover),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
