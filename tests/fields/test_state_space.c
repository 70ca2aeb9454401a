/* test_state_space.c - transitions, noise and bridges against another derivation in thousands of
 * bits: the state (f, f', f'') with its companion matrix, whose exponential is a scaled power
 * series, and covariances that are differences of stationary ones. */
#include "markov_kernels.h"

#include <mpfr.h>

#include "fields/state_space.h"

enum { BITS = 4000, SIZE = 6 };

typedef struct matrix {
  mpfr_t at[SIZE][SIZE];
} matrix;

static matrix *make(void) {
  matrix *m = malloc(sizeof *m);
  for (int i = 0; i < SIZE * SIZE; i++) {
    mpfr_init2(m->at[i / SIZE][i % SIZE], BITS);
    mpfr_set_zero(m->at[i / SIZE][i % SIZE], 1);
  }
  return m;
}

static void drop(matrix *m) {
  for (int i = 0; i < SIZE * SIZE; i++) mpfr_clear(m->at[i / SIZE][i % SIZE]);
  free(m);
}

/* a b, of n x n, with a or b transposed. */
static matrix *times(const matrix *a, const matrix *b, int n, bool turn_a, bool turn_b) {
  matrix *out = make();
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        mpfr_fma(out->at[i][j], turn_a ? a->at[k][i] : a->at[i][k],
                 turn_b ? b->at[j][k] : b->at[k][j], out->at[i][j], MPFR_RNDN);
  return out;
}

/* a b c' for square factors; frees nothing. */
static matrix *sandwich(const matrix *a, const matrix *b, const matrix *c, int n) {
  matrix *ab = times(a, b, n, false, false), *out = times(ab, c, n, false, true);
  drop(ab);
  return out;
}

/* Solves m x = right in place by elimination without exchanges (m is positive definite). */
static void solve(matrix *m, matrix *right, int n, int columns) {
  mpfr_t factor, term;
  mpfr_inits2(BITS, factor, term, (mpfr_ptr)0);
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++) {
      if (i == k) continue;
      mpfr_div(factor, m->at[i][k], m->at[k][k], MPFR_RNDN);
      for (int j = 0; j < n; j++) {
        mpfr_mul(term, factor, m->at[k][j], MPFR_RNDN);
        mpfr_sub(m->at[i][j], m->at[i][j], term, MPFR_RNDN);
      }
      for (int j = 0; j < columns; j++) {
        mpfr_mul(term, factor, right->at[k][j], MPFR_RNDN);
        mpfr_sub(right->at[i][j], right->at[i][j], term, MPFR_RNDN);
      }
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < columns; j++)
      mpfr_div(right->at[i][j], right->at[i][j], m->at[i][i], MPFR_RNDN);
  mpfr_clears(factor, term, (mpfr_ptr)0);
}

/* (f, f', ..) of order p at a gap: the stationary covariance and the transition. */
static const double companion[3][3] = {{-1}, {-1, -2}, {-1, -3, -3}};
/* s_k = (d/dt + 1)^k f in terms of derivatives. */
static const double binomial[3][3] = {{1}, {1, 1}, {1, 2, 1}};

static matrix *stationary(int p) {
  matrix *out = make();
  mpfr_set_ui(out->at[0][0], 1, MPFR_RNDN);
  if (p == 2) mpfr_set_ui(out->at[1][1], 1, MPFR_RNDN);
  if (p == 3) { /* K = 1 - s^2/6 + s^4/24 - ... */
    mpfr_set_ui(out->at[2][2], 1, MPFR_RNDN);
    mpfr_set_ui(out->at[1][1], 1, MPFR_RNDN);
    mpfr_div_ui(out->at[1][1], out->at[1][1], 3, MPFR_RNDN);
    mpfr_neg(out->at[0][2], out->at[1][1], MPFR_RNDN);
    mpfr_neg(out->at[2][0], out->at[1][1], MPFR_RNDN);
  }
  return out;
}

static matrix *identity(int n) {
  matrix *out = make();
  for (int i = 0; i < n; i++) mpfr_set_ui(out->at[i][i], 1, MPFR_RNDN);
  return out;
}

