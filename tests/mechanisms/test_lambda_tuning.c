/* test_lambda_tuning.c - a lambda that is chosen: what is spent, which rows do what, who wins, and
 * what is refused. */
/* suite: release */
#include "mechanisms/machines/lambda_tuning.h"

#include <unistd.h>

#include "base/math/normal_distribution.h"
#include "releases/kinds/machine_model.h"
#include "train_fixture.h"

enum { ROWS = 203, COLUMNS = 2, STRIDE = COLUMNS + 1 };
static const double LAMBDAS[] = {0.01, 0.1, 1, 10, 100};

typedef struct exam {
  train_fixture train_fixture;
  double values[ROWS * STRIDE];
} exam;

static void exam_init(exam *e, size_t candidates, double epsilon, double delta, bool regression) {
  sfmi_prng prng;
  sfmi_prng_init(&prng, 9);
  train_fixture_init(&e->train_fixture, COLUMNS, epsilon, delta);
  e->train_fixture.settings.lambdas = LAMBDAS;
  e->train_fixture.settings.lambda_count = candidates;
  if (regression) {
    e->train_fixture.settings.regression = true;
    e->train_fixture.settings.label_lower = -1;
    e->train_fixture.settings.label_upper = 1;
    e->train_fixture.settings.loss = SFM_MACHINE_LOSS_HUBER;
  }
  for (size_t i = 0; i < ROWS; i++) {
    double *row = e->values + i * STRIDE;
    for (size_t a = 0; a < COLUMNS; a++) row[a] = 2 * sfmi_prng_uniform(&prng) - 1;
    const double signal = row[0] - 0.5 * row[1];
    row[COLUMNS] = regression ? fmin(fmax(0.7 * signal, -1), 1) : signal > 0 ? 1 : -1;
  }
}

static void begin(sfmi_tuning *t, const exam *e) {
  sfm_rows *rows = train_fixture_rows(&e->train_fixture, e->values, ROWS);
  sfm_error error;
  assert_ok(sfmi_tuning_begin(t, rows, &e->train_fixture.settings, &error), &error);
  sfm_rows_destroy(rows);
}

static sfmi_examples *read_rows(const sfmi_tuning *t, const exam *e) {
  sfm_rows *rows = train_fixture_rows(&e->train_fixture, e->values, ROWS);
  sfmi_train_problem whole = t->train_runs[0].train_problem;
  sfmi_examples *examples;
  sfm_error error;
  whole.training.rows = ROWS;
  assert_ok(sfmi_train_problem_read(&examples, &whole, rows, &error), &error);
  sfm_rows_destroy(rows);
  return examples;
}

/* ---- what is spent ---- */

static void normal_noise_spends_mu(void **state) {
  exam e;
  sfmi_tuning t;
  (void)state;
  exam_init(&e, 5, 1, 1e-6, false);
  begin(&t, &e);
  assert_false(t.stopping);
  assert_int_equal(t.whole.kind, SFM_GUARANTEE_GDP);
  assert_relative("mu", t.whole.mu, 0.236704, 1e-5);
  assert_true(5 * t.mu * t.mu <= t.whole.mu * t.whole.mu);
  assert_relative("all of it", 5 * t.mu * t.mu, t.whole.mu * t.whole.mu, 1e-12);
  /* 2 Phi^-1(e^epsilon/(1 + e^epsilon)) = mu */
  const double as_normal = 2 * sfmi_normal_tail_inverse(1 / (1 + exp(t.choice)));
  assert_true(as_normal <= t.whole.mu * (1 + 1e-12));
  assert_relative("the choice", as_normal, t.whole.mu, 1e-6);
  for (size_t i = 0; i < t.count; i++) {
    const sfm_release *release = t.train_runs[i].base.release;
    const sfmi_design_train *training = &t.train_runs[i].train_problem.training;
    assert_true(release->scale >= training->joint / t.mu);
    assert_relative("scale", release->scale, training->joint / t.mu, 5e-3);
    assert_relative("bound", training->bound,
                    2 * training->kappa / (LAMBDAS[i] * (double)t.trained), 1e-9);
    assert_memory_equal(&release->guarantee, &t.whole, sizeof t.whole);
    assert_int_equal(release->rows, ROWS);
  }
  sfmi_tuning_clear(&t);
  train_fixture_clear(&e.train_fixture);
}

