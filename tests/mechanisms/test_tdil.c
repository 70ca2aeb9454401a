/* test_tdil.c - the non-interactive model: what one record moves values and scores by at most,
 * what the rounds cost together, that the released machine is the private one where there is next
 * to no noise and as far from it as forecast where there is, and what is refused. */
/* suite: release */
#include "train_fixture.h"

#include "base/math/prng.h"
#include "mechanisms/machines/tdil.h"
#include "mechanisms/machines/tdil_rounds.h"
#include "privacy/calibration.h"
#include "releases/kinds/machine_model.h"
#include "releases/kinds/mechanism_kind.h"
#include "releases/core/release_write.h"
#include "sfumato/account.h"

enum { NET = 25, ROWS = 3, NUMBERS = 4096 };

static double uniform(sfmi_prng *prng, double least, double most) {
  return least + (most - least) * sfmi_prng_uniform(prng);
}

static void tdil_init(train_fixture *s, size_t dimension, double epsilon, double delta) {
  train_fixture_init(s, dimension, epsilon, delta);
  s->settings.method = SFM_TRAIN_TDIL;
  s->settings.bandwidth = 1;
  s->settings.degree = 2;
  s->settings.shift = 1;
}

/* A train_problem with its net and its plan. */
typedef struct tdil_problem {
  sfmi_train_problem train_problem;
  sfmi_net net;
  sfmi_design_tdil probes;
} tdil_problem;

static void tdil_problem_init(tdil_problem *q, const train_fixture *s, const double *rows,
                              size_t count) {
  const sfmi_train_problem *l = &q->train_problem;
  sfmi_learning_curve learning_curve;
  sfm_error error;
  train_fixture_begin(&q->train_problem, s, rows, count);
  assert_ok(
      sfmi_design_tdil_learning_curve(&learning_curve, &l->encoding, l->map, &s->settings, &error),
      &error);
  assert_ok(sfmi_design_tdil_init(&q->probes, &s->settings, &l->training, &learning_curve,
                                  sfmi_tdil_rounding(l), SFM_ACCOUNTING_BASIC, &error),
            &error);
  sfmi_learning_curve_clear(&learning_curve);
  assert_ok(sfmi_design_tdil_net(&q->net, &l->encoding, &s->settings, &error), &error);
}

static void tdil_problem_clear(tdil_problem *q) {
  sfmi_net_clear(&q->net);
  sfmi_train_problem_clear(&q->train_problem);
}

static void integers_of(int64_t *integers, const tdil_problem *q, const train_fixture *s,
                        const double *rows, size_t count) {
  double numbers[NUMBERS], values[NET];
  sfm_error error;
  assert_in_range(q->train_problem.numbers, 1, NUMBERS);
  assert_in_range(q->net.count, 1, NET);
  train_fixture_solve(numbers, &q->train_problem, s, rows, count);
  assert_ok(sfmi_tdil_values(values, &q->train_problem, &q->net, numbers, &error), &error);
  sfmi_tdil_rounds_integers(integers, values, q->net.count, q->probes.step);
}

/* ---- sensitivity, searched ---- */

static void draw_row(double *row, size_t d, sfmi_prng *prng) {
  for (size_t a = 0; a < d; a++) {
    const double u = sfmi_prng_uniform(prng);
    row[a] = u < 0.35 ? -1 : u < 0.7 ? 1 : uniform(prng, -1, 1);
  }
  row[d] = sfmi_prng_uniform(prng) < 0.5 ? -1 : 1;
}

/* The most that an integer, and a score against any public value, moves. */
static double farthest(const int64_t *a, const int64_t *b, size_t count, sfmi_prng *prng) {
  double most = 0;
  for (size_t i = 0; i < count; i++) {
    const double p = round(uniform(prng, (double)-llabs(a[i]) - 100, (double)llabs(a[i]) + 100));
    most = fmax(most, fabs((double)a[i] - (double)b[i]));
    assert_true(fabs(fabs((double)a[i] - p) - fabs((double)b[i] - p)) <=
                fabs((double)a[i] - (double)b[i]));
  }
  return most;
}