/* exp(F t) = (exp(F t/2^k))^(2^k), the inner one by its power series. */
static matrix *transition(int p, double t) {
  const int halvings = t > 0x1p-10 ? ilogb(t) + 10 : 0;
  matrix *f = make(), *term = identity(p), *sum = identity(p);
  for (int j = 0; j < p; j++) mpfr_set_d(f->at[p - 1][j], companion[p - 1][j], MPFR_RNDN);
  for (int j = 0; j + 1 < p; j++) mpfr_set_ui(f->at[j][j + 1], 1, MPFR_RNDN);
  for (int n = 1; n < 300; n++) {
    matrix *next = times(term, f, p, false, false);
    drop(term);
    term = next;
    for (int i = 0; i < p; i++)
      for (int j = 0; j < p; j++) {
        mpfr_mul_d(term->at[i][j], term->at[i][j], ldexp(t, -halvings), MPFR_RNDN);
        mpfr_div_ui(term->at[i][j], term->at[i][j], (unsigned long)n, MPFR_RNDN);
        mpfr_add(sum->at[i][j], sum->at[i][j], term->at[i][j], MPFR_RNDN);
      }
  }
  for (int k = 0; k < halvings; k++) {
    matrix *square = times(sum, sum, p, false, false);
    drop(sum);
    sum = square;
  }
  drop(f);
  drop(term);
  return sum;
}

/* The matrix of the same thing for the states s = T (f, f', ..): T m T', or T m T^-1. */
static matrix *changed(const matrix *m, int p, bool covariance) {
  matrix *t = make(), *out;
  for (int i = 0; i < p; i++)
    for (int j = 0; j <= i; j++) mpfr_set_d(t->at[i][j], binomial[i][j], MPFR_RNDN);
  if (covariance) {
    out = sandwich(t, m, t, p);
  } else { /* T^-1 has the same entries with alternating signs */
    matrix *inverse = make();
    for (int i = 0; i < p; i++)
      for (int j = 0; j <= i; j++)
        mpfr_set_d(inverse->at[i][j], (i - j) % 2 ? -binomial[i][j] : binomial[i][j], MPFR_RNDN);
    matrix *half = times(t, m, p, false, false);
    out = times(half, inverse, p, false, false);
    drop(inverse);
    drop(half);
  }
  drop(t);
  return out;
}

/* Q = P - A P A'. */
static matrix *process_noise(const matrix *a, int p) {
  matrix *out = stationary(p), *moved = sandwich(a, out, a, p);
  for (int i = 0; i < p; i++)
    for (int j = 0; j < p; j++) mpfr_sub(out->at[i][j], out->at[i][j], moved->at[i][j], MPFR_RNDN);
  drop(moved);
  return out;
}

static double squared(const double *noise, int j, int k) {
  double sum = 0;
  for (int i = 0; i <= j && i <= k; i++)
    sum += noise[j * (j + 1) / 2 + i] * noise[k * (k + 1) / 2 + i];
  return sum;
}

/* The largest relative error of A and Q at a gap. */
static double step_error(unsigned order, double gap, const sfmi_transition *step) {
  const int p = (int)order;
  matrix *f = transition(p, gap), *q = process_noise(f, p);
  matrix *a = changed(f, p, false), *noise = changed(q, p, true);
  double most = 0;
  for (int j = 0; j < p; j++)
    for (int k = 0; k < p; k++) {
      const double wanted = mpfr_get_d(noise->at[j][k], MPFR_RNDN);
      most = fmax(most, fabs(squared(step->noise, j, k) / wanted - 1));
      const double carry = mpfr_get_d(a->at[j][k], MPFR_RNDN);
      if (k >= j) most = fmax(most, fabs(step->carry[k - j] / carry - 1));
      if (k < j) assert_true(fabs(carry) < 1e-300);
    }
  drop(f);
  drop(q);
  drop(a);
  drop(noise);
  return most;
}

static void steps_are_right_relatively_for_every_gap(void **state) {
  (void)state;
  static const double gaps[] = {1e-40,  1e-12, 3e-9,  1e-6,  0.00199, 0.00201, 0.0749,
                                0.0751, 0.5,   0.999, 1.001, 2.5,     12,      50};
  for (unsigned order = 1; order <= 3; order++)
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
      sfmi_transition step;
      sfmi_transition_set(&step, order, gaps[i]);
      assert_near("relative error of a step", step_error(order, gaps[i], &step), 0, 1e-12);
      step.noise[0] *= 1 + 1e-10; /* the test can fail */
      assert_true(step_error(order, gaps[i], &step) > 1e-10);
    }
}

