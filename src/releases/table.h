/* table.h - a wave of one variable as a table of polynomials of degree seven, one a cell: an
 * evaluation is one look-up in a cache line and seven multiplications, whatever the release.
 *
 * Each cell matches f and three derivatives at both ends, so that the error is at most
 * (omega delta)^8 / (8! 2^8) of the amplitude at angular frequency omega: with the cell delta at an
 * eighth of the shortest half-wave, 5e-11. */
#ifndef SFMI_TABLE_H
#define SFMI_TABLE_H

#include "releases/wave.h"

typedef struct sfmi_table {
  double lower, upper;   /* the domain */
  double inverse, shift; /* cell of x = (x - lower) inverse + shift */
  size_t cells;
  double (*polynomials)[8];
} sfmi_table;

SFM_MUST_CHECK sfm_status sfmi_table_create(sfmi_table **out, const sfmi_wave *wave, double lower,
                                            double upper, sfm_error *error);
void sfmi_table_destroy(sfmi_table *table);
/* NaN outside the domain. */
void sfmi_table_at(const sfmi_table *table, double *values, const double *x, size_t count);

#endif
