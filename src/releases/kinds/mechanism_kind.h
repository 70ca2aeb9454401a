/* mechanism_kind.h - a mechanism as a release: in the file, back from it, checked
 * (releases/core/release_kind.h).
 *
 * Beside what all releases have the file says n, epsilon, loss, objective, form, risk, lp_risk,
 * repair_cost, limit, prior and denominator (2^62); "weights" are those of a prior that is not
 * uniform, "losses" those of a caller's own table, row by row; and "table" has for every row the
 * number of its first answer that is not impossible, then the numerators from there to the last. */
#ifndef SFMI_MECHANISM_KIND_H
#define SFMI_MECHANISM_KIND_H

#include "optimal.h"
#include "releases/core/release_kind.h"

/* A release that owns the mechanism from now on, also when it fails. */
SFM_MUST_CHECK sfm_status sfmi_mechanism_kind_release(sfm_release **out, sfmi_optimal *optimal,
                                                      sfm_error *error);

#endif
