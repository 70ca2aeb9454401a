/* binomial.c - exact binomials by lazy comparison of n uniforms with p at once.
 *
 * Trial i succeeds if U_i < p.  Reading binary digits of p: of the m trials that agree so far,
 * K ~ Bin(m, 1/2) have the next bit 1.  Digit 1: the m - K with bit 0 succeed, K go on.
 * Digit 0: the K with bit 1 fail, m - K go on.  About log2 n digits are read.
 *
 * Bin(2k, 1/2) for large k: the law of k + d is proportional to
 *     f(d) = C(2k, k+d) / C(2k, k),  |d| <= k,
 * and with e_j = 2j - 1,  -log f(d) = sum_{j<=d} log(1 + e_j/(k-j+1)) = -sum log(1 - e_j/(k+j)), so
 *     d^2/(k+d) <= -log f(d) <= d^2/(k-d+1)                                              (1)
 * With W = ceil(sqrt k), |d| in [iW, (i+1)W) and |d| <= k:  -log f >= d^2/2k >= i^2/2 >= i/2.  So
 * propose i geometric with ratio exp(-1/2), |d| uniform in the block, a sign, and keep with
 * probability f(d) exp(i/2), enclosed first by (1), then by log-gamma at growing precision. */
#include "binomial.h"

#include <assert.h>

#include "discrete_distributions.h"
#include "lazy_uniform.h"

#define POPCOUNT_MAX 65536

static uint64_t count_bits(sfmi_stream *stream, uint64_t n) {
  uint64_t ones = 0;
  for (; n >= 64; n -= 64) ones += (uint64_t)__builtin_popcountll(sfmi_stream_word(stream));
  if (n) ones += (uint64_t)__builtin_popcountll(sfmi_stream_word(stream) >> (64 - n));
  return ones;
}

typedef struct proposal {
  uint64_t k, d, i;
  unsigned attempt;
} proposal;

/* out := i/2 - d^2/divisor, rounded as told. */
static void elementary(mpfr_t out, const proposal *p, uint64_t divisor, mpfr_rnd_t rounding) {
  mpq_t exponent, half;
  mpq_inits(exponent, half, NULL);
  mpz_set_ui(mpq_numref(exponent), p->d);
  mpz_mul(mpq_numref(exponent), mpq_numref(exponent), mpq_numref(exponent));
  mpz_set_ui(mpq_denref(exponent), divisor);
  mpq_canonicalize(exponent);
  sfmi_mpq_set_ratio(half, p->i, 2);
  mpq_sub(exponent, half, exponent);
  mpfr_set_q(out, exponent, rounding);
  mpq_clears(exponent, half, NULL);
}

/* out := i/2 + 2 logG(k+1) - logG(k+d+1) - logG(k-d+1), rounded as told. */
static void by_log_gamma(mpfr_t out, const proposal *p, mpfr_rnd_t rounding) {
  mpfr_rnd_t opposite = rounding == MPFR_RNDD ? MPFR_RNDU : MPFR_RNDD;
  /* Arguments below 2^62 + 2 have logarithms of gamma below 2^69. */
  mpfr_t term, sum;
  mpfr_inits2(mpfr_get_prec(out) + 80, term, sum, (mpfr_ptr)0);
  mpfr_set_ui(term, p->k + 1, MPFR_RNDN);
  mpfr_lngamma(term, term, rounding);
  mpfr_mul_2ui(sum, term, 1, rounding);
  mpfr_set_ui(term, p->k + p->d + 1, MPFR_RNDN);
  mpfr_lngamma(term, term, opposite);
  mpfr_sub(sum, sum, term, rounding);
  mpfr_set_ui(term, p->k - p->d + 1, MPFR_RNDN);
  mpfr_lngamma(term, term, opposite);
  mpfr_sub(sum, sum, term, rounding);
  mpfr_set_ui(term, p->i, MPFR_RNDN);
  mpfr_div_2ui(term, term, 1, MPFR_RNDN);
  mpfr_add(out, sum, term, rounding);
  mpfr_clears(term, sum, (mpfr_ptr)0);
}

static void enclose_ratio(mpfr_t lower, mpfr_t upper, void *context) {
  proposal *p = context;
  if (p->attempt++ == 0) {
    elementary(lower, p, p->k - p->d + 1, MPFR_RNDD);
    elementary(upper, p, p->k + p->d, MPFR_RNDU);
  } else {
    by_log_gamma(lower, p, MPFR_RNDD);
    by_log_gamma(upper, p, MPFR_RNDU);
  }
  mpfr_exp(lower, lower, MPFR_RNDD);
  mpfr_exp(upper, upper, MPFR_RNDU);
}

/* Bin(2k, 1/2) - k, k >= 1. */
static int64_t centred(sfmi_stream *stream, uint64_t k) {
  mpz_t root;
  mpz_init_set_ui(root, k - 1);
  mpz_sqrt(root, root);
  uint64_t width = mpz_get_ui(root) + 1; /* ceil(sqrt k) */
  mpz_clear(root);
  for (;;) {
    proposal p = {.k = k};
    while (p.i <= k / width && sfmi_bernoulli_exp(stream, (sfm_ratio){1, 2})) p.i++;
    if (p.i > k / width) continue; /* past every |d| <= k */
    uint64_t sign = sfmi_stream_word(stream) >> 63;
    p.d = p.i * width + sfmi_uniform(stream, width);
    if (p.d > k || (sign && p.d == 0)) continue;
    if (p.d == 0) return 0;
    sfmi_lazy_uniform uniform;
    sfmi_lazy_init(&uniform, stream, sfmi_stream_word(stream), 64);
    bool kept = sfmi_lazy_below(&uniform, enclose_ratio, &p);
    sfmi_lazy_clear(&uniform);
    if (kept) return sign ? -(int64_t)p.d : (int64_t)p.d;
  }
}

