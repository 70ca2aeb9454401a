/* band.h - how far a release may be from the function without privacy: computed from the public
 * noise law, so it costs nothing (docs/proofs/bands.md). */
#ifndef SFMI_BAND_H
#define SFMI_BAND_H

#include "alias_error.h"
#include "releases/eval/evaluator.h"
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

/* The band of any density or other function that was made. */
SFM_MUST_CHECK sfm_status sfmi_band_function(sfm_band *band, const sfm_release *release,
                                             double confidence, sfm_error *error);

/* ---- of one form or kind each, in the file of its name ---- */

/* That of fourier-laplace and caratheodory. */
SFM_MUST_CHECK sfm_status sfmi_band_torus(sfm_band *band, const sfm_release *release,
                                          double confidence, sfm_error *error);

/* The band at a confidence.  rounding: of a function of the caller's own.  field: draws the
 * release's process; NULL: one is made when that is affordable. */
SFM_MUST_CHECK sfm_status sfmi_band_places(sfm_band *band, const sfm_release *release,
                                           double confidence, double rounding, sfmi_field *field,
                                           sfm_error *error);

/* The band of a release with a basis of one variable; systematic: the public worst case of
 * everything that is not noise, in the function's unit. */
SFM_MUST_CHECK sfm_status sfmi_band_expansion(sfm_band *band, const sfm_release *release,
                                              double confidence, double systematic,
                                              sfm_error *error);

/* The band of a release by random features, of any number of variables. */
SFM_MUST_CHECK sfm_status sfmi_band_random_features(sfm_band *band, const sfm_release *release,
                                                    double confidence, sfm_error *error);
/* What the root of the mean of K over all pairs of rows is at most, but for the risk, when there
 * are at least so many records. */
double sfmi_random_norm(const sfm_release *release, double records, double risk);
/* Half-widths at points, which hold there at once with the release's confidence (NaN outside the
 * domain), by the central limit theorem.  Thread-safe. */
SFM_MUST_CHECK sfm_status sfmi_random_feature_widths(double *widths,
                                                     const sfmi_expansion *expansion,
                                                     const sfm_release *release,
                                                     const double *points, size_t count,
                                                     sfm_error *error);

/* The band of a vector: half_width for all coordinates at once.  Where noise was shaped to an
 * ellipsoid that is not in memory any more, widened from the band that the release states. */
SFM_MUST_CHECK sfm_status sfmi_band_vector(sfm_band *band, const sfm_release *release,
                                           double confidence, sfm_error *error);

#endif
