/* density.c - sfumato density: private rows in, a released density out.
 *
 * Order: every option, the schema and the output path are checked here, and the ledger is opened;
 * the header, the count of lines (replace only, where it is public) and the planner's choice are
 * the library's first steps; then it charges; and only then are rows read. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asking.h"
#include "boundary.h"
#include "charging.h"
#include "choosing.h"
#include "grouping.h"
#include "points.h"
#include "report.h"
#include "text.h"
#include "verbs.h"

static const cli_option options_table[] = {
    CLI_OPTION_COLUMNS,
    CLI_OPTION_BOUNDS,
    CLI_OPTION_SCHEMA,
    {"bandwidth", "H[,H...]|choose:H,H[,H...]",
     "standard deviation of the Gaussian kernel (or the length of another one) in the column's "
     "unit, one for all columns or one each; public; a twentieth of the domain's width is a start. "
     "choose: one of these is chosen privately, which takes a part of the budget; with several "
     "columns a candidate is written 2x0.5",
     NULL, 0},
    CLI_OPTION_CHOICE_SHARE,
    CLI_OPTION_EPSILON,
    {"delta", "D",
     "above 0 and below 1: allows normal noise at this delta; without it the guarantee is pure "
     "epsilon",
     NULL, 0},
    {"method", "auto|lattice|gp|sobolev[:GAMMA[,GAMMA...]]|fourier-laplace|caratheodory",
     "lattice: pure epsilon, or with normal noise; gp: a Gaussian process, needs --delta; auto: "
     "the "
     "least predicted error of these two, and normal noise when a gdp or zcdp ledger is charged at "
     "a --delta, where it costs far less; sobolev: the gaussian estimate with the rough noise of a "
     "Sobolev space, of "
     "covariance exp(-GAMMA|x - y|), values at points, needs --delta; GAMMA in one over the "
     "column's unit, one for all columns or one each, else the one of least noise; "
     "fourier-laplace: pure epsilon, Laplace noise on Fourier coefficients; caratheodory: pure "
     "epsilon, one column, idealised, noise shaped like the trigonometric moments. auto never "
     "takes "
     "these two",
     "auto", 0},
    CLI_OPTION_BOUNDARY,
    {"noise", "auto|laplace|normal",
     "lattice: laplace is pure epsilon; normal needs --delta, and suits many releases and many "
     "columns; auto: what predicts less",
     "auto", 0},
    {"terms", "M",
     "fourier-laplace and caratheodory: frequencies 1 to M along every axis, at most 2000 (24 with "
     "--body hull); by default the number of least predicted error",
     NULL, 0},
    {"body", "exact|hull",
     "caratheodory: the shape of its noise. exact: the moments' own body, drawn exactly; hull: its "
     "symmetric hull, less noise, drawn by a walk (seconds to minutes)",
     "exact", 0},
    CLI_OPTION_KERNEL,
    {"engine", "auto|spectral|circulant|markov|gram|random",
     "gp and sobolev: how the noise is drawn. spectral: gp with the gaussian kernel, the whole "
     "function, hardened. circulant: grids of up to three variables; markov: laplacian, matern and "
     "sobolev of one variable; gram: anything, up to 10000 points; these release values at points "
     "and are idealised. random: gp of many variables, the whole function, hardened, its kernel "
     "approximated by random features. auto: spectral where it can, else markov, circulant or "
     "gram, the first that can; gp with more than four variables random",
     "auto", 0},
    {"features", "F",
     "random only: how many features, an even number; by default as many as make approximation "
     "a small part of the error, within about a minute and two megabytes",
     NULL, 0},
    {"release-grid", "N[xM...]",
     "engines that release values: at a regular grid over the bounds, N points along every axis or "
     "one number an axis (512 in one variable, 64x64, 16x16x16)",
     NULL, 0},
    {"release-points", "FILE",
     "the same: at the points of a CSV whose header names the columns, or of an NPY of shape "
     "(points, columns); public",
     NULL, 0},
    CLI_OPTION_BY,
    CLI_OPTION_CATEGORIES,
    CLI_OPTION_NEIGHBOURS,
    CLI_OPTION_PERSON,
    CLI_OPTION_CONTRIBUTIONS,
    CLI_OPTION_OUTSIDE,
    {"band", "C", "confidence of the error band, between 0 and 1", "0.95", 0},
    CLI_OPTION_CALIBRATION,
    CLI_OPTION_EXPECT,
    CLI_OPTIONS_CHARGE,
    CLI_OPTION_SEED,
    {"json", NULL, "after writing, print the summary (as show --json) on one line", NULL, 0},
    {"output", "FILE", "the release to write, by custom ending in .sfm; - is standard output", NULL,
     'o'},
    {0},
};

/* Where engines other than spectral release values. */
static sfm_status read_places(sfm_density_settings *s, points *places, const cli_options *options,
                              sfm_error *error) {
  const char *grid = options_get(options, "release-grid"),
             *file = options_get(options, "release-points");
  size_t total;
  sfm_status status = SFM_OK;
  if (grid && file)
    return cli_fail(error, SFM_INVALID,
                    "values are released on a grid or at points: leave out --release-grid or "
                    "--release-points");
  if (file && strcmp(file, "-") == 0 && strcmp(options->operand, "-") == 0)
    return cli_fail(error, SFM_INVALID,
                    "the rows and the points of the release cannot both be standard input");
  if (grid)
    status = points_grid_counts(s->release_grid, &total, grid, "release-grid", s->dimension, error);
  if (file) status = points_from_file(places, file, s->columns, s->dimension, error);
  s->release_points = places->at;
  s->release_count = places->count;
  if (!status && file && places->count == 0)
    status = cli_fail(error, SFM_INVALID, "%s has no points to release values at", file);
  return status;
}

