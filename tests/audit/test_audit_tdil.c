/* test_audit_tdil.c - the non-interactive model at neighbours that move its values the most, beside
 * twins: the noise of the choice for the answer's, a choice without noise, a choice that nobody
 * pays for, and half of an answer's noise.  The attacker computes the likelihood ratio of all
 * rounds. */
/* suite: release */
#include "test_support.h"

#include "audit/support/hardened_audit.h"
#include "base/math/prng.h"
#include "mechanisms/machines/tdil.h"
#include "mechanisms/machines/tdil_rounds.h"
#include "train_fixture.h"

enum { POINTS = 9, ROUNDS = 4 };

typedef struct inquest {
  train_fixture train_fixture;
  sfmi_train_problem train_problem;
  sfmi_net net;
  sfmi_tdil_rounds tdil;
  int64_t integers[2][POINTS];
  double weights[2]; /* the ball */
} inquest;

/* Rows of one column; the machine of a single row is as far off as any can be. */
static void inquest_init(inquest *q, sfm_kernel_family kernel, size_t net, size_t rounds,
                         double epsilon) {
  static const double rows[2][2] = {{1, 1}, {1, -1}};
  sfmi_learning_curve learning_curve;
  sfmi_design_tdil probes;
  sfm_error error;
  train_fixture_init(&q->train_fixture, 1, epsilon, 0);
  q->train_fixture.settings.kernel = kernel;
  q->train_fixture.settings.bandwidth = 4;
  q->train_fixture.settings.method = SFM_TRAIN_TDIL;
  q->train_fixture.settings.lambda = 2;
  q->train_fixture.settings.tolerance = 0.001;
  q->train_fixture.settings.net = net;
  q->train_fixture.settings.probes = rounds;
  train_fixture_begin(&q->train_problem, &q->train_fixture, rows[0], 1);
  const sfmi_train_problem *l = &q->train_problem;
  const sfm_train_settings *s = &q->train_fixture.settings;
  assert_ok(sfmi_design_tdil_learning_curve(&learning_curve, &l->encoding, l->map, s, &error),
            &error);
  assert_ok(sfmi_design_tdil_init(&probes, s, &l->training, &learning_curve, sfmi_tdil_rounding(l),
                                  SFM_ACCOUNTING_BASIC, &error),
            &error);
  sfmi_learning_curve_clear(&learning_curve);
  q->net = (sfmi_net){0};
  if (net) assert_ok(sfmi_design_tdil_net(&q->net, &l->encoding, s, &error), &error);
  for (int k = 0; k < 2; k++) {
    double numbers[POINTS], values[POINTS];
    assert_in_range(l->numbers, 1, POINTS);
    train_fixture_solve(numbers, l, &q->train_fixture, rows[k], 1);
    q->weights[k] = numbers[0];
    if (!net) continue;
    assert_ok(sfmi_tdil_values(values, l, &q->net, numbers, &error), &error);
    sfmi_tdil_rounds_integers(q->integers[k], values, q->net.count, probes.step);
  }
  assert_ok(sfmi_tdil_rounds_init(&q->tdil, &probes, (sfmi_seed){!test_long(), 9}, &error), &error);
}

static void inquest_clear(inquest *q) {
  sfmi_tdil_rounds_clear(&q->tdil);
  sfmi_net_clear(&q->net);
  sfmi_train_problem_clear(&q->train_problem);
  train_fixture_clear(&q->train_fixture);
}

static double log_sum(const double *x, size_t count) {
  double most = x[0], sum = 0;
  for (size_t i = 1; i < count; i++) most = fmax(most, x[i]);
  for (size_t i = 0; i < count; i++) sum += exp(x[i] - most);
  return most + log(sum);
}

