/* test_public_model.c - the public model of an interactive session: kernel ridge regression by its
 * definition, one value at a time, forward and back; and the same function as points. */
/* suite: release */
#include "test_support.h"

#include "base/math/linear_algebra.h"
#include "releases/kinds/public_model.h"

enum { D = 3, MOST = 40 };

static sfmi_feature_map *lift_of(sfmi_feature_map_form form) {
  sfmi_feature_map stated = {.form = form, .dimension = D, .radius = sqrt(D), .constant = 0.5};
  sfmi_feature_map *map;
  sfm_error error;
  stated.kernel = form == SFMI_FEATURE_MAP_LINEAR      ? SFM_KERNEL_LINEAR
                  : form == SFMI_FEATURE_MAP_MONOMIALS ? SFM_KERNEL_POLYNOMIAL
                                                       : SFM_KERNEL_GAUSSIAN;
  if (form == SFMI_FEATURE_MAP_MONOMIALS) {
    stated.degree = 3;
    stated.shift = 1;
  }
  if (form == SFMI_FEATURE_MAP_TORUS || form == SFMI_FEATURE_MAP_RANDOM) stated.bandwidth = 1;
  if (form == SFMI_FEATURE_MAP_RANDOM) {
    stated.frequencies = 200;
    stated.seed = 3;
  }
  if (form == SFMI_FEATURE_MAP_TORUS) {
    stated.lower = calloc(D, sizeof(double));
    stated.upper = calloc(D, sizeof(double));
    for (int a = 0; a < D; a++) {
      stated.lower[a] = -1;
      stated.upper[a] = 1;
    }
  }
  assert_ok(sfmi_feature_map_create(&map, &stated, &error), &error);
  return map;
}

static void point(double u[D], size_t i) {
  for (int a = 0; a < D; a++) u[a] = sin((double)(7 * i + 3) * (a + 1.3));
}

static double value(size_t i) {
  double u[D];
  point(u, i);
  return sin(3 * u[0]) + u[1] * u[2];
}

static const uint32_t all[D] = {0, 1, 2};

static void features(double *phi, const sfmi_feature_map *map, const double u[D]) {
  const size_t starts[2] = {0, D};
  sfmi_feature_map_dense(map, phi, starts, all, u, 1);
}

static double dot(const double *a, const double *b, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += a[i] * b[i];
  return sum;
}

/* f at x by the definition: k (K + ridge I)^-1 y. */
static double direct(const sfmi_feature_map *map, size_t count, double ridge, const double x[D]) {
  double *phi = calloc((count + 1) * map->count, sizeof *phi), sum = 0;
  double *matrix = calloc(count * count, sizeof *matrix), *y = calloc(count, sizeof *y);
  for (size_t i = 0; i < count; i++) {
    double u[D];
    point(u, i);
    features(phi + i * map->count, map, u);
    y[i] = value(i);
  }
  features(phi + count * map->count, map, x);
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < count; j++)
      matrix[i * count + j] =
          dot(phi + i * map->count, phi + j * map->count, map->count) + (i == j) * ridge;
  assert_true(sfmi_positive_solve(matrix, y, count, 1));
  for (size_t i = 0; i < count; i++)
    sum += y[i] * dot(phi + i * map->count, phi + count * map->count, map->count);
  free(phi);
  free(matrix);
  free(y);
  return sum;
}

static double taught(sfmi_public_model *model, const sfmi_feature_map *map, const double x[D]) {
  double *phi = calloc(map->count, sizeof *phi);
  features(phi, map, x);
  const double sum = dot(phi, sfmi_public_model_weights(model), map->count);
  free(phi);
  return sum;
}

static void teach(sfmi_public_model *model, size_t first, size_t last) {
  sfm_error error;
  for (size_t i = first; i < last; i++) {
    double u[D];
    point(u, i);
    assert_ok(sfmi_public_model_add(model, all, u, D, value(i), &error), &error);
  }
}

static void check_against_definition(sfmi_feature_map_form form) {
  static const double x[D] = {0.3, -0.2, 0.7};
  sfmi_feature_map *map = lift_of(form);
  sfmi_public_model *model;
  sfm_error error;
  assert_ok(sfmi_public_model_create(&model, map, false, 0.05, 0, &error), &error);
  assert_near("nothing learned", taught(model, map, x), 0, 0);
  for (size_t count = 1; count <= MOST; count += 3) {
    teach(model, count > 1 ? count - 3 : 0, count);
    assert_near("f", taught(model, map, x), direct(map, count, 0.05, x), 1e-9);
  }
  sfmi_public_model_truncate(model, 7);
  assert_near("f of seven", taught(model, map, x), direct(map, 7, 0.05, x), 1e-9);
  teach(model, 7, 20);
  assert_near("f of twenty", taught(model, map, x), direct(map, 20, 0.05, x), 1e-9);
  sfmi_public_model_truncate(model, 0);
  assert_near("forgotten", taught(model, map, x), 0, 0);
  sfmi_public_model_destroy(model);
  sfmi_feature_map_destroy(map);
}

