/* test_account.c - the accountant's intervals where the truth is known: it lies in them, they are
 * narrow, and nothing else lies in them. */
#include "loss_checks.h"

/* What is promised of epsilon on ordinary mixtures. */
#define PROMISED 1e-6
/* By how much a wrong answer is off that must not pass. */
#define WRONG 1e-5

typedef struct row {
  char losses[2048];
  double epsilon, delta;
} row;

static size_t read_rows(row *rows, size_t most) {
  FILE *file = fopen(SFM_SOURCE_DIR "/tests/vectors/accounting.csv", "r");
  assert_non_null(file);
  size_t count = 0;
  char line[4096];
  assert_non_null(fgets(line, sizeof line, file));
  while (fgets(line, sizeof line, file)) {
    assert_true(count < most);
    row *r = &rows[count++];
    assert_int_equal(sscanf(line, "%2047[^,],%lf,%lf", r->losses, &r->epsilon, &r->delta), 3);
  }
  fclose(file);
  return count;
}

/* tests/vectors/accounting.csv comes from accounting.py, which sums and integrates the definition.
 * Its delta is read as the nearest double. */
static void intervals_hold_the_independent_vectors(void **state) {
  (void)state;
  static row rows[512];
  const size_t count = read_rows(rows, 512);
  double widest = 0;
  assert_true(count > 250);
  for (size_t i = 0; i < count; i++) {
    const row *r = &rows[i];
    const sfm_interval delta = losses_delta_of(r->losses, r->epsilon);
    losses_hold(r->losses, delta, r->delta, 2e-16 * r->delta);
    assert_false(losses_contains(delta, r->delta * (1 + WRONG), 0));
    assert_false(losses_contains(delta, r->delta * (1 - WRONG), 0));
    const sfm_interval epsilon = losses_epsilon_of(r->losses, r->delta);
    /* One unit of delta moves epsilon by less than this. */
    losses_hold(r->losses, epsilon, r->epsilon, 4e-15 * (1 + r->epsilon));
    if (r->epsilon == 0) continue;
    assert_false(losses_contains(epsilon, r->epsilon * (1 + WRONG), 0));
    assert_false(losses_contains(epsilon, r->epsilon * (1 - WRONG), 0));
    if (r->epsilon > 1e-3) widest = fmax(widest, losses_width(epsilon));
  }
  if (widest > PROMISED) fail_msg("an interval is %g wide", widest);
}

static void a_single_laplace_is_its_closed_form(void **state) {
  (void)state;
  for (double epsilon0 = 1e-6; epsilon0 <= 1e3; epsilon0 *= 31.7) {
    const sfm_privacy_loss loss = {SFM_PRIVACY_LOSS_LAPLACE, epsilon0, 1, 0};
    for (double part = 0; part < 1; part += 0.21) {
      const double epsilon = epsilon0 * part, delta = -expm1((epsilon - epsilon0) / 2);
      const sfm_interval got = losses_delta(&loss, 1, epsilon);
      losses_hold("delta", got, delta, 1e-15 * delta);
      assert_true(losses_width(got) < PROMISED);
      if (delta < 1 && part > 0)
        losses_hold("epsilon", losses_epsilon(&loss, 1, delta), epsilon,
                    1e-15 * (epsilon0 + epsilon / delta));
    }
    losses_hold("top", losses_delta(&loss, 1, epsilon0), 0, 0);
    assert_true(losses_delta(&loss, 1, epsilon0).upper == 0);
  }
}

static void a_single_pure_epsilon_is_its_closed_form(void **state) {
  (void)state;
  static const sfm_privacy_loss_kind kinds[] = {SFM_PRIVACY_LOSS_PURE,
                                                SFM_PRIVACY_LOSS_DISCRETE_LAPLACE,
                                                SFM_PRIVACY_LOSS_RANDOMISED_RESPONSE};
  for (size_t k = 0; k < 3; k++) {
    const sfm_privacy_loss loss = {kinds[k], 1, 1, 0};
    for (double delta = 1e-300; delta < 0.4; delta *= 1e17) {
      const sfm_interval got = losses_epsilon(&loss, 1, delta);
      losses_hold("epsilon", got, log(exp(1) - delta * (1 + exp(1))), 4e-16);
      assert_true(got.upper <= 1);
      assert_true(got.upper - got.lower < 1e-9);
    }
    losses_hold("delta", losses_delta(&loss, 1, 0.5), (exp(1) - exp(0.5)) / (1 + exp(1)), 1e-16);
    assert_true(losses_delta(&loss, 1, 1).upper == 0);
    assert_true(losses_epsilon(&loss, 1, 0.5).upper == 0);
  }
}

