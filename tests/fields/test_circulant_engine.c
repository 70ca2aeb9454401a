/* test_circulant_engine.c - the covariance of a path on a grid, exactly; what raising and rounding
 * do to it; and when there is no torus. */
#include "field_covariance.h"

#include "fields/circulant_engine.h"

/* Even and odd numbers of places along one to three axes. */
static const size_t shapes[][3] = {{2},    {3},    {8},       {13},      {31},     {5, 4},
                                   {2, 7}, {9, 8}, {3, 4, 5}, {2, 2, 2}, {4, 3, 2}};
static const size_t axes[] = {1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3};
enum { SHAPES = sizeof axes / sizeof *axes };

static const double narrow[] = {0.11, 0.23, 0.17}, wide[] = {0.9, 1.3, 0.7};

/* |A A' - (K + nugget I)| <= the stated excess, and it is positive semidefinite. */
static void check_law(const sfm_kernel *kernel, const sfmi_places *places, double nugget,
                      double *most) {
  sfmi_field *field = field_of(SFM_ENGINE_CIRCULANT, kernel, places, nugget);
  const double excess = sfmi_field_excess(field);
  if (sfmi_field_normals(field) <= (test_long() ? 20000 : 5000)) {
    double *got = covariance_of(field, places->count), *wanted = wanted_of(kernel, places, nugget);
    const double off = largest_difference(got, wanted, places->count * places->count);
    const double least = order_of(got, wanted, places->count);
    if (!(off <= excess + 1e-10 && least >= -1e-10))
      fail_msg("%s, %zu places in %zu dimensions: off by %g, excess %g, least eigenvalue %g",
               sfm_kernel_family_name(kernel->family), places->count, places->dimension, off,
               excess, least);
    *most = fmax(*most, off);
    free(got);
    free(wanted);
  }
  assert_true(excess < 1e-4);
  sfmi_field_destroy(field);
}

static void the_covariance_is_that_of_the_kernel(void **state) {
  (void)state;
  double most = 0;
  for (int family = SFM_KERNEL_GAUSSIAN; family <= SFM_KERNEL_CAUCHY; family++)
    for (size_t s = 0; s < SHAPES; s++) {
      const sfm_kernel kernel = kernel_of((sfm_kernel_family)family, axes[s], narrow);
      const sfmi_places places = grid_of(shapes[s], axes[s], -0.3, 0.7);
      check_law(&kernel, &places, 0, &most);
      check_law(&kernel, &places, SFMI_NUGGET, &most);
    }
  assert_near("nothing was raised", most, 0, 1e-10);
}

/* Bandwidths beyond the domain: the torus grows, and what is still negative is raised. */
static void what_is_raised_only_adds(void **state) {
  (void)state;
  double most = 0;
  for (int family = SFM_KERNEL_GAUSSIAN; family <= SFM_KERNEL_CAUCHY; family++)
    for (size_t s = 0; s < SHAPES; s++) {
      const sfm_kernel kernel = kernel_of((sfm_kernel_family)family, axes[s], wide);
      const sfmi_places places = grid_of(shapes[s], axes[s], -0.3, 0.7);
      const bool long_one = axes[s] > 1 && family == SFM_KERNEL_CAUCHY;
      if (!long_one || test_long()) check_law(&kernel, &places, SFMI_NUGGET, &most);
    }
  assert_true(most > 1e-7); /* something was */
}

/* The exponential is convex: the least torus does, whatever the bandwidth. */
static void the_torus_of_an_exponential_is_the_least(void **state) {
  (void)state;
  const double h = 100;
  const size_t counts[] = {1000}, plane[] = {100, 33};
  const double both[] = {100, 100};
  const sfm_kernel line = kernel_of(SFM_KERNEL_MATERN12, 1, &h),
                   product = kernel_of(SFM_KERNEL_LAPLACIAN, 2, both);
  sfmi_places places = grid_of(counts, 1, 0, 1);
  sfmi_field *field = field_of(SFM_ENGINE_CIRCULANT, &line, &places, SFMI_NUGGET);
  assert_int_equal(sfmi_field_normals(field), 2000); /* 999 is not smooth */
  assert_true(sfmi_field_excess(field) == 0);
  sfmi_field_destroy(field);
  places = grid_of(plane, 2, 0, 1);
  field = field_of(SFM_ENGINE_CIRCULANT, &product, &places, SFMI_NUGGET);
  assert_int_equal(sfmi_field_normals(field), 200 * 64);
  sfmi_field_destroy(field);
}

