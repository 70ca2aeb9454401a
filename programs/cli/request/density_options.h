/* density_options.h - the options of a density that `density` and `plan density` share. */
#ifndef CLI_DENSITY_OPTIONS_H
#define CLI_DENSITY_OPTIONS_H

#include "row_options.h"
#include "boundary_option.h"
#include "bandwidth_choice.h"
#include "group_options.h"
#include "cli/io/points.h"
#include "shape_option.h"

/* All but bandwidth and expect. */
extern const cli_option options_density[];

/* The settings, and what they borrow: it must stay where it is. */
typedef struct density_options {
  sfm_density_settings settings;
  schema_options schema_options;
  sfm_shape *shape;
  points places;
  boundaries edges;
  text_list by;
  double bandwidth[SFM_MAX_DIMENSION], gamma[SFM_MAX_DIMENSION];
  double candidates[BANDWIDTH_CHOICE_MAX * SFM_MAX_DIMENSION];
} density_options;

/* Reads all options of a release, or of a plan, which need not name its columns.  Opens no rows.
 * Clear it also after a failure. */
SFM_MUST_CHECK sfm_status density_options_read(density_options *c, const cli_options *options,
                                               sfm_error *error);
void density_options_clear(density_options *c);

#endif
