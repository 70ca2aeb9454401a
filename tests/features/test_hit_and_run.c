/* test_hit_and_run.c - chords by facets and by linear programs are the same, walks end anywhere in
 * the body with the same probability (cross-polytope, cube, a zonotope against rejection, a needle,
 * a body of which only a function is known), and what is no body is refused. */
/* suite: release */
#include "test_support.h"

#include "features/bodies/hit_and_run.h"
#include "features/bodies/polytope_facets.h"
#include "features/bodies/polytope.h"

enum { MOST = 48 };

static void draw_step(void *state, double *direction, size_t dimension, double *uniform) {
  for (size_t i = 0; i < dimension; i++) direction[i] = sfmi_prng_normal(state);
  *uniform = sfmi_prng_uniform(state);
}

static void walk(sfmi_hit_and_run *convex, sfmi_prng *prng, size_t steps) {
  sfm_error error;
  const sfmi_hit_and_run_source source = {prng, draw_step, NULL};
  assert_ok(sfmi_hit_and_run_walk(convex, &source, steps, &error), &error);
}

static sfmi_hit_and_run *hull_of(const double *points, size_t count, size_t D) {
  sfm_error error;
  sfmi_hit_and_run *convex;
  assert_ok(sfmi_hit_and_run_create_from_points(&convex, points, count, D, &error), &error);
  return convex;
}

static double gauge_of(sfmi_hit_and_run *convex, const double *z) {
  sfm_error error;
  double gauge;
  assert_ok(sfmi_hit_and_run_gauge(convex, &gauge, z, &error), &error);
  return gauge;
}

/* ---- bodies ---- */

/* The unit vectors, each times its scale. */
static size_t cross(double *points, size_t D, const double *scale) {
  memset(points, 0, D * D * sizeof *points);
  for (size_t i = 0; i < D; i++) points[i * D + i] = scale ? scale[i] : 1;
  return D;
}

/* The corners of [-1, 1]^D with the first coordinate plus. */
static size_t cube(double *points, size_t D) {
  const size_t count = (size_t)1 << (D - 1);
  for (size_t k = 0; k < count; k++)
    for (size_t i = 0; i < D; i++) points[k * D + i] = i && k >> (i - 1) & 1 ? -1 : 1;
  return count;
}

/* The sum of m segments [-s_j, s_j]: the sums of +-s_j, the first of them plus. */
static size_t zonotope(double *points, const double *segments, size_t m, size_t D) {
  const size_t count = (size_t)1 << (m - 1);
  for (size_t k = 0; k < count; k++)
    for (size_t i = 0; i < D; i++) {
      points[k * D + i] = segments[i];
      for (size_t j = 1; j < m; j++)
        points[k * D + i] += k >> (j - 1) & 1 ? -segments[j * D + i] : segments[j * D + i];
    }
  return count;
}

/* ---- chords ---- */

static void facets_of_known_bodies(void **state) {
  (void)state;
  static double points[32 * 6];
  for (size_t D = 1; D <= 5; D++) {
    sfm_error error;
    sfmi_polytope_facets f;
    size_t count = cross(points, D, NULL);
    assert_ok(sfmi_polytope_facets_find(&f, points, count, D, &error), &error);
    assert_int_equal(f.count, (size_t)1 << (D - 1)); /* one of every pair */
    sfmi_polytope_facets_clear(&f);
    count = cube(points, D);
    assert_ok(sfmi_polytope_facets_find(&f, points, count, D, &error), &error);
    assert_int_equal(f.count, D);
    sfmi_polytope_facets_clear(&f);
  }
}

