/* test_ball_sampler.c - the ball sampler: its law along g by the exact distribution function, and
 * that the rest is uniform. */
/* suite: release */
#include "sampler_checks.h"

#include "random/ball_sampler.h"

enum { DRAWS = 80000, CELLS = 50, NODES = 400 };

/* log of the density, up to a constant. */
static double density(double t, double a, double c, double b) {
  return (a > 0 ? a * (log1p(-t) + log1p(t)) : 0) + c * (fabs(t + b) - 1 - fabs(b));
}

/* The integral over [from, to], by Simpson's rule in s, t = sin(pi s/2): smooth at both ends. */
static double integral(double from, double to, double a, double c, double b) {
  const double low = asin(from), high = asin(to), step = (high - low) / NODES;
  double sum = 0;
  for (int i = 0; i <= NODES; i++) {
    const double s = low + i * step, t = fmin(fmax(sin(s), -1 + 1e-16), 1 - 1e-16);
    const double weight = i == 0 || i == NODES ? 1 : i % 2 ? 4 : 2;
    sum += weight * exp(density(t, a, c, b)) * cos(s);
  }
  return sum * step / 3;
}

/* The masses of equal cells of [-1, 1], cut at -b as well, where the density has a corner. */
static void masses_of(double *masses, double a, double c, double b) {
  double sum = 0;
  for (int i = 0; i < CELLS; i++) {
    const double from = -1 + 2.0 * i / CELLS, to = -1 + 2.0 * (i + 1) / CELLS;
    const double cut = fmin(fmax(-b, from), to);
    masses[i] = integral(from, cut, a, c, b) + integral(cut, to, a, c, b);
    sum += masses[i];
  }
  for (int i = 0; i < CELLS; i++) masses[i] /= sum;
}

static void count_part(uint64_t *counts, double t) {
  const int cell = (int)floor((t + 1) * CELLS / 2);
  assert_true(t >= -1 && t <= 1);
  counts[cell < CELLS ? cell : CELLS - 1]++;
}

static void the_part_along_g_follows_its_density(void **state) {
  (void)state;
  static const double cases[][3] = {{0, 0, 0},     {0, 3, 0},     {0.5, 0, 0},    {0.5, 2, 0},
                                    {1, 8, 0.2},   {2, 5, -0.4},  {4.5, 10, 0},   {4.5, 30, 0.05},
                                    {15, 3, 2},    {15, 40, -3},  {49.5, 100, 0}, {0, 12, 0.5},
                                    {1.5, 200, 0}, {3, 0.1, 0.1}, {0, 40, -1.2},  {0.5, 700, 0.01}};
  sfmi_stream *stream = seeded(4);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const double a = cases[k][0], c = cases[k][1], b = cases[k][2];
    uint64_t counts[CELLS] = {0};
    double right[CELLS], wrong[CELLS];
    for (int i = 0; i < DRAWS; i++) count_part(counts, sfmi_ball_sample_component(stream, a, c, b));
    masses_of(right, a, c, b);
    if (!(chi_square(counts, right, CELLS, DRAWS) < 1)) fail_msg("case %zu is off", k);
    /* The exponent of another dimension, and a rate that is off. */
    masses_of(wrong, a + 0.5, c, b);
    if (c <= 40) assert_true(chi_square(counts, wrong, CELLS, DRAWS) > 1);
    masses_of(wrong, a, 1.1 * c + 0.3, b);
    if (c <= 40) assert_true(chi_square(counts, wrong, CELLS, DRAWS) > 1);
  }
  sfmi_stream_destroy(stream);
}

/* Where c is large everything is close to the ends: 1 - |t| is nearly Gamma(a + 1, 1/c), and which
 * end is told by exp(2 c b). */
static void strong_leans_stay_exact(void **state) {
  (void)state;
  enum { N = 100000 };
  const double a = 2, c = 1e7, b = 0.3 / c;
  sfmi_stream *stream = seeded(5);
  double sum = 0, square = 0;
  size_t right = 0;
  for (int i = 0; i < N; i++) {
    const double t = sfmi_ball_sample_component(stream, a, c, b), x = (1 - fabs(t)) * c;
    sum += x;
    square += x * x;
    right += t > 0;
  }
  const double mean = sum / N, p = 1 / (1 + exp(-0.6));
  assert_true(fabs(mean - (a + 1)) < 5 * sqrt((a + 1) / N));
  assert_true(fabs(square / N - (a + 1) * (a + 2)) < 0.5);
  assert_true(fabs((double)right - N * p) < 5 * sqrt(N * p * (1 - p)));
  sfmi_stream_destroy(stream);
}

