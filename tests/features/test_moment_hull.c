/* test_moment_hull.c - the lattice's polytope lies where it is said to lie, and the chain's law is
 * uniform in it. */
/* suite: release */
#include "test_support.h"

#include "base/math/cmplx.h"
#include "features/bodies/moment_hull.h"
#include "features/bodies/verblunsky.h"

static sfmi_hit_and_run *hull_of(size_t m) {
  sfmi_hit_and_run *hull;
  sfm_error error;
  assert_ok(sfmi_moment_hull_create(&hull, m, &error), &error);
  return hull;
}

static double gauge_of(sfmi_hit_and_run *hull, const double *z) {
  sfm_error error;
  double gauge;
  assert_ok(sfmi_hit_and_run_gauge(hull, &gauge, z, &error), &error);
  return gauge;
}

static void psi(double *out, double x, size_t m) {
  double complex c[SFMI_MOMENT_HULL_MAX];
  sfmi_verblunsky_curve(c, x, m);
  memcpy(out, c, m * sizeof *c);
}

/* ---- the polytope ---- */

static void lattice_costs_one_percent(void **state) {
  (void)state;
  for (size_t m = 1; m <= SFMI_MOMENT_HULL_MAX; m++) {
    const double N = (double)sfmi_moment_hull_points(m), angle = M_PI * (double)m / N;
    assert_true(N > 2 * (double)m);
    assert_true(1 / cos(angle) <= 1.01 && 1 / cos(M_PI * (double)m / (N - 1)) > 1.01);
    assert_relative("excess", sfmi_moment_hull_excess(m), 1 / cos(angle), 1e-11);
    assert_true(sfmi_moment_hull_excess(m) > 1 / cos(angle));
    assert_true(sfmi_hit_and_run_steps(2 * m) >= 16 * m * m &&
                sfmi_hit_and_run_steps(2 * m) >= 1000);
  }
}

/* A trigonometric polynomial's largest value at N points and anywhere: the supports of P and H. */
static void supports(double *lattice, double *anywhere, const double *y, size_t m, size_t N) {
  enum { FINER = 16 };
  *lattice = *anywhere = 0;
  for (size_t k = 0; k < FINER * N; k++) {
    double point[2 * SFMI_MOMENT_HULL_MAX], value = 0;
    psi(point, (double)k / (double)(FINER * N), m);
    for (size_t i = 0; i < 2 * m; i++) value += y[i] * point[i];
    *anywhere = fmax(*anywhere, fabs(value));
    if (k % FINER == 0) *lattice = fmax(*lattice, fabs(value));
  }
}

/* P within H, and cos(pi m/N) H within P: random polynomials.  And cos(2 pi m x), whose crests all
 * fall between the points when 2m divides N: there the bound is attained. */
static void polytope_holds_the_shrunk_hull(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 1);
  for (int round = 0; round < 100; round++) {
    const size_t m = 1 + (size_t)round % 12, N = round % 2 ? 24 * m : sfmi_moment_hull_points(m);
    const double angle = M_PI * (double)m / (double)N;
    double y[2 * SFMI_MOMENT_HULL_MAX] = {0}, lattice, anywhere;
    for (size_t i = 0; i < 2 * m; i++) y[i] = sfmi_prng_normal(&prng);
    supports(&lattice, &anywhere, y, m, N);
    assert_true(lattice <= anywhere && anywhere <= lattice / cos(angle));
    if (round % 2 == 0) continue;
    memset(y, 0, sizeof y);
    y[2 * m - 2] = cos(angle);
    y[2 * m - 1] = sin(angle);
    supports(&lattice, &anywhere, y, m, N);
    assert_relative("attained", anywhere / lattice, 1 / cos(angle), 1e-12);
  }
}

static void gauge_of_the_curve_is_one_or_a_little_more(void **state) {
  (void)state;
  static const size_t sizes[] = {1, 2, 3, 5, 8};
  sfmi_prng prng;
  sfmi_prng_init(&prng, 2);
  for (size_t s = 0; s < 5; s++) {
    const size_t m = sizes[s], N = sfmi_moment_hull_points(m);
    sfmi_hit_and_run *hull = hull_of(m);
    for (int round = 0; round < 40; round++) {
      double z[2 * SFMI_MOMENT_HULL_MAX];
      const double sign = round % 2 ? 1 : -1;
      psi(z, (double)(sfmi_prng_word(&prng) % N) / (double)N, m);
      for (size_t i = 0; i < 2 * m; i++) z[i] *= sign;
      assert_near("at the lattice", gauge_of(hull, z), 1, 1e-8);
      psi(z, sfmi_prng_uniform(&prng), m);
      for (size_t i = 0; i < 2 * m; i++) z[i] *= sign;
      const double gauge = gauge_of(hull, z);
      assert_true(gauge >= 1 - 1e-8 && gauge <= sfmi_moment_hull_excess(m) + 1e-8);
    }
    sfmi_hit_and_run_destroy(hull);
  }
  /* m = 1: a regular polygon of 2 x 23 corners. */
  sfmi_hit_and_run *polygon = hull_of(1);
  const double middle[2] = {cos(M_PI / 46), sin(M_PI / 46)};
  assert_int_equal(sfmi_moment_hull_points(1), 23);
  assert_near("between corners", gauge_of(polygon, middle), 1 / cos(M_PI / 46), 1e-8);
  sfmi_hit_and_run_destroy(polygon);
}

