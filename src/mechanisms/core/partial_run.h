/* partial_run.h - what mechanisms do with partials: they are made by the steps of a run before its
 * charge, and taken by the run of the release in place of rows.
 *
 * Making a partial is checking, preparing and summing, without a charge: nothing leaves but the
 * sums, which are private.  The release that takes them is charged before it looks at them. */
#ifndef SFMI_PARTIAL_RUN_H
#define SFMI_PARTIAL_RUN_H

#include "release_run.h"
#include "sfumato/partial.h"

/* A mechanism that parts can be made of: its run, a struct that begins with a sfmi_release_run and
 * has a pointer to its settings, whose second member is their context. */
typedef struct sfmi_partial_kind {
  const sfmi_release_steps *steps;
  size_t run_size, settings_offset, settings_size;
  void (*clear)(sfmi_release_run *run); /* what the steps made, the release aside */
} sfmi_partial_kind;

#define SFMI_PARTIAL_KIND(steps, run, settings, clear)                                             \
  { &(steps), sizeof(run), offsetof(run, settings), sizeof(*((run *)0)->settings), (clear) }

/* Creates a partial with a copy of the settings, which are whole. */
SFM_MUST_CHECK sfm_status sfmi_partial_create(sfm_partial **out, const sfmi_partial_kind *kind,
                                              const void *settings, const sfm_part *part,
                                              sfm_error *error);

/* Of a prepared run: whether the partial in place of its rows, if there is one, is whole, and made
 * with its settings and the keys of its dataset. */
SFM_MUST_CHECK sfm_status sfmi_partial_accept(sfmi_release_run *run, sfm_error *error);

/* A public seed for what is drawn once for all parts: of the job of the run's partial.  False where
 * there is none. */
bool sfmi_partial_public_seed(const sfmi_release_run *run, uint64_t *seed);

#endif
