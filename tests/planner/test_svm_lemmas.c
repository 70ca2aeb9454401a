/* test_svm_lemmas.c - the examples by which Rubinstein, Bartlett, Huang & Taft (2012) show what
 * machines cannot hide, given to the solvers: lemma 22's pair attains the sensitivity 2 L
 * kappa/(lambda n), and lemma 25's machines lie apart (docs/proofs/svm-limits.md). */
#include "estimators/examples_fixtures.h"

#include "planner/limits/svm_utility.h"

enum { N = 60, PLACES_MOST = 64 };
static const sfmi_loss HINGE = {SFM_MACHINE_LOSS_HINGE, NAN};

/* Rows of two coordinates, all of them nonzero. */
typedef struct rows {
  uint8_t keep[N];
  double labels[N], values[2 * N];
  uint32_t indices[2 * N];
  size_t starts[N + 1];
} rows;

static sfmi_examples examples_of(rows *r, size_t width) {
  for (size_t i = 0; i <= N; i++) r->starts[i] = i * width;
  for (size_t i = 0; i < width * N; i++) r->indices[i] = (uint32_t)(i % width);
  memset(r->keep, 1, sizeof r->keep);
  return (sfmi_examples){.form = SFMI_EXAMPLES_SPARSE,
                         .rows = N,
                         .features = width,
                         .keep = r->keep,
                         .labels = r->labels,
                         .starts = r->starts,
                         .indices = r->indices,
                         .values = r->values,
                         .nonzeros = width * N};
}

static sfmi_solution solve(const sfmi_examples *examples, double lambda, double distance) {
  const sfmi_problem problem = {.examples = examples,
                                .loss = HINGE,
                                .lambda = lambda,
                                .target = lambda * distance * distance / 2,
                                .threads = 1};
  sfmi_solution solution;
  sfm_error error;
  assert_ok(sfmi_solve(&solution, &problem, &error), &error);
  return solution;
}

/* All rows with y x = kappa, the last one's label the one or the other: what one record moves. */
static double moved(double lambda, double kappa, double shift, double distance) {
  double weights[2];
  for (int k = 0; k < 2; k++) {
    rows r;
    sfmi_examples examples = examples_of(&r, 1);
    for (size_t i = 0; i < N; i++) {
      r.labels[i] = i % 2 ? 1 : -1;
      r.values[i] = r.labels[i] * kappa;
    }
    r.values[N - 1] = kappa - shift;
    r.labels[N - 1] = k ? 1 : -1;
    sfmi_solution solution = solve(&examples, lambda, distance);
    weights[k] = solution.weights[0];
    sfmi_solution_clear(&solution);
  }
  return weights[1] - weights[0];
}

/* As the last row comes to kappa, the distance rises to the bound; and the certificate's part is
 * needed: machines that are stopped early can be farther apart, but not by more than 2 r. */
static void lemma_22(void **state) {
  (void)state;
  for (double lambda = 1; lambda < 100; lambda *= 3)
    for (double part = 1; part > 0.01; part /= 3) {
      const double kappa = part * sqrt(lambda), bound = 2 * kappa / (lambda * N), r = 1e-4 * bound;
      double before = 0;
      for (double shift = 0.5; shift > 1e-4; shift /= 4) {
        const double apart = moved(lambda, kappa, shift * kappa, r);
        assert_near("2 (kappa - m)/(lambda n)", apart, (1 - shift) * bound, 2 * r);
        assert_true(apart > before && apart <= bound + 2 * r);
        before = apart;
      }
      assert_near("the bound is attained", moved(lambda, kappa, 0, r), bound, 2 * r);
      const double rough = moved(lambda, kappa, 0, 0.1 * bound);
      assert_true(rough <= bound * 1.2 && rough >= bound * 0.8);
    }
}

/* n - g negative rows in the middle, g positive ones at one of the places around: f at all places,
 * by the kernel's own solver. */
static void values_at(double *f, const sfmi_feature_map *map, size_t places, size_t place, size_t g,
                      double lambda, double distance) {
  const uint32_t axes[] = {0, 1};
  rows r;
  sfmi_examples sparse = examples_of(&r, 2);
  for (size_t i = 0; i < N; i++) {
    const bool positive = i >= N - g;
    const double angle = 2 * M_PI * (double)place / (double)places;
    r.labels[i] = positive ? 1 : -1;
    r.values[2 * i] = positive ? cos(angle) : 0;
    r.values[2 * i + 1] = positive ? sin(angle) : 0;
  }
  const sfmi_examples kernel = forms_kernel(&sparse, map);
  sfmi_solution solution = solve(&kernel, lambda, distance);
  for (size_t p = 0; p < places; p++) {
    const double angle = 2 * M_PI * (double)p / (double)places;
    const double at[] = {cos(angle), sin(angle)};
    f[p] = 0;
    for (size_t i = 0; i < N; i++)
      f[p] += solution.weights[i] *
              sfmi_feature_map_kernel(map, axes, at, 2, axes, r.values + 2 * i, 2);
  }
  sfmi_solution_clear(&solution);
}

static void check_packing(double bandwidth, double lambda, size_t g) {
  static double f[PLACES_MOST][PLACES_MOST];
  const sfm_svm svm = {.rows = N,
                       .lambda = lambda,
                       .lipschitz = 1,
                       .kappa = 1,
                       .kernel = SFM_KERNEL_GAUSSIAN,
                       .bandwidth = bandwidth,
                       .dimension = 2};
  const size_t places = (size_t)sfmi_svm_utility_packing(&svm);
  const double separation = (double)g / (2 * lambda * N), r = 1e-4 * separation;
  const sfmi_feature_map stated = {.form = SFMI_FEATURE_MAP_RANDOM,
                                   .dimension = 2,
                                   .radius = 1,
                                   .kernel = SFM_KERNEL_GAUSSIAN,
                                   .bandwidth = bandwidth,
                                   .frequencies = 1};
  sfmi_feature_map *map;
  sfm_error error;
  assert_ok(sfmi_feature_map_create(&map, &stated, &error), &error);
  assert_in_range(places, 2, PLACES_MOST);
  for (size_t i = 0; i < places; i++) values_at(f[i], map, places, i, g, lambda, r);
  for (size_t i = 0; i < places; i++)
    for (size_t j = 0; j < i; j++) {
      double apart = 0;
      for (size_t p = 0; p < places; p++) apart = fmax(apart, fabs(f[i][p] - f[j][p]));
      if (!(apart >= separation - 2 * r))
        fail_msg("bandwidth %g, lambda %g, g %zu: places %zu and %zu are %g apart, not %g",
                 bandwidth, lambda, g, i, j, apart, separation);
    }
  sfmi_feature_map_destroy(map);
}

static void lemma_25(void **state) {
  (void)state;
  check_packing(0.1, 0.5, 1);
  check_packing(0.3, 0.02, 1);
  check_packing(0.3, 1, 20);
  check_packing(0.8, 0.1, 5);
  check_packing(1.6, 0.1, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lemma_22),
      cmocka_unit_test(lemma_25),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
