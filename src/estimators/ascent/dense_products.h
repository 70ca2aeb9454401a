/* dense_products.h - products of rows of floats with vectors of doubles and with each other.
 *
 * A row's features are the floats.  Sums with a vector are of doubles, so that <x, w> is off by at
 * most (sfmi_sum_depth(length) + 16) 2^-53 |x||w| (certificate.h).  Products of rows are sums of
 * floats: they guide the ascent, and no certificate uses them.  Results depend on the kind of
 * processor and on nothing else, whatever the number of threads. */
#ifndef SFMI_DENSE_PRODUCTS_H
#define SFMI_DENSE_PRODUCTS_H

#include "base/system/thread_pool.h"

typedef struct sfmi_dense_products sfmi_dense_products;

/* The fastest loops that the processor has. */
const sfmi_dense_products *sfmi_dense_products_best(void);
/* The loops of a kind of processor (base/system/processor.h), or NULL where this one is not of that
 * kind: for tests. */
const sfmi_dense_products *sfmi_dense_products_kind(int kind);

/* out[r] = <rows[r], w>, of `length` numbers. */
void sfmi_dense_products_dots(const sfmi_dense_products *loops, sfmi_thread_pool *pool, double *out,
                              const float *const *rows, size_t count, const double *w,
                              size_t length);
/* w += sum_r s[r] rows[r]. */
void sfmi_dense_products_add(const sfmi_dense_products *loops, sfmi_thread_pool *pool, double *w,
                             const float *const *rows, const double *s, size_t count,
                             size_t length);
/* gram[i * stride + k] = <rows[i], rows[k]>, both triangles; stride >=
 * sfmi_dense_products_gram_stride(count), and as many rows of it. */
void sfmi_dense_products_gram(const sfmi_dense_products *loops, sfmi_thread_pool *pool, float *gram,
                              size_t stride, const float *const *rows, size_t count, size_t length);
size_t sfmi_dense_products_gram_stride(size_t count);
/* w += s row, in the calling thread. */
void sfmi_dense_products_axpy(const sfmi_dense_products *loops, double *w, const float *row,
                              double s, size_t length);

#endif
