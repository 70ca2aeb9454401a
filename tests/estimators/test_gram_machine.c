/* test_gram_machine.c - machines from Gram matrices: the minimiser that coordinates would give,
 * what does not count, and an end for every matrix. */
#include "test_support.h"

#include "estimators/machine/gram_machine.h"

enum { ROWS = 40, FEATURES = 3 };

typedef struct cloud {
  double phi[ROWS][FEATURES], matrix[ROWS * ROWS], labels[ROWS];
  uint8_t keep[ROWS];
} cloud;

static void make_cloud(cloud *c, uint64_t seed) {
  sfmi_prng prng;
  sfmi_prng_init(&prng, seed);
  for (size_t i = 0; i < ROWS; i++) {
    double square = 0;
    for (size_t k = 0; k < FEATURES; k++) {
      c->phi[i][k] = sfmi_prng_normal(&prng);
      square += c->phi[i][k] * c->phi[i][k];
    }
    for (size_t k = 0; k < FEATURES; k++) c->phi[i][k] /= sqrt(square) * (1 + 1e-12);
    c->labels[i] = c->phi[i][0] + 0.3 * sfmi_prng_normal(&prng) > 0 ? 1 : -1;
    c->keep[i] = 1;
  }
  for (size_t i = 0; i < ROWS; i++)
    for (size_t j = 0; j < ROWS; j++) {
      c->matrix[i * ROWS + j] = 0;
      for (size_t k = 0; k < FEATURES; k++) c->matrix[i * ROWS + j] += c->phi[i][k] * c->phi[j][k];
    }
}

/* The machine's coefficients, to a gap of `target`. */
static void solve(double *coefficients, cloud *c, sfm_machine_loss loss, double lambda,
                  double target) {
  sfmi_gram_machine *g;
  sfm_error error;
  assert_ok(sfmi_gram_machine_create(&g, c->keep, c->matrix, ROWS, 1, &error), &error);
  sfmi_examples examples = {.rows = ROWS, .keep = c->keep, .labels = c->labels};
  const sfmi_problem problem = {.examples = &examples,
                                .loss = {.kind = loss, .parameter = 0.2},
                                .lambda = lambda,
                                .target = target};
  assert_ok(sfmi_gram_machine_solve(coefficients, g, &problem, sqrt(1 + SFMI_GRAM_MACHINE_JITTER),
                                    &error),
            &error);
  sfmi_gram_machine_destroy(g);
}

/* P of the function with these coefficients, by the features, the jitter's own among them. */
static double primal(const cloud *c, const double *a, sfm_machine_loss kind, double lambda) {
  const sfmi_loss loss = {.kind = kind, .parameter = 0.2};
  double w[FEATURES] = {0}, sum = 0, square = 0;
  for (size_t i = 0; i < ROWS; i++)
    for (size_t k = 0; k < FEATURES; k++) w[k] += a[i] * c->phi[i][k];
  for (size_t k = 0; k < FEATURES; k++) square += w[k] * w[k];
  for (size_t i = 0; i < ROWS; i++) {
    double t = SFMI_GRAM_MACHINE_JITTER * a[i];
    for (size_t k = 0; k < FEATURES; k++) t += w[k] * c->phi[i][k];
    square += SFMI_GRAM_MACHINE_JITTER * a[i] * a[i];
    sum += sfmi_loss_at(&loss, t, c->labels[i]);
  }
  return sum / ROWS + lambda / 2 * square;
}

/* No small change of any coefficient makes it better by more than the gap. */
static void no_neighbour_is_better(void **state) {
  (void)state;
  const double target = 1e-9, lambda = 0.05;
  for (int loss = SFM_MACHINE_LOSS_HINGE; loss <= SFM_MACHINE_LOSS_SQUARED; loss++) {
    cloud c;
    double a[ROWS];
    make_cloud(&c, 3);
    solve(a, &c, (sfm_machine_loss)loss, lambda, target);
    const double best = primal(&c, a, (sfm_machine_loss)loss, lambda);
    for (size_t i = 0; i < ROWS; i++)
      for (int k = 0; k < 6; k++) {
        const double held = a[i];
        a[i] += (k % 2 ? 1 : -1) * pow(10, -1 - k);
        assert_true(primal(&c, a, (sfm_machine_loss)loss, lambda) >= best - target);
        a[i] = held;
      }
  }
}

