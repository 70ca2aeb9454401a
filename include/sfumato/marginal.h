/* marginal.h - computes the density of some of the columns of a released density.  Everything here
 * is post-processing: it links neither secret randomness nor a ledger, and costs no privacy.
 */
#ifndef SFUMATO_MARGINAL_H
#define SFUMATO_MARGINAL_H

#include "sfumato/release.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Computes the density of the `count` columns named, in the order in which they are named.  The
 * other columns are integrated out; no mass is lost at their bounds.  columns may also name columns
 * of groups.  Groups whose column is not named are added up (a release of one group remains that
 * group).  The result is a new release.
 *
 * For the methods lattice, gp (engine spectral) and fourier-laplace, and for refined releases
 * (whose groups cannot be added up).  The band is computed again, at the confidence of the release.
 * The caller destroys *out.  Thread-safe.
 * Privacy: post-processing.  Proof: docs/proofs/queries.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_release_marginal(sfm_release **out,
                                                       const sfm_release *release,
                                                       const char *const *columns, size_t count,
                                                       sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
