/* A polynomial machine of degree 3, (<x, y> + 1)^3, hinge, on CoverType (type 2 against the rest;
 * the ten numbers mapped to [0, 1], indicators of wilderness and soil, rows scaled by one factor so
 * that |x| <= 1): sfumato on sparse monomials, exactly, beside LIBSVM on growing numbers of rows,
 * extrapolated by their square, which is less than it takes.  LIBSVM always has a bias, which is
 * not penalised: its problem is not quite the same one.
 *
 *   bench_polynomial DATA [ROWS [SECONDS [LAMBDA]]]
 *
 * 500000 rows; LIBSVM doubles its rows until a run takes longer than a quarter of so many seconds
 * (600; 0: not at all). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <libsvm/svm.h>

#include "common/bench_support.h"
#include "common/covertype_rows.h"
#include "estimators/ascent/machine_solver.h"

static const double CACHE_MEGABYTES = 4000;

static double peak(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)usage.ru_maxrss / 1024;
}

static void make_examples(sfmi_examples *x, const sfmi_feature_map *map, const covertype_rows *c) {
  const size_t n = c->rows;
  *x = (sfmi_examples){
      .form = SFMI_EXAMPLES_MONOMIALS, .map = map, .rows = n, .features = map->count};
  x->keep = malloc(n);
  memset(x->keep, 1, n);
  x->labels = c->labels;
  x->starts = calloc(n + 1, sizeof *x->starts);
  x->indices = malloc(n * COVERTYPE_WIDTH * sizeof *x->indices);
  x->values = malloc(n * COVERTYPE_WIDTH * sizeof *x->values);
  for (size_t i = 0; i < n; i++) {
    x->nonzeros += covertype_rows_at(c, i, x->indices + x->nonzeros, x->values + x->nonzeros);
    x->starts[i + 1] = x->nonzeros;
  }
}

static bool show(void *context, double gap, double target) {
  const double *start = context;
  printf("    %7.1f s: gap %.3e (%.1e wanted)\n", bench_clock() - *start, gap, target);
  fflush(stdout);
  return true;
}

/* Seconds, to the gap that a release with the default tolerance asks for. */
static double ours(const covertype_rows *c, const sfmi_feature_map *map, double lambda,
                   size_t threads) {
  sfmi_examples x;
  sfm_error error;
  sfmi_solution solution;
  double start = bench_clock();
  make_examples(&x, map, c);
  const double n = (double)c->rows, r = 0.1 * 2 * map->kappa / (lambda * n);
  const sfmi_problem problem = {.examples = &x,
                                .loss = {.kind = SFM_MACHINE_LOSS_HINGE},
                                .lambda = lambda,
                                .target = lambda * r * r / 2,
                                .threads = threads,
                                .progress = show,
                                .progress_context = &start};
  if (sfmi_solve(&solution, &problem, &error)) abort();
  const double seconds = bench_clock() - start;
  printf("  sfumato, %zu rows, lambda %g, %zu threads: %.1f s, %llu passes, gap %.2e (floor %.1e), "
         "objective %.6f, peak %.0f MB\n",
         c->rows, lambda, threads, seconds, (unsigned long long)solution.passes, solution.gap,
         sfmi_solver_floor(&problem.loss, lambda, map->kappa, c->rows, map->count), solution.primal,
         peak());
  fflush(stdout);
  sfmi_solution_clear(&solution);
  free(x.keep);
  free(x.starts);
  free(x.indices);
  free(x.values);
  return seconds;
}

static void silent(const char *text) {
  (void)text;
}

/* LIBSVM on the first rows, C = 1/(lambda n) of the whole. */
static double peer(const covertype_rows *c, size_t rows, double C) {
  struct svm_node *nodes = malloc(rows * (COVERTYPE_WIDTH + 1) * sizeof *nodes), *to = nodes;
  struct svm_problem problem = {.l = (int)rows, .y = c->labels};
  problem.x = malloc(rows * sizeof *problem.x);
  for (size_t i = 0; i < rows; i++) {
    uint32_t indices[COVERTYPE_WIDTH];
    double x[COVERTYPE_WIDTH];
    const size_t count = covertype_rows_at(c, i, indices, x);
    problem.x[i] = to;
    for (size_t k = 0; k < count; k++) *to++ = (struct svm_node){(int)indices[k] + 1, x[k]};
    *to++ = (struct svm_node){-1, 0};
  }
  const struct svm_parameter parameter = {.svm_type = C_SVC,
                                          .kernel_type = POLY,
                                          .degree = 3,
                                          .gamma = 1,
                                          .coef0 = 1,
                                          .cache_size = CACHE_MEGABYTES,
                                          .eps = 1e-3,
                                          .C = C,
                                          .shrinking = 1};
  const double start = bench_clock();
  struct svm_model *model = svm_train(&problem, &parameter);
  const double seconds = bench_clock() - start;
  svm_free_and_destroy_model(&model);
  free(nodes);
  free(problem.x);
  return seconds;
}

static double extrapolated(const covertype_rows *c, double lambda, double limit) {
  double n0 = 0, t0 = 0, n1 = 0, t1 = 0;
  for (size_t rows = 4000; rows <= c->rows; rows *= 2) {
    const double seconds = peer(c, rows, 1 / (lambda * (double)rows));
    printf("  LIBSVM, %zu rows: %.1f s\n", rows, seconds);
    fflush(stdout);
    n0 = n1, t0 = t1;
    n1 = (double)rows, t1 = seconds;
    if (seconds > limit / 4) break;
  }
  const double power = log(t1 / t0) / log(n1 / n0), seconds = t1 * pow((double)c->rows / n1, 2);
  printf(
      "  LIBSVM, %zu rows: %.0f s, were it to grow with the square of their number (its last two "
      "sizes say: with the power %.2f)\n",
      c->rows, seconds, power);
  return seconds;
}

int main(int argc, char **argv) {
  covertype_rows c;
  const char *data = argc > 1 ? argv[1] : "../shared/data";
  svm_set_print_string_function(silent);
  const size_t rows = argc > 2 ? strtoul(argv[2], NULL, 10) : 500000;
  const double limit = argc > 3 ? strtod(argv[3], NULL) : 600;
  const double lambda = argc > 4 ? strtod(argv[4], NULL) : 0.002;
  if (!covertype_rows_read(&c, data)) {
    printf("polynomial: not measured, there is no %s/covtype/covtype.csv.gz\n", data);
    return 0;
  }
  if (rows < c.rows) c.rows = rows;
  sfm_error error;
  sfmi_feature_map *map = NULL;
  const sfmi_feature_map stated = {.form = SFMI_FEATURE_MAP_MONOMIALS,
                                   .dimension = COVERTYPE_DIMENSION,
                                   .radius = 1,
                                   .kernel = SFM_KERNEL_POLYNOMIAL,
                                   .degree = 3,
                                   .shift = 1};
  if (sfmi_feature_map_create(&map, &stated, &error)) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  const double one = ours(&c, map, lambda, 1), two = ours(&c, map, lambda, 2);
  if (limit > 0) {
    const double theirs = extrapolated(&c, lambda, limit);
    printf("degree 3 on %zu rows, lambda %g: %.0f x on one thread, %.0f x on two (wanted 50 x)\n",
           c.rows, lambda, theirs / one, theirs / two);
  }
  sfmi_feature_map_destroy(map);
  covertype_rows_clear(&c);
  return 0;
}
