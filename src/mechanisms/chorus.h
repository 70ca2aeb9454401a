/* chorus.h - a density by random features: the parts of its release that density.c calls, and the
 * audit repeats.
 *
 * What is released are the sums over rows of the functions of the basis, in integers of one step,
 * and, where the number of records is private, SFMI_TOTAL_WEIGHT times their number.
 * Proof: docs/proofs/random.md. */
#ifndef SFMI_CHORUS_H
#define SFMI_CHORUS_H

#include "mechanisms/harden.h"
#include "planner/design.h"

/* A seed for public random features, from a stream of its own. */
SFM_MUST_CHECK sfm_status sfmi_chorus_seed(uint64_t *seed, sfmi_seed source, sfm_error *error);

/* The features of a design.  Their seed is public, and drawn afresh from the operating system
 * (tests: from the seed), from a stream of its own that no noise comes from.  The caller destroys
 * the basis. */
SFM_MUST_CHECK sfm_status sfmi_chorus_basis(sfmi_basis **out, const sfmi_design *design,
                                            sfmi_seed source, sfm_error *error);

/* Sums being made, from batches of rows.  PRIVATE. */
typedef struct sfmi_chorus sfmi_chorus;
SFM_MUST_CHECK sfm_status sfmi_chorus_create(sfmi_chorus **out, const sfmi_design *design,
                                             sfm_error *error);
void sfmi_chorus_add(sfmi_chorus *chorus, const sfmi_batch *batch);
/* The integers before noise; PRIVATE, the caller wipes and frees them. */
SFM_MUST_CHECK sfm_status sfmi_chorus_integers(sfmi_i128 **values, const sfmi_chorus *chorus,
                                               const sfmi_hardening *hardening, sfm_error *error);
/* Wipes and frees. */
void sfmi_chorus_destroy(sfmi_chorus *chorus);

#endif