/* One gamma for all columns or one each. */
static sfm_status read_gamma(sfm_density_settings *s, double *gamma, const char *text,
                             sfm_error *error) {
  double *numbers;
  size_t count;
  sfm_status status = text_numbers(&numbers, &count, text, "method sobolev", error);
  if (status) return status;
  if (count != 1 && count != s->dimension)
    status = cli_fail(error, SFM_INVALID,
                      "--method sobolev has %zu numbers for %zu column%s; give one for all, or one "
                      "a column separated by commas",
                      count, s->dimension, s->dimension == 1 ? "" : "s");
  for (size_t i = 0; !status && i < s->dimension; i++) gamma[i] = numbers[count == 1 ? 0 : i];
  s->gamma = gamma;
  free(numbers);
  return status;
}

static sfm_status read_method(sfm_density_settings *s, double *gamma, const cli_options *options,
                              sfm_error *error) {
  static const char *const methods[] = {
      "auto", "lattice", "gp", "sobolev", "fourier-laplace", "caratheodory", NULL};
  static const char numbered[] = "sobolev:";
  const char *text = options_get(options, "method");
  unsigned method = SFM_DENSITY_SOBOLEV;
  const bool given = text && strncmp(text, numbered, strlen(numbered)) == 0;
  if (!text) return SFM_OK;
  sfm_status status = given ? read_gamma(s, gamma, text + strlen(numbered), error)
                            : options_choice(options, &method, "method", methods, error);
  s->method = (sfm_density_method)method;
  const bool normal = s->method == SFM_DENSITY_GP || s->method == SFM_DENSITY_SOBOLEV;
  if (!status && normal && !(s->delta > 0))
    status = cli_fail(error, SFM_INVALID,
                      "--method %s adds normal noise, which needs a delta; write for example "
                      "--delta 1e-6, or use --method lattice for pure epsilon",
                      methods[method]);
  return status;
}

/* The noise of a lattice. */
static sfm_status read_noise(sfm_density_settings *s, const cli_options *options,
                             sfm_error *error) {
  static const char *const noises[] = {"auto", "laplace", "normal", NULL};
  unsigned noise = 0;
  sfm_status status = options_choice(options, &noise, "noise", noises, error);
  s->noise = (sfm_density_noise)noise;
  if (!status && s->noise == SFM_DENSITY_NOISE_NORMAL && !(s->delta > 0))
    status = cli_fail(error, SFM_INVALID,
                      "--noise normal needs a delta; write for example --delta 1e-6, or use "
                      "--noise laplace for pure epsilon");
  return status;
}

/* The frequencies of fourier-laplace and caratheodory, and the latter's body. */
static sfm_status read_terms(sfm_density_settings *s, const cli_options *options,
                             sfm_error *error) {
  static const char *const bodies[] = {"exact", "hull", NULL};
  uint64_t terms = 0;
  unsigned body = 0;
  sfm_status status = options_count(options, &terms, "terms", 1, 2000, error);
  if (!status) status = options_choice(options, &body, "body", bodies, error);
  if (!status && options_has(options, "body") && s->method != SFM_DENSITY_CARATHEODORY)
    status = cli_fail(error, SFM_INVALID,
                      "--body belongs to --method caratheodory: add it, or leave out --body");
  s->terms = (size_t)terms;
  s->body = (sfm_density_body)body;
  return status;
}

