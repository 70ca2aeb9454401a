/* test_account_range.c - the accountant over its whole range: order, monotony, curves, extremes,
 * threads, and what it refuses. */
/* suite: release */
#include "loss_checks.h"

#include <pthread.h>

/* What is promised of epsilon on ordinary mixtures. */
#define PROMISED 1e-6

/* Random mixtures of everything: more is never less, and order and splitting do not matter. */
static size_t random_losses(sfm_privacy_loss *losses, sfmi_prng *prng) {
  const size_t count = 1 + (size_t)(4 * sfmi_prng_uniform(prng));
  for (size_t i = 0; i < count; i++) {
    const sfm_privacy_loss_kind kind = (sfm_privacy_loss_kind)(6 * sfmi_prng_uniform(prng));
    const bool normal =
        kind == SFM_PRIVACY_LOSS_GAUSSIAN || kind == SFM_PRIVACY_LOSS_DISCRETE_GAUSSIAN;
    losses[i] =
        (sfm_privacy_loss){kind, exp((normal ? 5 : 6) * sfmi_prng_uniform(prng) - (normal ? 1 : 5)),
                           1 + (uint64_t)exp(8 * sfmi_prng_uniform(prng)),
                           kind == SFM_PRIVACY_LOSS_RANDOMISED_RESPONSE ? 7 : 0};
  }
  return count;
}

static void more_is_never_less(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 5);
  const int rounds = test_long() ? 1000 : 60;
  for (int i = 0; i < rounds; i++) {
    sfm_privacy_loss losses[5], more[5];
    const size_t count = random_losses(losses, &prng);
    const double delta = exp(-2 - 28 * sfmi_prng_uniform(&prng));
    const sfm_interval base = losses_epsilon(losses, count, delta);
    const size_t at = (size_t)(sfmi_prng_uniform(&prng) * (double)count);
    const bool normal = losses[at].kind == SFM_PRIVACY_LOSS_GAUSSIAN ||
                        losses[at].kind == SFM_PRIVACY_LOSS_DISCRETE_GAUSSIAN;
    memcpy(more, losses, sizeof more);
    /* Lattice losses are not ordered by sigma pointwise; counts are. */
    if (losses[at].kind != SFM_PRIVACY_LOSS_DISCRETE_GAUSSIAN) {
      more[at].parameter *= normal ? 0.999 : 1.001;
      assert_true(losses_epsilon(more, count, delta).upper >= base.lower);
    }
    memcpy(more, losses, sizeof more);
    more[at].count++;
    assert_true(losses_epsilon(more, count, delta).upper >= base.lower);
    assert_true(losses_epsilon(losses, count, delta / 2).upper >= base.lower);
    assert_true(losses_delta(losses, count, base.upper).lower <= delta);
    assert_true(losses_delta(losses, count, base.lower).upper >= delta || base.lower == 0);
    if (base.upper > 1e-3) assert_true(losses_width(base) < PROMISED);
  }
}

static void order_and_splitting_do_not_matter(void **state) {
  (void)state;
  const sfm_interval a = losses_epsilon_of("laplace:0.2:7 pure:0.1:3 gaussian:5:2", 1e-7);
  const sfm_interval b = losses_epsilon_of(
      "pure:0.1:1 gaussian:5:1 laplace:0.2:3 discrete-laplace:0.1:1 laplace:0.2:4 "
      "randomised-response:0.1:1:2 gaussian:5:1",
      1e-7);
  assert_true(a.lower == b.lower && a.upper == b.upper);
}

/* A mechanism taken for another one of the same epsilon or sigma is noticed. */
static void mechanisms_are_told_apart(void **state) {
  (void)state;
  const sfm_interval pure = losses_epsilon_of("pure:0.2:50", 1e-6);
  const sfm_interval laplace = losses_epsilon_of("laplace:0.2:50", 1e-6);
  const sfm_interval three = losses_epsilon_of("randomised-response:0.2:50:3", 1e-6);
  assert_true(laplace.upper < pure.lower && three.upper < laplace.lower);
  const sfm_interval normal = losses_delta_of("gaussian:1.5439:1", 3);
  const sfm_interval lattice = losses_delta_of("discrete-gaussian:1.5439:1", 3);
  assert_near("38 % over at (3, 1e-6)", lattice.lower / normal.upper, 1.38, 0.005);
}

