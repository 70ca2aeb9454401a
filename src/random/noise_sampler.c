/* noise_sampler.c - discrete Laplace, rounded normal, discrete Gaussian.
 *
 * Laplace and normal: x = (c + y) / 32 is an exact Exp(1) or half-normal real, bin c and bits of y
 * as drawn; the magnitude is floor(x s) or floor(x s + 1/2), s = p/q the scale.
 * Discrete Gaussian: the magnitude is c w + d, w = max(1, floor(s/32)), 0 <= d < w.  A discrete
 * Laplace of scale at most 8 is tabled the same way with w = 1.
 *
 * Hot path, all in 64 and 128 bits.  Let e = c 2^64 + Y <= x 2^69 < e + 1 and let
 * m 2^-h <= s < (m + 1) 2^-h with 2^63 <= m < 2^64.  Then x s 2^(69+h) lies in
 * [e m, (e+1)(m+1)), and with A = floor(e m / 2^64) = c m + floor(Y m / 2^64)
 *     A 2^64 <= x s 2^(69+h) < (A + c + 3) 2^64,
 * so floor(x s) is settled if A and A + c + 2 agree after a shift by h + 5.  If not, exact integers
 * of any length and more bits of y decide.
 *
 * No overflow: c < 2^12 (SFMI_BINS_COUNT_MAX) gives A < 2^77; 2^-20 <= s <= 2^52 gives
 * 11 <= h <= 83, so shifts stay in 16..88 and the rounding half 2^(h+4) <= 2^87.  For the Gaussian
 * w <= 2^47, so c w + d < 2^59 and d (2 c w + d) < 2^107. */
#include "noise_sampler.h"

#include <assert.h>
#include <stdlib.h>

#include "exp_decide.h"
#include "rejection_bins.h"

#define BINS_PER_UNIT 32
#define TABLED_LAPLACE_MAX 8

struct sfmi_sampler {
  sfm_noise_law law;
  sfm_ratio scale;
  sfmi_bins bins;
  bool tabled; /* the magnitude is c w + d: no real number is drawn */
  /* not tabled */
  uint64_t mantissa; /* m */
  unsigned shift;    /* h + 5 */
  sfmi_u128 half;    /* 2^(h+4) for the normal, else 0 */
  /* tabled, if w > 1: t 2^64 = K 2^lift g 2^-thin_shift (1 + rounding), K = d (2 c w + d) */
  uint64_t width;     /* w; 1 for the Laplace */
  uint64_t remainder; /* 2^64 mod w */
  int lift;           /* K 2^lift < 2^64 for every tabled c */
  uint64_t thin;      /* g, 2^63 <= g < 2^64 */
  unsigned thin_shift;
};

/* mantissa 2^-exponent <= ratio < (mantissa + 1) 2^-exponent, 2^63 <= mantissa < 2^64. */
static uint64_t normalise(mpq_srcptr ratio, int *exponent) {
  mpz_t quotient;
  mpz_init(quotient);
  int e =
      64 - (int)mpz_sizeinbase(mpq_numref(ratio), 2) + (int)mpz_sizeinbase(mpq_denref(ratio), 2);
  for (;; e--) {
    mpz_t numerator, denominator;
    mpz_init_set(numerator, mpq_numref(ratio));
    mpz_init_set(denominator, mpq_denref(ratio));
    if (e >= 0) mpz_mul_2exp(numerator, numerator, (mp_bitcnt_t)e);
    if (e < 0) mpz_mul_2exp(denominator, denominator, (mp_bitcnt_t)-e);
    mpz_fdiv_q(quotient, numerator, denominator);
    mpz_clears(numerator, denominator, NULL);
    if (mpz_sizeinbase(quotient, 2) <= 64) break;
  }
  uint64_t mantissa = mpz_get_ui(quotient);
  mpz_clear(quotient);
  *exponent = e;
  return mantissa;
}

static void prepare_continuous(sfmi_sampler *s) {
  mpq_t scale;
  int h;
  mpq_init(scale);
  sfmi_mpq_set_ratio(scale, s->scale.numerator, s->scale.denominator);
  s->mantissa = normalise(scale, &h);
  mpq_clear(scale);
  assert(s->mantissa >> 63 && h >= 11 && h <= 83);
  assert(s->law == SFM_NOISE_LAW_DISCRETE_LAPLACE || s->bins.count < 1000);
  s->shift = (unsigned)h + 5;
  s->half = s->law == SFM_NOISE_LAW_ROUNDED_NORMAL ? (sfmi_u128)1 << (s->shift - 1) : 0;
}

/* g 2^-thin_shift = 2^-lift a 2^64 / w^2 rounded down.  Since w <= s/32 and tabled c < 1000,
 * t = K a / w^2 <= (2c + 1)/2048 < 1/2 while max K 2^lift >= 2^63: the factor is below 1, so
 * thin_shift >= 64. */
