/* refine_verb.c - sfumato refine: less noise, nothing below zero, an integral of one; of tables
 * counts that could be true; free. */
#include <math.h>
#include <string.h>

#include "cli/core/text.h"
#include "cli/core/verbs.h"
#include "cli/io/result_output.h"
#include "cli/io/release_file.h"
#include "cli/report/kind_view.h"
#include "cli/report/report.h"
#include "sfumato/table.h"
#include "sfumato/refine.h"

static const cli_option options_table[] = {
    {"shrink", NULL,
     "shrink every frequency by its share of noise, computed from the public distribution of the "
     "noise; for the methods lattice, gp (engine spectral), fourier-laplace, caratheodory (body "
     "exact) and series"},
    {"nonnegative", NULL, "no negative values"},
    {"normalise", NULL,
     "an integral of one over the bounds, also where mass may be missing: with an open boundary, "
     "or "
     "--outside drop"},
    {"total", "keep|N",
     "histogram: the total of the counts stays as in the release (keep), or is a public number. "
     "Density under add-remove: a public number of records to divide by, instead of the noisy "
     "total",
     CLI_POSITIVE("1000")},
    {"monotone", "increasing|decreasing",
     "histogram of one column: the counts increase, or decrease, in its order",
     CLI_WORDS("increasing", "decreasing")},
    {"consistent", NULL,
     "histogram of several margins: make them margins of one table, by least squares"},
    {"output", "FILE", "the refined release to write; - is standard output", NULL, 'o'},
    CLI_OPTION_JSON,
    CLI_OPTION_LARGE,
    {0},
};

/* What is asked for; nothing: all that the release allows. */
static sfm_refine_settings choose(const cli_options *options, const sfm_release *release) {
  sfm_refine_settings settings = sfm_refine_settings_default();
  const bool shrink = options_has(options, "shrink"),
             nonnegative = options_has(options, "nonnegative"),
             normalise = options_has(options, "normalise");
  if (!shrink && !nonnegative && !normalise) {
    settings.shrink = sfm_release_shrinks(release);
    return settings;
  }
  settings.shrink = shrink;
  settings.nonnegative = nonnegative;
  settings.normalise = normalise;
  settings.allow_missing = false;
  return settings;
}

/* What was left open, and how to have it otherwise. */
static void note_missing(const sfm_release *refined, const sfm_refine_settings *settings) {
  bool open = false;
  if (!settings->normalise || !settings->allow_missing ||
      sfm_release_refinement(refined).normalised)
    return;
  for (size_t a = 0; a < sfm_release_dimension(refined); a++)
    open = open || sfm_release_boundary(refined, a) == SFM_BOUNDARY_OPEN;
  text_say(stderr, "note",
           "the integral over the bounds is at most one: %s, and what is missing is not put back "
           "(--normalise makes it one)",
           open ? "smoothing may have carried a part beyond an open boundary"
                : "records beyond the bounds may have been ignored");
}

static sfm_status refine_density(sfm_release **out, const sfm_release *release,
                                 const cli_options *options, sfm_error *error) {
  double total = 0;
  sfm_status status = options_take(options, &total, "total", error);
  if (status) return status;
  if (options_has(options, "monotone") || options_has(options, "consistent"))
    return cli_misuse(error, "--monotone and --consistent are for histograms; this release is a %s",
                      sfm_kind_name(sfm_release_kind(release)));
  if (total > 0 && sfm_release_neighbours(release) == SFM_NEIGHBOURS_REPLACE)
    return cli_misuse(error, "--total is for densities released under add-remove; leave it out");
  sfm_refine_settings settings = choose(options, release);
  settings.total = total;
  status = sfm_release_refine(out, release, &settings, error);
  if (!status) note_missing(*out, &settings);
  return status;
}

/* What is asked for; nothing: all that no assumption is needed for. */
sfm_status refine_table(sfm_release **out, const sfm_release *release, const cli_options *options,
                        sfm_error *error) {
  const char *total = options_get(options, "total");
  sfm_table_refine_settings settings = {.size = sizeof(sfm_table_refine_settings),
                                        .nonnegative = options_has(options, "nonnegative"),
                                        .total = total != NULL,
                                        .consistent = options_has(options, "consistent")};
  unsigned way = 0;
  if (options_has(options, "shrink") || options_has(options, "normalise"))
    return cli_misuse(error, "--shrink and --normalise are for densities; a histogram has "
                             "--nonnegative, --total, --monotone and --consistent");
  sfm_status status = options_take(options, &way, "monotone", error);
  if (!status && options_has(options, "monotone")) settings.monotone = way ? -1 : 1;
  if (!status && total && strcmp(total, "keep") != 0 &&
      !(text_number(&settings.stated, total) && isfinite(settings.stated) && settings.stated > 0))
    status = cli_misuse(
        error, "--total %s is neither keep nor a positive number; for example --total keep", total);
  if (status) return status;
  if (!settings.nonnegative && !settings.total && !settings.consistent && !settings.monotone)
    settings = sfm_table_refine_settings_default(release);
  return sfm_table_refine(out, release, &settings, error);
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  sfm_release *release = NULL, *refined = NULL;
  sfm_status status = report_check_output(options, "better.sfm", error);
  if (!status) status = release_file_read(&release, options, options->operand, error);
  if (!status) {
    const kind_view *view = kind_view_of(release);
    status = (view->refine ? view->refine : refine_density)(&refined, release, options, error);
  }
  if (!status) status = output_release(refined, options_get(options, "output"), error);
  if (!status) {
    report_refined(stderr, refined, options_get(options, "output"));
    report_next(stderr, refined, options_get(options, "output"));
    status = report_summary(refined, options, error);
  }
  sfm_release_destroy(refined);
  sfm_release_destroy(release);
  return status;
}

const cli_verb verb_refine = {
    .name = "refine",
    .summary = "improve a density or a table: less noise, no negative values",
    .usage = "RELEASE [--shrink] [--nonnegative] [--normalise] [--total keep|N] [--monotone WAY] "
             "[--consistent] -o FILE",
    .operand = "RELEASE",
    .operand_help = "a released density of one to three columns, or a released histogram (.sfm); - "
                    "is standard input",
    .options = options_table,
    .about =
        "Refining reads no rows, draws no noise and costs no privacy: the guarantee stays the "
        "same.\n"
        "Densities: without --shrink, --nonnegative and --normalise, all of them are done that the "
        "release allows; the integral becomes one, or at most one where mass may be missing: with "
        "an "
        "open boundary, or --outside drop. --nonnegative and --normalise together give the nearest "
        "density (smallest integrated squared difference). The result consists of values on a "
        "grid, linear between "
        "them. Refining it again changes nothing. It has no band; only the raw release has one.\n"
        "Histograms: without options no count is negative, the total stays the same, what is "
        "counted "
        "in each column alone stays the same (as far as it is not negative), and several margins "
        "become margins of one table. All requested properties hold at once. The result is the "
        "nearest such table (least squares); its counts need not be whole numbers. A sparse table "
        "has nothing to refine.",
    .example = "sfumato refine age.sfm -o better.sfm\n"
               "sfumato refine table.sfm --nonnegative --total keep -o better.sfm\n"
               "sfumato refine ages.sfm --monotone decreasing -o falling.sfm\n"
               "sfumato refine age.sfm --nonnegative --normalise -o density.sfm",
    .run = run,
};
