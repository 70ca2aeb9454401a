#include "dense_products.h"

#include <stdatomic.h>
#include <string.h>

#include "estimators/machine/certificate.h"

/* Rows of a square of products, and floats of a row at a time: two squares' rows stay near the
 * processor meanwhile. */
enum { SQUARE = 64, CHUNK = 2048 };
/* Floats of a row after which sums of products with a vector are put aside: at least four sums run
 * side by side, so that none is longer than SFMI_SUM_BLOCK and a few. */
enum { RUN = 4 * SFMI_SUM_BLOCK };

#define SIMD_LOOPS "estimators/ascent/dense_products_simd.h"
#include "base/system/simd_kinds.h"

struct sfmi_dense_products {
  void (*dots)(double *out, const float *const *rows, size_t count, const double *w, size_t length);
  void (*adds)(double *w, const float *const *rows, const double *s, size_t count, size_t first,
               size_t last);
  void (*axpy)(double *w, const float *row, double s, size_t length);
  void (*products)(float *out, size_t stride, const float *const *a, const float *const *b,
                   size_t length);
};

static const sfmi_dense_products KINDS[] = {
    {plain_dots, plain_adds, plain_axpy, plain_products},
#if defined(__x86_64__)
    {avx2_dots, avx2_adds, avx2_axpy, avx2_products},
    {avx512_dots, avx512_adds, avx512_axpy, avx512_products},
#endif
};

const sfmi_dense_products *sfmi_dense_products_kind(int kind) {
  return sfmi_processor_is(kind) ? &KINDS[kind] : NULL;
}

const sfmi_dense_products *sfmi_dense_products_best(void) {
  return &KINDS[sfmi_processor_best()];
}

/* Additions worth another thread. */
static const size_t THREAD_WORK = (size_t)1 << 15;

/* By the pool where the work is worth it; else by this thread. */
static void run(sfmi_thread_pool *pool, sfmi_thread_body *body, void *job, size_t work) {
  if (pool && work > THREAD_WORK)
    sfmi_thread_pool_run(pool, body, job);
  else
    body(job, 0, 1);
}

typedef struct dotting {
  const sfmi_dense_products *loops;
  double *out, *w;
  const double *vector, *s;
  const float *const *rows;
  size_t count, length;
} dotting;

static void dots_share(void *context, size_t index, size_t size) {
  const dotting *d = context;
  const size_t first = index * d->count / size, last = (index + 1) * d->count / size;
  if (last > first)
    d->loops->dots(d->out + first, d->rows + first, last - first, d->vector, d->length);
}

void sfmi_dense_products_dots(const sfmi_dense_products *loops, sfmi_thread_pool *pool, double *out,
                              const float *const *rows, size_t count, const double *w,
                              size_t length) {
  dotting job = {
      .loops = loops, .out = out, .vector = w, .rows = rows, .count = count, .length = length};
  run(pool, dots_share, &job, count * length);
}

/* Shares begin where a line of memory does, so that vectors are the same whoever has them. */
static void adds_share(void *context, size_t index, size_t size) {
  const dotting *d = context;
  const size_t line = 16, lines = (d->length + line - 1) / line;
  const size_t first = index * lines / size * line, end = (index + 1) * lines / size * line;
  d->loops->adds(d->w, d->rows, d->s, d->count, first, end < d->length ? end : d->length);
}

void sfmi_dense_products_add(const sfmi_dense_products *loops, sfmi_thread_pool *pool, double *w,
                             const float *const *rows, const double *s, size_t count,
                             size_t length) {
  dotting job = {.loops = loops, .w = w, .s = s, .rows = rows, .count = count, .length = length};
  run(pool, adds_share, &job, count * length);
}

void sfmi_dense_products_axpy(const sfmi_dense_products *loops, double *w, const float *row,
                              double s, size_t length) {
  loops->axpy(w, row, s, length);
}

size_t sfmi_dense_products_gram_stride(size_t count) {
  return (count + SQUARE - 1) / SQUARE * SQUARE;
}

typedef struct multiplying {
  const sfmi_dense_products *loops;
  float *gram;
  size_t stride, count, length;
  const float *const *rows;
  atomic_size_t next;
} multiplying;

/* The rows of a square; beyond the last row, that row again. */
static void rows_of(const float *out[SQUARE], const multiplying *m, size_t square) {
  for (size_t i = 0; i < SQUARE; i++) {
    const size_t row = square * SQUARE + i;
    out[i] = m->rows[row < m->count ? row : m->count - 1];
  }
}

static void square_at(const multiplying *m, size_t i, size_t k) {
  const float *a[SQUARE], *b[SQUARE];
  float *out = m->gram + i * SQUARE * m->stride + k * SQUARE;
  rows_of(a, m, i);
  rows_of(b, m, k);
  for (size_t r = 0; r < SQUARE; r++) memset(out + r * m->stride, 0, SQUARE * sizeof *out);
  m->loops->products(out, m->stride, a, b, m->length);
  if (i == k) return;
  float *mirror = m->gram + k * SQUARE * m->stride + i * SQUARE;
  for (size_t r = 0; r < SQUARE; r++)
    for (size_t c = 0; c < SQUARE; c++) mirror[c * m->stride + r] = out[r * m->stride + c];
}

/* Each thread takes the next square that is left; the result does not depend on who computes it. */
static void gram_share(void *context, size_t index, size_t size) {
  multiplying *m = context;
  (void)index, (void)size;
  const size_t side = sfmi_dense_products_gram_stride(m->count) / SQUARE,
               all = side * (side + 1) / 2;
  for (size_t s; (s = atomic_fetch_add(&m->next, 1)) < all;) {
    size_t i = 0, k = s;
    while (k > i) k -= ++i;
    square_at(m, i, k);
  }
}

void sfmi_dense_products_gram(const sfmi_dense_products *loops, sfmi_thread_pool *pool, float *gram,
                              size_t stride, const float *const *rows, size_t count,
                              size_t length) {
  multiplying job = {loops, gram, stride, count, length, rows, 0};
  if (count > 0) run(pool, gram_share, &job, count * count * length);
}