static double search(const train_fixture *s, size_t rounds, uint64_t seed) {
  const size_t d = s->settings.feature_count, width = d + 1;
  double worst = 0;
  sfmi_prng prng;
  sfmi_prng_init(&prng, seed);
  for (size_t count = 1; count <= ROWS; count++) {
    double rows[2][ROWS * (TRAIN_FIXTURE_COLUMNS + 1)];
    int64_t integers[2][NET];
    tdil_problem q;
    draw_row(rows[0], d, &prng);
    for (size_t r = 1; r < count; r++) draw_row(rows[0] + r * width, d, &prng);
    tdil_problem_init(&q, s, rows[0], count);
    for (size_t i = 0; i < rounds; i++) {
      for (size_t r = 0; r < count; r++) draw_row(rows[0] + r * width, d, &prng);
      memcpy(rows[1], rows[0], sizeof rows[0]);
      /* Another row, or the same with the other label. */
      if (i % 2) draw_row(rows[1], d, &prng);
      rows[1][d] = i % 4 ? -rows[0][d] : rows[1][d];
      for (int k = 0; k < 2; k++) integers_of(integers[k], &q, s, rows[k], count);
      const double moved = farthest(integers[0], integers[1], q.net.count, &prng);
      if (moved > q.probes.moves) fail_msg("%g steps, %g are paid for", moved, q.probes.moves);
      worst = fmax(worst, moved / q.probes.moves);
    }
    tdil_problem_clear(&q);
  }
  return worst;
}

static void no_pair_of_neighbours_passes_the_moves(void **state) {
  (void)state;
  static const struct {
    const char *name;
    sfm_kernel_family kernel;
    double constant;
  } cases[] = {{"linear", SFM_KERNEL_LINEAR, 0},
               {"linear, constant", SFM_KERNEL_LINEAR, 0.7},
               {"polynomial", SFM_KERNEL_POLYNOMIAL, 0},
               {"torus", SFM_KERNEL_GAUSSIAN, 0},
               {"laplacian, dual", SFM_KERNEL_LAPLACIAN, 0},
               {"matern52, dual", SFM_KERNEL_MATERN52, 0.5}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    train_fixture s;
    tdil_init(&s, 2, 1, 0);
    s.settings.kernel = cases[i].kernel;
    s.settings.constant = cases[i].constant;
    s.settings.lambda = cases[i].kernel == SFM_KERNEL_POLYNOMIAL ? 10 : 3;
    s.settings.tolerance = 0.001;
    s.settings.net = NET;
    const double found = search(&s, test_long() ? 2000 : 40, 7 + i);
    print_message("%-18s %.3f of what is paid for\n", cases[i].name, found);
    assert_true(found > 0.9);
    train_fixture_clear(&s);
  }
}

/* The dual has the values of the features. */
static void both_ways_to_learn_have_the_same_values(void **state) {
  (void)state;
  enum { COUNT = 60 };
  double rows[COUNT * 3], numbers[NUMBERS], torus[NET], dual[NET];
  sfmi_prng prng;
  sfm_error error;
  sfmi_prng_init(&prng, 4);
  for (size_t i = 0; i < COUNT; i++) {
    rows[3 * i] = uniform(&prng, -1, 1);
    rows[3 * i + 1] = uniform(&prng, -1, 1);
    rows[3 * i + 2] = rows[3 * i] * rows[3 * i + 1] > 0 ? 1 : -1;
  }
  train_fixture s;
  tdil_problem q;
  tdil_init(&s, 2, 1, 0);
  s.settings.kernel = SFM_KERNEL_GAUSSIAN;
  s.settings.lambda = 0.05;
  s.settings.tolerance = 0.01;
  s.settings.net = NET;
  tdil_problem_init(&q, &s, rows, COUNT);
  assert_int_equal(q.train_problem.map->form, SFMI_FEATURE_MAP_TORUS);
  train_fixture_solve(numbers, &q.train_problem, &s, rows, COUNT);
  assert_ok(sfmi_tdil_values(torus, &q.train_problem, &q.net, numbers, &error), &error);
  const double bound = q.train_problem.training.certificate;
  tdil_problem_clear(&q);
  /* A method whose only form is the points. */
  double cells[NET * 2];
  for (size_t p = 0; p < NET; p++) {
    cells[2 * p] = -1 + 0.5 * (double)(p / 5);
    cells[2 * p + 1] = -1 + 0.5 * (double)(p % 5);
  }
  s.settings.method = SFM_TRAIN_GP;
  s.settings.delta = 1e-6;
  s.settings.net = 0;
  s.settings.places = cells;
  s.settings.place_count = NET;
  sfmi_train_problem l;
  train_fixture_begin(&l, &s, rows, COUNT);
  train_fixture_solve(dual, &l, &s, rows, COUNT);
  sfmi_train_problem_clear(&l);
  for (size_t p = 0; p < NET; p++) assert_near("value", torus[p], dual[p], 2 * bound);
  train_fixture_clear(&s);
}

