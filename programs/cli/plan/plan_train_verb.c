/* plan_train_verb.c - sfumato plan train: how far a released machine would be from the one without
 * noise, by every method. */
#include <math.h>
#include <string.h>

#include "cli/core/text.h"
#include "cli/request/remark_line.h"
#include "plan_report.h"
#include "cli/request/train_assumptions.h"
#include "cli/request/tdil_text.h"
#include "limits_text.h"
#include "cli/core/verbs.h"
#include "cli/request/row_options.h"

static const cli_option options_table[] = {
    CLI_SAME(n),
    {"rows", "N", "another name of --n", CLI_COUNT(1, ROW_OPTIONS_COUNT_MAX)},
    CLI_GROUP(train),
    {"lambda", "L[,M...]",
     "the penalty on the weights: (L/2)|w|^2 is added to the mean loss; several values are planned "
     "side by side",
     "kappa^2/sqrt(n), where kappa is the largest norm that a row's features can have",
     CLI_POSITIVE("0.01")},
    {"places", "FILE",
     "gp: public points at which the machine is released; they would be published in the release"},
    CLI_GROUP(public_points),
    CLI_SAME(epsilon),
    {"delta", "D", "above 0 and below 1: plans normal noise, of which many weights need far less",
     CLI_FRACTION("1e-6")},
    CLI_SAME(calibration),
    CLI_SAME(tolerance),
    CLI_SAME(replaced),
    CLI_GROUP(people),
    {"threads", "N", "how many threads the release would solve with; plans need none",
     CLI_COUNT(1, 1024)},
    CLI_SAME(band),
    CLI_GROUP(plan),
    {0},
};

static void describe(plan_request *p, const train_options *s) {
  const sfm_train_settings *t = &s->settings;
  char kernel[64], coordinates[64];
  train_options_kernel_text(kernel, sizeof kernel, s);
  text_whole(coordinates, sizeof coordinates, (double)s->dimension);
  if (t->features)
    snprintf(p->subject, sizeof p->subject, "a machine that predicts %.60s from %zu column%s",
             t->label ? t->label : "labels", t->feature_count, t->feature_count == 1 ? "" : "s");
  else
    snprintf(p->subject, sizeof p->subject, "a machine of %s coordinates", coordinates);
  text_add(p->subject, sizeof p->subject, " (%s kernel, %s loss)", kernel,
           sfm_machine_loss_name(t->loss));
}

static double parameter(const sfm_plan_entry *entry, const char *name) {
  for (size_t i = 0; i < entry->parameter_count; i++)
    if (strcmp(entry->parameters[i].name, name) == 0) return entry->parameters[i].numbers[0];
  return NAN;
}

/* Of a machine that is fitted at public points. */
static void say_points(const sfm_plan_entry *entry) {
  char text[512];
  const double kernel = parameter(entry, "kernel_shaped"), other = parameter(entry, "isotropic");
  snprintf(text, sizeof text,
           "at %.0f public points, %.0f numbers with noise per machine, fitted within a ball of "
           "radius %.3g; the values there are off by ",
           parameter(entry, "public_points"), parameter(entry, "directions"),
           parameter(entry, "radius"));
  if (isfinite(kernel)) text_add(text, sizeof text, "%.3g with kernel-shaped noise", kernel);
  if (isfinite(other))
    text_add(text, sizeof text, "%s%.3g with isotropic noise", isfinite(kernel) ? ", " : "", other);
  text_say(stdout, "fit",
           "%s (root mean square), for a machine whose values are as large as the margin", text);
}

