/* plan_series_verb.c - sfumato plan series: what a series would be like, in every basis. */
#include "cli/request/remark_line.h"
#include "plan_report.h"
#include "cli/request/series_options.h"

static const cli_option options_table[] = {
    CLI_SAME(n),
    CLI_GROUP(plan_columns),
    {.same = &option_basis, .fallback = "all of them"},
    CLI_GROUP(series),
    {.same = &option_series_noise, .fallback = "all of them"},
    CLI_GROUP(series_rows),
    CLI_GROUP(plan),
    {0},
};

static sfm_status plan(plan_request *p, sfm_error *error) {
  series_options s = {0};
  sfm_status status = series_options_read(&s, p->options, error);
  const sfm_density_settings same = {.context = s.settings.context,
                                     .columns = &s.settings.column,
                                     .dimension = 1,
                                     .epsilon = s.settings.epsilon,
                                     .delta = s.settings.delta};
  if (!status) {
    plan_request_fill(p, "a series for the density of", &same);
    remark_line_begin(&s.settings.context, p->options->verb);
    status = sfm_plan_series(&p->plan, &s.settings, s.every_basis, s.every_noise, p->rows, error);
  }
  status = plan_report_show(p, status, error);
  series_options_clear(&s);
  return status;
}

static const plan_request asked = {
    .plan_by = plan, .output = "series.sfm", .choice = "basis", PLAN_OF_DENSITY};

const cli_verb verb_plan_series = {
    .name = "plan series",
    .summary = "the error of a series in every basis, before anything is spent",
    .usage = "--n N --bounds A:B --epsilon E [--delta D] [--basis NAME] [--shape SHAPE] [options]",
    .options = options_table,
    .about = CLI_PLAN_ABOUT,
    .example =
        "sfumato plan series --n 5000 --bounds 0:100 --epsilon 1\n"
        "sfumato plan series --n 5000 --bounds 0:24 --basis fourier --epsilon 1 --delta 1e-6 "
        "--shape normal:8:2+normal:18:3",
    .run = plan_report_run,
    .plan = &asked,
};