/* ---- what it costs ---- */

static sfm_probes_plan plan(const train_fixture *s, uint64_t rows) {
  sfm_probes_plan probes;
  sfm_error error;
  assert_ok(sfm_plan_probes(&probes, &s->settings, rows, 0, &error), &error);
  return probes;
}

static void all_rounds_together_keep_the_guarantee(void **state) {
  (void)state;
  train_fixture s;
  tdil_init(&s, 2, 1, 0);
  s.settings.kernel = SFM_KERNEL_GAUSSIAN;
  for (size_t rounds = 0; rounds <= 64; rounds = rounds ? 4 * rounds : 1) {
    s.settings.delta = 0;
    s.settings.probes = rounds;
    sfm_probes_plan p = plan(&s, 10000);
    const double total = (double)p.rounds * (p.choosing + p.answering);
    assert_true(rounds == 0 || p.rounds == rounds);
    assert_true(total <= 1 && total > 0.999);
    s.settings.delta = 1e-6;
    p = plan(&s, 10000);
    const sfm_privacy_loss losses[] = {{SFM_PRIVACY_LOSS_PURE, p.choosing, p.rounds, 0},
                                       {SFM_PRIVACY_LOSS_LAPLACE, p.answering, p.rounds, 0}};
    sfm_interval delta;
    sfm_error error;
    assert_ok(sfm_account_delta(&delta, losses, 2, 1, &error), &error);
    assert_true(delta.upper <= 1e-6 * (1 + 1e-9));
    assert_true((double)p.rounds * (p.choosing + p.answering) >= 1 - 1e-9);
  }
  /* Machines of one-vs-rest share the budget. */
  static const char *const labels[] = {"0", "1", "2"};
  s.settings.delta = 0;
  s.settings.probes = 4;
  s.settings.labels = labels;
  s.settings.class_count = 3;
  s.settings.one_vs_rest = true;
  const sfm_probes_plan p = plan(&s, 10000);
  assert_near("three machines", 12 * (p.choosing + p.answering), 1, 1e-3);
  train_fixture_clear(&s);
}

/* The rule of a ledger says how rounds add up, and the guarantee says so. */
static void ledgers_of_other_rules_get_their_guarantee(void **state) {
  (void)state;
  static const sfm_accounting rules[] = {SFM_ACCOUNTING_BASIC, SFM_ACCOUNTING_ZCDP,
                                         SFM_ACCOUNTING_GDP};
  static const sfm_guarantee_kind kinds[] = {SFM_GUARANTEE_APPROXIMATE, SFM_GUARANTEE_ZCDP,
                                             SFM_GUARANTEE_GDP};
  static const double row[] = {1, 1, 1};
  train_fixture s;
  tdil_problem q;
  tdil_init(&s, 2, 1, 1e-6);
  s.settings.kernel = SFM_KERNEL_GAUSSIAN;
  s.settings.lambda = 3;
  s.settings.net = NET;
  s.settings.probes = 16;
  tdil_problem_init(&q, &s, row, 1);
  for (int i = 0; i < 3; i++) {
    double spectrum = 1;
    const sfmi_learning_curve learning_curve = {.spectrum = &spectrum, .count = 1, .repeated = 1};
    sfmi_design_tdil probes;
    sfm_error error;
    assert_ok(sfmi_design_tdil_init(&probes, &s.settings, &q.train_problem.training,
                                    &learning_curve, 0, rules[i], &error),
              &error);
    assert_int_equal(probes.guarantee.kind, kinds[i]);
    const double square = probes.choosing * probes.choosing + probes.answering * probes.answering;
    if (i == 1) assert_relative("rho", probes.guarantee.rho, 16 * square / 2, 1e-6);
  }
  tdil_problem_clear(&q);
  train_fixture_clear(&s);
}

