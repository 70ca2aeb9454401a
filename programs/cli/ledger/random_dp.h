/* random_dp.h - releases under random differential privacy, as --random-dp EPSILON:DELTA:GAMMA
 * states them, and what they promise together. */
#ifndef CLI_RANDOM_DP_H
#define CLI_RANDOM_DP_H

#include <stdbool.h>

#include "cli/core/shared_options.h"
#include "sfumato/account.h"

typedef struct random_dp {
  sfm_guarantee *parts;
  uint64_t *counts;
  size_t count;
} random_dp;

/* Adds what a value of the option says; and one more part. */
SFM_MUST_CHECK sfm_status random_dp_read(random_dp *c, const char *text, sfm_error *error);
SFM_MUST_CHECK sfm_status random_dp_add(random_dp *c, sfm_guarantee part, uint64_t count,
                                        sfm_error *error);
void random_dp_clear(random_dp *c);

/* Prints what all of it promises together, in words or as one JSON object.  named is how many of
 * the parts, from the first on, are to be listed. */
SFM_MUST_CHECK sfm_status random_dp_print(const random_dp *c, size_t named, bool json,
                                          sfm_error *error);

#endif
