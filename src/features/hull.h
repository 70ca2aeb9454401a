/* hull.h - hit-and-run in the symmetric hull of the body of trigonometric moments.
 *
 * K_m (verblunsky.h) is not symmetric; its symmetric hull H = conv(K_m and -K_m) is, so that one
 * row moves the gauge by at most 2 and not m + 1.  Nobody knows an exact sampler of H.  What is
 * sampled is the polytope P = conv {+-Psi(k/N), k < N},   cos(pi m/N) H  within  P  within  H,
 * whose gauge is at most 1/cos(pi m/N) times that of H, by a Markov chain: from u a uniform
 * direction v, then a uniform point of the chord {u + t v} of P, whose ends are two linear
 * programs. The chain's law tends to the uniform one; how fast is measured, not proved: idealised.
 *
 * Deterministic: directions and uniforms come in.  Vectors have D = 2m real numbers, as in
 * verblunsky.h.  Proof: docs/proofs/caratheodory.md */
#ifndef SFMI_HULL_H
#define SFMI_HULL_H

#include "base/fail.h"

/* Beyond, a walk would take hours. */
#define SFMI_HULL_MAX ((size_t)24)

typedef struct sfmi_hull sfmi_hull;

/* N: the least with 1/cos(pi m/N) <= 1.01. */
size_t sfmi_hull_lattice(size_t m);
/* 1/cos(pi m/N), rounded up: what the gauge of H is multiplied with to bound that of P.  Replacing
 * a row moves P's gauge of the sum of Psi by at most twice this. */
double sfmi_hull_excess(size_t m);
/* The steps of a walk that starts at zero: 4 D^2, at least 1000. */
size_t sfmi_hull_steps(size_t m);

/* A chain that stands at zero, 1 <= m <= SFMI_HULL_MAX. */
SFM_MUST_CHECK sfm_status sfmi_hull_create(sfmi_hull **out, size_t m, sfm_error *error);
void sfmi_hull_destroy(sfmi_hull *hull);

/* One step, for a direction (D independent normals, or a uniform unit vector) and a uniform in
 * (0, 1).  Fails with SFM_INTERNAL. */
SFM_MUST_CHECK sfm_status sfmi_hull_step(sfmi_hull *hull, const double *direction, double uniform,
                                         sfm_error *error);

/* Where the directions and uniforms of a walk come from, and who is told how far it is. */
typedef struct sfmi_hull_source {
  void *state;
  void (*draw)(void *state, double *direction, size_t dimension, double *uniform);
  void (*progress)(void *state, size_t done, size_t total); /* may be NULL; after every step */
} sfmi_hull_source;

/* So many steps. */
SFM_MUST_CHECK sfm_status sfmi_hull_walk(sfmi_hull *hull, const sfmi_hull_source *source,
                                         size_t steps, sfm_error *error);

/* Where the chain stands; valid until the next step. */
const double *sfmi_hull_at(const sfmi_hull *hull);

/* The gauge of P at z, which is not zero.  For tests, proofs and audits. */
SFM_MUST_CHECK sfm_status sfmi_hull_gauge(sfmi_hull *hull, double *gauge, const double *z,
                                          sfm_error *error);

#endif
