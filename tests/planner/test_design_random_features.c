/* test_design_random_features.c - random features are planned from public numbers: as many as
 * computing allows, with the error that was predicted, and only where nothing else is asked for. */
/* suite: release */
#include "density_fixture.h"

#include "planner/density/design_random_features.h"
#include "releases/core/release_data.h"

static void prepare(density_fixture *t, size_t d, double width, double bandwidth) {
  density_fixture_init(t, d, 0, width, bandwidth, 1, 1e-6);
  t->settings.method = SFM_DENSITY_GP;
}

static sfm_density_choice plan_of(const density_fixture *t, uint64_t rows) {
  sfm_density_choice plan;
  sfm_error error;
  assert_ok(sfm_density_choose(&plan, &t->settings, rows, &error), &error);
  return plan;
}

static void refused(const density_fixture *t, const char *why) {
  sfm_density_choice plan;
  sfm_error error = {0};
  assert_int_equal(sfm_density_choose(&plan, &t->settings, 1000, &error), SFM_INVALID);
  if (!strstr(error.message, why)) fail_msg("\"%s\" does not say \"%s\"", error.message, why);
}

static void many_columns_mean_random_features(void **state) {
  (void)state;
  static const double middle[6] = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
  for (size_t d = 3; d <= 64; d += d < 6 ? 1 : 29) {
    density_fixture t;
    prepare(&t, d, 1, 0.5);
    const sfm_engine engine = plan_of(&t, 1000).engine;
    assert_int_equal(engine, d > 4 ? SFM_ENGINE_RANDOM : SFM_ENGINE_SPECTRAL);
    t.settings.engine = SFM_ENGINE_RANDOM; /* in so many words, anywhere */
    assert_int_equal(plan_of(&t, 1000).engine, SFM_ENGINE_RANDOM);
    t.settings.kernel = SFM_KERNEL_CAUCHY;
    assert_int_equal(plan_of(&t, 1000).engine, SFM_ENGINE_RANDOM);
    t.settings.engine = SFM_ENGINE_AUTO;
    if (d > 4) assert_int_equal(plan_of(&t, 1000).engine, SFM_ENGINE_RANDOM);
    if (d == 5 || d == 6) { /* values where they are asked for */
      t.settings.release_points = middle;
      t.settings.release_count = 1;
      assert_int_equal(plan_of(&t, 1000).engine, SFM_ENGINE_GRAM);
    }
    density_fixture_clear(&t);
  }
}

/* With the method left open: a lattice without a delta or where it is predicted to be better,
 * random features where nothing else fits. */
static void auto_takes_the_least_predicted_error(void **state) {
  (void)state;
  size_t lattices = 0, others = 0;
  for (int i = 0; i < 8; i++) {
    density_fixture t;
    prepare(&t, 5, 1, i % 2 ? 0.3 : 1);
    t.settings.epsilon = i / 2 % 2 ? 10 : 0.1;
    t.settings.delta = i / 4 ? 0.01 : 1e-9;
    t.settings.method = SFM_DENSITY_LATTICE;
    const sfm_density_choice lattice = plan_of(&t, 100000);
    t.settings.method = SFM_DENSITY_GP;
    const sfm_density_choice random = plan_of(&t, 100000);
    t.settings.method = SFM_DENSITY_AUTO;
    const sfm_density_choice chosen = plan_of(&t, 100000);
    const bool better = random.total < lattice.total;
    assert_int_equal(chosen.method, better ? SFM_DENSITY_GP : SFM_DENSITY_LATTICE);
    assert_int_equal(chosen.engine, better ? SFM_ENGINE_RANDOM : SFM_ENGINE_AUTO);
    assert_true(chosen.total == (better ? random.total : lattice.total));
    assert_true((chosen.seconds > 0) == better);
    *(better ? &others : &lattices) += 1;
    density_fixture_clear(&t);
  }
  assert_true(lattices > 0 && others > 0);
  density_fixture t;
  prepare(&t, 20, 1, 0.3);
  t.settings.method = SFM_DENSITY_AUTO;
  assert_int_equal(plan_of(&t, 1000).engine, SFM_ENGINE_RANDOM);
  t.settings.delta = 0;
  refused(&t, "a lattice is for up to 12 columns, not 20; use fewer, or random features: "
              "settings.method = gp");
  density_fixture_clear(&t);
}

