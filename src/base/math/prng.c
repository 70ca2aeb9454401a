#include "prng.h"

#include <math.h>

static uint64_t rotate(uint64_t x, int k) {
  return (x << k) | (x >> (64 - k));
}

void sfmi_prng_init(sfmi_prng *prng, uint64_t seed) {
  /* splitmix64, as the authors of xoshiro advise. */
  for (int i = 0; i < 4; i++) {
    uint64_t z = (seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    prng->state[i] = z ^ (z >> 31);
  }
}

uint64_t sfmi_prng_word(sfmi_prng *prng) {
  uint64_t *s = prng->state;
  uint64_t result = rotate(s[0] + s[3], 23) + s[0], t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotate(s[3], 45);
  return result;
}

double sfmi_prng_uniform(sfmi_prng *prng) {
  return ((double)(sfmi_prng_word(prng) >> 11) + 0.5) * 0x1p-53;
}

double sfmi_prng_normal(sfmi_prng *prng) {
  double radius = sqrt(-2 * log(sfmi_prng_uniform(prng)));
  return radius * cos(2 * M_PI * sfmi_prng_uniform(prng));
}

double sfmi_prng_laplace(sfmi_prng *prng) {
  double size = -log(sfmi_prng_uniform(prng));
  return sfmi_prng_word(prng) >> 63 ? size : -size;
}

double sfmi_prng_gamma(sfmi_prng *prng, double shape) {
  /* Marsaglia & Tsang 2000: exact, by rejection from a cubed normal. */
  const double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
  for (;;) {
    const double z = sfmi_prng_normal(prng), root = 1 + c * z;
    if (!(root > 0)) continue;
    const double cube = root * root * root;
    if (log(sfmi_prng_uniform(prng)) < 0.5 * z * z + d * (1 - cube + log(cube))) return d * cube;
  }
}

/* A Laplace variable is the difference of two exponential ones, and a sum of exponential ones is a
 * gamma variable. */
double sfmi_prng_laplace_sum(sfmi_prng *prng, uint64_t count) {
  if (count == 1) return sfmi_prng_laplace(prng);
  const double positive = sfmi_prng_gamma(prng, (double)count);
  return positive - sfmi_prng_gamma(prng, (double)count);
}

void sfmi_prng_shuffle(sfmi_prng *prng, size_t *numbers, size_t count) {
  for (size_t i = count; i > 1; i--) {
    const size_t j = (size_t)(sfmi_prng_uniform(prng) * (double)i), held = numbers[i - 1];
    numbers[i - 1] = numbers[j];
    numbers[j] = held;
  }
}
