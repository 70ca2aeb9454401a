/* examples.h - private rows in memory, ready for a solver: their coordinates or features, and their
 * labels.  PRIVATE: wiped when destroyed.  The forms:
 * - sparse: the nonzero features of every row (CSR).
 * - monomials: the nonzero coordinates of every row; features are monomials, built on the fly.
 * - dense: all features of every row as floats, in rows of `stride` floats that are 64-byte
 *   aligned.
 * - kernel: the nonzero coordinates of every row; the machine is a combination of K(., row), and
 *   features are never built.
 *
 * A row that contributes nothing (keep 0) has no nonzeros.  It is included in n. */
#ifndef SFMI_EXAMPLES_H
#define SFMI_EXAMPLES_H

#include "features/maps/feature_map.h"

/* Rows in CSR: row r has the coordinates starts[r] to starts[r + 1].  Borrowed. */
typedef struct sfmi_csr {
  const size_t *starts;
  const uint32_t *indices;
  const double *values;
} sfmi_csr;

typedef enum sfmi_examples_form {
  SFMI_EXAMPLES_SPARSE,
  SFMI_EXAMPLES_MONOMIALS,
  SFMI_EXAMPLES_DENSE,
  SFMI_EXAMPLES_KERNEL,
} sfmi_examples_form;

typedef struct sfmi_examples {
  sfmi_examples_form form;
  const sfmi_feature_map *map; /* borrowed */
  size_t rows;                 /* n, all of them */
  size_t features;             /* of the weights: map->count; of kernel: rows */
  uint8_t *keep;
  double *labels;    /* +-1, or in [-1, 1]; 0 where keep is 0 */
  uint32_t *classes; /* one-vs-rest: which label; else NULL */
  /* sparse: features; monomials, kernel: coordinates; dense: NULL */
  size_t *starts; /* rows + 1 */
  uint32_t *indices;
  double *values;
  size_t nonzeros;
  /* dense */
  float *dense;
  size_t stride;
} sfmi_examples;

/* The rows of the forms sparse, monomials and kernel; it borrows the examples. */
static inline sfmi_csr sfmi_examples_csr(const sfmi_examples *examples) {
  return (sfmi_csr){examples->starts, examples->indices, examples->values};
}

/* Wipes and frees. */
void sfmi_examples_destroy(sfmi_examples *examples);

#endif
