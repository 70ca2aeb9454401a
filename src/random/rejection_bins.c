#include "rejection_bins.h"

#include <stdlib.h>
#include <string.h>

/* Walks along the weights with outward rounding.  w_c lies in [low, high];
 * w_{c+1} = w_c r_c, r_0 = exp(-a), r_{c+1} = r_c s, s = exp(-2a) if k = 2 and 1 if k = 1. */
typedef struct walk {
  mpfr_t low, high, ratio_low, ratio_high, step_low, step_high;
} walk;

static void walk_init(walk *w, const sfmi_bins *bins, mpfr_prec_t precision) {
  mpfr_inits2(precision, w->low, w->high, w->ratio_low, w->ratio_high, w->step_low, w->step_high,
              (mpfr_ptr)0);
  mpfr_set_ui(w->low, 1, MPFR_RNDD);
  mpfr_set_ui(w->high, 1, MPFR_RNDU);
  sfmi_enclose_exp(w->ratio_low, w->ratio_high, bins->rate, bins->rate);
  mpfr_set_ui(w->step_low, 1, MPFR_RNDD);
  mpfr_set_ui(w->step_high, 1, MPFR_RNDU);
  if (bins->power == 2) {
    mpfr_sqr(w->step_low, w->ratio_low, MPFR_RNDD);
    mpfr_sqr(w->step_high, w->ratio_high, MPFR_RNDU);
  }
}

static void walk_clear(walk *w) {
  mpfr_clears(w->low, w->high, w->ratio_low, w->ratio_high, w->step_low, w->step_high, (mpfr_ptr)0);
}

static void walk_next(walk *w) {
  mpfr_mul(w->low, w->low, w->ratio_low, MPFR_RNDD);
  mpfr_mul(w->high, w->high, w->ratio_high, MPFR_RNDU);
  mpfr_mul(w->ratio_low, w->ratio_low, w->step_low, MPFR_RNDD);
  mpfr_mul(w->ratio_high, w->ratio_high, w->step_high, MPFR_RNDU);
}

/* Adds an enclosure of all weights from here on to [low, high].  Stops where the weight is below
 * 2^-precision: since ratios do not grow, what remains is between w and w / (1 - r). */
static void walk_rest(walk *w, mpfr_t low, mpfr_t high) {
  mpfr_prec_t precision = mpfr_get_prec(w->low);
  while (mpfr_zero_p(w->high) == 0 && mpfr_get_exp(w->high) > -precision) {
    mpfr_add(low, low, w->low, MPFR_RNDD);
    mpfr_add(high, high, w->high, MPFR_RNDU);
    walk_next(w);
  }
  mpfr_add(low, low, w->low, MPFR_RNDD);
  mpfr_ui_sub(w->ratio_high, 1, w->ratio_high, MPFR_RNDD);
  mpfr_div(w->high, w->high, w->ratio_high, MPFR_RNDU);
  mpfr_add(high, high, w->high, MPFR_RNDU);
}

/* lower <= F_c <= upper. */
static void enclose(mpfr_t lower, mpfr_t upper, const sfmi_bins *bins, uint64_t c) {
  mpfr_prec_t precision = mpfr_get_prec(lower) + 64;
  mpfr_t head_low, head_high, rest_low, rest_high;
  mpfr_inits2(precision, head_low, head_high, rest_low, rest_high, (mpfr_ptr)0);
  mpfr_set_zero(head_low, 1);
  mpfr_set_zero(head_high, 1);
  mpfr_set_zero(rest_low, 1);
  mpfr_set_zero(rest_high, 1);
  walk w;
  walk_init(&w, bins, precision);
  for (uint64_t j = 0; j <= c; j++, walk_next(&w)) {
    mpfr_add(head_low, head_low, w.low, MPFR_RNDD);
    mpfr_add(head_high, head_high, w.high, MPFR_RNDU);
  }
  walk_rest(&w, rest_low, rest_high);
  /* F = head / (head + rest) grows with head and falls with rest. */
  mpfr_add(rest_high, head_low, rest_high, MPFR_RNDU);
  mpfr_div(lower, head_low, rest_high, MPFR_RNDD);
  mpfr_add(rest_low, head_high, rest_low, MPFR_RNDD);
  mpfr_div(upper, head_high, rest_low, MPFR_RNDU);
  walk_clear(&w);
  mpfr_clears(head_low, head_high, rest_low, rest_high, (mpfr_ptr)0);
}

