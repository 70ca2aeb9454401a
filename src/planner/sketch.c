#include "planner/sketch.h"

#include <math.h>
#include <stdlib.h>

#include "base/linear.h"

enum { CENTRES = 16, NODES = 2, PANELS = 1024, POINTS = NODES * PANELS, BLOCK = 256 };
static const double DEVIATION = 0.1;
/* Gauss's rule of two nodes on [0, 1], whose weights are equal. */
static const double NODE[NODES] = {0.21132486540518713, 0.78867513459481287};
/* Pairs of points: this many first ones, and second ones at distances of this ratio from the whole
 * lattice down. */
enum { FIRST = 32 };
static const double RATIO = 1.15;

/* Polynomials vary fastest near the ends: points are even in the angle. */
static bool angular(const sfmi_basis *basis) {
  return basis->family == SFMI_LEGENDRE || basis->family == SFMI_HERMITE ||
         basis->family == SFMI_EIGEN;
}

/* The point of the domain at t in [0, 1], and what a step of t is worth in widths. */
static double point_at(const sfmi_basis *basis, double t, double *weight) {
  const double lower = basis->lower[0], upper = basis->upper[0];
  const double s = sin(M_PI_2 * t), u = angular(basis) ? s * s : t;
  *weight = angular(basis) ? M_PI_2 * sin(M_PI * t) : 1;
  return fmin(lower + (upper - lower) * u, upper);
}

static double bell(double z) {
  return exp(-0.5 * z * z / (DEVIATION * DEVIATION));
}

/* The i-th point, and what it counts for in an integral over the domain, in widths. */
static double quadrature(const sfmi_basis *basis, size_t i, double *weight) {
  const double x = point_at(basis, ((double)(i / NODES) + NODE[i % NODES]) / PANELS, weight);
  *weight /= POINTS;
  return x;
}

/* weights (CENTRES x POINTS): the shape about each centre, times the weight of the point;
 * *square: the integral of its square, in units of 1/width. */
static void shape(double *weights, double *square, const sfmi_basis *basis) {
  const double lower = basis->lower[0], width = basis->upper[0] - lower;
  const bool wraps = basis->family == SFMI_FOURIER || basis->family == SFMI_DB4;
  /* Hermite's functions are for what lies about the middle. */
  const double spread = basis->family == SFMI_HERMITE ? 1.0 / 3 : 1;
  *square = 0;
  for (size_t c = 0; c < CENTRES; c++) {
    const double centre = 0.5 + spread * (((double)c + 0.5) / CENTRES - 0.5);
    double *row = weights + c * POINTS, whole = 0, squares = 0;
    for (size_t i = 0; i < POINTS; i++) {
      double weight;
      const double x = quadrature(basis, i, &weight);
      const double z = (x - lower) / width - centre;
      const double f = bell(z) + (wraps ? bell(z - 1) + bell(z + 1) : 0);
      row[i] = f * weight;
      whole += row[i];
      squares += f * row[i];
    }
    for (size_t i = 0; i < POINTS; i++) row[i] /= whole;
    *square += squares / (whole * whole) / CENTRES;
  }
}

/* Sums over points of the shape times every function, centre by centre, and of its mean over
 * centres times their squares. */
static sfm_status project(double *moments, double *squares, const sfmi_basis *basis,
                          const double *weights, sfm_error *error) {
  const size_t count = basis->count;
  double *values = sfmi_alloc(BLOCK * count, sizeof *values),
         *part = sfmi_alloc(CENTRES * BLOCK, sizeof *part),
         *product = sfmi_alloc(CENTRES * count, sizeof *product), x[BLOCK], ignored;
  const bool room = values && part && product;
  for (size_t first = 0; room && first < POINTS; first += BLOCK) {
    for (size_t i = 0; i < BLOCK; i++) x[i] = quadrature(basis, first + i, &ignored);
    sfmi_basis_at(basis, values, x, BLOCK);
    for (size_t c = 0; c < CENTRES; c++)
      for (size_t i = 0; i < BLOCK; i++) part[c * BLOCK + i] = weights[c * POINTS + first + i];
    sfmi_multiply(product, part, values, CENTRES, BLOCK, count);
    for (size_t i = 0; i < CENTRES * count; i++) moments[i] += product[i];
    for (size_t i = 0; i < BLOCK; i++) {
      double mean = 0;
      for (size_t c = 0; c < CENTRES; c++) mean += part[c * BLOCK + i] / CENTRES;
      for (size_t j = 0; j < count; j++)
        squares[j] += mean * values[i * count + j] * values[i * count + j];
    }
  }
  free(values);
  free(part);
  free(product);
  return room ? SFM_OK : sfmi_fail_memory(error);
}

