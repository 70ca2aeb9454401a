/* test_machine_solver.c - the solver on sparse rows and on monomials: it ends, certified, whatever
 * the rows are; the same bits for the same number of threads; monomials on the fly are monomials.
 */
/* suite: both */
#include "machine_reference.h"

#include "estimators/ascent/monomial_product.h"

static void fill(double *phi, double *labels, size_t n, size_t features, double zeros,
                 bool regression, uint64_t seed) {
  sfmi_prng prng;
  sfmi_prng_init(&prng, seed);
  for (size_t i = 0; i < n; i++) {
    double sum = 0;
    for (size_t j = 0; j < features; j++) {
      double *x = &phi[i * features + j];
      *x = sfmi_prng_uniform(&prng) < zeros ? 0 : sfmi_prng_normal(&prng) / sqrt((double)features);
      sum += j % 2 ? *x : -*x;
    }
    sum += 0.3 * sfmi_prng_normal(&prng);
    labels[i] = regression ? fmin(fmax(sum, -1), 1) : sum > 0 ? 1 : -1;
  }
}

static double size_of(const double *phi, size_t n, size_t features) {
  double most = 0;
  for (size_t i = 0; i < n; i++) {
    double square = 0;
    for (size_t j = 0; j < features; j++) square += phi[i * features + j] * phi[i * features + j];
    most = fmax(most, square);
  }
  return sqrt(most);
}

/* The gap that a release of that tolerance asks for. */
static double target_of(const sfmi_loss *loss, double lambda, double kappa, size_t n,
                        double tolerance) {
  const double r =
      tolerance * 2 * sfmi_loss_lipschitz(loss, lambda, kappa) * kappa / (lambda * (double)n);
  return lambda * r * r / 2;
}

static sfmi_solution solved(const sfmi_problem *problem) {
  sfmi_solution solution;
  sfm_error error;
  assert_ok(sfmi_solve(&solution, problem, &error), &error);
  assert_true(solution.gap >= 0 && solution.gap <= problem->target);
  assert_true(solution.length == problem->examples->features);
  for (size_t j = 0; j < solution.length; j++) assert_true(isfinite(solution.weights[j]));
  return solution;
}

static double apart(const double *x, const double *y, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += (x[i] - y[i]) * (x[i] - y[i]);
  return sqrt(sum);
}

typedef struct heard {
  int times;
  double gap, target;
} heard;

static bool hear(void *context, double gap, double target) {
  heard *h = context;
  h->times++;
  h->gap = gap;
  h->target = target;
  return true;
}

/* So many rows that passes are shared among threads, or so few that they are not. */
static void compare_threads(size_t n, size_t features, double zeros, double tolerance) {
  double *phi = calloc(n * features, sizeof *phi), *labels = calloc(n, sizeof *labels);
  for (int l = 0; l < MACHINE_LOSS_COUNT; l++) {
    const sfmi_loss *loss = &MACHINE_LOSSES[l];
    fill(phi, labels, n, features, zeros, machine_regression(loss), 11);
    sfmi_examples *x = machine_sparse(phi, labels, n, features);
    const double kappa = size_of(phi, n, features), lambda = 1e-3;
    heard h = {0};
    sfmi_problem problem = {.examples = x,
                            .loss = *loss,
                            .lambda = lambda,
                            .target = target_of(loss, lambda, kappa, n, tolerance),
                            .progress = hear,
                            .progress_context = &h};
    double *first = NULL;
    for (size_t threads = 1; threads <= 3; threads++) {
      problem.threads = threads;
      sfmi_solution a = solved(&problem), b = solved(&problem);
      assert_true(h.times >= 1 && h.gap == b.gap && h.target == problem.target);
      assert_true(a.gap == b.gap && a.passes == b.passes);
      assert_memory_equal(a.weights, b.weights, features * sizeof *a.weights);
      if (first) assert_true(apart(first, a.weights, features) <= 2 * a.distance);
      if (threads == 1) {
        first = calloc(features, sizeof *first);
        memcpy(first, a.weights, features * sizeof *first);
      }
      sfmi_solution_clear(&a);
      sfmi_solution_clear(&b);
    }
    free(first);
    machine_free(x);
  }
  free(phi);
  free(labels);
}

static void threads_change_little_and_repeat_exactly(void **state) {
  (void)state;
  compare_threads(3000, 40, 0.7, 0.1);
  compare_threads(24000, 24, 0.3, 1);
}

