/* alias_error.h - how far a function read off a spread lattice is from the exact one, whatever the
 * rows.
 *
 * A row at x spread with weights w_k(x) over points x_k is read back as
 *   K~(q, x) = sum_k w_k(x) psi(q - x_k),   psi(z) = sum over |j| <= m of t_j exp(2 pi i j z/W),
 *   t_j = K^(j/W) / (W sinc(j s/W)^order),
 * instead of K(q - x), the Gaussian density.  E = K~ - K has aliases and what is cut beyond m/W.
 * On a periodic axis K is wrapped with the period W; on one that reflects also, W being twice the
 * domain's width, and a row is read back at two places, its own and its mirror image's.
 *
 * Two bounds on |f~ - f| for a mean f of such functions over any rows of the box
 * (docs/proofs/bands.md):
 *  - peak: sup |E|, as if all rows sat at the worst place;
 *  - share: |f~ - f| <= share sup f.  |E(q,x)| <= sum_c m_c K(q - x - z_c) with sum_c m_c = C per
 *    axis, so that the mean of |E| is at most C sup f; over axes share = prod(1 + C) - 1. */
#ifndef SFMI_ALIAS_ERROR_H
#define SFMI_ALIAS_ERROR_H

#include "base/system/status.h"
#include "sfumato/release.h"

typedef struct sfmi_alias_axis {
  double width, h, spacing; /* of the domain, the kernel, the lattice */
  double W;                 /* period */
  size_t m;                 /* highest frequency */
  unsigned order, bits;
  sfm_boundary boundary;
} sfmi_alias_axis;

typedef struct sfmi_alias {
  double peak;  /* in density units */
  double share; /* infinite when not worth computing */
} sfmi_alias;

SFM_MUST_CHECK sfm_status sfmi_alias_bound(sfmi_alias *out, const sfmi_alias_axis *axes,
                                           size_t dimension, sfm_error *error);

/* About the same in a fraction of the time, for choosing among lattices: no bound. */
sfmi_alias sfmi_alias_guess(const sfmi_alias_axis *axes, size_t dimension);

#endif
