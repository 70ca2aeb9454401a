#include "idealised_draws.h"

#include <assert.h>
#include <math.h>

double sfmi_idealised_uniform(sfmi_stream *stream) {
  return ((double)(sfmi_stream_word(stream) >> 12) + 0.5) * 0x1p-52;
}

/* Marsaglia's polar method: (u, v) uniform in the disc gives two normals. */
static void normal_pair(sfmi_stream *stream, double pair[2]) {
  double u, v, s;
  do {
    u = 2 * sfmi_idealised_uniform(stream) - 1;
    v = 2 * sfmi_idealised_uniform(stream) - 1;
    s = u * u + v * v;
  } while (s >= 1 || s == 0);
  double factor = sqrt(-2 * log(s) / s);
  pair[0] = u * factor;
  pair[1] = v * factor;
}

void sfmi_idealised_normal(sfmi_stream *stream, double *values, size_t count) {
  double pair[2];
  for (size_t i = 0; i < count; i++) {
    if (i % 2 == 0) normal_pair(stream, pair);
    values[i] = pair[i % 2];
  }
}

/* Marsaglia and Tsang (2000): d (1 + x / (3 sqrt d))^3 with d = shape - 1/3, thinned. */
static double gamma_from_one(sfmi_stream *stream, double shape) {
  double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
  for (;;) {
    double x;
    sfmi_idealised_normal(stream, &x, 1);
    double v = 1 + c * x;
    if (v <= 0) continue;
    v = v * v * v;
    if (log(sfmi_idealised_uniform(stream)) < 0.5 * x * x + d - d * v + d * log(v)) return d * v;
  }
}

double sfmi_idealised_gamma(sfmi_stream *stream, double shape) {
  assert(shape > 0);
  if (shape >= 1) return gamma_from_one(stream, shape);
  double boost = pow(sfmi_idealised_uniform(stream), 1 / shape);
  return boost * gamma_from_one(stream, shape + 1);
}

void sfmi_idealised_direction(sfmi_stream *stream, double *unit, size_t dimension) {
  double norm;
  do {
    sfmi_idealised_normal(stream, unit, dimension);
    norm = 0;
    for (size_t i = 0; i < dimension; i++) norm += unit[i] * unit[i];
  } while (norm == 0);
  norm = sqrt(norm);
  for (size_t i = 0; i < dimension; i++) unit[i] /= norm;
}
