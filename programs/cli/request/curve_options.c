#include "curve_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_option.h"
#include "cli/core/shared_options.h"

const cli_option option_mean_shape = {
    "shape", "SHAPE",
    "a public guess of the mean; it is used to choose the directions that are released with "
    "Laplace noise: flat:HEIGHT, bump:HEIGHT:CENTRE:DEVIATION, or @FILE, a released function of "
    "one variable, for example that of a pilot. Privacy does not depend on it",
    "as large as the clip allows, equally in all directions"};
const cli_option options_curve[] = {
    {"variable", "NAME", "the name of the grid's variable, in the release and its pictures", "t"},
    {"clip", "TAU",
     "the largest norm that a curve may have in the kernel's space; a curve with a larger norm is "
     "scaled down to it. Public, chosen without looking at the rows: one curve can change the mean "
     "by 2 TAU over the number of curves, and the noise is proportional to this. Without --clip "
     "the message states the norm of a flat curve",
     CLI_POSITIVE("2.5")},
    {"kernel", "FAMILY:BANDWIDTH",
     "the kernel of the space in which curves are fitted: gaussian, laplacian, matern12, matern32, "
     "matern52 or cauchy, and its length in the grid's unit; matern52 with a tenth of the grid's "
     "range is a good start"},
    {"ridge", "R",
     "how much the fits are smoothed: the variance of the error of a value, divided by the "
     "variance of the curves; with 0 a fit goes through the values",
     "0.01", CLI_NUMBER("0.01")},
    CLI_SAME(epsilon),
    {"delta", "D",
     "above 0 and below 1: normal noise on all directions of the fits; without it the guarantee is "
     "pure epsilon, with Laplace noise on the few directions that give the least predicted error",
     CLI_FRACTION("1e-6")},
    {"person", "COLUMN",
     "the column that names the person of each curve; the curves of one person are added up and "
     "clipped together, to --contributions times TAU"},
    {"contributions", "K",
     "how many curves of norm TAU a person may have; enforced with --person, otherwise stated in "
     "the release as an assumption",
     "1", CLI_COUNT(1, 1000000)},
    {"schema", "FILE",
     "Frictionless Table Schema (JSON) that states, beside `fields`, person and contributions; an "
     "option that states the same must agree with it"},
    CLI_SAME(band),
    CLI_SAME(calibration),
    {0}};

#define AT(name, member) CLI_FIELD(name, sfm_curve_settings, member)
static const cli_field fields[] = {AT("epsilon", epsilon),
                                   AT("delta", delta),
                                   AT("calibration", calibration),
                                   AT("band", context.confidence),
                                   AT("seed", context),
                                   AT("variable", variable),
                                   AT("ridge", ridge),
                                   AT("clip", clip),
                                   AT("spread", spread),
                                   {0}};

static sfm_status read_kernel(sfm_curve_settings *s, const cli_options *options, sfm_error *error) {
  const char *text = options_get(options, "kernel");
  if (!text)
    return cli_misuse(error,
                      "--kernel is missing: the kernel of the space in which curves are fitted. It "
                      "is published, so choose it without looking at the rows; a length of a tenth "
                      "of the grid's range is a good start: --kernel matern52:%.3g",
                      (s->grid[s->count - 1] - s->grid[0]) / 10);
  return kernel_option_read(&s->kernel, &s->bandwidth, text, "kernel", error);
}

/* Without a clip: what a flat curve has here, from public numbers alone. */
static sfm_status fail_clip(const sfm_curve_settings *s, sfm_error *error) {
  sfm_curve_settings trial = *s;
  sfm_curve_choice plan;
  trial.clip = 1;
  sfm_status status = sfm_curve_choose(&plan, &trial, 1, error);
  if (status) return status;
  return cli_misuse(error,
                    "--clip is missing: the largest norm that a curve may have. It is published, "
                    "so choose it without looking at the rows. With this grid, kernel and ridge a "
                    "flat curve of height 1 has norm %.3g, and a curve that varies has a larger "
                    "norm: for curves between -1 and 1 try --clip %.2g",
                    plan.flat, 1.5 * plan.flat);
}

static sfm_status check_clip(const sfm_curve_settings *s, const cli_options *options,
                             sfm_error *error) {
  if (!isfinite(s->ridge) || s->ridge < 0)
    return cli_misuse(
        error,
        "--ridge is %s, but must be a finite number, zero or above; write for example --ridge 0.01",
        options_get(options, "ridge"));
  return options_has(options, "clip") ? SFM_OK : fail_clip(s, error);
}

/* The mean that a word describes: flat:HEIGHT or bump:HEIGHT:CENTRE:DEVIATION; false: it does
 * not. */
