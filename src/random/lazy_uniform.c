#include "lazy_uniform.h"

void sfmi_lazy_init(sfmi_lazy_uniform *lazy, sfmi_stream *stream, uint64_t bits, unsigned length) {
  mpz_init_set_ui(lazy->bits, bits);
  lazy->length = length;
  lazy->stream = stream;
}

void sfmi_lazy_clear(sfmi_lazy_uniform *lazy) {
  mpz_clear(lazy->bits);
}

void sfmi_lazy_extend(sfmi_lazy_uniform *lazy) {
  mpz_mul_2exp(lazy->bits, lazy->bits, 64);
  mpz_add_ui(lazy->bits, lazy->bits, sfmi_stream_word(lazy->stream));
  lazy->length += 64;
}

/* The sign of value 2^length - integer: the scaling by a power of two is exact. */
static int compare_scaled(mpfr_t value, mp_bitcnt_t length, mpz_srcptr integer) {
  mpfr_mul_2ui(value, value, length, MPFR_RNDN);
  return mpfr_cmp_z(value, integer);
}

bool sfmi_lazy_below(sfmi_lazy_uniform *lazy, sfmi_enclosure *enclose, void *context) {
  mpfr_t lower, upper;
  mpz_t next;
  mpfr_inits2((mpfr_prec_t)lazy->length + 64, lower, upper, (mpfr_ptr)0);
  mpz_init(next);
  bool below = false;
  for (;;) {
    enclose(lower, upper, context);
    mpz_add_ui(next, lazy->bits, 1);
    below = compare_scaled(lower, lazy->length, next) >= 0;            /* U < next <= lower */
    if (below || compare_scaled(upper, lazy->length, lazy->bits) <= 0) /* upper <= bits <= U */
      break;
    sfmi_lazy_extend(lazy);
    mpfr_set_prec(lower, (mpfr_prec_t)lazy->length + 64);
    mpfr_set_prec(upper, (mpfr_prec_t)lazy->length + 64);
  }
  mpz_clear(next);
  mpfr_clears(lower, upper, (mpfr_ptr)0);
  return below;
}

void sfmi_enclose_exp(mpfr_t lower, mpfr_t upper, mpq_srcptr t_lower, mpq_srcptr t_upper) {
  mpfr_set_q(lower, t_upper, MPFR_RNDU);
  mpfr_neg(lower, lower, MPFR_RNDD);
  mpfr_exp(lower, lower, MPFR_RNDD);
  mpfr_set_q(upper, t_lower, MPFR_RNDD);
  mpfr_neg(upper, upper, MPFR_RNDU);
  mpfr_exp(upper, upper, MPFR_RNDU);
}

void sfmi_mpq_set_ratio(mpq_t out, uint64_t numerator, uint64_t denominator) {
  mpz_set_ui(mpq_numref(out), numerator);
  mpz_set_ui(mpq_denref(out), denominator);
  mpq_canonicalize(out);
}

sfmi_u128 sfmi_mpz_get(mpz_srcptr value) {
  return (sfmi_u128)mpz_getlimbn(value, 1) << 64 | mpz_getlimbn(value, 0);
}
