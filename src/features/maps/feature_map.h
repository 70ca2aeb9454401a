/* feature_map.h - the features of a kernel machine: phi(u) in R^count with <phi(u), phi(v)> = K(u,
 * v) + constant^2 (random features: about that), for the coordinates u of encoding.h.  The forms:
 * - linear: u itself.
 * - monomials: of a polynomial kernel (monomials.h).
 * - torus: of a gaussian kernel, tensor products over the box of u (gaussian_torus.h).
 * - random: random features in any dimension (random_features.h): P^-1/2 cos(2 pi t), P^-1/2 sin(2
 *   pi t) alternating, t = <turns_i, u>/bandwidth, P = frequencies.  The turns are of the spectral
 *   law, from the seed, as in random_basis.h (orthogonal in blocks for gaussian and matern).
 * - points: K(u, z_j) + constant^2 at public places z_j, for coefficients of a function in their
 *   span; here |phi| has no meaning.
 *
 * The last feature is the constant one, when it is not zero (and the form is not points): it is
 * penalised and stands in place of an intercept.
 *
 * kappa: no computed phi(u) is longer, also not when it is rounded to float; the little that
 * rounding takes is included.  Of points: the root of the largest K(u, u) + constant^2. */
#ifndef SFMI_FEATURE_MAP_H
#define SFMI_FEATURE_MAP_H

#include "encoding.h"

#define SFMI_FEATURE_MAP_MAX ((size_t)1 << 24)

typedef enum sfmi_feature_map_form {
  SFMI_FEATURE_MAP_LINEAR,
  SFMI_FEATURE_MAP_MONOMIALS,
  SFMI_FEATURE_MAP_TORUS,
  SFMI_FEATURE_MAP_RANDOM,
  SFMI_FEATURE_MAP_POINTS,
} sfmi_feature_map_form;

typedef struct sfmi_feature_map {
  /* Stated. */
  sfmi_feature_map_form form;
  size_t dimension; /* of u */
  double radius;    /* of u */
  sfm_kernel_family kernel;
  double bandwidth; /* stationary kernels */
  unsigned degree;  /* polynomial: (<u, v> + shift)^degree */
  double shift;
  double constant;       /* the constant feature, or 0 */
  size_t frequencies;    /* random */
  uint64_t seed;         /* random: below SFMI_FREQUENCY_SEEDS */
  double *lower, *upper; /* torus: the box of u.  Owned. */
  /* points: of each the coordinates that are not zero, ascending, point after point.  Owned. */
  size_t *point_starts; /* point_count + 1 */
  uint32_t *point_indices;
  double *point_values;
  size_t point_count;
  /* What follows. */
  size_t count; /* features, the constant one included */
  double kappa;
  void *derived; /* of its form; sfmi_feature_map_destroy frees it */
} sfmi_feature_map;

/* "linear", "monomials", "torus", "random", "points". */
extern const char *const sfmi_feature_map_forms[]; /* NULL at the end */
const char *sfmi_feature_map_form_name(sfmi_feature_map_form form);

/* Takes over what is stated, also on failure.  Checks it (messages say what is wrong and what to
 * write, for example rff when a torus would have too many features) and completes it. */
SFM_MUST_CHECK sfm_status sfmi_feature_map_create(sfmi_feature_map **out,
                                                  const sfmi_feature_map *stated, sfm_error *error);
/* The same without what is large compared to what states it, so that a reader of files can look at
 * a machine without that.  sfmi_feature_map_prepare completes it before features are computed, once
 * and from any thread; sfmi_feature_map_bytes is the memory that it takes. */
SFM_MUST_CHECK sfm_status sfmi_feature_map_create_lazy(sfmi_feature_map **out,
                                                       const sfmi_feature_map *stated,
                                                       sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_feature_map_prepare(const sfmi_feature_map *map, sfm_error *error);
double sfmi_feature_map_bytes(const sfmi_feature_map *map);
void sfmi_feature_map_destroy(sfmi_feature_map *map);
/* Frees what is stated, of a map that was never created. */
void sfmi_feature_map_clear(sfmi_feature_map *stated);

/* What states a map of the form with the kernel of another, but for its points. */
sfmi_feature_map sfmi_feature_map_like(const sfmi_feature_map *map, sfmi_feature_map_form form);
/* Room for so many points with so many nonzero coordinates together.  Clears it on failure. */
SFM_MUST_CHECK sfm_status sfmi_feature_map_make_points(sfmi_feature_map *stated, size_t count,
                                                       size_t nonzeros, sfm_error *error);

/* How many features of a row with so many nonzero coordinates can be nonzero. */
size_t sfmi_feature_map_nonzeros(const sfmi_feature_map *map, size_t nonzeros);
/* Whether rows are best kept as nonzeros: linear and monomials. */
bool sfmi_feature_map_sparse(const sfmi_feature_map *map);
/* The nonzero features of a row given by its nonzero coordinates, ascending; returns how many.
 * linear and monomials only. */
size_t sfmi_feature_map_row(const sfmi_feature_map *map, uint32_t *features, double *values,
                            const uint32_t *indices, const double *u, size_t nonzeros);
/* All features of rows in one block of CSR (row r has the coordinates starts[r] to starts[r + 1]),
 * row by row; a row's features are a function of that row alone.  Any form, any thread. */
void sfmi_feature_map_dense(const sfmi_feature_map *map, double *phi, const size_t *starts,
                            const uint32_t *indices, const double *u, size_t rows);
/* The same as floats, with `stride` floats per row. */
void sfmi_feature_map_floats(const sfmi_feature_map *map, float *phi, size_t stride,
                             const size_t *starts, const uint32_t *indices, const double *u,
                             size_t rows);

/* K(u, v) + constant^2, of coordinates given as nonzeros. */
double sfmi_feature_map_kernel(const sfmi_feature_map *map, const uint32_t *ui, const double *u,
                               size_t un, const uint32_t *vi, const double *v, size_t vn);
/* The same between points i and j of the form points. */
double sfmi_feature_map_kernel_between(const sfmi_feature_map *map, size_t i, size_t j);
/* Its matrix between all of these points, and so much more on the diagonal: to be freed. */
SFM_MUST_CHECK sfm_status sfmi_feature_map_matrix(double **matrix, const sfmi_feature_map *map,
                                                  double diagonal, sfm_error *error);

#endif
