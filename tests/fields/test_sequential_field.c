/* test_sequential_field.c - places that arrive one after another have the law of those that come at
 * once.
 */
#include "clustered_places.h"

#include "fields/sequential_field.h"

static const double bandwidth[] = {0.4, 0.3};

static sfmi_sequential_field *extension_of(const sfm_kernel *kernel, double nugget) {
  sfm_error error;
  sfmi_sequential_field *extension;
  assert_ok(sfmi_sequential_field_create(&extension, kernel, nugget, &error), &error);
  return extension;
}

/* The values at all places when they arrive `step` at a time after `loaded` were loaded. */
static void arrive(double *values, const sfm_kernel *kernel, const double *points,
                   const double *normals, size_t count, size_t loaded, size_t step) {
  sfm_error error;
  const size_t d = kernel->dimension;
  sfmi_sequential_field *extension = extension_of(kernel, SFMI_NUGGET);
  assert_ok(sfmi_sequential_field_load(extension, points, normals, loaded, &error), &error);
  for (size_t i = loaded; i < count; i += step) {
    const size_t more = count - i < step ? count - i : step;
    assert_int_equal(sfmi_sequential_field_count(extension), i);
    assert_ok(
        sfmi_sequential_field_add(extension, values + i, points + i * d, normals + i, more, &error),
        &error);
  }
  assert_int_equal(sfmi_sequential_field_count(extension), count);
  sfmi_sequential_field_destroy(extension);
}

/* The map of arriving. */
static double *arrival_map(const sfm_kernel *kernel, const double *points, size_t count,
                           size_t step) {
  double *map = calloc(count * count, sizeof *map), *unit = calloc(count, sizeof *unit);
  double *values = calloc(count, sizeof *values);
  assert_true(map && unit && values);
  for (size_t k = 0; k < count; k++) {
    memset(unit, 0, count * sizeof *unit);
    unit[k] = 1;
    arrive(values, kernel, points, unit, count, 0, step);
    for (size_t i = 0; i < count; i++) map[i * count + k] = values[i];
  }
  free(unit);
  free(values);
  return map;
}

/* More than two panels, and steps that end within them. */
enum { COUNT = 150 };

static void scatter(double *points, size_t dimension) {
  sfmi_prng prng;
  sfmi_prng_init(&prng, 31);
  for (size_t i = 0; i < COUNT * dimension; i++) points[i] = sfmi_prng_uniform(&prng);
}

static void arriving_is_the_factor_of_the_batch(void **state) {
  (void)state;
  double points[2 * COUNT];
  for (size_t d = 1; d <= 2; d++)
    for (int family = SFM_KERNEL_GAUSSIAN; family <= SFM_KERNEL_CAUCHY; family++) {
      const sfm_kernel kernel = kernel_of((sfm_kernel_family)family, d, bandwidth);
      scatter(points, d);
      const sfmi_places places = list_of(points, COUNT, d);
      sfmi_field *field = field_of(SFM_ENGINE_GRAM, &kernel, &places, SFMI_NUGGET);
      double *batch = map_of(field, COUNT);
      double *map = arrival_map(&kernel, points, COUNT, 1 + 30 * (size_t)(family % 3));
      assert_near("L", largest_difference(map, batch, COUNT * COUNT), 0, 1e-9);
      free(batch);
      free(map);
      sfmi_field_destroy(field);
    }
}

static void the_order_of_arrival_does_not_change_the_law(void **state) {
  (void)state;
  double points[COUNT], turned[COUNT];
  const sfm_kernel kernel = kernel_of(SFM_KERNEL_MATERN32, 1, bandwidth);
  scatter(points, 1);
  for (size_t i = 0; i < COUNT; i++) turned[i] = points[i * 37 % COUNT];
  double *map = arrival_map(&kernel, points, COUNT, 7), *law = square_of(map, COUNT, COUNT);
  double *other = arrival_map(&kernel, turned, COUNT, 64), *turn = square_of(other, COUNT, COUNT);
  for (size_t i = 0; i < COUNT; i++)
    for (size_t j = 0; j < COUNT; j++)
      assert_near("covariance", turn[i * COUNT + j], law[i * 37 % COUNT * COUNT + j * 37 % COUNT],
                  1e-12);
  free(map);
  free(law);
  free(other);
  free(turn);
}

