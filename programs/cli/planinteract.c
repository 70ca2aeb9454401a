/* planinteract.c - sfumato plan interact: how many epochs a guarantee and an accuracy allow, before
 * anything is opened or charged. */
#include <stdlib.h>

#include "asking.h"
#include "dialogue.h"
#include "limitlines.h"
#include "planning.h"
#include "report.h"
#include "verbs.h"

static const cli_option options_table[] = {
    CLI_OPTION_ROWS,
    {"rows", "N", "another name of --n", NULL, 0},
    CLI_OPTIONS_MACHINE,
    CLI_OPTIONS_DIALOGUE,
    {"accounting", "basic|zcdp|gdp",
     "how the dataset that will be charged adds up; basic composes the epochs by their exact "
     "losses",
     "basic", 0},
    CLI_OPTION_JSON,
    {0},
};

static sfm_status read_rows(uint64_t *rows, const cli_options *options, sfm_error *error) {
  if (!options_has(options, "rows")) return asking_read_count(rows, options, error);
  if (options_has(options, "n"))
    return cli_fail(error, SFM_INVALID, "--rows is another name of --n: leave out one of them");
  return options_count(options, rows, "rows", 1, ASKING_ROWS_MAX, error);
}

static sfm_status print_json(const sfm_interact_plan *plan, sfm_error *error) {
  json_t *object = dialogue_json(plan);
  char *text = object ? json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
  if (text) puts(text);
  free(text);
  json_decref(object);
  return text ? SFM_OK : cli_fail_memory(error);
}

/* Theorem 3: used is 2 L kappa/(lambda n), what a record moves the machine by. */
static void say_shape(const sfm_interact_plan *plan, const sfm_train_settings *t) {
  sfm_learner learner = sfm_learner_default();
  learner.rows = plan->rows;
  learner.questions = plan->questions;
  learner.kappa = plan->kappa;
  learner.lambda = 2 * plan->kappa / (plan->used * (double)plan->rows);
  learner.norm = plan->reach;
  learner.epsilon = t->epsilon;
  learner.delta = t->delta;
  limits_shape(stdout, &learner, 3);
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  static const char *const rules[] = {"basic", "zcdp", "gdp", NULL};
  unsigned accounting = 0;
  uint64_t rows = 0;
  schooling s = {0};
  sfm_interact_settings settings;
  sfm_interact_plan plan;
  sfm_status status = read_rows(&rows, options, error);
  if (!status) status = dialogue_read(&settings, &s, options, error);
  if (!status) status = options_choice(options, &accounting, "accounting", rules, error);
  settings.accounting = (sfm_accounting)accounting;
  if (!status) status = sfm_plan_interact(&plan, &settings, rows, s.dimension, error);
  if (!status && options_has(options, "json")) {
    status = print_json(&plan, error);
  } else if (!status) {
    char text[256];
    snprintf(text, sizeof text,
             "%llu; one record moves a value of the private machine by at most %.3g",
             (unsigned long long)rows, plan.sensitivity);
    report_line(stdout, "rows", text);
    schooling_say(stdout, &s);
    dialogue_say(stdout, &plan, settings.train.confidence);
    say_shape(&plan, &settings.train);
  }
  schooling_clear(&s);
  return status;
}

const cli_verb verb_plan_interact = {
    .name = "plan interact",
    .summary = "how many questions of an interactive session a guarantee pays for, and how exactly",
    .usage = "--n N --features NAMES --bounds A:B --epsilon E [--delta D] --questions T "
             "--accuracy A [options]",
    .options = options_table,
    .about =
        "Private: nothing. A plan opens no rows, draws no secret and charges nobody.\n"
        "The number of epochs is the largest with which error bars are within the accuracy; an "
        "accuracy that the budget cannot buy is refused, and what it can buy is said. Errors are "
        "distances from the machine without noise.\n"
        "The JSON object has the keys n, questions, epochs, epsilon {threshold, comparisons, "
        "answer} (of an epoch), noise (the scales, same keys), error {public, released}, "
        "threshold, alarms, worst_epochs, once {error, noise}, machine {kappa, sensitivity, reach, "
        "value_sensitivity, step} and guarantee; docs/guides/interact.md explains them.",
    .example = "sfumato plan interact --n 100000 --features age,hours --bounds 0:100 --kernel "
               "gaussian:0.5 --lambda 0.05 --questions 100000 --accuracy 0.2 --epsilon 1 --delta "
               "1e-6",
    .run = run,
};
