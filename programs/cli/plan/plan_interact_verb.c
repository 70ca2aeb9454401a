/* plan_interact_verb.c - sfumato plan interact: how many epochs a guarantee and an accuracy allow,
 * before anything is opened or charged. */
#include <stdlib.h>

#include "cli/request/remark_line.h"
#include "cli/request/row_options.h"
#include "cli/request/interact_options.h"
#include "cli/request/train_assumptions.h"
#include "cli/io/json_output.h"
#include "limits_text.h"
#include "plan_command.h"
#include "plan_report.h"
#include "cli/core/verbs.h"

static const cli_option options_table[] = {
    CLI_SAME(n),
    {"rows", "N", "another name of --n", CLI_COUNT(1, ROW_OPTIONS_COUNT_MAX)},
    CLI_GROUP(interact_model),
    CLI_GROUP(interact),
    {"accounting", "basic|zcdp|gdp",
     "the accounting of the dataset that will be charged; basic composes the epochs by their exact "
     "privacy losses",
     "basic", CLI_CHOICE(SFM_ENUMERATION_ACCOUNTING)},
    CLI_SAME(json),
    {0},
};

/* What is planned, and what was asked. */
typedef struct proposal {
  const cli_options *options;
  train_options s;
  sfm_interact_settings settings;
  sfm_interact_plan plan;
  uint64_t rows;
  char *command;
} proposal;

/* The command that opens such a session; with an anchor, or the ledger whose rule was named. */
static sfm_status find_command(proposal *p, sfm_error *error) {
  static const char *const apart[] = {"rows", "threads", "accounting", NULL};
  const sfm_train_settings *t = &p->s.settings;
  const plan_request asked = {.options = p->options,
                              .verb = "interact open",
                              .input = "s.sfs ROWS",
                              .apart = apart,
                              .extra = t->features && !t->label ? "--label COLUMN" : NULL};
  const sfm_plan_entry nothing = {0};
  char *command = NULL;
  sfm_status status = plan_command_text(&command, &asked, &nothing, error);
  if (!status && asprintf(&p->command, "%s %s", command,
                          p->settings.accounting ? "--ledger LEDGER --dataset NAME"
                                                 : "--anchor s.anchor") < 0) {
    p->command = NULL;
    status = cli_fail_memory(error);
  }
  free(command);
  return status;
}

static sfm_status print_json(const proposal *p, sfm_error *error) {
  char kernel[64];
  json_t *object = interact_plan_json(&p->plan);
  train_options_kernel_text(kernel, sizeof kernel, &p->s);
  json_object_set_new(object, "kernel", json_string(kernel));
  json_object_set_new(object, "confidence", json_real(p->s.settings.context.confidence));
  json_object_set_new(object, "command", json_string(p->command));
  return json_output_print(object, error);
}

/* Theorem 3: used is 2 L kappa/(lambda n), what a record moves the machine by. */
static void say_rate(const sfm_interact_plan *plan, const sfm_train_settings *s) {
  sfm_learner learner = sfm_learner_default();
  learner.rows = plan->rows;
  learner.questions = plan->questions;
  learner.kappa = plan->kappa;
  learner.lambda = 2 * plan->kappa / (plan->used * (double)plan->rows);
  learner.norm = plan->reach;
  learner.epsilon = s->epsilon;
  learner.delta = s->delta;
  limits_print_rate(stdout, &learner, 3);
}

static void print(const proposal *p) {
  text_say(stdout, "rows", "%llu; one record moves a value of the private machine by at most %.3g",
           (unsigned long long)p->rows, p->plan.sensitivity);
  train_assumptions_print(stdout, &p->s);
  text_say(stdout, "lambda", "%.6g%s", p->plan.lambda,
           options_has(p->options, "lambda") ? "" : " (the default, kappa^2/sqrt(n))");
  interact_plan_print(stdout, &p->plan, p->s.settings.context.confidence);
  say_rate(&p->plan, &p->s.settings);
  printf("%-12s%s\n", "next", p->command);
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  proposal p = {.options = options};
  sfm_status status = row_options_read_count(&p.rows, options, error);
  if (!status) status = interact_options_read(&p.settings, &p.s, options, error);
  remark_line_begin(&p.s.settings.context, options->verb);
  if (!status) status = sfm_plan_interact(&p.plan, &p.settings, p.rows, p.s.dimension, error);
  if (!status) status = find_command(&p, error);
  if (!status && options_has(options, "json"))
    status = print_json(&p, error);
  else if (!status)
    print(&p);
  free(p.command);
  train_options_clear(&p.s);
  return status;
}

const cli_verb verb_plan_interact = {
    .name = "plan interact",
    .summary = "how many epochs of an interactive session a guarantee allows, and how accurate its "
               "answers are",
    .usage = "--n N --features NAMES --bounds A:B --epsilon E [--delta D] (--accuracy A | --epochs "
             "B) [--questions T] [options]",
    .options = options_table,
    .about =
        "Private: nothing. A plan opens no rows, draws no secret noise and charges no budget.\nThe "
        "number of epochs is the largest for which error bars are within the accuracy. An accuracy "
        "that the budget does not allow is refused, and the message states what it allows. Errors "
        "are distances from the machine without noise.\nThe JSON object has the keys n, questions, "
        "epochs, lambda, epsilon {threshold, comparisons, answer} (of an epoch), noise (the "
        "scales, same keys), error {public, released}, threshold, alarms, worst_epochs, once "
        "{error, noise}, machine {kappa, sensitivity, reach, value_sensitivity, step}, guarantee, "
        "kernel, confidence and command; docs/guides/interact.md explains them.",
    .example = "sfumato plan interact --n 100000 --features age,hours --bounds 0:100 --kernel "
               "gaussian:0.5 --lambda 0.05 --questions 100000 --accuracy 0.2 --epsilon 1 --delta "
               "1e-6",
    .run = run,
};
