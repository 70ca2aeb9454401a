/* test_verblunsky_uniform.c - points made of uniforms are uniform in K_m: second moments, the law
 * of the gauge, an independent Markov chain; each test also rejects a Beta exponent that is off by
 * one. */
/* suite: release */
#include "test_support.h"

#include <cblas.h>

#include "lapack_complex.h"
#include "verblunsky_reference.h"

enum { M_MAX = 8 };

/* A point of K_m; with `off` the exponents 2(m - k) + 1 are larger by so much, which is what
 * U^(b/b') in place of U does. */
static void draw(double complex *c, sfmi_prng *prng, size_t m, double off) {
  double uniforms[2 * M_MAX];
  double complex work[M_MAX];
  for (size_t k = 0; k < m; k++) {
    const double b = 2 * (double)(m - 1 - k) + 1;
    uniforms[2 * k] = pow(sfmi_prng_uniform(prng), b / (b + off));
    uniforms[2 * k + 1] = sfmi_prng_uniform(prng);
  }
  sfmi_verblunsky_point(c, uniforms, work, m);
}

static double square(double complex z) {
  return creal(z) * creal(z) + cimag(z) * cimag(z);
}

static double gauge_of(const double complex *z, size_t m) {
  const double gauge = verblunsky_reference_gauge(z, m);
  assert_false(isnan(gauge));
  return gauge;
}

/* ---- second moments ---- */

/* Per real coordinate, as docs/proofs/caratheodory.md has them. */
static const struct {
  size_t m;
  double moments[5];
} printed[] = {{2, {0.125, 0.200}},
               {3, {0.0833, 0.1132, 0.1652}},
               {5, {0.0500, 0.0603, 0.0733, 0.0914, 0.1228}}};
static const double PRINTED_TO = 5e-5;

/* How often the means of |c_k|^2/2 over so many draws contradict the printed numbers at TEST_Z. */
static int contradictions(sfmi_prng *prng, size_t which, size_t draws, double off) {
  const size_t m = printed[which].m;
  double sum[M_MAX] = {0}, squares[M_MAX] = {0};
  int count = 0;
  for (size_t i = 0; i < draws; i++) {
    double complex c[M_MAX];
    draw(c, prng, m, off);
    for (size_t k = 0; k < m; k++) {
      const double x = square(c[k]) / 2;
      sum[k] += x;
      squares[k] += x * x;
    }
  }
  for (size_t k = 0; k < m; k++) {
    const double n = (double)draws, mean = sum[k] / n;
    const double error = sqrt((squares[k] / n - mean * mean) / n);
    count += fabs(mean - printed[which].moments[k]) > PRINTED_TO + TEST_Z * error;
  }
  return count;
}

static void second_moments_are_the_specified_ones(void **state) {
  (void)state;
  const size_t draws = test_long() ? 5000000 : 200000;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 1);
  for (size_t which = 0; which < 3; which++) {
    assert_int_equal(contradictions(&prng, which, draws, 0), 0);
    assert_true(contradictions(&prng, which, draws, 1) > 0);
  }
}

/* Noise energy before smoothing, n epsilon = 1: E r^2 E |u|^2 with the curve's coordinates times
 * sqrt 2 and r ~ Gamma(D + 1, m + 1). */
static void noise_energy_is_the_known_one(void **state) {
  (void)state;
  enum { DRAWS = 200000 };
  static const size_t sizes[] = {1, 2, 3, 5};
  static const double wanted[] = {48, 351, 1296, 7560};
  sfmi_prng prng;
  sfmi_prng_init(&prng, 2);
  for (size_t s = 0; s < 4; s++) {
    const size_t m = sizes[s];
    const double D = 2 * (double)m, scale = (double)m + 1;
    double sum = 0;
    for (int i = 0; i < DRAWS; i++) {
      double complex c[M_MAX];
      draw(c, &prng, m, 0);
      for (size_t k = 0; k < m; k++) sum += 2 * square(c[k]);
    }
    assert_relative("energy", (D + 1) * (D + 2) * scale * scale * sum / DRAWS, wanted[s], 0.01);
  }
}

/* ---- distributions ---- */

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* sqrt(-ln(1e-6 / 2) / 2): Kolmogorov's limit at 1e-6, for distances times sqrt(count). */
static const double KOLMOGOROV = 2.6934;

/* The distance of values from the uniform law on (0, 1), as a share of its limit. */
static double from_uniform(double *values, size_t count) {
  double distance = 0;
  qsort(values, count, sizeof *values, compare);
  for (size_t i = 0; i < count; i++) {
    distance = fmax(distance, fabs(values[i] - (double)i / (double)count));
    distance = fmax(distance, fabs(values[i] - (double)(i + 1) / (double)count));
  }
  return distance * sqrt((double)count) / KOLMOGOROV;
}

