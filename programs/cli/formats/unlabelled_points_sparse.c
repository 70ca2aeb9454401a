/* unlabelled_points_sparse.c - public points of libsvm text: by the library's reader, which a plan
 * that can read no rows is built without (tests/tools/check_plan_isolation). */
#include "cli/request/unlabelled_points.h"

/* The labels are not asked for. */
sfm_status unlabelled_points_sparse(unlabelled_points *u, sfm_train_settings *t, const char *path,
                                    size_t dimension, sfm_error *error) {
  double *labels = NULL;
  const sfm_status status = sfm_sparse_read(path, dimension, &u->starts, &u->indices, &u->values,
                                            &labels, &t->public_count, error);
  sfm_free(labels);
  t->public_starts = u->starts;
  t->public_indices = u->indices;
  t->public_values = u->values;
  return status;
}
