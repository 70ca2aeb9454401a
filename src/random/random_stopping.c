#include "random_stopping.h"

/* A run more with the chance that makes the product, or all over again; then an end with
 * probability gamma.  So k runs have the weight gamma (1 - gamma)^(k-1) prod (l + eta)/(l + 1).
 * Beyond 2^32 runs, which have a probability below exp(-2^32 gamma), the chance stays as it is. */
uint64_t sfmi_stopping_draw(sfmi_stream *stream, const sfmi_stopping_law *law) {
  for (uint64_t k = 0;;) {
    const uint64_t l = k < UINT64_C(1) << 32 ? k : UINT64_C(1) << 32;
    const sfm_ratio more = {l * law->eta.denominator + law->eta.numerator,
                            (l + 1) * law->eta.denominator};
    if (!sfmi_bernoulli(stream, more)) {
      k = 0;
      continue;
    }
    k++;
    if (sfmi_bernoulli(stream, law->gamma)) return k;
  }
}
