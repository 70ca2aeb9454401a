/* hit_and_run.h - hit-and-run in a symmetric convex body K: points that are nearly uniform.
 *
 * K is the hull of given points and their opposites, or is given by a function that says what is
 * inside.  A step from u takes a direction v, uniform once K has been made round by a linear map,
 * then a uniform point of the chord {u + t v} of K.  The chain's law tends to the uniform one; how
 * fast is measured, not proved: idealised.
 *
 * Deterministic: directions and uniforms come in.  Making K round takes the public generator of
 * base.  Proof: docs/proofs/knorm.md */
#ifndef SFMI_HIT_AND_RUN_H
#define SFMI_HIT_AND_RUN_H

#include <stdbool.h>

#include "base/math/prng.h"
#include "base/system/status.h"

/* Beyond these a walk would take hours: most dimensions, most points, and the most of points times
 * D^2. */
#define SFMI_HIT_AND_RUN_DIMENSION_MAX ((size_t)48)
#define SFMI_HIT_AND_RUN_POINTS_MAX ((size_t)4096)
#define SFMI_HIT_AND_RUN_WORK_MAX ((size_t)1000000)
/* The least and the largest size of points and radii. */
#define SFMI_HIT_AND_RUN_SIZE_MIN 1e-100
#define SFMI_HIT_AND_RUN_SIZE_MAX 1e100
/* The largest quotient of the outer and the inner radius of a body. */
#define SFMI_HIT_AND_RUN_RATIO_MAX 1e6

typedef struct sfmi_hit_and_run sfmi_hit_and_run;

/* A function that says what is in K.  K contains the ball of radius inner and lies in that of
 * radius outer. */
typedef struct sfmi_membership_oracle {
  bool (*inside)(void *context, const double *x);
  void *context;
  double inner, outer;
} sfmi_membership_oracle;

/* Whether a walk in the hull of the points, or in the body, is possible; the body's function is not
 * called. */
SFM_MUST_CHECK sfm_status sfmi_hit_and_run_check_points(const double *points, size_t count,
                                                        size_t dimension, sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_hit_and_run_check_oracle(const sfmi_membership_oracle *oracle,
                                                        size_t dimension, sfm_error *error);

/* Chains that stand at zero.  points: count x dimension, copied.  SFM_INVALID when they do not span
 * the space, or are too many. */
SFM_MUST_CHECK sfm_status sfmi_hit_and_run_create_from_points(sfmi_hit_and_run **out,
                                                              const double *points, size_t count,
                                                              size_t dimension, sfm_error *error);
/* The same without making it round, and with chords by linear programs: for many points that are
 * round already. */
SFM_MUST_CHECK sfm_status sfmi_hit_and_run_create_as_given(sfmi_hit_and_run **out,
                                                           const double *points, size_t count,
                                                           size_t dimension, sfm_error *error);
/* SFM_INVALID also when the function contradicts the radii, symmetry or convexity at the points
 * that a public walk visits. */
SFM_MUST_CHECK sfm_status sfmi_hit_and_run_create_from_oracle(sfmi_hit_and_run **out,
                                                              sfmi_membership_oracle oracle,
                                                              size_t dimension, sfm_error *error);
/* Wipes where it stood. */
void sfmi_hit_and_run_destroy(sfmi_hit_and_run *chain);

/* The steps of a walk that starts at zero: 4 D^2, at least 1000. */
size_t sfmi_hit_and_run_steps(size_t dimension);
/* Whether a chord is two linear programs, which takes a thousand times as long. */
bool sfmi_hit_and_run_is_slow(const sfmi_hit_and_run *chain);
/* About how many multiplications a step takes; infinite when it is slow. */
double sfmi_hit_and_run_cost(const sfmi_hit_and_run *chain);

/* No coordinate of K is larger. */
double sfmi_hit_and_run_extent(const sfmi_hit_and_run *chain);

/* Where the directions and uniforms of a walk come from, and who is told of its progress. */
typedef struct sfmi_hit_and_run_source {
  void *state;
  void (*draw)(void *state, double *direction, size_t dimension, double *uniform);
  /* After every step; a failure ends the walk.  May be NULL. */
  sfm_status (*progress)(void *state, size_t done, size_t total, sfm_error *error);
} sfmi_hit_and_run_source;

/* Those of a public generator. */
sfmi_hit_and_run_source sfmi_hit_and_run_public(sfmi_prng *prng);

/* Stands at zero again, and forgets where it was. */
void sfmi_hit_and_run_reset(sfmi_hit_and_run *chain);
/* One step, for a direction (D independent normals, or a uniform unit vector) and a uniform in
 * (0, 1); and so many steps.  Fail with SFM_INTERNAL. */
SFM_MUST_CHECK sfm_status sfmi_hit_and_run_step(sfmi_hit_and_run *chain, const double *direction,
                                                double uniform, sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_hit_and_run_walk(sfmi_hit_and_run *chain,
                                                const sfmi_hit_and_run_source *source, size_t steps,
                                                sfm_error *error);

/* Where the chain stands; valid until the next step. */
const double *sfmi_hit_and_run_at(const sfmi_hit_and_run *chain);

/* The gauge of K at z, which is not zero.  For tests and audits. */
SFM_MUST_CHECK sfm_status sfmi_hit_and_run_gauge(sfmi_hit_and_run *chain, double *gauge,
                                                 const double *z, sfm_error *error);

#endif