/* Replacing a row moves the gauge by up to 2, and never by more than 2/cos(pi m/N); a row that
 * becomes zero by half of that. */
static void one_row_moves_the_gauge_by_two(void **state) {
  (void)state;
  static const size_t sizes[] = {1, 2, 5, 7};
  sfmi_prng prng;
  sfmi_prng_init(&prng, 3);
  for (size_t s = 0; s < 4; s++) {
    const size_t m = sizes[s];
    sfmi_hit_and_run *hull = hull_of(m);
    double most = 0;
    for (int round = 0; round < 150; round++) {
      double a[2 * SFMI_MOMENT_HULL_MAX], b[2 * SFMI_MOMENT_HULL_MAX];
      const double x = sfmi_prng_uniform(&prng);
      const double t = round % 2 ? sfmi_prng_uniform(&prng) : 0.5 / (1 + round / 2 % (int)m);
      psi(a, x, m);
      psi(b, x + t, m);
      for (size_t i = 0; i < 2 * m; i++) a[i] -= b[i];
      most = fmax(most, gauge_of(hull, a));
    }
    assert_true(most <= 2 * sfmi_moment_hull_excess(m) + 1e-8 && most >= 2 - 1e-8);
    sfmi_hit_and_run_destroy(hull);
  }
}

/* ---- the chain ---- */

static void draw(void *state, double *direction, size_t dimension, double *uniform) {
  for (size_t i = 0; i < dimension; i++) direction[i] = sfmi_prng_normal(state);
  *uniform = sfmi_prng_uniform(state);
}

static void walk(sfmi_hit_and_run *hull, sfmi_prng *prng, size_t steps) {
  sfm_error error;
  const sfmi_hit_and_run_source source = {.state = prng, .draw = draw};
  assert_ok(sfmi_hit_and_run_walk(hull, &source, steps, &error), &error);
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Kolmogorov's distance from the uniform law as a share of its limit at 1e-6. */
static double from_uniform(double *values, size_t count) {
  double distance = 0;
  qsort(values, count, sizeof *values, compare);
  for (size_t i = 0; i < count; i++) {
    distance = fmax(distance, fabs(values[i] - (double)i / (double)count));
    distance = fmax(distance, fabs(values[i] - (double)(i + 1) / (double)count));
  }
  return distance * sqrt((double)count) / 2.6934;
}

/* Re(c_1^2 conj(c_2)): changes its sign with u; in K_m its mean is positive. */
static double lopsided(const double *u) {
  const double complex a = CMPLX(u[0], u[1]), b = CMPLX(u[2], u[3]);
  return creal(a * a * conj(b));
}

/* |mean|/error: above TEST_Z the mean is not zero. */
static double score(const double *values, size_t count) {
  double sum = 0, squares = 0;
  for (size_t i = 0; i < count; i++) {
    sum += values[i];
    squares += values[i] * values[i];
  }
  const double n = (double)count, mean = sum / n;
  return fabs(mean) / sqrt((squares / n - mean * mean) / n);
}

/* P is a body like any other: a uniform point's gauge has the law t^D, and all odd means vanish.
 * Points are taken 6 D steps apart, more than twice the chain's memory. */
static void points_are_inside_uniform_and_symmetric(void **state) {
  (void)state;
  enum { MOST = 4000 };
  static double gauges[MOST], odd[MOST], first[MOST], lop[MOST];
  const size_t count = test_long() ? MOST : 100, most = test_long() ? 4 : 2;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 4);
  for (size_t m = 2; m <= most; m++) {
    sfmi_hit_and_run *hull = hull_of(m);
    walk(hull, &prng, sfmi_hit_and_run_steps(2 * m));
    for (size_t i = 0; i < count; i++) {
      walk(hull, &prng, 12 * m);
      const double *u = sfmi_hit_and_run_at(hull);
      odd[i] = u[2 * m - 1];
      first[i] = u[0];
      lop[i] = lopsided(u);
      const double gauge = gauge_of(hull, u);
      assert_true(gauge <= 1 + 1e-8);
      gauges[i] = pow(gauge, 2 * (double)m);
    }
    const double distance = from_uniform(gauges, count);
    if (!(distance < 1)) fail_msg("m %zu: distance %g", m, distance);
    assert_true(score(odd, count) < TEST_Z);
    assert_true(score(first, count) < TEST_Z);
    assert_true(score(lop, count) < TEST_Z);
    sfmi_hit_and_run_destroy(hull);
  }
}