static void curves_hold_what_single_points_do(void **state) {
  (void)state;
  static const struct {
    const char *losses;
    double first, last;
    size_t points;
  } cases[] = {{"pure:0.1:250 laplace:0.1:250 gaussian:20:250", 0, 60, 301},
               {"pure:0.01:100000", 0, 40, 401},
               {"pure:0.001:1000000", 1, 9, 4001},
               {"laplace:1:3 pure:1:1", 0, 5, 101},
               {"discrete-gaussian:3:40 laplace:0.5:2", 1, 30, 60},
               {"gaussian:1:1", 0, 10, 50},
               {"laplace:0.5:1", 0.25, 0.25, 1}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    sfm_privacy_loss losses[LOSSES_MAX];
    const size_t count = losses_read(losses, cases[c].losses), points = cases[c].points;
    sfm_interval *curve = malloc(points * sizeof *curve);
    sfm_error error;
    assert_non_null(curve);
    assert_ok(
        sfm_account_curve(curve, points, losses, count, cases[c].first, cases[c].last, &error),
        &error);
    for (size_t i = 0; i < points; i++) {
      assert_true(curve[i].lower >= 0 && curve[i].lower <= curve[i].upper && curve[i].upper <= 1);
      assert_true(i == 0 || curve[i].upper <= curve[i - 1].upper);
      assert_true(i == 0 || curve[i].lower <= curve[i - 1].lower);
    }
    for (size_t i = 0; i < points; i += 1 + points / 7) {
      const double step = points > 1 ? (cases[c].last - cases[c].first) / (double)(points - 1) : 0;
      const sfm_interval one = losses_delta(losses, count, cases[c].first + (double)i * step);
      assert_true(one.lower <= curve[i].upper && curve[i].lower <= one.upper);
      if (one.upper > 1e-280) assert_true(losses_width(curve[i]) < 1e-4);
    }
    free(curve);
  }
}

/* Ends of every range at once; not everything is narrow here, but all of it is finite and agrees.
 */
static void extremes_are_answered(void **state) {
  (void)state;
  static const char *const all[] = {
      "gaussian:0.001:1000000000",
      "gaussian:1000000:1",
      "laplace:0.000001:1",
      "laplace:1000:1000000000",
      "pure:0.000001:1000000000",
      "pure:1000:1000000000",
      "discrete-gaussian:0.001:1",
      "discrete-gaussian:0.001:1000000000",
      "discrete-gaussian:1000000:1",
      "discrete-gaussian:1000000:1000000000",
      "randomised-response:0.000001:1:4294967295",
      "randomised-response:1000:1000000000:4294967295",
      "pure:1000:1 gaussian:1000000:1",
      "laplace:0.000001:1 pure:1000:1",
      "gaussian:0.001:1000000000 laplace:1000:1000000000 discrete-gaussian:0.001:1000000000",
      "discrete-gaussian:0.001:1 gaussian:1000000:1 laplace:0.000001:1", /* seconds: the last */
  };
  const size_t count = sizeof all / sizeof *all - (test_long() ? 0 : 1);
  static const double deltas[] = {1e-300, 1e-15, 1e-6, 0.3, 0.999};
  static const double epsilons[] = {0, 1e-9, 1, 999.9999, 1e6};
  const size_t stride = test_long() ? 1 : 2;
  for (size_t i = 0; i < count; i++) {
    double last = INFINITY;
    for (size_t k = 0; k < 5; k += stride) {
      const sfm_interval epsilon = losses_epsilon_of(all[i], deltas[k]);
      assert_true(epsilon.lower <= last);
      last = epsilon.upper;
      if (epsilon.upper > 0 && epsilon.upper <= 1e6)
        assert_true(losses_delta_of(all[i], epsilon.upper).lower <= deltas[k]);
    }
    last = 1;
    for (size_t k = 0; k < 5; k += stride) {
      const sfm_interval delta = losses_delta_of(all[i], epsilons[k]);
      assert_true(delta.lower <= last);
      last = delta.upper;
    }
  }
}