static void it_is_ridge_regression(void **state) {
  (void)state;
  check_against_definition(SFMI_FEATURE_MAP_LINEAR);
  check_against_definition(SFMI_FEATURE_MAP_MONOMIALS);
  check_against_definition(SFMI_FEATURE_MAP_TORUS);
  check_against_definition(SFMI_FEATURE_MAP_RANDOM);
}

/* Whatever form it was learned in; of random features: what their kernel's own fit is. */
static void check_points(sfmi_feature_map_form form, bool step) {
  static const double x[D] = {-0.4, 0.1, 0.25};
  sfmi_feature_map *map = lift_of(form), *points;
  sfmi_public_model *model;
  sfm_error error;
  double *alpha, f = 0;
  assert_ok(sfmi_public_model_create(&model, map, step, 0.05, 0.1, &error), &error);
  teach(model, 0, 12);
  assert_ok(sfmi_public_model_points(model, &points, &alpha, &error), &error);
  assert_int_equal(points->form, SFMI_FEATURE_MAP_POINTS);
  assert_int_equal(points->point_count, 12);
  for (size_t i = 0; i < 12; i++) {
    const uint32_t *indices;
    const double *u;
    double z[D];
    const size_t count = sfmi_public_model_point(model, &indices, &u, i);
    point(z, i);
    assert_int_equal(count, D);
    assert_memory_equal(u, z, sizeof z);
    f += alpha[i] * sfmi_feature_map_kernel(points, all, x, D, indices, u, count);
  }
  assert_near("as points", f, taught(model, map, x), form == SFMI_FEATURE_MAP_RANDOM ? 0.3 : 1e-9);
  free(alpha);
  sfmi_feature_map_destroy(points);
  sfmi_public_model_destroy(model);
  sfmi_feature_map_destroy(map);
}

static void it_is_a_function_of_its_points(void **state) {
  (void)state;
  for (int step = 0; step < 2; step++) {
    check_points(SFMI_FEATURE_MAP_LINEAR, step);
    check_points(SFMI_FEATURE_MAP_MONOMIALS, step);
    check_points(SFMI_FEATURE_MAP_TORUS, step);
    check_points(SFMI_FEATURE_MAP_RANDOM, step);
  }
}

/* A step of eta towards a value that is farther than eta kappa^2/2 brings w nearer. */
static void steps_have_one_length(void **state) {
  sfmi_feature_map *map = lift_of(SFMI_FEATURE_MAP_TORUS);
  sfmi_public_model *model;
  sfm_error error;
  double u[D];
  (void)state;
  assert_ok(sfmi_public_model_create(&model, map, true, 1, 0.25, &error), &error);
  point(u, 0);
  double *phi = calloc(map->count, sizeof *phi);
  features(phi, map, u);
  assert_ok(sfmi_public_model_add(model, all, u, D, 5, &error), &error);
  for (size_t i = 0; i < map->count; i++)
    assert_near("up", sfmi_public_model_weights(model)[i], 0.25 * phi[i], 1e-15);
  assert_ok(sfmi_public_model_add(model, all, u, D, -5, &error), &error);
  for (size_t i = 0; i < map->count; i++)
    assert_near("down", sfmi_public_model_weights(model)[i], 0, 1e-15);
  sfmi_public_model_truncate(model, 1);
  for (size_t i = 0; i < map->count; i++)
    assert_near("up again", sfmi_public_model_weights(model)[i], 0.25 * phi[i], 1e-15);
  free(phi);
  sfmi_public_model_destroy(model);
  sfmi_feature_map_destroy(map);
}

/* The same point over and over: the matrix is singular but for the ridge. */
static void repeated_points_do_no_harm(void **state) {
  sfmi_feature_map *map = lift_of(SFMI_FEATURE_MAP_TORUS);
  sfmi_public_model *model;
  sfm_error error;
  double u[D];
  (void)state;
  assert_ok(sfmi_public_model_create(&model, map, false, 0x1p-36, 0, &error), &error);
  point(u, 0);
  for (int i = 0; i < 200; i++)
    assert_ok(sfmi_public_model_add(model, all, u, D, 1, &error), &error);
  assert_near("the mean of them", taught(model, map, u), 1, 1e-5);
  sfmi_public_model_destroy(model);
  sfmi_feature_map_destroy(map);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_is_ridge_regression),
      cmocka_unit_test(it_is_a_function_of_its_points),
      cmocka_unit_test(steps_have_one_length),
      cmocka_unit_test(repeated_points_do_no_harm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
