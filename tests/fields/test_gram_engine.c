/* test_gram_engine.c - crowds of places, kernels that are none, and no direction without noise. */
/* suite: release */
#include "clustered_places.h"

#include "base/math/linear_algebra.h"
#include "base/math/sort.h"

static const double bandwidth[] = {0.2, 0.3};

static void crowds_leave_no_direction_without_noise(void **state) {
  (void)state;
  enum { COUNT = 1000 };
  const sfm_kernel_family families[] = {SFM_KERNEL_GAUSSIAN, SFM_KERNEL_LAPLACIAN,
                                        SFM_KERNEL_MATERN52, SFM_KERNEL_CAUCHY,
                                        SFM_KERNEL_POLYNOMIAL};
  double *points = calloc(2 * COUNT, sizeof *points);
  for (size_t k = 0; k < sizeof families / sizeof *families; k++) {
    const size_t d = 1 + k % 2;
    sfm_kernel kernel = kernel_of(families[k], d, bandwidth);
    kernel.radius = sqrt((double)d);
    const double nugget = SFMI_NUGGET * sfm_kernel_sup(&kernel);
    crowd_fill(points, COUNT, d, k);
    const sfmi_places places = list_of(points, COUNT, d);
    sfmi_field *field = field_of(SFM_ENGINE_GRAM, &kernel, &places, nugget);
    const size_t normals = sfmi_field_normals(field);
    double *map = map_of(field, COUNT);
    const size_t distinct = crowd_distinct(points, map, COUNT, d, normals);
    const double least = crowd_least_noise(map, distinct, normals);
    print_message("%s in %zu dimensions: %zu distinct places, least noise %.3f nuggets\n",
                  sfm_kernel_family_name(families[k]), d, distinct, least / nugget);
    assert_true(distinct < COUNT - 100 && distinct > 200);
    assert_true(least >= nugget / 2);
    free(map);
    sfmi_field_destroy(field);
  }
  free(points);
}

static void a_variance_clipped_at_zero_is_found(void **state) {
  (void)state;
  enum { COUNT = 300 };
  double points[COUNT];
  const sfm_kernel kernel = kernel_of(SFM_KERNEL_MATERN52, 1, bandwidth);
  crowd_fill(points, COUNT, 1, 5);
  const size_t distinct = crowd_distinct(points, NULL, COUNT, 1, 0);
  double *map = crowd_clipped(&kernel, points, distinct);
  assert_true(crowd_least_noise(map, distinct, distinct) < SFMI_NUGGET / 2);
  free(map);
}

enum { LARGE = 10000, GROUP = 50, PATHS = 200 };

/* The variance, in one half of the paths, of the direction among GROUP places in which the other
 * half moves least. */
static double least_moved(const double *paths, const size_t *group) {
  double square[GROUP * GROUP] = {0}, values[GROUP], seen = 0;
  for (size_t n = 0; n < PATHS; n++)
    for (size_t i = 0; i < GROUP; i++)
      for (size_t j = 0; j < GROUP; j++)
        square[i * GROUP + j] += paths[n * LARGE + group[i]] * paths[n * LARGE + group[j]];
  sfm_error error;
  assert_ok(sfmi_symmetric_eigen(square, values, GROUP, &error), &error);
  for (size_t n = PATHS; n < 2 * PATHS; n++) {
    double moved = 0;
    for (size_t i = 0; i < GROUP; i++) moved += square[i] * paths[n * LARGE + group[i]];
    seen += moved * moved / PATHS;
  }
  return seen;
}

/* Ten thousand places have too many directions: those that some paths hardly move in are searched
 * within groups of neighbours, and measured on other paths. */
