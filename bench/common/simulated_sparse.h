/* simulated_sparse.h - simulated rows in very many dimensions: WIDTH coordinates of a row are not
 * zero, number j with probability about 1/j, so that some occur everywhere and most hardly ever;
 * the label is the sign of a linear function of them, with a little noise; |x| = 1. */
#ifndef SIMULATED_SPARSE_H
#define SIMULATED_SPARSE_H

#include "repeated_release.h"

sparse_labelled_rows simulated_sparse_rows(size_t dimension, size_t count);

#endif
