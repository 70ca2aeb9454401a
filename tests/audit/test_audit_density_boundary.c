/* test_audit_density_boundary.c - lattices that reflect and wrap, and lattices with normal noise:
 * attacked on their worst neighbours, beside twins that are wrong on purpose. */
/* suite: release */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "audit/support/hardened_audit.h"
#include "estimators/lattice/lattice_sensitivity.h"
#include "estimators/sums/torus_sums.h"

/* Three people; one of them sits on a bound, and moves to the other or to the middle. */
static const double LOW[] = {0, 5, 5}, HIGH[] = {10, 5, 5}, MIDDLE[] = {4, 9, 9},
                    START[] = {0, 9, 9}, NOT_A_NUMBER[] = {NAN, 5, 5}, FAR[] = {-1e300, 5, 5};

static density_problem ring(sfm_boundary boundary, const double *from, const double *to) {
  return (density_problem){.method = SFM_DENSITY_LATTICE,
                           .dimension = 1,
                           .width = 10,
                           .order = 2,
                           .boundary = boundary,
                           .neighbours = SFM_NEIGHBOURS_REPLACE,
                           .contributions = 1,
                           .epsilon = 1,
                           .rows = {from, to},
                           .count = {3, 3}};
}

/* The worst neighbours of normal noise sit where a row spreads least: on lattice points, on bounds
 * that reflect. */
static density_problem normal(sfm_boundary boundary, const double *from, const double *to) {
  density_problem p = ring(boundary, from, to);
  p.order = 0;
  p.noise = SFM_DENSITY_NOISE_NORMAL;
  p.epsilon = 2;
  p.delta = 0.1;
  return p;
}

static void rings_keep_epsilon(void **state) {
  (void)state;
  density_problem p = ring(SFM_BOUNDARY_REFLECT, LOW, HIGH);
  hardened_audit_density_honest("lattice that reflects, from bound to bound", &p,
                                audit_share(0.8, 0.95));
  p.order = 0;
  hardened_audit_density_honest("lattice that reflects, as planned", &p, audit_share(0.6, 0.85));
  p = ring(SFM_BOUNDARY_REFLECT, LOW, NOT_A_NUMBER);
  hardened_audit_density_honest("lattice that reflects, a row that is NaN", &p,
                                audit_share(0.4, 0.475));
  p = ring(SFM_BOUNDARY_REFLECT, LOW, FAR); /* clamped to where it was: nothing to see */
  hardened_audit_density_honest("lattice that reflects, far below its bound", &p, 0);
  p = ring(SFM_BOUNDARY_PERIODIC, LOW, HIGH); /* the same place of the ring */
  hardened_audit_density_honest("periodic lattice, from bound to bound", &p, 0);
  p = ring(SFM_BOUNDARY_PERIODIC, START, MIDDLE);
  p.order = 0;
  hardened_audit_density_honest("periodic lattice, a row moved", &p, audit_share(0.6, 0.85));
  static const double across[] = {7.5, 9, 9}; /* half a period on */
  p.rows[1] = across;
  p.period = 5;
  hardened_audit_density_honest("periodic lattice of two periods", &p, audit_share(0.6, 0.8));
}

static void normal_lattices_keep_epsilon_and_delta(void **state) {
  (void)state;
  density_problem p = normal(SFM_BOUNDARY_OPEN, LOW, HIGH);
  hardened_audit_density_honest("normal lattice, a row moved", &p, audit_share(0.8, 0.95));
  p = normal(SFM_BOUNDARY_REFLECT, LOW, HIGH);
  hardened_audit_density_honest("normal lattice that reflects", &p, audit_share(0.8, 0.95));
  p = normal(SFM_BOUNDARY_OPEN, LOW, NOT_A_NUMBER); /* sqrt 2 nearer */
  hardened_audit_density_honest("normal lattice, a row that is NaN", &p, audit_share(0.4, 0.5));
  p = normal(SFM_BOUNDARY_OPEN, (double[]){0, 0, 0}, (double[]){10, 10, 10});
  p.contributions = 3;
  hardened_audit_density_honest("normal lattice, three rows of one person", &p,
                                audit_share(0.8, 0.95));
  p = normal(SFM_BOUNDARY_OPEN, LOW, LOW + 1);
  p.neighbours = SFM_NEIGHBOURS_ADD_REMOVE;
  p.count[1] = 2;
  hardened_audit_density_honest("normal lattice, a row removed (add-remove)", &p,
                                audit_share(0.8, 0.95));
  static const double corner[] = {0, 0, 2, 2}, across[] = {4, 4, 2, 2};
  p = normal(SFM_BOUNDARY_REFLECT, corner, across);
  p.dimension = 2;
  p.width = 4;
  p.count[0] = p.count[1] = 2;
  hardened_audit_density_honest("normal lattice that reflects, in two dimensions", &p,
                                audit_share(0.8, 0.95));
}

