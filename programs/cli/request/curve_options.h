/* curve_options.h - the options of a mean curve that `curve` and `plan curve` share. */
#ifndef CLI_CURVE_OPTIONS_H
#define CLI_CURVE_OPTIONS_H

#include "row_options.h"
#include "sfumato/curve.h"
#include "cli/formats/curve_columns.h"

extern const cli_option option_mean_shape;
extern const cli_option options_curve[];

/* The settings, and what they borrow: it must stay where it is. */
typedef struct curve_options {
  sfm_curve_settings settings;
  curve_columns curve_columns;
  sfm_schema *schema;
  double *mean; /* the public guess of it, or NULL */
} curve_options;

/* Reads all options of a release, or of a plan, which need not name its columns.  Opens no rows.
 * Clear it also after a failure. */
SFM_MUST_CHECK sfm_status curve_options_read(curve_options *f, const cli_options *options,
                                             sfm_error *error);
void curve_options_clear(curve_options *f);

#endif
