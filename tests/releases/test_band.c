/* test_band.c - bands cover as often as they say, and a band a quarter narrower would be caught. */
/* suite: release */
#include "band_coverage.h"

static void lattice_bands_cover(void **state) {
  (void)state;
  cover((setting){"lattice", 1, 60, 0.08, 0.2, 0, SFM_NEIGHBOURS_REPLACE, .draws = 2500});
  cover((setting){"lattice, wide", 1, 40, 0.3, 0.2, 0, SFM_NEIGHBOURS_REPLACE, .draws = 2500});
  cover((setting){"plane", 2, 60, 0.2, 0.2, 0, SFM_NEIGHBOURS_REPLACE, .draws = 1200});
}

static void gp_bands_cover(void **state) {
  (void)state;
  cover((setting){"gp", 1, 300, 0.08, 1, 1e-6, SFM_NEIGHBOURS_REPLACE, .draws = 2500});
}

static void add_remove_bands_cover(void **state) {
  (void)state;
  cover((setting){"add-remove", 1, 600, 0.15, 0.5, 0, SFM_NEIGHBOURS_ADD_REMOVE, .draws = 20});
  cover(
      (setting){"gp, add-remove", 1, 600, 0.15, 0.5, 1e-6, SFM_NEIGHBOURS_ADD_REMOVE, .draws = 20});
}

/* When the total may be nothing but noise, the band says so.  Noise passes for a total at one time
 * in a hundred at most: a fifth of the risk is the total's. */
static void a_total_lost_in_noise_has_no_band(void **state) {
  (void)state;
  enum { RELEASES = 200 };
  density_fixture t;
  double rows[3] = {0.1, 0.2, 0.3};
  size_t without = 0, above = 0;
  density_fixture_init(&t, 1, 0, 1, 0.1, 0.01, 0);
  density_fixture_neighbours(&t, SFM_NEIGHBOURS_ADD_REMOVE, 1);
  t.settings.context.seeded = true;
  for (t.settings.context.seed = 0; t.settings.context.seed < RELEASES; t.settings.context.seed++) {
    sfm_release *release = density_fixture_release(&t, rows, 3);
    without += isinf(sfm_release_band(release).half_width);
    above += sfmi_release_total(release) > 0;
    sfm_release_destroy(release);
  }
  print_message("%zu of %d without a band, %zu with a total above zero\n", without, RELEASES,
                above);
  assert_true(without >= 0.99 * RELEASES);
  assert_true(above > RELEASES / 3);
  density_fixture_clear(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lattice_bands_cover),
      cmocka_unit_test(gp_bands_cover),
      cmocka_unit_test(add_remove_bands_cover),
      cmocka_unit_test(a_total_lost_in_noise_has_no_band),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
