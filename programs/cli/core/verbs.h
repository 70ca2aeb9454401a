/* verbs.h - the verbs of the command, one file each. */
#ifndef CLI_VERBS_H
#define CLI_VERBS_H

#include "shared_options.h"

extern const cli_verb verb_account, verb_band, verb_check, verb_choose, verb_combine, verb_count,
    verb_curve, verb_density, verb_eval, verb_explain, verb_histogram, verb_interact_ask,
    verb_interact_close, verb_interact_open, verb_interact_status, verb_ledger_close,
    verb_ledger_create, verb_ledger_history, verb_ledger_status, verb_ledger_verify,
    verb_limits_count, verb_limits_histogram, verb_limits_margins, verb_limits_sparse,
    verb_limits_svm, verb_limits_kernel, verb_linear, verb_margin, verb_marginal, verb_mean,
    verb_noise, verb_online_ask, verb_online_close, verb_online_open, verb_online_status,
    verb_optimal, verb_plan_count, verb_plan_curve, verb_plan_density, verb_plan_histogram,
    verb_plan_interact, verb_plan_online, verb_plan_series, verb_plan_train, verb_plan_vector,
    verb_plot, verb_query, verb_range, verb_refine, verb_sample, verb_score, verb_series, verb_show,
    verb_train, verb_vector, verb_verify;

#endif
