/* test_markov_engine.c - what the engine makes of unit normals: the matrix M of the linear map,
 * whose M M' must be K + nugget I, for every kind of places. */
#include "markov_kernels.h"

#include "fields/field_engine.h"
#include "fields/markov_engine.h"

enum { PLACES = 48 };

static sfmi_places list_of(const double *points, size_t count) {
  return (sfmi_places){.dimension = 1, .count = count, .points = points};
}

static sfmi_places grid_of(size_t count, double lower, double upper) {
  return (sfmi_places){
      .dimension = 1, .count = count, .counts = {count}, .lower = {lower}, .upper = {upper}};
}

static sfmi_field *create(const sfm_kernel *kernel, const sfmi_places *places, double nugget) {
  sfm_error error;
  sfmi_field *field = NULL;
  assert_ok(sfmi_markov_create(&field, kernel, places, nugget, &error), &error);
  assert_int_equal(field->count, places->count);
  assert_true(field->excess == 0 && field->nugget == nugget);
  return field;
}

/* M M', count x count. */
static double *covariance(sfmi_field *field) {
  const size_t count = field->count, normals = field->normals;
  double *square = calloc(count * count, sizeof *square), *path = calloc(count, sizeof *path);
  double *unit = calloc(normals, sizeof *unit);
  for (size_t k = 0; k < normals; k++) {
    memset(unit, 0, normals * sizeof *unit);
    unit[k] = 1;
    field->path(field, path, unit);
    markovian_accumulate(square, path, count);
  }
  free(path);
  free(unit);
  return square;
}

/* How far M M' is from K + nugget I, for places that are also given as points. */
static double law_error(const sfm_kernel *kernel, const sfmi_places *places, const double *points,
                        double nugget) {
  const size_t count = places->count;
  sfmi_field *field = create(kernel, places, nugget);
  double *got = covariance(field), *wanted = calloc(count * count, sizeof *wanted);
  markovian_covariance(wanted, kernel, points, count, nugget);
  const double error = markovian_distance(got, wanted, count * count);
  free(got);
  free(wanted);
  field->destroy(field);
  return error;
}

/* Kinds of lists: random, ascending, in heaps of near-duplicates, with identical ones among them,
 * far apart, very near to each other, and all the same. */
enum { RANDOM, ASCENDING, HEAPS, TWINS, FAR_APART, NEAR, SAME, KINDS };

static void fill(double *points, int kind, sfmi_prng *prng) {
  for (int i = 0; i < PLACES; i++) {
    const double u = sfmi_prng_uniform(prng);
    const double heap = (double)(i % 5) + 1e-12 * (double)(i / 5);
    points[i] = kind == ASCENDING   ? i * 0.1 + 0.09 * u
                : kind == HEAPS     ? heap
                : kind == TWINS     ? floor(10 * u)
                : kind == FAR_APART ? 1e9 * u
                : kind == NEAR      ? 1e-9 * u
                : kind == SAME      ? 0.3
                                    : 20 * u - 10;
  }
}

static void lists_have_the_law_of_the_kernel(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 5);
  for (int f = 0; f < MARKOVIAN_FAMILIES; f++)
    for (int kind = 0; kind < KINDS; kind++)
      for (double h = 0.02; h < 100; h *= 12) {
        double points[PLACES];
        fill(points, kind, &prng);
        const sfm_kernel kernel = markovian_kernel(markovian_families[f], &h);
        const sfmi_places places = list_of(points, PLACES);
        assert_near("covariance of a list", law_error(&kernel, &places, points, 0x1p-20), 0, 1e-12);
        assert_near("without nugget", law_error(&kernel, &places, points, 0), 0, 1e-12);
      }
}

static void grids_have_the_law_of_the_kernel(void **state) {
  (void)state;
  for (int f = 0; f < MARKOVIAN_FAMILIES; f++)
    for (double h = 0.001; h < 1000; h *= 30) {
      double points[PLACES];
      for (int i = 0; i < PLACES; i++) points[i] = -1 + 3.0 * i / (PLACES - 1);
      const sfm_kernel kernel = markovian_kernel(markovian_families[f], &h);
      const sfmi_places places = grid_of(PLACES, -1, 2), one = grid_of(3, 2, 2);
      assert_near("covariance of a grid", law_error(&kernel, &places, points, 0x1p-20), 0, 1e-12);
      const double same[3] = {2, 2, 2};
      assert_near("of an empty interval", law_error(&kernel, &one, same, 0x1p-20), 0, 1e-12);
    }
}

/* So far from zero that places are rounded to a part of a bandwidth: values are those at the
 * rounded ones, and the covariance must be too. */
static void grids_far_from_zero_have_the_law_of_their_places(void **state) {
  (void)state;
  const double h = 1e-3, lower = 1e9;
  const sfmi_places places = grid_of(PLACES, lower, lower + 1e-3);
  double points[PLACES];
  for (size_t i = 0; i < PLACES; i++) sfmi_places_at(&places, i, &points[i]);
  for (int f = 0; f < MARKOVIAN_FAMILIES; f++) {
    const sfm_kernel kernel = markovian_kernel(markovian_families[f], &h);
    assert_near("covariance of a grid", law_error(&kernel, &places, points, 0x1p-20), 0, 1e-12);
  }
}

