/* marginal.h - the density of some of a release's columns, whatever the others hold.  Everything
 * here is post-processing: it links neither secret randomness nor a ledger, and costs no privacy.
 */
#ifndef SFUMATO_MARGINAL_H
#define SFUMATO_MARGINAL_H

#include "sfumato/release.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The marginal of a density over all columns but those named (count of them), in the order they are
 * named: a release of its own.  No mass is lost over the bounds of the columns that go.  columns
 * may name columns of groups too; groups whose column is not named are added up (a release of one
 * group stays the one of that group).
 *
 * For lattice, gp by the engine spectral, fourier-laplace, and refined releases (whose groups
 * cannot be added up).  Its band is computed anew, at the confidence of the release's.  The caller
 * destroys it.  Thread-safe.
 * Proof: docs/proofs/queries.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_release_marginal(sfm_release **out,
                                                       const sfm_release *release,
                                                       const char *const *columns, size_t count,
                                                       sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
