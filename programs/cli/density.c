/* density.c - sfumato density: private rows in, a released density out.
 *
 * Order: every option, the schema and the output path are checked here, and the ledger is opened;
 * the header, the count of lines (replace only, where it is public) and the planner's choice are
 * the library's first steps; then it charges; and only then are rows read. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "charging.h"
#include "facts.h"
#include "report.h"
#include "sfumato/density.h"
#include "verbs.h"

static const cli_option options_table[] = {
    CLI_OPTION_COLUMNS,
    CLI_OPTION_BOUNDS,
    CLI_OPTION_SCHEMA,
    {"bandwidth", "H[,H...]",
     "standard deviation of the Gaussian kernel in the column's unit, one for all columns or one "
     "each; public; a twentieth of the domain's width is a start",
     NULL, 0},
    {"epsilon", "E", "privacy loss allowed, above 0: the smaller, the more private", NULL, 0},
    {"delta", "D",
     "above 0 and below 1: allows normal noise at this delta; without it the guarantee is pure "
     "epsilon",
     NULL, 0},
    {"method", "auto|lattice|gp",
     "lattice: pure epsilon; gp: a Gaussian process, needs --delta; auto: the least predicted "
     "error, and gp when a gdp or zcdp ledger is charged at a --delta, where it costs far less",
     "auto", 0},
    CLI_OPTION_NEIGHBOURS,
    CLI_OPTION_PERSON,
    CLI_OPTION_CONTRIBUTIONS,
    {"outside", "clamp|drop",
     "a value beyond its bounds counts as the bound, or its row counts as zero", "clamp", 0},
    {"band", "C", "confidence of the error band, between 0 and 1", "0.95", 0},
    CLI_OPTION_CALIBRATION,
    {"expect", "N",
     "add-remove only: a public guess of the number of records, to plan with; never the true count",
     NULL, 0},
    CLI_OPTIONS_CHARGE,
    CLI_OPTION_SEED,
    {"json", NULL, "after writing, print the summary (as show --json) on one line", NULL, 0},
    {"output", "FILE", "the release to write, by custom ending in .sfm; - is standard output", NULL,
     'o'},
    {0},
};

/* One bandwidth for all columns or one each, into h. */
static sfm_status read_bandwidth(double *h, const facts *f, const cli_options *options,
                                 sfm_error *error) {
  const char *text = options_get(options, "bandwidth");
  size_t dimension = f->columns.count, count;
  double *numbers;
  if (!text) {
    const sfm_column *first = sfm_schema_find(f->schema, f->columns.items[0]);
    return cli_fail(error, SFM_INVALID,
                    "--bandwidth is missing: the width of the smoothing in the column's unit. It "
                    "is published, so choose it without looking at the rows; a twentieth "
                    "of the domain's width is a start: --bandwidth %.3g",
                    (first->upper - first->lower) / 20);
  }
  sfm_status status = text_numbers(&numbers, &count, text, "bandwidth", error);
  if (status) return status;
  if (count != 1 && count != dimension)
    status = cli_fail(error, SFM_INVALID,
                      "--bandwidth has %zu numbers for %zu column%s; give one for all, or one a "
                      "column separated by commas",
                      count, dimension, dimension == 1 ? "" : "s");
  for (size_t i = 0; !status && i < dimension; i++) {
    h[i] = numbers[count == 1 ? 0 : i];
    if (!isfinite(h[i]) || !(h[i] > 0))
      status = cli_fail(error, SFM_INVALID,
                        "--bandwidth is %s, but must be a finite number above zero, in the unit of "
                        "column '%s'",
                        text, f->columns.items[i]);
  }
  free(numbers);
  return status;
}

