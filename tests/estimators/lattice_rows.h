/* lattice_rows.h - single rows and lists of rows through the lattice, as batches. */
#ifndef TEST_LATTICE_ROWS_H
#define TEST_LATTICE_ROWS_H

#include "density_fixture.h"

#include "estimators/lattice/lattice.h"

/* Rows (count x dimension, row by row) added in batches of the size given. */
static inline void rowwise_add(const sfmi_lattice *lattice, sfmi_i128 *sums, const double *rows,
                               size_t count, size_t batch_rows) {
  const size_t d = lattice->dimension;
  double *values = calloc(d * SFMI_BATCH_ROWS, sizeof *values);
  uint8_t keep[SFMI_BATCH_ROWS];
  for (size_t start = 0; start < count; start += batch_rows) {
    size_t width = count - start < batch_rows ? count - start : batch_rows;
    for (size_t r = 0; r < width; r++) {
      keep[r] = 1;
      for (size_t a = 0; a < d; a++) values[a * SFMI_BATCH_ROWS + r] = rows[(start + r) * d + a];
    }
    const sfmi_batch batch = {.rows = width, .columns = d, .values = values, .keep = keep};
    sfmi_lattice_add(lattice, sums, &batch, NULL);
  }
  free(values);
}

static inline sfmi_i128 *rowwise_sums(const sfmi_lattice *lattice, const double *rows,
                                      size_t count) {
  sfmi_i128 *sums = calloc(lattice->length, sizeof *sums);
  rowwise_add(lattice, sums, rows, count, SFMI_BATCH_ROWS);
  return sums;
}

#endif