static sfm_status fill_errors(sfmi_sketch *sketch, const sfmi_basis *basis, sfm_error *error) {
  const double width = basis->upper[0] - basis->lower[0];
  const size_t count = basis->count;
  double *weights = sfmi_alloc(CENTRES * POINTS, sizeof *weights),
         *moments = sfmi_alloc(CENTRES * count, sizeof *moments),
         *squares = sfmi_alloc(count, sizeof *squares), square = 0;
  sfm_status status = weights && moments && squares ? SFM_OK : sfmi_fail_memory(error);
  if (status == SFM_OK) {
    shape(weights, &square, basis);
    status = project(moments, squares, basis, weights, error);
  }
  if (status == SFM_OK) sketch->truncation[0] = square / width - basis->constant;
  for (size_t j = 0; status == SFM_OK && j < count; j++) {
    double energy = 0;
    for (size_t c = 0; c < CENTRES; c++)
      energy += moments[c * count + j] * moments[c * count + j] / CENTRES;
    sketch->truncation[j + 1] = fmax(sketch->truncation[j] - energy, 0);
    sketch->sampling[j + 1] = sketch->sampling[j] + fmax(squares[j] - energy, 0);
  }
  free(weights);
  free(moments);
  free(squares);
  return status;
}

/* Raises the reach of every number of functions to what two points show, or one against zero. */
static void stretch(sfmi_sketch *sketch, const double *a, const double *b, bool l1) {
  double sum = 0;
  for (size_t j = 0; j < sketch->count; j++) {
    const double d = a[j] - (b ? b[j] : 0);
    sum += l1 ? fabs(d) : d * d;
    sketch->reach[j + 1] = fmax(sketch->reach[j + 1], l1 ? sum : sqrt(sum));
  }
}

static sfm_status fill_reach(sfmi_sketch *sketch, const sfmi_basis *basis, bool l1,
                             sfm_error *error) {
  double *a = sfmi_alloc(basis->count, sizeof *a), *b = sfmi_alloc(basis->count, sizeof *b);
  const double least = 0.1 / ((double)basis->count + 1);
  for (size_t i = 0; a && b && i <= FIRST; i++) {
    const double t = (double)i / FIRST;
    double ignored, x = point_at(basis, t, &ignored);
    sfmi_basis_at(basis, a, &x, 1);
    stretch(sketch, a, NULL, l1);
    for (double distance = 1; distance > least; distance /= RATIO) {
      if (t + distance > 1) continue;
      x = point_at(basis, t + distance, &ignored);
      sfmi_basis_at(basis, b, &x, 1);
      stretch(sketch, a, b, l1);
    }
  }
  const bool room = a && b;
  free(a);
  free(b);
  return room ? SFM_OK : sfmi_fail_memory(error);
}

sfm_status sfmi_sketch_init(sfmi_sketch *sketch, const sfmi_basis *basis, bool l1,
                            sfm_error *error) {
  const size_t size = basis->count + 1;
  *sketch = (sfmi_sketch){.count = basis->count,
                          .truncation = sfmi_alloc(size, sizeof(double)),
                          .sampling = sfmi_alloc(size, sizeof(double)),
                          .reach = sfmi_alloc(size, sizeof(double))};
  if (!sketch->truncation || !sketch->sampling || !sketch->reach) return sfmi_fail_memory(error);
  sfm_status status = fill_errors(sketch, basis, error);
  return status == SFM_OK ? fill_reach(sketch, basis, l1, error) : status;
}

void sfmi_sketch_clear(sfmi_sketch *sketch) {
  free(sketch->truncation);
  free(sketch->sampling);
  free(sketch->reach);
  *sketch = (sfmi_sketch){0};
}
