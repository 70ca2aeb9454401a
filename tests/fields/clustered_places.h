/* clustered_places.h - places that are the same, or nearly: on top of each other, apart by denormal
 * numbers, by one unit in the last place, by 1e-12; and a search for a direction without noise. */
#ifndef TEST_CLUSTERED_PLACES_H
#define TEST_CLUSTERED_PLACES_H

#include "field_covariance.h"

/* count x dimension coordinates in [0, 1], most of them within five crowds. */
static inline void crowd_fill(double *points, size_t count, size_t dimension, uint64_t seed) {
  sfmi_prng prng;
  sfmi_prng_init(&prng, seed);
  for (size_t i = 0; i < count; i++)
    for (size_t a = 0; a < dimension; a++) {
      double *x = points + i * dimension + a;
      const size_t each = dimension == 1 ? count : 16; /* along the first of two axes */
      const double step = (double)(a == 0 ? i / 6 % each : i / 6 / each);
      switch (i % 6) {
      case 0:
        *x = 0.3; /* the same */
        break;
      case 1:
        *x = step * 0x1p-1074; /* from zero on, denormal */
        break;
      case 2:
        *x = step * 1e-300;
        break;
      case 3:
        *x = 0.5 + step * 0x1p-53; /* numbers next to each other */
        break;
      case 4:
        *x = 0.7 + step * 1e-12;
        break;
      default:
        *x = sfmi_prng_uniform(&prng);
      }
    }
}

/* Keeps the first of the places that are equal, and their rows; returns how many there are.  map
 * NULL: the places alone. */
static inline size_t crowd_distinct(double *points, double *map, size_t count, size_t dimension,
                                    size_t columns) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    size_t k = 0;
    while (k < kept &&
           memcmp(points + k * dimension, points + i * dimension, dimension * sizeof *points) != 0)
      k++;
    if (k < kept) {
      if (map) assert_memory_equal(map + k * columns, map + i * columns, columns * sizeof *map);
      continue;
    }
    memmove(points + kept * dimension, points + i * dimension, dimension * sizeof *points);
    if (map) memmove(map + kept * columns, map + i * columns, columns * sizeof *map);
    kept++;
  }
  return kept;
}

/* The least variance of v'path over all v of length one. */
static inline double crowd_least_noise(const double *map, size_t rows, size_t columns) {
  double *square = square_of(map, rows, columns);
  double least = least_eigenvalue(square, rows);
  free(square);
  return least;
}

/* The twin: places taken one after another, and a variance that rounding makes negative clipped to
 * zero.  Its map, a lower triangle. */
static inline double *crowd_clipped(const sfm_kernel *kernel, const double *points, size_t count) {
  const size_t d = kernel->dimension;
  double *lower = calloc(count * count, sizeof *lower);
  assert_non_null(lower);
  for (size_t i = 0; i < count; i++) {
    double *row = lower + i * count;
    double rest = sfm_kernel_at(kernel, points + i * d, points + i * d);
    for (size_t j = 0; j < i; j++) {
      const double *other = lower + j * count;
      double sum = sfm_kernel_at(kernel, points + i * d, points + j * d);
      for (size_t k = 0; k < j; k++) sum -= row[k] * other[k];
      row[j] = other[j] > 0 ? sum / other[j] : 0;
      rest -= row[j] * row[j];
    }
    row[i] = sqrt(fmax(rest, 0));
  }
  return lower;
}

#endif
