/* plan_count_verb.c - sfumato plan count: what one count would be like, by every mechanism. */
#include <inttypes.h>
#include <string.h>

#include "cli/request/row_options.h"
#include "plan_report.h"
#include "cli/core/text.h"
#include "cli/core/verbs.h"

static const cli_option options_table[] = {
    CLI_SAME(n),
    CLI_SAME(epsilon),
    CLI_GROUP(neighbours),
    {"mechanism", "geometric", "the geometric mechanism alone", CLI_WORDS("geometric")},
    CLI_SAME(band),
    CLI_GROUP(plan),
    {0},
};

#define AT(name, member) CLI_FIELD(name, plan_request, member)
static const cli_field fields[] = {AT("epsilon", epsilon),
                                   AT("neighbours", neighbours),
                                   AT("contributions", contributions),
                                   AT("band", confidence),
                                   {0}};

static sfm_status read_asked(plan_request *p, sfm_error *error) {
  unsigned mechanism;
  p->confidence = 0.95;
  p->contributions = 1;
  p->enforced = options_has(p->options, "person");
  snprintf(p->subject, sizeof p->subject, "a count");
  sfm_status status = options_fill(p, fields, p->options, error);
  return status ? status : options_take(p->options, &mechanism, "mechanism", error);
}

/* The best mechanisms are made first, for one record's share of epsilon. */
static void make_mechanism(FILE *out, const plan_request *p, const sfm_plan_entry *entry) {
  char epsilon[40];
  if (strcmp(entry->method, "geometric") == 0) return;
  text_shortest(epsilon, sizeof epsilon, p->epsilon / p->contributions);
  fprintf(out, "sfumato optimal --n %" PRIu64 " --epsilon %s %s -o m.sfm && ", p->rows, epsilon,
          strcmp(entry->method, "minimax") == 0 ? "--minimax" : "--prior uniform");
}

static sfm_status plan(plan_request *p, sfm_error *error) {
  sfm_status status = read_asked(p, error);
  if (!status && p->epsilon > 10)
    text_print_labelled(stderr, "note",
                        "an epsilon above 10 promises very little; usual values are 0.1 to 3");
  if (!status)
    status = sfm_plan_count(&p->plan, p->rows, p->epsilon, p->neighbours, p->contributions,
                            p->confidence, !options_has(p->options, "mechanism"), error);
  return plan_report_show(p, status, error);
}

static const plan_request asked = {.plan_by = plan,
                                   .output = "count.sfm",
                                   .apart = (const char *const[]){"mechanism", NULL},
                                   .extra = "--where PREDICATE",
                                   .people = "records",
                                   .whole = "the records",
                                   .over = "at the worst count",
                                   .tabular = true,
                                   .each = "on average",
                                   .each_legend = "when all counts are equally likely",
                                   .usual = "geometric",
                                   .before = make_mechanism};

const cli_verb verb_plan_count = {
    .name = "plan count",
    .summary = "the error of a count by every mechanism, before anything is spent",
    .usage = "--n N --epsilon E [--neighbours replace|add-remove] [options]",
    .options = options_table,
    .about = CLI_PLAN_ABOUT
    "\nErrors are absolute errors, in records, at the worst count. In `predicted`, total is the "
    "mean, interval is where 19 of 20 answers lie, cell is the mean when all counts are equally "
    "likely, and deviation is the root mean square. `needed` and the curves are those of the "
    "geometric mechanism (`curves_method`), even if another one is the best, because the best is "
    "found for one n and one epsilon.",
    .example = "sfumato plan count --n 70 --epsilon 0.5",
    .run = plan_report_run,
    .plan = &asked,
};
