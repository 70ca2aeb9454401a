/* series.c - sfumato series: the density of one private column as the first terms of an orthonormal
 * series.  The order is that of density.c: everything public is checked, the ledger is charged, and
 * only then are rows read. */
#include <math.h>
#include <string.h>

#include "asking.h"
#include "charging.h"
#include "kernelword.h"
#include "report.h"
#include "sfumato/series.h"
#include "verbs.h"

static const cli_option options_table[] = {
    CLI_OPTION_COLUMNS,
    CLI_OPTION_BOUNDS,
    CLI_OPTION_SCHEMA,
    {"basis", "NAME[:...]",
     "fourier: waves, for what wraps round (hours, directions); cosine: half waves; legendre: "
     "polynomials; hermite or hermite:UNIT: for what lies about the middle of the bounds (UNIT: a "
     "tenth of their width); haar: steps; db4: wavelets that wrap round; eigen:KERNEL:BANDWIDTH: "
     "the eigenfunctions of a kernel, such as eigen:matern52:0.1",
     NULL, 0},
    {"terms", "M|auto",
     "how many functions, a constant among them counted: odd for fourier, a power of two for haar "
     "and db4; auto: the number of least predicted error for a public reference shape",
     "auto", 0},
    CLI_OPTION_EPSILON,
    {"delta", "D",
     "above 0 and below 1, for normal noise; without it the guarantee is pure epsilon", NULL, 0},
    {"noise", "laplace|normal|gamma",
     "laplace: pure epsilon; normal: needs --delta; gamma: pure epsilon, idealised; for waves "
     "a little less noise than laplace",
     "normal with --delta, else laplace", 0},
    CLI_OPTION_PERSON,
    CLI_OPTION_CONTRIBUTIONS,
    CLI_OPTION_OUTSIDE,
    {"band", "C", "confidence of the error band, between 0 and 1", "0.95", 0},
    CLI_OPTION_CALIBRATION,
    CLI_OPTIONS_CHARGE,
    CLI_OPTION_SEED,
    {"json", NULL, "after writing, print the summary (as show --json) on one line", NULL, 0},
    {"output", "FILE", "the release to write, by custom ending in .sfm; - is standard output", NULL,
     'o'},
    {0},
};

/* NAME, hermite:UNIT or eigen:KERNEL:BANDWIDTH. */
static sfm_status read_basis(sfm_series_settings *s, const cli_options *options, sfm_error *error) {
  const char *text = options_get(options, "basis"), *colon = text ? strchr(text, ':') : NULL;
  const size_t length = colon ? (size_t)(colon - text) : text ? strlen(text) : 0;
  int found = -1;
  if (!text)
    return cli_fail(error, SFM_INVALID,
                    "--basis is missing: the functions that the density is a sum of; write for "
                    "example --basis cosine, or fourier for what wraps round");
  for (int i = SFM_BASIS_FOURIER; i <= SFM_BASIS_EIGEN; i++) {
    const char *name = sfm_basis_name((sfm_basis)i);
    if (strlen(name) == length && strncmp(name, text, length) == 0) found = i;
  }
  if (found < 0)
    return cli_fail(error, SFM_INVALID,
                    "--basis: '%.*s' is no basis; write fourier, cosine, legendre, hermite, haar, "
                    "db4 or eigen:KERNEL:BANDWIDTH",
                    (int)(length < 64 ? length : 64), text);
  s->basis = (sfm_basis)found;
  if (found == SFM_BASIS_EIGEN)
    return colon ? asking_kernel(&s->kernel, &s->bandwidth, colon + 1, "basis eigen", error)
                 : cli_fail(error, SFM_INVALID,
                            "--basis eigen needs a kernel and its bandwidth in the column's unit; "
                            "write for example --basis eigen:matern52:10");
  if (!colon) return SFM_OK;
  if (found != SFM_BASIS_HERMITE)
    return cli_fail(error, SFM_INVALID,
                    "--basis: %.*s takes nothing behind a colon; write --basis %.*s", (int)length,
                    text, (int)length, text);
  if (!text_number(&s->unit, colon + 1) || !isfinite(s->unit) || !(s->unit > 0))
    return cli_fail(error, SFM_INVALID,
                    "--basis: '%.80s' is not a unit above zero; write for example hermite:10, in "
                    "the column's unit",
                    colon + 1);
  return SFM_OK;
}

static sfm_status read_terms(sfm_series_settings *s, const cli_options *options, sfm_error *error) {
  const char *text = options_get(options, "terms");
  uint64_t terms = 0;
  if (!text || strcmp(text, "auto") == 0) return SFM_OK;
  if (!text_count(&terms, text) || terms < 1 || terms > 1000000)
    return cli_fail(error, SFM_INVALID,
                    "--terms is '%.80s', but must be a whole number above zero, or auto", text);
  s->terms = (size_t)terms;
  return SFM_OK;
}

static sfm_status read_noise(sfm_series_settings *s, const cli_options *options, sfm_error *error) {
  static const char *const noises[] = {"laplace", "normal", "gamma", NULL};
  unsigned noise = s->delta > 0 ? SFM_VECTOR_NORMAL : SFM_VECTOR_LAPLACE;
  sfm_status status = options_choice(options, &noise, "noise", noises, error);
  if (status) return status;
  s->noise = (sfm_vector_noise)noise;
  if (s->noise == SFM_VECTOR_NORMAL && !(s->delta > 0))
    return cli_fail(error, SFM_INVALID,
                    "--noise normal needs a delta; write for example --delta 1e-6, or use --noise "
                    "laplace");
  return SFM_OK;
}

