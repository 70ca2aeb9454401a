/* density_integers.h - the parts of a density release that the audit repeats many times and that
 * sessions use: what is public about its noise, and the private integers the noise is added to. */
#ifndef SFMI_DENSITY_INTEGERS_H
#define SFMI_DENSITY_INTEGERS_H

#include "data/rows/rows.h"
#include "data/partial/sums.h"
#include "mechanisms/core/hardened_noise.h"
#include "mechanisms/core/knorm.h"
#include "planner/density/design_density.h"
#include "releases/core/release_data.h"

/* Law, step and sensitivity of a design.  Opens no rows, so it also refuses before they are. */
SFM_MUST_CHECK sfm_status sfmi_density_hardening(sfmi_hardening *out,
                                                 const sfmi_design_density *design, double epsilon,
                                                 sfm_error *error);

/* What is read of every row. */
sfmi_selection sfmi_density_selection(const sfm_density_settings *settings);

/* How many of them, the first, are public and get no noise: the constant's of fourier-laplace and
 * caratheodory. */
size_t sfmi_density_public(const sfmi_design_density *design);

/* The sums that parts are made of: of rows, or (NULL) of none.  PRIVATE. */
SFM_MUST_CHECK sfm_status sfmi_density_sum(sfmi_sums *sums, const sfmi_design_density *design,
                                           sfm_rows *rows, const sfm_density_settings *settings,
                                           sfm_error *error);
/* Whether records can have these sums, of which there are as many as of no rows. */
bool sfmi_density_sum_fits(const sfmi_sums *sums, const sfmi_design_density *design);
/* Sums, which may be used up, as the integers before noise; for all methods but those at places
 * (sfmi_process_values).  PRIVATE; the caller wipes and frees them. */
SFM_MUST_CHECK sfm_status sfmi_density_take(sfmi_i128 **values, const sfmi_design_density *design,
                                            const sfmi_hardening *hardening, sfmi_sums *sums,
                                            sfm_error *error);
/* Both: reads the rows. */
SFM_MUST_CHECK sfm_status sfmi_density_integers(sfmi_i128 **values,
                                                const sfmi_design_density *design,
                                                const sfmi_hardening *hardening, sfm_rows *rows,
                                                const sfm_density_settings *settings,
                                                sfm_error *error);

/* fourier-laplace and caratheodory: the constant's coefficient, n, in steps. */
sfmi_i128 sfmi_fourier_constant(const sfmi_design_density *design, const sfmi_hardening *hardening);
/* caratheodory: the release's coefficients from the integers. */
SFM_MUST_CHECK sfm_status sfmi_fourier_idealise(sfm_release *release, sfmi_knorm *knorm,
                                                const sfmi_i128 *values, double step,
                                                const sfm_context *context, sfm_error *error);

/* Values at places.  Reads the rows into the masses of a process' lattice.  PRIVATE; wiped by the
 * second. */
SFM_MUST_CHECK sfm_status sfmi_process_sums(sfmi_i128 **sums, const sfmi_process *process,
                                            sfm_rows *rows, const sfm_density_settings *settings,
                                            sfm_error *error);
void sfmi_process_wipe(sfmi_i128 **sums, const sfmi_process *process);
/* The function of the masses at the places, in units of sup K 2^-SFMI_KERNEL_SUM_BITS records.
 * PRIVATE; the caller wipes and frees them. */
SFM_MUST_CHECK sfm_status sfmi_process_values(sfmi_i128 **values, const sfmi_process *process,
                                              const sfmi_places *places, const sfmi_i128 *sums,
                                              sfm_error *error);

#endif
