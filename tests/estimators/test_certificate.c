/* test_certificate.c - the certified distance against an independent solve in long double: never
 * less than the true one; gaps are never negative. */
/* suite: both */
#include "machine_reference.h"

#include "estimators/machine/certificate.h"

/* What rows look like. */
typedef enum look {
  PLAIN,
  EQUAL,    /* all the same */
  OPPOSITE, /* duplicates with other labels */
  MIXED,    /* norms over decades, some zero */
  LOOK_COUNT,
} look;

static void make_rows(double *phi, double *labels, size_t n, size_t features, look kind,
                      bool regression, double kappa, sfmi_prng *prng) {
  for (size_t i = 0; i < n; i++) {
    double *row = phi + i * features, square = 0;
    for (size_t j = 0; j < features; j++) {
      row[j] = sfmi_prng_uniform(prng) < 0.3 ? 0 : sfmi_prng_normal(prng);
      if (kind == EQUAL && i > 0) row[j] = phi[j];
      if (kind == OPPOSITE && i % 2) row[j] = row[j - features];
      square += row[j] * row[j];
    }
    double scale = square > 0 ? kappa / sqrt(square) : 0;
    if (kind == MIXED) scale *= i % 5 ? exp(-8 * sfmi_prng_uniform(prng)) : 0;
    if (kind == PLAIN || kind == MIXED || i == 0 || (kind == OPPOSITE && i % 2 == 0))
      for (size_t j = 0; j < features; j++) row[j] *= scale;
    labels[i] = regression                      ? 2 * sfmi_prng_uniform(prng) - 1
                : sfmi_prng_uniform(prng) < 0.5 ? -1
                                                : 1;
    if (kind == OPPOSITE && i % 2) labels[i] = -labels[i - 1];
  }
}

typedef struct outcome {
  int solved, compared;
  double tightest; /* largest true distance as a part of the certified one */
} outcome;

static void solve_and_compare(outcome *o, const sfmi_loss *loss, look kind, size_t n,
                              size_t features, double lambda, double kappa, double tolerance,
                              bool shifted, sfmi_prng *prng) {
  double *phi = calloc(n * features, sizeof *phi), *labels = calloc(n, sizeof *labels);
  double *offsets = calloc(n, sizeof *offsets);
  make_rows(phi, labels, n, features, kind, machine_regression(loss), kappa, prng);
  for (size_t i = 0; i < n; i++) offsets[i] = sfmi_prng_normal(prng);
  sfmi_examples *x = machine_sparse(phi, labels, n, features);
  const double bound = 2 * sfmi_loss_lipschitz(loss, lambda, kappa) * kappa / (lambda * (double)n);
  const double floor = sfmi_solver_floor(loss, lambda, kappa, n, features);
  const double r = tolerance * bound, target = fmax(lambda * r * r / 2, floor);
  const sfmi_problem problem = {.examples = x,
                                .offsets = shifted ? offsets : NULL,
                                .loss = *loss,
                                .lambda = lambda,
                                .target = target,
                                .threads = 1};
  sfmi_solution solution;
  sfm_error error;
  assert_ok(sfmi_solve(&solution, &problem, &error), &error);
  assert_true(solution.gap >= 0 && solution.gap <= target);
  assert_true(solution.rounding >= 0 && solution.rounding <= solution.gap);
  assert_true(solution.distance >= sqrt(2 * solution.gap / lambda));
  reference ref = {.n = n,
                   .features = features,
                   .phi = phi,
                   .labels = labels,
                   .offsets = shifted ? offsets : NULL,
                   .loss = *loss,
                   .lambda = lambda};
  reference_solve(&ref, 0.02 * solution.distance, n > 60 ? 4000 : 20000);
  const double apart = reference_apart(&ref, solution.weights);
  if (!(apart <= solution.distance + (double)ref.distance))
    fail_msg(
        "loss %d, rows %zu of look %d, lambda %g: %g from the exact weights (%Lg), certified %g",
        (int)loss->kind, n, (int)kind, lambda, apart, ref.distance, solution.distance);
  o->solved++;
  if (ref.distance <= 0.05L * solution.distance) {
    o->compared++;
    o->tightest = fmax(o->tightest, (apart - (double)ref.distance) / solution.distance);
  }
  reference_clear(&ref);
  sfmi_solution_clear(&solution);
  machine_free(x);
  free(phi);
  free(labels);
  free(offsets);
}

static void true_distances_are_within_the_certified(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 7);
  const size_t sizes[] = {1, 2, 3, 7, 20, 60, 200};
  const double tolerances[] = {1, 0.1, 1e-3, 0};
  for (int l = 0; l < MACHINE_LOSS_COUNT; l++) {
    outcome o = {0};
    for (int i = 0; i < (test_long() ? 2000 : 90); i++) {
      const size_t n = sizes[(size_t)i % 7], features = 1 + (size_t)(8 * sfmi_prng_uniform(&prng));
      const double lambda = exp(log(1e-5) + log(1e8) * sfmi_prng_uniform(&prng));
      const double kappa = i % 3 ? 1 : exp(8 * sfmi_prng_uniform(&prng) - 4);
      solve_and_compare(&o, &MACHINE_LOSSES[l], (look)((i / 7) % LOOK_COUNT), n, features, lambda,
                        kappa, tolerances[i % 4], i % 5 == 0, &prng);
    }
    print_message("loss %d: %d of %d compared; at most %.3f of the certified distance\n", l,
                  o.compared, o.solved, o.tightest);
    assert_true(o.compared >= 0.8 * o.solved);
    assert_true(o.tightest > 0.01);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(true_distances_are_within_the_certified),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
