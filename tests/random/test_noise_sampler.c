/* test_noise_sampler.c - the exact samplers as black boxes that map words to integers.
 *
 * A draw is a deterministic function of the words fed to the stream, so its probabilities can be
 * checked exactly: at the words where the answer must change, computed here independently with
 * 700-bit MPFR and exact rationals, the answer does change, and it does so at the last bit. */
/* suite: release */
#include "sampler_checks.h"

#include <gmp.h>
#include <mpfr.h>

#include "random/noise_sampler.h"

#define ONES UINT64_MAX
#define PRECISION 700

static sfmi_sampler *sampler_of(sfm_noise_law law, uint64_t p, uint64_t q) {
  sfmi_sampler *sampler;
  sfm_error error;
  sfm_status status = sfmi_sampler_create(&sampler, law, (sfm_ratio){p, q}, &error);
  if (status) fail_msg("%s", error.message);
  return sampler;
}

/* The integer drawn from these words followed by ones (the integer: as an offset, a bin or a
 * uniform it is as good as zero, but no uniform integer refuses it); *used counts the words
 * consumed. */
static sfmi_i128 draw_from(const sfmi_sampler *sampler, sfmi_stream *stream, const uint64_t *words,
                           size_t count, size_t *used) {
  uint64_t all[64];
  for (int i = 0; i < 64; i++) all[i] = 1;
  memcpy(all, words, count * sizeof *words);
  feed(stream, all, 64);
  sfmi_i128 value;
  sfmi_sampler_draw(sampler, stream, &value, 1);
  if (used) *used = 64 - stream->left;
  return value;
}

/* cumulative[c] := F_c for weights exp(-(c w)^power q^power / (power p^power)), by plain summation
 * (power 2) or the closed form (power 1). */
static void reference_bins(mpfr_t *cumulative, size_t count, unsigned power, uint64_t w, uint64_t p,
                           uint64_t q) {
  mpfr_t term, total;
  mpfr_inits2(PRECISION, term, total, (mpfr_ptr)0);
  mpfr_set_zero(total, 1);
  for (size_t c = 0; c < count; c++) {
    mpfr_init2(cumulative[c], PRECISION);
    mpfr_set_ui(term, power == 1 ? c + 1 : c, MPFR_RNDN);
    mpfr_mul_ui(term, term, w, MPFR_RNDN);
    mpfr_mul_ui(term, term, q, MPFR_RNDN);
    mpfr_div_ui(term, term, p, MPFR_RNDN);
    if (power == 2) {
      mpfr_sqr(term, term, MPFR_RNDN);
      mpfr_div_2ui(term, term, 1, MPFR_RNDN);
    }
    mpfr_neg(term, term, MPFR_RNDN);
    mpfr_exp(term, term, MPFR_RNDN);
    if (power == 1) {
      mpfr_ui_sub(cumulative[c], 1, term, MPFR_RNDN);
    } else {
      mpfr_add(total, total, term, MPFR_RNDN);
      mpfr_set(cumulative[c], total, MPFR_RNDN);
    }
  }
  for (size_t c = 0; power == 2 && c < count; c++) {
    mpfr_div(cumulative[c], cumulative[c], total, MPFR_RNDN);
  }
  mpfr_clears(term, total, (mpfr_ptr)0);
}

static void clear_bins(mpfr_t *cumulative, size_t count) {
  for (size_t c = 0; c < count; c++) mpfr_clear(cumulative[c]);
}

/* words[0..2] := the first bits of value in [0, 1): 63, then 64 and 64. */
static void first_bits(uint64_t words[3], mpfr_t value) {
  mpz_t bits, word;
  mpfr_t scaled;
  mpz_inits(bits, word, NULL);
  mpfr_init2(scaled, PRECISION);
  mpfr_mul_2ui(scaled, value, 191, MPFR_RNDN);
  mpfr_get_z(bits, scaled, MPFR_RNDD);
  for (int i = 2; i >= 0; i--) {
    mpz_fdiv_r_2exp(word, bits, 64);
    words[i] = mpz_get_ui(word);
    mpz_fdiv_q_2exp(bits, bits, 64);
  }
  mpz_clears(bits, word, NULL);
  mpfr_clear(scaled);
}

