#include "torus_sensitivity.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "diameter.h"

/* Grid points in a cycle of the highest frequency: for one point, for one point where frequencies
 * are many, and for pairs. */
static const double FINE = 256, COARSE = 64, PAIRED = 64;
/* Most frequencies for which pairs are searched, and most differences that are then taken. */
static const size_t TERMS = 300;
static const double WORK = 2e10;
/* An entry is 2^SHIFT psi, below SFMI_DIAMETER_ENTRY_MAX. */
enum { SHIFT = 29 };
/* Above the rounding of doubles. */
static const double ROUNDED = 1 + 1e-9;

/* Of a grid with that many cells. */
static double bulge(const sfmi_torus *torus, double width, double cells) {
  const double m = (double)torus->terms, s = 2 * M_PI * width / torus->period / cells;
  return s * s / 4 * (m * (m + 1) * (2 * m + 1) / 6);
}

double sfmi_torus_l1_norm(const sfmi_torus *torus, double width) {
  const double share = width / torus->period, start = torus->margin / torus->period;
  const double cycle = torus->terms > TERMS ? COARSE : FINE;
  const size_t cells = (size_t)ceil(fmax(cycle * share * (double)torus->terms, 64));
  double largest = 0;
  for (size_t k = 0; k <= cells; k++) {
    const double turn = start + share * (double)k / (double)cells;
    const double complex z = cexp(2 * M_PI * I * turn);
    double x = 1, y = 0, sum = 0;
    for (size_t j = 1; j <= torus->terms; j++) {
      const double next = x * creal(z) - y * cimag(z);
      y = x * cimag(z) + y * creal(z);
      x = next;
      sum += fabs(x) + fabs(y);
    }
    largest = fmax(largest, sum);
  }
  return (M_SQRT2 * largest + bulge(torus, width, (double)cells)) * ROUNDED;
}

/* The table of pairs: cells + 1 rows of 2 m entries. */
static int32_t *make_table(const sfmi_torus *torus, double width, size_t cells) {
  const size_t m = torus->terms;
  const double size = ldexp(M_SQRT2, SHIFT);
  int32_t *table = sfmi_alloc((cells + 1) * 2 * m, sizeof *table);
  for (size_t k = 0; table && k <= cells; k++) {
    const double u = (torus->margin + width * (double)k / (double)cells) / torus->period;
    for (size_t j = 1; j <= m; j++) {
      const double angle = 2 * M_PI * fmod((double)j * u, 1);
      table[k * 2 * m + 2 * j - 2] = (int32_t)lround(size * cos(angle));
      table[k * 2 * m + 2 * j - 1] = (int32_t)lround(size * sin(angle));
    }
  }
  return table;
}

sfm_status sfmi_torus_l1_diameter(double *out, const sfmi_torus *torus, double width,
                                  sfm_error *error) {
  const double m = (double)torus->terms, cycles = m * width / torus->period;
  const double twice = 2 * sfmi_torus_l1_norm(torus, width);
  size_t cells = 64;
  *out = twice;
  if (torus->terms > TERMS) return SFM_OK;
  while ((double)cells < PAIRED * cycles) cells *= 2;
  int32_t *table = make_table(torus, width, cells);
  if (!table) return sfmi_fail_memory(error);
  sfmi_diameter found;
  sfm_status status =
      sfmi_diameter_find(&found, table, cells + 1, 2 * torus->terms, true, WORK, error);
  free(table);
  if (status) return status;
  /* Entries are off by half a unit each, a thousandth for doubles. */
  const double rounding = ldexp(2 * 0.501 * 2 * m, -SHIFT);
  *out =
      fmin(twice, (ldexp(found.upper, -SHIFT) + rounding + 2 * bulge(torus, width, (double)cells)) *
                      ROUNDED);
  return SFM_OK;
}
