/* frequency_sums_simd.h - the innermost loops of frequency_sums.c, included once for every kind of
 * processor (base/system/simd.h).  Nothing but IEEE operations in the order written here: what
 * becomes of a row does not depend on the lane, vector or tile that it is in.
 *
 * A tile is TILE rows, column by column; TILE is a multiple of LANES x VECTORS. */

#include "features/maps/sincos_simd.h"

typedef uint64_t NAMED(bits) __attribute__((vector_size(8 * LANES)));

/* The phases of some rows of a tile at the frequencies of a group. */
TARGET static inline __attribute__((always_inline)) void
NAMED(phases)(VECTOR t[GROUP][VECTORS], const double *rows, const double *turns, size_t d) {
  for (int f = 0; f < GROUP; f++)
    for (int v = 0; v < VECTORS; v++) t[f][v] = ALL(0.0);
  for (size_t a = 0; a < d; a++, rows += TILE, turns += GROUP) {
    VECTOR x[VECTORS];
    for (int v = 0; v < VECTORS; v++) x[v] = *(const LOOSE *)(rows + v * LANES);
    for (int f = 0; f < GROUP; f++) {
      const VECTOR turn = ALL(turns[f]);
      for (int v = 0; v < VECTORS; v++) t[f][v] = MULADD(turn, x[v], t[f][v]);
    }
  }
}

/* sums[2f], sums[2f + 1]: of the bits of all rounded cosines and sines of the tiles. */
TARGET static void NAMED(sums)(uint64_t sums[2 * GROUP], const double *tiles, size_t count,
                               const double *turns, size_t d) {
  NAMED(bits) total[2 * GROUP] = {{0}};
  for (size_t i = 0; i < count; i++)
    for (size_t row = 0; row < TILE; row += LANES * VECTORS) {
      VECTOR t[GROUP][VECTORS], cosine[VECTORS], sine[VECTORS];
      NAMED(phases)(t, tiles + i * d * TILE + row, turns, d);
      _Pragma("GCC unroll 8") for (int f = 0; f < GROUP; f++) {
        NAMED(sincos)(cosine, sine, t[f], MAGIC);
        for (int v = 0; v < VECTORS; v++) {
          total[2 * f] += (NAMED(bits))cosine[v];
          total[2 * f + 1] += (NAMED(bits))sine[v];
        }
      }
    }
  for (int j = 0; j < 2 * GROUP; j++) {
    sums[j] = 0;
    for (int lane = 0; lane < LANES; lane++) sums[j] += total[j][lane];
  }
}

/* values[row] += the sum over the groups of weights x waves, for the rows of one tile. */
TARGET static void NAMED(values)(double values[TILE], const double *tile, const double *turns,
                                 const double *weights, size_t groups, size_t d) {
  for (size_t row = 0; row < TILE; row += LANES * VECTORS) {
    VECTOR sum[VECTORS];
    for (int v = 0; v < VECTORS; v++) sum[v] = *(const LOOSE *)(values + row + v * LANES);
    for (size_t g = 0; g < groups; g++) {
      VECTOR t[GROUP][VECTORS], cosine[VECTORS], sine[VECTORS];
      NAMED(phases)(t, tile + row, turns + g * d * GROUP, d);
      _Pragma("GCC unroll 8") for (int f = 0; f < GROUP; f++) {
        const double *weight = weights + 2 * (g * GROUP + (size_t)f);
        NAMED(sincos)(cosine, sine, t[f], 0);
        for (int v = 0; v < VECTORS; v++) {
          sum[v] = MULADD(cosine[v], ALL(weight[0]), sum[v]);
          sum[v] = MULADD(sine[v], ALL(weight[1]), sum[v]);
        }
      }
    }
    for (int v = 0; v < VECTORS; v++) *(LOOSE *)(values + row + v * LANES) = sum[v];
  }
}
