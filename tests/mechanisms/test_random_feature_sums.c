/* test_random_feature_sums.c - densities by random features, end to end: what is summed, what
 * neighbours move, which randomness is whose, what a file holds, and what memory it takes. */
/* suite: release */
#include "density_fixture.h"

#include <sys/resource.h>
#include <unistd.h>

#include "features/bases/random_basis.h"
#include "mechanisms/functions/random_feature_sums.h"
#include "mechanisms/functions/density_integers.h"
#include "planner/density/design_random_features.h"
#include "releases/core/release_data.h"
#include "releases/core/release_write.h"

/* d columns from 0 to width, bandwidth 1, by so many features. */
static void prepare_for(density_fixture *t, size_t d, double width, size_t features,
                        sfm_neighbours neighbours, uint32_t contributions) {
  density_fixture_init(t, d, 0, width, 1, 1, 1e-6);
  density_fixture_neighbours(t, neighbours, contributions);
  t->settings.method = SFM_DENSITY_GP;
  t->settings.engine = SFM_ENGINE_RANDOM;
  t->settings.features = features;
  t->settings.context.seeded = true;
  t->settings.context.seed = 5;
}

static void prepare(density_fixture *t, size_t d, double width, size_t features,
                    sfm_neighbours neighbours) {
  prepare_for(t, d, width, features, neighbours, 1);
}

/* The noise of a seeded release is that of any other of the same seed and law: their difference is
 * that of the private sums, in records. */
static double *difference(const sfm_release *x, const sfm_release *y) {
  double *moved = calloc(x->length, sizeof *moved);
  assert_non_null(moved);
  assert_int_equal(x->length, y->length);
  assert_true(x->step == y->step && x->function->basis->seed == y->function->basis->seed);
  for (size_t i = 0; i < x->length; i++)
    moved[i] = (double)(x->integers[i] - y->integers[i]) * x->step;
  return moved;
}

static double length_of(const double *moved, size_t count) {
  double square = 0;
  for (size_t i = 0; i < count; i++) square += moved[i] * moved[i];
  return sqrt(square);
}

/* What rows add beyond those of a release of a single row that counts as nothing. */
static void sums_are_those_of_the_definition(void **state) {
  (void)state;
  enum { ROWS = 40, FEATURES = 60, D = 7 };
  for (int neighbours = 0; neighbours < 2; neighbours++) {
    density_fixture t;
    double rows[ROWS * D], nothing[ROWS * D], values[ROWS * FEATURES];
    prepare(&t, D, 8, FEATURES, neighbours ? SFM_NEIGHBOURS_ADD_REMOVE : SFM_NEIGHBOURS_REPLACE);
    density_fixture_rows(rows, ROWS, D, 0, 8, 3);
    for (size_t i = 0; i < ROWS * D; i++) nothing[i] = NAN;
    sfm_release *some = density_fixture_release(&t, rows, ROWS),
                *none = density_fixture_release(&t, nothing, ROWS);
    double *moved = difference(some, none), wanted[FEATURES] = {0};
    sfmi_basis_at(some->function->basis, values, rows, ROWS);
    for (size_t i = 0; i < ROWS * FEATURES; i++) wanted[i % FEATURES] += values[i];
    for (size_t j = 0; j < FEATURES; j++)
      assert_near("sum", moved[j], wanted[j], 0.5 * some->step + ROWS * 1e-9);
    assert_int_equal(some->length, FEATURES + neighbours);
    if (neighbours) assert_true(moved[FEATURES] == 0.125 * ROWS);
    free(moved);
    sfm_release_destroy(some);
    sfm_release_destroy(none);
    density_fixture_clear(&t);
  }
}