static void a_loaded_session_goes_on_as_it_was(void **state) {
  (void)state;
  double points[2 * COUNT], normals[COUNT], whole[COUNT], part[COUNT];
  const sfm_kernel kernel = kernel_of(SFM_KERNEL_GAUSSIAN, 2, bandwidth);
  const size_t loaded[] = {1, 63, 64, 65, 128, 149};
  sfmi_prng prng;
  sfmi_prng_init(&prng, 32);
  scatter(points, 2);
  for (size_t i = 0; i < COUNT; i++) normals[i] = sfmi_prng_normal(&prng);
  arrive(whole, &kernel, points, normals, COUNT, 0, 1);
  for (size_t k = 0; k < sizeof loaded / sizeof *loaded; k++) {
    arrive(part, &kernel, points, normals, COUNT, loaded[k], 1 + k);
    assert_near("value", largest_difference(whole + loaded[k], part + loaded[k], COUNT - loaded[k]),
                0, 1e-8);
  }
}

/* Places that were added and forgotten leave no trace: the rest is as if they had never come. */
static void what_is_forgotten_never_came(void **state) {
  (void)state;
  double points[2 * COUNT], normals[COUNT], whole[COUNT], part[COUNT], other[COUNT];
  const sfm_kernel kernel = kernel_of(SFM_KERNEL_CAUCHY, 2, bandwidth);
  const size_t kept[] = {0, 1, 63, 64, 65, 100};
  sfm_error error;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 33);
  scatter(points, 2);
  for (size_t i = 0; i < COUNT; i++) normals[i] = sfmi_prng_normal(&prng);
  arrive(whole, &kernel, points, normals, COUNT, 0, 7);
  for (size_t k = 0; k < sizeof kept / sizeof *kept; k++) {
    sfmi_sequential_field *extension = extension_of(&kernel, SFMI_NUGGET);
    const size_t n = kept[k];
    assert_ok(sfmi_sequential_field_add(extension, part, points, normals, n, &error), &error);
    for (size_t i = 0; i < 2 * COUNT; i++) points[i] = 1 - points[i];
    assert_ok(sfmi_sequential_field_add(extension, other, points, normals, COUNT, &error), &error);
    for (size_t i = 0; i < 2 * COUNT; i++) points[i] = 1 - points[i];
    sfmi_sequential_field_truncate(extension, n);
    assert_int_equal(sfmi_sequential_field_count(extension), n);
    assert_ok(sfmi_sequential_field_add(extension, part + n, points + 2 * n, normals + n, COUNT - n,
                                        &error),
              &error);
    assert_near("value", largest_difference(whole, part, COUNT), 0, 1e-8);
    sfmi_sequential_field_destroy(extension);
  }
}

/* A crowd, one at a time: its noise by the map for a small one; a large one has that of the batch.
 */
