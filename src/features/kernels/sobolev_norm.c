#include "sobolev_norm.h"

#include <float.h>
#include <math.h>

double sfmi_sobolev_width(double lower, double upper, double bandwidth) {
  const double far = fmax(fabs(lower), fabs(upper));
  return (upper - lower + 16 * DBL_EPSILON * far) / bandwidth;
}

double sfmi_sobolev_inner(const sfmi_sobolev_axis *axis, double x, double y, double slope[2]) {
  const double g = axis->rate, d = (x - y) / 2, left = (x + y) / 2, right = axis->width - left;
  const double p = exp(-left * left), q = exp(-right * right), far = exp(-d * d);
  const double area = sqrt(M_PI) / 2 * (erf(left) + erf(right));
  const double energy = (0.5 + g * g - d * d) * area - (left * p + right * q) / 2;
  const double inner = far * ((p + q) / 2 + energy / (2 * g));
  if (slope) {
    const double from_left = (left - g) * (left - g) - d * d,
                 from_right = (right - g) * (right - g) - d * d;
    const double along = far * (p * from_left - q * from_right) / (2 * g); /* in m */
    const double away = -2 * d * (inner + far * area / (2 * g));           /* in d */
    slope[0] = (along + away) / 2;
    slope[1] = (along - away) / 2;
  }
  return inner;
}

double sfmi_sobolev_square(const sfmi_sobolev_axis *axis, double x, double *slope) {
  double both[2];
  const double square = sfmi_sobolev_inner(axis, x, x, slope ? both : NULL);
  if (slope) *slope = both[0] + both[1];
  return square;
}

double sfmi_sobolev_square_distance(const sfmi_sobolev_axis *axis, double x, double y,
                                    double slope[2]) {
  double inner[2], own[2];
  const double square = sfmi_sobolev_square(axis, x, slope ? &own[0] : NULL) +
                        sfmi_sobolev_square(axis, y, slope ? &own[1] : NULL) -
                        2 * sfmi_sobolev_inner(axis, x, y, slope ? inner : NULL);
  for (int i = 0; slope && i < 2; i++) slope[i] = own[i] - 2 * inner[i];
  return square;
}

/* int t^2k exp(-t^2)/sqrt(pi) = 1, 1/2, 3/4, 15/8; the Fourier transform of a bump is one. */
double sfmi_sobolev_line_square(double rate, unsigned k) {
  static const double moment[] = {1, 0.5, 0.75, 1.875};
  return sqrt(M_PI) / (2 * rate) * (moment[k + 1] + rate * rate * moment[k]);
}

/* <f_x, f_y> = sqrt(pi)/(2 rate) (c - d^2) exp(-d^2), c = 1/2 + rate^2, is least at d^2 = c + 1. */
double sfmi_sobolev_line_square_distance(double rate) {
  const double c = 0.5 + rate * rate;
  return sqrt(M_PI) / rate * (c + exp(-c - 1));
}
