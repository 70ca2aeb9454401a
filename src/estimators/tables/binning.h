/* binning.h - equal bins of a number.
 *
 * Edge k of `size` bins is the double lower + k (upper - lower)/size; a number is in the last bin
 * whose lower edge is not above it, upper in the last one.  So a number on an edge is in the bin
 * above, by the very edges that are printed: 29 of 100 bins of 0:100 is in 29:30. */
#ifndef SFMI_BINNING_H
#define SFMI_BINNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sfmi_binning {
  double lower, upper;
  uint64_t size;
} sfmi_binning;

/* Whether doubles tell the edges well apart: a bin is at least eight steps of doubles of the size
 * of the bounds.  Then edges ascend strictly and are off by less than half a bin. */
bool sfmi_binning_fits(const sfmi_binning *bins);

static inline double sfmi_bin_edge(const sfmi_binning *bins, uint64_t k) {
  if (k == bins->size) return bins->upper;
  return bins->lower + (double)k * (bins->upper - bins->lower) / (double)bins->size;
}

/* The bin of x, lower <= x <= upper; monotone.  The first guess is less than 2^-20 off where edges
 * are exact, and edges are less than half a bin off, so that it is right to one bin. */
static inline uint64_t sfmi_bin_of(const sfmi_binning *bins, double x) {
  const double guess = (x - bins->lower) * ((double)bins->size / (bins->upper - bins->lower));
  uint64_t k = (uint64_t)guess;
  if (k > bins->size - 1) k = bins->size - 1;
  if (x < sfmi_bin_edge(bins, k)) return k - 1; /* edge 0 is lower */
  return k + 1 < bins->size && x >= sfmi_bin_edge(bins, k + 1) ? k + 1 : k;
}

/* "20:25": the ends of bin k, with as many digits as tell it from its neighbours.  Truncated to
 * size; returns its whole length. */
size_t sfmi_bin_label(const sfmi_binning *bins, char *text, size_t size, uint64_t k);

#endif
