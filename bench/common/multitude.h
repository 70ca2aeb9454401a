/* multitude.h - simulated rows in very many dimensions: WIDTH coordinates of a row are not zero,
 * number j with probability about 1/j, so that some occur everywhere and most hardly ever; the
 * label is the sign of a linear function of them, with a little noise; |x| = 1. */
#ifndef MULTITUDE_H
#define MULTITUDE_H

#include "encore.h"

encore_rows multitude_rows(size_t dimension, size_t count);

#endif
