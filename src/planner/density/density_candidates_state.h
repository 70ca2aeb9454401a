/* density_candidates_state.h - what sfmi_candidates is made of: the bandwidths, and what is known
 * of each so far. */
#ifndef SFMI_DENSITY_CANDIDATES_STATE_H
#define SFMI_DENSITY_CANDIDATES_STATE_H

#include "density_candidates.h"
#include "density_interval.h"
#include "fourier_terms.h"

typedef struct sfmi_lattice_item {
  double rho;
  unsigned order;
  sfmi_density_errors errors; /* noise per variance of a mass */
  double energy;              /* of one row, for normal noise */
} sfmi_lattice_item;

typedef struct sfmi_term_item {
  bool known;
  sfmi_density_errors errors;
  double noise; /* 0: not known yet */
} sfmi_term_item;

/* Forecasts of a method by frequencies at one bandwidth. */
typedef struct sfmi_term_forecasts {
  sfmi_fourier_terms *fourier_terms;
  sfmi_term_item *items;
} sfmi_term_forecasts;

/* One candidate of a kind that has no further parameters. */
typedef struct sfmi_candidate_single {
  bool tried, fits;
  sfmi_density_errors errors;
  double even; /* random features: see design_random_features.h */
} sfmi_candidate_single;

/* A bandwidth. */
typedef struct sfmi_candidate_node {
  const double *bandwidth; /* in the list of bandwidths */
  bool assessed[SFMI_REFERENCE_SHAPES];
  sfmi_kde_risk *kde_risk; /* of every problem */
  bool biased[SFMI_REFERENCE_SHAPES];
  sfmi_kde_bias kde_bias[SFMI_REFERENCE_SHAPES];
  sfmi_lattice_item *lattices;
  size_t lattice_count;
  bool latticed;
  sfmi_term_forecasts term_forecasts[3]; /* fourier, body, hull */
  sfmi_candidate_single singles[SFMI_CANDIDATE_KINDS];
} sfmi_candidate_node;

struct sfmi_candidates {
  sfmi_design_density design; /* its bandwidth is that of the node looked at */
  const sfm_density_settings *settings;
  bool robust; /* no shape was given: the models are those of the reference shapes */
  bool stated; /* a bandwidth was, and is meant */
  sfmi_shape_model *shape_models[SFMI_REFERENCE_SHAPES];
  sfmi_kde_problem problems[SFMI_REFERENCE_SHAPES];
  double volume, values;
  double mu; /* at the settings' epsilon; 0 without a delta */
  const char *absent[SFMI_CANDIDATE_KINDS];
  /* Where no boundary was stated: the candidates of the kinds that are open then.  NULL: all kinds
   * are here. */
  sfmi_candidates *open;
  /* Public perturbations of a stated shape: what it costs if the guess is wrong. */
  sfmi_shape_model *wrong[SFMI_WRONG_SHAPES];
  size_t wrong_count;
  unsigned bits, laplace_bits; /* of a row's weights with normal noise, and with the other */
  double energies[SFMI_SPLINE_MAX + 1][SFM_BOUNDARY_PERIODIC + 1]
                 [12]; /* by min(cells, 11); 0: unknown */
  double *bandwidths;  /* count x dimension, owned */
  sfmi_candidate_node *nodes;
  size_t count;
  size_t hint[SFMI_CANDIDATE_KINDS]; /* the last best node of a kind, plus 1; 0: none yet */
  double alike; /* sobolev's noise for 1 record and narrow bandwidths, per unit; 0: unknown */
};

/* The candidates that have a kind. */
sfmi_candidates *sfmi_candidates_having(sfmi_candidates *all, sfmi_candidate_kind kind);
/* How far neighbours move a lattice in row masses, in l1, or in l2 at most. */
double sfmi_candidates_moved(const sfmi_candidates *candidates, sfmi_candidate_kind kind);
/* The energy of one row on a lattice; each is computed once. */
double sfmi_candidates_energy(sfmi_candidates *candidates, const sfmi_lattice *lattice);
/* The risk of a bandwidth without privacy, for one of the shapes. */
SFM_MUST_CHECK sfm_status sfmi_candidates_assess(sfmi_candidates *candidates,
                                                 sfmi_candidate_node *n, size_t problem,
                                                 sfm_error *error);
sfmi_term_forecasts *sfmi_candidates_terms(sfmi_candidate_node *n, sfmi_candidate_kind kind);

/* What candidates are compared by.  A stated bandwidth is meant, so with one it is the error
 * against the estimate of that bandwidth. */
double sfmi_candidates_score(const sfmi_candidates *candidates, const sfm_forecast *forecast);
/* Takes errors for the candidate if their score is less than its own. */
bool sfmi_candidates_offer(const sfmi_candidates *candidates, sfmi_candidate *candidate,
                           const sfmi_candidate_node *n, const sfmi_density_errors *errors,
                           double rows, double rate);

#endif
