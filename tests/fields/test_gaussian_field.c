/* test_gaussian_field.c - what every engine has in common: places, choice and refusals, the same
 * covariance, and one value at one place. */
/* suite: release */
#include "field_covariance.h"

#include "base/math/linear_algebra.h"
#include "fields/gram_engine.h"

static const double bandwidth[SFM_MAX_DIMENSION] = {0.1, 0.15, 0.12, 0.1, 0.1, 0.1, 0.1, 0.1};
static const double wide[] = {0.5, 0.7, 0.6};
static const sfm_engine engines[] = {SFM_ENGINE_SPECTRAL, SFM_ENGINE_CIRCULANT, SFM_ENGINE_MARKOV,
                                     SFM_ENGINE_GRAM};
enum { ENGINES = sizeof engines / sizeof *engines };

static void a_grid_has_both_bounds_and_its_last_axis_fastest(void **state) {
  (void)state;
  sfmi_places places = {
      .dimension = 2, .count = 12, .counts = {3, 4}, .lower = {0.1, -2}, .upper = {0.7, 1}};
  double x[2];
  for (size_t i = 0; i < 12; i++) {
    sfmi_places_at(&places, i, x);
    assert_near("first axis", x[0], 0.1 + 0.3 * (double)(i / 4), 1e-15);
    assert_near("second axis", x[1], -2 + (double)(i % 4), 1e-15);
  }
  assert_true(x[0] == 0.7 && x[1] == 1); /* exactly */
  const double points[] = {1, 2, 3, 4};
  const sfmi_places list = list_of(points, 2, 2);
  sfmi_places_at(&list, 1, x);
  assert_true(x[0] == 3 && x[1] == 4);
}

static void refuses(sfm_engine engine, const sfm_kernel *kernel, const sfmi_places *places,
                    const char *message) {
  sfm_error error = {.message = "accepted"};
  sfmi_field *field = (sfmi_field *)(uintptr_t)1;
  assert_int_equal(sfmi_field_create(&field, engine, kernel, places, 0, &error), SFM_INVALID);
  assert_null(field);
  assert_string_equal(error.message, message);
  assert_int_equal(sfmi_field_suits(engine, kernel, places, NULL), SFM_INVALID);
}

static double nothing(void *context, const double *x, const double *y, size_t dimension) {
  (void)context, (void)x, (void)y, (void)dimension;
  return 0;
}

static void refusals_say_what_can(void **state) {
  (void)state;
  const size_t counts[] = {4, 4, 4, 4}, large[] = {101, 101};
  static double points[4 * (SFMI_GRAM_MAX + 1)];
  sfm_kernel kernel = kernel_of(SFM_KERNEL_LAPLACIAN, 1, bandwidth);
  sfmi_places list = list_of(points, 5, 1), grid = grid_of(counts, 1, 0, 1);
  refuses(SFM_ENGINE_SPECTRAL, &kernel, &list,
          "the engine spectral draws the gaussian kernel, which alone has finitely many features, "
          "not the laplacian kernel; use markov");
  refuses(SFM_ENGINE_CIRCULANT, &kernel, &list,
          "the engine circulant draws on a regular grid of at most 3 variables, not at a list of "
          "points of 1; use markov");
  refuses(
      SFM_ENGINE_RANDOM, &kernel, &list,
      "values at places are drawn by the engines circulant, markov and gram, not by random; use "
      "markov");
  kernel.family = SFM_KERNEL_CAUCHY;
  refuses(SFM_ENGINE_MARKOV, &kernel, &grid,
          "the engine markov draws laplacian and matern kernels of one variable, not the cauchy "
          "kernel of 1 variable; use circulant");
  kernel = kernel_of(SFM_KERNEL_MATERN32, 4, bandwidth);
  grid = grid_of(counts, 4, 0, 1);
  refuses(SFM_ENGINE_CIRCULANT, &kernel, &grid,
          "the engine circulant draws on a regular grid of at most 3 variables, not on one of 4; "
          "use gram");
  list = list_of(points, SFMI_GRAM_MAX + 1, 4);
  refuses(SFM_ENGINE_AUTO, &kernel, &list,
          "the engine gram draws at no more than 10000 places (its matrix is places x places), not "
          "at 10001; use fewer places and gram");
  kernel = kernel_of(SFM_KERNEL_GAUSSIAN, 2, bandwidth);
  list = list_of(points, SFMI_GRAM_MAX + 1, 2);
  refuses(SFM_ENGINE_GRAM, &kernel, &list,
          "the engine gram draws at no more than 10000 places (its matrix is places x places), not "
          "at 10001; use a grid and circulant, or fewer places and gram");
  grid = grid_of(large, 2, 0, 1);
  refuses(SFM_ENGINE_GRAM, &kernel, &grid,
          "the engine gram draws at no more than 10000 places (its matrix is places x places), not "
          "at 10201; use circulant");
  kernel = (sfm_kernel){.family = SFM_KERNEL_OWN, .dimension = 2, .function = nothing, .bound = 1};
  grid = grid_of(counts, 2, 0, 1);
  refuses(
      SFM_ENGINE_CIRCULANT, &kernel, &grid,
      "the engine circulant draws kernels that depend on x - y alone, which the own kernel does "
      "not; use gram");
}

