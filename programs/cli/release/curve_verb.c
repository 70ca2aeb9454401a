/* curve_verb.c - sfumato curve: private curves in, one per record, their mean out.
 *
 * Order as for a density: every option and path is checked here and the ledger is opened; header,
 * count of lines and the planner's choice are the library's first steps; then it charges; and only
 * then are rows read. */
#include <math.h>

#include "cli/core/text.h"
#include "cli/partial/partial_files.h"
#include "cli/report/report.h"
#include "cli/request/curve_options.h"
#include "partial_command.h"
#include "release_command.h"

static const cli_option options_asked[] = {
    CLI_SAME(curve_columns), CLI_SAME(curve_grid), CLI_SAME(mean_shape), CLI_GROUP(curve), {0}};
static const cli_option options_table[] = {
    CLI_GROUP(asked), CLI_GROUP(partials), CLI_SAME(check), CLI_GROUP(release), {0}};
static const cli_option partial_table[] = {CLI_GROUP(asked), CLI_GROUP(part), {0}};

/* What is asked, and what the library chose from public numbers. */
typedef struct curve_request {
  curve_options of;
  sfm_curve_choice plan;
} curve_request;

static sfm_status read_request(release_task *task, sfm_error *error) {
  return curve_options_read(&((curve_request *)task->request)->of, task->options, error);
}

static sfm_status release(release_task *task, sfm_rows *rows, sfm_error *error) {
  curve_request *r = task->request;
  return sfm_curve_release(&task->release, &r->plan, rows, &r->of.settings, error);
}

static sfm_status make_partial(sfm_partial **out, const release_task *task, const sfm_part *part,
                               sfm_error *error) {
  return sfm_curve_partial_create(out, &((curve_request *)task->request)->of.settings, part, error);
}

static void clear(void *request) {
  curve_options_clear(&((curve_request *)request)->of);
}

static void report(const release_task *task) {
  const sfm_release *release = task->release;
  const sfm_curve_choice *plan = &((const curve_request *)task->request)->plan;
  const sfm_curve_settings *settings = &((const curve_request *)task->request)->of.settings;
  char text[320];
  const sfm_band band = sfm_release_band(release);
  const double range = settings->grid[settings->count - 1] - settings->grid[0];
  snprintf(text, sizeof text, "the plan expected an error of %.3g from privacy",
           sqrt(plan->privacy / range));
  if (plan->truncation > 0)
    text_add(text, sizeof text, " and of %.3g from the directions left out",
             sqrt(plan->truncation / range));
  text_add(text, sizeof text, " (root mean squared error over the grid)");
  report_written(stderr, release, task->path, text);
  text_say(stderr, "clip", "%.6g, the norm of a flat curve of height %.3g", settings->clip,
           settings->clip / plan->flat);
  if (band.systematic > 0.1 * band.half_width) {
    text_say(stderr, "note",
             "\u00b1%.4g of the band covers the largest possible error from the directions left "
             "out; with --delta all directions are released",
             band.systematic);
  }
  row_options_warn(settings->context.schema);
  report_next(stderr, release, task->path);
}

static const release_command command = {RELEASE_REQUEST(curve_request, of.settings.context),
                                        .output = "mean.sfm",
                                        .read = read_request,
                                        .release = release,
                                        .partial = make_partial,
                                        .report = report,
                                        .clear = clear};

#define OPERAND_HELP                                                                               \
  "wide CSV, one curve per line after the header (plain or gzip), or NPY; - is standard input"

const cli_verb verb_curve = {
    .name = "curve",
    .summary = "release the mean of private curves, one curve per record",
    .usage = "CURVES --columns A-B --grid A:B --kernel FAMILY:H --clip TAU --epsilon E [options] "
             "-o FILE",
    .operand = "CURVES",
    .operand_help = OPERAND_HELP,
    .instead = "partials",
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
    .command = &command,
};

const cli_verb verb_partial_curve = {
    .name = "partial curve",
    .summary = "sums over a part of the curves, for their mean",
    .usage = "CURVES --part I/P --rows N --columns A-B --grid A:B --kernel FAMILY:H --clip TAU "
             "--epsilon E [options] -o FILE",
    .operand = "CURVES",
    .operand_help = OPERAND_HELP,
    .options = partial_table,
    .refused = options_part_refused,
    .about = PARTIAL_ABOUT,
    .example =
        "sfumato partial curve north.csv --part 1/2 --rows 900 --columns 3-95 --grid 0:1 --kernel "
        "matern52:0.1 --clip 2.5 --epsilon 1 --delta 1e-6 -o part-1.sfp\n"
        "sfumato curve --partials 'part-*.sfp' --columns 3-95 --grid 0:1 --kernel matern52:0.1 "
        "--clip 2.5 --epsilon 1 --delta 1e-6 -o mean.sfm",
    .publishes_nothing = true,
    .run = partial_command_run,
    .command = &command,
};