/* The same statistic tells K_m from its hull. */
static void the_body_itself_is_not_symmetric(void **state) {
  (void)state;
  static double lop[100];
  sfmi_prng prng;
  sfmi_prng_init(&prng, 5);
  for (int i = 0; i < 100; i++) {
    double complex c[2], work[2];
    double uniforms[4];
    for (int j = 0; j < 4; j++) uniforms[j] = sfmi_prng_uniform(&prng);
    sfmi_verblunsky_point(c, uniforms, work, 2);
    lop[i] = lopsided((const double *)c);
  }
  assert_true(score(lop, 100) > TEST_Z);
}

/* Walks that start at zero end in points of the same law. */
static void a_walk_forgets_where_it_began(void **state) {
  (void)state;
  if (!test_long()) skip();
  enum { WALKS = 300 };
  double gauges[WALKS], first[WALKS];
  sfmi_prng prng;
  sfmi_prng_init(&prng, 6);
  for (int i = 0; i < WALKS; i++) {
    sfmi_hit_and_run *hull = hull_of(2);
    walk(hull, &prng, sfmi_hit_and_run_steps(2 * (2)));
    gauges[i] = pow(gauge_of(hull, sfmi_hit_and_run_at(hull)), 4);
    first[i] = sfmi_hit_and_run_at(hull)[0];
    sfmi_hit_and_run_destroy(hull);
  }
  assert_true(from_uniform(gauges, WALKS) < 1);
  assert_true(score(first, WALKS) < TEST_Z);
}

/* Noise energy before smoothing, n epsilon = 1, Delta = 2: E r^2 E |u|^2 with the curve's
 * coordinates times sqrt 2 and r ~ Gamma(D + 1, 2). */
static double energy(size_t m, size_t steps, sfmi_prng *prng) {
  sfmi_hit_and_run *hull = hull_of(m);
  const double D = 2 * (double)m;
  double sum = 0;
  walk(hull, prng, sfmi_hit_and_run_steps(2 * m) / 4);
  for (size_t t = 0; t < steps; t++) {
    walk(hull, prng, 1);
    for (size_t i = 0; i < 2 * m; i++) sum += 2 * pow(sfmi_hit_and_run_at(hull)[i], 2);
  }
  sfmi_hit_and_run_destroy(hull);
  return (D + 1) * (D + 2) * 4 * sum / (double)steps;
}

/* At m = 5 a walk of 2,500 steps on 60 points had "about 1240"; on these 112 points
 * nine chains of 10^5 steps have given 1288 +- 2. */
static void noise_energy_is_the_known_one(void **state) {
  (void)state;
  static const double wanted[][2] = {{2, 223}, {1, 48}, {3, 481}, {5, 1288}};
  sfmi_prng prng;
  sfmi_prng_init(&prng, 7);
  for (size_t i = 0; i < (test_long() ? 4 : 1); i++)
    assert_relative("energy", energy((size_t)wanted[i][0], test_long() ? 150000 : 2000, &prng),
                    wanted[i][1], test_long() ? 0.02 : 0.09);
}

static size_t told, last_total;

static sfm_status remember(void *state, size_t done, size_t total, sfm_error *error) {
  (void)state, (void)error;
  assert_int_equal(done, ++told);
  last_total = total;
  return SFM_OK;
}

static void same_draws_same_walk_and_progress_is_told(void **state) {
  (void)state;
  double ends[2][8];
  for (int round = 0; round < 2; round++) {
    sfm_error error;
    sfmi_prng prng;
    sfmi_prng_init(&prng, 8);
    const sfmi_hit_and_run_source source = {.state = &prng, .draw = draw, .progress = remember};
    sfmi_hit_and_run *hull = hull_of(4);
    told = 0;
    assert_ok(sfmi_hit_and_run_walk(hull, &source, 50, &error), &error);
    assert_int_equal(told, 50);
    assert_int_equal(last_total, 50);
    memcpy(ends[round], sfmi_hit_and_run_at(hull), sizeof ends[round]);
    sfmi_hit_and_run_destroy(hull);
  }
  assert_memory_equal(ends[0], ends[1], sizeof ends[0]);
  sfmi_hit_and_run_destroy(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lattice_costs_one_percent),
      cmocka_unit_test(polytope_holds_the_shrunk_hull),
      cmocka_unit_test(gauge_of_the_curve_is_one_or_a_little_more),
      cmocka_unit_test(one_row_moves_the_gauge_by_two),
      cmocka_unit_test(points_are_inside_uniform_and_symmetric),
      cmocka_unit_test(the_body_itself_is_not_symmetric),
      cmocka_unit_test(a_walk_forgets_where_it_began),
      cmocka_unit_test(noise_energy_is_the_known_one),
      cmocka_unit_test(same_draws_same_walk_and_progress_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
