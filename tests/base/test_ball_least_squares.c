/* test_ball_least_squares.c - least squares within a ball against the conditions that its solution
 * alone fulfils, in long doubles, and against projected gradients, which know nothing of roots. */
#include "test_support.h"

#include "base/math/ball_least_squares.h"

enum { MOST = 40 };

typedef struct problem {
  size_t count;
  double s[MOST], v[MOST], radius;
} problem;

/* Axes over `decades` powers of ten, some of them nothing. */
static problem random_problem(sfmi_prng *prng, double decades, double radius) {
  problem p = {.count = 1 + (size_t)(sfmi_prng_uniform(prng) * MOST)};
  double square = 0;
  for (size_t i = 0; i < p.count; i++) {
    p.s[i] = pow(10, -decades * sfmi_prng_uniform(prng));
    p.v[i] = sfmi_prng_normal(prng);
    if (sfmi_prng_uniform(prng) < 0.05) p.s[i] = 0;
    if (p.s[i] > 0) square += p.v[i] * p.v[i] / (p.s[i] * p.s[i]);
  }
  p.radius = square > 0 ? radius * sqrt(square) : 1;
  return p;
}

static long double objective(const problem *p, const double *b) {
  long double sum = 0;
  for (size_t i = 0; i < p->count; i++) {
    const long double rest = (long double)p->s[i] * b[i] - p->v[i];
    sum += rest * rest;
  }
  return sum;
}

static long double length_of(const double *b, size_t count) {
  long double square = 0;
  for (size_t i = 0; i < count; i++) square += (long double)b[i] * b[i];
  return sqrtl(square);
}

/* (s^2 + nu) b = s v with nu >= 0, |b| <= radius, nu (radius - |b|) = 0: what a convex problem's
 * minimiser is told by. */
static void check_conditions(const problem *p) {
  double b[MOST];
  const double nu = sfmi_ball_least_squares(b, p->s, p->v, p->count, p->radius);
  const long double length = length_of(b, p->count);
  assert_true(nu >= 0);
  assert_true(length <= p->radius * (1 + 1e-14L));
  if (nu > 0) assert_relative("on the ball", (double)length, p->radius, 1e-12);
  for (size_t i = 0; i < p->count; i++) {
    const long double left = ((long double)p->s[i] * p->s[i] + nu) * b[i];
    const long double right = (long double)p->s[i] * p->v[i];
    assert_near("stationary", (double)(left - right), 0, 1e-11 * fabs((double)right) + 1e-300);
  }
}

static void the_minimiser_fulfils_its_conditions(void **state) {
  (void)state;
  static const double radii[] = {1e-6, 0.01, 0.3, 0.999999, 1.000001, 10};
  static const double decades[] = {0, 2, 8, 14};
  sfmi_prng prng;
  sfmi_prng_init(&prng, 10);
  for (size_t k = 0; k < 4; k++)
    for (size_t r = 0; r < 6; r++)
      for (int i = 0; i < 200; i++) {
        const problem p = random_problem(&prng, decades[k], radii[r]);
        check_conditions(&p);
      }
}

/* Accelerated projected gradients from zero. */
static void descend(double *b, const problem *p, int steps) {
  double ahead[MOST] = {0}, before[MOST] = {0}, largest = 0, t = 1;
  memset(b, 0, p->count * sizeof *b);
  for (size_t i = 0; i < p->count; i++) largest = fmax(largest, p->s[i] * p->s[i]);
  for (int k = 0; k < steps && largest > 0; k++) {
    memcpy(before, b, sizeof before);
    for (size_t i = 0; i < p->count; i++)
      b[i] = ahead[i] - p->s[i] * (p->s[i] * ahead[i] - p->v[i]) / largest;
    const double length = (double)length_of(b, p->count);
    for (size_t i = 0; i < p->count && length > p->radius; i++) b[i] *= p->radius / length;
    const double next = (1 + sqrt(1 + 4 * t * t)) / 2;
    for (size_t i = 0; i < p->count; i++) ahead[i] = b[i] + (t - 1) / next * (b[i] - before[i]);
    t = next;
  }
}

static void projected_gradients_find_nothing_better(void **state) {
  (void)state;
  static const double radii[] = {0.05, 0.5, 2};
  sfmi_prng prng;
  sfmi_prng_init(&prng, 11);
  for (int i = 0; i < 60; i++) {
    const problem p = random_problem(&prng, 1.5, radii[i % 3]);
    double b[MOST], other[MOST];
    (void)sfmi_ball_least_squares(b, p.s, p.v, p.count, p.radius);
    descend(other, &p, 4000);
    const long double mine = objective(&p, b), theirs = objective(&p, other);
    assert_true(mine <= theirs * (1 + 1e-12L) + 1e-18L);
    assert_near("the same minimum", (double)mine, (double)theirs, 1e-6);
  }
}

static void sizes_do_not_matter(void **state) {
  (void)state;
  static const double units[] = {1e-100, 1e-3, 1e100};
  sfmi_prng prng;
  sfmi_prng_init(&prng, 12);
  for (int i = 0; i < 300; i++) {
    problem p = random_problem(&prng, 3, i % 2 ? 0.2 : 3), q = p;
    const double s = units[i % 3], v = units[i / 3 % 3];
    double b[MOST], c[MOST];
    for (size_t k = 0; k < p.count; k++) {
      q.s[k] *= s;
      q.v[k] *= v;
    }
    q.radius *= v / s;
    (void)sfmi_ball_least_squares(b, p.s, p.v, p.count, p.radius);
    (void)sfmi_ball_least_squares(c, q.s, q.v, q.count, q.radius);
    for (size_t k = 0; k < p.count; k++)
      assert_near("in other units", c[k] / (v / s), b[k], 1e-9 * fabs(b[k]) + 1e-12);
  }
}

static void nothing_is_fitted_to_nothing(void **state) {
  (void)state;
  const double s[] = {1, 0.5, 0}, v[] = {0, 0, 0}, zero[] = {0, 0, 0}, one[] = {1, 2, 3};
  double b[3] = {9, 9, 9};
  assert_true(sfmi_ball_least_squares(b, s, v, 3, 1) == 0);
  for (int i = 0; i < 3; i++) assert_true(b[i] == 0);
  b[0] = b[1] = b[2] = 9;
  assert_true(sfmi_ball_least_squares(b, zero, one, 3, 1) == 0);
  for (int i = 0; i < 3; i++) assert_true(b[i] == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_minimiser_fulfils_its_conditions),
      cmocka_unit_test(projected_gradients_find_nothing_better),
      cmocka_unit_test(sizes_do_not_matter),
      cmocka_unit_test(nothing_is_fitted_to_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