static void prepare_thinning(sfmi_sampler *s) {
  if (s->width == 1) return;
  s->remainder = -s->width % s->width;
  sfmi_u128 largest =
      (sfmi_u128)(s->width - 1) * (2 * (s->bins.count - 1) * s->width + s->width - 1);
  int bits = largest >> 64 ? 128 - __builtin_clzll((uint64_t)(largest >> 64))
                           : 64 - __builtin_clzll((uint64_t)largest);
  s->lift = 64 - bits;
  mpq_t factor, square;
  mpq_inits(factor, square, NULL);
  sfmi_mpq_set_ratio(square, s->width, 1);
  mpq_mul(square, square, square);
  mpq_div(factor, s->bins.rate, square);
  mpq_mul_2exp(factor, factor, (mp_bitcnt_t)bits);
  int exponent;
  s->thin = normalise(factor, &exponent);
  mpq_clears(factor, square, NULL);
  assert(s->bins.count < 1000 && s->thin >> 63 && exponent >= 64 && exponent < 128);
  s->thin_shift = (unsigned)exponent;
}

static sfm_status check(sfm_noise_law law, sfm_ratio scale, sfm_error *error) {
  if (law != SFM_NOISE_LAW_DISCRETE_LAPLACE && law != SFM_NOISE_LAW_ROUNDED_NORMAL &&
      law != SFM_NOISE_LAW_DISCRETE_GAUSSIAN) {
    return sfmi_fail(error, SFM_INVALID, "unknown noise law %d", (int)law);
  }
  if (!scale.numerator || !scale.denominator) {
    return sfmi_fail(error, SFM_INVALID, "the noise scale %llu/%llu is not a positive ratio",
                     (unsigned long long)scale.numerator, (unsigned long long)scale.denominator);
  }
  sfmi_u128 p = scale.numerator, q = scale.denominator;
  if (p << -SFMI_SCALE_LOG2_MIN < q || p > q << SFMI_SCALE_LOG2_MAX) {
    return sfmi_fail(error, SFM_INVALID,
                     "the noise scale %llu/%llu is outside 2^%d to 2^%d, where sampling is exact; "
                     "choose another step, so that the scale in steps is inside",
                     (unsigned long long)scale.numerator, (unsigned long long)scale.denominator,
                     SFMI_SCALE_LOG2_MIN, SFMI_SCALE_LOG2_MAX);
  }
  return SFM_OK;
}

/* a: 1/32 for Exp(1), 1/2048 for the half-normal; tabled: 1/s for the discrete Laplace,
 * w^2 / 2 s^2 for the discrete Gaussian. */
static void set_rate(mpq_t rate, const sfmi_sampler *s) {
  if (s->law == SFM_NOISE_LAW_DISCRETE_LAPLACE && s->tabled) {
    sfmi_mpq_set_ratio(rate, s->scale.denominator, s->scale.numerator);
  } else if (s->law == SFM_NOISE_LAW_DISCRETE_LAPLACE) {
    sfmi_mpq_set_ratio(rate, 1, BINS_PER_UNIT);
  } else if (s->law == SFM_NOISE_LAW_ROUNDED_NORMAL) {
    sfmi_mpq_set_ratio(rate, 1, 2 * BINS_PER_UNIT * BINS_PER_UNIT);
  } else {
    mpq_t width;
    mpq_init(width);
    sfmi_mpq_set_ratio(width, s->width, 1);
    sfmi_mpq_set_ratio(rate, s->scale.denominator, s->scale.numerator);
    mpq_mul(rate, rate, width);
    mpq_mul(rate, rate, rate);
    mpq_div_2exp(rate, rate, 1);
    mpq_clear(width);
  }
}

sfm_status sfmi_sampler_create(sfmi_sampler **out, sfm_noise_law law, sfm_ratio scale,
                               sfm_error *error) {
  *out = NULL;
  sfm_status status = check(law, scale, error);
  if (status) return status;
  sfmi_sampler *s = sfmi_alloc(1, sizeof *s);
  if (!s) return sfmi_fail_memory(error);
  s->law = law;
  s->scale = scale;
  s->tabled = law == SFM_NOISE_LAW_DISCRETE_GAUSSIAN ||
              (law == SFM_NOISE_LAW_DISCRETE_LAPLACE &&
               scale.numerator <= (sfmi_u128)TABLED_LAPLACE_MAX * scale.denominator);
  s->width = scale.numerator / scale.denominator / BINS_PER_UNIT;
  if (!s->width || !s->tabled) s->width = 1;
  mpq_t rate;
  mpq_init(rate);
  set_rate(rate, s);
  status = sfmi_bins_init(&s->bins, rate, law == SFM_NOISE_LAW_DISCRETE_LAPLACE ? 1 : 2, error);
  mpq_clear(rate);
  if (status) {
    sfmi_sampler_destroy(s);
    return status;
  }
  if (s->tabled) {
    prepare_thinning(s);
  } else {
    prepare_continuous(s);
  }
  *out = s;
  return SFM_OK;
}

