/* sincos_simd.h - cosines and sines of many phases at once: first what all kinds of processors
 * share, then a function that is compiled for each kind (base/system/simd.h).  Nothing but IEEE
 * operations in the order written here: what becomes of a phase does not depend on its lane. */
#ifndef SFMI_SINCOS_SIMD_H
#define SFMI_SINCOS_SIMD_H

#include <stdint.h>

/* Adding it rounds a double below 2^51 to a whole number, which is then its low bits. */
#define MAGIC 0x1.8p52
#define UNIT 0x1p33
#define HALF 0x1p17

/* With r in [-1/2, 1/2] turns and u = r^2:  cos(pi r) = 1 + u C(u) to 8.2e-13 and sin(pi r) =
 * r S(u) to 4.0e-14, the polynomials of least largest error (Remez); times HALF. */
enum { COSINE_LAST = 6, SINE_LAST = 6 };
static const double HALF_COSINE[] = {HALF,
                                     HALF * -4.9348022003412085426,
                                     HALF * 4.0587121105682440332,
                                     HALF * -1.3352623577081069349,
                                     HALF * 0.23532572353772949366,
                                     HALF * -0.025777243922460722755,
                                     HALF * 0.0018411396808254832076};
static const double HALF_SINE[] = {HALF * 3.1415926535886142665,   HALF * -5.1677127798736931097,
                                   HALF * 2.5501640322517504943,   HALF * -0.59926438382623798168,
                                   HALF * 0.082144460693427795708, HALF * -0.0073629369701820438452,
                                   HALF * 0.0004461772364373086398};

#endif

/* cosine = UNIT cos(2 pi t) + `shift`, sine the same for the sine, |t| < 2^51: off by less than
 * 1.8e-12 UNIT, both from one r.  With shift = MAGIC they are rounded to integers, which are then
 * the low bits of the doubles.  By the half angle: with s = HALF sin(pi r), c = HALF cos(pi r) and
 * HALF^2 = 2 UNIT they are UNIT - s^2 and s c. */
TARGET static inline __attribute__((always_inline)) void
NAMED(sincos)(VECTOR cosine[VECTORS], VECTOR sine[VECTORS], const VECTOR t[VECTORS], double shift) {
  VECTOR r[VECTORS], u[VECTORS], s[VECTORS], c[VECTORS];
  for (int v = 0; v < VECTORS; v++) {
    r[v] = t[v] - ((t[v] + ALL(MAGIC)) - ALL(MAGIC)); /* less the nearest whole number */
    u[v] = r[v] * r[v];
    s[v] = ALL(HALF_SINE[SINE_LAST]);
    c[v] = ALL(HALF_COSINE[COSINE_LAST]);
  }
  _Pragma("GCC unroll 8") for (int j = 0; j < SINE_LAST; j++) {
    for (int v = 0; v < VECTORS; v++) s[v] = MULADD(s[v], u[v], ALL(HALF_SINE[SINE_LAST - 1 - j]));
    for (int v = 0; v < VECTORS && j < COSINE_LAST; v++)
      c[v] = MULADD(c[v], u[v], ALL(HALF_COSINE[COSINE_LAST - 1 - j]));
  }
  for (int v = 0; v < VECTORS; v++) {
    s[v] = s[v] * r[v];
    cosine[v] = LESS(s[v], s[v], ALL(UNIT + shift));
    sine[v] = MULADD(s[v], c[v], ALL(shift));
  }
}
