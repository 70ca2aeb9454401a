/* test_dense_ascent.c - machines of rows in full (form dense) and of kernels (form kernel): the
 * certified distance against an independent solve in long double, against each other and against
 * sparse rows; the same bits for the same threads. */
#include "examples_fixtures.h"

#include "estimators/ascent/dense_ascent.h"
#include "estimators/machine/certificate.h"
#include "estimators/ascent/kernel_ascent.h"

typedef struct outcome {
  int solved, compared;
  double tightest; /* largest true distance as a part of the certified one */
} outcome;

typedef struct setting {
  sfmi_loss loss;
  look kind;
  size_t n, features;
  double lambda, kappa, tolerance;
  bool shifted;
} setting;

typedef struct bench {
  double *phi, *labels, *offsets;
  sfmi_examples *sparse, *dense, kernel;
  sfmi_feature_map map; /* linear */
} bench;

static void bench_init(bench *b, const setting *s, sfmi_prng *prng) {
  b->phi = calloc(s->n * s->features, sizeof *b->phi);
  b->labels = calloc(s->n, sizeof *b->labels);
  b->offsets = calloc(s->n, sizeof *b->offsets);
  forms_rows(b->phi, b->labels, s->n, s->features, s->kind, machine_regression(&s->loss), s->kappa,
             prng);
  for (size_t i = 0; i < s->n; i++) b->offsets[i] = sfmi_prng_normal(prng);
  b->sparse = machine_sparse(b->phi, b->labels, s->n, s->features);
  b->dense = forms_dense(b->sparse);
  b->map = (sfmi_feature_map){.form = SFMI_FEATURE_MAP_LINEAR,
                              .dimension = s->features,
                              .radius = s->kappa,
                              .kernel = SFM_KERNEL_LINEAR,
                              .count = s->features,
                              .kappa = s->kappa};
  b->kernel = forms_kernel(b->sparse, &b->map);
}

static void bench_clear(bench *b) {
  machine_free(b->sparse);
  forms_free_dense(b->dense);
  free(b->phi);
  free(b->labels);
  free(b->offsets);
}

/* Solved, and what must hold of every solution checked. */
static sfmi_solution solved(const bench *b, const setting *s, const sfmi_examples *x, double target,
                            size_t threads) {
  const sfmi_problem problem = {.examples = x,
                                .offsets = s->shifted ? b->offsets : NULL,
                                .loss = s->loss,
                                .lambda = s->lambda,
                                .target = target,
                                .threads = threads};
  sfmi_solution solution;
  sfm_error error;
  assert_ok(sfmi_solve(&solution, &problem, &error), &error);
  assert_int_equal(solution.length, x->features);
  assert_true(solution.gap >= 0 && solution.gap <= target);
  assert_true(solution.rounding >= 0 && solution.rounding <= solution.gap);
  assert_true(solution.distance >= sqrt(2 * solution.gap / s->lambda));
  return solution;
}

/* What a tolerance asks for, as far as a form can give it. */
static double target_of(const bench *b, const setting *s, sfmi_examples_form form) {
  const double bound = 2 * sfmi_loss_lipschitz(&s->loss, s->lambda, s->kappa) * s->kappa /
                       (s->lambda * (double)s->n);
  const double r = s->tolerance * bound, wanted = s->lambda * r * r / 2;
  const double floor = form == SFMI_EXAMPLES_KERNEL
                           ? sfmi_kernel_ascent_floor(&s->loss, s->lambda, &b->map, s->n)
                           : sfmi_solver_floor(&s->loss, s->lambda, s->kappa, s->n, s->features);
  return fmax(wanted, floor);
}