/* Whole blocks; so many that approximation is a tenth of the noise, up to a file of two megabytes
 * and a minute. */
static void features_are_as_many_as_computing_allows(void **state) {
  (void)state;
  density_fixture t;
  size_t last = 0;
  prepare(&t, 20, 4, 0.7);
  for (uint64_t n = 10; n <= 100000; n *= 10) {
    const sfm_density_choice plan = plan_of(&t, n);
    assert_int_equal(plan.coefficients % 40, 0);
    assert_true(plan.coefficients >= last && plan.coefficients <= (1 << 18) + 40);
    if (plan.coefficients > 1040 && plan.coefficients < 1 << 18)
      assert_relative("a tenth", plan.truncation, 0.1 * plan.privacy, 0.05);
    if (plan.coefficients == 1040) assert_true(plan.truncation <= 0.101 * plan.privacy);
    last = plan.coefficients;
  }
  assert_int_equal(last, (1 << 18) + 16); /* the next multiple of 40 */
  for (uint64_t n = 1000000; n <= 1000000000; n *= 10) {
    const sfm_density_choice plan = plan_of(&t, n);
    assert_true(plan.coefficients <= last && plan.coefficients >= 1024);
    assert_true(plan.coefficients <= 1040 || plan.seconds < 70);
    last = plan.coefficients;
  }
  assert_int_equal(last, 1040);
  density_fixture_clear(&t);
}

/* Where the number of records is private it plays no part; what is expected does. */
static void private_numbers_of_rows_play_no_part(void **state) {
  (void)state;
  density_fixture t;
  prepare(&t, 20, 4, 0.7);
  density_fixture_neighbours(&t, SFM_NEIGHBOURS_ADD_REMOVE, 1);
  const sfm_density_choice few = plan_of(&t, 10), many = plan_of(&t, 1000000000);
  assert_memory_equal(&few, &many, sizeof few);
  assert_int_equal(few.coefficients % 40, 1); /* the total */
  assert_true(few.coefficients > 50000 && few.seconds == 0 && few.truncation == 0);
  t.settings.expected_rows = 500;
  assert_true(plan_of(&t, 10).coefficients < 10000);
  assert_true(plan_of(&t, 10).seconds > 0);
  density_fixture_clear(&t);
}

static void sensitivities_are_those_of_norm_one(void **state) {
  (void)state;
  static const double wanted[] = {2, 1.0077822185373186};
  for (int add = 0; add < 2; add++)
    for (uint32_t k = 1; k <= 3; k += 2) {
      density_fixture t;
      sfmi_design_density design;
      sfm_error error;
      prepare(&t, 6, 4, 1);
      density_fixture_neighbours(&t, add ? SFM_NEIGHBOURS_ADD_REMOVE : SFM_NEIGHBOURS_REPLACE, k);
      assert_ok(sfmi_design_density_init(&design, &t.settings, 100, &error), &error);
      const double got = sfmi_design_random_features_sensitivity(&design);
      assert_true(got > wanted[add] * k);
      assert_relative("sensitivity", got, wanted[add] * k, 1e-9);
      density_fixture_clear(&t);
    }
}

