/* test_score.c - scores: exact of public rows, with the noise that is stated of private ones; what
 * one record can move them by; what is refused. */
#include "releases/core/release_kind.h"
#include "mechanisms/machines/score_release.h"
#include "score_fixture.h"
#include "data/rows/rows_open.h"

/* Right, wrong, right, wrong, right; then without a value, of another label, without a label. */
static const double rows[8][3] = {{7, 0.5, 1}, {7, 0.5, 0},   {1, 0.5, 0}, {0, 0.5, 1},
                                  {90, 9, 1},  {NAN, 0.5, 1}, {7, 0.5, 2}, {7, 0.5, NAN}};

static sfm_score_settings paid(double epsilon, uint64_t seed) {
  sfm_score_settings settings = sfm_score_settings_default();
  settings.epsilon = epsilon;
  settings.context.seeded = true;
  settings.context.seed = seed;
  return settings;
}

static void public_rows_are_scored_exactly(void **state) {
  (void)state;
  sfm_score_settings settings = sfm_score_settings_default();
  sfm_score score;
  sfm_release *machine = score_machine(false), *release = NULL;
  sfm_error error;
  settings.is_public = true;
  assert_ok(score_of(&score, &release, machine, rows[0], 8, &settings, &error), &error);
  assert_null(release);
  assert_false(score.regression);
  assert_int_equal(score.rows, 8);
  assert_near("accuracy", score.accuracy, 3.0 / 8, 0);
  assert_true(isnan(score.error));
  assert_int_equal(score.unlabelled, 3);
  assert_int_equal(score.commonest, 1);
  assert_near("majority", score.majority, 3.0 / 8, 0);
  static const uint64_t table[2][2] = {{1, 1}, {1, 2}};
  for (size_t i = 0; i < 4; i++) assert_int_equal(score.table[i / 2][i % 2], table[i / 2][i % 2]);
  sfm_release_destroy(machine);
}

/* Predictions 10 + 2 a within [10, 30]; labels within the same. */
static void errors_are_means_of_steps(void **state) {
  (void)state;
  static const double numbers[5][3] = {
      {5, 0, 20}, {5, 0, 26.5}, {10, 0, 99}, {0, 0, -7}, {NAN, 0, 20}};
  sfm_score_settings settings = sfm_score_settings_default();
  sfm_score score;
  sfmi_score_rule rule;
  sfm_release *machine = score_machine(true), *release = NULL;
  sfm_error error;
  settings.is_public = true;
  assert_ok(score_of(&score, &release, machine, numbers[0], 5, &settings, &error), &error);
  sfmi_score_rule_init(&rule, machine);
  assert_true(score.regression && isnan(score.accuracy));
  /* 0, 6.5, 0, 0, and the whole width */
  assert_near("error", score.error, (6.5 + 20) / 5, rule.step);
  assert_near("root of the mean square", score.spread, sqrt((6.5 * 6.5 + 20 * 20) / 5), 1e-12);
  assert_near("the middle", score.middle, (0 + 6.5 + 10 + 10 + 20) / 5, 1e-12);
  assert_int_equal(score.unlabelled, 1);
  assert_true(rule.step <= 20 * 0x1p-19 && (double)rule.most * rule.step >= 20);
  assert_true((double)rule.most * rule.step < 20 * (1 + 1e-5));
  sfm_release_destroy(machine);
}

