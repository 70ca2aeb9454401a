/* test_audit_gp_exact.c - values at places, attacked without drawing: an engine is a linear map of
 * normals, so what two inputs can be told apart by is a number, and it must not pass mu. */
/* suite: release */
#include "audit/support/gp_audit.h"
#include "audit/support/hardened_audit.h"
#include "features/kernels/kernel.h"
#include "fields/sequential_field.h"

/* What the audit would find with endless draws, as a part of mu: C is read off the engine. */
static double reached(const density_fixture *t, const double *from, const double *to, size_t rows) {
  gp_audit e;
  gp_audit_init_density(&e, t, (const double *[]){from, to}, rows);
  gp_audit_arm(&e);
  const double part = gp_audit_mu(&e) / e.mu;
  gp_audit_clear(&e);
  return part;
}

static void assert_covered(const char *what, const density_fixture *t, double from, double to) {
  const double part = reached(t, &from, &to, 1);
  if (!(part <= 1 + 1e-9))
    fail_msg("%s by %s, %s: %.9g of mu", sfm_kernel_family_name(t->settings.kernel),
             sfm_engine_name(t->settings.engine), what, part);
}

static const sfm_kernel_family FAMILIES[] = {SFM_KERNEL_GAUSSIAN, SFM_KERNEL_LAPLACIAN,
                                             SFM_KERNEL_MATERN32, SFM_KERNEL_MATERN52,
                                             SFM_KERNEL_CAUCHY};
enum { FAMILY_COUNT = sizeof FAMILIES / sizeof *FAMILIES };

static bool drawn(sfm_engine engine, sfm_kernel_family family) {
  const sfm_kernel kernel = {.family = family, .dimension = 1, .bandwidth = (double[]){1}};
  return engine != SFM_ENGINE_MARKOV || sfmi_kernel_markov(&kernel);
}

/* Places of a grid are rounded numbers.  Far from zero beside their spacing and the bandwidth (as
 * far as bounds may be) they are not equidistant, and values are those at the rounded ones. */
static void grids_far_from_zero_are_covered(void **state) {
  (void)state;
  const size_t places = test_long() ? 500 : 160;
  for (size_t k = 0; k < FAMILY_COUNT; k++)
    for (sfm_engine engine = SFM_ENGINE_CIRCULANT; engine <= SFM_ENGINE_GRAM; engine++) {
      if (!drawn(engine, FAMILIES[k])) continue;
      const double h = 1.1e-3, lower = 1e9, upper = lower + 4 * h;
      density_fixture t;
      density_fixture_init(&t, 1, lower, upper, h, 2, 0.1);
      t.settings.kernel = FAMILIES[k];
      t.settings.engine = engine;
      t.settings.release_grid[0] = places;
      assert_covered("far from zero, the ends", &t, lower, upper);
      if (test_long()) assert_covered("far from zero, within", &t, lower + h, upper - 1.3 * h);
      density_fixture_clear(&t);
    }
}

/* Places at every distance from 1 to the last bit, around 4. */
enum { CROWD = 107 };

static void fill_crowd(double *points) {
  size_t count = 0;
  for (int k = 0; k < 52; k++) {
    points[count++] = 4 + ldexp(1, -k);
    points[count++] = 4 - ldexp(1.25, -k);
  }
  points[count++] = 4;
  points[count++] = 0;
  points[count++] = 8;
}

static void places_at_every_distance_are_covered(void **state) {
  (void)state;
  double points[CROWD + 1];
  fill_crowd(points);
  points[CROWD] = 4; /* again */
  for (size_t k = 0; k < FAMILY_COUNT; k++)
    for (sfm_engine engine = SFM_ENGINE_MARKOV; engine <= SFM_ENGINE_GRAM; engine++) {
      if (!drawn(engine, FAMILIES[k])) continue;
      density_fixture t = gp_audit_line(engine, FAMILIES[k], 1);
      gp_audit_at(&t, points, CROWD + 1);
      assert_covered("a row where places crowd", &t, 4, 0);
      assert_covered("a row beside them", &t, 4 - 0x1p-7, 8);
      assert_covered("two rows among them", &t, 4, 4 + 0x1p-5);
      density_fixture_clear(&t);
    }
}

/* What a session by gram makes of the normals of its answers, when it is closed and opened again
 * every so often: each time its factor is made anew, and rounded otherwise. */
static void answer(double *values, const gp_audit *e, const double *points, const double *normals) {
  enum { OFTEN = 7 };
  sfm_error error;
  sfmi_sequential_field *extension = NULL;
  for (size_t i = 0; i < CROWD; i++) {
    if (i % OFTEN == 0) {
      sfmi_sequential_field_destroy(extension);
      assert_ok(sfmi_sequential_field_create(&extension, &e->kernel, e->nugget, &error), &error);
      assert_ok(sfmi_sequential_field_load(extension, points, normals, i, &error), &error);
    }
    assert_ok(sfmi_sequential_field_add(extension, &values[i], &points[i], &normals[i], 1, &error),
              &error);
  }
  sfmi_sequential_field_destroy(extension);
}

static void sessions_that_restart_are_covered(void **state) {
  (void)state;
  double points[CROWD], values[CROWD];
  fill_crowd(points);
  for (size_t k = 0; k < FAMILY_COUNT; k++) {
    density_fixture t = gp_audit_line(SFM_ENGINE_GRAM, FAMILIES[k], 1);
    gp_audit e;
    gp_audit_at(&t, points, CROWD);
    gp_audit_init_density(&e, &t, (const double *[]){(double[]){4}, (double[]){0}}, 1);
    e.factor = calloc(CROWD * CROWD, sizeof *e.factor);
    e.normals = CROWD;
    assert_non_null(e.factor);
    for (size_t j = 0; j < CROWD; j++) {
      double normals[CROWD] = {0};
      normals[j] = 1;
      answer(values, &e, points, normals);
      for (size_t i = 0; i < CROWD; i++) e.factor[i * CROWD + j] = values[i];
    }
    gp_audit_arm(&e);
    if (!(gp_audit_mu(&e) <= e.mu * (1 + 1e-9)))
      fail_msg("%s: %.12g of mu", sfm_kernel_family_name(FAMILIES[k]), gp_audit_mu(&e) / e.mu);
    gp_audit_clear(&e);
    density_fixture_clear(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(grids_far_from_zero_are_covered),
      cmocka_unit_test(places_at_every_distance_are_covered),
      cmocka_unit_test(sessions_that_restart_are_covered),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
