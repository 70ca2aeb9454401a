/* The passes of fft_passes.c, for one kind of processor (simd.h).  Products and sums are rounded
 * apart on every kind, so that all give the same numbers.
 *
 * A vector holds LANES/2 complex numbers. */
#define INLINE static inline __attribute__((always_inline)) TARGET

/* Real and imaginary parts exchanged. */
INLINE VECTOR NAMED(swap)(VECTOR x) {
#if LANES == 2
  return __builtin_shufflevector(x, x, 1, 0);
#elif LANES == 4
  return __builtin_shufflevector(x, x, 1, 0, 3, 2);
#else
  return __builtin_shufflevector(x, x, 1, 0, 3, 2, 5, 4, 7, 6);
#endif
}

/* Each real part twice, and each imaginary part. */
INLINE VECTOR NAMED(real)(VECTOR x) {
#if LANES == 2
  return __builtin_shufflevector(x, x, 0, 0);
#elif LANES == 4
  return __builtin_shufflevector(x, x, 0, 0, 2, 2);
#else
  return __builtin_shufflevector(x, x, 0, 0, 2, 2, 4, 4, 6, 6);
#endif
}

INLINE VECTOR NAMED(imaginary)(VECTOR x) {
#if LANES == 2
  return __builtin_shufflevector(x, x, 1, 1);
#elif LANES == 4
  return __builtin_shufflevector(x, x, 1, 1, 3, 3);
#else
  return __builtin_shufflevector(x, x, 1, 1, 3, 3, 5, 5, 7, 7);
#endif
}

/* turn is (1, -1, ..) forward: times -i; (-1, 1, ..) backward: times i. */
INLINE VECTOR NAMED(rotate)(VECTOR x, VECTOR turn) {
  return NAMED(swap)(x) * turn;
}

INLINE void NAMED(dft2)(VECTOR *a) {
  const VECTOR sum = a[0] + a[1];
  a[1] = a[0] - a[1];
  a[0] = sum;
}

INLINE void NAMED(dft4)(VECTOR *a, VECTOR turn) {
  const VECTOR e = a[0] + a[2], f = a[0] - a[2], g = a[1] + a[3];
  const VECTOR h = NAMED(rotate)(a[1] - a[3], turn);
  a[0] = e + g;
  a[1] = f + h;
  a[2] = e - g;
  a[3] = f - h;
}

INLINE void NAMED(dft8)(VECTOR *a, VECTOR turn) {
  const VECTOR half = ALL(0.70710678118654752440);
  VECTOR even[4], odd[4];
  for (size_t j = 0; j < 4; j++) even[j] = a[j] + a[j + 4], odd[j] = a[j] - a[j + 4];
  odd[1] = (odd[1] + NAMED(rotate)(odd[1], turn)) * half;
  odd[2] = NAMED(rotate)(odd[2], turn);
  odd[3] = (NAMED(rotate)(odd[3], turn) - odd[3]) * half;
  NAMED(dft4)(even, turn);
  NAMED(dft4)(odd, turn);
  for (size_t j = 0; j < 4; j++) a[2 * j] = even[j], a[2 * j + 1] = odd[j];
}

/* r odd: X_j and X_(r-j) are x_0 + sum of cos(2 pi jk/r) (x_k + x_(r-k)), plus and minus the
 * rotated sum of sin(2 pi jk/r) (x_k - x_(r-k)), k = 1 .. (r-1)/2. */
INLINE void NAMED(dft_odd)(VECTOR *a, size_t r, const double *cosines, const double *sines,
                           VECTOR turn) {
  VECTOR sum[7], difference[7], out[13];
  const size_t half = r / 2;
  out[0] = a[0];
#pragma GCC unroll 8
  for (size_t k = 1; k <= half; k++) {
    sum[k] = a[k] + a[r - k];
    difference[k] = a[k] - a[r - k];
    out[0] += sum[k];
  }
#pragma GCC unroll 8
  for (size_t j = 1; j <= half; j++) {
    VECTOR even = a[0], odd = difference[1] * ALL(sines[j]);
#pragma GCC unroll 8
    for (size_t k = 1; k <= half; k++) {
      even += sum[k] * ALL(cosines[j * k % r]);
      if (k > 1) odd += difference[k] * ALL(sines[j * k % r]);
    }
    odd = NAMED(rotate)(odd, turn);
    out[j] = even + odd;
    out[r - j] = even - odd;
  }
#pragma GCC unroll 16
  for (size_t j = 0; j < r; j++) a[j] = out[j];
}