/* Rows beyond the bounds are at them, or nothing; what is no number is nothing. */
static void rows_that_do_not_fit_are_clamped_or_nothing(void **state) {
  (void)state;
  enum { D = 5, FEATURES = 20 };
  static const double inside[D] = {4, 1, 0, 2, 3}, beyond[D] = {1e300, 1, -5, 2, 3},
                      broken[D] = {4, 1, 0, -INFINITY, 3};
  density_fixture t;
  prepare(&t, D, 4, FEATURES, SFM_NEIGHBOURS_ADD_REMOVE);
  for (int drop = 0; drop < 2; drop++) {
    t.settings.outside = drop ? SFM_OUTSIDE_DROP : SFM_OUTSIDE_CLAMP;
    sfm_release *in = density_fixture_release(&t, inside, 1),
                *out = density_fixture_release(&t, beyond, 1),
                *no = density_fixture_release(&t, broken, 1);
    double *as_bound = difference(in, out), *as_nothing = difference(no, out);
    assert_int_equal(length_of(as_bound, FEATURES + 1) == 0, !drop);
    assert_int_equal(length_of(as_nothing, FEATURES + 1) == 0, drop);
    free(as_bound);
    free(as_nothing);
    sfm_release_destroy(in);
    sfm_release_destroy(out);
    sfm_release_destroy(no);
  }
  density_fixture_clear(&t);
}

/* A problem up to its noise. */
typedef struct setting {
  density_fixture t;
  sfmi_design_density design;
  sfmi_basis *basis;
  sfmi_hardening hardening;
} setting;

static void setting_init(setting *s, size_t d, sfm_neighbours neighbours, uint32_t contributions) {
  sfm_error error;
  prepare_for(&s->t, d, 40, 4, neighbours, contributions);
  assert_ok(sfmi_design_density_init(&s->design, &s->t.settings, 2, &error), &error);
  assert_ok(sfmi_random_feature_basis(&s->basis, &s->design, NULL, (sfmi_seed){true, 5}, &error),
            &error);
  s->design.basis = s->basis;
  assert_ok(sfmi_density_hardening(&s->hardening, &s->design, 1, &error), &error);
}

static void setting_clear(setting *s) {
  sfmi_basis_destroy(s->basis);
  density_fixture_clear(&s->t);
}

static sfmi_i128 *integers(const setting *s, const double *values, size_t count) {
  sfm_error error;
  sfm_rows *rows;
  sfmi_i128 *sums;
  assert_ok(sfm_rows_from_array(&rows, values, count, s->design.dimension, density_fixture_columns,
                                &error),
            &error);
  assert_ok(sfmi_density_integers(&sums, &s->design, &s->hardening, rows, &s->t.settings, &error),
            &error);
  sfm_rows_destroy(rows);
  return sums;
}

/* How far apart two tables are, in records. */
static double apart(const setting *s, const double *x, size_t nx, const double *y, size_t ny) {
  sfmi_i128 *p = integers(s, x, nx), *q = integers(s, y, ny);
  double square = 0;
  for (size_t i = 0; i < sfmi_design_random_features_length(&s->design); i++)
    square += pow((double)(p[i] - q[i]) * s->hardening.step, 2);
  free(p);
  free(q);
  return sqrt(square);
}

/* Searched over many pairs, with few features: the sensitivity is approached and not passed, with
 * one record or several, replaced, added, or broken. */
static void neighbours_never_pass_the_sensitivity(void **state) {
  (void)state;
  enum { D = 5, PAIRS = 3000, REPLACED = 0, ADDED, BOTH, BROKEN };
  static const double wanted[] = {2, 1.0077822185373186, 4, 2},
                      reached[] = {0.97, 0.999, 0.97, 0.49};
  sfmi_prng prng;
  sfmi_prng_init(&prng, 6);
  for (int way = REPLACED; way <= BROKEN; way++) {
    setting s;
    double x[2 * D], y[2 * D], most = 0;
    setting_init(&s, D, way == ADDED ? SFM_NEIGHBOURS_ADD_REMOVE : SFM_NEIGHBOURS_REPLACE,
                 way == BOTH ? 2 : 1);
    for (int pair = 0; pair < PAIRS; pair++) {
      for (size_t a = 0; a < D; a++) {
        x[a] = y[a] = x[D + a] = 20;
        y[D + a] = way == BROKEN ? NAN : 40 * sfmi_prng_uniform(&prng);
        if (way == BOTH) y[a] = y[D + a];
      }
      most = fmax(most, apart(&s, x, way == ADDED ? 1 : 2, y, 2));
    }
    assert_relative("sensitivity", s.hardening.sensitivity, wanted[way], 3e-4);
    assert_true(most <= s.hardening.sensitivity);
    assert_true(most >= s.hardening.sensitivity * reached[way]);
    setting_clear(&s);
  }
}

