/* test_kernel_ascent.c - machines of kernels: their values at places, kernels many at a time, lines
 * that are kept, and the polynomial kernel against its monomials. */
/* suite: both */
#include "examples_fixtures.h"

#include "estimators/machine/certificate.h"
#include "estimators/ascent/kernel_ascent.h"
#include "estimators/ascent/kernel_cache.h"
#include "features/kernels/kernel.h"

enum { FAMILIES = 8 };

/* Rows of coordinates, some of them zero, within a ball. */
typedef struct fixture {
  size_t n, dimension;
  double *phi, *labels;
  sfmi_examples *rows; /* coordinates, of form sparse */
} fixture;

static void fixture_init(fixture *s, size_t n, size_t dimension, sfmi_prng *prng) {
  *s = (fixture){.n = n, .dimension = dimension};
  s->phi = calloc(n * dimension, sizeof *s->phi);
  s->labels = calloc(n, sizeof *s->labels);
  forms_rows(s->phi, s->labels, n, dimension, PLAIN, false, 1, prng);
  s->rows = machine_sparse(s->phi, s->labels, n, dimension);
}

static void fixture_clear(fixture *s) {
  machine_free(s->rows);
  free(s->phi);
  free(s->labels);
}

static sfmi_csr csr_of(const sfmi_examples *x) {
  return (sfmi_csr){x->starts, x->indices, x->values};
}

/* Of any family; places are one, which nothing here looks at. */
static sfmi_feature_map *lift_of(sfm_kernel_family family, size_t dimension, double constant) {
  const sfmi_feature_map stated = {.form = SFMI_FEATURE_MAP_POINTS,
                                   .dimension = dimension,
                                   .radius = 1,
                                   .kernel = family,
                                   .bandwidth = 0.7,
                                   .degree = 3,
                                   .shift = 0.25,
                                   .constant = constant,
                                   .point_starts = calloc(2, sizeof(size_t)),
                                   .point_count = 1};
  sfmi_feature_map *map;
  sfm_error error;
  assert_ok(sfmi_feature_map_create(&map, &stated, &error), &error);
  return map;
}

/* The kernel by its definition, in long double. */
static long double kernel_at(const sfmi_feature_map *map, const double *x, const double *y) {
  long double square = 0, sum = 0, product = 1, inner = 0;
  for (size_t a = 0; a < map->dimension; a++) {
    const long double u = ((long double)x[a] - y[a]) / map->bandwidth;
    square += u * u;
    sum += fabsl(u);
    product /= 1 + u * u;
    inner += (long double)x[a] * y[a];
  }
  const long double r = sqrtl(square), three = sqrtl(3) * r, five = sqrtl(5) * r;
  const long double values[FAMILIES] = {expl(-square / 2),
                                        expl(-sum),
                                        expl(-r),
                                        (1 + three) * expl(-three),
                                        (1 + five + five * five / 3) * expl(-five),
                                        product,
                                        powl(inner + map->shift, map->degree),
                                        inner};
  return values[map->kernel] + (long double)map->constant * map->constant;
}

/* In full and pair by pair: 1030 is more than rows are laid out for. */
static void values_are_within_the_stated_rounding(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 21);
  const size_t dimensions[] = {1, 3, 54, 1030};
  for (int d = 0; d < 4; d++)
    for (int family = 0; family < FAMILIES; family++) {
      fixture s;
      fixture_init(&s, 301, dimensions[d], &prng);
      sfmi_feature_map *map = lift_of((sfm_kernel_family)family, s.dimension, d == 1 ? 0.5 : 0);
      sfmi_examples x = forms_kernel(s.rows, map);
      double *c = calloc(s.n, sizeof *c), *values = calloc(s.n, sizeof *values), total = 0;
      for (size_t i = 0; i < s.n; i++) c[i] = i % 4 ? sfmi_prng_normal(&prng) : 0;
      x.keep[5] = 0;
      for (size_t i = 0; i < s.n; i++) total += fabs(c[i]);
      sfm_error error;
      assert_ok(sfmi_kernel_ascent_values(values, &x, c, csr_of(s.rows), 20, 2, &error), &error);
      const double off = sfmi_kernel_ascent_error(map, s.n, total);
      double worst = 0;
      for (size_t p = 0; p < 20; p++) {
        long double sum = 0;
        for (size_t i = 0; i < s.n; i++)
          if (i != 5)
            sum += c[i] * kernel_at(map, s.phi + p * s.dimension, s.phi + i * s.dimension);
        worst = fmax(worst, (double)fabsl(sum - values[p]));
      }
      if (!(worst <= off) || !(off < 1e-9))
        fail_msg("kernel %d in %zu dimensions: off by %g, stated %g", family, s.dimension, worst,
                 off);
      sfmi_feature_map_destroy(map);
      free(c);
      free(values);
      fixture_clear(&s);
    }
}

