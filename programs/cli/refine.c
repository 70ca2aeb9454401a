/* refine.c - sfumato refine: less noise, nothing below zero, an integral of one; free. */
#include <string.h>

#include "report.h"
#include "sfumato/refine.h"
#include "verbs.h"

static const cli_option options_table[] = {
    {"shrink", NULL,
     "take back every frequency by the share of it that is noise, which the noise's public law "
     "tells; for the methods lattice, gp (engine spectral), fourier-laplace, caratheodory (body "
     "exact) and series",
     NULL, 0},
    {"nonnegative", NULL, "nothing below zero", NULL, 0},
    {"normalise", NULL, "an integral of one over the bounds", NULL, 0},
    CLI_OPTION_TOTAL,
    {"output", "FILE", "where to write the refined release; - is standard output", NULL, 'o'},
    CLI_OPTION_JSON,
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
  return settings;
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  sfm_release *release = NULL, *refined = NULL;
  double total = 0;
  sfm_status status = options_positive(options, &total, "total", "1000", error);
  if (!status) status = report_check_output(options, "better.sfm", error);
  if (!status) status = sfm_release_read(&release, options->operand, error);
  if (!status && total > 0 && sfm_release_neighbours(release) == SFM_REPLACE)
    status =
        cli_fail(error, SFM_INVALID,
                 "--total is for densities released under add-remove; this release needs none");
  if (!status) {
    sfm_refine_settings settings = choose(options, release);
    settings.total = total;
    status = sfm_release_refine(&refined, release, &settings, error);
  }
  if (!status) status = sfm_release_write(refined, options_get(options, "output"), error);
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
    .summary = "make a density better for free: less noise, nothing below zero, integral one",
    .usage = "RELEASE [--shrink] [--nonnegative] [--normalise] -o FILE",
    .operand = "RELEASE",
    .operand_help = "a .sfm file of a density of one to three columns; - is standard input",
    .options = options_table,
    .about =
        "Refining reads no rows, draws no noise and costs no privacy: the guarantee stays. Without "
        "--shrink, --nonnegative and --normalise all of them are done that the release allows. "
        "--nonnegative and --normalise together take the nearest density there is (least integral "
        "of squares). The result is values on a grid, linear in between, and refining it again "
        "changes nothing. It has no band: the band belongs to the raw release.",
    .example = "sfumato refine age.sfm -o better.sfm\n"
               "sfumato refine age.sfm --nonnegative --normalise -o density.sfm",
    .run = run,
};
