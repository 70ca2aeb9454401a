#include "fft_size.h"

#include <stdint.h>

/* The least of `best` and the products p >= least of `product` with powers of the primes, of which
 * none is below 2: products are walked through, since most numbers near least are none. */
static size_t least_product(size_t least, size_t product, const unsigned *primes, size_t count,
                            size_t best) {
  while (product < least && product < best) {
    if (count > 1) best = least_product(least, product, primes + 1, count - 1, best);
    if (product > SIZE_MAX / primes[0]) return best;
    product *= primes[0];
  }
  return product < best ? product : best;
}

size_t sfmi_fft_odd_size(size_t least) {
  static const unsigned primes[] = {13, 11, 7, 5, 3};
  return least_product(least, 1, primes, 5, SIZE_MAX);
}

size_t sfmi_fft_size(size_t least) {
  static const unsigned primes[] = {7, 5, 3, 2};
  return least_product(least, 1, primes, 4, SIZE_MAX);
}

bool sfmi_fft_smooth(size_t n) {
  static const unsigned primes[] = {2, 3, 5, 7, 11, 13};
  for (size_t i = 0; i < sizeof primes / sizeof *primes; i++)
    while (n % primes[i] == 0) n /= primes[i];
  return n == 1;
}
