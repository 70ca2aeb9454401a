/* guarantee.h - the internal part of sfumato/guarantee.h.
 *
 * The room privacy knows what a guarantee means, and nothing about data, noise or budgets.
 * Guarantees are followed along their curves delta(epsilon) and turned into one another here;
 * calibration.h turns a wanted (epsilon, delta) into noise.
 *
 * Composition: composition.h adds guarantees up (pure, GDP in squares, zCDP);
 * privacy_loss.h to mgf_inversion.h compose the privacy losses of mechanisms that were fixed
 * beforehand, and account.c answers sfumato/account.h from them.  The ledger, one room further,
 * calls these; nothing in this room calls the ledger. */
#ifndef SFMI_GUARANTEE_H
#define SFMI_GUARANTEE_H

#include "calibration.h"

/* rho of the largest pure epsilon and of the largest mu: 1e3^2/2. */
#define SFMI_RHO_MAX 5e5

/* Whether the fields that belong to the kind are in the range whose curve can be followed: pure
 * epsilon in [0, EPSILON_MAX], mu in [0, MU_MAX], rho in [0, RHO_MAX].  Other kinds have no
 * curve and are refused. */
SFM_MUST_CHECK sfm_status sfmi_guarantee_check(const sfm_guarantee *guarantee, sfm_error *error);

#endif