static sfm_status read_guarantee(sfm_density_settings *s, const cli_options *options,
                                 sfm_error *error) {
  static const char *const methods[] = {"auto", "lattice", "gp", NULL};
  static const char *const calibrations[] = {"exact", "classical", NULL};
  static const char *const outsides[] = {"clamp", "drop", NULL};
  unsigned method = 0, calibration = 0, outside = 0;
  if (!options_has(options, "epsilon"))
    return cli_fail(error, SFM_INVALID,
                    "--epsilon is missing: the privacy loss you allow, the smaller the more "
                    "private; write for example --epsilon 1");
  sfm_status status = options_positive(options, &s->epsilon, "epsilon", "1", error);
  if (!status) status = options_fraction(options, &s->delta, "delta", "1e-6", error);
  if (!status) status = options_choice(options, &method, "method", methods, error);
  if (!status) status = options_choice(options, &calibration, "calibration", calibrations, error);
  if (!status) status = options_choice(options, &outside, "outside", outsides, error);
  if (!status) status = options_fraction(options, &s->confidence, "band", "0.95", error);
  if (!status) status = options_count(options, &s->seed, "seed", 0, UINT64_MAX, error);
  if (status) return status;
  s->method = (sfm_density_method)method;
  s->calibration = (sfm_calibration)calibration;
  s->outside = (sfm_outside)outside;
  s->seeded = options_has(options, "seed");
  if (s->method == SFM_DENSITY_GP && !(s->delta > 0))
    return cli_fail(error, SFM_INVALID,
                    "--method gp adds normal noise, which needs a delta; write for example "
                    "--delta 1e-6, or use --method lattice for pure epsilon");
  if (options_has(options, "calibration") && !(s->delta > 0))
    return cli_fail(error, SFM_INVALID,
                    "--calibration is about normal noise, which needs --delta; without it the "
                    "noise is Laplace and needs no calibration");
  return SFM_OK;
}

static sfm_status read_neighbours(sfm_density_settings *s, const facts *f,
                                  const cli_options *options, sfm_error *error) {
  static const char *const words[] = {"replace", "add-remove", NULL};
  unsigned neighbours = 0;
  sfm_status status = options_choice(options, &neighbours, "neighbours", words, error);
  if (!status && options_has(options, "neighbours"))
    status = sfm_schema_set_neighbours(f->schema, (sfm_neighbours)neighbours, error);
  if (!status)
    status = options_count(options, &s->expected_rows, "expect", 1, (uint64_t)1 << 50, error);
  if (!status && s->expected_rows && sfm_schema_neighbours(f->schema) == SFM_REPLACE)
    status = cli_fail(error, SFM_INVALID,
                      "--expect is for --neighbours add-remove; under replace the number of "
                      "records is public and counted");
  return status;
}

static sfm_status read_settings(sfm_density_settings *s, facts *f, double *h,
                                const cli_options *options, sfm_error *error) {
  *s = sfm_density_settings_default();
  sfm_status status = read_guarantee(s, options, error);
  if (!status && !options_has(options, "columns"))
    status = cli_fail(error, SFM_INVALID,
                      "--columns is missing: which column, or columns, to release the density of; "
                      "write for example --columns age");
  if (!status) status = facts_read(f, options, error);
  if (!status) status = read_neighbours(s, f, options, error);
  if (!status) status = read_bandwidth(h, f, options, error);
  s->schema = f->schema;
  s->columns = (const char *const *)f->columns.items;
  s->dimension = f->columns.count;
  s->bandwidth = h;
  return status;
}

/* What is shown on a terminal while many rows are read. */
typedef struct progress_line {
  time_t start, shown;
} progress_line;

static void show_progress(void *context, uint64_t rows_read) {
  progress_line *line = context;
  time_t now = time(NULL);
  if (now < line->start + 2 || now == line->shown) return;
  line->shown = now;
  fprintf(stderr, "\r\033[Kreading rows: %.1f million", (double)rows_read / 1e6);
}

