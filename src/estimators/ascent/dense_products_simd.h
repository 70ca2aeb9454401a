/* dense_products_simd.h - the innermost loops of dense_products.c, included once for every kind of
 * processor (base/system/simd.h).  VECTORS is how many rows a tile of products has.  Sums are in
 * the order written here, so that what comes out depends on the kind of processor alone. */

typedef float NAMED(half) __attribute__((vector_size(4 * LANES), aligned(4)));
typedef float NAMED(floats) __attribute__((vector_size(8 * LANES)));
typedef float NAMED(loosefloats) __attribute__((vector_size(8 * LANES), aligned(4)));

#define WIDE(pointer) __builtin_convertvector(*(const NAMED(half) *)(pointer), VECTOR)

TARGET static inline __attribute__((always_inline)) double NAMED(total)(VECTOR v) {
  double sum = 0;
  for (int i = 0; i < LANES; i++) sum += v[i];
  return sum;
}

/* out[r] = <rows[r], w> for four rows. */
TARGET static inline __attribute__((always_inline)) void
NAMED(four)(double out[4], const float *const rows[4], const double *w, size_t length) {
  VECTOR sum[4] = {{0}};
  const size_t even = length / (2 * LANES) * (2 * LANES);
  for (size_t from = 0; from < even; from += RUN) {
    const size_t to = from + RUN < even ? from + RUN : even;
    VECTOR low[4] = {{0}}, high[4] = {{0}};
    for (size_t j = from; j < to; j += 2 * LANES) {
      const VECTOR u = *(const LOOSE *)(w + j);
      const VECTOR v = *(const LOOSE *)(w + j + LANES);
      for (int r = 0; r < 4; r++) {
        low[r] = MULADD(WIDE(rows[r] + j), u, low[r]);
        high[r] = MULADD(WIDE(rows[r] + j + LANES), v, high[r]);
      }
    }
    for (int r = 0; r < 4; r++) sum[r] += low[r] + high[r];
  }
  for (int r = 0; r < 4; r++) {
    out[r] = NAMED(total)(sum[r]);
    for (size_t k = even; k < length; k++) out[r] += (double)rows[r][k] * w[k];
  }
}

TARGET static void NAMED(dots)(double *out, const float *const *rows, size_t count, const double *w,
                               size_t length) {
  for (size_t i = 0; i < count; i += 4) {
    const float *four[4];
    double sums[4];
    for (size_t r = 0; r < 4; r++) four[r] = rows[i + r < count ? i + r : count - 1];
    NAMED(four)(sums, four, w, length);
    for (size_t r = 0; r < 4 && i + r < count; r++) out[i + r] = sums[r];
  }
}

/* w[j] += sum_r s[r] rows[r][j], first <= j < last, for eight rows. */
TARGET static inline __attribute__((always_inline)) void
NAMED(eight)(double *w, const float *const rows[8], const double s[8], size_t first, size_t last) {
  size_t j = first;
  for (; j + LANES <= last; j += LANES) {
    VECTOR sum = *(const LOOSE *)(w + j);
    for (int r = 0; r < 8; r++) sum = MULADD(WIDE(rows[r] + j), ALL(s[r]), sum);
    *(LOOSE *)(w + j) = sum;
  }
  for (; j < last; j++)
    for (int r = 0; r < 8; r++) w[j] += s[r] * (double)rows[r][j];
}

TARGET static void NAMED(adds)(double *w, const float *const *rows, const double *s, size_t count,
                               size_t first, size_t last) {
  for (size_t i = 0; i < count; i += 8) {
    const float *eight[8];
    double by[8];
    for (size_t r = 0; r < 8; r++) {
      eight[r] = rows[i + r < count ? i + r : count - 1];
      by[r] = i + r < count ? s[i + r] : 0;
    }
    NAMED(eight)(w, eight, by, first, last);
  }
}

/* w += s row. */
TARGET static void NAMED(axpy)(double *w, const float *row, double s, size_t length) {
  size_t j = 0;
  for (; j + LANES <= length; j += LANES) {
    LOOSE *at = (LOOSE *)(w + j);
    *at = MULADD(WIDE(row + j), ALL(s), *at);
  }
  for (; j < length; j++) w[j] += s * (double)row[j];
}

/* out[i * stride + k] += <a[i], b[k]> over floats `from` to `to`, VECTORS by 4. */
TARGET static inline __attribute__((always_inline)) void NAMED(tile)(float *out, size_t stride,
                                                                     const float *const *a,
                                                                     const float *const *b,
                                                                     size_t from, size_t to) {
  NAMED(floats) sum[VECTORS][4] = {{{0}}};
  size_t j = from;
  for (; j + 2 * LANES <= to; j += 2 * LANES) {
    NAMED(floats) u[VECTORS];
    for (int i = 0; i < VECTORS; i++) u[i] = *(const NAMED(loosefloats) *)(a[i] + j);
    for (int k = 0; k < 4; k++) {
      const NAMED(floats) v = *(const NAMED(loosefloats) *)(b[k] + j);
      for (int i = 0; i < VECTORS; i++) sum[i][k] = MULADDF(u[i], v, sum[i][k]);
    }
  }
  for (int i = 0; i < VECTORS; i++)
    for (int k = 0; k < 4; k++) {
      float total = 0;
      for (int l = 0; l < 2 * LANES; l++) total += sum[i][k][l];
      for (size_t l = j; l < to; l++) total += a[i][l] * b[k][l];
      out[(size_t)i * stride + (size_t)k] += total;
    }
}

/* The same over all, for as many rows as a square has. */
TARGET static void NAMED(products)(float *out, size_t stride, const float *const *a,
                                   const float *const *b, size_t length) {
  for (size_t from = 0; from < length; from += CHUNK) {
    const size_t to = from + CHUNK < length ? from + CHUNK : length;
    for (size_t i = 0; i < SQUARE; i += VECTORS)
      for (size_t k = 0; k < SQUARE; k += 4)
        NAMED(tile)(out + i * stride + k, stride, a + i, b + k, from, to);
  }
}

#undef WIDE
