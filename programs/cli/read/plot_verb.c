/* plot_verb.c - sfumato plot: a picture of a release with its band and its guarantee. */
#include "background_curves.h"
#include "cli/core/verbs.h"
#include "cli/io/figure_output.h"
#include "cli/io/picture_words.h"
#include "cli/io/release_file.h"
#include "cli/report/kind_view.h"
#include "cli/report/report.h"
#include "cli/request/group_options.h"
#include "cli/io/map_scale.h"
#include "plot_comparison.h"
#include "plot_overlay.h"

static const cli_option options_table[] = {
    {"axes", "A,B", "machine: the one or two columns of the axes",
     "its first two columns of numbers"},
    {"hold", "COLUMN=VALUE,...",
     "machine: the values of columns that are not axes; what is not named is held at the middle of "
     "its bounds, or at the first category that is not a mark of a missing value, and the "
     "caption says so"},
    CLI_OPTION_GROUP,
    CLI_OPTION_TOTAL,
    CLI_OPTION_OVER,
    CLI_OPTION_CURVE_COLUMNS("all"),
    CLI_OPTION_CURVE_GRID("the points of the release"),
    CLI_SAME(overlay),
    CLI_SAME(unit),
    CLI_SAME(title),
    CLI_SAME(subtitle),
    CLI_SAME(units),
    CLI_OPTION_PICTURE("drawn in the terminal"),
    CLI_OPTION_LARGE,
    {0},
};

static sfm_status plot(const sfm_release *release, const cli_options *options, sfm_error *error) {
  const kind_view *view = kind_view_of(release);
  const bool machine = sfm_release_kind(release) == SFM_KIND_MACHINE;
  if (view->single) return report_many(release, error);
  if (options_has(options, "overlay") && !sfm_release_group_count(release))
    return cli_misuse(error,
                      "--overlay is for several curves, but %s is not by groups: name more "
                      "releases, or leave it out",
                      options->operand);
  if (options_has(options, "unit") && sfm_release_kind(release) != SFM_KIND_DENSITY)
    return cli_misuse(error,
                      "--unit km is for a density of longitude and latitude, but %s is a %s; "
                      "leave it out, or write --units for the names of units",
                      options->operand, sfm_kind_name(sfm_release_kind(release)));
  if (!machine && (options_has(options, "axes") || options_has(options, "hold")))
    return cli_misuse(error, "--axes and --hold are for machines; %s is a %s: leave them out",
                      options->operand, sfm_kind_name(sfm_release_kind(release)));
  return view->plot(release, options, error);
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  sfm_release *release = NULL;
  double total = 0;
  unsigned unit;
  sfm_status status = options_take(options, &unit, "unit", error);
  if (!status && options->second) return plot_comparison_draw(options, error);
  if (!status) status = options_take(options, &total, "total", error);
  if (!status) status = figure_output_check("-o", options_get(options, "output"), error);
  if (!status) status = release_file_read(&release, options, options->operand, error);
  if (!status) status = plot(release, options, error);
  sfm_release_destroy(release);
  return status;
}

const cli_verb verb_plot = {
    .name = "plot",
    .summary = "draw a release with its error band and its guarantee",
    .usage = "RELEASE [RELEASE...] [options] [-o FILE.svg|.png|.pdf]",
    .operand = "RELEASE",
    .operand_help = "a release (.sfm) of one or two variables, or a vector, histogram, machine or "
                    "mechanism; - is standard input",
    .second = "[RELEASE...]",
    .second_help = "more releases of the same variables: all are drawn side by side on one scale",
    .options = options_table,
    .about =
        "Density or curve: one variable is drawn as a curve with its band, two variables as a "
        "heat map. What may be error alone is hatched in files. A map of longitude and latitude "
        "has the shape of the land, and a length to measure by.\n"
        "Groups: one panel per group (up to 24), with the same axes and scale; beside the "
        "name its noisy size and the standard error of the size. --overlay draws up to 8 in one "
        "plot.\n"
        "Histogram: bars with their error; two columns as a map; for more columns, and for "
        "sparse tables, the largest cells.\n"
        "Vector: stems. Mechanism: the probability of every answer at every count.\n"
        "Machine: over two columns the regions of the predicted labels, pale where the value "
        "is within the noise and darker where it is more certain; over one column a curve "
        "with its band. A regression over two columns is a map, with an error bar beside its "
        "scale.\n"
        "In svg files all words are text. The terminal shows colour unless NO_COLOR is set or "
        "the output is not a terminal.",
    .example = "sfumato plot age.sfm\nsfumato plot map.sfm -o map.png\n"
               "sfumato plot map.sfm --unit km --title 'Visits in the city' -o map.svg\n"
               "sfumato plot groups.sfm --group sex=F -o groups.pdf\n"
               "sfumato plot groups.sfm --overlay --units years -o groups.svg\n"
               "sfumato plot strict.sfm usual.sfm loose.sfm -o compared.png\n"
               "sfumato plot model.sfm --axes age,hours --hold sex=F -o regions.png",
    .run = run,
};
