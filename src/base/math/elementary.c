#include "elementary.h"

#include <math.h>

double sfmi_sinc(double x) {
  return x == 0 ? 1 : sin(M_PI * x) / (M_PI * x);
}

double sfmi_power(double x, unsigned n) {
  double result = 1;
  for (; n; n >>= 1, x *= x)
    if (n & 1) result *= x;
  return result;
}
