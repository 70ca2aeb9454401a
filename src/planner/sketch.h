/* sketch.h - what the first terms of a series would make of a public reference shape, and about how
 * far one row can move them: numbers to choose terms by, not to protect anybody.
 *
 * The shape is a normal density of standard deviation a tenth of the domain's width, cut at the
 * bounds and of integral one again (for the bases fourier and db4, which wrap round, wrapped), and
 * everything is the mean over 16 places for its centre, evenly spread over the bounds (hermite:
 * over their middle third). */
#ifndef SFMI_SKETCH_H
#define SFMI_SKETCH_H

#include <stdbool.h>

#include "features/basis.h"

/* For the first D functions of a basis, D = 0 .. count. */
typedef struct sfmi_sketch {
  size_t count;
  double *truncation; /* the integrated square of what they miss (hermite: over all of R) */
  double *sampling;   /* sum of the variances of b_j(row): to be divided by the number of rows */
  double *reach;      /* about how far apart two rows are, or one from zero, in l1 or l2 */
} sfmi_sketch;

SFM_MUST_CHECK sfm_status sfmi_sketch_init(sfmi_sketch *sketch, const sfmi_basis *basis, bool l1,
                                           sfm_error *error);
void sfmi_sketch_clear(sfmi_sketch *sketch);

#endif
