/* shared_options.h - options that many verbs have, each written once. */
#ifndef CLI_SHARED_OPTIONS_H
#define CLI_SHARED_OPTIONS_H

#include "options.h"

extern const cli_option option_band, option_json, option_schema, option_neighbours,
    option_calibration, option_seed, option_total, option_epsilon;

/* As `read` writes them. */
#define CLI_OPTION_JSON CLI_SAME(json)
#define CLI_OPTION_TOTAL CLI_SAME(total)

#endif