static void places_that_are_none_are_refused(void **state) {
  (void)state;
  const size_t counts[] = {4, 4}, one[] = {1, 4}, many[] = {(size_t)1 << 25};
  const double points[] = {0, 1, NAN, 2};
  const sfm_kernel plane = kernel_of(SFM_KERNEL_GAUSSIAN, 2, bandwidth),
                   line = kernel_of(SFM_KERNEL_GAUSSIAN, 1, bandwidth);
  sfmi_places places = grid_of(counts, 2, 0, 1);
  refuses(SFM_ENGINE_AUTO, &line, &places,
          "places of 2 dimensions do not go with a kernel of 1 (at most 64)");
  places = grid_of(one, 2, 0, 1);
  refuses(SFM_ENGINE_AUTO, &plane, &places, "a grid needs at least 2 places along each axis");
  places = grid_of(counts, 2, 1, 1);
  refuses(SFM_ENGINE_AUTO, &plane, &places,
          "a grid needs finite bounds, the lower below the upper, not 1:1 (axis 1)");
  places = grid_of(counts, 2, -1.5e308, 1.5e308);
  refuses(SFM_ENGINE_AUTO, &plane, &places,
          "a grid needs finite bounds, the lower below the upper, not -1.5e+308:1.5e+308 (axis 1)");
  places = grid_of(counts, 2, 1, 1 + 4 * 0x1p-52);
  refuses(SFM_ENGINE_AUTO, &plane, &places,
          "4 places from 1 to 1 are too close together for numbers of that size to tell them apart "
          "(axis 1); write fewer");
  places = grid_of(many, 1, 0, 1);
  refuses(SFM_ENGINE_AUTO, &line, &places,
          "a function is released at 1 to 16777216 places, not at 33554432");
  places = list_of(points, 0, 1);
  refuses(SFM_ENGINE_GRAM, &line, &places,
          "a function is released at 1 to 16777216 places, not at 0");
  places = list_of(points, 2, 2);
  refuses(SFM_ENGINE_GRAM, &plane, &places, "place 2 has a coordinate that is not a finite number");
}