/* A gp on six bandwidths, where two people at the bounds are orthogonal; and on one, where they are
 * not, and a row is as far from none as from another. */
static density_problem process(const double *from, const double *to, double width) {
  return (density_problem){.method = SFM_DENSITY_GP,
                           .dimension = 1,
                           .width = width,
                           .boundary = SFM_BOUNDARY_REFLECT,
                           .neighbours = SFM_NEIGHBOURS_REPLACE,
                           .contributions = 1,
                           .epsilon = 2,
                           .delta = 0.1,
                           .rows = {from, to},
                           .count = {3, 3}};
}

static void processes_keep_epsilon_and_delta(void **state) {
  (void)state;
  density_problem p = process((double[]){0, 3, 3}, (double[]){6, 3, 3}, 6);
  hardened_audit_density_honest("gp that reflects, from bound to bound", &p,
                                audit_share(0.8, 0.95));
  p = process((double[]){2, 3, 3}, (double[]){4, 3, 3}, 6); /* away from the bounds */
  hardened_audit_density_honest("gp that reflects, in the middle", &p, audit_share(0.3, 0.4));
  p = process((double[]){0, 3, 3}, (double[]){NAN, 3, 3}, 6); /* sqrt 2 nearer */
  hardened_audit_density_honest("gp that reflects, a row that is NaN", &p, audit_share(0.4, 0.5));
  p = process((double[]){0, 0.5, 0.5}, (double[]){NAN, 0.5, 0.5}, 1);
  hardened_audit_density_honest("gp that reflects, wide, a row that is NaN", &p,
                                audit_share(0.8, 0.95));
  p = process((double[]){0, 0, 0}, (double[]){6, 6, 6}, 6);
  p.contributions = 3;
  hardened_audit_density_honest("gp that reflects, three rows of one person", &p,
                                audit_share(0.8, 0.95));
  p = process((double[]){0, 3, 3}, (double[]){3, 3}, 6);
  p.neighbours = SFM_NEIGHBOURS_ADD_REMOVE;
  p.count[1] = 2;
  hardened_audit_density_honest("gp that reflects, a row removed (add-remove)", &p,
                                audit_share(0.8, 0.95));
  static const double corner[] = {0, 0, 3, 3}, across[] = {6, 6, 3, 3};
  p = process(corner, across, 6);
  p.dimension = 2;
  p.count[0] = p.count[1] = 2;
  hardened_audit_density_honest("gp that reflects, in two dimensions", &p, audit_share(0.8, 0.95));
}

/* --- Twins.  Each is wrong in one step, and must be caught. --- */

/* WRONG: what a bound reflects is added to the row, instead of being the part of it that would lie
 * beyond; a row on the bound then has twice its mass. */
static void a_twin_that_adds_its_mirror_image_is_caught(void **state) {
  (void)state;
  static const double low[] = {0, NAN, NAN}, high[] = {10, NAN, NAN};
  density_problem p = ring(SFM_BOUNDARY_REFLECT, LOW, HIGH),
                  alone = ring(SFM_BOUNDARY_REFLECT, low, high);
  hardened_audit s, row;
  hardened_audit_init_density(&s, &p);
  hardened_audit_init_density(&row, &alone);
  assert_int_equal(s.length, row.length);
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; i < s.length; i++) s.values[k][i] += row.values[k][i];
  hardened_audit_arm(&s);
  audit_mechanism m =
      hardened_audit_density_mechanism("TWIN lattice, mirror image as extra mass", &s, &p);
  audit_twin(&m);
  hardened_audit_clear(&s);
  hardened_audit_clear(&row);
}