/* Frequencies are drawn afresh for every release, and not from what the noise comes from. */
static void seeds_are_fresh_and_their_own(void **state) {
  (void)state;
  density_fixture t;
  const double row[6] = {1, 1, 1, 1, 1, 1};
  uint64_t seeds[4];
  prepare(&t, 6, 4, 8, SFM_NEIGHBOURS_REPLACE);
  for (int i = 0; i < 4; i++) {
    t.settings.context.seeded = i < 2;
    sfm_release *release = density_fixture_release(&t, row, 1);
    seeds[i] = release->function->basis->seed;
    assert_true(seeds[i] < SFMI_FREQUENCY_SEEDS);
    sfm_release_destroy(release);
  }
  assert_true(seeds[0] == seeds[1]);
  assert_true(seeds[1] != seeds[2] && seeds[2] != seeds[3]);
  /* The seed is the same whatever is drawn as noise. */
  t.settings.context.seeded = true;
  t.settings.epsilon = 0.3;
  t.settings.features = 1000;
  sfm_release *other = density_fixture_release(&t, row, 1);
  assert_true(other->function->basis->seed == seeds[0]);
  sfm_release_destroy(other);
  density_fixture_clear(&t);
}

/* The same bytes are written and read, the same function evaluated, and a few bytes a coefficient
 * leave no room for frequencies. */
static void files_hold_a_seed_and_no_frequencies(void **state) {
  (void)state;
  enum { D = 20, FEATURES = 1000, ROWS = 100, POINTS = 50 };
  for (int neighbours = 0; neighbours < 2; neighbours++) {
    density_fixture t;
    sfm_error error;
    double rows[ROWS * D], points[POINTS * D], before[POINTS], after[POINTS];
    prepare(&t, D, 3, FEATURES, neighbours ? SFM_NEIGHBOURS_ADD_REMOVE : SFM_NEIGHBOURS_REPLACE);
    t.settings.kernel = SFM_KERNEL_MATERN52;
    density_fixture_rows(rows, ROWS, D, 0, 3, 7);
    density_fixture_rows(points, POINTS, D, 0, 3, 8);
    sfm_release *release = density_fixture_release(&t, rows, ROWS), *again = NULL;
    char *bytes, *twice;
    size_t length, length_again;
    assert_ok(sfmi_release_print(release, &bytes, &length, &error), &error);
    assert_true(length < 20 * FEATURES + 8000);
    assert_non_null(strstr(bytes, "\"seed\": "));
    assert_ok(sfm_release_parse(&again, bytes, length, "it", &error), &error);
    assert_ok(sfmi_release_print(again, &twice, &length_again, &error), &error);
    assert_int_equal(length, length_again);
    assert_memory_equal(bytes, twice, length);
    sfm_release *both[] = {release, again};
    double *values[] = {before, after};
    for (int k = 0; k < 2; k++) {
      sfm_evaluator *evaluator;
      assert_ok(sfm_evaluator_create(&evaluator, both[k], ROWS, &error), &error);
      assert_ok(sfm_evaluator_at(evaluator, values[k], points, POINTS, &error), &error);
      sfm_evaluator_destroy(evaluator);
    }
    assert_memory_equal(before, after, sizeof before);
    /* One coefficient more or less is refused before any frequency is drawn. */
    char *terms = strstr(bytes, "\"terms\": 1000");
    assert_non_null(terms);
    memcpy(terms, "\"terms\": 1002", 13);
    assert_int_equal(sfm_release_parse(&again, bytes, length, "it", &error), SFM_FORMAT);
    assert_non_null(strstr(error.message, "as many as there are coefficients"));
    free(bytes);
    free(twice);
    sfm_release_destroy(release);
    sfm_release_destroy(both[1]);
    density_fixture_clear(&t);
  }
}

