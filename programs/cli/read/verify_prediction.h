/* verify_prediction.h - sfumato verify RELEASE --prediction: what a release promises between
 * records that lie where records are thought to lie. */
#ifndef CLI_VERIFY_PREDICTION_H
#define CLI_VERIFY_PREDICTION_H

#include "cli/core/options.h"
#include "sfumato/release.h"

#define CLI_OPTIONS_PREDICTION                                                                     \
  {                                                                                                \
      "prediction",                                                                                \
      "[COLUMN=]LOWER:UPPER|[COLUMN=]A|B...",                                                      \
      "for a histogram or a count: a set of records, given by an interval or categories per "      \
      "column; "                                                                                   \
      "columns that are not named may have any value",                                             \
  },                                                                                               \
      {"random-dp", "GAMMA",                                                                       \
       "with --prediction: the probability that a record is not in the set, which is your "        \
       "assumption",                                                                               \
       CLI_FRACTION("0.05"),                                                                       \
       .missing = "the probability that a record is not in the set. You must know it; write for "  \
                  "example --random-dp 0.05"},                                                     \
      {"epsilon", "E", "with --prediction: the largest epsilon wanted between records of the set", \
       "any", CLI_POSITIVE("1")},                                                                  \
  {                                                                                                \
    "schema", "FILE", "with --prediction of a count: the schema that was used for the count",      \
        "none"                                                                                     \
  }

/* Whether there is one to check. */
bool verify_prediction_given(const cli_options *options);

/* Prints what the release promises within the set; *holds says whether it is what was wanted. */
SFM_MUST_CHECK sfm_status verify_prediction_check(bool *holds, const sfm_release *release,
                                                  const cli_options *options, sfm_error *error);

#endif