/* Without a lean: uniform in the ball, so (|z|/R)^d is uniform, and every direction alike. */
static void the_ball_is_filled_evenly(void **state) {
  (void)state;
  enum { D = 5, N = 60000 };
  const double zero[D] = {0};
  sfmi_stream *stream = seeded(6);
  uint64_t counts[20] = {0};
  double masses[20], z[D], second[D][D] = {{0}};
  for (int i = 0; i < N; i++) {
    double square = 0;
    sfmi_ball_sample(stream, z, zero, D, 2, 3, 0.7);
    for (int j = 0; j < D; j++) square += z[j] * z[j];
    for (int j = 0; j < D; j++)
      for (int k = 0; k <= j; k++) second[j][k] += z[j] * z[k];
    const double u = pow(square / 4, 0.5 * D);
    assert_true(u <= 1 + 1e-12);
    counts[u < 1 ? (int)(20 * u) : 19]++;
  }
  for (int i = 0; i < 20; i++) masses[i] = 0.05;
  assert_true(chi_square(counts, masses, 20, N) < 1);
  for (int j = 0; j < D; j++)
    for (int k = 0; k <= j; k++)
      assert_true(fabs(second[j][k] / N - (j == k ? 4.0 / (D + 2) : 0)) < 5 * 4.0 / sqrt(N));
  sfmi_stream_destroy(stream);
}

/* The rest of a leaned point: no mean, the same in every direction across g, and of its length r
 * (r/sqrt(R^2 - (Rt)^2))^(d-1) is uniform. */
static void the_rest_is_uniform(void **state) {
  (void)state;
  enum { D = 4, N = 60000 };
  const double g[D] = {1, -2, 0.5, 3}, length = sqrt(14.25),
               across[2][D] = {{2, 1, 0, 0}, {3, 0, 0, -1}};
  sfmi_stream *stream = seeded(7);
  uint64_t counts[20] = {0}, angles[16] = {0}, parts[CELLS] = {0};
  double masses[CELLS], z[D];
  for (int i = 0; i < N; i++) {
    double t = 0, r = 0, x = 0, y = 0;
    sfmi_ball_sample(stream, z, g, D, 1.5, 2, 0);
    for (int j = 0; j < D; j++) t += z[j] * g[j] / length / 1.5;
    for (int j = 0; j < D; j++) {
      const double rest = z[j] - 1.5 * t * g[j] / length;
      r += rest * rest;
      x += rest * across[0][j] / sqrt(5);
      y += rest * across[1][j] / sqrt(10);
    }
    count_part(parts, t);
    const double u = pow(r / (2.25 * (1 - t * t)), 1.5);
    counts[u < 1 ? (int)(20 * u) : 19]++;
    /* across has an angle of its own: the second made orthogonal to the first, 6/sqrt(50) of it */
    y = (y - x * 6 / sqrt(50)) / sqrt(1 - 36.0 / 50);
    angles[(int)floor((atan2(y, x) + M_PI) / (2 * M_PI) * 16) % 16]++;
  }
  for (int i = 0; i < 20; i++) masses[i] = 0.05;
  assert_true(chi_square(counts, masses, 20, N) < 1);
  for (int i = 0; i < 16; i++) masses[i] = 1.0 / 16;
  assert_true(chi_square(angles, masses, 16, N) < 1);
  masses_of(masses, 1.5, 2 * 1.5 * length, 0);
  assert_true(chi_square(parts, masses, CELLS, N) < 1);
  sfmi_stream_destroy(stream);
}

/* One dimension: the interval, and the offset on either side of it. */
static void a_line_is_a_ball_too(void **state) {
  (void)state;
  enum { N = 100000 };
  sfmi_stream *stream = seeded(8);
  const double g = -2;
  uint64_t counts[CELLS] = {0};
  double masses[CELLS], z;
  for (int i = 0; i < N; i++) {
    sfmi_ball_sample(stream, &z, &g, 1, 0.5, 3, 0.25);
    count_part(counts, -z / 0.5);
  }
  masses_of(masses, 0, 3, 0.25);
  assert_true(chi_square(counts, masses, CELLS, N) < 1);
  sfmi_stream_destroy(stream);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_part_along_g_follows_its_density),
      cmocka_unit_test(strong_leans_stay_exact),
      cmocka_unit_test(the_ball_is_filled_evenly),
      cmocka_unit_test(the_rest_is_uniform),
      cmocka_unit_test(a_line_is_a_ball_too),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