static void compare(outcome *o, const bench *b, const setting *s, const reference *ref,
                    sfmi_examples_form form, const sfmi_solution *solution) {
  double *w = calloc(s->features, sizeof *w);
  if (form == SFMI_EXAMPLES_KERNEL)
    forms_weights(w, b->sparse, solution->weights);
  else
    memcpy(w, solution->weights, s->features * sizeof *w);
  const double apart = reference_apart(ref, w);
  if (!(apart <= solution->distance + (double)ref->distance))
    fail_msg("form %d, loss %d, %zu rows of look %d, lambda %g: %g from the exact weights (%Lg), "
             "certified %g",
             (int)form, (int)s->loss.kind, s->n, (int)s->kind, s->lambda, apart, ref->distance,
             solution->distance);
  o->solved++;
  if (ref->distance <= 0.05L * solution->distance) {
    o->compared++;
    o->tightest = fmax(o->tightest, (apart - (double)ref->distance) / solution->distance);
  }
  free(w);
}

static void solve_and_compare(outcome outcomes[2], const setting *s, sfmi_prng *prng) {
  bench b;
  bench_init(&b, s, prng);
  sfmi_solution dense =
      solved(&b, s, b.dense, target_of(&b, s, SFMI_EXAMPLES_DENSE), s->n == 60 ? 2 : 1);
  sfmi_solution kernel =
      solved(&b, s, &b.kernel, target_of(&b, s, SFMI_EXAMPLES_KERNEL), s->n == 60 ? 2 : 1);
  reference ref = {.n = s->n,
                   .features = s->features,
                   .phi = b.phi,
                   .labels = b.labels,
                   .offsets = s->shifted ? b.offsets : NULL,
                   .loss = s->loss,
                   .lambda = s->lambda};
  reference_solve(&ref, 0.02 * fmin(dense.distance, kernel.distance), s->n > 60 ? 400 : 2000);
  compare(&outcomes[0], &b, s, &ref, SFMI_EXAMPLES_DENSE, &dense);
  compare(&outcomes[1], &b, s, &ref, SFMI_EXAMPLES_KERNEL, &kernel);
  reference_clear(&ref);
  sfmi_solution_clear(&dense);
  sfmi_solution_clear(&kernel);
  bench_clear(&b);
}

static void true_distances_are_within_the_certified(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 11);
  const size_t sizes[] = {1, 2, 3, 7, 20, 60, 200};
  const double tolerances[] = {1, 0.1, 1e-3, 0};
  for (int l = 0; l < MACHINE_LOSS_COUNT; l++) {
    outcome outcomes[2] = {{0}};
    const int trials =
        MACHINE_LOSSES[l].kind == SFM_MACHINE_LOSS_LOGISTIC ? 14 : 32; /* the slowest */
    for (int i = 0; i < (test_long() ? 1000 : trials); i++) {
      const setting s = {.loss = MACHINE_LOSSES[l],
                         .kind = (look)((i / 7) % LOOK_COUNT),
                         .n = sizes[(size_t)i % 7],
                         .features = 1 + (size_t)(20 * sfmi_prng_uniform(&prng)),
                         .lambda = exp(log(1e-5) + log(1e8) * sfmi_prng_uniform(&prng)),
                         .kappa = i % 3 ? 1 : exp(8 * sfmi_prng_uniform(&prng) - 4),
                         .tolerance = tolerances[i % 4],
                         .shifted = i % 5 == 0};
      solve_and_compare(outcomes, &s, &prng);
    }
    for (int form = 0; form < 2; form++) {
      const outcome *o = &outcomes[form];
      print_message("loss %d, %s: %d of %d compared; at most %.3f of the certified distance\n", l,
                    form ? "kernel" : "dense", o->compared, o->solved, o->tightest);
      assert_true(o->compared >= 0.7 * o->solved);
      assert_true(o->tightest > 1e-3);
    }
  }
}