static void facets_and_programs_have_the_same_chords(void **state) {
  (void)state;
  static double points[40 * 5];
  sfmi_prng prng;
  sfm_error error;
  sfmi_prng_init(&prng, 1);
  for (size_t D = 1; D <= 5; D++)
    for (size_t count = D; count <= 3 * D; count += D) {
      sfmi_polytope_facets f;
      sfmi_polytope *p;
      for (size_t i = 0; i < count * D; i++) points[i] = sfmi_prng_normal(&prng);
      assert_ok(sfmi_polytope_facets_find(&f, points, count, D, &error), &error);
      assert_ok(sfmi_polytope_create(&p, points, count, D, &error), &error);
      assert_true(f.count > 0);
      double u[5] = {0}, v[5], low, high, low2, high2;
      for (int k = 0; k < 50; k++) {
        double square = 0;
        for (size_t i = 0; i < D; i++) {
          v[i] = sfmi_prng_normal(&prng);
          square += v[i] * v[i];
        }
        for (size_t i = 0; i < D; i++) v[i] /= sqrt(square);
        sfmi_polytope_facets_chord(&f, &low, &high, u, v);
        assert_ok(sfmi_polytope_chord(p, &low2, &high2, u, v, &error), &error);
        assert_near("low", low, low2, 1e-6 * (high - low));
        assert_near("high", high, high2, 1e-6 * (high - low));
        const double t = low + 0.9 * (high - low) * sfmi_prng_uniform(&prng);
        for (size_t i = 0; i < D; i++) u[i] += t * v[i];
      }
      sfmi_polytope_facets_clear(&f);
      sfmi_polytope_destroy(p);
    }
}

/* ---- laws ---- */

/* Points of a walk, thinned; of each the gauge to the power D, which is uniform in (0, 1), and the
 * square of every coordinate in the body's unit, of the mean given. */
static void check_uniform(const char *name, sfmi_hit_and_run *convex, size_t D, const double *mean,
                          size_t draws, size_t thin, uint64_t seed) {
  enum { CELLS = 10 };
  size_t seen[CELLS] = {0};
  double squares[MOST] = {0}, fourths[MOST] = {0}, cross_terms = 0, cross_square = 0;
  sfmi_prng prng;
  sfmi_prng_init(&prng, seed);
  walk(convex, &prng, sfmi_hit_and_run_steps(D));
  for (size_t k = 0; k < draws; k++) {
    walk(convex, &prng, thin);
    const double *at = sfmi_hit_and_run_at(convex);
    double point[MOST];
    memcpy(point, at, D * sizeof *point);
    const double level = pow(gauge_of(convex, point), (double)D);
    assert_true(level < 1 + 1e-6);
    seen[(size_t)fmin(level * CELLS, CELLS - 1)]++;
    for (size_t i = 0; i < D; i++) {
      const double square = point[i] * point[i] / mean[i];
      squares[i] += square / (double)draws;
      fourths[i] += square * square / (double)draws;
    }
    const double both = D > 1 ? point[0] * point[1] / sqrt(mean[0] * mean[1]) : 0;
    cross_terms += both / (double)draws;
    cross_square += both * both / (double)draws;
  }
  double chi = 0;
  for (int c = 0; c < CELLS; c++) {
    const double expected = (double)draws / CELLS, off = (double)seen[c] - expected;
    chi += off * off / expected;
  }
  print_message("%-22s D %2zu: chi-square of the gauge %.1f; squares %.3f .. %.3f\n", name, D, chi,
                squares[0], squares[D - 1]);
  assert_true(chi < 49); /* 9 degrees at 1e-6: 46.7; draws are a little dependent */
  for (size_t i = 0; i < D; i++)
    assert_near(name, squares[i], 1, 1.3 * TEST_Z * sqrt(fourths[i] / (double)draws));
  assert_near(name, cross_terms, 0, 1.3 * TEST_Z * sqrt(cross_square / (double)draws));
}

static size_t draws(void) {
  return test_long() ? 40000 : 4000;
}

