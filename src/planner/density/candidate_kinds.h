/* candidate_kinds.h - the kinds of release that a density can be chosen from: what each is, and why
 * one cannot be had. */
#ifndef SFMI_CANDIDATE_KINDS_H
#define SFMI_CANDIDATE_KINDS_H

#include "design_density.h"

typedef enum sfmi_candidate_kind {
  SFMI_CANDIDATE_LAPLACE,  /* a lattice with Laplace noise */
  SFMI_CANDIDATE_NORMAL,   /* a lattice with normal noise */
  SFMI_CANDIDATE_SPECTRAL, /* gp by the engine spectral */
  SFMI_CANDIDATE_RANDOM,   /* gp by random features */
  SFMI_CANDIDATE_FOURIER,  /* fourier-laplace */
  SFMI_CANDIDATE_PLACED,   /* gp by other engines: values at places */
  SFMI_CANDIDATE_SOBOLEV,  /* values at places */
  SFMI_CANDIDATE_BODY,     /* caratheodory by the exact body */
  SFMI_CANDIDATE_HULL,     /* caratheodory by the hull */
  SFMI_CANDIDATE_KINDS
} sfmi_candidate_kind;

/* Whether it is hardened: then auto may take it. */
bool sfmi_candidate_kind_hardened(sfmi_candidate_kind kind);
/* Whether it is a lattice; and whether it is a number of frequencies. */
bool sfmi_candidate_kind_lattice(sfmi_candidate_kind kind);
bool sfmi_candidate_kind_frequencies(sfmi_candidate_kind kind);
/* Whether its bounds may reflect, and do where no boundary is stated. */
bool sfmi_candidate_kind_reflects(sfmi_candidate_kind kind);
/* Whether its noise is normal: then the sensitivity is divided by mu, else by epsilon. */
bool sfmi_candidate_kind_normal(sfmi_candidate_kind kind);
sfm_density_method sfmi_candidate_kind_method(sfmi_candidate_kind kind);

/* Whether the settings ask for the kind. */
bool sfmi_candidate_kind_asked(const sfm_density_settings *settings, sfmi_candidate_kind kind);
/* Why the settings rule it out, in a clause without its subject, or NULL.  The design has
 * neighbours and boundaries. */
const char *sfmi_candidate_kind_absent(const sfmi_design_density *design,
                                       const sfm_density_settings *settings,
                                       sfmi_candidate_kind kind);

#endif
