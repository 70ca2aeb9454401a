/* sobol.c - direction numbers.  With the polynomial x^s + a_1 x^(s-1) + ... + a_(s-1) x + 1,
 *   v_k = m_k/2^k for k <= s,   v_k = a_1 v_(k-1) ^ ... ^ a_(s-1) v_(k-s+1) ^ v_(k-s) ^ v_(k-s)/2^s
 * beyond, ^ without carry.  The first coordinate has v_k = 2^-k. */
#include "sobol.h"

#include <assert.h>

typedef struct generator {
  uint8_t degree, inner; /* s, and a_1 .. a_(s-1) as bits, a_1 the highest */
  uint8_t initial[8];    /* m_1 .. m_s: odd, m_k < 2^k */
} generator;

/* The numbers are those of S. Joe and F. Y. Kuo, web.maths.unsw.edu.au/~fkuo/sobol:
 * Copyright (c) 2008, Frances Y. Kuo and Stephen Joe.  Redistributed under the terms of
 * packaging/licences/joe-kuo.txt, which go with every binary. */
static const generator GENERATORS[SFMI_SOBOL_MAX - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
    {7, 7, {1, 1, 3, 13, 7, 35, 63}},
    {7, 8, {1, 3, 5, 9, 1, 25, 53}},
    {7, 14, {1, 3, 1, 13, 9, 35, 107}},
    {7, 19, {1, 3, 1, 5, 27, 61, 31}},
    {7, 21, {1, 1, 5, 11, 19, 41, 61}},
    {7, 28, {1, 3, 5, 3, 3, 13, 69}},
    {7, 31, {1, 1, 7, 13, 1, 19, 1}},
    {7, 32, {1, 3, 7, 5, 13, 19, 59}},
    {7, 37, {1, 1, 3, 9, 25, 29, 41}},
    {7, 41, {1, 3, 5, 13, 23, 1, 55}},
    {7, 42, {1, 3, 7, 3, 13, 59, 17}},
    {7, 50, {1, 3, 1, 3, 5, 53, 69}},
    {7, 55, {1, 1, 5, 5, 23, 33, 13}},
    {7, 56, {1, 1, 7, 7, 1, 61, 123}},
    {7, 59, {1, 1, 7, 9, 13, 61, 49}},
    {7, 62, {1, 3, 3, 5, 3, 55, 33}},
    {8, 14, {1, 3, 1, 15, 31, 13, 49, 245}},
    {8, 21, {1, 3, 5, 15, 31, 59, 63, 97}},
    {8, 22, {1, 3, 1, 11, 11, 11, 77, 249}},
    {8, 38, {1, 3, 1, 11, 27, 43, 71, 9}},
    {8, 47, {1, 1, 7, 15, 21, 11, 81, 45}},
    {8, 49, {1, 3, 7, 3, 25, 31, 65, 79}},
    {8, 50, {1, 3, 1, 1, 19, 11, 3, 205}},
    {8, 52, {1, 1, 5, 9, 19, 21, 29, 157}},
    {8, 56, {1, 3, 7, 11, 1, 33, 89, 185}},
    {8, 67, {1, 3, 3, 3, 15, 9, 79, 71}},
    {8, 70, {1, 3, 7, 11, 15, 39, 119, 27}},
    {8, 84, {1, 1, 3, 1, 11, 31, 97, 225}},
    {8, 97, {1, 1, 1, 3, 23, 43, 57, 177}},
    {8, 103, {1, 3, 7, 7, 17, 17, 37, 71}},
    {8, 115, {1, 3, 1, 5, 27, 63, 123, 213}},
    {8, 122, {1, 1, 3, 5, 11, 43, 53, 133}},
};

static void fill(uint64_t *v, const generator *g) {
  const unsigned s = g->degree;
  for (unsigned k = 0; k < SFMI_SOBOL_BITS; k++) {
    if (k < s) {
      v[k] = (uint64_t)g->initial[k] << (SFMI_SOBOL_BITS - 1 - k);
      continue;
    }
    v[k] = v[k - s] ^ (v[k - s] >> s);
    for (unsigned i = 1; i < s; i++)
      if (g->inner >> (s - 1 - i) & 1) v[k] ^= v[k - i];
  }
}

void sfmi_sobol_init(sfmi_sobol *sobol, size_t dimension) {
  assert(dimension >= 1 && dimension <= SFMI_SOBOL_MAX);
  *sobol = (sfmi_sobol){.dimension = dimension};
  for (unsigned k = 0; k < SFMI_SOBOL_BITS; k++)
    sobol->directions[0][k] = (uint64_t)1 << (SFMI_SOBOL_BITS - 1 - k);
  for (size_t j = 1; j < dimension; j++) fill(sobol->directions[j], &GENERATORS[j - 1]);
}

void sfmi_sobol_point(const sfmi_sobol *sobol, uint64_t *fractions, uint64_t i) {
  const uint64_t gray = i ^ (i >> 1);
  for (size_t j = 0; j < sobol->dimension; j++) {
    uint64_t x = 0;
    for (uint64_t left = gray, k = 0; left; left >>= 1, k++)
      if (left & 1) x ^= sobol->directions[j][k];
    fractions[j] = x;
  }
}
