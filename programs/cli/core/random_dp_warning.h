/* random_dp_warning.h - what every verb says about random differential privacy. */
#ifndef CLI_RANDOM_DP_WARNING_H
#define CLI_RANDOM_DP_WARNING_H

#define RANDOM_DP_WARNING                                                                          \
  "Random differential privacy protects a typical record, with probability 1 - gamma over the "    \
  "drawing of the records. It does not protect extreme individuals (the very rich, the very "      \
  "sick), who may need protection most. It is not differential privacy and is never charged as "   \
  "differential privacy."

#endif