/* The sampler's bin (read through `unit` integers a bin) changes from c to c + 1 exactly at F_c: at
 * 63 bits when those decide, and at 127 and 191 bits when they do not. */
static void check_thresholds(const sfmi_sampler *sampler, sfmi_stream *stream, mpfr_t *cumulative,
                             size_t count, size_t step, uint64_t unit) {
  for (size_t c = 0; c < count; c += step) {
    uint64_t at[3], below[3], above[3];
    first_bits(at, cumulative[c]);
    sfmi_i128 edge = (sfmi_i128)c * unit;
    if (at[0] > 0) {
      below[0] = at[0] - 1;
      assert_true(draw_from(sampler, stream, below, 1, NULL) <= edge);
    }
    if (at[0] < ONES >> 1) {
      above[0] = at[0] + 1;
      assert_true(draw_from(sampler, stream, above, 1, NULL) > edge);
    }
    if (at[1] == 0 || at[1] == ONES || at[2] == 0 || at[2] == ONES) continue;
    memcpy(below, at, sizeof at);
    memcpy(above, at, sizeof at);
    below[1]--;
    above[1]++;
    assert_true(draw_from(sampler, stream, below, 2, NULL) <= edge);
    assert_true(draw_from(sampler, stream, above, 2, NULL) > edge);
    if (c > 3) continue;
    memcpy(below, at, sizeof at);
    memcpy(above, at, sizeof at);
    below[2]--;
    above[2]++;
    assert_true(draw_from(sampler, stream, below, 3, NULL) <= edge);
    assert_true(draw_from(sampler, stream, above, 3, NULL) > edge);
  }
}

/* For small scales a draw of the discrete laws is its bin, so this is the whole mass function. */
static void discrete_masses_are_exact_for_small_scales(void **state) {
  (void)state;
  static mpfr_t cumulative[700];
  sfmi_stream *stream = seeded(1);
  for (uint64_t p = 1; p <= 7; p++) {
    for (uint64_t q = 1; q <= 7; q++) {
      size_t count = 32 * p / q + 34;
      sfmi_sampler *sampler = sampler_of(SFM_NOISE_LAW_DISCRETE_GAUSSIAN, p, q);
      reference_bins(cumulative, count, 2, 1, p, q);
      check_thresholds(sampler, stream, cumulative, 10 * p / q + 3, 1, 1);
      clear_bins(cumulative, count);
      sfmi_sampler_destroy(sampler);
      sampler = sampler_of(SFM_NOISE_LAW_DISCRETE_LAPLACE, p, q);
      count = 45 * p / q + 3;
      reference_bins(cumulative, count, 1, 1, p, q);
      check_thresholds(sampler, stream, cumulative, count, 1, 1);
      clear_bins(cumulative, count);
      sfmi_sampler_destroy(sampler);
    }
  }
  sfmi_stream_destroy(stream);
}

/* At scale 32 with y = 0 the magnitude is the bin; the steps pass the end of the table. */
static void bins_of_laplace_and_normal_are_exact(void **state) {
  (void)state;
  static mpfr_t cumulative[2048];
  sfmi_stream *stream = seeded(1);
  sfmi_sampler *sampler = sampler_of(SFM_NOISE_LAW_DISCRETE_LAPLACE, 32, 1);
  reference_bins(cumulative, 2048, 1, 1, 32, 1);
  check_thresholds(sampler, stream, cumulative, 1450, 29, 1);
  clear_bins(cumulative, 2048);
  sfmi_sampler_destroy(sampler);
  sampler = sampler_of(SFM_NOISE_LAW_ROUNDED_NORMAL, 32, 1);
  reference_bins(cumulative, 1100, 2, 1, 32, 1);
  check_thresholds(sampler, stream, cumulative, 380, 5, 1);
  clear_bins(cumulative, 1100);
  sfmi_sampler_destroy(sampler);
  sampler = sampler_of(SFM_NOISE_LAW_DISCRETE_GAUSSIAN, 3001, 30); /* w = 3 */
  reference_bins(cumulative, 1100, 2, 3, 3001, 30);
  check_thresholds(sampler, stream, cumulative, 400, 7, 3);
  clear_bins(cumulative, 1100);
  sfmi_sampler_destroy(sampler);
  sfmi_stream_destroy(stream);
}

