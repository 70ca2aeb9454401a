/* curve.c - sfumato curve: private curves in, one a record, their mean out.
 *
 * Order as for a density: every option and path is checked here and the ledger is opened; header,
 * count of lines and the planner's choice are the library's first steps; then it charges; and only
 * then are rows read. */
#include "sfumato/curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asking.h"
#include "charging.h"
#include "kernelword.h"
#include "report.h"
#include "verbs.h"
#include "wide.h"

static const cli_option options_table[] = {
    CLI_OPTION_CURVE_COLUMNS(NULL),
    CLI_OPTION_CURVE_GRID(NULL),
    {"variable", "NAME", "what is on the grid, for the release and its pictures", "t", 0},
    {"clip", "TAU",
     "the largest norm that a curve may have in the kernel's space; a larger one is scaled down to "
     "it. Public, chosen without looking at the rows: what one curve can move is 2 TAU over their "
     "number, and so is the noise. Left out, the message says what a flat curve has",
     NULL, 0},
    {"kernel", "FAMILY:BANDWIDTH",
     "in whose space curves are fitted: gaussian, laplacian, matern12, matern32, matern52 or "
     "cauchy, and its length in the grid's unit; matern52 and a tenth of the grid's range is a "
     "start",
     NULL, 0},
    {"ridge", "R",
     "how much fits are smoothed: the variance of the error of a value as a part of that of "
     "curves; 0 goes through the values",
     "0.01", 0},
    CLI_OPTION_EPSILON,
    {"delta", "D",
     "above 0 and below 1: normal noise on all directions of the fits; without it the guarantee is "
     "pure epsilon, with Laplace noise on the few that predict the least error",
     NULL, 0},
    {"person", "COLUMN",
     "the column that says whose curve it is; the curves of one person are added up and clipped "
     "together, to --contributions times TAU",
     NULL, 0},
    {"contributions", "K",
     "how many curves of norm TAU a person may have; enforced with --person, otherwise stated in "
     "the release as an assumption",
     "1", 0},
    {"schema", "FILE",
     "Frictionless Table Schema (JSON) stating, beside `fields`, person and contributions; where "
     "options speak too they must agree",
     NULL, 0},
    {"band", "C", "confidence of the error band, between 0 and 1", "0.95", 0},
    CLI_OPTION_CALIBRATION,
    CLI_OPTIONS_CHARGE,
    CLI_OPTION_SEED,
    {"json", NULL, "after writing, print the summary (as show --json) on one line", NULL, 0},
    {"output", "FILE", "the release to write, by custom ending in .sfm; - is standard output", NULL,
     'o'},
    {0},
};

static sfm_status read_guarantee(sfm_curve_settings *s, const cli_options *options,
                                 sfm_error *error) {
  static const char *const calibrations[] = {"exact", "classical", NULL};
  unsigned calibration = 0;
  if (!options_has(options, "epsilon"))
    return cli_fail(error, SFM_INVALID,
                    "--epsilon is missing: the privacy loss you allow, the smaller the more "
                    "private; write for example --epsilon 1");
  sfm_status status = options_positive(options, &s->epsilon, "epsilon", "1", error);
  if (!status) status = options_fraction(options, &s->delta, "delta", "1e-6", error);
  if (!status) status = options_choice(options, &calibration, "calibration", calibrations, error);
  if (!status) status = options_fraction(options, &s->confidence, "band", "0.95", error);
  if (!status) status = options_count(options, &s->seed, "seed", 0, UINT64_MAX, error);
  s->calibration = (sfm_calibration)calibration;
  s->seeded = options_has(options, "seed");
  if (!status && options_has(options, "calibration") && !(s->delta > 0))
    status = cli_fail(error, SFM_INVALID,
                      "--calibration is about normal noise, which needs --delta; without it the "
                      "noise is Laplace and needs no calibration");
  return status;
}

