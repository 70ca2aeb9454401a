/* dyadic_path.h - one path of a Markov process (laplacian, matern in one dimension), given anywhere
 * and in any order, as a function of normals that belong to the nodes of a dyadic tree.
 *
 * The bounds lie in a root interval whose length W is a power of two, the smallest such that it can
 * begin at a multiple of W/8, so that round numbers are shallow: 0:100 has the root 0:128, -1:1 has
 * -1:1, -74.3:-73.7 has -74.375:-73.375.  A place is rounded to the nearest of the root's
 * 2^SFMI_DYADIC_DEPTH + 1 dyadic points, which doubles hold exactly (where doubles are farther
 * apart than those points, every place is such a point).  The state (value and derivatives,
 * state_space.h) at both ends of the root comes from the normals of node 0; the state at the middle
 * of an interval, given those at its ends, from the normals of that interval's node.  So the value
 * at a place is a function of the normals of the nodes above it alone.  With the same normals the
 * path is the same to the last bit, whatever else was asked, and in whatever order.
 *
 * Nodes: 0 is the root's ends (the normals of two states); interval i of level l (of 2^l) is node
 * 2^l + i, l < depth (those of one state); the nugget of the dyadic point i (0 .. 2^depth) is node
 * SFMI_DYADIC_NUGGET + i (one normal).  A point that is the middle of an interval of level l takes
 * l + 2 nodes and its nugget. */
#ifndef SFMI_DYADIC_PATH_H
#define SFMI_DYADIC_PATH_H

#include <stdint.h>

#include "features/kernels/kernel.h"

#define SFMI_DYADIC_DEPTH 44
#define SFMI_DYADIC_NUGGET ((uint64_t)1 << 62)

/* Fills count (1 to 6) standard normals of a node: the same ones whenever it is asked. */
typedef void sfmi_node_normals(void *context, uint64_t node, double *normals, size_t count);

typedef struct sfmi_dyadic sfmi_dyadic;

/* For a kernel with sfmi_kernel_markov.  Computes the bridge of every level and draws nothing yet.
 * Fails with SFM_INVALID unless lower < upper are from 2^-900 to 2^1000 apart. */
SFM_MUST_CHECK sfm_status sfmi_dyadic_create(sfmi_dyadic **out, const sfm_kernel *kernel,
                                             double lower, double upper, double nugget,
                                             sfmi_node_normals *normals, void *context,
                                             sfm_error *error);
/* Wipes (states are latent) and frees. */
void sfmi_dyadic_destroy(sfmi_dyadic *dyadic);

/* Wipes the states that are kept.  After that the context may give other normals. */
void sfmi_dyadic_forget(sfmi_dyadic *dyadic);

/* The dyadic point to which a place is rounded.  It is beyond the bounds by at most half the
 * spacing of the points. */
double sfmi_dyadic_round(const sfmi_dyadic *dyadic, double x);

/* values[i] at points[i], all within the bounds or rounded from there (else SFM_INVALID, and
 * nothing is drawn).  Keeps states it may need again; the values do not depend on what is kept. One
 * thread at a time. */
SFM_MUST_CHECK sfm_status sfmi_dyadic_at(sfmi_dyadic *dyadic, double *values, const double *points,
                                         size_t count, sfm_error *error);

#endif