/* What public values the model has, computed anew from all pairs before round t. */
static void public_at(double *values, const inquest *q, const size_t *chosen, const double *answers,
                      size_t t) {
  const sfmi_net *net = &q->net;
  sfmi_kernel_ridge model;
  sfm_error error;
  double kernel[ROUNDS];
  assert_ok(sfmi_kernel_ridge_init(&model, ROUNDS, q->tdil.probes.ridge, &error), &error);
#define KERNEL(p, r)                                                                               \
  sfmi_feature_map_kernel(q->train_problem.map, net->indices + net->starts[p],                     \
                          net->values + net->starts[p], net->starts[(p) + 1] - net->starts[p],     \
                          net->indices + net->starts[r], net->values + net->starts[r],             \
                          net->starts[(r) + 1] - net->starts[r])
  for (size_t j = 0; j < t; j++) {
    for (size_t i = 0; i <= j; i++) kernel[i] = KERNEL(chosen[i], chosen[j]);
    sfmi_kernel_ridge_add(&model, kernel, answers[j]);
  }
  for (size_t i = 0; i < net->count; i++) {
    values[i] = 0;
    for (size_t j = 0; j < t; j++) values[i] += model.coefficients[j] * KERNEL(i, chosen[j]);
  }
  sfmi_kernel_ridge_clear(&model);
}

/* log P(round t | input k), but for what both have. */
static double round_odds(const inquest *q, const double *public, size_t chosen, double answer,
                         int k) {
  const sfmi_design_tdil *p = &q->tdil.probes;
  const double rate = (double)q->tdil.rate.numerator * ldexp(1, -(int)q->tdil.rate.shift);
  double scores[POINTS] = {0};
  for (size_t i = 0; i < q->net.count; i++)
    scores[i] = rate * fabs((double)q->integers[k][i] - round(public[i] / p->step));
  return scores[chosen] - log_sum(scores, q->net.count) -
         fabs(answer / p->step - (double)q->integers[k][chosen]) * p->step / p->scale;
}

/* The production code, all rounds; the scores are the odds of the inputs and the first answer. */
static void draw_net(void *context, int input, double *scores) {
  inquest *q = context;
  const size_t rounds = q->tdil.probes.rounds;
  size_t chosen[ROUNDS];
  double public[POINTS];
  sfmi_kernel_ridge model;
  sfm_error error;
  assert_ok(sfmi_kernel_ridge_init(&model, rounds, q->tdil.probes.ridge, &error), &error);
  assert_ok(sfmi_tdil_rounds_net(&q->tdil, chosen, &model, q->integers[input], &q->net,
                                 q->train_problem.map, &error),
            &error);
  scores[0] = 0;
  for (size_t t = 0; t < rounds; t++) {
    public_at(public, q, chosen, model.answers, t);
    scores[0] += round_odds(q, public, chosen[t], model.answers[t], 1) -
                 round_odds(q, public, chosen[t], model.answers[t], 0);
  }
  scores[1] = model.answers[0];
  sfmi_kernel_ridge_clear(&model);
}

static size_t draws(void) {
  return test_long() ? 1000000 : 20000;
}

/* The rows whose machines are farthest apart, and integers that move up at one point and down at
 * the others, as much as they may. */
static void rounds_keep_epsilon(void **state) {
  (void)state;
  static const struct {
    const char *name;
    sfm_kernel_family kernel;
    double epsilon, share;
  } cases[] = {{"tdil, linear kernel, net", SFM_KERNEL_LINEAR, 1.5, 0.35},
               {"tdil, laplacian kernel, dual", SFM_KERNEL_LAPLACIAN, 1.5, 0.3}};
  for (size_t i = 0; i < 2; i++) {
    inquest q;
    inquest_init(&q, cases[i].kernel, POINTS, 2, cases[i].epsilon);
    for (size_t k = 0; k < POINTS; k++)
      assert_true(fabs((double)(q.integers[1][k] - q.integers[0][k])) <= q.tdil.probes.moves);
    audit_mechanism m = {cases[i].name, draw_net, &q, 2, cases[i].epsilon, 0};
    audit_honest_of(&m, draws(), cases[i].share);
    inquest_clear(&q);
  }
}

/* One value falls and all others rise; one round. */
static void oppose(inquest *q) {
  const int64_t moves = (int64_t)q->tdil.probes.moves;
  for (size_t i = 0; i < POINTS; i++) {
    q->integers[0][i] = i == 4 ? 2 * moves : 3 * moves;
    q->integers[1][i] = i == 4 ? 3 * moves : 2 * moves;
  }
}