static sfm_status read_schema(sfm_schema **schema, const cli_options *options, sfm_error *error) {
  const char *path = options_get(options, "schema"), *person = options_get(options, "person");
  uint64_t contributions = 1;
  sfm_status status = options_count(options, &contributions, "contributions", 1, 1000000, error);
  if (!status)
    status = path ? sfm_schema_load(schema, path, error) : sfm_schema_create(schema, error);
  if (!status && person) status = sfm_schema_set_person(*schema, person, error);
  if (!status && options_has(options, "contributions"))
    status = sfm_schema_set_contributions(*schema, (uint32_t)contributions, error);
  return status;
}

static sfm_status read_wide(sfm_curve_settings *s, wide *w, const cli_options *options,
                            sfm_error *error) {
  if (!options_has(options, "columns"))
    return cli_fail(error, SFM_INVALID,
                    "--columns is missing: which columns hold a curve's values, in the order of "
                    "the grid; write places counted from 1, for example --columns 3-95, or names");
  if (!options_has(options, "grid"))
    return cli_fail(error, SFM_INVALID,
                    "--grid is missing: where the values were measured; write --grid 0:1 for "
                    "points evenly from 0 to 1, or --grid @FILE with one number a column");
  sfm_status status = wide_read(w, options, 0, error);
  s->columns = w->names.count ? (const char *const *)w->names.items : NULL;
  s->first = w->first;
  s->count = w->count;
  s->grid = w->grid;
  s->variable = options_get(options, "variable");
  return status;
}

static sfm_status read_kernel(sfm_curve_settings *s, const cli_options *options, sfm_error *error) {
  const char *text = options_get(options, "kernel");
  if (!text)
    return cli_fail(error, SFM_INVALID,
                    "--kernel is missing: the space in which curves are fitted. It is published, "
                    "so choose it without looking at the rows; a tenth of the grid's range is a "
                    "start: --kernel matern52:%.3g",
                    (s->grid[s->count - 1] - s->grid[0]) / 10);
  return asking_kernel(&s->kernel, &s->bandwidth, text, "kernel", error);
}

/* Without a clip: what a flat curve has here, from public numbers alone. */
static sfm_status fail_clip(const sfm_curve_settings *s, sfm_error *error) {
  sfm_curve_settings trial = *s;
  sfm_curve_plan plan;
  trial.clip = 1;
  sfm_status status = sfm_curve_choose(&plan, &trial, 1, error);
  if (status) return status;
  return cli_fail(error, SFM_INVALID,
                  "--clip is missing: the largest norm that a curve may have. It is published, so "
                  "choose it without looking at the rows. With this grid, kernel and ridge a flat "
                  "curve of height 1 has norm %.3g, and one that moves about has more: for curves "
                  "within -1 and 1 try --clip %.2g",
                  plan.flat, 1.5 * plan.flat);
}

static sfm_status read_clip(sfm_curve_settings *s, const cli_options *options, sfm_error *error) {
  sfm_status status = options_number(options, &s->ridge, "ridge", "0.01", error);
  if (!status && (!isfinite(s->ridge) || s->ridge < 0))
    status = cli_fail(error, SFM_INVALID,
                      "--ridge is %s, but must be a finite number, zero or above; write for "
                      "example --ridge 0.01",
                      options_get(options, "ridge"));
  if (!status) status = options_positive(options, &s->clip, "clip", "2.5", error);
  if (!status && !options_has(options, "clip")) status = fail_clip(s, error);
  return status;
}

static sfm_status read_settings(sfm_curve_settings *s, wide *w, sfm_schema **schema,
                                const cli_options *options, sfm_error *error) {
  *s = sfm_curve_settings_default();
  sfm_status status = read_guarantee(s, options, error);
  if (!status) status = read_wide(s, w, options, error);
  if (!status) status = read_kernel(s, options, error);
  if (!status) status = read_schema(schema, options, error);
  s->schema = *schema;
  return status ? status : read_clip(s, options, error);
}

/* Reads the rows and releases; plan is what the library chose from public numbers. */
static sfm_status release_rows(sfm_release **out, sfm_curve_plan *plan, const char *path,
                               sfm_curve_settings *settings, sfm_error *error) {
  sfm_rows *rows = NULL;
  sfm_density_settings shown = sfm_density_settings_default();
  asking_progress line;
  asking_progress_begin(&line, &shown);
  settings->progress = shown.progress;
  settings->progress_context = shown.progress_context;
  sfm_status status = sfm_rows_open(&rows, path, error);
  if (!status) status = sfm_curve_release(out, plan, rows, settings, error);
  asking_progress_end(&line);
  sfm_rows_destroy(rows);
  return status;
}