/* floor(2^63 head / total), at most 2^63 - 1 (F_c < 1). */
static uint64_t quantise(mpfr_t scratch, mpfr_t head, mpfr_t total, mpfr_rnd_t rounding) {
  mpfr_div(scratch, head, total, rounding);
  mpfr_mul_2ui(scratch, scratch, 63, rounding);
  mpfr_floor(scratch, scratch);
  uint64_t value = mpfr_get_ui(scratch, MPFR_RNDD);
  return value > SFMI_BINS_WORD_MAX ? SFMI_BINS_WORD_MAX : value;
}

/* Fills the thresholds at that precision; false if it does not settle every one of them. */
static bool fill(sfmi_bins *bins, uint64_t *threshold, mpfr_prec_t precision) {
  mpfr_t low, high, total_low, total_high, scratch;
  mpfr_inits2(precision, low, high, total_low, total_high, scratch, (mpfr_ptr)0);
  mpfr_set_zero(low, 1);
  mpfr_set_zero(high, 1);
  mpfr_set_zero(total_low, 1);
  mpfr_set_zero(total_high, 1);
  walk w;
  walk_init(&w, bins, precision);
  walk_rest(&w, total_low, total_high);
  walk_clear(&w);
  walk_init(&w, bins, precision);
  bool settled = true, ended = false;
  unsigned c = 0;
  for (; settled && !ended && c < SFMI_BINS_COUNT_MAX; c++, walk_next(&w)) {
    mpfr_add(low, low, w.low, MPFR_RNDD);
    mpfr_add(high, high, w.high, MPFR_RNDU);
    threshold[c] = quantise(scratch, low, total_high, MPFR_RNDD);
    settled = threshold[c] == quantise(scratch, high, total_low, MPFR_RNDU);
    ended = threshold[c] == SFMI_BINS_WORD_MAX;
  }
  bins->count = c;
  walk_clear(&w);
  mpfr_clears(low, high, total_low, total_high, scratch, (mpfr_ptr)0);
  return settled && ended;
}

sfm_status sfmi_bins_init(sfmi_bins *bins, mpq_srcptr rate, unsigned power, sfm_error *error) {
  static const mpfr_prec_t precision_max = 1 << 16;
  bins->power = power;
  bins->threshold = NULL;
  mpq_init(bins->rate);
  mpq_set(bins->rate, rate);
  uint64_t *threshold = sfmi_alloc(SFMI_BINS_COUNT_MAX, sizeof *threshold);
  if (!threshold) return sfmi_fail_memory(error);
  mpfr_prec_t precision = 192;
  while (!fill(bins, threshold, precision) && precision < precision_max) precision *= 2;
  mpfr_free_cache();
  sfm_status status = SFM_OK;
  if (precision >= precision_max) {
    status = sfmi_fail(error, SFM_INTERNAL, "the sampler's table could not be certified");
  } else if (!(bins->threshold = sfmi_alloc(bins->count, sizeof *threshold))) {
    status = sfmi_fail_memory(error);
  } else {
    memcpy(bins->threshold, threshold, bins->count * sizeof *threshold);
    unsigned c = 0;
    for (uint64_t g = 0; g < 1 << SFMI_BINS_GUIDE_BITS; g++) {
      while (threshold[c] < g << (63 - SFMI_BINS_GUIDE_BITS)) c++;
      bins->guide[g] = (uint16_t)c;
    }
  }
  free(threshold);
  return status;
}