/* From next to no regularisation to nothing but, at the default tolerance. */
static void any_lambda_is_solved(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 12);
  const double lambdas[] = {1e-9, 1e-6, 1e-3, 1, 1e3, 1e6};
  for (int l = 0; l < MACHINE_LOSS_COUNT; l++)
    for (int i = 0; i < 6; i++)
      for (int kind = 0; kind < LOOK_COUNT; kind++) {
        const setting s = {.loss = MACHINE_LOSSES[l],
                           .kind = (look)kind,
                           .n = i % 2 ? 1 : 70,
                           .features = 5,
                           .lambda = lambdas[i],
                           .kappa = 1,
                           .tolerance = 0.1};
        bench b;
        bench_init(&b, &s, &prng);
        sfmi_solution dense = solved(&b, &s, b.dense, target_of(&b, &s, SFMI_EXAMPLES_DENSE), 2);
        sfmi_solution kernel =
            solved(&b, &s, &b.kernel, target_of(&b, &s, SFMI_EXAMPLES_KERNEL), 2);
        double w[5];
        forms_weights(w, b.sparse, kernel.weights);
        const double apart = forms_apart(w, dense.weights, 5);
        if (!(apart <= dense.distance + kernel.distance))
          fail_msg("loss %d, %zu rows of look %d, lambda %g: %g apart, certified %g and %g", l, s.n,
                   kind, s.lambda, apart, dense.distance, kernel.distance);
        sfmi_solution_clear(&dense);
        sfmi_solution_clear(&kernel);
        bench_clear(&b);
      }
}

/* Rows so long or so short that floats cannot hold the products of two. */
static void rows_of_any_length_are_solved(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 17);
  const double kappas[] = {1e-25, 1e-12, 1e12, 1e25};
  for (int l = 0; l < MACHINE_LOSS_COUNT; l++)
    for (int i = 0; i < 4; i++) {
      const setting s = {.loss = MACHINE_LOSSES[l],
                         .kind = i % 2 ? MIXED : OPPOSITE,
                         .n = 90,
                         .features = 6,
                         .lambda = kappas[i] * kappas[i] / (i + 1),
                         .kappa = kappas[i],
                         .tolerance = 0.01};
      bench b;
      bench_init(&b, &s, &prng);
      const double target = target_of(&b, &s, SFMI_EXAMPLES_DENSE);
      sfmi_solution dense = solved(&b, &s, b.dense, target, 2);
      sfmi_solution sparse = solved(&b, &s, b.sparse, target, 2);
      sfmi_solution kernel = solved(&b, &s, &b.kernel, target_of(&b, &s, SFMI_EXAMPLES_KERNEL), 2);
      double w[6];
      forms_weights(w, b.sparse, kernel.weights);
      assert_true(forms_apart(sparse.weights, dense.weights, 6) <=
                  dense.distance + sparse.distance);
      assert_true(forms_apart(w, dense.weights, 6) <= dense.distance + kernel.distance);
      sfmi_solution_clear(&dense);
      sfmi_solution_clear(&sparse);
      sfmi_solution_clear(&kernel);
      bench_clear(&b);
    }
}

/* More rows than are taken together, and blocks of every size. */
static void forms_agree_within_their_distances(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 13);
  const size_t features[] = {7, 260, 1030}, rows[] = {4200, 300, 150};
  for (int i = 0; i < 3; i++)
    for (int l = 0; l < MACHINE_LOSS_COUNT; l++) {
      if (!test_long() && (i + l) % 3 != 0) continue;
      const setting s = {.loss = MACHINE_LOSSES[l],
                         .kind = l % 2 ? PLAIN : MIXED,
                         .n = rows[i],
                         .features = features[i],
                         .lambda = 1 / (double)rows[i],
                         .kappa = 1,
                         .tolerance = 0.1,
                         .shifted = i == 1};
      bench b;
      bench_init(&b, &s, &prng);
      for (size_t k = 0; k < s.n; k += 11) { /* rows that do not count */
        b.sparse->keep[k] = b.dense->keep[k] = 0;
        b.sparse->labels[k] = b.dense->labels[k] = 0;
      }
      const double target = target_of(&b, &s, SFMI_EXAMPLES_KERNEL);
      sfmi_solution dense = solved(&b, &s, b.dense, target, 2);
      sfmi_solution kernel = solved(&b, &s, &b.kernel, target, 2);
      double *w = calloc(s.features, sizeof *w);
      forms_weights(w, b.sparse, kernel.weights);
      const double apart = forms_apart(w, dense.weights, s.features);
      if (!(apart <= dense.distance + kernel.distance))
        fail_msg("loss %d, %zu features: dense and kernel are %g apart, certified %g and %g", l,
                 s.features, apart, dense.distance, kernel.distance);
      free(w);
      sfmi_solution_clear(&dense);
      sfmi_solution_clear(&kernel);
      bench_clear(&b);
    }
}

