/* test_audit_lambda_tuning.c - a lambda that is chosen, at neighbours that differ in a row that
 * trains and in one that scores, beside twins: chosen without noise, trained again on all rows as
 * if the choice had cost nothing, runs whose scores have no noise. */
/* suite: release */
#include "audit/support/hardened_audit.h"
#include "mechanisms/core/vector_noise.h"
#include "mechanisms/machines/lambda_tuning.h"
#include "planner/design/design_vector.h"
#include "releases/kinds/machine_model.h"
#include "train_fixture.h"

enum { COUNT = 500, STRIDE = 3, CANDIDATES = 3 };
/* The first and the last disagree about the row that scores. */
static const double LAMBDAS[CANDIDATES] = {0.04, 8, 10};
static const double WITNESS[2] = {-0.6, 0.8};

typedef enum fault { NONE, CHOSEN_WITHOUT_NOISE, TRAINED_AGAIN, SCORED_WITHOUT_NOISE } fault;

typedef struct contest {
  train_fixture train_fixture;
  fault fault;
  double rows[2][COUNT * STRIDE];
  sfmi_tuning tuning;
  sfmi_examples *examples[2];
  double *numbers[2]; /* of all candidates before noise */
  size_t length;
  /* Trained again on all rows. */
  double again[2][CANDIDATES * 2];
  sfmi_hardening hardening[CANDIDATES];
  sfmi_hardener *hardener[CANDIDATES];
} contest;

enum { SCORE_WEIGHTS, SCORE_WINNER, SCORE_SIDE, SCORE_BOTH, SCORES };

/* Seven in ten rows lie along the first axis, three nearly against it, all with the label 1: a
 * large penalty leaves the mean, a small one a machine that is right about all.  They disagree
 * about the witness, the only row that scores; the others that would have no label. */
static void make_rows(contest *c, bool witness) {
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; i < COUNT; i++) {
      double *row = c->rows[k] + i * STRIDE;
      const bool against = i % 10 >= 7, last = i == COUNT - 1;
      row[0] = last ? WITNESS[0] : against ? -0.8 : 1;
      row[1] = last ? WITNESS[1] : against ? 0.6 : 0;
      row[2] = i >= COUNT - sfmi_tuning_held(COUNT) && !last ? NAN : 1;
    }
  if (witness)
    c->rows[1][COUNT * STRIDE - 1] = -1;
  else { /* a row that trains, along (1, 1), says the opposite */
    for (int k = 0; k < 2; k++) c->rows[k][0] = c->rows[k][1] = M_SQRT1_2;
    c->rows[1][2] = -1;
  }
}

static void open_input(contest *c, int k) {
  sfm_rows *rows = train_fixture_rows(&c->train_fixture, c->rows[k], COUNT);
  sfmi_train_problem whole = c->tuning.train_runs[0].train_problem;
  sfm_error error;
  whole.training.rows = COUNT;
  assert_ok(sfmi_train_problem_read(&c->examples[k], &whole, rows, &error), &error);
  c->numbers[k] = calloc(c->tuning.count * c->length, sizeof *c->numbers[k]);
  assert_ok(sfmi_tuning_solve(c->numbers[k], &c->tuning, c->examples[k], &error), &error);
  sfm_rows_destroy(rows);
}

/* Machines of all rows, and noise for them with all of epsilon. */
static void prepare_again(contest *c, size_t i) {
  sfm_train_settings s = c->train_fixture.settings;
  sfmi_train_problem l = c->tuning.train_runs[i].train_problem;
  sfmi_design_vector vector_design;
  sfm_error error;
  s.lambda = LAMBDAS[i];
  s.lambda_count = 0;
  assert_ok(
      sfmi_design_train_init(&l.training, &s, l.map, COUNT, sfmi_train_problem_width(&l), &error),
      &error);
  const sfm_vector_settings vector = sfmi_design_train_vector(&l.training, &s);
  assert_ok(sfmi_design_vector_init(&vector_design, &vector, c->length, &error), &error);
  assert_ok(sfmi_vector_hardening(&c->hardening[i], &vector, c->length, vector_design.mu, &error),
            &error);
  assert_ok(sfmi_hardener_create(&c->hardener[i], &c->hardening[i].law, (sfmi_seed){true, 77 + i},
                                 &error),
            &error);
  for (int k = 0; k < 2; k++)
    assert_ok(sfmi_train_problem_solve(c->again[k] + i * c->length, &l, &l.training, c->examples[k],
                                       0, COUNT, NULL, &error),
              &error);
}

