/* gaussian_field.h - Gaussian processes at given places: standard normals in, a path out.
 *
 * Every engine realises the same law: a path is normal with mean zero and covariance
 *   C = K + nugget I   at least, in the order of positive semidefinite matrices,
 * and equal to it but for rounding and for what an engine states (circulant raises eigenvalues).
 *
 * The nugget is independent noise on every value, on top of the process.  With it no direction is
 * without noise: whatever moves the values by a vector v that is not a function of the process's
 * space (rounding of a sum, a doubled place) is seen through noise of variance `nugget`. Raising
 * variance is only more private; lowering it is never done.  The nugget belongs to the place:
 * places that are equal have one and the same value, and C is meant over the distinct ones.
 *
 * Nothing here draws: the caller's normals may be secret or public. */
#ifndef SFMI_GAUSSIAN_FIELD_H
#define SFMI_GAUSSIAN_FIELD_H

#include "places.h"

/* The nugget of every release and session, in units of K(x, x) = sfm_kernel_sup (a field is given
 * the product of both): a thousandth of the standard deviation.  Rounding errors of e per value add
 * 2 e sqrt(m/(nugget/2)) to the sensitivity (docs/proofs/fields.md); half of the nugget is kept for
 * the engines' own rounding. */
#define SFMI_NUGGET 0x1p-20

/* SFM_OK, or why an engine cannot draw this kernel at these places, in a message that says which
 * engine can. */
SFM_MUST_CHECK sfm_status sfmi_field_suits(sfm_engine engine, const sfm_kernel *kernel,
                                           const sfmi_places *places, sfm_error *error);

/* The engine for a kernel at these places when none is asked for: markov where it applies, else
 * circulant on grids (but gram where circulant would need too large a torus and gram is possible),
 * else gram.  Never spectral, which is for a release of features, not of places. */
sfm_engine sfmi_field_choose(const sfm_kernel *kernel, const sfmi_places *places);

typedef struct sfmi_field sfmi_field;

/* Computes everything that depends on kernel and places alone, so before anything private:
 * eigenvalues, factors, transitions.  Checks that the engine suits (AUTO: the one that is chosen).
 * The kernel has been checked.  Copies what it needs.  nugget >= 0 (below about 1e-9 gram may
 * fail). */
SFM_MUST_CHECK sfm_status sfmi_field_create(sfmi_field **out, sfm_engine engine,
                                            const sfm_kernel *kernel, const sfmi_places *places,
                                            double nugget, sfm_error *error);
/* The same on a torus of at most `most` places, where the engine has one. */
SFM_MUST_CHECK sfm_status sfmi_field_create_within(sfmi_field **out, sfm_engine engine,
                                                   const sfm_kernel *kernel,
                                                   const sfmi_places *places, double nugget,
                                                   size_t most, sfm_error *error);
void sfmi_field_destroy(sfmi_field *field);

/* How many standard normals one path takes. */
size_t sfmi_field_normals(const sfmi_field *field);

/* path[i] at the i-th place, a linear map of the normals (which are overwritten).  One thread at a
 * time. */
void sfmi_field_path(sfmi_field *field, double *path, double *normals);

/* Variance that the engine added to each value beyond K + nugget (circulant: the eigenvalues it
 * raised, and its own rounding where that exceeds half of the nugget); 0 for the others. */
double sfmi_field_excess(const sfmi_field *field);

#endif