static void the_choice_is_markov_then_circulant_then_gram(void **state) {
  (void)state;
  const size_t counts[] = {16, 16, 16, 2}, fine[] = {40, 40, 40};
  const double points[SFM_MAX_DIMENSION] = {0}, wider[] = {2, 2, 2};
  sfmi_places grid = grid_of(counts, 1, 0, 1), list = list_of(points, 1, 1);
  sfm_kernel kernel = kernel_of(SFM_KERNEL_MATERN52, 1, bandwidth);
  assert_int_equal(sfmi_field_choose(&kernel, &grid), SFM_ENGINE_MARKOV);
  assert_int_equal(sfmi_field_choose(&kernel, &list), SFM_ENGINE_MARKOV);
  kernel.family = SFM_KERNEL_GAUSSIAN;
  assert_int_equal(sfmi_field_choose(&kernel, &grid), SFM_ENGINE_CIRCULANT);
  assert_int_equal(sfmi_field_choose(&kernel, &list), SFM_ENGINE_GRAM);
  kernel = kernel_of(SFM_KERNEL_MATERN52, 3, bandwidth);
  grid = grid_of(counts, 3, 0, 1);
  assert_int_equal(sfmi_field_choose(&kernel, &grid), SFM_ENGINE_CIRCULANT);
  /* A torus of 40 bandwidths, 16 places each, is too large; gram can, unless there are too many. */
  kernel = kernel_of(SFM_KERNEL_CAUCHY, 3, wider);
  assert_int_equal(sfmi_field_choose(&kernel, &grid), SFM_ENGINE_GRAM);
  grid = grid_of(fine, 3, 0, 1);
  assert_int_equal(sfmi_field_choose(&kernel, &grid), SFM_ENGINE_CIRCULANT);
  kernel = kernel_of(SFM_KERNEL_MATERN52, 4, bandwidth);
  grid = grid_of(counts, 4, 0, 1);
  assert_int_equal(sfmi_field_choose(&kernel, &grid), SFM_ENGINE_GRAM);
  /* A grid that is none has a choice too, which is refused. */
  kernel.dimension = 2;
  grid = (sfmi_places){.dimension = 2};
  assert_int_equal(sfmi_field_choose(&kernel, &grid), SFM_ENGINE_GRAM);
}

/* Scattered in the unit ball, without order. */
static void scatter(double *points, size_t count, size_t dimension, uint64_t seed) {
  sfmi_prng prng;
  sfmi_prng_init(&prng, seed);
  for (size_t i = 0; i < count * dimension; i++)
    points[i] = (2 * sfmi_prng_uniform(&prng) - 1) / sqrt((double)dimension);
}

static double brownian(void *context, const double *x, const double *y, size_t dimension) {
  double product = *(double *)context;
  for (size_t a = 0; a < dimension; a++) product *= fmin(x[a], y[a]) + 1.5;
  return product;
}

static void check_law(sfm_engine engine, const sfm_kernel *kernel, const sfmi_places *places,
                      double nugget) {
  sfmi_field *field = field_of(engine, kernel, places, nugget);
  double *got = covariance_of(field, places->count), *wanted = wanted_of(kernel, places, nugget);
  const double off = largest_difference(got, wanted, places->count * places->count);
  if (!(off <= sfmi_field_excess(field) + 1e-10) || sfmi_field_excess(field) > 1e-5)
    fail_msg("%s, %s in %zu dimensions at %zu places: off by %g, excess %g",
             sfm_engine_name(engine), sfm_kernel_family_name(kernel->family), kernel->dimension,
             places->count, off, sfmi_field_excess(field));
  free(got);
  free(wanted);
  sfmi_field_destroy(field);
}

