/* train_options.h - the options of a machine that `train` and its plans share: what it learns from,
 * what it predicts, and how. */
#ifndef CLI_TRAIN_OPTIONS_H
#define CLI_TRAIN_OPTIONS_H

#include <stdio.h>

#include "compression_option.h"
#include "schema_options.h"
#include "gram_files.h"
#include "group_options.h"
#include "cli/io/points.h"
#include "unlabelled_points.h"
#include "sfumato/train.h"

/* Most columns that a machine learns from. */
#define TRAIN_OPTIONS_FEATURES_MAX 65536

/* What it learns from. */
#define CLI_OPTIONS_FEATURES_LABEL                                                                 \
  {"features", "NAMES|@FILE",                                                                      \
   "the columns to learn from, separated by commas; x1..x20 stands for x1, x2, ..., x20; write a " \
   "name that contains a comma in double quotes; or a file with one name per line",                \
   NULL, 0},                                                                                       \
  {                                                                                                \
    "label", "COLUMN", "the column to predict", NULL, 0                                            \
  }
#define CLI_OPTION_LABEL_BOUNDS                                                                    \
  {                                                                                                \
    "label-bounds", "A:B",                                                                         \
        "predict a number instead: its bounds, public; a label beyond a bound is replaced by the " \
        "bound",                                                                                   \
        "the label's bounds in the schema, if it has them", 0                                      \
  }
#define CLI_OPTIONS_FEATURE_BOUNDS                                                                 \
  {"bounds", "COLUMN=A:B,...|A:B,C:D,...|A:B",                                                     \
   "lower and upper bound of the features that are numbers, in their unit: one pair for all, one " \
   "per feature in order, or by name; public knowledge, never read from the rows",                 \
   NULL, 0},                                                                                       \
      CLI_OPTION_CATEGORIES, CLI_OPTION_SCHEMA, {                                                  \
    "dimension", "D",                                                                              \
        "the rows are libsvm text, `LABEL INDEX:VALUE ...`, with so many coordinates (public; a "  \
        "row with a larger index is ignored), instead of --features and --label",                  \
        NULL, 0                                                                                    \
  }
#define CLI_OPTIONS_TRAIN_DATA                                                                     \
  CLI_OPTIONS_FEATURES_LABEL,                                                                      \
      {"labels", "A|B[|MORE]",                                                                     \
       "the classes, public: the first of two is the negative one; more than two need "            \
       "--one-vs-rest. A row with another label is ignored",                                       \
       "-1|1, or the label's categories in the schema", 0},                                        \
      CLI_OPTION_LABEL_BOUNDS,                                                                     \
      {"one-vs-rest", NULL,                                                                        \
       "three or more classes: one machine for each class against all others; the noise grows "    \
       "with the square root of the number of classes",                                            \
       NULL, 0},                                                                                   \
      CLI_OPTIONS_FEATURE_BOUNDS
/* Where there is one machine. */
#define CLI_OPTIONS_TRAIN_DATA_BINARY                                                              \
  CLI_OPTIONS_FEATURES_LABEL,                                                                      \
      {"labels", "A|B",                                                                            \
       "the two classes, public: the first is the negative one. A row with another label is "      \
       "ignored",                                                                                  \
       "-1|1, or the label's categories in the schema", 0},                                        \
      CLI_OPTION_LABEL_BOUNDS, CLI_OPTIONS_FEATURE_BOUNDS
