/* curve_verb.c - sfumato curve: private curves in, one per record, their mean out.
 *
 * Order as for a density: every option and path is checked here and the ledger is opened; header,
 * count of lines and the planner's choice are the library's first steps; then it charges; and only
 * then are rows read. */
#include <math.h>

#include "cli/core/text.h"
#include "cli/core/verbs.h"
#include "cli/ledger/ledger_options.h"
#include "cli/report/report.h"
#include "cli/request/progress_line.h"
#include "cli/request/curve_options.h"

static const cli_option options_table[] = {
    CLI_SAME(curve_columns), CLI_SAME(curve_grid), CLI_SAME(mean_shape),
    CLI_GROUP(curve),        CLI_GROUP(charge),    CLI_SAME(seed),
    CLI_OPTION_SUMMARY,      CLI_OPTION_RELEASE,   {0},
};

/* Reads the rows and releases; plan is what the library chose from public numbers. */
static sfm_status release_rows(sfm_release **out, sfm_curve_plan *plan, const char *path,
                               sfm_curve_settings *settings, sfm_error *error) {
  sfm_rows *rows = NULL;
  progress_line line;
  progress_line_begin(&line, &settings->context);
  sfm_status status = sfm_rows_open(&rows, path, error);
  if (!status) status = sfm_curve_release(out, plan, rows, settings, error);
  progress_line_end(&line);
  sfm_rows_destroy(rows);
  return status;
}

static void report(const sfm_release *release, const sfm_curve_plan *plan,
                   const sfm_curve_settings *settings, const char *path) {
  char text[320];
  const sfm_band band = sfm_release_band(release);
  const double range = settings->grid[settings->count - 1] - settings->grid[0];
  const sfm_density_settings same = {.context.schema = settings->context.schema,
                                     .epsilon = settings->epsilon};
  int used = snprintf(text, sizeof text, "the plan expected an error of %.3g from privacy",
                      sqrt(plan->privacy / range));
  if (plan->truncation > 0)
    used += snprintf(text + used, sizeof text - (size_t)used,
                     " and of %.3g from the directions left out", sqrt(plan->truncation / range));
  snprintf(text + used, sizeof text - (size_t)used, " (root mean squared error over the grid)");
  report_written(stderr, release, path, text);
  text_say(stderr, "clip", "%.6g, the norm of a flat curve of height %.3g", settings->clip,
           settings->clip / plan->flat);
  if (band.systematic > 0.1 * band.half_width) {
    text_say(stderr, "note",
             "\u00b1%.4g of the band covers the largest possible error from the directions left "
             "out; with --delta all directions are released",
             band.systematic);
  }
  row_options_warn(&same, settings->delta);
  report_next(stderr, release, path);
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  const char *path = options_get(options, "output");
  curve_options f;
  charge c = {0};
  sfm_curve_plan plan = {0};
  sfm_release *release = NULL;
  sfm_status status = curve_options_read(&f, options, error);
  if (!status) status = report_check_output(options, "mean.sfm", error);
  if (!status) status = charge_open(&c, options, error);
  if (status) goto cleanup;
  f.settings.context.charge = c.use;
  status = release_rows(&release, &plan, options->operand, &f.settings, error);
  if (!status) status = charge_write(release, path, error);
  if (status) goto cleanup;
  if (f.settings.context.seeded) report_seeded(stderr, "curve");
  report(release, &plan, &f.settings, path);
  status = report_summary(release, options, error);
cleanup:
  sfm_release_destroy(release);
  charge_close(&c);
  curve_options_clear(&f);
  return status;
}

const cli_verb verb_curve = {
    .name = "curve",
    .summary = "release the mean of private curves, one curve per record",
    .usage = "CURVES --columns A-B --grid A:B --kernel FAMILY:H --clip TAU --epsilon E [options] "
             "-o FILE",
    .operand = "CURVES",
    .operand_help = "wide CSV, one curve per line after the header (plain or gzip), or NPY; - is "
                    "standard input",
    .options = options_table,
    .about = "Every curve is fitted, in the space of the kernel, to the points at which it has a "
             "value. Its norm is clipped to TAU. The mean over all records is released.\n"
             "Private: the values. A cell that is empty or not a number is a missing point. A "
             "record without any point enters the mean as the zero curve. No message, exit code or "
             "output depends on the contents of a record, except through the noise. (With "
             "--ledger, exit code 3 after the charge tells the owner that the rows are not the "
             "rows of the earlier releases.)\n"
             "Public: everything you write here and the number of records. The release contains "
             "all of it.",
    .example =
        "sfumato curve curves.csv --columns 3-95 --grid 0:1 --kernel matern52:0.1 --clip 2.5 "
        "--epsilon 1 --delta 1e-6 -o mean.sfm\n"
        "sfumato curve visits.csv --columns 8-100 --grid @where.txt --kernel matern52:0.1 --clip 2 "
        "--person ID --contributions 4 --epsilon 1 --delta 1e-6 -o mean.sfm\n"
        "sfumato plot mean.sfm --over simulated.csv -o mean.png",
    .run = run,
};
