/* verbs.h - the verbs of the command, one file each. */
#ifndef CLI_VERBS_H
#define CLI_VERBS_H

#include "options.h"

extern const cli_verb verb_density, verb_series, verb_curve, verb_show, verb_eval, verb_band,
    verb_plot, verb_choose, verb_query, verb_marginal, verb_refine, verb_sample, verb_combine,
    extern const cli_verb verb_density, verb_histogram, verb_series, verb_curve, verb_show,
    verb_eval, verb_band, verb_plot, verb_query, verb_marginal, verb_refine, verb_sample,
    verb_combine, verb_vector, verb_range, verb_noise, verb_check, verb_explain, verb_account,
    verb_ledger_create, verb_ledger_status, verb_ledger_history, verb_ledger_verify,
    verb_ledger_close, verb_plan_density, verb_plan_series, verb_plan_curve, verb_plan_vector,
    verb_plan_online, verb_online_open, verb_online_ask, verb_online_status, verb_online_close,
    verb_optimal, verb_verify;

#endif