static void far_points_have_no_kernel_between_them(void **state) {
  (void)state;
  const size_t starts[] = {0, 1, 2}, numbers[] = {0, 1};
  const uint32_t indices[] = {0, 0};
  const double values[] = {0, 1e200};
  const sfmi_csr rows = {starts, indices, values};
  for (int family = 0; family <= SFM_KERNEL_CAUCHY; family++) {
    sfmi_feature_map *map = lift_of((sfm_kernel_family)family, 1, 0);
    sfmi_kernel_matrix *similar = sfmi_kernel_matrix_create(map, rows, numbers, 2);
    sfmi_thread_pool *pool = sfmi_thread_pool_create(1);
    double c[16] = {0, 1}, sums[2];
    sfmi_kernel_matrix_multiply(similar, pool, sums, c, rows, NULL, 2);
    assert_true(sums[0] >= 0 && sums[0] < 1e-200);
    assert_near("K(x, x)", sums[1], 1, 1e-15);
    sfmi_thread_pool_destroy(pool);
    sfmi_kernel_matrix_destroy(similar);
    sfmi_feature_map_destroy(map);
  }
}

/* Lines are those of the rows asked for, however they come and go. */
static void kept_lines_are_the_right_ones(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 22);
  fixture s;
  fixture_init(&s, 400, 4, &prng);
  sfmi_feature_map *map = lift_of(SFM_KERNEL_GAUSSIAN, 4, 0);
  size_t numbers[400], which[100];
  for (size_t i = 0; i < s.n; i++) numbers[i] = i;
  sfmi_kernel_matrix *similar = sfmi_kernel_matrix_create(map, csr_of(s.rows), numbers, s.n);
  sfmi_thread_pool *pool = sfmi_thread_pool_create(2);
  sfmi_kernel_cache *lines = sfmi_kernel_cache_create_for(s.n, 100);
  assert_int_equal(sfmi_kernel_cache_room(lines), 100);
  for (int call = 0; call < 50; call++) {
    const float *out[100];
    const size_t first = (size_t)(300 * sfmi_prng_uniform(&prng));
    const size_t count = 1 + (size_t)(100 * sfmi_prng_uniform(&prng));
    for (size_t i = 0; i < count; i++) which[i] = first + (i * 37) % 100;
    sfmi_kernel_cache_get(lines, out, similar, pool, which, count);
    for (size_t i = 0; i < count; i++)
      for (size_t j = 0; j < s.n; j += 57)
        assert_near("a line", (double)out[i][j],
                    (double)kernel_at(map, s.phi + which[i] * 4, s.phi + j * 4), 1e-7);
    assert_true(map->kappa == 1); /* the unit of lines */
  }
  sfmi_kernel_cache_destroy(lines);
  sfmi_thread_pool_destroy(pool);
  sfmi_kernel_matrix_destroy(similar);
  sfmi_feature_map_destroy(map);
  fixture_clear(&s);
}

/* The machine of a polynomial kernel, and of its monomials. */
static void monomials_and_kernel_agree(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 23);
  for (int l = 0; l < MACHINE_LOSS_COUNT; l++) {
    fixture s;
    fixture_init(&s, 200, 4, &prng);
    const sfmi_feature_map stated = {.form = SFMI_FEATURE_MAP_MONOMIALS,
                                     .dimension = 4,
                                     .radius = 1,
                                     .kernel = SFM_KERNEL_POLYNOMIAL,
                                     .degree = 3,
                                     .shift = 0.5,
                                     .constant = 0.25};
    sfmi_feature_map *map;
    sfm_error error;
    assert_ok(sfmi_feature_map_create(&map, &stated, &error), &error);
    double *phi = calloc(s.n * map->count, sizeof *phi), *w = calloc(map->count, sizeof *w);
    sfmi_feature_map_dense(map, phi, s.rows->starts, s.rows->indices, s.rows->values, s.n);
    sfmi_examples *sparse = machine_sparse(phi, s.labels, s.n, map->count);
    const sfmi_examples kernel = forms_kernel(s.rows, map);
    sfmi_problem problem = {
        .loss = MACHINE_LOSSES[l], .lambda = 0.01, .target = 1e-8, .threads = 2};
    sfmi_solution by_features, by_kernel;
    problem.examples = sparse;
    assert_ok(sfmi_solve(&by_features, &problem, &error), &error);
    problem.examples = &kernel;
    assert_ok(sfmi_solve(&by_kernel, &problem, &error), &error);
    forms_weights(w, sparse, by_kernel.weights);
    const double apart = forms_apart(w, by_features.weights, map->count);
    assert_true(apart <= by_features.distance + by_kernel.distance);
    assert_near("primal", by_kernel.primal, by_features.primal, 2e-8);
    sfmi_solution_clear(&by_features);
    sfmi_solution_clear(&by_kernel);
    machine_free(sparse);
    free(phi);
    free(w);
    sfmi_feature_map_destroy(map);
    fixture_clear(&s);
  }
}