/* Of any replacement of a record, the sum moves by no more than `most`; some moves reach it. */
static void one_record_moves_it_by_no_more(void **state) {
  (void)state;
  enum { TRIES = 150, COUNT = 5 };
  sfmi_prng prng;
  sfmi_prng_init(&prng, 8);
  for (int regression = 0; regression < 2; regression++) {
    sfm_release *machine = score_machine(regression);
    sfmi_score_rule rule;
    uint64_t widest = 0;
    sfmi_score_rule_init(&rule, machine);
    for (size_t i = 0; i < TRIES; i++) {
      double one[COUNT][3], other[COUNT][3];
      for (size_t k = 0; k < COUNT; k++)
        for (size_t a = 0; a < 3; a++) {
          const double u = sfmi_prng_uniform(&prng), v = sfmi_prng_uniform(&prng);
          const double label = regression ? 50 * u - 5 : floor(3 * u);
          one[k][a] = v < 0.1 ? NAN : v < 0.3 ? (u < 0.5 ? -100 : 100) : a < 2 ? 12 * u : label;
        }
      memcpy(other, one, sizeof other);
      for (size_t a = 0; a < 3; a++) other[0][a] = one[1 + i % 4][a];
      const uint64_t x = score_sum(machine, one[0], COUNT, rule.step),
                     y = score_sum(machine, other[0], COUNT, rule.step);
      const uint64_t moved = x > y ? x - y : y - x;
      assert_true(moved <= rule.most);
      widest = moved > widest ? moved : widest;
    }
    assert_true(widest == rule.most);
    sfm_release_destroy(machine);
  }
}

/* A seeded release is the sum with noise of the stated law, a vector that says what it is. */
static void private_rows_get_noise(void **state) {
  (void)state;
  enum { DRAWS = 1500 };
  const double epsilon = 0.7;
  sfm_release *machine = score_machine(false);
  sfm_score score;
  sfm_error error;
  size_t zero = 0, beyond = 0;
  for (uint64_t seed = 0; seed < DRAWS; seed++) {
    const sfm_score_settings settings = paid(epsilon, seed);
    sfm_release *release = NULL;
    assert_ok(score_of(&score, &release, machine, rows[0], 8, &settings, &error), &error);
    const int64_t noise = release->integers[0] - 3;
    zero += noise == 0;
    beyond += llabs(noise) >= 4;
    assert_true(score.accuracy == fmin(fmax((double)release->integers[0] / 8, 0), 1));
    assert_true(score.unlabelled == 0 && score.majority == 0 && score.table[0][0] == 0);
    if (seed == 0) {
      assert_string_equal(sfm_kind_name(sfm_release_kind(release)), "vector");
      assert_string_equal(sfm_release_label(release, 0), "right of 8 rows");
      assert_int_equal(release->law, SFM_NOISE_LAW_DISCRETE_LAPLACE);
      assert_true(release->hardened && !release->is_private && release->step == 1);
      assert_near("scale", release->scale, 1 / epsilon, 1e-9);
      assert_true(release->guarantee.kind == SFM_GUARANTEE_PURE &&
                  release->guarantee.epsilon == epsilon);
    }
    sfm_release_destroy(release);
  }
  const double r = exp(-epsilon), p0 = (1 - r) / (1 + r), p4 = 2 * pow(r, 4) / (1 + r);
  assert_near("no noise", (double)zero / DRAWS, p0, TEST_Z * sqrt(p0 * (1 - p0) / DRAWS));
  assert_near("4 and more", (double)beyond / DRAWS, p4, TEST_Z * sqrt(p4 * (1 - p4) / DRAWS));
  sfm_release_destroy(machine);
}

static void contributions_multiply_the_noise(void **state) {
  (void)state;
  sfm_release *machine = score_machine(true), *release = NULL;
  sfm_score_settings settings = paid(1, 1);
  sfm_schema *schema = NULL;
  sfm_score score;
  sfmi_score_rule rule;
  sfm_error error;
  assert_ok(sfm_schema_create(&schema, &error), &error);
  assert_ok(sfm_schema_set_contributions(schema, 3, &error), &error);
  settings.context.schema = schema;
  sfmi_score_rule_init(&rule, machine);
  assert_ok(score_of(&score, &release, machine, rows[0], 8, &settings, &error), &error);
  assert_relative("scale", release->scale, 3 * (double)rule.most * rule.step, 1e-6);
  assert_int_equal(release->contributions, 3);
  sfm_release_destroy(release);
  assert_ok(sfm_schema_set_neighbours(schema, SFM_NEIGHBOURS_ADD_REMOVE, &error), &error);
  assert_int_equal(score_of(&score, &release, machine, rows[0], 8, &settings, &error), SFM_INVALID);
  assert_null(release);
  sfm_schema_destroy(schema);
  sfm_release_destroy(machine);
}