/* Two points at +-1 +-0.3: the four outcomes by hand. */
static void two_pure_epsilons_are_the_four_outcomes(void **state) {
  (void)state;
  const sfm_privacy_loss losses[] = {{SFM_PRIVACY_LOSS_PURE, 1, 1, 0},
                                     {SFM_PRIVACY_LOSS_PURE, 0.3, 1, 0}};
  const double all = (1 + exp(-1)) * (1 + exp(-0.3));
  for (double epsilon = 0; epsilon < 1.3; epsilon += 0.05) {
    double delta = -expm1(epsilon - 1.3) / all;
    if (epsilon < 0.7) delta -= exp(-0.3) * expm1(epsilon - 0.7) / all;
    losses_hold("delta", losses_delta(losses, 2, epsilon), delta, 4e-16);
  }
  const sfm_interval tiny = losses_epsilon(losses, 2, 1e-12);
  assert_true(tiny.upper <= nextafter(1.3, 2) && tiny.lower > 1.3 - 1e-11);
}

/* A known number; the closed curve otherwise. */
static void gaussians_are_one_gaussian(void **state) {
  (void)state;
  const sfm_interval sixteen = losses_epsilon_of("gaussian:2:16", 1e-6);
  assert_near("16 at mu = 0.5", sixteen.upper, 10.99715, 5e-6);
  assert_true(losses_width(sixteen) < 1e-15);
  for (double ratio = 1e-3; ratio <= 1e6; ratio *= 9.9) {
    const sfm_privacy_loss loss = {SFM_PRIVACY_LOSS_GAUSSIAN, ratio, 1, 0};
    double upper = -1;
    sfm_error error;
    assert_ok(sfm_gdp_delta(&upper, 1 / ratio, 0.5 / ratio, &error), &error);
    const sfm_interval got = losses_delta(&loss, 1, 0.5 / ratio);
    losses_hold("delta", got, upper, 1e-14 * upper);
    assert_true(losses_width(got) < 1e-13);
    const sfm_interval epsilon = losses_epsilon(&loss, 1, 1e-9);
    const sfm_guarantee gdp = {.kind = SFM_GUARANTEE_GDP, .mu = 1 / ratio};
    double alone = -1;
    assert_ok(sfm_guarantee_epsilon(&alone, &gdp, 1e-9, &error), &error);
    losses_hold("epsilon", epsilon, alone, 1e-13 * alone);
    assert_true(losses_width(epsilon) < 1e-13);
  }
}

/* The inversion against the closed curve: so little randomised response beside the Gaussian that
 * epsilon moves by less than its sum. */
static void inversion_meets_the_gaussian_curve(void **state) {
  (void)state;
  for (double ratio = 0.05; ratio < 1e3; ratio *= 3.1) {
    const sfm_privacy_loss losses[] = {{SFM_PRIVACY_LOSS_GAUSSIAN, ratio, 1, 0},
                                       {SFM_PRIVACY_LOSS_PURE, 1e-6, 1, 0}};
    const sfm_interval alone = losses_epsilon(losses, 1, 1e-12);
    const sfm_interval both = losses_epsilon(losses, 2, 1e-12);
    assert_true(both.upper >= alone.lower && both.lower <= alone.upper + 1e-6);
    assert_true(losses_width(both) < 1e-9);
  }
}

/* Exact outcomes of a few atomic laws, one by one. */
typedef struct point {
  long double loss, mass;
} point;

static size_t points_of(point out[3], const sfm_privacy_loss *loss) {
  const long double epsilon = loss->parameter;
  const long double k = loss->kind == SFM_PRIVACY_LOSS_RANDOMISED_RESPONSE ? loss->categories : 2;
  const long double all = expl(epsilon) + k - 1;
  out[0] = (point){epsilon, expl(epsilon) / all};
  out[1] = (point){-epsilon, 1 / all};
  out[2] = (point){0, (k - 2) / all};
  return k > 2 ? 3 : 2;
}

