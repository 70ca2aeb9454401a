#include "libsvm_points.h"

#include "sfumato/rows.h"

sfm_status libsvm_points_read(size_t **starts, uint32_t **indices, double **values, size_t *count,
                              const char *path, size_t dimension, sfm_error *error) {
  double *labels = NULL;
  const sfm_status status =
      sfm_sparse_read(path, dimension, starts, indices, values, &labels, count, error);
  sfm_free(labels);
  return status;
}