/* The test of the law can fail: three per cent of the bandwidth, or of the nugget, are seen. */
static void another_kernel_is_told_apart(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 6);
  double points[PLACES];
  fill(points, RANDOM, &prng);
  const sfmi_places places = list_of(points, PLACES);
  for (int f = 0; f < MARKOVIAN_FAMILIES; f++) {
    const double h = 2, other = 2.06;
    const sfm_kernel right = markovian_kernel(markovian_families[f], &h);
    const sfm_kernel wrong = markovian_kernel(markovian_families[f], &other);
    sfmi_field *field = create(&wrong, &places, 0x1p-20);
    double *got = covariance(field), *wanted = calloc(PLACES * PLACES, sizeof *wanted);
    markovian_covariance(wanted, &right, points, PLACES, 0x1p-20);
    assert_true(markovian_distance(got, wanted, PLACES * PLACES) > 1e-3);
    free(got);
    free(wanted);
    field->destroy(field);
  }
}

/* Near-duplicates: every direction has noise of the nugget at least, and none has without it. */
static void no_direction_is_without_noise(void **state) {
  (void)state;
  const double h = 1, nugget = 0x1p-20;
  double points[PLACES];
  for (int i = 0; i < PLACES; i++) points[i] = 0.5 + ldexp((double)(i * 7 % PLACES), -52);
  const sfmi_places places = list_of(points, PLACES);
  for (int f = 0; f < MARKOVIAN_FAMILIES; f++) {
    const sfm_kernel kernel = markovian_kernel(markovian_families[f], &h);
    sfmi_field *field = create(&kernel, &places, nugget), *bare = create(&kernel, &places, 0);
    double *got = covariance(field), *without = covariance(bare);
    assert_true(markovian_least(got, PLACES) >= 0.99 * nugget);
    assert_true(markovian_least(without, PLACES) < nugget / 2);
    free(got);
    free(without);
    field->destroy(field);
    bare->destroy(bare);
  }
}

static void draw(double *values, size_t count, uint64_t seed) {
  sfmi_prng prng;
  sfmi_prng_init(&prng, seed);
  for (size_t i = 0; i < count; i++) values[i] = sfmi_prng_normal(&prng);
}

/* Whatever comes after them, and in whatever order places come: the path is the same to the last
 * bit, and at the same place it is the same value. */
static void the_order_of_places_does_not_matter(void **state) {
  (void)state;
  enum { MANY = 70000, FEW = 60000 };
  const double h = 3;
  double *points = calloc(MANY, sizeof *points), *turned = calloc(MANY, sizeof *points);
  double *normals = calloc(4 * MANY, sizeof *normals);
  double *all = calloc(MANY, sizeof *all), *some = calloc(MANY, sizeof *some);
  sfmi_prng prng;
  sfmi_prng_init(&prng, 8);
  for (size_t i = 0; i < MANY; i++) /* a third of them repeat a gap, a third a place */
    points[i] = (i ? points[i - 1] : 0) + (i % 3 == 0   ? sfmi_prng_uniform(&prng) / 8
                                           : i % 3 == 1 ? 0
                                                        : 0.125);
  for (size_t i = 0; i < MANY; i++) turned[(i * 31) % MANY] = points[i];
  for (int f = 0; f < MARKOVIAN_FAMILIES; f++) {
    const sfm_kernel kernel = markovian_kernel(markovian_families[f], &h);
    const sfmi_places many = list_of(points, MANY), few = list_of(points, FEW);
    const sfmi_places mixed = list_of(turned, MANY);
    sfmi_field *one = create(&kernel, &many, 0x1p-20), *two = create(&kernel, &few, 0x1p-20);
    sfmi_field *three = create(&kernel, &mixed, 0x1p-20);
    const size_t distinct = MANY - MANY / 3;
    assert_int_equal(one->normals % distinct, 0);
    assert_int_equal(one->normals, three->normals);
    draw(normals, one->normals, 9);
    one->path(one, all, normals);
    draw(normals, one->normals, 9);
    two->path(two, some, normals);
    assert_memory_equal(all, some, FEW * sizeof *all);
    draw(normals, one->normals, 9);
    three->path(three, some, normals);
    for (size_t i = 0; i < MANY; i++) {
      assert_true(some[(i * 31) % MANY] == all[i]);
      if (i && points[i] == points[i - 1]) assert_true(all[i] == all[i - 1]);
    }
    one->destroy(one);
    two->destroy(two);
    three->destroy(three);
  }
  free(points);
  free(turned);
  free(normals);
  free(all);
  free(some);
}

/* Bandwidths and places at the ends of what doubles hold. */
static void extremes_stay_finite(void **state) {
  (void)state;
  static const double points[] = {-1e308, -1, -0.0, 0, 5e-324, 1e-300, 1, 1e308};
  static const double bandwidths[] = {5e-324, 1e-300, 1, 1e300};
  for (int f = 0; f < MARKOVIAN_FAMILIES; f++)
    for (int b = 0; b < 4; b++) {
      const sfm_kernel kernel = markovian_kernel(markovian_families[f], &bandwidths[b]);
      const sfmi_places places = list_of(points, 8);
      sfmi_field *field = create(&kernel, &places, 0x1p-20);
      double path[8], normals[32];
      draw(normals, field->normals, 10);
      field->path(field, path, normals);
      for (int i = 0; i < 8; i++) assert_true(isfinite(path[i]));
      assert_true(path[2] == path[3]);
      for (int i = 4; i < 8; i++) assert_true(path[i] != path[i - 1]);
      field->destroy(field);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lists_have_the_law_of_the_kernel),
      cmocka_unit_test(grids_have_the_law_of_the_kernel),
      cmocka_unit_test(grids_far_from_zero_have_the_law_of_their_places),
      cmocka_unit_test(another_kernel_is_told_apart),
      cmocka_unit_test(no_direction_is_without_noise),
      cmocka_unit_test(the_order_of_places_does_not_matter),
      cmocka_unit_test(extremes_stay_finite),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
