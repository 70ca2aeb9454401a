/* partial_run.h - what mechanisms do with partials: they are made by the steps of a run before its
 * charge, and taken by the run of the release in place of rows.
 *
 * Making a partial is checking, preparing and summing, without a charge: nothing leaves but the
 * sums, which are private.  The release that takes them is charged before it looks at them. */
#ifndef SFMI_PARTIAL_RUN_H
#define SFMI_PARTIAL_RUN_H

#include "release_run.h"
#include "sfumato/partial.h"

/* Creates a partial of the run, which has no rows and is on the heap.  The partial takes it over,
 * also after a failure, and ends it by destroy. */
SFM_MUST_CHECK sfm_status sfmi_partial_create(sfm_partial **out, sfmi_release_run *run,
                                              void (*destroy)(sfmi_release_run *run),
                                              const sfm_part *part, sfm_error *error);

/* Of a prepared run: whether the partial in place of its rows, if there is one, is whole, and made
 * with its settings and the keys of its dataset. */
SFM_MUST_CHECK sfm_status sfmi_partial_accept(sfmi_release_run *run, sfm_error *error);

/* A public seed for what is drawn once for all parts: of the job of the run's partial.  False where
 * there is none. */
bool sfmi_partial_public_seed(const sfmi_release_run *run, uint64_t *seed);

#endif
