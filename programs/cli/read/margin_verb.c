/* margin_verb.c - sfumato margin: a released table with fewer columns, as a release. */
#include <string.h>

#include "cli/core/text.h"
#include "cli/core/verbs.h"
#include "cli/io/result_output.h"
#include "cli/io/release_file.h"
#include "cli/report/report.h"
#include "cli/report/table_view.h"

static const cli_option options_table[] = {
    {"columns", "NAMES", "the columns to keep, separated by commas, in the order of the result"},
    {"output", "FILE", "the release to write; - is standard output", NULL, 'o'},
    CLI_OPTION_JSON,
    CLI_OPTION_LARGE,
    {0},
};

static sfm_status take(sfm_release **out, uint64_t *from, const sfm_release *release,
                       const char *columns, sfm_error *error) {
  text_list list;
  sfm_status status = text_split(&list, columns, ',', error);
  if (!status)
    status =
        sfm_table_margin_of(out, from, release, (const char *const *)list.items, list.count, error);
  text_list_clear(&list);
  return status;
}

static void report(const sfm_release *margin, const char *path, const sfm_release *release,
                   uint64_t from) {
  char names[256], text[1024];
  const size_t length = sfm_release_length(margin);
  report_columns(names, sizeof names, margin);
  text_say(stderr, "wrote", "%.200s: the counts of %s (%s, a margin), %zu cell%s",
           strcmp(path, "-") == 0 ? "standard output" : path, names, sfm_release_method(margin),
           length, length == 1 ? "" : "s");
  if (sfm_table_margins(release) > 1) {
    table_view_columns(names, sizeof names, release, from);
    text_say(stderr, "from", "the margin %s, of %zu", names, sfm_table_margins(release));
  }
  if (!sfm_release_refined(margin)) {
    report_band(text, sizeof text, margin);
    text_print_labelled(stderr, "band", text);
  }
  text_print_labelled(stderr, "cost", "nothing: it was made from a release");
  report_next(stderr, margin, path);
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  const char *columns = options_get(options, "columns"), *path = options_get(options, "output");
  sfm_release *release = NULL, *margin = NULL;
  uint64_t from = 0;
  sfm_status status =
      columns ? report_check_output(options, "margin.sfm", error)
              : cli_misuse(error,
                           "--columns is missing: the columns to keep; for example --columns sex");
  if (!status) status = release_file_read(&release, options, options->operand, error);
  if (!status && sfm_release_kind(release) == SFM_KIND_DENSITY)
    status = cli_misuse(error, "%s is a density: `sfumato marginal` sums out its columns",
                        options->operand);
  if (!status) status = take(&margin, &from, release, columns, error);
  if (!status) status = output_release(margin, path, error);
  if (!status) {
    report(margin, path, release, from);
    status = report_summary(margin, options, error);
  }
  sfm_release_destroy(margin);
  sfm_release_destroy(release);
  return status;
}

const cli_verb verb_margin = {
    .name = "margin",
    .summary = "write the counts of some columns of a histogram as a new release",
    .usage = "RELEASE --columns NAMES -o FILE [--json]",
    .operand = "RELEASE",
    .operand_help = "a released histogram (.sfm); - is standard input",
    .options = options_table,
    .about = "Cells that agree in the kept columns are added up. This costs no privacy. Each sum "
             "contains the noise of all its cells, and the band covers it. (A margin that is "
             "released directly, with `sfumato histogram --margins`, has the noise of one cell.) "
             "From a release of several margins the smallest margin that has the columns is used. "
             "From a sparse table only the listed cells are added up: cells below the threshold "
             "are missing from the sums, which have no band.",
    .example = "sfumato margin table.sfm --columns sex -o sex.sfm\n"
               "sfumato margin table.sfm --columns region,sex -o turned.sfm",
    .run = run,
};
