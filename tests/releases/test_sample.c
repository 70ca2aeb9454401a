/* test_sample.c - rows drawn from a density follow it exactly, between the points of its grid too;
 * and the tests that say so notice rows that do not. */
/* suite: release */
#include "density_fixture.h"

#include "releases/eval/grid_density.h"
#include "releases/refine/alias_sampler.h"
#include "sfumato/refine.h"
#include "sfumato/sample.h"

enum { DRAWS = 200000 };

/* A refined release whose grid and values are set by hand. */
static sfm_release *by_hand(size_t d, const size_t *counts, const double *values) {
  static double rows[60];
  sfm_error error;
  density_fixture t;
  sfm_release *refined;
  density_fixture_init(&t, d, -3, 5, 4, 1, 0);
  t.settings.context.seeded = true;
  density_fixture_rows(rows, 60 / d, d, -3, 5, 1);
  sfm_release *raw = density_fixture_release(&t, rows, 60 / d);
  density_fixture_clear(&t);
  const sfm_refine_settings settings = sfm_refine_settings_default();
  assert_ok(sfm_release_refine(&refined, raw, &settings, &error), &error);
  sfm_release_destroy(raw);
  refined->length = 1;
  for (size_t a = 0; a < d; a++) {
    refined->function->places.counts[a] = counts[a];
    refined->length *= counts[a];
  }
  refined->function->places.count = refined->length;
  memcpy(refined->reals, values, refined->length * sizeof *values);
  return refined;
}

static double *drawn(const sfm_release *release, uint64_t seed, size_t count) {
  sfm_error error;
  sfm_sample *sample;
  double *points = calloc(count * release->dimension, sizeof *points);
  assert_ok(sfm_sample_create(&sample, release, NULL, 0, seed, &error), &error);
  sfm_sample_draw(sample, points, NULL, count);
  sfm_sample_destroy(sample);
  return points;
}

static int ascending(const void *x, const void *y) {
  const double a = *(const double *)x, b = *(const double *)y;
  return (a > b) - (a < b);
}

/* The distribution function of values on a grid of [-3, 5]: linear between them, or, steps, flat
 * cells with the same masses. */
static double cdf(const double *values, size_t points, double x, bool steps) {
  const double cell = 8.0 / (double)(points - 1);
  double below = 0, all = 0;
  for (size_t k = 0; k + 1 < points; k++) {
    const double left = fmax(values[k], 0), right = fmax(values[k + 1], 0);
    const double t = fmin(fmax((x + 3) / cell - (double)k, 0), 1);
    all += (left + right) / 2;
    below += steps ? t * (left + right) / 2 : left * t + (right - left) * t * t / 2;
  }
  return below / all;
}

/* P(sqrt(n) sup |F_n - F| > x) by Kolmogorov's law, whose first term is an upper bound. */
static double kolmogorov(double *points, size_t count, const double *values, size_t grid,
                         bool steps) {
  double sup = 0;
  qsort(points, count, sizeof *points, ascending);
  for (size_t i = 0; i < count; i++) {
    const double F = cdf(values, grid, points[i], steps), n = (double)count;
    sup = fmax(sup, fmax(fabs(F - (double)i / n), fabs(F - (double)(i + 1) / n)));
  }
  return 2 * exp(-2 * (double)count * sup * sup);
}

static void rows_follow_the_lines_between_points(void **state) {
  (void)state;
  const double shapes[][5] = {
      {0, 1, 0.2, 3, 0}, {1, 1, 1, 1, 1}, {2, 0, 0, 0, 1}, {-1, 2, -3, 1, 0.5}};
  for (size_t s = 0; s < 4; s++) {
    const size_t counts[] = {5};
    sfm_release *release = by_hand(1, counts, shapes[s]);
    double *points = drawn(release, 7 + s, DRAWS);
    for (size_t i = 0; i < DRAWS; i++) assert_true(points[i] >= -3 && points[i] <= 5);
    const double right = kolmogorov(points, DRAWS, shapes[s], 5, false),
                 wrong = kolmogorov(points, DRAWS, shapes[s], 5, true);
    if (!(right > TEST_SIGNIFICANCE)) fail_msg("shape %zu: p = %g", s, right);
    /* Rows spread evenly over their cell would be noticed. */
    if (s != 1) assert_true(wrong < TEST_SIGNIFICANCE);
    free(points);
    sfm_release_destroy(release);
  }
}

