/* test_grid_density.c - densities that are values on a grid: multilinear in between, their
 * integral, the grid that is chosen, and the file. */
#include "density_fixture.h"

#include <unistd.h>

#include "releases/core/release_kind.h"
#include "releases/eval/grid_density.h"
#include "sfumato/refine.h"

static double integral(const double *values, const double *weights, size_t count) {
  long double sum = 0;
  for (size_t i = 0; i < count; i++) sum += (long double)values[i] * weights[i];
  return (double)sum;
}

enum { ROWS = 300 };

static sfm_release *make(size_t d, double h, double delta, sfm_neighbours neighbours) {
  static double rows[4 * ROWS];
  density_fixture t;
  density_fixture_init(&t, d, -2, 8, h, 1, delta);
  density_fixture_neighbours(&t, neighbours, 1);
  if (delta > 0) t.settings.method = SFM_DENSITY_GP;
  t.settings.context.seeded = true;
  t.settings.context.seed = 5;
  density_fixture_rows(rows, ROWS, d, -2, 8, 6);
  sfm_release *release = density_fixture_release(&t, rows, ROWS);
  density_fixture_clear(&t);
  return release;
}

static sfmi_places grid_of(size_t d, const size_t *counts) {
  sfmi_places grid = {.dimension = d, .count = 1};
  for (size_t a = 0; a < d; a++) {
    grid.lower[a] = -1 + (double)a;
    grid.upper[a] = 2.5 + 2 * (double)a;
    grid.counts[a] = counts[a];
    grid.count *= counts[a];
  }
  return grid;
}

/* A polynomial of degree one in every variable. */
static double linear(const double *x, size_t d) {
  double value = 3;
  for (size_t a = 0; a < d; a++) value *= 0.7 * (double)(a + 1) - 0.3 * x[a];
  return value + x[0];
}

static void linear_functions_are_themselves(void **state) {
  (void)state;
  const size_t counts[] = {5, 3, 4};
  for (size_t d = 1; d <= 3; d++) {
    const sfmi_places grid = grid_of(d, counts);
    double values[60], x[3];
    sfmi_prng prng;
    sfmi_prng_init(&prng, d);
    for (size_t i = 0; i < grid.count; i++) {
      sfmi_places_at(&grid, i, x);
      values[i] = linear(x, d);
    }
    for (int r = 0; r < 1000; r++) {
      for (size_t a = 0; a < d; a++)
        x[a] = grid.lower[a] + (grid.upper[a] - grid.lower[a]) *
                                   (r < 8 ? (double)(r >> a & 1) : sfmi_prng_uniform(&prng));
      assert_near("multilinear", sfmi_grid_density_at(&grid, values, x), linear(x, d), 1e-13);
    }
    x[d - 1] = grid.upper[d - 1] + 1e-9;
    assert_true(isnan(sfmi_grid_density_at(&grid, values, x)));
    x[d - 1] = NAN;
    assert_true(isnan(sfmi_grid_density_at(&grid, values, x)));
  }
}

/* Against the mean of every cell's corners. */
static void weights_integrate_what_lies_between(void **state) {
  (void)state;
  const size_t counts[] = {4, 5, 3};
  for (size_t d = 1; d <= 3; d++) {
    const sfmi_places grid = grid_of(d, counts);
    double values[60], weights[60], cell = 1, sum = 0, volume = 1;
    sfmi_prng prng;
    sfmi_prng_init(&prng, 10 + d);
    for (size_t i = 0; i < grid.count; i++) values[i] = sfmi_prng_normal(&prng);
    sfmi_grid_density_weights(&grid, weights);
    for (size_t a = 0; a < d; a++) {
      volume *= grid.upper[a] - grid.lower[a];
      cell *= (grid.upper[a] - grid.lower[a]) / (double)(counts[a] - 1);
    }
    size_t cells = 1;
    for (size_t a = 0; a < d; a++) cells *= counts[a] - 1;
    for (size_t c = 0; c < cells; c++) {
      double x[3];
      size_t rest = c;
      for (size_t a = d;
           a-- > 0;) { /* the middle of a multilinear cell is the mean of its corners */
        const size_t k = rest % (counts[a] - 1);
        rest /= counts[a] - 1;
        x[a] = grid.lower[a] +
               ((double)k + 0.5) / (double)(counts[a] - 1) * (grid.upper[a] - grid.lower[a]);
      }
      sum += cell * sfmi_grid_density_at(&grid, values, x);
    }
    assert_near("integral", integral(values, weights, grid.count), sum, 1e-12);
    for (size_t i = 0; i < grid.count; i++) values[i] = 1;
    assert_relative("volume", integral(values, weights, grid.count), volume, 1e-14);
  }
}