/* Reads the rows and releases; plan is what the library chose from public numbers. */
static sfm_status release_rows(sfm_release **out, sfm_density_plan *plan, const char *path,
                               const sfm_density_settings *settings, sfm_error *error) {
  sfm_rows *rows = NULL;
  sfm_density_settings s = *settings;
  progress_line line = {.start = time(NULL)};
  if (isatty(STDERR_FILENO)) {
    s.progress = show_progress;
    s.progress_context = &line;
  }
  sfm_status status = sfm_rows_open(&rows, path, error);
  if (!status) status = sfm_density_release(out, plan, rows, &s, error);
  if (line.shown) fputs("\r\033[K", stderr);
  sfm_rows_destroy(rows);
  return status;
}

/* plan is NULL when no number of records was there to predict with. */
static void report(const sfm_release *release, const sfm_density_plan *plan, const char *path) {
  char text[256];
  if (plan)
    snprintf(text, sizeof text,
             "before reading, the planner expected privacy to cost %.3g (root integrated square "
             "error over the domain)",
             sqrt(plan->privacy));
  report_written(stderr, release, path, plan ? text : NULL);
}

/* What is allowed and seldom meant. */
static void report_doubts(const sfm_release *release, const sfm_density_settings *settings) {
  const sfm_guarantee g = sfm_release_guarantee(release);
  if (settings->delta > 0 && g.kind == SFM_PURE)
    report_line(stderr, "note", "delta was not used: the lattice's guarantee is pure epsilon");
  else if (g.delta > 1e-3)
    report_line(stderr, "note",
                "this delta lets a person be exposed outright with that probability; it should be "
                "far below one over the number of people, such as 1e-6");
  if (g.epsilon > 10) report_line(stderr, "note", "an epsilon above 10 promises very little");
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  facts f = {0};
  charge c = {0};
  sfm_density_settings settings;
  sfm_density_plan plan = {0};
  sfm_release *release = NULL;
  double h[SFM_MAX_DIMENSION];
  const char *path = options_get(options, "output");
  sfm_status status = read_settings(&settings, &f, h, options, error);
  if (!status) status = report_check_output(options, "density.sfm", error);
  if (!status) status = charge_open(&c, options, error);
  if (status) goto cleanup;
  settings.charge = c.use;
  status = release_rows(&release, &plan, options->operand, &settings, error);
  if (!status) status = charge_write(release, path, error);
  if (status) goto cleanup;
  if (settings.seeded) report_seeded(stderr, "density");
  report(release,
         sfm_release_neighbours(release) == SFM_REPLACE || settings.expected_rows ? &plan : NULL,
         path);
  report_doubts(release, &settings);
  if (sfm_schema_contributions(f.schema) > 1 && !sfm_schema_person(f.schema))
    fprintf(stderr,
            "note        that a person has at most %u records is an assumption; --person "
            "COLUMN enforces it\n",
            sfm_schema_contributions(f.schema));
  status = report_summary(release, options, error);
cleanup:
  sfm_release_destroy(release);
  charge_close(&c);
  facts_clear(&f);
  return status;
}

const cli_verb verb_density = {
    .name = "density",
    .summary = "release the density of private rows",
    .usage = "ROWS --columns NAMES --bounds A:B --bandwidth H --epsilon E [options] -o FILE",
    .operand = "ROWS",
    .operand_help = "CSV with a header line (plain or gzip), or NPY; - is standard input",
    .options = options_table,
    .about =
        "Private: the rows, and under add-remove their number. A value outside its bounds is "
        "clamped (or its row counts as zero, --outside drop); a row with a cell that is empty or "
        "not a number counts as zero. No message, "
        "exit code or output depends on what a row holds, except through the noise. (With "
        "--ledger, "
        "exit code 3 after the charge tells the owner that the rows are not those of the earlier "
        "answers.)\n"
        "Public: everything you write here (columns, bounds, bandwidth, epsilon, delta, ...) and "
        "under replace the number of rows. All of it is in the release.",
    .example =
        "sfumato density rows.csv --columns age --bounds 0:100 --bandwidth 4 --epsilon 1 -o "
        "age.sfm\n"
        "sfumato density rows.csv --columns lon,lat --bounds -74.3:-73.7,40.5:40.9 --bandwidth "
        "0.01 --epsilon 1 -o map.sfm",
    .run = run,
};