/* A wrong reference is noticed: the thresholds of scale 0.99 are not those of scale 1. */
static void thresholds_reject_a_wrong_scale(void **state) {
  (void)state;
  static mpfr_t cumulative[70];
  sfmi_stream *stream = seeded(1);
  sfmi_sampler *sampler = sampler_of(SFM_NOISE_LAW_DISCRETE_GAUSSIAN, 1, 1);
  reference_bins(cumulative, 70, 2, 1, 99, 100);
  uint64_t at[3];
  first_bits(at, cumulative[0]);
  at[0]--;
  assert_false(draw_from(sampler, stream, at, 1, NULL) <= 0);
  clear_bins(cumulative, 70);
  sfmi_sampler_destroy(sampler);
  sfmi_stream_destroy(stream);
}

/* exp(-rate ((c + y)^power - c^power)) 2^64, y = (Y + tail/2^64) / 2^64 or numerator / w. */
static void reference_keep(mpfr_t out, unsigned power, mpq_srcptr rate, uint64_t c, mpq_srcptr y) {
  mpq_t t, factor;
  mpq_inits(t, factor, NULL);
  mpq_mul(t, rate, y);
  if (power == 2) {
    mpq_set_ui(factor, 2 * c, 1);
    mpq_add(factor, factor, y);
    mpq_mul(t, t, factor);
  }
  mpfr_set_q(out, t, MPFR_RNDN);
  mpfr_neg(out, out, MPFR_RNDN);
  mpfr_exp(out, out, MPFR_RNDN);
  mpfr_mul_2ui(out, out, 64, MPFR_RNDN);
  mpq_clears(t, factor, NULL);
}

static void set_y(mpq_t y, uint64_t high, uint64_t low) {
  mpz_set_ui(mpq_numref(y), high);
  mpz_mul_2exp(mpq_numref(y), mpq_numref(y), 64);
  mpz_add_ui(mpq_numref(y), mpq_numref(y), low);
  mpz_set_ui(mpq_denref(y), 1);
  mpq_div_2exp(y, y, 128);
}

/* A word that selects bin c, away from its ends. */
static uint64_t word_for(mpfr_t *cumulative, uint64_t c) {
  uint64_t here[3], before[3] = {0};
  first_bits(here, cumulative[c]);
  if (c) first_bits(before, cumulative[c - 1]);
  return before[0] + (here[0] - before[0]) / 2;
}

/* Probes v around the exact boundary of keeping (c, Y) for Exp(1) or the half-normal: at every
 * distance the answer is that of exact arithmetic.  Returns how many probes needed extra words. */
static unsigned probe_continuous(const sfmi_sampler *sampler, sfmi_stream *stream, unsigned power,
                                 mpfr_t *cumulative, uint64_t c, uint64_t y_bits) {
  unsigned extended = 0;
  mpq_t rate, y;
  mpfr_t boundary;
  mpq_inits(rate, y, NULL);
  mpfr_init2(boundary, PRECISION);
  mpq_set_ui(rate, 1, power == 1 ? 32 : 2048);
  for (int tail = 0; tail < 2; tail++) {
    set_y(y, y_bits, tail ? ONES : 0);
    reference_keep(boundary, power, rate, c, y);
    uint64_t centre = mpfr_get_ui(boundary, MPFR_RNDD);
    for (int64_t delta = -14; delta <= 14; delta++) {
      uint64_t v = centre + (uint64_t)delta;
      if ((delta > 0 && v < centre) || (delta < 0 && v > centre)) continue;
      uint64_t words[4] = {word_for(cumulative, c), y_bits, v, tail ? ONES : 0};
      size_t used;
      sfmi_i128 value = draw_from(sampler, stream, words, 4, &used);
      bool kept = mpfr_cmp_ui(boundary, v) > 0;
      /* a rejection is followed by 1, which draws 0, or by ONES, which draws a negative */
      if (kept) assert_true(value == (sfmi_i128)c || value == (sfmi_i128)c + 1);
      if (!kept) assert_true(value <= 0);
      extended += kept && used > 3;
    }
  }
  mpfr_clear(boundary);
  mpq_clears(rate, y, NULL);
  return extended;
}

