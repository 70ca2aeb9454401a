/* vector_options.h - the options of a vector that `vector` and `plan vector` share: how much a
 * record can change it, and others. */
#ifndef CLI_VECTOR_OPTIONS_H
#define CLI_VECTOR_OPTIONS_H

#include "cli/io/file_bytes.h"
#include "cli/core/options.h"
#include "sfumato/vector.h"

extern const cli_option option_vector_noise, options_vector[];

/* The settings, and the matrix of an ellipsoid or the vertices of a polytope that they borrow: it
 * must stay where it is. */
typedef struct vector_options {
  sfm_vector_settings settings;
  file_bytes file;
  double *owned;
  size_t size; /* numbers in a row of the matrix, or in a vertex; 0: there is none */
} vector_options;

/* Reads all options of a release, or of a plan.  Clear it also after a failure. */
SFM_MUST_CHECK sfm_status vector_options_read(vector_options *m, const cli_options *options,
                                              sfm_error *error);
void vector_options_clear(vector_options *m);

/* Fails when the ellipsoid or the polytope is not one of vectors of that length. */
SFM_MUST_CHECK sfm_status vector_options_check_length(const vector_options *m, size_t length,
                                                      sfm_error *error);

#endif