/* The least target that is promised is reached, and so are those of releases. */
static void the_floor_is_reached(void **state) {
  (void)state;
  const size_t n = test_long() ? 20000 : 1000, features = 20;
  double *phi = calloc(n * features, sizeof *phi), *labels = calloc(n, sizeof *labels);
  for (int l = 0; l < MACHINE_LOSS_COUNT; l++) {
    const sfmi_loss *loss = &MACHINE_LOSSES[l];
    fill(phi, labels, n, features, 0.5, machine_regression(loss), 12);
    sfmi_examples *x = machine_sparse(phi, labels, n, features);
    const double kappa = size_of(phi, n, features);
    for (double lambda = 1e-4; lambda < 20; lambda *= 100) {
      sfmi_problem problem = {.examples = x, .loss = *loss, .lambda = lambda, .threads = 1};
      problem.target = sfmi_solver_floor(loss, lambda, kappa, n, features);
      sfmi_solution solution = solved(&problem);
      print_message(
          "loss %d, lambda %g: floor %.1e in %llu passes (%.1e of it rounding); a release "
          "asks for %.1e\n",
          l, lambda, problem.target, (unsigned long long)solution.passes, solution.rounding,
          target_of(loss, lambda, kappa, n, 0.1));
      assert_true(problem.target < target_of(loss, lambda, kappa, n, 0.1));
      sfmi_solution_clear(&solution);
    }
    machine_free(x);
  }
  free(phi);
  free(labels);
}

/* Lambda and norms over many decades, and rows as unkind as they come. */
static void it_ends_whatever_the_rows_are(void **state) {
  (void)state;
  enum { N = 40, F = 5 };
  static double phi[N * F], labels[N];
  sfmi_prng prng;
  sfmi_prng_init(&prng, 13);
  for (int l = 0; l < MACHINE_LOSS_COUNT; l++) {
    const sfmi_loss *loss = &MACHINE_LOSSES[l];
    for (int look = 0; look < 6; look++)
      for (double lambda = 1e-12; lambda < 1e7; lambda *= 1e3)
        for (double kappa = 1e-4; kappa < 1e5; kappa *= 1e4) {
          const size_t n = look == 0 ? 1 : N;
          fill(phi, labels, n, F, 0.3, machine_regression(loss), (uint64_t)look);
          for (size_t i = 0; i < n; i++) {
            double *row = phi + i * F, square = 0;
            if (look == 2 && i > 0) memcpy(row, phi, F * sizeof *row);
            if (look == 3 && i % 2) memcpy(row, row - F, F * sizeof *row);
            for (size_t j = 0; j < F; j++) square += row[j] * row[j];
            const double tiny = look == 4 ? exp(-600 * sfmi_prng_uniform(&prng)) : 1;
            for (size_t j = 0; j < F; j++)
              row[j] *= square > 0 ? tiny * kappa * (1 - 1e-9) / sqrt(square) : 0;
            if (look == 3 && i % 2) labels[i] = -labels[i - 1];
            if (look == 5)
              for (size_t j = 0; j < F; j++) row[j] = 0;
          }
          sfmi_examples *x = machine_sparse(phi, labels, n, F);
          const double floor = sfmi_solver_floor(loss, lambda, kappa, n, F);
          const sfmi_problem problem = {.examples = x,
                                        .loss = *loss,
                                        .lambda = lambda,
                                        .target =
                                            fmax(floor, target_of(loss, lambda, kappa, n, 0.1)),
                                        .threads = 1};
          sfmi_solution solution = solved(&problem);
          if (look == 5) {
            assert_true(solution.passes == 0 && solution.gap == 0 && solution.distance == 0);
            for (size_t j = 0; j < F; j++) assert_true(solution.weights[j] == 0);
          }
          double size = 0;
          for (size_t j = 0; j < F; j++) size += solution.weights[j] * solution.weights[j];
          assert_true(sqrt(size) <= sfmi_loss_reach(loss, lambda, kappa) + solution.distance);
          sfmi_solution_clear(&solution);
          machine_free(x);
        }
  }
}

/* Rows that contribute nothing count in n, whatever their label is. */
static void dropped_rows_count_and_do_nothing(void **state) {
  (void)state;
  enum { N = 60, F = 4 };
  static double phi[N * F], labels[N], others[N];
  fill(phi, labels, N, F, 0, false, 14);
  for (size_t j = 0; j < F; j++) phi[7 * F + j] = 0;
  sfmi_examples *x = machine_sparse(phi, labels, N, F);
  x->keep[7] = 0;
  x->labels[7] = 0;
  for (size_t i = 0; i < N; i++) others[i] = -labels[i];
  sfmi_problem problem = {
      .examples = x, .loss = MACHINE_LOSSES[0], .lambda = 0.01, .target = 1e-10, .threads = 1};
  sfmi_solution a = solved(&problem);
  reference ref = {
      .n = N, .features = F, .phi = phi, .labels = labels, .loss = problem.loss, .lambda = 0.01L};
  reference_solve(&ref, 1e-7L, 20000);
  assert_true(reference_apart(&ref, a.weights) <= a.distance + (double)ref.distance);
  reference_clear(&ref);
  problem.labels = others; /* the labels given are those that count */
  sfmi_solution b = solved(&problem);
  for (size_t j = 0; j < F; j++)
    assert_near("turned labels", b.weights[j], -a.weights[j], a.distance + b.distance);
  sfmi_solution_clear(&a);
  sfmi_solution_clear(&b);
  machine_free(x);
}