/* Of the cross-polytope E x_i^2 = 2/((D + 1)(D + 2)), whatever the units of its axes. */
static void walks_are_uniform_in_the_cross_polytope(void **state) {
  (void)state;
  static double points[8 * 8];
  for (size_t D = 1; D <= 8; D += D < 4 ? 1 : 4) {
    double mean[MOST], scale[MOST];
    for (size_t i = 0; i < D; i++) {
      scale[i] = pow(10, 6 * (double)i - 12);
      mean[i] = 2 / (double)((D + 1) * (D + 2)) * scale[i] * scale[i];
    }
    sfmi_hit_and_run *convex = hull_of(points, cross(points, D, scale), D);
    assert_false(sfmi_hit_and_run_is_slow(convex));
    assert_relative("extent", sfmi_hit_and_run_extent(convex), scale[D - 1], 1e-12);
    check_uniform("cross-polytope", convex, D, mean, draws(), 2 * D + 4, 10 + D);
    sfmi_hit_and_run_destroy(convex);
  }
}

static void walks_are_uniform_in_the_cube(void **state) {
  (void)state;
  static double points[32 * 6];
  double mean[MOST];
  for (size_t i = 0; i < MOST; i++) mean[i] = 1.0 / 3;
  for (size_t D = 2; D <= 6; D += 2) {
    sfmi_hit_and_run *convex = hull_of(points, cube(points, D), D);
    /* In six dimensions by linear programs. */
    const size_t count = sfmi_hit_and_run_is_slow(convex) ? draws() / 20 : draws();
    check_uniform("cube", convex, D, mean, count, 2 * D + 4, 20 + D);
    sfmi_hit_and_run_destroy(convex);
  }
}

/* A chain that takes the ends of chords alone, and one that is not thinned nor long enough, are
 * not uniform: the test above can fail. */
static void a_wrong_walk_is_seen(void **state) {
  (void)state;
  enum { D = 3, N = 2000 };
  double points[4 * D];
  sfm_error error;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 30);
  sfmi_hit_and_run *convex = hull_of(points, cube(points, D), D);
  double square = 0;
  for (int k = 0; k < N; k++) {
    double direction[D], uniform;
    draw_step(&prng, direction, D, &uniform);
    uniform = uniform < 0.5 ? 0.5 * sqrt(2 * uniform) : 1 - 0.5 * sqrt(2 - 2 * uniform);
    assert_ok(sfmi_hit_and_run_step(convex, direction, uniform, &error), &error);
    square += sfmi_hit_and_run_at(convex)[0] * sfmi_hit_and_run_at(convex)[0] / N;
  }
  assert_true(fabs(square * 3 - 1) > 1.3 * TEST_Z * sqrt(9.0 / 5 / N));
  sfmi_hit_and_run_destroy(convex);
}

/* Means of |x|^2 and of |x_1| in a zonotope against those of points of its box that are inside. */
static void walks_in_a_zonotope_are_like_rejection(void **state) {
  (void)state;
  enum { D = 3, M = 5 };
  double segments[M * D], points[16 * D], box = 0;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 40);
  for (size_t i = 0; i < M * D; i++) segments[i] = sfmi_prng_normal(&prng);
  const size_t count = zonotope(points, segments, M, D), N = 2 * draws();
  sfmi_hit_and_run *convex = hull_of(points, count, D);
  for (size_t i = 0; i < count * D; i++) box = fmax(box, fabs(points[i]));
  double sums[2][2] = {{0}}, squares[2][2] = {{0}};
  for (int way = 0; way < 2; way++)
    for (size_t k = 0; k < N; k++) {
      double x[D], r2 = 0;
      if (way == 0) {
        walk(convex, &prng, 10);
        memcpy(x, sfmi_hit_and_run_at(convex), sizeof x);
      } else {
        do
          for (size_t i = 0; i < D; i++) x[i] = box * (2 * sfmi_prng_uniform(&prng) - 1);
        while (gauge_of(convex, x) > 1);
      }
      for (size_t i = 0; i < D; i++) r2 += x[i] * x[i];
      const double values[2] = {r2, fabs(x[0] - 0.5 * x[2])};
      for (int v = 0; v < 2; v++) {
        sums[way][v] += values[v] / (double)N;
        squares[way][v] += values[v] * values[v] / (double)N;
      }
    }
  for (int v = 0; v < 2; v++) {
    double variance = 0;
    for (int way = 0; way < 2; way++)
      variance += (squares[way][v] - sums[way][v] * sums[way][v]) / (double)N;
    assert_near("zonotope", sums[0][v], sums[1][v], 1.3 * TEST_Z * sqrt(variance));
  }
  sfmi_hit_and_run_destroy(convex);
}