static void contest_init(contest *c, fault how, size_t candidates, double epsilon, double delta,
                         bool witness) {
  sfm_error error;
  *c = (contest){.fault = how};
  train_fixture_init(&c->train_fixture, 2, epsilon, delta);
  c->train_fixture.settings.clip_norm = 1;
  c->train_fixture.settings.tolerance = 0.01;
  c->train_fixture.settings.lambdas = LAMBDAS;
  c->train_fixture.settings.lambda_count = candidates;
  c->train_fixture.settings.context.seeded = !test_long();
  make_rows(c, witness);
  sfm_rows *rows = train_fixture_rows(&c->train_fixture, c->rows[0], COUNT);
  assert_ok(sfmi_tuning_begin(&c->tuning, rows, &c->train_fixture.settings, &error), &error);
  sfm_rows_destroy(rows);
  c->length = c->tuning.train_runs[0].base.release->length;
  for (int k = 0; k < 2; k++) open_input(c, k);
  for (size_t i = 0; how == TRAINED_AGAIN && i < candidates; i++) prepare_again(c, i);
}

static void contest_clear(contest *c) {
  for (int k = 0; k < 2; k++) {
    sfmi_examples_destroy(c->examples[k]);
    free(c->numbers[k]);
  }
  for (size_t i = 0; i < CANDIDATES; i++) sfmi_hardener_destroy(c->hardener[i]);
  sfmi_tuning_clear(&c->tuning);
  train_fixture_clear(&c->train_fixture);
}

/* The candidate that scores best, without noise; the numbers are as released. */
static size_t choose_exactly(contest *c, int input) {
  sfmi_tuning *t = &c->tuning;
  uint64_t loss, least = UINT64_MAX;
  size_t winner = 0;
  sfm_error error;
  for (size_t i = 0; i < t->count; i++) {
    assert_ok(
        sfmi_train_run_add_noise(&t->train_runs[i], c->numbers[input] + i * c->length, &error),
        &error);
    assert_ok(sfmi_tuning_loss(&loss, t, i, c->examples[input], &error), &error);
    if (loss < least) {
      least = loss;
      winner = i;
    }
  }
  return winner;
}

/* Runs whose scores have no noise: the first of the best. */
static size_t run_exactly(contest *c, int input) {
  sfmi_tuning *t = &c->tuning;
  const uint64_t runs = sfmi_stopping_draw(t->stream, &t->law);
  uint64_t loss, least = UINT64_MAX;
  size_t winner = 0;
  sfm_error error;
  for (uint64_t r = 0; r < runs && least > 0; r++) {
    const size_t i = (size_t)sfmi_uniform(t->stream, t->count);
    assert_ok(
        sfmi_train_run_add_noise(&t->train_runs[i], c->numbers[input] + i * c->length, &error),
        &error);
    assert_ok(sfmi_tuning_loss(&loss, t, i, c->examples[input], &error), &error);
    if (loss >= least) continue;
    least = loss;
    winner = i;
  }
  return winner;
}

static size_t choose(contest *c, int input) {
  size_t winner = 0;
  sfm_error error;
  if (c->fault == CHOSEN_WITHOUT_NOISE) return choose_exactly(c, input);
  if (c->fault == SCORED_WITHOUT_NOISE) return run_exactly(c, input);
  assert_ok(sfmi_tuning_draw(&winner, &c->tuning, c->numbers[input], c->examples[input], &error),
            &error);
  return winner;
}

/* The likelihood ratio of the winner's numbers, as if it had been the only one; who won; which side
 * of it the witness is on; and all together. */
