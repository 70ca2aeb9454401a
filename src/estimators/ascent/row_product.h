/* row_product.h - rows of the forms sparse and monomials as a solver needs them: their length, and
 * products with weights. */
#ifndef SFMI_ROW_PRODUCT_H
#define SFMI_ROW_PRODUCT_H

#include "estimators/machine/certificate.h"
#include "monomial_product.h"

/* A thread's access to the rows; it has scratch when the rows are of the form monomials. */
typedef struct sfmi_row_product {
  const sfmi_examples *examples;
  bool has_monomials;
  sfmi_monomial_product scratch;
} sfmi_row_product;

SFM_MUST_CHECK sfm_status sfmi_row_product_init(sfmi_row_product *product,
                                                const sfmi_examples *examples, sfm_error *error);
void sfmi_row_product_clear(sfmi_row_product *product);

/* |phi|^2 of a row, but at least the least normal number; 0 only for a row that contributes
 * nothing. */
double sfmi_row_product_square(const sfmi_row_product *product, size_t row);
/* <w, phi> is off by at most this times SFMI_UNIT_ROUNDOFF |w||phi|. */
double sfmi_row_product_depth(const sfmi_row_product *product, size_t row);
/* How many features of a row are not zero, or UINT32_MAX. */
uint32_t sfmi_row_product_work(const sfmi_row_product *product, size_t row);
/* <w, x> over more than four blocks of SFMI_SUM_BLOCK terms. */
double sfmi_row_product_long(const double *w, const uint32_t *indices, const double *values,
                             size_t count);

static inline double sfmi_row_product_sparse(const double *w, const uint32_t *indices,
                                             const double *values, size_t count) {
  if (count > 4 * SFMI_SUM_BLOCK) return sfmi_row_product_long(w, indices, values, count);
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  size_t k = 0;
  for (; k + 4 <= count; k += 4) {
    s0 += values[k] * w[indices[k]];
    s1 += values[k + 1] * w[indices[k + 1]];
    s2 += values[k + 2] * w[indices[k + 2]];
    s3 += values[k + 3] * w[indices[k + 3]];
  }
  for (; k < count; k++) s0 += values[k] * w[indices[k]];
  return (s0 + s1) + (s2 + s3);
}

/* sum_k w[indices[k]], of no more than four blocks. */
static inline double sfmi_row_product_ones(const double *w, const uint32_t *indices, size_t count) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  size_t k = 0;
  for (; k + 4 <= count; k += 4) {
    s0 += w[indices[k]];
    s1 += w[indices[k + 1]];
    s2 += w[indices[k + 2]];
    s3 += w[indices[k + 3]];
  }
  for (; k < count; k++) s0 += w[indices[k]];
  return (s0 + s1) + (s2 + s3);
}

/* <w, phi>. */
static inline double sfmi_row_product_dot(sfmi_row_product *product, const double *w, size_t row) {
  const sfmi_examples *x = product->examples;
  const size_t from = x->starts[row], count = x->starts[row + 1] - from;
  if (!product->has_monomials)
    return sfmi_row_product_sparse(w, x->indices + from, x->values + from, count);
  return sfmi_monomial_product_dot(&product->scratch, w, x->indices + from, x->values + from,
                                   count);
}

/* w += by phi. */
static inline void sfmi_row_product_add(sfmi_row_product *product, double *restrict w, size_t row,
                                        double by) {
  const sfmi_examples *x = product->examples;
  const size_t from = x->starts[row], count = x->starts[row + 1] - from;
  const uint32_t *restrict indices = x->indices + from;
  const double *restrict values = x->values + from;
  if (product->has_monomials)
    sfmi_monomial_product_add(&product->scratch, w, indices, values, count, by);
  else
    for (size_t k = 0; k < count; k++) w[indices[k]] += by * values[k];
}

#endif
