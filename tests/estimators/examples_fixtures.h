/* examples_fixtures.h - the same rows in several forms: floats in full, coordinates of a kernel. */
#ifndef TEST_EXAMPLES_FIXTURES_H
#define TEST_EXAMPLES_FIXTURES_H

#include "machine_reference.h"

/* What rows look like. */
typedef enum look {
  PLAIN,
  EQUAL,    /* all the same */
  OPPOSITE, /* duplicates with other labels */
  MIXED,    /* norms over decades, some zero */
  LOOK_COUNT,
} look;

/* Rows no longer than kappa whose numbers are floats, and labels. */
static inline void forms_rows(double *phi, double *labels, size_t n, size_t features, look kind,
                              bool regression, double kappa, sfmi_prng *prng) {
  for (size_t i = 0; i < n; i++) {
    double *row = phi + i * features, square = 0;
    for (size_t j = 0; j < features; j++) {
      row[j] = sfmi_prng_uniform(prng) < 0.3 ? 0 : sfmi_prng_normal(prng);
      square += row[j] * row[j];
    }
    double scale = square > 0 ? kappa / sqrt(square) * (1 - 1e-6) : 0;
    if (kind == MIXED) scale *= i % 5 ? exp(-8 * sfmi_prng_uniform(prng)) : 0;
    for (size_t j = 0; j < features; j++) {
      const volatile float near = (float)(row[j] * scale); /* rounded, whatever the loop becomes */
      row[j] = (double)near;
      if (kind == EQUAL && i > 0) row[j] = phi[j];
      if (kind == OPPOSITE && i % 2) row[j] = row[j - features];
    }
    labels[i] = regression                      ? 2 * sfmi_prng_uniform(prng) - 1
                : sfmi_prng_uniform(prng) < 0.5 ? -1
                                                : 1;
    if (kind == OPPOSITE && i % 2) labels[i] = -labels[i - 1];
  }
}

/* The form dense of sparse examples, which stay. */
static inline sfmi_examples *forms_dense(const sfmi_examples *x) {
  sfmi_examples *dense = calloc(1, sizeof *dense);
  *dense = (sfmi_examples){.form = SFMI_EXAMPLES_DENSE, .rows = x->rows, .features = x->features};
  dense->stride = (x->features + 15) / 16 * 16;
  dense->dense = aligned_alloc(64, x->rows * dense->stride * sizeof *dense->dense);
  dense->keep = calloc(x->rows, 1);
  dense->labels = calloc(x->rows, sizeof *dense->labels);
  memcpy(dense->keep, x->keep, x->rows);
  memcpy(dense->labels, x->labels, x->rows * sizeof *x->labels);
  for (size_t i = 0; i < x->rows; i++) {
    float *row = dense->dense + i * dense->stride;
    for (size_t j = 0; j < dense->stride; j++)
      row[j] = j < x->features ? 0 : NAN; /* not to be read */
    for (size_t k = x->starts[i]; k < x->starts[i + 1]; k++)
      row[x->indices[k]] = (float)x->values[k];
  }
  return dense;
}

static inline void forms_free_dense(sfmi_examples *x) {
  free(x->dense);
  free(x->keep);
  free(x->labels);
  free(x);
}

/* The form kernel of the same rows, as coordinates; shares everything with them. */
static inline sfmi_examples forms_kernel(const sfmi_examples *x, const sfmi_feature_map *map) {
  sfmi_examples kernel = *x;
  kernel.form = SFMI_EXAMPLES_KERNEL;
  kernel.map = map;
  kernel.features = x->rows;
  return kernel;
}

/* The weights of a machine of the linear kernel. */
static inline void forms_weights(double *w, const sfmi_examples *x, const double *c) {
  for (size_t j = 0; j < x->features; j++) {
    long double sum = 0;
    for (size_t i = 0; i < x->rows; i++)
      for (size_t k = x->starts[i]; k < x->starts[i + 1]; k++)
        if (x->indices[k] == j) sum += (long double)c[i] * x->values[k];
    w[j] = (double)sum;
  }
}

static inline double forms_apart(const double *v, const double *w, size_t count) {
  double sum = 0;
  for (size_t j = 0; j < count; j++) sum += (v[j] - w[j]) * (v[j] - w[j]);
  return sqrt(sum);
}

#endif
