/* map_distance.c - e^2 is the squared eccentricity, a the radius at the equator.  Along the
 * meridian the radius of curvature is a (1 - e^2) / w^3, across it a / w, with w = sqrt(1 - e^2
 * sin^2 latitude).
 */
#include "map_distance.h"

#include <math.h>

static const double A = 6378.137, E2 = 0.00669437999014; /* km */

void draw_map_degree(double latitude, double *east, double *north) {
  const double degree = M_PI / 180, s = sin(latitude * degree), w = sqrt(1 - E2 * s * s);
  *east = degree * A / w * cos(latitude * degree);
  *north = degree * A * (1 - E2) / (w * w * w);
}

double draw_map_round_length(double most) {
  const double ten = pow(10, floor(log10(most) + 1e-12)), part = most / ten;
  return (part >= 5 ? 5 : part >= 2 ? 2 : 1) * ten;
}