static void contest_draw(void *context, int input, double *scores) {
  contest *c = context;
  const size_t winner = choose(c, input);
  const sfm_release *release = c->tuning.train_runs[winner].base.release;
  const bool again = c->fault == TRAINED_AGAIN, normal = c->train_fixture.settings.delta > 0;
  const double step = again ? c->hardening[winner].step : release->step;
  const double scale = again ? sfmi_noise_scale(&c->hardening[winner].law) * step : release->scale;
  const double *before[2];
  int64_t redrawn[2];
  double ratio = 0, side = 0;
  for (int k = 0; k < 2; k++)
    before[k] = (again ? c->again[k] : c->numbers[k]) + winner * c->length;
  if (again) {
    sfmi_i128 values[2];
    sfmi_vector_integers(values, before[input], c->length, step);
    sfmi_hardener_add(c->hardener[winner], redrawn, values, c->length);
  }
  for (size_t i = 0; i < c->length; i++) {
    const double y = (double)(again ? redrawn : release->integers)[i] * step;
    const double off0 = y - before[0][i], off1 = y - before[1][i];
    ratio += normal ? (off0 * off0 - off1 * off1) / (2 * scale * scale)
                    : (fabs(off0) - fabs(off1)) / scale;
    side += WITNESS[i] * y / scale;
  }
  scores[SCORE_WEIGHTS] = ratio;
  scores[SCORE_WINNER] = (double)winner;
  scores[SCORE_SIDE] = side > 0 ? 1 : -1;
  scores[SCORE_BOTH] = ratio + (winner > 0 ? 1 : -1) * c->tuning.choice / 4;
}

/* As many as there is time for: a draw is a whole selection. */
static size_t draws(const contest *c) {
  const size_t ordinary = c->tuning.stopping ? (size_t)1 << 12 : (size_t)1 << 15;
  return test_long() ? ordinary << 5 : ordinary;
}

static audit_result run(const char *name, contest *c) {
  const sfm_train_settings *s = &c->train_fixture.settings;
  const audit_mechanism m = {name, contest_draw, c, SCORES, s->epsilon, s->delta};
  const audit_result result = audit_run(&m, draws(c));
  audit_print(&m, &result);
  return result;
}

static void honest(const char *name, size_t candidates, double epsilon, double delta, bool witness,
                   double least) {
  contest *c = malloc(sizeof *c);
  contest_init(c, NONE, candidates, epsilon, delta, witness);
  const audit_result result = run(name, c);
  assert_true(result.lower <= epsilon);
  if (!(result.lower >= least * epsilon))
    fail_msg("%s: only %g of %g was found", name, result.lower, epsilon);
  contest_clear(c);
  free(c);
}

static void twin(const char *name, fault how, size_t candidates, double epsilon, double delta) {
  contest *c = malloc(sizeof *c);
  contest_init(c, how, candidates, epsilon, delta, true);
  const audit_result result = run(name, c);
  if (!(result.lower > epsilon)) fail_msg("%s: %g is not above %g", name, result.lower, epsilon);
  contest_clear(c);
  free(c);
}

static void rows_that_score_keep_epsilon(void **state) {
  (void)state;
  honest("tuning normal, a row that scores", 3, 2, 0.1, true, 0.15);
  honest("tuning laplace all, a row that scores", 2, 2, 0, true, 0.3);
  honest("tuning laplace stopping, a row that scores", 3, 2, 0, true, 0.15);
}

static void rows_that_train_keep_epsilon(void **state) {
  (void)state;
  honest("tuning normal, a row that trains", 3, 2, 0.1, false, 0.05);
  honest("tuning laplace all, a row that trains", 2, 2, 0, false, 0.2);
  honest("tuning laplace stopping, a row that trains", 3, 2, 0, false, 0.1);
}

static void twins_are_caught(void **state) {
  (void)state;
  twin("TWIN tuning, chosen without noise", CHOSEN_WITHOUT_NOISE, 2, 1, 0);
  twin("TWIN tuning, trained again on all rows", TRAINED_AGAIN, 2, 1, 0);
  twin("TWIN tuning, runs scored without noise", SCORED_WITHOUT_NOISE, 3, 1, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_that_score_keep_epsilon),
      cmocka_unit_test(rows_that_train_keep_epsilon),
      cmocka_unit_test(twins_are_caught),
  };
  audit_print(NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
