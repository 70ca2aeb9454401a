/* sparse_read.c - a public file of libsvm text as a whole: one batch of all its lines. */
#include <stdlib.h>

#include "svmlight.h"
#include "sfumato/rows.h"

#define BLOCK ((size_t)1 << 18)

static sfm_status read_all(sfmi_sparse_batch *all, sfmi_source *source, size_t dimension,
                           sfm_error *error) {
  sfmi_svmlight *text = NULL;
  uint64_t lines = 0;
  sfm_status status = sfmi_svmlight_open(&text, source, dimension, BLOCK, error);
  if (!status) text->lines.lenient = true;
  if (!status) status = sfmi_lines_count(&text->lines, &lines, error);
  if (!status) status = sfmi_sparse_init(all, (size_t)lines, SIZE_MAX, error);
  if (!status) status = sfmi_lines_rewind(&text->lines, error);
  if (!status) status = sfmi_svmlight_fill(text, all, (size_t)lines, error);
  if (!status) status = sfmi_svmlight_check(text, all, 0, sfmi_source_name(source), error);
  sfmi_svmlight_close(text);
  return status;
}

sfm_status sfm_sparse_read(const char *path, size_t dimension, size_t **starts, uint32_t **indices,
                           double **values, double **labels, size_t *count, sfm_error *error) {
  sfmi_source *source = NULL;
  sfmi_sparse_batch all = {0};
  sfm_status status = sfmi_source_open(&source, path, SFMI_PACKING_BY_MAGIC, error);
  if (!status) status = read_all(&all, source, dimension, error);
  sfmi_source_close(source);
  if (status) sfmi_sparse_clear(&all);
  free(all.keep);
  *starts = all.starts;
  *indices = all.indices;
  *values = all.values;
  *labels = all.labels;
  *count = all.rows;
  return status;
}
