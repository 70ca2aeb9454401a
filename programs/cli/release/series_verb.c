/* series_verb.c - sfumato series: the density of one private column as the first terms of an
 * orthonormal series.  The order is that of density_verb.c: everything public is checked, the
 * ledger is charged, and only then are rows read. */
#include <math.h>

#include "cli/core/text.h"
#include "cli/core/verbs.h"
#include "cli/ledger/ledger_options.h"
#include "cli/report/report.h"
#include "cli/request/progress_line.h"
#include "cli/request/series_options.h"
#include "sfumato/rows.h"

static const cli_option options_table[] = {
    CLI_SAME(columns),
    CLI_SAME(bounds),
    CLI_SAME(schema),
    CLI_SAME(basis),
    CLI_GROUP(series),
    {.same = &option_series_noise, .fallback = "normal with --delta, else laplace"},
    CLI_GROUP(series_rows),
    CLI_GROUP(charge),
    CLI_SAME(seed),
    CLI_OPTION_SUMMARY,
    CLI_OPTION_RELEASE,
    {0},
};

/* Reads the rows and releases; plan is what the library chose from public numbers. */
static sfm_status release_rows(sfm_release **out, sfm_series_plan *plan, const char *path,
                               sfm_series_settings *s, sfm_error *error) {
  sfm_rows *rows = NULL;
  progress_line line;
  progress_line_begin(&line, &s->context);
  sfm_status status = sfm_rows_open(&rows, path, error);
  if (!status) status = sfm_series_release(out, plan, rows, s, error);
  progress_line_end(&line);
  sfm_rows_destroy(rows);
  return status;
}

static void report(const sfm_release *release, const sfm_series_plan *plan,
                   const sfm_series_settings *s, const char *path) {
  static const char *const noises[] = {"laplace", "normal", "gamma"};
  char text[512];
  snprintf(text, sizeof text,
           "for %zu term%s of %s with %s noise the plan expected an error of %.3g (root integrated "
           "squared error over the bounds): %.3g from privacy, %.3g from sampling, %.3g from the "
           "terms left out of %s",
           plan->terms, plan->terms == 1 ? "" : "s", sfm_basis_name(s->basis), noises[s->noise],
           sqrt(plan->total), sqrt(plan->privacy), sqrt(plan->sampling), sqrt(plan->truncation),
           s->shape ? "the shape that was stated" : "a reference shape");
  report_written(stderr, release, path, text);
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  series_options s;
  charge c = {0};
  sfm_series_plan plan = {0};
  sfm_release *release = NULL;
  const char *path = options_get(options, "output");
  sfm_status status = series_options_read(&s, options, error);
  if (!status) status = report_check_output(options, "series.sfm", error);
  if (!status) status = charge_open(&c, options, error);
  if (status) goto cleanup;
  s.settings.context.charge = c.use;
  status = release_rows(&release, &plan, options->operand, &s.settings, error);
  if (!status) status = charge_write(release, path, error);
  if (status) goto cleanup;
  if (s.settings.context.seeded) report_seeded(stderr, "series");
  report(release, &plan, &s.settings, path);
  row_options_warn(&s.rows, s.settings.delta);
  if (s.settings.basis == SFM_BASIS_FOURIER || s.settings.basis == SFM_BASIS_DB4)
    text_print_labelled(stderr, "note",
                        "these functions are periodic. If the column is not, the release is wrong "
                        "near its two bounds; --basis cosine is not periodic");
  report_next(stderr, release, path);
  status = report_summary(release, options, error);
cleanup:
  sfm_release_destroy(release);
  charge_close(&c);
  series_options_clear(&s);
  return status;
}

const cli_verb verb_series = {
    .name = "series",
    .summary = "release the density of one column as a short series",
    .usage = "ROWS --columns NAME --bounds A:B --basis NAME --epsilon E [options] -o FILE",
    .operand = "ROWS",
    .operand_help = "CSV with a header line (plain or gzip), or NPY; - is standard input",
    .options = options_table,
    .about =
        "Private: the rows. A value outside its bounds is clamped; with --outside drop its row is "
        "ignored. A row with a cell that is empty or not a number is ignored. An ignored row still "
        "counts in the number of rows. No message, exit code or output depends on the contents of "
        "a row, except through the noise.\n"
        "Public: everything you write here and the number of rows. The release contains all of "
        "it.\n"
        "A release is a sum of waves, polynomials or steps and may be negative in places. `sfumato "
        "density` smooths with a kernel instead; docs/guides/series.md compares them.",
    .example =
        "sfumato series rows.csv --columns age --bounds 0:100 --basis cosine --epsilon 1 -o "
        "age.sfm\n"
        "sfumato series rows.csv --columns hour --bounds 0:24 --basis fourier --terms 9 --epsilon "
        "1 --delta 1e-6 -o hour.sfm",
    .run = run,
};
