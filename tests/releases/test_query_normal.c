/* test_query_normal.c - intervals under normal noise, and of Fourier coefficients, hold as often as
 * they promise, and narrower ones would be caught. */
/* suite: release */
#include "query_coverage.h"

static void gp_intervals_cover(void **state) {
  (void)state;
  cover((setting){"gp", 1000, 0.4, 1, 1e-6, SFM_BOUNDARY_OPEN, SFM_NEIGHBOURS_REPLACE,
                  SFM_DENSITY_GP, 0, false});
  cover((setting){"gp, reflect", 1000, 0.4, 1, 1e-6, SFM_BOUNDARY_REFLECT, SFM_NEIGHBOURS_REPLACE,
                  SFM_DENSITY_GP, 0, false});
}

static void lattice_intervals_cover(void **state) {
  (void)state;
  cover((setting){"lattice", 1000, 0.4, 1, 1e-6, SFM_BOUNDARY_OPEN, SFM_NEIGHBOURS_REPLACE,
                  SFM_DENSITY_LATTICE, 0, false});
  if (!test_long()) return;
  cover((setting){"lattice, periodic", 1000, 0.4, 1, 1e-6, SFM_BOUNDARY_PERIODIC,
                  SFM_NEIGHBOURS_REPLACE, SFM_DENSITY_LATTICE, 0, false});
}

static void fourier_intervals_cover(void **state) {
  (void)state;
  const sfm_density_method fourier = SFM_DENSITY_FOURIER_LAPLACE;
  cover((setting){"fourier", 1000, 0.4, 1, 0, SFM_BOUNDARY_OPEN, SFM_NEIGHBOURS_REPLACE, fourier,
                  16, false});
  if (!test_long()) return;
  cover((setting){"few", 1000, 0.4, 1, 0, SFM_BOUNDARY_OPEN, SFM_NEIGHBOURS_REPLACE, fourier, 0,
                  true});
  cover((setting){"ring", 1000, 0.4, 1, 0, SFM_BOUNDARY_PERIODIC, SFM_NEIGHBOURS_REPLACE, fourier,
                  8, false});
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gp_intervals_cover),
      cmocka_unit_test(lattice_intervals_cover),
      cmocka_unit_test(fourier_intervals_cover),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
