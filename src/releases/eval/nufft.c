#include "nufft.h"

#include <math.h>
#include <stdlib.h>

enum { WIDTH = 12 };
static const double BETA = 2.30 * WIDTH;

struct sfmi_nufft {
  size_t dimension;
  size_t shape[SFM_MAX_DIMENSION];
  double lower[SFM_MAX_DIMENSION], margin[SFM_MAX_DIMENSION], inverse[SFM_MAX_DIMENSION];
  double *grid;
};

static size_t fine(size_t modes) {
  size_t needed = 2 * modes > 2 * WIDTH ? 2 * modes : 2 * WIDTH;
  return sfmi_fft_size(needed);
}

double sfmi_nufft_size(const sfmi_trig_poly *poly) {
  double size = 1;
  for (size_t a = 0; a < poly->dimension; a++) size *= (double)fine(poly->modes[a]);
  return size;
}

/* z in grid steps from the centre. */
static double window(double z) {
  double y = 1 - z * z * (4.0 / (WIDTH * WIDTH));
  return y > 0 ? exp(BETA * (sqrt(y) - 1)) : 0;
}

/* Integral of window(z) cos(2 pi f z): with z = (WIDTH/2) sin t the integrand is smooth and nearly
 * vanishes at the ends, where the midpoint rule converges geometrically. */
static double window_transform(double f) {
  enum { NODES = 200 };
  double sum = 0;
  for (int i = 0; i < NODES / 2; i++) { /* the other half mirrors it */
    double t = M_PI * (i + 0.5) / NODES;
    sum += exp(BETA * (cos(t) - 1)) * cos(M_PI * f * WIDTH * sin(t)) * cos(t);
  }
  return sum * M_PI / NODES * WIDTH;
}

/* 1/window_transform on [0, FREQUENCY_MAX], which is smooth there: by Chebyshev interpolation, so
 * that millions of modes cost no quadrature each. */
enum { DEGREE = 40 };
static const double FREQUENCY_MAX = 0.26;

static void inverse_transform_init(double *c) {
  double values[DEGREE + 1];
  for (int i = 0; i <= DEGREE; i++) {
    double x = cos(M_PI * (i + 0.5) / (DEGREE + 1));
    values[i] = 1 / window_transform(FREQUENCY_MAX * (x + 1) / 2);
  }
  for (int k = 0; k <= DEGREE; k++) {
    double sum = 0;
    for (int i = 0; i <= DEGREE; i++) sum += values[i] * cos(M_PI * k * (i + 0.5) / (DEGREE + 1));
    c[k] = sum * (k ? 2.0 : 1.0) / (DEGREE + 1);
  }
}

static double inverse_transform_at(const double *c, double f) {
  double x = 2 * f / FREQUENCY_MAX - 1, b1 = 0, b2 = 0;
  for (int k = DEGREE; k > 0; k--) {
    double b = c[k] + 2 * x * b1 - b2;
    b2 = b1;
    b1 = b;
  }
  return c[0] + x * b1 - b2;
}

sfm_status sfmi_nufft_create(sfmi_nufft **out, const sfmi_trig_poly *poly, sfm_error *error) {
  *out = NULL;
  sfmi_nufft *nufft = sfmi_alloc(1, sizeof *nufft);
  double *weights[SFM_MAX_DIMENSION] = {0}, chebyshev[DEGREE + 1];
  inverse_transform_init(chebyshev);
  sfmi_fft *fft = NULL;
  sfm_status status = nufft ? SFM_OK : sfmi_fail_memory(error);
  size_t total = 1;
  for (size_t a = 0; a < poly->dimension && !status; a++) {
    const size_t P = poly->modes[a], F = fine(P);
    nufft->shape[a] = F;
    nufft->lower[a] = poly->lower[a];
    nufft->margin[a] = poly->margin[a];
    nufft->inverse[a] = (double)F / poly->period[a];
    total *= F;
    weights[a] = sfmi_alloc(P, sizeof(double));
    if (!weights[a]) status = sfmi_fail_memory(error);
    for (size_t j = 0; j <= P / 2 && weights[a]; j++) {
      weights[a][j] = inverse_transform_at(chebyshev, (double)j / (double)F);
      if (j) weights[a][P - j] = weights[a][j];
    }
  }
  if (!status) status = sfmi_fft_create(&fft, nufft->shape, poly->dimension, error);
  if (!status) {
    nufft->dimension = poly->dimension;
    nufft->grid = sfmi_alloc(total, sizeof *nufft->grid);
    if (!nufft->grid) status = sfmi_fail_memory(error);
  }
  if (!status) {
    sfmi_trig_poly_pad(poly, fft, nufft->shape, weights);
    sfmi_fft_backward(fft);
    for (size_t i = 0; i < total; i++) nufft->grid[i] = creal(sfmi_fft_data(fft)[i]);
  }
  for (size_t a = 0; a < poly->dimension; a++) free(weights[a]);
  sfmi_fft_destroy(fft);
  if (status) {
    sfmi_nufft_destroy(nufft);
  } else {
    *out = nufft;
  }
  return status;
}

void sfmi_nufft_destroy(sfmi_nufft *nufft) {
  if (!nufft) return;
  free(nufft->grid);
  free(nufft);
}

/* Sum over the axes from a on. */
static double interpolate_from(const sfmi_nufft *nufft, size_t a, size_t base,
                               double (*weights)[WIDTH], size_t (*at)[WIDTH]) {
  double sum = 0;
  base *= nufft->shape[a];
  if (a + 1 == nufft->dimension) {
    for (int j = 0; j < WIDTH; j++) sum += weights[a][j] * nufft->grid[base + at[a][j]];
    return sum;
  }
  for (int j = 0; j < WIDTH; j++)
    sum += weights[a][j] * interpolate_from(nufft, a + 1, base + at[a][j], weights, at);
  return sum;
}

double sfmi_nufft_at(const sfmi_nufft *nufft, const double *x) {
  double weights[SFM_MAX_DIMENSION][WIDTH];
  size_t at[SFM_MAX_DIMENSION][WIDTH];
  for (size_t a = 0; a < nufft->dimension; a++) {
    const double F = (double)nufft->shape[a];
    double u = (x[a] - nufft->lower[a] + nufft->margin[a]) * nufft->inverse[a];
    double start = ceil(u - WIDTH / 2.0);
    for (int j = 0; j < WIDTH; j++) {
      double k = start + j;
      weights[a][j] = window(k - u);
      at[a][j] = (size_t)(k < 0 ? k + F : k >= F ? k - F : k);
    }
  }
  return interpolate_from(nufft, 0, 0, weights, at);
}
