/* sequential_field.h - a process of any kernel at places that arrive one after another.
 *
 * The lower Cholesky factor L of C = K + nugget I over the places so far grows by one row at a
 * time: for a new place with k = K(places, x), l = L^-1 k and d^2 = K(x, x) + nugget - l'l (raised
 * to nugget/2 where it is below), the value is l'z + d z_new.  So with independent standard normals
 * z the values are a path of the process, in whatever order the places come.  O(i^2) per place.  A
 * place given a second time is another place, with a nugget of its own: a caller that answers keeps
 * its answers and does not ask again. */
#ifndef SFMI_SEQUENTIAL_FIELD_H
#define SFMI_SEQUENTIAL_FIELD_H

#include "features/kernels/kernel.h"

typedef struct sfmi_sequential_field sfmi_sequential_field;

/* nugget > 0.  The kernel and its bandwidths are copied; what else it points to must live as long.
 */
SFM_MUST_CHECK sfm_status sfmi_sequential_field_create(sfmi_sequential_field **out,
                                                       const sfm_kernel *kernel, double nugget,
                                                       sfm_error *error);
/* Wipes and frees. */
void sfmi_sequential_field_destroy(sfmi_sequential_field *field);

size_t sfmi_sequential_field_count(const sfmi_sequential_field *field);

/* Takes in count places with the normals they were given before, by one blocked factorisation. The
 * field must be empty. */
SFM_MUST_CHECK sfm_status sfmi_sequential_field_load(sfmi_sequential_field *field,
                                                     const double *points, const double *normals,
                                                     size_t count, sfm_error *error);

/* values[i] of the process at count new places, given their standard normals.  All places are
 * added, or none on failure (memory; a kernel that is not a number, exceeds its bound or is not
 * positive definite). */
SFM_MUST_CHECK sfm_status sfmi_sequential_field_add(sfmi_sequential_field *field, double *values,
                                                    const double *points, const double *normals,
                                                    size_t count, sfm_error *error);

/* Forgets all places but the first `count`, as if they had never been added. */
void sfmi_sequential_field_truncate(sfmi_sequential_field *field, size_t count);

#endif