/* ---- what comes out ---- */

static void fill(double *rows, size_t count, uint64_t seed) {
  sfmi_prng prng;
  sfmi_prng_init(&prng, seed);
  for (size_t i = 0; i < count; i++) {
    rows[3 * i] = uniform(&prng, -1, 1);
    rows[3 * i + 1] = uniform(&prng, -1, 1);
    rows[3 * i + 2] = sin(2 * rows[3 * i]) + rows[3 * i + 1] > 0.2 ? 1 : -1;
  }
}

/* Root mean square, over a grid, of the released machine less the exact one. */
static double apart(const train_fixture *s, const double *rows, size_t count) {
  enum { GRID = 81 };
  train_fixture exact;
  double values[GRID], wanted[GRID], cells[2 * GRID], numbers[NUMBERS], square = 0;
  uint32_t indices[2 * GRID];
  size_t starts[GRID + 1] = {0};
  sfmi_train_problem l;
  sfm_error error;
  for (size_t p = 0; p < GRID; p++) {
    cells[2 * p] = -1 + 0.25 * (double)(p / 9);
    cells[2 * p + 1] = -1 + 0.25 * (double)(p % 9);
    starts[p + 1] = 2 * (p + 1);
    indices[2 * p] = 0;
    indices[2 * p + 1] = 1;
  }
  sfm_release *release = train_fixture_release(s, rows, count);
  assert_ok(sfm_machine_at(release, values, cells, GRID, &error), &error);
  sfm_release_destroy(release);
  exact = *s;
  exact.settings.method = SFM_TRAIN_FINITE;
  exact.settings.probes = exact.settings.net = 0;
  train_fixture_begin(&l, &exact, rows, count);
  train_fixture_solve(numbers, &l, &exact, rows, count);
  double *phi = malloc(GRID * l.map->count * sizeof *phi);
  sfmi_feature_map_dense(l.map, phi, starts, indices, cells, GRID);
  for (size_t p = 0; p < GRID; p++) {
    wanted[p] = 0;
    for (size_t k = 0; k < l.map->count; k++) wanted[p] += phi[p * l.map->count + k] * numbers[k];
    square += (values[p] - wanted[p]) * (values[p] - wanted[p]);
  }
  free(phi);
  sfmi_train_problem_clear(&l);
  return sqrt(square / GRID);
}

static void without_noise_the_fit_is_the_machine(void **state) {
  (void)state;
  enum { COUNT = 4000 };
  static double rows[COUNT * 3];
  static const sfm_kernel_family kernels[] = {SFM_KERNEL_LINEAR, SFM_KERNEL_LINEAR,
                                              SFM_KERNEL_POLYNOMIAL, SFM_KERNEL_GAUSSIAN};
  fill(rows, COUNT, 3);
  for (int i = 0; i < 4; i++) {
    train_fixture s;
    tdil_init(&s, 2, 1000, 0);
    s.settings.kernel = kernels[i];
    s.settings.constant = i == 1 ? 1 : 0;
    s.settings.net = i == 1 ? 100 : 0;
    s.settings.lambda = 0.1;
    s.settings.probes = i == 3 ? 60 : 20;
    const double off = apart(&s, rows, COUNT);
    print_message("%s%s: off by %.2g\n", sfm_kernel_family_name(kernels[i]), i == 1 ? ", net" : "",
                  off);
    assert_true(off < 0.03);
    train_fixture_clear(&s);
  }
}

