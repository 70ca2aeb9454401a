/* tensor.h - the features of a gaussian kernel on a box: products of those of each axis' torus
 * (gaussian.h), the last axis fastest. */
#ifndef SFMI_TENSOR_H
#define SFMI_TENSOR_H

#include "features/gaussian.h"

#define SFMI_TENSOR_MAX ((size_t)1 << 20)

typedef struct sfmi_tensor sfmi_tensor;

/* Of a box in so many dimensions, the same bandwidth h along all; refused when there would be more
 * than SFMI_TENSOR_MAX features, saying how many and what to write instead. */
SFM_MUST_CHECK sfm_status sfmi_tensor_create(sfmi_tensor **out, const double *lower,
                                             const double *upper, size_t dimension, double h,
                                             sfm_error *error);
void sfmi_tensor_destroy(sfmi_tensor *tensor);

size_t sfmi_tensor_count(const sfmi_tensor *tensor);
/* No computed row of features is longer, whatever u is. */
double sfmi_tensor_length(const sfmi_tensor *tensor);
/* The torus of an axis: its highest frequency m (2 m + 1 features). */
const sfmi_torus *sfmi_tensor_torus(const sfmi_tensor *tensor, size_t axis);

/* The features of one row, given by its nonzero coordinates. */
void sfmi_tensor_doubles(const sfmi_tensor *tensor, double *phi, const uint32_t *indices,
                         const double *u, size_t nonzeros);
/* The same in float arithmetic: each is off by less than 2^-20 of itself, and none is longer. */
void sfmi_tensor_floats(const sfmi_tensor *tensor, float *phi, const uint32_t *indices,
                        const double *u, size_t nonzeros);

#endif
