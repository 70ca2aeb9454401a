#include "least_double.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

static uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static double double_of(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

double sfmi_least_double(double below, double above, bool (*holds)(double x, const void *context),
                         const void *context) {
  assert(0 <= below && below < above);
  /* Non-negative doubles are ordered as their bits are. */
  uint64_t low = bits_of(below), high = bits_of(above);
  while (high - low > 1) {
    uint64_t middle = low + (high - low) / 2;
    if (holds(double_of(middle), context)) {
      high = middle;
    } else {
      low = middle;
    }
  }
  return double_of(high);
}
