/* random_feature_band.h - the band of a release by random features (docs/proofs/random.md). */
#ifndef SFMI_RANDOM_FEATURE_BAND_H
#define SFMI_RANDOM_FEATURE_BAND_H

#include "releases/eval/basis_expansion.h"

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

#endif