INLINE void NAMED(dft)(VECTOR *a, size_t r, VECTOR turn) {
  switch (r) {
  case 2:
    NAMED(dft2)(a);
    break;
  case 4:
    NAMED(dft4)(a, turn);
    break;
  case 8:
    NAMED(dft8)(a, turn);
    break;
  default:
    NAMED(dft_odd)(a, r, COSINES[r], SINES[r], turn);
  }
}

/* The rows p + mj, j < r, to the rows rp + k, for one p: rows of `width` doubles, `stride` apart in
 * `from` and contiguous in `to`. */
INLINE void NAMED(one_pass)(double *to, const double *from, size_t r, size_t m, size_t width,
                            size_t stride, const VECTOR *cosine, const VECTOR *sine, VECTOR turn) {
  for (size_t q = 0; q < width; q += LANES) {
    VECTOR a[13];
#pragma GCC unroll 16
    for (size_t j = 0; j < r; j++) a[j] = *(const LOOSE *)(from + m * j * stride + q);
    NAMED(dft)(a, r, turn);
    *(LOOSE *)(to + q) = a[0];
#pragma GCC unroll 16
    for (size_t k = 1; k < r; k++) {
      if (cosine) a[k] = a[k] * cosine[k] + NAMED(swap)(a[k]) * sine[k];
      *(LOOSE *)(to + k * width + q) = a[k];
    }
  }
}

/* All of them; where p = 0 there is nothing to multiply with. */
INLINE void NAMED(pass)(double *to, const double *from, size_t r, size_t m, size_t width,
                        size_t stride, const double complex *roots, int sign) {
  VECTOR turn, cosine[13], sine[13];
  for (size_t i = 0; i < LANES; i++) turn[i] = (i % 2 ? -1 : 1) * sign;
  NAMED(one_pass)(to, from, r, m, width, stride, NULL, NULL, turn);
  for (size_t p = 1; p < m; p++) {
#pragma GCC unroll 16
    for (size_t k = 1; k < r; k++) {
      const double complex root = roots[(p - 1) * (r - 1) + k - 1];
      cosine[k] = ALL(creal(root));
      sine[k] = ALL(cimag(root)) * turn;
    }
    NAMED(one_pass)
    (to + p * r * width, from + p * stride, r, m, width, stride, cosine, sine, turn);
  }
}

#define PASS(r)                                                                                    \
  TARGET static void NAMED(pass##r)(double *to, const double *from, size_t m, size_t width,        \
                                    size_t stride, const double complex *roots, int sign) {        \
    NAMED(pass)(to, from, r, m, width, stride, roots, sign);                                       \
  }
PASS(2)
PASS(3)
PASS(4)
PASS(5)
PASS(7)
PASS(8)
PASS(11)
PASS(13)
#undef PASS

/* Row i of `count`, SFMI_FFT_COLUMNS numbers long, times roots[i] and times row i of `turns`; times
 * their conjugates forward. */
TARGET static void NAMED(turn_rows)(double complex *rows, const double complex *roots,
                                    const double complex *turns, size_t count, int sign) {
  VECTOR turn;
  for (size_t i = 0; i < LANES; i++) turn[i] = (i % 2 ? -1 : 1) * sign;
  for (size_t i = 0; i < count; i++) {
    double *row = (double *)(rows + i * SFMI_FFT_COLUMNS);
    const double *by = (const double *)(turns + i * SFMI_FFT_COLUMNS);
    const VECTOR c = ALL(creal(roots[i])), s = ALL(cimag(roots[i])) * turn;
    for (size_t q = 0; q < 2 * SFMI_FFT_COLUMNS; q += LANES) {
      const VECTOR x = *(const LOOSE *)(row + q), t = *(const LOOSE *)(by + q);
      const VECTOR y = x * c + NAMED(swap)(x) * s;
      *(LOOSE *)(row + q) = y * NAMED(real)(t) + NAMED(swap)(y) * (NAMED(imaginary)(t) * turn);
    }
  }
}
#undef INLINE
