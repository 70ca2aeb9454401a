/* basis.h - finitely many public functions b_1 .. b_count on a box.  A released function is a sum
 * of them:  f(x) = constant + (1/total) sum_j c_j b_j(x).
 *
 *   fourier    sqrt2 cos(2 pi k u), sqrt2 sin(2 pi k u), k = 1, 2, ...   u = (x - lower)/width
 *   cosine     sqrt2 cos(pi k u)
 *   legendre   sqrt(2k+1) P_k(2u - 1)
 *   hermite    the Hermite functions of (x - middle)/unit, orthonormal over all of R, k = 0, 1, ...
 *   haar, db4  wavelets, periodised: level by level, from the coarsest, count + 1 a power of two
 *   eigen      eigenfunctions of a kernel on the domain, as Legendre series: table is count x nodes
 *   span       functions sum_i table[j][i] K(., points[i]), orthonormal in K's space
 *   random     P^-1/2 cos<omega_i, x>, P^-1/2 sin<omega_i, x> alternating, P = count/2 frequencies
 *              of the kernel's spectral law, from a seed; of squared norm 1 at every x
 *
 * The first seven are of one variable and orthonormal in L2 (of the domain; hermite: of R), scaled
 * by width^-1/2 (hermite: unit^-1/2).  Five of them leave out a constant function b_0, whose
 * coefficient is public: for them `constant` is 1/width, for the others it is zero.  The number of
 * terms includes b_0.
 *
 * Everything here is public.  A file states enough of it for anyone to complete it. */
#ifndef SFMI_BASIS_H
#define SFMI_BASIS_H

#include "base/system/status.h"
#include "sfumato/kernel.h"

typedef enum sfmi_basis_family {
  SFMI_FOURIER,
  SFMI_COSINE,
  SFMI_LEGENDRE,
  SFMI_HERMITE,
  SFMI_HAAR,
  SFMI_DB4,
  SFMI_EIGEN,
  SFMI_SPAN,
  SFMI_RANDOM,
} sfmi_basis_family;

/* Most functions of a basis, and most numbers of its table. */
#define SFMI_BASIS_MAX ((size_t)1 << 20)
#define SFMI_BASIS_TABLE_MAX ((size_t)1 << 22)

/* db4 is linear in each of so many equal cells of its domain, so that norms of its rows of values
 * are largest at the ends of cells. */
#define SFMI_DB4_CELLS ((size_t)1 << 16)

typedef struct sfmi_basis {
  /* Stated: by a file, or by whoever makes a basis. */
  sfmi_basis_family family;
  size_t dimension;
  size_t count;
  double lower[SFM_MAX_DIMENSION], upper[SFM_MAX_DIMENSION];
  double unit;              /* hermite */
  sfm_kernel_family kernel; /* eigen, span, random: stationary */
  double bandwidth[SFM_MAX_DIMENSION];
  size_t nodes;
  double *points; /* span: nodes of them, owned */
  double *table;  /* eigen, span: count x nodes, owned */
  uint64_t seed;  /* random */
  /* What follows from that. */
  double constant;
  void *derived; /* of its family, owned: free() frees it */
  void (*at)(const struct sfmi_basis *basis, double *values, const double *points, size_t count);
} sfmi_basis;

/* "fourier", ..., "random". */
const char *sfmi_basis_family_name(sfmi_basis_family family);
/* Whether it leaves out a constant function. */
bool sfmi_basis_family_has_constant(sfmi_basis_family family);

/* Takes over points and table of what is stated, also on failure.  Checks it (the message says what
 * is wrong with a file) and completes it. */
SFM_MUST_CHECK sfm_status sfmi_basis_create(sfmi_basis **out, const sfmi_basis *stated,
                                            sfm_error *error);
void sfmi_basis_destroy(sfmi_basis *basis);

/* values[i * basis->count + j] = b_j(points[i]), points within the box, row by row.  A row of
 * values depends on its point alone.  Thread-safe. */
void sfmi_basis_at(const sfmi_basis *basis, double *values, const double *points, size_t count);

#endif