static void opposed_values_keep_epsilon(void **state) {
  (void)state;
  inquest q;
  inquest_init(&q, SFM_KERNEL_LAPLACIAN, POINTS, 1, 1.5);
  oppose(&q);
  audit_mechanism m = {"tdil, values in both directions", draw_net, &q, 2, 1.5, 0};
  audit_honest_of(&m, draws(), 0.6);
  inquest_clear(&q);
}

/* WRONG: the choice is made with as much epsilon as the answer and not counted. */
static void a_choice_that_is_not_charged_is_caught(void **state) {
  (void)state;
  inquest q;
  sfm_error error;
  inquest_init(&q, SFM_KERNEL_LAPLACIAN, POINTS, 1, 1);
  oppose(&q);
  sfmi_design_tdil free_choice = q.tdil.probes;
  free_choice.choosing = free_choice.answering = 1;
  free_choice.scale = free_choice.moves * free_choice.step;
  sfmi_tdil_rounds_clear(&q.tdil);
  assert_ok(sfmi_tdil_rounds_init(&q.tdil, &free_choice, (sfmi_seed){!test_long(), 9}, &error),
            &error);
  audit_mechanism m = {"TWIN tdil, the choice not charged", draw_net, &q, 2, 1, 0};
  audit_twin_of(&m, draws());
  inquest_clear(&q);
}

/* WRONG: an answer has half of the noise that it should have. */
static void half_of_the_noise_is_caught(void **state) {
  (void)state;
  inquest q;
  sfm_error error;
  inquest_init(&q, SFM_KERNEL_LAPLACIAN, POINTS, 1, 1);
  oppose(&q);
  sfmi_design_tdil half = q.tdil.probes;
  half.answering *= 2;
  half.scale /= 2;
  sfmi_tdil_rounds_clear(&q.tdil);
  assert_ok(sfmi_tdil_rounds_init(&q.tdil, &half, (sfmi_seed){!test_long(), 9}, &error), &error);
  audit_mechanism m = {"TWIN tdil, half of an answer's noise", draw_net, &q, 2, 1, 0};
  audit_twin_of(&m, draws());
  inquest_clear(&q);
}

/* Twins that are not made of the production code. */
typedef struct twin {
  sfmi_prng prng;
  double values[2]; /* at every point, in units of what a record moves them by */
  double epsilon;
} twin;

static double laplace(sfmi_prng *prng) {
  return log(sfmi_prng_uniform(prng) + 1e-300) - log(sfmi_prng_uniform(prng) + 1e-300);
}

/* WRONG: the largest of noisy values is chosen, and what is released is that noisy value itself:
 * one noise for both. */
static void draw_same_noise(void *context, int input, double *scores) {
  twin *t = context;
  scores[0] = -INFINITY;
  for (size_t i = 0; i < POINTS; i++)
    scores[0] = fmax(scores[0], t->values[input] + 2 / t->epsilon * laplace(&t->prng));
}

static void one_noise_for_both_is_caught(void **state) {
  (void)state;
  twin t = {.values = {10, 11}, .epsilon = 1};
  sfmi_prng_init(&t.prng, 3);
  audit_mechanism m = {
      "TWIN tdil, the choice's noise is the answer's", draw_same_noise, &t, 1, 1, 0};
  audit_twin_of(&m, 200000);
}

/* WRONG: the point is where the values differ most, without noise. */
static void draw_no_noise(void *context, int input, double *scores) {
  const inquest *q = context;
  size_t best = 0;
  for (size_t i = 1; i < POINTS; i++)
    if (llabs(q->integers[input][i]) > llabs(q->integers[input][best])) best = i;
  scores[0] = (double)best;
}

static void a_choice_without_noise_is_caught(void **state) {
  (void)state;
  inquest q;
  inquest_init(&q, SFM_KERNEL_LAPLACIAN, POINTS, 1, 1);
  oppose(&q);
  audit_mechanism m = {"TWIN tdil, choice without noise", draw_no_noise, &q, 1, 1, 0};
  audit_twin_of(&m, 4000);
  inquest_clear(&q);
}

