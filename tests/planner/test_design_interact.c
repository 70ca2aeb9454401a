/* test_design_interact.c - plans of interactive sessions: error bars and false alarms against
 * simulated comparisons, the largest number of epochs, and what is not possible. */
/* suite: release */
#include "train_fixture.h"

#include "planner/design/design_interact.h"
#include "sfumato/interact.h"

enum { ROWS = 50000 };

static sfm_interact_settings settings_of(train_fixture *s, double accuracy, uint64_t epochs) {
  sfm_interact_settings settings = sfm_interact_settings_default();
  s->settings.lambda = 0.1;
  settings.train = &s->settings;
  settings.questions = 1000;
  settings.accuracy = accuracy;
  settings.epochs = epochs;
  return settings;
}

static sfm_interact_plan plan_of(const sfm_interact_settings *settings) {
  sfm_interact_plan plan;
  sfm_error error;
  assert_ok(sfm_plan_interact(&plan, settings, ROWS, 0, &error), &error);
  return plan;
}

static double laplace(sfmi_prng *prng, double scale) {
  return scale * sfmi_prng_laplace(prng);
}

/* With noises of the scales that it says. */
static void bars_and_alarms_are_as_stated(void **state) {
  const size_t runs = test_repetitions(2000000, 200000);
  train_fixture s;
  sfmi_prng prng;
  (void)state;
  train_fixture_init(&s, 2, 1, 1e-6);
  sfm_interact_settings settings = settings_of(&s, 0, 50);
  const sfm_interact_plan p = plan_of(&settings);
  sfmi_prng_init(&prng, 3);
  size_t alarms = 0, missed = 0, far = 0;
  for (size_t i = 0; i < runs; i++) {
    const double x = laplace(&prng, p.noise_threshold), y = laplace(&prng, p.noise_question);
    alarms += y >= p.threshold + x;
    missed += p.error_public + y < p.threshold + x; /* off by that much, and not found out */
    far += fabs(laplace(&prng, p.noise_answer)) > p.error_released;
  }
  const double n = (double)runs, chance = 0.1 * 50 / 1000;
  assert_near("a false alarm", (double)alarms / n, chance, TEST_Z * sqrt(chance / n));
  assert_near("alarms", p.alarms, 1000 * chance, 1e-9);
  assert_near("missed", (double)missed / n, 0.05, 1e-4 + TEST_Z * sqrt(0.05 / n));
  assert_near("beyond the bar", (double)far / n, 0.05, 1e-4 + TEST_Z * sqrt(0.05 / n));
  assert_relative("worst", p.worst, pow(p.reach * p.kappa / p.threshold, 2), 1e-3);
  train_fixture_clear(&s);
}

static void parts_of_an_epoch_keep_the_guarantee(void **state) {
  static const double deltas[] = {0, 1e-6};
  train_fixture s;
  (void)state;
  for (size_t i = 0; i < 2; i++)
    for (uint64_t epochs = 1; epochs <= 300; epochs *= 17) {
      train_fixture_init(&s, 2, 2, deltas[i]);
      sfm_interact_settings settings = settings_of(&s, 0, epochs);
      const sfm_interact_plan p = plan_of(&settings);
      const double pure = p.epsilon_threshold + p.epsilon_question;
      sfm_interval delta;
      sfm_error error;
      const sfm_privacy_loss losses[] = {{SFM_PRIVACY_LOSS_PURE, pure, epochs, 0},
                                         {SFM_PRIVACY_LOSS_LAPLACE, p.epsilon_answer, epochs, 0}};
      assert_relative("their ratio", p.epsilon_question / p.epsilon_threshold, cbrt(4), 1e-12);
      /* No scale is below what its epsilon needs. */
      assert_true(p.noise_threshold * p.epsilon_threshold >= p.sensitivity * (1 - 1e-12));
      assert_true(p.noise_question * p.epsilon_question >= 2 * p.sensitivity * (1 - 1e-12));
      assert_true(p.noise_answer * p.epsilon_answer >= p.sensitivity * (1 - 1e-12));
      assert_true(p.sensitivity > p.kappa * p.used && p.sensitivity < 1.001 * p.kappa * p.used);
      if (deltas[i] == 0) {
        assert_true((double)epochs * (pure + p.epsilon_answer) <= 2 * (1 + 1e-12));
        assert_int_equal(p.guarantee.kind, SFM_GUARANTEE_PURE);
      } else {
        assert_ok(sfm_account_delta(&delta, losses, 2, 2, &error), &error);
        assert_true(delta.upper <= 1e-6);
        assert_int_equal(p.guarantee.kind, SFM_GUARANTEE_APPROXIMATE);
      }
      train_fixture_clear(&s);
    }
}

/* One more would be too many. */
static void as_many_epochs_as_the_accuracy_allows(void **state) {
  train_fixture s;
  (void)state;
  train_fixture_init(&s, 2, 1, 1e-6);
  for (double accuracy = 0.2; accuracy < 5; accuracy *= 3) {
    sfm_interact_settings settings = settings_of(&s, accuracy, 0);
    const sfm_interact_plan p = plan_of(&settings);
    assert_true(fmax(p.error_public, p.error_released) <= accuracy);
    settings.epochs = p.epochs + 1;
    const sfm_interact_plan more = plan_of(&settings);
    assert_true(fmax(more.error_public, more.error_released) > accuracy);
  }
  train_fixture_clear(&s);
}