static void ordinary_mixtures_are_narrow(void **state) {
  (void)state;
  static const char *const all[] = {
      "gaussian:20:250 laplace:0.1:250 discrete-laplace:0.05:250 randomised-response:0.1:250:2",
      "laplace:0.01:100000",
      "pure:0.01:100000",
      "gaussian:300:50000 laplace:0.01:20000 pure:0.02:30000",
      "laplace:1:1",
      "laplace:1:2 pure:0.5:1",
      "pure:1:1 pure:0.3:1",
      "discrete-gaussian:10:100 gaussian:10:100",
      "randomised-response:2:30:10 laplace:0.5:10",
  };
  static const double deltas[] = {1e-15, 1e-12, 1e-6, 0.01};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    for (size_t k = 0; k < 4; k++) {
      const sfm_interval epsilon = losses_epsilon_of(all[i], deltas[k]);
      if (losses_width(epsilon) > PROMISED)
        fail_msg("%s at %g: [%.17g, %.17g]", all[i], deltas[k], epsilon.lower, epsilon.upper);
    }
}

/* Where epsilon reaches 0. */
static void delta_at_zero_gives_zero(void **state) {
  (void)state;
  static const char *const all[] = {"laplace:0.5:1", "laplace:0.5:2 pure:0.1:3", "pure:0.3:7",
                                    "laplace:0.1:30 gaussian:3:4", "discrete-gaussian:2:5"};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    const sfm_interval zero = losses_delta_of(all[i], 0);
    assert_true(losses_epsilon_of(all[i], zero.upper * (1 + 1e-9)).upper == 0);
    for (double less = 1e-3; less > 1e-12; less /= 30) {
      const sfm_interval epsilon = losses_epsilon_of(all[i], zero.lower * (1 - less));
      assert_true(epsilon.upper > 0 && epsilon.upper < 10 * less + 1e-6);
      assert_true(losses_delta_of(all[i], epsilon.upper).lower <= zero.lower * (1 - less));
    }
  }
}

static void *ask(void *context) {
  sfm_interval *out = context;
  for (int i = 0; i < 20; i++) {
    const sfm_privacy_loss losses[] = {{SFM_PRIVACY_LOSS_LAPLACE, 0.1, 50, 0},
                                       {SFM_PRIVACY_LOSS_GAUSSIAN, 3, 2, 0}};
    if (sfm_account_epsilon(out, losses, 2, 1e-6, NULL)) out->upper = -1;
  }
  return NULL;
}

static void threads_agree(void **state) {
  (void)state;
  enum { THREADS = 4 };
  pthread_t threads[THREADS];
  sfm_interval out[THREADS] = {{0, 0}};
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, ask, &out[i]), 0);
  for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
  for (int i = 0; i < THREADS; i++) {
    assert_true(out[i].upper > 0);
    assert_true(out[i].lower == out[0].lower && out[i].upper == out[0].upper);
  }
}

static void refused(const sfm_privacy_loss *losses, size_t count, double delta, double epsilon,
                    const char *word) {
  sfm_error error = {0};
  sfm_interval out = {-7, -7};
  if (!isnan(delta) || isnan(epsilon)) {
    assert_int_equal(sfm_account_epsilon(&out, losses, count, delta, &error), SFM_INVALID);
    if (!strstr(error.message, word)) fail_msg("no '%s' in: %s", word, error.message);
  }
  if (!isnan(epsilon) || isnan(delta)) {
    assert_int_equal(sfm_account_delta(&out, losses, count, epsilon, &error), SFM_INVALID);
    if (!strstr(error.message, word)) fail_msg("no '%s' in: %s", word, error.message);
  }
  assert_true(out.lower == -7 && out.upper == -7);
}

