/* bank.h - all that may be chosen for a density, with its errors as functions of the number of
 * records and of epsilon.
 *
 * Candidates are the methods, each with a list of public parameters (bandwidths, spacings and
 * spline orders, numbers of frequencies) that follows from the domain, the shape and what was asked
 * for, but neither from n nor from epsilon; and the error of each is a sum of terms none of which
 * rises with n or epsilon (forecast.h).  So does not their least, which is what is chosen.  (But
 * random features: their number is a matter of computing, and with very many records there are
 * fewer.) Errors are computed when first needed, and kept.  One thread at a time. */
#ifndef SFMI_BANK_H
#define SFMI_BANK_H

#include "planner/forecast.h"
#include "sfumato/plan.h"

typedef enum sfmi_kind {
  SFMI_KIND_LAPLACE,  /* a lattice with Laplace noise */
  SFMI_KIND_NORMAL,   /* with normal noise */
  SFMI_KIND_SPECTRAL, /* gp by the engines spectral, */
  SFMI_KIND_RANDOM,   /* random, */
  SFMI_KIND_FOURIER,
  SFMI_KIND_PLACED, /* (gp by other engines) */
  SFMI_KIND_SOBOLEV,
  SFMI_KIND_BODY, /* caratheodory by the exact body, */
  SFMI_KIND_HULL, /* and by its hull */
  SFMI_KINDS
} sfmi_kind;

typedef struct sfmi_bank sfmi_bank;

/* A candidate, and what it predicts. */
typedef struct sfmi_pick {
  sfmi_kind kind;
  size_t node, item; /* where it is in the bank: a bandwidth, and a number of frequencies */
  sfm_kernel_family family;
  double bandwidth[SFM_MAX_DIMENSION];
  double rho; /* a lattice's spacing in bandwidths, and its order */
  unsigned order;
  size_t terms;                          /* frequencies, along the axis that has the most, */
  size_t along[SFMI_LATTICE_DIMENSIONS]; /* and along all */
  size_t features;
  sfmi_errors errors; /* noise is for a rate of 1 */
  double rate;        /* epsilon or mu */
  sfm_forecast forecast;
} sfmi_pick;

/* For a design whose settings are checked.  rows: n or what is expected of it, of all groups; it
 * and the settings' epsilon decide what can be had at all.  every: all bandwidths, whatever was
 * asked for.  The settings are borrowed. */
SFM_MUST_CHECK sfm_status sfmi_bank_create(sfmi_bank **out, const sfmi_design *design,
                                           const sfm_density_settings *settings, double rows,
                                           bool every, sfm_error *error);
void sfmi_bank_destroy(sfmi_bank *bank);

/* Whether what was asked for names the kind; whether auto may take it; and why it cannot be had, in
 * a clause without its subject, or NULL: it can, unless nothing fits. */
bool sfmi_bank_names(const sfmi_bank *bank, sfmi_kind kind);
bool sfmi_bank_hardened(sfmi_kind kind);
const char *sfmi_bank_absent(const sfmi_bank *bank, sfmi_kind kind);

/* The least predicted error of a kind, for so many records and that epsilon, without intervals;
 * *found is false where nothing fits. */
SFM_MUST_CHECK sfm_status sfmi_bank_best(sfmi_bank *bank, sfmi_pick *pick, bool *found,
                                         sfmi_kind kind, double rows, double epsilon,
                                         sfm_error *error);
/* The least of all that are named and hardened; if there is none, of all that are named. */
SFM_MUST_CHECK sfm_status sfmi_bank_auto(sfmi_bank *bank, sfmi_pick *pick, bool *found, double rows,
                                         double epsilon, sfm_error *error);

/* Fills in the intervals of a pick's forecast, for the records and the epsilon it is of. */
SFM_MUST_CHECK sfm_status sfmi_bank_interval(sfmi_bank *bank, sfmi_pick *pick, double rows,
                                             sfm_error *error);

/* The shape, and the domain's volume. */
const sfmi_scene *sfmi_bank_scene(const sfmi_bank *bank);
double sfmi_bank_volume(const sfmi_bank *bank);

#endif