static void thinning_of_laplace_and_normal_is_exact(void **state) {
  (void)state;
  static mpfr_t cumulative[1100];
  sfmi_stream *stream = seeded(1), *pick = seeded(2);
  for (unsigned power = 1; power <= 2; power++) {
    sfmi_sampler *sampler = sampler_of(
        power == 1 ? SFM_NOISE_LAW_DISCRETE_LAPLACE : SFM_NOISE_LAW_ROUNDED_NORMAL, 32, 1);
    reference_bins(cumulative, 1100, power, 1, 32, 1);
    unsigned extended = 0;
    for (unsigned i = 0; i < 60; i++) {
      static const uint64_t special[] = {1, 1000, UINT64_C(1) << 32, UINT64_C(1) << 63, ONES - 1};
      uint64_t y = i < 5 ? special[i] : sfmi_stream_word(pick);
      extended += probe_continuous(sampler, stream, power, cumulative, 1 + i * 4, y);
    }
    assert_true(extended > 60); /* the cold path was taken */
    clear_bins(cumulative, 1100);
    sfmi_sampler_destroy(sampler);
  }
  sfmi_stream_destroy(stream);
  sfmi_stream_destroy(pick);
}

/* The same for d in a bin of the discrete Gaussian, whose t is a known rational. */
static void probe_gaussian(const sfmi_sampler *sampler, sfmi_stream *stream, mpfr_t *cumulative,
                           mpq_srcptr rate, uint64_t w, uint64_t c, uint64_t d) {
  mpq_t y;
  mpfr_t boundary;
  mpq_init(y);
  mpfr_init2(boundary, PRECISION);
  mpq_set_ui(y, d, w);
  mpq_canonicalize(y);
  reference_keep(boundary, 2, rate, c, y);
  uint64_t centre = mpfr_get_ui(boundary, MPFR_RNDD);
  uint64_t offset = (uint64_t)((((sfmi_u128)d << 64) + (UINT64_C(1) << 63)) / w);
  for (int64_t delta = -14; delta <= 14; delta++) {
    if (centre > ONES - 14 && delta > 0) continue;
    uint64_t words[3] = {word_for(cumulative, c), offset, centre + (uint64_t)delta};
    size_t used;
    sfmi_i128 value = draw_from(sampler, stream, words, 3, &used);
    assert_true(value == (delta <= 0 ? (sfmi_i128)c * w + d : 0));
    if (delta == 0) assert_true(used > 3);
  }
  mpfr_clear(boundary);
  mpq_clear(y);
}

static void thinning_of_discrete_gaussian_is_exact(void **state) {
  (void)state;
  static const struct {
    uint64_t p, q;
  } scales[] = {{64, 1},
                {3001, 30},
                {1000, 1},
                {UINT64_C(1) << 40, 1},
                {UINT64_C(1) << 52, 1},
                {UINT64_MAX, UINT64_C(0x123456789abc)}};
  static mpfr_t cumulative[2200];
  sfmi_stream *stream = seeded(1), *pick = seeded(3);
  for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
    uint64_t p = scales[i].p, q = scales[i].q, w = p / q / 32;
    sfmi_sampler *sampler = sampler_of(SFM_NOISE_LAW_DISCRETE_GAUSSIAN, p, q);
    reference_bins(cumulative, 2200, 2, w, p, q);
    mpq_t rate, square;
    mpq_inits(rate, square, NULL);
    mpq_set_ui(square, q, p);
    mpq_canonicalize(square);
    mpq_set_ui(rate, w, 1);
    mpq_mul(square, square, rate);
    mpq_mul(square, square, square);
    mpq_div_2exp(rate, square, 1);
    for (unsigned j = 0; j < 25; j++) {
      uint64_t d =
          j == 0 ? w - 1 : 1 + (uint64_t)(((sfmi_u128)sfmi_stream_word(pick) * (w - 1)) >> 64);
      probe_gaussian(sampler, stream, cumulative, rate, w, 1 + 11 * j, d);
    }
    mpq_clears(rate, square, NULL);
    clear_bins(cumulative, 2200);
    sfmi_sampler_destroy(sampler);
  }
  sfmi_stream_destroy(stream);
  sfmi_stream_destroy(pick);
}

