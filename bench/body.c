/* body.c - the noise bodies of the method caratheodory: the exact sampler beside hit-and-run, what
 * a walk in the symmetric hull takes, and the noise energies of docs/proofs/caratheodory.md for
 * every body in one table. Usage: bench_body [steps of the hull's chains, 40000] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/bench_support.h"
#include "base/math/prng.h"
#include "features/bodies/moment_hull.h"
#include "features/bodies/verblunsky.h"

static double square(double x) {
  return x * x;
}

/* ---- the exact sampler and hit-and-run ---- */

static void draw_point(double complex *c, double *uniforms, double complex *work, size_t m,
                       sfmi_prng *prng) {
  for (size_t i = 0; i < 2 * m; i++) uniforms[i] = sfmi_prng_uniform(prng);
  sfmi_verblunsky_point(c, uniforms, work, m);
}

static double time_exact(size_t m, size_t draws, sfmi_prng *prng) {
  double *uniforms = bench_memory(calloc(2 * m, sizeof *uniforms));
  double complex *c = bench_memory(calloc(m, sizeof *c)),
                 *work = bench_memory(calloc(m, sizeof *work));
  const double start = bench_clock();
  for (size_t i = 0; i < draws; i++) draw_point(c, uniforms, work, m, prng);
  const double seconds = (bench_clock() - start) / (double)draws;
  free(uniforms);
  free(c);
  free(work);
  return seconds;
}

/* The Hermitian Toeplitz matrix with this diagonal and first row, its upper half. */
static void fill(double complex *matrix, const double complex *row, double diagonal, size_t m) {
  const size_t n = m + 1;
  for (size_t i = 0; i < n; i++)
    for (size_t j = i; j < n; j++) matrix[i * n + j] = i == j ? diagonal : row[j - i - 1];
}

/* LAPACK's eigenvalues of A x = lambda B x; by columns the matrices are the conjugates. */
void zhegv_(const int *type, const char *job, const char *triangle, const int *n, double complex *a,
            const int *lda, double complex *b, const int *ldb, double *values, double complex *work,
            const int *lwork, double *rwork, int *info, size_t job_length, size_t triangle_length);

static void eigenvalues(double *values, double complex *A, double complex *B, int n) {
  const int type = 1, lwork = 34 * n;
  int info;
  double complex *work = bench_memory(calloc((size_t)lwork, sizeof *work));
  double *rwork = bench_memory(calloc(3 * (size_t)n, sizeof *rwork));
  zhegv_(&type, "N", "L", &n, A, &n, B, &n, values, work, &lwork, rwork, &info, 1, 1);
  if (info) exit(1);
  free(rwork);
  free(work);
}

static double time_step(size_t m, size_t steps, sfmi_prng *prng) {
  const size_t n = m + 1;
  double complex *u = bench_memory(calloc(m, sizeof *u)), *v = bench_memory(calloc(m, sizeof *v));
  double complex *A = bench_memory(calloc(n * n, sizeof *A)),
                 *B = bench_memory(calloc(n * n, sizeof *B));
  double *values = bench_memory(calloc(n, sizeof *values));
  const double start = bench_clock();
  for (size_t s = 0; s < steps; s++) {
    for (size_t k = 0; k < m; k++) v[k] = sfmi_prng_normal(prng) + I * sfmi_prng_normal(prng);
    fill(A, u, 1, m);
    fill(B, v, 0, m);
    eigenvalues(values, B, A, (int)n);
    const double low = -1 / values[n - 1], high = -1 / values[0];
    const double t = low + (high - low) * sfmi_prng_uniform(prng);
    for (size_t k = 0; k < m; k++) u[k] += t * v[k];
  }
  const double seconds = (bench_clock() - start) / (double)steps;
  free(u);
  free(v);
  free(A);
  free(B);
  free(values);
  return seconds;
}

static void print_speed(sfmi_prng *prng) {
  enum { M = 200 };
  const double exact = time_exact(M, 2000, prng), step = time_step(M, 100, prng);
  printf(
      "a uniform point of K_200: exact %.3g ms; hit-and-run %.3g ms a step, %.3g s in 200^2 steps:"
      " %.2g x (wanted 1e5 x)\n",
      1e3 * exact, 1e3 * step, M * M * step, M * M * step / exact);
  printf("a uniform point of K_2000: exact %.3g ms\n", 1e3 * time_exact(2000, 20, prng));
}

/* ---- the hull ---- */

static void draw_line(void *state, double *direction, size_t dimension, double *uniform) {
  for (size_t i = 0; i < dimension; i++) direction[i] = sfmi_prng_normal(state);
  *uniform = sfmi_prng_uniform(state);
}

static void walk(sfmi_hit_and_run *hull, size_t steps, sfmi_prng *prng) {
  sfm_error error;
  const sfmi_hit_and_run_source source = {.state = prng, .draw = draw_line};
  bench_check(sfmi_hit_and_run_walk(hull, &source, steps, &error), &error);
}

static void print_walk(size_t m, size_t timed, sfmi_prng *prng) {
  sfmi_hit_and_run *hull;
  sfm_error error;
  bench_check(sfmi_moment_hull_create(&hull, m, &error), &error);
  walk(hull, timed / 10, prng);
  const double start = bench_clock();
  walk(hull, timed, prng);
  const double step = (bench_clock() - start) / (double)timed;
  printf("a walk in the hull, m = %zu, %zu points: %.3g ms a step, %zu steps, %.3g s\n", m,
         sfmi_moment_hull_points(m), 1e3 * step, sfmi_hit_and_run_steps(2 * m),
         (double)sfmi_hit_and_run_steps(2 * m) * step);
  sfmi_hit_and_run_destroy(hull);
}

