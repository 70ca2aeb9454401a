/* sampler_checks.h - what the sampler tests share: fed streams, chi-square at 1e-6, exact masses.
 */
#ifndef TEST_RANDOM_SAMPLER_CHECKS_H
#define TEST_RANDOM_SAMPLER_CHECKS_H

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <math.h>
#include <stdlib.h>
#include <cmocka.h>

#include "random/stream.h"

static inline sfmi_stream *seeded(uint64_t seed) {
  sfmi_stream *stream;
  assert_int_equal(sfmi_stream_create_seeded(&stream, seed, NULL), SFM_OK);
  return stream;
}

/* The next words of the stream are these; ordinary ones follow. */
static inline void feed(sfmi_stream *stream, const uint64_t *words, size_t count) {
  assert_true(count <= SFMI_STREAM_WORDS && !stream->process);
  memset(stream->words, 0, sizeof stream->words);
  for (size_t i = 0; i < count; i++) stream->words[count - 1 - i] = words[i];
  stream->left = count;
}

/* The upper 1e-6 point of chi-square (Wilson and Hilferty, on the high side for few degrees). */
static inline double chi_square_limit(double degrees) {
  double z = 4.753424, h = 2 / (9 * degrees);
  double cube = 1 - h + z * sqrt(h);
  return degrees * cube * cube * cube * 1.02 + 1;
}

/* The chi-square statistic of counts against probabilities (summing to at most 1, the rest being
 * "elsewhere"), divided by its 1e-6 limit: above 1 rejects.  Cells expected below 20 are pooled. */
static inline double chi_square(const uint64_t *counts, const double *masses, size_t cells,
                                uint64_t total) {
  double sum = 0, pooled = 0, mass = 1, degrees = 0;
  uint64_t seen = 0;
  for (size_t i = 0; i < cells; i++) {
    double expected = masses[i] * (double)total;
    mass -= masses[i];
    seen += counts[i];
    if (expected < 20) {
      mass += masses[i];
      seen -= counts[i];
      continue;
    }
    sum += ((double)counts[i] - expected) * ((double)counts[i] - expected) / expected;
    degrees++;
  }
  pooled = mass * (double)total;
  double rest = (double)(total - seen);
  if (pooled >= 20) {
    sum += (rest - pooled) * (rest - pooled) / pooled;
  } else if (rest > pooled + 6 * sqrt(pooled) + 30) {
    return INFINITY;
  } else {
    degrees--;
  }
  return degrees < 1 ? 0 : sum / chi_square_limit(degrees);
}

#endif