/* One row is not a number on its diagonal, one is above kappa^2: neither moves anything. */
static void rows_that_do_not_fit_count_for_nothing(void **state) {
  (void)state;
  cloud c, other;
  double a[ROWS], b[ROWS];
  make_cloud(&c, 4);
  c.matrix[5 * ROWS + 5] = NAN;
  c.matrix[9 * ROWS + 9] = 1.5;
  c.matrix[3 * ROWS + 7] = INFINITY; /* of a pair: no more than a zero */
  other = c;
  for (size_t k = 0; k < ROWS; k++) {
    if (k != 5) other.matrix[5 * ROWS + k] = other.matrix[k * ROWS + 5] = 1e300;
    if (k != 9) other.matrix[9 * ROWS + k] = other.matrix[k * ROWS + 9] = -7;
  }
  other.matrix[3 * ROWS + 7] = NAN;
  solve(a, &c, SFM_MACHINE_LOSS_HINGE, 0.1, 1e-6);
  solve(b, &other, SFM_MACHINE_LOSS_HINGE, 0.1, 1e-6);
  assert_true(a[5] == 0 && a[9] == 0 && !c.keep[5] && !c.keep[9]);
  assert_memory_equal(a, b, sizeof a);
}

/* K(x, x) = kappa^2 that was rounded up is a record all the same, and what is beyond the slack is
 * none. */
static void a_rounding_above_counts(void **state) {
  (void)state;
  cloud c;
  double a[ROWS];
  make_cloud(&c, 4);
  c.matrix[2 * ROWS + 2] = 1 + 0x1p-52;
  c.matrix[3 * ROWS + 3] = 1 + SFMI_GRAM_MACHINE_SLACK;
  c.matrix[4 * ROWS + 4] = 1 + SFMI_GRAM_MACHINE_SLACK + 0x1p-52;
  solve(a, &c, SFM_MACHINE_LOSS_SQUARED, 0.1, 1e-6);
  assert_true(c.keep[2] && c.keep[3] && !c.keep[4]);
  assert_true(a[2] != 0 && a[3] != 0 && a[4] == 0);
}

static void every_matrix_comes_to_an_end(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 5);
  for (int kind = 0; kind < 6; kind++)
    for (int loss = SFM_MACHINE_LOSS_HINGE; loss <= SFM_MACHINE_LOSS_SQUARED; loss++) {
      cloud c;
      double a[ROWS];
      make_cloud(&c, 6);
      for (size_t i = 0; i < ROWS * ROWS; i++) {
        if (kind == 0) c.matrix[i] = -1;
        if (kind == 1) c.matrix[i] = 2 * sfmi_prng_uniform(&prng) - 1;
        if (kind == 2) c.matrix[i] = i % (ROWS + 1) ? 1e308 : 1;
        if (kind == 3) c.matrix[i] = NAN;
        if (kind == 4) c.matrix[i] = i % (ROWS + 1) ? sfmi_prng_uniform(&prng) : 0;
        if (kind == 5) c.matrix[i] = 0;
      }
      solve(a, &c, (sfm_machine_loss)loss, 0.05, 1e-6);
      for (size_t i = 0; i < ROWS; i++) assert_true(isfinite(a[i]));
    }
}

/* A Gram matrix, also a singular one, is taken as it is. */
static void a_gram_matrix_is_not_touched(void **state) {
  (void)state;
  cloud c;
  sfmi_gram_machine *g;
  sfm_error error;
  make_cloud(&c, 7);
  assert_ok(sfmi_gram_machine_create(&g, c.keep, c.matrix, ROWS, 1, &error), &error);
  assert_false(sfmi_gram_machine_raised(g));
  assert_near("least eigenvalue", sfmi_gram_machine_least(g), 0, 1e-12);
  sfmi_gram_machine_destroy(g);
  c.matrix[1] = c.matrix[ROWS] = -1;
  c.matrix[2] = c.matrix[2 * ROWS] = 1;
  assert_ok(sfmi_gram_machine_create(&g, c.keep, c.matrix, ROWS, 1, &error), &error);
  assert_true(sfmi_gram_machine_raised(g) && sfmi_gram_machine_least(g) < -0.1);
  sfmi_gram_machine_destroy(g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_neighbour_is_better),
      cmocka_unit_test(rows_that_do_not_fit_count_for_nothing),
      cmocka_unit_test(a_rounding_above_counts),
      cmocka_unit_test(every_matrix_comes_to_an_end),
      cmocka_unit_test(a_gram_matrix_is_not_touched),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
