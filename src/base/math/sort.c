#include "sort.h"

#include <stdlib.h>
#include <string.h>

static int ascending(const void *x, const void *y) {
  double a = *(const double *)x, b = *(const double *)y;
  return (a > b) - (a < b);
}

void sfmi_sort_doubles(double *values, size_t count) {
  qsort(values, count, sizeof *values, ascending);
}

enum { DIGIT = 8, VALUES = 1 << DIGIT, DIGITS = (64 + DIGIT - 1) / DIGIT };

/* One pass: stable, by the digit at shift; begins[v] is where digit v does. */
static void radix_pass(uint64_t *to, const uint64_t *from, size_t count, unsigned shift,
                       size_t begins[VALUES]) {
  for (size_t i = 0; i < count; i++) to[begins[from[i] >> shift & (VALUES - 1)]++] = from[i];
}

void sfmi_radix_sort(uint64_t *keys, uint64_t *scratch, size_t count) {
  uint64_t all = 0, any = UINT64_MAX;
  uint64_t *from = keys, *to = scratch;
  for (size_t i = 0; i < count; i++) {
    all |= keys[i];
    any &= keys[i];
  }
  const uint64_t differ = all & ~any; /* bits in which two of them differ */
  for (unsigned d = 0; d < DIGITS; d++) {
    const unsigned shift = d * DIGIT;
    size_t begins[VALUES] = {0}, sum = 0;
    if (!(differ >> shift & (VALUES - 1))) continue;
    for (size_t i = 0; i < count; i++) begins[from[i] >> shift & (VALUES - 1)]++;
    for (size_t v = 0; v < VALUES; v++) {
      const size_t number = begins[v];
      begins[v] = sum;
      sum += number;
    }
    radix_pass(to, from, count, shift, begins);
    uint64_t *swapped = from;
    from = to;
    to = swapped;
  }
  if (from != keys) memcpy(keys, from, count * sizeof *keys);
}