static void every_engine_has_the_covariance_of_the_kernel(void **state) {
  (void)state;
  enum { COUNT = 37 };
  const size_t shapes[][3] = {{23}, {5, 6}, {4, 3, 3}};
  double points[COUNT * 3], scale = 0.25;
  size_t checked[SFM_ENGINE_GRAM + 1] = {0};
  for (size_t d = 1; d <= 3; d++) {
    scatter(points, COUNT, d, d);
    for (int family = SFM_KERNEL_GAUSSIAN; family <= SFM_KERNEL_OWN; family++)
      for (size_t e = 0; e < ENGINES; e++) {
        if (engines[e] == SFM_ENGINE_SPECTRAL && d == 3) continue; /* 10^5 normals: see below */
        sfm_kernel kernel = kernel_of((sfm_kernel_family)family, d,
                                      engines[e] == SFM_ENGINE_SPECTRAL ? wide : bandwidth);
        kernel.function = brownian;
        kernel.function_data = &scale;
        kernel.bound = 10;
        const sfmi_places list = list_of(points, COUNT, d);
        const sfmi_places grid = grid_of(shapes[d - 1], d, -0.4, 0.55);
        const sfmi_places *both[] = {&list, &grid};
        for (size_t k = 0; k < 2; k++)
          if (!sfmi_field_suits(engines[e], &kernel, both[k], NULL)) {
            check_law(engines[e], &kernel, both[k], SFMI_NUGGET);
            check_law(engines[e], &kernel, both[k], 0.01);
            checked[engines[e]]++;
          }
      }
  }
  assert_int_equal(checked[SFM_ENGINE_GRAM], 2 * 3 * 9);
  assert_int_equal(checked[SFM_ENGINE_CIRCULANT], 3 * 6);
  assert_int_equal(checked[SFM_ENGINE_SPECTRAL], 2 * 2);
  assert_int_equal(checked[SFM_ENGINE_MARKOV], 2 * 4);
}

/* Two places are enough for the order of the axes. */
static void spectral_has_it_in_three_dimensions(void **state) {
  (void)state;
  if (!test_long()) skip();
  const double points[] = {0.1, 0.2, 0.3, 0.4, 0.1, 0.35};
  const sfm_kernel kernel = kernel_of(SFM_KERNEL_GAUSSIAN, 3, wide);
  const sfmi_places places = list_of(points, 2, 3);
  check_law(SFM_ENGINE_SPECTRAL, &kernel, &places, 0.01);
}

/* Places that are equal, in a list without order: one value, and the law of the distinct ones. */
static void equal_places_have_one_value(void **state) {
  (void)state;
  enum { DISTINCT = 11, COUNT = 40 };
  const double nugget = 0.01;
  double distinct[2 * DISTINCT], points[2 * COUNT];
  size_t of[COUNT], checked = 0;
  for (size_t d = 1; d <= 2; d++) {
    scatter(distinct, DISTINCT, d, 9);
    distinct[0] = 0;
    for (size_t i = 0; i < COUNT; i++) {
      of[i] = i < DISTINCT ? i : i * i % DISTINCT;
      memcpy(points + i * d, distinct + of[i] * d, d * sizeof *points);
    }
    points[11 * d] = -0.0; /* the same number */
    const sfmi_places places = list_of(points, COUNT, d);
    for (size_t e = 0; e < ENGINES; e++) {
      const sfm_kernel kernel = kernel_of(
          engines[e] == SFM_ENGINE_MARKOV ? SFM_KERNEL_MATERN32 : SFM_KERNEL_GAUSSIAN, d, wide);
      if (sfmi_field_suits(engines[e], &kernel, &places, NULL)) continue;
      sfmi_field *field = field_of(engines[e], &kernel, &places, nugget);
      double *map = map_of(field, COUNT), *got = covariance_of(field, COUNT);
      const size_t normals = sfmi_field_normals(field);
      for (size_t i = 0; i < COUNT; i++)
        for (size_t j = 0; j < COUNT; j++) {
          const double wanted = sfm_kernel_at(&kernel, points + i * d, points + j * d) +
                                (of[i] == of[j] ? nugget : 0);
          assert_near("covariance", got[i * COUNT + j], wanted, 1e-10);
          if (of[i] == of[j])
            assert_memory_equal(map + i * normals, map + j * normals, normals * sizeof *map);
        }
      free(map);
      free(got);
      sfmi_field_destroy(field);
      checked++;
    }
  }
  assert_int_equal(checked, 3 + 2);
}

