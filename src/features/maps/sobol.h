/* sobol.h - Sobol points: public, deterministic points that fill the unit cube evenly.
 *
 * Coordinate j of point i is the XOR, over the bits of the Gray code of i, of its direction numbers
 * v_1, v_2, ... (fractions in binary), which follow from a primitive polynomial over GF(2) and the
 * initial numbers of Joe and Kuo (SIAM J. Sci. Comput. 30, 2635-2654, 2008: new-joe-kuo-6).  Any
 * 2^k points from a multiple of 2^k on have exactly one in each of the 2^k intervals of length 2^-k
 * of every axis. */
#ifndef SFMI_SOBOL_H
#define SFMI_SOBOL_H

#include <stddef.h>
#include <stdint.h>

/* The first coordinate, and one for each primitive polynomial of degree 8 or less. */
#define SFMI_SOBOL_MAX ((size_t)53)
#define SFMI_SOBOL_BITS 64

typedef struct sfmi_sobol {
  size_t dimension;
  uint64_t directions[SFMI_SOBOL_MAX][SFMI_SOBOL_BITS];
} sfmi_sobol;

/* dimension from 1 to SFMI_SOBOL_MAX. */
void sfmi_sobol_init(sfmi_sobol *sobol, size_t dimension);

/* Point i, in units of 2^-64. */
void sfmi_sobol_point(const sfmi_sobol *sobol, uint64_t *fractions, uint64_t i);

#endif