static void grids_are_fine_enough_and_not_too_large(void **state) {
  (void)state;
  sfm_error error;
  sfmi_places grid;
  const double bandwidths[] = {4, 0.5, 0.1};
  const size_t one[] = {257, 641, 3201}, two[] = {129, 161, 513};
  for (size_t i = 0; i < 3; i++) {
    sfm_release *release = make(1, bandwidths[i], 0, SFM_NEIGHBOURS_REPLACE);
    assert_ok(sfmi_grid_density_choose(&grid, release, &error), &error);
    assert_int_equal(grid.count, one[i]);
    assert_true(grid.lower[0] == -2 && grid.upper[0] == 8);
    sfm_release_destroy(release);
    release = make(2, bandwidths[i], 0, SFM_NEIGHBOURS_REPLACE);
    assert_ok(sfmi_grid_density_choose(&grid, release, &error), &error);
    assert_int_equal(grid.counts[0], two[i]);
    assert_int_equal(grid.count, two[i] * two[i]);
    release->function->bandwidth[1] = 0.01;
    assert_int_equal(sfmi_grid_density_choose(&grid, release, &error), SFM_INVALID);
    assert_non_null(strstr(error.message, "column b is a 1000th"));
    sfm_release_destroy(release);
  }
  sfm_release *four = make(4, 6, 0, SFM_NEIGHBOURS_REPLACE);
  assert_int_equal(sfmi_grid_density_choose(&grid, four, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "sfm_release_marginal"));
  four->kind = &sfmi_function_kind;
  assert_int_equal(sfmi_grid_density_choose(&grid, four, &error), SFM_INVALID);
  sfm_release_destroy(four);
}

/* The refined release is its raw one at the points of its grid, wherever that comes from. */
static void values_are_those_of_the_raw_release(void **state) {
  (void)state;
  sfm_error error;
  for (int kind = 0; kind < 4; kind++) {
    const size_t d = kind == 3 ? 2 : 1;
    sfm_release *raw = make(d, 1, kind == 1 ? 1e-6 : 0,
                            kind == 2 ? SFM_NEIGHBOURS_ADD_REMOVE : SFM_NEIGHBOURS_REPLACE);
    sfm_release *refined;
    sfm_evaluator *one, *other;
    const sfm_refine_settings settings = {.size = sizeof(sfm_refine_settings), .normalise = true};
    assert_ok(sfm_release_refine(&refined, raw, &settings, &error), &error);
    assert_ok(sfm_evaluator_create(&one, raw, 0, &error), &error);
    assert_ok(sfm_evaluator_create(&other, refined, 0, &error), &error);
    double shift = NAN, x[2], was, is;
    for (size_t i = 0; i < refined->length; i += 7) {
      sfmi_places_at(&refined->function->places, i, x);
      assert_ok(sfm_evaluator_at(one, &was, x, 1, &error), &error);
      assert_ok(sfm_evaluator_at(other, &is, x, 1, &error), &error);
      if (i == 0) shift = is - was;
      assert_near("the same but for a constant", is, was + shift, 1e-9);
    }
    assert_int_equal(sfm_evaluator_widths(other, &is, x, 1, &error), SFM_INVALID);
    assert_true(isnan(is));
    assert_non_null(strstr(error.message, "band belongs to the raw release"));
    sfm_band band;
    assert_int_equal(sfm_release_band_at(refined, &band, 0.9, &error), SFM_INVALID);
    assert_non_null(strstr(error.message, "band belongs to the raw release"));
    assert_true(isnan(sfm_release_band(refined).half_width));
    assert_false(sfm_release_place(refined, x, 0));
    assert_true(sfm_release_refined(refined) && !sfm_release_refined(raw));
    sfm_evaluator_destroy(one);
    sfm_evaluator_destroy(other);
    sfm_release_destroy(raw);
    sfm_release_destroy(refined);
  }
}