/* floor((c + y) p / (32 q) + add/2). */
static sfmi_i128 reference_round(uint64_t c, mpq_srcptr y, uint64_t p, uint64_t q, unsigned add) {
  mpq_t x, scale;
  mpz_t whole;
  mpq_inits(x, scale, NULL);
  mpz_init(whole);
  mpq_set_ui(x, c, 1);
  mpq_add(x, x, y);
  mpq_set_ui(scale, p, q);
  mpq_canonicalize(scale);
  mpq_mul(x, x, scale);
  mpq_div_2exp(x, x, 5);
  mpq_set_ui(scale, add, 2);
  mpq_canonicalize(scale);
  mpq_add(x, x, scale);
  mpz_fdiv_q(whole, mpq_numref(x), mpq_denref(x));
  sfmi_i128 value = (sfmi_i128)mpz_getlimbn(whole, 1) << 64 | mpz_getlimbn(whole, 0);
  mpz_clear(whole);
  mpq_clears(x, scale, NULL);
  return value;
}

/* 2^64 times the y at which (c + y) p / (32 q) + add/2 = k + 1, k the integer at y = Y/2^64. */
static uint64_t straddling(uint64_t c, uint64_t y_bits, uint64_t p, uint64_t q, unsigned add) {
  mpq_t y, scale;
  mpz_t whole;
  mpq_inits(y, scale, NULL);
  mpz_init(whole);
  set_y(y, y_bits, 0);
  sfmi_i128 k = reference_round(c, y, p, q, add);
  mpz_set_ui(whole, (uint64_t)(k + 1)); /* below 2^60 */
  mpz_mul_2exp(whole, whole, 1);
  mpz_sub_ui(whole, whole, add);
  mpq_set_z(y, whole);
  mpq_set_ui(scale, q, p);
  mpq_canonicalize(scale);
  mpq_mul(y, y, scale);
  mpq_mul_2exp(y, y, 4);
  mpq_set_ui(scale, c, 1);
  mpq_sub(y, y, scale);
  mpq_mul_2exp(y, y, 64);
  mpz_fdiv_q(whole, mpq_numref(y), mpq_denref(y));
  uint64_t result =
      mpz_sgn(whole) > 0 && mpz_sizeinbase(whole, 2) <= 64 ? mpz_get_ui(whole) : y_bits;
  mpz_clear(whole);
  mpq_clears(y, scale, NULL);
  return result;
}

