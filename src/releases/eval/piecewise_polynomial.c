#include "piecewise_polynomial.h"

#include <math.h>
#include <stdlib.h>

/* Cells for each mode of the polynomial. */
static const size_t OVERSAMPLING = 8;

/* Coefficients of the polynomial on [0,1] with value and three derivatives l at 0 and r at 1. */
static void hermite(double *p, const double *l, const double *r) {
  p[0] = l[0];
  p[1] = l[1];
  p[2] = l[2] / 2;
  p[3] = l[3] / 6;
  /* What is left at 1 for a t^4 + b t^5 + c t^6 + d t^7, by derivative. */
  double e0 = r[0] - (p[0] + p[1] + p[2] + p[3]);
  double e1 = r[1] - (p[1] + 2 * p[2] + 3 * p[3]);
  double e2 = (r[2] - (2 * p[2] + 6 * p[3])) / 2;
  double e3 = (r[3] - 6 * p[3]) / 6;
  p[4] = 35 * e0 - 15 * e1 + 5 * e2 - e3;
  p[5] = -84 * e0 + 39 * e1 - 14 * e2 + 3 * e3;
  p[6] = 70 * e0 - 34 * e1 + 13 * e2 - 3 * e3;
  p[7] = -20 * e0 + 10 * e1 - 4 * e2 + e3;
}

sfm_status sfmi_piecewise_polynomial_create(sfmi_piecewise_polynomial **out,
                                            const sfmi_trig_poly *poly, double lower, double upper,
                                            sfm_error *error) {
  *out = NULL;
  const size_t P = poly->modes[0], nodes = sfmi_fft_size(OVERSAMPLING * P);
  const double delta = poly->period[0] / (double)nodes;
  size_t first = (size_t)(poly->margin[0] / delta);
  size_t last = (size_t)((upper - lower + poly->margin[0]) / delta) + 1;
  sfmi_piecewise_polynomial *table = sfmi_alloc(1, sizeof *table);
  double complex *c = sfmi_alloc(P, sizeof *c);
  double(*jets)[4] = sfmi_alloc(last - first + 1, sizeof *jets);
  sfmi_fft *fft = NULL;
  sfm_status status = sfmi_fft_create(&fft, &nodes, 1, error);
  if (!status && (!table || !c || !jets)) status = sfmi_fail_memory(error);
  if (!status) {
    table->polynomials = aligned_alloc(64, (last - first) * sizeof *table->polynomials);
    if (!table->polynomials) status = sfmi_fail_memory(error);
  }
  if (status) goto done;
  *table = (sfmi_piecewise_polynomial){.lower = lower,
                                       .upper = upper,
                                       .shift = poly->margin[0] / delta - (double)first,
                                       .inverse = 1 / delta,
                                       .cells = last - first,
                                       .polynomials = table->polynomials};
  sfmi_trig_poly derivative = *poly;
  derivative.c = c;
  for (size_t i = 0; i < P; i++) c[i] = poly->c[i];
  for (int order = 0; order < 4; order++) {
    sfmi_trig_poly_pad(&derivative, fft, &nodes, NULL);
    sfmi_fft_backward(fft);
    for (size_t i = first; i <= last; i++)
      jets[i - first][order] = creal(sfmi_fft_data(fft)[i % nodes]);
    /* d/dt on cells of length one: times 2 pi i j / nodes. */
    for (size_t i = 0; i < P; i++) {
      double j = i <= P / 2 ? (double)i : (double)i - (double)P;
      c[i] *= 2 * M_PI * I * j / (double)nodes;
    }
  }
  for (size_t i = 0; i < table->cells; i++) hermite(table->polynomials[i], jets[i], jets[i + 1]);
done:
  sfmi_fft_destroy(fft);
  free(c);
  free(jets);
  if (status) {
    sfmi_piecewise_polynomial_destroy(table);
  } else {
    *out = table;
  }
  return status;
}

void sfmi_piecewise_polynomial_destroy(sfmi_piecewise_polynomial *table) {
  if (!table) return;
  free(table->polynomials);
  free(table);
}

void sfmi_piecewise_polynomial_at(const sfmi_piecewise_polynomial *table, double *values,
                                  const double *x, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!(x[i] >= table->lower && x[i] <= table->upper)) {
      values[i] = NAN;
      continue;
    }
    double t = (x[i] - table->lower) * table->inverse + table->shift;
    size_t cell = t > 0 ? (size_t)t : 0;
    if (cell >= table->cells) cell = table->cells - 1;
    const double *p = table->polynomials[cell];
    t -= (double)cell;
    /* Estrin's scheme: shorter chains than Horner's. */
    double t2 = t * t, t4 = t2 * t2;
    values[i] = (p[0] + p[1] * t) + (p[2] + p[3] * t) * t2 +
                ((p[4] + p[5] * t) + (p[6] + p[7] * t) * t2) * t4;
  }
}
