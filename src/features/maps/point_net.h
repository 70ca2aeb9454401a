/* point_net.h - public points spread over all records that there can be, as coordinates u.
 *
 * Up to three inputs: a lattice, its axes from bound to bound (of categories: all of them). Beyond,
 * or where categories alone are more than the wanted points: Sobol points, an axis an input, moved
 * by half of the finest interval so that none lies at a bound; a category is where its axis is in
 * equal parts.  Points go the way of records (encoding.h), so what is clipped is clipped here too.
 * Of sparse rows every coordinate is an input. */
#ifndef SFMI_POINT_NET_H
#define SFMI_POINT_NET_H

#include "encoding.h"

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

/* `size` points, as nearly as a lattice allows and no more; 0: as many as are usual.  Refuses
 * inputs without bounds, and more of them than Sobol points have axes. */
SFM_MUST_CHECK sfm_status sfmi_net_init(sfmi_net *net, const sfmi_encoding *encoding, size_t size,
                                        sfm_error *error);
void sfmi_net_clear(sfmi_net *net);

#endif
