#include "simulated_sparse.h"

#include <math.h>
#include <stdlib.h>

#include "base/math/prng.h"

enum { WIDTH = 30 };
static const double NOISE = 0.1;

static int ascending(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* Distinct coordinates, ascending; returns how many. */
static size_t draw_row(uint32_t *indices, double dimension, sfmi_prng *prng) {
  size_t count = 0;
  for (size_t k = 0; k < WIDTH; k++)
    indices[k] = (uint32_t)(pow(dimension, sfmi_prng_uniform(prng)) - 1);
  qsort(indices, WIDTH, sizeof *indices, ascending);
  for (size_t k = 0; k < WIDTH; k++)
    if (count == 0 || indices[k] != indices[count - 1]) indices[count++] = indices[k];
  return count;
}

sparse_labelled_rows simulated_sparse_rows(size_t dimension, size_t count) {
  sparse_labelled_rows rows = sparse_labelled_rows_create(count, count * WIDTH);
  double *truth = malloc(dimension * sizeof *truth);
  sfmi_prng prng;
  if (!truth) abort();
  sfmi_prng_init(&prng, 1);
  for (size_t j = 0; j < dimension; j++)
    truth[j] = sfmi_prng_normal(&prng) / sqrt(sqrt(1 + (double)j));
  for (size_t i = 0; i < count; i++) {
    const size_t at = rows.starts[i];
    const size_t width = draw_row(rows.indices + at, (double)dimension, &prng);
    double score = NOISE * sfmi_prng_normal(&prng);
    rows.starts[i + 1] = at + width;
    for (size_t k = at; k < at + width; k++) {
      rows.values[k] = 1 / sqrt((double)width);
      score += truth[rows.indices[k]] * rows.values[k];
    }
    rows.labels[i] = score > 0 ? 1 : -1;
  }
  free(truth);
  return rows;
}
