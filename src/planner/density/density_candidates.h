/* density_candidates.h - all that may be chosen for a density, with its errors as functions of the
 * number of records and of epsilon.
 *
 * A candidate is a method with public parameters (bandwidth, spacing and spline order, number of
 * frequencies).  The list of candidates follows from the domain, the shape and what was asked for,
 * and neither from n nor from epsilon.  The error of each is a sum of terms, none of which rises
 * with n or epsilon (density_errors.h), so the least error, which is chosen, does not rise either.
 * (Random features are an exception: their number is limited by the time of computing, and with
 * very many records there are fewer.)  Errors are computed when first needed, and kept.  One thread
 * at a time. */
#ifndef SFMI_DENSITY_CANDIDATES_H
#define SFMI_DENSITY_CANDIDATES_H

#include "candidate_kinds.h"
#include "density_errors.h"
#include "sfumato/plan.h"

typedef struct sfmi_candidates sfmi_candidates;

/* In how many ways, all of them public, a stated shape may be wrong: two bumps, or one half as
 * wide, with the same means. */
#define SFMI_WRONG_SHAPES 2

/* A candidate, and what it predicts. */
typedef struct sfmi_candidate {
  sfmi_candidate_kind kind;
  size_t node, item; /* where it is in the candidates: a bandwidth, and a number of frequencies */
  sfm_kernel_family family;
  double bandwidth[SFM_MAX_DIMENSION];
  double rho; /* a lattice's spacing in bandwidths, and its order */
  unsigned order;
  size_t terms;                          /* frequencies, along the axis that has the most, */
  size_t along[SFMI_LATTICE_DIMENSIONS]; /* and along all */
  size_t features;
  sfmi_density_errors errors; /* noise is for a rate of 1 */
  double rate;                /* epsilon or mu */
  sfm_forecast forecast;
  /* What it is chosen by: the total error; with a stated bandwidth the error against that estimate.
   * And the means of it and of the total error if the stated shape is wrong; NAN: none is stated.
   */
  double score, misled, misled_total;
} sfmi_candidate;

/* For a design whose settings are checked; they are borrowed.  rows: n of all groups, or the number
 * that is expected; with the settings' epsilon it decides what can be had at all.  every: all
 * bandwidths, also where one was asked for. */
SFM_MUST_CHECK sfm_status sfmi_candidates_create(sfmi_candidates **out,
                                                 const sfmi_design_density *design,
                                                 const sfm_density_settings *settings, double rows,
                                                 bool every, sfm_error *error);
void sfmi_candidates_destroy(sfmi_candidates *candidates);

/* Why a kind cannot be had, in a clause without its subject, or NULL: it can, unless
 * nothing fits. */
const char *sfmi_candidates_absent(const sfmi_candidates *candidates, sfmi_candidate_kind kind);

/* The least score of a kind, for so many records and that epsilon, without intervals; it never
 * rises with either.  *found is false where nothing fits. */
SFM_MUST_CHECK sfm_status sfmi_candidates_best(sfmi_candidates *candidates,
                                               sfmi_candidate *candidate, bool *found,
                                               sfmi_candidate_kind kind, double rows,
                                               double epsilon, sfm_error *error);

/* The shape, and the domain's volume. */
const sfmi_shape_model *sfmi_candidates_shape(const sfmi_candidates *candidates);
double sfmi_candidates_volume(const sfmi_candidates *candidates);

#endif
