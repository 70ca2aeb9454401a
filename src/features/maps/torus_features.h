/* torus_features.h - the features of a gaussian kernel on a box: products of the features of each
 * axis' torus (gaussian_torus.h), the last axis fastest. */
#ifndef SFMI_TORUS_FEATURES_H
#define SFMI_TORUS_FEATURES_H

#include "features/kernels/gaussian_torus.h"

#define SFMI_TORUS_FEATURES_MAX ((size_t)1 << 20)

typedef struct sfmi_torus_features sfmi_torus_features;

/* The features on a box in so many dimensions, with the same bandwidth h along all axes.  Refused
 * when there would be more than SFMI_TORUS_FEATURES_MAX features; the message says how many, and
 * what to write instead. */
SFM_MUST_CHECK sfm_status sfmi_torus_features_create(sfmi_torus_features **out, const double *lower,
                                                     const double *upper, size_t dimension,
                                                     double h, sfm_error *error);
void sfmi_torus_features_destroy(sfmi_torus_features *tensor);

size_t sfmi_torus_features_count(const sfmi_torus_features *tensor);
/* No computed row of features is longer, whatever u is. */
double sfmi_torus_features_length(const sfmi_torus_features *tensor);
/* The torus of an axis: its highest frequency m (2 m + 1 features). */
const sfmi_torus *sfmi_torus_features_torus(const sfmi_torus_features *tensor, size_t axis);

/* The features of one row, given by its nonzero coordinates. */
void sfmi_torus_features_doubles(const sfmi_torus_features *tensor, double *phi,
                                 const uint32_t *indices, const double *u, size_t nonzeros);
/* The same in float arithmetic: each is off by less than 2^-20 of itself, and none is longer. */
void sfmi_torus_features_floats(const sfmi_torus_features *tensor, float *phi,
                                const uint32_t *indices, const double *u, size_t nonzeros);

#endif