/* rows: what every release of rows is asked. */
static sfm_status read_settings(sfm_series_settings *s, sfm_density_settings *rows, facts *f,
                                const cli_options *options, sfm_error *error) {
  *s = sfm_series_settings_default();
  sfm_status status = asking_read_rows(rows, f, options, error);
  if (!status && rows->dimension != 1)
    status = cli_fail(error, SFM_INVALID,
                      "a series is of one column, not of %zu; `sfumato density` releases the "
                      "density of several",
                      rows->dimension);
  if (status) return status;
  s->schema = rows->schema;
  s->column = rows->columns[0];
  s->epsilon = rows->epsilon;
  s->delta = rows->delta;
  s->outside = rows->outside;
  s->calibration = rows->calibration;
  s->confidence = rows->confidence;
  s->seeded = rows->seeded;
  s->seed = rows->seed;
  status = read_basis(s, options, error);
  if (!status) status = read_terms(s, options, error);
  return status ? status : read_noise(s, options, error);
}

/* Reads the rows and releases; plan is what the library chose from public numbers. */
static sfm_status release_rows(sfm_release **out, sfm_series_plan *plan, const char *path,
                               sfm_series_settings *s, sfm_density_settings *shown,
                               sfm_error *error) {
  sfm_rows *rows = NULL;
  asking_progress line;
  asking_progress_begin(&line, shown);
  s->progress = shown->progress;
  s->progress_context = shown->progress_context;
  sfm_status status = sfm_rows_open(&rows, path, error);
  if (!status) status = sfm_series_release(out, plan, rows, s, error);
  asking_progress_end(&line);
  sfm_rows_destroy(rows);
  return status;
}

static void report(const sfm_release *release, const sfm_series_plan *plan,
                   const sfm_series_settings *s, const char *path) {
  static const char *const noises[] = {"laplace", "normal", "gamma"};
  char text[512];
  snprintf(text, sizeof text,
           "before reading, %zu term%s of %s with %s noise %s expected to be %.3g off (root "
           "integrated square error over %s): %.3g by privacy, %.3g by sampling, %.3g by the terms "
           "left out of a reference shape",
           plan->terms, plan->terms == 1 ? "" : "s", sfm_basis_name(s->basis), noises[s->noise],
           plan->terms == 1 ? "was" : "were", sqrt(plan->total),
           s->basis == SFM_BASIS_HERMITE ? "the bounds and beyond them" : "the bounds",
           sqrt(plan->privacy), sqrt(plan->sampling), sqrt(plan->truncation));
  report_written(stderr, release, path, text);
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  facts f = {0};
  charge c = {0};
  sfm_series_settings settings;
  sfm_density_settings rows;
  sfm_series_plan plan = {0};
  sfm_release *release = NULL;
  const char *path = options_get(options, "output");
  sfm_status status = read_settings(&settings, &rows, &f, options, error);
  if (!status) status = report_check_output(options, "series.sfm", error);
  if (!status) status = charge_open(&c, options, options->operand, path, error);
  if (status) goto cleanup;
  settings.charge = c.use;
  status = release_rows(&release, &plan, options->operand, &settings, &rows, error);
  if (!status) status = charge_write(release, path, error);
  if (status) goto cleanup;
  if (settings.seeded) report_seeded(stderr, "series");
  report(release, &plan, &settings, path);
  asking_doubts(&rows, settings.delta);
  if (settings.basis == SFM_BASIS_FOURIER || settings.basis == SFM_BASIS_DB4)
    report_line(stderr, "note",
                "these functions wrap round: where the column does not, the release is wrong near "
                "its two bounds; --basis cosine does not wrap");
  report_next(stderr, release, path);
  status = report_summary(release, options, error);
cleanup:
  sfm_release_destroy(release);
  charge_close(&c);
  facts_clear(&f);
  return status;
}

const cli_verb verb_series = {
    .name = "series",
    .summary = "release the density of a private column as a few terms of a series",
    .usage = "ROWS --columns NAME --bounds A:B --basis NAME --epsilon E [options] -o FILE",
    .operand = "ROWS",
    .operand_help = "CSV with a header line (plain or gzip), or NPY; - is standard input",
    .options = options_table,
    .about =
        "Private: the rows. A value outside its bounds is clamped (or its row counts as zero, "
        "--outside drop); a row with a cell that is empty or not a number counts as zero. No "
        "message, exit code or output depends on what a row holds, except through the noise.\n"
        "Public: everything you write here and the number of rows. All of it is in the release.\n"
        "A release is a sum of waves, polynomials or steps and may dip below zero. `sfumato "
        "density` smooths with a kernel instead; docs/guides/series.md compares them.",
    .example =
        "sfumato series rows.csv --columns age --bounds 0:100 --basis cosine --epsilon 1 -o "
        "age.sfm\n"
        "sfumato series rows.csv --columns hour --bounds 0:24 --basis fourier --terms 9 --epsilon "
        "1 --delta 1e-6 -o hour.sfm",
    .run = run,
};