static void circles_close(void **state) {
  (void)state;
  sfm_error error;
  sfm_evaluator *evaluator;
  sfm_release *release = make(2, 1, 0, SFM_NEIGHBOURS_REPLACE);
  sfmi_places grid;
  assert_ok(sfmi_grid_density_choose(&grid, release, &error), &error);
  double *values = calloc(grid.count, sizeof *values);
  assert_ok(sfm_evaluator_create(&evaluator, release, 0, &error), &error);
  for (size_t a = 0; a < 2; a++) {
    release->boundary[a] = SFM_BOUNDARY_PERIODIC;
    release->boundary[1 - a] = SFM_BOUNDARY_OPEN;
    assert_ok(sfmi_grid_density_fill(values, &grid, evaluator, release, &error), &error);
    const size_t n = grid.counts[0], m = grid.counts[1];
    size_t differ = 0;
    for (size_t i = 0; i < n; i++) {
      if (a == 1) assert_true(values[i * m] == values[i * m + m - 1]);
      differ += values[i * m] != values[i * m + m - 1];
    }
    for (size_t j = 0; j < m && a == 0; j++) assert_true(values[j] == values[(n - 1) * m + j]);
    assert_true(a == 1 || differ > 0);
  }
  free(values);
  sfm_evaluator_destroy(evaluator);
  sfm_release_destroy(release);
}

static void files_are_read_back(void **state) {
  (void)state;
  sfm_error error;
  for (size_t d = 1; d <= 3; d++) {
    sfm_release *raw = make(d, 2, 0, SFM_NEIGHBOURS_REPLACE), *refined, *again;
    const sfm_refine_settings settings = sfm_refine_settings_default();
    char path[] = "/tmp/sfumato_gridded.XXXXXX";
    close(mkstemp(path));
    assert_ok(sfm_release_refine(&refined, raw, &settings, &error), &error);
    assert_ok(sfm_release_write(refined, path, &error), &error);
    assert_ok(sfm_release_read(&again, path, &error), &error);
    assert_int_equal(again->length, refined->length);
    assert_memory_equal(again->reals, refined->reals, again->length * sizeof *again->reals);
    assert_memory_equal(again->function->places.counts, refined->function->places.counts,
                        sizeof again->function->places.counts);
    assert_string_equal(again->sentence, raw->sentence);
    assert_memory_equal(&again->refined, &refined->refined, sizeof again->refined);
    assert_true(sfm_release_shrinks(again));
    if (d == 3) { /* more columns than a grid has */
      again->dimension = 4;
      again->columns[3] = strdup("more");
      again->lower[3] = again->lower[0];
      again->upper[3] = again->upper[0];
      again->function->bandwidth[3] = again->function->bandwidth[0];
      again->function->places.counts[3] = 1;
      assert_int_equal(sfmi_release_check(again, "it", &error), SFM_FORMAT);
      assert_non_null(strstr(error.message, "1 to 3 columns"));
    }
    unlink(path);
    sfm_release_destroy(raw);
    sfm_release_destroy(refined);
    sfm_release_destroy(again);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear_functions_are_themselves),
      cmocka_unit_test(weights_integrate_what_lies_between),
      cmocka_unit_test(grids_are_fine_enough_and_not_too_large),
      cmocka_unit_test(values_are_those_of_the_raw_release),
      cmocka_unit_test(circles_close),
      cmocka_unit_test(files_are_read_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