/* What is known beside the errors of the best method. */
static void say_more(const sfm_plan *plan, bool stated) {
  const size_t best = sfm_plan_best(plan);
  if (best == SIZE_MAX) return;
  const sfm_plan_entry *entry = sfm_plan_at(plan, best);
  if (!isnan(parameter(entry, "public_points"))) {
    say_points(entry);
    return;
  }
  text_say(stdout, "values",
           "at a row of length kappa = %.4g the value is off by %.3g (standard deviation), %.3g on "
           "average; the %.0f weights by %.3g; %.0f %% of the noise covers the error of the solver",
           parameter(entry, "kappa"), parameter(entry, "deviation"), parameter(entry, "mean"),
           parameter(entry, "features"), parameter(entry, "weights"),
           100 * parameter(entry, "certificate"));
  if (!isnan(parameter(entry, "kernel_deviation"))) {
    const double certified = parameter(entry, "kernel_certified");
    char bound[96] = "; no bound below 2 is certified";
    if (isfinite(certified))
      snprintf(bound, sizeof bound, ", and nowhere by more than %.3g with confidence 0.95",
               certified);
    text_say(stdout, "kernel", "its random features are off by about %.2g (standard deviation)%s",
             parameter(entry, "kernel_deviation"), bound);
  }
  text_say(stdout, "lambda",
           "the plan uses %.3g%s. The rule gives %.2g: it minimises this noise plus the penalty of "
           "a function as large as the margin, but is at least kappa^2/sqrt(n). The best lambda "
           "depends on your rows, which a plan does not read: train --lambda choose:A,B,... "
           "chooses it privately",
           parameter(entry, "lambda"), stated ? "" : " (the default, kappa^2/sqrt(n))",
           parameter(entry, "lambda_rule"));
}

/* For a number: what the default loss, huber, would do where another loss is planned.  A hint:
 * where huber is not possible, nothing is said. */
static void say_huber(const plan_request *p, const train_options *s, bool every_method,
                      bool every_noise) {
  const size_t best = sfm_plan_best(p->plan);
  sfm_train_settings huber = s->settings;
  sfm_plan *plan = NULL;
  sfm_error why;
  if (!huber.regression || huber.loss == SFM_MACHINE_LOSS_HUBER || best == SIZE_MAX) return;
  huber.loss = SFM_MACHINE_LOSS_HUBER;
  huber.context.remark = NULL; /* said already */
  huber.parameter = NAN;
  if (sfm_plan_train(&plan, &huber, every_method, every_noise, p->rows, s->dimension, &why)) return;
  const double now = sfm_plan_at(p->plan, best)->predicted.relative,
               then = sfm_plan_at(plan, sfm_plan_best(plan))->predicted.relative;
  sfm_plan_destroy(plan);
  if (!(then < now)) return;
  text_say(stdout, "loss",
           "%s; --loss huber, whose slope is smaller, would have an error of about %.2g %% of %s "
           "instead of %.2g %%",
           sfm_machine_loss_name(s->settings.loss), 100 * then, p->whole, 100 * now);
}

/* Theorem 5 or 8 (docs/proofs/kernel-limits.md) beside a plan. */
static void say_limit(const sfm_plan *plan, const train_options *s, uint64_t rows,
                      unsigned theorem) {
  const sfm_train_settings *t = &s->settings;
  const size_t best = sfm_plan_best(plan);
  sfm_learner learner = sfm_learner_default();
  if (best == SIZE_MAX) return;
  const sfm_plan_entry *entry = sfm_plan_at(plan, best);
  learner.rows = rows;
  learner.lambda = parameter(entry, "lambda");
  learner.kappa = parameter(entry, "kappa");
  learner.lipschitz = parameter(entry, "lipschitz");
  learner.epsilon = t->epsilon;
  learner.delta = t->delta;
  learner.dimension = s->dimension ? s->dimension : t->feature_count;
  limits_print_rate(stdout, &learner, theorem);
}

/* The rounds and the forecast of tdil, and theorem 8. */
static void say_rounds(const sfm_plan *plan, const train_options *s, uint64_t rows) {
  const sfm_train_settings *t = &s->settings;
  sfm_probes_plan p;
  sfm_error why;
  if (sfm_plan_probes(&p, t, rows, s->dimension, &why)) return;
  tdil_print_rounds(stdout, &p, t->one_vs_rest ? t->class_count : 1);
  say_limit(plan, s, rows, 8);
}

/* Below the table. */
static void say_all(const plan_request *p, const train_options *s, bool every_method,
                    bool every_noise) {
  const sfm_train_method method = s->settings.method;
  train_assumptions_print(stdout, s);
  if (!every_method && method == SFM_TRAIN_TDIL) {
    say_rounds(p->plan, s, p->rows);
    return;
  }
  say_more(p->plan, options_has(p->options, "lambda"));
  say_huber(p, s, every_method, every_noise);
  if (!every_method && method == SFM_TRAIN_TDDL) say_limit(p->plan, s, p->rows, 5);
}