static void engines_agree_at_shared_places(void **state) {
  (void)state;
  const size_t counts[] = {25};
  const sfmi_places places = grid_of(counts, 1, 2, 3);
  for (int family = SFM_KERNEL_GAUSSIAN; family <= SFM_KERNEL_CAUCHY; family++) {
    const sfm_kernel kernel = kernel_of((sfm_kernel_family)family, 1, wide);
    sfmi_field *gram = field_of(SFM_ENGINE_GRAM, &kernel, &places, SFMI_NUGGET);
    double *base = covariance_of(gram, places.count);
    size_t others = 0;
    for (size_t e = 0; e < ENGINES; e++) {
      if (sfmi_field_suits(engines[e], &kernel, &places, NULL)) continue;
      sfmi_field *field = field_of(engines[e], &kernel, &places, SFMI_NUGGET);
      double *got = covariance_of(field, places.count);
      assert_true(largest_difference(got, base, places.count * places.count) <=
                  sfmi_field_excess(field) + 1e-10);
      free(got);
      sfmi_field_destroy(field);
      others++;
    }
    assert_int_equal(others, family == SFM_KERNEL_CAUCHY ? 2 : 3);
    free(base);
    sfmi_field_destroy(gram);
  }
}

/* v'C^-1 v <= |f|^2 for the values v of a function f = sum_k a_k K(., y_k): what the noise hides is
 * measured by the norm, whatever the places.  Functions that live at the places come close. */
static void no_function_is_seen_through_less_than_its_norm(void **state) {
  (void)state;
  enum { COUNT = 30, FUNCTIONS = 200, CENTRES = 6 };
  const size_t counts[] = {COUNT};
  const sfmi_places places = grid_of(counts, 1, 0, 1);
  sfmi_prng prng;
  sfmi_prng_init(&prng, 23);
  for (size_t e = 0; e < ENGINES; e++) {
    const sfm_kernel kernel = kernel_of(
        engines[e] == SFM_ENGINE_MARKOV ? SFM_KERNEL_MATERN12 : SFM_KERNEL_GAUSSIAN, 1, bandwidth);
    sfmi_field *field = field_of(engines[e], &kernel, &places, SFMI_NUGGET);
    double *lower = covariance_of(field, COUNT), most = 0;
    assert_int_equal(sfmi_cholesky_lower(lower, COUNT), 0);
    for (size_t n = 0; n < FUNCTIONS; n++) {
      double a[CENTRES], y[CENTRES], v[COUNT] = {0}, norm = 0, seen = 0;
      for (size_t k = 0; k < CENTRES; k++) {
        const double u = sfmi_prng_uniform(&prng);
        a[k] = sfmi_prng_normal(&prng);
        y[k] = n % 2 ? floor(u * COUNT) / (COUNT - 1) : 1.2 * u - 0.1;
      }
      for (size_t k = 0; k < CENTRES; k++) {
        for (size_t l = 0; l < CENTRES; l++)
          norm += a[k] * a[l] * sfm_kernel_at(&kernel, &y[k], &y[l]);
        for (size_t i = 0; i < COUNT; i++) {
          const double x = (double)i / (COUNT - 1);
          v[i] += a[k] * sfm_kernel_at(&kernel, &x, &y[k]);
        }
      }
      sfmi_block_solve((sfmi_block){v, COUNT}, (sfmi_block){lower, COUNT}, 1, COUNT);
      for (size_t i = 0; i < COUNT; i++) seen += v[i] * v[i];
      most = fmax(most, seen / norm);
    }
    if (!(most <= 1 && most > 0.999))
      fail_msg("%s: %.9g of the norm is seen", sfm_engine_name(engines[e]), most);
    free(lower);
    sfmi_field_destroy(field);
  }
}

enum { PLACES = 20, PATHS = 12000 };

/* How far drawn paths are from having a covariance: the largest of the normal deviates of the total
 * and of each variance and covariance of the whitened paths, each over its critical value. */
