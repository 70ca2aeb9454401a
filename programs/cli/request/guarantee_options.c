#include "guarantee_options.h"

sfm_status guarantee_options_epsilon(double *epsilon, const cli_options *options,
                                     sfm_error *error) {
  if (!options_has(options, "epsilon"))
    return cli_misuse(error, "--epsilon is missing: the privacy loss you allow, the smaller the "
                             "more private; write for example --epsilon 1");
  return options_positive(options, epsilon, "epsilon", "1", error);
}

sfm_status guarantee_options_calibration(sfm_calibration *out, const cli_options *options,
                                         sfm_error *error) {
  unsigned word = 0;
  const sfm_status status =
      options_choice(options, &word, "calibration", sfm_words(SFM_WORDS_CALIBRATION), error);
  *out = (sfm_calibration)word;
  return status;
}

sfm_status guarantee_options_neighbours(sfm_neighbours *out, const cli_options *options,
                                        sfm_error *error) {
  unsigned word = 0;
  const sfm_status status =
      options_choice(options, &word, "neighbours", sfm_words(SFM_WORDS_NEIGHBOURS), error);
  *out = (sfm_neighbours)word;
  return status;
}