/* ---- bodies that a function knows ---- */

typedef struct ellipse {
  size_t D;
  double axes[MOST];
  size_t asked;
} ellipse;

static bool in_ellipse(void *context, const double *x) {
  ellipse *e = context;
  double sum = 0;
  e->asked++;
  for (size_t i = 0; i < e->D; i++) sum += x[i] / e->axes[i] * (x[i] / e->axes[i]);
  return sum <= 1;
}

static sfmi_hit_and_run *body_of(sfmi_membership_oracle oracle, size_t D) {
  sfm_error error;
  sfmi_hit_and_run *convex;
  assert_ok(sfmi_hit_and_run_create_from_oracle(&convex, oracle, D, &error), &error);
  return convex;
}

/* Of an ellipsoid E x_i^2 = a_i^2/(D + 2), also when it is a needle. */
static void walks_are_uniform_in_ellipsoids(void **state) {
  (void)state;
  for (size_t D = 1; D <= 5; D += 2)
    for (double ratio = 1; ratio <= 1000; ratio *= 1000) {
      ellipse e = {.D = D};
      double mean[MOST];
      for (size_t i = 0; i < D; i++) {
        e.axes[i] = D > 1 ? pow(ratio, (double)i / (double)(D - 1)) : 1;
        mean[i] = e.axes[i] * e.axes[i] / (double)(D + 2);
      }
      sfmi_hit_and_run *convex = body_of((sfmi_membership_oracle){in_ellipse, &e, 1, ratio}, D);
      assert_true(sfmi_hit_and_run_extent(convex) == ratio && !sfmi_hit_and_run_is_slow(convex));
      check_uniform("ellipsoid by function", convex, D, mean, draws(), 2 * D + 4, 50 + D);
      sfmi_hit_and_run_destroy(convex);
    }
}

/* Bodies that are not what is said of them. */
typedef enum fault { ONE_SIDED, HOLLOW, SHELL, SMALL, LARGE, STAR } fault;

static bool in_faulty(void *context, const double *x) {
  const double r = hypot(x[0], x[1]);
  switch (*(fault *)context) {
  case ONE_SIDED:
    return r <= 1 && x[0] >= -0.3;
  case HOLLOW:
    return false;
  case SHELL:
    return r <= 1 && (r >= 0.7 || r <= 0.1);
  case SMALL:
    return r <= 0.05;
  case LARGE:
    return r <= 5;
  case STAR:
    return fabs(x[0]) <= 0.15 ? fabs(x[1]) <= 0.9 : fabs(x[1]) <= 0.15 && fabs(x[0]) <= 0.9;
  }
  return false;
}