/* The integral of the product of tents' values over a box, for a multilinear function: the middle's
 * value times the volume, where the box lies in one cell. */
static double box_mass(const sfm_release *release, const double *low, const double *high) {
  double x[3], volume = 1;
  for (size_t a = 0; a < release->dimension; a++) {
    x[a] = (low[a] + high[a]) / 2;
    volume *= high[a] - low[a];
  }
  return volume * sfmi_grid_density_at(&release->function->places, release->reals, x);
}

/* The tail of chi-square by Wilson and Hilferty, good enough at 1e-6 with many boxes. */
static double chi_tail(double statistic, double freedom) {
  const double z = (cbrt(statistic / freedom) - (1 - 2 / (9 * freedom))) / sqrt(2 / (9 * freedom));
  return erfc(z / sqrt(2)) / 2;
}

/* Every cell of the grid is cut in three along each axis; power: values are raised to it for what
 * is expected, 1 being right. */
static double chi_square(const sfm_release *release, const double *points, double power) {
  const size_t d = release->dimension;
  const sfmi_places *grid = &release->function->places;
  size_t sizes[3], boxes = 1;
  for (size_t a = 0; a < d; a++) boxes *= sizes[a] = 3 * (grid->counts[a] - 1);
  double *expected = calloc(boxes, sizeof *expected), all = 0, statistic = 0;
  size_t *seen = calloc(boxes, sizeof *seen);
  for (size_t b = 0; b < boxes; b++) {
    double low[3], high[3];
    size_t rest = b;
    for (size_t a = d; a-- > 0; rest /= sizes[a]) {
      const double part = (grid->upper[a] - grid->lower[a]) / (double)sizes[a];
      low[a] = grid->lower[a] + part * (double)(rest % sizes[a]);
      high[a] = low[a] + part;
    }
    all += expected[b] = pow(box_mass(release, low, high), power);
  }
  for (size_t i = 0; i < DRAWS; i++) {
    size_t b = 0;
    for (size_t a = 0; a < d; a++) {
      const double t = (points[i * d + a] - grid->lower[a]) / (grid->upper[a] - grid->lower[a]);
      b = b * sizes[a] + (size_t)fmin(t * (double)sizes[a], (double)sizes[a] - 1);
    }
    seen[b]++;
  }
  for (size_t b = 0; b < boxes; b++) {
    const double wanted = DRAWS * expected[b] / all;
    statistic += ((double)seen[b] - wanted) * ((double)seen[b] - wanted) / wanted;
  }
  free(expected);
  free(seen);
  return chi_tail(statistic, (double)boxes - 1);
}

static void rows_of_more_columns_follow_their_cells(void **state) {
  (void)state;
  const size_t counts[] = {4, 3, 3};
  for (size_t d = 2; d <= 3; d++) {
    double values[36];
    sfmi_prng prng;
    sfmi_prng_init(&prng, d);
    for (size_t i = 0; i < 36; i++) values[i] = 0.3 + sfmi_prng_uniform(&prng);
    sfm_release *release = by_hand(d, counts, values);
    double *points = drawn(release, 3, DRAWS);
    const double right = chi_square(release, points, 1), wrong = chi_square(release, points, 1.3);
    if (!(right > TEST_SIGNIFICANCE)) fail_msg("%zu columns: p = %g", d, right);
    assert_true(wrong < TEST_SIGNIFICANCE);
    free(points);
    sfm_release_destroy(release);
  }
}

