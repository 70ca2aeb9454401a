/* sparse_read.c - a public file of libsvm text as a whole. */
#include <stdlib.h>
#include <string.h>

#include "svmlight.h"
#include "sfumato/rows.h"

#define BLOCK ((size_t)1 << 18)
#define BATCH ((size_t)1 << 12)

typedef struct whole {
  size_t *starts;
  uint32_t *indices;
  double *values, *labels;
  size_t rows, nonzeros;
  size_t row_room, room; /* of rows, of nonzeros */
} whole;

static void clear(whole *all) {
  free(all->starts);
  free(all->indices);
  free(all->values);
  free(all->labels);
}

/* Has room for so many rows and one more, and for so many nonzeros. */
static bool make_room(whole *all, size_t rows, size_t nonzeros) {
  if (rows >= all->row_room) {
    all->row_room = 2 * rows + 1;
    size_t *starts = realloc(all->starts, all->row_room * sizeof *starts);
    if (starts) all->starts = starts;
    double *labels = realloc(all->labels, all->row_room * sizeof *labels);
    if (labels) all->labels = labels;
    if (!starts || !labels) return false;
  }
  if (nonzeros >= all->room) {
    all->room = 2 * nonzeros + 1;
    uint32_t *indices = realloc(all->indices, all->room * sizeof *indices);
    if (indices) all->indices = indices;
    double *values = realloc(all->values, all->room * sizeof *values);
    if (values) all->values = values;
    if (!indices || !values) return false;
  }
  return true;
}

static sfm_status append(whole *all, const sfmi_sparse_batch *batch, sfm_error *error) {
  const size_t more = batch->starts[batch->rows], rows = all->rows + batch->rows;
  if (!make_room(all, rows, all->nonzeros + more)) return sfmi_fail_memory(error);
  for (size_t r = 0; r < batch->rows; r++) {
    all->labels[all->rows + r] = batch->labels[r];
    all->starts[all->rows + r] = all->nonzeros + batch->starts[r];
  }
  memcpy(all->indices + all->nonzeros, batch->indices, more * sizeof *all->indices);
  memcpy(all->values + all->nonzeros, batch->values, more * sizeof *all->values);
  all->rows = rows;
  all->nonzeros += more;
  all->starts[rows] = all->nonzeros;
  return SFM_OK;
}

static sfm_status read_all(whole *all, sfmi_source *source, size_t dimension, sfm_error *error) {
  sfmi_svmlight *text = NULL;
  sfmi_sparse_batch batch = {0};
  sfm_status status = sfmi_svmlight_open(&text, source, dimension, BLOCK, error);
  if (!status) text->lines.lenient = true;
  if (!status) status = sfmi_sparse_init(&batch, BATCH, error);
  bool more = true;
  while (!status && more) {
    status = sfmi_svmlight_fill(text, &batch, BATCH, error);
    more = batch.rows > 0;
    if (!status)
      status = sfmi_svmlight_check(text, &batch, all->rows, sfmi_source_name(source), error);
    if (!status) status = append(all, &batch, error);
  }
  sfmi_sparse_clear(&batch);
  sfmi_svmlight_close(text);
  return status;
}

sfm_status sfm_sparse_read(const char *path, size_t dimension, size_t **starts, uint32_t **indices,
                           double **values, double **labels, size_t *count, sfm_error *error) {
  *starts = NULL;
  *indices = NULL;
  *values = *labels = NULL;
  *count = 0;
  sfmi_source *source;
  whole all = {0};
  sfm_status status = sfmi_source_open(&source, path, SFMI_PACKING_BY_MAGIC, error);
  if (status) return status;
  status = read_all(&all, source, dimension, error);
  sfmi_source_close(source);
  if (status) {
    clear(&all);
    return status;
  }
  *starts = all.starts;
  *indices = all.indices;
  *values = all.values;
  *labels = all.labels;
  *count = all.rows;
  return SFM_OK;
}
