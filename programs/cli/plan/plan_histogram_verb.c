/* plan_histogram_verb.c - sfumato plan histogram: what a table would be like, by every method. */

#include "cli/request/table_options.h"
#include "cli/request/remark_line.h"
#include "plan_report.h"
#include "cli/io/points.h"
#include "cli/core/verbs.h"

static const cli_option options_table[] = {
    CLI_SAME(n),
    {"cells", "P",
     "instead of columns: how many cells the table has, up to 2^62; undeclared: how many different "
     "texts there are",
     CLI_COUNT(1, UINT64_C(1) << 62)},
    {"counts", "FILE",
     "a public guess of the counts of occupied cells, for methods that keep only large counts: a "
     "CSV with a column called count, or an NPY; only their proportions matter",
     "even"},
    CLI_GROUP(histogram),
    CLI_SAME(epsilon),
    {"delta", "D", "above 0 and below 1: also plans normal noise, and undeclared categories",
     CLI_FRACTION("1e-6")},
    CLI_SAME(calibration),
    CLI_GROUP(neighbours),
    CLI_SAME(band),
    CLI_GROUP(plan),
    {0},
};

/* "a table of sex, region", "a table of 64 cells". */
static void describe(plan_request *p, const table_options *c) {
  char names[256];
  const char *list[SFM_TABLE_COLUMNS_MAX];
  for (size_t i = 0; i < c->settings.count; i++) list[i] = c->settings.columns[i].name;
  text_join(names, sizeof names, list, c->settings.count);
  if (options_has(p->options, "cells"))
    snprintf(p->subject, sizeof p->subject, "a table of %.40s cells",
             options_get(p->options, "cells"));
  else if (c->settings.margins)
    snprintf(p->subject, sizeof p->subject, "%zu margin%s of %s", c->settings.margin_count,
             c->settings.margin_count == 1 ? "" : "s", names);
  else
    snprintf(p->subject, sizeof p->subject, "a table of %s", names);
}

/* Of several counts the guess is a file's; of one number it is in words. */
static sfm_status read_guess(sfm_table_guess *guess, points *counts, char *words, size_t size,
                             const table_options *c, const cli_options *options, uint64_t rows,
                             sfm_error *error) {
  static const char *const column[] = {"count"};
  const char *path = options_get(options, "counts");
  const bool texts = options_has(options, "undeclared") && options_has(options, "cells");
  guess->occupied = c->settings.occupied;
  if (!guess->occupied && !path && texts) {
    uint64_t cells = 0;
    sfm_status status = options_take(options, &cells, "cells", error);
    guess->occupied = cells < rows ? cells : rows;
    snprintf(words, size, "%llu texts with equal counts", (unsigned long long)guess->occupied);
    return status;
  }
  if (guess->occupied)
    snprintf(words, size, "%llu occupied cells with equal counts",
             (unsigned long long)guess->occupied);
  if (!path) return SFM_OK;
  if (guess->occupied)
    return cli_misuse(
        error, "--occupied and --counts both state how many cells are occupied: leave one out");
  sfm_status status = points_from_file(counts, path + (*path == '@'), column, 1, error);
  guess->counts = counts->at;
  guess->count = counts->count;
  snprintf(words, size, "the counts of %.200s", path + (*path == '@'));
  return status;
}

static sfm_status plan(plan_request *p, sfm_error *error) {
  const cli_options *options = p->options;
  const bool every = !options_has(options, "sparse") && !options_has(options, "noise");
  char words[256] = "";
  table_options c = {0};
  points counts = {0};
  sfm_table_guess guess = {0};
  sfm_status status = table_options_read(&c, options, error);
  if (!status)
    status = read_guess(&guess, &counts, words, sizeof words, &c, options, p->rows, error);
  if (!status) {
    plan_request_take(p, &c.settings.context, c.settings.epsilon, c.settings.delta);
    describe(p, &c);
    p->shape = *words ? words : NULL;
    if (options_has(options, "undeclared"))
      p->unlike = "none were guessed: every record is assumed to have a different text; state "
                  "about how many texts there are: --occupied, or --counts";
    if (c.settings.margins) p->like = NULL; /* all of their cells have noise, whatever the counts */
    p->extra = options_has(options, "cells") ? "--columns COLUMNS" : NULL;
    remark_line_begin(&c.settings.context, p->options->verb);
    status = sfm_plan_histogram(&p->plan, &c.settings, every, &guess, p->rows, error);
  }
  status = plan_report_show(p, status, error);
  points_clear(&counts);
  table_options_clear(&c);
  return status;
}

static const plan_request asked = {
    .plan_by = plan,
    .output = "table.sfm",
    .apart = (const char *const[]){"cells", "counts", "occupied", "sparse", "undeclared", "delta",
                                   "calibration", "noise", NULL},
    .people = "records",
    .like = "with",
    .unlike = "none were guessed: records are assumed to be spread evenly over all cells; where a "
              "threshold hides cells, the interval covers every table; --occupied or --counts "
              "makes it narrower",
    .whole = "the records",
    .over = "summed over all cells",
    .tabular = true,
    .each = "a cell",
    .each_legend = "the same of one cell"};

const cli_verb verb_plan_histogram = {
    .name = "plan histogram",
    .summary = "the error of a table by every method, before anything is spent",
    .usage = "--n N --columns NAMES|--cells P --epsilon E [--delta D] [--occupied Q] [options]",
    .options = options_table,
    .about = CLI_PLAN_ABOUT
    "\nErrors are absolute errors, in records, summed over all cells (l1). In `predicted`, privacy "
    "is what noise adds, truncation is what counts below a threshold lose, total is their sum, "
    "relative is total divided by the number of records, and cell and deviation are the mean "
    "absolute error and the root mean square error of one cell.",
    .example = "sfumato plan histogram --n 21574 --cells 65536 --occupied 3152 --epsilon 0.5\n"
               "sfumato plan histogram --n 5000 --columns sex,age --categories 'sex=F|M' --bins 20 "
               "--bounds 0:100 --epsilon 1 --delta 1e-6",
    .run = plan_report_run,
    .plan = &asked,
};
