/* marginal_verb.c - sfumato marginal: the density of some of a release's columns, as a release. */
#include "sfumato/marginal.h"

#include <string.h>

#include "cli/report/group_selection.h"
#include "cli/io/result_output.h"
#include "cli/io/release_file.h"
#include "cli/report/report.h"
#include "cli/core/text.h"
#include "cli/core/verbs.h"

static const cli_option options_table[] = {
    {"columns", "NAMES",
     "the columns to keep, separated by commas, in the order of the result. Columns of groups may "
     "be among them; groups of other columns are added up"},
    CLI_OPTION_ONE_GROUP,
    {"output", "FILE", "the release to write; - is standard output", NULL, 'o'},
    CLI_OPTION_JSON,
    CLI_OPTION_LARGE,
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

static void report(const sfm_release *marginal, const char *path, bool summed) {
  char names[256], text[1024], groups[300], label[220] = "";
  report_columns(names, sizeof names, marginal);
  report_groups(groups, sizeof groups, marginal);
  if (sfm_release_group_count(marginal) == 1) {
    group_label_text(groups, sizeof groups, marginal, 0);
    snprintf(label, sizeof label, " in the group %.200s", groups);
    groups[0] = 0;
  }
  text_say(stderr, "wrote", "%.200s: the density of %s%s%s (%s%s), %zu number%s",
           strcmp(path, "-") == 0 ? "standard output" : path, names, groups, label,
           sfm_release_method(marginal), summed ? ", a marginal" : "", sfm_release_length(marginal),
           sfm_release_length(marginal) == 1 ? "" : "s");
  if (!sfm_release_refined(marginal)) {
    report_band(text, sizeof text, marginal);
    text_print_labelled(stderr, "band", text);
  }
  text_print_labelled(stderr, "cost", "nothing: it was made from a release");
  report_next(stderr, marginal, path);
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  const char *columns = options_get(options, "columns"), *path = options_get(options, "output");
  sfm_release *release = NULL, *marginal = NULL;
  const bool group = options_has(options, "group");
  sfm_status status =
      columns || group
          ? report_check_output(options, "marginal.sfm", error)
          : cli_misuse(error,
                       "--columns is missing: the columns to keep; for example --columns lon");
  if (!status) status = release_file_read(&release, options, options->operand, error);
  if (!status && group) status = group_selection_take(&release, options, error);
  if (!status && columns) status = take(&marginal, release, columns, error);
  if (!status && !columns) {
    marginal = release;
    release = NULL;
  }
  if (!status) status = output_release(marginal, path, error);
  if (!status) {
    report(marginal, path, columns != NULL);
    status = report_summary(marginal, options, error);
  }
  sfm_release_destroy(marginal);
  sfm_release_destroy(release);
  return status;
}

const cli_verb verb_marginal = {
    .name = "marginal",
    .summary = "write the density of some columns of a density as a new release",
    .usage = "RELEASE --columns NAMES | --group A,B -o FILE [--json]",
    .operand = "RELEASE",
    .operand_help =
        "a released density of several columns, or by groups (.sfm); - is standard input",
    .options = options_table,
    .about = "The other columns are integrated out, which costs no privacy. The result is the "
             "marginal density of the kept columns, with its own band. Its noise is summed over "
             "the other columns; a density that is released directly for these columns, with the "
             "same epsilon, has less noise.\n"
             "For densities of the methods lattice, gp (spectral) and fourier-laplace, and for "
             "refined densities.\n"
             "--group extracts one group of a release by groups as a release of its own, for "
             "query, refine and sample.",
    .example = "sfumato marginal map.sfm --columns lon -o lon.sfm\n"
               "sfumato marginal groups.sfm --group F,north -o north.sfm",
    .run = run,
};
