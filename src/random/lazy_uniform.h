/* lazy_uniform.h - uniform numbers whose bits are drawn when a decision needs them: the rare, slow
 * path of every exact sampler.
 *
 * A lazy uniform U is known to lie in [bits, bits + 1) / 2^length; the bits not yet drawn are
 * independent and uniform.  U < x is decided by comparing that interval with a certified enclosure
 * of x, and both shrink until they no longer overlap, so P(U < x) = x with no rounding. */
#ifndef SFMI_LAZY_UNIFORM_H
#define SFMI_LAZY_UNIFORM_H

#include <gmp.h>
#include <mpfr.h>

#include "stream.h"

_Static_assert(sizeof(unsigned long) == 8 && GMP_NUMB_BITS == 64, "64-bit words");

typedef struct sfmi_lazy_uniform {
  mpz_t bits;
  mp_bitcnt_t length;
  sfmi_stream *stream;
} sfmi_lazy_uniform;

/* Starts from bits already drawn (length 0: none). */
void sfmi_lazy_init(sfmi_lazy_uniform *lazy, sfmi_stream *stream, uint64_t bits, unsigned length);
void sfmi_lazy_clear(sfmi_lazy_uniform *lazy);
/* Draws 64 more bits. */
void sfmi_lazy_extend(sfmi_lazy_uniform *lazy);

/* Sets lower <= x <= upper, as tight as their precision allows: the width must tend to 0. */
typedef void sfmi_enclosure(mpfr_t lower, mpfr_t upper, void *context);

/* Whether U < x. */
bool sfmi_lazy_below(sfmi_lazy_uniform *lazy, sfmi_enclosure *enclose, void *context);

/* lower <= exp(-t) <= upper for every t in [t_lower, t_upper]. */
void sfmi_enclose_exp(mpfr_t lower, mpfr_t upper, mpq_srcptr t_lower, mpq_srcptr t_upper);

/* numerator / denominator, exactly. */
void sfmi_mpq_set_ratio(mpq_t out, uint64_t numerator, uint64_t denominator);
/* The low 128 bits of a nonnegative integer. */
sfmi_u128 sfmi_mpz_get(mpz_srcptr value);

#endif