static sfm_status plan(plan_request *p, sfm_error *error) {
  static const char *const apart_lambda[] = {"rows", "threads", "lambda", NULL};
  const cli_options *options = p->options;
  const bool every = !options_has(options, "method"), noises = !options_has(options, "noise");
  train_options s = {0};
  sfm_train_settings *t = &s.settings;
  sfm_status status = train_options_read(&s, options, error);
  if (!status) {
    plan_request_take(p, &t->context, t->epsilon, t->delta);
    describe(p, &s);
    if (t->features && !t->label) p->extra = "--label COLUMN";
    p->whole = t->regression ? "half of the label's range" : "the margin";
    if (t->public_count)
      p->over = "over the noise, at a row of the largest norm (tddl: over its public points)";
    if (t->lambda_count) p->apart = apart_lambda;
    if (every) t->rff_features = 0;
    if (!every && t->method == SFM_TRAIN_TDIL) {
      p->over = "over the points, for a typical function of the kernel";
      p->rest = ", and what as many answers without noise would not determine";
    }
    remark_line_begin(&t->context, p->options->verb);
    status = sfm_plan_train(&p->plan, t, every, noises, p->rows, s.dimension, error);
  }
  status = plan_report_show(p, status, error);
  if (!status && !options_has(options, "json")) say_all(p, &s, every, noises);
  train_options_clear(&s);
  return status;
}

static const plan_request asked = {.plan_by = plan,
                                   .output = "model.sfm",
                                   .choice = "method",
                                   .apart = (const char *const[]){"rows", "threads", NULL},
                                   .people = "rows",
                                   .noisy = true,
                                   .over = "over the noise, at a row of the largest norm"};

const cli_verb verb_plan_train = {
    .name = "plan train",
    .summary = "how far a released machine would be from the one without noise, by every method",
    .usage = "--n N --features NAMES [--label COLUMN] --bounds A:B --epsilon E [--delta D] "
             "[--kernel K] [--lambda L,M] [options]",
    .options = options_table,
    .about = CLI_PLAN_ABOUT
    "\nErrors are those of f~ - f: the value of the released machine minus the value of the "
    "machine that would be learned without noise, at a row whose features have the largest norm. "
    "They are parts of 1, which is the margin, or of half of the range of a number that is "
    "predicted. With random features the error of their kernel is added (other; for a function of "
    "norm one). How well the machine without noise predicts depends on the rows; a plan cannot "
    "know it. With --method tdil errors are over the points that it chooses from, for a typical "
    "function of the kernel, and other is what as many answers without noise would not "
    "determine.\nparameters also has features, machines, kappa, lipschitz, sensitivity, "
    "certificate (its part of the sensitivity), scale, deviation, mean, weights, lambda_rule, "
    "kernel_deviation and kernel_certified. With tddl (whose errors are those at its public "
    "points, for a machine whose values are as large as the margin) it has shape, public_points, "
    "directions, radius and what is predicted for both shapes, kernel_shaped and isotropic.",
    .example =
        "sfumato plan train --n 32561 --features age,hours --label income --labels "
        "'low|high' --bounds 0:100 --kernel gaussian:0.5 --epsilon 1 --delta 1e-6\n"
        "sfumato plan train --n 32561 --dimension 123 --bounds 0:1 --clip-norm 3.75 --lambda "
        "0.01,0.03,0.1 --epsilon 0.1 --delta 1e-6 --error 10%\n"
        "sfumato plan train --n 32561 --features age,hours --label income --labels 'low|high' "
        "--bounds 0:100 --kernel gaussian:0.5 --method tddl --public survey.csv --epsilon 1 "
        "--delta "
        "1e-6\n"
        "sfumato plan train --n 32561 --features age,hours --label income --labels 'low|high' "
        "--bounds 0:100 --kernel gaussian:0.5 --method tdil --epsilon 1 --delta 1e-6",
    .run = plan_report_run,
    .plan = &asked,
};
