#include "series_options.h"

#include <math.h>
#include <string.h>

#include "kernel_option.h"
#include "cli/core/text.h"
#include "cli/core/shared_options.h"

const cli_option option_basis = {
    "basis", "NAME[:...]",
    "fourier: waves, for periodic values (hours, directions); cosine: half waves; legendre: "
    "polynomials; hermite or hermite:UNIT: for values around the middle of the bounds (default of "
    "UNIT: a tenth of their width); haar: steps; db4: periodic wavelets; eigen:KERNEL:BANDWIDTH: "
    "the eigenfunctions of a kernel, such as eigen:matern52:0.1"};
const cli_option option_series_noise = {
    "noise", "laplace|normal|gamma",
    "laplace: pure epsilon; normal: needs --delta; gamma: pure epsilon, idealised; for waves a "
    "little less noise than laplace",
    CLI_WORDS("laplace", "normal", "gamma")};
const cli_option options_series[] = {
    {"terms", "M|auto",
     "how many functions, the constant included: odd for fourier, a power of two for haar and db4; "
     "auto: the number of least predicted error for the shape",
     "auto"},
    CLI_SAME(shape),
    CLI_SAME(epsilon),
    {"delta", "D",
     "above 0 and below 1, for normal noise; without it the guarantee is pure epsilon",
     CLI_FRACTION("1e-6")},
    {0}};
const cli_option options_series_rows[] = {
    CLI_GROUP(people), CLI_SAME(outside), CLI_SAME(band), CLI_SAME(calibration), {0}};

/* NAME, hermite:UNIT or eigen:KERNEL:BANDWIDTH. */
static sfm_status read_basis(sfm_series_settings *s, const cli_options *options, sfm_error *error) {
  const char *text = options_get(options, "basis"), *colon = strchr(text, ':');
  const size_t length = colon ? (size_t)(colon - text) : strlen(text);
  int found = -1;
  for (int i = SFM_BASIS_FOURIER; i <= SFM_BASIS_EIGEN; i++) {
    const char *name = sfm_basis_name((sfm_basis)i);
    if (strlen(name) == length && strncmp(name, text, length) == 0) found = i;
  }
  if (found < 0)
    return cli_misuse(error,
                      "--basis: '%.*s' is not a basis; write fourier, cosine, legendre, hermite, "
                      "haar, db4 or eigen:KERNEL:BANDWIDTH",
                      (int)(length < 64 ? length : 64), text);
  s->basis = (sfm_basis)found;
  if (found == SFM_BASIS_EIGEN)
    return colon ? kernel_option_read(&s->kernel, &s->bandwidth, colon + 1, "basis eigen", error)
                 : cli_misuse(error, "--basis eigen needs a kernel and its bandwidth in the "
                                     "column's unit; write for example --basis eigen:matern52:10");
  if (!colon) return SFM_OK;
  if (found != SFM_BASIS_HERMITE)
    return cli_misuse(error, "--basis: %.*s takes nothing after a colon; write --basis %.*s",
                      (int)length, text, (int)length, text);
  if (!text_number(&s->unit, colon + 1) || !isfinite(s->unit) || !(s->unit > 0))
    return cli_misuse(error,
                      "--basis: '%.80s' is not a unit above zero; write for example hermite:10, in "
                      "the column's unit",
                      colon + 1);
  return SFM_OK;
}

static sfm_status read_terms(sfm_series_settings *s, const cli_options *options, sfm_error *error) {
  const char *text = options_get(options, "terms");
  uint64_t terms = 0;
  if (!text || strcmp(text, "auto") == 0) return SFM_OK;
  if (!text_count(&terms, text) || terms < 1 || terms > 1000000)
    return cli_misuse(error, "--terms is '%.80s', but must be a whole number above zero, or auto",
                      text);
  s->terms = (size_t)terms;
  return SFM_OK;
}

#define AT(name, member) CLI_FIELD(name, sfm_series_settings, member)
static const cli_field fields[] = {AT("epsilon", epsilon),
                                   AT("delta", delta),
                                   AT("calibration", calibration),
                                   AT("outside", outside),
                                   AT("band", context.confidence),
                                   AT("seed", context),
                                   AT("noise", noise),
                                   {0}};

/* What follows once the column and its bounds are known. */
static sfm_status read_rest(series_options *s, const cli_options *options, sfm_error *error) {
  sfm_series_settings *settings = &s->settings;
  if (s->schema_options.columns.count != 1)
    return cli_misuse(
        error,
        "a series is of one column, not of %zu; `sfumato density` releases the density of several",
        s->schema_options.columns.count);
  settings->context.schema = s->schema_options.schema;
  settings->column = s->schema_options.columns.items[0];
  if (s->every_basis && !options_of_plan(options))
    return cli_misuse(error, "--basis is missing: the functions whose sum is the density; write "
                             "for example --basis cosine, or --basis fourier for periodic values");
  sfm_status status = s->every_basis ? SFM_OK : read_basis(settings, options, error);
  if (!status) status = read_terms(settings, options, error);
  if (s->every_noise)
    settings->noise = settings->delta > 0 ? SFM_VECTOR_NOISE_NORMAL : SFM_VECTOR_NOISE_LAPLACE;
  if (!status && settings->noise == SFM_VECTOR_NOISE_NORMAL && !(settings->delta > 0))
    status = cli_misuse(
        error,
        "--noise normal needs a delta; write for example --delta 1e-6, or use --noise laplace");
  if (!status) status = shape_option_read(&s->shape, 1, options, error);
  settings->shape = s->shape;
  return status;
}

sfm_status series_options_read(series_options *s, const cli_options *options, sfm_error *error) {
  *s = (series_options){.settings = sfm_series_settings_default(),
                        .every_basis = !options_has(options, "basis"),
                        .every_noise = !options_has(options, "noise")};
  sfm_status status = options_fill(&s->settings, fields, options, error);
  if (!status) status = row_options_check_calibration(options, s->settings.delta, error);
  if (!status) status = row_options_read_columns(&s->schema_options, options, error);
  return status ? status : read_rest(s, options, error);
}

void series_options_clear(series_options *s) {
  sfm_shape_destroy(s->shape);
  schema_options_clear(&s->schema_options);
  *s = (series_options){0};
}