/* Values are those of the exact kernel mean but for noise and approximation, in units of its
 * standard deviation: for every kernel, with much epsilon. */
static void densities_are_those_of_the_kernel(void **state) {
  (void)state;
  enum { D = 6, ROWS = 200, POINTS = 10, FEATURES = 20004 };
  for (sfm_kernel_family kernel = 0; kernel <= SFM_KERNEL_CAUCHY; kernel++) {
    density_fixture t;
    sfm_error error;
    double rows[ROWS * D], points[POINTS * D], values[POINTS], ones[D] = {1, 1, 1, 1, 1, 1};
    prepare(&t, D, 3, FEATURES, SFM_NEIGHBOURS_REPLACE);
    t.settings.kernel = kernel;
    t.settings.epsilon = 50;
    density_fixture_rows(rows, ROWS, D, 0, 3, 9);
    density_fixture_rows(points, POINTS, D, 0, 3, 10);
    sfm_release *release = density_fixture_release(&t, rows, ROWS);
    sfm_evaluator *evaluator;
    assert_ok(sfm_evaluator_create(&evaluator, release, 0, &error), &error);
    assert_ok(sfm_evaluator_at(evaluator, values, points, POINTS, &error), &error);
    const sfm_kernel exact = {.family = kernel, .dimension = D, .bandwidth = ones};
    const double mass = sfmi_kernel_mass(&exact);
    for (size_t p = 0; p < POINTS; p++) {
      double mean = 0;
      for (size_t r = 0; r < ROWS; r++)
        mean += sfm_kernel_at(&exact, points + p * D, rows + r * D) / ROWS;
      /* Terms have variance at most 1/2, blocks 1 + 3/7 times that. */
      const double sd = sqrt(0.505 * (1 + 3.0 / 7) / (FEATURES / 2)) + release->scale / ROWS;
      assert_near(sfm_kernel_family_name(kernel), values[p] * mass, mean, TEST_Z * sd);
    }
    sfm_evaluator_destroy(evaluator);
    sfm_release_destroy(release);
    density_fixture_clear(&t);
  }
}

/* A matrix of rows x features would take 1.6 gigabytes. */
static void memory_does_not_multiply_rows_by_features(void **state) {
  (void)state;
  enum { D = 5, ROWS = 10000, FEATURES = 20000 };
  density_fixture t;
  struct rusage usage;
  double *rows = calloc(ROWS * D, sizeof *rows);
  assert_non_null(rows);
  prepare(&t, D, 3, FEATURES, SFM_NEIGHBOURS_REPLACE);
  getrusage(RUSAGE_SELF, &usage);
  const long before = usage.ru_maxrss;
  sfm_release *release = density_fixture_release(&t, rows, ROWS);
  getrusage(RUSAGE_SELF, &usage);
  assert_true(usage.ru_maxrss - before < 100000); /* kilobytes */
  sfm_release_destroy(release);
  free(rows);
  density_fixture_clear(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_are_those_of_the_definition),
      cmocka_unit_test(rows_that_do_not_fit_are_clamped_or_nothing),
      cmocka_unit_test(neighbours_never_pass_the_sensitivity),
      cmocka_unit_test(seeds_are_fresh_and_their_own),
      cmocka_unit_test(files_hold_a_seed_and_no_frequencies),
      cmocka_unit_test(densities_are_those_of_the_kernel),
      cmocka_unit_test(memory_does_not_multiply_rows_by_features),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