static void pure_noise_spends_epsilon(void **state) {
  (void)state;
  for (size_t candidates = 2; candidates <= 5; candidates++) {
    exam e;
    sfmi_tuning t;
    exam_init(&e, candidates, 1.5, 0, false);
    begin(&t, &e);
    const double parts = candidates == 2 ? 2 : 2.5;
    assert_int_equal(t.stopping, candidates > 2);
    assert_int_equal(t.whole.kind, SFM_GUARANTEE_PURE);
    assert_true(t.whole.epsilon == 1.5 && parts * t.each <= 1.5);
    assert_relative("each", parts * t.each, 1.5, 1e-12);
    assert_true(t.choice == (t.stopping ? t.each : 1.5));
    for (size_t i = 0; i < t.count; i++) {
      const sfm_release *release = t.train_runs[i].base.release;
      const double l1 = t.train_runs[i].train_problem.training.joint * sqrt(COLUMNS);
      assert_true(release->scale >= l1 / t.each);
      assert_relative("scale", release->scale, l1 / t.each, 5e-3);
    }
    sfmi_tuning_clear(&t);
    train_fixture_clear(&e.train_fixture);
  }
}

/* A candidate is never tried with probability f(1 - 1/k), f the law's generating function. */
static void few_candidates_are_missed(void **state) {
  (void)state;
  for (size_t k = 3; k <= SFMI_TUNING_MAX; k++) {
    const double gamma = 1 / (double)sfmi_tuning_patience(k), x = 1 - 1 / (double)k;
    const double missed = (pow(1 - (1 - gamma) * x, -0.5) - 1) / (pow(gamma, -0.5) - 1);
    assert_true(missed <= 0.1 && missed > 0.05);
  }
}

/* ---- which rows do what ---- */

/* A row that scores moves no machine; a row that trains moves no score of given weights, and one
 * that scores moves it by at most `most`: whatever it says. */
static void rows_train_or_score(void **state) {
  (void)state;
  for (int regression = 0; regression < 2; regression++) {
    exam e, other;
    sfmi_tuning t;
    sfm_error error;
    sfmi_prng prng;
    exam_init(&e, 5, 1, 1e-6, regression);
    begin(&t, &e);
    assert_int_equal(t.held, ROWS / 5);
    assert_int_equal(t.trained + t.held, ROWS);
    const size_t size = t.count * t.train_runs[0].base.release->length;
    double *numbers = calloc(size, sizeof *numbers), *moved = calloc(size, sizeof *moved);
    sfmi_examples *examples = read_rows(&t, &e);
    uint64_t before, after, most = 0;
    assert_ok(sfmi_tuning_solve(numbers, &t, examples, &error), &error);
    assert_ok(sfmi_train_run_add_noise(&t.train_runs[2],
                                       numbers + 2 * t.train_runs[0].base.release->length, &error),
              &error);
    assert_ok(sfmi_tuning_loss(&before, &t, 2, examples, &error), &error);
    sfmi_examples_destroy(examples);
    sfmi_prng_init(&prng, 3);
    for (size_t turn = 0; turn < 100; turn++) {
      const bool trains = turn % 2;
      const size_t row = trains ? turn * 7 % t.trained : t.trained + turn * 7 % t.held;
      double *cells = other.values + row * STRIDE;
      other = e;
      for (size_t a = 0; a < COLUMNS; a++) cells[a] = 2 * sfmi_prng_uniform(&prng) - 1;
      cells[COLUMNS] = turn % 5 == 0   ? NAN
                       : turn % 3 == 0 ? -cells[COLUMNS]
                       : regression    ? 2 * sfmi_prng_uniform(&prng) - 1
                                       : 1;
      examples = read_rows(&t, &other);
      assert_ok(sfmi_tuning_loss(&after, &t, 2, examples, &error), &error);
      const uint64_t off = after > before ? after - before : before - after;
      if (off > most) most = off;
      assert_true(off <= (trains ? 0 : t.most));
      if (!trains && turn < 20) {
        assert_ok(sfmi_tuning_solve(moved, &t, examples, &error), &error);
        assert_memory_equal(moved, numbers, size * sizeof *numbers);
      }
      sfmi_examples_destroy(examples);
    }
    assert_true(2 * most >= t.most); /* the search found something */
    free(numbers);
    free(moved);
    sfmi_tuning_clear(&t);
    train_fixture_clear(&e.train_fixture);
  }
}