static void what_is_no_such_body_is_refused(void **state) {
  (void)state;
  sfm_error error;
  sfmi_hit_and_run *convex;
  static const char *const words[] = {"symmetric", "zero", "convex", "inner", "outer", "convex"};
  for (int f = ONE_SIDED; f <= STAR; f++) {
    fault which = (fault)f;
    const sfmi_membership_oracle oracle = {in_faulty, &which, 0.1, 1};
    assert_int_equal(sfmi_hit_and_run_create_from_oracle(&convex, oracle, 2, &error), SFM_INVALID);
    assert_null(convex);
    if (!strstr(error.message, words[f])) fail_msg("%d: %s", f, error.message);
  }
  ellipse ball = {.D = 2, .axes = {1, 1}};
  static const double radii[][2] = {{0, 1}, {2, 1}, {1, NAN}, {-1, 1}, {1, 1e7}, {1e-200, 1}};
  for (size_t i = 0; i < sizeof radii / sizeof *radii; i++) {
    const sfmi_membership_oracle oracle = {in_ellipse, &ball, radii[i][0], radii[i][1]};
    assert_int_equal(sfmi_hit_and_run_create_from_oracle(&convex, oracle, 2, &error), SFM_INVALID);
  }
  assert_int_equal(sfmi_hit_and_run_create_from_oracle(
                       &convex, (sfmi_membership_oracle){NULL, NULL, 1, 1}, 2, &error),
                   SFM_INVALID);
  assert_int_equal(sfmi_hit_and_run_create_from_oracle(
                       &convex, (sfmi_membership_oracle){in_ellipse, &ball, 1, 1}, 49, &error),
                   SFM_INVALID);
  assert_int_equal(ball.asked, 0);
}

static void refused(const char *word, const double *points, size_t count, size_t D) {
  sfm_error error = {0};
  sfmi_hit_and_run *convex;
  assert_int_equal(sfmi_hit_and_run_create_from_points(&convex, points, count, D, &error),
                   SFM_INVALID);
  assert_null(convex);
  if (!strstr(error.message, word)) fail_msg("'%s' does not say %s", error.message, word);
}

static void flat_hulls_are_refused(void **state) {
  (void)state;
  const double line[] = {1, 2, 2, 4, -3, -6}, zero[] = {1, 0, 2, 0}, nan[] = {1, NAN, 0, 1},
               huge[] = {1e101, 0, 0, 1}, nearly[] = {1, 1, 1, 1 + 1e-9};
  static double many[5000];
  refused("flat", line, 3, 2);
  refused("flat", line, 1, 2);
  refused("flat", nearly, 2, 2);
  refused("number 2 is zero in all points", zero, 2, 2);
  refused("vertex 1", nan, 2, 2);
  refused("1e100", huge, 2, 2);
  refused("vertices", NULL, 0, 2);
  for (size_t i = 0; i < 5000; i++) many[i] = 1;
  refused("1 to 4096", many, 5000, 1);
  refused("48", many, 49, 49);
}

/* The same draws, the same walk; and nothing is left of it. */
static void a_walk_is_a_function_of_its_draws(void **state) {
  (void)state;
  double points[16], at[4];
  sfmi_prng prng;
  sfmi_hit_and_run *convex = hull_of(points, cross(points, 4, NULL), 4);
  sfmi_prng_init(&prng, 60);
  walk(convex, &prng, 100);
  memcpy(at, sfmi_hit_and_run_at(convex), sizeof at);
  sfmi_hit_and_run_reset(convex);
  for (int i = 0; i < 4; i++) assert_true(sfmi_hit_and_run_at(convex)[i] == 0);
  sfmi_prng_init(&prng, 60);
  walk(convex, &prng, 100);
  assert_memory_equal(at, sfmi_hit_and_run_at(convex), sizeof at);
  sfmi_hit_and_run_destroy(convex);
  sfmi_hit_and_run_destroy(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(facets_of_known_bodies),
      cmocka_unit_test(facets_and_programs_have_the_same_chords),
      cmocka_unit_test(walks_are_uniform_in_the_cross_polytope),
      cmocka_unit_test(walks_are_uniform_in_the_cube),
      cmocka_unit_test(a_wrong_walk_is_seen),
      cmocka_unit_test(walks_in_a_zonotope_are_like_rejection),
      cmocka_unit_test(walks_are_uniform_in_ellipsoids),
      cmocka_unit_test(what_is_no_such_body_is_refused),
      cmocka_unit_test(flat_hulls_are_refused),
      cmocka_unit_test(a_walk_is_a_function_of_its_draws),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
