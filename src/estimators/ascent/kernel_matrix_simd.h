/* kernel_matrix_simd.h - the innermost loops of kernel_matrix.c, included once for every kind of
 * processor (base/system/simd.h).  A tile is TILE rows, coordinate by coordinate. */

typedef int64_t NAMED(longs) __attribute__((vector_size(8 * LANES)));
typedef uint64_t NAMED(bits) __attribute__((vector_size(8 * LANES)));

#define PARTS (TILE / LANES)
#define EACH(v) for (int v = 0; v < PARTS; v++)

/* x, or `least` where it is below. */
TARGET static inline __attribute__((always_inline)) VECTOR NAMED(raised)(VECTOR x, double least) {
  const NAMED(longs) below = x < ALL(least);
  return (VECTOR)(((NAMED(longs))x & ~below) | ((NAMED(longs))ALL(least) & below));
}

/* e^x for x <= 0, within 4 units in the last place; below FARTHEST as there. */
TARGET static inline __attribute__((always_inline)) VECTOR NAMED(power)(VECTOR x) {
  x = NAMED(raised)(x, FARTHEST);
  const VECTOR turned = MULADD(x, ALL(LOG2_E), ALL(MAGIC)), k = turned - ALL(MAGIC);
  const VECTOR r = MULADD(k, ALL(-LN2_LOW), MULADD(k, ALL(-LN2_HIGH), x));
  VECTOR sum = ALL(INVERSE_FACTORIALS[FACTORIALS - 1]);
  _Pragma("GCC unroll 16") for (int j = FACTORIALS - 2; j >= 0; j--) sum =
      MULADD(sum, r, ALL(INVERSE_FACTORIALS[j]));
  return (VECTOR)((NAMED(bits))sum + ((NAMED(bits))turned << 52));
}

TARGET static inline __attribute__((always_inline)) VECTOR NAMED(roots)(VECTOR x) {
  for (int l = 0; l < LANES; l++) x[l] = sqrt(x[l]);
  return x;
}

/* s := the profile of a kernel of the distance, squared or, laplacian, not. */
TARGET static inline __attribute__((always_inline)) VECTOR NAMED(profile)(sfm_kernel_family family,
                                                                          VECTOR s) {
  if (family == SFM_KERNEL_GAUSSIAN) return NAMED(power)(ALL(-0.5) * s);
  if (family == SFM_KERNEL_LAPLACIAN) return NAMED(power)(-s);
  if (family == SFM_KERNEL_MATERN12) return NAMED(power)(-NAMED(roots)(s));
  if (family == SFM_KERNEL_MATERN32) {
    const VECTOR r = -NAMED(raised)(ALL(-SQRT3) * NAMED(roots)(s), FARTHEST);
    return (ALL(1.0) + r) * NAMED(power)(-r);
  }
  const VECTOR r = -NAMED(raised)(ALL(-SQRT5) * NAMED(roots)(s), FARTHEST);
  return (ALL(1.0) + r + r * r / ALL(3.0)) * NAMED(power)(-r);
}

/* K(z, .) for the rows of a tile. */
TARGET static void NAMED(tile)(double *out, const double *tile, const double *z,
                               const similarity *of) {
  VECTOR s[PARTS];
  const sfm_kernel_family family = of->family;
  EACH(v) s[v] = ALL(family == SFM_KERNEL_CAUCHY ? 1.0 : 0.0);
  if (family >= SFM_KERNEL_POLYNOMIAL) {
    for (size_t a = 0; a < of->dimension; a++, tile += TILE)
      EACH(v) s[v] = MULADD(*(const LOOSE *)(tile + v * LANES), ALL(z[a]), s[v]);
  } else if (family == SFM_KERNEL_CAUCHY) {
    for (size_t a = 0; a < of->dimension; a++, tile += TILE) EACH(v) {
        const VECTOR d = (*(const LOOSE *)(tile + v * LANES) - ALL(z[a])) * ALL(of->inverse);
        s[v] *= MULADD(d, d, ALL(1.0));
      }
  } else if (family == SFM_KERNEL_LAPLACIAN) {
    for (size_t a = 0; a < of->dimension; a++, tile += TILE) EACH(v) {
        const VECTOR d = *(const LOOSE *)(tile + v * LANES) - ALL(z[a]);
        s[v] += (VECTOR)((NAMED(bits))d & ((NAMED(bits)){0} + (UINT64_MAX >> 1)));
      }
  } else {
    for (size_t a = 0; a < of->dimension; a++, tile += TILE) EACH(v) {
        const VECTOR d = *(const LOOSE *)(tile + v * LANES) - ALL(z[a]);
        s[v] = MULADD(d, d, s[v]);
      }
  }
  EACH(v) {
    VECTOR k = s[v];
    if (family == SFM_KERNEL_CAUCHY)
      k = ALL(1.0) / k;
    else if (family < SFM_KERNEL_POLYNOMIAL)
      k = NAMED(profile)(
          family,
          k * ALL(family == SFM_KERNEL_LAPLACIAN ? of->inverse : of->inverse * of->inverse));
    else if (family == SFM_KERNEL_POLYNOMIAL) {
      VECTOR base = k + ALL(of->shift);
      k = ALL(1.0);
      for (unsigned p = of->degree; p > 0; p >>= 1, base *= base)
        if (p & 1) k *= base;
    }
    *(LOOSE *)(out + v * LANES) = k + ALL(of->square);
  }
}

/* out[p][j] = unit K(z[p], row j), for up to GROUP points: a tile is read once for all of them. */
TARGET static void NAMED(floats)(float *const *out, const double *tiles, size_t count,
                                 double (*z)[FULL_MAX], size_t points, const similarity *of) {
  for (size_t i = 0; i < count; i++, tiles += TILE * of->dimension)
    for (size_t p = 0; p < points; p++) {
      double k[TILE];
      NAMED(tile)(k, tiles, z[p], of);
      for (int r = 0; r < TILE; r++) out[p][i * TILE + r] = (float)(k[r] * of->unit);
    }
}

/* sums[p] = sum_j c_j K(z[p], row_j) over the rows of the tiles, in runs. */
TARGET static void NAMED(sums)(double *sums, const double *tiles, const double *c, size_t count,
                               double (*z)[FULL_MAX], size_t points, const similarity *of) {
  VECTOR total[GROUP][PARTS] = {{{0}}};
  for (size_t from = 0; from < count; from += SFMI_SUM_BLOCK) {
    const size_t to = from + SFMI_SUM_BLOCK < count ? from + SFMI_SUM_BLOCK : count;
    VECTOR run[GROUP][PARTS] = {{{0}}};
    for (size_t i = from; i < to; i++)
      for (size_t p = 0; p < points; p++) {
        double k[TILE];
        NAMED(tile)(k, tiles + i * TILE * of->dimension, z[p], of);
        EACH(v)
        run[p][v] = MULADD(*(LOOSE *)(k + v * LANES), *(const LOOSE *)(c + i * TILE + v * LANES),
                           run[p][v]);
      }
    for (size_t p = 0; p < points; p++) EACH(v) total[p][v] += run[p][v];
  }
  for (size_t p = 0; p < points; p++) {
    sums[p] = 0;
    EACH(v) for (int l = 0; l < LANES; l++) sums[p] += total[p][v][l];
  }
}

#undef PARTS
#undef EACH