void sfmi_sampler_destroy(sfmi_sampler *sampler) {
  if (!sampler) return;
  sfmi_bins_clear(&sampler->bins);
  free(sampler);
}

/* floor((2 (c 2^L + bits) p + [normal] 32 q 2^L) / (64 q 2^L)), and the same for the upper end of
 * y's interval, which is open: one is subtracted.  More bits until both agree.
 * Below 2^112 since c < 2^64. */
static sfmi_u128 cold_round(const sfmi_sampler *s, uint64_t c, sfmi_lazy_uniform *y) {
  mpz_t low, high, step, divisor;
  mpz_inits(low, high, step, divisor, NULL);
  for (;;) {
    mpz_set_ui(divisor, s->scale.denominator);
    mpz_mul_2exp(divisor, divisor, y->length + 6);
    mpz_set_ui(low, c);
    mpz_mul_2exp(low, low, y->length);
    mpz_add(low, low, y->bits);
    mpz_set_ui(step, s->scale.numerator);
    mpz_mul_2exp(step, step, 1);
    mpz_mul(low, low, step);
    if (s->law == SFM_NOISE_LAW_ROUNDED_NORMAL) {
      mpz_fdiv_q_2exp(high, divisor, 1);
      mpz_add(low, low, high);
    }
    mpz_add(high, low, step);
    mpz_sub_ui(high, high, 1);
    mpz_fdiv_q(low, low, divisor);
    mpz_fdiv_q(high, high, divisor);
    if (mpz_cmp(low, high) == 0) break;
    sfmi_lazy_extend(y);
  }
  sfmi_u128 magnitude = sfmi_mpz_get(low);
  mpz_clears(low, high, step, divisor, NULL);
  return magnitude;
}

/* The rest of a draw whose thinning (v) or rounding (kept already) 64 bits of y do not decide. */
static __attribute__((noinline)) bool cold_finish(const sfmi_sampler *s, sfmi_stream *stream,
                                                  uint64_t c, uint64_t y_bits, bool kept,
                                                  uint64_t v, sfmi_u128 *magnitude) {
  sfmi_lazy_uniform y;
  sfmi_lazy_init(&y, stream, y_bits, 64);
  kept = kept || sfmi_bins_keep_lazy(&s->bins, c, &y, v);
  if (kept) *magnitude = cold_round(s, c, &y);
  sfmi_lazy_clear(&y);
  mpfr_free_cache();
  return kept;
}

/* The rest of a draw whose bin 63 bits do not decide. */
static __attribute__((noinline)) bool cold_start(const sfmi_sampler *s, sfmi_stream *stream,
                                                 uint64_t c, uint64_t u, sfmi_u128 *magnitude) {
  c = sfmi_bins_find_cold(&s->bins, stream, c, u);
  uint64_t y = sfmi_stream_word(stream);
  uint64_t v = sfmi_stream_word(stream);
  return cold_finish(s, stream, c, y, false, v, magnitude);
}

/* One attempt at floor(x s) or floor(x s + 1/2) from the bin word u; false: thinned away. */
static inline bool continuous(const sfmi_sampler *s, sfmi_stream *stream, bool normal, uint64_t u,
                              sfmi_u128 *magnitude) {
  unsigned c = sfmi_bins_find(&s->bins, u);
  if (__builtin_expect(u == s->bins.threshold[c], 0)) {
    return cold_start(s, stream, c, u, magnitude);
  }
  uint64_t y = sfmi_stream_word(stream);
  uint64_t v = sfmi_stream_word(stream);
  uint64_t t, t_width;
  if (normal) { /* t = (2 c y + y^2) / 2048; c < 1000, so the next y adds less than 1 + 1 */
    uint64_t square = (uint64_t)(((sfmi_u128)y * y) >> 64);
    t = (uint64_t)(((sfmi_u128)y * (2 * c) + square) >> 11);
    t_width = 2;
  } else { /* t = y / 32 */
    t = y >> 5;
    t_width = 1;
  }
  sfmi_decision keep = sfmi_exp_decide(v, t, t + t_width);
  if (keep == SFMI_NO) return false;
  sfmi_u128 a = (sfmi_u128)s->mantissa * c + (uint64_t)(((sfmi_u128)y * s->mantissa) >> 64);
  a += s->half;
  *magnitude = a >> s->shift;
  if (__builtin_expect(keep == SFMI_YES && *magnitude == (a + c + 2) >> s->shift, 1)) return true;
  return cold_finish(s, stream, c, y, keep == SFMI_YES, v, magnitude);
}

