/* density_preview.h - what the release of a design would look like: its band, and releases of
 * records drawn from a public shape.  Everything is drawn with a public generator from public
 * numbers: nothing of it is private, and it says so. */
#ifndef SFMI_DENSITY_PREVIEW_H
#define SFMI_DENSITY_PREVIEW_H

#include "design_density.h"
#include "planner/forecast/shape_model.h"

/* The band that a release of so many records from the shape would state; with groups, that of one
 * of them, all of the same size.  It depends a little on the release: this is the band of a
 * simulated one.  draws: at most so many noises are simulated, for a band that is a little wider;
 * 0: the usual number. */
SFM_MUST_CHECK sfm_status sfmi_density_preview_band(
    sfm_band *band, const sfmi_design_density *design, const sfm_density_settings *settings,
    uint64_t rows, const sfmi_shape_model *shape_model, size_t draws, sfm_error *error);

/* A release of so many records drawn from the shape, with noise of the mechanism's law.  Of more
 * than 2^20 records only so many are drawn, and each counts several times.  With groups it is the
 * release of the first group, all groups being alike.  rows: under add/remove the expected number.
 * The caller destroys it. */
SFM_MUST_CHECK sfm_status sfmi_density_preview_create(
    sfm_release **out, const sfmi_design_density *design, const sfm_density_settings *settings,
    uint64_t rows, const sfmi_shape_model *shape_model, uint64_t seed, sfm_error *error);

#endif