/* And what it is. */
#define CLI_OPTIONS_MODEL                                                                          \
  {"scaling", "unit|ball|none",                                                                    \
   "how bounded columns are scaled for the kernel. unit: each to [-1, 1]; ball: the same divided " \
   "by the square root of their number, so that no row is longer than 1; none: not scaled",        \
   "unit; none for libsvm text", 0},                                                               \
      {"clip-norm", "R", "rows longer than this are shortened to it, after scaling", "none", 0},   \
      CLI_OPTION_OUTSIDE,                                                                          \
      {"kernel",                                                                                   \
       "linear|polynomial:P:C|gaussian:H|laplacian:H|matern12:H|matern32:H|matern52:H|"            \
       "cauchy:H",                                                                                 \
       "how similar two rows are: <u, v>, (<u, v> + C)^P, or a function of u - v with bandwidth "  \
       "H in units of the scaled columns",                                                         \
       "linear", 0},                                                                               \
      {"constant", "B",                                                                            \
       "a constant feature of this size, instead of an intercept (which would break the "          \
       "guarantee): it is penalised and gets noise like the others",                               \
       "0: none", 0},                                                                              \
  {                                                                                                \
    "loss", "hinge|squared-hinge|logistic|huber[:T]|epsilon-insensitive[:E]|squared",              \
        "the loss function; T and E are in units of the label (by default a tenth and a "          \
        "twentieth of its range); for a number huber, epsilon-insensitive or squared: squared "    \
        "has by far the largest slope, and so the most noise",                                     \
        "hinge for classes, huber for a number", 0                                                 \
  }
#define CLI_OPTIONS_MACHINE CLI_OPTIONS_TRAIN_DATA, CLI_OPTIONS_MODEL
/* And how it is released. */
#define CLI_OPTIONS_TRAIN                                                                          \
  CLI_OPTIONS_MACHINE,                                                                             \
      {"method", "finite|rff:F|gp|tddl|tdil|objective[:F]",                                        \
       "finite: noise on the weights of all features, for a kernel that has finitely many "        \
       "(gaussian: on a torus, in few dimensions); rff:F: noise on the weights of F random "       \
       "features; gp: normal noise, with --places for any kernel; tddl: noise on the values at "   \
       "public points (--public), and a fit to them; tdil: the same at points that are chosen "    \
       "privately, in few dimensions; objective: noise in the function that is minimised, a "      \
       "baseline",                                                                                 \
       "finite for linear and polynomial kernels, else rff:1000", 0},                              \
      {"net", "N", "tdil: how many public points there are to choose from",                        \
       "a few thousand at most; for the linear kernel all possible rows (idealised)", 0},          \
      {"rounds", "B", "tdil: how many points are chosen and answered, one after the other",        \
       "the number of least predicted error", 0},                                                  \
  {                                                                                                \
    "noise", "laplace|normal|gamma",                                                               \
        "on the weights: laplace is pure epsilon and hardened; normal needs --delta and is "       \
        "hardened; gamma is pure epsilon with less noise than laplace, idealised",                 \
        "normal with --delta, else laplace", 0                                                     \
  }
/* How near the exact machine it must be. */
#define CLI_OPTION_TOLERANCE                                                                       \
  {                                                                                                \
    "tolerance", "T",                                                                              \
        "how far from the exact machine the solver may stop, divided by the sensitivity (how far " \
        "one record can move the machine); the solver certifies this distance, and the noise is "  \
        "calibrated for the sensitivity plus twice the distance",                                  \
        "0.1", 0                                                                                   \
  }

/* The settings, and what they borrow: it must stay where it is. */
typedef struct train_options {
  sfm_train_settings settings;
  sfm_schema *schema;
  text_list features, labels;
  const char *list; /* the option that names the columns */
  points places;
  unlabelled_points public;
  gram_files matrices;
  double *lambdas;             /* candidates */
  size_t dimension;            /* of libsvm text; 0: columns */
  sfm_compression compression; /* of libsvm text */
  bool by_schema;              /* it says the labels, or the label's bounds */
} train_options;

/* Reads the options above, --lambda, --epsilon, --delta, --calibration, --neighbours, --person,
 * --contributions, --places, --public and its like, --threads and --band.  Opens no rows.  Clear it
 * also after a failure. */
SFM_MUST_CHECK sfm_status train_options_read(train_options *s, const cli_options *options,
                                             sfm_error *error);
/* Of these only the options of rows and labels, --person and --contributions.  list
 * is the option that names the columns: "features", or another one, beside which there need not be
 * a label. */
SFM_MUST_CHECK sfm_status train_options_read_rows(train_options *s, const cli_options *options,
                                                  const char *list, sfm_error *error);
void train_options_clear(train_options *s);

/* "gaussian:0.5", as it is typed. */
void train_options_kernel_text(char *text, size_t size, const train_options *s);

#endif
