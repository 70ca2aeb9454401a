#include "row_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/core/shared_options.h"
#include "cli/core/text.h"
#include "boundary_option.h"

const cli_option option_kernel = {
    "kernel", "gaussian|laplacian|matern12|matern32|matern52|cauchy",
    "the kernel that smooths every row and shapes the noise", "gaussian",
    CLI_WORDS("gaussian", "laplacian", "matern12", "matern32", "matern52", "cauchy")};
const cli_option option_outside = {
    "outside", "clamp|drop",
    "clamp: a value beyond a bound is replaced by the bound; drop: its row is ignored", "clamp",
    CLI_CHOICE(SFM_ENUMERATION_OUTSIDE)};
const cli_option option_expect = {
    "expect", "N",
    "add-remove only: a public guess of the number of records, to plan with; never the true count",
    CLI_COUNT(1, UINT64_C(1) << 50)};
const cli_option options_online[] = {
    CLI_SAME(epsilon),
    {"delta", "D", "above 0 and below 1; required, because the noise is normal",
     CLI_FRACTION("1e-6"),
     .missing =
         "the noise of a session is normal and needs a delta; write for example --delta 1e-6"},
    CLI_SAME(boundary),
    CLI_GROUP(neighbours),
    {.same = &option_outside, .fallback = "drop"},
    {"band", "C", "confidence of the transcript's error band, between 0 and 1", "0.95",
     CLI_FRACTION("0.95")},
    CLI_SAME(calibration),
    {0}};

double row_options_default_bandwidth(const schema_options *f) {
  const sfm_column *first = sfm_schema_find(f->schema, f->columns.items[0]);
  return (first->upper - first->lower) / 20;
}

sfm_status row_options_read_numbers(double *out, size_t dimension, const char *text,
                                    const char *option, sfm_error *error) {
  size_t count;
  double *numbers;
  sfm_status status = text_numbers(&numbers, &count, text, option, error);
  if (status) return status;
  if (count != 1 && count != dimension)
    status = cli_misuse(error,
                        "--%s has %zu numbers for %zu column%s; give one for all, or one per "
                        "column separated by commas",
                        option, count, dimension, dimension == 1 ? "" : "s");
  for (size_t i = 0; !status && i < dimension; i++) out[i] = numbers[count == 1 ? 0 : i];
  free(numbers);
  return status;
}

static sfm_status read_widths(double *h, const schema_options *f, const char *text,
                              sfm_error *error) {
  const size_t dimension = f->columns.count;
  const sfm_status status = row_options_read_numbers(h, dimension, text, "bandwidth", error);
  for (size_t i = 0; !status && i < dimension; i++)
    if (!isfinite(h[i]) || !(h[i] > 0))
      return cli_misuse(
          error,
          "--bandwidth is %s, but must be a finite number above zero, in the unit of column '%s'",
          text, f->columns.items[i]);
  return status;
}

sfm_status row_options_read_bandwidth(sfm_density_settings *s, const schema_options *f, double *h,
                                      bool chosen, const cli_options *options, sfm_error *error) {
  const char *text = options_get(options, "bandwidth");
  const bool automatic = text && strcmp(text, "auto") == 0;
  if (chosen && (!text || automatic)) return SFM_OK;
  if (!text || automatic)
    return cli_misuse(error,
                      "--bandwidth is %s: the width of the smoothing in the column's unit. It is "
                      "published, so choose it without looking at the rows; a twentieth of the "
                      "domain's width is a good start: --bandwidth %.3g",
                      text ? "needed here" : "missing", row_options_default_bandwidth(f));
  if (strncmp(text, "choose:", 7) == 0)
    return cli_misuse(error, "--bandwidth choose: is only for `sfumato density`; state one "
                             "bandwidth here, for example one that was chosen there");
  s->bandwidth = h;
  return read_widths(h, f, text, error);
}

#define AT(name, member) CLI_FIELD(name, sfm_density_settings, member)
static const cli_field fields[] = {AT("epsilon", epsilon),
                                   AT("delta", delta),
                                   AT("calibration", calibration),
                                   AT("outside", outside),
                                   AT("band", context.confidence),
                                   AT("seed", context),
                                   AT("expect", expected_rows),
                                   AT("noise", noise),
                                   AT("terms", terms),
                                   AT("body", body),
                                   AT("kernel", kernel),
                                   AT("engine", engine),
                                   AT("features", features),
                                   AT("choice-share", choice_share),
                                   {0}};

sfm_status row_options_check_calibration(const cli_options *options, double delta,
                                         sfm_error *error) {
  if (!options_given(options, "calibration") || delta > 0) return SFM_OK;
  return cli_misuse(error, "--calibration is for normal noise, which needs --delta; without "
                           "--delta the noise needs no calibration");
}

sfm_status row_options_read_columns(schema_options *f, const cli_options *options,
                                    sfm_error *error) {
  if (!options_of_plan(options) && !options_has(options, "columns"))
    return cli_misuse(error, "--columns is missing: which column, or columns, to release the "
                             "density of; write for example --columns age");
  return schema_options_read(f, options, error);
}

sfm_status row_options_read(sfm_density_settings *s, schema_options *f, const cli_options *options,
                            sfm_error *error) {
  *s = sfm_density_settings_default();
  sfm_status status = options_fill(s, fields, options, error);
  if (!status) status = row_options_check_calibration(options, s->delta, error);
  if (!status) status = row_options_read_columns(f, options, error);
  s->context.schema = f->schema;
  s->columns = (const char *const *)f->columns.items;
  s->dimension = f->columns.count;
  if (!status && s->expected_rows && sfm_schema_neighbours(f->schema) == SFM_NEIGHBOURS_REPLACE)
    status = cli_misuse(error, "--expect is for --neighbours add-remove; under replace the number "
                               "of records is public and is counted");
  return status;
}

sfm_status row_options_read_count(uint64_t *rows, const cli_options *options, sfm_error *error) {
  const char *text = options_get(options, "n");
  if (options_declared(options, "rows") && options_has(options, "rows"))
    return text ? cli_misuse(error, "--rows is another name of --n: leave out one of them")
                : options_take(options, rows, "rows", error);
  if (!text)
    return cli_misuse(
        error,
        "--n is missing: how many records there are, or will be; write for example --n 5000");
  if (!text_count(rows, text) || *rows < 1 || *rows > ROW_OPTIONS_COUNT_MAX)
    return cli_misuse(
        error,
        "--n: '%.80s' is not a number of records: a whole number from 1 to %llu, written in digits",
        text, (unsigned long long)ROW_OPTIONS_COUNT_MAX);
  return SFM_OK;
}

void row_options_warn(const sfm_schema *schema) {
  const uint32_t contributions = sfm_schema_contributions(schema);
  if (contributions > 1 && !sfm_schema_person(schema))
    fprintf(stderr,
            "note        it is an assumption that a person has at most %u records; --person COLUMN "
            "enforces it\n",
            contributions);
}
