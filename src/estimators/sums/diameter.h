/* diameter.h - how far apart two vectors of a public table are at most, in l1 or l2, and how far
 * one is from zero: a certified bound on how far one row can move a sum of convex combinations of
 * them.
 *
 * The vectors a_0 .. a_N, N = 2^p, are those of neighbouring lattice points.  Over a range X of
 * them, from lo to hi, let c be the chord: the vectors on the straight line from a_lo to a_hi, and
 * E(X) >= |a_k - c_k| for all k in X.  Two ranges X and Y are then at most
 *   max over the four pairs of ends |a - b|  +  E(X) + E(Y)
 * apart, since the norm of a difference of points on two lines is convex in both and largest at
 * ends.  Pairs of dyadic ranges are split until what is left cannot exceed the best pair found by
 * more than SFMI_DIAMETER_SLACK, or until a limit of work.  E is 0 over two neighbours and
 *   E(X) = max(E of its halves) + |a_mid - (a_lo + a_hi)/2|
 * otherwise: over either half, the chord of X is away from the chord of that half by at most that
 * norm. */
#ifndef SFMI_DIAMETER_H
#define SFMI_DIAMETER_H

#include <stdbool.h>

#include "base/system/status.h"

#define SFMI_DIAMETER_SLACK 1e-3
/* Largest |entry| of a table: differences of two are exact, and sums of 2^20 of them in a double.
 */
#define SFMI_DIAMETER_ENTRY_MAX ((int32_t)1 << 30)

typedef struct sfmi_diameter {
  double lower; /* of the pair below: attained */
  double upper; /* no pair, and no single one against zero, is farther apart; rounded up */
  size_t first, second;
  bool alone;  /* the farthest found is `first` against zero */
  double work; /* number of differences of entries */
} sfmi_diameter;

/* table: points x count, points = 2^p + 1; l1, or else l2.  work: about the most differences to
 * take. */
SFM_MUST_CHECK sfm_status sfmi_diameter_find(sfmi_diameter *out, const int32_t *table,
                                             size_t points, size_t count, bool l1, double work,
                                             sfm_error *error);

#endif