/* ---- who wins ---- */

/* With much epsilon the one that does best on the rows that score. */
static void the_best_wins(void **state) {
  (void)state;
  for (int pure = 0; pure < 2; pure++) {
    exam e;
    size_t wins[5] = {0};
    exam_init(&e, pure ? 4 : 5, 300, pure ? 0 : 1e-6, true);
    for (uint64_t seed = 0; seed < 24; seed++) {
      e.train_fixture.settings.context.seed = seed;
      sfm_release *release = train_fixture_release(&e.train_fixture, e.values, ROWS);
      wins[release->model->chosen]++;
      assert_true(release->model->lambda == LAMBDAS[release->model->chosen]);
      sfm_release_destroy(release);
    }
    /* Labels are 0.7 of the signal: the least penalty does best, and a tenth of all pure choices
     * never try it. */
    assert_true(wins[0] >= 12 && wins[0] + wins[1] >= 22);
    train_fixture_clear(&e.train_fixture);
  }
}

/* With little epsilon any. */
static void little_epsilon_chooses_blindly(void **state) {
  exam e;
  size_t wins[5] = {0};
  (void)state;
  exam_init(&e, 5, 1e-4, 0, true);
  for (uint64_t seed = 0; seed < 100; seed++) {
    e.train_fixture.settings.context.seed = seed;
    sfm_release *release = train_fixture_release(&e.train_fixture, e.values, ROWS);
    wins[release->model->chosen]++;
    sfm_release_destroy(release);
  }
  for (size_t i = 0; i < 5; i++) assert_in_range(wins[i], 4, 45);
  train_fixture_clear(&e.train_fixture);
}

/* The winner's noise is that of the candidate it says it is. */
static void the_release_is_the_winners(void **state) {
  (void)state;
  for (int noise = 0; noise < 3; noise++) {
    exam e;
    sfmi_tuning t;
    sfm_release *again;
    sfm_error error;
    char path[] = "/tmp/sfm-tuning-XXXXXX";
    exam_init(&e, 3, 2, noise == SFM_VECTOR_NOISE_NORMAL ? 1e-6 : 0, false);
    e.train_fixture.settings.noise_given = true;
    e.train_fixture.settings.noise = (sfm_vector_noise)noise;
    begin(&t, &e);
    sfm_release *release = train_fixture_release(&e.train_fixture, e.values, ROWS);
    const sfmi_machine_model *model = release->model;
    assert_true(release->scale == t.train_runs[model->chosen].base.release->scale);
    assert_true(model->bound == t.train_runs[model->chosen].train_problem.training.bound);
    assert_int_equal(model->candidate_count, 3);
    assert_int_equal(release->hardened, noise != SFM_VECTOR_NOISE_GAMMA);
    assert_true(isfinite(sfm_release_band(release).half_width));
    close(mkstemp(path));
    assert_ok(sfm_release_write(release, path, &error), &error);
    assert_ok(sfm_release_read(&again, path, &error), &error);
    assert_int_equal(again->model->chosen, model->chosen);
    assert_memory_equal(again->model->candidates, LAMBDAS, 3 * sizeof *LAMBDAS);
    assert_true(again->guarantee.epsilon == 2 && again->rows == ROWS);
    for (size_t i = 0; i < release->length; i++)
      assert_true(sfm_release_coefficient(again, i) == sfm_release_coefficient(release, i));
    unlink(path);
    sfm_release_destroy(again);
    sfm_release_destroy(release);
    sfmi_tuning_clear(&t);
    train_fixture_clear(&e.train_fixture);
  }
}