/* Every kernel, and a primal that its coefficients have when it is computed by the definition. */
static void every_kernel_is_solved(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 24);
  for (int family = 0; family < FAMILIES; family++) {
    fixture s;
    fixture_init(&s, 150, 6, &prng);
    sfmi_feature_map *map = lift_of((sfm_kernel_family)family, 6, family % 2 ? 0.5 : 0);
    const sfmi_examples x = forms_kernel(s.rows, map);
    const sfmi_problem problem = {.examples = &x,
                                  .loss = MACHINE_LOSSES[family % MACHINE_LOSS_COUNT],
                                  .lambda = 0.003,
                                  .target = 1e-9,
                                  .threads = 2};
    sfmi_solution solution;
    sfm_error error;
    assert_ok(sfmi_solve(&solution, &problem, &error), &error);
    long double square = 0, losses = 0;
    for (size_t i = 0; i < s.n; i++) {
      long double t = 0;
      for (size_t j = 0; j < s.n; j++)
        t += solution.weights[j] * kernel_at(map, s.phi + i * 6, s.phi + j * 6);
      square += solution.weights[i] * t;
      losses += sfmi_loss_at(&problem.loss, (double)t, s.labels[i]);
    }
    assert_near("primal", solution.primal, (double)(losses / s.n + 0.0015L * square), 1e-12);
    assert_true(solution.primal - solution.dual <= 1e-9);
    sfmi_solution_clear(&solution);
    sfmi_feature_map_destroy(map);
    fixture_clear(&s);
  }
}

/* Rows that are much alike, and a small penalty: coordinate ascent alone would creep for ever. */
static void logistic_does_not_creep(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 26);
  const size_t sizes[] = {30, 400, 2100};
  for (int i = 0; i < (test_sanitized() ? 2 : 3); i++) {
    const size_t n = sizes[i];
    fixture s;
    fixture_init(&s, n, 2, &prng);
    sfmi_feature_map *map = lift_of(SFM_KERNEL_LAPLACIAN, 2, 1);
    const sfmi_examples x = forms_kernel(s.rows, map);
    const sfmi_problem problem = {.examples = &x,
                                  .loss = {SFM_MACHINE_LOSS_LOGISTIC, NAN},
                                  .lambda = 2e-3 / (double)n,
                                  .target = 1e-3,
                                  .threads = 2};
    sfmi_solution solution;
    sfm_error error;
    assert_ok(sfmi_solve(&solution, &problem, &error), &error);
    print_message("%zu rows: %llu passes\n", n, (unsigned long long)solution.passes);
    assert_in_range(solution.passes, 1, 8);
    sfmi_solution_clear(&solution);
    sfmi_feature_map_destroy(map);
    fixture_clear(&s);
  }
}

/* More rows that move than a working set has room for: sweeps come first. */
static void sweeps_lead_to_the_same_machine(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 25);
  fixture s;
  fixture_init(&s, 4500, 2, &prng);
  sfmi_feature_map *map = lift_of(SFM_KERNEL_LINEAR, 2, 0);
  const sfmi_examples x = forms_kernel(s.rows, map);
  sfmi_problem problem = {
      .loss = {SFM_MACHINE_LOSS_LOGISTIC, NAN}, .lambda = 0.01, .target = 1e-7, .threads = 2};
  sfmi_solution by_kernel, by_rows;
  sfm_error error;
  problem.examples = &x;
  assert_ok(sfmi_solve(&by_kernel, &problem, &error), &error);
  problem.examples = s.rows;
  assert_ok(sfmi_solve(&by_rows, &problem, &error), &error);
  double w[2];
  forms_weights(w, s.rows, by_kernel.weights);
  assert_true(forms_apart(w, by_rows.weights, 2) <= by_kernel.distance + by_rows.distance);
  sfmi_solution_clear(&by_kernel);
  sfmi_solution_clear(&by_rows);
  sfmi_feature_map_destroy(map);
  fixture_clear(&s);
}

/* Rows that are nearly the same, with labels of both kinds: the largest slacks are of one kind. */
static void sweeps_do_not_swing(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 27);
  fixture s;
  fixture_init(&s, 4200, 2, &prng);
  for (size_t k = 0; k < s.rows->nonzeros; k++) s.rows->values[k] *= 1e-6;
  sfmi_feature_map *map = lift_of(SFM_KERNEL_LAPLACIAN, 2, 0);
  const sfmi_examples x = forms_kernel(s.rows, map);
  const sfmi_problem problem = {.examples = &x,
                                .loss = {SFM_MACHINE_LOSS_SQUARED_HINGE, NAN},
                                .lambda = 2e-4,
                                .target = 0.05,
                                .threads = 2};
  sfmi_solution solution;
  sfm_error error;
  assert_ok(sfmi_solve(&solution, &problem, &error), &error);
  print_message("%llu passes\n", (unsigned long long)solution.passes);
  assert_in_range(solution.passes, 1, 30);
  sfmi_solution_clear(&solution);
  sfmi_feature_map_destroy(map);
  fixture_clear(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_are_within_the_stated_rounding),
      cmocka_unit_test(far_points_have_no_kernel_between_them),
      cmocka_unit_test(kept_lines_are_the_right_ones),
      cmocka_unit_test(monomials_and_kernel_agree),
      cmocka_unit_test(every_kernel_is_solved),
      cmocka_unit_test(logistic_does_not_creep),
      cmocka_unit_test(sweeps_lead_to_the_same_machine),
      cmocka_unit_test(sweeps_do_not_swing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