/* A function drawn from the prior at the net's points, in steps. */
static void draw_function(int64_t *integers, const tdil_problem *q, sfmi_prng *prng) {
  const sfmi_feature_map *map = q->train_problem.map;
  double *phi = malloc(q->net.count * map->count * sizeof *phi), w[NUMBERS], value;
  assert_in_range(map->count, 1, NUMBERS);
  sfmi_feature_map_dense(map, phi, q->net.starts, q->net.indices, q->net.values, q->net.count);
  for (size_t k = 0; k < map->count; k++) w[k] = sfmi_prng_normal(prng) / map->kappa;
  for (size_t p = 0; p < q->net.count; p++) {
    value = 0;
    for (size_t k = 0; k < map->count; k++) value += phi[p * map->count + k] * w[k];
    sfmi_tdil_rounds_integers(&integers[p], &value, 1, q->probes.step);
  }
  free(phi);
}

/* Over typical functions the error is what the plan says, or less: points are chosen well. */
static void the_forecast_holds_for_typical_functions(void **state) {
  (void)state;
  enum { SMALL = 9 * 9, FUNCTIONS = 40 };
  static const double row[] = {1, 1, 1};
  static const double epsilons[] = {3, 20, 200};
  for (size_t k = 0; k < 3; k++) {
    train_fixture s;
    tdil_problem q;
    sfmi_prng prng;
    double mean = 0;
    sfm_error error;
    tdil_init(&s, 2, epsilons[k], 0);
    s.settings.kernel = SFM_KERNEL_GAUSSIAN;
    s.settings.net = SMALL;
    s.settings.lambda = 3;
    tdil_problem_init(&q, &s, row, 1);
    sfmi_prng_init(&prng, 5);
    for (int f = 0; f < FUNCTIONS; f++) {
      int64_t integers[SMALL];
      size_t chosen[1000];
      sfmi_tdil_rounds tdil;
      sfmi_kernel_ridge model;
      draw_function(integers, &q, &prng);
      assert_ok(sfmi_tdil_rounds_init(&tdil, &q.probes, (sfmi_seed){true, (uint64_t)f}, &error),
                &error);
      assert_ok(sfmi_kernel_ridge_init(&model, q.probes.rounds, q.probes.ridge, &error), &error);
      assert_ok(sfmi_tdil_rounds_net(&tdil, chosen, &model, integers, &q.net, q.train_problem.map,
                                     &error),
                &error);
      for (size_t p = 0; p < q.net.count; p++) {
        double value = 0;
        for (size_t j = 0; j < model.count; j++) {
          const size_t a = q.net.starts[p], b = q.net.starts[chosen[j]];
          value += model.coefficients[j] *
                   sfmi_feature_map_kernel(q.train_problem.map, q.net.indices + a, q.net.values + a,
                                           q.net.starts[p + 1] - a, q.net.indices + b,
                                           q.net.values + b, q.net.starts[chosen[j] + 1] - b);
        }
        value -= (double)integers[p] * q.probes.step;
        mean += value * value / ((double)q.net.count * FUNCTIONS);
      }
      sfmi_kernel_ridge_clear(&model);
      sfmi_tdil_rounds_clear(&tdil);
    }
    print_message("epsilon %3g, %zu rounds: %.3f, forecast %.3f\n", epsilons[k], q.probes.rounds,
                  sqrt(mean), q.probes.forecast);
    assert_true(sqrt(mean) < 1.3 * q.probes.forecast && sqrt(mean) > 0.5 * q.probes.forecast);
    tdil_problem_clear(&q);
    train_fixture_clear(&s);
  }
}

