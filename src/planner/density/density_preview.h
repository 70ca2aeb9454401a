/* density_preview.h - what the release of a design would look like: its band, and releases of
 * records drawn from a public shape.  Everything is drawn with a public generator from public
 * numbers: nothing of it is private, and it says so. */
#ifndef SFMI_DENSITY_PREVIEW_H
#define SFMI_DENSITY_PREVIEW_H

#include "design_density.h"
#include "planner/forecast/shape_model.h"

/* The band that a release of so many records from the shape_model would state (of one of its
 * groups, were they of the same size).  It depends a little on the release: this is that of a
 * simulated one. draws: at most so many noises are simulated, for a band that is a little wider; 0:
 * as many as are usual. */
SFM_MUST_CHECK sfm_status sfmi_density_preview_band(
    sfm_band *band, const sfmi_design_density *design, const sfm_density_settings *settings,
    uint64_t rows, const sfmi_shape_model *shape_model, size_t draws, sfm_error *error);

/* A release of as many records drawn from the shape_model (beyond 2^20 of them those count several
 * times each), with noise drawn as the mechanism's law has it; of groups the first one's, records
 * falling into all groups alike.  Under add/remove rows is the expected number.  The caller
 * destroys it. */
SFM_MUST_CHECK sfm_status sfmi_density_preview_create(
    sfm_release **out, const sfmi_design_density *design, const sfm_density_settings *settings,
    uint64_t rows, const sfmi_shape_model *shape_model, uint64_t seed, sfm_error *error);

#endif
