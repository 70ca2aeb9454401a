/* plan_vector_verb.c - sfumato plan vector: what a released vector would be like, by every
 * noise. */
#include "cli/core/text.h"
#include "cli/request/vector_options.h"
#include "cli/request/remark_line.h"
#include "plan_report.h"
#include "cli/core/verbs.h"

static const cli_option options_table[] = {
    {"length", "D", "how many numbers the vector has", CLI_COUNT(1, UINT64_C(1) << 32),
     .missing = "how many numbers the vector has; write for example --length 100"},
    CLI_GROUP(vector),
    {.same = &option_vector_noise, .fallback = "all of them"},
    CLI_SAME(neighbours),
    {"contributions", "K",
     "the most records one person can have; the sensitivity is multiplied by it", "1",
     CLI_COUNT(1, 1000000)},
    CLI_SAME(calibration),
    CLI_SAME(band),
    CLI_GROUP(plan),
    {0},
};

static sfm_status plan(plan_request *p, sfm_error *error) {
  const size_t length = (size_t)p->length;
  vector_options m = {0};
  char numbers[64];
  sfm_status status = vector_options_read(&m, p->options, error);
  if (!status) status = vector_options_check_length(&m, length, error);
  if (!status) {
    p->epsilon = m.settings.epsilon;
    p->delta = m.settings.delta;
    p->confidence = m.settings.context.confidence;
    p->neighbours = m.settings.neighbours;
    p->contributions = m.settings.contributions;
    text_whole(numbers, sizeof numbers, (double)length);
    snprintf(p->subject, sizeof p->subject, "a vector of %s number%s", numbers,
             length == 1 ? "" : "s");
    remark_line_begin(&m.settings.context, p->options->verb);
    status =
        sfm_plan_vector(&p->plan, &m.settings, !options_has(p->options, "noise"), length, error);
  }
  status = plan_report_show(p, status, error);
  vector_options_clear(&m);
  return status;
}

static const plan_request asked = {.plan_by = plan,
                                   .input = "THETA",
                                   .output = "vector.sfm",
                                   .choice = "noise",
                                   .apart = (const char *const[]){"length", NULL},
                                   .whole = "the sensitivity",
                                   .over = "over its numbers"};

const cli_verb verb_plan_vector = {
    .name = "plan vector",
    .summary = "the error of a vector by every noise, before anything is spent",
    .usage = "--length D --sensitivity NORM:SIZE --epsilon E [--delta D] [options]",
    .options = options_table,
    .about = CLI_PLAN_ABOUT,
    .example = "sfumato plan vector --length 100 --sensitivity l1:2 --epsilon 1\n"
               "sfumato plan vector --length 100 --sensitivity l2:0.01 --epsilon 1 --delta 1e-6",
    .run = plan_report_run,
    .plan = &asked,
};
