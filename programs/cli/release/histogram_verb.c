/* histogram_verb.c - sfumato histogram: private rows in, noisy counts of cells out.
 *
 * Order as for a density: options, schema and output path are checked here and the ledger is
 * opened; header and count of lines are the library's first steps; then it charges; and only then
 * are rows read. */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "cli/core/text.h"
#include "cli/core/verbs.h"
#include "cli/io/json_output.h"
#include "cli/ledger/ledger_options.h"
#include "cli/partial/partial_files.h"
#include "cli/report/report.h"
#include "cli/report/table_view.h"
#include "cli/request/table_options.h"
#include "partial_command.h"
#include "release_command.h"

static const cli_option options_asked[] = {
    CLI_GROUP(histogram),
    CLI_SAME(epsilon),
    {"delta", "D",
     "above 0 and below 1: allows normal noise; with --undeclared it allows cells that are listed "
     "only because a record is in them",
     CLI_FRACTION("1e-6")},
    CLI_SAME(calibration),
    CLI_GROUP(neighbours),
    CLI_SAME(band),
    {0},
};
static const cli_option options_table[] = {
    CLI_GROUP(asked),
    CLI_GROUP(partials),
    CLI_SAME(check),
    CLI_GROUP(charge),
    CLI_SAME(seed),
    {"json", NULL,
     "after writing, print the summary (as show --json, and release, listed and size) on one line"},
    CLI_OPTION_RELEASE,
    {0},
};
static const cli_option partial_table[] = {CLI_GROUP(asked), CLI_GROUP(part), {0}};

static sfm_status read_request(release_task *task, sfm_error *error) {
  const cli_options *options = task->options;
  if (options_has(options, "random-dp") && options_given(options, "ledger"))
    return cli_misuse(error, "random differential privacy cannot be charged to a ledger of "
                             "differential privacy; leave out --random-dp, or the ledger");
  return table_options_read(task->request, options, error);
}

static sfm_status release(release_task *task, sfm_rows *rows, sfm_error *error) {
  return sfm_histogram_release(&task->release, rows, &((table_options *)task->request)->settings,
                               error);
}

static sfm_status make_partial(sfm_partial **out, const release_task *task, const sfm_part *part,
                               sfm_error *error) {
  return sfm_histogram_partial_create(out, &((table_options *)task->request)->settings, part,
                                      error);
}

static void clear(void *request) {
  table_options_clear(request);
}

/* "600", "2^40" or "about 2^61.4". */
static void print_size(char *text, size_t size, uint64_t cells) {
  const double bits = log2((double)cells);
  if (cells < 1000000)
    snprintf(text, size, "%" PRIu64, cells);
  else if ((cells & (cells - 1)) == 0)
    snprintf(text, size, "2^%.0f", bits);
  else
    snprintf(text, size, "about 2^%.1f", bits);
}

/* "the histogram of sex, region (laplace), 6 cells", "3 margins of a, b, c (normal), 20 cells". */
static void describe(char *text, size_t size, const sfm_release *release) {
  const char *names[SFM_TABLE_COLUMNS_MAX];
  char joined[256], cells[160], all[40];
  const size_t count = sfm_table_columns(release), margins = sfm_table_margins(release),
               listed = sfm_release_length(release);
  for (size_t i = 0; i < count; i++) names[i] = sfm_table_column(release, i);
  text_join(joined, sizeof joined, names, count);
  print_size(all, sizeof all, sfm_table_size(release));
  if (sfm_table_undeclared(release))
    snprintf(cells, sizeof cells, "%zu undeclared cell%s above %.6g", listed,
             listed == 1 ? "" : "s", sfm_table_threshold(release));
  else if (sfm_table_sparse(release))
    snprintf(cells, sizeof cells, "%zu of %s cells, those above %.6g", listed, all,
             sfm_table_threshold(release));
  else
    snprintf(cells, sizeof cells, "%zu cell%s", listed, listed == 1 ? "" : "s");
  if (margins > 1)
    snprintf(text, size, "%zu margins of %s (%s), %s", margins, joined, sfm_release_method(release),
             cells);
  else
    snprintf(text, size, "the histogram of %s (%s), %s", joined, sfm_release_method(release),
             cells);
}

/* Random differential privacy: which cells have no noise. */
static void report_exact(const sfm_release *release) {
  const long long most = table_view_exact(release);
  if (most >= 0)
    text_say(stderr, "exact", "cells of at most %lld records have no noise", most);
  else
    text_print_labelled(
        stderr, "exact",
        "none: for this gamma the table has too many cells and too few records, and every cell has "
        "noise; without --random-dp it would have the same noise, under differential privacy");
}

