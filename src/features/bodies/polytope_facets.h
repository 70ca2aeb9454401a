/* polytope_facets.h - the facets of the hull of points and their opposites, where they are few: a
 * chord then takes no linear program. */
#ifndef SFMI_POLYTOPE_FACETS_H
#define SFMI_POLYTOPE_FACETS_H

#include <stdbool.h>

#include "base/system/status.h"

/* conv {+-v_k} = {x : |a_j . x| <= 1 for all j}. */
typedef struct sfmi_polytope_facets {
  size_t dimension, count, room;
  double *normals; /* a_j, count x dimension */
} sfmi_polytope_facets;

/* Looks at every choice of `dimension` points and signs.  Finds none (count 0) where that would
 * take too long.  points: as for sfmi_polytope_create. */
SFM_MUST_CHECK sfm_status sfmi_polytope_facets_find(sfmi_polytope_facets *out, const double *points,
                                                    size_t count, size_t dimension,
                                                    sfm_error *error);
void sfmi_polytope_facets_clear(sfmi_polytope_facets *facets);

/* The least and the largest t with u + t v inside; infinite where nothing bounds it. */
void sfmi_polytope_facets_chord(const sfmi_polytope_facets *facets, double *low, double *high,
                                const double *u, const double *v);

#endif