/* The ball of one dimension: z in [-1, 1], log density rate |z (w_t - w)| - log Z, Z = 2 (e^c -
 * 1)/c. */
static double ball_odds(const inquest *q, double z, double answer, double public, int k) {
  const sfmi_design_tdil *p = &q->tdil.probes;
  const double rate = p->choosing / (2 * p->moves * p->step), apart = public - q->weights[k];
  const double c = rate * fabs(apart);
  const double log_z = c > 1e-9 ? log(expm1(c) / c) : 0;
  return c * fabs(z) - log_z - fabs(answer - z * q->weights[k]) / p->scale;
}

static void draw_ball(void *context, int input, double *scores) {
  inquest *q = context;
  const sfmi_design_tdil *p = &q->tdil.probes;
  double points[ROUNDS], public = 0;
  sfmi_kernel_ridge model, upto;
  sfm_error error;
  assert_ok(sfmi_kernel_ridge_init(&model, p->rounds, p->ridge, &error), &error);
  assert_ok(sfmi_kernel_ridge_init(&upto, p->rounds, p->ridge, &error), &error);
  assert_ok(sfmi_tdil_rounds_ball(&q->tdil, points, &model, &q->weights[input],
                                  q->train_problem.map, &error),
            &error);
  scores[0] = 0;
  for (size_t t = 0; t < p->rounds; t++) {
    double kernel[ROUNDS];
    for (int k = 0; k < 2; k++)
      scores[0] += (k ? 1 : -1) * ball_odds(q, points[t], model.answers[t], public, k);
    for (size_t j = 0; j <= t; j++) kernel[j] = points[t] * points[j];
    sfmi_kernel_ridge_add(&upto, kernel, model.answers[t]);
    public = 0;
    for (size_t j = 0; j <= t; j++) public += upto.coefficients[j] * points[j];
  }
  scores[1] = fabs(points[0]);
  sfmi_kernel_ridge_clear(&model);
  sfmi_kernel_ridge_clear(&upto);
}

static void the_ball_keeps_epsilon(void **state) {
  (void)state;
  inquest q;
  inquest_init(&q, SFM_KERNEL_LINEAR, 0, 2, 1.5);
  audit_mechanism m = {"tdil, linear kernel, ball", draw_ball, &q, 2, 1.5, 0};
  audit_honest_of(&m, draws(), 0.2);
  /* A machine that is zero, about which no direction tells more, and one as far off as may be. */
  q.weights[0] = 0;
  q.weights[1] = q.tdil.probes.moves * q.tdil.probes.step;
  m.name = "tdil, ball, weights apart";
  audit_honest_of(&m, draws(), 0.2);
  inquest_clear(&q);
}

/* WRONG: the rate of a far larger epsilon. */
static void a_wrong_rate_in_the_ball_is_caught(void **state) {
  (void)state;
  inquest q;
  sfm_error error;
  inquest_init(&q, SFM_KERNEL_LINEAR, 0, 1, 1);
  sfmi_design_tdil wrong = q.tdil.probes;
  wrong.choosing *= 64;
  sfmi_tdil_rounds_clear(&q.tdil);
  assert_ok(sfmi_tdil_rounds_init(&q.tdil, &wrong, (sfmi_seed){!test_long(), 9}, &error), &error);
  q.weights[0] = 0;
  q.weights[1] = wrong.moves * wrong.step;
  audit_mechanism m = {"TWIN tdil, ball, rate of another epsilon", draw_ball, &q, 2, 1, 0};
  audit_twin_of(&m, draws());
  inquest_clear(&q);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rounds_keep_epsilon),
      cmocka_unit_test(opposed_values_keep_epsilon),
      cmocka_unit_test(a_choice_that_is_not_charged_is_caught),
      cmocka_unit_test(half_of_the_noise_is_caught),
      cmocka_unit_test(one_noise_for_both_is_caught),
      cmocka_unit_test(a_choice_without_noise_is_caught),
      cmocka_unit_test(the_ball_keeps_epsilon),
      cmocka_unit_test(a_wrong_rate_in_the_ball_is_caught),
  };
  audit_print(NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
