/* design_density.h - everything about a density release that is decided before the rows are opened.
 *
 * Method, bandwidth, spacing, spline order and number of frequencies are those with the least
 * predicted error (density_candidates.h, density_errors.h): the sum of privacy, sampling,
 * smoothing, truncation and aliasing, for a public shape, or without one for a family of reference
 * shapes (shape_model.h), and for heaps.  sfm_plan_density lists the same candidates and calls the
 * same one best.  Where the number of records is private and none is expected, the least noise
 * among a few candidates is taken. */
#ifndef SFMI_DESIGN_DENSITY_H
#define SFMI_DESIGN_DENSITY_H

#include "estimators/lattice/lattice.h"
#include "estimators/sums/torus_sums.h"
#include "features/bases/basis.h"
#include "gaussian_process.h"

typedef struct sfmi_design_density {
  size_t dimension;
  /* The bounds; of a periodic column one period, which begins at the lower bound. */
  double lower[SFM_MAX_DIMENSION], upper[SFM_MAX_DIMENSION], bandwidth[SFM_MAX_DIMENSION];
  sfm_boundary boundary[SFM_MAX_DIMENSION];
  size_t groups; /* each has a lattice; 1 without groups */
  sfm_neighbours neighbours;
  uint32_t contributions;
  double confidence;
  sfm_density_method method; /* never AUTO */
  sfmi_lattice lattice;      /* SFM_DENSITY_LATTICE */
  sfm_density_noise noise;   /* SFM_DENSITY_LATTICE; never AUTO */
  sfm_engine engine;         /* gp and sobolev; never AUTO */
  sfmi_torus_sums spectrum;  /* of the spectral engine, fourier-laplace and caratheodory */
  double movement; /* of the last two: what one row moves, before rounding (fourier_terms.h) */
  sfm_density_body body; /* caratheodory */
  uint64_t rows;         /* n under replace, else 0 */
  sfmi_process process;  /* where values at places are released */
  sfmi_places places;    /* the same; their points are borrowed from the settings */
  size_t features;       /* of the random engine, with its kernel */
  sfm_kernel_family kernel;
  const sfmi_basis *basis; /* those features, once their seed is drawn; borrowed */
  double mu;               /* of the guarantee with normal noise; else 0 */
  sfm_density_choice plan;
} sfmi_design_density;

/* Checks all settings and fills the design.  rows: n under replace, ignored otherwise. */
SFM_MUST_CHECK sfm_status sfmi_design_density_init(sfmi_design_density *design,
                                                   const sfm_density_settings *settings,
                                                   uint64_t rows, sfm_error *error);

/* Makes the design of a candidate, for checked settings.  rows: n, or the number that
 * is expected. */
struct sfmi_candidate;
SFM_MUST_CHECK sfm_status sfmi_design_density_take(sfmi_design_density *design,
                                                   const sfm_density_settings *settings,
                                                   const struct sfmi_candidate *candidate,
                                                   double rows, sfm_error *error);

/* Whether values at places are released: sobolev, or gp by an engine other than spectral and
 * random. */
bool sfmi_design_density_placed(const sfmi_design_density *design);
/* Whether random features are released. */
bool sfmi_design_density_random(const sfmi_design_density *design);

/* Sensitivity of a lattice in row masses, l1 for Laplace noise and l2 for normal
 * (lattice_sensitivity.h); and l2 sensitivity of a spectrum before rounding. */
double sfmi_design_density_lattice_sensitivity(const sfmi_design_density *design);
double sfmi_design_density_spectrum_sensitivity(const sfmi_design_density *design);
/* Whether a spectrum's sums fit in memory, and the function that is made of them: what is charged
 * can be read. */
bool sfmi_design_density_spectrum_fits(const sfmi_torus_sums *spectrum);

#endif