/* Places far from zero are rounded: between them as they are, half of the nugget is left in every
 * direction all the same.  Without what was added for their rounding it would not be. */
static void rounded_places_are_covered(void **state) {
  (void)state;
  enum { COUNT = 40 };
  const size_t counts[] = {COUNT};
  const double h = 1e-3, starts[] = {0, 1, 1e3, 1e6, -1e9};
  double missing = 0;
  for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) {
    const sfm_kernel kernel = kernel_of(SFM_KERNEL_MATERN12, 1, &h);
    const sfmi_places places = grid_of(counts, 1, starts[k], starts[k] + 1e-3);
    sfmi_field *field = field_of(SFM_ENGINE_CIRCULANT, &kernel, &places, SFMI_NUGGET);
    double *got = covariance_of(field, COUNT), *wanted = wanted_of(&kernel, &places, 0);
    const double left = order_of(got, wanted, COUNT), excess = sfmi_field_excess(field);
    assert_true(left >= SFMI_NUGGET / 2);
    missing = fmax(missing, SFMI_NUGGET / 2 - (left - excess));
    assert_true(fabs(starts[k]) > 1e3 || excess == 0);
    free(got);
    free(wanted);
    sfmi_field_destroy(field);
  }
  assert_true(missing > 0);
}

/* Places that hardly differ, and bandwidths that hardly reach: no direction without noise. */
static void no_direction_is_without_noise(void **state) {
  (void)state;
  const size_t counts[] = {200};
  const double widths[] = {1e-300, 1e-12, 1e-6, 0.3, 1e6}, h = 1;
  for (int family = SFM_KERNEL_GAUSSIAN; family <= SFM_KERNEL_CAUCHY; family++)
    for (size_t k = 0; k < sizeof widths / sizeof *widths; k++) {
      const sfm_kernel kernel = kernel_of((sfm_kernel_family)family, 1, &h);
      const sfmi_places places = grid_of(counts, 1, 0, widths[k]);
      sfmi_field *field = field_of(SFM_ENGINE_CIRCULANT, &kernel, &places, SFMI_NUGGET);
      if (sfmi_field_normals(field) <= 5000) {
        double *got = covariance_of(field, places.count);
        assert_true(least_eigenvalue(got, places.count) >= SFMI_NUGGET / 2);
        free(got);
      }
      sfmi_field_destroy(field);
    }
}

static void refused(const sfm_kernel *kernel, const sfmi_places *places, const char *message) {
  sfm_error error;
  sfmi_field *field;
  assert_int_equal(
      sfmi_field_create(&field, SFM_ENGINE_CIRCULANT, kernel, places, SFMI_NUGGET, &error),
      SFM_INVALID);
  assert_null(field);
  assert_string_equal(error.message, message);
}

static void where_there_is_no_torus_it_says_what_to_use(void **state) {
  (void)state;
  const size_t counts[] = {20, 20, 20}, large[] = {242, 244, 282};
  const double h[] = {20, 20, 20};
  sfm_kernel kernel = kernel_of(SFM_KERNEL_GAUSSIAN, 3, h);
  sfmi_places places = grid_of(large, 3, 0, 1);
  refused(&kernel, &places,
          "the engine circulant would need a torus of 136048896 places for this grid and has at "
          "most 134217728; use spectral or a grid of fewer places");
  if (!test_long()) return; /* it tries them all */
  places = grid_of(counts, 3, 0, 1);
  refused(&kernel, &places,
          "the engine circulant finds no torus of at most 134217728 places on which the gaussian "
          "kernel is positive definite: the bandwidth is too large beside the grid; use spectral, "
          "gram, a grid of fewer places, or a smaller bandwidth");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_covariance_is_that_of_the_kernel),
      cmocka_unit_test(what_is_raised_only_adds),
      cmocka_unit_test(the_torus_of_an_exponential_is_the_least),
      cmocka_unit_test(rounded_places_are_covered),
      cmocka_unit_test(no_direction_is_without_noise),
      cmocka_unit_test(where_there_is_no_torus_it_says_what_to_use),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
