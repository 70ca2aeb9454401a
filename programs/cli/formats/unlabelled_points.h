/* unlabelled_points.h - public points without labels, at which a machine is fitted (train --method
 * tddl). They are public: a message names the line of a cell that cannot be read. */
#ifndef CLI_UNLABELLED_POINTS_H
#define CLI_UNLABELLED_POINTS_H

#include "cli/io/file_bytes.h"
#include "cli/core/options.h"
#include "sfumato/train.h"

extern const cli_option options_public_points[];

/* What the settings borrow. */
typedef struct unlabelled_points {
  double *owned;
  file_bytes file;
  size_t *starts;
  uint32_t *indices;
  double *values;
} unlabelled_points;

/* Reads --public, a path, into settings whose schema, features and method are set; dimension is
 * that of libsvm text.  Clear it also after a failure. */
SFM_MUST_CHECK sfm_status unlabelled_points_read(unlabelled_points *u, sfm_train_settings *settings,
                                                 const char *path, size_t dimension,
                                                 sfm_error *error);
void unlabelled_points_clear(unlabelled_points *u);

#endif
