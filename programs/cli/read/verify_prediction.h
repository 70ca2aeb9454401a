/* verify_prediction.h - sfumato verify RELEASE --prediction: what a release promises between
 * records that lie where records are thought to lie. */
#ifndef CLI_VERIFY_PREDICTION_H
#define CLI_VERIFY_PREDICTION_H

#include "cli/core/options.h"
#include "sfumato/release.h"

#define CLI_OPTIONS_PREDICTION                                                                     \
  {"prediction", "[COLUMN=]LOWER:UPPER|[COLUMN=]A|B...",                                           \
   "of a histogram or a count: a set that records lie in, column by column, an interval or "       \
   "categories; columns that are not named may hold anything",                                     \
   NULL, 0},                                                                                       \
      {"random-dp", "GAMMA",                                                                       \
       "with --prediction: the probability, which is your assumption, that a record is not in "    \
       "the set",                                                                                  \
       NULL, 0},                                                                                   \
      {"epsilon", "E", "with --prediction: the epsilon that is wanted between records of the set", \
       "any", 0},                                                                                  \
  {                                                                                                \
    "schema", "FILE", "with --prediction of a count: the schema it was counted with", "none", 0    \
  }

/* Whether there is one to check. */
bool verify_prediction_given(const cli_options *options);

/* Prints what the release promises within the set; *holds says whether it is what was wanted. */
SFM_MUST_CHECK sfm_status verify_prediction_check(bool *holds, const sfm_release *release,
                                                  const cli_options *options, sfm_error *error);

#endif