/* E |u|^2 in the coordinates of the orthonormal basis, sqrt 2 times those of the curve. */
static double inertia_of_hull(size_t m, size_t steps, sfmi_prng *prng) {
  sfmi_hit_and_run *hull;
  sfm_error error;
  double sum = 0;
  bench_check(sfmi_moment_hull_create(&hull, m, &error), &error);
  walk(hull, sfmi_hit_and_run_steps(2 * m), prng);
  for (size_t s = 0; s < steps; s++) {
    walk(hull, 1, prng);
    for (size_t i = 0; i < 2 * m; i++) sum += 2 * square(sfmi_hit_and_run_at(hull)[i]);
  }
  sfmi_hit_and_run_destroy(hull);
  return sum / (double)steps;
}

static double inertia_of_body(size_t m, size_t draws, sfmi_prng *prng) {
  double uniforms[20], sum = 0;
  double complex c[10], work[10];
  for (size_t i = 0; i < draws; i++) {
    draw_point(c, uniforms, work, m, prng);
    for (size_t k = 0; k < m; k++) sum += 2 * (square(creal(c[k])) + square(cimag(c[k])));
  }
  return sum / (double)draws;
}

/* ---- energies: E |noise|^2 of the 2m coefficients before smoothing, n epsilon = 1 ---- */

/* E r^2 for r ~ Gamma(shape, scale). */
static double gamma_square(double shape, double scale) {
  return shape * (shape + 1) * scale * scale;
}

/* The largest l1 and l2 distance of two points of the orthonormal curve, on a grid of pairs. */
static void distances(double *l1, double *l2, size_t m) {
  enum { GRID = 720 };
  static double complex psi[GRID][10];
  for (size_t i = 0; i < GRID; i++) sfmi_verblunsky_curve(psi[i], (double)i / GRID, m);
  *l1 = *l2 = 0;
  for (size_t i = 0; i < GRID; i++)
    for (size_t j = 0; j < i; j++) {
      double one = 0, two = 0;
      for (size_t k = 0; k < m; k++) {
        const double complex d = M_SQRT2 * (psi[i][k] - psi[j][k]);
        one += fabs(creal(d)) + fabs(cimag(d));
        two += square(creal(d)) + square(cimag(d));
      }
      *l1 = fmax(*l1, one);
      *l2 = fmax(*l2, sqrt(two));
    }
}

enum { LATTICE, HULL, GAMMA, LAPLACE, BODY, BODIES };

static void energies(double out[BODIES], size_t m, size_t steps, sfmi_prng *prng) {
  const double D = 2 * (double)m;
  double l1, l2;
  distances(&l1, &l2, m);
  out[LATTICE] = D * (D + 1) * 2 * square(2); /* Laplace of scale 2 at 2m + 1 points */
  out[HULL] = gamma_square(D + 1, 2) * inertia_of_hull(m, steps, prng);
  out[GAMMA] = gamma_square(D, l2);
  out[LAPLACE] = D * 2 * square(l1);
  out[BODY] = gamma_square(D + 1, (double)m + 1) * inertia_of_body(m, 1000000, prng);
}

static void print_energies(size_t steps, sfmi_prng *prng) {
  static const size_t sizes[] = {1, 2, 3, 5};
  static const char *const names[BODIES] = {"lattice", "symmetric hull", "gamma, l2",
                                            "coefficient laplace", "K_m"};
  static const double wanted[BODIES][4] = {{48, 160, 336, 880},
                                           {48, 223, 481, 1240},
                                           {48, 250, 725, 2961},
                                           {64, 374, 1115, 4630},
                                           {48, 351, 1296, 7560}};
  double got[4][BODIES];
  for (size_t s = 0; s < 4; s++) energies(got[s], sizes[s], steps, prng);
  printf("noise energy before smoothing, n epsilon = 1, and what is expected\n");
  printf("| body                |  m = 1 |          m = 2 |          m = 3 |          m = 5 |\n");
  printf("|---------------------|--------|----------------|----------------|----------------|\n");
  for (int b = 0; b < BODIES; b++) {
    printf("| %-19s | %.0f, %.0f |", names[b], got[0][b], wanted[b][0]);
    for (size_t s = 1; s < 4; s++)
      printf(" %4.0f, %4.0f %+2.0f %%|", got[s][b], wanted[b][s],
             100 * (got[s][b] / wanted[b][s] - 1));
    printf("\n");
  }
  printf("with the lattice's price Delta = 2/cos(pi m/N) the hull has");
  for (size_t s = 0; s < 4; s++)
    printf(" %.0f", got[s][HULL] * square(sfmi_moment_hull_excess(sizes[s])));
  printf("\n");
}

int main(int argc, char **argv) {
  const long steps = argc > 1 ? atol(argv[1]) : 40000;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 1);
  print_speed(&prng);
  print_walk(5, 1000, &prng);
  print_walk(SFMI_MOMENT_HULL_MAX, 200, &prng);
  print_energies(steps > 0 ? (size_t)steps : 1, &prng);
  return 0;
}
