/* test_linear_release.c - answers to linear queries: true but for their noise, which is as large as
 * was predicted; bands that hold; the table where that is better. */
/* suite: release */
#include "linear_fixture.h"

#include "releases/core/release_data.h"
#include "releases/core/release_write.h"

enum { CELLS = 5, QUERIES = 3, ROWS = 60 };

static const double matrix[QUERIES * CELLS] = {1, 1, 1, 1, 1, 1, 1, 0, 0, -1, 0.5, 0, 0, 0.25, 0};

/* Some of them are in no bin. */
static void fill(int *at, double *answers) {
  for (size_t i = 0; i < ROWS; i++) at[i] = (int)(i * i % 7) - 1;
  for (size_t j = 0; j < QUERIES; j++) answers[j] = 0;
  for (size_t i = 0; i < ROWS; i++)
    for (size_t j = 0; at[i] >= 0 && j < QUERIES; j++)
      answers[j] += matrix[j * CELLS + (size_t)(at[i] < CELLS ? at[i] : CELLS - 1)];
}

static sfm_release *make(linear_fixture *t, const int *at, uint64_t seed) {
  sfm_error error = {0};
  sfm_release *release = linear_fixture_release(t, at, ROWS, seed, &error);
  if (!release) fail_msg("%s", error.message);
  return release;
}

static void without_noise_answers_are_true(void **state) {
  (void)state;
  int at[ROWS];
  double wanted[QUERIES];
  linear_fixture t;
  fill(at, wanted);
  linear_fixture_init(&t, matrix, QUERIES, CELLS, 100, 0);
  for (sfm_linear_method method = SFM_LINEAR_TABLE; method <= SFM_LINEAR_LAPLACE; method++) {
    sfm_error error;
    double answers[QUERIES];
    t.settings.method = method;
    sfm_release *release = make(&t, at, 1);
    if (method == SFM_LINEAR_TABLE)
      assert_ok(
          sfm_table_answer(answers, NULL, NULL, release, matrix, QUERIES, CELLS, 0.95, &error),
          &error);
    for (size_t j = 0; j < QUERIES; j++)
      assert_true((method == SFM_LINEAR_TABLE ? answers[j] : sfm_release_coefficient(release, j)) ==
                  wanted[j]);
    assert_string_equal(sfm_kind_name(sfm_release_kind(release)),
                        method == SFM_LINEAR_TABLE ? "histogram" : "vector");
    sfm_release_destroy(release);
  }
  linear_fixture_clear(&t);
}

/* What one release says of its answers. */
typedef struct outcome {
  double squared; /* error, over all answers */
  bool held;      /* the band did */
} outcome;

static outcome look(const sfm_release *release, const double *wanted) {
  double answers[QUERIES], widths[QUERIES];
  sfm_error error;
  outcome o = {0, true};
  if (sfm_table_columns(release)) {
    assert_ok(
        sfm_table_answer(answers, NULL, widths, release, matrix, QUERIES, CELLS, 0.95, &error),
        &error);
  } else {
    for (size_t j = 0; j < QUERIES; j++) {
      answers[j] = sfm_release_coefficient(release, j);
      widths[j] = sfm_release_band(release).half_width;
    }
  }
  for (size_t j = 0; j < QUERIES; j++) {
    const double miss = answers[j] - wanted[j];
    o.squared += miss * miss;
    o.held = o.held && fabs(miss) <= widths[j];
  }
  return o;
}