static void a_large_crowd_leaves_none_either(void **state) {
  (void)state;
  if (!test_long()) skip();
  const sfm_kernel kernel = kernel_of(SFM_KERNEL_GAUSSIAN, 1, bandwidth);
  double *points = calloc(LARGE, sizeof *points), *z = calloc(LARGE, sizeof *z);
  double *paths = calloc((size_t)2 * PATHS * LARGE, sizeof *paths), least = INFINITY;
  size_t *first = calloc(LARGE, sizeof *first), count = 0;
  crowd_fill(points, LARGE, 1, 7);
  sfmi_sort_doubles(points, LARGE);
  const sfmi_places places = list_of(points, LARGE, 1);
  sfmi_field *field = field_of(SFM_ENGINE_GRAM, &kernel, &places, SFMI_NUGGET);
  sfmi_prng prng;
  sfmi_prng_init(&prng, 8);
  for (size_t n = 0; n < 2 * PATHS; n++) {
    for (size_t k = 0; k < sfmi_field_normals(field); k++) z[k] = sfmi_prng_normal(&prng);
    sfmi_field_path(field, paths + n * LARGE, z);
  }
  for (size_t i = 0; i < LARGE; i++)
    if (i == 0 || points[i] != points[i - 1])
      first[count++] = i;
    else
      assert_true(paths[i] == paths[i - 1]);
  for (size_t start = 0; start + GROUP <= count; start += GROUP)
    least = fmin(least, least_moved(paths, first + start));
  print_message("least noise found among %d places: %.3f nuggets\n", LARGE, least / SFMI_NUGGET);
  assert_true(least >= SFMI_NUGGET / 2);
  free(points);
  free(z);
  free(paths);
  free(first);
  sfmi_field_destroy(field);
}

/* Symmetric and not positive definite; or not a number at one pair. */
static double wrong(void *context, const double *x, const double *y, size_t dimension) {
  (void)dimension;
  const double distance = fabs(x[0] - y[0]);
  if (*(bool *)context) return distance == 3 ? NAN : exp(-distance);
  return distance;
}

static void a_kernel_that_is_none_is_refused(void **state) {
  (void)state;
  const double points[] = {0, 1, 3, 7};
  const sfmi_places places = list_of(points, 4, 1);
  bool number = false;
  sfm_kernel kernel = {.family = SFM_KERNEL_OWN,
                       .dimension = 1,
                       .function = wrong,
                       .function_data = &number,
                       .bound = 1};
  sfm_error error;
  sfmi_field *field;
  assert_int_equal(
      sfmi_field_create(&field, SFM_ENGINE_GRAM, &kernel, &places, SFMI_NUGGET, &error),
      SFM_INVALID);
  assert_null(field);
  assert_string_equal(error.message,
                      "the own kernel is not positive definite at these places (the matrix of the "
                      "first 2 distinct ones fails); a kernel must be symmetric and have v'Kv >= 0 "
                      "for every v");
  number = true;
  assert_int_equal(
      sfmi_field_create(&field, SFM_ENGINE_GRAM, &kernel, &places, SFMI_NUGGET, &error),
      SFM_INVALID);
  assert_null(field);
  assert_string_equal(error.message,
                      "the own kernel is not a finite number between two of the places");
  kernel = kernel_of(SFM_KERNEL_LINEAR, 1, NULL);
  kernel.radius = 6;
  assert_int_equal(
      sfmi_field_create(&field, SFM_ENGINE_GRAM, &kernel, &places, SFMI_NUGGET, &error),
      SFM_INVALID);
  assert_string_equal(
      error.message,
      "K(x, x) of the linear kernel exceeds its bound 36 at one of the places; state a "
      "larger radius, or leave the place out");
  kernel.radius = 7;
  sfmi_field_destroy(field_of(SFM_ENGINE_GRAM, &kernel, &places, SFMI_NUGGET));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(crowds_leave_no_direction_without_noise),
      cmocka_unit_test(a_variance_clipped_at_zero_is_found),
      cmocka_unit_test(a_large_crowd_leaves_none_either),
      cmocka_unit_test(a_kernel_that_is_none_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
