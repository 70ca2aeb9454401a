#include "density_options.h"

#include <math.h>
#include <string.h>

#include "cli/core/text.h"
#include "cli/core/shared_options.h"

static const cli_option option_method = {
    "method", "auto|lattice|gp|sobolev[:GAMMA[,GAMMA...]]|fourier-laplace|caratheodory",
    "auto: of the hardened methods whose predicted error is within a tenth of the least the one "
    "with "
    "the narrowest band, and normal noise when a gdp or zcdp "
    "ledger is charged at a --delta, where it costs far less; lattice: pure epsilon, or with "
    "normal noise; gp: a Gaussian process, needs --delta; sobolev: the gaussian estimate with the "
    "rough noise of a Sobolev space, of covariance exp(-GAMMA|x - y|), as values at points, needs "
    "--delta; GAMMA is measured in 1/(unit of the column), one number for all columns or one per "
    "column; without it the GAMMA of least noise is used; fourier-laplace: pure epsilon, Laplace "
    "noise on Fourier coefficients; caratheodory: pure epsilon, one column, idealised, noise "
    "shaped like the trigonometric moments",
    "auto", CLI_CHOICE(SFM_ENUMERATION_DENSITY_METHOD)};
const cli_option options_density[] = {
    CLI_SAME(epsilon),
    {"delta", "D",
     "above 0 and below 1: allows normal noise at this delta; without it the guarantee is pure "
     "epsilon",
     CLI_FRACTION("1e-6")},
    CLI_SAME(method),
    CLI_SAME(boundary),
    {"noise", "auto|laplace|normal",
     "lattice: laplace is pure epsilon; normal needs --delta, and suits many releases and many "
     "columns; auto: the one with less predicted error",
     "auto", CLI_CHOICE(SFM_ENUMERATION_DENSITY_NOISE)},
    {"terms", "M",
     "fourier-laplace and caratheodory: frequencies 1 to M along every axis, at most 2000 (24 with "
     "--body hull); by default the number of least predicted error",
     CLI_COUNT(1, 2000)},
    {"body", "exact|hull",
     "caratheodory: the shape of its noise. exact: the body of the moments, drawn exactly; hull: "
     "its symmetric hull, less noise, drawn by a random walk (seconds to minutes)",
     "exact", CLI_CHOICE(SFM_ENUMERATION_DENSITY_BODY)},
    CLI_SAME(kernel),
    {"engine", "auto|spectral|circulant|markov|gram|random",
     "gp and sobolev: how the noise is drawn. spectral: gp with the gaussian kernel, the whole "
     "function, hardened. circulant: grids of up to three variables; markov: laplacian, matern and "
     "sobolev of one variable; gram: any case, up to 10000 points; these three release values at "
     "points and are idealised. random: gp of many variables, the whole function, hardened; the "
     "kernel is approximated by random features. auto: spectral where possible, else the first "
     "possible one of markov, circulant and gram; for gp with more than four variables random",
     "auto", CLI_CHOICE(SFM_ENUMERATION_ENGINE)},
    {"features", "F",
     "random only: how many features, an even number; by default so many that the approximation is "
     "a small part of the error, within about a minute and two megabytes",
     CLI_COUNT(2, UINT64_C(1) << 20)},
    {"release-grid", "N[xM...]",
     "for engines that release values: at a regular grid over the bounds, N points along every "
     "axis or one number per axis (by default 512, 64x64 or 16x16x16)"},
    {"release-points", "FILE",
     "for engines that release values: at the points of a CSV whose header names the columns, or "
     "of an NPY of shape (points, columns); the points are published in the release: never take "
     "them from the rows"},
    CLI_SAME(by),
    CLI_SAME(categories),
    CLI_GROUP(neighbours),
    {.same = &option_outside, .fallback = "drop"},
    CLI_SAME(band),
    CLI_SAME(calibration),
    {0}};

/* Where engines other than spectral release values. */
static sfm_status read_places(sfm_density_settings *s, points *places, const cli_options *options,
                              sfm_error *error) {
  const char *grid = options_get(options, "release-grid"),
             *file = options_get(options, "release-points");
  size_t total;
  sfm_status status = SFM_OK;
  if (grid && file)
    return cli_misuse(
        error,
        "values are released on a grid or at points: leave out --release-grid or --release-points");
  if (grid)
    status = points_grid_counts(s->release_grid, &total, grid, "release-grid", s->dimension, error);
  if (file) status = points_from_file(places, file, s->columns, s->dimension, error);
  s->release_points = places->at;
  s->release_count = places->count;
  if (!status && file && places->count == 0)
    status = cli_misuse(error, "%s has no points to release values at", file);
  return status;
}

