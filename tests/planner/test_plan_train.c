/* test_plan_train.c - plans of machines: the distances that releases have, numbers by hand, what an
 * error takes, and which methods go with a kernel and a guarantee. */
/* suite: release */
#include "train_fixture.h"

#include "sfumato/plan.h"

enum { ROWS = 150, COLUMNS = 3, MOST = 400 };

static double parameter(const sfm_plan_entry *entry, const char *name) {
  for (size_t i = 0; i < entry->parameter_count; i++)
    if (strcmp(entry->parameters[i].name, name) == 0) return entry->parameters[i].numbers[0];
  fail_msg("%s has no parameter %s", entry->method, name);
  return NAN;
}

static bool has(const sfm_plan_entry *entry, const char *name) {
  for (size_t i = 0; i < entry->parameter_count; i++)
    if (strcmp(entry->parameters[i].name, name) == 0) return true;
  return false;
}

static const sfm_plan_entry *find(const sfm_plan *plan, const char *method, const char *noise) {
  for (size_t i = 0; i < sfm_plan_length(plan); i++) {
    const sfm_plan_entry *entry = sfm_plan_at(plan, i);
    if (strcmp(entry->method, method) == 0 &&
        (!noise || (!entry->absent && strcmp(entry->parameters[0].text, noise) == 0)))
      return entry;
  }
  fail_msg("%s is not planned", method);
  return NULL;
}

static sfm_plan *plan_of(const train_fixture *s, bool every, uint64_t rows) {
  sfm_error error;
  sfm_plan *plan;
  assert_ok(sfm_plan_train(&plan, &s->settings, every, every, rows, 0, &error), &error);
  return plan;
}

/* Two clouds. */
static void make_rows(double *values, size_t count, bool regression) {
  sfmi_prng prng;
  sfmi_prng_init(&prng, 5);
  for (size_t i = 0; i < count; i++) {
    const double side = i % 2 ? 1 : -1;
    for (size_t a = 0; a < COLUMNS; a++)
      values[i * (COLUMNS + 1) + a] = fmin(fmax(0.2 * side + 0.3 * sfmi_prng_normal(&prng), -1), 1);
    values[i * (COLUMNS + 1) + COLUMNS] = regression ? 4 + 2 * side : side;
  }
}

/* ---- measured ---- */

/* Releases of a training, at the corner of the box: there a linear machine's features are as long
 * as any. */
