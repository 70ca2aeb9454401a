#include "row_options.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/core/text.h"

const cli_option option_kernel = {
    "kernel", "gaussian|laplacian|matern12|matern32|matern52|cauchy",
    "the kernel that smooths every row and shapes the noise", "gaussian",
    CLI_WORDS("gaussian", "laplacian", "matern12", "matern32", "matern52", "cauchy")};
const cli_option option_outside = {
    "outside", "clamp|drop",
    "clamp: a value beyond a bound is replaced by the bound; drop: its row is ignored", "clamp",
    CLI_CHOICE(SFM_WORDS_OUTSIDE)};
const cli_option option_expect = {
    "expect", "N",
    "add-remove only: a public guess of the number of records, to plan with; never the true count",
    CLI_COUNT(1, UINT64_C(1) << 50)};

double row_options_default_bandwidth(const schema_options *f) {
  const sfm_column *first = sfm_schema_find(f->schema, f->columns.items[0]);
  return (first->upper - first->lower) / 20;
}

/* One number for all columns or one per column, into h. */
static sfm_status read_widths(double *h, const schema_options *f, const char *text,
                              sfm_error *error) {
  const size_t dimension = f->columns.count;
  size_t count;
  double *numbers;
  sfm_status status = text_numbers(&numbers, &count, text, "bandwidth", error);
  if (status) return status;
  if (count != 1 && count != dimension)
    status = cli_misuse(error,
                        "--bandwidth has %zu numbers for %zu column%s; give one for all, or one "
                        "per column separated by commas",
                        count, dimension, dimension == 1 ? "" : "s");
  for (size_t i = 0; !status && i < dimension; i++) {
    h[i] = numbers[count == 1 ? 0 : i];
    if (!isfinite(h[i]) || !(h[i] > 0))
      status = cli_misuse(
          error,
          "--bandwidth is %s, but must be a finite number above zero, in the unit of column '%s'",
          text, f->columns.items[i]);
  }
  free(numbers);
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

static sfm_status read_guarantee(sfm_density_settings *s, const cli_options *options,
                                 sfm_error *error) {
  unsigned outside = 0;
  sfm_status status = guarantee_options_epsilon(&s->epsilon, options, error);
  if (!status) status = options_fraction(options, &s->delta, "delta", "1e-6", error);
  if (!status) status = guarantee_options_calibration(&s->calibration, options, error);
  if (!status)
    status = options_choice(options, &outside, "outside", sfm_words(SFM_WORDS_OUTSIDE), error);
  if (!status) status = options_fraction(options, &s->context.confidence, "band", "0.95", error);
  if (status) return status;
  s->outside = (sfm_outside)outside;
  if (options_has(options, "calibration") && !(s->delta > 0))
    return cli_misuse(error, "--calibration is for normal noise, which needs --delta; without "
                             "--delta the noise is Laplace noise and needs no calibration");
  return SFM_OK;
}

sfm_status row_options_read_neighbours(const schema_options *f, const cli_options *options,
                                       sfm_error *error) {
  sfm_neighbours neighbours;
  sfm_status status = guarantee_options_neighbours(&neighbours, options, error);
  if (!status && options_has(options, "neighbours"))
    status = sfm_schema_set_neighbours(f->schema, neighbours, error);
  return status;
}

static sfm_status read_expected(sfm_density_settings *s, const schema_options *f,
                                const cli_options *options, sfm_error *error) {
  sfm_status status =
      options_count(options, &s->expected_rows, "expect", 1, (uint64_t)1 << 50, error);
  if (!status && s->expected_rows && sfm_schema_neighbours(f->schema) == SFM_REPLACE)
    status = cli_misuse(error, "--expect is for --neighbours add-remove; under replace the number "
                               "of records is public and is counted");
  return status;
}

/* The settings take schema and columns from the options. */
static void take_schema(sfm_density_settings *s, const schema_options *f) {
  s->context.schema = f->schema;
  s->columns = (const char *const *)f->columns.items;
  s->dimension = f->columns.count;
}

sfm_status row_options_read_rows(sfm_density_settings *s, schema_options *f,
                                 const cli_options *options, sfm_error *error) {
  *s = sfm_density_settings_default();
  sfm_status status = read_guarantee(s, options, error);
  if (!status) status = options_count(options, &s->context.seed, "seed", 0, UINT64_MAX, error);
  s->context.seeded = options_has(options, "seed");
  if (!status && !options_has(options, "columns"))
    status = cli_misuse(error, "--columns is missing: which column, or columns, to release the "
                               "density of; write for example --columns age");
  if (!status) status = schema_options_read(f, options, error);
  take_schema(s, f);
  return status;
}

sfm_status row_options_read(sfm_density_settings *s, schema_options *f, const cli_options *options,
                            sfm_error *error) {
  sfm_status status = row_options_read_rows(s, f, options, error);
  if (!status) status = row_options_read_neighbours(f, options, error);
  return status ? status : read_expected(s, f, options, error);
}

sfm_status row_options_read_count(uint64_t *rows, const cli_options *options, sfm_error *error) {
  const char *text = options_get(options, "n");
  if (options_declared(options, "rows") && options_has(options, "rows"))
    return text ? cli_misuse(error, "--rows is another name of --n: leave out one of them")
                : options_count(options, rows, "rows", 1, ROW_OPTIONS_COUNT_MAX, error);
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

sfm_status row_options_read_plan(sfm_density_settings *s, schema_options *f,
                                 const cli_options *options, sfm_error *error) {
  *s = sfm_density_settings_default();
  sfm_status status = read_guarantee(s, options, error);
  if (!status) status = schema_options_read_unnamed(f, options, error);
  take_schema(s, f);
  return status;
}

sfm_status row_options_read_engine(sfm_density_settings *s, const cli_options *options,
                                   const char *const *engines, sfm_error *error) {
  static const char *const kernels[] = {"gaussian", "laplacian", "matern12", "matern32",
                                        "matern52", "cauchy",    NULL};
  unsigned kernel = 0, engine = 0;
  sfm_status status = options_choice(options, &kernel, "kernel", kernels, error);
  if (!status) status = options_choice(options, &engine, "engine", engines, error);
  s->kernel = (sfm_kernel_family)kernel;
  s->engine = (sfm_engine)engine;
  return status;
}

void row_options_warn(const sfm_density_settings *s, double delta) {
  const uint32_t contributions = sfm_schema_contributions(s->context.schema);
  if (delta > 1e-3)
    text_print_labelled(stderr, "note",
                        "with probability delta a person may be fully exposed; delta should be far "
                        "below 1/(number of people), for example 1e-6");
  if (s->epsilon > 10)
    text_print_labelled(stderr, "note", "an epsilon above 10 promises very little");
  if (contributions > 1 && !sfm_schema_person(s->context.schema))
    fprintf(stderr,
            "note        it is an assumption that a person has at most %u records; --person COLUMN "
            "enforces it\n",
            contributions);
}
