#include "ball_projection.h"

#include <math.h>

/* More than rounding can take from a sum of that many squares, its root and the square of that. */
static double slack(size_t dimension) {
  return (double)(dimension + 8) * 0x1p-52;
}

/* The length of the row is `largest` times the root of `sum`, in units that do not overflow. */
void sfmi_ball_project(double *row, size_t count, double radius) {
  double largest = 0, sum = 0;
  for (size_t a = 0; a < count; a++) {
    if (!isfinite(row[a])) {
      for (size_t b = 0; b < count; b++) row[b] = 0;
      return;
    }
    largest = fmax(largest, fabs(row[a]));
  }
  if (largest == 0) return;
  for (size_t a = 0; a < count; a++) sum += (row[a] / largest) * (row[a] / largest);
  if (largest * sqrt(sum) * (1 + slack(count)) <= radius) return;
  const double length = radius / sqrt(sum) * (1 - slack(count));
  for (size_t a = 0; a < count; a++) row[a] = row[a] / largest * length;
}