static void bad_input_is_refused(void **state) {
  (void)state;
  const sfm_privacy_loss good = {SFM_PRIVACY_LOSS_PURE, 1, 1, 0};
  const double bad[] = {0, -0.0, -1, NAN, INFINITY, -INFINITY, 9e-7, 1001};
  const double bad_ratio[] = {0, -0.0, -1, NAN, INFINITY, -INFINITY, 9e-4, 1.1e6};
  for (size_t i = 0; i < 8; i++) {
    sfm_privacy_loss losses[] = {good, {SFM_PRIVACY_LOSS_LAPLACE, bad[i], 1, 0}};
    refused(losses, 2, 1e-6, 1, "loss 2: epsilon is");
    losses[1] = (sfm_privacy_loss){SFM_PRIVACY_LOSS_GAUSSIAN, bad_ratio[i], 1, 0};
    refused(losses, 2, 1e-6, 1, "loss 2: sigma/Delta is");
    losses[1] = (sfm_privacy_loss){SFM_PRIVACY_LOSS_DISCRETE_GAUSSIAN, bad_ratio[i], 1, 0};
    refused(losses, 2, 1e-6, 1, "loss 2: sigma is");
  }
  const sfm_privacy_loss none = {SFM_PRIVACY_LOSS_PURE, 1, 0, 0},
                         huge = {SFM_PRIVACY_LOSS_PURE, 1, 1000000001, 0};
  const sfm_privacy_loss strange = {(sfm_privacy_loss_kind)9, 1, 1, 0};
  const sfm_privacy_loss one = {SFM_PRIVACY_LOSS_RANDOMISED_RESPONSE, 1, 1, 1};
  refused(&none, 1, 1e-6, 1, "count is 0");
  refused(&huge, 1, 1e-6, 1, "count is 1000000001");
  refused(&strange, 1, 1e-6, 1, "no known kind");
  refused(&one, 1, 1e-6, 1, "2 or more");
  refused(&good, 0, 1e-6, 1, "at least one");
  refused(NULL, 0, 1e-6, 1, "at least one");
  for (size_t i = 0; i < 5; i++) {
    const double deltas[] = {0, 1, -1e-6, 1e-301, INFINITY};
    const double epsilons[] = {-1, 1.1e6, INFINITY, -INFINITY, -1e-9};
    refused(&good, 1, deltas[i], NAN, i < 5 ? "is" : "");
    refused(&good, 1, NAN, epsilons[i], "is");
  }
  sfm_interval out[2] = {{-7, -7}, {-7, -7}};
  sfm_error error;
  assert_int_equal(sfm_account_curve(out, 0, &good, 1, 0, 1, &error), SFM_INVALID);
  assert_int_equal(sfm_account_curve(out, 1, &good, 1, 0, 1, &error), SFM_INVALID);
  assert_int_equal(sfm_account_curve(out, 2, &good, 1, 1, 0, &error), SFM_INVALID);
  assert_int_equal(sfm_account_curve(out, 2, &good, 1, NAN, 1, &error), SFM_INVALID);
  assert_int_equal(sfm_account_curve(out, 2, &good, 1, 0, NAN, &error), SFM_INVALID);
  assert_true(out[0].lower == -7 && out[1].upper == -7);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(more_is_never_less),
      cmocka_unit_test(order_and_splitting_do_not_matter),
      cmocka_unit_test(mechanisms_are_told_apart),
      cmocka_unit_test(curves_hold_what_single_points_do),
      cmocka_unit_test(extremes_are_answered),
      cmocka_unit_test(ordinary_mixtures_are_narrow),
      cmocka_unit_test(delta_at_zero_gives_zero),
      cmocka_unit_test(threads_agree),
      cmocka_unit_test(bad_input_is_refused),
  };
  return cmocka_run_group_tests_name("mixtures", tests, NULL, NULL);
}
