/* basis_sums.h - the sums over rows of the functions of a basis of one variable, in integers.
 *
 * The domain has a public lattice of N = 2^p cells.  A row is spread over the lattice points next
 * to it with integer weights w >= 0 that sum to exactly 2^bits, and has the integers
 *   V_j = sum_k w_k A_j[k],      A_j[k] the integer nearest to 2^shift a_j(k),
 * so that it is a convex combination of the lattice points' own vectors.  So no row is farther from
 * another, or from the zero vector of a row that is not kept, than two of those vectors are
 * (diameter.h), and sums over rows are exact in 128 bits, whatever their order.
 *
 *   places                    spread over    a_j(k)
 *   haar      cells           1              b_j in the cell
 *   db4       even            2              b_j at the point, between which b_j is linear
 *   fourier   even, wrapped   4              b_j - d2/6 + 7 d4/240 there, d2 and d4 its second and
 *   cosine    even, folded    4              fourth differences: the spline then follows b_j to
 *   others    cosines, folded 4              2.2 u^4, u = cycles in a cell
 *
 * "Cosines": at the middle less half the width times cos(pi k/N), where polynomials are sums of
 * cosines of k, which are even about both ends.
 *
 * Overflow: |A| < 2^30 and bits = 30, so |sum| < rows 2^60: fewer than 2^36 rows are far within 128
 * bits. */
#ifndef SFMI_BASIS_SUMS_H
#define SFMI_BASIS_SUMS_H

#include "diameter.h"
#include "estimators/lattice/lattice.h"
#include "features/bases/basis.h"

#define SFMI_BASIS_SUMS_BITS 30
/* log2 of the rows that the overflow argument allows. */
#define SFMI_BASIS_SUMS_ROWS_BITS 36

/* Most functions of each family of one variable on which rows are summed. */
size_t sfmi_basis_sums_most(sfmi_basis_family family);

typedef struct sfmi_basis_sums sfmi_basis_sums;

/* For a basis with at most that many functions, from fourier to eigen, which it borrows.
 * Everything in it is public. */
SFM_MUST_CHECK sfm_status sfmi_basis_sums_create(sfmi_basis_sums **out, const sfmi_basis *basis,
                                                 sfm_error *error);
void sfmi_basis_sums_destroy(sfmi_basis_sums *basis_sums);

/* The number of lattice points, of which the last may repeat the first or the one before; and A:
 * points x basis->count. */
size_t sfmi_basis_sums_points(const sfmi_basis_sums *basis_sums);
const int32_t *sfmi_basis_sums_table(const sfmi_basis_sums *basis_sums);
/* The number f for which one unit of the sums over rows is 2^-f of b_j. */
int sfmi_basis_sums_fraction_bits(const sfmi_basis_sums *basis_sums);

/* The number of masses.  The second adds a batch of one column to the masses (PRIVATE).  The third
 * computes from the masses the sums over rows, basis->count of them. */
size_t sfmi_basis_sums_length(const sfmi_basis_sums *basis_sums);
void sfmi_basis_sums_add(const sfmi_basis_sums *basis_sums, sfmi_i128 *masses,
                         const sfmi_batch *batch);
void sfmi_basis_sums_sum(const sfmi_basis_sums *basis_sums, sfmi_i128 *sums,
                         const sfmi_i128 *masses);

/* How far one row can move the sums, in l1 or else l2, in units of b_j; lower <= truth <= upper. */
SFM_MUST_CHECK sfm_status sfmi_basis_sums_diameter(const sfmi_basis_sums *basis_sums,
                                                   sfmi_diameter *out, bool l1, sfm_error *error);

/* An upper bound on |b_j(x)| and on |V_j| in units of b_j, j < basis->count. */
double sfmi_basis_sums_largest(const sfmi_basis_sums *basis_sums, size_t j);
/* How far V_j of a row, in units of b_j, is at most from b_j(row). */
double sfmi_basis_sums_error(const sfmi_basis_sums *basis_sums, size_t j);
/* An upper bound on |sum_j e_j b_j(x)|, where |e_j| is at most sfmi_basis_sums_error plus `more`
 * for every function that is not zero at x. */
double sfmi_basis_sums_defect(const sfmi_basis_sums *basis_sums, double more);

#endif
