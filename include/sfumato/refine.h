/* refine.h - free post-processing of a density: less noise, nothing below zero, an integral of one;
 * several releases made into one; and of a table: plausible counts.
 *
 * Nothing here reads a row or draws noise.  A release that was refined keeps the guarantee of what
 * it was made from (docs/proofs/refine.md).  It is values on a regular grid over the bounds, both
 * included, multilinear in between, and has no band: the band belongs to the raw release. */
#ifndef SFUMATO_REFINE_H
#define SFUMATO_REFINE_H

#include "sfumato/release.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is done, in this order: shrink, then the other two together. */
typedef struct sfm_refine_settings {
  bool shrink;      /* Wiener shrinkage by the noise's public law (see sfm_release_shrinks) */
  bool nonnegative; /* with normalise: the nearest function, in the integral of squares, that is */
  bool normalise;   /* never below zero and has the integral one over the bounds */
  double total;     /* as for sfm_evaluator_create; 0 for groups */
} sfm_refine_settings;

/* All three. */
SFM_API sfm_refine_settings sfm_refine_settings_default(void);

/* Whether it can be shrunk: a density of the methods lattice, gp (engine spectral),
 * fourier-laplace, caratheodory (body exact) or series, not refined yet; or one that was shrunk
 * already, which then stays as it is. */
SFM_API bool sfm_release_shrinks(const sfm_release *release);

/* The refined density, of at most three columns; of a release by groups every one of them (one with
 * too few records to tell is zero everywhere), with their noisy sizes, none below zero.  What an
 * earlier refinement made of it is kept: refining again with the same settings changes nothing.
 * Thread-safe.  The caller destroys it. Privacy: post-processing.  Proof: docs/proofs/refine.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_release_refine(sfm_release **out, const sfm_release *release,
                                                     const sfm_refine_settings *settings,
                                                     sfm_error *error);

/* What is done to a table (sfumato/crosstab.h); each alone, or all together: the nearest there is
 * in the sum of squares. */
typedef struct sfm_table_refine_settings {
  bool nonnegative; /* no count below zero */
  bool total;       /* the counts add up to the total: that which they have, or the one stated */
  double stated;    /* public; 0: none */
  int monotone;     /* of one column, in its order: 1 increasing, -1 decreasing, 0 neither */
  bool consistent;  /* margins of one table: least squares, all cells having the same noise */
} sfm_table_refine_settings;

/* nonnegative and total; of several margins consistent. */
SFM_API sfm_table_refine_settings sfm_table_refine_settings_default(const sfm_release *release);

/* The refined table, not of a sparse one: real numbers, without a band.  Margins that are not to be
 * consistent are refined one by one.  Nothing negative with a total of zero or less: all zero. What
 * an earlier refinement made of it is kept.  Thread-safe.  The caller destroys it.
 * Privacy: post-processing.  Proof: docs/proofs/tables.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_table_refine(sfm_release **out, const sfm_release *release,
                                                   const sfm_table_refine_settings *settings,
                                                   sfm_error *error);

/* How much each of several densities counts when they are combined. */
typedef enum sfm_combine_weights {
  SFM_WEIGHTS_NOISE,   /* one over its noise (integrated variance, by its public law): the least
                          noise in all; for releases about the same population */
  SFM_WEIGHTS_RECORDS, /* its number of records, noisy where that is private: the density of all
                          together; for populations that are parts of one */
  SFM_WEIGHTS_OWN,     /* as stated */
} sfm_combine_weights;

typedef struct sfm_combine_settings {
  sfm_combine_weights weights;
  const double *own; /* SFM_WEIGHTS_OWN: positive, one per release */
  /* Stated by the owner: nobody is in more than one of them.  Then the guarantee of the combination
   * is the weakest of theirs; otherwise it is that of all together, whoever is in them. */
  bool disjoint;
} sfm_combine_settings;

/* By noise, not disjoint. */
SFM_API sfm_combine_settings sfm_combine_settings_default(void);

/* The weighted mean of count >= 2 densities over the same columns, bounds and boundaries, a refined
 * release; shares (may be NULL): what each counted, in all one.  By noise only what is not refined:
 * combine first, refine afterwards.  Guarantees add up: pure epsilons; Gaussian ones in squares, a
 * pure epsilon among them as mu = 2 Phi^-1(e^eps/(1 + e^eps)).  Thread-safe.  The caller destroys
 * it.
 * Privacy: post-processing of several releases.  Proof: docs/proofs/refine.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_release_combine(sfm_release **out, double *shares,
                                                      const sfm_release *const *releases,
                                                      size_t count,
                                                      const sfm_combine_settings *settings,
                                                      sfm_error *error);

/* What was done to a release; nothing to one that is not refined. */
typedef struct sfm_refinement {
  bool shrunk, nonnegative, normalised, combined;
} sfm_refinement;
SFM_API sfm_refinement sfm_release_refinement(const sfm_release *release);

#ifdef __cplusplus
}
#endif
#endif
