/* plan_density_verb.c - sfumato plan density: what a release would be like, before anything private
 * is opened.
 *
 * Plans take no rows, and link nothing that could read them (tests/tools/check_plan_isolation). */

#include "cli/request/density_options.h"
#include "cli/request/remark_line.h"
#include "plan_report.h"

static const cli_option density_table[] = {
    CLI_SAME(n),
    CLI_GROUP(plan_columns),
    {"bandwidth", "H[,H...]|auto|choose:H,H[,H...]",
     "standard deviation of the Gaussian kernel (or the length of another one) in the column's "
     "unit, one for all columns or one per column; auto: the best for each method; choose: one of "
     "these candidates privately; the plan says with what probability it is a good one",
     "auto"},
    CLI_SAME(choice_share),
    CLI_SAME(shape),
    CLI_GROUP(density),
    CLI_GROUP(plan),
    {0},
};

/* The choice among candidates is predicted; what is planned then is the best of them, with what the
 * choice leaves of the budget. */
static sfm_status plan_choice(plan_request *p, density_options *c, sfm_error *error) {
  sfm_density_settings *s = &c->settings;
  const sfm_status status = sfm_plan_bandwidth_choice(&p->selection, s, p->rows, error);
  if (status) return status;
  s->bandwidth = s->candidates + p->selection.best * s->dimension;
  s->candidates = NULL;
  s->candidate_count = 0;
  s->epsilon = p->selection.epsilon;
  s->delta = p->selection.delta;
  s->calibration = SFM_CALIBRATION_EXACT;
  return SFM_OK;
}

static sfm_status plan(plan_request *p, sfm_error *error) {
  density_options c = {0};
  sfm_status status = density_options_read(&c, p->options, error);
  if (!status && c.settings.candidate_count) status = plan_choice(p, &c, error);
  if (!status) {
    plan_request_fill(p, "the density of", &c.settings);
    p->automatic = c.settings.method == SFM_DENSITY_AUTO;
    if (p->neighbours == SFM_NEIGHBOURS_ADD_REMOVE) c.settings.expected_rows = p->rows;
    remark_line_begin(&c.settings.context, p->options->verb);
    status = sfm_plan_density(&p->plan, &c.settings, p->rows, error);
  }
  status = plan_report_show(p, status, error);
  density_options_clear(&c);
  return status;
}

static const plan_request asked = {
    .plan_by = plan, .output = "density.sfm", .choice = "method", PLAN_OF_DENSITY};

const cli_verb verb_plan_density = {
    .name = "plan density",
    .summary = "the error of a density by every method, before anything is spent",
    .usage = "--n N --bounds A:B --epsilon E [--delta D] [--shape SHAPE] [--bandwidth H] [options]",
    .options = density_table,
    .about = CLI_PLAN_ABOUT,
    .example = "sfumato plan density --n 5000 --bounds 0:100 --epsilon 1\n"
               "sfumato plan density --n 5000 --bounds 0:100 --epsilon 1 --delta 1e-6 --shape "
               "normal:40:12 --plot plan.svg\n"
               "sfumato plan density --n 100000 --bounds -74.3:-73.7,40.5:40.9 --epsilon 1 --shape "
               "@pilot.sfm --error 3%",
    .run = plan_report_run,
    .plan = &asked,
};
