/* moment_hull.h - the symmetric hull of the body of trigonometric moments, for a walk in it
 * (hit_and_run.h).
 *
 * K_m (verblunsky.h) is not symmetric.  Its symmetric hull H = conv(K_m and -K_m) is, so that one
 * row moves the gauge by at most 2 and not by m + 1.  No exact sampler of H is known.  What is
 * sampled, by hit-and-run, is the polytope
 *   P = conv {+-Psi(k/N), k < N},   cos(pi m/N) H  within  P  within  H,
 * whose gauge is at most 1/cos(pi m/N) times that of H.
 *
 * Vectors have D = 2m real numbers, as in verblunsky.h.  Proof: docs/proofs/caratheodory.md */
#ifndef SFMI_MOMENT_HULL_H
#define SFMI_MOMENT_HULL_H

#include "hit_and_run.h"

/* Beyond, a walk would take hours. */
#define SFMI_MOMENT_HULL_MAX ((size_t)24)

/* N: the least with 1/cos(pi m/N) <= 1.01. */
size_t sfmi_moment_hull_points(size_t m);
/* 1/cos(pi m/N), rounded up: the gauge of P is at most this times that of H.  Replacing a row moves
 * P's gauge of the sum of Psi by at most twice this. */
double sfmi_moment_hull_excess(size_t m);

/* A chain that stands at zero, 1 <= m <= SFMI_MOMENT_HULL_MAX. */
SFM_MUST_CHECK sfm_status sfmi_moment_hull_create(sfmi_hit_and_run **out, size_t m,
                                                  sfm_error *error);

#endif
