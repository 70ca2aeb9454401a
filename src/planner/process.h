/* process.h - choosing a Gaussian process release for engines other than spectral (sfmi_process, in
 * design.h), from public numbers. */
#ifndef SFMI_PROCESS_H
#define SFMI_PROCESS_H

#include "planner/design.h"

/* For the domain, kernel and guarantee of checked settings, good for so many values. */
SFM_MUST_CHECK sfm_status sfmi_process_init(sfmi_process *process, const sfmi_design *design,
                                            const sfm_density_settings *settings, double values,
                                            sfm_error *error);

/* The kernel of the rows' function, and that of the noise; they borrow the process. */
sfm_kernel sfmi_process_kernel(const sfmi_process *process);
sfm_kernel sfmi_process_noise(const sfmi_process *process);

/* What neighbours move values by that differ by at most `norm` in the kernel's space and are
 * computed to within `rounding` each. */
double sfmi_process_sensitivity(double norm, double rounding, double nugget, double values);

/* Places from a list (borrowed; NULL: none), else from a grid, else the usual grid of up to three
 * dimensions; all of it checked against the bounds. */
SFM_MUST_CHECK sfm_status sfmi_places_choose(sfmi_places *places, size_t dimension,
                                             const double *lower, const double *upper,
                                             const double *points, size_t count, const size_t *grid,
                                             sfm_error *error);

/* Whether K(x, x) keeps its bound at the places, where noise is shaped by it. */
SFM_MUST_CHECK sfm_status sfmi_places_bounded(const sfmi_places *places, const sfm_kernel *kernel,
                                              sfm_error *error);

/* The variance of the noise on so many values, integrated over the domain, for a mu of 1 and 1
 * record. */
SFM_MUST_CHECK sfm_status sfmi_process_noise_of(double *noise, const sfmi_design *design,
                                                const sfm_density_settings *settings, double values,
                                                sfm_error *error);
/* The same of sobolev, about and quickly.  In intervals wider than this many bandwidths bumps are
 * as far apart as in one so wide. */
#define SFMI_BUMPS_ALIKE 16
double sfmi_process_sobolev_guess(const sfmi_design *design, const double *gamma);

/* Fills engine, places, process and what the plan says of them, of a design whose domain and
 * bandwidth are set. */
SFM_MUST_CHECK sfm_status sfmi_process_plan(sfmi_design *design,
                                            const sfm_density_settings *settings, sfm_error *error);

#endif