/* Uniform in [0, w): the high half of word w, unless the low half is below 2^64 mod w. */
static inline uint64_t uniform_offset(const sfmi_sampler *s, sfmi_stream *stream) {
  for (;;) {
    sfmi_u128 product = (sfmi_u128)sfmi_stream_word(stream) * s->width;
    if (__builtin_expect((uint64_t)product >= s->remainder, 1)) return (uint64_t)(product >> 64);
  }
}

static __attribute__((noinline)) bool cold_tabled(const sfmi_sampler *s, sfmi_stream *stream,
                                                  uint64_t c, uint64_t u, sfmi_u128 *magnitude) {
  c = sfmi_bins_find_cold(&s->bins, stream, c, u);
  uint64_t d = s->width == 1 ? 0 : uniform_offset(s, stream);
  *magnitude = (sfmi_u128)c * s->width + d;
  bool kept = s->width == 1 ||
              sfmi_bins_keep_at(&s->bins, stream, c, d, s->width, sfmi_stream_word(stream));
  mpfr_free_cache();
  return kept;
}

/* Thins by exp(-t), t = d (2 c w + d) / 2 s^2. */
static inline bool tabled_keep(const sfmi_sampler *s, sfmi_stream *stream, unsigned c, uint64_t d) {
  uint64_t v = sfmi_stream_word(stream);
  sfmi_u128 k = (sfmi_u128)d * (2 * c * s->width + d);
  uint64_t lifted = (uint64_t)(s->lift < 0 ? k >> -s->lift : k << s->lift);
  uint64_t t = (uint64_t)(((sfmi_u128)lifted * s->thin) >> s->thin_shift);
  /* (lifted + 1)(g + 1) < lifted g + 2^65, and thin_shift >= 64 */
  sfmi_decision keep = sfmi_exp_decide(v, t, t + 3);
  if (__builtin_expect(keep != SFMI_UNDECIDED, 1)) return keep == SFMI_YES;
  bool kept = sfmi_bins_keep_at(&s->bins, stream, c, d, s->width, v);
  mpfr_free_cache();
  return kept;
}

static inline bool tabled(const sfmi_sampler *s, sfmi_stream *stream, uint64_t u,
                          sfmi_u128 *magnitude) {
  unsigned c = sfmi_bins_find(&s->bins, u);
  if (__builtin_expect(u == s->bins.threshold[c], 0)) {
    return cold_tabled(s, stream, c, u, magnitude);
  }
  if (s->width == 1) {
    *magnitude = c;
    return true;
  }
  uint64_t d = uniform_offset(s, stream);
  *magnitude = c * s->width + d;
  return tabled_keep(s, stream, c, d);
}

static inline sfmi_i128 with_sign(uint64_t word, sfmi_u128 magnitude) {
  return word >> 63 ? -(sfmi_i128)magnitude : (sfmi_i128)magnitude;
}

/* The top bit of the first word is the sign, the other 63 find the bin.  The discrete laws refuse
 * minus zero, which would count zero twice; the rounded normal does not: both halves of the real
 * line round to it. */
void sfmi_sampler_draw(const sfmi_sampler *s, sfmi_stream *stream, sfmi_i128 *values,
                       size_t count) {
  const bool normal = s->law == SFM_NOISE_LAW_ROUNDED_NORMAL;
  uint64_t word;
  sfmi_u128 magnitude = 0;
  for (size_t i = 0; i < count; i++) {
    bool kept;
    do {
      word = sfmi_stream_word(stream);
      uint64_t u = word & SFMI_BINS_WORD_MAX;
      kept = s->tabled ? tabled(s, stream, u, &magnitude)
             : normal  ? continuous(s, stream, true, u, &magnitude)
                       : continuous(s, stream, false, u, &magnitude);
    } while (!kept || (word >> 63 && magnitude == 0 && !normal));
    values[i] = with_sign(word, magnitude);
  }
}

void sfmi_sampler_draw_geometric(const sfmi_sampler *s, sfmi_stream *stream, sfmi_i128 *values,
                                 size_t count) {
  assert(s->law == SFM_NOISE_LAW_DISCRETE_LAPLACE);
  for (size_t i = 0; i < count; i++) {
    sfmi_u128 magnitude = 0;
    bool kept;
    do {
      uint64_t u = sfmi_stream_word(stream) >> 1;
      kept = s->tabled ? tabled(s, stream, u, &magnitude)
                       : continuous(s, stream, false, u, &magnitude);
    } while (!kept);
    values[i] = (sfmi_i128)magnitude;
  }
}
