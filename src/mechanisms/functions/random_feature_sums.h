/* random_feature_sums.h - a density by random features: the parts of its release that
 * density_release.c calls, and the audit repeats.
 *
 * What is released are the sums over rows of the functions of the basis, in integers of one step,
 * and, where the number of records is private, SFMI_TOTAL_WEIGHT times their number.
 * Proof: docs/proofs/random.md. */
#ifndef SFMI_RANDOM_FEATURE_SUMS_H
#define SFMI_RANDOM_FEATURE_SUMS_H

#include "mechanisms/core/hardened_noise.h"
#include "planner/density/design_density.h"

/* The features of a design.  Their seed is public, and drawn afresh from the operating system
 * (tests: from the seed), from a stream of its own that no noise comes from.  The caller destroys
 * the basis. */
SFM_MUST_CHECK sfm_status sfmi_random_feature_basis(sfmi_basis **out,
                                                    const sfmi_design_density *design,
                                                    sfmi_seed source, sfm_error *error);

/* Sums being made, from batches of rows.  PRIVATE. */
typedef struct sfmi_random_feature_sums sfmi_random_feature_sums;
SFM_MUST_CHECK sfm_status sfmi_random_feature_sums_create(sfmi_random_feature_sums **out,
                                                          const sfmi_design_density *design,
                                                          sfm_error *error);
void sfmi_random_feature_sums_add(sfmi_random_feature_sums *feature_sums, const sfmi_batch *batch);
/* The integers before noise; PRIVATE, the caller wipes and frees them. */
SFM_MUST_CHECK sfm_status
sfmi_random_feature_sums_integers(sfmi_i128 **values, const sfmi_random_feature_sums *feature_sums,
                                  const sfmi_hardening *hardening, sfm_error *error);
/* Wipes and frees. */
void sfmi_random_feature_sums_destroy(sfmi_random_feature_sums *feature_sums);

#endif
