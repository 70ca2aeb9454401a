/* test_band_boundary.c - the same of lattices that reflect and wrap, of normal noise, and of noises
 * that were added up. */
/* suite: release */
#include "band_coverage.h"

static void bands_of_rings_cover(void **state) {
  (void)state;
  cover((setting){"reflect", 1, 60, 0.08, 0.2, 0, SFM_NEIGHBOURS_REPLACE, .draws = 2500,
                  .boundary = {SFM_BOUNDARY_REFLECT}});
  cover((setting){"periodic", 1, 60, 0.1, 0.2, 0, SFM_NEIGHBOURS_REPLACE, .draws = 2500,
                  .boundary = {SFM_BOUNDARY_PERIODIC}});
  cover((setting){"reflect, wide", 1, 60, 0.6, 0.2, 0, SFM_NEIGHBOURS_REPLACE, .draws = 2500,
                  .boundary = {SFM_BOUNDARY_REFLECT}});
  cover((setting){"reflect x periodic", 2, 60, 0.2, 0.2, 0, SFM_NEIGHBOURS_REPLACE, 1000,
                  .boundary = {SFM_BOUNDARY_REFLECT, SFM_BOUNDARY_PERIODIC}});
}

static void bands_of_normal_lattices_cover(void **state) {
  (void)state;
  cover((setting){"normal", 1, 300, 0.08, 1, 1e-6, SFM_NEIGHBOURS_REPLACE, 2500,
                  .noise = SFM_DENSITY_NOISE_NORMAL});
  cover((setting){"normal, reflect", 1, 300, 0.08, 1, 1e-6, SFM_NEIGHBOURS_REPLACE, 2500,
                  .boundary = {SFM_BOUNDARY_REFLECT}, .noise = SFM_DENSITY_NOISE_NORMAL});
}

static void bands_of_processes_that_reflect_cover(void **state) {
  (void)state;
  const sfm_boundary reflect = SFM_BOUNDARY_REFLECT;
  cover((setting){"gp, reflect", 1, 300, 0.08, 1, 1e-6, SFM_NEIGHBOURS_REPLACE, 2500,
                  .boundary = {reflect}});
  cover((setting){"gp, reflect, wide", 1, 300, 0.7, 1, 1e-6, SFM_NEIGHBOURS_REPLACE, 2500,
                  .boundary = {reflect}});
  cover((setting){"gp, reflect x open", 2, 300, 0.2, 1, 1e-6, SFM_NEIGHBOURS_REPLACE, 1000,
                  .boundary = {reflect, SFM_BOUNDARY_OPEN}});
}

/* As of marginals: every coefficient has the noises of many. */
static void bands_of_sums_cover(void **state) {
  (void)state;
  cover((setting){"sums of 5", 1, 60, 0.08, 0.2, 0, SFM_NEIGHBOURS_REPLACE, .draws = 1500,
                  .summed = 5});
  cover((setting){"normal sums of 4", 1, 60, 0.1, 1, 1e-6, SFM_NEIGHBOURS_REPLACE, 1500,
                  .boundary = {SFM_BOUNDARY_PERIODIC}, .noise = SFM_DENSITY_NOISE_NORMAL,
                  .summed = 4});
}

static void add_remove_bands_of_rings_cover(void **state) {
  (void)state;
  cover((setting){"reflect, add-remove", 1, 600, 0.15, 0.5, 0, SFM_NEIGHBOURS_ADD_REMOVE, 20,
                  .boundary = {SFM_BOUNDARY_REFLECT}});
  cover((setting){"gp, reflect, add-remove", 1, 600, 0.15, 0.5, 1e-6, SFM_NEIGHBOURS_ADD_REMOVE, 20,
                  .boundary = {SFM_BOUNDARY_REFLECT}});
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bands_of_rings_cover),
      cmocka_unit_test(bands_of_normal_lattices_cover),
      cmocka_unit_test(bands_of_processes_that_reflect_cover),
      cmocka_unit_test(bands_of_sums_cover),
      cmocka_unit_test(add_remove_bands_of_rings_cover),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
