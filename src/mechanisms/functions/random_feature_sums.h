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

/* The features of a design.  Their seed is public: the one given, or (NULL) drawn afresh from the
 * operating system (tests: from the seed), from a stream of its own that no noise comes from.  The
 * caller destroys the basis. */
SFM_MUST_CHECK sfm_status sfmi_random_feature_basis(sfmi_basis **out,
                                                    const sfmi_design_density *design,
                                                    const uint64_t *public_seed, sfmi_seed source,
                                                    sfm_error *error);

/* How many sums there are: of the features, and the number of kept rows. */
size_t sfmi_random_feature_sums_length(const sfmi_design_density *design);

/* Adds batches of rows to sums (borrowed, PRIVATE). */
typedef struct sfmi_random_feature_sums sfmi_random_feature_sums;
SFM_MUST_CHECK sfm_status sfmi_random_feature_sums_create(sfmi_random_feature_sums **out,
                                                          const sfmi_design_density *design,
                                                          sfmi_i128 *sums, sfm_error *error);
void sfmi_random_feature_sums_add(sfmi_random_feature_sums *feature_sums, const sfmi_batch *batch);
void sfmi_random_feature_sums_destroy(sfmi_random_feature_sums *feature_sums);

/* The integers before noise; PRIVATE, the caller wipes and frees them. */
SFM_MUST_CHECK sfm_status sfmi_random_feature_sums_integers(sfmi_i128 **values,
                                                            const sfmi_design_density *design,
                                                            const sfmi_i128 *sums,
                                                            const sfmi_hardening *hardening,
                                                            sfm_error *error);

#endif