static void rounding_is_exact(void **state) {
  (void)state;
  static const struct {
    uint64_t p, q;
  } scales[] = {{3, 2},
                {7, 3},
                {1, 1},
                {1, 1000},
                {1, 1 << 20},
                {UINT64_MAX, UINT64_MAX - 2},
                {UINT64_C(1) << 40, 1},
                {UINT64_C(1) << 52, 1},
                {UINT64_MAX, 4097},
                {UINT64_C(12345678901234567), UINT64_C(98765432)}};
  static mpfr_t cumulative[1100];
  sfmi_stream *stream = seeded(1), *pick = seeded(4);
  unsigned cold = 0;
  for (unsigned power = 1; power <= 2; power++) {
    reference_bins(cumulative, 1100, power, 1, 32, 1);
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
      uint64_t p = scales[i].p, q = scales[i].q;
      unsigned add = power == 2;
      if (power == 1 && p / q < 8) continue; /* tabled */
      sfmi_sampler *sampler = sampler_of(
          power == 1 ? SFM_NOISE_LAW_DISCRETE_LAPLACE : SFM_NOISE_LAW_ROUNDED_NORMAL, p, q);
      for (unsigned j = 0; j < 300; j++) {
        uint64_t c = sfmi_stream_word(pick) % 200, y_bits = sfmi_stream_word(pick);
        if (j % 3) y_bits = straddling(c, y_bits, p, q, add) + (j % 3 == 2 ? j % 5 - 2 : 0);
        for (int tail = 0; tail < 2; tail++) {
          mpq_t y;
          mpq_init(y);
          set_y(y, y_bits, tail ? ONES : 0);
          uint64_t words[4] = {word_for(cumulative, c), y_bits, 0, tail ? ONES : 0};
          size_t used;
          sfmi_i128 value = draw_from(sampler, stream, words, 4, &used);
          assert_true(value == reference_round(c, y, p, q, add));
          cold += used > 3;
          mpq_clear(y);
        }
      }
      sfmi_sampler_destroy(sampler);
    }
    clear_bins(cumulative, 1100);
  }
  assert_true(cold > 100);
  sfmi_stream_destroy(stream);
  sfmi_stream_destroy(pick);
}

/* P(a <= Z < b), in double. */
static double interval_mass(sfm_noise_law law, double s, double a, double b) {
  if (law == SFM_NOISE_LAW_DISCRETE_LAPLACE) {
    if (b <= 0) return interval_mass(law, s, 1 - b, 1 - a);
    if (a < 0) return interval_mass(law, s, a, 0) + interval_mass(law, s, 0, b);
    double zero = a == 0 ? -expm1(-1 / s) / (1 + exp(-1 / s)) : 0;
    if (a == 0) a = 1;
    return zero + exp(-a / s) * -expm1(-(b - a) / s) / (1 + exp(-1 / s));
  }
  if (law == SFM_NOISE_LAW_ROUNDED_NORMAL || s > 20) {
    double r = s * sqrt(2.0);
    return 0.5 * (erfc((a - 0.5) / r) - erfc((b - 0.5) / r));
  }
  double total = 0, part = 0;
  for (double z = -400; z <= 400; z++) {
    double w = exp(-z * z / (2 * s * s));
    total += w;
    if (z >= a && z < b) part += w;
  }
  return part / total;
}

enum { CELLS = 64 };

/* Counts draws at scale p/q in cells of width h around 0. */
static void tally(uint64_t counts[CELLS], sfm_noise_law law, uint64_t p, uint64_t q, double h,
                  uint64_t draws, uint64_t seed) {
  sfmi_sampler *sampler = sampler_of(law, p, q);
  sfmi_stream *stream = seeded(seed);
  sfmi_i128 values[1000];
  memset(counts, 0, CELLS * sizeof *counts);
  for (uint64_t done = 0; done < draws; done += 1000) {
    sfmi_sampler_draw(sampler, stream, values, 1000);
    for (int i = 0; i < 1000; i++) {
      double cell = floor((double)values[i] / h) + CELLS / 2;
      if (cell >= 0 && cell < CELLS) counts[(int)cell]++;
    }
  }
  sfmi_sampler_destroy(sampler);
  sfmi_stream_destroy(stream);
}

/* The chi-square verdict on such counts for the law at scale s. */
static double judge(const uint64_t counts[CELLS], sfm_noise_law law, double s, double h,
                    uint64_t draws) {
  double masses[CELLS];
  for (int i = 0; i < CELLS; i++) {
    masses[i] = interval_mass(law, s, (i - CELLS / 2) * h, (i + 1 - CELLS / 2) * h);
  }
  return chi_square(counts, masses, CELLS, draws);
}

