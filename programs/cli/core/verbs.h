/* verbs.h - the verbs of the command, one file each. */
#ifndef CLI_VERBS_H
#define CLI_VERBS_H

#include "shared_options.h"

/* clang-format off */
/* Every verb, in the order of the help: group by group, the everyday verbs of each group first. */
#define CLI_VERBS(VERB)                                                                           \
  VERB(density) VERB(histogram) VERB(count) VERB(train) VERB(curve) VERB(vector) VERB(series)     \
  VERB(linear) VERB(score) VERB(range) VERB(choose) VERB(mean)                                    \
                                                                                                  \
  VERB(partial_density) VERB(partial_histogram) VERB(partial_count) VERB(partial_curve)           \
  VERB(partial_series) VERB(partial_merge) VERB(partial_info) VERB(split)                         \
                                                                                                  \
  VERB(show) VERB(plot) VERB(eval) VERB(query) VERB(band) VERB(sample) VERB(refine) VERB(margin)  \
  VERB(marginal) VERB(combine)                                                                    \
                                                                                                  \
  VERB(plan_density) VERB(plan_histogram) VERB(plan_count) VERB(plan_train) VERB(plan_curve)      \
  VERB(plan_vector) VERB(plan_series) VERB(plan_online) VERB(plan_interact)                       \
  VERB(limits_count) VERB(limits_histogram) VERB(limits_sparse) VERB(limits_margins)              \
  VERB(limits_svm) VERB(limits_kernel)                                                            \
                                                                                                  \
  VERB(ledger_create) VERB(ledger_status) VERB(ledger_history) VERB(ledger_verify)                \
  VERB(ledger_close) VERB(ledger_key) VERB(account) VERB(explain)                                 \
                                                                                                  \
  VERB(online_open) VERB(online_ask) VERB(online_status) VERB(online_close)                       \
  VERB(interact_open) VERB(interact_ask) VERB(interact_status) VERB(interact_close)               \
                                                                                                  \
  VERB(check) VERB(optimal) VERB(verify) VERB(noise)
/* clang-format on */

#define DECLARE_VERB(name) extern const cli_verb verb_##name;
CLI_VERBS(DECLARE_VERB)
#undef DECLARE_VERB

#endif