/* Random features and several classes go the same way. */
static void other_machines(void **state) {
  static const char *const labels[] = {"-1", "1", "2"};
  exam e;
  (void)state;
  exam_init(&e, 3, 5, 0, false);
  for (size_t i = 0; i < ROWS; i += 3) e.values[i * STRIDE + COLUMNS] = 2;
  e.train_fixture.settings.labels = labels;
  e.train_fixture.settings.class_count = 3;
  e.train_fixture.settings.one_vs_rest = true;
  e.train_fixture.settings.kernel = SFM_KERNEL_GAUSSIAN;
  e.train_fixture.settings.bandwidth = 1;
  e.train_fixture.settings.method = SFM_TRAIN_RFF;
  e.train_fixture.settings.rff_features = 20;
  sfm_release *release = train_fixture_release(&e.train_fixture, e.values, ROWS);
  assert_int_equal(release->length, 60);
  sfm_release_destroy(release);
  train_fixture_clear(&e.train_fixture);
}

/* ---- refusals ---- */

static void refused(const exam *e, size_t rows, const char *text) {
  sfm_rows *given = train_fixture_rows(&e->train_fixture, e->values, rows);
  sfm_release *release;
  sfm_error error;
  assert_int_equal(sfm_train_release(&release, given, &e->train_fixture.settings, &error),
                   SFM_INVALID);
  assert_null(release);
  if (!strstr(error.message, text)) fail_msg("'%s' is not in: %s", text, error.message);
  sfm_rows_destroy(given);
}

static void refusals(void **state) {
  static const double twice[] = {1, 2, 1}, zero[] = {1, 0};
  sfm_error error;
  exam e;
  (void)state;
  exam_init(&e, 1, 1, 0, false);
  refused(&e, ROWS, "among 2 to 64 candidates");
  e.train_fixture.settings.lambdas = twice;
  e.train_fixture.settings.lambda_count = 3;
  refused(&e, ROWS, "listed twice");
  e.train_fixture.settings.lambdas = zero;
  e.train_fixture.settings.lambda_count = 2;
  refused(&e, ROWS, "lambda must be");
  e.train_fixture.settings.lambdas = LAMBDAS;
  e.train_fixture.settings.lambda = 1;
  refused(&e, ROWS, "stated or chosen");
  e.train_fixture.settings.lambda = 0;
  refused(&e, 4, "a fifth of the rows");
  e.train_fixture.settings.method = SFM_TRAIN_OBJECTIVE;
  refused(&e, ROWS, "noise on weights");
  e.train_fixture.settings.method = SFM_TRAIN_FINITE;
  e.train_fixture.settings.epsilon = 0;
  refused(&e, ROWS, "epsilon");
  e.train_fixture.settings.epsilon = 1;
  assert_ok(sfm_schema_set_contributions(e.train_fixture.schema, 2, &error), &error);
  refused(&e, ROWS, "one record per person");
  train_fixture_clear(&e.train_fixture);
  exam_init(&e, 2, 1, 0, false);
  assert_ok(sfm_schema_set_person(e.train_fixture.schema, "id", &error), &error);
  refused(&e, ROWS, "one record per person");
  train_fixture_clear(&e.train_fixture);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(normal_noise_spends_mu),
      cmocka_unit_test(pure_noise_spends_epsilon),
      cmocka_unit_test(few_candidates_are_missed),
      cmocka_unit_test(rows_train_or_score),
      cmocka_unit_test(the_best_wins),
      cmocka_unit_test(little_epsilon_chooses_blindly),
      cmocka_unit_test(the_release_is_the_winners),
      cmocka_unit_test(other_machines),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
