#include "state_space.h"

#include <assert.h>
#include <math.h>
#include <mpfr.h>

/* exp(-FAR) is zero in doubles: what is farther apart is independent. */
#define FAR 1000.0
/* Up to here (in x = twice the gap) the moments come from a series; beyond, 1 - exp(-x)(1 + x +
 * ...) keeps all but five bits. */
#define SERIES_END 2.0
#define SERIES_TERMS 26

unsigned sfmi_state_order(const sfm_kernel *kernel) {
  assert(sfmi_kernel_markov(kernel));
  return kernel->family == SFM_KERNEL_LAPLACIAN
             ? 1
             : 1 + (unsigned)(kernel->family - SFM_KERNEL_MATERN12);
}

double sfmi_state_rate(const sfm_kernel *kernel) {
  return sqrt(2 * (double)sfmi_state_order(kernel) - 1) / kernel->bandwidth[0];
}

/* The integral of exp(-x u) u^n over [0, 1], given decay = exp(-x):
 *   exp(-x)/(n+1) (1 + x/(n+2) (1 + x/(n+3) (...)))  or  n!/x^(n+1) (1 - exp(-x) sum x^i/i!). */
static double moment(unsigned n, double x, double decay) {
  static const double inverse[] = {1. / 1,  1. / 2,  1. / 3,  1. / 4,  1. / 5,  1. / 6,  1. / 7,
                                   1. / 8,  1. / 9,  1. / 10, 1. / 11, 1. / 12, 1. / 13, 1. / 14,
                                   1. / 15, 1. / 16, 1. / 17, 1. / 18, 1. / 19, 1. / 20, 1. / 21,
                                   1. / 22, 1. / 23, 1. / 24, 1. / 25, 1. / 26, 1. / 27, 1. / 28,
                                   1. / 29, 1. / 30, 1. / 31};
  if (x < SERIES_END) {
    /* x^terms/(terms + 1)! < 2^-56 */
    const unsigned terms = x < 0.004 ? 6 : x < 0.15 ? 11 : SERIES_TERMS;
    double sum = 1;
    for (unsigned i = terms; i-- > 1;) sum = 1 + x * inverse[n + i] * sum;
    return decay * inverse[n] * sum;
  }
  double term = 1, sum = 1, factor = 1 / x;
  for (unsigned i = 1; i <= n; i++) {
    term *= x * inverse[i - 1];
    sum += term;
    factor *= (double)i / x;
  }
  return factor * (1 - decay * sum);
}

/* With t^(i+1/2) taken out of its rows Q is c^2/(i! l!) times the moments i + l of exp(-2t u) on
 * [0, 1], a matrix of condition below a thousand for every t: the factor is made of that. */
static inline void set_noise(double *noise, unsigned order, double gap, double decay) {
  static const double scales[] = {M_SQRT2, 2, 2.3094010767585031}; /* c */
  double moments[2 * SFMI_STATE_MAX - 1], factor[SFMI_STATE_MAX][SFMI_STATE_MAX];
  const unsigned last = order - 1;
  const double x = 2 * gap;
  moments[2 * last] = moment(2 * last, x, decay);
  for (unsigned n = 2 * last; n-- > 0;) moments[n] = (decay + x * moments[n + 1]) / (n + 1);
  for (unsigned j = 0; j < order; j++)
    for (unsigned k = 0; k <= j; k++) {
      double sum = moments[2 * last - j - k];
      for (unsigned i = 0; i < k; i++) sum -= factor[j][i] * factor[k][i];
      factor[j][k] = k == j ? sqrt(sum) : sum / factor[k][k];
    }
  double scale = scales[last] * sqrt(gap);
  for (unsigned j = order; j-- > 0; scale *= gap / (order - j))
    for (unsigned k = 0; k <= j; k++) noise[j * (j + 1) / 2 + k] = scale * factor[j][k];
}

void sfmi_transition_set(sfmi_transition *step, unsigned order, double gap) {
  assert(gap > 0);
  const double t = fmin(gap, FAR), decay = exp(-t);
  step->carry[0] = decay;
  for (unsigned k = 1; k < order; k++) step->carry[k] = step->carry[k - 1] * t / k;
  switch (order) { /* constants, so that the loops unroll */
  case 1:
    set_noise(step->noise, 1, t, decay * decay);
    break;
  case 2:
    set_noise(step->noise, 2, t, decay * decay);
    break;
  default:
    set_noise(step->noise, 3, t, decay * decay);
  }
}

