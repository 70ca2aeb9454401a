/* series_options.h - the options of a series that `series` and `plan series` share. */
#ifndef CLI_SERIES_OPTIONS_H
#define CLI_SERIES_OPTIONS_H

#include "row_options.h"
#include "shape_option.h"
#include "sfumato/series.h"

extern const cli_option option_basis, option_series_noise;
extern const cli_option options_series[], options_series_rows[];

/* The settings, and what they borrow: it must stay where it is. */
typedef struct series_options {
  sfm_series_settings settings;
  schema_options schema_options;
  sfm_shape *shape;
  bool every_basis, every_noise; /* none was named */
} series_options;

/* Reads all options of a release, or of a plan, which need name neither column nor basis.  Opens no
 * rows.  Clear it also after a failure. */
SFM_MUST_CHECK sfm_status series_options_read(series_options *s, const cli_options *options,
                                              sfm_error *error);
void series_options_clear(series_options *s);

#endif
