/* interpolation_bound.h - what a value interpolated at x misses of rows elsewhere.  With weights
 * w_j at the places x_j that is, of a row at y, r(y) = K(x, y) - sum_j w_j K(x_j, y), K the kernel
 * of the rows' function, whatever the weights come from. For each of some shares s this finds a
 * rest t with |r(y)| <= s K(x, y) + t for every row: so that all rows together are missed by at
 * most s F(x) + t.  r is looked at where it can be large (in the cells around x, within some
 * bandwidths of it, all over the domain, and, where the weights are not those of K, at the places
 * themselves: one far away, where K(x, .) is nothing, may have weight), and a part is added for
 * what lies between. */
#ifndef SFMI_INTERPOLATION_BOUND_H
#define SFMI_INTERPOLATION_BOUND_H

#include "features/kernels/kernel.h"

enum { SFMI_INTERPOLATION_SHARES = 34, SFMI_INTERPOLATION_GAPS = 20 };

typedef struct sfmi_interpolation_bound {
  sfm_kernel kernel; /* stationary; borrows its bandwidths */
  const double *lower, *upper, *x;
  double *points, *weights; /* those that matter */
  size_t count;
  double skipped; /* at most, by leaving out the others */
  double margin;
  bool foreign; /* the weights are those of another kernel */
  double share[SFMI_INTERPOLATION_SHARES], rest[SFMI_INTERPOLATION_SHARES];
} sfmi_interpolation_bound;

/* Room for so many places; of more than three variables nothing can be found.  Borrows kernel's
 * bandwidths and the bounds. */
SFM_MUST_CHECK sfm_status sfmi_interpolation_bound_init(sfmi_interpolation_bound *bound,
                                                        const sfm_kernel *kernel, bool foreign,
                                                        const double *lower, const double *upper,
                                                        size_t most, sfm_error *error);
void sfmi_interpolation_bound_clear(sfmi_interpolation_bound *bound);

/* Starts anew at x (borrowed), with these places and weights. */
void sfmi_interpolation_bound_begin(sfmi_interpolation_bound *bound, const double *x,
                                    const double *points, const double *weights, size_t count);

/* One variable.  edges: ascending, count of them, bounds or places; x lies between edges[own] and
 * the next, and there are up to SFMI_INTERPOLATION_GAPS gaps to either side of it. */
void sfmi_interpolation_bound_line(sfmi_interpolation_bound *bound, const double *edges,
                                   size_t count, size_t own);

/* Two or three variables, places on a grid. */
void sfmi_interpolation_bound_box(sfmi_interpolation_bound *bound, const double *spacing);

#endif
