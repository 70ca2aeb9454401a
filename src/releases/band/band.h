/* band.h - how far a release may be from the function without privacy: computed from the public
 * noise law, so it costs nothing (docs/proofs/bands.md). */
#ifndef SFMI_BAND_H
#define SFMI_BAND_H

#include "alias_error.h"
#include "releases/eval/trig_polynomial.h"
#include "simulation.h"

/* The band of a density whose coefficients, noise and geometry are set.  The sup-norm quantile is
 * simulated from the noise law with a public generator where that is affordable and bounded
 * otherwise. */
SFM_MUST_CHECK sfm_status sfmi_band_density(sfm_band *band, const sfm_release *release,
                                            double confidence, sfm_error *error);

/* The bands of several densities that differ in their coefficients only: of groups.  The noise is
 * simulated once. */
SFM_MUST_CHECK sfm_status sfmi_band_densities(sfm_band *bands, const sfm_release *const *releases,
                                              size_t count, double confidence, sfm_error *error);

/* Bounds on what is not noise, for the release's geometry and the lattice its rows were spread
 * over. */
SFM_MUST_CHECK sfm_status sfmi_band_alias(sfmi_alias *out, const sfmi_trig_poly *poly,
                                          const sfmi_lattice *spread, sfm_error *error);

/* How many points an axis gets for every mode of it, where the sup of a polynomial is sampled. */
size_t sfmi_band_oversampling(size_t dimension);
/* A polynomial on a grid so many times as fine as its modes, along every axis. */
typedef struct sfmi_sampled_torus {
  sfmi_trig_poly *poly;
  size_t fine[SFM_MAX_DIMENSION];
  sfmi_fft *fft;        /* its data, once it was scanned */
  double *coefficients; /* of the release, to be filled in */
} sfmi_sampled_torus;

/* Clear it also after a failure. */
SFM_MUST_CHECK sfm_status sfmi_sampled_torus_init(sfmi_sampled_torus *t, sfmi_trig_poly *poly,
                                                  size_t times, sfm_error *error);
void sfmi_sampled_torus_clear(sfmi_sampled_torus *t);
/* Loads the coefficients: the largest size over the domain, and the size at two points near the
 * middle. */
void sfmi_sampled_torus_scan(const sfmi_sampled_torus *t, double *sup, double point[2]);
/* The same sup, of the release's coefficients, in records. */
SFM_MUST_CHECK sfm_status sfmi_band_sampled_sup(double *sup, const sfm_release *release,
                                                sfmi_trig_poly *poly, size_t times,
                                                sfm_error *error);

/* The entries of a gp's transform were rounded, in three columns and more to few bits: how far that
 * moves the density of any rows; 0 for others. */
double sfmi_band_entry_rounding(const sfm_release *release);

/* The band of any density or other function that was made. */
SFM_MUST_CHECK sfm_status sfmi_band_function(sfm_band *band, const sfm_release *release,
                                             double confidence, sfm_error *error);

#endif