/* Categories are for columns that make groups: one that was forgotten in --by would cost a release
 * that is not the one meant. */
static sfm_status check_stated(const text_list *by, const cli_options *options, sfm_error *error) {
  size_t at = 0;
  for (const char *text; (text = options_next(options, "categories", &at));) {
    const size_t length = strcspn(text, "=");
    bool named = false;
    for (size_t i = 0; i < by->count && !named; i++)
      named = strlen(by->items[i]) == length && strncmp(by->items[i], text, length) == 0;
    if (!named)
      return cli_fail(error, SFM_INVALID,
                      "--categories: '%.*s' is not among the columns that make groups: add it to "
                      "--by, or leave out its --categories",
                      (int)(length < 64 ? length : 64), text);
  }
  return SFM_OK;
}

/* The groups; by is where their names go. */
static sfm_status read_groups(sfm_density_settings *s, const facts *f, text_list *by,
                              const cli_options *options, sfm_error *error) {
  sfm_status status = grouping_by(by, options, error);
  if (!status && options_has(options, "categories") && by->count == 0)
    status = cli_fail(error, SFM_INVALID,
                      "--categories are those of columns that make groups: name them, for example "
                      "--by sex, or leave out --categories");
  if (!status) status = grouping_categories(f->schema, options, error);
  if (!status) status = check_stated(by, options, error);
  s->by = (const char *const *)by->items;
  s->by_count = by->count;
  return status;
}

/* h, gamma: room for SFM_MAX_DIMENSION; candidates: see choosing.h. */
static sfm_status read_settings(sfm_density_settings *s, facts *f, double *h, double *candidates,
                                double *gamma, boundaries *edges, points *places, text_list *by,
                                const cli_options *options, sfm_error *error) {
  static const char *const engines[] = {"auto", "spectral", "circulant", "markov",
                                        "gram", "random",   NULL};
  uint64_t features = 0;
  sfm_status status = asking_read(s, f, choosing_asked(options) ? NULL : h, options, error);
  if (!status) status = choosing_read(s, candidates, options, error);
  if (!status) status = read_method(s, gamma, options, error);
  if (!status) status = boundary_read(s, edges, options, error);
  if (!status) status = read_noise(s, options, error);
  if (!status) status = read_terms(s, options, error);
  if (!status) status = asking_read_engine(s, options, engines, error);
  if (!status) status = read_places(s, places, options, error);
  if (!status) status = read_groups(s, f, by, options, error);
  if (!status) status = options_count(options, &features, "features", 2, (uint64_t)1 << 20, error);
  s->features = (size_t)features;
  return status;
}

/* Reads the rows and releases; plan is what the library chose from public numbers. */
static sfm_status release_rows(sfm_release **out, sfm_density_plan *plan, const char *path,
                               const sfm_density_settings *settings, sfm_error *error) {
  sfm_rows *rows = NULL;
  sfm_density_settings s = *settings;
  asking_progress line;
  asking_progress_begin(&line, &s);
  sfm_status status = sfm_rows_open(&rows, path, error);
  if (!status) status = sfm_density_release(out, plan, rows, &s, error);
  asking_progress_end(&line);
  sfm_rows_destroy(rows);
  return status;
}

static bool by_terms(sfm_density_method method) {
  return method == SFM_DENSITY_FOURIER_LAPLACE || method == SFM_DENSITY_CARATHEODORY;
}

/* plan is NULL when no number of records was there to predict with. */
static void report(const sfm_release *release, const sfm_density_plan *plan, const char *path) {
  char text[512];
  int used = 0;
  if (plan)
    used = snprintf(text, sizeof text,
                    "before reading, the planner expected privacy to cost %.3g (root integrated "
                    "square error over the domain%s)",
                    sqrt(plan->privacy),
                    sfm_release_group_count(release) > 1 ? ", for groups of the same size" : "");
  if (plan && plan->engine == SFM_ENGINE_RANDOM)
    used += snprintf(text + used, sizeof text - (size_t)used,
                     ", approximation by random features %.3g", sqrt(plan->truncation));
  if (plan && by_terms(plan->method))
    used += snprintf(text + used, sizeof text - (size_t)used, ", frequencies left out %.3g",
                     sqrt(plan->truncation));
  if (plan && plan->seconds >= 1)
    snprintf(text + used, sizeof text - (size_t)used, "; about %.2g s of one processor",
             plan->seconds);
  report_written(stderr, release, path, plan ? text : NULL);
}