static void errors_are_as_predicted_and_bands_hold(void **state) {
  (void)state;
  static const struct {
    sfm_linear_method method;
    double delta;
    int trials;
  } cases[] = {{SFM_LINEAR_TABLE, 0, 120},
               {SFM_LINEAR_LAPLACE, 0, 120},
               {SFM_LINEAR_TABLE, 1e-3, 120},
               {SFM_LINEAR_NORMAL, 1e-3, 120},
               {SFM_LINEAR_KNORM, 0, 12}};
  int at[ROWS];
  double wanted[QUERIES];
  fill(at, wanted);
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    for (int added = 0; added < 2; added++) {
      linear_fixture t;
      sfm_linear_choice plan;
      sfm_error error;
      double sum = 0, squares = 0;
      size_t held = 0;
      const int trials = cases[k].trials;
      linear_fixture_init(&t, matrix, QUERIES, CELLS, 0.5, cases[k].delta);
      linear_fixture_neighbours(&t, added ? SFM_NEIGHBOURS_ADD_REMOVE : SFM_NEIGHBOURS_REPLACE,
                                added ? 2 : 1);
      t.settings.method = cases[k].method;
      assert_ok(sfm_linear_choose(&plan, &t.settings, &error), &error);
      for (int i = 0; i < trials; i++) {
        sfm_release *release = make(&t, at, (uint64_t)i);
        const outcome o = look(release, wanted);
        sum += o.squared;
        squares += o.squared * o.squared;
        held += o.held;
        sfm_release_destroy(release);
      }
      const double mean = sum / trials, sd = sqrt((squares / trials - mean * mean) / trials);
      const double predicted = plan.entries[plan.chosen].squared;
      /* A tenth more for the walk that predicts k-norm noise. */
      assert_near("squared error", mean, predicted,
                  TEST_Z * sd + (cases[k].method == SFM_LINEAR_KNORM ? 0.1 * predicted : 0));
      assert_false(binomial_too_few(held, (size_t)trials, 0.95));
      linear_fixture_clear(&t);
    }
  }
}

static void a_vector_says_what_it_is(void **state) {
  (void)state;
  int at[ROWS];
  double wanted[QUERIES];
  linear_fixture t;
  fill(at, wanted);
  linear_fixture_init(&t, matrix, QUERIES, CELLS, 1, 0);
  linear_fixture_neighbours(&t, SFM_NEIGHBOURS_REPLACE, 3);
  t.settings.method = SFM_LINEAR_LAPLACE;
  sfm_release *release = make(&t, at, 1);
  char *bytes = NULL;
  size_t length;
  sfm_release *copy = NULL;
  sfm_error error;
  assert_true(release->step == 0.25);
  /* Columns 0 and 4: (1, 1, .5) and (1, -1, 0), of three records. */
  assert_relative("sensitivity", release->sensitivity, 3 * 2.5, 1e-12);
  assert_int_equal(release->contributions, 3);
  assert_ok(sfmi_release_print(release, &bytes, &length, &error), &error);
  assert_ok(sfm_release_parse(&copy, bytes, length, "copy", &error), &error);
  for (size_t j = 0; j < QUERIES; j++)
    assert_true(sfm_release_coefficient(copy, j) == sfm_release_coefficient(release, j));
  free(bytes);
  sfm_release_destroy(copy);
  sfm_release_destroy(release);
  linear_fixture_clear(&t);
}

/* Nothing is refused because of what rows hold, and no rows at all only where their number is
 * public. */
static void refusals_are_public(void **state) {
  (void)state;
  const int nowhere[] = {-1, -1};
  sfm_error error;
  linear_fixture t;
  linear_fixture_init(&t, matrix, QUERIES, CELLS, 1, 0);
  sfm_release *release = linear_fixture_release(&t, nowhere, 2, 1, &error);
  assert_non_null(release);
  sfm_release_destroy(release);
  assert_null(linear_fixture_release(&t, nowhere, 0, 1, &error));
  assert_non_null(strstr(error.message, "no records"));
  linear_fixture_neighbours(&t, SFM_NEIGHBOURS_ADD_REMOVE, 1);
  release = linear_fixture_release(&t, nowhere, 0, 1, &error);
  assert_non_null(release);
  sfm_release_destroy(release);
  linear_fixture_clear(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_noise_answers_are_true),
      cmocka_unit_test(errors_are_as_predicted_and_bands_hold),
      cmocka_unit_test(a_vector_says_what_it_is),
      cmocka_unit_test(refusals_are_public),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
