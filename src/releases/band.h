/* band.h - how far a release may be from the function without privacy: computed from the public
 * noise law, so it costs nothing (docs/proofs/bands.md). */
#ifndef SFMI_BAND_H
#define SFMI_BAND_H

#include "releases/release.h"

/* Fills release->band for a density whose coefficients, noise and geometry are set.  The sup-norm
 * quantile is simulated from the noise law with a public generator where that is affordable and
 * bounded otherwise.  defect: for gp, the certificate of spectrum.h; ignored for a lattice. */
SFM_MUST_CHECK sfm_status sfmi_band_density(sfm_release *release, double confidence, double defect,
                                            sfm_error *error);

/* The same for a vector: half_width for all coordinates at once. */
SFM_MUST_CHECK sfm_status sfmi_band_vector(sfm_release *release, double confidence,
                                           sfm_error *error);

/* sup over x, q of |what the lattice gives for one row at x - the kernel at q|, in density units:
 * truncation at the lattice's highest frequency, aliases of the spline, rounding of its weights. */
double sfmi_band_lattice_error(const sfmi_lattice *lattice, const double *bandwidth);

#endif
