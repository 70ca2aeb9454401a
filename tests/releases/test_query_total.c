/* test_query_total.c - where the number of records is not public, it cancels: intervals hold as
 * often as they promise, and narrower ones would be caught. */
/* suite: release */
#include "query_coverage.h"

static void add_remove_intervals_cover(void **state) {
  (void)state;
  cover((setting){"lattice", 400, 0.4, 0.3, 0, SFM_BOUNDARY_OPEN, SFM_NEIGHBOURS_ADD_REMOVE,
                  SFM_DENSITY_LATTICE, 0, false});
  cover((setting){"gp", 1000, 0.4, 1, 1e-6, SFM_BOUNDARY_OPEN, SFM_NEIGHBOURS_ADD_REMOVE,
                  SFM_DENSITY_GP, 0, false});
  if (!test_long()) return;
  cover((setting){"periodic", 400, 0.4, 0.3, 0, SFM_BOUNDARY_PERIODIC, SFM_NEIGHBOURS_ADD_REMOVE,
                  SFM_DENSITY_LATTICE, 0, false});
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(add_remove_intervals_cover),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
