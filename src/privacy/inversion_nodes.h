/* inversion_nodes.h - the nodes of an inversion: where the integrand is sampled, how far, and its
 * values.
 *
 * At theta_j = j step the node is
 *   e^(-variance theta^2/2)/(z (z + 1)) x product of the factors^count,  z = lambda + i theta;
 * only the turn e^(i theta (centre - epsilon)) is left to the sum.  Blocks of
 * nodes that are certainly negligible are left out, and what was left out is bounded
 * (docs/proofs/composition.md, sections 4 and 5). */
#ifndef SFMI_INVERSION_NODES_H
#define SFMI_INVERSION_NODES_H

#include "exponential_tilt.h"

/* lambda (lambda + 1) times the smoothing, where atoms keep the factors from falling off. */
#define SFMI_SMOOTHING 1e-7
/* Nodes at most, those left out included. */
#define SFMI_NODES_MAX ((size_t)1 << 20)

typedef struct sfmi_inversion_nodes {
  /* Set by the owner. */
  const sfmi_total_loss *total;
  const sfmi_tilt *tilts; /* of the laws of the total loss, by lambda */
  double lambda, step;
  double scale;      /* about what the nodes add up to, for knowing what is negligible */
  bool split;        /* the factors are those of what has a density: all, less the atoms, */
  double log_atomic; /* whose tilted mass has this logarithm */
  /* Chosen here.  variance: of the Gaussians and the smoothing together. */
  double smoothing, variance;
  sfmi_dd centre;
  double centre_size; /* sum of the sizes it was added from */
  size_t *blocks, count, room;
  double *re, *im; /* node t of block i is at blocks[i] SFMI_NODE_BLOCK + t: count SFMI_NODE_BLOCK
                      of them */
  /* Bounds of what was left out: of the nodes, and of z (z + 1) times the nodes. */
  double cut, cut_density;
  /* Sums of the sizes of the weights, of the weights times z (z + 1), and of both times theta. */
  double size, size_turn, density, density_turn;
  double error; /* what every node may be off by, relative to its weight */
} sfmi_inversion_nodes;

/* Chooses smoothing and nodes, and samples; false when memory is short.  In both cases
 * sfmi_inversion_nodes_clear follows. */
SFM_MUST_CHECK bool sfmi_inversion_nodes_fill(sfmi_inversion_nodes *nodes);
void sfmi_inversion_nodes_clear(sfmi_inversion_nodes *nodes);

#endif
