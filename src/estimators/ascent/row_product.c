#include "row_product.h"

#include <float.h>
#include <math.h>

sfm_status sfmi_row_product_init(sfmi_row_product *product, const sfmi_examples *examples,
                                 sfm_error *error) {
  *product = (sfmi_row_product){.examples = examples,
                                .has_monomials = examples->form == SFMI_EXAMPLES_MONOMIALS};
  if (!product->has_monomials) return SFM_OK;
  size_t most = 0;
  for (size_t i = 0; i < examples->rows; i++) {
    const size_t nonzeros = examples->starts[i + 1] - examples->starts[i];
    most = nonzeros > most ? nonzeros : most;
  }
  return sfmi_monomial_product_init(&product->scratch, examples->map, most, error);
}

void sfmi_row_product_clear(sfmi_row_product *product) {
  if (product->has_monomials) sfmi_monomial_product_clear(&product->scratch);
  *product = (sfmi_row_product){0};
}

double sfmi_row_product_square(const sfmi_row_product *product, size_t row) {
  const sfmi_examples *x = product->examples;
  const size_t from = x->starts[row], count = x->starts[row + 1] - from;
  if (!x->keep[row]) return 0;
  double square = 0;
  bool empty = !(product->has_monomials &&
                 (product->scratch.monomials.root > 0 || product->scratch.constant != 0));
  for (size_t k = 0; k < count; k++) {
    square += x->values[from + k] * x->values[from + k];
    empty = empty && x->values[from + k] == 0;
  }
  if (empty) return 0;
  if (product->has_monomials)
    square = sfmi_monomial_product_square(&product->scratch, x->values + from, count);
  return fmax(square, DBL_MIN);
}

double sfmi_row_product_depth(const sfmi_row_product *product, size_t row) {
  const sfmi_examples *x = product->examples;
  const size_t count = x->starts[row + 1] - x->starts[row];
  return product->has_monomials ? sfmi_monomial_product_depth(&product->scratch, count)
                                : sfmi_sum_depth(count) + 4;
}

uint32_t sfmi_row_product_work(const sfmi_row_product *product, size_t row) {
  const sfmi_examples *x = product->examples;
  const size_t count = x->starts[row + 1] - x->starts[row];
  const size_t work =
      product->has_monomials ? sfmi_monomials_nonzeros(&product->scratch.monomials, count) : count;
  return work < UINT32_MAX ? (uint32_t)work : UINT32_MAX;
}

double sfmi_row_product_long(const double *w, const uint32_t *indices, const double *values,
                             size_t count) {
  double sum = 0;
  for (size_t k = 0; k < count; k += 4 * SFMI_SUM_BLOCK) {
    const size_t left = count - k;
    sum += sfmi_row_product_sparse(w, indices + k, values + k,
                                   left < 4 * SFMI_SUM_BLOCK ? left : 4 * SFMI_SUM_BLOCK);
  }
  return sum;
}
