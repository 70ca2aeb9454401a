/* shape_model.h - a public shape laid over a domain: its density, peak, columns, and records drawn
 * from it.  Everything is cut at the bounds and has integral one there. */
#ifndef SFMI_SHAPE_MODEL_H
#define SFMI_SHAPE_MODEL_H

#include "base/math/prng.h"
#include "sfumato/density.h"
#include "sfumato/shape.h"

typedef struct sfmi_shape_model sfmi_shape_model;

/* names: of the columns, for messages; NULL: none.  A shape of NULL is the reference shape: normal
 * in the middle of every column, with a deviation of an eighth of its width.  The shape is

 * * borrowed. */
SFM_MUST_CHECK sfm_status sfmi_shape_model_create(sfmi_shape_model **out, const sfm_shape *shape,
                                                  const char *const *names, size_t dimension,
                                                  const double *lower, const double *upper,
                                                  sfm_error *error);
/* The same for a member of the family of reference shapes, which intervals cover where no shape is
 * given: 0 to SFMI_REFERENCE_SHAPES - 1; 0 is the reference shape. */
#define SFMI_REFERENCE_SHAPES 3
SFM_MUST_CHECK sfm_status sfmi_shape_model_create_reference(sfmi_shape_model **out, size_t member,
                                                            size_t dimension, const double *lower,
                                                            const double *upper, sfm_error *error);
/* Another shape with the means and deviations of a model's columns: two bumps in each, or (which =
 * 1) one half as wide. */
SFM_MUST_CHECK sfm_status sfmi_shape_model_create_wrong(sfmi_shape_model **out,
                                                        const sfmi_shape_model *model, size_t which,
                                                        const double *lower, const double *upper,
                                                        sfm_error *error);
void sfmi_shape_model_destroy(sfmi_shape_model *model);

/* Whether columns are independent: then the density is the product of those of the columns. */
bool sfmi_shape_model_is_product(const sfmi_shape_model *model);
/* The density, 0 outside the domain, at points (count x dimension); of column a alone at count
 * places. */
void sfmi_shape_model_at(const sfmi_shape_model *model, double *values, const double *points,
                         size_t count);
void sfmi_shape_model_column(const sfmi_shape_model *model, size_t a, double *values,
                             const double *places, size_t count);
/* Places from bound to bound, ascending, between which the density of column a is so smooth that a
 * few nodes integrate it: none of its bumps hides between two of them.  Room for
 * SFMI_SHAPE_MODEL_PLACES; returns how many. */
#define SFMI_SHAPE_MODEL_PLACES 256
size_t sfmi_shape_model_places(const sfmi_shape_model *model, size_t a, double *places);
/* Its largest value. */
double sfmi_shape_model_peak(const sfmi_shape_model *model);
/* The standard deviation of column a. */
double sfmi_shape_model_deviation(const sfmi_shape_model *model, size_t a);
/* Draws records (count x dimension) with a public generator. */
void sfmi_shape_model_draw(const sfmi_shape_model *model, double *points, size_t count,
                           sfmi_prng *prng);

/* Column a smoothed by a normal density of deviation h, on the whole line: at count places. */
void sfmi_shape_model_smoothed(const sfmi_shape_model *model, size_t a, double h, double *values,
                               const double *places, size_t count);
/* Places from bound to bound of column a, ascending.  Between two of them the density, and the
 * density smoothed by h, are no harder to integrate than a polynomial of moderate degree.  At most
 * SFMI_SHAPE_MODEL_MARKS. */
#define SFMI_SHAPE_MODEL_MARKS 256
size_t sfmi_shape_model_marks(const sfmi_shape_model *model, size_t a, double h, double *marks);
/* |E exp(2 pi i f X)|^2 of column a, for f > 0.  What oscillates with the distance of the bounds is
 * averaged.  The jumps at the bounds are left out where the boundary reflects, and are one jump
 * where it is periodic. */
double sfmi_shape_model_power(const sfmi_shape_model *model, size_t a, sfm_boundary boundary,
                              double f);

#endif
