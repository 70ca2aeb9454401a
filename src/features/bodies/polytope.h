/* polytope.h - the hull P = conv {+-v_k} of points and their opposites, as linear programs. */
#ifndef SFMI_POLYTOPE_H
#define SFMI_POLYTOPE_H

#include "base/system/status.h"

typedef struct sfmi_polytope sfmi_polytope;

/* points: count x dimension, row by row, copied.  They span the space and are of about one size. */
SFM_MUST_CHECK sfm_status sfmi_polytope_create(sfmi_polytope **out, const double *points,
                                               size_t count, size_t dimension, sfm_error *error);
void sfmi_polytope_destroy(sfmi_polytope *polytope);

/* The largest t with u + t v in P, and the least; u is in P and v a unit vector.  Fail with
 * SFM_INTERNAL. */
SFM_MUST_CHECK sfm_status sfmi_polytope_chord(sfmi_polytope *polytope, double *low, double *high,
                                              const double *u, const double *v, sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_polytope_reach(sfmi_polytope *polytope, double *high,
                                              const double *u, const double *v, sfm_error *error);

#endif