/* The distance of two samples from each other, as a share of its limit. */
static double apart(double *a, size_t na, double *b, size_t nb) {
  double distance = 0;
  qsort(a, na, sizeof *a, compare);
  qsort(b, nb, sizeof *b, compare);
  for (size_t i = 0, j = 0; i < na && j < nb;) {
    if (a[i] <= b[j])
      i++;
    else
      j++;
    distance = fmax(distance, fabs((double)i / (double)na - (double)j / (double)nb));
  }
  return distance * sqrt((double)na * (double)nb / (double)(na + nb)) / KOLMOGOROV;
}

/* t K_m has t^D of K_m's volume: gauge(u)^D is uniform. */
static void gauge_has_the_law_of_a_uniform_point(void **state) {
  (void)state;
  enum { DRAWS = 8000 };
  static double values[DRAWS];
  sfmi_prng prng;
  sfmi_prng_init(&prng, 3);
  for (size_t m = 1; m <= 6; m += m == 1 ? 1 : 2)
    for (int off = 0; off <= 1; off++) {
      for (int i = 0; i < DRAWS; i++) {
        double complex c[M_MAX];
        draw(c, &prng, m, off);
        values[i] = pow(gauge_of(c, m), 2 * (double)m);
      }
      const double distance = from_uniform(values, DRAWS);
      if (off == (distance < 1)) fail_msg("m %zu, off %d: distance %g", m, off, distance);
    }
}

/* ---- hit-and-run on the spectrahedron, through the eigenvalues of B(v) relative to I + B(u) ----
 */

static void fill(double complex *matrix, const double complex *c, double diagonal, size_t m) {
  const size_t n = m + 1;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      matrix[i * n + j] = i == j ? diagonal : i < j ? c[j - i - 1] : conj(c[i - j - 1]);
}

static void step(double complex *u, sfmi_prng *prng, size_t m) {
  double complex v[M_MAX], A[(M_MAX + 1) * (M_MAX + 1)], B[(M_MAX + 1) * (M_MAX + 1)];
  double values[M_MAX + 1];
  const int n = (int)m + 1;
  for (size_t k = 0; k < m; k++) v[k] = sfmi_prng_normal(prng) + I * sfmi_prng_normal(prng);
  fill(A, u, 1, m);
  fill(B, v, 0, m);
  generalised_eigenvalues(values, B, A, n);
  const double low = -1 / values[n - 1], high = -1 / values[0];
  const double t = low + (high - low) * sfmi_prng_uniform(prng);
  for (size_t k = 0; k < m; k++) u[k] += t * v[k];
}

/* Functionals that see low and high frequencies and the asymmetry of the body. */
enum { FUNCTIONALS = 4 };

static void measure(double values[FUNCTIONALS], const double complex *c, size_t m) {
  values[0] = creal(c[0]);
  values[1] = square(c[m - 1]);
  values[2] = gauge_of(c, m);
  values[3] = creal(c[0] * c[0] * conj(c[1]));
}

/* Samples of the chain are taken so many steps apart that they are as good as independent. */
static void agrees_with_hit_and_run(void **state) {
  (void)state;
  enum { MOST = 40000 };
  static double chain[FUNCTIONALS][MOST], exact[FUNCTIONALS][MOST];
  static const size_t sizes[] = {2, 3, 5};
  const size_t count = test_long() ? MOST : 1000;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 4);
  for (size_t s = 0; s < 3; s++) {
    const size_t m = sizes[s];
    double complex u[M_MAX] = {0};
    for (size_t i = 0; i < 20 * m * m; i++) step(u, &prng, m);
    for (size_t i = 0; i < count; i++) {
      double values[FUNCTIONALS];
      double complex c[M_MAX];
      for (size_t j = 0; j < 10 * m; j++) step(u, &prng, m);
      measure(values, u, m);
      for (int f = 0; f < FUNCTIONALS; f++) chain[f][i] = values[f];
      draw(c, &prng, m, 0);
      measure(values, c, m);
      for (int f = 0; f < FUNCTIONALS; f++) exact[f][i] = values[f];
    }
    for (int f = 0; f < FUNCTIONALS; f++) {
      double mean = 0, variance = 0;
      for (size_t i = 0; i < count; i++) mean += (chain[f][i] - exact[f][i]) / (double)count;
      for (size_t i = 0; i < count; i++)
        variance += pow(chain[f][i] - exact[f][i] - mean, 2) / (double)count;
      assert_near("mean", mean, 0, TEST_Z * sqrt(1.2 * variance / (double)count));
      const double distance = apart(chain[f], count, exact[f], count);
      if (!(distance < 1)) fail_msg("m %zu, functional %d: distance %g", m, f, distance);
    }
  }
}

int main(void) {
  openblas_set_num_threads(1); /* matrices of a dozen rows: waking threads takes longer */
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(second_moments_are_the_specified_ones),
      cmocka_unit_test(noise_energy_is_the_known_one),
      cmocka_unit_test(gauge_has_the_law_of_a_uniform_point),
      cmocka_unit_test(agrees_with_hit_and_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