static long double outcomes(const sfm_privacy_loss *losses, size_t count, uint64_t used,
                            long double sum, long double mass, long double epsilon) {
  if (count == 0) return sum > epsilon ? -mass * expm1l(epsilon - sum) : 0;
  if (used == losses->count) return outcomes(losses + 1, count - 1, 0, sum, mass, epsilon);
  point p[3];
  long double total = 0;
  for (size_t i = 0, n = points_of(p, losses); i < n; i++)
    total += outcomes(losses, count, used + 1, sum + p[i].loss, mass * p[i].mass, epsilon);
  return total;
}

static size_t random_atoms(sfm_privacy_loss *losses, sfmi_prng *prng, uint64_t most) {
  size_t count = 0;
  for (uint64_t left = most; left > 0 && count < 4;) {
    sfm_privacy_loss *loss = &losses[count++];
    *loss = (sfm_privacy_loss){sfmi_prng_uniform(prng) < 0.5 ? SFM_PRIVACY_LOSS_PURE
                                                             : SFM_PRIVACY_LOSS_RANDOMISED_RESPONSE,
                               exp(5 * sfmi_prng_uniform(prng) - 4), 1, 2};
    loss->count = 1 + (uint64_t)(sfmi_prng_uniform(prng) * (double)left) % left;
    left -= loss->count;
    if (loss->kind == SFM_PRIVACY_LOSS_RANDOMISED_RESPONSE)
      loss->categories = 2 + (uint32_t)(5 * sfmi_prng_uniform(prng));
    if (sfmi_prng_uniform(prng) < 0.3) break;
  }
  return count;
}

static void atomic_laws_are_their_outcomes(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 11);
  const int rounds = test_long() ? 5000 : 300;
  for (int i = 0; i < rounds; i++) {
    sfm_privacy_loss losses[4];
    const size_t count = random_atoms(losses, &prng, 8);
    double top = 0;
    for (size_t k = 0; k < count; k++) top += losses[k].parameter * (double)losses[k].count;
    const double epsilon = top * sfmi_prng_uniform(&prng);
    const double truth = (double)outcomes(losses, count, 0, 0, 1, epsilon);
    const sfm_interval delta = losses_delta(losses, count, epsilon);
    /* The sums of losses above are right to a few units of top. */
    losses_hold("delta", delta, truth, 1e-17 * top + 1e-16 * truth);
    if (truth > 1e-12) assert_true(losses_width(delta) < PROMISED);
    if (truth < 1e-12 || truth > 0.99) continue;
    losses_hold("epsilon", losses_epsilon(losses, count, truth), epsilon, 1e-14 * top);
    assert_false(losses_contains(losses_delta(losses, count, epsilon), truth * (1 + WRONG), 0));
  }
}

/* 2^18 different atoms: too many to be listed, so these go through the inversion. */
static void many_different_atoms_are_inverted(void **state) {
  (void)state;
  sfm_privacy_loss losses[18];
  double top = 0;
  for (size_t i = 0; i < 18; i++) {
    losses[i] =
        (sfm_privacy_loss){SFM_PRIVACY_LOSS_PURE, 0.3 + 0.0171 * (double)(i * i % 19), 1, 0};
    top += losses[i].parameter;
  }
  for (double part = 0; part < 1; part += 0.19) {
    const double epsilon = part * top;
    const double truth = (double)outcomes(losses, 18, 0, 0, 1, epsilon);
    const sfm_interval delta = losses_delta(losses, 18, epsilon);
    losses_hold("delta", delta, truth, 1e-14 * truth);
    assert_true(losses_width(delta) < 1e-5);
    const sfm_interval back = losses_epsilon(losses, 18, truth);
    losses_hold("epsilon", back, epsilon, 1e-13 * top);
    assert_true(epsilon == 0 || losses_width(back) < PROMISED);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(intervals_hold_the_independent_vectors),
      cmocka_unit_test(a_single_laplace_is_its_closed_form),
      cmocka_unit_test(a_single_pure_epsilon_is_its_closed_form),
      cmocka_unit_test(two_pure_epsilons_are_the_four_outcomes),
      cmocka_unit_test(gaussians_are_one_gaussian),
      cmocka_unit_test(inversion_meets_the_gaussian_curve),
      cmocka_unit_test(atomic_laws_are_their_outcomes),
      cmocka_unit_test(many_different_atoms_are_inverted),
  };
  return cmocka_run_group_tests_name("account", tests, NULL, NULL);
}
