/* shape_option.h - --shape: a public guess of the distribution, such as normal:40:12. */
#ifndef CLI_SHAPE_OPTION_H
#define CLI_SHAPE_OPTION_H

#include "cli/core/options.h"
#include "sfumato/shape.h"

extern const cli_option option_shape;

/* Reads --shape for so many columns; NULL without it. */
SFM_MUST_CHECK sfm_status shape_option_read(sfm_shape **out, size_t dimension,
                                            const cli_options *options, sfm_error *error);

#endif