/* Bridges, in MPFR numbers.  Closed forms cancel like t^(2p-1) there; the precision makes up for
 * it. */
typedef struct block {
  mpfr_t at[SFMI_STATE_MAX][SFMI_STATE_MAX];
} block;

static void block_init(block *b, mpfr_prec_t bits) {
  for (unsigned i = 0; i < SFMI_STATE_MAX * SFMI_STATE_MAX; i++) {
    mpfr_init2(b->at[i / SFMI_STATE_MAX][i % SFMI_STATE_MAX], bits);
    mpfr_set_zero(b->at[i / SFMI_STATE_MAX][i % SFMI_STATE_MAX], 1);
  }
}

static void block_clear(block *b) {
  for (unsigned i = 0; i < SFMI_STATE_MAX * SFMI_STATE_MAX; i++)
    mpfr_clear(b->at[i / SFMI_STATE_MAX][i % SFMI_STATE_MAX]);
}

/* sum -= a b */
static void take(mpfr_t sum, const mpfr_t a, const mpfr_t b) {
  mpfr_fms(sum, a, b, sum, MPFR_RNDN);
  mpfr_neg(sum, sum, MPFR_RNDN);
}

/* A of a gap. */
static void block_carry(block *a, unsigned order, const mpfr_t gap) {
  mpfr_ptr first = a->at[0][0];
  mpfr_neg(first, gap, MPFR_RNDN);
  mpfr_exp(first, first, MPFR_RNDN);
  for (unsigned k = 1; k < order; k++) {
    mpfr_mul(a->at[0][k], a->at[0][k - 1], gap, MPFR_RNDN);
    mpfr_div_ui(a->at[0][k], a->at[0][k], k, MPFR_RNDN);
  }
  for (unsigned j = 1; j < order; j++)
    for (unsigned k = j; k < order; k++) mpfr_set(a->at[j][k], a->at[0][k - j], MPFR_RNDN);
}

/* out := c^2 integral_0^t exp(-2u) u^n du = c^2 n!/2^(n+1) (1 - exp(-x) sum_{i <= n} x^i/i!),
 * x = 2t. */
static void integral(mpfr_t out, unsigned order, unsigned n, const mpfr_t x) {
  static const unsigned squares[] = {6, 12, 16}; /* 3 c^2 */
  mpfr_t term;
  mpfr_init2(term, mpfr_get_prec(out));
  mpfr_neg(term, x, MPFR_RNDN);
  mpfr_exp(term, term, MPFR_RNDN);
  mpfr_ui_sub(out, 1, term, MPFR_RNDN);
  unsigned long factorial = 1;
  for (unsigned i = 1; i <= n; i++) {
    mpfr_mul(term, term, x, MPFR_RNDN);
    mpfr_div_ui(term, term, i, MPFR_RNDN);
    mpfr_sub(out, out, term, MPFR_RNDN);
    factorial *= i;
  }
  mpfr_mul_ui(out, out, squares[order - 1] * factorial, MPFR_RNDN);
  mpfr_div_ui(out, out, 3, MPFR_RNDN);
  mpfr_div_2ui(out, out, n + 1, MPFR_RNDN);
  mpfr_clear(term);
}

/* Q of a gap of x/2. */
static void block_noise(block *q, unsigned order, const mpfr_t x) {
  static const unsigned factorials[] = {1, 1, 2};
  for (unsigned j = 0; j < order; j++)
    for (unsigned k = 0; k <= j; k++) {
      const unsigned i = order - 1 - j, l = order - 1 - k;
      integral(q->at[j][k], order, i + l, x);
      mpfr_div_ui(q->at[j][k], q->at[j][k], factorials[i] * factorials[l], MPFR_RNDN);
      mpfr_set(q->at[k][j], q->at[j][k], MPFR_RNDN);
    }
}