static void check_measured(train_fixture *s, size_t trials) {
  double values[ROWS * (COLUMNS + 1)], exact[MOST], sum = 0, absolute = 0, length = 0;
  sfm_plan *plan = plan_of(s, false, ROWS);
  const sfm_plan_entry *entry = sfm_plan_at(plan, 0);
  const sfm_forecast f = entry->predicted;
  const double corner[] = {1, 1, 1};
  size_t inside = 0, banded = 0;
  sfmi_train_problem l;
  sfm_error error;
  make_rows(values, ROWS, s->settings.regression);
  train_fixture_begin(&l, s, values, ROWS);
  const size_t numbers = l.numbers * l.training.machines;
  assert_true(numbers <= MOST);
  train_fixture_solve(exact, &l, s, values, ROWS);
  const double wanted[] = {(double)l.training.features, l.training.kappa, l.training.lambda,
                           l.training.lipschitz, l.training.certificate / l.training.used};
  static const char *const names[] = {"features", "kappa", "lambda", "lipschitz", "certificate"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    assert_relative(names[i], parameter(entry, names[i]), wanted[i], 1e-9);
  for (size_t k = 0; k < trials; k++) {
    double before = 0, after = 0, distance = 0;
    s->settings.context.seed = k;
    sfm_release *release = train_fixture_release(s, values, ROWS);
    assert_ok(sfm_machine_at(release, &after, corner, 1, &error), &error);
    for (size_t i = 0; i < l.numbers; i++) {
      const double off = sfm_release_coefficient(release, i) - exact[i];
      before += off; /* <noise, (1, 1, 1)> */
      distance += off * off;
    }
    if (k == 0) {
      assert_relative("band", entry->band.half_width, sfm_release_band(release).half_width, 1e-9);
      assert_relative("pointwise", entry->band.pointwise, sfm_release_band(release).pointwise,
                      1e-9);
      double value = 0;
      for (size_t i = 0; i < l.numbers; i++) value += sfm_release_coefficient(release, i);
      if (!s->settings.regression) assert_near("value", after, value, 1e-9 * (1 + fabs(value)));
    }
    assert_int_equal(entry->hardened, sfm_release_hardened(release));
    assert_true(entry->guarantee.kind == sfm_release_guarantee(release).kind);
    sfm_release_destroy(release);
    const double factor = s->settings.regression ? 3 : 1;
    sum += factor * before * factor * before;
    absolute += factor * fabs(before);
    length += distance;
    inside +=
        factor * before * factor * before >= f.low && factor * before * factor * before <= f.high;
    banded += factor * fabs(before) <= entry->band.half_width;
  }
  const double n = (double)trials, mean = sum / n;
  print_message("%-8s %-8s: %.4g in [%.4g, %.4g], measured %.4g; mean size %.4g, %.4g; weights "
                "%.4g, %.4g; %zu of %zu inside\n",
                entry->method, entry->parameters[0].text, f.privacy, f.low, f.high, mean,
                parameter(entry, "mean"), absolute / n, parameter(entry, "weights"),
                sqrt(length / n), inside, trials);
  /* The square of a value varies by at most 5 times its squared mean. */
  assert_relative("squared distance", mean, f.privacy, TEST_Z * sqrt(5 / n));
  assert_relative("distance of weights", length / n, pow(parameter(entry, "weights"), 2),
                  TEST_Z * sqrt(5 / n));
  assert_relative("mean distance", absolute / n, parameter(entry, "mean"),
                  0.12 + TEST_Z * sqrt(1 / n)); /* Laplace noise of three features: 0.1 less */
  assert_false(binomial_too_few(inside, trials, 0.93));
  assert_false(binomial_too_few(banded, trials, s->settings.context.confidence));
  assert_true(mean > f.low && mean < f.high);
  sfmi_train_problem_clear(&l);
  sfm_plan_destroy(plan);
}

static void measured(void **state) {
  const size_t trials = test_long() ? 20000 : 150;
  (void)state;
  for (int noise = 0; noise < 3; noise++)
    for (int regression = 0; regression < 2; regression++) {
      train_fixture s;
      train_fixture_init(&s, COLUMNS, 0.7, noise == SFM_VECTOR_NOISE_NORMAL ? 1e-5 : 0);
      s.settings.lambda = 0.1;
      s.settings.noise_given = true;
      s.settings.noise = (sfm_vector_noise)noise;
      s.settings.regression = regression;
      s.settings.label_lower = 1;
      s.settings.label_upper = 7;
      if (regression) s.settings.loss = SFM_MACHINE_LOSS_HUBER;
      check_measured(&s, trials);
      train_fixture_clear(&s);
    }
}

/* ---- by hand ---- */

static void by_hand(void **state) {
  train_fixture s;
  (void)state;
  train_fixture_init(&s, 2, 1, 1e-6);
  s.settings.scaling = SFM_SCALING_BALL;
  sfm_plan *plan = plan_of(&s, true, 10000);
  const sfm_plan_entry *entry = find(plan, "finite", "normal");
  /* lambda = 1/sqrt n, bound = 2/(lambda n) = 0.02, used = 1.2 bound, sigma = 4.2247 used. */
  assert_relative("kappa", parameter(entry, "kappa"), 1, 1e-9);
  assert_relative("lambda", parameter(entry, "lambda"), 0.01, 1e-9);
  assert_relative("sensitivity", parameter(entry, "sensitivity"), 0.024, 2e-3);
  assert_relative("deviation", parameter(entry, "deviation"), 0.024 * 4.2247, 2e-3);
  assert_relative("relative", entry->predicted.relative, 0.024 * 4.2247, 2e-3);
  assert_relative("certificate", parameter(entry, "certificate"), 1.0 / 6, 1e-9);
  assert_true(entry->hardened);
  assert_int_equal(sfm_plan_best(plan), 0);
  sfm_plan_destroy(plan);
  /* Pure: laplace on two weights has sqrt(2) sqrt(2) Delta/epsilon, gamma sqrt(3). */
  s.settings.delta = 0;
  plan = plan_of(&s, true, 10000);
  assert_relative("laplace", parameter(find(plan, "finite", "laplace"), "deviation"), 2 * 0.024,
                  2e-3);
  assert_relative("gamma", parameter(find(plan, "finite", "gamma"), "deviation"), sqrt(3) * 0.024,
                  2e-3);
  assert_false(find(plan, "finite", "gamma")->hardened);
  assert_int_equal(sfm_plan_best(plan), 1); /* the hardened one */
  sfm_plan_destroy(plan);
  train_fixture_clear(&s);
}

/* One machine a class: the noise of each covers all. */
static void one_vs_rest(void **state) {
  static const char *const labels[] = {"a", "b", "c", "d"};
  train_fixture s;
  (void)state;
  train_fixture_init(&s, 2, 1, 1e-6);
  sfm_plan *plan = plan_of(&s, true, 1000);
  const double one = parameter(find(plan, "finite", "normal"), "deviation");
  sfm_plan_destroy(plan);
  s.settings.labels = labels;
  s.settings.class_count = 4;
  s.settings.one_vs_rest = true;
  plan = plan_of(&s, true, 1000);
  assert_relative("four machines", parameter(find(plan, "finite", "normal"), "deviation"), 2 * one,
                  2e-3);
  assert_int_equal(parameter(find(plan, "finite", "normal"), "machines"), 4);
  sfm_plan_destroy(plan);
  train_fixture_clear(&s);
}

/* ---- random features ---- */

static void random_features(void **state) {
  train_fixture s;
  (void)state;
  train_fixture_init(&s, 4, 1, 1e-6);
  s.settings.kernel = SFM_KERNEL_GAUSSIAN;
  s.settings.bandwidth = 1;
  sfm_plan *plan = plan_of(&s, true, 100000);
  /* Normal noise is the same whatever their number; what they lack is not. */
  const sfm_plan_entry *few = find(plan, "rff:256", "normal"),
                       *many = find(plan, "rff:4096", "normal");
  assert_relative("noise", few->predicted.privacy, many->predicted.privacy, 2e-3);
  assert_relative("lack", few->predicted.truncation, 1 / 256.0, 1e-12);
  assert_relative("deviation", parameter(many, "kernel_deviation"), 1 / 64.0, 1e-12);
  assert_true(parameter(many, "kernel_certified") < parameter(few, "kernel_certified") &&
              parameter(many, "kernel_certified") > parameter(many, "kernel_deviation"));
  assert_non_null(find(plan, "objective:1024", NULL)->absent);
  sfm_plan_destroy(plan);
  /* Laplace noise grows with them: fewer, and as many as are best. */
  s.settings.delta = 0;
  plan = plan_of(&s, true, 100000);
  const sfm_plan_entry *best = sfm_plan_at(plan, sfm_plan_best(plan));
  assert_string_equal(best->parameters[0].text, "laplace");
  for (double features = parameter(best, "features") - 20; features < 2000; features *= 1.3) {
    char method[32];
    train_fixture other = s;
    snprintf(method, sizeof method, "rff:%zu", 2 * (size_t)(features / 2));
    other.settings.method = SFM_TRAIN_RFF;
    other.settings.rff_features = 2 * (size_t)(features / 2);
    other.settings.noise_given = true;
    other.settings.noise = SFM_VECTOR_NOISE_LAPLACE;
    sfm_plan *one = plan_of(&other, false, 100000);
    assert_string_equal(sfm_plan_at(one, 0)->method, method);
    assert_true(sfm_plan_at(one, 0)->predicted.total >= best->predicted.total * (1 - 1e-4));
    sfm_plan_destroy(one);
  }
  sfm_plan_destroy(plan);
  train_fixture_clear(&s);
}

/* ---- questions ---- */

static void what_an_error_takes(void **state) {
  train_fixture s;
  sfm_error error;
  (void)state;
  for (int random = 0; random < 2; random++) {
    train_fixture_init(&s, 3, 0.5, random ? 0 : 1e-6);
    if (random) {
      s.settings.kernel = SFM_KERNEL_CAUCHY;
      s.settings.bandwidth = 1;
    }
    sfm_plan *plan = plan_of(&s, true, 5000);
    const sfm_plan_entry *best = sfm_plan_at(plan, sfm_plan_best(plan));
    sfm_forecast f, more;
    double rows, epsilon;
    assert_ok(sfm_plan_forecast(plan, &f, 5000, 0.5, &error), &error);
    assert_relative("forecast", f.total, best->predicted.total, 1e-6);
    for (double n = 10; n < 1e9; n *= 7) {
      assert_ok(sfm_plan_forecast(plan, &more, n, 0.5, &error), &error);
      assert_ok(sfm_plan_forecast(plan, &f, 7 * n, 0.5, &error), &error);
      assert_true(f.total <= more.total);
    }
    for (double e = 0.01; e < 100; e *= 7) {
      assert_ok(sfm_plan_forecast(plan, &more, 5000, e, &error), &error);
      assert_ok(sfm_plan_forecast(plan, &f, 5000, 7 * e, &error), &error);
      assert_true(f.total <= more.total);
    }
    assert_ok(sfm_plan_rows_for(plan, &rows, 0.1, &error), &error);
    assert_ok(sfm_plan_epsilon_for(plan, &epsilon, 0.1, &error), &error);
    assert_ok(sfm_plan_forecast(plan, &f, rows, 0.5, &error), &error);
    assert_ok(sfm_plan_forecast(plan, &more, rows - 1, 0.5, &error), &error);
    assert_true(f.relative <= 0.1 && more.relative > 0.1);
    assert_ok(sfm_plan_forecast(plan, &f, 5000, epsilon, &error), &error);
    assert_ok(sfm_plan_forecast(plan, &more, 5000, epsilon * 0.99, &error), &error);
    assert_true(f.relative <= 0.1 && more.relative > 0.1);
    sfm_plan_destroy(plan);
    train_fixture_clear(&s);
  }
}

static void lambdas_side_by_side(void **state) {
  const double lambdas[] = {0.001, 0.01, 0.1};
  train_fixture s;
  sfm_error error;
  sfm_plan *plan;
  (void)state;
  train_fixture_init(&s, 2, 1, 1e-6);
  s.settings.lambdas = lambdas;
  s.settings.lambda_count = 3;
  plan = plan_of(&s, true, 10000);
  assert_int_equal(sfm_plan_length(plan), 4); /* and the baseline */
  for (size_t i = 0; i < 3; i++) {
    const sfm_plan_entry *entry = sfm_plan_at(plan, i);
    assert_relative("lambda", parameter(entry, "lambda"), lambdas[2 - i], 1e-12);
    assert_relative("noise falls with lambda", parameter(entry, "deviation"),
                    parameter(sfm_plan_at(plan, 0), "deviation") * pow(10, (double)i), 1e-3);
    /* The rule does not depend on the lambda it is found at. */
    assert_relative("rule", parameter(entry, "lambda_rule"),
                    parameter(sfm_plan_at(plan, 0), "lambda_rule"), 1e-3);
    assert_false(has(entry, "kernel_deviation"));
  }
  sfm_plan_destroy(plan);
  const double bad[] = {0.1, 0};
  s.settings.lambdas = bad;
  s.settings.lambda_count = 2;
  assert_int_equal(sfm_plan_train(&plan, &s.settings, true, true, 10000, 0, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "lambda must be"));
  train_fixture_clear(&s);
}

static void refusals(void **state) {
  train_fixture s;
  sfm_error error;
  sfm_plan *plan;
  (void)state;
  train_fixture_init(&s, 2, 1, 1e-6);
  assert_int_equal(sfm_plan_train(&plan, &s.settings, true, true, 0, 0, &error), SFM_INVALID);
  assert_null(plan);
  s.settings.epsilon = 0;
  assert_int_equal(sfm_plan_train(&plan, &s.settings, true, true, 100, 0, &error), SFM_INVALID);
  s.settings.epsilon = 1;
  s.settings.method = SFM_TRAIN_RFF; /* a linear kernel has none */
  s.settings.rff_features = 100;
  assert_int_equal(sfm_plan_train(&plan, &s.settings, false, true, 100, 0, &error), SFM_INVALID);
  s.settings.method = SFM_TRAIN_FINITE;
  s.settings.noise_given = true;
  s.settings.noise = SFM_VECTOR_NOISE_LAPLACE; /* with a delta */
  assert_int_equal(sfm_plan_train(&plan, &s.settings, true, false, 100, 0, &error), SFM_INVALID);
  /* Sparse rows need a bound. */
  s.settings.features = NULL;
  s.settings.noise_given = false;
  assert_int_equal(sfm_plan_train(&plan, &s.settings, true, true, 100, 50, &error), SFM_INVALID);
  s.settings.clip_norm = 1;
  assert_ok(sfm_plan_train(&plan, &s.settings, true, true, 100, 50, &error), &error);
  assert_int_equal(parameter(sfm_plan_at(plan, 0), "features"), 50);
  sfm_plan_destroy(plan);
  /* A torus in many dimensions cannot be had, and random features can. */
  train_fixture_clear(&s);
  train_fixture_init(&s, 8, 1, 1e-6);
  s.settings.kernel = SFM_KERNEL_GAUSSIAN;
  s.settings.bandwidth = 0.2;
  plan = plan_of(&s, true, 1000);
  assert_non_null(find(plan, "finite", NULL)->absent);
  assert_null(find(plan, "rff:1024", NULL)->absent);
  sfm_plan_destroy(plan);
  train_fixture_clear(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(measured),
      cmocka_unit_test(by_hand),
      cmocka_unit_test(one_vs_rest),
      cmocka_unit_test(random_features),
      cmocka_unit_test(what_an_error_takes),
      cmocka_unit_test(lambdas_side_by_side),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