static void what_cannot_be_is_refused(void **state) {
  (void)state;
  density_fixture t;
  prepare(&t, 6, 4, 1);
  t.settings.features = 7;
  refused(&t, "an even number from 2 to 1048576, not 7");
  t.settings.features = ((size_t)1 << 20) + 2;
  refused(&t, "not 1048578");
  t.settings.features = 8;
  t.settings.engine = SFM_ENGINE_GRAM;
  refused(&t, "a number of features belongs to random");
  t.settings.engine = SFM_ENGINE_RANDOM;
  t.settings.release_grid[0] = 5;
  refused(&t, "the engine random releases the whole function");
  t.settings.release_grid[0] = 0;
  t.settings.delta = 0;
  refused(&t, "method gp needs a delta");
  t.settings.delta = 1e-6;
  t.settings.engine = SFM_ENGINE_SPECTRAL;
  t.settings.features = 0;
  refused(&t, "the engine spectral fits up to 4 columns, not 6");
  t.settings.engine = SFM_ENGINE_AUTO;
  t.settings.method = SFM_DENSITY_AUTO;
  t.settings.features = 8;
  refused(&t, "a number of features belongs to random");
  density_fixture_clear(&t);
  prepare(&t, 64, 1e-3, 1e-4);
  refused(&t, "write the columns in other units");
  density_fixture_clear(&t);
}

/* The reference law itself, many times: one person in seven at one place, the others spread evenly.
 * Squared errors at places spread evenly, over the volume of the domain; with few features for the
 * approximation (which orthogonal frequencies make smaller, not larger), with many
 * for the noise. */
static void errors_are_as_predicted(void **state) {
  (void)state;
  enum { D = 5, ROWS = 500, POINTS = 30, RELEASES = 60 };
  const size_t releases = test_repetitions(RELEASES, 12);
  const double width = 4, volume = pow(width, D), slack = 0.2 * test_slack(RELEASES, 12);
  for (int many = 0; many < 2; many++) {
    density_fixture t;
    sfm_error error;
    sfmi_prng prng;
    double *rows = calloc(ROWS * D, sizeof *rows), points[POINTS * D], values[POINTS], sum = 0;
    assert_non_null(rows);
    prepare(&t, D, width, 1);
    t.settings.epsilon = many ? 1 : 40;
    t.settings.features = many ? 6000 : 200;
    sfmi_prng_init(&prng, 70);
    for (size_t i = 0; i < ROWS * D; i++)
      rows[i] = i / D % 7 ? width * sfmi_prng_uniform(&prng) : 1;
    for (size_t i = 0; i < POINTS * D; i++) points[i] = width * sfmi_prng_uniform(&prng);
    const sfm_density_choice plan = plan_of(&t, ROWS);
    for (size_t r = 0; r < releases; r++) {
      t.settings.context.seeded = true;
      t.settings.context.seed = r;
      sfm_release *release = density_fixture_release(&t, rows, ROWS);
      sfm_evaluator *evaluator;
      assert_ok(sfm_evaluator_create(&evaluator, release, 0, &error), &error);
      assert_ok(sfm_evaluator_at(evaluator, values, points, POINTS, &error), &error);
      for (size_t p = 0; p < POINTS; p++)
        sum +=
            pow(values[p] - density_fixture_density(rows, ROWS, D, t.bandwidth, points + p * D), 2);
      sfm_evaluator_destroy(evaluator);
      sfm_release_destroy(release);
    }
    const double measured = sum / (double)releases / POINTS * volume,
                 ratio = measured / (plan.privacy + plan.truncation);
    print_message("%s features: measured %.3g, predicted %.3g for privacy and %.3g for "
                  "approximation: ratio %.2f\n",
                  many ? "many" : "few", measured, plan.privacy, plan.truncation, ratio);
    assert_true(many ? plan.truncation < 0.2 * plan.privacy : plan.privacy < 0.2 * plan.truncation);
    assert_true(ratio > (many ? 1 - slack : 0.5) && ratio < 1 + slack);
    free(rows);
    density_fixture_clear(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(many_columns_mean_random_features),
      cmocka_unit_test(auto_takes_the_least_predicted_error),
      cmocka_unit_test(features_are_as_many_as_computing_allows),
      cmocka_unit_test(private_numbers_of_rows_play_no_part),
      cmocka_unit_test(sensitivities_are_those_of_norm_one),
      cmocka_unit_test(what_cannot_be_is_refused),
      cmocka_unit_test(errors_are_as_predicted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
