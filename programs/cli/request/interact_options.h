/* interact_options.h - the options of an interactive session, and its plan in words. */
#ifndef CLI_INTERACT_OPTIONS_H
#define CLI_INTERACT_OPTIONS_H

#include <jansson.h>

#include "train_options.h"
#include "sfumato/interact.h"

/* What is learned; and beside that: */
#define CLI_OPTIONS_INTERACT_MODEL CLI_OPTIONS_TRAIN_DATA_BINARY, CLI_OPTIONS_MODEL
#define CLI_OPTIONS_INTERACT                                                                       \
  {"lambda", "L", "the penalty on the weights: (L/2)|w|^2 is added to the mean loss; public",      \
   "kappa^2/sqrt(n), where kappa is the largest norm that a row's features can have", 0},          \
      {"method", "finite|rff:F",                                                                   \
       "which features the private machine has: all features of a kernel that has finitely many "  \
       "(gaussian: on a torus, in few dimensions), or F random features",                          \
       "finite for linear and polynomial kernels, else rff:1000", 0},                              \
      {"questions", "T",                                                                           \
       "how many questions are expected, a public number: the threshold is set so that few "       \
       "epochs end by a false alarm. More questions are possible",                                 \
       "100000", 0},                                                                               \
      {"accuracy", "A",                                                                            \
       "the error bar that answers should have, in units of the label; classes are -1 and 1",      \
       NULL, 0},                                                                                   \
      {"epochs", "B",                                                                              \
       "the number of epochs, up to 4096, whatever error bars follow (with or without "            \
       "--accuracy)",                                                                              \
       "as many as the accuracy allows", 0},                                                       \
      {"update", "ridge|step",                                                                     \
       "how the public model learns from a released value: kernel ridge regression on all of "     \
       "them, or a step of fixed length towards each",                                             \
       "ridge", 0},                                                                                \
      CLI_OPTION_EPSILON,                                                                          \
      {"delta", "D", "above 0 and below 1: the epochs together then cost less",                    \
       "none: pure epsilon", 0},                                                                   \
      CLI_OPTION_TOLERANCE,                                                                        \
      {"neighbours", "replace",                                                                    \
       "what the guarantee hides: the replacement of a person's records (the number of records "   \
       "is public)",                                                                               \
       "replace", 0},                                                                              \
      CLI_OPTION_PERSON, CLI_OPTION_CONTRIBUTIONS,                                                 \
      {"threads", "N", "how many threads read and solve", "one per processor, up to eight", 0}, {  \
    "band", "C", "confidence of the error bars, between 0 and 1", "0.95", 0                        \
  }

/* Reads these and the machine's.  settings borrows s, which is to be cleared also after a failure.
 * Opens no rows. */
SFM_MUST_CHECK sfm_status interact_options_read(sfm_interact_settings *settings, train_options *s,
                                                const cli_options *options, sfm_error *error);

/* What was planned, line by line; first of all whether one release would be better. */
void interact_plan_print(FILE *out, const sfm_interact_plan *plan, double confidence);
/* And as an object, of which the caller is the owner. */
json_t *interact_plan_json(const sfm_interact_plan *plan);

#endif
