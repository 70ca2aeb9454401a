/* shape_option.h - a public guess of how people are spread, as people write it: normal:40:12. */
#ifndef CLI_SHAPE_OPTION_H
#define CLI_SHAPE_OPTION_H

#include "cli/core/options.h"
#include "sfumato/shape.h"

#define CLI_OPTION_SHAPE                                                                           \
  {                                                                                                \
    "shape", "SHAPE",                                                                              \
        "a public guess of how people are spread, for which method and parameters are chosen: "    \
        "uniform, normal:MEAN:DEVIATION, several in equal parts joined by +, one such word a "     \
        "column joined by commas; or @FILE, a released density such as a pilot's. Privacy does "   \
        "not depend on it",                                                                        \
        "a reference shape: normal in the middle, an eighth of the width", 0                       \
  }

/* Reads --shape for so many columns; NULL without it. */
SFM_MUST_CHECK sfm_status shape_option_read(sfm_shape **out, size_t dimension,
                                            const cli_options *options, sfm_error *error);

#endif
