/* loss_atoms.h - the atoms of a composition, one by one, when they are few.
 *
 * The loss of a composition without Gaussians has atoms: delta(epsilon) bends at each.  Where few
 * of them carry the mass they are listed, and what they add to delta is summed without any
 * inversion.  Of a Laplace law the list takes the two atoms; what has a density is left to the
 * inversion (docs/proofs/composition.md, section 6). */
#ifndef SFMI_LOSS_ATOMS_H
#define SFMI_LOSS_ATOMS_H

#include "privacy_loss.h"

/* Tilted by lambda; an atom's loss is base - offset. */
typedef struct sfmi_atom {
  sfmi_dd offset;
  double mass;
} sfmi_atom;

typedef struct sfmi_atoms {
  sfmi_atom *list;
  size_t count;
  double lambda;
  sfmi_dd base;
  double error; /* relative, of every mass */
  double lost;  /* at most this much tilted mass is not in the list */
  double reach; /* sum of the sizes that base and offsets are made of */
} sfmi_atoms;

/* Lists them, or leaves the list empty (NULL) when they are too many; either way SFM_OK.  The
 * total loss has no Gaussian. */
SFM_MUST_CHECK sfm_status sfmi_atoms_init(sfmi_atoms *atoms, const sfmi_total_loss *total,
                                          double lambda, sfm_error *error);
void sfmi_atoms_clear(sfmi_atoms *atoms);

/* Lower and upper bound of sum p(s) (1 - e^(epsilon - s))+ over the atoms, in units of
 * E e^(lambda (S - epsilon)), and -(d/d epsilon) of it. */
void sfmi_atoms_delta(const sfmi_atoms *atoms, double epsilon, double *lower, double *upper,
                      double *fall);

#endif