/* Whether neighbouring points of a grid of values are more than a bandwidth apart. */
static bool too_coarse(const sfm_release *release) {
  size_t counts[SFM_MAX_DIMENSION];
  double lower, upper;
  if (!sfm_release_grid(release, counts)) return false;
  for (size_t a = 0; a < sfm_release_dimension(release); a++) {
    sfm_release_bounds(release, &lower, &upper, a);
    if ((upper - lower) / (double)(counts[a] - 1) > sfm_release_bandwidth(release, a)) return true;
  }
  return false;
}

/* What is allowed and seldom meant. */
static void report_doubts(const sfm_release *release, const sfm_density_settings *settings) {
  const sfm_guarantee g = sfm_release_guarantee(release);
  if (settings->delta > 0 && g.kind == SFM_PURE)
    report_line(stderr, "note",
                by_terms(settings->method)
                    ? "delta was not used: the method's guarantee is pure epsilon"
                    : "delta was not used: the lattice's guarantee is pure epsilon");
  if (settings->method == SFM_DENSITY_CARATHEODORY)
    report_line(
        stderr, "note",
        settings->body == SFM_BODY_HULL
            ? "idealised: the noise is doubles, private in exact arithmetic, and drawn by a "
              "walk whose mixing is measured and not proved (--method lattice is hardened)"
            : "idealised: the noise is doubles, private in exact arithmetic (--method "
              "lattice is hardened)");
  if (too_coarse(release))
    report_line(
        stderr, "note",
        "the points of this release are farther apart than the bandwidth, so that little is "
        "known between them; a finer --release-grid costs no privacy");
  asking_doubts(settings, g.delta);
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  facts f = {0};
  charge c = {0};
  sfm_density_settings settings;
  sfm_density_plan plan = {0};
  sfm_release *release = NULL;
  points places = {0};
  boundaries edges;
  text_list by = {0};
  double h[SFM_MAX_DIMENSION], gamma[SFM_MAX_DIMENSION];
  double candidates[CHOOSING_MAX * SFM_MAX_DIMENSION];
  const char *path = options_get(options, "output");
  sfm_status status =
      read_settings(&settings, &f, h, candidates, gamma, &edges, &places, &by, options, error);
  if (!status) status = report_check_output(options, "density.sfm", error);
  if (!status) status = charge_open(&c, options, options->operand, path, error);
  if (status) goto cleanup;
  settings.charge = c.use;
  status = release_rows(&release, &plan, options->operand, &settings, error);
  if (!status) status = charge_write(release, path, error);
  if (status) goto cleanup;
  if (settings.seeded) report_seeded(stderr, "density");
  report(release,
         sfm_release_neighbours(release) == SFM_REPLACE || settings.expected_rows ? &plan : NULL,
         path);
  status = choosing_report(stderr, release, error);
  if (status) goto cleanup;
  report_doubts(release, &settings);
  report_next(stderr, release, path);
  status = report_summary(release, options, error);
cleanup:
  sfm_release_destroy(release);
  charge_close(&c);
  points_clear(&places);
  text_list_clear(&by);
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
        "not a number counts as zero, and so does one whose category is none of those stated. No "
        "message, "
        "exit code or output depends on what a row holds, except through the noise. (With "
        "--ledger, "
        "exit code 3 after the charge tells the owner that the rows are not those of the earlier "
        "answers.)\n"
        "Public: everything you write here (columns, bounds, bandwidth, epsilon, delta, ...) and "
        "under replace the number of rows. All of it is in the release.",
    .example =
        "sfumato density rows.csv --columns age --bounds 0:100 --bandwidth 4 --epsilon 1 -o "
        "age.sfm\n"
        "sfumato density rows.csv --columns age --bounds 0:100 --bandwidth 4 --by sex,region "
        "--categories 'sex=F|M' --categories region=@regions.txt --epsilon 1 -o groups.sfm\n"
        "sfumato density rows.csv --columns lon,lat --bounds -74.3:-73.7,40.5:40.9 --bandwidth "
        "0.01 --epsilon 1 -o map.sfm\n"
        "sfumato density rows.csv --columns hour --bounds 0:24 --boundary periodic --bandwidth 1 "
        "--epsilon 1 -o hour.sfm\n"
        "sfumato density rows.csv --columns age --bounds 0:100 --bandwidth 4 --epsilon 1 --delta "
        "1e-6 --method gp --kernel laplacian -o age.sfm\n"
        "sfumato density rows.csv --columns age --bounds 0:100 --bandwidth 4 --epsilon 1 --delta "
        "1e-6 --method sobolev:0.2 -o age.sfm",
    .run = run,
};
