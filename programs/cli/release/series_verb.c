/* series_verb.c - sfumato series: the density of one private column as the first terms of an
 * orthonormal series.  The order is that of density_verb.c: everything public is checked, the
 * ledger is charged, and only then are rows read. */
#include <math.h>

#include "cli/core/text.h"
#include "cli/partial/partial_files.h"
#include "cli/report/report.h"
#include "cli/request/series_options.h"
#include "sfumato/rows.h"
#include "partial_command.h"
#include "release_command.h"

static const cli_option options_asked[] = {
    CLI_GROUP(columns),
    CLI_SAME(basis),
    CLI_GROUP(series),
    {.same = &option_series_noise, .fallback = "normal with --delta, else laplace"},
    CLI_GROUP(series_rows),
    {0},
};
static const cli_option options_table[] = {
    CLI_GROUP(asked), CLI_GROUP(partials), CLI_SAME(check), CLI_GROUP(release), {0}};
static const cli_option partial_table[] = {CLI_GROUP(asked), CLI_GROUP(part), {0}};

/* What is asked, and what the library chose from public numbers. */
typedef struct series_request {
  series_options of;
  sfm_series_choice plan;
} series_request;

static sfm_status read_request(release_task *task, sfm_error *error) {
  return series_options_read(&((series_request *)task->request)->of, task->options, error);
}

static sfm_status release(release_task *task, sfm_rows *rows, sfm_error *error) {
  series_request *r = task->request;
  return sfm_series_release(&task->release, &r->plan, rows, &r->of.settings, error);
}

static sfm_status make_partial(sfm_partial **out, const release_task *task, const sfm_part *part,
                               sfm_error *error) {
  return sfm_series_partial_create(out, &((series_request *)task->request)->of.settings, part,
                                   error);
}

static void clear(void *request) {
  series_options_clear(&((series_request *)request)->of);
}

static void report(const release_task *task) {
  static const char *const noises[] = {"laplace", "normal", "gamma"};
  const sfm_series_choice *plan = &((const series_request *)task->request)->plan;
  const sfm_series_settings *s = &((const series_request *)task->request)->of.settings;
  char text[512];
  snprintf(text, sizeof text,
           "for %zu term%s of %s with %s noise the plan expected an error of %.3g (root integrated "
           "squared error over the bounds): %.3g from privacy, %.3g from sampling, %.3g from the "
           "terms left out of %s",
           plan->terms, plan->terms == 1 ? "" : "s", sfm_basis_name(s->basis), noises[s->noise],
           sqrt(plan->total), sqrt(plan->privacy), sqrt(plan->sampling), sqrt(plan->truncation),
           s->shape ? "the shape that was stated" : "a reference shape");
  report_written(stderr, task->release, task->path, text);
  row_options_warn(s->context.schema);
  if (s->basis == SFM_BASIS_FOURIER || s->basis == SFM_BASIS_DB4)
    text_print_labelled(stderr, "note",
                        "these functions are periodic. If the column is not, the release is wrong "
                        "near its two bounds; --basis cosine is not periodic");
  report_next(stderr, task->release, task->path);
}

static const release_command command = {RELEASE_REQUEST(series_request, of.settings.context),
                                        .output = "series.sfm",
                                        .read = read_request,
                                        .release = release,
                                        .partial = make_partial,
                                        .report = report,
                                        .clear = clear};

const cli_verb verb_series = {
    .name = "series",
    .summary = "release the density of one column as a short series",
    .usage = "ROWS --columns NAME --bounds A:B --basis NAME --epsilon E [options] -o FILE",
    .operand = "ROWS",
    .instead = "partials",
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
    .command = &command,
};

const cli_verb verb_partial_series = {
    .name = "partial series",
    .summary = "sums over a part of the rows, for a series",
    .usage = "ROWS --part I/P --rows N --columns NAME --bounds A:B --basis NAME --epsilon E "
             "[options] -o FILE",
    .operand = "ROWS",
    .options = partial_table,
    .refused = options_part_refused,
    .about = PARTIAL_ABOUT,
    .example =
        "sfumato partial series north.csv --part 1/2 --rows 20000 --columns age --bounds 0:100 "
        "--basis cosine --epsilon 1 -o part-1.sfp\n"
        "sfumato series --partials 'part-*.sfp' --columns age --bounds 0:100 --basis cosine "
        "--epsilon 1 -o age.sfm",
    .publishes_nothing = true,
    .run = partial_command_run,
    .command = &command,
};
