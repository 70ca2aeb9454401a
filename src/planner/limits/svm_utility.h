/* svm_utility.h - numbers in the theorems about private kernel machines (docs/proofs/svm-limits.md)
 * that limits and plans share. */
#ifndef SFMI_SVM_UTILITY_H
#define SFMI_SVM_UTILITY_H

#include "sfumato/limits.h"

/* E|omega|^2 per coordinate, of the spectral law of a stationary kernel with bandwidth one: 1, 3,
 * 5/3 or 2; infinite for laplacian and matern12. */
double sfmi_spectral_moment(sfm_kernel_family family);

/* How many independent frequencies bring the kernel of random features within `error` of the kernel
 * everywhere, but with probability failure (lemma 18); NaN where the spectral law has no second
 * moment.  A whole number. */
double sfmi_frequencies_for(const sfm_svm *svm, double error, double failure);
/* The error of so many frequencies (the same, inverted); infinite when it would not be below 2. */
double sfmi_frequencies_error(const sfm_svm *svm, double frequencies, double failure);

/* The largest norm of a minimiser.  So the machine that is zero is within kappa times this. */
double sfmi_svm_utility_reach(const sfm_svm *svm);
/* Over how many records theorem 26's databases lie about the disc, at most. */
double sfmi_svm_utility_packing(const sfm_svm *svm);

#endif
