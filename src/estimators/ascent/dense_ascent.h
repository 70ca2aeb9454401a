/* dense_ascent.h - values of dense rows (examples.h): what sparse_ascent.h does not name. */
#ifndef SFMI_DENSE_ASCENT_H
#define SFMI_DENSE_ASCENT_H

#include "estimators/machine/examples.h"

/* values[i] = <w, phi_i> for every row of the form dense (0 where nothing is kept), within
 * (sfmi_sum_depth(features) + 16) 2^-53 |w||phi_i| (certificate.h). */
void sfmi_dense_ascent_values(double *values, const sfmi_examples *examples, const double *weights,
                              size_t threads);

#endif
