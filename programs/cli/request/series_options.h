/* series_options.h - the options of a series that `series` and `plan series` share. */
#ifndef CLI_SERIES_OPTIONS_H
#define CLI_SERIES_OPTIONS_H

#include "row_options.h"
#include "shape_option.h"
#include "sfumato/series.h"

#define CLI_OPTION_BASIS(fallback)                                                                 \
  {                                                                                                \
    "basis", "NAME[:...]",                                                                         \
        "fourier: waves, for periodic values (hours, directions); cosine: half waves; legendre: "  \
        "polynomials; hermite or hermite:UNIT: for values around the middle of the bounds "        \
        "(default of UNIT: a tenth of their width); haar: steps; db4: periodic wavelets; "         \
        "eigen:KERNEL:BANDWIDTH: the eigenfunctions of a kernel, such as eigen:matern52:0.1",      \
        fallback, 0                                                                                \
  }
#define CLI_OPTIONS_SERIES(noise)                                                                  \
  {"terms", "M|auto",                                                                              \
   "how many functions, the constant included: odd for fourier, a power of two for haar and db4; " \
   "auto: the number of least predicted error for the shape",                                      \
   "auto", 0},                                                                                     \
      CLI_OPTION_SHAPE, CLI_OPTION_EPSILON,                                                        \
      {"delta", "D",                                                                               \
       "above 0 and below 1, for normal noise; without it the guarantee is pure epsilon", NULL,    \
       0},                                                                                         \
      {"noise", "laplace|normal|gamma",                                                            \
       "laplace: pure epsilon; normal: needs --delta; gamma: pure epsilon, idealised; for waves "  \
       "a little less noise than laplace",                                                         \
       noise, 0},                                                                                  \
      CLI_OPTION_PERSON, CLI_OPTION_CONTRIBUTIONS, CLI_OPTION_OUTSIDE,                             \
      {"band", "C", "confidence of the error band, between 0 and 1", "0.95", 0},                   \
      CLI_OPTION_CALIBRATION

/* The settings, and what they borrow: it must stay where it is. */
typedef struct series_options {
  sfm_series_settings settings;
  sfm_density_settings rows; /* what every release of rows is asked */
  schema_options schema_options;
  sfm_shape *shape;
  bool every_basis, every_noise; /* none was named */
} series_options;

/* Reads all options of a release, or of a plan: it has no --seed, and need name neither column nor
 * basis.  Opens no rows.  Clear it also after a failure. */
SFM_MUST_CHECK sfm_status series_options_read(series_options *s, const cli_options *options,
                                              sfm_error *error);
SFM_MUST_CHECK sfm_status series_options_plan(series_options *s, const cli_options *options,
                                              sfm_error *error);
void series_options_clear(series_options *s);

#endif