static uint64_t half(sfmi_stream *stream, uint64_t n) {
  if (n <= POPCOUNT_MAX) return count_bits(stream, n);
  uint64_t odd = n & 1 ? sfmi_stream_word(stream) >> 63 : 0;
  return n / 2 + (uint64_t)centred(stream, n / 2) + odd;
}

/* The binary digits of a probability below 1, from the first on. */
typedef struct digits {
  sfmi_probability chance;
  uint64_t remainder; /* ratio: what is left, times the denominator */
  mpz_t prefix;       /* tail: the first `known` digits */
  mp_bitcnt_t known, read;
} digits;

/* [lower, upper] encloses P(Z > tau) = r^(tau+1) / (1 + r), r = exp(-1/scale), for tau >= 0. */
static void enclose_tail(mpfr_t lower, mpfr_t upper, sfm_ratio scale, uint64_t tau) {
  mpq_t one, far;
  mpfr_t low, high;
  mpq_inits(one, far, NULL);
  mpfr_inits2(mpfr_get_prec(lower), low, high, (mpfr_ptr)0);
  sfmi_mpq_set_ratio(one, scale.denominator, scale.numerator);
  mpz_set_ui(mpq_numref(far), tau);
  mpz_add_ui(mpq_numref(far), mpq_numref(far), 1);
  mpq_mul(far, far, one);
  sfmi_enclose_exp(low, high, one, one);
  sfmi_enclose_exp(lower, upper, far, far);
  mpfr_add_ui(low, low, 1, MPFR_RNDD);
  mpfr_add_ui(high, high, 1, MPFR_RNDU);
  mpfr_div(lower, lower, high, MPFR_RNDD);
  mpfr_div(upper, upper, low, MPFR_RNDU);
  mpfr_clears(low, high, (mpfr_ptr)0);
  mpq_clears(one, far, NULL);
}

/* Doubles the number of known digits of the tail.  Ends: a tail is below 1/2 and transcendental. */
static void know_more(digits *d) {
  mpfr_t lower, upper;
  mpz_t other;
  mpfr_inits2(2, lower, upper, (mpfr_ptr)0);
  mpz_init(other);
  mp_bitcnt_t target = d->known ? 2 * d->known : 64;
  for (mpfr_prec_t precision = (mpfr_prec_t)target + 64;; precision *= 2) {
    mpfr_set_prec(lower, precision);
    mpfr_set_prec(upper, precision);
    enclose_tail(lower, upper, d->chance.ratio, (uint64_t)d->chance.tau);
    mpfr_mul_2ui(lower, lower, target, MPFR_RNDD);
    mpfr_mul_2ui(upper, upper, target, MPFR_RNDU);
    mpfr_get_z(d->prefix, lower, MPFR_RNDD);
    mpfr_get_z(other, upper, MPFR_RNDD);
    if (mpz_cmp(d->prefix, other) == 0) break;
  }
  d->known = target;
  mpz_clear(other);
  mpfr_clears(lower, upper, (mpfr_ptr)0);
}

static bool next_digit(digits *d) {
  if (d->chance.kind == SFMI_PROBABILITY_RATIO) {
    sfmi_u128 doubled = (sfmi_u128)d->remainder << 1;
    bool one = doubled >= d->chance.ratio.denominator;
    d->remainder = (uint64_t)(one ? doubled - d->chance.ratio.denominator : doubled);
    return one;
  }
  if (d->read == d->known) know_more(d);
  d->read++;
  return mpz_tstbit(d->prefix, d->known - d->read);
}

uint64_t sfmi_binomial(sfmi_stream *stream, uint64_t n, sfmi_probability chance) {
  assert(n <= SFMI_BINOMIAL_MAX && chance.ratio.denominator);
  bool ratio = chance.kind == SFMI_PROBABILITY_RATIO;
  assert(!ratio || chance.ratio.numerator <= chance.ratio.denominator);
  assert(ratio || chance.ratio.numerator);
  if (ratio && chance.ratio.numerator == chance.ratio.denominator) return n;
  if (!ratio && chance.tau < 0) { /* P(Z > tau) = 1 - P(Z > -tau-1) */
    chance.tau = -(chance.tau + 1);
    return n - sfmi_binomial(stream, n, chance);
  }
  digits d = {.chance = chance, .remainder = chance.ratio.numerator};
  mpz_init(d.prefix);
  uint64_t successes = 0, m = n;
  while (m && !(ratio && d.remainder == 0)) { /* no digits left: what agrees so far is >= p */
    uint64_t ones = half(stream, m);
    if (next_digit(&d)) {
      successes += m - ones;
      m = ones;
    } else {
      m -= ones;
    }
  }
  mpz_clear(d.prefix);
  mpfr_free_cache();
  return successes;
}
