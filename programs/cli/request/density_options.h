/* density_options.h - the options of a density that `density` and `plan density` share. */
#ifndef CLI_DENSITY_OPTIONS_H
#define CLI_DENSITY_OPTIONS_H

#include "row_options.h"
#include "boundary_option.h"
#include "bandwidth_choice.h"
#include "group_options.h"
#include "cli/io/points.h"
#include "shape_option.h"

#define CLI_OPTION_METHOD                                                                          \
  {                                                                                                \
    "method", "auto|lattice|gp|sobolev[:GAMMA[,GAMMA...]]|fourier-laplace|caratheodory",           \
        "auto: the hardened method of least predicted error, and normal noise when a gdp or zcdp " \
        "ledger is charged at a --delta, where it costs far less; lattice: pure epsilon, or with " \
        "normal noise; gp: a Gaussian process, needs --delta; sobolev: the gaussian estimate "     \
        "with the rough noise of a Sobolev space, of covariance exp(-GAMMA|x - y|), as values at " \
        "points, needs --delta; GAMMA is measured in 1/(unit of the column), one number for all "  \
        "columns or one per column; without it the GAMMA of least noise is used; "                 \
        "fourier-laplace: pure epsilon, Laplace noise on Fourier coefficients; caratheodory: "     \
        "pure epsilon, one column, idealised, noise shaped like the trigonometric moments",        \
        "auto", 0                                                                                  \
  }
/* All others but bandwidth and expect. */
#define CLI_OPTIONS_DENSITY                                                                        \
  CLI_OPTION_EPSILON,                                                                              \
      {"delta", "D",                                                                               \
       "above 0 and below 1: allows normal noise at this delta; without it the guarantee is pure " \
       "epsilon",                                                                                  \
       NULL, 0},                                                                                   \
      CLI_OPTION_METHOD, CLI_OPTION_BOUNDARY,                                                      \
      {"noise", "auto|laplace|normal",                                                             \
       "lattice: laplace is pure epsilon; normal needs --delta, and suits many releases and many " \
       "columns; auto: the one with less predicted error",                                         \
       "auto", 0},                                                                                 \
      {"terms", "M",                                                                               \
       "fourier-laplace and caratheodory: frequencies 1 to M along every axis, at most 2000 (24 "  \
       "with --body hull); by default the number of least predicted error",                        \
       NULL, 0},                                                                                   \
      {"body", "exact|hull",                                                                       \
       "caratheodory: the shape of its noise. exact: the body of the moments, drawn exactly; "     \
       "hull: its symmetric hull, less noise, drawn by a random walk (seconds to minutes)",        \
       "exact", 0},                                                                                \
      CLI_OPTION_KERNEL,                                                                           \
      {"engine", "auto|spectral|circulant|markov|gram|random",                                     \
       "gp and sobolev: how the noise is drawn. spectral: gp with the gaussian kernel, the whole " \
       "function, hardened. circulant: grids of up to three variables; markov: laplacian, matern " \
       "and sobolev of one variable; gram: any case, up to 10000 points; these three release "     \
       "values at points and are idealised. random: gp of many variables, the whole function, "    \
       "hardened; the kernel is approximated by random features. auto: spectral where possible, "  \
       "else the first possible one of markov, circulant and gram; for gp with more than four "    \
       "variables random",                                                                         \
       "auto", 0},                                                                                 \
      {"features", "F",                                                                            \
       "random only: how many features, an even number; by default so many that the "              \
       "approximation is a small part of the error, within about a minute and two megabytes",      \
       NULL, 0},                                                                                   \
      {"release-grid", "N[xM...]",                                                                 \
       "for engines that release values: at a regular grid over the bounds, N points along every " \
       "axis or one number per axis (by default 512, 64x64 or 16x16x16)",                          \
       NULL, 0},                                                                                   \
      {"release-points", "FILE",                                                                   \
       "for engines that release values: at the points of a CSV whose header names the columns, "  \
       "or of an NPY of shape (points, columns); the points are published in the release: never "  \
       "take them from the rows",                                                                  \
       NULL, 0},                                                                                   \
      CLI_OPTION_BY, CLI_OPTION_CATEGORIES, CLI_OPTION_NEIGHBOURS, CLI_OPTION_PERSON,              \
      CLI_OPTION_CONTRIBUTIONS, CLI_OPTION_OUTSIDE,                                                \
      {"band", "C", "confidence of the error band, between 0 and 1", "0.95", 0},                   \
      CLI_OPTION_CALIBRATION

/* The settings, and what they borrow: it must stay where it is. */
typedef struct density_options {
  sfm_density_settings settings;
  schema_options schema_options;
  sfm_shape *shape;
  points places;
  boundaries edges;
  text_list by;
  double bandwidth[SFM_MAX_DIMENSION], gamma[SFM_MAX_DIMENSION];
  double candidates[BANDWIDTH_CHOICE_MAX * SFM_MAX_DIMENSION];
} density_options;

/* Reads all options of a release, or of a plan: it has no --seed, --expect and --choice-share, and
 * need not name its columns.  Opens no rows.  Clear it also after a failure. */
SFM_MUST_CHECK sfm_status density_options_read(density_options *c, const cli_options *options,
                                               sfm_error *error);
SFM_MUST_CHECK sfm_status density_options_plan(density_options *c, const cli_options *options,
                                               sfm_error *error);
void density_options_clear(density_options *c);

#endif