static void laws_match_at_small_scales(void **state) {
  (void)state;
  uint64_t counts[CELLS];
  for (int law = SFM_NOISE_LAW_DISCRETE_LAPLACE; law <= SFM_NOISE_LAW_DISCRETE_GAUSSIAN; law++) {
    for (uint64_t p = 1; p <= 5; p++) {
      for (uint64_t q = 1; q <= 5; q++) {
        tally(counts, (sfm_noise_law)law, p, q, 1, 40000, 100 * p + q);
        double verdict = judge(counts, (sfm_noise_law)law, (double)p / (double)q, 1, 40000);
        if (verdict > 1) fail_msg("law %d scale %d/%d: %g", law, (int)p, (int)q, verdict);
      }
    }
  }
}

static void laws_match_and_reject_one_percent(void **state) {
  (void)state;
  static const uint64_t scales[][2] = {{1, 1},
                                       {3, 2},
                                       {10, 1},
                                       {100, 1},
                                       {1 << 20, 1},
                                       {UINT64_C(1) << 40, 1},
                                       {UINT64_C(1) << 52, 1}};
  static const uint64_t draws = 3000000;
  uint64_t counts[CELLS];
  for (int l = SFM_NOISE_LAW_DISCRETE_LAPLACE; l <= SFM_NOISE_LAW_DISCRETE_GAUSSIAN; l++) {
    sfm_noise_law law = (sfm_noise_law)l;
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
      double s = (double)scales[i][0] / (double)scales[i][1], h = fmax(1, floor(s / 4));
      tally(counts, law, scales[i][0], scales[i][1], h, draws, 17 + i);
      double right = judge(counts, law, s, h, draws);
      double wide = judge(counts, law, 1.01 * s, h, draws);
      double narrow = judge(counts, law, 0.99 * s, h, draws);
      if (right > 1 || wide < 1 || narrow < 1) {
        fail_msg("law %d scale %g: %g, wrong by 1 %%: %g %g", l, s, right, wide, narrow);
      }
    }
  }
}

/* P(k) prop. to exp(-k/s): tabled at 7/2, from reals at 10. */
static void geometric_draws_follow_their_law(void **state) {
  (void)state;
  enum { DRAWS = 200000 };
  static const sfm_ratio scales[] = {{7, 2}, {10, 1}};
  static sfmi_i128 values[DRAWS];
  sfmi_stream *stream = seeded(5);
  for (int j = 0; j < 2; j++) {
    sfmi_sampler *sampler =
        sampler_of(SFM_NOISE_LAW_DISCRETE_LAPLACE, scales[j].numerator, scales[j].denominator);
    sfmi_sampler_draw_geometric(sampler, stream, values, DRAWS);
    uint64_t counts[CELLS] = {0};
    double right[CELLS], wrong[CELLS];
    double s = (double)scales[j].numerator / (double)scales[j].denominator;
    for (int i = 0; i < DRAWS; i++) {
      assert_true(values[i] >= 0);
      if (values[i] < CELLS) counts[values[i]]++;
    }
    for (int i = 0; i < CELLS; i++) {
      right[i] = -expm1(-1 / s) * exp(-i / s);
      wrong[i] = -expm1(-1 / (1.04 * s)) * exp(-i / (1.04 * s));
    }
    assert_true(chi_square(counts, right, CELLS, DRAWS) < 1);
    assert_true(chi_square(counts, wrong, CELLS, DRAWS) > 1);
    sfmi_sampler_destroy(sampler);
  }
  sfmi_stream_destroy(stream);
}