/* A raw release is drawn from as its values on the grid are, whatever it is divided by. */
static void raw_releases_are_drawn_from_where_they_are_positive(void **state) {
  (void)state;
  static double rows[200];
  sfm_error error;
  for (int k = 0; k < 2; k++) {
    density_fixture t;
    sfm_sample *sample;
    sfm_evaluator *evaluator;
    density_fixture_init(&t, 1, -3, 5, 1, 0.1, 0);
    t.settings.method = SFM_DENSITY_LATTICE;
    density_fixture_neighbours(&t, k ? SFM_NEIGHBOURS_ADD_REMOVE : SFM_NEIGHBOURS_REPLACE, 1);
    t.settings.context.seeded = true;
    density_fixture_rows(rows, 200, 1, -3, 5, 2);
    sfm_release *release = density_fixture_release(&t, rows, 200);
    density_fixture_clear(&t);
    const size_t counts[] = {257};
    double values[257], *points = drawn(release, 11, DRAWS);
    assert_ok(sfm_evaluator_create(&evaluator, release, 0, &error), &error);
    assert_ok(sfm_evaluator_grid(evaluator, values, counts, &error), &error);
    sfm_evaluator_destroy(evaluator);
    size_t negative = 0;
    for (size_t i = 0; i < 257; i++) negative += values[i] < 0;
    assert_true(negative > 0);
    assert_true(kolmogorov(points, DRAWS, values, 257, false) > TEST_SIGNIFICANCE);
    values[128] *= 3;
    assert_true(kolmogorov(points, DRAWS, values, 257, false) < TEST_SIGNIFICANCE);
    free(points);
    /* A total below zero matters no more than any other, but nothing above zero does. */
    for (size_t i = 0; i < release->length; i++) release->integers[i] = -1000;
    if (k) assert_int_equal(sfm_sample_create(&sample, release, NULL, 0, 1, &error), SFM_INVALID);
    if (k) assert_non_null(strstr(error.message, "nowhere above zero"));
    sfm_release_destroy(release);
  }
}

static void seeds_repeat_and_draws_go_on(void **state) {
  (void)state;
  const size_t counts[] = {2, 3};
  const double values[] = {1, 2, 3, 4, 5, 6};
  sfm_error error;
  sfm_sample *sample;
  sfm_release *release = by_hand(2, counts, values);
  double *once = drawn(release, 5, 1000), *again = drawn(release, 5, 1000),
         *other = drawn(release, 6, 1000), parts[2000];
  size_t groups[1000];
  assert_memory_equal(once, again, 2000 * sizeof *once);
  assert_memory_not_equal(once, other, 2000 * sizeof *once);
  assert_ok(sfm_sample_create(&sample, release, NULL, 0, 5, &error), &error);
  sfm_release_destroy(release); /* it is not borrowed */
  sfm_sample_draw(sample, parts, groups, 1);
  sfm_sample_draw(sample, parts + 2, groups + 1, 999);
  assert_memory_equal(once, parts, sizeof parts);
  for (size_t i = 0; i < 1000; i++) assert_int_equal(groups[i], 0);
  sfm_sample_destroy(sample);
  free(once);
  free(again);
  free(other);
}