static void crowds_leave_no_direction_without_noise(void **state) {
  (void)state;
  enum { LARGE = 1000, SMALL = 160, DRAWS = 5 };
  const sfm_kernel_family families[] = {SFM_KERNEL_GAUSSIAN, SFM_KERNEL_MATERN12,
                                        SFM_KERNEL_CAUCHY};
  double points[2 * LARGE], normals[LARGE], values[LARGE], path[LARGE];
  sfmi_prng prng;
  sfmi_prng_init(&prng, 33);
  for (size_t k = 0; k < 3; k++) {
    const size_t d = 1 + k % 2;
    const sfm_kernel kernel = kernel_of(families[k], d, bandwidth);
    crowd_fill(points, SMALL, d, 40 + k);
    size_t count = crowd_distinct(points, NULL, SMALL, d, 0);
    double *map = arrival_map(&kernel, points, count, 1);
    assert_true(crowd_least_noise(map, count, count) >= SFMI_NUGGET / 2);
    free(map);
    crowd_fill(points, LARGE, d, 40 + k);
    count = crowd_distinct(points, NULL, LARGE, d, 0);
    const sfmi_places places = list_of(points, count, d);
    sfmi_field *field = field_of(SFM_ENGINE_GRAM, &kernel, &places, SFMI_NUGGET);
    for (size_t n = 0; n < DRAWS; n++) {
      for (size_t i = 0; i < count; i++) normals[i] = sfmi_prng_normal(&prng);
      arrive(values, &kernel, points, normals, count, 0, 1 + 20 * n);
      sfmi_field_path(field, path, normals);
      assert_near("value", largest_difference(values, path, count), 0, 1e-8);
    }
    sfmi_field_destroy(field);
  }
}

/* Not a number between two places; and |x - y| is no kernel. */
static double wrong(void *context, const double *x, const double *y, size_t dimension) {
  (void)dimension;
  const double distance = fabs(x[0] - y[0]), limit = *(double *)context;
  if (limit < 0) return distance;
  return distance > limit ? NAN : exp(-distance);
}

static void what_fails_leaves_everything_as_it_was(void **state) {
  (void)state;
  double limit = 10, points[80], normals[80], values[80];
  const sfm_kernel kernel = {.family = SFM_KERNEL_OWN,
                             .dimension = 1,
                             .function = wrong,
                             .function_data = &limit,
                             .bound = 1};
  sfm_error error;
  sfmi_sequential_field *extension = extension_of(&kernel, SFMI_NUGGET);
  for (size_t i = 0; i < 80; i++) {
    points[i] = 0.1 * (double)i;
    normals[i] = 1;
  }
  assert_ok(sfmi_sequential_field_add(extension, values, points, normals, 3, &error), &error);
  points[79] = 11; /* in the second panel, when the first is done */
  assert_int_equal(sfmi_sequential_field_add(extension, values, points + 3, normals, 77, &error),
                   SFM_INVALID);
  assert_string_equal(error.message,
                      "the own kernel is not a finite number between two of the places");
  assert_int_equal(sfmi_sequential_field_count(extension), 3);
  assert_ok(sfmi_sequential_field_add(extension, values + 3, points + 3, normals + 3, 1, &error),
            &error);
  double expected[4];
  const sfmi_places places = list_of(points, 4, 1);
  sfmi_field *field = field_of(SFM_ENGINE_GRAM, &kernel, &places, SFMI_NUGGET);
  sfmi_field_path(field, expected, normals);
  assert_near("the fourth value", values[3], expected[3], 1e-12);
  sfmi_field_destroy(field);
  sfmi_sequential_field_destroy(extension);
  limit = -1;
  extension = extension_of(&kernel, SFMI_NUGGET);
  assert_int_equal(sfmi_sequential_field_load(extension, points, normals, 3, &error), SFM_INVALID);
  assert_string_equal(error.message,
                      "the own kernel is not positive definite at these places; a kernel must be "
                      "symmetric and have v'Kv >= 0 for every v");
  assert_int_equal(sfmi_sequential_field_count(extension), 0);
  sfmi_sequential_field_destroy(extension);
  sfmi_sequential_field_destroy(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arriving_is_the_factor_of_the_batch),
      cmocka_unit_test(the_order_of_arrival_does_not_change_the_law),
      cmocka_unit_test(a_loaded_session_goes_on_as_it_was),
      cmocka_unit_test(what_is_forgotten_never_came),
      cmocka_unit_test(crowds_leave_no_direction_without_noise),
      cmocka_unit_test(what_fails_leaves_everything_as_it_was),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
