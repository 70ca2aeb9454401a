/* lattice_masses.h - rows spread over a lattice, without noise. */
#ifndef TEST_LATTICE_MASSES_H
#define TEST_LATTICE_MASSES_H

#include "test_support.h"

#include "data/batch/row_batch.h"
#include "estimators/lattice/lattice.h"

/* Coefficients of rows on a lattice, in records. */
static inline double *lattice_masses(const sfmi_lattice *lattice, const double *rows,
                                     size_t count) {
  sfmi_i128 *sums = calloc(lattice->length, sizeof *sums);
  static double values[3 * SFMI_BATCH_ROWS];
  static uint8_t keep[SFMI_BATCH_ROWS];
  const size_t d = lattice->dimension;
  assert_true(d <= 3);
  for (size_t first = 0; first < count; first += SFMI_BATCH_ROWS) {
    const size_t some = count - first < SFMI_BATCH_ROWS ? count - first : SFMI_BATCH_ROWS;
    for (size_t r = 0; r < some; r++) {
      keep[r] = 1;
      for (size_t a = 0; a < d; a++) values[a * SFMI_BATCH_ROWS + r] = rows[(first + r) * d + a];
    }
    const sfmi_batch batch = {.rows = some, .columns = d, .values = values, .keep = keep};
    sfmi_lattice_add(lattice, sums, &batch, NULL);
  }
  double *out = calloc(lattice->length, sizeof *out);
  for (size_t i = 0; i < lattice->length; i++)
    out[i] = ldexp((double)sums[i], -(int)(lattice->bits * d));
  free(sums);
  return out;
}

#endif
