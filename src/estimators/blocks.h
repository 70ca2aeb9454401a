/* blocks.h - values of dense rows (examples.h): what ascent.h does not name. */
#ifndef SFMI_BLOCKS_H
#define SFMI_BLOCKS_H

#include "estimators/examples.h"

/* values[i] = <w, phi_i> for every row of the form dense (0 where nothing is kept), within
 * (sfmi_depth(features) + 16) 2^-53 |w||phi_i| (certificate.h). */
void sfmi_blocks_values(double *values, const sfmi_examples *examples, const double *weights,
                        size_t threads);

#endif