static void an_infinite_gap_is_stationary(void **state) {
  (void)state;
  for (unsigned order = 1; order <= 3; order++) {
    sfmi_transition step;
    sfmi_transition_set(&step, order, INFINITY);
    matrix *p = stationary((int)order), *wanted = changed(p, (int)order, true);
    for (int j = 0; j < (int)order; j++) {
      assert_true(step.carry[j] == 0);
      for (int k = 0; k <= j; k++)
        assert_relative("stationary covariance", squared(step.noise, j, k),
                        mpfr_get_d(wanted->at[j][k], MPFR_RNDN), 1e-14);
    }
    drop(p);
    drop(wanted);
    sfmi_transition_set(&step, order, 1e-308);
    for (unsigned i = 0; i < order * (order + 1) / 2; i++)
      assert_true(step.noise[i] >= 0 && isfinite(step.noise[i]));
    assert_true(step.carry[0] == 1);
  }
}

/* Q(s + t) = A(t) Q(s) A(t)' + Q(t), A(s + t) = A(s) A(t): all terms are positive. */
static void steps_compose(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 1);
  for (int round = 0; round < 3000; round++) {
    const unsigned order = 1 + (unsigned)round % 3;
    const double s = pow(10, -12 + 13.5 * sfmi_prng_uniform(&prng));
    const double t = s * pow(10, 2 * sfmi_prng_uniform(&prng) - 1);
    sfmi_transition one, two, both;
    sfmi_transition_set(&one, order, s);
    sfmi_transition_set(&two, order, t);
    sfmi_transition_set(&both, order, s + t);
    double carried[3][3] = {{0}}; /* A(t) times the factor of Q(s), by columns */
    for (unsigned k = 0; k < order; k++) {
      for (unsigned j = k; j < order; j++) carried[k][j] = one.noise[j * (j + 1) / 2 + k];
      sfmi_state_carry(carried[k], two.carry, carried[k], order);
    }
    for (unsigned i = 0; i < order; i++) {
      double sum = 0;
      for (unsigned k = 0; k <= i; k++) sum += one.carry[k] * two.carry[i - k];
      assert_relative("composed transition", sum, both.carry[i], 1e-13);
      for (unsigned j = 0; j <= i; j++) {
        double q = squared(two.noise, (int)i, (int)j);
        for (unsigned k = 0; k < order; k++) q += carried[k][i] * carried[k][j];
        assert_relative("composed noise", q, squared(both.noise, (int)i, (int)j), 1e-12);
      }
    }
  }
}

/* The middle's mean coefficients of both ends, and its covariance, from the joint law of all three:
 * regression of the middle on (left, right). */
typedef struct regression {
  matrix *left, *right, *covariance, *whole; /* whole: A of the interval */
} regression;

static regression regress(int p, double length) {
  matrix *a = transition(p, length / 2), *whole = transition(p, length), *at = stationary(p);
  matrix *near = times(a, at, p, false, false), *far = times(whole, at, p, false, false);
  matrix *ends = make(), *cross = make(), *coefficients = make();
  for (int i = 0; i < p; i++)
    for (int j = 0; j < p; j++) {
      mpfr_set(ends->at[i][j], at->at[i][j], MPFR_RNDN);
      mpfr_set(ends->at[p + i][p + j], at->at[i][j], MPFR_RNDN);
      mpfr_set(ends->at[p + i][j], far->at[i][j], MPFR_RNDN);
      mpfr_set(ends->at[j][p + i], far->at[i][j], MPFR_RNDN);
      mpfr_set(cross->at[j][i], near->at[i][j], MPFR_RNDN);     /* cov(left, middle) */
      mpfr_set(cross->at[p + i][j], near->at[i][j], MPFR_RNDN); /* cov(right, middle) */
    }
  for (int i = 0; i < 2 * p; i++)
    for (int j = 0; j < p; j++) mpfr_set(coefficients->at[i][j], cross->at[i][j], MPFR_RNDN);
  solve(ends, coefficients, 2 * p, p);
  matrix *explained = times(coefficients, cross, 2 * p, true, false);
  matrix *left = make(), *right = make();
  for (int i = 0; i < p; i++)
    for (int j = 0; j < p; j++) {
      mpfr_set(left->at[i][j], coefficients->at[j][i], MPFR_RNDN);
      mpfr_set(right->at[i][j], coefficients->at[p + j][i], MPFR_RNDN);
      mpfr_sub(at->at[i][j], at->at[i][j], explained->at[i][j], MPFR_RNDN);
    }
  const regression found = {changed(left, p, false), changed(right, p, false), changed(at, p, true),
                            changed(whole, p, false)};
  matrix *const all[] = {a,     whole,        at,        near, far,  ends,
                         cross, coefficients, explained, left, right};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) drop(all[i]);
  return found;
}