static void scaled(const char *name, const density_problem *p, double factor) {
  hardened_audit s;
  hardened_audit_init_density(&s, p);
  hardened_audit_scale(&s, (uint64_t)llround(factor * 1000), 1000);
  hardened_audit_arm(&s);
  audit_mechanism m = hardened_audit_density_mechanism(name, &s, p);
  audit_twin(&m);
  hardened_audit_clear(&s);
}

/* WRONG: the size of one row in place of the distance of two. */
static void a_twin_with_one_row_for_two_is_caught(void **state) {
  (void)state;
  density_problem p = normal(SFM_BOUNDARY_OPEN, LOW, HIGH);
  scaled("TWIN normal lattice, sqrt 2 missing", &p, M_SQRT1_2);
}

/* WRONG: the squares of a row in the middle, at a bound that lays it on its own mirror image. */
static void a_twin_that_forgets_the_bound_is_caught(void **state) {
  (void)state;
  sfmi_lattice open = {.dimension = 1, .order = 4, .bits = 24}, reflect = open;
  sfmi_lattice_set_axis(&open, 0, 0, 10, 20, SFM_BOUNDARY_OPEN);
  sfmi_lattice_set_axis(&reflect, 0, 0, 10, 20, SFM_BOUNDARY_REFLECT);
  density_problem p = normal(SFM_BOUNDARY_REFLECT, LOW, HIGH);
  p.order = 4;
  scaled("TWIN normal lattice, squares of the middle", &p,
         sqrt(sfmi_lattice_energy(&open) / sfmi_lattice_energy(&reflect)));
}

/* WRONG: Delta as if the kernel had no images, sqrt 2 too small a column. */
static void a_process_that_forgets_its_images_is_caught(void **state) {
  (void)state;
  density_problem p = process((double[]){0, 3, 3}, (double[]){6, 3, 3}, 6);
  scaled("TWIN gp that reflects, Delta of the open kernel", &p, M_SQRT1_2);
  static const double corner[] = {0, 0, 3, 3}, across[] = {6, 6, 3, 3};
  p = process(corner, across, 6);
  p.dimension = 2;
  p.count[0] = p.count[1] = 2;
  scaled("TWIN gp that reflects, Delta of the open kernel, in two dimensions", &p, 0.5);
}

/* WRONG: the distance of two rows alone, where a row that is dropped is farther. */
static void a_process_that_forgets_the_dropped_row_is_caught(void **state) {
  (void)state;
  const double width = 1;
  density_problem p = process((double[]){0, 0.5, 0.5}, (double[]){NAN, 0.5, 0.5}, width);
  sfmi_torus_sums spectrum;
  sfm_error error;
  assert_int_equal(
      sfmi_torus_sums_init(&spectrum, (double[]){0}, &width, (double[]){1}, &p.boundary, 1, &error),
      SFM_OK);
  const double pair = sqrt(2 - 2 * spectrum.least);
  assert_true(pair < 0.25);
  scaled("TWIN gp that reflects, wide, pairs of rows alone", &p, pair);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rings_keep_epsilon),
      cmocka_unit_test(normal_lattices_keep_epsilon_and_delta),
      cmocka_unit_test(a_twin_that_adds_its_mirror_image_is_caught),
      cmocka_unit_test(a_twin_with_one_row_for_two_is_caught),
      cmocka_unit_test(a_twin_that_forgets_the_bound_is_caught),
      cmocka_unit_test(processes_keep_epsilon_and_delta),
      cmocka_unit_test(a_process_that_forgets_its_images_is_caught),
      cmocka_unit_test(a_process_that_forgets_the_dropped_row_is_caught),
  };
  audit_print(NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