/* On standard error: what was made, what is promised, and how near it is. */
static void report(const release_task *task) {
  const sfm_release *release = task->release;
  const char *path = task->path;
  const sfm_histogram_settings *settings = &((const table_options *)task->request)->settings;
  char made[512], text[1024];
  describe(made, sizeof made, release);
  text_say(stderr, "wrote", "%.200s: %s", strcmp(path, "-") == 0 ? "standard output" : path, made);
  text_print_labelled(stderr, "guarantee", sfm_release_sentence(release));
  if (settings->delta > 0 && strcmp(sfm_release_method(release), "laplace") == 0)
    text_print_labelled(
        stderr, "noise",
        "laplace: it has less error here than normal noise at this delta, and no delta is spent");
  report_band(text, sizeof text, release);
  text_print_labelled(stderr, "band", text);
  if (!sfm_release_dataset(release)) report_uncharged(stderr, settings->gamma > 0);
  if (settings->gamma > 0) {
    report_exact(release);
    text_print_labelled(stderr, "warning", RANDOM_DP_WARNING);
  }
  row_options_warn(settings->context.schema);
  if (strcmp(path, "-") == 0) return;
  text_say(stderr, "next", "sfumato show %.500s", path);
}

static sfm_status print_json(const release_task *task, sfm_error *error) {
  const sfm_release *release = task->release;
  json_t *object;
  char name[1024];
  const sfm_status status = json_output_summary(&object, release, error);
  if (status) return status;
  text_harmless(name, sizeof name, options_get(task->options, "output"));
  json_object_set_new(object, "release", json_string(name));
  json_object_set_new(object, "listed", json_integer((json_int_t)sfm_release_length(release)));
  const uint64_t size = sfm_table_size(release);
  json_object_set_new(object, "size",
                      size == 0           ? json_null()
                      : size <= INT64_MAX ? json_output_integer((int64_t)size)
                                          : json_sprintf("%" PRIu64, size));
  return json_output_print(object, error);
}

static const release_command command = {RELEASE_REQUEST(table_options, settings.context),
                                        .output = "table.sfm",
                                        .read = read_request,
                                        .release = release,
                                        .partial = make_partial,
                                        .report = report,
                                        .json = print_json,
                                        .clear = clear};

const cli_verb verb_histogram = {
    .name = "histogram",
    .summary = "release the count of each combination of categories or bins",
    .usage = "ROWS --columns NAMES [--categories C=A|B] [--bins N --bounds A:B] --epsilon E "
             "[options] -o FILE",
    .operand = "ROWS",
    .instead = "partials",
    .options = options_table,
    .about = "Every combination of the columns' categories and bins is a cell. The release "
             "contains the noisy count of each cell. Counts may be negative: `sfumato refine` "
             "corrects that, and `sfumato margin` adds cells up.\n"
             "Private: the rows, and under add-remove their number. A number outside its bounds is "
             "counted in the nearest bin; with --outside drop its row is ignored. A row with a "
             "cell that is not one of the categories, or not a number, is ignored; with several "
             "margins it is ignored only in the margins that contain that column. No message, exit "
             "code or output depends on the contents of a row, except through the noise.\n"
             "Public: everything you write here, and under replace the number of rows. The release "
             "contains all of it.\n"
             "A sparse table lists the cells with a count strictly above (2/epsilon) ln(cells). A "
             "cell that is not listed is small, but not necessarily empty. At most 4194304 cells "
             "are listed; if there are more, the threshold is raised.\n" RANDOM_DP_WARNING,
    .example =
        "sfumato histogram rows.csv --columns sex,region --categories 'sex=F|M' --categories "
        "region=@regions.txt --epsilon 1 -o t.sfm\n"
        "sfumato histogram rows.csv --columns age --bins 20 --bounds 0:100 --epsilon 1 -o "
        "ages.sfm\n"
        "sfumato histogram rows.csv --columns a,b,c,d --schema s.json --sparse --epsilon 0.5 -o "
        "big.sfm\n"
        "sfumato histogram rows.csv --columns diagnosis --sparse --undeclared --epsilon 1 --delta "
        "1e-6 -o d.sfm\n"
        "sfumato histogram rows.csv --columns a,b,c --schema s.json --margins 2 --epsilon 1 "
        "--delta 1e-6 -o pairs.sfm",
    .command = &command,
};

const cli_verb verb_partial_histogram = {
    .name = "partial histogram",
    .summary = "counts over a part of the rows, for a histogram",
    .usage =
        "ROWS --part I/P --rows N --columns NAMES [--categories C=A|B] [--bins N --bounds A:B] "
        "--epsilon E [options] -o FILE",
    .operand = "ROWS",
    .options = partial_table,
    .refused = options_part_refused,
    .about = PARTIAL_ABOUT,
    .example =
        "sfumato partial histogram north.csv --part 1/2 --rows 20000 --columns sex --categories "
        "'sex=F|M' --epsilon 1 -o part-1.sfp\n"
        "sfumato histogram --partials 'part-*.sfp' --columns sex --categories 'sex=F|M' --epsilon "
        "1 -o sex.sfm",
    .publishes_nothing = true,
    .run = partial_command_run,
    .command = &command,
};
