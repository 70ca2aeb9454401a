/* density_template.h - all that is public of a density release, before there are rows: how its
 * numbers become integers, and the release itself but for its coefficients, band and sentence. */
#ifndef SFMI_DENSITY_TEMPLATE_H
#define SFMI_DENSITY_TEMPLATE_H

#include "design_density.h"
#include "releases/core/release_data.h"

/* How sums over rows become integers that noise is added to. */
typedef struct sfmi_steps {
  double step;        /* one integer, in records; caratheodory: of integers that are not rounded */
  double sensitivity; /* of the integers, in records and the noise's norm */
} sfmi_steps;

/* For a design that releases no values at places.  Its sums are in units of 2^-fine, and are
 * rounded once to the step. */
sfmi_steps sfmi_density_template_steps(const sfmi_design_density *design);
/* One unit of a spectrum's transform is 2^-fine of a row. */
int sfmi_density_template_fine(const sfmi_torus_sums *spectrum);

/* The release.  rows: n under replace.  scale: of the noise, in records.  steps: NULL where values
 * at places are released.  Random features are not in it: their seed is drawn later.  Clear with
 * sfm_release_destroy, also after a failure. */
SFM_MUST_CHECK sfm_status sfmi_density_template_create(sfm_release **out,
                                                       const sfmi_design_density *design,
                                                       const sfm_density_settings *settings,
                                                       uint64_t rows, const sfmi_steps *steps,
                                                       double scale, sfm_error *error);

/* Copies the places and all else that is public of a process into a release, as method gp.  kernel:
 * that of the rows' function. */
SFM_MUST_CHECK sfm_status sfmi_density_template_set_process(sfm_release *release, sfm_engine engine,
                                                            const sfm_kernel *kernel,
                                                            const sfmi_places *places,
                                                            double nugget, sfm_error *error);

#endif