void sfmi_bins_clear(sfmi_bins *bins) {
  mpq_clear(bins->rate);
  free(bins->threshold);
  bins->threshold = NULL;
}

typedef struct place {
  const sfmi_bins *bins;
  uint64_t c;
  sfmi_lazy_uniform *offset; /* NULL: y_low = y_high is exact */
  mpq_t y_low, y_high;
} place;

static void enclose_cumulative(mpfr_t lower, mpfr_t upper, void *context) {
  const place *p = context;
  enclose(lower, upper, p->bins, p->c);
}

uint64_t sfmi_bins_find_cold(const sfmi_bins *bins, sfmi_stream *stream, uint64_t c, uint64_t u) {
  place p = {.bins = bins, .c = c};
  sfmi_lazy_uniform uniform;
  sfmi_lazy_init(&uniform, stream, u, 63);
  while (!sfmi_lazy_below(&uniform, enclose_cumulative, &p)) p.c++;
  sfmi_lazy_clear(&uniform);
  return p.c;
}

/* t := a ((c + y)^k - c^k) = a y (k = 1) or a y (2c + y) (k = 2); grows with y. */
static void exponent(mpq_t t, const place *p, mpq_srcptr y) {
  mpq_mul(t, p->bins->rate, y);
  if (p->bins->power == 1) return;
  mpq_t factor;
  mpq_init(factor);
  mpz_set_ui(mpq_numref(factor), p->c);
  mpz_mul_2exp(mpq_numref(factor), mpq_numref(factor), 1);
  mpq_add(factor, factor, y);
  mpq_mul(t, t, factor);
  mpq_clear(factor);
}

static void enclose_keep(mpfr_t lower, mpfr_t upper, void *context) {
  place *p = context;
  if (p->offset) {
    while (p->offset->length < (mp_bitcnt_t)mpfr_get_prec(lower)) sfmi_lazy_extend(p->offset);
    mpq_set_z(p->y_low, p->offset->bits);
    mpz_add_ui(mpq_numref(p->y_high), p->offset->bits, 1);
    mpz_set_ui(mpq_denref(p->y_high), 1);
    mpq_div_2exp(p->y_low, p->y_low, p->offset->length);
    mpq_div_2exp(p->y_high, p->y_high, p->offset->length);
  }
  mpq_t t_low, t_high;
  mpq_inits(t_low, t_high, NULL);
  exponent(t_low, p, p->y_low);
  exponent(t_high, p, p->y_high);
  sfmi_enclose_exp(lower, upper, t_low, t_high);
  mpq_clears(t_low, t_high, NULL);
}

static bool keep(place *p, sfmi_stream *stream, uint64_t v) {
  sfmi_lazy_uniform uniform;
  sfmi_lazy_init(&uniform, stream, v, 64);
  bool kept = sfmi_lazy_below(&uniform, enclose_keep, p);
  sfmi_lazy_clear(&uniform);
  mpq_clears(p->y_low, p->y_high, NULL);
  return kept;
}

bool sfmi_bins_keep_at(const sfmi_bins *bins, sfmi_stream *stream, uint64_t c, uint64_t offset,
                       uint64_t width, uint64_t v) {
  place p = {.bins = bins, .c = c};
  mpq_inits(p.y_low, p.y_high, NULL);
  sfmi_mpq_set_ratio(p.y_low, offset, width);
  mpq_set(p.y_high, p.y_low);
  return keep(&p, stream, v);
}

bool sfmi_bins_keep_lazy(const sfmi_bins *bins, uint64_t c, sfmi_lazy_uniform *offset, uint64_t v) {
  place p = {.bins = bins, .c = c, .offset = offset};
  mpq_inits(p.y_low, p.y_high, NULL);
  return keep(&p, offset->stream, v);
}