static double deviation(sfmi_field *field, const double *covariance, double scale, uint64_t seed) {
  const size_t normals = sfmi_field_normals(field);
  double lower[PLACES * PLACES], sums[PLACES * PLACES] = {0}, path[PLACES], total = 0, worst = 0;
  double *z = calloc(normals, sizeof *z);
  sfm_error error;
  sfmi_prng prng;
  sfmi_prng_init(&prng, seed);
  memcpy(lower, covariance, sizeof lower);
  assert_ok(sfmi_cholesky(lower, PLACES, "the covariance", &error), &error);
  for (size_t n = 0; n < PATHS; n++) {
    for (size_t k = 0; k < normals; k++) z[k] = sfmi_prng_normal(&prng);
    sfmi_field_path(field, path, z);
    sfmi_block_solve((sfmi_block){path, PLACES}, (sfmi_block){lower, PLACES}, 1, PLACES);
    for (size_t i = 0; i < PLACES; i++)
      for (size_t j = 0; j <= i; j++) sums[i * PLACES + j] += scale * path[i] * path[j];
  }
  for (size_t i = 0; i < PLACES; i++) {
    total += sums[i * PLACES + i] - PATHS;
    for (size_t j = 0; j <= i; j++) {
      const double excess = sums[i * PLACES + j] - (i == j ? PATHS : 0);
      const double z_ij = excess / sqrt((i == j ? 2.0 : 1.0) * PATHS);
      worst = fmax(worst, fabs(z_ij) / 6.0); /* 210 of them, together less than half of 1e-6 */
    }
  }
  free(z);
  return fmax(worst, fabs(total) / sqrt(2.0 * PLACES * PATHS) / 5.03); /* the other half */
}

static void drawn_paths_have_the_covariance_and_three_percent_would_show(void **state) {
  (void)state;
  const size_t counts[] = {PLACES};
  const sfmi_places places = grid_of(counts, 1, 0, 1);
  for (size_t e = 0; e < ENGINES; e++) {
    const sfm_kernel_family family =
        engines[e] == SFM_ENGINE_SPECTRAL ? SFM_KERNEL_GAUSSIAN : SFM_KERNEL_MATERN12;
    const double h = engines[e] == SFM_ENGINE_SPECTRAL ? 0.06 : 0.3, other = 1.03 * h;
    const sfm_kernel kernel = kernel_of(family, 1, &h), stretched = kernel_of(family, 1, &other);
    sfmi_field *field = field_of(engines[e], &kernel, &places, SFMI_NUGGET);
    double *right = wanted_of(&kernel, &places, SFMI_NUGGET);
    double *wrong = wanted_of(&stretched, &places, SFMI_NUGGET);
    const double is = deviation(field, right, 1, 17 + e);
    const double more = deviation(field, right, 1.03, 27 + e),
                 less = deviation(field, right, 0.97, 37 + e);
    const double stretch = deviation(field, wrong, 1, 47 + e);
    print_message("%s: %.2f of the critical value; 3 %% more %.2f, less %.2f, wider %.2f\n",
                  sfm_engine_name(engines[e]), is, more, less, stretch);
    assert_true(is < 1 && more > 1 && less > 1 && stretch > 1);
    free(right);
    free(wrong);
    sfmi_field_destroy(field);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_grid_has_both_bounds_and_its_last_axis_fastest),
      cmocka_unit_test(refusals_say_what_can),
      cmocka_unit_test(places_that_are_none_are_refused),
      cmocka_unit_test(the_choice_is_markov_then_circulant_then_gram),
      cmocka_unit_test(every_engine_has_the_covariance_of_the_kernel),
      cmocka_unit_test(spectral_has_it_in_three_dimensions),
      cmocka_unit_test(equal_places_have_one_value),
      cmocka_unit_test(engines_agree_at_shared_places),
      cmocka_unit_test(no_function_is_seen_through_less_than_its_norm),
      cmocka_unit_test(drawn_paths_have_the_covariance_and_three_percent_would_show),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