static void what_cannot_be_bought_is_refused(void **state) {
  train_fixture s;
  sfm_interact_plan p;
  sfm_error error;
  double one, ten, told_one, told_ten;
  (void)state;
  train_fixture_init(&s, 2, 1, 1e-6);
  sfm_interact_settings settings = settings_of(&s, 1e-4, 0);
  assert_int_equal(sfm_plan_interact(&p, &settings, ROWS, 0, &error), SFM_INVALID);
  const char *text = strstr(error.message, "write settings.accuracy = ");
  assert_non_null(text);
  assert_int_equal(
      sscanf(text, "write settings.accuracy = %lf for 1 epoch, settings.accuracy = %lf for 10",
             &told_one, &told_ten),
      2);
  settings.epochs = 1;
  one = plan_of(&settings).error_public;
  settings.epochs = 10;
  ten = plan_of(&settings).error_public;
  assert_relative("with one", told_one, one, 0.01);
  assert_relative("with ten", told_ten, ten, 0.01);
  /* And what is told can be bought. */
  settings.epochs = 0;
  settings.accuracy = told_ten;
  assert_true(plan_of(&settings).epochs >= 10);
  settings.accuracy = told_one;
  assert_true(plan_of(&settings).epochs >= 1);
  train_fixture_clear(&s);
}

/* Every rule pays for the same promise. */
static void rules_of_ledgers(void **state) {
  train_fixture s;
  (void)state;
  train_fixture_init(&s, 2, 1, 1e-6);
  sfm_interact_settings settings = settings_of(&s, 0, 40);
  double least = INFINITY;
  for (int rule = SFM_ACCOUNTING_GDP; rule >= SFM_ACCOUNTING_BASIC; rule--) {
    settings.accounting = (sfm_accounting)rule;
    const sfm_interact_plan p = plan_of(&settings);
    double delta;
    sfm_error error;
    if (rule != SFM_ACCOUNTING_BASIC) {
      assert_ok(sfm_guarantee_delta(&delta, &p.guarantee, 1, &error), &error);
      assert_true(delta <= 1e-6);
    }
    if (rule == SFM_ACCOUNTING_BASIC) assert_true(p.error_public <= least); /* exact losses */
    least = fmin(least, p.error_public);
  }
  train_fixture_clear(&s);
}

/* Values of the machines of neighbouring rows, at the farthest point: never beyond the sensitivity,
 * and not far below it. */
static void the_sensitivity_is_attacked(void **state) {
  enum { N = 60, TRIES = 40 };
  double rows[2 * N], worst = 0;
  train_fixture s;
  sfmi_train_problem l;
  (void)state;
  train_fixture_init(&s, 1, 1, 0);
  s.settings.loss = SFM_MACHINE_LOSS_HINGE;
  s.settings.lambda = 4;
  s.settings.tolerance = 0.001;
  for (size_t t = 0; t < TRIES; t++) {
    double w[2];
    for (size_t side = 0; side < 2; side++) {
      for (size_t i = 0; i < N; i++) {
        rows[2 * i] = t % 2 ? 1 : cos((double)(i * (t + 1)));
        rows[2 * i + 1] = i % 2 ? 1 : -1;
      }
      rows[0] = 1;
      rows[1] = side ? 1 : -1;
      train_fixture_begin(&l, &s, rows, N);
      train_fixture_solve(&w[side], &l, &s, rows, N);
      if (side == 0) {
        sfmi_train_problem_clear(&l);
        continue;
      }
      sfm_interact_settings settings = sfm_interact_settings_default();
      sfmi_design_interact found;
      sfm_error error;
      settings.train = &s.settings;
      settings.epochs = 1;
      assert_ok(sfmi_design_interact_init(&found, &settings, &l.training, l.map,
                                          sfmi_train_problem_width(&l), SFM_ACCOUNTING_BASIC,
                                          &error),
                &error);
      /* q = w at x = 1; p public; |Q - P| in steps. */
      const double left = rint(w[0] / found.step), right = rint(w[1] / found.step);
      const double moved = fabs(fabs(left - 17) - fabs(right - 17));
      if (moved > (double)found.steps)
        fail_msg("moved by %g of %lld", moved, (long long)found.steps);
      worst = fmax(worst, moved / (double)found.steps);
      sfmi_train_problem_clear(&l);
    }
  }
  if (worst < 0.9) fail_msg("only %g of the sensitivity was found", worst);
  train_fixture_clear(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bars_and_alarms_are_as_stated),
      cmocka_unit_test(parts_of_an_epoch_keep_the_guarantee),
      cmocka_unit_test(as_many_epochs_as_the_accuracy_allows),
      cmocka_unit_test(what_cannot_be_bought_is_refused),
      cmocka_unit_test(rules_of_ledgers),
      cmocka_unit_test(the_sensitivity_is_attacked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