/* The lower Cholesky factor, in place; what is above the diagonal stays. */
static void block_cholesky(block *b, unsigned order) {
  for (unsigned j = 0; j < order; j++)
    for (unsigned k = 0; k <= j; k++) {
      for (unsigned i = 0; i < k; i++) take(b->at[j][k], b->at[j][i], b->at[k][i]);
      if (k < j)
        mpfr_div(b->at[j][k], b->at[j][k], b->at[k][k], MPFR_RNDN);
      else
        mpfr_sqrt(b->at[j][k], b->at[j][k], MPFR_RNDN);
    }
}

/* y := L^-1 y */
static void block_forward(block *y, const block *lower, unsigned order) {
  for (unsigned c = 0; c < order; c++)
    for (unsigned j = 0; j < order; j++) {
      for (unsigned i = 0; i < j; i++) take(y->at[j][c], lower->at[j][i], y->at[i][c]);
      mpfr_div(y->at[j][c], y->at[j][c], lower->at[j][j], MPFR_RNDN);
    }
}

/* x := L'^-1 x */
static void block_backward(block *x, const block *lower, unsigned order) {
  for (unsigned c = 0; c < order; c++)
    for (unsigned j = order; j-- > 0;) {
      for (unsigned i = j + 1; i < order; i++) take(x->at[j][c], lower->at[i][j], x->at[i][c]);
      mpfr_div(x->at[j][c], x->at[j][c], lower->at[j][j], MPFR_RNDN);
    }
}

/* v := a q, a upper triangular */
static void block_multiply(block *v, const block *a, const block *q, unsigned order) {
  for (unsigned j = 0; j < order; j++)
    for (unsigned c = 0; c < order; c++) {
      mpfr_set_zero(v->at[j][c], 1);
      for (unsigned k = j; k < order; k++)
        mpfr_fma(v->at[j][c], a->at[j][k], q->at[k][c], v->at[j][c], MPFR_RNDN);
    }
}

/* q := q - y'y */
static void block_downdate(block *q, const block *y, unsigned order) {
  for (unsigned j = 0; j < order; j++)
    for (unsigned k = 0; k < order; k++)
      for (unsigned i = 0; i < order; i++) take(q->at[j][k], y->at[i][j], y->at[i][k]);
}

/* Halves of gap t: r = A r1 + r2 has S = Q(2t) = A Q A' + Q, r1 covariance V' = Q A' with it; so
 * gain = V' S^-1 and r1's covariance given r is Q - V' S^-1 V. */
static void bridge_set(sfmi_bridge *bridge, unsigned order, double length) {
  const int deficit = -ilogb(length);
  const mpfr_prec_t bits = 256 + 8 * (deficit > 0 ? deficit : 0);
  block a, q, s, v;
  mpfr_t x;
  block *const blocks[] = {&a, &q, &s, &v};
  for (unsigned i = 0; i < 4; i++) block_init(blocks[i], bits);
  mpfr_init2(x, bits);
  mpfr_set_d(x, length, MPFR_RNDN);
  block_noise(&q, order, x); /* x is twice the half's length */
  mpfr_div_2ui(x, x, 1, MPFR_RNDN);
  block_carry(&a, order, x);
  mpfr_mul_2ui(x, x, 2, MPFR_RNDN);
  block_noise(&s, order, x);
  block_multiply(&v, &a, &q, order);
  block_cholesky(&s, order);
  block_forward(&v, &s, order);
  block_downdate(&q, &v, order);
  block_cholesky(&q, order);
  block_backward(&v, &s, order);
  for (unsigned j = 0; j < order; j++) {
    bridge->carry[j] = mpfr_get_d(a.at[0][j], MPFR_RNDN);
    for (unsigned k = 0; k < order; k++)
      bridge->gain[j * order + k] = mpfr_get_d(v.at[k][j], MPFR_RNDN);
    for (unsigned k = 0; k <= j; k++)
      bridge->noise[j * (j + 1) / 2 + k] = mpfr_get_d(q.at[j][k], MPFR_RNDN);
  }
  for (unsigned i = 0; i < 4; i++) block_clear(blocks[i]);
  mpfr_clear(x);
}

void sfmi_bridges_set(sfmi_bridge *bridges, size_t count, unsigned order, double length) {
  assert(length >= 0x1p-200 && isfinite(length));
  for (size_t l = 0; l < count; l++) bridge_set(&bridges[l], order, ldexp(length, -(int)l));
  mpfr_free_cache();
}