static void the_release_says_what_it_was_fitted_to(void **state) {
  (void)state;
  enum { COUNT = 300 };
  double rows[COUNT * 3];
  fill(rows, COUNT, 8);
  for (int ball = 0; ball < 2; ball++) {
    train_fixture s;
    char *text = NULL;
    size_t length = 0;
    sfm_error error;
    sfm_machine_fit fit;
    sfm_machine machine;
    tdil_init(&s, 2, 2, 0);
    s.settings.kernel = ball ? SFM_KERNEL_LINEAR : SFM_KERNEL_LAPLACIAN;
    s.settings.probes = 7;
    sfm_release *release = train_fixture_release(&s, rows, COUNT);
    assert_string_equal(sfm_release_method(release), "tdil");
    assert_int_equal(sfm_release_hardened(release), !ball);
    assert_true(sfm_release_fit(release, &fit) && sfm_release_machine(release, &machine));
    assert_int_equal(fit.rounds, 7);
    assert_int_equal(fit.answers, 7);
    assert_near("epsilon", 7 * (fit.choosing + fit.answering), 2, 2e-3);
    assert_true(machine.features <= 7 && strcmp(machine.form, "points") == 0);
    assert_true(strstr(sfm_release_sentence(release), "idealised") ? ball : !ball);
    assert_ok(sfmi_release_print(release, &text, &length, &error), &error);
    /* No number of a row, to eight digits, and no row's bytes. */
    for (size_t i = 0; i < COUNT * 3; i++) {
      char digits[32];
      if (i % 3 == 2) continue;
      snprintf(digits, sizeof digits, "%.8f", fabs(rows[i]));
      assert_null(strstr(text, digits + 1));
      assert_null(memmem(text, length, &rows[i], sizeof rows[i]));
    }
    free(text);
    sfm_release_destroy(release);
    train_fixture_clear(&s);
  }
}

static void refuse(const train_fixture *s, const char *part) {
  double rows[30 * 3];
  sfm_release *release = NULL;
  sfm_error error;
  fill(rows, 30, 6);
  sfm_rows *opened = train_fixture_rows(s, rows, 30);
  assert_int_equal(sfm_train_release(&release, opened, &s->settings, &error), SFM_INVALID);
  assert_null(release);
  if (!strstr(error.message, part)) fail_msg("'%s' does not say '%s'", error.message, part);
  sfm_rows_destroy(opened);
}

static void what_cannot_be_is_refused(void **state) {
  (void)state;
  static const double lambdas[] = {0.1, 1};
  train_fixture s;
  tdil_init(&s, 2, 1, 1e-6);
  s.settings.kernel = SFM_KERNEL_GAUSSIAN;
  s.settings.probes = SFMI_DESIGN_TDIL_ROUNDS + 1;
  refuse(&s, "settings.probes: there can be 1 to 1000");
  s.settings.probes = 0;
  s.settings.net = 1;
  refuse(&s, "a net has 2 to 65536 points");
  s.settings.net = 0;
  s.settings.noise_given = true;
  refuse(&s, "leave out settings.noise");
  s.settings.noise_given = false;
  s.settings.calibration = SFM_CALIBRATION_CLASSICAL;
  refuse(&s, "settings.calibration");
  s.settings.calibration = SFM_CALIBRATION_EXACT;
  s.settings.lambdas = lambdas;
  s.settings.lambda_count = 2;
  refuse(&s, "for one lambda");
  s.settings.lambda_count = 0;
  s.settings.epsilon = 1e-6;
  s.settings.delta = 0;
  refuse(&s, "epsilon");
  s.settings.epsilon = 1;
  s.settings.method = SFM_TRAIN_FINITE;
  s.settings.probes = 3;
  refuse(&s, "settings.probes belongs to settings.method = tdil");
  s.settings.probes = 0;
  s.settings.net = 30;
  refuse(&s, "settings.net belongs to settings.method = tdil");
  train_fixture_clear(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_pair_of_neighbours_passes_the_moves),
      cmocka_unit_test(both_ways_to_learn_have_the_same_values),
      cmocka_unit_test(all_rounds_together_keep_the_guarantee),
      cmocka_unit_test(ledgers_of_other_rules_get_their_guarantee),
      cmocka_unit_test(without_noise_the_fit_is_the_machine),
      cmocka_unit_test(the_forecast_holds_for_typical_functions),
      cmocka_unit_test(the_release_says_what_it_was_fitted_to),
      cmocka_unit_test(what_cannot_be_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
