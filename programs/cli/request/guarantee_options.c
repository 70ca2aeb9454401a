#include "guarantee_options.h"

sfm_status guarantee_options_epsilon(double *epsilon, const cli_options *options,
                                     sfm_error *error) {
  if (!options_has(options, "epsilon"))
    return cli_fail(error, SFM_INVALID,
                    "--epsilon is missing: the privacy loss you allow, the smaller the more "
                    "private; write for example --epsilon 1");
  return options_positive(options, epsilon, "epsilon", "1", error);
}

sfm_status guarantee_options_calibration(sfm_calibration *out, const cli_options *options,
                                         sfm_error *error) {
  static const char *const words[] = {"exact", "classical", NULL};
  unsigned word = 0;
  const sfm_status status = options_choice(options, &word, "calibration", words, error);
  *out = (sfm_calibration)word;
  return status;
}

sfm_status guarantee_options_neighbours(sfm_neighbours *out, const cli_options *options,
                                        sfm_error *error) {
  static const char *const words[] = {"replace", "add-remove", NULL};
  unsigned word = 0;
  const sfm_status status = options_choice(options, &word, "neighbours", words, error);
  *out = (sfm_neighbours)word;
  return status;
}