static void cholesky(matrix *m, int p) {
  mpfr_t term;
  mpfr_init2(term, BITS);
  for (int j = 0; j < p; j++)
    for (int k = 0; k <= j; k++) {
      for (int i = 0; i < k; i++) {
        mpfr_mul(term, m->at[j][i], m->at[k][i], MPFR_RNDN);
        mpfr_sub(m->at[j][k], m->at[j][k], term, MPFR_RNDN);
      }
      if (k < j) mpfr_div(m->at[j][k], m->at[j][k], m->at[k][k], MPFR_RNDN);
      if (k == j) mpfr_sqrt(m->at[j][k], m->at[j][k], MPFR_RNDN);
    }
  mpfr_clear(term);
}

/* The bridge says middle = carry left + gain (right - A left) + noise z. */
static void check_bridge(int p, double length, const sfmi_bridge *bridge) {
  regression r = regress(p, length);
  matrix *a = transition(p, length / 2), *half = changed(a, p, false);
  matrix *through = times(r.right, r.whole, p, false, false);
  cholesky(r.covariance, p);
  for (int i = 0; i < p; i++)
    for (int j = 0; j < p; j++) {
      const double gain = mpfr_get_d(r.right->at[i][j], MPFR_RNDN);
      assert_near("gain", bridge->gain[i * p + j], gain, 1e-15 * fabs(gain) + 1e-300);
      if (j <= i)
        assert_relative("noise", bridge->noise[i * (i + 1) / 2 + j],
                        mpfr_get_d(r.covariance->at[i][j], MPFR_RNDN), 1e-15);
      /* what comes from the left end: carry - gain A */
      mpfr_sub(half->at[i][j], half->at[i][j], through->at[i][j], MPFR_RNDN);
      mpfr_sub(half->at[i][j], half->at[i][j], r.left->at[i][j], MPFR_RNDN);
      assert_true(mpfr_zero_p(half->at[i][j]) || mpfr_get_exp(half->at[i][j]) < -1000);
    }
  matrix *const all[] = {r.left, r.right, r.covariance, r.whole, a, half, through};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) drop(all[i]);
}

static void bridges_are_the_regression_on_both_ends(void **state) {
  (void)state;
  static const double lengths[] = {0x1p-200, 1e-3, 1, 37, 2000};
  static const int levels[] = {0, 1, 11, 43};
  for (int p = 1; p <= 3; p++)
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
      sfmi_bridge bridges[44];
      sfmi_bridges_set(bridges, 44, (unsigned)p, lengths[i]);
      for (size_t l = 0; l < sizeof levels / sizeof *levels; l++)
        check_bridge(p, ldexp(lengths[i], -levels[l]), &bridges[levels[l]]);
    }
}

/* Far ends say nothing of the middle, whatever the length. */
static void bridges_of_enormous_intervals_are_stationary(void **state) {
  (void)state;
  for (unsigned order = 1; order <= 3; order++) {
    sfmi_bridge bridge;
    sfmi_transition step;
    sfmi_bridges_set(&bridge, 1, order, 1e308);
    sfmi_transition_set(&step, order, INFINITY);
    for (unsigned i = 0; i < order * (order + 1) / 2; i++)
      assert_relative("stationary factor", bridge.noise[i], step.noise[i], 1e-14);
    for (unsigned i = 0; i < order * order; i++) assert_true(bridge.gain[i] == 0);
    for (unsigned i = 0; i < order; i++) assert_true(bridge.carry[i] == 0);
  }
}

static void orders_and_rates_of_the_kernels(void **state) {
  (void)state;
  static const unsigned orders[] = {1, 1, 2, 3};
  const double h = 0.25;
  for (int i = 0; i < MARKOVIAN_FAMILIES; i++) {
    const sfm_kernel kernel = markovian_kernel(markovian_families[i], &h);
    assert_int_equal(sfmi_state_order(&kernel), orders[i]);
    assert_relative("rate", sfmi_state_rate(&kernel), sqrt(2 * orders[i] - 1.0) / h, 1e-15);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(orders_and_rates_of_the_kernels),
      cmocka_unit_test(steps_are_right_relatively_for_every_gap),
      cmocka_unit_test(an_infinite_gap_is_stationary),
      cmocka_unit_test(steps_compose),
      cmocka_unit_test(bridges_are_the_regression_on_both_ends),
      cmocka_unit_test(bridges_of_enormous_intervals_are_stationary),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
