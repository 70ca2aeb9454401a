#include "clipping.h"

#include <math.h>

bool sfmi_clipping_contains(const sfmi_clipping *clipping, const int64_t *vector, size_t count) {
  const int64_t radius = clipping->radius;
  sfmi_u128 square = 0;
  for (size_t j = 0; j < count; j++) {
    if (vector[j] > radius || vector[j] < -radius) return false;
    square += (sfmi_u128)((sfmi_i128)vector[j] * vector[j]);
  }
  return square <= (sfmi_u128)radius * (sfmi_u128)radius;
}

/* Takes a part in 2^40 off every number, and at least one step. */
static void shrink(int64_t *vector, size_t count) {
  for (size_t j = 0; j < count; j++) {
    if (vector[j] > 0)
      vector[j] -= (vector[j] >> 40) + 1;
    else if (vector[j] < 0)
      vector[j] += (-vector[j] >> 40) + 1;
  }
}

static void clear(int64_t *vector, size_t count) {
  for (size_t j = 0; j < count; j++) vector[j] = 0;
}

void sfmi_clipping_quantise(const sfmi_clipping *clipping, int64_t *out, const double *weights,
                            int exponent, size_t count) {
  const double radius = (double)clipping->radius;
  double largest = 0, square = 0;
  bool finite = true;
  for (size_t j = 0; j < count; j++) {
    finite = finite && isfinite(weights[j]);
    largest = fmax(largest, fabs(weights[j]));
  }
  if (!finite || largest == 0) {
    clear(out, count);
    return;
  }
  for (size_t j = 0; j < count; j++) {
    const double part = weights[j] / largest;
    square += part * part;
  }
  const double spread = sqrt(square); /* from 1 to sqrt(count) */
  const bool inside = largest <= ldexp(radius * clipping->step, -exponent) / spread;
  for (size_t j = 0; j < count; j++)
    out[j] = (int64_t)(inside ? ldexp(weights[j], exponent) / clipping->step
                              : weights[j] / largest * (radius / spread));
  sfmi_clipping_apply(clipping, out, count);
}

void sfmi_clipping_apply(const sfmi_clipping *clipping, int64_t *vector, size_t count) {
  if (sfmi_clipping_contains(clipping, vector, count)) return;
  double largest = 0, square = 0;
  for (size_t j = 0; j < count; j++) largest = fmax(largest, fabs((double)vector[j]));
  for (size_t j = 0; j < count; j++) {
    const double part = (double)vector[j] / largest;
    square += part * part;
  }
  const double by = (double)clipping->radius / sqrt(square);
  for (size_t j = 0; j < count; j++) vector[j] = (int64_t)((double)vector[j] / largest * by);
  while (!sfmi_clipping_contains(clipping, vector, count)) shrink(vector, count);
}
