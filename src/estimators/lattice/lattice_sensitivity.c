#include "lattice_sensitivity.h"

#include <math.h>

/* Samples of t in [0, 1], and what a sum of squares may rise by between two of them.
 *
 * Let v_n(t) be the real weights after folding, S = sum v_n^2.  On a cell v is a polynomial; by the
 * rule for derivatives of B-splines sum |v'| <= 2 and sum |v''| <= 4, and since the v' sum to 0,
 * |v'| <= 1.  So |S''| = 2 |sum v'^2 + v v''| <= 2 (2 + 4) < 16, and between samples S is at most
 * the larger of its neighbours and 16/8 of the square of their distance. */
enum { SAMPLES = 512 };
static const double BETWEEN = 2.0 / ((double)SAMPLES * SAMPLES);

/* The same, from either neighbour, for the sum of |v_k - v_rest| over all k but the one that takes
 * the rest: its slope is at most 2 |v'| per neighbour. */
static double drift(unsigned order) {
  return 2.0 * (order - 1) / SAMPLES;
}

/* Each weight but the rest is off by at most half a unit (2^-20 more for doubles). */
static const double HALF = 0.5 + 0x1p-20;

/* A bound on the sum of squares of the integers of a row in one cell, at t and as far as the next
 * samples: with integers 2^bits v + e, and e summing to 0, 2 sum v e = 2 sum e (v - v_rest). */
static double energy_at(const sfmi_lattice *lattice, const size_t *place, double t) {
  const unsigned order = lattice->order, rest = sfmi_spline_rest(order);
  const double unit = ldexp(1, -(int)lattice->bits), others = order - 1;
  double w[SFMI_SPLINE_MAX], v[SFMI_SPLINE_MAX] = {0}, squares = 0, first = drift(order);
  sfmi_spline_real_weights(w, order, t);
  /* v[k]: the weight of all neighbours that fall where k does. */
  for (unsigned k = 0; k < order; k++)
    for (unsigned i = 0; i < order; i++)
      if (place[i] == place[k]) v[k] += w[i];
  for (unsigned k = 0; k < order; k++) {
    squares += w[k] * v[k];
    first += fabs(v[k] - v[rest]);
  }
  const double second = 2 * others * HALF * unit;
  return squares + BETWEEN + 2 * HALF * unit * first + second * second;
}

static double cell_energy(const sfmi_lattice *lattice, size_t a, size_t cell) {
  size_t place[SFMI_SPLINE_MAX];
  double largest = 0;
  for (unsigned k = 0; k < lattice->order; k++) place[k] = sfmi_lattice_fold(lattice, a, cell + k);
  for (int i = 0; i <= SAMPLES; i++)
    largest = fmax(largest, energy_at(lattice, place, (double)i / SAMPLES));
  return largest;
}

double sfmi_lattice_energy_axis(const sfmi_lattice *lattice, size_t a) {
  const sfmi_lattice_axis *axis = &lattice->axis[a];
  /* Where nothing reflects, all cells are alike.  Where it does, all but the first and last few are
   * alike; and a spline of even order is placed among the middles of the cells, which makes one
   * cell more. */
  const size_t cells = axis->boundary == SFM_BOUNDARY_REFLECT ? axis->cells + 1 : 1;
  double largest = 0;
  for (size_t cell = 0; cell < cells; cell++) {
    if (cell == SFMI_SPLINE_MAX && cells > 2 * SFMI_SPLINE_MAX) cell = cells - SFMI_SPLINE_MAX;
    largest = fmax(largest, cell_energy(lattice, a, cell));
  }
  return fmin(largest * (1 + 1e-12), 1);
}

double sfmi_lattice_energy(const sfmi_lattice *lattice) {
  double product = 1;
  for (size_t a = 0; a < lattice->dimension; a++) product *= sfmi_lattice_energy_axis(lattice, a);
  return fmin(product * (1 + 1e-12), 1);
}
