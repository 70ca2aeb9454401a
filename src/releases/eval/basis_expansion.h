/* basis_expansion.h - a release that is a sum of the functions of its basis (series, curve, random
 * features), ready to be evaluated. */
#ifndef SFMI_BASIS_EXPANSION_H
#define SFMI_BASIS_EXPANSION_H

#include "releases/core/release_data.h"

typedef struct sfmi_expansion sfmi_expansion;

/* f = constant + sum_j c_j b_j/divisor; borrows the release. */
SFM_MUST_CHECK sfm_status sfmi_expansion_create(sfmi_expansion **out, const sfm_release *release,
                                                double divisor, sfm_error *error);
void sfmi_expansion_destroy(sfmi_expansion *expansion);
/* Multiplies the coefficients of a series by factors, one a function. */
void sfmi_expansion_multiply(sfmi_expansion *expansion, const double *factors);

/* values[i] = f(points[i]), NaN outside the domain.  A value depends on its point alone.
 * Thread-safe. */
SFM_MUST_CHECK sfm_status sfmi_expansion_at(const sfmi_expansion *expansion, double *values,
                                            const double *points, size_t count, sfm_error *error);

/* Random features: half-widths at points, which hold there at once with the release's confidence
 * (NaN outside the domain).  Thread-safe. */
SFM_MUST_CHECK sfm_status sfmi_expansion_widths(const sfmi_expansion *expansion, double *widths,
                                                const double *points, size_t count,
                                                sfm_error *error);

/* The band of a release with a basis of one variable; systematic: the public worst case of
 * everything that is not noise, in the function's unit. */
SFM_MUST_CHECK sfm_status sfmi_band_expansion(sfm_band *band, const sfm_release *release,
                                              double confidence, double systematic,
                                              sfm_error *error);
/* The same for random features, of any number of variables. */
SFM_MUST_CHECK sfm_status sfmi_band_random_features(sfm_band *band, const sfm_release *release,
                                                    double confidence, sfm_error *error);
/* What the root of the mean of K over all pairs of rows is at most, but for the risk, when there
 * are at least so many records. */
double sfmi_random_norm(const sfm_release *release, double records, double risk);
/* Their widths at points, by the central limit theorem: from the values there (in the function's
 * unit) and the squares of what each batch of so many frequencies, independent of the others, adds
 * to them; all points together.  Where there are few batches, the band itself. */
void sfmi_random_widths(double *widths, const double *values, const double *squares, size_t count,
                        const sfm_release *release, size_t batch);

#endif
