/* plan_curve_verb.c - sfumato plan curve: what a mean of curves would be like. */
#include <string.h>

#include "cli/request/curve_options.h"
#include "cli/request/remark_line.h"
#include "plan_report.h"

static const cli_option options_table[] = {
    {"n", "N", "how many curves there are, or will be: a public number"},
    {"grid", "A:B:N|@FILE",
     "where the values will be measured: at N evenly spaced points from A to B, both included, or "
     "at the numbers in a file (one per line, or separated by commas), in ascending order"},
    {.same = &option_curve_columns, .fallback = "as many as the grid has points"},
    CLI_SAME(mean_shape),
    {"spread", "S", "a public guess of the standard deviation of one curve's values about the mean",
     "unknown: as large as the clip allows", CLI_POSITIVE("0.3")},
    CLI_GROUP(curve),
    CLI_GROUP(plan),
    {0},
};

/* What the settings say of people and domain. */
static void take_settings(plan_request *p, const sfm_curve_settings *s,
                          const char *const *variable) {
  plan_request_take(p, &s->context, s->epsilon, s->delta);
  p->dimension = 1;
  p->columns = variable;
  p->lower[0] = s->grid[0];
  p->upper[0] = s->grid[s->count - 1];
  snprintf(p->subject, sizeof p->subject,
           "a mean curve over %.60s, at %zu points from %.6g to %.6g", *variable, s->count,
           p->lower[0], p->upper[0]);
}

/* The columns and the grid as `curve` has them. */
static void write_places(char *out, size_t size, const cli_options *options) {
  const char *grid = options_get(options, "grid"), *last = strrchr(grid, ':');
  const bool counted = !options_has(options, "columns") && grid[0] != '@';
  snprintf(out, size, "--columns %.200s --grid %.*s",
           options_has(options, "columns") ? options_get(options, "columns") : "COLUMNS",
           (int)(counted ? (size_t)(last - grid) : strlen(grid)), grid);
}

static sfm_status plan(plan_request *p, sfm_error *error) {
  const char *variable = options_get(p->options, "variable");
  char places[512];
  curve_options f = {0};
  sfm_status status = curve_options_read(&f, p->options, error);
  if (!variable) variable = "t";
  if (!status) {
    take_settings(p, &f.settings, &variable);
    write_places(places, sizeof places, p->options);
    p->extra = places;
    remark_line_begin(&f.settings.context, p->options->verb);
    status = sfm_plan_curve(&p->plan, &f.settings, p->rows, error);
  }
  status = plan_report_show(p, status, error);
  curve_options_clear(&f);
  return status;
}

static const plan_request asked = {
    .plan_by = plan,
    .input = "CURVES",
    .output = "mean.sfm",
    .apart = (const char *const[]){"grid", "columns", "spread", NULL},
    .people = "curves",
    .like = "their mean",
    .unlike = "the mean was not stated: it is assumed to be as large as the clip allows, equally "
              "in all directions; --shape and --spread state more",
    .whole = "the clip's height",
    .over = "over the grid"};

const cli_verb verb_plan_curve = {
    .name = "plan curve",
    .summary = "the error of a mean curve, before anything is spent",
    .usage = "--n N --grid A:B:N --kernel FAMILY:H --clip TAU --epsilon E [--delta D] [options]",
    .options = options_table,
    .about = CLI_PLAN_ABOUT,
    .example =
        "sfumato plan curve --n 300 --grid 0:1:93 --kernel matern52:0.1 --clip 2.5 --epsilon 1 "
        "--delta 1e-6\n"
        "sfumato plan curve --n 300 --grid 0:1:93 --kernel matern52:0.1 --clip 2.5 --epsilon 1 "
        "--delta 1e-6 --shape bump:0.6:0.5:0.2 --spread 0.1",
    .run = plan_report_run,
    .plan = &asked,
};