static sfm_status read_method(sfm_density_settings *s, double *gamma, const cli_options *options,
                              sfm_error *error) {
  static const char numbered[] = "sobolev:";
  const char *text = options_get(options, "method");
  unsigned method = SFM_DENSITY_SOBOLEV;
  const bool given = text && strncmp(text, numbered, strlen(numbered)) == 0;
  if (!text) return SFM_OK;
  sfm_status status = given ? row_options_read_numbers(gamma, s->dimension, text + strlen(numbered),
                                                       "method sobolev", error)
                            : options_take(options, &method, "method", error);
  if (given) s->gamma = gamma;
  s->method = (sfm_density_method)method;
  const bool normal = s->method == SFM_DENSITY_GP || s->method == SFM_DENSITY_SOBOLEV;
  if (!status && normal && !(s->delta > 0))
    status = cli_misuse(error,
                        "--method %s adds normal noise, which needs a delta; write for example "
                        "--delta 1e-6, or use --method lattice for pure epsilon",
                        sfm_density_method_name(s->method));
  return status;
}

static sfm_status check_noise(const sfm_density_settings *s, const cli_options *options,
                              sfm_error *error) {
  if (s->noise == SFM_DENSITY_NOISE_NORMAL && !(s->delta > 0))
    return cli_misuse(error, "--noise normal needs a delta; write for example --delta 1e-6, or use "
                             "--noise laplace for pure epsilon");
  if (options_has(options, "body") && s->method != SFM_DENSITY_CARATHEODORY)
    return cli_misuse(error,
                      "--body is for --method caratheodory: add that method, or leave out --body");
  return SFM_OK;
}

/* Categories are for columns that make groups: one that was forgotten in --by would cost a release
 * that is not the one meant. */
static sfm_status check_stated(const text_list *by, const cli_options *options, sfm_error *error) {
  size_t at = 0;
  for (const char *text; (text = options_next(options, "categories", &at));) {
    const size_t length = strcspn(text, "=");
    bool named = false;
    for (size_t i = 0; i < by->count && !named; i++)
      named = strlen(by->items[i]) == length && strncmp(by->items[i], text, length) == 0;
    if (!named)
      return cli_misuse(error,
                        "--categories: '%.*s' is not among the columns that make groups: add it to "
                        "--by, or leave out its --categories",
                        (int)(length < 64 ? length : 64), text);
  }
  return SFM_OK;
}

/* The groups; by is where their names go. */
static sfm_status read_groups(sfm_density_settings *s, const schema_options *f, text_list *by,
                              const cli_options *options, sfm_error *error) {
  sfm_status status = group_options_read_by(by, options, error);
  if (!status && options_has(options, "categories") && by->count == 0)
    status = cli_misuse(error, "--categories is for the columns that make groups: name these "
                               "columns, for example --by sex, or leave out --categories");
  if (!status) status = group_options_read_categories(f->schema, options, error);
  if (!status) status = check_stated(by, options, error);
  s->by = (const char *const *)by->items;
  s->by_count = by->count;
  return status;
}

static sfm_status check_expected(const density_options *c, const cli_options *options,
                                 sfm_error *error) {
  const sfm_density_settings *s = &c->settings;
  if (s->bandwidth || s->candidates || s->expected_rows || options_of_plan(options) ||
      sfm_schema_neighbours(s->context.schema) != SFM_NEIGHBOURS_ADD_REMOVE)
    return SFM_OK;
  return cli_misuse(
      error,
      "--bandwidth %s: under add-remove the number of records is private, and a bandwidth can be "
      "chosen only for a public guess of it; write for example --expect 1000, or --bandwidth %.3g",
      options_has(options, "bandwidth") ? "auto" : "is missing",
      row_options_default_bandwidth(&c->schema_options));
}

sfm_status density_options_read(density_options *c, const cli_options *options, sfm_error *error) {
  sfm_density_settings *s = &c->settings;
  *c = (density_options){0};
  sfm_status status = row_options_read(s, &c->schema_options, options, error);
  if (!status && !bandwidth_choice_given(options))
    status = row_options_read_bandwidth(s, &c->schema_options, c->bandwidth, true, options, error);
  if (!status) status = bandwidth_choice_read(s, c->candidates, options, error);
  if (!status) status = read_method(s, c->gamma, options, error);
  if (!status) status = boundary_option_read(s, &c->edges, options, error);
  if (!status) status = check_noise(s, options, error);
  if (!status) status = read_places(s, &c->places, options, error);
  if (!status) status = read_groups(s, &c->schema_options, &c->by, options, error);
  if (!status) status = shape_option_read(&c->shape, s->dimension, options, error);
  s->shape = c->shape;
  return status ? status : check_expected(c, options, error);
}

void density_options_clear(density_options *c) {
  sfm_shape_destroy(c->shape);
  points_clear(&c->places);
  text_list_clear(&c->by);
  schema_options_clear(&c->schema_options);
  *c = (density_options){0};
}
