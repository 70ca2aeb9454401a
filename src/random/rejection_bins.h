/* rejection_bins.h - which unit bin c = 0, 1, 2, ... holds a point, and thinning inside the bin.
 *
 * The target density (or mass) on [0, oo) is proportional to exp(-a x^k), k = 1 or 2, in units of
 * the bin width.  Bin c is drawn with probability proportional to w_c = exp(-a c^k), the largest
 * value in it; a point c + y uniform in the bin is kept with probability
 * exp(-a ((c + y)^k - c^k)).
 *
 * F_c = sum_{j<=c} w_j / sum_j w_j, and threshold[c] = floor(2^63 F_c), computed with certified
 * enclosures.  The table ends at the first threshold equal to 2^63 - 1; later bins exist, and are
 * reached through the slow path: nothing is truncated. */
#ifndef SFMI_REJECTION_BINS_H
#define SFMI_REJECTION_BINS_H

#include "lazy_uniform.h"

#define SFMI_BINS_GUIDE_BITS 10
#define SFMI_BINS_WORD_MAX (UINT64_MAX >> 1) /* a bin is found from 63 bits */
#define SFMI_BINS_COUNT_MAX 4096

typedef struct sfmi_bins {
  unsigned power; /* k */
  mpq_t rate;     /* a */
  unsigned count;
  uint64_t *threshold;
  uint16_t guide[1 << SFMI_BINS_GUIDE_BITS]; /* the first c with threshold[c] >= g 2^(63-bits) */
} sfmi_bins;

/* Builds the table; rate is copied and must be positive. */
SFM_MUST_CHECK sfm_status sfmi_bins_init(sfmi_bins *bins, mpq_srcptr rate, unsigned power,
                                         sfm_error *error);
void sfmi_bins_clear(sfmi_bins *bins);

/* The smallest c with u <= threshold[c], for u <= SFMI_BINS_WORD_MAX.  If u < threshold[c] the bin
 * is c; if they are equal 63 bits do not decide. */
static inline unsigned sfmi_bins_find(const sfmi_bins *bins, uint64_t u) {
  unsigned c = bins->guide[u >> (63 - SFMI_BINS_GUIDE_BITS)];
  while (u > bins->threshold[c]) c++;
  return c;
}

/* Finishes that search with more bits of the stream. */
uint64_t sfmi_bins_find_cold(const sfmi_bins *bins, sfmi_stream *stream, uint64_t c, uint64_t u);

/* Thinning in bin c, from the 64 bits v: keeps the point y = offset / width, or, when width is 0,
 * the point whose bits are the lazy offset's (more of which are drawn as needed). */
bool sfmi_bins_keep_at(const sfmi_bins *bins, sfmi_stream *stream, uint64_t c, uint64_t offset,
                       uint64_t width, uint64_t v);
bool sfmi_bins_keep_lazy(const sfmi_bins *bins, uint64_t c, sfmi_lazy_uniform *offset, uint64_t v);

#endif