static bool mean_of_word(double *mean, const curve_options *f, const text_list *parts) {
  double number[3] = {0};
  const bool flat = strcmp(parts->items[0], "flat") == 0,
             bump = strcmp(parts->items[0], "bump") == 0;
  if (parts->count != (flat ? 2u : 4u) || (!flat && !bump)) return false;
  for (size_t i = 1; i < parts->count; i++)
    if (!text_number(&number[i - 1], parts->items[i]) || !isfinite(number[i - 1])) return false;
  if (bump && !(number[2] > 0)) return false;
  for (size_t i = 0; i < f->curve_columns.count; i++) {
    const double t = bump ? (f->curve_columns.grid[i] - number[1]) / number[2] : 0;
    mean[i] = number[0] * exp(-t * t / 2);
  }
  return true;
}

/* The mean that a release is: of one variable, and known at all of the grid. */
static sfm_status mean_of_release(double *mean, const curve_options *f, const char *path,
                                  sfm_error *error) {
  const double first = f->curve_columns.grid[0],
               last = f->curve_columns.grid[f->curve_columns.count - 1];
  double lower = 0, upper = 0;
  sfm_release *release = NULL;
  sfm_evaluator *evaluator = NULL;
  sfm_status status = sfm_release_read(&release, path, error);
  if (!status && sfm_release_dimension(release) != 1)
    status =
        cli_misuse(error, "--shape: %.200s is a release of %zu variables, but a mean curve has one",
                   path, sfm_release_dimension(release));
  if (!status) sfm_release_bounds(release, &lower, &upper, 0);
  if (!status && !(lower <= first && last <= upper))
    status = cli_misuse(error,
                        "--shape: %.200s is known from %.6g to %.6g, but the grid goes from %.6g "
                        "to %.6g; write flat:HEIGHT or bump:HEIGHT:CENTRE:DEVIATION instead",
                        path, lower, upper, first, last);
  if (!status) status = sfm_evaluator_create(&evaluator, release, 0, error);
  if (!status)
    status =
        sfm_evaluator_at(evaluator, mean, f->curve_columns.grid, f->curve_columns.count, error);
  sfm_evaluator_destroy(evaluator);
  sfm_release_destroy(release);
  return status;
}

static sfm_status read_mean(curve_options *f, const char *text, sfm_error *error) {
  text_list parts = {0};
  if (!text) return SFM_OK;
  f->mean = malloc(f->curve_columns.count * sizeof *f->mean);
  if (!f->mean) return cli_fail_memory(error);
  f->settings.mean = f->mean;
  if (text[0] == '@' && text[1] && strcmp(text, "@-") != 0)
    return mean_of_release(f->mean, f, text + 1, error);
  sfm_status status = text_split(&parts, text, ':', error);
  if (!status && !mean_of_word(f->mean, f, &parts))
    status = cli_misuse(
        error,
        "--shape: '%.80s' is not a mean curve; write flat:HEIGHT, bump:HEIGHT:CENTRE:DEVIATION "
        "with a deviation above zero, or @FILE, a released function of one variable",
        text);
  text_list_clear(&parts);
  return status;
}

/* What follows once guarantee and grid are known. */
static sfm_status read_rest(curve_options *f, const cli_options *options, sfm_error *error) {
  sfm_curve_settings *s = &f->settings;
  s->columns =
      f->curve_columns.names.count ? (const char *const *)f->curve_columns.names.items : NULL;
  s->first = f->curve_columns.first;
  s->count = f->curve_columns.count;
  s->grid = f->curve_columns.grid;
  sfm_status status = read_kernel(s, options, error);
  if (!status) status = schema_options_load(&f->schema, options, error);
  s->context.schema = f->schema;
  if (!status) status = check_clip(s, options, error);
  return status ? status : read_mean(f, options_get(options, "shape"), error);
}

static sfm_status read_columns(curve_options *f, const cli_options *options, sfm_error *error) {
  if (options_of_plan(options)) return curve_columns_plan(&f->curve_columns, options, error);
  if (!options_has(options, "columns"))
    return cli_misuse(
        error, "--columns is missing: which columns hold a curve's values, in the order of the "
               "grid; write positions counted from 1, for example --columns 3-95, or names");
  if (!options_has(options, "grid"))
    return cli_misuse(
        error, "--grid is missing: where the values were measured; write --grid 0:1 for evenly "
               "spaced points from 0 to 1, or --grid @FILE with one number per column");
  return curve_columns_read(&f->curve_columns, options, 0, error);
}

sfm_status curve_options_read(curve_options *f, const cli_options *options, sfm_error *error) {
  *f = (curve_options){.settings = sfm_curve_settings_default()};
  sfm_status status = options_fill(&f->settings, fields, options, error);
  if (!status) status = row_options_check_calibration(options, f->settings.delta, error);
  if (!status) status = read_columns(f, options, error);
  return status ? status : read_rest(f, options, error);
}

void curve_options_clear(curve_options *f) {
  curve_columns_clear(&f->curve_columns);
  sfm_schema_destroy(f->schema);
  free(f->mean);
  *f = (curve_options){0};
}
