/* strips.h - products of rows of floats with vectors of doubles and with each other.
 *
 * A row's features are the floats; sums with a vector are of doubles, so that <x, w> is off by at
 * most (sfmi_depth(length) + 16) 2^-53 |x||w| (certificate.h).  Products of rows are sums of
 * floats: they steer, and certify nothing.  Results depend on the kind of processor and on nothing
 * else, however many threads there are. */
#ifndef SFMI_STRIPS_H
#define SFMI_STRIPS_H

#include "base/team.h"

typedef struct sfmi_strips sfmi_strips;

/* The fastest loops that the processor has. */
const sfmi_strips *sfmi_strips_best(void);
/* Of a kind (0 plain, 1 AVX2, 2 AVX-512), or NULL where the processor has none: for tests. */
const sfmi_strips *sfmi_strips_kind(int kind);

/* out[r] = <rows[r], w>, of `length` numbers. */
void sfmi_strips_dots(const sfmi_strips *strips, sfmi_team *team, double *out,
                      const float *const *rows, size_t count, const double *w, size_t length);
/* w += sum_r s[r] rows[r]. */
void sfmi_strips_add(const sfmi_strips *strips, sfmi_team *team, double *w,
                     const float *const *rows, const double *s, size_t count, size_t length);
/* gram[i * stride + k] = <rows[i], rows[k]>, both triangles; stride >= sfmi_strips_room(count), and
 * as many rows of it. */
void sfmi_strips_gram(const sfmi_strips *strips, sfmi_team *team, float *gram, size_t stride,
                      const float *const *rows, size_t count, size_t length);
size_t sfmi_strips_room(size_t count);
/* w += s row, here and now. */
void sfmi_strips_stroke(const sfmi_strips *strips, double *w, const float *row, double s,
                        size_t length);

#endif
