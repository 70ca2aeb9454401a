/* gaussian_process.h - choosing a Gaussian process release for engines other than spectral
 * (sfmi_process, in design_density.h), from public numbers. */
#ifndef SFMI_GAUSSIAN_PROCESS_H
#define SFMI_GAUSSIAN_PROCESS_H

#include "design_density.h"

/* For the domain, kernel and guarantee of checked settings, good for so many values. */
SFM_MUST_CHECK sfm_status sfmi_process_init(sfmi_process *process,
                                            const sfmi_design_density *design,
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
SFM_MUST_CHECK sfm_status sfmi_process_noise_of(double *noise, const sfmi_design_density *design,
                                                const sfm_density_settings *settings, double values,
                                                sfm_error *error);
/* The same of sobolev, about and quickly.  In intervals wider than this many bandwidths bumps are
 * as far apart as in one so wide. */
#define SFMI_SOBOLEV_ALIKE 16
double sfmi_process_sobolev_guess(const sfmi_design_density *design, const double *gamma);

/* What is seen of sobolev between the places of a grid, where its reader goes through the noise's
 * kernel.  With z = gamma s, s the distance of places along an axis, the noise has the part
 * 1 - coth z + 1/z of its variance on average; and of a function f is missed (gamma^2 f - f'')
 * t (s - t)/2, t from a place, along every axis. */
typedef struct sfmi_gaps {
  double noise; /* that part */
  double law;   /* the square of what is missed of a flat f, over that of f: gamma^2 f alone */
  double row;   /* the same of the kernel of one row, over that of the kernel */
} sfmi_gaps;
/* For the design's bandwidths; nothing is missed where places are a list. */
SFM_MUST_CHECK sfm_status sfmi_process_gaps(sfmi_gaps *gaps, const sfmi_design_density *design,
                                            const sfm_density_settings *settings, sfm_error *error);

/* Fills engine, places, process and what the plan says of them, of a design whose domain and
 * bandwidth are set. */
SFM_MUST_CHECK sfm_status sfmi_process_plan(sfmi_design_density *design,
                                            const sfm_density_settings *settings, sfm_error *error);

#endif
