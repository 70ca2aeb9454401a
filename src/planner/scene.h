/* scene.h - a public shape laid over a domain: its density, peak, columns, and records drawn from
 * it.  Everything is cut at the bounds and has integral one there. */
#ifndef SFMI_SCENE_H
#define SFMI_SCENE_H

#include "base/prng.h"
#include "sfumato/density.h"
#include "sfumato/shape.h"

typedef struct sfmi_scene sfmi_scene;

/* names: of the columns, for messages; NULL: none.  A shape of NULL is the reference shape: normal
 * in the middle of every column, with a deviation of an eighth of its width.  The shape is
 * borrowed.
 */
SFM_MUST_CHECK sfm_status sfmi_scene_create(sfmi_scene **out, const sfm_shape *shape,
                                            const char *const *names, size_t dimension,
                                            const double *lower, const double *upper,
                                            sfm_error *error);
/* The same over a member of the family of shapes that intervals cover where none is given: 0 to
 * SFMI_FAMILY - 1; 0 is the reference shape. */
#define SFMI_FAMILY 3
SFM_MUST_CHECK sfm_status sfmi_scene_create_member(sfmi_scene **out, size_t member,
                                                   size_t dimension, const double *lower,
                                                   const double *upper, sfm_error *error);
void sfmi_scene_destroy(sfmi_scene *scene);

/* Whether columns are independent: then the density is the product of those of the columns. */
bool sfmi_scene_product(const sfmi_scene *scene);
/* The density, 0 outside the domain, at points (count x dimension); of column a alone at count
 * places. */
void sfmi_scene_at(const sfmi_scene *scene, double *values, const double *points, size_t count);
void sfmi_scene_column(const sfmi_scene *scene, size_t a, double *values, const double *places,
                       size_t count);
/* Places from bound to bound, ascending, between which the density of column a is so smooth that a
 * few nodes integrate it: none of its bumps hides between two of them.  Room for
 * SFMI_SCENE_PLACES; returns how many. */
#define SFMI_SCENE_PLACES 256
size_t sfmi_scene_places(const sfmi_scene *scene, size_t a, double *places);
/* Its largest value. */
double sfmi_scene_peak(const sfmi_scene *scene);
/* The standard deviation of column a. */
double sfmi_scene_deviation(const sfmi_scene *scene, size_t a);
/* Draws records (count x dimension) with a public generator. */
void sfmi_scene_draw(const sfmi_scene *scene, double *points, size_t count, sfmi_prng *prng);

/* Column a smoothed by a normal density of deviation h, on the whole line: at count places. */
void sfmi_scene_blur(const sfmi_scene *scene, size_t a, double h, double *values,
                     const double *places, size_t count);
/* Places within the bounds of column a, both of them among these, in order: between two of them the
 * density, and the density smoothed so, are no harder to integrate than a polynomial of moderate
 * degree.  At most SFMI_MARKS. */
#define SFMI_MARKS 256
size_t sfmi_scene_marks(const sfmi_scene *scene, size_t a, double h, double *marks);
/* |E exp(2 pi i f X)|^2 of column a, for f > 0, but that what oscillates with the distance of the
 * bounds is averaged over; without the jumps at bounds where they reflect, and with one jump where
 * they meet. */
double sfmi_scene_power(const sfmi_scene *scene, size_t a, sfm_boundary boundary, double f);

/* A shape in canonical words; of a release its hash.  For the ledger; the caller frees it. */
char *sfmi_shape_text(const sfm_shape *shape);

#endif
