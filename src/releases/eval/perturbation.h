/* perturbation.h - how far values at places are from those of the exact function, noise aside
 * (docs/proofs/fields.md). */
#ifndef SFMI_PERTURBATION_H
#define SFMI_PERTURBATION_H

#include "releases/core/release_data.h"

/* What is not noise: a row's function was moved by at most `absolute`, and by at most `share` of
 * itself; both in the released function's unit. */
typedef struct sfmi_perturbation {
  double absolute, share;
} sfmi_perturbation;

/* Of a density of places, from its public numbers; of another function what its band states. */
SFM_MUST_CHECK sfm_status sfmi_release_perturbation(sfmi_perturbation *moved,
                                                    const sfm_release *release, sfm_error *error);

/* How far a value is at most from that of the exact function, not counting noise, when the moved
 * function is at most `largest` there. */
double sfmi_perturbation_width(sfmi_perturbation moved, double largest);

#endif
