/* design_random_features.h - how many random features, from public numbers.
 *
 * With P frequencies the function of the rows is off, at a place fixed beforehand, by a random
 * amount of mean zero whose variance is about m/2P, where m is the mean of K over all pairs of
 * rows; their noise has the variance (sigma/n)^2 at every place, whatever P.  So more features only
 * cost time: P is such that m/2P is a tenth of (sigma/n)^2, for the m of a public reference law,
 * but no more than take about a minute on two processors or a file of two megabytes.
 *
 * The reference law: one person in seven sits at one and the same place, the others are spread
 * evenly over the domain.  (That of design_density.h has its heaps in single columns, which in many
 * columns are no heaps any more.) */
#ifndef SFMI_DESIGN_RANDOM_FEATURES_H
#define SFMI_DESIGN_RANDOM_FEATURES_H

#include "density_errors.h"

/* Up to so many dimensions a Gaussian kernel has finitely many features; beyond, at least 43 per
 * axis do not fit in memory, and random ones are the rule. */
#define SFMI_SPECTRAL_DIMENSIONS 4

/* Checks whether random features can be had. */
SFM_MUST_CHECK sfm_status sfmi_design_random_features_check(const sfmi_design_density *design,
                                                            const sfm_density_settings *settings,
                                                            sfm_error *error);
/* The mean of the kernel over pairs of rows spread evenly, at the design's bandwidth. */
double sfmi_design_random_features_even_mean(const sfmi_design_density *design,
                                             sfm_kernel_family kernel);
/* How many features.  asked: as many as were asked for, or 0; rows: infinite when unknown. */
size_t sfmi_design_random_features_count(const sfmi_design_density *design, size_t asked,
                                         double even, double rows, double mu);
/* The errors of so many features.  noise is for a mu of 1; truncation is the error of the kernel:
 * of the shape's pairs where one is stated, else of the reference law's. */
void sfmi_design_random_features_errors(sfmi_density_errors *out, const sfmi_design_density *design,
                                        sfm_kernel_family family, double even, size_t features,
                                        const sfmi_kde_risk *kde_risk, bool stated);
/* Chooses or checks the number of features, and fills in guarantee and seconds, of a design whose
 * settings are checked and whose bandwidth is set; rows infinite when unknown. */
SFM_MUST_CHECK sfm_status sfmi_design_random_features_choose(sfmi_design_density *design,
                                                             const sfm_density_settings *settings,
                                                             double rows, sfm_error *error);

/* How many numbers are released: the features, and the total where the number of records is
 * private. */
size_t sfmi_design_random_features_length(const sfmi_design_density *design);
/* l2 sensitivity in records before rounding, of all of them. */
double sfmi_design_random_features_sensitivity(const sfmi_design_density *design);

#endif
