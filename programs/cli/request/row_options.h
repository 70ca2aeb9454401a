/* row_options.h - the options of every verb that reads rows for a density: columns, bounds,
 * bandwidth, guarantee, neighbours. */
#ifndef CLI_ROW_OPTIONS_H
#define CLI_ROW_OPTIONS_H

#include <time.h>

#include "guarantee_options.h"
#include "schema_options.h"
#include "sfumato/density.h"

extern const cli_option option_kernel, option_outside, option_expect;

/* Fills settings and schema options from --columns, --bounds, --schema, --epsilon, --delta,
 * --calibration,
 * --outside, --band, --seed, --neighbours, --person, --contributions and --expect.  settings
 * borrows f and options.  Opens no rows.  Clear f with schema_options_clear, also after a
 * failure. */
SFM_MUST_CHECK sfm_status row_options_read(sfm_density_settings *settings, schema_options *f,
                                           const cli_options *options, sfm_error *error);

/* The part of it that every release of rows is asked: without --neighbours and --expect. */
SFM_MUST_CHECK sfm_status row_options_read_rows(sfm_density_settings *settings, schema_options *f,
                                                const cli_options *options, sfm_error *error);

/* Reads --neighbours into the schema. */
SFM_MUST_CHECK sfm_status row_options_read_neighbours(const schema_options *f,
                                                      const cli_options *options, sfm_error *error);

/* What a plan of such a release is asked: without --seed, and columns need not be named. */
SFM_MUST_CHECK sfm_status row_options_read_plan(sfm_density_settings *settings, schema_options *f,
                                                const cli_options *options, sfm_error *error);

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
/* A twentieth of the first column's width. */
double row_options_default_bandwidth(const schema_options *f);

/* Reads --kernel and --engine into the settings; engines: the words allowed, "auto" first and the
 * rest in the order of sfm_engine, an empty one where one is left out. */
SFM_MUST_CHECK sfm_status row_options_read_engine(sfm_density_settings *settings,
                                                  const cli_options *options,
                                                  const char *const *engines, sfm_error *error);

/* Says on standard error what is allowed and seldom meant: of epsilon, of the delta that is used,
 * and of contributions that nothing enforces. */
void row_options_warn(const sfm_density_settings *settings, double delta);

#endif