/* Rows of monomials written down, of examples of the form monomials. */
static double *written(const sfmi_examples *x, const sfmi_feature_map *map) {
  double *phi = calloc(x->rows * map->count, sizeof *phi);
  uint32_t *features = calloc(map->count, sizeof *features);
  double *values = calloc(map->count, sizeof *values);
  for (size_t i = 0; i < x->rows; i++) {
    const size_t from = x->starts[i];
    if (!x->keep[i]) continue;
    const size_t count = sfmi_feature_map_row(map, features, values, x->indices + from,
                                              x->values + from, x->starts[i + 1] - from);
    for (size_t k = 0; k < count; k++) phi[i * map->count + features[k]] = values[k];
  }
  free(features);
  free(values);
  return phi;
}

static void monomials_on_the_fly_are_monomials(void **state) {
  (void)state;
  enum { N = 80, D = 7 };
  static double u[N * D], labels[N];
  fill(u, labels, N, D, 0.4, false, 15);
  for (unsigned degree = 1; degree <= 5; degree++)
    for (int c = 0; c < 4; c++) {
      sfm_error error;
      sfmi_feature_map *map = NULL;
      const sfmi_feature_map stated = {.form = SFMI_FEATURE_MAP_MONOMIALS,
                                       .dimension = D,
                                       .radius = 5,
                                       .kernel = SFM_KERNEL_POLYNOMIAL,
                                       .degree = degree,
                                       .shift = c % 2 ? 0.5 : 0,
                                       .constant = c / 2 ? 0.7 : 0};
      assert_ok(sfmi_feature_map_create(&map, &stated, &error), &error);
      sfmi_examples *x = machine_sparse(u, labels, N, D);
      x->form = SFMI_EXAMPLES_MONOMIALS;
      x->map = map;
      x->features = map->count;
      x->keep[3] = 0;
      x->starts[N] = x->starts[N - 1]; /* a row with no nonzeros that does count */
      double *phi = written(x, map);
      for (size_t j = 0; j < map->count; j++) phi[3 * map->count + j] = 0;
      sfmi_examples *down = machine_sparse(phi, labels, N, map->count);
      sfmi_problem problem = {.examples = x,
                              .loss = MACHINE_LOSSES[degree % MACHINE_LOSS_COUNT],
                              .lambda = 0.05,
                              .target = 1e-9,
                              .threads = 2};
      sfmi_solution fly = solved(&problem);
      problem.examples = down;
      sfmi_solution plain = solved(&problem);
      assert_true(apart(fly.weights, plain.weights, map->count) <= fly.distance + plain.distance);
      double values[N], wanted[N], norm = 0;
      assert_ok(sfmi_solver_values(values, x, fly.weights, 2, &error), &error);
      assert_ok(sfmi_solver_values(wanted, down, fly.weights, 1, &error), &error);
      for (size_t j = 0; j < map->count; j++) norm += fly.weights[j] * fly.weights[j];
      for (size_t i = 0; i < N; i++)
        assert_near("value", values[i], wanted[i], 1e-13 * sqrt(norm) * map->kappa);
      sfmi_solution_clear(&fly);
      sfmi_solution_clear(&plain);
      machine_free(x);
      machine_free(down);
      free(phi);
      sfmi_feature_map_destroy(map);
    }
}

/* Long rows are summed in blocks. */
static void long_rows_are_summed_in_blocks(void **state) {
  (void)state;
  const size_t n = 6, features = 5000;
  double *phi = calloc(n * features, sizeof *phi), labels[6];
  fill(phi, labels, n, features, 0, false, 16);
  sfmi_examples *x = machine_sparse(phi, labels, n, features);
  const sfmi_problem problem = {
      .examples = x, .loss = MACHINE_LOSSES[0], .lambda = 0.1, .target = 1e-11, .threads = 2};
  sfmi_solution solution = solved(&problem);
  double values[6];
  sfm_error error;
  assert_ok(sfmi_solver_values(values, x, solution.weights, 1, &error), &error);
  for (size_t i = 0; i < n; i++) {
    long double wanted = 0;
    for (size_t j = 0; j < features; j++)
      wanted += (long double)phi[i * features + j] * solution.weights[j];
    assert_near("value", values[i], (double)wanted, 1e-14);
  }
  sfmi_solution_clear(&solution);
  machine_free(x);
  free(phi);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_change_little_and_repeat_exactly),
      cmocka_unit_test(the_floor_is_reached),
      cmocka_unit_test(it_ends_whatever_the_rows_are),
      cmocka_unit_test(dropped_rows_count_and_do_nothing),
      cmocka_unit_test(monomials_on_the_fly_are_monomials),
      cmocka_unit_test(long_rows_are_summed_in_blocks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
