/* planseries.c - sfumato plan series: what a series would be like, in every basis. */
#include "planning.h"
#include "summing.h"
#include "verbs.h"

static const cli_option options_table[] = {
    CLI_OPTION_ROWS,
    CLI_OPTION_BOUNDS,
    CLI_OPTION_COLUMNS,
    CLI_OPTION_SCHEMA,
    CLI_OPTION_BASIS("all of them"),
    CLI_OPTIONS_SUMMING("all of them"),
    CLI_OPTIONS_PLANNING,
    {0},
};

static sfm_status run(const cli_options *options, sfm_error *error) {
  static const char *const apart[] = {NULL};
  planning p = {.options = options,
                .kind = "series",
                .verb = "series",
                .input = "ROWS",
                .output = "series.sfm",
                .choice = "basis",
                .apart = apart,
                .people = "people",
                .like = "spread as",
                .unlike = PLANNING_REFERENCE,
                .shape = options_get(options, "shape"),
                .whole = "the peak",
                .over = "over the domain"};
  summing s = {0};
  sfm_plan *plan = NULL;
  sfm_status status = asking_read_count(&p.rows, options, error);
  if (!status) status = planning_check(options, error);
  if (!status) status = summing_plan(&s, options, error);
  if (status) goto cleanup;
  planning_take(&p, "a series for the density of", &s.rows);
  status = sfm_plan_series(&plan, &s.settings, s.every_basis, s.every_noise, p.rows, error);
  p.plan = plan;
  if (!status) status = planning_show(&p, error);
cleanup:
  sfm_plan_destroy(plan);
  summing_clear(&s);
  return status;
}

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
    .run = run,
    .publishes_nothing = true,
};
