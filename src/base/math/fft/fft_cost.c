#include "fft_cost.h"

#include <complex.h>
#include <math.h>
#include <stdint.h>

#include "fft_axis.h"
#include "fft_size.h"

/* In numbers, but for what is named otherwise. */
typedef struct wants {
  double tables, rows, scratch, operations;
} wants;

/* Structs, and what is rounded up for vectors. */
static const double BYTES_BESIDE = 1e4;

static void raise(double *wanted, double to) {
  *wanted = fmax(*wanted, to);
}

/* The longer factor of n = n1 n2 in fft_long.c: divisors of a product of primes up to 13 that
 * follow each other are at most 13 times apart, so the two around the square root make one at least
 * (n/13)^1/2. */
static double longer_factor(double n) {
  return sqrt(13 * n);
}

/* The roots of both passes, which are fewer than twice their lengths, as many while they are made,
 * the turns, and the roots of n: at most four times its square root. */
static double long_tables(double n) {
  return (2 * 2 + 1 + SFMI_FFT_COLUMNS + 4) * longer_factor(n);
}

static double long_scratch(double n) {
  return n + SFMI_FFT_COLUMNS * longer_factor(n);
}

/* fft_chirp.c: v and its spectrum, and two copies of the padded line. */
static void want_chirp(wants *w, double n, double padded, double lines) {
  w->tables += n + padded + long_tables(padded);
  raise(&w->rows, longer_factor(padded));
  raise(&w->scratch, long_scratch(padded) + padded);
  w->operations += lines * (10 * padded * log2(padded) + 30 * padded);
}

/* fft_axis.c: in passes or as a long transform; whichever it is, not less is counted. */
static void want_smooth(wants *w, double n, double inner, double lines) {
  const bool passes = inner > 1 && n <= SFMI_FFT_LONGEST_COLUMN;
  if (n <= SFMI_FFT_LONGEST_COLUMN) w->tables += 3 * n;
  raise(&w->rows, passes ? n : fmax(fmin(n, SFMI_FFT_LONGEST_ROW), longer_factor(n)));
  if (!passes) {
    const double copies = inner > 1 ? fmin(inner, SFMI_FFT_COLUMNS) : 0;
    w->tables += long_tables(n);
    raise(&w->scratch, long_scratch(n) + copies * n);
  }
  w->operations += 5 * lines * n * log2(n);
}

sfmi_fft_cost sfmi_fft_cost_of(const size_t *shape, size_t dimension) {
  wants w = {0};
  double total = 1, outer = 1;
  for (size_t a = 0; a < dimension; a++) total *= (double)shape[a];
  for (size_t a = 0; a < dimension; a++) {
    const size_t n = shape[a];
    const double inner = total / outer / (double)n, lines = total / (double)n;
    outer *= (double)n;
    if (n < 2) continue;
    if (sfmi_fft_smooth(n))
      want_smooth(&w, (double)n, inner, lines);
    else
      want_chirp(&w, (double)n,
                 n < SIZE_MAX / 64 ? (double)sfmi_fft_size(2 * n - 1) : 2 * (double)n, lines);
  }
  const double threads = (double)sfmi_fft_work_shares((size_t)fmin(total, 1e9));
  const double buffers = threads * (2 * SFMI_FFT_COLUMNS + 1) * (w.rows + 4);
  return (sfmi_fft_cost){sizeof(double complex) * (total + w.tables + w.scratch + buffers) +
                             BYTES_BESIDE,
                         w.operations};
}
