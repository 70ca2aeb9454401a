/* random_features_simd.h - the innermost loops of random_features.c, included once for every kind
 * of processor (base/system/simd.h).  TILE is a multiple of LANES x VECTORS. */

#include "sincos_simd.h"

/* t[f] = the sum over the nonzeros of u[j] turns[indices[j]][f], from the first on. */
TARGET static void NAMED(phases)(double t[TILE], const double *turns, const uint32_t *indices,
                                 const double *u, size_t nonzeros) {
  VECTOR sum[TILE / LANES];
  for (int v = 0; v < TILE / LANES; v++) sum[v] = ALL(0.0);
  for (size_t j = 0; j < nonzeros; j++) {
    const double *turn = turns + (size_t)indices[j] * TILE;
    const VECTOR x = ALL(u[j]);
    for (int v = 0; v < TILE / LANES; v++)
      sum[v] = MULADD(x, *(const LOOSE *)(turn + v * LANES), sum[v]);
  }
  for (int v = 0; v < TILE / LANES; v++) *(LOOSE *)(t + v * LANES) = sum[v];
}

/* cosine[f] = UNIT cos(2 pi t[f]), and the sine. */
TARGET static void NAMED(sincos_fast)(double cosine[TILE], double sine[TILE],
                                      const double t[TILE]) {
  for (int from = 0; from < TILE; from += LANES * VECTORS) {
    VECTOR phase[VECTORS], c[VECTORS], s[VECTORS];
    for (int v = 0; v < VECTORS; v++) phase[v] = *(const LOOSE *)(t + from + v * LANES);
    NAMED(sincos)(c, s, phase, 0);
    for (int v = 0; v < VECTORS; v++) {
      *(LOOSE *)(cosine + from + v * LANES) = c[v];
      *(LOOSE *)(sine + from + v * LANES) = s[v];
    }
  }
}

/* cosine[f] = cos(2 pi t[f]) and the sine, to a few ulps of one: by the half angle, with s = sin(pi
 * r) and c = cos(pi r) they are 1 - 2 s^2 and 2 s c. */
TARGET static void NAMED(sincos_exact)(double cosine[TILE], double sine[TILE],
                                       const double t[TILE]) {
  for (int from = 0; from < TILE; from += LANES) {
    const VECTOR phase = *(const LOOSE *)(t + from);
    const VECTOR r = phase - ((phase + ALL(MAGIC)) - ALL(MAGIC)), u = r * r;
    VECTOR s = ALL(SINE_TERMS[TERMS - 1]), c = ALL(COSINE_TERMS[TERMS - 1]);
    for (int j = TERMS - 1; j-- > 0;) {
      s = MULADD(s, u, ALL(SINE_TERMS[j]));
      c = MULADD(c, u, ALL(COSINE_TERMS[j]));
    }
    s = s * r;
    *(LOOSE *)(cosine + from) = LESS(s + s, s, ALL(1.0));
    *(LOOSE *)(sine + from) = (s + s) * c;
  }
}
