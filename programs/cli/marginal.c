/* marginal.c - sfumato marginal: the density of some of a release's columns, as a release. */
#include "sfumato/marginal.h"

#include <string.h>

#include "report.h"
#include "text.h"
#include "verbs.h"

static const cli_option options_table[] = {
    {"columns", "NAMES",
     "the columns to keep, separated by commas, in the order wanted; columns of groups may be "
     "among them, and groups that are not are added up",
     NULL, 0},
    {"output", "FILE", "the release to write; - is standard output", NULL, 'o'},
    CLI_OPTION_JSON,
    {0},
};

static sfm_status take(sfm_release **out, const sfm_release *release, const char *columns,
                       sfm_error *error) {
  text_list list;
  sfm_status status = text_split(&list, columns, ',', error);
  if (!status)
    status = sfm_release_marginal(out, release, (const char *const *)list.items, list.count, error);
  text_list_clear(&list);
  return status;
}

static void report(const sfm_release *marginal, const char *path) {
  char names[256], text[640];
  report_columns(names, sizeof names, marginal);
  snprintf(text, sizeof text, "%.200s: the density of %s (%s, a marginal), %zu number%s",
           strcmp(path, "-") == 0 ? "standard output" : path, names, sfm_release_method(marginal),
           sfm_release_length(marginal), sfm_release_length(marginal) == 1 ? "" : "s");
  report_line(stderr, "wrote", text);
  if (!sfm_release_refined(marginal)) {
    report_band(text, sizeof text, marginal);
    report_line(stderr, "band", text);
  }
  report_line(stderr, "cost", "nothing beyond that of the release it was made from");
  report_next(stderr, marginal, path);
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  const char *columns = options_get(options, "columns"), *path = options_get(options, "output");
  sfm_release *release = NULL, *marginal = NULL;
  sfm_status status = columns ? report_check_output(options, "marginal.sfm", error)
                              : cli_fail(error, SFM_INVALID,
                                         "--columns is missing: the columns to keep; for example "
                                         "--columns lon");
  if (!status) status = sfm_release_read(&release, options->operand, error);
  if (!status) status = take(&marginal, release, columns, error);
  if (!status) status = sfm_release_write(marginal, path, error);
  if (!status) {
    report(marginal, path);
    status = report_summary(marginal, options, error);
  }
  sfm_release_destroy(marginal);
  sfm_release_destroy(release);
  return status;
}

const cli_verb verb_marginal = {
    .name = "marginal",
    .summary = "release the density of some columns of a release, at no cost",
    .usage = "RELEASE --columns NAMES -o FILE [--json]",
    .operand = "RELEASE",
    .operand_help = "a .sfm file that is a density of more columns, or by groups; - is standard "
                    "input",
    .options = options_table,
    .about =
        "The others are summed out of it, which costs no privacy: the result is the density of the "
        "columns kept, whatever the others hold, with a band of its own. Its noise is the sum of "
        "that over the columns that went: a density that is released of these columns alone, for "
        "the same epsilon, has less.\n"
        "For densities by the methods lattice and gp (spectral), and for refined ones.",
    .example = "sfumato marginal map.sfm --columns lon -o lon.sfm",
    .run = run,
};
