/* shape_option.h - --shape: a public guess of the distribution, such as normal:40:12. */
#ifndef CLI_SHAPE_OPTION_H
#define CLI_SHAPE_OPTION_H

#include "cli/core/options.h"
#include "sfumato/shape.h"

#define CLI_OPTION_SHAPE                                                                           \
  {                                                                                                \
    "shape", "SHAPE",                                                                              \
        "a public guess of the distribution; it is used to choose method and parameters: "         \
        "uniform, normal:MEAN:DEVIATION, several of these in equal parts joined by +, one such "   \
        "word per column, separated by commas; or @FILE, a released density, for example that of " \
        "a pilot. Privacy does not depend on it",                                                  \
        "a reference shape: normal around the middle, with a standard deviation of an eighth of "  \
        "the width",                                                                               \
        0                                                                                          \
  }

/* Reads --shape for so many columns; NULL without it. */
SFM_MUST_CHECK sfm_status shape_option_read(sfm_shape **out, size_t dimension,
                                            const cli_options *options, sfm_error *error);

#endif
