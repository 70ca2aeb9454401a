#include "discrete_distributions.h"

#include <assert.h>

#include "exp_decide.h"
#include "lazy_uniform.h"

uint64_t sfmi_uniform(sfmi_stream *stream, uint64_t n) {
  assert(n >= 1);
  /* The high half of word n is uniform once words with low half below 2^64 mod n are refused. */
  sfmi_u128 product = (sfmi_u128)sfmi_stream_word(stream) * n;
  if ((uint64_t)product < n) {
    uint64_t remainder = -n % n;
    while ((uint64_t)product < remainder) product = (sfmi_u128)sfmi_stream_word(stream) * n;
  }
  return (uint64_t)(product >> 64);
}

sfmi_u128 sfmi_uniform_wide(sfmi_stream *stream, sfmi_u128 n) {
  assert(n >= 1);
  if (n <= UINT64_MAX) return sfmi_uniform(stream, (uint64_t)n);
  /* So many bits of the high word as n - 1 has there; what is n or more is drawn again. */
  const uint64_t high = (uint64_t)((n - 1) >> 64);
  const unsigned unused = high ? (unsigned)__builtin_clzll(high) : 64;
  sfmi_u128 value;
  do {
    value = unused < 64 ? (sfmi_u128)(sfmi_stream_word(stream) >> unused) << 64 : 0;
    value |= sfmi_stream_word(stream);
  } while (value >= n);
  return value;
}

bool sfmi_bernoulli(sfmi_stream *stream, sfm_ratio p) {
  assert(p.denominator && p.numerator <= p.denominator);
  return sfmi_uniform(stream, p.denominator) < p.numerator;
}

static void enclose_exp_ratio(mpfr_t lower, mpfr_t upper, void *context) {
  mpq_srcptr t = context;
  sfmi_enclose_exp(lower, upper, t, t);
}

/* Bernoulli(exp(-p/q)), p < q: t 2^64 lies in [t, t + 1]. */
static bool bernoulli_exp_below_one(sfmi_stream *stream, uint64_t p, uint64_t q) {
  if (p == 0) return true;
  uint64_t u = sfmi_stream_word(stream);
  uint64_t t = (uint64_t)(((sfmi_u128)p << 64) / q);
  /* t + 1 <= 2^64 - 1: p/q <= 1 - 2^-64 only reaches t = 2^64 - 2 */
  sfmi_decision verdict = sfmi_exp_decide(u, t, t + 1);
  if (verdict != SFMI_UNDECIDED) return verdict == SFMI_YES;
  mpq_t ratio;
  sfmi_lazy_uniform uniform;
  mpq_init(ratio);
  sfmi_mpq_set_ratio(ratio, p, q);
  sfmi_lazy_init(&uniform, stream, u, 64);
  bool below = sfmi_lazy_below(&uniform, enclose_exp_ratio, ratio);
  sfmi_lazy_clear(&uniform);
  mpq_clear(ratio);
  mpfr_free_cache();
  return below;
}

bool sfmi_bernoulli_exp(sfmi_stream *stream, sfm_ratio t) {
  assert(t.denominator);
  /* exp(-t) = exp(-frac t) (exp(-1/2))^(2 floor t); the first failure ends it. */
  uint64_t whole = t.numerator / t.denominator;
  if (!bernoulli_exp_below_one(stream, t.numerator % t.denominator, t.denominator)) return false;
  for (sfmi_u128 i = 0; i < (sfmi_u128)2 * whole; i++) {
    if (!bernoulli_exp_below_one(stream, 1, 2)) return false;
  }
  return true;
}
