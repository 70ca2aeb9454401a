/* gaussian_process.h - a Gaussian process release by an engine other than spectral, chosen from
 * public numbers. */
#ifndef SFMI_GAUSSIAN_PROCESS_H
#define SFMI_GAUSSIAN_PROCESS_H

#include "estimators/lattice/kernel_sum.h"
#include "fields/gaussian_field.h"
#include "sfumato/density.h"

typedef struct sfmi_design_density sfmi_design_density; /* design_density.h, which has a process */

/* A Gaussian process on the kernel mean of the rows, by an engine other than spectral.
 *
 * The function is f = sum over rows of K(., row), in records; released is f(x) + sigma (G + W)(x),
 * G ~ GP(0, K), W independent of variance nugget at every place.  Neighbours move f by at most some
 * norm in K's space, and each computed value besides by rounding (docs/proofs/fields.md).  For
 * sobolev G has a kernel of its own, exp(-sum gamma_a |x_a - y_a|), and the norm is that of its
 * space (docs/proofs/sobolev.md). */
typedef struct sfmi_process {
  sfmi_kernel_sum masses;
  bool sobolev;
  double gamma[SFM_MAX_DIMENSION], inverse[SFM_MAX_DIMENSION]; /* sobolev; inverse: 1/gamma */
  double mass;        /* a density is f over records times this: the integral of K, or 1 */
  double nugget;      /* SFMI_NUGGET sup K, of the noise's K */
  double mu;          /* of the guarantee */
  double sensitivity; /* norm and rounding together, in records */
  double scale;       /* sigma = sensitivity/mu */
} sfmi_process;

/* For the domain, kernel and guarantee of checked settings, good for so many values. */
SFM_MUST_CHECK sfm_status sfmi_process_init(sfmi_process *process,
                                            const sfmi_design_density *design,
                                            const sfm_density_settings *settings, double values,
                                            sfm_error *error);

/* The kernel of the rows' function, and that of the noise; they borrow the process. */
sfm_kernel sfmi_process_kernel(const sfmi_process *process);
sfm_kernel sfmi_process_noise(const sfmi_process *process);

/* How far neighbours move values, where their functions differ by at most `norm` in the kernel's
 * space and each value is computed to within `rounding`. */
double sfmi_process_sensitivity(double norm, double rounding, double nugget, double values);

/* Whether a stated gamma of sobolev (NULL: none) is within range at the design's bandwidth. */
bool sfmi_process_gamma_fits(const sfmi_design_density *design, const double *gamma);
/* The variance of the noise on so many values, integrated over the domain, for a mu of 1 and 1
 * record. */
SFM_MUST_CHECK sfm_status sfmi_process_noise_of(double *noise, const sfmi_design_density *design,
                                                const sfm_density_settings *settings, double values,
                                                sfm_error *error);
/* About the same for sobolev, quickly.  Intervals that are wider than this many bandwidths are
 * treated as if they were this wide: two bumps in it are far enough apart. */
#define SFMI_SOBOLEV_ALIKE 16
double sfmi_process_sobolev_guess(const sfmi_design_density *design, const double *gamma);

/* About the gamma of least noise, in one over a bandwidth. */
#define SFMI_SOBOLEV_RATE_USUAL 0.87

/* What a reader of sobolev has between the places of a grid, who interpolates by the noise's
 * kernel. With s the distance of places along an axis and z = gamma s, the noise has on average the
 * part 1 - coth z + 1/z of its variance.  Of a function f, (gamma^2 f - f'') t (s - t)/2 is missed
 * at the distance t from a place, along every axis. */
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