static void sparse_and_dense_agree_within_their_distances(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 14);
  for (int l = 0; l < MACHINE_LOSS_COUNT; l++) {
    const setting s = {.loss = MACHINE_LOSSES[l],
                       .kind = MIXED,
                       .n = 700,
                       .features = 40,
                       .lambda = 1e-3,
                       .kappa = 1,
                       .tolerance = 0.05};
    bench b;
    bench_init(&b, &s, &prng);
    const double target = target_of(&b, &s, SFMI_EXAMPLES_DENSE);
    sfmi_solution dense = solved(&b, &s, b.dense, target, 2);
    sfmi_solution sparse = solved(&b, &s, b.sparse, target, 2);
    assert_true(forms_apart(sparse.weights, dense.weights, s.features) <=
                dense.distance + sparse.distance);
    sfmi_solution_clear(&dense);
    sfmi_solution_clear(&sparse);
    bench_clear(&b);
  }
}

static void equal_threads_give_equal_bits(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 15);
  for (int l = 0; l < 3; l++)
    for (size_t threads = 1; threads <= 3; threads++) {
      const setting s = {.loss = MACHINE_LOSSES[l],
                         .kind = PLAIN,
                         .n = 150,
                         .features = 70,
                         .lambda = 1.0 / 150,
                         .kappa = 1,
                         .tolerance = 0.1};
      bench b;
      bench_init(&b, &s, &prng);
      const double target = target_of(&b, &s, SFMI_EXAMPLES_KERNEL);
      for (int form = 0; form < 2; form++) {
        const sfmi_examples *x = form ? &b.kernel : b.dense;
        sfmi_solution first = solved(&b, &s, x, target, threads);
        sfmi_solution second = solved(&b, &s, x, target, threads);
        assert_memory_equal(first.weights, second.weights, first.length * sizeof(double));
        assert_true(first.gap == second.gap && first.passes == second.passes);
        sfmi_solution_clear(&first);
        sfmi_solution_clear(&second);
      }
      bench_clear(&b);
    }
}

static void values_are_products_of_rows_and_weights(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 16);
  const setting s = {
      .loss = MACHINE_LOSSES[0], .kind = MIXED, .n = 300, .features = 1001, .kappa = 1};
  bench b;
  bench_init(&b, &s, &prng);
  double *w = calloc(s.features, sizeof *w), *values = calloc(s.n, sizeof *values), square = 0;
  for (size_t j = 0; j < s.features; j++) {
    w[j] = sfmi_prng_normal(&prng);
    square += w[j] * w[j];
  }
  b.dense->keep[7] = 0;
  sfmi_dense_ascent_values(values, b.dense, w, 2);
  for (size_t i = 0; i < s.n; i++) {
    long double sum = 0, length = 0;
    for (size_t j = 0; i != 7 && j < s.features; j++) {
      sum += (long double)b.phi[i * s.features + j] * w[j];
      length += (long double)b.phi[i * s.features + j] * b.phi[i * s.features + j];
    }
    const double off =
        (sfmi_sum_depth(s.features) + 16) * SFMI_UNIT_ROUNDOFF * sqrt(square * (double)length);
    assert_near("a value", values[i], (double)sum, off);
  }
  free(w);
  free(values);
  bench_clear(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(true_distances_are_within_the_certified),
      cmocka_unit_test(any_lambda_is_solved),
      cmocka_unit_test(rows_of_any_length_are_solved),
      cmocka_unit_test(forms_agree_within_their_distances),
      cmocka_unit_test(sparse_and_dense_agree_within_their_distances),
      cmocka_unit_test(equal_threads_give_equal_bits),
      cmocka_unit_test(values_are_products_of_rows_and_weights),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
