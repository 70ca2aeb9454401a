/* guarantee_options.h - the options of a guarantee that many verbs share: --epsilon, --calibration
 * and --neighbours. */
#ifndef CLI_GUARANTEE_OPTIONS_H
#define CLI_GUARANTEE_OPTIONS_H

#include "cli/core/options.h"
#include "sfumato/guarantee.h"

/* --epsilon, which must be given. */
SFM_MUST_CHECK sfm_status guarantee_options_epsilon(double *epsilon, const cli_options *options,
                                                    sfm_error *error);
/* Without the option: exact, and replace. */
SFM_MUST_CHECK sfm_status guarantee_options_calibration(sfm_calibration *out,
                                                        const cli_options *options,
                                                        sfm_error *error);
SFM_MUST_CHECK sfm_status guarantee_options_neighbours(sfm_neighbours *out,
                                                       const cli_options *options,
                                                       sfm_error *error);

#endif
