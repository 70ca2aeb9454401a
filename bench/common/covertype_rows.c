#include "covertype_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "base/math/prng.h"

enum { ALL = 581012, COLUMNS = COVERTYPE_WIDTH };

static void take_line(covertype_rows *f, char *at) {
  f->labels[f->rows] = strtod(at, &at) == 2 ? 1 : -1;
  for (int j = 0; j < COLUMNS; j++) f->cells[f->rows][j] = strtod(at + 1, &at);
  f->rows++;
}

static void shuffle(covertype_rows *f) {
  sfmi_prng prng;
  sfmi_prng_init(&prng, 1);
  for (size_t i = f->rows; i > 1; i--) {
    const size_t k = sfmi_prng_word(&prng) % i;
    double cells[COLUMNS];
    memcpy(cells, f->cells[k], sizeof cells);
    memcpy(f->cells[k], f->cells[i - 1], sizeof cells);
    memcpy(f->cells[i - 1], cells, sizeof cells);
    const double label = f->labels[k];
    f->labels[k] = f->labels[i - 1];
    f->labels[i - 1] = label;
  }
}

static void scale(covertype_rows *f) {
  for (int j = 0; j < COVERTYPE_NUMBERS; j++) {
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < f->rows; i++) {
      least = fmin(least, f->cells[i][j]);
      most = fmax(most, f->cells[i][j]);
    }
    for (size_t i = 0; i < f->rows; i++) f->cells[i][j] = (f->cells[i][j] - least) / (most - least);
  }
}

bool covertype_rows_read(covertype_rows *f, const char *data) {
  char path[4096], text[4096];
  snprintf(path, sizeof path, "%s/covtype/covtype.csv.gz", data);
  gzFile file = gzopen(path, "rb");
  if (!file) return false;
  *f = (covertype_rows){.cells = malloc(ALL * sizeof *f->cells),
                        .labels = malloc(ALL * sizeof *f->labels)};
  if (!f->cells || !f->labels) abort();
  const bool header = gzgets(file, text, sizeof text);
  while (header && f->rows < ALL && gzgets(file, text, sizeof text)) take_line(f, text);
  gzclose(file);
  shuffle(f);
  scale(f);
  return header;
}

void covertype_rows_clear(covertype_rows *f) {
  free(f->cells);
  free(f->labels);
}

size_t covertype_rows_at(const covertype_rows *f, size_t i, uint32_t *indices, double *x) {
  const double factor = 1 / sqrt(COLUMNS), *cells = f->cells[i];
  size_t count = 0;
  for (uint32_t j = 0; j < COVERTYPE_NUMBERS; j++)
    if (cells[j] != 0) {
      indices[count] = j;
      x[count++] = cells[j] * factor;
    }
  indices[count] = COVERTYPE_NUMBERS + (uint32_t)cells[COVERTYPE_NUMBERS] - 1;
  x[count++] = factor;
  indices[count] = COVERTYPE_NUMBERS + COVERTYPE_WILD + (uint32_t)cells[COVERTYPE_NUMBERS + 1] - 1;
  x[count++] = factor;
  return count;
}

sparse_labelled_rows covertype_rows_slice(const covertype_rows *f, size_t first, size_t count) {
  sparse_labelled_rows rows = sparse_labelled_rows_create(count, count * COVERTYPE_WIDTH);
  for (size_t i = 0; i < count; i++) {
    const size_t at = rows.starts[i];
    rows.labels[i] = f->labels[first + i];
    rows.starts[i + 1] = at + covertype_rows_at(f, first + i, rows.indices + at, rows.values + at);
  }
  return rows;
}
