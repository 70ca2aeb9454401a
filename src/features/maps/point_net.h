/* point_net.h - public points spread over all possible records, as coordinates u.
 *
 * Up to three inputs: a lattice, its axes from bound to bound (for categories: all of them).  With
 * more inputs, or where there are more combinations of categories than wanted points: Sobol points,
 * one axis per input, moved by half of the finest interval so that none lies at a bound; an axis of
 * categories is cut into equal parts.  Points are encoded like records (encoding.h), so that they
 * are clipped alike.  For sparse rows every coordinate is an input. */
#ifndef SFMI_POINT_NET_H
#define SFMI_POINT_NET_H

#include "feature_map.h"

/* Most points. */
#define SFMI_NET_MAX ((size_t)1 << 16)

typedef struct sfmi_net {
  size_t count;
  bool lattice;
  size_t axes;    /* inputs */
  size_t grid[3]; /* lattice: points of each axis */
  /* Point p has the coordinates starts[p] to starts[p + 1].  Owned. */
  size_t *starts;
  uint32_t *indices;
  double *values;
} sfmi_net;

/* At most `size` points, as near to that as a lattice allows; 0: the usual number.  Refuses inputs
 * without bounds, and more inputs than Sobol points have axes. */
SFM_MUST_CHECK sfm_status sfmi_net_init(sfmi_net *net, const sfmi_encoding *encoding, size_t size,
                                        sfm_error *error);
void sfmi_net_clear(sfmi_net *net);

/* sfmi_feature_map_kernel between points p and q. */
double sfmi_net_kernel(const sfmi_feature_map *map, const sfmi_net *net, size_t p, size_t q);

#endif