/* In proportion to their noisy sizes, each from its own density; none from one that is nothing. */
static void groups_are_drawn_by_their_sizes(void **state) {
  (void)state;
  static const double sizes[] = {300, 0, 100, 50, 200}, shapes[][5] = {{1, 0, 0, 0, 0},
                                                                       {1, 1, 1, 1, 1},
                                                                       {0, 0, 0, 0, 1},
                                                                       {0, 0, 0, 0, 0},
                                                                       {0, 0, 1, 0, 0}};
  const size_t counts[] = {5}, some[] = {4, 2}, none[] = {3};
  sfm_error error;
  sfm_sample *sample;
  sfm_release *release = by_hand(1, counts, shapes[0]);
  release->function->by = (sfmi_partition){.count = 1, .sizes = {5}};
  release->function->by.columns[0] = strdup("ward");
  release->function->by.labels[0] = calloc(5, sizeof(char *));
  for (size_t g = 0; g < 5; g++)
    release->function->by.labels[0][g] = strdup((char[]){(char)('a' + g), 0});
  release->length = 25;
  release->reals = realloc(release->reals, 25 * sizeof *release->reals);
  memcpy(release->reals, shapes, sizeof shapes);
  release->function->sizes = calloc(5, sizeof *release->function->sizes);
  memcpy(release->function->sizes, sizes, sizeof sizes);
  double *points = calloc(DRAWS, sizeof *points), *part = calloc(DRAWS, sizeof *part);
  size_t *groups = calloc(DRAWS, sizeof *groups), seen[5] = {0};
  assert_ok(sfm_sample_create(&sample, release, NULL, 0, 8, &error), &error);
  sfm_sample_draw(sample, points, groups, DRAWS);
  sfm_sample_destroy(sample);
  for (size_t g = 0; g < 5; g++) {
    for (size_t i = 0; i < DRAWS; i++)
      if (groups[i] == g) part[seen[g]++] = points[i];
    const double p = g == 3 ? 0 : sizes[g] / 600;
    assert_near("share", (double)seen[g], DRAWS * p, TEST_Z * sqrt(DRAWS * p * (1 - p)));
    if (p > 0) assert_true(kolmogorov(part, seen[g], shapes[g], 5, false) > TEST_SIGNIFICANCE);
  }
  assert_ok(sfm_sample_create(&sample, release, some, 2, 8, &error), &error);
  sfm_sample_draw(sample, points, groups, DRAWS);
  sfm_sample_destroy(sample);
  memset(seen, 0, sizeof seen);
  for (size_t i = 0; i < DRAWS; i++) seen[groups[i]]++;
  assert_int_equal(seen[4] + seen[2], DRAWS);
  assert_near("two of them", (double)seen[4], DRAWS * 2.0 / 3, TEST_Z * sqrt(DRAWS * 2.0 / 9));
  assert_int_equal(sfm_sample_create(&sample, release, none, 1, 8, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "nothing to draw"));
  assert_int_equal(sfm_sample_create(&sample, release, (size_t[]){5}, 1, 8, &error), SFM_INVALID);
  free(points);
  free(part);
  free(groups);
  sfm_release_destroy(release);
}

/* What all bins together give an index is its weight. */
static void urns_hold_their_weights(void **state) {
  (void)state;
  sfm_error error;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 1);
  for (int r = 0; r < 200; r++) {
    double weights[100], given[100] = {0}, sum = 0;
    const size_t count = 1 + sfmi_prng_word(&prng) % 100;
    sfmi_alias_sampler sampler;
    for (size_t i = 0; i < count; i++) {
      weights[i] = sfmi_prng_word(&prng) % 3 ? exp(5 * sfmi_prng_normal(&prng)) : 0;
      if (i + 1 == count) weights[i] = 1;
      sum += weights[i];
    }
    assert_ok(sfmi_alias_sampler_init(&sampler, weights, count, &error), &error);
    for (size_t i = 0; i < count; i++) {
      given[i] += sampler.own[i];
      given[sampler.other[i]] += 1 - sampler.own[i];
    }
    for (size_t i = 0; i < count; i++) {
      assert_near("weight", given[i] / (double)count, weights[i] / sum, 1e-13);
      if (weights[i] == 0) assert_true(given[i] < 1e-13);
    }
    sfmi_alias_sampler_clear(&sampler);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_follow_the_lines_between_points),
      cmocka_unit_test(rows_of_more_columns_follow_their_cells),
      cmocka_unit_test(raw_releases_are_drawn_from_where_they_are_positive),
      cmocka_unit_test(seeds_repeat_and_draws_go_on),
      cmocka_unit_test(groups_are_drawn_by_their_sizes),
      cmocka_unit_test(urns_hold_their_weights),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
