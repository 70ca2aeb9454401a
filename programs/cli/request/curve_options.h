/* curve_options.h - the options of a mean curve that `curve` and `plan curve` share. */
#ifndef CLI_CURVE_OPTIONS_H
#define CLI_CURVE_OPTIONS_H

#include "row_options.h"
#include "sfumato/curve.h"
#include "curve_columns.h"

#define CLI_OPTION_MEAN_SHAPE                                                                      \
  {                                                                                                \
    "shape", "SHAPE",                                                                              \
        "a public guess of the mean; it is used to choose the directions that are released with "  \
        "Laplace noise: flat:HEIGHT, bump:HEIGHT:CENTRE:DEVIATION, or @FILE, a released function " \
        "of one variable, for example that of a pilot. Privacy does not depend on it",             \
        "as large as the clip allows, equally in all directions", 0                                \
  }
#define CLI_OPTIONS_CURVE                                                                          \
  {"variable", "NAME", "the name of the grid's variable, in the release and its pictures", "t",    \
   0},                                                                                             \
      {"clip", "TAU",                                                                              \
       "the largest norm that a curve may have in the kernel's space; a curve with a larger norm " \
       "is scaled down to it. Public, chosen without looking at the rows: one curve can change "   \
       "the mean by 2 TAU over the number of curves, and the noise is proportional to this. "      \
       "Without --clip the message states the norm of a flat curve",                               \
       NULL, 0},                                                                                   \
      {"kernel", "FAMILY:BANDWIDTH",                                                               \
       "the kernel of the space in which curves are fitted: gaussian, laplacian, matern12, "       \
       "matern32, matern52 or cauchy, and its length in the grid's unit; matern52 with a tenth "   \
       "of the grid's range is a good start",                                                      \
       NULL, 0},                                                                                   \
      {"ridge", "R",                                                                               \
       "how much the fits are smoothed: the variance of the error of a value, divided by the "     \
       "variance of the curves; with 0 a fit goes through the values",                             \
       "0.01", 0},                                                                                 \
      CLI_OPTION_EPSILON,                                                                          \
      {"delta", "D",                                                                               \
       "above 0 and below 1: normal noise on all directions of the fits; without it the "          \
       "guarantee is pure epsilon, with Laplace noise on the few directions that give the least "  \
       "predicted error",                                                                          \
       NULL, 0},                                                                                   \
      {"person", "COLUMN",                                                                         \
       "the column that names the person of each curve; the curves of one person are added up "    \
       "and clipped together, to --contributions times TAU",                                       \
       NULL, 0},                                                                                   \
      {"contributions", "K",                                                                       \
       "how many curves of norm TAU a person may have; enforced with --person, otherwise stated "  \
       "in the release as an assumption",                                                          \
       "1", 0},                                                                                    \
      {"schema", "FILE",                                                                           \
       "Frictionless Table Schema (JSON) that states, beside `fields`, person and contributions; " \
       "an option that states the same must agree with it",                                        \
       NULL, 0},                                                                                   \
      {"band", "C", "confidence of the error band, between 0 and 1", "0.95", 0},                   \
      CLI_OPTION_CALIBRATION

/* The settings, and what they borrow: it must stay where it is. */
typedef struct curve_options {
  sfm_curve_settings settings;
  curve_columns curve_columns;
  sfm_schema *schema;
  double *mean; /* the public guess of it, or NULL */
} curve_options;

/* Reads all options of a release, or of a plan: it has no --seed, need not name its columns, and
 * has --spread.  Opens no rows.  Clear it also after a failure. */
SFM_MUST_CHECK sfm_status curve_options_read(curve_options *f, const cli_options *options,
                                             sfm_error *error);
SFM_MUST_CHECK sfm_status curve_options_plan(curve_options *f, const cli_options *options,
                                             sfm_error *error);
void curve_options_clear(curve_options *f);

#endif