static void report(const sfm_release *release, const sfm_curve_plan *plan,
                   const sfm_curve_settings *settings, const char *path) {
  char text[320];
  const sfm_band band = sfm_release_band(release);
  const double range = settings->grid[settings->count - 1] - settings->grid[0];
  const sfm_density_settings same = {.schema = settings->schema, .epsilon = settings->epsilon};
  int used =
      snprintf(text, sizeof text, "before reading, the planner expected privacy to cost %.3g",
               sqrt(plan->privacy / range));
  if (plan->truncation > 0)
    used += snprintf(text + used, sizeof text - (size_t)used, " and the directions left out %.3g",
                     sqrt(plan->truncation / range));
  snprintf(text + used, sizeof text - (size_t)used, " (root mean square error over the grid)");
  report_written(stderr, release, path, text);
  snprintf(text, sizeof text, "%.6g, the norm of a flat curve of height %.3g", settings->clip,
           settings->clip / plan->flat);
  report_line(stderr, "clip", text);
  if (band.systematic > 0.1 * band.half_width) {
    snprintf(text, sizeof text,
             "\u00b1%.4g of the band is what the directions left out can hold at worst; with a "
             "--delta all are released",
             band.systematic);
    report_line(stderr, "note", text);
  }
  asking_doubts(&same, settings->delta);
  report_next(stderr, release, path);
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  const char *path = options_get(options, "output");
  sfm_schema *schema = NULL;
  wide w = {0};
  charge c = {0};
  sfm_curve_settings settings;
  sfm_curve_plan plan = {0};
  sfm_release *release = NULL;
  sfm_status status = read_settings(&settings, &w, &schema, options, error);
  if (!status) status = report_check_output(options, "mean.sfm", error);
  if (!status) status = charge_open(&c, options, options->operand, path, error);
  if (status) goto cleanup;
  settings.charge = c.use;
  status = release_rows(&release, &plan, options->operand, &settings, error);
  if (!status) status = charge_write(release, path, error);
  if (status) goto cleanup;
  if (settings.seeded) report_seeded(stderr, "curve");
  report(release, &plan, &settings, path);
  status = report_summary(release, options, error);
cleanup:
  sfm_release_destroy(release);
  charge_close(&c);
  wide_clear(&w);
  sfm_schema_destroy(schema);
  return status;
}

const cli_verb verb_curve = {
    .name = "curve",
    .summary = "release the mean of private curves, one a record",
    .usage = "CURVES --columns A-B --grid A:B --kernel FAMILY:H --clip TAU --epsilon E [options] "
             "-o FILE",
    .operand = "CURVES",
    .operand_help = "wide CSV, one curve a line after the header (plain or gzip), or NPY; - is "
                    "standard input",
    .options = options_table,
    .about =
        "Every curve is fitted in the space of the kernel from the points at which it has a value, "
        "its norm is clipped to TAU, and the mean over all records is released.\n"
        "Private: the values. A cell that is empty or not a number is a missing point; a record "
        "without any point counts as the curve that is zero. No message, exit code or output "
        "depends on what a record holds, except through the noise. (With --ledger, exit code 3 "
        "after the charge tells the owner that the rows are not those of the earlier answers.)\n"
        "Public: everything you write here and the number of records. All of it is in the release.",
    .example =
        "sfumato curve curves.csv --columns 3-95 --grid 0:1 --kernel matern52:0.1 --clip 2.5 "
        "--epsilon 1 --delta 1e-6 -o mean.sfm\n"
        "sfumato curve visits.csv --columns 8-100 --grid @where.txt --kernel matern52:0.1 --clip 2 "
        "--person ID --contributions 4 --epsilon 1 --delta 1e-6 -o mean.sfm\n"
        "sfumato plot mean.sfm --over simulated.csv -o mean.png",
    .run = run,
};
