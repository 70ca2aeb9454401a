/* prng.h - a public, seeded generator (xoshiro256++) for post-processing: bands, simulations.
 * Never for noise: what is drawn here is public. */
#ifndef SFMI_PRNG_H
#define SFMI_PRNG_H

#include "base/system/status.h"

typedef struct sfmi_prng {
  uint64_t state[4];
} sfmi_prng;

void sfmi_prng_init(sfmi_prng *prng, uint64_t seed);
uint64_t sfmi_prng_word(sfmi_prng *prng);
/* In (0, 1). */
double sfmi_prng_uniform(sfmi_prng *prng);
double sfmi_prng_normal(sfmi_prng *prng);
/* Density exp(-|x|)/2. */
double sfmi_prng_laplace(sfmi_prng *prng);
/* Density prop. to x^(shape-1) exp(-x), shape >= 1.  For a whole shape it is the sum of that many
 * variables of density exp(-x). */
double sfmi_prng_gamma(sfmi_prng *prng, double shape);
/* The sum of count independent Laplace variables, at about the cost of one. */
double sfmi_prng_laplace_sum(sfmi_prng *prng, uint64_t count);
/* Puts the numbers in a random order. */
void sfmi_prng_shuffle(sfmi_prng *prng, size_t *numbers, size_t count);

#endif
