/* monomial_product.h - products of weights with rows of monomials (monomials.h) that are never
 * stored.
 *
 * With z_0 < ... < z_{m-1} the nonzero coordinates of a row (the root of the shift first) and w the
 * weights, the sums are nested.  For degree 3
 *   <w, phi> = sum_c z_c (sum_{b < c} z_b (sqrt 6 sum_{a < b} z_a w + sqrt 3 z_b w) +
 *              z_c (sqrt 3 sum_{a < c} z_a w + z_c w)),
 * w at k = j_a + C(j_b + 1, 2) + C(j_c + 2, 3): neighbours where the coordinates are.  This is done
 * for degrees 2 and 3; for other degrees a row's monomials are stored. */
#ifndef SFMI_MONOMIAL_PRODUCT_H
#define SFMI_MONOMIAL_PRODUCT_H

#include "estimators/machine/examples.h"
#include "features/maps/monomials.h"

typedef struct sfmi_monomial_product {
  sfmi_monomials monomials;
  double constant;    /* the last feature, or 0 */
  size_t coordinates; /* most nonzeros of a row, with the root */
  /* Scratch, of one thread. */
  double *z;
  size_t *j;
  size_t *pairs, *triples; /* C(j + 1, 2), C(j + 2, 3) */
  size_t *features;        /* degrees other than 2 and 3 */
  double *values;
} sfmi_monomial_product;

/* For rows of at most so many nonzeros of a map of monomials. */
SFM_MUST_CHECK sfm_status sfmi_monomial_product_init(sfmi_monomial_product *product,
                                                     const sfmi_feature_map *map, size_t nonzeros,
                                                     sfm_error *error);
/* Wipes and frees. */
void sfmi_monomial_product_clear(sfmi_monomial_product *product);

/* <w, phi>, off by at most SFMI_UNIT_ROUNDOFF times the depth times |w||phi|; what the monomials
 * themselves would be off by is included. */
double sfmi_monomial_product_dot(sfmi_monomial_product *product, const double *w,
                                 const uint32_t *indices, const double *u, size_t nonzeros);
double sfmi_monomial_product_depth(const sfmi_monomial_product *product, size_t nonzeros);
/* w += by phi, each number of by phi off by at most SFMI_UNIT_ROUNDOFF times 5 degrees + 3 of
 * itself. */
void sfmi_monomial_product_add(sfmi_monomial_product *product, double *w, const uint32_t *indices,
                               const double *u, size_t nonzeros, double by);
/* |phi|^2, to a few ulps. */
double sfmi_monomial_product_square(const sfmi_monomial_product *product, const double *u,
                                    size_t nonzeros);

#endif