static void scales_outside_the_proof_are_refused(void **state) {
  (void)state;
  static const uint64_t bad[][2] = {
      {0, 1},          {1, 0},         {1, (1 << 20) + 1}, {(UINT64_C(1) << 52) + 1, 1},
      {UINT64_MAX, 1}, {1, UINT64_MAX}};
  static const uint64_t good[][2] = {{1, 1 << 20},
                                     {UINT64_C(1) << 52, 1},
                                     {UINT64_MAX, UINT64_MAX},
                                     {UINT64_MAX, 1 << 12},
                                     {UINT64_C(1) << 44, UINT64_MAX}};
  for (int law = SFM_NOISE_LAW_DISCRETE_LAPLACE; law <= SFM_NOISE_LAW_DISCRETE_GAUSSIAN; law++) {
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
      sfmi_sampler *sampler = (sfmi_sampler *)1;
      sfm_error error;
      sfm_ratio scale = {bad[i][0], bad[i][1]};
      assert_int_equal(sfmi_sampler_create(&sampler, (sfm_noise_law)law, scale, &error),
                       SFM_INVALID);
      assert_null(sampler);
      assert_non_null(strstr(error.message, "scale"));
    }
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
      sfmi_sampler *sampler = sampler_of((sfm_noise_law)law, good[i][0], good[i][1]);
      sfmi_stream *stream = seeded(6);
      sfmi_i128 values[1000];
      sfmi_sampler_draw(sampler, stream, values, 1000);
      double s = (double)good[i][0] / (double)good[i][1];
      for (int j = 0; j < 1000; j++) assert_true(fabs((double)values[j]) <= 40 * s + 1);
      sfmi_sampler_destroy(sampler);
      sfmi_stream_destroy(stream);
    }
  }
  sfmi_sampler *sampler;
  assert_int_equal(sfmi_sampler_create(&sampler, (sfm_noise_law)9, (sfm_ratio){1, 1}, NULL),
                   SFM_INVALID);
}

static void public_noise_is_the_sampler(void **state) {
  (void)state;
  sfm_noise *noise = NULL, *secret = NULL, *again = NULL;
  sfm_ratio scale = {UINT64_C(1) << 40, 1};
  assert_int_equal(sfm_noise_create_seeded(&noise, SFM_NOISE_LAW_ROUNDED_NORMAL, scale, 9, NULL),
                   SFM_OK);
  assert_int_equal(sfm_noise_create(&secret, SFM_NOISE_LAW_ROUNDED_NORMAL, scale, NULL), SFM_OK);
  assert_int_equal(sfm_noise_create(&again, SFM_NOISE_LAW_ROUNDED_NORMAL, scale, NULL), SFM_OK);
  int64_t values[700], first, second;
  sfm_noise_draw(noise, values, 700);
  sfmi_sampler *sampler = sampler_of(SFM_NOISE_LAW_ROUNDED_NORMAL, scale.numerator, 1);
  sfmi_stream *stream = seeded(9);
  for (int i = 0; i < 700; i++) {
    sfmi_i128 value;
    sfmi_sampler_draw(sampler, stream, &value, 1);
    assert_true(value == values[i]);
  }
  sfm_noise_draw(secret, &first, 1);
  sfm_noise_draw(again, &second, 1);
  assert_true(first != second);
  sfm_noise_destroy(again);
  assert_int_equal(sfm_noise_create(&again, SFM_NOISE_LAW_ROUNDED_NORMAL, (sfm_ratio){0, 1}, NULL),
                   SFM_INVALID);
  assert_null(again);
  sfm_noise_destroy(noise);
  sfm_noise_destroy(secret);
  sfm_noise_destroy(NULL);
  sfmi_sampler_destroy(sampler);
  sfmi_stream_destroy(stream);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(discrete_masses_are_exact_for_small_scales),
      cmocka_unit_test(bins_of_laplace_and_normal_are_exact),
      cmocka_unit_test(thresholds_reject_a_wrong_scale),
      cmocka_unit_test(thinning_of_laplace_and_normal_is_exact),
      cmocka_unit_test(thinning_of_discrete_gaussian_is_exact),
      cmocka_unit_test(rounding_is_exact),
      cmocka_unit_test(laws_match_at_small_scales),
      cmocka_unit_test(laws_match_and_reject_one_percent),
      cmocka_unit_test(geometric_draws_follow_their_law),
      cmocka_unit_test(scales_outside_the_proof_are_refused),
      cmocka_unit_test(public_noise_is_the_sampler),
  };
  int result = cmocka_run_group_tests(tests, NULL, NULL);
  mpfr_free_cache();
  return result;
}
