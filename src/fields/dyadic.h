/* dyadic.h - one path of a Markov process (laplacian, matern in one dimension), given anywhere and
 * in any order, as a function of normals that belong to the nodes of a dyadic tree.
 *
 * The bounds lie in a root interval whose length W is a power of two and which begins at a multiple
 * of W/8, so that round numbers are shallow; a place is rounded to the nearest of its
 * 2^SFMI_DYADIC_DEPTH dyadic points.  The state (value and derivatives) at both ends of the root
 * comes from the normals of node 0; the state at the middle of an interval, given those at its
 * ends, from the normals of that interval's node.  So the value at a place is a function of the
 * normals of the nodes above it alone: whoever has the same normals, in whatever order he asks, and
 * whatever else he asked, has the same path.
 *
 * Nodes: 0 is the root's ends; the interval i of level l (of 2^l) is node 2^l + i, l < depth; the
 * nugget of the dyadic point i (0 .. 2^depth) is node SFMI_DYADIC_NUGGET + i. */
#ifndef SFMI_DYADIC_H
#define SFMI_DYADIC_H

#include <stdint.h>

#include "features/kernels.h"

#define SFMI_DYADIC_DEPTH 44
#define SFMI_DYADIC_NUGGET ((uint64_t)1 << 62)

/* Fills count (1 to 6) standard normals of a node: the same ones whenever it is asked. */
typedef void sfmi_node_normals(void *context, uint64_t node, double *normals, size_t count);

typedef struct sfmi_dyadic sfmi_dyadic;

/* For a kernel that sfmi_kernel_markov holds of; every level's transition is computed here. */
SFM_MUST_CHECK sfm_status sfmi_dyadic_create(sfmi_dyadic **out, const sfm_kernel *kernel,
                                             double lower, double upper, double nugget,
                                             sfmi_node_normals *normals, void *context,
                                             sfm_error *error);
/* Wipes (states are latent) and frees. */
void sfmi_dyadic_destroy(sfmi_dyadic *dyadic);

/* The dyadic point a place is rounded to. */
double sfmi_dyadic_round(const sfmi_dyadic *dyadic, double x);

/* values[i] at points[i], all within the bounds.  Keeps states it may need again; the values do not
 * depend on what is kept.  One thread at a time. */
SFM_MUST_CHECK sfm_status sfmi_dyadic_at(sfmi_dyadic *dyadic, double *values, const double *points,
                                         size_t count, sfm_error *error);

#endif
