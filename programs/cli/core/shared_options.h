/* shared_options.h - options and sentences that many verbs have, each written once. */
#ifndef CLI_SHARED_OPTIONS_H
#define CLI_SHARED_OPTIONS_H

#include "options.h"

extern const cli_option option_band, option_json, option_schema, option_neighbours,
    option_calibration, option_seed, option_total, option_epsilon;
/* --neighbours where presence cannot be hidden. */
extern const cli_option option_replaced;
/* Neighbours, contributions and person, where the owner states a sensitivity. */
extern const cli_option options_stated_people[];

/* As `read` writes them. */
#define CLI_OPTION_JSON CLI_SAME(json)
#define CLI_OPTION_TOTAL CLI_SAME(total)

/* What every release and answer under random differential privacy is said to be. */
#define RANDOM_DP_WARNING                                                                          \
  "Random differential privacy protects a typical record, with probability 1 - gamma over the "    \
  "drawing of the records. It does not protect extreme individuals (the very rich, the very "      \
  "sick), who may need protection most. It is not differential privacy and is never charged as "   \
  "differential privacy."

#endif
