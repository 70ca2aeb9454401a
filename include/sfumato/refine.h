/* refine.h - improves a released density or table without cost in privacy: less noise, no negative
 * values, the right integral or total.  Also combines several densities into one.
 *
 * Nothing here reads a row or draws noise.  A refined release has the guarantee of the release that
 * it was made from (docs/proofs/refine.md).  A refined density consists of values on a regular grid
 * over the bounds, both bounds included, with multilinear interpolation.  It has no band; the band
 * belongs to the original release. */
#ifndef SFUMATO_REFINE_H
#define SFUMATO_REFINE_H

#include "sfumato/release.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is done to a density: first shrink, then nonnegative and normalise together.  These two take
 * the nearest function, in the integral of squares, that has the properties. */
typedef struct sfm_refine_settings {
  size_t size;      /* of this struct */
  bool shrink;      /* Wiener shrinkage by the public noise law (see sfm_release_shrinks) */
  bool nonnegative; /* no value is below zero */
  bool normalise;   /* the integral over the bounds is one */
  double total;     /* as in sfm_evaluator_create; 0 for groups */
  /* normalise does not put back mass that may be missing (sfm_release_may_lack_mass): there the
   * integral is at most one, instead of one. */
  bool allow_missing;
} sfm_refine_settings;

/* Returns the defaults: shrink, nonnegative, normalise and allow_missing are true. */
SFM_API void sfm_refine_settings_init(sfm_refine_settings *settings, size_t size);
SFM_DEFAULT(sfm_refine_settings)

/* Whether a release can be shrunk: an unrefined density of the methods lattice, gp (engine
 * spectral), fourier-laplace, caratheodory (body exact) or series; or a density that was already
 * shrunk, which is not changed. */
SFM_API bool sfm_release_shrinks(const sfm_release *release);

/* Whether the integral over the bounds of the density without privacy may be below one: mass leaves
 * over an open boundary, and a public number of records counts those that are ignored because they
 * are outside the bounds.  False for other kinds. */
SFM_API bool sfm_release_may_lack_mass(const sfm_release *release);

/* Computes the refined density, of at most three columns.  For a release by groups all groups are
 * refined, with their noisy sizes, of which none is below zero.  A group with too few records is
 * zero everywhere.  Earlier refinements are kept: refining again with the same settings changes
 * nothing.  The caller destroys *out.  Thread-safe.
 * Privacy: post-processing.  Proof: docs/proofs/refine.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_release_refine(sfm_release **out, const sfm_release *release,
                                                     const sfm_refine_settings *settings,
                                                     sfm_error *error);

/* What is done to a table (sfumato/table.h).  The result is the nearest table, in the sum of
 * squares, that satisfies all conditions that are true. */
typedef struct sfm_table_refine_settings {
  size_t size;      /* of this struct */
  bool nonnegative; /* no count is below zero */
  bool total;       /* the counts add up to `stated`, or if that is 0 to the total that they have */
  double stated;    /* public; 0: none */
  int monotone;     /* one column, in its order: 1 increasing, -1 decreasing, 0 neither */
  bool consistent;  /* margins agree: least squares, where all cells have the same noise */
  /* One table of several columns, with nonnegative and total: the counts of each column's
   * categories, added up over the other columns, stay what they are in the release (of these the
   * nearest that are not negative and have the total).  Nothing moves such sums one way, and their
   * noise is small beside them; without this they are moved towards equal shares. */
  bool keep_margins;
} sfm_table_refine_settings;

/* Returns the defaults: nonnegative, total and keep_margins; if the release has several margins
 * also consistent. */
SFM_API void sfm_table_refine_settings_init(sfm_table_refine_settings *settings, size_t size,
                                            const sfm_release *release);
static inline sfm_table_refine_settings
sfm_table_refine_settings_default(const sfm_release *release) {
  sfm_table_refine_settings settings;
  sfm_table_refine_settings_init(&settings, sizeof settings, release);
  return settings;
}

/* Computes the refined table: real numbers, without a band.  A sparse table is refused.  Without
 * `consistent`, each margin is refined by itself.  With nonnegative and a total of zero or less,
 * all counts are zero.  Earlier refinements are kept.  The caller destroys *out.  Thread-safe.
 * Privacy: post-processing.  Proof: docs/proofs/tables.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_table_refine(sfm_release **out, const sfm_release *release,
                                                   const sfm_table_refine_settings *settings,
                                                   sfm_error *error);

/* The weights of densities that are combined. */
typedef enum sfm_combine_weights {
  /* 1 over the noise (integrated variance, by its public law).  The combination has the least
   * noise.  For releases about the same population. */
  SFM_COMBINE_WEIGHTS_NOISE,
  /* The number of records, noisy where that number is private.  The combination is the density of
   * all records together.  For releases about parts of one population. */
  SFM_COMBINE_WEIGHTS_RECORDS,
  SFM_COMBINE_WEIGHTS_OWN, /* as stated */
} sfm_combine_weights;

typedef struct sfm_combine_settings {
  size_t size;                 /* of this struct */
  sfm_combine_weights weights; /* default: NOISE */
  const double *own;           /* SFM_COMBINE_WEIGHTS_OWN: positive, one per release */
  /* The owner states that nobody is in more than one of the releases.  The guarantee of the
   * combination is then the weakest of theirs.  Otherwise (the default) it is that of all releases
   * together. */
  bool disjoint;
} sfm_combine_settings;

/* Returns the defaults. */
SFM_API void sfm_combine_settings_init(sfm_combine_settings *settings, size_t size);
SFM_DEFAULT(sfm_combine_settings)

/* Computes the weighted mean of count >= 2 densities with the same columns, bounds and boundaries.
 * The result is a refined release.  shares (may be NULL) is set to the weights, which sum to one.
 * SFM_COMBINE_WEIGHTS_NOISE needs unrefined releases: combine first and refine afterwards.
 * Guarantees add up: pure epsilons add; Gaussian guarantees add in squares, and a pure epsilon
 * among them has mu = 2 Phi^-1(e^eps/(1 + e^eps)).  The caller destroys *out.  Thread-safe.
 * Privacy: post-processing of several releases.  Proof: docs/proofs/refine.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_release_combine(sfm_release **out, double *shares,
                                                      const sfm_release *const *releases,
                                                      size_t count,
                                                      const sfm_combine_settings *settings,
                                                      sfm_error *error);

/* How a release was refined.  All false if it was not. */
typedef struct sfm_refinement {
  bool shrunk, nonnegative, normalised, combined;
} sfm_refinement;
SFM_API sfm_refinement sfm_release_refinement(const sfm_release *release);

#ifdef __cplusplus
}
#endif
#endif
