/* verbs.h - the verbs of the command, one file each. */
#ifndef CLI_VERBS_H
#define CLI_VERBS_H

#include "shared_options.h"

extern const cli_verb verb_account;
extern const cli_verb verb_band;
extern const cli_verb verb_check;
extern const cli_verb verb_choose;
extern const cli_verb verb_combine;
extern const cli_verb verb_count;
extern const cli_verb verb_curve;
extern const cli_verb verb_density;
extern const cli_verb verb_eval;
extern const cli_verb verb_explain;
extern const cli_verb verb_histogram;
extern const cli_verb verb_interact_ask;
extern const cli_verb verb_interact_close;
extern const cli_verb verb_interact_open;
extern const cli_verb verb_interact_status;
extern const cli_verb verb_ledger_close;
extern const cli_verb verb_ledger_create;
extern const cli_verb verb_ledger_history;
extern const cli_verb verb_ledger_status;
extern const cli_verb verb_ledger_verify;
extern const cli_verb verb_limits_count;
extern const cli_verb verb_limits_histogram;
extern const cli_verb verb_limits_margins;
extern const cli_verb verb_limits_sparse;
extern const cli_verb verb_limits_svm;
extern const cli_verb verb_limits_kernel;
extern const cli_verb verb_linear;
extern const cli_verb verb_margin;
extern const cli_verb verb_marginal;
extern const cli_verb verb_mean;
extern const cli_verb verb_noise;
extern const cli_verb verb_online_ask;
extern const cli_verb verb_online_close;
extern const cli_verb verb_online_open;
extern const cli_verb verb_online_status;
extern const cli_verb verb_optimal;
extern const cli_verb verb_plan_count;
extern const cli_verb verb_plan_curve;
extern const cli_verb verb_plan_density;
extern const cli_verb verb_plan_histogram;
extern const cli_verb verb_plan_interact;
extern const cli_verb verb_plan_online;
extern const cli_verb verb_plan_series;
extern const cli_verb verb_plan_train;
extern const cli_verb verb_plan_vector;
extern const cli_verb verb_plot;
extern const cli_verb verb_query;
extern const cli_verb verb_range;
extern const cli_verb verb_refine;
extern const cli_verb verb_sample;
extern const cli_verb verb_score;
extern const cli_verb verb_series;
extern const cli_verb verb_show;
extern const cli_verb verb_train;
extern const cli_verb verb_vector;
extern const cli_verb verb_verify;

#endif