static void misuse_is_refused(void **state) {
  (void)state;
  sfm_release *machine = score_machine(false), *release = NULL;
  sfm_score score;
  sfm_error error;
  sfm_score_settings settings = sfm_score_settings_default();
  assert_int_equal(score_of(&score, &release, machine, rows[0], 8, &settings, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "epsilon"));
  settings.epsilon = 1;
  settings.is_public = true;
  assert_int_equal(score_of(&score, &release, machine, rows[0], 8, &settings, &error), SFM_INVALID);
  settings = paid(1, 1);
  settings.label = "z";
  assert_int_equal(score_of(&score, &release, machine, rows[0], 8, &settings, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "'z'"));
  settings.label = NULL;
  assert_int_equal(score_of(&score, &release, machine, rows[0], 0, &settings, &error), SFM_INVALID);
  sfm_release *other = sfmi_release_create(&sfmi_vector_kind);
  other->method = SFMI_LAPLACE;
  assert_int_equal(score_of(&score, &release, other, rows[0], 8, &settings, &error), SFM_INVALID);
  sfm_release_destroy(other);
  sfm_release_destroy(machine);
}

/* libsvm text of the machine's dimension: right, wrong, right, and an index beyond it, which is
 * refused of public rows and is wrong of private ones. */
static void sparse_rows_are_scored(void **state) {
  (void)state;
  const machine_spec plan = {.dimension = 3, .law = "gamma"};
  static const char text[] = "1 1:0.5\n-1 1:0.5\n-1 1:-1 2:0.5\n1 4:1\n";
  const size_t fits = sizeof text - 1 - strlen("1 4:1\n");
  sfm_release *machine = machine_make(&plan), *release = NULL;
  sfm_score_settings settings = sfm_score_settings_default();
  sfm_rows *sparse = NULL;
  sfm_score score;
  sfm_error error;
  for (size_t i = 0; i < 3; i++) machine->reals[i] = i == 0;
  free(machine->model->classes[0]);
  free(machine->model->classes[1]);
  machine->model->classes[0] = machine_text("-1");
  machine->model->classes[1] = machine_text("1");
  settings.is_public = true;
  assert_ok(sfmi_rows_open_sparse_memory(&sparse, text, fits, 3, false, 0, &error), &error);
  assert_ok(sfm_score_rows(&score, &release, machine, sparse, &settings, &error), &error);
  assert_int_equal(score.rows, 3);
  assert_near("accuracy", score.accuracy, 2.0 / 3, 0);
  sfm_rows_destroy(sparse);
  assert_ok(sfmi_rows_open_sparse_memory(&sparse, text, sizeof text - 1, 3, false, 0, &error),
            &error);
  assert_int_equal(sfm_score_rows(&score, &release, machine, sparse, &settings, &error),
                   SFM_FORMAT);
  assert_non_null(strstr(error.message, "line 4 "));
  settings = paid(50, 1);
  assert_ok(sfm_score_rows(&score, &release, machine, sparse, &settings, &error), &error);
  assert_int_equal(score.rows, 4);
  assert_int_equal(release->integers[0], 2);
  sfm_release_destroy(release);
  sfm_rows_destroy(sparse);
  sfm_release_destroy(machine);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(public_rows_are_scored_exactly),
      cmocka_unit_test(errors_are_means_of_steps),
      cmocka_unit_test(one_record_moves_it_by_no_more),
      cmocka_unit_test(private_rows_get_noise),
      cmocka_unit_test(contributions_multiply_the_noise),
      cmocka_unit_test(misuse_is_refused),
      cmocka_unit_test(sparse_rows_are_scored),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
