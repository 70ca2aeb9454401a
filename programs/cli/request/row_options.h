/* row_options.h - the options of every verb that reads rows for a density: columns, bounds,
 * bandwidth, guarantee, neighbours. */
#ifndef CLI_ROW_OPTIONS_H
#define CLI_ROW_OPTIONS_H

#include <time.h>

#include "schema_options.h"
#include "sfumato/density.h"

extern const cli_option option_kernel, option_outside, option_expect;
/* Of `online open` and `plan online`: the guarantee, and whom it protects. */
extern const cli_option options_online[];

/* Fills settings from the options of a density, as far as the verb has them, and the schema
 * options. settings borrows f and options.  Opens no rows.  Clear f with schema_options_clear, also
 * after a failure. */
SFM_MUST_CHECK sfm_status row_options_read(sfm_density_settings *settings, schema_options *f,
                                           const cli_options *options, sfm_error *error);

/* Its parts for other settings: --calibration needs a delta; a release names its columns. */
SFM_MUST_CHECK sfm_status row_options_check_calibration(const cli_options *options, double delta,
                                                        sfm_error *error);
SFM_MUST_CHECK sfm_status row_options_read_columns(schema_options *f, const cli_options *options,
                                                   sfm_error *error);

/* Reads --n, the public number of records that is planned for; or --rows, where the verb has that
 * other name. */
#define ROW_OPTIONS_COUNT_MAX (((uint64_t)1 << 36) - 1)
SFM_MUST_CHECK sfm_status row_options_read_count(uint64_t *rows, const cli_options *options,
                                                 sfm_error *error);

/* Reads --bandwidth into h (room for SFM_MAX_DIMENSION, borrowed by the settings); chosen: without
 * it, or with `auto`, the settings have none, and one is chosen from public numbers. */
SFM_MUST_CHECK sfm_status row_options_read_bandwidth(sfm_density_settings *settings,
                                                     const schema_options *f, double *h,
                                                     bool chosen, const cli_options *options,
                                                     sfm_error *error);
/* Numbers of an option: one for all columns or one per column. */
SFM_MUST_CHECK sfm_status row_options_read_numbers(double *out, size_t dimension, const char *text,
                                                   const char *option, sfm_error *error);
/* A twentieth of the first column's width. */
double row_options_default_bandwidth(const schema_options *f);

/* Says on standard error that nothing enforces contributions, where that is so. */
void row_options_warn(const sfm_schema *schema);

#endif
