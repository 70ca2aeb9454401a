/* test_rkhs_projection.c - proposition 3.2.3 of the thesis: for f in the space H of a kernel K and
 * any points x_1 .. x_m, with M_ij = K(x_i, x_j), |M^-1/2 (f(x_1), ..., f(x_m))|^2 <= |f|_H^2, the
 * square of the norm of a projection of f; so noise of covariance M at the points hides what moves
 * f by that norm, and the more points the closer. */
#include "kernel_fixtures.h"

#include "base/math/linear_algebra.h"

/* sums[i] = |(M + jitter I)^-1/2 f|^2 over the first i + 1 points: jitter only makes it smaller.
 * With M + jitter I = L L', the terms are those of L^-1 f. */
static void projections(double *sums, const sfm_kernel *kernel, const double *points,
                        const double *values, size_t count, double jitter) {
  double *lower = malloc(count * count * sizeof *lower), *y = malloc(count * sizeof *y);
  sfm_error error;
  assert_true(lower && y);
  gram_matrix(lower, kernel, points, count);
  for (size_t i = 0; i < count; i++) lower[i * count + i] += jitter;
  assert_ok(sfmi_cholesky(lower, count, "the matrix of a kernel", &error), &error);
  for (size_t i = 0; i < count; i++) {
    y[i] = values[i];
    for (size_t j = 0; j < i; j++) y[i] -= lower[i * count + j] * y[j];
    y[i] /= lower[i * count + i];
    sums[i] = (i ? sums[i - 1] : 0) + y[i] * y[i];
  }
  free(y);
  free(lower);
}

enum { CENTRES = 5, SCATTERED = 150, POINTS = SCATTERED + 2 * CENTRES };

/* f = sum_j weights_j K(., centres_j), whose square norm is weights' K(centres, centres) weights.
 */
typedef struct mixture {
  sfm_kernel kernel;
  double centres[CENTRES * FAMILY_DIMENSIONS], weights[CENTRES];
} mixture;

static mixture random_mixture(const sfm_kernel *kernel, sfmi_prng *prng) {
  mixture f = {.kernel = *kernel};
  random_points(f.centres, CENTRES, kernel->dimension, prng);
  for (size_t j = 0; j < CENTRES; j++) f.weights[j] = sfmi_prng_normal(prng);
  return f;
}

static double mixture_at(const mixture *f, const double *x) {
  double sum = 0;
  for (size_t j = 0; j < CENTRES; j++)
    sum += f->weights[j] * sfm_kernel_at(&f->kernel, x, f->centres + j * f->kernel.dimension);
  return sum;
}

static double mixture_square(const mixture *f) {
  double sum = 0;
  for (size_t j = 0; j < CENTRES; j++)
    sum += f->weights[j] * mixture_at(f, f->centres + j * f->kernel.dimension);
  return sum;
}

/* The square norms of projections of f as a kernel sees it, on points anywhere, then near the
 * centres, then there. */
static void project(double *sums, const mixture *f, const sfm_kernel *kernel, double jitter,
                    sfmi_prng *prng) {
  const size_t d = kernel->dimension;
  double points[POINTS * FAMILY_DIMENSIONS], values[POINTS];
  random_points(points, SCATTERED, d, prng);
  for (size_t i = 0; i < CENTRES * d; i++) {
    points[SCATTERED * d + i] = f->centres[i] + 1e-3 * sfmi_prng_normal(prng);
    points[(SCATTERED + CENTRES) * d + i] = f->centres[i];
  }
  for (size_t i = 0; i < POINTS; i++) values[i] = mixture_at(f, points + i * d);
  projections(sums, kernel, points, values, POINTS, jitter);
}

static void check_proposition(const sfm_kernel *kernel, sfmi_prng *prng) {
  /* Rounding of the matrix counts for 1e-14 at most, a millionth of this. */
  const double jitter = 1e-8 * sfm_kernel_sup(kernel), rounding = 1e-6;
  double early = 0, scattered = 0, near = 0, all = 0;
  enum { FUNCTIONS = 10 };
  for (int i = 0; i < FUNCTIONS; i++) {
    const mixture f = random_mixture(kernel, prng);
    const double square = mixture_square(&f);
    double sums[POINTS];
    project(sums, &f, kernel, jitter, prng);
    for (size_t m = 0; m < POINTS; m++)
      if (!(sums[m] <= square * (1 + rounding)))
        fail_msg("%s: %zu points see %.17g of %.17g", sfm_kernel_family_name(kernel->family), m + 1,
                 sums[m], square);
    early += sums[1] / square / FUNCTIONS;
    scattered += sums[SCATTERED - 1] / square / FUNCTIONS;
    near += sums[SCATTERED + CENTRES - 1] / square / FUNCTIONS;
    all += sums[POINTS - 1] / square / FUNCTIONS;
  }
  /* From below, and up to it. */
  const bool finite = !sfmi_kernel_stationary(kernel->family);
  assert_true(early < 1 - rounding || finite);
  assert_true(scattered > (kernel->dimension == 1 || finite ? 0.95 : early));
  assert_true(near > 0.98);
  assert_true(all > 1 - 1e-5);
}

