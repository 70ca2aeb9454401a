/* bandwidth_choice.h - --bandwidth choose:1,2,4: a bandwidth that is chosen privately. */
#ifndef CLI_BANDWIDTH_CHOICE_H
#define CLI_BANDWIDTH_CHOICE_H

#include "cli/core/options.h"
#include "sfumato/density.h"

extern const cli_option option_choice_share;

/* Room for so many candidates. */
#define BANDWIDTH_CHOICE_MAX 32

/* Whether a bandwidth is to be chosen. */
bool bandwidth_choice_given(const cli_options *options);

/* Reads the candidates into numbers (room for BANDWIDTH_CHOICE_MAX x SFM_MAX_DIMENSION, borrowed by
 * the settings, whose columns are known) and --choice-share.  Does nothing when none are asked
 * for. */
SFM_MUST_CHECK sfm_status bandwidth_choice_read(sfm_density_settings *settings, double *numbers,
                                                const cli_options *options, sfm_error *error);

/* "2", or "2x0.5". */
void bandwidth_choice_candidate_text(char *out, size_t size, const double *h, size_t dimension);

/* How far a choice is from a coin toss, and what to do if it is near to one, from what is predicted
 * (sfm_release_choice_forecast). */
void bandwidth_choice_forecast_text(char *out, size_t size, size_t count, double likely,
                                    double chance);

/* Says of a release how its bandwidth was chosen; nothing when it was stated. */
void bandwidth_choice_print(FILE *out, const sfm_release *release);

#endif