static void points_see_no_more_than_the_norm(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 40);
  for (sfm_kernel_family family = 0; family < FAMILIES; family++)
    for (size_t d = 1; d <= FAMILY_DIMENSIONS; d++) {
      const sfm_kernel kernel = family_kernel(family, d);
      check_proposition(&kernel, &prng);
    }
}

/* A function of a rough space is not in a smooth one: there the points see far more than its norm.
 */
static void a_function_of_another_space_is_seen(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 41);
  const sfm_kernel rough = family_kernel(SFM_KERNEL_MATERN12, 1);
  const sfm_kernel smooth = family_kernel(SFM_KERNEL_GAUSSIAN, 1);
  const mixture f = random_mixture(&rough, &prng);
  double sums[POINTS];
  project(sums, &f, &smooth, 1e-8, &prng);
  assert_true(sums[POINTS - 1] > 10 * mixture_square(&f));
}

/* ---- the Sobolev space of exp(-gamma|x - y|) on [0, 1], whose norm is an integral (3.7) ---- */

enum { GRID = 400 };

/* A normal density of standard deviation h at t. */
static double bump(double x, double t, double h) {
  const double z = (x - t) / h;
  return exp(-0.5 * z * z) / (sqrt(2 * M_PI) * h);
}

/* The square of (3.7) for the difference of two bumps (s < 0: of one alone), by Simpson's rule. */
static double sobolev_square(double t, double s, double h, double gamma) {
  enum { STEPS = 2000 };
  double integral = 0, ends = 0;
  for (int i = 0; i <= STEPS; i++) {
    const double x = (double)i / STEPS, other = s < 0 ? 0 : bump(x, s, h);
    const double f = bump(x, t, h) - other;
    const double slope = (-(x - t) * bump(x, t, h) + (x - s) * other) / (h * h);
    const double weight = i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2;
    integral += weight * (slope * slope + gamma * gamma * f * f) / (3 * STEPS);
    if (i == 0 || i == STEPS) ends += f * f;
  }
  return ends / 2 + integral / (2 * gamma);
}

static void check_sobolev(double t, double s, double h, double gamma) {
  const double bandwidth = 1 / gamma, square = sobolev_square(t, s, h, gamma);
  const sfm_kernel kernel = {
      .family = SFM_KERNEL_LAPLACIAN, .dimension = 1, .bandwidth = &bandwidth};
  double points[GRID], values[GRID], sums[GRID];
  for (size_t i = 0; i < GRID; i++) {
    points[i] = (double)i / (GRID - 1);
    values[i] = bump(points[i], t, h) - (s < 0 ? 0 : bump(points[i], s, h));
  }
  projections(sums, &kernel, points, values, GRID, 0);
  assert_true(sums[GRID - 1] <= square * (1 + 1e-12));
  assert_true(sums[GRID - 1] >= square * (1 - 1e-3));
  assert_true(sums[GRID / 2] < square);
}

static void the_sobolev_norm_is_what_points_approach(void **state) {
  (void)state;
  for (int i = 0; i < 12; i++)
    check_sobolev(0.1 * (i % 11), i % 3 ? 0.3 * (i % 4) : -1, i % 2 ? 0.1 : 1, i % 5 ? 3 : 1);
  /* docs/proofs/sobolev.md: the largest norm of one row and of a pair, gamma = h = 1. */
  double single = 0, pair = 0;
  for (int i = 0; i <= 40; i++) {
    single = fmax(single, sqrt(sobolev_square(i / 40.0, -1, 1, 1)));
    for (int j = 0; j < i; j++) pair = fmax(pair, sqrt(sobolev_square(i / 40.0, j / 40.0, 1, 1)));
  }
  assert_near("the largest norm of a row", single, 0.451, 5e-4);
  assert_near("the largest norm of a difference", pair, 0.281, 5e-4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(points_see_no_more_than_the_norm),
      cmocka_unit_test(a_function_of_another_space_is_seen),
      cmocka_unit_test(the_sobolev_norm_is_what_points_approach),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
